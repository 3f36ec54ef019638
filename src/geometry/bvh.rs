//! A dynamic tree of boxes: insert, move, remove, ray and box queries.
//!
//! Leaves are a little larger than what they hold, so that small moves change nothing above them. New leaves go where the
//! surface of the boxes grows least; rotations keep the tree flat.

use std::collections::HashMap;
use std::hash::Hash;

use glam::DVec3;
use smallvec::SmallVec;

use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Ray;

const NONE: u32 = u32::MAX;

/// How much larger a leaf is than its content, in map units.
const MARGIN: f64 = 8.0;

/// Bins of the surface heuristic in [`Bvh::build`].
const BINS: usize = 12;

#[derive(Clone, Copy, Debug)]
struct Node<K> {
    bounds: Aabb,
    parent: u32,
    /// Children, or `NONE` twice for a leaf.
    left: u32,
    right: u32,
    height: u32,
    /// What a leaf holds.
    leaf: Option<(K, Aabb)>,
}

/// Boxes by key. Queries visit in an order that depends only on the sequence of changes.
#[derive(Clone, Debug)]
pub struct Bvh<K> {
    nodes: Vec<Node<K>>,
    free: Vec<u32>,
    root: u32,
    /// Only ever asked for single keys, never walked.
    leaf_of: HashMap<K, u32>,
}

impl<K> Default for Bvh<K> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            free: Vec::new(),
            root: NONE,
            leaf_of: HashMap::new(),
        }
    }
}

/// Whether a box lies wholly behind all planes; `None` when it lies wholly in front of one.
fn is_behind(planes: &[Plane], bounds: &Aabb) -> Option<bool> {
    let mut is_wholly = true;
    for plane in planes {
        let faces_up = plane.normal.cmpgt(DVec3::ZERO);
        let deepest = DVec3::select(faces_up, bounds.min, bounds.max);
        if plane.distance(deepest) > 0.0 {
            return None;
        }
        let highest = DVec3::select(faces_up, bounds.max, bounds.min);
        is_wholly &= plane.distance(highest) <= 0.0;
    }
    Some(is_wholly)
}

impl<K: Copy + Ord + Hash> Bvh<K> {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A balanced tree of many boxes at once. Of a repeated key the last box counts; empty boxes are left out.
    #[must_use]
    pub fn build(boxes: impl IntoIterator<Item = (K, Aabb)>) -> Self {
        let mut list: Vec<(K, Aabb)> = boxes
            .into_iter()
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        list.reverse();
        list.sort_by_key(|entry| entry.0);
        list.dedup_by_key(|entry| entry.0);
        let mut tree = Self::default();
        tree.nodes.reserve(list.len() * 2);
        let mut leaves: Vec<u32> = Vec::with_capacity(list.len());
        for (key, bounds) in list {
            let leaf = tree.add_leaf(key, bounds);
            leaves.push(leaf);
        }
        if leaves.is_empty() {
            return tree;
        }
        tree.root = tree.build_over(&mut leaves);
        tree
    }

    /// Splits ranges of leaves by the surface heuristic; an own stack instead of recursion. Returns the root.
    fn build_over(&mut self, leaves: &mut [u32]) -> u32 {
        // (range, parent, is it the parent's right child)
        let mut waiting = vec![(0, leaves.len(), NONE, false)];
        let mut order: Vec<u32> = Vec::new();
        let mut root = NONE;
        while let Some((from, to, parent, is_right)) = waiting.pop() {
            let node = if to - from == 1 {
                leaves[from]
            } else {
                let middle = from + self.split(&mut leaves[from..to]);
                let node = self.allocate(Node {
                    bounds: Aabb::EMPTY,
                    parent: NONE,
                    left: NONE,
                    right: NONE,
                    height: 1,
                    leaf: None,
                });
                order.push(node);
                waiting.push((middle, to, node, true));
                waiting.push((from, middle, node, false));
                node
            };
            self.nodes[node as usize].parent = parent;
            if parent == NONE {
                root = node;
            } else if is_right {
                self.nodes[parent as usize].right = node;
            } else {
                self.nodes[parent as usize].left = node;
            }
        }
        for &node in order.iter().rev() {
            self.refit(node);
        }
        root
    }

