//! The recipes of Mapwright's own textures. Each is a function of the place (0..1, repeating) and is shaded from its height.

use crate::noise::blocks;
use crate::noise::cells;
use crate::noise::fbm;
use crate::noise::hash;
use crate::noise::lerp;
use crate::noise::step;
use crate::noise::value;

type Rgb = [f32; 3];

/// One point of a surface: colour as shown on screen (0..1), height (0..1), opacity.
pub struct Texel {
    color: Rgb,
    height: f32,
    alpha: f32,
}

/// A texture: name, pixels per side, how strongly height shades it, and its surface.
pub struct Recipe {
    pub name: &'static str,
    pub size: u32,
    pub relief: f32,
    pub paint: fn(f32, f32) -> Texel,
}

impl Recipe {
    /// RGBA8 rows, top first.
    pub fn pixels(&self) -> image::RgbaImage {
        image::RgbaImage::from_fn(self.size, self.size, |x, y| {
            let size = self.size as f32;
            let (u, v) = ((x as f32 + 0.5) / size, (y as f32 + 0.5) / size);
            let texel = (self.paint)(u, v);
            let e = 0.5 / size;
            let height = |u: f32, v: f32| (self.paint)(u.rem_euclid(1.0), v.rem_euclid(1.0)).height;
            let shade = if self.relief > 0.0 {
                let dx = (height(u + e, v) - height(u - e, v)) * self.relief;
                let dy = (height(u, v + e) - height(u, v - e)) * self.relief;
                // Light from the upper left, as on most painted textures.
                let length = (dx * dx + dy * dy + 1.0).sqrt();
                ((0.40 * dx + 0.52 * dy + 0.78) / length / 0.78).clamp(0.25, 1.6)
            } else {
                1.0
            };
            let byte = |c: f32| ((c * shade).clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            image::Rgba([
                byte(texel.color[0]),
                byte(texel.color[1]),
                byte(texel.color[2]),
                (texel.alpha * 255.0 + 0.5) as u8,
            ])
        })
    }
}

fn texel(color: Rgb, height: f32) -> Texel {
    Texel {
        color,
        height,
        alpha: 1.0,
    }
}

fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    let t = t.clamp(0.0, 1.0);
    [
        lerp(a[0], b[0], t),
        lerp(a[1], b[1], t),
        lerp(a[2], b[2], t),
    ]
}

fn scale(c: Rgb, f: f32) -> Rgb {
    c.map(|c| c * f)
}

/// A wall of blocks with joints; `tint` picks a colour by the block's number.
fn masonry(
    u: f32,
    v: f32,
    columns: i32,
    rows: i32,
    offset: f32,
    joint: f32,
    seed: u32,
    stone: [Rgb; 2],
    mortar: Rgb,
) -> Texel {
    let wobble = |s: u32| (fbm(u, v, 16, 16, 2, s) - 0.5) * 0.010;
    let (edge, id, _, _) = blocks(
        (u + wobble(seed)).rem_euclid(1.0),
        (v + wobble(seed + 7)).rem_euclid(1.0),
        columns,
        rows,
        offset,
        seed,
    );
    let inside = step(joint * 0.6, joint * 1.7, edge);
    let grain = fbm(u, v, 24, 24, 3, seed + 3);
    let stain = fbm(u, v, 4, 4, 3, seed + 5);
    let color = scale(
        mix(stone[0], stone[1], id),
        0.82 + 0.24 * grain + 0.16 * (stain - 0.5),
    );
    let joint_color = scale(mortar, 0.8 + 0.35 * grain);
    texel(
        mix(joint_color, color, inside),
        inside * (0.75 + 0.15 * grain + 0.10 * id) + (1.0 - inside) * 0.2 * grain,
    )
}

