//! Where a picture lies on a face, in what the game can hold: one scale for both directions, eight rotations, whole texels of offset
//! (`ogz.md` 10.2). Where that does not suffice, the nearest of all, with how far it is off.

use glam::DVec3;
use smallvec::SmallVec;

use crate::formats::ogz::mapping::ROTATIONS;
use crate::formats::ogz::mapping::TEXELS_PER_UNIT;
use crate::formats::ogz::mapping::slot_axes;
use crate::formats::ogz::mapping::to_map;
use crate::geometry::UvAxes;

/// Up to this many texels off at its worst corner a picture lies as it should: what LOCK-3 allows a file that was written and read.
pub const EXACT: f64 = 0.01;
/// What a number may be off, for its size, to be taken for a rounder one.
const TIDY: f64 = 5e-6;
/// Halvings, nearly, of the range in which the best scale is looked for.
const STEPS: usize = 60;
/// The inverse of the golden ratio.
const GOLDEN: f64 = 0.618_033_988_749_895;
/// The largest scale against the smallest that is tried.
const WIDEST: f64 = 1e4;

/// What a slot says beside its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    pub scale: f32,
    /// 0 to 7.
    pub rotation: u8,
    /// Texels.
    pub offset: [i32; 2],
}

impl Placing {
    /// The picture as it is.
    pub const PLAIN: Self = Self {
        scale: 1.0,
        rotation: 0,
        offset: [0; 2],
    };
}

/// A face, as far as its picture is concerned.
pub struct Wanted<'a> {
    /// In map space, before the map is moved.
    pub corners: &'a [DVec3],
    /// Repeats at a point of the map, before it is moved.
    pub frame: UvAxes,
    /// What the map is moved by, in map space.
    pub shift: DVec3,
    /// Pixels.
    pub size: [u32; 2],
    /// These are the picture's, not a guess: whole pictures more or less are the same.
    pub is_size_known: bool,
}

/// A face's corners as pairs: along a world axis, and texels that are wanted there.
type Line = SmallVec<[[f64; 2]; 8]>;

impl Wanted<'_> {
    /// The placing on faces across an axis of the file that is off least at the worst corner, and how far, in texels.
    #[must_use]
    pub fn nearest(&self, axis: usize) -> (Placing, f64) {
        let mut best = (Placing::PLAIN, self.error(Placing::PLAIN, axis));
        let mut rough: Option<(f64, u8, f64)> = None;
        for rotation in 0..ROTATIONS.len() as u8 {
            let [u, v] = self.lines(rotation, axis);
            let Some(density) = least_squares(&u, &v) else {
                continue;
            };
            let off = spread(&u, density).max(spread(&v, density));
            if rough.is_none_or(|(least, ..)| off < least) {
                rough = Some((off, rotation, density));
            }
            if off <= EXACT {
                break;
            }
        }
        let Some((off, rotation, density)) = rough else {
            return best;
        };
        let mut densities = vec![density];
        if off > EXACT {
            let [u, v] = self.lines(rotation, axis);
            densities.push(smallest_spread(&u, &v, density));
        }
        for density in densities {
            let scale = TEXELS_PER_UNIT / density;
            for scale in [tidy(scale), scale as f32] {
                let Some(placing) = self.placed(scale, rotation, axis) else {
                    continue;
                };
                let error = self.error(placing, axis);
                // The tidier comes first and stays, where it is good enough.
                let is_better = if best.1 <= EXACT {
                    error < best.1 - EXACT
                } else {
                    error < best.1
                };
                if is_better {
                    best = (placing, error);
                }
            }
        }
        best
    }

    /// With the offsets that suit this scale and rotation best.
    fn placed(&self, scale: f32, rotation: u8, axis: usize) -> Option<Placing> {
        let density = TEXELS_PER_UNIT / f64::from(scale);
        if !(scale > 0.0 && density.is_finite()) {
            return None;
        }
        let (.., swap) = ROTATIONS[usize::from(rotation)];
        let lines = self.lines(rotation, axis);
        let mut offset = [0; 2];
        for (number, line) in lines.iter().enumerate() {
            let (low, high) = ends(line.iter().map(|[along, wanted]| density * along - wanted));
            let texels = f64::midpoint(low, high).round();
            offset[number] = self.whole(texels, number)?;
        }
        Some(Placing {
            scale,
            rotation,
            offset: if swap { [offset[1], offset[0]] } else { offset },
        })
    }

    /// Texels, less whole pictures where it is known how large these are.
    fn whole(&self, texels: f64, side: usize) -> Option<i32> {
        const FAR: f64 = 1e15;
        if !self.is_size_known && (0.0..65_536.0).contains(&texels) {
            return Some(texels as i32);
        }
        let side = i64::from(self.size[side].max(1));
        (texels.abs() < FAR).then(|| (texels as i64).rem_euclid(side) as i32)
    }

    /// How far the picture is off at the worst corner, in texels; whole pictures do not count.
    #[must_use]
    pub fn error(&self, placing: Placing, axis: usize) -> f64 {
        let (.., swap) = ROTATIONS[usize::from(placing.rotation & 7)];
        let density = TEXELS_PER_UNIT / f64::from(placing.scale);
        let [x, y] = placing.offset.map(f64::from);
        let offsets = if swap { [y, x] } else { [x, y] };
        let lines = self.lines(placing.rotation, axis);
        let mut off: [SmallVec<[f64; 8]>; 2] = Default::default();
        for side in 0..2 {
            let length = f64::from(self.size[side].max(1));
            let here = lines[side]
                .iter()
                .map(|[along, wanted]| density * along - offsets[side] - wanted);
            let (low, high) = ends(here.clone());
            let whole = (f64::midpoint(low, high) / length).round() * length;
            off[side] = here.map(|off| off - whole).collect();
        }
        let [u, v] = off;
        let corners = u.iter().zip(&v).map(|(u, v)| u.hypot(*v));
        corners.fold(0.0, |worst: f64, off| {
            if off.is_nan() {
                f64::INFINITY
            } else {
                worst.max(off)
            }
        })
    }

    /// For both directions of the picture, mirrored as the rotation asks.
    fn lines(&self, rotation: u8, axis: usize) -> [Line; 2] {
        let (flip_u, flip_v, swap) = ROTATIONS[usize::from(rotation & 7)];
        let (s, t) = slot_axes(axis as u8 * 2);
        let (s, t) = (to_map(s), to_map(t));
        let (along_u, along_v) = if swap { (t, s) } else { (s, t) };
        let sign = |flip: bool| if flip { -1.0 } else { 1.0 };
        let width = sign(flip_u) * f64::from(self.size[0]);
        let height = sign(flip_v) * f64::from(self.size[1]);
        let corners = self.corners.iter();
        corners
            .map(|&corner| {
                let wanted = self.frame.at(corner);
                let moved = corner + self.shift;
                (
                    [along_u.dot(moved), wanted.x * width],
                    [along_v.dot(moved), wanted.y * height],
                )
            })
            .unzip()
            .into()
    }
}

