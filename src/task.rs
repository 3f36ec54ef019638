//! Background work without knowing what it is for: progress, cancelling, a slot for the newest request, a thread.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering;

/// The run was cancelled from outside; nothing it made may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Shared by a worker, which reports, and its owner, who looks and may cancel. Cloning shares.
#[derive(Clone, Default)]
pub struct Progress(Arc<Shared>);

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    /// Fraction of the present stage, as the bits of an `f32`.
    fraction: AtomicU32,
    stage: Mutex<Stage>,
}

#[derive(Default)]
struct Stage {
    name: &'static str,
    /// Shares of the whole that are done, and that the present stage stands for.
    done: f32,
    share: f32,
}

impl Progress {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a stage that stands for `share` (0..1) of the whole.
    pub fn stage(&self, name: &'static str, share: f32) {
        let mut stage = self
            .0
            .stage
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        stage.done += stage.share;
        stage.name = name;
        stage.share = share;
        self.0.fraction.store(0, Ordering::Relaxed);
    }

    /// Fraction of the present stage, 0..1.
    pub fn set(&self, fraction: f32) {
        self.0
            .fraction
            .store(fraction.clamp(0.0, 1.0).to_bits(), Ordering::Relaxed);
    }

    /// The stage's name and the fraction of the whole, 0..1.
    #[must_use]
    pub fn get(&self) -> (&'static str, f32) {
        let stage = self
            .0
            .stage
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let fraction = f32::from_bits(self.0.fraction.load(Ordering::Relaxed));
        (
            stage.name,
            (stage.done + stage.share * fraction).clamp(0.0, 1.0),
        )
    }

    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Polled by workers between items of a few milliseconds.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Progress::cancel`].
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

/// At most one run and one waiting request, the newest.
pub struct Slot<R> {
    running: Option<Progress>,
    waiting: Option<R>,
}

impl<R> Default for Slot<R> {
    fn default() -> Self {
        Self {
            running: None,
            waiting: None,
        }
    }
}

impl<R> Slot<R> {
    /// Cancels the run and replaces what waits.
    pub fn request(&mut self, request: R) {
        if let Some(progress) = &self.running {
            progress.cancel();
        }
        self.waiting = Some(request);
    }

    /// Takes the waiting request when nothing runs; the caller must call [`Slot::finished`] at its end.
    pub fn start(&mut self) -> Option<(R, Progress)> {
        if self.running.is_some() {
            return None;
        }
        let request = self.waiting.take()?;
        let progress = Progress::new();
        self.running = Some(progress.clone());
        Some((request, progress))
    }

    pub fn finished(&mut self) {
        self.running = None;
    }

    /// Cancels the run and forgets what waits.
    pub fn cancel(&mut self) {
        if let Some(progress) = &self.running {
            progress.cancel();
        }
        self.waiting = None;
    }

    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || self.waiting.is_some()
    }

    #[must_use]
    pub fn progress(&self) -> Option<(&'static str, f32)> {
        self.running.as_ref().map(Progress::get)
    }
}

/// Runs `work` on a named thread and hands its result, or the message of its panic, to `done` on that thread.
///
/// # Errors
/// The system's error when no thread can be started; neither closure has run then.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, String>) + Send + 'static,
) -> std::io::Result<std::thread::JoinHandle<()>> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || done(caught(work)))
}

/// Runs `work`; a panic in it becomes its message.
///
/// # Errors
/// The panic's message.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "an internal fault without a message".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_request_wins_and_the_run_is_cancelled() {
        let mut slot = Slot::default();
        slot.request(1);
        let (first, progress) = slot.start().expect("idle slot starts");
        assert_eq!(first, 1);
        slot.request(2);
        slot.request(3);
        assert!(progress.is_cancelled());
        assert!(slot.start().is_none(), "one run at a time");
        slot.finished();
        assert_eq!(slot.start().expect("the waiting one").0, 3);
        slot.finished();
        assert!(slot.start().is_none());
    }

    #[test]
    fn progress_adds_stages_up() {
        let progress = Progress::new();
        progress.stage("a", 0.25);
        progress.set(1.0);
        progress.stage("b", 0.75);
        progress.set(0.5);
        let (name, fraction) = progress.get();
        assert_eq!(name, "b");
        assert!((fraction - 0.625).abs() < 1e-6);
    }

    #[test]
    fn a_panic_becomes_its_message() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let work = || -> i32 { panic!("broken {}", 7) };
        spawn("test", work, move |result| {
            sender.send(result).expect("receiver lives");
        })
        .expect("thread")
        .join()
        .expect("join");
        assert_eq!(receiver.recv().expect("sent"), Err("broken 7".to_owned()));
    }
}