fn boards(u: f32, v: f32, count: i32, seed: u32, dark: Rgb, light: Rgb) -> Texel {
    let x = u * count as f32;
    let board = (x.floor() as i32).rem_euclid(count);
    let fx = x - x.floor();
    let id = hash(board, 3, seed);
    // Each board is moved along itself, so the grain does not run across joints.
    let along = (v + id).rem_euclid(1.0);
    let bend = (fbm(u, along, 8, 3, 2, seed + 1) - 0.5) * 0.5;
    let rings = ((fx * 5.0 + bend * 4.0 + id * 9.0) * std::f32::consts::TAU).sin() * 0.5 + 0.5;
    let fibre = value(u, along, count * 24, 6, seed + 2);
    let knot = {
        let (ky, kx) = (hash(board, 9, seed), 0.3 + 0.4 * hash(board, 11, seed));
        let dy = ((along - ky + 0.5).rem_euclid(1.0) - 0.5) * 9.0;
        let dx = (fx - kx) * 2.4;
        step(0.35, 0.1, (dx * dx + dy * dy).sqrt()) * if id > 0.45 { 1.0 } else { 0.0 }
    };
    let edge = fx.min(1.0 - fx);
    let gap = step(0.015, 0.045, edge);
    let tone = 0.55 * rings * 0.5 + 0.45 * fibre;
    let color = scale(mix(dark, light, tone), 0.82 + 0.30 * id);
    texel(
        scale(mix(color, scale(dark, 0.55), knot), 0.35 + 0.65 * gap),
        gap * (0.8 + 0.08 * fibre) - knot * 0.05,
    )
}

fn brick_red(u: f32, v: f32) -> Texel {
    masonry(
        u,
        v,
        4,
        8,
        0.5,
        0.07,
        11,
        [[0.47, 0.22, 0.17], [0.62, 0.31, 0.22]],
        [0.56, 0.53, 0.48],
    )
}

fn brick_brown(u: f32, v: f32) -> Texel {
    masonry(
        u,
        v,
        4,
        8,
        0.5,
        0.06,
        12,
        [[0.34, 0.25, 0.19], [0.48, 0.36, 0.27]],
        [0.42, 0.39, 0.35],
    )
}

fn brick_white(u: f32, v: f32) -> Texel {
    masonry(
        u,
        v,
        4,
        8,
        0.5,
        0.06,
        13,
        [[0.76, 0.74, 0.70], [0.86, 0.84, 0.80]],
        [0.60, 0.58, 0.55],
    )
}

fn stone_blocks(u: f32, v: f32) -> Texel {
    masonry(
        u,
        v,
        2,
        4,
        0.5,
        0.035,
        21,
        [[0.46, 0.44, 0.40], [0.60, 0.57, 0.51]],
        [0.34, 0.33, 0.31],
    )
}

fn sandstone(u: f32, v: f32) -> Texel {
    let mut t = masonry(
        u,
        v,
        2,
        4,
        0.5,
        0.03,
        22,
        [[0.66, 0.55, 0.39], [0.76, 0.65, 0.47]],
        [0.52, 0.44, 0.33],
    );
    let layers = value(
        0.0,
        (v + 0.02 * fbm(u, v, 4, 4, 3, 90)).rem_euclid(1.0),
        1,
        96,
        91,
    );
    t.color = scale(t.color, 0.94 + 0.12 * layers);
    t
}

fn stone_rough(u: f32, v: f32) -> Texel {
    let wu = (u + 0.03 * (fbm(u, v, 6, 6, 3, 31) - 0.5)).rem_euclid(1.0);
    let wv = (v + 0.03 * (fbm(u, v, 6, 6, 3, 32) - 0.5)).rem_euclid(1.0);
    let (f1, f2, id) = cells(wu, wv, 5, 6, 0.9, 33);
    let inside = step(0.04, 0.16, f2 - f1);
    let grain = fbm(u, v, 20, 20, 4, 34);
    let color = scale(
        mix([0.38, 0.37, 0.36], [0.55, 0.53, 0.49], id),
        0.75 + 0.45 * grain,
    );
    texel(
        mix([0.22, 0.21, 0.20], color, inside),
        inside * (0.6 + 0.3 * (1.0 - f1) + 0.2 * grain),
    )
}

fn cobble(u: f32, v: f32) -> Texel {
    let (f1, f2, id) = cells(u, v, 8, 8, 0.65, 41);
    let inside = step(0.03, 0.22, f2 - f1);
    let grain = fbm(u, v, 24, 24, 3, 42);
    let color = scale(
        mix([0.37, 0.37, 0.39], [0.54, 0.52, 0.49], id),
        0.78 + 0.4 * grain,
    );
    texel(
        mix(scale([0.27, 0.24, 0.19], 0.7 + 0.6 * grain), color, inside),
        inside * (1.0 - 0.75 * f1 * f1) + 0.05 * grain,
    )
}

fn flagstone(u: f32, v: f32) -> Texel {
    let (f1, f2, id) = cells(u, v, 4, 4, 0.8, 51);
    let inside = step(0.02, 0.07, f2 - f1);
    let grain = fbm(u, v, 18, 18, 4, 52);
    let color = scale(
        mix([0.50, 0.48, 0.44], [0.63, 0.60, 0.54], id),
        0.84 + 0.28 * grain,
    );
    texel(
        mix([0.30, 0.31, 0.24], color, inside),
        inside * (0.85 + 0.12 * grain) + 0.02 * f1,
    )
}

