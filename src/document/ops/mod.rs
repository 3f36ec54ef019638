//! Edits by subject: free functions that make an [`crate::document::Edit`], or work on a draft.
//!
//! Each edit is a pure function of the state it gets: it may run many times (every mouse move) and gives the same result for
//! the same state. Ids that no longer exist are passed over.

pub mod brushes;
pub mod clip;
pub mod clip_mesh;
pub mod clipboard;
pub mod components;
pub mod csg;
pub mod entities;
pub mod extrude;
pub mod faces;
pub mod flip;
pub mod groups;
pub mod layers;
pub mod links;
pub mod materials;
pub mod meshes;
pub mod objects;
pub mod order;
pub mod settings;
pub mod shapes;
pub mod surfaces;
pub mod sweep;
pub mod texture;
pub mod transform;

#[cfg(test)]
pub(in crate::document) mod testing;
