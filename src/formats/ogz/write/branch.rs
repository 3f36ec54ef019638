//! Cubes as they grow, before they have places in the tree.

use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::write::fit::Cube;
use crate::formats::ogz::write::solid::Look;

/// What is on faces that nobody sees.
const UNSEEN: u16 = 1;

/// A cube without children, before it has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    pub fill: Fill,
    pub edges: [u8; 12],
    pub textures: [Option<Look>; 6],
    pub material: u16,
}

/// A cube with all that is in it.
pub enum Branch {
    Leaf(Content),
    Split(Box<[Branch; 8]>),
}

impl Content {
    #[must_use]
    pub fn empty(material: u16) -> Self {
        Self {
            fill: Fill::Empty,
            edges: [0; 12],
            textures: [None; 6],
            material,
        }
    }
}

/// Eight cubes as one where they are alike.
#[must_use]
pub fn joined(children: [Branch; 8], cube: Cube) -> Branch {
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

pub fn lay_out(
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

/// Levels of the tree in a world of this size.
#[must_use]
pub fn depth(tree: &Octree, world: i64) -> u32 {
    let smallest = tree.leaves.iter().map(|leaf| i64::from(leaf.size)).min();
    smallest.map_or(0, |size| (world / size).ilog2())
}