fn paving(u: f32, v: f32) -> Texel {
    masonry(
        u,
        v,
        4,
        4,
        0.0,
        0.022,
        53,
        [[0.52, 0.51, 0.49], [0.62, 0.61, 0.58]],
        [0.38, 0.38, 0.36],
    )
}

fn marble(u: f32, v: f32, base: Rgb, vein: Rgb, seed: u32) -> Texel {
    let warp = fbm(u, v, 3, 3, 5, seed);
    let line = (fbm(
        (u + 0.2 * warp).rem_euclid(1.0),
        (v + 0.1 * warp).rem_euclid(1.0),
        3,
        3,
        4,
        seed + 9,
    ) - 0.5)
        .abs();
    let veins = step(0.05, 0.0, line) * 0.8 + step(0.16, 0.0, line) * 0.25;
    let cloud = fbm(u, v, 5, 5, 3, seed + 17);
    texel(mix(scale(base, 0.94 + 0.1 * cloud), vein, veins), 0.5)
}

fn marble_tiles(u: f32, v: f32) -> Texel {
    let (edge, _, _, _) = blocks(u, v, 2, 2, 0.0, 61);
    let dark = ((u * 2.0).floor() as i32 + (v * 2.0).floor() as i32) % 2 == 0;
    let mut t = if dark {
        marble(u, v, [0.19, 0.20, 0.21], [0.50, 0.50, 0.48], 62)
    } else {
        marble(u, v, [0.82, 0.80, 0.76], [0.52, 0.50, 0.48], 66)
    };
    let inside = step(0.006, 0.016, edge);
    t.color = mix([0.3, 0.3, 0.29], t.color, inside);
    t.height = inside;
    t
}

fn marble_white(u: f32, v: f32) -> Texel {
    marble(u, v, [0.84, 0.83, 0.80], [0.56, 0.56, 0.57], 68)
}

fn plaster(u: f32, v: f32, base: Rgb, seed: u32) -> Texel {
    let coarse = fbm(u, v, 5, 5, 4, seed);
    let fine = fbm(u, v, 48, 48, 2, seed + 1);
    let trowel = value(u, v, 6, 26, seed + 2);
    texel(
        scale(base, 0.88 + 0.14 * coarse + 0.08 * fine),
        0.5 * coarse + 0.18 * fine + 0.10 * trowel,
    )
}

fn plaster_cream(u: f32, v: f32) -> Texel {
    plaster(u, v, [0.85, 0.78, 0.64], 71)
}

fn plaster_ochre(u: f32, v: f32) -> Texel {
    plaster(u, v, [0.77, 0.57, 0.34], 73)
}

fn plaster_worn(u: f32, v: f32) -> Texel {
    let cover = plaster(u, v, [0.74, 0.70, 0.62], 75);
    let under = brick_brown(u, v);
    let hole = step(0.60, 0.64, fbm(u, v, 4, 4, 5, 76));
    texel(
        mix(cover.color, under.color, hole),
        lerp(0.9 + 0.2 * cover.height, 0.7 * under.height, hole),
    )
}

fn concrete(u: f32, v: f32) -> Texel {
    let stain = fbm(u, v, 4, 4, 5, 81);
    let pores = step(0.16, 0.05, cells(u, v, 26, 26, 1.0, 82).0) * 0.5;
    let fine = fbm(u, v, 64, 64, 2, 83);
    texel(
        scale(
            [0.58, 0.58, 0.56],
            0.80 + 0.28 * stain + 0.08 * fine - 0.18 * pores,
        ),
        0.5 + 0.1 * fine - 0.4 * pores,
    )
}

fn concrete_panel(u: f32, v: f32) -> Texel {
    let mut t = concrete(u, v);
    let edge = u.min(1.0 - u).min(v.min(1.0 - v));
    let seam = step(0.006, 0.014, edge);
    let bolt = [0.09, 0.91]
        .iter()
        .flat_map(|&x| [0.09, 0.91].map(|y| ((u - x).powi(2) + (v - y).powi(2)).sqrt()))
        .fold(9.0, f32::min);
    let hole = step(0.030, 0.022, bolt);
    t.color = scale(t.color, (0.45 + 0.55 * seam) * (1.0 - 0.55 * hole));
    t.height = t.height * 0.4 + 0.6 * seam - 0.5 * hole;
    t
}

