//! Whether the pieces are solid where the file's BSP is (`unr.md` 8.2, Self-check).

use glam::DVec3;
use rayon::prelude::*;

use crate::formats::unr::pieces::Piece;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::solidity::is_solid;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::geometry::polygon;

/// Random points that an import looks at.
pub const RANDOM_POINTS: u32 = 2000;

/// How far beside a polygon is looked.
const BESIDE: f64 = 1.0;

/// Shares below which the brushes do not stand for what the BSP holds.
const LEAST_RANDOM: f64 = 0.999;
const LEAST_BESIDE: f64 = 0.95;

/// Points at which pieces and BSP were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    pub random: u32,
    pub random_wrong: u32,
    /// One unit in front of and behind the polygons.
    pub beside: u32,
    pub beside_wrong: u32,
    /// Of the wrong ones beside polygons those where the BSP is open though the brushes are solid: its holes.
    pub holes: u32,
}

impl Agreement {
    /// 0 to 1; 1 without points, as for text.
    #[must_use]
    pub fn random_share(&self) -> f64 {
        share(self.random, self.random_wrong)
    }

    /// 0 to 1; 1 without points, as for text.
    #[must_use]
    pub fn beside_share(&self) -> f64 {
        share(self.beside, self.beside_wrong)
    }

    /// The pieces may stand for the world.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.random_share() >= LEAST_RANDOM && self.beside_share() >= LEAST_BESIDE
    }

    fn plus(self, other: Self) -> Self {
        Self {
            random: self.random + other.random,
            random_wrong: self.random_wrong + other.random_wrong,
            beside: self.beside + other.beside,
            beside_wrong: self.beside_wrong + other.beside_wrong,
            holes: self.holes + other.holes,
        }
    }
}

fn share(points: u32, wrong: u32) -> f64 {
    if points == 0 {
        1.0
    } else {
        1.0 - f64::from(wrong) / f64::from(points)
    }
}

/// Pieces by place, to ask for points.
pub struct Solidity<'a> {
    pieces: &'a [Piece],
    boxes: Bvh<u32>,
}

impl<'a> Solidity<'a> {
    #[must_use]
    pub fn new(pieces: &'a [Piece]) -> Self {
        let boxes = pieces.iter().enumerate().map(|(key, piece)| {
            let corners = piece.faces.iter().flat_map(|face| &face.corners);
            (key as u32, Aabb::of_points(corners.copied()))
        });
        Self {
            pieces,
            boxes: Bvh::build(boxes),
        }
    }

    /// Inside of a piece or on its surface.
    #[must_use]
    pub fn is_solid(&self, point: DVec3) -> bool {
        self.boxes.any(Aabb::new(point, point), |key| {
            let faces = &self.pieces[key as usize].faces;
            faces
                .iter()
                .all(|face| face.normal.dot(point) <= face.distance)
        })
    }
}

/// Compares at random points, spread over the boxes by their volumes, and beside every polygon of the BSP. The points are the
/// same each time.
#[must_use]
pub fn agreement(model: &RawModel, pieces: &[Piece], rock: &[Aabb], random: u32) -> Agreement {
    let solidity = Solidity::new(pieces);
    let at_random = (0..random).into_par_iter().filter_map(|number| {
        let point = random_point(rock, number)?;
        let is_wrong = solidity.is_solid(point) != is_solid(model, point);
        Some(Agreement {
            random: 1,
            random_wrong: u32::from(is_wrong),
            ..Agreement::default()
        })
    });
    let beside = model.nodes.par_iter().map(|node| {
        let corners = model.polygon(node);
        let normal = node.normal.as_dvec3().normalize_or_zero();
        let mut sum = Agreement::default();
        if corners.len() < 3 || normal == DVec3::ZERO {
            return sum;
        }
        let middle = polygon::mean(&corners).unwrap_or_default();
        for side in [BESIDE, -BESIDE] {
            let point = middle + normal * side;
            let by_brushes = solidity.is_solid(point);
            let is_wrong = by_brushes != is_solid(model, point);
            sum.beside += 1;
            sum.beside_wrong += u32::from(is_wrong);
            sum.holes += u32::from(is_wrong && by_brushes);
        }
        sum
    });
    let at_random = at_random.reduce(Agreement::default, Agreement::plus);
    at_random.plus(beside.reduce(Agreement::default, Agreement::plus))
}

/// `None` without room to look in.
fn random_point(rock: &[Aabb], number: u32) -> Option<DVec3> {
    let volume = |bounds: &Aabb| bounds.size().element_product();
    let total: f64 = rock.iter().map(volume).sum();
    let mut state = u64::from(number);
    let mut left = random_share(&mut state) * total;
    let chosen = rock.iter().find(|bounds| {
        left -= volume(bounds);
        left <= 0.0
    });
    let bounds = chosen.or(rock.last())?;
    let along = DVec3::new(
        random_share(&mut state),
        random_share(&mut state),
        random_share(&mut state),
    );
    Some(bounds.min + bounds.size() * along)
}

/// 0 to 1, by SplitMix64.
fn random_share(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(0x2545_F491_4F6C_DD1D)
        .wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}