/// Lowest and highest; 0 for none.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    });
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

/// Half of how far the texels differ from what is wanted, with the best offset, at this many texels on a unit.
fn spread(line: &[[f64; 2]], density: f64) -> f64 {
    let (low, high) = ends(line.iter().map(|[along, wanted]| density * along - wanted));
    (high - low) / 2.0
}

/// Texels on a unit by least squares; `None` where the picture would have to be mirrored, or no number comes out.
fn least_squares(u: &[[f64; 2]], v: &[[f64; 2]]) -> Option<f64> {
    let (mut squares, mut products) = (0.0, 0.0);
    for line in [u, v] {
        let count = line.len().max(1) as f64;
        let mean = |part: usize| line.iter().map(|pair| pair[part]).sum::<f64>() / count;
        let (middle, wanted) = (mean(0), mean(1));
        for pair in line {
            squares += (pair[0] - middle) * (pair[0] - middle);
            products += (pair[0] - middle) * (pair[1] - wanted);
        }
    }
    let density = products / squares;
    (density > 1e-6 && density.is_finite()).then_some(density)
}

/// Texels on a unit with the smallest spread of both directions, which has no other low than the lowest. `near`: where to look.
fn smallest_spread(u: &[[f64; 2]], v: &[[f64; 2]], near: f64) -> f64 {
    let worst = |density: f64| spread(u, density).max(spread(v, density));
    let (mut low, mut high) = (near / WIDEST.sqrt(), near * WIDEST.sqrt());
    for _ in 0..STEPS {
        let length = (high - low) * GOLDEN;
        if worst(high - length) <= worst(low + length) {
            high = low + length;
        } else {
            low = high - length;
        }
    }
    f64::midpoint(low, high)
}

