//! Pieces to objects of the document: brushes with their pictures, meshes where there is no way round, layers by region and kind.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use rayon::prelude::*;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Draft;
use crate::document::Entity;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::SurfaceFlags;
use crate::formats::Report;
use crate::formats::ogz::convex::Convex;
use crate::formats::ogz::convex::Facet;
use crate::formats::ogz::convex::Surface;
use crate::formats::ogz::made::Made;
use crate::formats::ogz::mapping::fit;
use crate::formats::ogz::mapping::frame;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::materials::Materials;
use crate::formats::ogz::pieces::Bent;
use crate::formats::ogz::pieces::Pieces;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::triangle_normal;
use crate::formats::ogz::slots::Slots;
use crate::formats::ogz::volumes::LOWERED;
use crate::formats::ogz::volumes::LOWERED_FILM;
use crate::formats::ogz::volumes::Volume;
use crate::formats::ogz::volumes::VolumeKind;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::task::Cancelled;
use crate::task::Progress;

/// Side of a region, in units; doubled until there are few.
const REGION: i64 = 512;
const REGIONS_MAX: usize = 16;

/// What the caller goes on with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Emitted {
    /// Of the shell round the world, which stands in the way of looking at it.
    pub shell_layer: Option<LayerId>,
}

/// Puts all pieces into the document.
///
/// # Errors
/// Only when cancelled.
pub fn emit(
    pieces: &Pieces,
    slots: &Slots,
    materials: &mut Materials<'_>,
    draft: &mut Draft,
    report: &mut Report,
    progress: &Progress,
) -> Result<Emitted, Cancelled> {
    let looks = Looks::new(pieces, slots, materials, draft);
    let kinds: Vec<Kind> = pieces
        .solids
        .par_iter()
        .enumerate()
        .map(|(index, solid)| {
            if index % 256 == 0 {
                progress.check()?;
            }
            Ok(looks.kind(solid))
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut layers = Layers::new(pieces, draft);
    let mut made = Made::default();
    for (solid, kind) in pieces.solids.iter().zip(kinds) {
        let layer = layers.of_solid(solid.material, middle(solid), draft);
        let is_mesh = matches!(kind, Kind::Mesh(_));
        // Of brushes their contents say it.
        let flags = if is_mesh {
            collision(solid.material)
        } else {
            ObjectFlags::default()
        };
        let id = insert(draft, kind, layer, None, flags);
        made.note(solid, id);
        if is_mesh {
            made.thin.push(id);
        } else if solid.is_hidden() {
            let text = format!("no side of it can be seen (cubes: {})", solid.leaves);
            report.warn("I-HIDDEN-BRUSH", None, Some(id), text);
        }
    }
    for bent in &pieces.meshes {
        let layer = layers.of_solid(bent.material, bent.place(), draft);
        let flags = collision(bent.material);
        let id = insert(draft, Kind::Mesh(looks.mesh(bent)), layer, None, flags);
        made.solids.push(id);
        made.meshes.push(id);
    }
    insert_volumes(&pieces.volumes, materials, &mut layers, draft, report);
    let shell_layer = insert_shell(pieces, materials, &mut layers, draft);
    made.report(pieces, report);
    Ok(Emitted { shell_layer })
}

/// Of a mesh made of cubes with these bits.
fn collision(bits: u16) -> ObjectFlags {
    if bits & material::CLIP_BITS == material::NO_CLIP {
        ObjectFlags::NO_COLLIDE
    } else {
        ObjectFlags::default()
    }
}

fn insert(
    draft: &mut Draft,
    kind: Kind,
    layer: Option<LayerId>,
    parent: Option<ObjectId>,
    flags: ObjectFlags,
) -> ObjectId {
    draft.insert(Object {
        parent,
        layer,
        flags,
        ..Object::new(kind)
    })
}

/// Eighths of a unit in the file's space to a map's units.
fn position([x, y, z]: Point) -> DVec3 {
    to_map(DVec3::new(x as f64, y as f64, z as f64) / 8.0)
}

fn middle(solid: &Convex) -> Point {
    let [min, max] = solid.bounds();
    [0, 1, 2].map(|axis| min[axis].midpoint(max[axis]))
}

impl Bent {
    /// One of its corners.
    fn place(&self) -> Point {
        self.sides.first().map_or([0; 3], |(corners, _)| corners[0])
    }
}

/// What faces show: materials for slots, and what stands on those that nobody sees.
struct Looks<'a> {
    slots: &'a Slots,
    /// By slot, and whether it is of a see-through cube.
    materials: HashMap<(u16, bool), MaterialId>,
    hidden: MaterialId,
    /// Slots that can be seen somewhere, and the most common of them.
    seen: BTreeSet<u16>,
    common: u16,
    /// Of the world, in eighths of a unit.
    world: i64,
}

impl<'a> Looks<'a> {
    fn new(
        pieces: &Pieces,
        slots: &'a Slots,
        materials: &mut Materials<'_>,
        draft: &mut Draft,
    ) -> Self {
        let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
        let facets = pieces.solids.iter().flat_map(|solid| &solid.facets);
        let bent = pieces.meshes.iter().flat_map(|bent| &bent.sides);
        let surfaces = facets
            .map(|facet| facet.surface)
            .chain(bent.map(|&(_, surface)| surface));
        for slot in surfaces.filter_map(|surface| surface.slot) {
            *counts.entry(slot).or_default() += 1;
        }
        let common = counts
            .iter()
            .filter(|&(&slot, _)| slot != 0)
            .max_by_key(|&(&slot, &count)| (count, std::cmp::Reverse(slot)))
            .map_or(1, |(&slot, _)| slot);
        let mut looks = Self {
            slots,
            materials: HashMap::new(),
            hidden: materials.hidden(draft),
            seen: counts.into_keys().collect(),
            common,
            world: 8 * i64::from(pieces.world_size),
        };
        // In the order of slots, so that the list of materials is.
        let mut wanted: BTreeSet<(u16, bool)> = BTreeSet::new();
        for solid in &pieces.solids {
            let is_translucent = solid.material & material::ALPHA != 0;
            let spare = looks.spare(solid);
            for facet in &solid.facets {
                if let Some(slot) = looks.shown(solid, facet, spare) {
                    wanted.insert((slot, is_translucent));
                }
            }
        }
        for bent in &pieces.meshes {
            let is_translucent = bent.material & material::ALPHA != 0;
            for (_, surface) in &bent.sides {
                wanted.insert((surface.slot.unwrap_or(common), is_translucent));
            }
        }
        for (slot, is_translucent) in wanted {
            let id = materials.of(slot, is_translucent, draft);
            looks.materials.insert((slot, is_translucent), id);
        }
        looks
    }

    /// What to show on facets that nobody sees until the mapper moves something: what most of the solid shows, or the cubes' own slot when
    /// that is seen elsewhere.
    fn spare(&self, solid: &Convex) -> u16 {
        let mut areas: Vec<(u16, f64)> = Vec::new();
        for facet in &solid.facets {
            let Some(slot) = facet.surface.slot.filter(|&slot| slot != 0) else {
                continue;
            };
            let area = area(&solid.facet_loop(facet));
            match areas.iter_mut().find(|(other, _)| *other == slot) {
                Some((_, sum)) => *sum += area,
                None => areas.push((slot, area)),
            }
        }
        let largest = areas.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        match largest {
            Some(&(slot, _)) => slot,
            None if self.seen.contains(&solid.spare) => solid.spare,
            None => self.common,
        }
    }

    /// The slot on a facet; `None` for one that is not to be drawn: outside of the world, or inside of what can be looked into.
    fn shown(&self, solid: &Convex, facet: &Facet, spare: u16) -> Option<u16> {
        if facet.surface.slot.is_some() {
            return facet.surface.slot;
        }
        let is_border = facet.plane.normal.iter().any(|&part| {
            (part == -1 && facet.plane.dist == 0) || (part == 1 && facet.plane.dist == self.world)
        }) && facet
            .plane
            .normal
            .iter()
            .map(|part| part.abs())
            .sum::<i64>()
            == 1;
        (!is_border && solid.material & material::ALPHA == 0).then_some(spare)
    }

    fn kind(&self, solid: &Convex) -> Kind {
        let spare = self.spare(solid);
        let is_translucent = solid.material & material::ALPHA != 0;
        let faces = solid
            .facets
            .iter()
            .map(|facet| self.face(solid, facet, spare, is_translucent))
            .collect();
        let contents = if solid.material & material::NO_CLIP == 0 {
            Contents::SOLID
        } else {
            Contents::default()
        };
        let brush = Brush::as_stored(contents, faces);
        if brush.fault().is_some() {
            return Kind::Mesh(self.mesh_of(solid, spare));
        }
        let corners: Vec<Vec3> = solid
            .corners
            .iter()
            .map(|&corner| position(corner).as_vec3())
            .collect();
        Kind::Brush(match brush.hull().unrestored(&corners) {
            Some(exact) => Brush::with_exact(contents, brush.faces().to_vec(), Some(exact.into())),
            None => brush,
        })
    }

    fn face(&self, solid: &Convex, facet: &Facet, spare: u16, is_translucent: bool) -> Face {
        let plane = plane_in_map(facet).rounded();
        let Some(slot) = self.shown(solid, facet, spare) else {
            return Face::new(plane, Some(self.hidden));
        };
        let material = self.materials.get(&(slot, is_translucent)).copied();
        let mut face = Face::new(plane, material);
        if let Some(unit) = plane.unit() {
            let corners: Vec<DVec3> = solid.facet_corners(facet).map(position).collect();
            let fit = fit(facet.surface.face, self.slots.resolve(slot), unit, &corners);
            face.uv = fit.uv;
            face.axes = fit.axes;
            if fit.aligned {
                face.flags = face.flags | SurfaceFlags::FACE_ALIGNED;
            }
        }
        face
    }

    fn mesh_of(&self, solid: &Convex, spare: u16) -> Mesh {
        let mut mesh = MeshBuilder::new(self, solid.material & material::ALPHA != 0);
        for facet in &solid.facets {
            let slot = facet.surface.slot.or(Some(spare));
            let surface = Surface {
                slot,
                ..facet.surface
            };
            mesh.add(&solid.facet_loop(facet), surface);
        }
        mesh.mesh
    }

    fn mesh(&self, bent: &Bent) -> Mesh {
        let mut mesh = MeshBuilder::new(self, bent.material & material::ALPHA != 0);
        for (triangle, surface) in &bent.sides {
            mesh.add(triangle, *surface);
        }
        mesh.mesh
    }
}

/// Unit normal; a plane of the grid in map space.
fn plane_in_map(facet: &Facet) -> Plane {
    let normal = to_map(DVec3::from(facet.plane.normal.map(|part| part as f64)));
    let length = normal.length();
    Plane::new(normal / length, facet.plane.dist as f64 / 8.0 / length)
}

/// In squared eighths.
fn area(corners: &[Point]) -> f64 {
    (1..corners.len().saturating_sub(1))
        .map(|index| {
            let normal = triangle_normal([corners[0], corners[index], corners[index + 1]]);
            DVec3::from(normal.map(|part| part as f64)).length() / 2.0
        })
        .sum()
}

struct MeshBuilder<'a> {
    looks: &'a Looks<'a>,
    is_translucent: bool,
    numbers: HashMap<Point, u32>,
    mesh: Mesh,
}

