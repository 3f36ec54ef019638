//! What is seen of a world: the polygons of its BSP with what they show, and the points of neighbours on their edges
//! (`unr.md` 8.1).

use std::collections::HashMap;

use glam::DVec3;
use glam::IVec3;
use rayon::prelude::*;

use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::flag;
use crate::formats::unr::sky::SkyPart;
use crate::formats::unr::transform::PlacedPolygon;
use crate::geometry::Aabb;
use crate::geometry::polygon;
use crate::task::Cancelled;
use crate::task::Progress;

/// A point this near to an edge lies on it, in units; so does none this near to its ends.
const ON_EDGE: f64 = 0.1;

/// Side of a cell of the grid in which points are looked for, in units.
const CELL: f64 = 256.0;

/// Surfaces that bound nothing solid.
const NOT_SOLID: u32 = flag::NOT_SOLID | flag::PORTAL;

/// Polygons that are worked on at once.
const BLOCK: usize = 256;

/// A polygon of the world, in the file's space.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenPolygon {
    /// Indices in the model; `None` for a polygon that is a brush's own.
    pub node: Option<u32>,
    pub surface: Option<u32>,
    /// Index of the brush's actor in the map.
    pub actor: Option<u32>,
    /// Whether it separates solid from empty; sheets, water and portals do not.
    pub is_solid: bool,
    /// Seen from the sky's zone.
    pub is_sky: bool,
    /// Of unit length: the node's.
    pub normal: DVec3,
    pub mapping: Mapping,
    /// As the file has them, counter-clockwise about the normal by the usual formula on the raw numbers.
    pub corners: Vec<DVec3>,
    /// The same with the points of other polygons on its edges.
    pub outline: Vec<DVec3>,
}

impl SeenPolygon {
    /// Of a brush where it stands, for what the BSP does not hold: index of the actor.
    #[must_use]
    pub fn of_brush(actor: u32, placed: PlacedPolygon) -> Self {
        Self {
            node: None,
            surface: None,
            actor: Some(actor),
            is_solid: placed.mapping.flags & NOT_SOLID == 0,
            is_sky: false,
            normal: placed.plane.normal,
            mapping: placed.mapping,
            outline: placed.corners.clone(),
            corners: placed.corners,
        }
    }

    /// Square units.
    #[must_use]
    pub fn area(&self) -> f64 {
        polygon::area(&self.corners)
    }

    /// Whether the game draws it: neither invisible nor the mere border of a zone.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        let flags = self.mapping.flags;
        let is_border = flags & flag::PORTAL != 0 && self.mapping.texture.is_none();
        flags & flag::INVISIBLE == 0 && !is_border
    }
}

/// All polygons of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// In the order of the nodes.
    pub polygons: Vec<SeenPolygon>,
    /// Nodes without a polygon.
    pub empty_nodes: usize,
    /// Polygons whose surface or corners are not sound.
    pub bad_polygons: usize,
    /// Points put on edges.
    pub inserted: usize,
}

impl Seen {
    /// # Errors
    /// Only when cancelled.
    pub fn of(model: &RawModel, sky: &SkyPart, progress: &Progress) -> Result<Self, Cancelled> {
        let mut seen = Self::default();
        for (number, node) in (0..).zip(&model.nodes) {
            if node.vertex_count < 3 {
                seen.empty_nodes += 1;
                continue;
            }
            match seen_polygon(model, number, node, sky) {
                Some(polygon) => seen.polygons.push(polygon),
                None => seen.bad_polygons += 1,
            }
        }
        progress.check()?;
        seen.insert_points(progress)?;
        Ok(seen)
    }

    /// Of all corners.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let corners = self.polygons.iter().flat_map(|polygon| &polygon.corners);
        Aabb::of_points(corners.copied())
    }

    fn insert_points(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let grid = Points::new(self.polygons.iter().flat_map(|polygon| &polygon.corners));
        let inserted: Vec<usize> = self
            .polygons
            .par_chunks_mut(BLOCK)
            .map(|block| {
                progress.check()?;
                let mut inserted = 0;
                for polygon in block {
                    polygon.outline = grid.outline(&polygon.corners);
                    inserted += polygon.outline.len() - polygon.corners.len();
                }
                Ok(inserted)
            })
            .collect::<Result<_, Cancelled>>()?;
        self.inserted = inserted.into_iter().sum();
        Ok(())
    }
}

