//! Colour encoding and angles for the bake, without the system's maths library.
//!
//! `pow`, `sin` and `cos` of different systems differ in the last bits; these use only operations that IEEE 754 rounds exactly,
//! so a map baked on two machines has the same bytes.

use glam::DVec3;

/// The sRGB curve: encoded 0..1 -> linear 0..1 (IEC 61966-2-1). Values below 0 count as 0.
#[must_use]
pub fn decode(encoded: f64) -> f64 {
    if encoded <= 0.0 {
        return 0.0;
    }
    if encoded <= 0.04045 {
        return encoded / 12.92;
    }
    let base = (encoded + 0.055) / 1.055;
    // base^2.4 = base^2 * (base^2)^(1/5)
    let square = base * base;
    square * root::<5>(square)
}

/// The inverse of [`decode`]: linear -> encoded. Values below 0 count as 0.
#[must_use]
pub fn encode(linear: f64) -> f64 {
    if linear <= 0.0 {
        return 0.0;
    }
    if linear <= 0.0031308 {
        return linear * 12.92;
    }
    // x^(5/12) = x^(1/4) * x^(1/6)
    let square_root = linear.sqrt();
    1.055 * (square_root.sqrt() * root::<3>(square_root)) - 0.055
}

#[must_use]
pub fn decode_rgb(encoded: DVec3) -> DVec3 {
    DVec3::new(decode(encoded.x), decode(encoded.y), decode(encoded.z))
}

#[must_use]
pub fn encode_rgb(linear: DVec3) -> DVec3 {
    DVec3::new(encode(linear.x), encode(linear.y), encode(linear.z))
}

/// Sine and cosine of an angle in degrees; exact at multiples of 90, else within 1e-15. Angles that are not finite count as 0.
#[must_use]
pub fn sin_cos_deg(angle_deg: f64) -> (f64, f64) {
    if !angle_deg.is_finite() {
        return (0.0, 1.0);
    }
    let turned = angle_deg % 360.0;
    let quarter = (turned / 90.0).round();
    let x = (turned - quarter * 90.0) * (std::f64::consts::PI / 180.0);
    let square = x * x;
    let sin = x * series(
        square,
        &[
            1.0,
            -1.0 / 6.0,
            1.0 / 120.0,
            -1.0 / 5040.0,
            1.0 / 362_880.0,
            -1.0 / 39_916_800.0,
            1.0 / 6_227_020_800.0,
            -1.0 / 1_307_674_368_000.0,
        ],
    );
    let cos = series(
        square,
        &[
            1.0,
            -0.5,
            1.0 / 24.0,
            -1.0 / 720.0,
            1.0 / 40_320.0,
            -1.0 / 3_628_800.0,
            1.0 / 479_001_600.0,
            -1.0 / 87_178_291_200.0,
        ],
    );
    match (quarter as i32).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The direction that angles (pitch, yaw, roll) in degrees look along, unit length (`hmap.md` 2.7).
#[must_use]
pub fn forward(angles_deg: DVec3) -> DVec3 {
    let (sin_pitch, cos_pitch) = sin_cos_deg(angles_deg.x);
    let (sin_yaw, cos_yaw) = sin_cos_deg(angles_deg.y);
    DVec3::new(-sin_yaw * cos_pitch, sin_pitch, -cos_yaw * cos_pitch)
}

fn series(x: f64, terms: &[f64]) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

/// The `N`-th root of a positive number: a guess from the exponent, then Newton.
fn root<const N: u64>(x: f64) -> f64 {
    const ONE: u64 = 1023 << 52;
    let guess = f64::from_bits((x.to_bits() / N) + (ONE - ONE / N));
    let n = N as f64;
    let mut y = guess;
    // The guess is off by at most 12 %; five steps that square the error reach the last bit.
    for _ in 0..5 {
        let mut power = y;
        for _ in 2..N {
            power *= y;
        }
        y += (x / power - y) / n;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_agree_with_the_library_and_undo_each_other() {
        for step in 0..=4000 {
            let value = f64::from(step) / 2000.0;
            let linear = if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            };
            assert!((decode(value) - linear).abs() < 1e-13, "decode {value}");
            let encoded = if value <= 0.0031308 {
                value * 12.92
            } else {
                1.055 * value.powf(1.0 / 2.4) - 0.055
            };
            assert!((encode(value) - encoded).abs() < 1e-13, "encode {value}");
        }
        for byte in 0..=255u32 {
            let value = f64::from(byte) / 255.0;
            assert_eq!((encode(decode(value)) * 255.0).round() as u32, byte);
        }
    }

    #[test]
    fn angles_agree_with_the_library() {
        for step in -1000..=1000 {
            let angle_deg = f64::from(step) * 0.77;
            let (sin, cos) = sin_cos_deg(angle_deg);
            let (want_sin, want_cos) = angle_deg.to_radians().sin_cos();
            assert!(
                (sin - want_sin).abs() < 1e-14 && (cos - want_cos).abs() < 1e-14,
                "{angle_deg}"
            );
        }
        assert_eq!(sin_cos_deg(90.0), (1.0, -0.0));
        assert_eq!(sin_cos_deg(f64::NAN), (0.0, 1.0));
    }

    #[test]
    fn forward_follows_the_format() {
        let close = |a: DVec3, b: DVec3| (a - b).length() < 1e-14;
        assert!(close(forward(DVec3::ZERO), DVec3::NEG_Z));
        assert!(close(forward(DVec3::new(0.0, 90.0, 0.0)), DVec3::NEG_X));
        assert!(close(forward(DVec3::new(90.0, 30.0, 7.0)), DVec3::Y));
    }
}
