//! Planes, hulls, polygons, shapes, boolean operations, texture projection, rays, box trees: pure functions on `f64`.
//!
//! Must not know documents, files or the GPU's floats.

mod bounds;
mod bvh;
mod clip;
pub mod csg;
mod hull;
mod plane;
mod points;
pub mod polygon;
mod ray;
pub mod rings;
pub mod shapes;
pub mod snap;
pub mod sweep;
pub mod transform;
mod uv;

pub use self::bounds::Aabb;
pub use self::bvh::Bvh;
pub use self::clip::Solid;
pub use self::clip::Tangled;
pub use self::hull::Hull;
pub use self::hull::HullFault;
pub use self::plane::Plane;
pub use self::plane::Side;
pub use self::ray::FaceHit;
pub use self::ray::Ray;
pub use self::ray::Slabs;
pub use self::snap::Grid;
pub use self::transform::angles_deg_from_rotation;
pub use self::transform::quarter_turns;
pub use self::transform::rotation_from_angles_deg;
pub use self::uv::Fit;
pub use self::uv::Uv;
pub use self::uv::UvAxes;
pub use self::uv::base_axes;
pub use self::uv::projection_axis;

/// Corners of two brushes closer than this are one: `f32` planes move a corner by up to 0.005 at 32 768 units.
pub const TOUCH: f64 = 1.0 / 64.0;

/// Inside one brush, corners closer than this are one.
pub const SAME_CORNER: f64 = 1.0 / 512.0;
