//! A solid of the file becomes a brush, or a mesh where planes cannot say what its corners say (`rmf.md` 5).

use std::collections::HashMap;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Mesh;
use crate::document::ObjectFlags;
use crate::document::Polygon;
use crate::document::SurfaceFlags;
use crate::formats::lights::map_from_game;
use crate::formats::rmf::raw::RawFace;
use crate::formats::rmf::special::Owner;
use crate::formats::rmf::special::Role;
use crate::formats::rmf::special::Verdict;
use crate::formats::rmf::special::verdict;
use crate::formats::rmf::textures::Texture;
use crate::formats::rmf::textures::Textures;
use crate::formats::rmf::textures::frame;
use crate::geometry::Aabb;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;

/// Built corners this near to the stored ones are right; smaller limits reject good maps (measured, `rmf.md` 5).
const GOOD: f64 = 0.1;

/// A brush whose corners are off by more than this would not be what the mapper saw.
const USABLE: f64 = 1.0;

/// A face whose axes leave its plane by less than this fraction counts as textured in its plane (`rmf.md` 6).
const IN_PLANE: f64 = 1e-3;

/// What became of a solid.
#[derive(Default)]
pub struct Built {
    /// `None`: nothing to show, or only a pivot; `notes` or `pivot` tell.
    pub kind: Option<Kind>,
    pub flags: ObjectFlags,
    /// Centre of an ORIGIN brush, in map units.
    pub pivot: Option<DVec3>,
    pub notes: Vec<(&'static str, String)>,
}

impl Built {
    fn refused(code: &'static str, text: String) -> Self {
        Self {
            notes: vec![(code, text)],
            ..Self::default()
        }
    }
}

/// A face in map space.
struct Side<'a> {
    texture: &'a Texture,
    /// Counter-clockwise seen from outside.
    corners: Vec<DVec3>,
    by_loop: Option<Plane>,
    by_triple: Option<Plane>,
    frame: UvAxes,
}

