//! Convex solids joined into fewer: two that share a whole facet become one when that is convex and shows the same.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::hash::Hasher;

use crate::formats::ogz::convex::Convex;
use crate::formats::ogz::convex::Facet;
use crate::formats::ogz::shape::Point;
use crate::task::Cancelled;
use crate::task::Progress;

/// Solids between two looks at the cancel button.
const CHECK_EVERY: usize = 1024;

/// For keys that are hashes already.
#[derive(Default)]
struct Through(u64);

impl Hasher for Through {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Joins neighbours until no two can be. The result depends on the order of `solids` alone.
///
/// # Errors
/// Only when cancelled.
pub fn merge(solids: Vec<Convex>, progress: &Progress) -> Result<Vec<Convex>, Cancelled> {
    let mut merger = Merger {
        holders: HashMap::with_capacity_and_hasher(solids.len() * 4, BuildHasherDefault::default()),
        solids: Vec::with_capacity(solids.len()),
    };
    for solid in solids {
        merger.solids.push(Some(solid));
        merger.enter(merger.solids.len() - 1);
    }
    for index in 0..merger.solids.len() {
        if index % CHECK_EVERY == 0 {
            progress.check()?;
        }
        merger.grow(index);
    }
    Ok(merger.solids.into_iter().flatten().collect())
}

struct Merger {
    /// By their old place; what was taken in is gone.
    solids: Vec<Option<Convex>>,
    /// By the polygon of a facet, the two solids that may have it.
    holders: HashMap<u64, [u32; 2], BuildHasherDefault<Through>>,
}

impl Merger {
    /// Makes a solid known by those of its facets that may touch another: they cannot be seen.
    fn enter(&mut self, index: usize) {
        let Some(solid) = &self.solids[index] else {
            return;
        };
        for facet in hidden(solid) {
            let holders = self
                .holders
                .entry(key(solid, facet))
                .or_insert([u32::MAX; 2]);
            let id = index as u32;
            if holders.contains(&id) {
                continue;
            }
            let is_free =
                |holder: u32| self.solids.get(holder as usize).is_none_or(Option::is_none);
            if let Some(free) = holders.iter_mut().find(|holder| is_free(**holder)) {
                *free = id;
            }
        }
    }

    /// Takes in neighbours until none is left that can be.
    fn grow(&mut self, index: usize) {
        while let Some((united, gone)) = self.united_with_neighbor(index) {
            self.solids[gone] = None;
            self.solids[index] = Some(united);
            self.enter(index);
        }
    }

    fn united_with_neighbor(&self, index: usize) -> Option<(Convex, usize)> {
        let solid = self.solids[index].as_ref()?;
        for (at, facet) in solid.facets.iter().enumerate() {
            if facet.surface.slot.is_some() {
                continue;
            }
            let Some(holders) = self.holders.get(&key(solid, facet)) else {
                continue;
            };
            for &holder in holders {
                let other = holder as usize;
                if other == index {
                    continue;
                }
                let Some(neighbor) = self.solids.get(other).and_then(Option::as_ref) else {
                    continue;
                };
                let across = neighbor
                    .facets
                    .iter()
                    .position(|across| solid.shares(facet, neighbor, across));
                if let Some(across) = across
                    && let Some(united) = solid.united(at, neighbor, across)
                {
                    return Some((united, other));
                }
            }
        }
        None
    }
}

fn hidden(solid: &Convex) -> impl Iterator<Item = &Facet> {
    solid
        .facets
        .iter()
        .filter(|facet| facet.surface.slot.is_none())
}

/// The same for facets with the same corners, whatever their order.
fn key(solid: &Convex, facet: &Facet) -> u64 {
    solid
        .facet_corners(facet)
        .map(mixed)
        .fold(0, u64::wrapping_add)
}

fn mixed([x, y, z]: Point) -> u64 {
    // Odd numbers without a pattern; the steps of splitmix64.
    let mut hash = (x as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add((y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
        .wrapping_add((z as u64).wrapping_mul(0x1656_67B1_9E37_79F9));
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ hash >> 31
}
