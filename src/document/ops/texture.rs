//! Texture frames that go from face to face (TEX-3, TEX-11), and frames brought into line with edges and sizes of faces (TEX-6).

use glam::DVec2;
use glam::DVec3;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Material;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::materials;
use crate::document::ops::surfaces::Changes;
use crate::document::ops::surfaces::FaceRef;
use crate::document::ops::surfaces::Surface;
use crate::document::ops::surfaces::surfaces_of;
use crate::geometry::Plane;
use crate::geometry::UvAxes;

/// Normals this close look the same way.
const PARALLEL: f64 = 1e-6;

/// Edges further apart than this are not shared.
const SHARED: f64 = 0.02;

/// More faces than this are not searched for shared edges with each other.
const MOST_LINKED: usize = 600;

/// What goes from one face to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// Material and alignment, projected unchanged.
    Project,
    /// Material and alignment, turned about the common line so that nothing stretches.
    Wrap,
    /// Material only.
    Material,
}

/// The face with what `how` brings from another.
#[must_use]
pub fn transferred(from: &Surface, to: &Surface, how: Transfer) -> Surface {
    let looks_alike = from.plane.normal.distance(to.plane.normal) <= PARALLEL;
    if how == Transfer::Material {
        return to.with_material(from.material, from.tile_size);
    }
    let painted = to.with_material(from.material, from.tile_size);
    if looks_alike {
        // The very same numbers, so that nothing can drift.
        return painted.with_frame_of(from);
    }
    if how == Transfer::Wrap {
        let along = longest_edge(&from.corners);
        return painted.with_frame(from.frame.wrapped(from.plane, to.plane, along));
    }
    let (projected, factor) = from.frame.projected(to.plane);
    if factor < EDGE_ON {
        // Nothing of the picture would be left.
        painted.with_numbers_of(from)
    } else {
        painted.with_frame(projected)
    }
}

/// Less of the picture's area than this is none: the face is seen edge-on, and offset, scale and rotation are copied instead.
pub const EDGE_ON: f64 = 0.01;

/// How much of the picture's area is left when it is projected onto another face: below 0.1 it is smeared.
#[must_use]
pub fn projection_factor(from: &Surface, to: &Surface) -> f64 {
    from.frame.projected(to.plane).1
}

fn longest_edge(corners: &[DVec3]) -> DVec3 {
    edges(corners)
        .map(|(a, b)| b - a)
        .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
        .unwrap_or(DVec3::Y)
}

fn edges(corners: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    let next = corners.iter().copied().cycle().skip(1);
    corners.iter().copied().zip(next)
}

const TRANSFER: &str = "Transfer texture";

/// Takes material and alignment along a chain of faces, each from the one before it; the last one is selected (TEX-3).
#[must_use]
pub fn transfer(steps: Vec<(FaceRef, FaceRef)>, how: Transfer) -> Edit {
    Edit::new(TRANSFER, move |draft, selection| {
        let mut changes = Changes::default();
        for &(from, to) in &steps {
            carry(draft, &mut changes, from, to, how);
        }
        changes.write(draft);
        if let Some(&(_, (id, face))) = steps.last() {
            *selection = Selection::from([Pick::Face(id, face)]);
        }
        Ok(())
    })
}

/// As [`transfer`] to a face, and from there to all others of its object: wrapped over the flattest edges first, so that the
/// sides of a tube come before its caps.
#[must_use]
pub fn transfer_to_object(from: FaceRef, to: FaceRef, how: Transfer) -> Edit {
    Edit::new(TRANSFER, move |draft, selection| {
        let mut changes = Changes::default();
        carry(draft, &mut changes, from, to, how);
        let all = surfaces_of(draft, &Selection::from([Pick::Object(to.0)]));
        let nodes: Vec<(FaceRef, Surface)> =
            all.into_iter().filter(|(face, _)| face.0 == to.0).collect();
        for (parent, child) in links(&nodes, to) {
            let source = if how == Transfer::Wrap { parent } else { to };
            carry(draft, &mut changes, source, child, how);
        }
        changes.write(draft);
        *selection = Selection::from([Pick::Face(to.0, to.1)]);
        Ok(())
    })
}

fn carry(draft: &Draft, changes: &mut Changes, from: FaceRef, to: FaceRef, how: Transfer) {
    if from == to {
        return;
    }
    let (Some(source), Some(target)) = (changes.get(draft, from), changes.get(draft, to)) else {
        return;
    };
    changes.set(to, transferred(&source, &target, how));
}

