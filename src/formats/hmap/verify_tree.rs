//! The rules of the tree in `CMPL` and of collision brushes (`hmap.md` 5, D36 to D38). Walks with loops, never with recursion.

use glam::DVec3;
use rayon::prelude::*;

use super::findings::Findings;
use super::verify::BOX_TOLERANCE;
use super::verify::UNIT_TOLERANCE;
use super::verify::box_rules;
use crate::compiler::Bsp;
use crate::compiler::CollisionBrush;
use crate::compiler::Leaf;
use crate::compiler::Plane3;
use crate::geometry::Aabb;
use crate::geometry::Hull;
use crate::geometry::HullFault;
use crate::geometry::Plane;

/// Points nearer than this to a plane are not judged (D37).
const SURFACE: f64 = 0.01;
/// Points tried, at most; fewer when there are so many brushes that this would take long.
const POINTS: usize = 2000;
const POINT_TESTS: usize = 40_000_000;

/// A sound source brush that should be in the tree.
pub(super) struct SourceSolid {
    pub contents: u32,
    /// Unit length.
    pub planes: Vec<Plane>,
    pub bounds: Aabb,
}

fn plane_of(plane: &Plane3) -> Plane {
    Plane::new(plane.normal.as_dvec3(), f64::from(plane.dist))
}

/// The code of a hull's fault, as the rules spell it.
pub(super) fn fault_code(fault: HullFault) -> &'static str {
    match fault {
        HullFault::NotFinite => "E-NAN",
        HullFault::BadPlane(_) => "E-PLANE",
        HullFault::TooFewFaces => "E-FACES",
        HullFault::Open => "E-OPEN",
        HullFault::Empty => "E-EMPTY",
    }
}

/// Finite, with a direction, unit length (W-UNIT: divided by its length). False when it cannot be used.
fn plane_rules(
    plane: &mut Plane3,
    what: std::fmt::Arguments<'_>,
    at: Option<u64>,
    findings: &mut Findings,
) -> bool {
    if !plane.normal.is_finite() || !plane.dist.is_finite() {
        findings.add("E-NAN", None, at, format_args!("{what} is not finite"));
        return false;
    }
    let length = plane.normal.as_dvec3().length();
    let Some(unit) = plane_of(plane).unit() else {
        findings.add(
            "E-CPLANE",
            None,
            at,
            format_args!("{what} has no direction"),
        );
        return false;
    };
    if (length - 1.0).abs() > UNIT_TOLERANCE {
        findings.add(
            "W-UNIT",
            None,
            at,
            format_args!("{what}: its normal has length {length}, both are divided by it"),
        );
        *plane = Plane3 {
            normal: unit.normal.as_vec3(),
            dist: unit.dist as f32,
        };
    }
    true
}

/// Planes, contents, closed solids, boxes. `None` for a brush that cannot be tested against.
pub(super) fn brush_rules(
    brushes: &[CollisionBrush],
    what: &str,
    at: Option<u64>,
    findings: &mut Findings,
) -> Vec<Option<Vec<Plane>>> {
    let hulls: Vec<(Option<HullFault>, Aabb)> = brushes
        .par_iter()
        .map(|brush| {
            let planes: Vec<Plane> = brush.planes.iter().map(plane_of).collect();
            let hull = Hull::from_planes(&planes);
            (hull.fault(), hull.bounds())
        })
        .collect();
    let mut sound = Vec::with_capacity(brushes.len());
    for (index, (brush, (fault, bounds))) in brushes.iter().zip(hulls).enumerate() {
        let object = Some(brush.source_id);
        let mut ok = box_rules(
            &brush.bounds,
            format_args!("{what}, collision brush {index}"),
            at,
            findings,
        );
        for (number, plane) in brush.planes.iter().enumerate() {
            let mut plane = *plane;
            ok &= plane_rules(
                &mut plane,
                format_args!("{what}, collision brush {index}, plane {number}"),
                at,
                findings,
            );
        }
        if brush.contents == 0 {
            findings.add(
                "W-CONTENTS",
                object,
                at,
                format_args!("{what}, collision brush {index}: without contents it never matters"),
            );
        }
        if let Some(fault) = fault
            && ok
        {
            findings.add(
                fault_code(fault),
                object,
                at,
                format_args!("{what}, collision brush {index}: {fault}"),
            );
            ok = false;
        }
        let off = |stored: glam::Vec3, true_corner: DVec3| {
            (stored.as_dvec3() - true_corner).abs().max_element()
        };
        if ok
            && off(brush.bounds.min, bounds.min).max(off(brush.bounds.max, bounds.max))
                > f64::from(BOX_TOLERANCE)
        {
            findings.add(
                "E-AABB",
                object,
                at,
                format_args!("{what}, collision brush {index}: the box is not that of its planes"),
            );
        }
        sound.push(ok.then(|| {
            brush
                .planes
                .iter()
                .filter_map(|plane| plane_of(plane).unit())
                .collect()
        }));
    }
    sound
}