    /// Reorders the leaves and says how many go left: at least one and not all.
    fn split(&self, leaves: &mut [u32]) -> usize {
        let center = |leaf: u32| self.nodes[leaf as usize].bounds.center();
        let spread = Aabb::of_points(leaves.iter().map(|&leaf| center(leaf)));
        let size = spread.size();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        if leaves.len() <= 2 || !(size[axis] > 0.0 && size[axis].is_finite()) {
            return leaves.len() / 2;
        }
        let bin_of = |leaf: u32| {
            (((center(leaf)[axis] - spread.min[axis]) / size[axis] * BINS as f64) as usize)
                .min(BINS - 1)
        };
        let mut bins = [(Aabb::EMPTY, 0usize); BINS];
        for &leaf in leaves.iter() {
            let bin = &mut bins[bin_of(leaf)];
            bin.0 = bin.0.union(self.nodes[leaf as usize].bounds);
            bin.1 += 1;
        }
        let mut right_cost = [0.0; BINS];
        let mut sum = (Aabb::EMPTY, 0usize);
        for i in (1..BINS).rev() {
            sum = (sum.0.union(bins[i].0), sum.1 + bins[i].1);
            right_cost[i] = sum.0.half_area() * sum.1 as f64;
        }
        let mut sum = (Aabb::EMPTY, 0usize);
        let mut best = (f64::INFINITY, 0);
        for i in 1..BINS {
            sum = (sum.0.union(bins[i - 1].0), sum.1 + bins[i - 1].1);
            let cost = sum.0.half_area() * sum.1 as f64 + right_cost[i];
            if sum.1 > 0 && sum.1 < leaves.len() && cost < best.0 {
                best = (cost, i);
            }
        }
        if best.1 == 0 {
            return leaves.len() / 2;
        }
        leaves.sort_by_key(|&leaf| bin_of(leaf) >= best.1);
        leaves
            .iter()
            .position(|&leaf| bin_of(leaf) >= best.1)
            .unwrap_or(leaves.len() / 2)
    }

    /// Adds or moves. An empty box removes.
    pub fn insert(&mut self, key: K, bounds: Aabb) {
        if bounds.is_empty() {
            self.remove(key);
            return;
        }
        if let Some(&leaf) = self.leaf_of.get(&key) {
            let node = &mut self.nodes[leaf as usize];
            // Still inside, and not lost in a leaf that was made for something far larger.
            if node.bounds.encloses(bounds) && bounds.grown(4.0 * MARGIN).encloses(node.bounds) {
                node.leaf = Some((key, bounds));
                return;
            }
            self.take_out(leaf);
            let node = &mut self.nodes[leaf as usize];
            node.bounds = bounds.grown(MARGIN);
            node.leaf = Some((key, bounds));
            self.put_in(leaf);
        } else {
            let leaf = self.add_leaf(key, bounds);
            self.put_in(leaf);
        }
    }

    /// False when the key was not there.
    pub fn remove(&mut self, key: K) -> bool {
        let Some(leaf) = self.leaf_of.remove(&key) else {
            return false;
        };
        self.take_out(leaf);
        self.nodes[leaf as usize].leaf = None;
        self.free.push(leaf);
        true
    }

    #[must_use]
    pub fn get(&self, key: K) -> Option<Aabb> {
        let leaf = *self.leaf_of.get(&key)?;
        self.nodes[leaf as usize].leaf.map(|(_, bounds)| bounds)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.leaf_of.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.leaf_of.is_empty()
    }

    /// Calls `visit` with each key whose box touches `bounds`.
    pub fn query(&self, bounds: Aabb, visit: impl FnMut(K)) {
        self.walk(|node| node.touches(bounds), visit);
    }

