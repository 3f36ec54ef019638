//! The rules of the source chunks (`hmap.md` 5) that need no repair of references: numbers, shapes, names, keys.

use std::collections::HashMap;
use std::collections::HashSet;

use glam::DVec3;
use glam::Vec3;

use super::findings::Findings;
use super::source::BrushRecord;
use super::source::EntityRecord;
use super::source::MeshRecord;
use super::source::Meta;
use super::source::PolygonRecord;
use super::verify::UNIT_TOLERANCE;
use super::verify_tree::fault_code;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::MapSettings;
use crate::document::Material;
use crate::document::ViewState;
use crate::geometry::HullFault;
use crate::geometry::Uv;

/// Coordinates beyond this are far: the `f32` step there is 1/64 unit.
const WORLD_LIMIT: f64 = 131_072.0;
/// Longest value that raises no W-LONG, in bytes.
const LONG_TEXT: usize = 65_536;

fn is_far(point: DVec3) -> bool {
    point.abs().max_element() > WORLD_LIMIT
}

/// `META` with its bad values replaced by the defaults of D10.
pub(super) fn meta(meta: &Meta, at: u64, findings: &mut Findings) -> (MapSettings, f32) {
    let mut settings = MapSettings {
        name: meta.name.clone(),
        ..MapSettings::default()
    };
    let mut grid = ViewState::default().grid;
    let mut bad = |what: &str| {
        findings.add(
            "W-META",
            None,
            Some(at),
            format_args!("{what}; the default is used"),
        );
    };
    if meta.ambient.is_finite() && meta.ambient.min_element() >= 0.0 {
        settings.ambient = meta.ambient;
    } else {
        bad("ambient is negative or not finite");
    }
    if meta.grid.is_finite() && meta.grid > 0.0 {
        grid = meta.grid;
    } else {
        bad("gridSize is not above 0");
    }
    if meta.units_per_meter.is_finite() && meta.units_per_meter > 0.0 {
        settings.units_per_meter = meta.units_per_meter;
    } else {
        bad("unitsPerMeter is not above 0");
    }
    (settings, grid)
}

/// True for a relative path with forward slashes that stays below its root.
fn is_sound_path(texture: &str) -> bool {
    !texture.contains('\\')
        && !texture.starts_with('/')
        && !texture.split('/').any(|part| part == "..")
}

/// Checks `MATS` and replaces numbers that could not be used.
pub(super) fn materials(records: Vec<(u64, Material)>, findings: &mut Findings) -> Vec<Material> {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut list = Vec::with_capacity(records.len());
    for (index, (at, mut material)) in records.into_iter().enumerate() {
        let at = Some(at);
        if material.name.is_empty() {
            findings.add(
                "W-NAME",
                None,
                at,
                format_args!("Material {index} has no name"),
            );
        } else if let Some(first) = names.get(&material.name) {
            findings.add(
                "W-NAME",
                None,
                at,
                format_args!(
                    "Material {index} has the name of material {first}: {}",
                    material.name
                ),
            );
        } else {
            names.insert(material.name.clone(), index);
        }
        if !(material.tile_size.is_finite() && material.tile_size.min_element() > 0.0) {
            findings.add(
                "W-TILE",
                None,
                at,
                format_args!(
                    "Material {index}: tileSize {} is read as 64",
                    material.tile_size
                ),
            );
            if !material.tile_size.is_finite() {
                material.tile_size = material.sound_tile_size();
            }
        }
        if !(material.color.is_finite() && material.color.min_element() >= 0.0) {
            findings.add(
                "W-COLOR",
                None,
                at,
                format_args!(
                    "Material {index}: the colour {} is read as white",
                    material.color
                ),
            );
            material.color = Vec3::ONE;
        }
        if !is_sound_path(&material.texture) {
            let text = format!(
                "Material {index}: {} is no relative path with forward slashes; it is not loaded",
                material.texture
            );
            findings.add("W-TEXPATH", None, at, text);
        }
        list.push(material);
    }
    list
}

