//! Zones that are full of liquid, as volumes: the leaves of the world's BSP that lie in them (`unr.md` 8.2).

use glam::DVec3;
use glam::Vec3;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Draft;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::formats::Report;
use crate::formats::unr::classes;
use crate::formats::unr::defaults::Known;
use crate::formats::unr::layers::Layers;
use crate::formats::unr::layers::Place;
use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::space::to_map;
use crate::formats::unr::visgroups::Visgroups;
use crate::geometry::Aabb;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::csg;
use crate::geometry::csg::Convex;
use crate::task::Cancelled;
use crate::task::Progress;

/// Parts of a zone that are joined two by two; of more, only those of one branch of the tree are.
const MOST_JOINED: usize = 96;

/// Thinner parts hold nothing.
const THINNEST: f64 = 0.05;

/// What a zone is full of, by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liquid {
    Water,
    Lava,
    Slime,
}

impl Liquid {
    fn of(known: &Known<'_>) -> Option<Self> {
        let is_liquid = known.bool("bWaterZone")
            || (known.actor.properties.get("bWaterZone").is_none()
                && classes::is_liquid(known.actor));
        let class = known.actor.class.name.to_ascii_lowercase();
        is_liquid.then_some(match class.as_str() {
            "lavazone" => Self::Lava,
            "slimezone" => Self::Slime,
            _ => Self::Water,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Lava => "lava",
            Self::Slime => "slime",
        }
    }

    fn color(self) -> Vec3 {
        match self {
            Self::Water => Vec3::new(0.35, 0.6, 0.9),
            Self::Lava => Vec3::new(0.9, 0.45, 0.2),
            Self::Slime => Vec3::new(0.5, 0.8, 0.3),
        }
    }
}

/// The space of a zone.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Number of the zone.
    pub zone: u8,
    pub liquid: Liquid,
    /// Index of the actor that sets the zone.
    pub actor: u32,
    /// Convex parts in map space; they meet, but do not overlap.
    pub parts: Vec<Convex>,
}

/// Zones full of liquid: number, what, index of the actor.
fn liquids(map: &RawMap, world: &RawModel) -> Vec<(u8, Liquid, u32)> {
    let zones = (0u8..).zip(&world.zones);
    let liquids = zones.filter_map(|(number, zone)| {
        let actor = zone.actor?;
        let raw = map.actors.get(actor as usize)?;
        Some((number, Liquid::of(&Known::new(map, raw))?, actor))
    });
    liquids.collect()
}

/// The space of every zone that is full of liquid.
///
/// # Errors
/// Only when cancelled.
pub fn volumes(map: &RawMap, progress: &Progress) -> Result<Vec<Volume>, Cancelled> {
    let Some(world) = &map.world else {
        return Ok(Vec::new());
    };
    let mut volumes = Vec::new();
    for (zone, liquid, actor) in liquids(map, world) {
        let cells = cells(world, zone, progress)?;
        let mut parts = if cells.len() > MOST_JOINED {
            cells
        } else {
            joined(cells)
        };
        parts.retain(|part| part.thickness() > THINNEST);
        if !parts.is_empty() {
            volumes.push(Volume {
                zone,
                liquid,
                actor,
                parts,
            });
        }
    }
    Ok(volumes)
}

fn joined(mut cells: Vec<Convex>) -> Vec<Convex> {
    let groups = csg::joined(&cells, |_, _| true);
    let mut is_joined = vec![false; cells.len()];
    for (_, members) in &groups {
        for &member in members {
            is_joined[member] = true;
        }
    }
    let mut index = 0;
    cells.retain(|_| {
        index += 1;
        !is_joined[index - 1]
    });
    let mut parts: Vec<Convex> = groups.into_iter().map(|(whole, _)| whole).collect();
    parts.append(&mut cells);
    parts
}

/// In map space; in front is `>=`.
fn plane(node: &Node) -> Option<Plane> {
    Plane::new(to_map(node.normal.as_dvec3()), f64::from(node.distance)).unit()
}

/// Children of a node behind and in front.
fn children(node: &Node) -> [Option<u32>; 2] {
    [node.back, node.front]
}

/// Which part of the space below each node lies in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    None,
    Some,
    All,
}

/// Of all nodes. A node that the walk meets again, as only broken trees have it, is taken as none of the zone.
fn shares(world: &RawModel, zone: u8) -> Vec<Share> {
    let mut shares = vec![Share::None; world.nodes.len()];
    let mut is_met = vec![false; world.nodes.len()];
    let mut order = Vec::with_capacity(world.nodes.len());
    let mut ahead: Vec<u32> = Vec::new();
    if !world.nodes.is_empty() {
        ahead.push(0);
    }
    while let Some(index) = ahead.pop() {
        let Some(node) = world.nodes.get(index as usize) else {
            continue;
        };
        if std::mem::replace(&mut is_met[index as usize], true) {
            continue;
        }
        order.push(index);
        ahead.extend(children(node).into_iter().flatten());
    }
    for &index in order.iter().rev() {
        let node = &world.nodes[index as usize];
        let of_side = |side: usize| match children(node)[side] {
            Some(child) => shares.get(child as usize).copied().unwrap_or(Share::None),
            None if node.leaves[side].is_some() && node.zones[side] == zone => Share::All,
            None => Share::None,
        };
        shares[index as usize] = match [of_side(0), of_side(1)] {
            [Share::All, Share::All] => Share::All,
            [Share::None, Share::None] => Share::None,
            _ => Share::Some,
        };
    }
    shares
}