fn planks_oak(u: f32, v: f32) -> Texel {
    boards(u, v, 4, 91, [0.36, 0.23, 0.12], [0.62, 0.44, 0.26])
}

fn planks_dark(u: f32, v: f32) -> Texel {
    boards(u, v, 4, 92, [0.17, 0.11, 0.07], [0.33, 0.22, 0.14])
}

fn planks_grey(u: f32, v: f32) -> Texel {
    boards(u, v, 6, 93, [0.31, 0.30, 0.28], [0.56, 0.54, 0.50])
}

fn parquet(u: f32, v: f32) -> Texel {
    // Squares of four strips, turned by 90 degrees from one to the next.
    let (x, y) = (u * 4.0, v * 4.0);
    let (cx, cy) = (x.floor() as i32, y.floor() as i32);
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let (a, b) = if (cx + cy) % 2 == 0 {
        (fx, fy)
    } else {
        (fy, fx)
    };
    let strip = (a * 4.0).floor() as i32;
    let fa = a * 4.0 - strip as f32;
    let id = hash(cx * 4 + strip, cy, 95);
    let fibre = if (cx + cy) % 2 == 0 {
        value(u, v, 160, 10, 96)
    } else {
        value(u, v, 10, 160, 96)
    };
    let gap = step(0.02, 0.09, fa.min(1.0 - fa)) * step(0.004, 0.02, b.min(1.0 - b));
    texel(
        scale(
            mix(
                [0.38, 0.23, 0.12],
                [0.60, 0.41, 0.23],
                0.5 * fibre + 0.5 * id,
            ),
            0.45 + 0.55 * gap,
        ),
        gap,
    )
}

fn door_wood(u: f32, v: f32) -> Texel {
    let mut t = boards(u, v, 4, 97, [0.24, 0.14, 0.07], [0.42, 0.27, 0.15]);
    for y in [0.18, 0.82] {
        let band = step(0.055, 0.045, (v - y).abs());
        if band > 0.0 {
            let stud = step(
                0.022,
                0.014,
                ((u * 4.0).fract() - 0.5).abs() / 4.0 + (v - y).abs(),
            );
            let grain = fbm(u, v, 30, 30, 3, 98);
            t.color = mix(
                t.color,
                scale([0.26, 0.26, 0.27], 0.7 + 0.5 * grain + 0.3 * stud),
                band,
            );
            t.height = lerp(t.height, 1.15 + 0.3 * stud, band);
        }
    }
    t
}

fn crate_wood(u: f32, v: f32) -> Texel {
    let mut t = boards(u, v, 5, 99, [0.35, 0.24, 0.13], [0.60, 0.44, 0.26]);
    let edge = u.min(1.0 - u).min(v.min(1.0 - v));
    let frame = step(0.125, 0.115, edge);
    let diagonal = step(0.065, 0.055, (u - v).abs() * 0.72) * (1.0 - frame);
    let rail = boards(v, u, 8, 100, [0.30, 0.20, 0.11], [0.53, 0.38, 0.22]);
    let raised = frame.max(diagonal);
    let nail = [0.06, 0.94]
        .iter()
        .flat_map(|&x| [0.06, 0.94].map(|y| ((u - x).powi(2) + (v - y).powi(2)).sqrt()))
        .fold(9.0, f32::min);
    let shadow = step(0.0, 0.03, (edge - 0.12).abs()) * 0.25 + 0.75;
    t.color = mix(scale(t.color, shadow), rail.color, raised);
    t.color = mix(t.color, [0.25, 0.25, 0.26], step(0.016, 0.010, nail));
    t.height = lerp(t.height * 0.5, 0.9 + 0.2 * rail.height, raised);
    t
}

fn metal(u: f32, v: f32, base: Rgb, seed: u32) -> (Rgb, f32) {
    let brushed = value(u, v, 8, 128, seed);
    let cloud = fbm(u, v, 5, 5, 4, seed + 1);
    (
        scale(base, 0.82 + 0.14 * brushed + 0.22 * (cloud - 0.3)),
        0.5 + 0.04 * brushed,
    )
}

fn metal_plate(u: f32, v: f32) -> Texel {
    let (color, height) = metal(u, v, [0.46, 0.48, 0.50], 111);
    let (edge, id, fx, fy) = blocks(u, v, 2, 2, 0.0, 112);
    let seam = step(0.008, 0.024, edge);
    let rivet = [0.08, 0.5, 0.92]
        .iter()
        .flat_map(|&x| [0.08, 0.92].map(|y| ((fx - x).powi(2) + (fy - y).powi(2)).sqrt()))
        .fold(9.0, f32::min);
    let head = step(0.034, 0.022, rivet);
    texel(
        scale(
            color,
            (0.4 + 0.6 * seam) * (0.94 + 0.1 * id) * (1.0 + 0.12 * head),
        ),
        height * 0.3 + 0.6 * seam + 0.5 * head * (1.0 - rivet * 20.0).max(0.2),
    )
}

