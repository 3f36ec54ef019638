//! The last build as a scene of its own, and which of its triangles are out of date.
//!
//! What changed since the build is drawn from the document instead. A triangle may show several faces (after merging), so
//! when one of them changed, the others are taken from the document too, with all triangles of theirs, and so on: the two
//! pictures never overlap and leave no hole between them.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;

use crate::compiler::Compiled;
use crate::compiler::Vertex;
use crate::document::Document;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::document::carving::Carving;
use crate::geometry::Aabb;
use crate::viewport::arena::Span;
use crate::viewport::scene::cpu::morton;

/// Triangles that are culled together.
const CLUSTER: usize = 1024;

/// Neighbouring triangles of a batch.
struct Cluster {
    /// Numbers of triangles within the batch.
    triangles: Vec<u32>,
    bounds: Aabb,
    /// Of faces that are unlit by themselves, whatever their material.
    is_unlit: bool,
    /// Into the indices of all.
    span: Span,
}

/// Triangles of one material.
pub(crate) struct PreviewBatch {
    pub material: Option<MaterialId>,
    /// Added to each index.
    pub base_vertex: i32,
    pub bounds: Aabb,
    batch: usize,
    clusters: Vec<Cluster>,
}

/// What is not shown of the build but of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stale {
    /// Whole objects: changed, or hidden.
    pub objects: BTreeSet<ObjectId>,
    /// Faces of others that share triangles with them.
    pub faces: BTreeSet<(ObjectId, u32)>,
    /// Runs of triangles left out, as (batch, run).
    runs: BTreeSet<(u32, u32)>,
}

/// A build ready to be drawn.
pub(crate) struct Preview {
    compiled: Arc<Compiled>,
    pub batches: Vec<PreviewBatch>,
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
    /// Every (object, face, batch, run), sorted.
    faces: Vec<(ObjectId, u32, u32, u32)>,
    /// What carved what in the build.
    carving: Carving,
}

impl Preview {
    pub(crate) fn new(compiled: Arc<Compiled>) -> Self {
        let mut preview = Self {
            compiled,
            batches: Vec::new(),
            vertices: Vec::new(),
            indices: Vec::new(),
            faces: Vec::new(),
            carving: Carving::default(),
        };
        if let Some(source) = &preview.compiled.source {
            preview.carving.sync(source);
        }
        let compiled = Arc::clone(&preview.compiled);
        for (number, batch) in compiled.cmpl.batches.iter().enumerate() {
            let base_vertex = preview.vertices.len() as i32;
            preview.vertices.extend_from_slice(&batch.vertices);
            let sound = |triangle: &[u32]| {
                triangle.len() == 3
                    && triangle
                        .iter()
                        .all(|&at| (at as usize) < batch.vertices.len())
            };
            let corner = |at: u32| batch.vertices[at as usize].position;
            let unlit = unlit(&compiled, number);
            let mut order: Vec<(bool, u64, u32)> = Vec::with_capacity(batch.indices.len() / 3);
            for (triangle, corners) in (0u32..).zip(batch.indices.chunks(3)) {
                if sound(corners) {
                    let center: Vec3 = corners.iter().map(|&at| corner(at)).sum::<Vec3>() / 3.0;
                    let is_unlit = unlit.get(triangle as usize).copied().unwrap_or(false);
                    order.push((is_unlit, morton(center.as_dvec3()), triangle));
                }
            }
            order.sort_unstable();
            let clusters: Vec<Cluster> = order
                .chunk_by(|a, b| a.0 == b.0)
                .flat_map(|of_kind| of_kind.chunks(CLUSTER))
                .map(|chunk| {
                    let triangles: Vec<u32> =
                        chunk.iter().map(|(_, _, triangle)| *triangle).collect();
                    let corners = triangles.iter().flat_map(|&triangle| {
                        &batch.indices[triangle as usize * 3..triangle as usize * 3 + 3]
                    });
                    let bounds = Aabb::of_points(corners.map(|&at| corner(at).as_dvec3()));
                    Cluster {
                        triangles,
                        bounds,
                        is_unlit: chunk[0].0,
                        span: Span::default(),
                    }
                })
                .collect();
            let bounds = clusters
                .iter()
                .map(|cluster| cluster.bounds)
                .fold(Aabb::EMPTY, Aabb::union);
            let material = u32::try_from(batch.material).ok().map(MaterialId);
            preview.batches.push(PreviewBatch {
                material,
                base_vertex,
                bounds,
                batch: number,
                clusters,
            });
        }
        for (batch, runs) in (0u32..).zip(&compiled.origins) {
            for (run, origin) in (0u32..).zip(runs) {
                preview.faces.extend(
                    origin
                        .faces
                        .iter()
                        .map(|&(object, face)| (object, face, batch, run)),
                );
            }
        }
        preview.faces.sort_unstable();
        preview.fill(&Stale::default());
        preview
    }

    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// What is out of date for this document; `None` when the build says too little about itself to be mixed with the
    /// document: then the document is drawn alone.
    /// `carving`: of the document.
    pub(crate) fn stale(
        &self,
        doc: &Document,
        carving: &Carving,
        hidden: &[ObjectId],
    ) -> Option<Stale> {
        let mut objects: BTreeSet<ObjectId> = hidden.iter().copied().collect();
        match &self.compiled.source {
            Some(source) if source.same(doc) => {}
            Some(source) => objects.extend(doc.changes_since(source).map(|change| change.id())),
            // Builds of a file say nothing about objects; without a source they are old.
            None => return None,
        }
        if self.compiled.origins.is_empty() && !self.compiled.cmpl.batches.is_empty() {
            // What is left out of builds is not in it anyway, and points have no faces.
            let source = self.compiled.source.as_ref().unwrap_or(doc);
            let has_no_faces = |id| is_point(doc, id) && is_point(source, id);
            objects.retain(|&id| !doc.is_left_out(id) && !has_no_faces(id));
            return objects.is_empty().then(|| self.beside(doc));
        }
        for (doc, carving) in [
            (self.compiled.source.as_ref(), &self.carving),
            (Some(doc), carving),
        ] {
            if let Some(doc) = doc.filter(|_| !carving.is_empty()) {
                add_carved(doc, carving, &mut objects);
            }
        }
        Some(self.grown(objects))
    }

