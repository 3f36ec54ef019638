//! Mapwright, a level editor with a live 3D viewport. The program in ten sentences:
//!
//! 1. A [`document::Document`] is an immutable value, one state of the map; copying it costs a few pointers.
//! 2. A [`document::Draft`] is the only way to make the next one, and a [`document::Edit`] is a labelled function over a draft.
//! 3. [`document::History`] is a list of documents: undo takes the previous one, nothing is ever inverted.
//! 4. A gesture is an edit applied again and again to the same committed document: preview, then commit or drop;
//!    numbers in the tool bar may amend the last step the same way.
//! 5. Whatever shows or derives something keeps the last document it saw and asks for the differences; nobody notifies anybody.
//! 6. Slow work is a job: snapshot in, progress and cancel beside it ([`task`]), one message out.
//! 7. Everything the user can trigger without arguments is a row of the command table ([`editor::COMMANDS`]).
//! 8. A foreign format is a [`formats::Importer`]: bytes in, document and warnings out.
//! 9. Modules stand in one line, `task, geometry, document, compiler, formats, assets, editor, viewport, shell`, and use only
//!    modules to their left; `tests/layers.rs` keeps it so, and `cli` and `main` may use everything.
//! 10. Above the importers there is one space: right-handed, Y up, map units, `f64` in memory and `f32` in files.
//!
//! Where shaping is found: shapes, sweeps and boolean operations on solids in [`geometry`] (`shapes`, `sweep`, `csg`); edits by
//! subject in [`document::ops`]; what subtractive brushes leave in [`document::carving`]; `.map` text in [`formats::map`]; tools,
//! one a file or folder, in [`editor::tools`], their commands and keys in [`editor::commands`].

pub mod assets;
pub mod cli;
pub mod compiler;
pub mod document;
pub mod editor;
pub mod formats;
pub mod geometry;
pub mod shell;
pub mod task;
pub mod viewport;

/// Of all programs that use this crate. Previews make and free hundreds of thousands of small blocks on several threads at once,
/// where the system's allocator on Linux lets them wait for each other (a drag of 20 000 brushes takes 1.4 times as long).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