impl<'a> MeshBuilder<'a> {
    fn new(looks: &'a Looks<'a>, is_translucent: bool) -> Self {
        Self {
            looks,
            is_translucent,
            numbers: HashMap::new(),
            mesh: Mesh {
                name: String::new(),
                points: Vec::new(),
                polygons: Vec::new(),
            },
        }
    }

    fn add(&mut self, corners: &[Point], surface: Surface) {
        let slot = surface.slot.unwrap_or(self.looks.common);
        let frame = frame(surface.face, self.looks.slots.resolve(slot));
        // Round the other way: the file's world is a mirrored one.
        let corners = || corners.iter().rev();
        let uvs: Vec<Vec2> = corners()
            .map(|&corner| frame.at(position(corner)).as_vec2())
            .collect();
        let points = &mut self.mesh.points;
        let numbers = corners()
            .map(|&corner| {
                *self.numbers.entry(corner).or_insert_with(|| {
                    points.push(position(corner));
                    points.len() as u32 - 1
                })
            })
            .collect();
        self.mesh.polygons.push(Polygon {
            material: self
                .looks
                .materials
                .get(&(slot, self.is_translucent))
                .copied(),
            smooth: 0,
            proj: Uv::default(),
            corners: numbers,
            uvs,
        });
    }
}