/// Checks the tree; W-NOLEAF, W-DEPTH and W-UNIT are mended.
pub(super) fn verify(
    bsp: &mut Bsp,
    world: Option<&[SourceSolid]>,
    at: Option<u64>,
    findings: &mut Findings,
) {
    box_rules(&bsp.bounds, format_args!("The tree"), at, findings);
    let mut ok = true;
    for (index, plane) in bsp.planes.iter_mut().enumerate() {
        ok &= plane_rules(plane, format_args!("Tree plane {index}"), at, findings);
    }
    if bsp.leaves.is_empty() && bsp.nodes.is_empty() && bsp.root == -1 {
        findings.add(
            "W-NOLEAF",
            None,
            at,
            "The tree has no leaf; it is read as one empty leaf",
        );
        bsp.leaves.push(Leaf {
            first_brush: 0,
            brush_count: 0,
        });
    }
    ok &= links_ok(bsp, at, findings);
    ok &= lists_ok(bsp, at, findings);
    let brushes = brush_rules(&bsp.brushes, "The tree", at, findings);
    if !ok || !walk_ok(bsp, at, findings) {
        return;
    }
    let sound: Option<Vec<Vec<Plane>>> = brushes.into_iter().collect();
    if let Some(sound) = sound
        && bsp.bounds.min.is_finite()
        && bsp.bounds.max.is_finite()
    {
        points(bsp, &sound, world, at, findings);
    }
}

fn links_ok(bsp: &Bsp, at: Option<u64>, findings: &mut Findings) -> bool {
    let (nodes, leaves) = (bsp.nodes.len(), bsp.leaves.len());
    let mut ok = true;
    let mut link = |link: i32, what: std::fmt::Arguments<'_>| {
        let (index, count) = if link >= 0 {
            (link as usize, nodes)
        } else {
            (!link as usize, leaves)
        };
        if index >= count {
            findings.add(
                "E-LINK",
                None,
                at,
                format_args!(
                    "{what}: link {link}, but there are {nodes} nodes and {leaves} leaves"
                ),
            );
            ok = false;
        }
    };
    link(bsp.root, format_args!("Tree root"));
    for (index, node) in bsp.nodes.iter().enumerate() {
        link(node.front, format_args!("Node {index} front"));
        link(node.back, format_args!("Node {index} back"));
    }
    for (index, node) in bsp.nodes.iter().enumerate() {
        if usize::try_from(node.plane).is_ok_and(|plane| plane < bsp.planes.len()) {
            continue;
        }
        findings.add(
            "E-LINK",
            None,
            at,
            format_args!("Node {index}: plane {} of {}", node.plane, bsp.planes.len()),
        );
        ok = false;
    }
    ok
}

fn lists_ok(bsp: &Bsp, at: Option<u64>, findings: &mut Findings) -> bool {
    let mut ok = true;
    for (index, leaf) in bsp.leaves.iter().enumerate() {
        if u64::from(leaf.first_brush) + u64::from(leaf.brush_count) > bsp.leaf_brushes.len() as u64
        {
            let text = format!(
                "Leaf {index}: brushes {} + {} of {}",
                leaf.first_brush,
                leaf.brush_count,
                bsp.leaf_brushes.len()
            );
            findings.add("E-LEAF", None, at, text);
            ok = false;
        }
    }
    for (index, &brush) in bsp.leaf_brushes.iter().enumerate() {
        if brush as usize >= bsp.brushes.len() {
            findings.add(
                "E-LEAF",
                None,
                at,
                format_args!("Leaf list {index}: brush {brush} of {}", bsp.brushes.len()),
            );
            ok = false;
        }
    }
    ok
}

/// Each node once, each leaf once, and the depth.
fn walk_ok(bsp: &mut Bsp, at: Option<u64>, findings: &mut Findings) -> bool {
    let mut node_seen = vec![false; bsp.nodes.len()];
    let mut leaf_seen = vec![0u32; bsp.leaves.len()];
    let mut depth = 0;
    let mut stack = vec![(bsp.root, 0u32)];
    while let Some((link, above)) = stack.pop() {
        if link < 0 {
            leaf_seen[!link as usize] += 1;
            depth = depth.max(above);
            continue;
        }
        if std::mem::replace(&mut node_seen[link as usize], true) {
            findings.add(
                "E-CYCLE",
                None,
                at,
                format_args!("Node {link} is reached more than once"),
            );
            return false;
        }
        let node = bsp.nodes[link as usize];
        stack.push((node.front, above + 1));
        stack.push((node.back, above + 1));
    }
    if let Some(first) = node_seen.iter().position(|seen| !seen) {
        findings.add(
            "E-UNREACHED",
            None,
            at,
            format_args!("Node {first} is never reached"),
        );
        return false;
    }
    if let Some(first) = leaf_seen.iter().position(|&seen| seen != 1) {
        findings.add(
            "W-LEAFUSE",
            None,
            at,
            format_args!("Leaf {first} is not reached exactly once"),
        );
    }
    if depth != bsp.depth {
        findings.add(
            "W-DEPTH",
            None,
            at,
            format_args!("Depth says {}, the tree has {depth}", bsp.depth),
        );
        bsp.depth = depth;
    }
    true
}

