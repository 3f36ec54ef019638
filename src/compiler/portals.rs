//! Openings between the empty cells of a build, to be looked at: where two cells meet and nothing stops a movement.
//!
//! The tree of a build is an index, whose leaves may hold brushes (S6). Here its leaves are cut on along the faces of their
//! brushes, until each cell is empty or full; the openings are what two empty ones share.

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::Box3;
use crate::compiler::Bsp;
use crate::compiler::collision;
use crate::compiler::trace::MOVEMENT_MASK;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Corners this close to a plane lie on it. Planes of the tree are rounded to `f32`.
const ON: f64 = 1.0 / 64.0;

/// Openings narrower than this, in map units, are seams between brushes.
const NARROWEST: f64 = 1.0 / 8.0;

/// The deepest cell that is cut on; trees of a build end at 48.
const DEEPEST: usize = 256;

/// Most cuts within one leaf of the tree, which has few brushes.
const MOST_CUTS: usize = 4096;

#[derive(Clone, Copy)]
enum Link {
    Cut(usize),
    Empty,
    Full,
    /// Of the tree, by number; not yet cut on.
    Leaf(usize),
}

/// A plane through a cell, which lies behind all of `cell`.
struct Cut {
    plane: Plane,
    front: Link,
    back: Link,
    cell: Vec<Plane>,
}

/// The openings as convex polygons, corners in map units. They lie within the bounds of the tree.
#[must_use]
pub fn portals(bsp: &Bsp) -> Vec<Vec<DVec3>> {
    let (mut cuts, leaves) = cuts_of_tree(bsp);
    let brushes: Vec<Option<Vec<Plane>>> = bsp
        .brushes
        .iter()
        .map(|brush| {
            let stops = brush.contents & MOVEMENT_MASK != 0;
            let planes = brush.planes.iter().copied().map(collision::as_read);
            stops.then(|| planes.collect())
        })
        .collect();
    let within: Vec<(Link, Vec<Cut>)> = leaves
        .into_par_iter()
        .map(|(leaf, cell)| cuts_of_leaf(cell, &in_leaf(bsp, leaf, &brushes)))
        .collect();
    // Cuts of leaves behind those of the tree, and their links with them.
    let mut roots = Vec::with_capacity(within.len());
    for (root, more) in within {
        let first = cuts.len();
        let moved = |link| match link {
            Link::Cut(at) => Link::Cut(at + first),
            link => link,
        };
        roots.push(moved(root));
        cuts.extend(more.into_iter().map(|cut| Cut {
            front: moved(cut.front),
            back: moved(cut.back),
            ..cut
        }));
    }
    let rooted = |link| match link {
        Link::Leaf(at) => roots[at],
        link => link,
    };
    for cut in &mut cuts {
        (cut.front, cut.back) = (rooted(cut.front), rooted(cut.back));
    }
    cuts.par_iter()
        .flat_map_iter(|cut| openings(&cuts, bsp.bounds, cut))
        .collect()
}

/// The nodes that can be reached, and the leaves below them with their cells.
fn cuts_of_tree(bsp: &Bsp) -> (Vec<Cut>, Vec<(usize, Vec<Plane>)>) {
    let planes: Vec<Plane> = bsp.planes.iter().copied().map(collision::as_read).collect();
    let node = |link: i32| {
        let node = *bsp.nodes.get(usize::try_from(link).ok()?)?;
        let plane = *planes.get(usize::try_from(node.plane).ok()?)?;
        Some((node, plane))
    };
    let mut cuts: Vec<Cut> = Vec::new();
    let mut leaves = Vec::new();
    // Whose child it is: (cut, in front).
    let mut open = vec![(bsp.root, sides(bsp.bounds), None)];
    while let Some((link, cell, owner)) = open.pop() {
        let found = if link < 0 {
            leaves.push((!link as usize, cell));
            Link::Leaf(leaves.len() - 1)
        } else if let Some((node, plane)) = node(link).filter(|_| cell.len() < DEEPEST) {
            let at = cuts.len();
            open.push((node.front, and(&cell, plane.flipped()), Some((at, true))));
            open.push((node.back, and(&cell, plane), Some((at, false))));
            cuts.push(Cut {
                plane,
                front: Link::Full,
                back: Link::Full,
                cell,
            });
            Link::Cut(at)
        } else {
            Link::Full
        };
        if let Some((owner, in_front)) = owner {
            let cut = &mut cuts[owner];
            *(if in_front {
                &mut cut.front
            } else {
                &mut cut.back
            }) = found;
        }
    }
    (cuts, leaves)
}

