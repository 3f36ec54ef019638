//! Solids and boxes of material to the cubes of the tree. A solid that cubes cannot say is left out as a whole.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::ObjectId;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::write::covers::Covers;
use crate::formats::ogz::write::fit::Cube;
use crate::formats::ogz::write::fit::Fitted;
use crate::formats::ogz::write::fit::Unfit;
use crate::formats::ogz::write::fit::fill;
use crate::formats::ogz::write::fit::fit;
use crate::formats::ogz::write::placing::EXACT;
use crate::formats::ogz::write::polytope::Polytope;
use crate::formats::ogz::write::solid::Look;
use crate::formats::ogz::write::solid::Solid;
use crate::task::Cancelled;
use crate::task::Progress;

/// A box of material, in eighths of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    pub id: ObjectId,
    pub min: Point,
    pub max: Point,
    /// Of the material word.
    pub bits: u16,
}

/// The smallest cube: one unit.
const SMALLEST: i64 = 8;
/// More cubes than the largest known map has three times over.
const MOST_CUBES: usize = 4 << 20;
/// Most of one solid that is looked at for itself.
const MOST_OF_ONE: usize = 1 << 20;
/// What is on faces that nobody sees.
const UNSEEN: u16 = 1;

/// Cubes, and who is not in them.
pub struct Grown {
    pub tree: Octree,
    pub left_out: BTreeMap<ObjectId, &'static str>,
    /// Faces whose pictures lie otherwise than they should, with how far off the worst corner is, in texels; without end where
    /// another picture is on a part of the face.
    pub misplaced: BTreeMap<(ObjectId, u32), f64>,
}

/// `world`: the size of the world in units; `number`: gives a look that is used its slot.
///
/// # Errors
/// Only when cancelled.
pub fn grow(
    world: i64,
    solids: Vec<Solid>,
    fillings: Vec<Filling>,
    number: &mut dyn FnMut(Look) -> u16,
    progress: &Progress,
) -> Result<Grown, Cancelled> {
    let root = Cube {
        origin: [0; 3],
        size: 8 * world,
    };
    let mut covers = Covers::new(&solids);
    let mut left_out = BTreeMap::new();
    let mut solids = alone(root, solids, &covers, &mut left_out, progress)?;
    let mut fillings = fillings;
    loop {
        covers.remove(|id| left_out.contains_key(&id));
        let mut grower = Grower::new(&solids, &fillings, &covers, MOST_CUBES, progress);
        let children = grower.root(root)?;
        if grower.refused.is_empty() {
            let mut tree = Octree::default();
            lay_out(children, root, number, &mut tree);
            tree.depth = depth(&tree, world);
            return Ok(Grown {
                tree,
                left_out,
                misplaced: grower.misplaced,
            });
        }
        let mut refused = std::mem::take(&mut grower.refused);
        let lookless = std::mem::take(&mut grower.lookless);
        for solid in &mut solids {
            let can_help = lookless.contains(&solid.id) && refused.contains_key(&solid.id);
            if can_help && solid.loosen() {
                refused.remove(&solid.id);
            }
        }
        solids.retain(|solid| !refused.contains_key(&solid.id));
        fillings.retain(|filling| !refused.contains_key(&filling.id));
        left_out.extend(refused);
    }
}

/// Those that can be said where nothing else is.
fn alone(
    root: Cube,
    solids: Vec<Solid>,
    covers: &Covers,
    left_out: &mut BTreeMap<ObjectId, &'static str>,
    progress: &Progress,
) -> Result<Vec<Solid>, Cancelled> {
    // The reason, and whether something else on the faces could help.
    let refusal = |solid: &Solid| -> Result<(Option<&'static str>, bool), Cancelled> {
        let one = std::slice::from_ref(solid);
        let mut grower = Grower::new(one, &[], covers, MOST_OF_ONE, progress);
        grower.root(root)?;
        let reason = grower.refused.pop_first().map(|(_, reason)| reason);
        Ok((reason, !grower.lookless.is_empty()))
    };
    let mut kept = Vec::with_capacity(solids.len());
    for mut solid in solids {
        let (mut refused, mut can_help) = refusal(&solid)?;
        while refused.is_some() && can_help && solid.loosen() {
            (refused, can_help) = refusal(&solid)?;
        }
        match refused {
            Some(reason) => {
                left_out.insert(solid.id, reason);
            }
            None => kept.push(solid),
        }
    }
    Ok(kept)
}

fn depth(tree: &Octree, world: i64) -> u32 {
    let smallest = tree.leaves.iter().map(|leaf| i64::from(leaf.size)).min();
    smallest.map_or(0, |size| (world / size).ilog2())
}

/// A cube without children, before it has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Content {
    fill: Fill,
    edges: [u8; 12],
    textures: [Option<Look>; 6],
    material: u16,
}

enum Branch {
    Leaf(Content),
    Split(Box<[Branch; 8]>),
}