fn metal_tread(u: f32, v: f32) -> Texel {
    let (color, _) = metal(u, v, [0.42, 0.43, 0.44], 113);
    let (x, y) = (u * 8.0, v * 8.0);
    let odd = (x.floor() as i32 + y.floor() as i32) % 2 == 0;
    let (fx, fy) = (x.fract() - 0.5, y.fract() - 0.5);
    let (a, b) = if odd {
        (fx + fy, fx - fy)
    } else {
        (fx - fy, fx + fy)
    };
    let lug = step(1.0, 0.8, ((a / 0.62).powi(2) + (b / 0.20).powi(2)).sqrt());
    texel(scale(color, 0.85 + 0.25 * lug), lug)
}

fn metal_rust(u: f32, v: f32) -> Texel {
    let (color, height) = metal(u, v, [0.40, 0.40, 0.40], 115);
    let rust = step(0.40, 0.62, fbm(u, v, 4, 4, 5, 116));
    let grain = fbm(u, v, 40, 40, 3, 117);
    let brown = mix([0.28, 0.14, 0.07], [0.58, 0.31, 0.14], grain);
    texel(
        mix(color, brown, rust),
        height + rust * (0.15 + 0.3 * grain),
    )
}

fn metal_grate(u: f32, v: f32) -> Texel {
    let bar = |x: f32, n: f32| step(0.16, 0.12, ((x * n).fract() - 0.5).abs() - 0.0);
    let (across, along) = (bar(u, 8.0), bar(v, 8.0));
    let solid = across.max(along);
    let (color, _) = metal(u, v, [0.34, 0.35, 0.36], 119);
    let round = |x: f32| 1.0 - (((x * 8.0).fract() - 0.5) / 0.16).powi(2).min(1.0);
    Texel {
        color,
        height: (round(u) * across).max(round(v) * along),
        alpha: if solid > 0.5 { 1.0 } else { 0.0 },
    }
}

fn grass(u: f32, v: f32) -> Texel {
    let clump = fbm(u, v, 5, 5, 4, 121);
    let blade = value(u, v, 96, 40, 122) * 0.6 + value(u, v, 150, 64, 123) * 0.4;
    let dry = step(0.55, 0.8, fbm(u, v, 7, 7, 3, 124));
    let color = mix(
        mix([0.15, 0.24, 0.08], [0.36, 0.46, 0.17], blade),
        [0.48, 0.44, 0.22],
        dry * 0.5,
    );
    texel(scale(color, 0.70 + 0.55 * clump), 0.5 * clump + 0.5 * blade)
}

fn dirt(u: f32, v: f32) -> Texel {
    let coarse = fbm(u, v, 6, 6, 5, 125);
    let (f1, _, id) = cells(u, v, 20, 20, 1.0, 126);
    let pebble = step(0.30, 0.18, f1) * if id > 0.7 { 1.0 } else { 0.0 };
    texel(
        mix(
            scale([0.40, 0.30, 0.20], 0.65 + 0.6 * coarse),
            scale([0.52, 0.47, 0.41], 0.8 + 0.3 * id),
            pebble,
        ),
        coarse * 0.7 + pebble * (0.4 - f1),
    )
}

fn sand(u: f32, v: f32) -> Texel {
    let warp = fbm(u, v, 4, 4, 3, 127);
    let ripple = ((v * 10.0 + warp * 2.5) * std::f32::consts::TAU).sin() * 0.5 + 0.5;
    let grain = value(u, v, 200, 200, 128);
    texel(
        scale([0.80, 0.70, 0.50], 0.86 + 0.08 * ripple + 0.14 * grain),
        0.6 * ripple + 0.15 * grain,
    )
}

fn gravel(u: f32, v: f32) -> Texel {
    let (f1, f2, id) = cells(u, v, 18, 18, 1.0, 129);
    let inside = step(0.02, 0.2, f2 - f1);
    let grain = fbm(u, v, 40, 40, 2, 130);
    texel(
        scale(
            mix([0.36, 0.35, 0.34], [0.64, 0.61, 0.57], id),
            (0.45 + 0.55 * inside) * (0.85 + 0.3 * grain),
        ),
        inside * (1.0 - f1 * 0.8) * (0.6 + 0.4 * id),
    )
}

