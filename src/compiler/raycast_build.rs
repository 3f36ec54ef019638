//! Builds the tree of `raycast`: splits by the surface area heuristic, eight children to a node.

use glam::Vec3;

use crate::compiler::raycast::NONE;
use crate::compiler::raycast::Node;
use crate::compiler::raycast::PACK;
use crate::compiler::raycast::Pack;
use crate::compiler::raycast::WIDTH;

const BINS: usize = 16;

/// Nodes, the root first, and packs of these triangles, of which there is at least one.
pub(super) fn tree_of(corners: Vec<[Vec3; 3]>) -> (Vec<Node>, Vec<Pack>) {
    let mut builder = Builder::new(corners);
    builder.run();
    (builder.nodes, builder.packs)
}

#[derive(Clone, Copy)]
struct Box32 {
    min: Vec3,
    max: Vec3,
}

impl Box32 {
    const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    fn half_area(self) -> f32 {
        let size = (self.max - self.min).max(Vec3::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// A run of `order` that is one subtree, not yet split.
#[derive(Clone, Copy)]
struct Run {
    first: usize,
    end: usize,
    bounds: Box32,
}

struct Builder {
    corners: Vec<[Vec3; 3]>,
    boxes: Vec<Box32>,
    /// Twice the middle of each box.
    middles: Vec<Vec3>,
    order: Vec<u32>,
    nodes: Vec<Node>,
    packs: Vec<Pack>,
}

impl Builder {
    fn new(corners: Vec<[Vec3; 3]>) -> Self {
        let largest = corners.iter().flatten().fold(0.0_f32, |largest, corner| {
            largest.max(corner.abs().max_element())
        });
        // Flat boxes get some thickness, so that rounding in the slab test cannot pass them by.
        let grow = Vec3::splat(largest * 1e-6 + 1e-5);
        let boxes: Vec<Box32> = corners
            .iter()
            .map(|[a, b, c]| Box32 {
                min: a.min(*b).min(*c) - grow,
                max: a.max(*b).max(*c) + grow,
            })
            .collect();
        let middles = boxes.iter().map(|bounds| bounds.min + bounds.max).collect();
        let order = (0..corners.len() as u32).collect();
        Self {
            corners,
            boxes,
            middles,
            order,
            nodes: Vec::new(),
            packs: Vec::new(),
        }
    }

    fn bounds(&self, first: usize, end: usize) -> Box32 {
        self.order[first..end]
            .iter()
            .fold(Box32::EMPTY, |sum, &at| sum.union(self.boxes[at as usize]))
    }

    fn run(&mut self) {
        let end = self.order.len();
        let root = Run {
            first: 0,
            end,
            bounds: self.bounds(0, end),
        };
        let empty = Node {
            min: [[f32::INFINITY; WIDTH]; 3],
            max: [[f32::NEG_INFINITY; WIDTH]; 3],
            child: [NONE; WIDTH],
        };
        self.nodes.push(empty);
        let mut open = vec![(0_usize, root)];
        while let Some((at, run)) = open.pop() {
            let mut node = empty;
            for (slot, part) in self.parts(run).into_iter().enumerate() {
                for axis in 0..3 {
                    node.min[axis][slot] = part.bounds.min[axis];
                    node.max[axis][slot] = part.bounds.max[axis];
                }
                if part.end - part.first <= WIDTH {
                    node.child[slot] = PACK | self.packs.len() as u32;
                    self.packs.push(self.pack(part));
                } else {
                    node.child[slot] = self.nodes.len() as u32;
                    open.push((self.nodes.len(), part));
                    self.nodes.push(empty);
                }
            }
            self.nodes[at] = node;
        }
    }

    /// Splits a run into up to eight, always the one with the largest surface that is more than one pack.
    fn parts(&mut self, run: Run) -> Vec<Run> {
        let mut parts = vec![run];
        while parts.len() < WIDTH {
            let splittable = |part: &Run| part.end - part.first > WIDTH;
            let mut largest: Option<usize> = None;
            for (at, part) in parts.iter().enumerate() {
                if splittable(part)
                    && largest
                        .is_none_or(|best| part.bounds.half_area() > parts[best].bounds.half_area())
                {
                    largest = Some(at);
                }
            }
            let Some(at) = largest else { break };
            let (front, back) = self.split(parts[at]);
            parts[at] = front;
            parts.insert(at + 1, back);
        }
        parts
    }

    /// Splits by the surface area heuristic over 16 bins per axis; in the middle of the list where that finds nothing.
    fn split(&mut self, run: Run) -> (Run, Run) {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &at in &self.order[run.first..run.end] {
            low = low.min(self.middles[at as usize]);
            high = high.max(self.middles[at as usize]);
        }
        let scale = Vec3::splat(BINS as f32 * 0.999) / (high - low).max(Vec3::splat(1e-12));
        let mut bins = [[(Box32::EMPTY, 0_u32); BINS]; 3];
        for &at in &self.order[run.first..run.end] {
            let place = (self.middles[at as usize] - low) * scale;
            for axis in 0..3 {
                let bin = &mut bins[axis][(place[axis] as usize).min(BINS - 1)];
                bin.0 = bin.0.union(self.boxes[at as usize]);
                bin.1 += 1;
            }
        }
        let mut best = (f32::INFINITY, 0, 0);
        for (axis, bins) in bins.iter().enumerate() {
            let mut behind = [0.0_f32; BINS];
            let mut sum = (Box32::EMPTY, 0);
            for (at, bin) in bins.iter().enumerate().rev() {
                sum = (sum.0.union(bin.0), sum.1 + bin.1);
                behind[at] = cost(sum.0, sum.1);
            }
            let mut sum = (Box32::EMPTY, 0);
            for at in 0..BINS - 1 {
                sum = (sum.0.union(bins[at].0), sum.1 + bins[at].1);
                let total = cost(sum.0, sum.1) + behind[at + 1];
                if sum.1 > 0 && (sum.1 as usize) < run.end - run.first && total < best.0 {
                    best = (total, axis, at);
                }
            }
        }
        let middle = if best.0.is_finite() {
            let (_, axis, last) = best;
            self.partition(run, |place| {
                ((place[axis] - low[axis]) * scale[axis]) as usize <= last
            })
        } else {
            usize::midpoint(run.first, run.end)
        };
        let middle = middle.clamp(run.first + 1, run.end - 1);
        (
            Run {
                first: run.first,
                end: middle,
                bounds: self.bounds(run.first, middle),
            },
            Run {
                first: middle,
                end: run.end,
                bounds: self.bounds(middle, run.end),
            },
        )
    }

    fn partition(&mut self, run: Run, goes_first: impl Fn(Vec3) -> bool) -> usize {
        let (mut first, mut end) = (run.first, run.end);
        while first < end {
            if goes_first(self.middles[self.order[first] as usize]) {
                first += 1;
            } else {
                end -= 1;
                self.order.swap(first, end);
            }
        }
        first
    }

    fn pack(&self, run: Run) -> Pack {
        let mut pack = Pack {
            corner: [[[0.0; WIDTH]; 3]; 3],
        };
        for (slot, &at) in self.order[run.first..run.end].iter().enumerate() {
            for (corner, place) in self.corners[at as usize].iter().enumerate() {
                for axis in 0..3 {
                    pack.corner[corner][axis][slot] = place[axis];
                }
            }
        }
        pack
    }
}

/// What a subtree costs: its surface times the packs it fills.
fn cost(bounds: Box32, count: u32) -> f32 {
    if count == 0 {
        0.0
    } else {
        bounds.half_area() * count.div_ceil(WIDTH as u32) as f32
    }
}
