//! Which solids touch or overlap which (S2): a tree of boxes, then the planes of both.

use rayon::prelude::*;

use crate::compiler::planes::Planes;
use crate::compiler::solids::Solid;
use crate::geometry::Aabb;
use crate::task::Cancelled;
use crate::task::Progress;

/// Farther apart than this is not touching.
const EPS_TOUCH: f64 = 1.0 / 128.0;

/// Boxes per leaf of the tree.
const LEAF: usize = 4;

/// A static tree over boxes: boxes are halved at the median of their longest side.
pub(crate) struct BoxTree {
    /// Indices of boxes, arranged so that each subtree is a run of it.
    order: Vec<u32>,
    /// In pre-order; the first child follows its parent.
    nodes: Vec<TreeNode>,
}

struct TreeNode {
    bounds: Aabb,
    /// Run of `order`.
    from: u32,
    to: u32,
    /// Node after this subtree: where to go on when the box is missed.
    skip: u32,
}

impl BoxTree {
    #[must_use]
    pub(crate) fn new(boxes: &[Aabb]) -> Self {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes: Vec<TreeNode> = Vec::new();
        // Open subtrees; `None` closes the node pushed before its children.
        let mut stack: Vec<Result<(usize, usize), usize>> = vec![Ok((0, boxes.len()))];
        while let Some(work) = stack.pop() {
            match work {
                Err(node) => nodes[node].skip = nodes.len() as u32,
                Ok((from, to)) => {
                    let run = &mut order[from..to];
                    let bounds = run
                        .iter()
                        .fold(Aabb::EMPTY, |all, &i| all.union(boxes[i as usize]));
                    let node = nodes.len();
                    nodes.push(TreeNode {
                        bounds,
                        from: from as u32,
                        to: to as u32,
                        skip: node as u32 + 1,
                    });
                    if run.len() > LEAF {
                        let size = bounds.size();
                        let axis =
                            (0..3).fold(
                                0,
                                |best, axis| if size[axis] > size[best] { axis } else { best },
                            );
                        let key =
                            |i: u32| boxes[i as usize].min[axis] + boxes[i as usize].max[axis];
                        let half = run.len() / 2;
                        run.select_nth_unstable_by(half, |&a, &b| {
                            key(a).total_cmp(&key(b)).then(a.cmp(&b))
                        });
                        stack.push(Err(node));
                        stack.push(Ok((from + half, to)));
                        stack.push(Ok((from, from + half)));
                    }
                }
            }
        }
        Self { order, nodes }
    }

    /// Calls `visit` with each box that touches `bounds`.
    pub(crate) fn query(&self, boxes: &[Aabb], bounds: Aabb, mut visit: impl FnMut(u32)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let met = node.bounds.touches(bounds);
            let is_leaf = node.skip as usize == at + 1;
            if met && is_leaf {
                for &index in &self.order[node.from as usize..node.to as usize] {
                    if boxes[index as usize].touches(bounds) {
                        visit(index);
                    }
                }
            }
            at = if met { at + 1 } else { node.skip as usize };
        }
    }
}

/// For each solid the solids of its model that touch or overlap it, ascending.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn neighbours(
    solids: &[Solid],
    planes: &Planes,
    progress: &Progress,
) -> Result<Vec<Vec<u32>>, Cancelled> {
    let boxes: Vec<Aabb> = solids.iter().map(|solid| solid.bounds).collect();
    let tree = BoxTree::new(&boxes);
    solids
        .par_iter()
        .zip(0..solids.len() as u32)
        .map(|(solid, index)| {
            progress.check()?;
            let mut list = Vec::new();
            tree.query(&boxes, solid.bounds.grown(EPS_TOUCH), |other| {
                let against = &solids[other as usize];
                if other != index
                    && against.model == solid.model
                    && !apart(solid, against, planes)
                    && !apart(against, solid, planes)
                {
                    list.push(other);
                }
            });
            list.sort_unstable();
            Ok(list)
        })
        .collect()
}

/// True when a plane of `a` has all of `b` in front of it.
fn apart(a: &Solid, b: &Solid, planes: &Planes) -> bool {
    a.faces.iter().any(|face| {
        let plane = planes.get(face.plane);
        b.points().all(|point| plane.distance(point) > EPS_TOUCH)
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn the_tree_finds_what_a_list_finds(boxes in prop::collection::vec((-50i32..50, -50i32..50, -50i32..50, 0i32..9), 0..60)) {
            let boxes: Vec<Aabb> = boxes
                .into_iter()
                .map(|(x, y, z, s)| {
                    let min = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    Aabb::new(min, min + f64::from(s))
                })
                .collect();
            let tree = BoxTree::new(&boxes);
            for &bounds in &boxes {
                let mut found = Vec::new();
                tree.query(&boxes, bounds, |index| found.push(index));
                found.sort_unstable();
                let wanted: Vec<u32> = (0..boxes.len() as u32).filter(|&i| boxes[i as usize].touches(bounds)).collect();
                prop_assert_eq!(found, wanted);
            }
        }
    }
}