fn roof_tiles(u: f32, v: f32) -> Texel {
    let y = v * 8.0;
    let row = (y.floor() as i32).rem_euclid(8);
    let fy = y - y.floor();
    let x = u * 8.0 + if row % 2 == 1 { 0.5 } else { 0.0 };
    let column = (x.floor() as i32).rem_euclid(8);
    let fx = x - x.floor() - 0.5;
    // Rounded lower ends; the next row lies under them.
    let lower = fy - (1.0 - 2.2 * fx * fx).max(0.5);
    let on = step(0.04, -0.02, lower);
    let id = hash(column, row, 131);
    let grain = fbm(u, v, 30, 30, 3, 132);
    let color = scale(
        mix([0.50, 0.22, 0.14], [0.66, 0.34, 0.22], id),
        (0.75 + 0.35 * grain) * (0.55 + 0.45 * on),
    );
    texel(color, on * (0.4 + 0.6 * fy) * (1.0 - 1.4 * fx * fx))
}

fn slate(u: f32, v: f32) -> Texel {
    masonry(
        u,
        v,
        6,
        10,
        0.5,
        0.035,
        133,
        [[0.25, 0.28, 0.32], [0.36, 0.39, 0.42]],
        [0.13, 0.14, 0.15],
    )
}

fn tiles(u: f32, v: f32, a: Rgb, b: Rgb, grout: Rgb, n: i32, seed: u32) -> Texel {
    let (edge, id, fx, fy) = blocks(u, v, n, n, 0.0, seed);
    let inside = step(0.02, 0.055, edge);
    let glaze = 0.94 + 0.12 * fbm(u, v, 6, 6, 3, seed + 1) + 0.05 * (1.0 - fx - fy);
    texel(mix(grout, scale(mix(a, b, id), glaze), inside), inside)
}

fn tiles_white(u: f32, v: f32) -> Texel {
    tiles(
        u,
        v,
        [0.82, 0.83, 0.82],
        [0.88, 0.89, 0.88],
        [0.55, 0.55, 0.53],
        8,
        141,
    )
}

fn tiles_blue(u: f32, v: f32) -> Texel {
    tiles(
        u,
        v,
        [0.12, 0.34, 0.46],
        [0.20, 0.47, 0.58],
        [0.62, 0.64, 0.62],
        8,
        143,
    )
}

fn trim_stone(u: f32, v: f32) -> Texel {
    let grain = fbm(u, v, 24, 24, 4, 151);
    // A moulding that runs along u: fillets and a round.
    let fillet = step(0.02, 0.05, v) * step(0.98, 0.95, v);
    let round = if (0.3..0.7).contains(&v) {
        (1.0 - ((v - 0.5) / 0.2).powi(2)).max(0.0).sqrt()
    } else {
        0.0
    };
    let joint = step(0.004, 0.012, (u * 2.0).fract().min(1.0 - (u * 2.0).fract()));
    texel(
        scale(
            [0.68, 0.65, 0.58],
            (0.80 + 0.30 * grain) * (0.55 + 0.45 * joint),
        ),
        0.4 * fillet + 0.6 * round + 0.1 * grain,
    )
}

fn water(u: f32, v: f32) -> Texel {
    let wave = |s: u32, p: i32| {
        let n = fbm(u, v, p, p, 3, s);
        1.0 - (2.0 * n - 1.0).abs()
    };
    let caustic = (wave(161, 5) * wave(165, 7)).powi(3);
    Texel {
        color: mix([0.08, 0.26, 0.31], [0.45, 0.70, 0.72], caustic * 1.5),
        height: wave(161, 5),
        alpha: 0.62,
    }
}

fn glass(u: f32, v: f32) -> Texel {
    let streak = step(
        0.47,
        0.53,
        ((u + v) * 1.0 + 0.05 * fbm(u, v, 4, 4, 3, 167)).fract(),
    ) * 0.10;
    Texel {
        color: [0.70 + streak, 0.82 + streak, 0.84 + streak],
        height: 0.5,
        alpha: 0.28,
    }
}

fn window_panes(u: f32, v: f32) -> Texel {
    let (fx, fy) = ((u * 2.0).fract(), (v * 3.0).fract());
    let bar = fx.min(1.0 - fx).min(fy.min(1.0 - fy) * 0.7);
    let frame = step(0.085, 0.07, bar);
    let sky = mix(
        [0.30, 0.40, 0.50],
        [0.62, 0.70, 0.76],
        (1.0 - v) * 0.8 + 0.3 * fbm(u, v, 4, 4, 4, 171),
    );
    let wood = scale([0.88, 0.86, 0.80], 0.9 + 0.15 * fbm(u, v, 40, 8, 2, 172));
    texel(mix(sky, wood, frame), frame * 0.8)
}

