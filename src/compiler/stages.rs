//! The compile itself, stage by stage.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use crate::compiler::BakeScene;
use crate::compiler::Cmpl;
use crate::compiler::Compiled;
use crate::compiler::Model;
use crate::compiler::ModelMesh;
use crate::compiler::Options;
use crate::compiler::Stats;
use crate::compiler::base_units;
use crate::compiler::bsp;
use crate::compiler::carve;
use crate::compiler::collision;
use crate::compiler::cut;
use crate::compiler::fragments;
use crate::compiler::lights_of;
use crate::compiler::merge;
use crate::compiler::merge::Poly;
use crate::compiler::models;
use crate::compiler::models::Sources;
use crate::compiler::overlap;
use crate::compiler::package;
use crate::compiler::package::Bounds;
use crate::compiler::planes::Planes;
use crate::compiler::solids;
use crate::compiler::solids::Solid;
use crate::compiler::surface;
use crate::document::Document;
use crate::document::ObjectId;
use crate::task::Cancelled;
use crate::task::Progress;

/// Shares of the whole that the stages stand for, with light; without it they are about three times as large.
const SHARES: [(&str, f32); 8] = [
    ("solids", 0.05),
    ("overlap", 0.03),
    ("fragments", 0.07),
    ("merge", 0.05),
    ("weld", 0.10),
    ("bsp", 0.05),
    ("light", 0.60),
    ("package", 0.05),
];

/// Tells where the compile is, and notes how long each stage took when there is a clock.
struct Stages<'a> {
    progress: &'a Progress,
    clock: Option<fn() -> f64>,
    factor: f32,
    began: f64,
    done: Vec<(&'static str, f64)>,
}

impl Stages<'_> {
    fn run<T>(
        &mut self,
        index: usize,
        stage: impl FnOnce(&Progress) -> Result<T, Cancelled>,
    ) -> Result<T, Cancelled> {
        let (name, share) = SHARES[index];
        self.progress.check()?;
        self.progress.stage(name, share * self.factor);
        let start = self.clock.map(|clock| clock());
        let result = stage(self.progress)?;
        if let (Some(clock), Some(start)) = (self.clock, start) {
            self.done.push((name, clock() - start));
        }
        Ok(result)
    }
}

/// Compiles on the rayon pool it is called in.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn run(
    doc: &Document,
    options: &Options,
    progress: &Progress,
) -> Result<Compiled, Cancelled> {
    let factor = if options.light { 1.0 } else { 2.5 };
    let began = options.clock.map_or(0.0, |clock| clock());
    let mut stages = Stages {
        progress,
        clock: options.clock,
        factor,
        began,
        done: Vec::new(),
    };
    let mut issues = Vec::new();
    let mut stats = Stats {
        threads: rayon::current_num_threads(),
        ..Stats::default()
    };
    let base = base_units(doc.settings().units_per_meter);

    let (sources, solids) = stages.run(0, |progress| {
        let sources = models::sources(doc, &mut issues);
        let solids = carve::carve(
            solids::of_brushes(doc, &sources.brushes, progress)?,
            progress,
        )?;
        Ok((sources, solids))
    })?;
    let (planes, list) = (&solids.planes, &solids.list);
    let colliders = solids.colliders.as_ref().unwrap_or(list);
    stats.brushes = solids.brushes;
    stats.faces_in = list.iter().map(|solid| solid.faces.len()).sum();
    let neighbours = stages.run(1, |progress| overlap::neighbours(list, planes, progress))?;
    let visible = stages.run(2, |progress| {
        fragments::visible(list, &neighbours, planes, progress)
    })?;
    drop(neighbours);
    stats.fragments = visible.len();
    let polys = stages.run(3, |progress| {
        merge::merged(list, visible, planes, base, progress)
    })?;
    stats.merged = stats.fragments - polys.len();
    let mut meshes = stages.run(4, |progress| {
        surfaces(
            doc,
            &sources,
            polys,
            planes,
            base,
            options.light,
            &mut stats,
            progress,
        )
    })?;
    let tree = stages.run(5, |progress| {
        bsp::build(&colliding(colliders, 0), base, progress)
    })?;
    let lights = lights_of(doc, &mut issues);
    let records = lights.iter().map(crate::compiler::Light::record).collect();
    if options.light {
        stats.rays = stages.run(6, |progress| {
            let mut scene = BakeScene::new(doc, lights, &meshes, &tree);
            scene.given.clone_from(&options.given_light);
            crate::compiler::bake::bake(&scene, &mut meshes, options, progress)
                .map(|stats| stats.rays)
        })?;
    }
    let (cmpl, mesh_model, origins) = stages.run(7, |progress| {
        let (batches, origins) = package::batches(&meshes, base, progress)?;
        let settings = doc.settings();
        let sound = |x: f32, default: f32| if x.is_finite() { x } else { default };
        let units = sound(settings.units_per_meter, 32.0);
        let mut cmpl = Cmpl {
            ambient: Vec3::from(settings.ambient.to_array().map(|x| sound(x, 0.0).max(0.0))),
            units_per_meter: if units > 0.0 { units } else { 32.0 },
            baked: u8::from(options.light),
            batches,
            lights: records,
            bsp: tree,
            ..Cmpl::default()
        };
        let mesh_model = add_models(doc, &sources, colliders, &mut cmpl);
        Ok((cmpl, mesh_model, origins))
    })?;
    stats.count(&cmpl);
    stats.seconds = options.clock.map_or(0.0, |clock| clock() - stages.began);
    stats.stages = stages.done;
    Ok(Compiled {
        source: Some(doc.clone()),
        cmpl: Arc::new(cmpl),
        mesh_model,
        lightmaps: None,
        visibility: None,
        origins,
        sealed: None,
        leak: None,
        issues,
        stats,
    })
}

