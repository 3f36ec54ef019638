//! Mapwright, a level editor with a live 3D viewport.
pub mod task;
pub mod geometry;
pub mod document;