fn lamp(u: f32, v: f32) -> Texel {
    let edge = u.min(1.0 - u).min(v.min(1.0 - v));
    let frame = step(0.10, 0.085, edge);
    let slats = 0.90 + 0.10 * ((v * 16.0).fract() - 0.5).abs() * 2.0;
    texel(
        mix(scale([1.0, 0.93, 0.74], slats), [0.27, 0.25, 0.22], frame),
        frame,
    )
}

fn sky(u: f32, v: f32) -> Texel {
    let cloud = fbm(u, v, 3, 3, 6, 181);
    let cover = step(0.48, 0.72, cloud);
    texel(
        mix(
            [0.36, 0.55, 0.78],
            mix(
                [0.93, 0.94, 0.95],
                [0.72, 0.76, 0.82],
                step(0.6, 0.9, cloud),
            ),
            cover,
        ),
        0.5,
    )
}

/// A tool material: one colour, a frame, and diagonal stripes of a slope of its own, so that they differ in grey too.
fn tool(u: f32, v: f32, color: Rgb, stripes: (f32, f32), alpha: f32) -> Texel {
    let edge = u.min(1.0 - u).min(v.min(1.0 - v));
    let frame = step(0.035, 0.03, edge);
    let stripe = if (u * stripes.0 + v * stripes.1).rem_euclid(1.0) < 0.5 {
        1.0
    } else {
        0.78
    };
    Texel {
        color: scale(color, if frame > 0.5 { 0.45 } else { stripe }),
        height: 0.0,
        alpha,
    }
}

fn tool_clip(u: f32, v: f32) -> Texel {
    tool(u, v, [0.70, 0.38, 0.72], (4.0, 4.0), 0.55)
}

fn tool_trigger(u: f32, v: f32) -> Texel {
    tool(u, v, [0.90, 0.62, 0.24], (4.0, -4.0), 0.55)
}

fn tool_nodraw(u: f32, v: f32) -> Texel {
    tool(u, v, [0.62, 0.62, 0.64], (8.0, 0.0), 0.55)
}

fn tool_origin(u: f32, v: f32) -> Texel {
    tool(u, v, [0.88, 0.40, 0.36], (0.0, 8.0), 0.55)
}

fn tool_hint(u: f32, v: f32) -> Texel {
    tool(u, v, [0.34, 0.68, 0.46], (8.0, 8.0), 0.55)
}

fn tool_sky(u: f32, v: f32) -> Texel {
    let mut t = sky(u, v);
    let edge = u.min(1.0 - u).min(v.min(1.0 - v));
    if edge < 0.03 {
        t.color = [0.20, 0.42, 0.70];
    }
    t
}

fn missing(u: f32, v: f32) -> Texel {
    let dark = ((u * 8.0).floor() as i32 + (v * 8.0).floor() as i32) % 2 == 0;
    texel(
        if dark {
            [0.20, 0.06, 0.20]
        } else {
            [0.92, 0.18, 0.82]
        },
        0.0,
    )
}

