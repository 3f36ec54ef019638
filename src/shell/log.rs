//! The last lines of the log, kept for the Log panel: a `tracing` layer over a ring buffer.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use tracing::Level;
use tracing::field::Field;
use tracing::field::Visit;
use tracing_subscriber::layer::Context;
use tracing_subscriber::layer::Layer;

/// Lines kept; older ones go.
const KEPT: usize = 2000;

#[derive(Clone, Debug)]
pub struct Line {
    pub time: SystemTime,
    pub level: Level,
    pub text: String,
}

/// A shared ring of lines. Cloning shares.
#[derive(Clone, Default)]
pub struct LogBuffer(Arc<Shared>);

#[derive(Default)]
struct Shared {
    lines: Mutex<VecDeque<Line>>,
    /// Lines ever written: tells whether something is new.
    written: AtomicU64,
}

impl LogBuffer {
    pub fn push(&self, level: Level, text: String) {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(Line {
            time: SystemTime::now(),
            level,
            text,
        });
        self.0.written.fetch_add(1, Ordering::Relaxed);
    }

    /// Lines ever written.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.0.written.load(Ordering::Relaxed)
    }

    /// A copy of what is kept, oldest first.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        self.0
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }
}

/// The program has one log, so it has one ring.
#[must_use]
pub fn buffer() -> &'static LogBuffer {
    static BUFFER: OnceLock<LogBuffer> = OnceLock::new();
    BUFFER.get_or_init(LogBuffer::default)
}

/// Writes events of level info and above into a ring; put it beside the formatter of the subscriber.
pub struct LogLayer(LogBuffer);

impl LogLayer {
    /// The layer that feeds [`buffer`].
    #[must_use]
    pub fn new() -> Self {
        Self(buffer().clone())
    }
}

impl Default for LogLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: tracing::Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &tracing::Event<'_>, _cx: Context<'_, S>) {
        let level = *event.metadata().level();
        if level > Level::INFO {
            return;
        }
        // Libraries speak of what only their makers understand: their warnings count, their news do not.
        if level == Level::INFO && !event.metadata().target().starts_with("mapwright") {
            return;
        }
        let mut text = Text::default();
        event.record(&mut text);
        self.0.push(level, text.0);
    }
}

/// Message first, then the fields.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = if field.name() == "message" {
            let rest = std::mem::take(&mut self.0);
            write!(self.0, "{value:?}{rest}")
        } else {
            write!(self.0, "  {}={value:?}", field.name())
        };
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[test]
    fn the_ring_keeps_the_newest_lines_of_note() {
        let ring = LogBuffer::default();
        let subscriber = tracing_subscriber::registry().with(LogLayer(ring.clone()));
        tracing::subscriber::with_default(subscriber, || {
            tracing::debug!("too small");
            tracing::info!(target: "mapwright::test", faces = 3, "read");
            tracing::info!(target: "wgpu", "noise");
            tracing::warn!(target: "wgpu", "heard");
        });
        let texts: Vec<String> = ring.lines().into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["read  faces=3", "heard"]);
        for number in 0..KEPT + 5 {
            ring.push(Level::INFO, number.to_string());
        }
        assert_eq!(ring.lines().len(), KEPT);
        assert_eq!(ring.lines()[0].text, "5");
        assert_eq!(ring.written(), KEPT as u64 + 7);
    }
}