/// Convex cells of a zone; branches that lie in it as a whole are one.
fn cells(world: &RawModel, zone: u8, progress: &Progress) -> Result<Vec<Convex>, Cancelled> {
    let shares = shares(world, zone);
    let bounds = bounds(world);
    let mut cells = Vec::new();
    if bounds.is_empty() {
        return Ok(cells);
    }
    let mut is_met = vec![false; world.nodes.len()];
    // A node with the planes on the way to it, whose backs the space lies behind.
    let mut ahead: Vec<(u32, Vec<Plane>)> = vec![(0, box_planes(bounds))];
    while let Some((index, way)) = ahead.pop() {
        progress.check()?;
        let Some(node) = world.nodes.get(index as usize) else {
            continue;
        };
        if std::mem::replace(&mut is_met[index as usize], true) {
            continue;
        }
        match shares[index as usize] {
            Share::None => {}
            Share::All => cells.extend(cell(&way)),
            Share::Some => {
                let Some(plane) = plane(node) else { continue };
                for (side, limit) in [plane, plane.flipped()].into_iter().enumerate() {
                    let mut way = way.clone();
                    way.push(limit);
                    match children(node)[side] {
                        Some(child) => ahead.push((child, way)),
                        None if node.leaves[side].is_some() && node.zones[side] == zone => {
                            cells.extend(cell(&way));
                        }
                        None => {}
                    }
                }
            }
        }
    }
    Ok(cells)
}

/// Behind all planes; `None` where they enclose nothing.
fn cell(planes: &[Plane]) -> Option<Convex> {
    Convex::new(&Hull::from_planes(planes), planes, 0)
}

/// Of the polygons of the world, in map space.
fn bounds(world: &RawModel) -> Aabb {
    let polygons = world.nodes.iter().flat_map(|node| world.polygon(node));
    let points = polygons.map(to_map);
    let bounds = Aabb::of_points(points.filter(|point| point.is_finite()));
    if bounds.is_empty() {
        bounds
    } else {
        bounds.grown(1.0)
    }
}

fn box_planes(bounds: Aabb) -> Vec<Plane> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let planes = axes.into_iter().flat_map(|axis| {
        [
            Plane::new(axis, axis.dot(bounds.max)),
            Plane::new(-axis, -axis.dot(bounds.min)),
        ]
    });
    planes.collect()
}

