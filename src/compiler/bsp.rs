//! The index over the world's collision brushes (S6, D36, D37): a tree of planes whose leaves list few brushes.

use glam::DVec3;

use crate::compiler::Bsp;
use crate::compiler::Leaf;
use crate::compiler::Node;
use crate::compiler::Plane3;
use crate::compiler::collision;
use crate::compiler::fragments::BLOCK;
use crate::compiler::hash::FastMap;
use crate::compiler::solids::Solid;
use crate::compiler::weld::EPS_EDGE;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::task::Cancelled;
use crate::task::Progress;

/// A leaf with no more brushes is not cut.
const FEW: usize = 4;

const DEEPEST: u32 = 48;

/// More brushes than this, or a cell larger than two blocks, is cut by boxes only.
const MANY: usize = 256;

const BINS: usize = 16;

/// Smaller lists are not worth a task.
const TASK: usize = 32;

/// A brush reaches past a plane when it does so by more than this. The answer must be right for points farther than 0.01 from
/// all planes of brushes (D37), and what reaches past by less has no such points there.
const REACH: f64 = 4e-3;

/// A collision brush under the tree.
struct Item<'a> {
    solid: &'a Solid,
    bounds: Aabb,
    points: Vec<DVec3>,
    /// [`REACH`] less what the corners lie off the stored planes.
    reach: f64,
}

enum Tree {
    Leaf(Vec<u32>),
    Node(Plane3, Box<Tree>, Box<Tree>),
}

/// Builds the tree over these solids, which are in the order of the records. `base` is the unit of block sizes.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn build(solids: &[&Solid], base: f64, progress: &Progress) -> Result<Bsp, Cancelled> {
    if solids.is_empty() {
        return Ok(Bsp::default());
    }
    let items: Vec<Item<'_>> = solids.iter().map(|solid| item(solid)).collect();
    // The first face in a plane is the plane that nodes use.
    let mut planes: FastMap<u32, Plane3> = FastMap::default();
    for face in solids.iter().flat_map(|solid| &solid.faces) {
        planes
            .entry(face.plane.index())
            .or_insert_with(|| collision::plane3(face.stored));
    }
    let bounds = items
        .iter()
        .fold(Aabb::EMPTY, |all, item| all.union(item.bounds));
    let builder = Builder {
        items: &items,
        planes: &planes,
        large: 2.0 * BLOCK * base,
        progress,
    };
    let tree = builder.tree((0..items.len() as u32).collect(), bounds, 0)?;
    let mut bsp = laid_out(&tree);
    bsp.bounds = collision::box3(bounds);
    bsp.brushes = solids
        .iter()
        .map(|solid| collision::record(solid))
        .collect();
    Ok(bsp)
}

fn item(solid: &Solid) -> Item<'_> {
    let mut points: Vec<DVec3> = solid.points().collect();
    points.sort_unstable_by(|a, b| {
        a.x.total_cmp(&b.x)
            .then(a.y.total_cmp(&b.y))
            .then(a.z.total_cmp(&b.z))
    });
    points.dedup();
    let mut off: f64 = 0.0;
    for face in &solid.faces {
        let stored = collision::as_read(collision::plane3(face.stored));
        off = face
            .corners
            .iter()
            .fold(off, |off, corner| off.max(stored.distance(corner.at).abs()));
    }
    Item {
        solid,
        bounds: solid.bounds,
        points,
        reach: REACH - 2.0 * off,
    }
}

/// How a brush lies to a plane, and what of it.
#[derive(Clone, Copy)]
struct Sides {
    front: bool,
    back: bool,
}

impl Item<'_> {
    /// Least and greatest distance of its corners.
    fn span(&self, plane: Plane) -> (f64, f64) {
        self.points.iter().fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), &point| {
                let distance = plane.distance(point);
                (least.min(distance), most.max(distance))
            },
        )
    }

    /// The same of its box: no nearer, and quicker.
    fn box_span(&self, plane: Plane) -> (f64, f64) {
        let middle = plane.distance(self.bounds.center());
        let half = (self.bounds.size() * 0.5).dot(plane.normal.abs());
        (middle - half, middle + half)
    }

    fn sides(&self, plane: Plane) -> Sides {
        let (least, most) = self.box_span(plane);
        let quick = self.sides_of(least, most);
        if quick.front != quick.back {
            return quick;
        }
        let (least, most) = self.span(plane);
        self.sides_of(least, most)
    }

    fn sides_of(&self, least: f64, most: f64) -> Sides {
        let (front, back) = (most > self.reach, least < -self.reach);
        // What is as thin as that may be anywhere.
        if front || back {
            Sides { front, back }
        } else {
            Sides {
                front: true,
                back: true,
            }
        }
    }

    /// True when the whole box lies in the brush.
    fn covers(&self, cell: Aabb) -> bool {
        self.bounds.encloses(cell)
            && self.solid.faces.iter().all(|face| {
                cell.corners()
                    .iter()
                    .all(|&corner| face.stored.distance(corner) <= 0.0)
            })
    }
}

