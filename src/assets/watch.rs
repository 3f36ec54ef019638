//! Watching folders: changed paths, debounced. Falls back on polling where the system delivers no events.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// One save gives several events; they are handed on together when it has been quiet for this long.
const QUIET: Duration = Duration::from_millis(100);
/// How often the fallback looks.
const POLL: Duration = Duration::from_secs(1);

/// Watches folders until it is dropped.
pub struct Watcher {
    inner: Box<dyn notify::Watcher + Send>,
    watched: BTreeSet<PathBuf>,
    sender: crossbeam_channel::Sender<PathBuf>,
    polling: bool,
}

impl Watcher {
    /// `changed` gets sorted, distinct paths, on a thread of its own.
    ///
    /// # Errors
    /// The system's words when no thread can be started or neither way of watching works.
    pub fn new(changed: Arc<dyn Fn(Vec<PathBuf>) + Send + Sync>) -> Result<Self, String> {
        let (sender, receiver) = crossbeam_channel::unbounded::<PathBuf>();
        std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || {
                // Ends when the watcher, which holds the senders, is dropped.
                while let Ok(first) = receiver.recv() {
                    let mut paths = BTreeSet::from([first]);
                    while let Ok(path) = receiver.recv_timeout(QUIET) {
                        paths.insert(path);
                    }
                    changed(paths.into_iter().collect());
                }
            })
            .map_err(|error| error.to_string())?;
        let (inner, polling) = match notify::recommended_watcher(handler(sender.clone())) {
            Ok(watcher) => (Box::new(watcher) as Box<dyn notify::Watcher + Send>, false),
            Err(_) => (poll_watcher(&sender)?, true),
        };
        Ok(Self {
            inner,
            watched: BTreeSet::new(),
            sender,
            polling,
        })
    }

    /// Watches exactly these folders from now on (without their subfolders).
    pub fn set_folders(&mut self, folders: &[PathBuf]) {
        let wanted: BTreeSet<PathBuf> = folders.iter().cloned().collect();
        for gone in self.watched.difference(&wanted) {
            // It may have vanished; then there is nothing to give up.
            let _ = self.inner.unwatch(gone);
        }
        let new: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
        self.watched = wanted;
        for folder in new {
            if self
                .inner
                .watch(&folder, notify::RecursiveMode::NonRecursive)
                .is_ok()
                || !folder.exists()
            {
                continue;
            }
            if !self.polling {
                // Out of system watches: look by ourselves from here on.
                tracing::warn!(
                    "the system cannot watch {}; looking every second instead",
                    folder.display()
                );
                if let Ok(poll) = poll_watcher(&self.sender) {
                    self.inner = poll;
                    self.polling = true;
                    for folder in &self.watched {
                        let _ = self
                            .inner
                            .watch(folder, notify::RecursiveMode::NonRecursive);
                    }
                    return;
                }
            }
        }
    }
}

fn handler(
    sender: crossbeam_channel::Sender<PathBuf>,
) -> impl Fn(notify::Result<notify::Event>) + Send + 'static {
    move |event| {
        let Ok(event) = event else { return };
        if event.kind.is_access() {
            return;
        }
        for path in event.paths {
            let _ = sender.send(path);
        }
    }
}

fn poll_watcher(
    sender: &crossbeam_channel::Sender<PathBuf>,
) -> Result<Box<dyn notify::Watcher + Send>, String> {
    let config = notify::Config::default().with_poll_interval(POLL);
    notify::PollWatcher::new(handler(sender.clone()), config)
        .map(|watcher| Box::new(watcher) as Box<dyn notify::Watcher + Send>)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_told_once() {
        let dir = tempfile::tempdir().expect("temp dir");
        let (sender, receiver) = crossbeam_channel::unbounded();
        let mut watcher = Watcher::new(Arc::new(move |paths| {
            sender.send(paths).expect("test lives");
        }))
        .expect("watcher");
        watcher.set_folders(&[dir.path().to_owned()]);
        let file = dir.path().join("a.png");
        std::fs::write(&file, b"1").expect("write");
        std::fs::write(&file, b"2").expect("write");
        let paths = receiver
            .recv_timeout(Duration::from_secs(10))
            .expect("an event");
        assert_eq!(paths, [file]);
        watcher.set_folders(&[]);
    }
}
