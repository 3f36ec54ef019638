//! Shaping meshes (MSH-1): vertices without the rule of convexity, polygons extruded, inset, split, dissolved, flipped; brushes
//! to meshes and back.

mod extrude;
mod vertices;

pub use self::extrude::extruded_edges;
pub use self::extrude::extruded_faces;
pub use self::extrude::inset_faces;
pub use self::vertices::filtered;
pub use self::vertices::is_flat;
pub use self::vertices::moved;
pub use self::vertices::settled;
pub use self::vertices::with_vertex;