struct Builder<'a> {
    items: &'a [Item<'a>],
    planes: &'a FastMap<u32, Plane3>,
    large: f64,
    progress: &'a Progress,
}

impl Builder<'_> {
    fn tree(&self, list: Vec<u32>, cell: Aabb, depth: u32) -> Result<Tree, Cancelled> {
        self.progress.check()?;
        if list.len() <= FEW || depth >= DEEPEST || list.iter().all(|&i| self.item(i).covers(cell))
        {
            return Ok(Tree::Leaf(list));
        }
        let coarse = list.len() > MANY || cell.size().max_element() > self.large;
        let plane = if coarse {
            self.axial(&list, cell).or_else(|| self.chosen(&list))
        } else {
            self.chosen(&list)
        };
        let Some(plane) = plane else {
            return Ok(Tree::Leaf(list));
        };
        let read = collision::as_read(plane);
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for &index in &list {
            let sides = self.item(index).sides(read);
            if sides.front {
                front.push(index);
            }
            if sides.back {
                back.push(index);
            }
        }
        if front.len() >= list.len() || back.len() >= list.len() {
            return Ok(Tree::Leaf(list));
        }
        let (cell_front, cell_back) = halves(cell, read);
        let (front, back) = if list.len() > TASK {
            let (front, back) = rayon::join(
                || self.tree(front, cell_front, depth + 1),
                || self.tree(back, cell_back, depth + 1),
            );
            (front?, back?)
        } else {
            (
                self.tree(front, cell_front, depth + 1)?,
                self.tree(back, cell_back, depth + 1)?,
            )
        };
        Ok(Tree::Node(plane, Box::new(front), Box::new(back)))
    }

    fn item(&self, index: u32) -> &Item<'_> {
        &self.items[index as usize]
    }

    /// The axial plane through a side of a box that costs least, by area; `None` when none lowers the cost.
    fn axial(&self, list: &[u32], cell: Aabb) -> Option<Plane3> {
        let whole = cell.half_area();
        let mut best: Option<(f64, usize, f64)> = None;
        for axis in 0..3 {
            let (low, size) = (cell.min[axis], cell.size()[axis]);
            let mut places: Vec<f64> = list
                .iter()
                .flat_map(|&i| [self.item(i).bounds.min[axis], self.item(i).bounds.max[axis]])
                .filter(|&place| place > cell.min[axis] && place < cell.max[axis])
                .collect();
            places.sort_unstable_by(f64::total_cmp);
            for place in frequent(&places, low, size) {
                let place = f64::from(place as f32);
                let (mut front, mut back) = (0.0, 0.0);
                for &index in list {
                    let bounds = self.item(index).bounds;
                    front += f64::from(u8::from(bounds.max[axis] > place + REACH));
                    back += f64::from(u8::from(bounds.min[axis] < place - REACH));
                }
                let normal = DVec3::AXES[axis];
                let (cell_front, cell_back) = halves(cell, Plane::new(normal, place));
                let cost = (front * cell_front.half_area() + back * cell_back.half_area()) / whole;
                if cost < list.len() as f64 && best.is_none_or(|best| cost < best.0) {
                    best = Some((cost, axis, place));
                }
            }
        }
        best.map(|(_, axis, place)| collision::plane3(Plane::new(DVec3::AXES[axis], place)))
    }

    /// The face plane with the highest value; `None` when none parts the list.
    fn chosen(&self, list: &[u32]) -> Option<Plane3> {
        let mut candidates: Vec<u32> = list
            .iter()
            .flat_map(|&i| {
                self.item(i)
                    .solid
                    .faces
                    .iter()
                    .map(|face| face.plane.index())
            })
            .collect();
        candidates.sort_unstable();
        let total = list.len();
        let mut best: Option<(i64, Plane3)> = None;
        for run in candidates.chunk_by(|a, b| a == b) {
            let Some(&plane) = self.planes.get(&run[0]) else {
                continue;
            };
            let read = collision::as_read(plane);
            let (mut front, mut back, mut splits, mut slivers) = (0i64, 0i64, 0i64, 0i64);
            for &index in list {
                let item = self.item(index);
                let sides = item.sides(read);
                front += i64::from(sides.front);
                back += i64::from(sides.back);
                if sides.front && sides.back {
                    let (least, most) = item.span(read);
                    slivers += i64::from(most < EPS_EDGE || least > -EPS_EDGE);
                    splits += item
                        .solid
                        .faces
                        .iter()
                        .filter(|face| {
                            is_cut(face.corners.iter().map(|corner| read.distance(corner.at)))
                        })
                        .count() as i64;
                }
            }
            if front as usize >= total || back as usize >= total {
                continue;
            }
            let is_axial = read.normal.abs().max_element() == 1.0;
            let value = 5 * run.len() as i64 - 5 * splits - (front - back).abs()
                + if is_axial { 5 } else { 0 }
                - 1000 * slivers;
            if best.is_none_or(|best| value > best.0) {
                best = Some((value, plane));
            }
        }
        best.map(|best| best.1)
    }
}