impl Side<'_> {
    fn plane(&self, source: Source) -> Option<Plane> {
        match source {
            Source::Loops => self.by_loop.or(self.by_triple),
            Source::Triples => self.by_triple.or(self.by_loop),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Loops,
    Triples,
}

/// Converts one solid; `shift` moves it along X of the file.
#[must_use]
pub fn build(
    faces: &[RawFace<'_>],
    textures: &Textures<'_>,
    owner: Option<Owner>,
    shift: f64,
) -> Built {
    if faces.is_empty() {
        return Built::refused(
            "I-EMPTY-SOLID",
            "a solid without faces was left out".to_owned(),
        );
    }
    if let Some(face) = faces
        .iter()
        .find(|face| face.vertices.iter().any(|vertex| !vertex.is_finite()))
    {
        let text = format!(
            "a solid was left out: a corner of its face at byte {:#x} is not a number",
            face.offset
        );
        return Built::refused("I-NOT-FINITE", text);
    }
    let mut built = Built::default();
    let roles: Vec<Role> = faces.iter().map(|face| textures.of(face).role).collect();
    let verdict = verdict(&roles, owner);
    if verdict.is_origin {
        let corners = faces
            .iter()
            .flat_map(|face| &face.vertices)
            .map(|&vertex| in_map(vertex, shift));
        let bounds = Aabb::of_points(corners);
        built.pivot = (!bounds.is_empty()).then(|| (bounds.min + bounds.max) * 0.5);
        return built;
    }
    if verdict.is_shadow_only {
        built.flags = ObjectFlags::NO_COLLIDE;
    }
    let mut replaced_numbers = 0;
    let sides: Vec<Side<'_>> = faces
        .iter()
        .filter_map(|face| {
            let (side, replaced) = side(face, textures, shift);
            replaced_numbers += usize::from(replaced);
            // A face without a plane of either kind bounds nothing.
            side.plane(Source::Loops).is_some().then_some(side)
        })
        .collect();
    if sides.len() < faces.len() {
        let text = format!(
            "{} of {} faces have no area and were left out",
            faces.len() - sides.len(),
            faces.len()
        );
        built.notes.push(("I-DEGENERATE-FACE", text));
    }
    if replaced_numbers > 0 {
        built.notes.push((
            "I-BAD-NUMBER",
            format!(
                "{replaced_numbers} faces have texture numbers that are none; defaults were taken"
            ),
        ));
    }
    if verdict.is_mixed {
        built.notes.push((
            "I-MIXED-CONTENTS",
            "its faces say different things about what it is; the first special one counts"
                .to_owned(),
        ));
    }
    if sides.is_empty() {
        built.notes.push((
            "I-EMPTY-SOLID",
            "a solid without any face of some area was left out".to_owned(),
        ));
        return built;
    }
    finish(&sides, verdict, built)
}

/// The brush of the better planes, or the mesh.
fn finish(sides: &[Side<'_>], verdict: Verdict, mut built: Built) -> Built {
    let place = mean(sides.iter().flat_map(|side| &side.corners).copied());
    let at = format!("at {:.0} {:.0} {:.0}", place.x, place.y, place.z);
    let best = best_brush(sides, verdict.contents, place);
    if let Some(candidate) = best.filter(|candidate| candidate.off <= USABLE) {
        if candidate.is_flipped {
            built.notes.push((
                "I-FLIPPED-FACE",
                format!("{at}: a face that pointed inwards was turned round"),
            ));
        }
        if candidate.off > GOOD {
            let text = format!(
                "{at}: it is not convex by {:.2} units; its corners moved by that much",
                candidate.off
            );
            built.notes.push(("I-OFF-CONVEX", text));
        }
        built.kind = Some(Kind::Brush(with_textures(candidate, sides)));
        return built;
    }
    let (mesh, lost) = mesh(sides);
    if lost > 0 {
        built.notes.push((
            "I-DEGENERATE-FACE",
            format!("{lost} faces have fewer than three different corners and were left out"),
        ));
    }
    let text = format!(
        "{at}: its planes enclose no solid with the corners in the file; it is kept as a mesh"
    );
    built.notes.push(("I-BROKEN-BRUSH", text));
    if !verdict.contents.has(Contents(
        Contents::SOLID.0 | Contents::CLIP.0 | Contents::SKY.0,
    )) {
        built.flags = built.flags | ObjectFlags::NO_COLLIDE;
    }
    built.kind = Some(Kind::Mesh(mesh));
    built
}

/// A brush made of some choice of planes.
struct Candidate {
    brush: Brush,
    /// Largest distance of a stored corner from the nearest built corner of its face.
    off: f64,
    is_flipped: bool,
}

/// Loops first, then triples, then each with the faces turned round that point inwards. `None` when nothing closes.
fn best_brush(sides: &[Side<'_>], contents: Contents, place: DVec3) -> Option<Candidate> {
    let planes = |source: Source| -> Vec<Plane> {
        sides.iter().filter_map(|side| side.plane(source)).collect()
    };
    let loops = planes(Source::Loops);
    let mut best = candidate(&loops, sides, contents, false);
    if best.as_ref().is_some_and(|best| best.off <= GOOD) {
        return best;
    }
    let triples = planes(Source::Triples);
    keep_better(&mut best, candidate(&triples, sides, contents, false));
    if best.as_ref().is_some_and(|best| best.off <= USABLE) {
        return best;
    }
    for planes in [loops, triples] {
        let is_inward = |plane: &Plane| plane.distance(place) > 0.0;
        if planes.iter().any(is_inward) {
            let flipped: Vec<Plane> = planes
                .iter()
                .map(|plane| {
                    if is_inward(plane) {
                        plane.flipped()
                    } else {
                        *plane
                    }
                })
                .collect();
            keep_better(&mut best, candidate(&flipped, sides, contents, true));
        }
    }
    best
}

fn keep_better(best: &mut Option<Candidate>, other: Option<Candidate>) {
    let Some(other) = other else { return };
    if best.as_ref().is_none_or(|best| other.off < best.off) {
        *best = Some(other);
    }
}

/// `None` when the planes enclose nothing or a face vanishes.
fn candidate(
    planes: &[Plane],
    sides: &[Side<'_>],
    contents: Contents,
    is_flipped: bool,
) -> Option<Candidate> {
    let faces = planes
        .iter()
        .zip(sides)
        .map(|(plane, side)| Face::new(plane.rounded(), side.texture.material))
        .collect();
    let brush = Brush::as_stored(contents, faces);
    let off = deviation(brush.hull(), sides)?;
    Some(Candidate {
        brush,
        off,
        is_flipped,
    })
}

fn deviation(hull: &Hull, sides: &[Side<'_>]) -> Option<f64> {
    if hull.fault().is_some() || hull.loops().iter().any(Vec::is_empty) {
        return None;
    }
    let mut worst: f64 = 0.0;
    for (index, side) in sides.iter().enumerate() {
        for &corner in &side.corners {
            let nearest = hull
                .face_points(index)
                .map(|point| point.distance_squared(corner))
                .fold(f64::INFINITY, f64::min);
            worst = worst.max(nearest);
        }
    }
    Some(worst.sqrt())
}

/// Texture settings by the fit, and the file's corners where the planes do not give them back.
fn with_textures(candidate: Candidate, sides: &[Side<'_>]) -> Brush {
    let Candidate { brush, off, .. } = candidate;
    let mut faces = brush.faces().to_vec();
    for (index, (face, side)) in faces.iter_mut().zip(sides).enumerate() {
        let Some(plane) = face.plane.unit() else {
            continue;
        };
        let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
        let wants_plane = lies_in_plane(&side.frame, plane.normal);
        let fit = side.frame.fit(
            plane,
            wants_plane,
            side.texture.size,
            side.texture.size,
            &corners,
        );
        face.uv = fit.uv;
        face.axes = fit.axes;
        if fit.aligned {
            face.flags = face.flags | SurfaceFlags::FACE_ALIGNED;
        }
    }
    if off <= GOOD {
        let wanted: Vec<Vec3> = sides
            .iter()
            .flat_map(|side| &side.corners)
            .map(|corner| corner.as_vec3())
            .collect();
        if are_in_reach(&wanted, brush.hull())
            && let Some(exact) = brush.hull().unrestored(&wanted)
        {
            return Brush::with_exact(brush.contents(), faces, Some(exact.into()));
        }
    }
    brush.with_surfaces(faces)
}

/// True when each corner is so near to one of the brush that a reader of the file finds it again: the reach of `BVTX`
/// (`hmap.md` 6.6) less what rule D24 may have moved the brush's corner.
fn are_in_reach(wanted: &[Vec3], hull: &Hull) -> bool {
    wanted.iter().all(|corner| {
        let corner = corner.as_dvec3();
        let reach = 0.0019 + 1.5e-6 * corner.abs().max_element();
        hull.points()
            .iter()
            .any(|point| point.distance_squared(corner) <= reach * reach)
    })
}

/// Both axes in the face, and the face parallel to no coordinate plane.
fn lies_in_plane(frame: &UvAxes, normal: DVec3) -> bool {
    let is_axial = normal.abs().max_element() > 1.0 - 1e-9;
    !is_axial
        && [frame.u, frame.v]
            .iter()
            .all(|axis| normal.dot(*axis).abs() <= IN_PLANE * axis.length())
}

/// Every face with at least three different corners, with texture coordinates of its own; and how many had fewer.
fn mesh(sides: &[Side<'_>]) -> (Mesh, usize) {
    let mut points: Vec<DVec3> = Vec::new();
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let mut polygons = Vec::new();
    for side in sides {
        let mut corners: Vec<u32> = Vec::with_capacity(side.corners.len());
        for corner in &side.corners {
            let corner = corner.as_vec3().as_dvec3();
            // `+ 0.0` makes one of the two zeroes.
            let key = (corner + DVec3::ZERO).to_array().map(f64::to_bits);
            let number = *numbers.entry(key).or_insert_with(|| {
                points.push(corner);
                points.len() as u32 - 1
            });
            if !corners.contains(&number) {
                corners.push(number);
            }
        }
        if corners.len() < 3 {
            continue;
        }
        let uvs: Vec<Vec2> = corners
            .iter()
            .map(|&number| side.frame.at(points[number as usize]).as_vec2())
            .collect();
        let uvs = if uvs.iter().all(|uv| uv.is_finite()) {
            uvs
        } else {
            Vec::new()
        };
        polygons.push(Polygon {
            material: side.texture.material,
            smooth: 0,
            proj: Uv::default(),
            corners,
            uvs,
        });
    }
    let lost = sides.len() - polygons.len();
    (
        Mesh {
            name: String::new(),
            points,
            polygons,
        },
        lost,
    )
}

/// A face with its planes and frame, and whether texture numbers had to be replaced.
fn side<'a>(raw: &RawFace<'_>, textures: &'a Textures<'_>, shift: f64) -> (Side<'a>, bool) {
    let texture = textures.of(raw);
    let corners: Vec<DVec3> = raw
        .vertices
        .iter()
        .rev()
        .map(|&vertex| in_map(vertex, shift))
        .collect();
    let by_loop = plane_through(&corners);
    let [a, b, c] = raw.plane.map(|point| in_map(point, shift));
    let is_finite = raw.plane.iter().all(|point| point.is_finite());
    let by_triple = if is_finite {
        Plane::from_points(a, c, b)
    } else {
        None
    };
    // The compilers project by the triple; it is only mistrusted when the loop contradicts it.
    let projecting = match (by_triple, by_loop) {
        (Some(triple), Some(fit)) if triple.normal.dot(fit.normal) < 0.9 => Some(fit),
        (triple, fit) => triple.or(fit),
    };
    let normal = projecting.map_or(DVec3::Z, |plane| game_from_map(plane.normal));
    let (frame, replaced) = frame(raw, normal, texture.size, shift);
    (
        Side {
            texture,
            corners,
            by_loop,
            by_triple,
            frame,
        },
        replaced,
    )
}

/// Newell's plane through a counter-clockwise loop: outward normal, mean distance. `None` without area.
fn plane_through(corners: &[DVec3]) -> Option<Plane> {
    let first = *corners.first()?;
    let mut sum = DVec3::ZERO;
    let mut extent: f64 = 0.0;
    for (index, &corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        // Relative to the first corner, for precision far from the origin.
        sum += (corner - first).cross(next - first);
        extent = extent.max((corner - first).length_squared());
    }
    if sum.length() <= 1e-7 * extent {
        return None;
    }
    let normal = sum.try_normalize()?;
    let dist = corners
        .iter()
        .map(|corner| normal.dot(*corner))
        .sum::<f64>()
        / corners.len() as f64;
    Some(Plane::new(normal, dist))
}

fn mean(points: impl Iterator<Item = DVec3>) -> DVec3 {
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for point in points {
        sum += point;
        count += 1.0;
    }
    if count > 0.0 {
        sum / count
    } else {
        DVec3::ZERO
    }
}

fn in_map(vertex: Vec3, shift: f64) -> DVec3 {
    map_from_game(vertex.as_dvec3() + DVec3::new(shift, 0.0, 0.0))
}

fn game_from_map(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0 - v.z, v.y)
}
