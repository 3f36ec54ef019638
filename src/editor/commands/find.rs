//! Searching the map, similar objects (SEL-9, SEL-10).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