struct Grower<'a> {
    solids: &'a [Solid],
    fillings: &'a [Filling],
    covers: &'a Covers,
    /// Cubes that may still be looked at.
    left: usize,
    refused: BTreeMap<ObjectId, &'static str>,
    /// See [`Grown::misplaced`].
    misplaced: BTreeMap<(ObjectId, u32), f64>,
    /// Those for a part of which a cube had the shape, but could not show what it should.
    lookless: BTreeSet<ObjectId>,
    /// One refusal is enough.
    is_of_one: bool,
    progress: &'a Progress,
}

impl<'a> Grower<'a> {
    fn new(
        solids: &'a [Solid],
        fillings: &'a [Filling],
        covers: &'a Covers,
        most: usize,
        progress: &'a Progress,
    ) -> Self {
        Self {
            solids,
            fillings,
            covers,
            left: most,
            refused: BTreeMap::new(),
            misplaced: BTreeMap::new(),
            lookless: BTreeSet::new(),
            is_of_one: most == MOST_OF_ONE,
            progress,
        }
    }

    fn root(&mut self, root: Cube) -> Result<[Branch; 8], Cancelled> {
        let parts = (0..)
            .zip(self.solids)
            .map(|(index, solid)| (index, solid.whole.clone()));
        let parts: Vec<(usize, Polytope)> = parts.collect();
        let fillings: Vec<usize> = (0..self.fillings.len()).collect();
        self.children(root, parts, &fillings)
    }

    fn children(
        &mut self,
        cube: Cube,
        parts: Vec<(usize, Polytope)>,
        fillings: &[usize],
    ) -> Result<[Branch; 8], Cancelled> {
        let mut sorted: [Vec<(usize, Polytope)>; 8] = Default::default();
        let middle = cube.origin.map(|at| (at + cube.size / 2) as f64);
        for (solid, part) in parts {
            let mut pieces = vec![(0, part)];
            for (axis, &middle) in middle.iter().enumerate() {
                pieces = pieces
                    .into_iter()
                    .flat_map(|(child, part)| {
                        let [below, above] = part.split(axis, middle);
                        let child = [child, child | 1 << axis];
                        [below, above]
                            .into_iter()
                            .zip(child)
                            .filter_map(|(part, child)| Some((child, part?)))
                    })
                    .collect();
            }
            for (child, part) in pieces {
                sorted[child].push((solid, part));
            }
        }
        let mut grown = Vec::with_capacity(8);
        for (index, parts) in sorted.into_iter().enumerate() {
            grown.push(self.node(cube.child(index), parts, fillings)?);
        }
        let grown: Result<[Branch; 8], _> = grown.try_into();
        // Eight were pushed.
        Ok(grown.unwrap_or_else(|_| std::array::from_fn(|_| Branch::Leaf(Content::empty(0)))))
    }

    fn node(
        &mut self,
        cube: Cube,
        parts: Vec<(usize, Polytope)>,
        fillings: &[usize],
    ) -> Result<Branch, Cancelled> {
        self.progress.check()?;
        if self.is_of_one && !self.refused.is_empty() {
            return Ok(Branch::Leaf(Content::empty(0)));
        }
        if self.left == 0 {
            let reason = "it would need too many cubes";
            for &(solid, _) in &parts {
                self.refused.insert(self.solids[solid].id, reason);
            }
            for filling in fillings.iter().map(|&index| &self.fillings[index]) {
                if filling.meets(cube) {
                    self.refused.insert(filling.id, reason);
                }
            }
            return Ok(Branch::Leaf(Content::empty(0)));
        }
        self.left -= 1;
        for (index, _) in &parts {
            let solid = &self.solids[*index];
            if let Some(fitted) = fill(cube, solid) {
                self.note(*index, &fitted);
                return Ok(Branch::Leaf(Content {
                    fill: Fill::Solid,
                    edges: fitted.edges,
                    textures: fitted.textures,
                    material: solid.bits,
                }));
            }
        }
        let here: Vec<usize> = fillings
            .iter()
            .copied()
            .filter(|&index| self.fillings[index].meets(cube))
            .collect();
        let is_even = here.iter().all(|&index| self.fillings[index].covers(cube));
        if is_even && let Some(content) = self.content(cube, &parts, &here) {
            return Ok(Branch::Leaf(content));
        }
        if cube.size > SMALLEST {
            return Ok(joined(self.children(cube, parts, &here)?, cube));
        }
        // Of several the first stays: it may be that it has only bad neighbours.
        let skipped = usize::from(parts.len() > 1);
        for &(index, _) in &parts[skipped..] {
            let reason = if skipped == 1 {
                "it shares a cube of the smallest size with another brush"
            } else {
                "its shape cannot be said in cubes"
            };
            self.refused.insert(self.solids[index].id, reason);
        }
        for &index in here
            .iter()
            .filter(|&&index| !self.fillings[index].covers(cube))
        {
            self.refused
                .insert(self.fillings[index].id, "its sides are not on whole units");
        }
        Ok(Branch::Leaf(Content::empty(0)))
    }

