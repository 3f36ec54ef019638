//! Combining brushes (CSG-1, CSG-2, BRU-5).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
