//! The sentence in the status line: what it is, how long it stands there, and what it gives way to.

use crate::editor::Editor;
use crate::editor::request::Status;
use crate::editor::request::StatusKind;

/// The last sentence.
#[derive(Default)]
pub(super) struct Saying {
    last: Option<Status>,
    /// Goes up with each step that is made or taken back, and with each change of the selection.
    moves: u64,
    /// `moves` when what led to the sentence had ended; `None` until then, so that a command may speak before or after it acts.
    said_at: Option<u64>,
}

impl Saying {
    /// The map or the selection is another: what was said of the old one is out of date.
    pub(super) fn moved_on(&mut self) {
        self.moves += 1;
    }
}

impl Editor {
    /// What the status line shows: the last message, if it is not old and neither a step nor another selection came after it.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        let Saying {
            last,
            moves,
            said_at,
        } = &self.saying;
        last.as_ref().filter(|status| {
            self.now_s - status.since_s < Status::SHOWN_S && said_at.is_none_or(|at| at == *moves)
        })
    }

    /// Puts a sentence into the status line.
    pub fn say(&mut self, kind: StatusKind, text: impl Into<String>) {
        let text = text.into();
        tracing::debug!(?kind, "{text}");
        self.saying.said_at = None;
        self.saying.last = Some(Status {
            kind,
            text,
            since_s: self.now_s,
        });
    }

    /// The shell's clock. What was said before it was known counts as said now.
    pub(crate) fn set_clock(&mut self, now_s: f64) {
        if self.now_s == 0.0
            && let Some(status) = &mut self.saying.last
        {
            status.since_s = now_s;
        }
        // A click that says why it does nothing may still change the selection when the button goes up.
        if now_s > self.now_s && self.saying.said_at.is_none() && !self.has_capture() {
            self.saying.said_at = Some(self.saying.moves);
        }
        self.now_s = now_s;
    }
}
