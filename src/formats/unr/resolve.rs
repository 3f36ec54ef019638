//! A world's model with every index checked: what readers of a [`RawModel`] may rely on (`unr.md` 14).

use std::collections::HashMap;

use glam::Vec3;

use crate::formats::unr::model::LightmapRecord;
use crate::formats::unr::model::Model;
use crate::formats::unr::model::NodeRecord;
use crate::formats::unr::model::SurfaceRecord;
use crate::formats::unr::package::Reference;
use crate::formats::unr::package::Tables;
use crate::formats::unr::polys::Textures;
use crate::formats::unr::polys::is_place;
use crate::formats::unr::raw::Facts;
use crate::formats::unr::raw::Leaf;
use crate::formats::unr::raw::LightEntry;
use crate::formats::unr::raw::Lightmap;
use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::Surface;
use crate::formats::unr::raw::Zone;

/// The engine's own are at most 256 texels wide and high.
const MAX_LIGHTMAP_TEXELS: u32 = 1024;

/// Behind a hull's planes and the -1 stands its box.
const BOX_NUMBERS: usize = 6;

/// What references and numbers of a model mean.
pub struct Resolver<'a> {
    pub tables: &'a Tables,
    /// Place among the map's actors by export.
    pub actors: &'a HashMap<usize, u32>,
    pub textures: &'a mut Textures,
    /// Gets the counts of what is not sound.
    pub facts: &'a mut Facts,
}

impl Resolver<'_> {
    /// Nodes, points and everything else that is found by number keep their numbers; only surfaces that are not sound go.
    pub fn world(&mut self, model: Model) -> RawModel {
        let (surfaces, places) = self.surfaces(&model);
        let lights: Vec<LightEntry> = self.lights(&model);
        let lightmaps = self.lightmaps(&model, &lights);
        let last_hull = last_hull_end(&model.leaf_hulls);
        let mut nodes: Vec<Node> = (model.nodes.iter())
            .map(|node| self.node(&model, node, &places, last_hull))
            .collect();
        self.facts.bad_nodes += untangle(&mut nodes);
        let zones = model.zones.iter().map(|zone| Zone {
            actor: self.actor(zone.actor),
            connectivity: zone.connectivity,
            visibility: zone.visibility,
        });
        let zones = zones.collect();
        let light_list = |first: i32| match usize::try_from(first) {
            Ok(fits) if fits < lights.len() => first,
            _ => -1,
        };
        let leaves = model.leaves.iter().map(|leaf| Leaf {
            zone: leaf.zone,
            permeating: light_list(leaf.permeating),
            volumetric: light_list(leaf.volumetric),
            visible_zones: leaf.visible_zones,
        });
        let leaves = leaves.collect();
        let point_count = model.points.len();
        // What lies unused in the pool may point anywhere.
        let vertices = model.vertices.iter().map(|&(point, side)| {
            let point = u32::try_from(point).unwrap_or(0);
            (
                if (point as usize) < point_count {
                    point
                } else {
                    0
                },
                side,
            )
        });
        RawModel {
            vertices: vertices.collect(),
            vectors: model.vectors,
            points: model.points,
            nodes,
            surfaces,
            shared_sides: model.shared_sides,
            zones,
            lightmaps,
            light_bits: model.light_bits,
            bounds: model.bounds,
            leaf_hulls: model.leaf_hulls,
            leaves,
            lights,
            is_root_outside: model.is_root_outside,
            is_linked: model.is_linked,
        }
    }

    fn actor(&self, reference: Reference) -> Option<u32> {
        self.actors.get(&reference.export()?).copied()
    }

    /// The sound ones, and where each of the file's went.
    fn surfaces(&mut self, model: &Model) -> (Vec<Surface>, Vec<Option<u32>>) {
        let mut kept = Vec::with_capacity(model.surfaces.len());
        let mut places = Vec::with_capacity(model.surfaces.len());
        for record in &model.surfaces {
            let surface = self.surface(model, record);
            places.push(surface.map(|_| kept.len() as u32));
            kept.extend(surface);
        }
        (kept, places)
    }

    fn surface(&mut self, model: &Model, record: &SurfaceRecord) -> Option<Surface> {
        let vector = |index: i32| {
            let found = model.vectors.get(usize::try_from(index).ok()?)?;
            found.is_finite().then_some(index as u32)
        };
        let base = usize::try_from(record.base).ok()?;
        let surface = Surface {
            texture: self.textures.place(record.texture, self.tables),
            flags: record.flags,
            base: model
                .points
                .get(base)
                .filter(|point| is_place(**point))
                .map(|_| base as u32)?,
            normal: vector(record.normal)?,
            u: vector(record.u)?,
            v: vector(record.v)?,
            lightmap: below(record.lightmap, model.lightmaps.len()),
            polygon: record.polygon,
            pan: record.pan,
            actor: self.actor(record.actor),
        };
        Some(surface)
    }

    /// Lists of lights; the last one is ended where the file does not.
    fn lights(&self, model: &Model) -> Vec<LightEntry> {
        let entry = |&reference: &Reference| match self.actor(reference) {
            _ if reference == Reference(0) => LightEntry::End,
            Some(actor) => LightEntry::Actor(actor),
            None => LightEntry::Gone,
        };
        let mut lights: Vec<LightEntry> = model.lights.iter().map(entry).collect();
        if lights.last().is_some_and(|last| *last != LightEntry::End) {
            lights.push(LightEntry::End);
        }
        lights
    }

    fn lightmaps(&mut self, model: &Model, lights: &[LightEntry]) -> Vec<Lightmap> {
        // From each entry to the end of its list.
        let mut lengths = vec![0_usize; lights.len()];
        for place in (0..lights.len()).rev() {
            if lights[place] != LightEntry::End {
                lengths[place] = 1 + lengths.get(place + 1).copied().unwrap_or(0);
            }
        }
        let lightmap = |record: &LightmapRecord| {
            let size = record.size.map(|texels| u32::try_from(texels).unwrap_or(0));
            let first_light = below(record.first_light, lights.len());
            let offset = u32::try_from(record.offset).ok();
            let fits = first_light.is_none_or(|first| {
                let rows = lengths[first as usize] as u64 * u64::from(size[1]);
                let bytes = rows.checked_mul(u64::from(size[0].div_ceil(8)));
                let end = bytes.and_then(|bytes| bytes.checked_add(u64::from(offset?)));
                end.is_some_and(|end| end <= model.light_bits.len() as u64)
                    && size.iter().all(|&texels| texels <= MAX_LIGHTMAP_TEXELS)
                    && record.pan.is_finite()
                    && record
                        .scale
                        .iter()
                        .all(|scale| scale.is_finite() && *scale != 0.0)
            });
            (
                fits && (first_light.is_some() || record.first_light < 0),
                Lightmap {
                    offset: offset.unwrap_or(0),
                    pan: record.pan,
                    size,
                    scale: record.scale,
                    first_light: first_light.filter(|_| fits),
                },
            )
        };
        let found: Vec<(bool, Lightmap)> = model.lightmaps.iter().map(lightmap).collect();
        self.facts.bad_lightmaps += found.iter().filter(|(is_sound, _)| !is_sound).count();
        found.into_iter().map(|(_, lightmap)| lightmap).collect()
    }

    fn node(
        &mut self,
        model: &Model,
        record: &NodeRecord,
        surfaces: &[Option<u32>],
        last_hull: Option<usize>,
    ) -> Node {
        let count = model.nodes.len();
        let links = [record.back, record.front, record.coplanar];
        let is_link = |link: i32| link == -1 || below(link, count).is_some();
        let has_plane = record.normal.is_finite() && record.distance.is_finite();
        let mut is_sound = has_plane && links.into_iter().all(is_link);
        let mut vertex_count = record.vertex_count;
        let surface = below(record.surface, surfaces.len());
        let surface = surface.and_then(|surface| surfaces[surface as usize]);
        if vertex_count > 0 {
            match polygon(model, record) {
                Some(points) if !points.iter().copied().all(is_place) => {
                    self.facts.bad_polygons += 1;
                    vertex_count = 0;
                }
                Some(_) if surface.is_some() && has_plane => {}
                _ => {
                    is_sound = false;
                    vertex_count = 0;
                }
            }
        }
        let hull = below(record.hull, model.leaf_hulls.len());
        let hull = hull.filter(|&hull| last_hull.is_some_and(|last| hull as usize <= last));
        is_sound &= record.hull == -1 || hull.is_some();
        self.facts.bad_nodes += usize::from(!is_sound);
        let zone = |zone: i32| below(zone, model.zones.len()).unwrap_or(0) as u8;
        Node {
            normal: if has_plane { record.normal } else { Vec3::ZERO },
            distance: if has_plane { record.distance } else { 0.0 },
            flags: record.flags,
            zone_mask: record.zone_mask,
            first_vertex: below(record.first_vertex, model.vertices.len()).unwrap_or(0),
            vertex_count,
            surface: surface.unwrap_or(0),
            back: below(record.back, count),
            front: below(record.front, count),
            coplanar: below(record.coplanar, count),
            hull,
            zones: record.zones.map(zone),
            leaves: record.leaves.map(|leaf| below(leaf, model.leaves.len())),
        }
    }
}