    /// Parts of entities that the build has no model of: the light that a map came with knows nothing of what moves.
    fn beside(&self, doc: &Document) -> Stale {
        let models = &self.compiled.cmpl.models;
        let is_built = |owner: ObjectId| models.iter().any(|model| model.entity_id == owner.get());
        let parts = doc.objects().filter(|(id, object)| {
            let owner = doc.owner(*id);
            (object.brush().is_some() || object.mesh().is_some())
                && owner.is_some_and(|owner| !is_built(owner))
                && !doc.is_left_out(*id)
        });
        Stale {
            objects: parts.map(|(id, _)| id).collect(),
            ..Stale::default()
        }
    }

    /// Adds the faces that share triangles with `objects`, and those that share with these, and so on.
    fn grown(&self, objects: BTreeSet<ObjectId>) -> Stale {
        let mut stale = Stale {
            objects,
            ..Stale::default()
        };
        let mut open: Vec<(u32, u32)> = Vec::new();
        for &object in &stale.objects {
            let first = self.faces.partition_point(|entry| entry.0 < object);
            open.extend(
                self.faces[first..]
                    .iter()
                    .take_while(|entry| entry.0 == object)
                    .map(|entry| (entry.2, entry.3)),
            );
        }
        while let Some((batch, run)) = open.pop() {
            if !stale.runs.insert((batch, run)) {
                continue;
            }
            for &(object, face) in &self.compiled.origins[batch as usize][run as usize].faces {
                if stale.objects.contains(&object) || !stale.faces.insert((object, face)) {
                    continue;
                }
                let first = self
                    .faces
                    .partition_point(|entry| (entry.0, entry.1) < (object, face));
                let same = self.faces[first..]
                    .iter()
                    .take_while(|entry| (entry.0, entry.1) == (object, face));
                open.extend(same.map(|entry| (entry.2, entry.3)));
            }
        }
        stale
    }

    /// Writes the indices of what is still right.
    pub(crate) fn fill(&mut self, stale: &Stale) {
        let compiled = Arc::clone(&self.compiled);
        self.indices.clear();
        for batch in &mut self.batches {
            let indices = &compiled.cmpl.batches[batch.batch].indices;
            let left_out = left_out(&compiled, batch.batch, stale);
            for cluster in &mut batch.clusters {
                let start = self.indices.len() as u32;
                for &triangle in &cluster.triangles {
                    let at = triangle as usize * 3;
                    if !left_out.get(triangle as usize).copied().unwrap_or(false) {
                        self.indices.extend_from_slice(&indices[at..at + 3]);
                    }
                }
                cluster.span = Span {
                    start,
                    len: self.indices.len() as u32 - start,
                };
            }
        }
    }
}

