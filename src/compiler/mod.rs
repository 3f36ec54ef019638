//! Document -> what is drawn, walked on and lit: BSP, batches, collision, baked vertex light.
//!
//! Must not know files, windows or the history. Cannot fail, only be cancelled: faults of the map are issues in the result.

mod bake;
mod bake_close;
mod bake_mesh;
mod bake_refine;
mod bake_sample;
mod bake_scene;
#[cfg(test)]
mod bake_tests;
mod bsp;
mod carve;
mod colliders;
mod collision;
mod collision_faces;
mod cut;
pub mod display;
mod fragments;
mod given_light;
mod hash;
mod light;
mod merge;
mod mesh;
mod models;
mod output;
mod overlap;
mod package;
mod planes;
mod polygon;
mod portals;
mod raycast;
mod raycast_build;
mod smooth;
mod solids;
mod stages;
mod surface;
mod tjunction;
pub mod trace;
mod triangulate;
pub mod walk;
mod weld;

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

pub use self::bake::BakeScene;
pub use self::bake::BakeStats;
pub use self::bake::bake;
pub use self::collision_faces::CollisionFace;
pub use self::collision_faces::collision_faces;
pub use self::given_light::GivenLight;
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
pub use self::portals::portals;
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
    /// Light of surfaces that is known: it is taken as it is, the map's lights shine on the rest.
    pub given_light: Option<Arc<GivenLight>>,
    /// Mean linear colours of materials, for bounce.
    pub albedo: Arc<BTreeMap<MaterialId, Vec3>>,
    /// Seconds since any moment, for `Stats::stages`: the compiler reads no clock of its own. It decides nothing.
    pub clock: Option<fn() -> f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            quality: Quality::Normal,
            light: true,
            threads: None,
            given_light: None,
            albedo: Arc::default(),
            clock: None,
        }
    }
}

/// What the next run may use of this one: the worker threads.
#[derive(Default)]
pub struct Cache {
    pool: Option<(Option<usize>, rayon::ThreadPool)>,
}

impl Cache {
    /// The threads that were asked for; `None` when the system gives none.
    fn pool(&mut self, threads: Option<usize>) -> Option<&rayon::ThreadPool> {
        if self.pool.as_ref().is_none_or(|pool| pool.0 != threads) {
            let builder = rayon::ThreadPoolBuilder::new()
                .num_threads(threads.unwrap_or(0))
                .thread_name(|index| format!("compile-{index}"));
            self.pool = builder.build().ok().map(|pool| (threads, pool));
        }
        self.pool.as_ref().map(|pool| &pool.1)
    }
}

/// Compiles a snapshot. The same snapshot and options give the same bytes on any number of threads.
///
/// # Errors
/// [`Cancelled`] when `progress` was cancelled.
pub fn compile(
    doc: &Document,
    options: &Options,
    cache: &mut Cache,
    progress: &Progress,
) -> Result<Compiled, Cancelled> {
    match cache.pool(options.threads) {
        Some(pool) => pool.install(|| stages::run(doc, options, progress)),
        None => stages::run(doc, options, progress),
    }
}

/// The unit of all sampling lengths: the power of two nearest to 8 m, in map units.
#[must_use]
pub(crate) fn base_units(units_per_meter: f32) -> f64 {
    let wanted = if units_per_meter.is_finite() {
        8.0 * f64::from(units_per_meter)
    } else {
        256.0
    };
    let mut base = 4.0;
    // Nearest by ratio: the border between two powers is their geometric mean.
    while base * base * 2.0 < wanted * wanted && base < 8192.0 {
        base *= 2.0;
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_follows_the_scale_of_the_map() {
        for (units, base) in [
            (32.0, 256.0),
            (39.37, 256.0),
            (52.5, 512.0),
            (8.0, 64.0),
            (0.0, 4.0),
            (f32::NAN, 256.0),
            (1e30, 8192.0),
        ] {
            assert_eq!(base_units(units), base, "{units}");
        }
    }
}