/// Pairs of faces along which something spreads from `start` to all others: over shared edges and the flattest of them first.
fn links(nodes: &[(FaceRef, Surface)], start: FaceRef) -> Vec<(FaceRef, FaceRef)> {
    let Some(first) = nodes.iter().position(|(face, _)| *face == start) else {
        return Vec::new();
    };
    let are_searched = nodes.len() <= MOST_LINKED;
    let price = |a: &Surface, b: &Surface| {
        let angle = a.plane.normal.distance(b.plane.normal);
        // Faces that share nothing come last.
        if are_searched && share_an_edge(&a.corners, &b.corners) {
            angle
        } else {
            angle + 8.0
        }
    };
    let mut best: Vec<(f64, usize)> = nodes
        .iter()
        .map(|(_, node)| (price(&nodes[first].1, node), first))
        .collect();
    let mut is_reached = vec![false; nodes.len()];
    is_reached[first] = true;
    let mut pairs = Vec::new();
    while let Some(next) = (0..nodes.len())
        .filter(|&index| !is_reached[index])
        .min_by(|&a, &b| best[a].0.total_cmp(&best[b].0))
    {
        is_reached[next] = true;
        pairs.push((nodes[best[next].1].0, nodes[next].0));
        if !are_searched {
            continue;
        }
        for index in 0..nodes.len() {
            if !is_reached[index] {
                let through = price(&nodes[next].1, &nodes[index].1);
                if through < best[index].0 {
                    best[index] = (through, next);
                }
            }
        }
    }
    pairs
}

/// True when edges of the two rings run along each other.
#[must_use]
pub fn share_an_edge(a: &[DVec3], b: &[DVec3]) -> bool {
    edges(a).any(|(from, to)| {
        let along = (to - from).normalize_or_zero();
        let length = (to - from).length();
        let off_line = |point: DVec3| (point - from).reject_from_normalized(along).length();
        along != DVec3::ZERO
            && edges(b).any(|(start, end)| {
                let (s, e) = ((start - from).dot(along), (end - from).dot(along));
                off_line(start) <= SHARED
                    && off_line(end) <= SHARED
                    && s.max(e).min(length) - s.min(e).max(0.0) > SHARED
            })
    })
}

/// Paints a material over faces in the order of a stroke (TEX-11). `wrap` takes the alignment of each face to the next.
#[must_use]
pub fn paint(material: Material, faces: Vec<FaceRef>, wrap: bool) -> Edit {
    Edit::new("Paint material", move |draft, _| {
        let id = materials::find_or_add(draft, &material);
        let tile_size = draft.tile_size(Some(id));
        let mut changes = Changes::default();
        for (at, &face) in faces.iter().enumerate() {
            let Some(surface) = changes.get(draft, face) else {
                continue;
            };
            let before = at.checked_sub(1).map(|before| faces[before]);
            let before = before
                .filter(|_| wrap)
                .and_then(|face| changes.get(draft, face));
            let painted = match before {
                Some(before) => transferred(&before, &surface, Transfer::Wrap),
                None if surface.material == Some(id) => continue,
                None => surface.with_material(Some(id), tile_size),
            };
            changes.set(face, painted);
        }
        changes.write(draft);
        Ok(())
    })
}

/// Gives faces the material and alignment of a face of some other map, as [`Transfer::Project`] does (CLIP-BOARD).
#[must_use]
pub fn paste(source: Surface, material: Option<Material>, picks: Selection) -> Edit {
    Edit::new("Paste texture", move |draft, _| {
        let id = material
            .as_ref()
            .map(|material| materials::find_or_add(draft, material));
        // The material here may have another tile than the one it was copied with.
        let source = source.with_material(id, draft.tile_size(id));
        let mut changes = Changes::default();
        for (face, surface) in surfaces_of(draft, &picks) {
            changes.set(face, transferred(&source, &surface, Transfer::Project));
        }
        changes.write(draft);
        Ok(())
    })
}

/// What brings textures into line. Sides are those of the picture: left is the small `u`, top the small `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    Left,
    Right,
    Top,
    Bottom,
    Center,
    FitWidth,
    FitHeight,
    /// Both ways.
    Fit,
    /// The bottom of the picture along an edge of the face.
    Edge,
}

impl Align {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Left | Self::Right | Self::Top | Self::Bottom => "Justify texture",
            Self::Center => "Center texture",
            Self::FitWidth | Self::FitHeight | Self::Fit => "Fit texture",
            Self::Edge => "Align texture to edge",
        }
    }
}

/// Which of the ways comes when the same is asked for again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cycle {
    /// The next edge, one repeat more.
    #[default]
    Next,
    Back,
    /// A half, a third ... of the picture (trim sheets); edges as with [`Cycle::Next`].
    Fraction,
    FractionBack,
}