/// Layers, made as they are needed.
struct Layers {
    /// Side of a region, in eighths of a unit.
    region: i64,
    by_region: BTreeMap<[i64; 2], LayerId>,
    by_name: BTreeMap<&'static str, LayerId>,
}

impl Layers {
    fn new(pieces: &Pieces, draft: &mut Draft) -> Self {
        let mut region = 8 * REGION;
        let plain = |bits: u16| bits == 0;
        let regions = loop {
            let solids = pieces.solids.iter().filter(|solid| plain(solid.material));
            let meshes = pieces.meshes.iter().filter(|bent| plain(bent.material));
            let places = solids.map(middle).chain(meshes.map(Bent::place));
            let regions: BTreeSet<[i64; 2]> = places.map(|at| region_of(at, region)).collect();
            if regions.len() <= REGIONS_MAX {
                break regions;
            }
            region *= 2;
        };
        // Named by what a mapper reads off the 2D view: X and Z of a map.
        let side = region / 8;
        let layer = |[west, north]: [i64; 2]| {
            let (west, north) = (west * side, north * side);
            let [east, south] = [west + side, north + side];
            let name = format!("X {west} to {east}, Z {north} to {south}");
            draft.insert_layer(Layer::new(LayerKind::Layer, name))
        };
        let mut regions: Vec<[i64; 2]> = regions.into_iter().collect();
        // Rows of the 2D view from its top left.
        regions.sort_unstable_by_key(|&[west, north]| (north, west));
        let layers: Vec<LayerId> = regions.iter().copied().map(layer).collect();
        Self {
            region,
            by_region: regions.into_iter().zip(layers).collect(),
            by_name: BTreeMap::new(),
        }
    }