/// A fixed sequence of numbers in 0..1 (splitmix64): the same file always gives the same findings.
struct Sequence(u64);

impl Sequence {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, bounds: Aabb) -> DVec3 {
        let t = DVec3::new(self.unit(), self.unit(), self.unit());
        bounds.min + (bounds.max - bounds.min) * t
    }
}

fn leaf_at(bsp: &Bsp, planes: &[Plane], point: DVec3) -> Leaf {
    let mut link = bsp.root;
    // The walk over the whole tree has shown that every way down ends.
    while link >= 0 {
        let node = bsp.nodes[link as usize];
        link = if planes[node.plane as usize].distance(point) >= 0.0 {
            node.front
        } else {
            node.back
        };
    }
    bsp.leaves[!link as usize]
}

fn is_near(planes: &[Plane], point: DVec3) -> bool {
    planes
        .iter()
        .any(|plane| plane.distance(point).abs() < SURFACE)
}

fn is_inside(planes: &[Plane], point: DVec3) -> bool {
    planes.iter().all(|plane| plane.distance(point) < 0.0)
}

/// Random points: the tree's answer against all brushes (E-SOLID), and these against the source (E-SRCSOLID).
fn points(
    bsp: &Bsp,
    brushes: &[Vec<Plane>],
    world: Option<&[SourceSolid]>,
    at: Option<u64>,
    findings: &mut Findings,
) {
    let solids = world.unwrap_or_default();
    if brushes.is_empty() && solids.is_empty() {
        return;
    }
    let planes: Vec<Plane> = bsp
        .planes
        .iter()
        .filter_map(|plane| plane_of(plane).unit())
        .collect();
    if planes.len() != bsp.planes.len() {
        return;
    }
    let boxes: Vec<Aabb> = bsp
        .brushes
        .iter()
        .map(|brush| Aabb::new(brush.bounds.min.as_dvec3(), brush.bounds.max.as_dvec3()).grown(0.5))
        .collect();
    let all = Aabb::new(bsp.bounds.min.as_dvec3(), bsp.bounds.max.as_dvec3());
    let pad = (all.size() * 0.1).max(DVec3::ONE);
    let all = Aabb::new(all.min - pad, all.max + pad);
    let per_point = boxes.len() + solids.len();
    let count = POINTS.min(POINT_TESTS / per_point).max(200);
    let mut numbers = Sequence(12345);
    let mut misses = 0;
    for index in 0..count {
        // Anywhere, in or near a collision brush, in or near a source brush.
        let random = numbers.bits();
        let pick = |count: usize| (count > 0).then(|| (random % count.max(1) as u64) as usize);
        let around = match index % 3 {
            1 => pick(boxes.len()).map(|brush| boxes[brush].grown(0.5)),
            2 => pick(solids.len())
                .map(|solid| solids[solid].bounds.grown(1.0))
                .or(pick(boxes.len()).map(|brush| boxes[brush].grown(0.5))),
            _ => None,
        };
        let point = numbers.within(around.unwrap_or(all));
        let near: Vec<usize> = (0..boxes.len())
            .filter(|&brush| boxes[brush].contains(point))
            .collect();
        if near.iter().any(|&brush| is_near(&brushes[brush], point)) {
            continue;
        }
        let leaf = leaf_at(bsp, &planes, point);
        let first = leaf.first_brush as usize;
        let listed = &bsp.leaf_brushes[first..first + leaf.brush_count as usize];
        let inside: Vec<usize> = near
            .into_iter()
            .filter(|&brush| is_inside(&brushes[brush], point))
            .collect();
        if let Some(&missed) = inside
            .iter()
            .find(|&&brush| !listed.contains(&(brush as u32)))
        {
            let text = format!(
                "The point {point:.3} lies in collision brush {missed}, which its leaf does not list"
            );
            findings.add("E-SOLID", Some(bsp.brushes[missed].source_id), at, text);
            misses += 1;
        }
        let contents = inside
            .iter()
            .fold(0, |all, &brush| all | bsp.brushes[brush].contents);
        if let Some(expected) = world.and_then(|world| source_contents(world, point))
            && expected != contents
        {
            let text = format!(
                "At {point:.3} the compiled contents are {contents}, those of the source brushes {expected}"
            );
            findings.add("E-SRCSOLID", None, at, text);
            misses += 1;
        }
        if misses >= 3 {
            return;
        }
    }
}

/// Union of the contents at a point; `None` too close to a surface to say.
fn source_contents(world: &[SourceSolid], point: DVec3) -> Option<u32> {
    let mut contents = 0;
    for solid in world
        .iter()
        .filter(|solid| solid.bounds.grown(0.5).contains(point))
    {
        if is_near(&solid.planes, point) {
            return None;
        }
        if is_inside(&solid.planes, point) {
            contents |= solid.contents;
        }
    }
    Some(contents)
}