/// Brings the textures of the picked faces into line (TEX-6). `as_one`: all of them as one surface, with the frame of that face
/// carried over their edges. Which repeat or edge comes next is read off the face itself, so undo needs no memory of it.
#[must_use]
pub fn align(picks: Selection, how: Align, cycle: Cycle, as_one: Option<FaceRef>) -> Edit {
    Edit::new(how.label(), move |draft, _| {
        let nodes = surfaces_of(draft, &picks);
        let mut changes = Changes::default();
        match as_one.filter(|one| nodes.iter().any(|(face, _)| face == one)) {
            Some(one) => align_as_one(draft, &mut changes, &nodes, one, (how, cycle))?,
            None => {
                let mut last_refusal = None;
                for (face, surface) in &nodes {
                    match aligned(&surface.frame, surface, &surface.uv_bounds(), how, cycle) {
                        Ok(frame) => put(&mut changes, *face, surface, frame),
                        Err(reason) => last_refusal = Some(reason),
                    }
                }
                if let (Some(reason), true) = (last_refusal, changes.is_empty()) {
                    return Err(EditError::refused(reason));
                }
            }
        }
        changes.write(draft);
        Ok(())
    })
}

/// A frame that differs only in the last digits is the one that is there.
fn put(changes: &mut Changes, face: FaceRef, surface: &Surface, frame: UvAxes) {
    let is_same = surface
        .corners
        .iter()
        .all(|&corner| frame.at(corner).distance(surface.frame.at(corner)) < 1e-9);
    if !is_same {
        changes.set(face, surface.with_frame(frame));
    }
}

fn align_as_one(
    doc: &Document,
    changes: &mut Changes,
    nodes: &[(FaceRef, Surface)],
    one: FaceRef,
    (how, cycle): (Align, Cycle),
) -> Result<(), EditError> {
    let Some(reference) = Surface::of(doc, one) else {
        return Ok(());
    };
    let mut unified = Changes::default();
    unified.set(one, reference.clone());
    for (parent, child) in links(nodes, one) {
        if let (Some(from), Some(to)) = (unified.get(doc, parent), unified.get(doc, child)) {
            let carried = transferred(&from, &to, Transfer::Wrap);
            unified.set(child, to.with_frame(carried.frame));
        }
    }
    let all: Vec<(FaceRef, Surface)> = nodes
        .iter()
        .filter_map(|(face, _)| Some((*face, unified.get(doc, *face)?)))
        .collect();
    let bounds = all.iter().map(|(_, surface)| surface.uv_bounds()).fold(
        (DVec2::INFINITY, DVec2::NEG_INFINITY),
        |(min, max), (a, b)| (min.min(a), max.max(b)),
    );
    let goal =
        aligned(&reference.frame, &reference, &bounds, how, cycle).map_err(EditError::refused)?;
    for (face, surface) in &all {
        let frame = follow(
            &reference.frame,
            &goal,
            &surface.frame,
            reference.plane,
            surface.plane,
        );
        if let Some(old) = Surface::of(doc, *face) {
            put(changes, *face, &old, frame);
        }
    }
    Ok(())
}

/// The frame `from` of the plane `own` changed as `old` changed to `new` on `plane` (both unit): the same affine map of
/// coordinates.
#[must_use]
pub fn follow(old: &UvAxes, new: &UvAxes, from: &UvAxes, plane: Plane, own: Plane) -> UvAxes {
    let Some((along_u, along_v)) = old.tangents(plane.normal) else {
        return *from;
    };
    let base = old.point_at(plane, DVec2::ZERO).unwrap_or(DVec3::ZERO);
    let zero = new.at(base);
    // Coordinates of the old frame to those of the new one.
    let row = |axis: DVec3| DVec2::new(axis.dot(along_u), axis.dot(along_v));
    let (ru, rv) = (row(new.u), row(new.v));
    UvAxes {
        u: from.u * ru.x + from.v * ru.y,
        u_offset: from.u_offset * ru.x + from.v_offset * ru.y + zero.x,
        v: from.u * rv.x + from.v * rv.y,
        v_offset: from.u_offset * rv.x + from.v_offset * rv.y + zero.y,
    }
    .in_plane(own)
}

