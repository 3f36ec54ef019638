//! Shaping meshes (MSH-1): vertices without the rule of convexity, polygons extruded, inset, split, dissolved, flipped; brushes
//! to meshes and back.

mod convert;
mod cut;
mod edits;
mod extrude;
pub(super) mod frames;
mod vertices;

pub use self::convert::losses;
pub use self::convert::of_brush;
pub use self::convert::rest_as_meshes;
pub use self::convert::to_brushes;
pub use self::convert::to_meshes;
pub use self::cut::dissolved;
pub use self::cut::flipped;
pub use self::cut::smoothed;
pub use self::cut::split_across;
pub use self::cut::split_between;
pub use self::cut::split_faces;
pub use self::edits::dissolve;
pub use self::edits::flip;
pub use self::edits::set_smoothing;
pub use self::extrude::extruded_edges;
pub use self::extrude::extruded_faces;
pub use self::extrude::inset_faces;
pub use self::vertices::filtered;
pub use self::vertices::is_flat;
pub use self::vertices::moved;
pub use self::vertices::settled;
pub use self::vertices::with_vertex;