/// The drawn surface of each model that has one, brushes first, then meshes in document order.
fn surfaces(
    doc: &Document,
    sources: &Sources<'_>,
    polys: Vec<Poly>,
    planes: &Planes,
    base: f64,
    light: bool,
    stats: &mut Stats,
    progress: &Progress,
) -> Result<Vec<ModelMesh>, Cancelled> {
    let polys = if light {
        cut::by_grid(polys, planes, base)
    } else {
        polys
    };
    progress.check()?;
    let mut by_model: Vec<Vec<Poly>> = sources.models.iter().map(|_| Vec::new()).collect();
    for poly in polys {
        by_model[poly.model as usize].push(poly);
    }
    let made: Vec<(ModelMesh, usize)> = by_model
        .into_par_iter()
        .enumerate()
        .map(|(model, polys)| surface::of_polys(model as u32, polys, planes, base, progress))
        .collect::<Result<_, Cancelled>>()?;
    stats.t_junctions = made.iter().map(|made| made.1).sum();
    let mut meshes: Vec<ModelMesh> = made.into_iter().map(|made| made.0).collect();
    for source in &sources.meshes {
        progress.check()?;
        models::add_mesh(doc, source, &mut meshes[source.model as usize]);
    }
    Ok(meshes)
}

/// Solids of a model that become collision brushes, ascending by brush; pieces of one brush keep their order.
fn colliding(list: &[Solid], model: u32) -> Vec<&Solid> {
    let mut found: Vec<&Solid> = list
        .iter()
        .filter(|solid| solid.model == model && collision::collides(solid))
        .collect();
    found.sort_by_key(|solid| solid.id);
    found
}

/// Fills in models, mesh collisions and boxes; returns the model of each mesh collision.
fn add_models(
    doc: &Document,
    sources: &Sources<'_>,
    colliders: &[Solid],
    cmpl: &mut Cmpl,
) -> Vec<i32> {
    let mut bounds = vec![Bounds::EMPTY; sources.models.len()];
    for batch in &cmpl.batches {
        batch
            .vertices
            .iter()
            .for_each(|vertex| bounds[batch.model as usize].add(vertex.position));
    }
    let mut collisions: Vec<_> = sources
        .meshes
        .iter()
        .filter_map(|source| Some((models::mesh_collision(doc, source)?, source.model as i32)))
        .collect();
    collisions.sort_by_key(|(collision, _)| collision.object_id);
    for (collision, model) in &collisions {
        bounds[*model as usize].add_box(collision.bounds);
    }
    let mut by_model: Vec<Vec<&Solid>> = vec![Vec::new(); sources.models.len()];
    for solid in colliders.iter().filter(|solid| collision::collides(solid)) {
        by_model[solid.model as usize].push(solid);
    }
    for ((entity, mut solids), bounds) in sources.models.iter().zip(by_model).zip(&mut bounds) {
        solids.sort_by_key(|solid| solid.id);
        let brushes: Vec<_> = solids.into_iter().map(collision::record).collect();
        for brush in &brushes {
            bounds.add_box(brush.bounds);
        }
        let brushes = if entity.is_none() {
            Vec::new()
        } else {
            brushes
        };
        cmpl.models.push(Model {
            entity_id: entity.map_or(0, ObjectId::get),
            bounds: bounds.get(),
            brushes,
        });
    }
    let mut all = Bounds::EMPTY;
    bounds
        .iter()
        .filter(|bounds| !bounds.is_empty())
        .for_each(|bounds| all.add_box(bounds.get()));
    cmpl.bounds = all.get();
    let (records, models) = collisions.into_iter().unzip();
    cmpl.mesh_collisions = records;
    models
}

impl Stats {
    fn count(&mut self, cmpl: &Cmpl) {
        self.vertices = cmpl.batches.iter().map(|batch| batch.vertices.len()).sum();
        self.triangles = cmpl
            .batches
            .iter()
            .map(|batch| batch.indices.len() / 3)
            .sum();
        self.batches = cmpl.batches.len();
        self.models = cmpl.models.len();
        self.planes = cmpl.bsp.planes.len();
        self.nodes = cmpl.bsp.nodes.len();
        self.leaves = cmpl.bsp.leaves.len();
        self.leaf_refs = cmpl.bsp.leaf_brushes.len();
        self.depth = cmpl.bsp.depth as usize;
        self.lights = cmpl.lights.len();
        self.drawn_area = cmpl.batches.iter().map(package::area).sum();
    }
}
