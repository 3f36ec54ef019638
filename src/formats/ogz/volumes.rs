//! Materials that fill space, as boxes: liquids, glass, clips, death. Layout: Sauerbraten.

use crate::formats::ogz::boxes::Brick;
use crate::formats::ogz::boxes::Join;
use crate::formats::ogz::boxes::merge;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::SOLID_EDGES;
use crate::formats::ogz::visible::Cube;
use crate::formats::ogz::visible::World;
use crate::task::Cancelled;
use crate::task::Progress;

/// What a space is filled with. The number of a liquid or glass is 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VolumeKind {
    Water(u8),
    Lava(u8),
    Glass(u8),
    /// Stops players.
    Clip,
    /// Stops what the game's rules say.
    GameClip,
    /// Kills. Lava does so too and has one of these as well.
    Death,
}

impl VolumeKind {
    fn is_liquid(self) -> bool {
        matches!(self, Self::Water(_) | Self::Lava(_))
    }

    /// What a material word stands for in a cube that is not solid.
    fn of(word: u16) -> impl Iterator<Item = Self> {
        let number = (word & material::INDEX) as u8;
        let filling = match word & material::VOLUME {
            material::WATER => Some(Self::Water(number)),
            material::LAVA => Some(Self::Lava(number)),
            material::GLASS => Some(Self::Glass(number)),
            _ => None,
        };
        let clip = match word & material::CLIP_BITS {
            // Glass stops players by itself.
            material::CLIP if !matches!(filling, Some(Self::Glass(_))) => Some(Self::Clip),
            material::GAME_CLIP => Some(Self::GameClip),
            _ => None,
        };
        let kills = word & material::DEATH != 0 || matches!(filling, Some(Self::Lava(_)));
        [filling, clip, kills.then_some(Self::Death)]
            .into_iter()
            .flatten()
    }
}

/// A box filled with a material. Coordinates in eighths of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Volume {
    pub kind: VolumeKind,
    pub min: [i32; 3],
    pub max: [i32; 3],
    /// A liquid with something else than solids on top: its surface is drawn [`LOWERED`] below.
    pub is_open: bool,
}

/// How far below the top of its cubes a liquid's surface lies, in units.
pub const LOWERED: f64 = 1.1;

/// The same of a liquid that is only one unit high, which would have no volume otherwise.
pub const LOWERED_FILM: f64 = 0.9;

#[derive(Clone, Copy)]
struct Filling {
    kind: VolumeKind,
    is_open: bool,
}

impl Join for Filling {
    fn joined(self, above: Self, axis: usize) -> Option<Self> {
        let fits = if axis == 2 {
            !self.is_open
        } else {
            self.is_open == above.is_open
        };
        (self.kind == above.kind && fits).then_some(above)
    }
}

/// The space of each kind as few boxes. A deformed cube is filled as a whole: where both are, the solid wins.
///
/// # Errors
/// Only when cancelled.
pub fn volumes(map: &RawMap, progress: &Progress) -> Result<Vec<Volume>, Cancelled> {
    let world = World::new(map);
    let mut bricks: Vec<Brick<Filling>> = Vec::new();
    for leaf in map.tree.leaves.iter().filter(|leaf| leaf.material != 0) {
        if is_full(leaf) {
            continue;
        }
        for kind in VolumeKind::of(leaf.material) {
            bricks.push(Brick {
                min: leaf.origin.map(|at| 8 * at),
                max: leaf.origin.map(|at| 8 * (at + leaf.size)),
                about: Filling {
                    kind,
                    is_open: kind.is_liquid() && is_open(&world, leaf, kind),
                },
            });
        }
    }
    bricks.sort_by_key(|brick| brick.about.kind);
    let mut volumes = Vec::new();
    for of_kind in bricks.chunk_by(|a, b| a.about.kind == b.about.kind) {
        volumes.extend(merge(of_kind, progress)?.into_iter().map(|brick| Volume {
            kind: brick.about.kind,
            min: brick.min,
            max: brick.max,
            is_open: brick.about.is_open,
        }));
    }
    volumes.sort_unstable();
    Ok(volumes)
}

/// Without any space for a material.
fn is_full(leaf: &Leaf) -> bool {
    leaf.fill == Fill::Solid || (leaf.fill == Fill::Deformed && leaf.edges == SOLID_EDGES)
}

fn is_open(world: &World<'_>, leaf: &Leaf, kind: VolumeKind) -> bool {
    let mut above = leaf.origin;
    above[2] += leaf.size;
    world
        .cube_at(above, leaf.size)
        .is_none_or(|cube| !is_closed_by(world, cube, kind))
}

/// True when solids and more of the same lie at the whole bottom of a cube.
fn is_closed_by(world: &World<'_>, cube: Cube, kind: VolumeKind) -> bool {
    match world.split(cube) {
        Ok(children) => (0..4).all(|index| is_closed_by(world, cube.child(children, index), kind)),
        Err(leaf) => is_full(leaf) || VolumeKind::of(leaf.material).any(|above| above == kind),
    }
}
