//! The program: arguments, log, then the window or a windowless command.

use std::process::ExitCode;

use clap::Parser as _;
use mapwright::cli;
use mapwright::shell;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::Layer as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

fn main() -> ExitCode {
    // Exit status 2 and one sentence for bad arguments is clap's own way.
    let arguments = cli::Arguments::parse();
    log_to_stderr(arguments.command.is_none());
    match &arguments.command {
        Some(command) => cli::run(command),
        None => window(arguments),
    }
}

fn window(arguments: cli::Arguments) -> ExitCode {
    match shell::run(shell::ShellOptions {
        file: arguments.file,
        assets: arguments.assets,
        home: None,
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

/// Errors, or what `RUST_LOG` asks for; never on standard output, which carries results only. The window has a panel for the rest.
fn log_to_stderr(panel: bool) {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("error,wgpu_hal=off,wgpu_core=off"));
    tracing_subscriber::registry()
        .with(
            tracing_subscriber::fmt::layer()
                .with_writer(std::io::stderr)
                .with_filter(filter),
        )
        .with(panel.then(shell::log::LogLayer::new))
        .init();
}
