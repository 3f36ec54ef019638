//! A map as its game lit it: what is seen, cut along the texels of its lightmaps, with their light at the corners.

use std::collections::BTreeMap;
use std::collections::HashMap;

use glam::DVec3;
use glam::Vec3;
use rayon::prelude::*;

use crate::compiler::Batch;
use crate::compiler::BatchSource;
use crate::compiler::Box3;
use crate::compiler::Cmpl;
use crate::compiler::Compiled;
use crate::compiler::Model;
use crate::compiler::Vertex;
use crate::document::Document;
use crate::formats::unr::lightmaps;
use crate::formats::unr::lightmaps::Field;
use crate::formats::unr::lightmaps::Frame;
use crate::formats::unr::lightmaps::Lamp;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::flag;
use crate::formats::unr::seen::SeenPolygon;
use crate::formats::unr::space::to_map;
use crate::geometry::Plane;
use crate::geometry::polygon;
use crate::task::Cancelled;
use crate::task::Progress;

/// Lines of texels that one polygon is cut along; a larger lightmap, which no editor makes, is sampled more coarsely.
const MOST_LINES: f64 = 512.0;

/// Texels of all lightmaps together: damaged files may name the same bits over and over.
const MOST_TEXELS: u64 = 1 << 22;

/// Light that differs by less over a whole surface needs no cutting, in shares of white.
const FLAT: f32 = 1.0 / 255.0;

/// On a line of texels, in units.
const ON_LINE: f64 = 1e-4;

/// Batches hold at most this many vertices (`hmap.md` D34).
const MOST_VERTICES: usize = 1 << 20;