    fn of_solid(&mut self, bits: u16, at: Point, draft: &mut Draft) -> Option<LayerId> {
        if bits & material::ALPHA != 0 {
            return Some(self.named("See-through", draft));
        }
        if bits & material::NO_CLIP != 0 {
            return Some(self.named("Not solid", draft));
        }
        self.by_region.get(&region_of(at, self.region)).copied()
    }

    fn named(&mut self, name: &'static str, draft: &mut Draft) -> LayerId {
        *self
            .by_name
            .entry(name)
            .or_insert_with(|| draft.insert_layer(Layer::new(LayerKind::Layer, name)))
    }
}

/// Whether opening a map of the game makes a layer of this name.
#[must_use]
pub fn is_made_on_import(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "See-through",
        "Not solid",
        "Water",
        "Lava",
        "Glass",
        "Clip",
        "Game clip",
        "Death",
        "Sky shell",
        "Lights",
        "Models",
        "Entities",
    ];
    let is_region = || {
        let (x, z) = name.strip_prefix("X ")?.split_once(", Z ")?;
        let is_span = |span: &str| {
            let (low, high) = span.split_once(" to ")?;
            Some(low.parse::<i64>().is_ok() && high.parse::<i64>().is_ok())
        };
        Some(is_span(x)? && is_span(z)?)
    };
    NAMES.contains(&name) || is_region() == Some(true)
}

fn region_of([x, y, _]: Point, region: i64) -> [i64; 2] {
    [x.div_euclid(region), y.div_euclid(region)]
}