/// Every texture that ships, by name.
pub static RECIPES: &[Recipe] = &[
    Recipe {
        name: "brick_brown",
        size: 256,
        relief: 5.0,
        paint: brick_brown,
    },
    Recipe {
        name: "brick_red",
        size: 256,
        relief: 5.0,
        paint: brick_red,
    },
    Recipe {
        name: "brick_white",
        size: 256,
        relief: 4.0,
        paint: brick_white,
    },
    Recipe {
        name: "cobble",
        size: 256,
        relief: 9.0,
        paint: cobble,
    },
    Recipe {
        name: "concrete",
        size: 256,
        relief: 3.0,
        paint: concrete,
    },
    Recipe {
        name: "concrete_panel",
        size: 256,
        relief: 4.0,
        paint: concrete_panel,
    },
    Recipe {
        name: "crate_wood",
        size: 256,
        relief: 4.0,
        paint: crate_wood,
    },
    Recipe {
        name: "dirt",
        size: 256,
        relief: 7.0,
        paint: dirt,
    },
    Recipe {
        name: "door_wood",
        size: 256,
        relief: 4.0,
        paint: door_wood,
    },
    Recipe {
        name: "flagstone",
        size: 256,
        relief: 5.0,
        paint: flagstone,
    },
    Recipe {
        name: "glass",
        size: 256,
        relief: 0.0,
        paint: glass,
    },
    Recipe {
        name: "grass",
        size: 256,
        relief: 5.0,
        paint: grass,
    },
    Recipe {
        name: "gravel",
        size: 256,
        relief: 8.0,
        paint: gravel,
    },
    Recipe {
        name: "lamp",
        size: 256,
        relief: 3.0,
        paint: lamp,
    },
    Recipe {
        name: "marble_tiles",
        size: 256,
        relief: 3.0,
        paint: marble_tiles,
    },
    Recipe {
        name: "marble_white",
        size: 256,
        relief: 0.0,
        paint: marble_white,
    },
    Recipe {
        name: "metal_grate",
        size: 256,
        relief: 6.0,
        paint: metal_grate,
    },
    Recipe {
        name: "metal_plate",
        size: 256,
        relief: 5.0,
        paint: metal_plate,
    },
    Recipe {
        name: "metal_rust",
        size: 256,
        relief: 4.0,
        paint: metal_rust,
    },
    Recipe {
        name: "metal_tread",
        size: 256,
        relief: 6.0,
        paint: metal_tread,
    },
    Recipe {
        name: "parquet",
        size: 256,
        relief: 2.0,
        paint: parquet,
    },
    Recipe {
        name: "paving",
        size: 256,
        relief: 4.0,
        paint: paving,
    },
    Recipe {
        name: "planks_dark",
        size: 256,
        relief: 4.0,
        paint: planks_dark,
    },
    Recipe {
        name: "planks_grey",
        size: 256,
        relief: 4.0,
        paint: planks_grey,
    },
    Recipe {
        name: "planks_oak",
        size: 256,
        relief: 4.0,
        paint: planks_oak,
    },
    Recipe {
        name: "plaster_cream",
        size: 256,
        relief: 6.0,
        paint: plaster_cream,
    },
    Recipe {
        name: "plaster_ochre",
        size: 256,
        relief: 6.0,
        paint: plaster_ochre,
    },
    Recipe {
        name: "plaster_worn",
        size: 256,
        relief: 5.0,
        paint: plaster_worn,
    },
    Recipe {
        name: "roof_tiles",
        size: 256,
        relief: 7.0,
        paint: roof_tiles,
    },
    Recipe {
        name: "sand",
        size: 256,
        relief: 4.0,
        paint: sand,
    },
    Recipe {
        name: "sandstone",
        size: 256,
        relief: 5.0,
        paint: sandstone,
    },
    Recipe {
        name: "sky",
        size: 512,
        relief: 0.0,
        paint: sky,
    },
    Recipe {
        name: "slate",
        size: 256,
        relief: 4.0,
        paint: slate,
    },
    Recipe {
        name: "stone_blocks",
        size: 256,
        relief: 6.0,
        paint: stone_blocks,
    },
    Recipe {
        name: "stone_rough",
        size: 256,
        relief: 8.0,
        paint: stone_rough,
    },
    Recipe {
        name: "tiles_blue",
        size: 256,
        relief: 3.0,
        paint: tiles_blue,
    },
    Recipe {
        name: "tiles_white",
        size: 256,
        relief: 3.0,
        paint: tiles_white,
    },
    Recipe {
        name: "trim_stone",
        size: 256,
        relief: 6.0,
        paint: trim_stone,
    },
    Recipe {
        name: "water",
        size: 256,
        relief: 2.0,
        paint: water,
    },
    Recipe {
        name: "window_panes",
        size: 256,
        relief: 4.0,
        paint: window_panes,
    },
    Recipe {
        name: "tool_clip",
        size: 256,
        relief: 0.0,
        paint: tool_clip,
    },
    Recipe {
        name: "tool_hint",
        size: 256,
        relief: 0.0,
        paint: tool_hint,
    },
    Recipe {
        name: "tool_nodraw",
        size: 256,
        relief: 0.0,
        paint: tool_nodraw,
    },
    Recipe {
        name: "tool_origin",
        size: 256,
        relief: 0.0,
        paint: tool_origin,
    },
    Recipe {
        name: "tool_sky",
        size: 256,
        relief: 0.0,
        paint: tool_sky,
    },
    Recipe {
        name: "tool_trigger",
        size: 256,
        relief: 0.0,
        paint: tool_trigger,
    },
    Recipe {
        name: "missing",
        size: 256,
        relief: 0.0,
        paint: missing,
    },
];
