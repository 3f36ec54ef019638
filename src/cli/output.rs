//! Writing results: standard output for results only, files whole or not at all.

use std::io::Write as _;
use std::path::Path;

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
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // Devices and pipes cannot be replaced.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes).map_err(fail);
    }
    let mut temporary = tempfile::Builder::new()
        .prefix(".mapwright-")
        .suffix(".tmp")
        .tempfile_in(folder)
        .map_err(fail)?;
    temporary.write_all(bytes).map_err(fail)?;
    temporary.as_file().sync_all().map_err(fail)?;
    set_usual_permissions(temporary.as_file(), path).map_err(fail)?;
    temporary.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Temporary files are private; a result has the rights of the file it replaces, else those a new file gets.
#[cfg(unix)]
fn set_usual_permissions(file: &std::fs::File, target: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(target).map_or(0o644, |data| data.permissions().mode() & 0o777);
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &std::fs::File, _: &Path) -> std::io::Result<()> {
    Ok(())
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