fn below(index: i32, count: usize) -> Option<u32> {
    let index = u32::try_from(index).ok()?;
    ((index as usize) < count).then_some(index)
}

fn polygon(model: &Model, node: &NodeRecord) -> Option<Vec<Vec3>> {
    let first = usize::try_from(node.first_vertex).ok()?;
    let pool = model
        .vertices
        .get(first..first + usize::from(node.vertex_count))?;
    let point = |&(point, _): &(i32, i32)| {
        let point = usize::try_from(point).ok()?;
        model.points.get(point).copied()
    };
    pool.iter().map(point).collect()
}

/// The last -1 with room for a box behind it: a hull's record that begins at or before it ends within the array.
fn last_hull_end(hulls: &[i32]) -> Option<usize> {
    let numbers = &hulls[..hulls.len().saturating_sub(BOX_NUMBERS)];
    numbers.iter().rposition(|&number| number == -1)
}

/// Cuts links until every node is reached by one at most and nothing runs in a ring; tells how many were cut.
fn untangle(nodes: &mut [Node]) -> usize {
    let mut is_reached = vec![false; nodes.len()];
    let mut is_target = vec![false; nodes.len()];
    for node in nodes.iter() {
        for link in [node.back, node.front, node.coplanar].into_iter().flatten() {
            is_target[link as usize] = true;
        }
    }
    let mut cut = 0;
    let tops = (0..nodes.len()).filter(|&node| node == 0 || !is_target[node]);
    let rings = 0..nodes.len();
    let mut open = Vec::new();
    for top in tops.chain(rings) {
        if std::mem::replace(&mut is_reached[top], true) {
            continue;
        }
        open.push(top);
        while let Some(place) = open.pop() {
            let node = &mut nodes[place];
            for link in [&mut node.back, &mut node.front, &mut node.coplanar] {
                let Some(next) = *link else { continue };
                if std::mem::replace(&mut is_reached[next as usize], true) {
                    *link = None;
                    cut += 1;
                } else {
                    open.push(next as usize);
                }
            }
        }
    }
    cut
}