/// A uv that can be used: default numbers when one is not finite. A zero scale stays as it came and counts as 1.
pub(super) fn uv(
    uv: Uv,
    object: u32,
    at: u64,
    what: std::fmt::Arguments<'_>,
    findings: &mut Findings,
) -> Uv {
    if !(uv.offset.is_finite() && uv.scale.is_finite() && uv.rotation_deg.is_finite()) {
        findings.add(
            "E-NAN",
            Some(object),
            Some(at),
            format_args!("{what}: its uv is not finite; the default uv is used"),
        );
        return Uv::default();
    }
    if uv.scale.x == 0.0 || uv.scale.y == 0.0 {
        findings.add(
            "W-UVSCALE",
            Some(object),
            Some(at),
            format_args!("{what}: uv scale 0 counts as 1"),
        );
    }
    uv
}

/// Planes and shape of a brush, which is kept as it is.
pub(super) fn brush(record: &BrushRecord, brush: &Brush, id: u32, findings: &mut Findings) {
    let (object, at) = (Some(id), Some(record.at));
    let unknown = record.contents & !Contents::KNOWN.0;
    if unknown != 0 {
        findings.add(
            "W-CONTENTS",
            object,
            at,
            format_args!("Brush {id}: unknown contents bits {unknown:#x} are kept"),
        );
    }
    let mut sound = true;
    for (index, face) in record.faces.iter().enumerate() {
        let normal = face.plane.normal.as_dvec3();
        if !normal.is_finite() || !face.plane.dist.is_finite() {
            findings.add(
                "E-NAN",
                object,
                at,
                format_args!("Brush {id}, face {index}: its plane is not finite"),
            );
            sound = false;
        } else if normal.length() < 1e-6 {
            findings.add(
                "E-PLANE",
                object,
                at,
                format_args!("Brush {id}, face {index}: its plane has no direction"),
            );
            sound = false;
        } else if (normal.length() - 1.0).abs() > UNIT_TOLERANCE {
            let text = format!(
                "Brush {id}, face {index}: its normal has length {}; the plane is divided by it",
                normal.length()
            );
            findings.add("W-UNIT", object, at, text);
        }
    }
    match brush.hull().fault() {
        // Already said, face by face.
        Some(HullFault::NotFinite | HullFault::BadPlane(_)) => {}
        _ if !sound => {}
        Some(fault) => findings.add(
            fault_code(fault),
            object,
            at,
            format_args!("Brush {id}: {fault}"),
        ),
        None => idle_faces(brush, id, record.at, findings),
    }
}

fn idle_faces(brush: &Brush, id: u32, at: u64, findings: &mut Findings) {
    let hull = brush.hull();
    let plane = |index: usize| brush.faces().get(index).and_then(|face| face.plane.unit());
    for (index, corners) in hull.loops().iter().enumerate() {
        if !corners.is_empty() {
            continue;
        }
        let repeats = plane(index).and_then(|idle| {
            (0..index).find(|&other| {
                plane(other).is_some_and(|other| {
                    other.normal.dot(idle.normal) > 1.0 - 1e-6
                        && (other.dist - idle.dist).abs() < 1e-3
                })
            })
        });
        match repeats {
            Some(first) => {
                let text = format!(
                    "Brush {id}: face {index} repeats the plane of face {first} and is skipped"
                );
                findings.add("W-DUPPLANE", Some(id), Some(at), text);
            }
            None => findings.add(
                "W-REDUND",
                Some(id),
                Some(at),
                format_args!("Brush {id}: face {index} touches nothing and is skipped"),
            ),
        }
    }
    if hull.points().iter().any(|&point| is_far(point)) {
        findings.add(
            "W-FAR",
            Some(id),
            Some(at),
            format_args!("Brush {id} reaches beyond {WORLD_LIMIT} units"),
        );
    }
}

