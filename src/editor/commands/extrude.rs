//! Insets, sweeps, bridges (EXT-5).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