/// Puts the volumes into the map: water to be in, without faces of their own, as the sheets on top of them are drawn.
///
/// # Errors
/// Only when cancelled.
pub fn insert(
    map: &RawMap,
    draft: &mut Draft,
    layers: &mut Layers,
    visgroups: &mut Visgroups,
    report: &mut Report,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let volumes = volumes(map, progress)?;
    let mut materials: Vec<(Liquid, MaterialId)> = Vec::new();
    let mut objects: Vec<ObjectId> = Vec::new();
    for volume in &volumes {
        let made = materials.iter().find(|(made, _)| *made == volume.liquid);
        let material = made.map(|&(_, material)| material).unwrap_or_else(|| {
            let material = draft.insert_material(Material {
                color: volume.liquid.color(),
                flags: SurfaceFlags::NODRAW,
                ..Material::new(volume.liquid.name(), "")
            });
            materials.push((volume.liquid, material));
            material
        });
        let groups = map
            .actors
            .get(volume.actor as usize)
            .map(|actor| visgroups.of(&actor.properties, draft))
            .unwrap_or_default();
        for part in &volume.parts {
            let faces = part.sides().iter();
            let faces = faces.map(|side| Face::new(side.plane.rounded(), Some(material)));
            let brush = Brush::as_stored(Contents::WATER, faces.collect());
            if brush.fault().is_none() {
                let kind = Kind::Brush(brush);
                let flags = ObjectFlags::default();
                objects.push(layers.insert(Place::Water, kind, flags, groups.clone(), draft));
            }
        }
    }
    if !objects.is_empty() {
        let text = format!(
            "{} zones of water or the like became {} volumes of water",
            volumes.len(),
            objects.len()
        );
        report.warn_of("I-LIQUID", objects, text);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::formats::unr::properties::Properties;
    use crate::formats::unr::properties::Property;
    use crate::formats::unr::properties::Value;
    use crate::formats::unr::raw::ObjectPath;
    use crate::formats::unr::raw::RawActor;
    use crate::formats::unr::raw::Zone;

    fn node(normal: Vec3, distance: f32) -> Node {
        Node {
            normal,
            distance,
            flags: 0,
            zone_mask: 0,
            first_vertex: 0,
            vertex_count: 0,
            surface: 0,
            back: None,
            front: None,
            coplanar: None,
            hull: None,
            zones: [0, 0],
            leaves: [None, None],
        }
    }

    /// A pool: x 0..64 and 64..128, y 0..64, water (zone 1) below z 32, air (zone 2) above it to 64.
    fn pool() -> RawMap {
        let mut nodes = vec![
            node(Vec3::X, 0.0),
            node(Vec3::NEG_X, -128.0),
            node(Vec3::Y, 0.0),
            node(Vec3::NEG_Y, -64.0),
            node(Vec3::Z, 0.0),
            node(Vec3::NEG_Z, -64.0),
            node(Vec3::Z, 32.0),
            node(Vec3::X, 64.0),
        ];
        for (index, node) in nodes.iter_mut().enumerate().take(7) {
            node.front = Some(index as u32 + 1);
        }
        nodes[6].front = None;
        nodes[6].leaves[1] = Some(0);
        nodes[6].zones[1] = 2;
        nodes[6].back = Some(7);
        nodes[7].leaves = [Some(1), Some(2)];
        nodes[7].zones = [1, 1];
        // A polygon for the world's box.
        nodes[0].vertex_count = 3;
        let points = [[0.0, 0.0, 0.0], [128.0, 64.0, 0.0], [0.0, 0.0, 64.0]];
        let actor = |class: &str, values: Vec<Property>| RawActor {
            class: Arc::new(ObjectPath {
                name: class.to_owned(),
                ..ObjectPath::default()
            }),
            properties: Properties(values),
            ..RawActor::default()
        };
        let zone = |actor: Option<u32>| Zone {
            actor,
            ..Zone::default()
        };
        RawMap {
            actors: vec![
                actor("SlimeZone", Vec::new()),
                actor("ZoneInfo", Vec::new()),
            ],
            world: Some(RawModel {
                nodes,
                points: points.map(Vec3::from).into(),
                vertices: vec![(0, -1), (1, -1), (2, -1)],
                zones: vec![zone(None), zone(Some(0)), zone(Some(1))],
                ..RawModel::default()
            }),
            ..RawMap::default()
        }
    }

    #[test]
    fn the_leaves_of_a_liquid_zone_become_one_volume() {
        let map = pool();
        let volumes = volumes(&map, &Progress::new()).expect("not cancelled");
        assert_eq!(volumes.len(), 1);
        let volume = &volumes[0];
        assert_eq!(
            (volume.zone, volume.liquid, volume.parts.len()),
            (1, Liquid::Slime, 1)
        );
        let bounds = volume.parts[0].bounds();
        let expected = Aabb::new(DVec3::new(0.0, 0.0, -128.0), DVec3::new(64.0, 32.0, 0.0));
        assert!(bounds.grown(1e-6).encloses(expected) && expected.grown(1e-6).encloses(bounds));
        assert!((volume.parts[0].volume() - 128.0 * 64.0 * 32.0).abs() < 1e-3);
    }

    #[test]
    fn cells_that_are_apart_in_the_tree_are_joined() {
        let mut map = pool();
        let world = map.world.as_mut().expect("a world");
        // The cut across the pool now comes first, and the rest behind either side of it: two cells of water.
        let cut = world.nodes.pop().expect("it is the last");
        let mut rest = std::mem::take(&mut world.nodes);
        rest[6].back = None;
        rest[6].leaves[0] = Some(1);
        rest[6].zones[0] = 1;
        let behind = |first: u32| {
            let mut nodes = rest.clone();
            for (node, next) in nodes.iter_mut().zip(first + 1..).take(6) {
                node.front = Some(next);
            }
            nodes
        };
        world.nodes.push(Node {
            leaves: [None, None],
            back: Some(1),
            front: Some(8),
            ..cut
        });
        world.nodes.extend(behind(1));
        world.nodes.extend(behind(8));
        let progress = Progress::new();
        let cells = cells(map.world.as_ref().expect("a world"), 1, &progress).expect("cells");
        assert_eq!(cells.len(), 2);
        assert_eq!(joined(cells).len(), 1);
    }

    #[test]
    fn a_zone_that_says_that_it_is_dry_is() {
        let mut map = pool();
        let dry = |value: bool| Property {
            name: "bWaterZone".into(),
            index: 0,
            value: Value::Bool(value),
        };
        map.actors[0].properties.0.push(dry(false));
        let count = |map: &RawMap| volumes(map, &Progress::new()).expect("not cancelled").len();
        assert_eq!(count(&map), 0);
        map.actors[1].properties.0.push(dry(true));
        assert_eq!(count(&map), 1);
    }

    #[test]
    fn a_tree_that_bites_its_tail_ends() {
        let mut map = pool();
        let world = map.world.as_mut().expect("a world");
        world.nodes[7].back = Some(0);
        world.nodes[3].back = Some(3);
        volumes(&map, &Progress::new()).expect("not cancelled");
    }
}