/// Points and polygons of a mesh, which are kept as they are.
pub(super) fn mesh(record: &MeshRecord, id: u32, findings: &mut Findings) {
    let (object, at) = (Some(id), Some(record.at));
    let mut finite = true;
    let mut far = false;
    for (index, point) in record.points.iter().enumerate() {
        if !point.is_finite() {
            findings.add(
                "E-NAN",
                object,
                at,
                format_args!("Mesh {id}: vertex {index} is not finite"),
            );
            finite = false;
        }
        far |= is_far(point.as_dvec3());
    }
    if far {
        findings.add(
            "W-FAR",
            object,
            at,
            format_args!("Mesh {id} reaches beyond {WORLD_LIMIT} units"),
        );
    }
    let points: Vec<DVec3> = record.points.iter().map(|point| point.as_dvec3()).collect();
    let mut distinct = Vec::new();
    for (index, polygon) in record.polygons.iter().enumerate() {
        let what = format_args!("Mesh {id}, polygon {index}");
        let at = Some(polygon.at);
        if polygon.corners.len() < 3 {
            findings.add(
                "E-POLY",
                object,
                at,
                format_args!("{what}: {} corners", polygon.corners.len()),
            );
            continue;
        }
        if let Some(over) = polygon
            .corners
            .iter()
            .find(|&&corner| corner as usize >= points.len())
        {
            findings.add(
                "E-INDEX",
                object,
                at,
                format_args!("{what}: index {over} of {} vertices", points.len()),
            );
            continue;
        }
        distinct.clear();
        distinct.extend_from_slice(&polygon.corners);
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() != polygon.corners.len() {
            findings.add(
                "E-POLY",
                object,
                at,
                format_args!("{what} uses a vertex twice"),
            );
            continue;
        }
        if finite {
            let corners: Vec<DVec3> = polygon
                .corners
                .iter()
                .map(|&corner| points[corner as usize])
                .collect();
            if let Some((code, text)) = polygon_shape(&corners) {
                findings.add(code, object, at, format_args!("{what}: {text}"));
            }
        }
    }
}

/// Corner uvs that can be used: none when their number is wrong (E-UVCOUNT) or one is not finite.
pub(super) fn corner_uvs_ok(
    polygon: &PolygonRecord,
    id: u32,
    index: usize,
    findings: &mut Findings,
) -> bool {
    let (object, at) = (Some(id), Some(polygon.at));
    if !polygon.uvs.is_empty() && polygon.uvs.len() != polygon.corners.len() {
        let text = format!(
            "Mesh {id}, polygon {index}: {} uvs for {} corners are dropped",
            polygon.uvs.len(),
            polygon.corners.len()
        );
        findings.add("E-UVCOUNT", object, at, text);
        return false;
    }
    if polygon.uvs.iter().any(|uv| !uv.is_finite()) {
        findings.add(
            "E-NAN",
            object,
            at,
            format_args!(
                "Mesh {id}, polygon {index}: a corner's uv is not finite; all are dropped"
            ),
        );
        return false;
    }
    true
}

/// W-SLIVER, W-NONPLANAR, W-CONCAVE of one polygon; the first that holds.
fn polygon_shape(corners: &[DVec3]) -> Option<(&'static str, &'static str)> {
    let count = corners.len();
    let edge = |index: usize| corners[(index + 1) % count] - corners[index];
    let newell: DVec3 = (0..count)
        .map(|index| corners[index] - corners[0])
        .zip((0..count).map(edge))
        .map(|(a, b)| a.cross(b))
        .sum();
    let perimeter: f64 = (0..count).map(|index| edge(index).length()).sum();
    let area = newell.length();
    if area < 1e-9 || area < 1e-7 * perimeter * perimeter {
        return Some(("W-SLIVER", "it has no area and is skipped"));
    }
    let normal = newell / area;
    let center = corners.iter().sum::<DVec3>() / count as f64;
    let off = corners
        .iter()
        .map(|&corner| normal.dot(corner - center).abs())
        .fold(0.0, f64::max);
    if off > f64::max(0.01, 1e-4 * perimeter) {
        return Some(("W-NONPLANAR", "it leaves its plane and is triangulated"));
    }
    let concave = (0..count).any(|index| {
        let (a, b) = (edge(index), edge((index + 1) % count));
        normal.dot(a.cross(b)) < -1e-5 * f64::max(1e-9, a.length() * b.length())
    });
    concave.then_some((
        "W-CONCAVE",
        "it is not convex and is split on the next edit",
    ))
}