/// An entity without brushes and meshes, or nothing at all.
fn is_point(doc: &Document, id: ObjectId) -> bool {
    doc.object(id)
        .is_none_or(|object| object.entity().is_some())
        && doc.children(Some(id)).next().is_none()
}

/// Surfaces of holes belong to both, what is carved and what carves: where one is out of date, so is the other.
fn add_carved(doc: &Document, carving: &Carving, objects: &mut BTreeSet<ObjectId>) {
    let moved: Vec<Aabb> = objects
        .iter()
        .filter_map(|&id| carving.carvers().get(id))
        .collect();
    if !moved.is_empty() {
        let near = |bounds: Aabb| moved.iter().any(|carver| carver.touches(bounds));
        objects.extend(
            doc.objects()
                .filter(|(_, object)| object.brush().is_some() && near(object.bounds()))
                .map(|(id, _)| id),
        );
    }
    let carvers: Vec<ObjectId> = objects
        .iter()
        .flat_map(|&id| carving.carvers_of(id))
        .collect();
    objects.extend(carvers);
}

/// One flag per triangle of a batch; empty when all of them stay.
fn left_out(compiled: &Compiled, batch: usize, stale: &Stale) -> Vec<bool> {
    let number = batch as u32;
    let mut flags = Vec::new();
    for &(_, run) in stale.runs.range((number, 0)..=(number, u32::MAX)) {
        if flags.is_empty() {
            flags.resize(compiled.cmpl.batches[batch].indices.len() / 3, false);
        }
        let run = &compiled.origins[batch][run as usize];
        let last = (run.first_triangle as usize)
            .saturating_add(run.triangle_count as usize)
            .min(flags.len());
        flags[(run.first_triangle as usize).min(last)..last].fill(true);
    }
    flags
}

/// One flag per triangle of a batch, for faces that are unlit by themselves; empty when none is, or the build does not tell.
fn unlit(compiled: &Compiled, batch: usize) -> Vec<bool> {
    let mut flags = Vec::new();
    let Some(source) = &compiled.source else {
        return flags;
    };
    let is_unlit = |&(id, face): &(ObjectId, u32)| {
        let brush = source.object(id).and_then(|object| object.brush());
        brush
            .and_then(|brush| brush.faces().get(face as usize))
            .is_some_and(|face| face.flags.has(SurfaceFlags::UNLIT))
    };
    let count = compiled.cmpl.batches[batch].indices.len() / 3;
    for run in compiled.origins.get(batch).into_iter().flatten() {
        if run.faces.iter().any(is_unlit) {
            flags.resize(count, false);
            let last = (run.first_triangle as usize)
                .saturating_add(run.triangle_count as usize)
                .min(count);
            flags[(run.first_triangle as usize).min(last)..last].fill(true);
        }
    }
    flags
}

