//! Solids and boxes of material to the cubes of the tree. A solid that cubes cannot say is left out as a whole.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use crate::document::ObjectId;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::write::bent::MOST_PARTS;
use crate::formats::ogz::write::bent::fit_together;
use crate::formats::ogz::write::branch::Branch;
use crate::formats::ogz::write::branch::Content;
use crate::formats::ogz::write::branch::depth;
use crate::formats::ogz::write::branch::joined;
use crate::formats::ogz::write::branch::lay_out;
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
/// Of a brush that is no cubes of any size.
const NO_CUBES: &str = "in some cube of one unit, which is the smallest, it has corners between the eighths, or more than eight";

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
    let mut reasons = BTreeMap::new();
    let mut solids = alone(root, solids, &covers, &mut reasons, progress)?;
    let mut fillings = fillings;
    loop {
        covers.remove(|id| left_out.contains_key(&id));
        let (children, mut found) = together(root, &solids, &fillings, &covers, progress)?;
        if found.refused.is_empty() {
            let mut tree = Octree::default();
            lay_out(children, root, number, &mut tree);
            tree.depth = depth(&tree, world);
            return Ok(Grown {
                tree,
                left_out,
                misplaced: found.misplaced,
            });
        }
        // Those that depend on others go first: whoever is in their way may be well without them.
        let mut doubtful = BTreeMap::new();
        for solid in solids.iter().filter(|solid| solid.is_doubtful) {
            if let Some(&reason) = found.refused.get(&solid.id) {
                doubtful.insert(solid.id, reasons.get(&solid.id).copied().unwrap_or(reason));
            }
        }
        if !doubtful.is_empty() {
            found.refused = doubtful;
            found.lookless.clear();
        }
        for solid in &mut solids {
            let can_help =
                found.lookless.contains(&solid.id) && found.refused.contains_key(&solid.id);
            if can_help && solid.loosen() {
                found.refused.remove(&solid.id);
            }
        }
        solids.retain(|solid| !found.refused.contains_key(&solid.id));
        fillings.retain(|filling| !found.refused.contains_key(&filling.id));
        left_out.extend(found.refused);
    }
}

/// How each can be said where nothing else is. `reasons`: for each that cannot, which is doubtful then.
fn alone(
    root: Cube,
    solids: Vec<Solid>,
    covers: &Covers,
    reasons: &mut BTreeMap<ObjectId, &'static str>,
    progress: &Progress,
) -> Result<Vec<Solid>, Cancelled> {
    // The reason, and whether something else on the faces could help.
    let refusal = |solid: &Solid| -> Result<(Option<&'static str>, bool), Cancelled> {
        let one = std::slice::from_ref(solid);
        let (_, mut found) = Grower::of_one(one, covers, progress).root(root)?;
        let reason = found.refused.pop_first().map(|(_, reason)| reason);
        Ok((reason, !found.lookless.is_empty()))
    };
    let looked_at = solids.into_par_iter().map(|solid| {
        let (mut refused, mut can_help) = refusal(&solid)?;
        if refused.is_none() {
            return Ok((solid, None));
        }
        let mut loose = solid.clone();
        while refused.is_some() && can_help && loose.loosen() {
            (refused, can_help) = refusal(&loose)?;
        }
        let solid = if refused.is_some() {
            Solid {
                is_doubtful: true,
                ..solid
            }
        } else {
            loose
        };
        Ok((solid, refused))
    });
    let looked_at: Vec<(Solid, Option<&'static str>)> =
        looked_at.collect::<Result<_, Cancelled>>()?;
    let mut solids = Vec::with_capacity(looked_at.len());
    for (solid, refused) in looked_at {
        if let Some(reason) = refused {
            reasons.insert(solid.id, reason);
        }
        solids.push(solid);
    }
    Ok(solids)
}

/// All in one world.
fn together(
    root: Cube,
    solids: &[Solid],
    fillings: &[Filling],
    covers: &Covers,
    progress: &Progress,
) -> Result<([Branch; 8], Found), Cancelled> {
    let mut grower = Grower {
        solids,
        fillings,
        covers,
        most: MOST_CUBES,
        looked_at: AtomicUsize::new(0),
        is_of_one: false,
        is_shared: true,
        progress,
    };
    let grown = grower.root(root)?;
    if *grower.looked_at.get_mut() <= grower.most {
        return Ok(grown);
    }
    // Where the cubes end must not depend on who comes first.
    grower.looked_at = AtomicUsize::new(0);
    grower.is_shared = false;
    grower.root(root)
}

struct Grower<'a> {
    solids: &'a [Solid],
    fillings: &'a [Filling],
    covers: &'a Covers,
    /// Cubes that may be looked at.
    most: usize,
    looked_at: AtomicUsize,
    /// One refusal is enough.
    is_of_one: bool,
    /// Several threads look.
    is_shared: bool,
    progress: &'a Progress,
}

