//! The file's own convex decomposition of what is solid (`unr.md` 5.3, 8.2 B2).

use glam::DVec3;

use crate::formats::unr::part::Part;
use crate::formats::unr::patches::Patches;
use crate::formats::unr::pieces::Piece;
use crate::formats::unr::pieces::Source;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::surfaces::dressed_whole;
use crate::formats::unr::transform::settled;
use crate::geometry::Aabb;
use crate::geometry::Plane;

/// The plane is meant reversed.
const REVERSED: i32 = 0x4000_0000;

/// Ints of a record's box.
const BOX: usize = 6;

/// A record of `leaf_hulls`.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafHull {
    /// Unit; the hull lies behind all of them.
    pub planes: Vec<Plane>,
    /// The hull lies inside of it.
    pub bounds: Aabb,
}

/// All records, one after the other, up to the first that is not sound.
#[must_use]
pub fn leaf_hulls(model: &RawModel) -> Vec<LeafHull> {
    let mut hulls = Vec::new();
    let mut left = model.leaf_hulls.as_slice();
    while let Some(end) = left.iter().position(|&word| word == -1) {
        let Some(words) = left.get(end + 1..end + 1 + BOX) else {
            break;
        };
        let number = |at: usize| f64::from(f32::from_bits(words[at] as u32));
        let bounds = Aabb::new(
            DVec3::new(number(0), number(1), number(2)),
            DVec3::new(number(3), number(4), number(5)),
        );
        let planes = left[..end].iter().filter_map(|&word| plane(model, word));
        let planes: Vec<Plane> = planes.collect();
        if planes.len() == end && bounds.min.is_finite() && bounds.max.is_finite() {
            hulls.push(LeafHull { planes, bounds });
        }
        left = &left[end + 1 + BOX..];
    }
    hulls
}

fn plane(model: &RawModel, word: i32) -> Option<Plane> {
    let number = usize::try_from(word & !REVERSED).ok()?;
    let node = model.nodes.get(number)?;
    let plane = Plane::new(node.normal.as_dvec3(), f64::from(node.distance)).unit()?;
    Some(settled(if word & REVERSED == 0 {
        plane
    } else {
        plane.flipped()
    }))
}

/// The hulls as pieces inside of the boxes, the largest polygon on a face giving its look.
#[must_use]
pub fn pieces(model: &RawModel, rock: &[Aabb], patches: &Patches) -> Vec<Piece> {
    use rayon::prelude::*;
    let hulls = leaf_hulls(model);
    let piece = |(number, hull): (usize, &LeafHull)| {
        let inside = rock.iter().filter_map(|rock| {
            let bounds = Aabb::new(rock.min.max(hull.bounds.min), rock.max.min(hull.bounds.max));
            let part = Part::of_planes_in(&hull.planes, bounds)?;
            let dressed = dressed_whole(&part, patches);
            Some(Piece {
                source: Source::Hull(number as u32),
                is_semisolid: false,
                is_whole: false,
                is_sky: dressed.is_sky,
                faces: dressed.faces,
            })
        });
        inside.collect::<Vec<_>>()
    };
    let pieces = hulls.par_iter().enumerate().map(piece);
    pieces.collect::<Vec<_>>().into_iter().flatten().collect()
}

#[cfg(test)]
#[path = "hulls_tests.rs"]
mod tests;
