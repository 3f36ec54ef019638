//! The program: arguments, log, then the window or a windowless command.

use std::process::ExitCode;

use clap::Parser as _;
use mapwright::cli;

fn main() -> ExitCode {
    // Exit status 2 and one sentence for bad arguments is clap's own way.
    let arguments = cli::Arguments::parse();
    match &arguments.command {
        Some(command) => {
            log_to_stderr();
            cli::run(command)
        }
        None => mapwright::shell::main(arguments.file, arguments.assets),
    }
}

/// Warnings and errors, or what `RUST_LOG` asks for; never on standard output, which carries results only.
fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("error,wgpu_hal=off,wgpu_core=off"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
