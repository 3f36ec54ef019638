//! Periodic noise: everything repeats at 1 in both directions, so every picture tiles.

/// 0..1, the same on every machine.
pub fn hash(x: i32, y: i32, seed: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77)
        ^ seed.wrapping_mul(0xC2B2_AE3D);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2C1B_3C6D);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    (h >> 8) as f32 / (1 << 24) as f32
}

fn smooth(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

pub fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// 0 below `a`, 1 above `b`, smooth between.
pub fn step(a: f32, b: f32, x: f32) -> f32 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Value noise, 0..1, with `px` by `py` cells in one repeat.
pub fn value(u: f32, v: f32, px: i32, py: i32, seed: u32) -> f32 {
    let (x, y) = (u * px as f32, v * py as f32);
    let (ix, iy) = (x.floor() as i32, y.floor() as i32);
    let (fx, fy) = (smooth(x - ix as f32), smooth(y - iy as f32));
    let at = |dx: i32, dy: i32| hash((ix + dx).rem_euclid(px), (iy + dy).rem_euclid(py), seed);
    lerp(
        lerp(at(0, 0), at(1, 0), fx),
        lerp(at(0, 1), at(1, 1), fx),
        fy,
    )
}

/// Sum of octaves, 0..1, mean 0.5.
pub fn fbm(u: f32, v: f32, px: i32, py: i32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 1.0, 0.0);
    for octave in 0..octaves {
        sum += weight * value(u, v, px << octave, py << octave, seed + octave * 101);
        total += weight;
        weight *= 0.5;
    }
    sum / total
}

/// Distance to the nearest and the second nearest of one random point per cell (in cells), and the nearest's number.
pub fn cells(u: f32, v: f32, px: i32, py: i32, jitter: f32, seed: u32) -> (f32, f32, f32) {
    let (x, y) = (u * px as f32, v * py as f32);
    let (ix, iy) = (x.floor() as i32, y.floor() as i32);
    let (mut first, mut second, mut id) = (9.0_f32, 9.0_f32, 0.0);
    for dy in -2..=2 {
        for dx in -2..=2 {
            let (cx, cy) = ((ix + dx).rem_euclid(px), (iy + dy).rem_euclid(py));
            let jx = 0.5 + jitter * (hash(cx, cy, seed) - 0.5);
            let jy = 0.5 + jitter * (hash(cx, cy, seed + 1) - 0.5);
            let (ex, ey) = ((ix + dx) as f32 + jx - x, (iy + dy) as f32 + jy - y);
            let d = (ex * ex + ey * ey).sqrt();
            if d < first {
                second = first;
                first = d;
                id = hash(cx, cy, seed + 2);
            } else if d < second {
                second = d;
            }
        }
    }
    (first, second, id)
}

/// A wall of blocks: distance to the nearest joint (in rows), a random number of the block, and the place in it (0..1 both ways).
/// Every second row is moved by `offset` blocks.
pub fn blocks(
    u: f32,
    v: f32,
    columns: i32,
    rows: i32,
    offset: f32,
    seed: u32,
) -> (f32, f32, f32, f32) {
    let y = v * rows as f32;
    let row = (y.floor() as i32).rem_euclid(rows);
    let x = u * columns as f32 + if row % 2 == 1 { offset } else { 0.0 };
    let column = (x.floor() as i32).rem_euclid(columns);
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let aspect = rows as f32 / columns as f32;
    let edge = (fx.min(1.0 - fx) * aspect).min(fy.min(1.0 - fy));
    (edge, hash(column, row, seed), fx, fy)
}
