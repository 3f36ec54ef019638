//! Materials and surface bits.

use glam::Vec2;
use glam::Vec3;

use crate::document::object::bits;

/// A row of `MATS`.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Unique, case-sensitive, shown to the user.
    pub name: String,
    /// Path relative to the asset roots, with extension; empty = colour only.
    pub texture: String,
    /// World units that one repeat covers at uv scale 1 (D19).
    pub tile_size: Vec2,
    /// Tint, sRGB-encoded, 0..1.
    pub color: Vec3,
    pub flags: SurfaceFlags,
}

impl Material {
    /// White, 64 units per repeat, no flags.
    #[must_use]
    pub fn new(name: impl Into<String>, texture: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            texture: texture.into(),
            tile_size: Vec2::splat(64.0),
            color: Vec3::ONE,
            flags: SurfaceFlags::default(),
        }
    }

    /// Tile size with values that are not positive read as 64 (`W-TILE`).
    #[must_use]
    pub fn sound_tile_size(&self) -> Vec2 {
        let sound = |value: f32| {
            if value > 0.0 && value.is_finite() {
                value
            } else {
                64.0
            }
        };
        Vec2::new(sound(self.tile_size.x), sound(self.tile_size.y))
    }
}

bits!(
    /// Surface bits of faces and materials, or-ed together (`hmap.md` 2.4). Unknown bits are kept.
    SurfaceFlags {
        /// No triangles.
        NODRAW = 0x0001;
        /// Vertex colour stays white.
        UNLIT = 0x0002;
        TWO_SIDED = 0x0004;
        /// Light passes through.
        NO_SHADOW = 0x0008;
        /// Mesh triangles left out of mesh collision.
        NO_COLLIDE = 0x0010;
        SKY = 0x0020;
        /// Blended by texture alpha (material only).
        TRANSLUCENT = 0x0040;
        /// Alpha test at 0.5 (material only).
        MASKED = 0x0080;
        /// Sampled without filtering (material only).
        NEAREST = 0x0100;
        /// `tile_size` stands for an unknown pixel size (material only).
        SIZE_GUESSED = 0x0200;
        /// Texture axes lie in the face plane (face only).
        FACE_ALIGNED = 0x1000;
    }
);