/// Names, numbers and keys of an entity; numbers that are not finite become 0 (scale 1).
pub(super) fn entity(record: &mut EntityRecord, id: u32, findings: &mut Findings) {
    let (object, at) = (Some(id), Some(record.at));
    if record.class.is_empty() {
        findings.add(
            "W-CLASS",
            object,
            at,
            format_args!("Entity {id} has no class"),
        );
    }
    if !(record.origin.is_finite() && record.angles.is_finite() && record.scale.is_finite()) {
        findings.add(
            "E-NAN",
            object,
            at,
            format_args!(
                "Entity {id}: a number of its placement is not finite; it is read as 0 (scale 1)"
            ),
        );
        record.origin = finite_or(record.origin, 0.0);
        record.angles = finite_or(record.angles, 0.0);
        record.scale = finite_or(record.scale, 1.0);
    }
    if is_far(record.origin.as_dvec3()) {
        findings.add(
            "W-FAR",
            object,
            at,
            format_args!("Entity {id} lies beyond {WORLD_LIMIT} units"),
        );
    }
    if record.scale.cmpeq(Vec3::ZERO).any() {
        findings.add(
            "W-SCALE",
            object,
            at,
            format_args!("Entity {id}: a scale of 0 counts as 1"),
        );
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for (key, value) in &record.keys {
        if key.is_empty() {
            findings.add(
                "W-KEY",
                object,
                at,
                format_args!("Entity {id} has a key without a name"),
            );
        } else if !seen.insert(key) {
            findings.add(
                "W-KEY",
                object,
                at,
                format_args!("Entity {id}: key {key} repeats; the first counts"),
            );
        }
        if value.len() > LONG_TEXT {
            findings.add(
                "W-LONG",
                object,
                at,
                format_args!("Entity {id}: the value of {key} has {} bytes", value.len()),
            );
        }
        if key.contains('\0') || value.contains('\0') {
            findings.add(
                "W-NUL",
                object,
                at,
                format_args!("Entity {id}: key or value of {key} holds a NUL"),
            );
        }
    }
}

/// Numbers that are not finite replaced.
pub(super) fn finite_or(vector: Vec3, other: f32) -> Vec3 {
    let fix = |number: f32| if number.is_finite() { number } else { other };
    Vec3::new(fix(vector.x), fix(vector.y), fix(vector.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_polygons() {
        let square = [(0, 0, 0), (8, 0, 0), (8, 8, 0), (0, 8, 0)];
        let code = |corners: &[(i32, i32, i32)]| {
            let corners: Vec<DVec3> = corners
                .iter()
                .map(|&(x, y, z)| glam::IVec3::new(x, y, z).as_dvec3())
                .collect();
            polygon_shape(&corners).map(|(code, _)| code)
        };
        assert_eq!(code(&square), None);
        assert_eq!(
            code(&[(0, 0, 0), (8, 0, 0), (1, 1, 0), (0, 8, 0)]),
            Some("W-CONCAVE")
        );
        assert_eq!(
            code(&[(0, 0, 0), (8, 0, 4), (8, 8, 0), (0, 8, 0)]),
            Some("W-NONPLANAR")
        );
        assert_eq!(code(&[(0, 0, 0), (4, 0, 0), (8, 0, 0)]), Some("W-SLIVER"));
    }

    #[test]
    fn texture_paths() {
        for (path, sound) in [
            ("a/b.png", true),
            ("", true),
            ("a..b/c", true),
            ("../a", false),
            ("a/../b", false),
            ("/a", false),
            ("a\\b", false),
        ] {
            assert_eq!(is_sound_path(path), sound, "{path}");
        }
    }
}
