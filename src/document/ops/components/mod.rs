//! Vertices, edges and faces of brushes and meshes: moving, adding, removing, snapping, cutting (VTX-1 to VTX-7).

mod convex;
mod cutting;
mod extruding;
mod moving;
mod settling;
mod shape;
mod snapping;

pub use self::convex::Moved;
pub use self::convex::Reshaper;
pub use self::convex::Stop;
pub use self::convex::Tiles;
pub use self::cutting::bevel;
pub use self::cutting::split;
pub use self::extruding::extrude_edges;
pub use self::extruding::extrude_faces;
pub use self::extruding::inset;
pub use self::moving::Handles;
pub use self::moving::Reshape;
pub use self::moving::add_vertex;
pub use self::moving::delete;
pub use self::moving::fuse;
pub use self::moving::move_by;
pub use self::moving::place;
pub use self::moving::transform_components;
pub use self::shape::ComponentKind;
pub use self::shape::SAME_VERTEX;
pub use self::shape::Shape;
pub use self::shape::converted;
pub use self::shape::has_components;
pub use self::shape::objects_only;
pub use self::shape::of_kind;
pub use self::shape::picked_positions;
pub use self::shape::shaped_objects;
pub use self::snapping::snap;
pub use self::snapping::unsnappable;
