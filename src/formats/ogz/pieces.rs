//! From cubes to few convex solids and boxes of material.

use rayon::prelude::*;

use crate::formats::ogz::bent::Side;
use crate::formats::ogz::bent::tetrahedra;
use crate::formats::ogz::boxes;
use crate::formats::ogz::boxes::Brick;
use crate::formats::ogz::boxes::Sides;
use crate::formats::ogz::convex::Convex;
use crate::formats::ogz::convex::Surface;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Shape;
use crate::formats::ogz::shape::on_grid;
use crate::formats::ogz::sky;
use crate::formats::ogz::sky::Slab;
use crate::formats::ogz::slopes;
use crate::formats::ogz::visible::VisibleTriangles;
use crate::formats::ogz::visible::visible_triangles;
use crate::formats::ogz::volumes;
use crate::formats::ogz::volumes::Volume;
use crate::task::Cancelled;
use crate::task::Progress;

/// Leaves that one worker takes at once.
const BLOCK: usize = 8192;

/// A map's geometry, in the file's space.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// Boxes first. They lie apart and are convex.
    pub solids: Vec<Convex>,
    /// Cubes that no convex solids can be made of.
    pub meshes: Vec<Bent>,
    pub volumes: Vec<Volume>,
    pub shell: Vec<Slab>,
    /// In units.
    pub world_size: u32,
    pub facts: PieceFacts,
}

/// A cube as the triangles of its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Bent {
    pub sides: Vec<Side>,
    pub spare: u16,
    pub material: u16,
}

/// Counts for the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceFacts {
    /// Leaves with something solid in them.
    pub leaves: usize,
    /// Of these, boxes along the axes, and what they became.
    pub box_leaves: usize,
    pub boxes: usize,
    /// Boxes that no side can be seen of.
    pub hidden_boxes: usize,
    /// Convex leaves with slopes.
    pub sloped_leaves: usize,
    /// What these and the tetrahedra became.
    pub slopes: usize,
    /// Leaves that are not convex, and the tetrahedra they were split into.
    pub bent_leaves: usize,
    pub tetrahedra: usize,
    /// Leaves without volume, left out.
    pub flat_leaves: usize,
    /// Leaves with one plane made of faces that show different things; the larger won.
    pub mixed_planes: usize,
}

/// Bits of a material word that change a solid: whether it stops anything, and whether it can be seen through.
#[must_use]
pub fn solid_bits(word: u16) -> u16 {
    let clip = if word & material::CLIP_BITS == material::NO_CLIP {
        material::NO_CLIP
    } else {
        0
    };
    clip | word & material::ALPHA
}

/// # Errors
/// Only when cancelled.
pub fn pieces(map: &RawMap, progress: &Progress) -> Result<Pieces, Cancelled> {
    let visible = visible_triangles(map, progress)?;
    progress.set(0.4);
    let mut sorted = sorted(&map.tree.leaves, &visible, progress)?;
    drop(visible);
    let mut facts = sorted.facts;
    facts.box_leaves = sorted.boxes.len();
    facts.sloped_leaves = sorted.slopes.len() - facts.tetrahedra;
    progress.set(0.6);
    let slopes = std::mem::take(&mut sorted.slopes);
    let (boxes, slopes) = rayon::join(
        || boxes::merge(&sorted.boxes, progress),
        || slopes::merge(slopes, progress),
    );
    let (boxes, slopes) = (boxes?, slopes?);
    facts.boxes = boxes.len();
    facts.slopes = slopes.len();
    let mut solids: Vec<Convex> = boxes.iter().map(Convex::cuboid).collect();
    facts.hidden_boxes = solids.iter().filter(|solid| solid.is_hidden()).count();
    solids.extend(slopes);
    progress.set(0.9);
    Ok(Pieces {
        solids,
        meshes: sorted.meshes,
        volumes: volumes::volumes(map, progress)?,
        shell: sky::shell(map),
        world_size: map.world_size,
        facts,
    })
}

/// Leaves by what they are, in their order.
#[derive(Default)]
struct Sorted {
    boxes: Vec<Brick<Sides>>,
    slopes: Vec<Convex>,
    meshes: Vec<Bent>,
    facts: PieceFacts,
}