/// What comes out beside the cubes.
#[derive(Default)]
struct Found {
    refused: BTreeMap<ObjectId, &'static str>,
    /// See [`Grown::misplaced`].
    misplaced: BTreeMap<(ObjectId, u32), f64>,
    /// Those for a part of which a cube had the shape, but could not show what it should.
    lookless: BTreeSet<ObjectId>,
}

impl Found {
    fn join(&mut self, later: Self) {
        self.refused.extend(later.refused);
        for (place, texels) in later.misplaced {
            self.misplace(place, texels);
        }
        self.lookless.extend(later.lookless);
    }

    fn misplace(&mut self, place: (ObjectId, u32), texels: f64) {
        let worst = self.misplaced.entry(place).or_insert(texels);
        *worst = worst.max(texels);
    }
}

impl<'a> Grower<'a> {
    fn of_one(one: &'a [Solid], covers: &'a Covers, progress: &'a Progress) -> Self {
        Self {
            solids: one,
            fillings: &[],
            covers,
            most: MOST_OF_ONE,
            looked_at: AtomicUsize::new(0),
            is_of_one: true,
            is_shared: false,
            progress,
        }
    }

    fn root(&self, root: Cube) -> Result<([Branch; 8], Found), Cancelled> {
        let parts = (0..)
            .zip(self.solids)
            .map(|(index, solid)| (index, solid.whole.clone()));
        let parts: Vec<(usize, Polytope)> = parts.collect();
        let fillings: Vec<usize> = (0..self.fillings.len()).collect();
        let mut found = Found::default();
        let children = self.children(root, parts, &fillings, &mut found)?;
        Ok((children, found))
    }

    fn children(
        &self,
        cube: Cube,
        parts: Vec<(usize, Polytope)>,
        fillings: &[usize],
        found: &mut Found,
    ) -> Result<[Branch; 8], Cancelled> {
        /// Fewer parts are not worth a second thread.
        const MANY: usize = 64;
        let is_shared = self.is_shared && parts.len() >= MANY;
        let sorted = sorted(cube, parts);
        let grown: Vec<Branch> = if is_shared {
            let children = sorted.into_par_iter().enumerate().map(|(index, parts)| {
                let mut found = Found::default();
                let branch = self.node(cube.child(index), parts, fillings, &mut found)?;
                Ok((branch, found))
            });
            let children: Vec<(Branch, Found)> = children.collect::<Result<_, Cancelled>>()?;
            children
                .into_iter()
                .map(|(branch, of_child)| {
                    found.join(of_child);
                    branch
                })
                .collect()
        } else {
            let children = sorted
                .into_iter()
                .enumerate()
                .map(|(index, parts)| self.node(cube.child(index), parts, fillings, found));
            children.collect::<Result<_, Cancelled>>()?
        };
        let grown: Result<[Branch; 8], _> = grown.try_into();
        // There are eight.
        Ok(grown.unwrap_or_else(|_| std::array::from_fn(|_| Branch::Leaf(Content::empty(0)))))
    }