/// The frame of one surface brought into line; `bounds` are the coordinates it covers.
fn aligned(
    frame: &UvAxes,
    surface: &Surface,
    bounds: &(DVec2, DVec2),
    how: Align,
    cycle: Cycle,
) -> Result<UvAxes, &'static str> {
    let (min, max) = *bounds;
    let shift_to_whole = |value: f64| value.round() - value;
    let shifted = match how {
        Align::Left => DVec2::new(shift_to_whole(min.x), 0.0),
        Align::Right => DVec2::new(shift_to_whole(max.x), 0.0),
        Align::Top => DVec2::new(0.0, shift_to_whole(min.y)),
        Align::Bottom => DVec2::new(0.0, shift_to_whole(max.y)),
        Align::Center => ((min + max) / 2.0 - 0.5).map(shift_to_whole),
        Align::Edge => return along_edge(frame, surface, cycle),
        Align::FitWidth | Align::FitHeight | Align::Fit => {
            let x = fitted(min.x, max.x, cycle).ok_or(NO_FRAME)?;
            let y = fitted(min.y, max.y, cycle).ok_or(NO_FRAME)?;
            let is_wide = how != Align::FitHeight;
            let is_high = how != Align::FitWidth;
            let pick = |is_wanted: bool, (factor, raise): (f64, f64)| {
                if is_wanted {
                    (factor, raise)
                } else {
                    (1.0, 0.0)
                }
            };
            let (x, y) = (pick(is_wide, x), pick(is_high, y));
            return Ok(frame.remapped(DVec2::new(x.0, y.0), DVec2::new(x.1, y.1)));
        }
    };
    Ok(frame.shifted(shifted))
}

const NO_FRAME: &str = "The texture of this face has no size; reset it first";

/// Factor and shift that make coordinates from `min` to `max` run from 0 over a whole number of repeats, or a whole part of one.
fn fitted(min: f64, max: f64, cycle: Cycle) -> Option<(f64, f64)> {
    const NEAR: f64 = 1e-4;
    let length = max - min;
    if !(length.is_finite() && length > 1e-9) {
        return None;
    }
    let is_anchored = (min - min.round()).abs() < NEAR;
    let repeats = match cycle {
        Cycle::Next | Cycle::Back => {
            let whole = length.round().max(1.0);
            let is_there = is_anchored && (length - whole).abs() < NEAR;
            match cycle {
                _ if !is_there => whole,
                Cycle::Next => whole + 1.0,
                _ => (whole - 1.0).max(1.0),
            }
        }
        Cycle::Fraction | Cycle::FractionBack => {
            let part = (1.0 / length).round().max(2.0);
            let is_there = is_anchored && (length * part - 1.0).abs() < NEAR;
            1.0 / match cycle {
                _ if !is_there => part,
                Cycle::Fraction => part + 1.0,
                _ => (part - 1.0).max(2.0),
            }
        }
    };
    let factor = repeats / length;
    Some((factor, -min * factor))
}

/// The frame turned so that the bottom of the picture lies along an edge, with a whole coordinate at the edge's start. The edge
/// that needs the least turning comes first; then the next ones round the face.
fn along_edge(frame: &UvAxes, surface: &Surface, cycle: Cycle) -> Result<UvAxes, &'static str> {
    let normal = surface.plane.normal;
    let (along_u, along_v) = frame.tangents(normal).ok_or(NO_FRAME)?;
    // Mirrored pictures run the other way, so that their top stays up.
    let is_mirrored = along_u.cross(along_v).dot(normal) > 0.0;
    let edges: Vec<(DVec3, DVec3)> = edges(&surface.corners)
        .map(|(a, b)| if is_mirrored { (b, a) } else { (a, b) })
        .filter(|(a, b)| a.distance_squared(*b) > 1e-8)
        .collect();
    let turn = |(a, b): (DVec3, DVec3)| {
        let (have, want) = (along_u.normalize_or_zero(), (b - a).normalize_or_zero());
        have.cross(want)
            .dot(normal)
            .atan2(have.dot(want))
            .to_degrees()
    };
    let is_there = |edge: (DVec3, DVec3)| {
        let uv = frame.at(edge.0);
        turn(edge).abs() < 1e-3 && uv.distance(uv.round()) < 1e-3
    };
    let count = edges.len();
    let next = match (edges.iter().position(|&edge| is_there(edge)), cycle) {
        (Some(at), Cycle::Back | Cycle::FractionBack) => (at + count - 1) % count,
        (Some(at), _) => (at + 1) % count,
        (None, _) => (0..count)
            .min_by(|&a, &b| turn(edges[a]).abs().total_cmp(&turn(edges[b]).abs()))
            .ok_or("The face has no edges")?,
    };
    let edge = edges[next];
    let turned = frame.rotated(normal, edge.0, turn(edge));
    let uv = turned.at(edge.0);
    Ok(turned.shifted(uv.round() - uv))
}