fn and(cell: &[Plane], wall: Plane) -> Vec<Plane> {
    cell.iter().copied().chain([wall]).collect()
}

/// The brushes of a leaf that stop a movement.
fn in_leaf<'a>(bsp: &Bsp, leaf: usize, brushes: &'a [Option<Vec<Plane>>]) -> Vec<&'a [Plane]> {
    let run = bsp.leaves.get(leaf).and_then(|leaf| {
        let first = leaf.first_brush as usize;
        let end = first.checked_add(leaf.brush_count as usize)?;
        bsp.leaf_brushes.get(first..end)
    });
    run.unwrap_or_default()
        .iter()
        .filter_map(|&brush| brushes.get(brush as usize)?.as_deref())
        .collect()
}

/// Cuts a cell along the faces of the brushes in it. Links count from the first cut.
fn cuts_of_leaf(cell: Vec<Plane>, brushes: &[&[Plane]]) -> (Link, Vec<Cut>) {
    let mut cuts: Vec<Cut> = Vec::new();
    let mut root = Link::Full;
    // A cell, which brushes are still to be looked at, the face of the first that comes next, whose child it is.
    let mut open = vec![(cell, brushes, 0, None)];
    while let Some((cell, brushes, face, owner)) = open.pop() {
        let found = match next_cut(&cell, brushes, face) {
            Next::Empty => Link::Empty,
            Next::Cut(..) if cuts.len() == MOST_CUTS || cell.len() == DEEPEST => Link::Full,
            Next::Full => Link::Full,
            Next::Cut(brushes, face) => {
                let (at, plane) = (cuts.len(), brushes[0][face]);
                let front = and(&cell, plane.flipped());
                open.push((front, &brushes[1..], 0, Some((at, true))));
                open.push((and(&cell, plane), brushes, face + 1, Some((at, false))));
                cuts.push(Cut {
                    plane,
                    front: Link::Full,
                    back: Link::Full,
                    cell,
                });
                Link::Cut(at)
            }
        };
        match owner {
            None => root = found,
            Some((owner, true)) => cuts[owner].front = found,
            Some((owner, false)) => cuts[owner].back = found,
        }
    }
    (root, cuts)
}

enum Next<'a> {
    Empty,
    Full,
    /// Along this face of the first of these brushes.
    Cut(&'a [&'a [Plane]], usize),
}

/// What is to be done with a cell: behind the faces before `face` of the first brush it lies already.
fn next_cut<'a>(cell: &[Plane], mut brushes: &'a [&'a [Plane]], mut face: usize) -> Next<'a> {
    if brushes.is_empty() {
        return Next::Empty;
    }
    let hull = Hull::from_planes(cell);
    if hull.points().len() < 4 {
        return Next::Full;
    }
    while let Some(brush) = brushes.first() {
        let mut is_outside = false;
        for (at, plane) in brush.iter().enumerate().skip(face) {
            let away = hull.points().iter().map(|&point| plane.distance(point));
            let (least, most) = away.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), d| {
                (a.min(d), b.max(d))
            });
            if least >= -ON {
                is_outside = true;
                break;
            }
            if most > ON {
                return Next::Cut(brushes, at);
            }
        }
        if !is_outside {
            return Next::Full;
        }
        (brushes, face) = (&brushes[1..], 0);
    }
    Next::Empty
}