impl PreviewBatch {
    /// Indices of the clusters that `seen` accepts, of faces that are unlit by themselves or of the others.
    pub(crate) fn visible(&self, is_unlit: bool, seen: impl Fn(Aabb) -> bool) -> Vec<Span> {
        crate::viewport::arena::joined(
            self.clusters
                .iter()
                .filter(|cluster| cluster.is_unlit == is_unlit && seen(cluster.bounds))
                .map(|cluster| cluster.span),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::Batch;
    use crate::compiler::BatchSource;
    use crate::compiler::Bsp;
    use crate::compiler::Cmpl;
    use crate::compiler::OriginRun;
    use crate::compiler::Stats;
    use crate::document::Brush;
    use crate::document::Kind;
    use crate::document::Object;
    use glam::DVec3;

    fn id(number: u32) -> ObjectId {
        ObjectId::new(number).expect("not 0")
    }

    /// A strip of triangles; each entry is a run of one triangle with its faces.
    fn build(doc: Option<&Document>, runs: &[&[(u32, u32)]]) -> Preview {
        let vertex = |n: usize| Vertex {
            position: Vec3::new(n as f32 * 300.0, (n % 2) as f32 * 10.0, 0.0),
            normal: Vec3::Z,
            uv: glam::Vec2::ZERO,
            rgba: [255; 4],
        };
        let batch = Batch {
            material: -1,
            source: BatchSource::BrushFaces,
            model: 0,
            vertices: (0..runs.len() + 2).map(vertex).collect(),
            indices: (0..runs.len() as u32)
                .flat_map(|n| [n, n + 1, n + 2])
                .collect(),
        };
        let cmpl = Cmpl {
            ambient: Vec3::ZERO,
            units_per_meter: 32.0,
            baked: 1,
            bounds: crate::compiler::Box3::default(),
            batches: vec![batch],
            models: vec![],
            bsp: Bsp::default(),
            mesh_collisions: vec![],
            lights: vec![],
        };
        let origins = (0u32..)
            .zip(runs)
            .map(|(n, faces)| OriginRun {
                first_triangle: n,
                triangle_count: 1,
                faces: faces.iter().map(|&(o, f)| (id(o), f)).collect(),
            })
            .collect();
        Preview::new(Arc::new(Compiled {
            source: doc.cloned(),
            cmpl: Arc::new(cmpl),
            mesh_model: vec![],
            lightmaps: None,
            visibility: None,
            origins: if runs.is_empty() {
                vec![]
            } else {
                vec![origins]
            },
            sealed: None,
            leak: None,
            issues: vec![],
            stats: Stats::default(),
        }))
    }

    #[test]
    fn what_changed_takes_its_merged_neighbours_along() {
        let mut draft = Document::default().edit();
        for _ in 0..4 {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::new(DVec3::ZERO, DVec3::ONE),
                None,
            ))));
        }
        let doc = draft.peek();
        // Faces 1.0 and 2.0 are merged, 2.0 has a second piece, merged with 3.1; the rest stands alone.
        let runs: &[&[(u32, u32)]] = &[&[(1, 0), (2, 0)], &[(2, 0), (3, 1)], &[(3, 2)], &[(4, 0)]];
        let mut preview = build(Some(&doc), runs);
        assert_eq!(preview.indices.len(), 12);
        assert_eq!(
            preview.stale(&doc, &Carving::default(), &[]),
            Some(Stale::default())
        );
        let mut draft = doc.edit();
        draft.update(id(1), |object| object.order = 7);
        let stale = preview
            .stale(&draft.peek(), &Carving::default(), &[])
            .expect("can be mixed");
        assert_eq!(stale.objects, BTreeSet::from([id(1)]));
        assert_eq!(stale.faces, BTreeSet::from([(id(2), 0), (id(3), 1)]));
        preview.fill(&stale);
        let mut left: Vec<u32> = preview.indices.clone();
        left.sort_unstable();
        assert_eq!(left, vec![2, 3, 3, 4, 4, 5]);
        let hidden = preview
            .stale(&doc, &Carving::default(), &[id(4)])
            .expect("can be mixed");
        assert_eq!((hidden.objects.len(), hidden.faces.len()), (1, 0));
    }

    /// The light that a map came with has no models of doors: these come from the document.
    #[test]
    fn parts_of_entities_without_a_model_stand_beside_the_build() {
        let cube = || Kind::Brush(Brush::cuboid(Aabb::new(DVec3::ZERO, DVec3::ONE), None));
        let mut draft = Document::default().edit();
        draft.insert(Object::new(cube()));
        let door = crate::document::Entity::new("Mover", DVec3::ZERO);
        let door = draft.insert(Object::new(Kind::Entity(door)));
        let part = draft.insert(Object {
            parent: Some(door),
            ..Object::new(cube())
        });
        let left_out = draft.insert(Object {
            flags: crate::document::ObjectFlags::NO_COMPILE,
            ..Object::new(cube())
        });
        let doc = draft.peek();
        let stale = build(Some(&doc), &[])
            .stale(&doc, &Carving::default(), &[left_out])
            .expect("the build fits");
        assert_eq!(stale.objects, BTreeSet::from([part]));
    }

    #[test]
    fn builds_that_say_too_little_are_all_or_nothing() {
        let mut draft = Document::default().edit();
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::ZERO, DVec3::ONE),
            None,
        ))));
        let doc = draft.peek();
        assert_eq!(
            build(None, &[&[(1, 0)]]).stale(&doc, &Carving::default(), &[]),
            None
        );
        let from_file = build(Some(&doc), &[]);
        assert_eq!(
            from_file.stale(&doc, &Carving::default(), &[]),
            Some(Stale::default())
        );
        assert_eq!(from_file.stale(&doc, &Carving::default(), &[id(1)]), None);
        let mut draft = doc.edit();
        draft.insert(Object::new(Kind::Entity(crate::document::Entity::new(
            "light",
            DVec3::ZERO,
        ))));
        assert_eq!(
            from_file.stale(&draft.peek(), &Carving::default(), &[]),
            Some(Stale::default()),
            "a point has no faces"
        );
        assert_eq!(
            from_file.stale(&Document::default(), &Carving::default(), &[]),
            None
        );
    }
}
