//! What stands below a point.

use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Shape;

/// Height of the highest surface straight below a point of the file's space, at most `reach` units down; `None` when there is
/// none, or the point lies in a solid.
#[must_use]
pub fn below(map: &RawMap, point: [f64; 3], reach: f64) -> Option<f64> {
    let [x, y, top] = point;
    let world = f64::from(map.world_size);
    let is_inside = |along: f64| (0.0..world).contains(&along);
    if map.tree.splits.is_empty() || !is_inside(x) || !is_inside(y) || !top.is_finite() {
        return None;
    }
    // A point on the border of two cubes stands in the lower one.
    let mut z = top.min(world);
    while z > (top - reach).max(0.0) {
        let leaf = leaf_below(map, [x, y], z);
        let surface = if leaf.material & material::CLIP_BITS == material::NO_CLIP {
            None
        } else {
            surface(leaf, [x, y], z)
        };
        if let Some(surface) = surface {
            let is_within = surface >= top - reach;
            // Below the top of what the point itself lies in there is no floor for it.
            return (is_within && surface <= top).then_some(surface);
        }
        z = f64::from(leaf.origin[2]);
    }
    None
}

/// The leaf at (x, y) that reaches from below `z` up to it or over it.
fn leaf_below(map: &RawMap, [x, y]: [f64; 2], z: f64) -> &Leaf {
    let tree = &map.tree;
    let mut origin = [0.0; 3];
    let mut size = f64::from(map.world_size);
    let mut split = 0;
    loop {
        size /= 2.0;
        let is_high = [
            x >= origin[0] + size,
            y >= origin[1] + size,
            z > origin[2] + size,
        ];
        let mut child = 0;
        for (axis, high) in is_high.into_iter().enumerate() {
            if high {
                child |= 1 << axis;
                origin[axis] += size;
            }
        }
        match tree.splits[split][child] {
            Node::Split(index) => split = index as usize,
            Node::Leaf(index) => return &tree.leaves[index as usize],
        }
    }
}

/// Where the line down from `z` enters the leaf's solid; `z` itself when it lies inside, and over `z` by as much.
fn surface(leaf: &Leaf, [x, y]: [f64; 2], z: f64) -> Option<f64> {
    match leaf.fill {
        Fill::Empty => None,
        Fill::Solid => Some(f64::from(leaf.origin[2] + leaf.size)),
        Fill::Deformed => {
            let eighth = f64::from(leaf.size) / 8.0;
            let local = [
                (x - f64::from(leaf.origin[0])) / eighth,
                (y - f64::from(leaf.origin[1])) / eighth,
            ];
            let span = span_at(&Shape::new(&leaf.edges), local)?;
            let [low, high] = span.map(|height| f64::from(leaf.origin[2]) + height * eighth);
            (low < z).then_some(high)
        }
    }
}

/// Lowest and highest point of a shape on a vertical line, in eighths.
fn span_at(shape: &Shape, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let mut span: Option<[f64; 2]> = None;
    for face in 0..6 {
        for (_, corners) in shape.triangles(face).iter() {
            let [a, b, c] = corners.map(|corner| shape.corners[corner].map(|part| part as f64));
            let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
            let area = ab[0] * ac[1] - ab[1] * ac[0];
            if area == 0.0 {
                continue;
            }
            let from_a = [x - a[0], y - a[1]];
            let u = (from_a[0] * ac[1] - from_a[1] * ac[0]) / area;
            let v = (ab[0] * from_a[1] - ab[1] * from_a[0]) / area;
            if u < 0.0 || v < 0.0 || u + v > 1.0 {
                continue;
            }
            let height = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]);
            span = Some(span.map_or([height; 2], |[low, high]| {
                [low.min(height), high.max(height)]
            }));
        }
    }
    span
}