impl VolumeKind {
    /// As in the file.
    fn bits(self) -> u16 {
        match self {
            Self::Water(number) => material::WATER | u16::from(number),
            Self::Lava(number) => material::LAVA | u16::from(number),
            Self::Glass(number) => material::GLASS | u16::from(number),
            Self::Clip => material::CLIP,
            Self::GameClip => material::GAME_CLIP,
            Self::Death => material::DEATH,
        }
    }

    fn layer(self) -> &'static str {
        match self {
            Self::Water(_) => "Water",
            Self::Lava(_) => "Lava",
            Self::Glass(_) => "Glass",
            Self::Clip => "Clip",
            Self::GameClip => "Game clip",
            Self::Death => "Death",
        }
    }

    fn contents(self) -> Contents {
        match self {
            Self::Water(_) | Self::Lava(_) => Contents::WATER,
            Self::Glass(_) => Contents::SOLID,
            Self::Clip | Self::GameClip => Contents::CLIP,
            Self::Death => Contents::TRIGGER,
        }
    }

    fn flags(self) -> ObjectFlags {
        match self {
            Self::Glass(_) => ObjectFlags::NO_SHADOW,
            // It is for the game's rules; players pass.
            Self::GameClip => ObjectFlags::NO_COLLIDE,
            Self::Water(_) | Self::Lava(_) | Self::Clip | Self::Death => ObjectFlags::default(),
        }
    }
}

fn bounds_in_map(volume: &Volume) -> Aabb {
    let [min, max] = [volume.min, volume.max].map(|corner| position(corner.map(i64::from)));
    let mut bounds = Aabb::of_points([min, max]);
    if volume.is_open {
        let is_film = bounds.max.y - bounds.min.y <= LOWERED;
        bounds.max.y -= if is_film { LOWERED_FILM } else { LOWERED };
    }
    bounds
}

fn insert_volumes(
    volumes: &[Volume],
    materials: &mut Materials<'_>,
    layers: &mut Layers,
    draft: &mut Draft,
    report: &mut Report,
) {
    // One entity owns all places that kill.
    let mut killer = None;
    for volume in volumes {
        let kind = volume.kind;
        let material = match kind {
            VolumeKind::Water(_) | VolumeKind::Lava(_) | VolumeKind::Glass(_) => {
                materials.volume(kind.bits(), draft)
            }
            VolumeKind::Clip | VolumeKind::GameClip => materials.clip(kind.bits(), draft),
            VolumeKind::Death => Some(materials.death(draft)),
        };
        let bounds = bounds_in_map(volume);
        let layer = layers.named(kind.layer(), draft);
        let parent = (kind == VolumeKind::Death).then(|| {
            *killer.get_or_insert_with(|| {
                let entity = Entity::new("trigger_hurt", bounds.center());
                insert(
                    draft,
                    Kind::Entity(entity),
                    Some(layer),
                    None,
                    ObjectFlags::default(),
                )
            })
        });
        let brush = Brush::cuboid(bounds, material).with_contents(kind.contents());
        let id = insert(draft, Kind::Brush(brush), Some(layer), parent, kind.flags());
        if kind == VolumeKind::GameClip {
            let text = "it stops what the game's rules say, not players: without collision here";
            report.warn("I-GAME-CLIP", None, Some(id), text);
        }
    }
}

fn insert_shell(
    pieces: &Pieces,
    materials: &mut Materials<'_>,
    layers: &mut Layers,
    draft: &mut Draft,
) -> Option<LayerId> {
    if pieces.shell.is_empty() {
        return None;
    }
    let layer = layers.named("Sky shell", draft);
    let material = materials.sky(draft);
    for slab in &pieces.shell {
        let [min, max] =
            [slab.min, slab.max].map(|corner| position(corner.map(|at| 8 * i64::from(at))));
        let bounds = Aabb::of_points([min, max]);
        let brush = Brush::cuboid(bounds, Some(material)).with_contents(Contents::SKY);
        insert(
            draft,
            Kind::Brush(brush),
            Some(layer),
            None,
            ObjectFlags::default(),
        );
    }
    Some(layer)
}