    /// What the cube holds, if that is one thing.
    fn content(
        &mut self,
        cube: Cube,
        parts: &[(usize, Polytope)],
        here: &[usize],
    ) -> Option<Content> {
        let filled = self.filled(here);
        match parts {
            [] => Some(Content::empty(filled)),
            [(index, part)] => {
                let solid = &self.solids[*index];
                let fitted = match fit(part, cube, solid, self.covers) {
                    Ok(fitted) => fitted,
                    Err(unfit) => {
                        if unfit == Unfit::Look {
                            self.lookless.insert(solid.id);
                        }
                        return None;
                    }
                };
                self.note(*index, &fitted);
                Some(Content {
                    fill: Fill::Deformed,
                    edges: fitted.edges,
                    textures: fitted.textures,
                    // What both say is the solid's.
                    material: if solid.bits & material::CLIP_BITS == 0 {
                        filled | solid.bits
                    } else {
                        filled & !material::CLIP_BITS | solid.bits
                    },
                })
            }
            _ => None,
        }
    }

    /// Keeps in mind how far the pictures are off that faces of a cube show.
    fn note(&mut self, index: usize, fitted: &Fitted) {
        let solid = &self.solids[index];
        for &number in &fitted.gives_way {
            let place = (solid.id, solid.sides[number].face);
            self.misplaced.insert(place, f64::INFINITY);
        }
        for &(number, face) in &fitted.shows {
            let side = &solid.sides[number];
            let error = side.errors[face / 2];
            if error > EXACT {
                let worst = self.misplaced.entry((solid.id, side.face)).or_insert(error);
                *worst = worst.max(error);
            }
        }
    }

    /// The word of the boxes that are all in one place; a second liquid or clip has none left.
    fn filled(&mut self, here: &[usize]) -> u16 {
        let mut word = 0;
        for &index in here {
            let Filling { id, bits, .. } = self.fillings[index];
            let clashes =
                |mask: u16| word & mask != 0 && bits & mask != 0 && (word ^ bits) & mask != 0;
            if clashes(material::VOLUME | material::INDEX) || clashes(material::CLIP_BITS) {
                self.refused
                    .insert(id, "another material fills the same space");
            } else {
                word |= bits;
            }
        }
        word
    }
}

impl Filling {
    fn meets(&self, cube: Cube) -> bool {
        (0..3).all(|axis| {
            self.min[axis] < cube.origin[axis] + cube.size && self.max[axis] > cube.origin[axis]
        })
    }

    fn covers(&self, cube: Cube) -> bool {
        (0..3).all(|axis| {
            self.min[axis] <= cube.origin[axis] && self.max[axis] >= cube.origin[axis] + cube.size
        })
    }
}

impl Content {
    fn empty(material: u16) -> Self {
        Self {
            fill: Fill::Empty,
            edges: [0; 12],
            textures: [None; 6],
            material,
        }
    }
}

/// Eight cubes as one where they are alike.
fn joined(children: [Branch; 8], cube: Cube) -> Branch {
    // Larger ones the game would split again.
    const LARGEST: i64 = 8 * 4096;
    let contents = children.each_ref().map(|child| match child {
        Branch::Leaf(content) if content.fill != Fill::Deformed => Some(*content),
        _ => None,
    });
    let [Some(first), ..] = contents else {
        return Branch::Split(Box::new(children));
    };
    let is_alike = contents.iter().all(|content| {
        content
            .is_some_and(|content| content.fill == first.fill && content.material == first.material)
    });
    if !is_alike || cube.size > LARGEST {
        return Branch::Split(Box::new(children));
    }
    let mut joined = first;
    for face in 0..6 {
        joined.textures[face] = None;
        for content in (0..8).filter(|child| child >> (face / 2) & 1 == face % 2) {
            match (
                joined.textures[face],
                contents[content].and_then(|content| content.textures[face]),
            ) {
                (_, None) => {}
                (None, shown) => joined.textures[face] = shown,
                (Some(one), Some(other)) if one == other => {}
                _ => return Branch::Split(Box::new(children)),
            }
        }
    }
    Branch::Leaf(joined)
}

fn lay_out(
    children: [Branch; 8],
    cube: Cube,
    number: &mut dyn FnMut(Look) -> u16,
    tree: &mut Octree,
) -> u32 {
    let place = tree.splits.len() as u32;
    tree.splits.push([Node::Leaf(0); 8]);
    for (index, child) in children.into_iter().enumerate() {
        let cube = cube.child(index);
        let node = match child {
            Branch::Split(children) => Node::Split(lay_out(*children, cube, number, tree)),
            Branch::Leaf(content) => {
                tree.leaves.push(Leaf {
                    origin: cube.origin.map(|at| (at / 8) as i32),
                    size: (cube.size / 8) as i32,
                    fill: content.fill,
                    edges: content.edges,
                    textures: content
                        .textures
                        .map(|look| look.map_or(UNSEEN, &mut *number)),
                    material: content.material,
                });
                Node::Leaf(tree.leaves.len() as u32 - 1)
            }
        };
        tree.splits[place as usize][index] = node;
    }
    place
}