/// What two empty cells share of a cut.
fn openings(cuts: &[Cut], bounds: Box3, cut: &Cut) -> Vec<Vec<DVec3>> {
    let mut whole = square(cut.plane, bounds);
    for wall in &cut.cell {
        whole = polygon::clip_back(&whole, *wall, ON);
        if whole.len() < 3 {
            return Vec::new();
        }
    }
    into_empty(cuts, cut.front, whole, cut.plane.normal)
        .into_iter()
        .flat_map(|piece| into_empty(cuts, cut.back, piece, -cut.plane.normal))
        .filter(|piece| is_wide(piece))
        .collect()
}

/// The parts of a polygon that touch empty cells. `towards`: the side of it that these lie on.
fn into_empty(cuts: &[Cut], link: Link, piece: Vec<DVec3>, towards: DVec3) -> Vec<Vec<DVec3>> {
    let mut found = Vec::new();
    let mut open = vec![(link, piece)];
    while let Some((link, piece)) = open.pop() {
        let cut = match link {
            Link::Cut(at) => &cuts[at],
            Link::Empty => {
                found.push(piece);
                continue;
            }
            Link::Full | Link::Leaf(_) => continue,
        };
        let (front, back) = polygon::split(&piece, cut.plane, ON);
        if front.is_empty() && back.is_empty() {
            // It lies in the plane: what it bounds is on one side.
            let is_front = cut.plane.normal.dot(towards) > 0.0;
            open.push((if is_front { cut.front } else { cut.back }, piece));
            continue;
        }
        for (child, part) in [(cut.front, front), (cut.back, back)] {
            if !part.is_empty() {
                open.push((child, part));
            }
        }
    }
    found
}

/// Twice the area by the outline is about the width of a long strip.
fn is_wide(piece: &[DVec3]) -> bool {
    2.0 * polygon::area(piece) > NARROWEST * polygon::perimeter(piece)
}

/// The six half spaces of a box, which lies behind them.
fn sides(bounds: Box3) -> Vec<Plane> {
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .flat_map(|axis| {
            [
                Plane::new(axis, max.dot(axis)),
                Plane::new(-axis, -min.dot(axis)),
            ]
        })
        .collect()
}

