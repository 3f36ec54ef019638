//! The desktop's own file dialog, where there is one.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::shell::file_dialog::Purpose;
use crate::shell::say;

/// True when the desktop has a portal that can show its own dialog.
#[must_use]
pub fn has_native() -> bool {
    if cfg!(not(target_os = "linux")) {
        return true;
    }
    let bus = std::env::var_os("XDG_RUNTIME_DIR").map(|folder| Path::new(&folder).join("bus"));
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || bus.is_some_and(|bus| bus.exists())
}

/// Shows the desktop's dialog on a thread of its own; the answer goes to `done`, `None` for "cancelled".
pub fn ask_native(
    purpose: Purpose,
    start: &Path,
    window: &Arc<winit::window::Window>,
    done: impl FnOnce(Option<PathBuf>) + Send + 'static,
) {
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_title(purpose.title())
        .set_parent(&**window);
    let folder = if start.is_dir() {
        Some(start)
    } else {
        start.parent()
    };
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        dialog = dialog.set_directory(folder);
    }
    dialog = dialog.add_filter("Known files", purpose.endings());
    if purpose.is_for_writing() {
        dialog = dialog.set_file_name(say::file_name(start));
    } else {
        dialog = dialog.add_filter("All files", &["*"]);
    }
    let spawned = std::thread::Builder::new()
        .name("file dialog".to_owned())
        .spawn(move || {
            let picked = pollster::block_on(async {
                match purpose {
                    Purpose::SaveMap | Purpose::Export => dialog.save_file().await,
                    Purpose::OpenMap | Purpose::AddTextures | Purpose::AddDefinitions => {
                        dialog.pick_file().await
                    }
                }
            });
            done(picked.map(|file| file.path().to_owned()));
        });
    if let Err(error) = spawned {
        tracing::error!("The file dialog could not be started: {error}");
    }
}
