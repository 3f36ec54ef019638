//! Shapes, arrays, repeating (BRU-3, DUP-2, DUP-3).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
