//! Writing results: standard output for results only, files whole or not at all.

use std::io::Write as _;
use std::path::Path;

use crate::assets::save::SaveMode;
use crate::assets::save::save_file;
use crate::cli::Refused;

/// One sentence on standard error.
pub fn complain(sentence: &str) {
    // Nobody is left to hear about a closed standard error.
    let _ = writeln!(std::io::stderr(), "{}", sentence.replace('\n', " "));
}

/// The result, on standard output; on standard error when the file itself goes to standard output.
pub fn result(text: &str, out: Option<&Path>) -> Result<(), Refused> {
    if out.is_some_and(is_dash) {
        complain_lines(text);
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.write_all(b"\n"))
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Ok(()),
        // A reader that has seen enough (head, less) is no fault.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Refused(format!(
            "Could not write to standard output: {error}"
        ))),
    }
}

fn complain_lines(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a file whole or not at all; `-` is standard output.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), Refused> {
    let fail =
        |error: std::io::Error| Refused(format!("Could not write {}: {error}", path.display()));
    if is_dash(path) {
        let mut stdout = std::io::stdout().lock();
        return stdout
            .write_all(bytes)
            .and_then(|()| stdout.flush())
            .map_err(|error| Refused(format!("Could not write to standard output: {error}")));
    }
    // Devices and pipes cannot be replaced.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes).map_err(fail);
    }
    save_file(path, bytes, SaveMode::default())
        .map(|_| ())
        .map_err(|error| Refused(format!("Could not write {}: {error}", path.display())))
}

/// Peak memory of the whole process in bytes, as the system tells it; 0 where it does not.
pub fn peak_bytes() -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return 0;
    };
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| {
            rest.trim()
                .trim_end_matches("kB")
                .trim()
                .parse::<u64>()
                .ok()
        })
        .map_or(0, |kilobytes| kilobytes * 1024)
}