    /// True when `test` accepts any key whose box touches `bounds`; asks no more then.
    pub fn any(&self, bounds: Aabb, mut test: impl FnMut(K) -> bool) -> bool {
        let mut waiting: SmallVec<[u32; 64]> = SmallVec::new();
        if self.root != NONE {
            waiting.push(self.root);
        }
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index as usize];
            match &node.leaf {
                Some((key, at)) if at.touches(bounds) && test(*key) => return true,
                Some(_) => {}
                None if node.bounds.touches(bounds) => waiting.extend([node.right, node.left]),
                None => {}
            }
        }
        false
    }

    /// Calls `visit(key, distance to the box)` roughly from near to far for boxes the ray meets within the best distance so far;
    /// `visit` returns the new best distance (or the one it was given).
    pub fn ray(&self, ray: Ray, max_distance: f64, mut visit: impl FnMut(K, f64) -> f64) {
        if self.root == NONE {
            return;
        }
        let slabs = ray.slabs();
        let mut best = max_distance;
        let mut waiting: SmallVec<[(f64, u32); 64]> = SmallVec::new();
        if let Some(distance) = slabs.enters(&self.nodes[self.root as usize].bounds) {
            waiting.push((distance, self.root));
        }
        while let Some((distance, index)) = waiting.pop() {
            if distance > best {
                continue;
            }
            let node = &self.nodes[index as usize];
            if let Some((key, bounds)) = &node.leaf {
                if let Some(distance) = slabs.enters(bounds)
                    && distance <= best
                {
                    best = visit(*key, distance).min(best);
                }
                continue;
            }
            let enter = |child: u32| {
                slabs
                    .enters(&self.nodes[child as usize].bounds)
                    .filter(|&distance| distance <= best)
            };
            let (left, right) = (enter(node.left), enter(node.right));
            match (left, right) {
                (Some(l), Some(r)) if l <= r => waiting.extend([(r, node.right), (l, node.left)]),
                (Some(l), Some(r)) => waiting.extend([(l, node.left), (r, node.right)]),
                (Some(l), None) => waiting.push((l, node.left)),
                (None, Some(r)) => waiting.push((r, node.right)),
                (None, None) => {}
            }
        }
    }

    /// Calls `visit(key, is wholly behind all)` with each key whose box lies at least partly behind every plane (a frustum whose
    /// planes face outward: a box is out when it lies wholly in front of one).
    pub fn planes(&self, planes: &[Plane], mut visit: impl FnMut(K, bool)) {
        let mut waiting: SmallVec<[(u32, bool); 64]> = SmallVec::new();
        if self.root != NONE {
            waiting.push((self.root, false));
        }
        while let Some((index, is_inside)) = waiting.pop() {
            let node = &self.nodes[index as usize];
            let bounds = node
                .leaf
                .as_ref()
                .map_or(&node.bounds, |(_, bounds)| bounds);
            // What lies in a box that is inside is inside too.
            let Some(is_inside) = (if is_inside {
                Some(true)
            } else {
                is_behind(planes, bounds)
            }) else {
                continue;
            };
            match &node.leaf {
                Some((key, _)) => visit(*key, is_inside),
                None => waiting.extend([(node.right, is_inside), (node.left, is_inside)]),
            }
        }
    }

    fn walk(&self, takes: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(K)) {
        let mut waiting: SmallVec<[u32; 64]> = SmallVec::new();
        if self.root != NONE {
            waiting.push(self.root);
        }
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index as usize];
            match &node.leaf {
                Some((key, bounds)) if takes(bounds) => visit(*key),
                Some(_) => {}
                None if takes(&node.bounds) => waiting.extend([node.right, node.left]),
                None => {}
            }
        }
    }

    fn add_leaf(&mut self, key: K, bounds: Aabb) -> u32 {
        let leaf = self.allocate(Node {
            bounds: bounds.grown(MARGIN),
            parent: NONE,
            left: NONE,
            right: NONE,
            height: 0,
            leaf: Some((key, bounds)),
        });
        self.leaf_of.insert(key, leaf);
        leaf
    }

    fn allocate(&mut self, node: Node<K>) -> u32 {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// Hangs a leaf into the tree beside the node where surfaces grow least.
    fn put_in(&mut self, leaf: u32) {
        if self.root == NONE {
            self.root = leaf;
            self.nodes[leaf as usize].parent = NONE;
            return;
        }
        let bounds = self.nodes[leaf as usize].bounds;
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            if node.leaf.is_some() {
                break;
            }
            let area = node.bounds.half_area();
            let grown = node.bounds.union(bounds).half_area();
            // Beside this node: a new parent as large as both. Below it: this node grows, and so does a child.
            let here = 2.0 * grown;
            let inherited = 2.0 * (grown - area);
            let below = |child: u32| {
                let child = &self.nodes[child as usize];
                let grown = child.bounds.union(bounds).half_area();
                inherited
                    + if child.leaf.is_some() {
                        grown
                    } else {
                        grown - child.bounds.half_area()
                    }
            };
            let (left, right) = (below(node.left), below(node.right));
            if here < left && here < right {
                break;
            }
            at = if left <= right { node.left } else { node.right };
        }
        let parent = self.nodes[at as usize].parent;
        let new = self.allocate(Node {
            bounds: Aabb::EMPTY,
            parent,
            left: at,
            right: leaf,
            height: 1,
            leaf: None,
        });
        self.nodes[at as usize].parent = new;
        self.nodes[leaf as usize].parent = new;
        self.replace_child(parent, at, new);
        self.refit_up(new);
    }

    /// Takes a leaf out of the tree; the node itself stays allocated.
    fn take_out(&mut self, leaf: u32) {
        let parent = self.nodes[leaf as usize].parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node {
            left,
            right,
            parent: above,
            ..
        } = self.nodes[parent as usize];
        let sibling = if left == leaf { right } else { left };
        self.nodes[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.free.push(parent);
        self.nodes[leaf as usize].parent = NONE;
        if above != NONE {
            self.refit_up(above);
        }
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
        } else if self.nodes[parent as usize].left == old {
            self.nodes[parent as usize].left = new;
        } else {
            self.nodes[parent as usize].right = new;
        }
    }

    fn refit(&mut self, index: u32) {
        let (left, right) = (
            self.nodes[index as usize].left,
            self.nodes[index as usize].right,
        );
        let (l, r) = (&self.nodes[left as usize], &self.nodes[right as usize]);
        let (bounds, height) = (l.bounds.union(r.bounds), l.height.max(r.height) + 1);
        let node = &mut self.nodes[index as usize];
        node.bounds = bounds;
        node.height = height;
    }

    fn refit_up(&mut self, mut index: u32) {
        while index != NONE {
            let index_balanced = self.balanced(index);
            self.refit(index_balanced);
            index = self.nodes[index_balanced as usize].parent;
        }
    }

    /// Rotates when one side is deeper by more than one; the node that is then on top.
    fn balanced(&mut self, top: u32) -> u32 {
        let Node { left, right, .. } = self.nodes[top as usize];
        let (deep_left, deep_right) = (
            self.nodes[left as usize].height,
            self.nodes[right as usize].height,
        );
        let (deep, other) = if deep_left > deep_right + 1 {
            (left, right)
        } else if deep_right > deep_left + 1 {
            (right, left)
        } else {
            return top;
        };
        // The deep child takes the place of `top` and keeps its deeper child; `top` gets the other one.
        let Node {
            left: a, right: b, ..
        } = self.nodes[deep as usize];
        let (keep, give) = if self.nodes[a as usize].height >= self.nodes[b as usize].height {
            (a, b)
        } else {
            (b, a)
        };
        let parent = self.nodes[top as usize].parent;
        self.replace_child(parent, top, deep);
        let node = &mut self.nodes[deep as usize];
        node.parent = parent;
        node.left = top;
        node.right = keep;
        self.nodes[keep as usize].parent = deep;
        let node = &mut self.nodes[top as usize];
        node.parent = deep;
        node.left = other;
        node.right = give;
        self.nodes[give as usize].parent = top;
        self.refit(top);
        deep
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    fn sorted_hits(found: &mut Vec<u32>) -> &Vec<u32> {
        found.sort_unstable();
        found
    }

    fn check_tree(tree: &Bvh<u32>, boxes: &[Option<Aabb>], probe: Aabb, ray: Ray) {
        let live = || {
            boxes
                .iter()
                .enumerate()
                .filter_map(|(key, bounds)| Some((key as u32, (*bounds)?)))
        };
        assert_eq!(tree.len(), live().count());
        let mut found = Vec::new();
        tree.query(probe, |key| found.push(key));
        let expected: Vec<u32> = live()
            .filter(|(_, bounds)| bounds.touches(probe))
            .map(|(key, _)| key)
            .collect();
        assert_eq!(sorted_hits(&mut found), &expected, "box query");

        let mut found = Vec::new();
        tree.ray(ray, f64::INFINITY, |key, _| {
            found.push(key);
            f64::INFINITY
        });
        let expected: Vec<u32> = live()
            .filter(|(_, bounds)| ray.aabb(*bounds).is_some())
            .map(|(key, _)| key)
            .collect();
        assert_eq!(sorted_hits(&mut found), &expected, "ray query");

        let mut nearest = f64::INFINITY;
        tree.ray(ray, f64::INFINITY, |_, distance| {
            nearest = nearest.min(distance);
            nearest
        });
        let expected = live()
            .filter_map(|(_, bounds)| ray.aabb(bounds))
            .fold(f64::INFINITY, f64::min);
        assert_eq!(nearest, expected, "nearest box");

        let planes = [
            Plane::new(DVec3::X, probe.max.x),
            Plane::new(DVec3::NEG_Y, -probe.min.y),
            Plane::new(ray.dir, ray.dir.dot(ray.origin)),
        ];
        let mut found = Vec::new();
        tree.planes(&planes, |key, _| found.push(key));
        let in_front = |bounds: &Aabb, plane: &Plane| {
            bounds
                .corners()
                .iter()
                .all(|&corner| plane.distance(corner) > 0.0)
        };
        let expected: Vec<u32> = live()
            .filter(|(_, bounds)| !planes.iter().any(|plane| in_front(bounds, plane)))
            .map(|(key, _)| key)
            .collect();
        assert_eq!(sorted_hits(&mut found), &expected, "frustum query");
        for (key, bounds) in live() {
            assert_eq!(tree.get(key), Some(bounds));
        }
    }

    fn any_box() -> impl Strategy<Value = Aabb> {
        (
            prop::array::uniform3(-300.0..300.0f64),
            prop::array::uniform3(0.0..60.0f64),
        )
            .prop_map(|(min, size)| {
                Aabb::new(DVec3::from(min), DVec3::from(min) + DVec3::from(size))
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn answers_like_a_list(
            built in prop::collection::vec(any_box(), 0..40),
            steps in prop::collection::vec((0u32..60, prop::option::weighted(0.8, any_box())), 0..120),
            probe in any_box(),
            dir in prop::array::uniform3(-1.0..1.0f64),
        ) {
            let mut boxes: Vec<Option<Aabb>> = vec![None; 60];
            let mut tree = Bvh::build(built.iter().enumerate().map(|(key, bounds)| (key as u32, *bounds)));
            for (slot, bounds) in boxes.iter_mut().zip(&built) {
                *slot = Some(*bounds);
            }
            for (key, bounds) in steps {
                match bounds {
                    Some(bounds) => tree.insert(key, bounds),
                    None => prop_assert_eq!(tree.remove(key), boxes[key as usize].is_some()),
                }
                boxes[key as usize] = bounds;
            }
            check_tree(&tree, &boxes, probe, Ray::new(probe.center(), DVec3::from(dir)));
        }
    }

    #[test]
    fn an_empty_tree_finds_nothing() {
        let mut tree: Bvh<u32> = Bvh::build([]);
        check_tree(
            &tree,
            &[],
            Aabb::new(DVec3::ZERO, DVec3::ONE),
            Ray::new(DVec3::ZERO, DVec3::X),
        );
        tree.insert(3, Aabb::EMPTY);
        assert!(tree.is_empty());
        assert!(!tree.remove(3));
    }

    #[test]
    fn a_long_row_stays_flat() {
        let mut tree = Bvh::new();
        for i in 0..4096u32 {
            let at = DVec3::X * f64::from(i) * 32.0;
            tree.insert(i, Aabb::new(at, at + 16.0));
        }
        let height = tree.nodes[tree.root as usize].height;
        assert!(height <= 18, "height {height}");
    }
}