fn seen_polygon(model: &RawModel, number: u32, node: &Node, sky: &SkyPart) -> Option<SeenPolygon> {
    let surface = model.surfaces.get(node.surface as usize)?;
    let mapping = Mapping::of_surface(model, surface)?;
    let corners = model.polygon(node);
    let is_sound = corners.len() == usize::from(node.vertex_count)
        && corners.iter().all(|corner| corner.is_finite());
    if !is_sound {
        return None;
    }
    Some(SeenPolygon {
        node: Some(number),
        surface: Some(node.surface),
        actor: surface.actor,
        is_solid: node.flags & Node::NOT_CSG == 0 && mapping.flags & NOT_SOLID == 0,
        is_sky: sky.has_node(node),
        normal: node.normal.as_dvec3().try_normalize()?,
        mapping,
        outline: Vec::new(),
        corners,
    })
}

/// Corners of all polygons, each place once, by cells.
struct Points {
    places: Vec<DVec3>,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl Points {
    fn new<'a>(corners: impl Iterator<Item = &'a DVec3>) -> Self {
        let mut places: Vec<DVec3> = corners.copied().collect();
        let key = |place: &DVec3| place.to_array().map(f64::to_bits);
        places.sort_unstable_by_key(key);
        places.dedup_by_key(|place| key(place));
        let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
        for (number, &place) in (0..).zip(&places) {
            cells.entry(cell(place)).or_default().push(number);
        }
        Self { places, cells }
    }

    /// The corners with what lies on the edges between.
    fn outline(&self, corners: &[DVec3]) -> Vec<DVec3> {
        let mut outline = Vec::with_capacity(corners.len());
        let mut found = Vec::new();
        for (index, &from) in corners.iter().enumerate() {
            outline.push(from);
            let to = corners[(index + 1) % corners.len()];
            self.on_edge(from, to, &mut found);
            // Points of other polygons can lie as near to each other as to the ends.
            let mut last = 0.0;
            for &(along, number) in &found {
                let place = self.places[number as usize];
                if along - last > ON_EDGE && !corners.contains(&place) {
                    outline.push(place);
                    last = along;
                }
            }
        }
        outline
    }

    /// Points between the ends, in order: how far along in units, and which.
    fn on_edge(&self, from: DVec3, to: DVec3, found: &mut Vec<(f64, u32)>) {
        found.clear();
        let length = from.distance(to);
        if length <= 2.0 * ON_EDGE {
            return;
        }
        let direction = (to - from) / length;
        let steps = (length / CELL).ceil().max(1.0);
        for step in 0..steps as u32 {
            let [start, end] =
                [step, step + 1].map(|end| from + (to - from) * (f64::from(end) / steps));
            let near = Aabb::between(start, end).grown(ON_EDGE);
            for key in cells(near) {
                for &number in self.cells.get(&key).into_iter().flatten() {
                    let offset = self.places[number as usize] - from;
                    let along = offset.dot(direction);
                    let is_between = along > ON_EDGE && along < length - ON_EDGE;
                    if is_between
                        && (offset - direction * along).length_squared() <= ON_EDGE * ON_EDGE
                    {
                        found.push((along, number));
                    }
                }
            }
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.dedup();
    }
}

fn cell(place: DVec3) -> IVec3 {
    (place / CELL).floor().as_ivec3()
}

fn cells(bounds: Aabb) -> impl Iterator<Item = IVec3> {
    let (min, max) = (cell(bounds.min), cell(bounds.max));
    let axes = move |x: i32, y: i32| (min.z..=max.z).map(move |z| IVec3::new(x, y, z));
    (min.x..=max.x).flat_map(move |x| (min.y..=max.y).flat_map(move |y| axes(x, y)))
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
