//! Vertices, edges, faces, meshes (VTX-1 to VTX-7, MSH-1).

use super::Command;

pub(super) static COMMANDS: &[Command] = &[];
