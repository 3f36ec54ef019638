//! Turning, flipping, exact moves, dropping, the pivot (MOV-6 to MOV-9, ROT-1, FLP-1).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