fn sorted(
    leaves: &[Leaf],
    visible: &[VisibleTriangles],
    progress: &Progress,
) -> Result<Sorted, Cancelled> {
    let blocks: Vec<Sorted> = leaves
        .par_chunks(BLOCK)
        .zip(visible.par_chunks(BLOCK))
        .map(|(leaves, visible)| {
            progress.check()?;
            let mut sorted = Sorted::default();
            for (leaf, &visible) in leaves.iter().zip(visible) {
                if leaf.fill != Fill::Empty {
                    sorted.add(leaf, visible);
                }
            }
            Ok(sorted)
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut all = Sorted::default();
    for block in blocks {
        all.append(block);
    }
    Ok(all)
}

impl Sorted {
    fn append(&mut self, block: Self) {
        self.boxes.extend(block.boxes);
        self.slopes.extend(block.slopes);
        self.meshes.extend(block.meshes);
        self.facts.leaves += block.facts.leaves;
        self.facts.bent_leaves += block.facts.bent_leaves;
        self.facts.tetrahedra += block.facts.tetrahedra;
        self.facts.flat_leaves += block.facts.flat_leaves;
        self.facts.mixed_planes += block.facts.mixed_planes;
    }

    fn add(&mut self, leaf: &Leaf, visible: VisibleTriangles) {
        self.facts.leaves += 1;
        let shape = Shape::of(leaf);
        let bits = solid_bits(leaf.material);
        let spare = spare(leaf);
        if let Some(ends) = shape.as_box() {
            let mut slots = [None; 6];
            for (face, slot) in slots.iter_mut().enumerate() {
                *slot = visible.has_face(face).then_some(leaf.textures[face]);
            }
            let [min, max] = ends.map(|end| on_grid(leaf, end).map(|at| at as i32));
            self.boxes.push(Brick {
                min,
                max,
                about: Sides {
                    slots,
                    spare,
                    material: bits,
                    leaves: 1,
                },
            });
            return;
        }
        let sides = sides(leaf, &shape, visible);
        let is_convex = shape.is_convex();
        if is_convex && shape.six_volumes() > 0 {
            let (solid, is_mixed) = Convex::new(&sides, spare, bits);
            self.facts.mixed_planes += usize::from(is_mixed);
            self.slopes.push(Convex { is_mixed, ..solid });
            return;
        }
        if is_convex {
            self.facts.flat_leaves += 1;
            return;
        }
        self.facts.bent_leaves += 1;
        let grid = (on_grid(leaf, [0; 3]), i64::from(leaf.size));
        if let Some(solids) = tetrahedra(&sides, grid, spare, bits) {
            self.facts.tetrahedra += solids.len();
            let bent = |solid| Convex {
                is_bent: true,
                ..solid
            };
            self.slopes.extend(solids.into_iter().map(bent));
        } else {
            self.meshes.push(Bent {
                sides,
                spare,
                material: bits,
            });
        }
    }
}

/// A leaf's triangles in eighths of a unit, with what they show.
fn sides(leaf: &Leaf, shape: &Shape, visible: VisibleTriangles) -> Vec<Side> {
    let mut sides = Vec::with_capacity(12);
    for face in 0..6 {
        for (index, triangle) in shape.triangles(face).iter() {
            let surface = Surface {
                slot: visible.has(face, index).then_some(leaf.textures[face]),
                face: face as u8,
            };
            sides.push((
                triangle.map(|corner| on_grid(leaf, shape.corners[corner])),
                surface,
            ));
        }
    }
    sides
}

/// What to show on faces that nobody sees until the mapper moves something: the leaf's most common slot, but not the sky.
fn spare(leaf: &Leaf) -> u16 {
    let count = |slot: u16| leaf.textures.iter().filter(|&&other| other == slot).count();
    leaf.textures
        .iter()
        .copied()
        .filter(|&slot| slot != 0)
        .max_by_key(|&slot| (count(slot), std::cmp::Reverse(slot)))
        .unwrap_or(1)
}