/// The number that was meant before it went through others.
fn tidy(scale: f64) -> f32 {
    for steps in [8.0, 1000.0, 1024.0] {
        let near = (scale * steps).round() / steps;
        if near > 0.0 && (near / scale - 1.0).abs() < TIDY {
            return near as f32;
        }
    }
    scale as f32
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;

    const SIZE: [u32; 2] = [256, 128];

    fn wanted(corners: &[DVec3], frame: UvAxes) -> Wanted<'_> {
        Wanted {
            corners,
            frame,
            shift: DVec3::ZERO,
            size: SIZE,
            is_size_known: true,
        }
    }

    /// A floor of 64 by 64 units.
    fn floor() -> [DVec3; 4] {
        [[0.0, 0.0], [64.0, 0.0], [64.0, 64.0], [0.0, 64.0]].map(|[x, z]| DVec3::new(x, 0.0, z))
    }

    /// Texels on a floor: `u` and `v` by file X and Y, and at the origin.
    fn lying(u: [f64; 3], v: [f64; 3]) -> UvAxes {
        let [width, height] = SIZE.map(f64::from);
        UvAxes {
            u: DVec3::new(u[0], 0.0, u[1]) / width,
            u_offset: u[2] / width,
            v: DVec3::new(v[0], 0.0, v[1]) / height,
            v_offset: v[2] / height,
        }
    }

    #[test]
    fn what_the_game_can_hold_is_held_exactly() {
        // The slots of `ogz.md` 10.2 on a floor: u and v in texels, and the placing.
        let cases = [
            (
                lying([4.0, 0.0, -16.0], [0.0, 4.0, -32.0]),
                (2.0, 0, [16, 32]),
            ),
            (
                lying([0.0, 8.0, -32.0], [-8.0, 0.0, 16.0]),
                (1.0, 1, [16, 32]),
            ),
            (
                lying([-80.0, 0.0, 0.0], [0.0, -80.0, 1.0]),
                (0.1, 2, [0, 1]),
            ),
            // Whole pictures do not count.
            (
                lying([8.0, 0.0, 256.0 * 7.0 - 3.0], [0.0, 8.0, -128.0 * 3.0]),
                (1.0, 0, [3, 0]),
            ),
        ];
        for (frame, (scale, rotation, offset)) in cases {
            let floor = floor();
            let (placing, error) = wanted(&floor, frame).nearest(2);
            assert!(error < 1e-3, "{placing:?} {error}");
            assert_eq!(
                placing,
                Placing {
                    scale,
                    rotation,
                    offset
                }
            );
        }
    }

    #[test]
    fn what_it_cannot_hold_is_written_as_near_as_it_can() {
        let floor = floor();
        // Half a texel between two offsets.
        let frame = lying([8.0, 0.0, -0.5], [0.0, 8.0, 0.0]);
        let (placing, error) = wanted(&floor, frame).nearest(2);
        assert_eq!((placing.scale, placing.rotation), (1.0, 0));
        assert!((error - 0.5).abs() < 1e-6, "{error}");
        // 8 texels on a unit one way, 10 the other: 9 for both is 32 texels off at each end, and no other is nearer.
        let frame = lying([8.0, 0.0, 0.0], [0.0, 10.0, 0.0]);
        let (placing, error) = wanted(&floor, frame).nearest(2);
        assert!((f64::from(placing.scale) - 8.0 / 9.0).abs() < 1e-3);
        assert!((error - 32.0_f64.hypot(32.0)).abs() < 0.5, "{error}");
        // Turned by 10 degrees: no rotation of the game's is nearer than none.
        let (sin, cos) = 10.0_f64.to_radians().sin_cos();
        let frame = lying([8.0 * cos, 8.0 * sin, 0.0], [-8.0 * sin, 8.0 * cos, 0.0]);
        let (placing, error) = wanted(&floor, frame).nearest(2);
        assert_eq!(placing.rotation, 0);
        // The corners cannot be nearer than the shear that is left, half of the face away from the middle.
        let least = 32.0 * 8.0 * sin;
        assert!(error >= least && error < 2.0 * least, "{error} {least}");
    }

    #[test]
    fn the_error_is_what_a_reader_of_the_file_finds() {
        let floor = floor();
        let frame = lying([7.0, 1.0, 5.25], [0.5, -9.0, 3.0]);
        let asked = wanted(&floor, frame);
        let (placing, error) = asked.nearest(2);
        let (flip_u, flip_v, swap) = ROTATIONS[usize::from(placing.rotation)];
        assert!(!swap);
        let density = 8.0 / f64::from(placing.scale);
        let sign = |flip: bool| if flip { -1.0 } else { 1.0 };
        let mut worst: f64 = 0.0;
        let read = floor.map(|corner| {
            DVec2::new(
                (density * corner.x - f64::from(placing.offset[0])) * sign(flip_u),
                (density * corner.z - f64::from(placing.offset[1])) * sign(flip_v),
            )
        });
        let sizes = DVec2::new(256.0, 128.0);
        let off: Vec<DVec2> = floor
            .iter()
            .zip(read)
            .map(|(&corner, read)| frame.at(corner) * sizes - read)
            .collect();
        // The game repeats pictures: one number of whole ones fits all corners.
        for corner in &off {
            let mut least = f64::INFINITY;
            for whole in [-1.0, 0.0, 1.0] {
                for tall in [-1.0, 0.0, 1.0] {
                    let whole = DVec2::new(whole, tall) * sizes;
                    let base = (off[0] / sizes).round() * sizes;
                    least = least.min((*corner - base - whole).length());
                }
            }
            worst = worst.max(least);
        }
        assert!(worst <= error + 1e-9, "{worst} {error}");
        assert!(error < 200.0, "{error}");
    }

    #[test]
    fn offsets_of_pictures_of_unknown_size_stay_as_they_are() {
        let floor = floor();
        let frame = lying([8.0, 0.0, -300.0], [0.0, 8.0, -200.0]);
        let unknown = Wanted {
            is_size_known: false,
            ..wanted(&floor, frame)
        };
        assert_eq!(unknown.nearest(2).0.offset, [300, 200]);
        assert_eq!(wanted(&floor, frame).nearest(2).0.offset, [44, 72]);
    }
}