fn is_cut(distances: impl Iterator<Item = f64>) -> bool {
    let (least, most) = distances.fold((0.0f64, 0.0f64), |(least, most), distance| {
        (least.min(distance), most.max(distance))
    });
    most > REACH && least < -REACH
}

/// The most frequent place of each bin, of sorted places.
fn frequent(places: &[f64], low: f64, size: f64) -> Vec<f64> {
    let mut best = [(0usize, 0.0f64); BINS];
    for run in places.chunk_by(|a, b| a == b) {
        let bin = (((run[0] - low) / size * BINS as f64) as usize).min(BINS - 1);
        if run.len() > best[bin].0 {
            best[bin] = (run.len(), run[0]);
        }
    }
    best.into_iter()
        .filter(|bin| bin.0 > 0)
        .map(|bin| bin.1)
        .collect()
}

/// The boxes of a cell on both sides; a plane that is not axial leaves both as they are.
fn halves(cell: Aabb, plane: Plane) -> (Aabb, Aabb) {
    let (mut front, mut back) = (cell, cell);
    for axis in 0..3 {
        if plane.normal[axis] == 1.0 {
            front.min[axis] = plane.dist.clamp(cell.min[axis], cell.max[axis]);
            back.max[axis] = front.min[axis];
        } else if plane.normal[axis] == -1.0 {
            front.max[axis] = (-plane.dist).clamp(cell.min[axis], cell.max[axis]);
            back.min[axis] = front.max[axis];
        }
    }
    (front, back)
}

/// Nodes and leaves in pre-order, front first; planes in the order of their first use.
fn laid_out(tree: &Tree) -> Bsp {
    let mut bsp = Bsp {
        leaves: Vec::new(),
        ..Bsp::default()
    };
    let mut known: FastMap<[u32; 4], i32> = FastMap::default();
    // A subtree, its depth, and the link that names it: (node, is front), or the root.
    let mut stack: Vec<(&Tree, u32, Option<(usize, bool)>)> = vec![(tree, 0, None)];
    while let Some((tree, depth, parent)) = stack.pop() {
        let link = match tree {
            Tree::Leaf(list) => {
                let first_brush = bsp.leaf_brushes.len() as u32;
                bsp.leaf_brushes.extend(list);
                bsp.leaves.push(Leaf {
                    first_brush,
                    brush_count: list.len() as u32,
                });
                bsp.depth = bsp.depth.max(depth);
                !(bsp.leaves.len() as i32 - 1)
            }
            Tree::Node(plane, front, back) => {
                let bits =
                    [plane.normal.x, plane.normal.y, plane.normal.z, plane.dist].map(f32::to_bits);
                let plane = *known.entry(bits).or_insert_with(|| {
                    bsp.planes.push(*plane);
                    bsp.planes.len() as i32 - 1
                });
                let node = bsp.nodes.len();
                bsp.nodes.push(Node {
                    plane,
                    front: 0,
                    back: 0,
                });
                stack.push((back, depth + 1, Some((node, false))));
                stack.push((front, depth + 1, Some((node, true))));
                node as i32
            }
        };
        match parent {
            None => bsp.root = link,
            Some((node, true)) => bsp.nodes[node].front = link,
            Some((node, false)) => bsp.nodes[node].back = link,
        }
    }
    bsp
}