/// What is drawn of a map with the light it came with. It is no build: there is nothing to walk in.
///
/// `None` for a map without lightmaps.
///
/// # Errors
/// Only when cancelled.
pub fn original(
    map: &RawMap,
    drawn: &[&SeenPolygon],
    looks: &Looks<'_>,
    progress: &Progress,
) -> Result<Option<Cmpl>, Cancelled> {
    let Some(model) = map.world.as_ref().filter(|model| has_light(model)) else {
        return Ok(None);
    };
    let lamps = lightmaps::lamps(map);
    let ambient = lightmaps::zone_ambient(map);
    // Polygons of one surface share its light.
    let mut by_surface: BTreeMap<u32, Vec<&SeenPolygon>> = BTreeMap::new();
    for &polygon in drawn {
        if let Some(surface) = polygon.surface {
            by_surface.entry(surface).or_default().push(polygon);
        }
    }
    let by_surface: Vec<(u32, Vec<&SeenPolygon>)> = by_surface.into_iter().collect();
    let lit: Vec<Vec<Lit>> = by_surface
        .par_iter()
        .map(|(surface, polygons)| {
            progress.check()?;
            Ok(lit(model, *surface, polygons, &lamps, &ambient, looks))
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(Some(cmpl(lit.into_iter().flatten())))
}

/// The build of it for a document.
#[must_use]
pub fn compiled(cmpl: Cmpl, doc: &Document) -> Compiled {
    let settings = doc.settings();
    let cmpl = Cmpl {
        ambient: settings.ambient,
        units_per_meter: settings.units_per_meter,
        ..cmpl
    };
    Compiled::of(cmpl, Some(doc.clone()))
}

/// Some surface was lit, and not too many claim to be.
fn has_light(model: &RawModel) -> bool {
    let lit = model.lightmaps.iter();
    let lit = lit.filter(|lightmap| lightmap.first_light.is_some());
    let texels = lit.map(|lightmap| u64::from(lightmap.size[0]) * u64::from(lightmap.size[1]));
    (1..=MOST_TEXELS).contains(&texels.sum())
}

/// Triangles of a polygon, in map space.
struct Lit {
    material: i32,
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

fn lit(
    model: &RawModel,
    surface: u32,
    polygons: &[&SeenPolygon],
    lamps: &[Option<Lamp>],
    ambient: &[DVec3],
    looks: &Looks<'_>,
) -> Vec<Lit> {
    let light = model.surfaces.get(surface as usize).and_then(|surface| {
        let is_lit = surface.flags & (flag::UNLIT | flag::FAKE_BACKDROP) == 0;
        let frame = Frame::of(model, surface).filter(|_| is_lit)?;
        Some((frame, Field::of(model, surface, &frame, lamps)))
    });
    let lit = polygons.iter().map(|polygon| {
        let node = polygon.node.and_then(|node| model.nodes.get(node as usize));
        let zone = node.map(|node| node.zones[1]);
        let ambient = zone.and_then(|zone| ambient.get(usize::from(zone)));
        let ambient = ambient.copied().unwrap_or_default().as_vec3();
        let cells = match &light {
            Some((frame, Some(field))) if field.contrast() > FLAT => cells(polygon, frame),
            _ => vec![polygon.outline.clone()],
        };
        // 1 is half of white; a surface without lightmap is not lit at all but bright.
        let at = |point: DVec3| match &light {
            Some((frame, Some(field))) => 2.0 * (field.at(frame.at(point)) + ambient),
            Some((_, None)) => 2.0 * ambient,
            None => Vec3::ONE,
        };
        triangles(polygon, &cells, at, looks)
    });
    lit.collect()
}

/// The polygon cut along the middles of texels, in the file's space.
fn cells(polygon: &SeenPolygon, frame: &Frame) -> Vec<Vec<DVec3>> {
    let mut cells = vec![polygon.outline.clone()];
    for axis in 0..2 {
        let mut cut = Vec::with_capacity(cells.len());
        for cell in cells {
            let along = cell.iter().map(|&corner| frame.at(corner)[axis]);
            let (low, high) = along.fold((f64::MAX, f64::MIN), |(low, high), at| {
                (low.min(at), high.max(at))
            });
            let step = ((high - low) / MOST_LINES).ceil().max(1.0);
            let mut rest = cell;
            let mut line = (low - 0.5).floor() + 1.5;
            while line < high && line.is_finite() {
                let (normal, distance) = frame.line(axis, line);
                line += step;
                let Some(plane) = Plane::new(normal, distance).unit() else {
                    break;
                };
                let (front, back) = polygon::split(&rest, plane, ON_LINE);
                if back.len() >= 3 {
                    cut.push(back);
                }
                rest = front;
                if rest.len() < 3 {
                    break;
                }
            }
            if rest.len() >= 3 {
                cut.push(rest);
            }
        }
        cells = cut;
    }
    cells
}

fn triangles(
    polygon: &SeenPolygon,
    cells: &[Vec<DVec3>],
    light: impl Fn(DVec3) -> Vec3,
    looks: &Looks<'_>,
) -> Lit {
    let material = looks.of(&polygon.mapping);
    let frame = looks.frame(&polygon.mapping);
    let normal = to_map(polygon.normal).as_vec3();
    let mut lit = Lit {
        material: material.map_or(-1, |material| material.0 as i32),
        vertices: Vec::new(),
        indices: Vec::new(),
    };
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    for cell in cells {
        let mut corners: Vec<u32> = Vec::with_capacity(cell.len());
        // The change of space turns handedness round.
        for &corner in cell.iter().rev() {
            let position = to_map(corner);
            let key = position.as_vec3().to_array().map(f32::to_bits);
            let number = *numbers.entry(key).or_insert_with(|| {
                let uv = frame.at(position).as_vec2();
                lit.vertices.push(Vertex {
                    position: position.as_vec3(),
                    normal,
                    uv: if uv.is_finite() { uv } else { glam::Vec2::ZERO },
                    rgba: rgba(light(corner)),
                });
                lit.vertices.len() as u32 - 1
            });
            if corners.last() != Some(&number) && corners.first() != Some(&number) {
                corners.push(number);
            }
        }
        for triangle in polygon::fan(corners.len()) {
            lit.indices.extend(triangle.map(|at| corners[at as usize]));
        }
    }
    if polygon.mapping.flags & flag::TWO_SIDED != 0 {
        add_backs(&mut lit);
    }
    lit
}

fn add_backs(lit: &mut Lit) {
    let count = lit.vertices.len() as u32;
    let backs = lit.vertices.iter().map(|vertex| Vertex {
        normal: -vertex.normal,
        ..*vertex
    });
    let backs: Vec<Vertex> = backs.collect();
    lit.vertices.extend(backs);
    let turned = lit.indices.chunks_exact(3);
    let turned: Vec<u32> = turned
        .flat_map(|triangle| [triangle[0], triangle[2], triangle[1]])
        .map(|at| at + count)
        .collect();
    lit.indices.extend(turned);
}

/// Display values.
fn rgba(light: Vec3) -> [u8; 4] {
    let byte = |part: f32| (255.0 * part.clamp(0.0, 1.0)).round() as u8;
    [byte(light.x), byte(light.y), byte(light.z), 255]
}

/// By material.
fn cmpl(lit: impl Iterator<Item = Lit>) -> Cmpl {
    let mut by_material: BTreeMap<i32, Vec<Batch>> = BTreeMap::new();
    for lit in lit {
        let batches = by_material.entry(lit.material).or_default();
        let fits = |batch: &Batch| batch.vertices.len() + lit.vertices.len() <= MOST_VERTICES;
        if !batches.last().is_some_and(fits) {
            batches.push(Batch {
                material: lit.material,
                source: BatchSource::MeshPolygons,
                model: 0,
                vertices: Vec::new(),
                indices: Vec::new(),
            });
        }
        let Some(batch) = batches.last_mut() else {
            continue;
        };
        let base = batch.vertices.len() as u32;
        batch.vertices.extend(lit.vertices);
        let indices = lit.indices.into_iter().map(|index| base + index);
        batch.indices.extend(indices);
    }
    let batches: Vec<Batch> = by_material
        .into_values()
        .flatten()
        .filter(|batch| !batch.indices.is_empty())
        .collect();
    let points = batches.iter().flat_map(|batch| &batch.vertices);
    let points = points.map(|vertex| vertex.position);
    let ends = points.fold(None, |ends: Option<Box3>, point| {
        let ends = ends.unwrap_or(Box3 {
            min: point,
            max: point,
        });
        Some(Box3 {
            min: ends.min.min(point),
            max: ends.max.max(point),
        })
    });
    let bounds = ends.unwrap_or_default();
    Cmpl {
        baked: 1,
        bounds,
        batches,
        models: vec![Model {
            entity_id: 0,
            bounds,
            brushes: Vec::new(),
        }],
        ..Cmpl::default()
    }
}
