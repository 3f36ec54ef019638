//! Document -> what is drawn, walked on and lit: BSP, batches, collision, baked vertex light.
//!
//! Must not know files, windows or the history. Cannot fail, only be cancelled: faults of the map are issues in the result.

pub mod display;
mod light;
mod mesh;
mod output;
mod raycast;
pub mod trace;

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

pub use self::light::Law;
pub use self::light::Light;
pub use self::light::lights_of;
pub use self::mesh::ModelMesh;
pub use self::mesh::Patch;
pub use self::mesh::PatchUv;
pub use self::mesh::PatchVertex;
pub use self::output::Batch;
pub use self::output::BatchSource;
pub use self::output::Box3;
pub use self::output::Bsp;
pub use self::output::Cmpl;
pub use self::output::CollisionBrush;
pub use self::output::Compiled;
pub use self::output::Leaf;
pub use self::output::Leak;
pub use self::output::LightKind;
pub use self::output::LightRecord;
pub use self::output::LightmapPage;
pub use self::output::Lightmaps;
pub use self::output::MeshCollision;
pub use self::output::Model;
pub use self::output::Node;
pub use self::output::OriginRun;
pub use self::output::Origins;
pub use self::output::Plane3;
pub use self::output::Stats;
pub use self::output::Vertex;
pub use self::output::Visibility;
use crate::document::Document;
use crate::document::MaterialId;
use crate::task::Cancelled;
use crate::task::Progress;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// Direct light at the base cut only.
    Fast,
    /// Adaptive cutting, direct light.
    #[default]
    Normal,
    /// Finer cutting; bounce, ambient occlusion and sky dome when they exist.
    Full,
}

/// What to make.
#[derive(Clone, Debug)]
pub struct Options {
    pub quality: Quality,
    /// Off: `baked` 0, all white.
    pub light: bool,
    /// Threads to use; `None` = all cores.
    pub threads: Option<usize>,
    /// Mean linear colours of materials, for bounce.
    pub albedo: Arc<BTreeMap<MaterialId, Vec3>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { quality: Quality::Normal, light: true, threads: None, albedo: Arc::default() }
    }
}

/// Results by content hash that the next run may use.
#[derive(Default)]
pub struct Cache {}

/// Compiles a snapshot. The same snapshot and options give the same bytes on any number of threads.
///
/// # Errors
/// [`Cancelled`] when `progress` was cancelled.
pub fn compile(_doc: &Document, _options: &Options, _cache: &mut Cache, _progress: &Progress) -> Result<Compiled, Cancelled> {
    todo!()
}
