//! Keys of the clip tool (CLP-1 to CLP-3).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
