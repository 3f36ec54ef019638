//! Boxes along the axes joined into fewer: runs along X, Y and Z until nothing changes.

use rayon::prelude::*;

use crate::task::Cancelled;
use crate::task::Progress;

/// A box with what decides whether two of them may become one. Coordinates in eighths of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brick<T> {
    pub min: [i32; 3],
    pub max: [i32; 3],
    pub about: T,
}

impl<T> Brick<T> {
    /// Cross-section and place along an axis: boxes that are apart have different ones.
    fn place(&self, axis: usize) -> [i32; 5] {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        [
            self.min[u],
            self.min[v],
            self.max[u],
            self.max[v],
            self.min[axis],
        ]
    }
}

/// What a brick carries.
pub trait Join: Copy + Send + Sync {
    /// What the two would carry together, `above` being the one further along the axis; `None` when they must stay apart.
    fn joined(self, above: Self, axis: usize) -> Option<Self>;
}

/// Which axis comes first decides how well a map's boxes fit together; these have done best.
const ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [1, 0, 2], [2, 1, 0]];

/// Joins boxes that lie apart, touch with their whole sides and may be joined. The result depends on the set of boxes alone, not on their
/// order.
///
/// # Errors
/// Only when cancelled.
pub fn merge<T: Join>(
    bricks: &[Brick<T>],
    progress: &Progress,
) -> Result<Vec<Brick<T>>, Cancelled> {
    let tried: Vec<Vec<Brick<T>>> = ORDERS
        .into_par_iter()
        .map(|axes| merge_in(bricks.to_vec(), axes, progress))
        .collect::<Result<_, Cancelled>>()?;
    Ok(tried.into_iter().min_by_key(Vec::len).unwrap_or_default())
}

fn merge_in<T: Join>(
    mut bricks: Vec<Brick<T>>,
    axes: [usize; 3],
    progress: &Progress,
) -> Result<Vec<Brick<T>>, Cancelled> {
    // Passes along an axis since the last that joined any.
    let mut idle = 0;
    for axis in axes.into_iter().cycle() {
        progress.check()?;
        let before = bricks.len();
        bricks.sort_unstable_by_key(|brick| brick.place(axis));
        bricks.dedup_by(|above, below| join(below, above, axis));
        idle = if bricks.len() == before { idle + 1 } else { 0 };
        if idle == 3 {
            break;
        }
    }
    Ok(bricks)
}

/// True when `below` has taken `above` in.
fn join<T: Join>(below: &mut Brick<T>, above: &Brick<T>, axis: usize) -> bool {
    let is_side =
        |axis: usize| below.min[axis] == above.min[axis] && below.max[axis] == above.max[axis];
    if below.max[axis] != above.min[axis] || !is_side((axis + 1) % 3) || !is_side((axis + 2) % 3) {
        return false;
    }
    let Some(about) = below.about.joined(above.about, axis) else {
        return false;
    };
    below.max[axis] = above.max[axis];
    below.about = about;
    true
}

/// A solid box's sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Virtual slot of the faces -X, +X, -Y, +Y, -Z, +Z; `None` for one that cannot be seen.
    pub slots: [Option<u16>; 6],
    /// Virtual slot of one of its leaves, for sides that cannot be seen.
    pub spare: u16,
    /// Bits of the material that change a solid.
    pub material: u16,
    /// Leaves it was made of.
    pub leaves: u32,
}

impl Join for Sides {
    fn joined(self, above: Self, axis: usize) -> Option<Self> {
        if self.material != above.material {
            return None;
        }
        let mut slots = self.slots;
        for (face, slot) in slots.iter_mut().enumerate() {
            let other = above.slots[face];
            if face / 2 == axis {
                if face % 2 == 1 {
                    *slot = other;
                }
            } else if slot.is_none() {
                *slot = other;
            } else if other.is_some() && other != *slot {
                return None;
            }
        }
        Some(Self {
            slots,
            leaves: self.leaves + above.leaves,
            ..self
        })
    }
}
