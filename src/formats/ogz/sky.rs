//! The shell that closes the world: the game shows its sky where open space reaches the world's border.

use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::visible::Cube;
use crate::formats::ogz::visible::World;

/// Of a slab, in units.
const THICKNESS: i32 = 16;

/// A slab outside of the world. Coordinates in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slab {
    /// Side of the world, numbered as the faces of a cube.
    pub side: usize,
    pub min: [i32; 3],
    pub max: [i32; 3],
}

/// One slab per side of the world that open space reaches, as large as that space.
#[must_use]
pub fn shell(map: &RawMap) -> Vec<Slab> {
    let world = World::new(map);
    let Some(root) = world.root() else {
        return Vec::new();
    };
    (0..6)
        .filter_map(|side| {
            let mut open = None;
            find_open(&world, root, side, &mut open);
            let (min, max) = open?;
            Some(slab(side, min, max, root.size))
        })
        .collect()
}

/// Grows `open` to hold what is not solid at a side.
fn find_open(world: &World<'_>, cube: Cube, side: usize, open: &mut Option<([i32; 3], [i32; 3])>) {
    match world.split(cube) {
        Ok(children) => {
            for index in (0..8).filter(|index| index >> (side / 2) & 1 == side % 2) {
                find_open(world, cube.child(children, index), side, open);
            }
        }
        Err(leaf) if leaf.fill == Fill::Solid => {}
        Err(_) => {
            let end = cube.origin.map(|at| at + cube.size);
            let (min, max) = open.get_or_insert((cube.origin, end));
            for axis in 0..3 {
                min[axis] = min[axis].min(cube.origin[axis]);
                max[axis] = max[axis].max(end[axis]);
            }
        }
    }
}

fn slab(side: usize, mut min: [i32; 3], mut max: [i32; 3], world: i32) -> Slab {
    let axis = side / 2;
    // Past the world's edges, where the slabs of the axes before end.
    for before in 0..axis {
        if min[before] == 0 {
            min[before] = -THICKNESS;
        }
        if max[before] == world {
            max[before] = world + THICKNESS;
        }
    }
    (min[axis], max[axis]) = if side.is_multiple_of(2) {
        (-THICKNESS, 0)
    } else {
        (world, world + THICKNESS)
    };
    Slab { side, min, max }
}