    fn node(
        &self,
        cube: Cube,
        parts: Vec<(usize, Polytope)>,
        fillings: &[usize],
        found: &mut Found,
    ) -> Result<Branch, Cancelled> {
        self.progress.check()?;
        if self.is_of_one && (parts.is_empty() || !found.refused.is_empty()) {
            return Ok(Branch::Leaf(Content::empty(0)));
        }
        if self.looked_at.fetch_add(1, Ordering::Relaxed) >= self.most {
            let reason = "it would need too many cubes";
            for &(solid, _) in &parts {
                found.refused.insert(self.solids[solid].id, reason);
            }
            for filling in fillings.iter().map(|&index| &self.fillings[index]) {
                if filling.meets(cube) {
                    found.refused.insert(filling.id, reason);
                }
            }
            return Ok(Branch::Leaf(Content::empty(0)));
        }
        for (index, _) in &parts {
            let solid = &self.solids[*index];
            if let Some(fitted) = fill(cube, solid) {
                self.note(*index, &fitted, found);
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
        if is_even && let Some(content) = self.content(cube, &parts, &here, found) {
            return Ok(Branch::Leaf(content));
        }
        let may_be_joint = is_even && self.may_be_joint(cube, &parts);
        if cube.size > SMALLEST {
            let whole = may_be_joint.then(|| parts.clone());
            let mut of_children = Found::default();
            let mut parts = parts;
            parts.retain(|&(index, _)| {
                let solid = &self.solids[index];
                let is_hopeless = solid.is_doubtful && cube.size / 2 < solid.least_bent;
                if is_hopeless {
                    of_children.refused.insert(solid.id, NO_CUBES);
                }
                !is_hopeless
            });
            let children = self.children(cube, parts, &here, &mut of_children)?;
            if !of_children.refused.is_empty()
                && let Some(whole) = whole
                && let Some(content) = self.joint(cube, &whole, &here, true, found)
            {
                return Ok(Branch::Leaf(content));
            }
            found.join(of_children);
            return Ok(joined(children, cube));
        }
        if may_be_joint && let Some(content) = self.joint(cube, &parts, &here, true, found) {
            return Ok(Branch::Leaf(content));
        }
        // Of several the first stays: it may be that it has only bad neighbours.
        let is_shared = parts.len() > 1;
        let skipped = usize::from(is_shared && !self.solids[parts[0].0].is_doubtful);
        for &(index, _) in &parts[skipped..] {
            let reason = if is_shared {
                "another brush is in the same cube of one unit, which is the smallest"
            } else {
                NO_CUBES
            };
            found.refused.insert(self.solids[index].id, reason);
        }
        for &index in here
            .iter()
            .filter(|&&index| !self.fillings[index].covers(cube))
        {
            found
                .refused
                .insert(self.fillings[index].id, "its sides are not on whole units");
        }
        Ok(Branch::Leaf(Content::empty(0)))
    }

    /// What the cube holds, if that is one thing.
    fn content(
        &self,
        cube: Cube,
        parts: &[(usize, Polytope)],
        here: &[usize],
        found: &mut Found,
    ) -> Option<Content> {
        let filled = self.filled(here, found);
        match parts {
            [] => Some(Content::empty(filled)),
            [(index, part)] => {
                let solid = &self.solids[*index];
                let fitted = match fit(part, cube, solid, self.covers) {
                    Ok(fitted) => fitted,
                    Err(unfit) => {
                        if unfit == Unfit::Look {
                            found.lookless.insert(solid.id);
                        }
                        return None;
                    }
                };
                self.note(*index, &fitted, found);
                Some(Content {
                    fill: Fill::Deformed,
                    edges: fitted.edges,
                    textures: fitted.textures,
                    material: both(filled, solid.bits),
                })
            }
            _ if self.may_be_joint(cube, parts) => self.joint(cube, parts, here, false, found),
            _ => None,
        }
    }

    /// Several parts may be one cube that is bent inwards.
    fn may_be_joint(&self, cube: Cube, parts: &[(usize, Polytope)]) -> bool {
        let is_large_enough =
            |&(index, _): &(usize, Polytope)| cube.size >= self.solids[index].least_bent;
        (2..=MOST_PARTS).contains(&parts.len()) && parts.iter().all(is_large_enough)
    }

    /// The one cube that several parts are.
    fn joint(
        &self,
        cube: Cube,
        parts: &[(usize, Polytope)],
        here: &[usize],
        is_loose: bool,
        found: &mut Found,
    ) -> Option<Content> {
        let of = parts
            .iter()
            .map(|(index, part)| (&self.solids[*index], part));
        let of: Vec<(&Solid, &Polytope)> = of.collect();
        let joint = fit_together(&of, cube, self.covers, is_loose)?;
        for &(part, side, face) in &joint.shows {
            let (solid, _) = of[part];
            let side = &solid.sides[side];
            if side.errors[face / 2] > EXACT {
                found.misplace((solid.id, side.face), side.errors[face / 2]);
            }
        }
        let filled = self.filled(here, found);
        Some(Content {
            fill: Fill::Deformed,
            edges: joint.edges,
            textures: joint.textures,
            material: both(filled, of[0].0.bits),
        })
    }

    /// Keeps in mind how far the pictures are off that faces of a cube show.
    fn note(&self, index: usize, fitted: &Fitted, found: &mut Found) {
        let solid = &self.solids[index];
        for &number in &fitted.gives_way {
            found.misplace((solid.id, solid.sides[number].face), f64::INFINITY);
        }
        for &(number, face) in &fitted.shows {
            let side = &solid.sides[number];
            let error = side.errors[face / 2];
            if error > EXACT {
                found.misplace((solid.id, side.face), error);
            }
        }
    }

    /// The word of the boxes that are all in one place; a second liquid or clip has none left.
    fn filled(&self, here: &[usize], found: &mut Found) -> u16 {
        let mut word = 0;
        for &index in here {
            let Filling { id, bits, .. } = self.fillings[index];
            let clashes =
                |mask: u16| word & mask != 0 && bits & mask != 0 && (word ^ bits) & mask != 0;
            if clashes(material::VOLUME | material::INDEX) || clashes(material::CLIP_BITS) {
                found
                    .refused
                    .insert(id, "another material fills the same space");
            } else {
                word |= bits;
            }
        }
        word
    }
}

/// The word of a solid among fillings: what both say is the solid's.
fn both(filled: u16, solid: u16) -> u16 {
    if solid & material::CLIP_BITS == 0 {
        filled | solid
    } else {
        filled & !material::CLIP_BITS | solid
    }
}

/// Parts by the child of a cube that they are in.
fn sorted(cube: Cube, parts: Vec<(usize, Polytope)>) -> [Vec<(usize, Polytope)>; 8] {
    let mut sorter = Sorter {
        middle: cube.origin.map(|at| (at + cube.size / 2) as f64),
        sorted: Default::default(),
    };
    for (solid, part) in parts {
        sorter.sort(solid, part, 0, 0);
    }
    sorter.sorted
}

struct Sorter {
    middle: [f64; 3],
    sorted: [Vec<(usize, Polytope)>; 8],
}

impl Sorter {
    /// `child`: what is known of it from the axes before this one.
    fn sort(&mut self, solid: usize, part: Polytope, child: usize, axis: usize) {
        let Some(&middle) = self.middle.get(axis) else {
            return self.sorted[child].push((solid, part));
        };
        let [below, above] = part.split(axis, middle);
        if let Some(part) = below {
            self.sort(solid, part, child, axis + 1);
        }
        if let Some(part) = above {
            self.sort(solid, part, child | 1 << axis, axis + 1);
        }
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