/// A square in a plane that reaches past a box.
fn square(plane: Plane, bounds: Box3) -> Vec<DVec3> {
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let center = plane.project((min + max) * 0.5);
    let reach = (max - min).length() + 1.0;
    let (u, v) = plane.normal.any_orthonormal_pair();
    let (u, v) = (u * reach, v * reach);
    vec![
        center - u - v,
        center + u - v,
        center + u + v,
        center - u + v,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::Cache;
    use crate::compiler::Options;
    use crate::compiler::compile;
    use crate::document::Brush;
    use crate::document::Document;
    use crate::document::Kind;
    use crate::document::Object;
    use crate::geometry::Aabb;
    use crate::task::Progress;

    fn built(boxes: &[([f64; 3], [f64; 3])]) -> Bsp {
        let mut draft = Document::default().edit();
        for &(min, max) in boxes {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::new(DVec3::from(min), DVec3::from(max)),
                None,
            ))));
        }
        let options = Options {
            light: false,
            ..Options::default()
        };
        let doc = draft.finish().expect("boxes are sound");
        let compiled = compile(&doc, &options, &mut Cache::default(), &Progress::new());
        compiled.expect("not cancelled").cmpl.bsp.clone()
    }

    /// Two rooms of 128 with a wall between them that has a doorway of 32 x 64.
    const ROOMS: &[([f64; 3], [f64; 3])] = &[
        ([-144.0, -16.0, -80.0], [144.0, 0.0, 80.0]),
        ([-144.0, 128.0, -80.0], [144.0, 144.0, 80.0]),
        ([-144.0, 0.0, -80.0], [-128.0, 128.0, 80.0]),
        ([128.0, 0.0, -80.0], [144.0, 128.0, 80.0]),
        ([-128.0, 0.0, -80.0], [128.0, 128.0, -64.0]),
        ([-128.0, 0.0, 64.0], [128.0, 128.0, 80.0]),
        ([-8.0, 0.0, -64.0], [8.0, 128.0, -16.0]),
        ([-8.0, 0.0, 16.0], [8.0, 128.0, 64.0]),
        ([-8.0, 64.0, -16.0], [8.0, 128.0, 16.0]),
    ];

    fn is_solid(point: DVec3) -> bool {
        ROOMS.iter().any(|&(min, max)| {
            let inner = Aabb::new(DVec3::from(min), DVec3::from(max)).grown(-0.1);
            inner.contains(point)
        })
    }

    #[test]
    fn view_2_portals_lie_in_the_open_and_close_the_doorway() {
        let found = portals(&built(ROOMS));
        assert!(!found.is_empty());
        for piece in &found {
            let middle = polygon::centroid(piece);
            assert!(!is_solid(middle), "{piece:?}");
            for corner in piece {
                // Of the way to each corner nothing is solid either.
                assert!(!is_solid(middle.lerp(*corner, 0.98)), "{piece:?}");
            }
        }
        // From corner to corner through the doorway: no convex cell without a brush holds all of it.
        let way = [
            DVec3::new(-100.3, 31.7, 50.1),
            DVec3::new(0.3, 30.2, 0.1),
            DVec3::new(100.9, 29.3, 52.7),
        ];
        let crosses = |piece: &[DVec3], from: DVec3, to: DVec3| {
            let plane = polygon::plane(piece).expect("flat");
            let (a, b) = (plane.distance(from), plane.distance(to));
            let at = from.lerp(to, a / (a - b));
            a * b < 0.0
                && (0..piece.len()).all(|i| {
                    let edge = piece[(i + 1) % piece.len()] - piece[i];
                    edge.cross(at - piece[i]).dot(plane.normal) >= -1e-6
                })
        };
        let crossed = way
            .windows(2)
            .any(|step| found.iter().any(|piece| crosses(piece, step[0], step[1])));
        assert!(crossed);
        // And a wall has none: straight through it, beside the doorway.
        let (from, to) = (DVec3::new(-7.9, 31.0, 40.0), DVec3::new(7.9, 31.0, 40.0));
        assert!(!found.iter().any(|piece| crosses(piece, from, to)));
    }

    #[test]
    fn what_fills_its_bounds_has_no_portals() {
        assert!(portals(&Bsp::default()).is_empty());
        assert!(portals(&built(&ROOMS[..1])).is_empty());
    }

    #[test]
    fn cells_are_cut_until_they_are_empty_or_full() {
        let cell = |min: [f32; 3], max: [f32; 3]| {
            sides(Box3 {
                min: min.into(),
                max: max.into(),
            })
        };
        let count = |brush: &[Plane]| {
            let (root, cuts) = cuts_of_leaf(cell([0.0; 3], [8.0; 3]), &[brush]);
            let full = cuts
                .iter()
                .flat_map(|cut| [cut.front, cut.back])
                .chain([root])
                .filter(|link| matches!(link, Link::Full));
            (cuts.len(), full.count())
        };
        // All over it, beside it, touching it, half of it, a corner of it, in its middle.
        assert_eq!(count(&cell([-1.0; 3], [9.0; 3])), (0, 1));
        assert_eq!(count(&cell([20.0; 3], [24.0; 3])), (0, 0));
        assert_eq!(count(&cell([8.0, 0.0, 0.0], [12.0, 8.0, 8.0])), (0, 0));
        assert_eq!(count(&cell([4.0, 0.0, 0.0], [12.0, 8.0, 8.0])), (1, 1));
        assert_eq!(count(&cell([4.0, 4.0, 4.0], [12.0, 12.0, 12.0])), (3, 1));
        assert_eq!(count(&cell([2.0, 2.0, 2.0], [6.0, 6.0, 6.0])), (6, 1));
    }
}
