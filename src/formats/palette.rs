//! Palettes of 256 colours, and one of our own for Quake pictures whose game is not at hand.
//!
//! WAD2 files hold no palette: the game does. The default here keeps that family's order of hues and shades, sixteen to a row,
//! in numbers of our own; the game's `palette.lmp`, where the user has it, gives the true colours.

/// Red, green, blue of each index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette(pub [[u8; 3]; 256]);

/// The index that is transparent in `{` textures.
pub const TRANSPARENT: u8 = 255;

/// Darkest, middle and brightest colour of a row of sixteen shades.
type Ramp = [[u8; 3]; 3];

/// Rows 0 to 13 in the order of their indices; from row 8 on the bright end comes first.
const RAMPS: [Ramp; 14] = [
    [[0, 0, 0], [118, 118, 118], [236, 236, 236]],
    [[14, 10, 6], [78, 56, 32], [140, 104, 64]],
    [[10, 10, 14], [70, 70, 100], [138, 138, 202]],
    [[0, 0, 0], [56, 56, 8], [106, 106, 14]],
    [[6, 0, 0], [62, 2, 2], [126, 4, 4]],
    [[18, 18, 0], [84, 70, 8], [174, 126, 46]],
    [[34, 18, 6], [124, 64, 30], [226, 186, 130]],
    [[42, 24, 12], [132, 78, 40], [252, 242, 158]],
    [[10, 6, 6], [96, 72, 96], [170, 138, 162]],
    [[10, 6, 6], [104, 66, 84], [186, 114, 158]],
    [[14, 10, 6], [114, 94, 76], [218, 194, 186]],
    [[6, 10, 6], [60, 82, 68], [110, 130, 122]],
    [[14, 10, 0], [132, 106, 14], [254, 242, 26]],
    [[0, 0, 10], [24, 24, 122], [4, 4, 254]],
];

/// Row 14: fire, dark red to yellow.
const FIRE: Ramp = [[38, 0, 0], [182, 84, 20], [250, 230, 120]];

/// Row 15: colours that shine by themselves in the game; the last is the transparent one.
const BRIGHT: [[u8; 3]; 16] = [
    [166, 122, 58],
    [182, 150, 54],
    [198, 198, 54],
    [226, 226, 86],
    [126, 190, 254],
    [170, 230, 254],
    [214, 254, 254],
    [102, 0, 0],
    [138, 0, 0],
    [178, 0, 0],
    [214, 0, 0],
    [254, 0, 0],
    [254, 242, 146],
    [254, 246, 198],
    [254, 254, 254],
    [158, 90, 82],
];

impl Palette {
    /// Stands in for the Quake palette.
    #[must_use]
    pub fn quake_like() -> Self {
        let mut colors = [[0; 3]; 256];
        for (row, ramp) in RAMPS.iter().enumerate() {
            for shade in 0..16 {
                let index = if row < 8 { shade } else { 15 - shade };
                colors[row * 16 + index] = between(ramp, shade);
            }
        }
        for shade in 0..16 {
            colors[14 * 16 + shade] = between(&FIRE, shade);
        }
        colors[15 * 16..].copy_from_slice(&BRIGHT);
        Self(colors)
    }

    /// From red, green, blue bytes; missing colours are black. `None` when there is not even one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() < 3 {
            return None;
        }
        let mut colors = [[0; 3]; 256];
        for (color, rgb) in colors.iter_mut().zip(bytes.chunks_exact(3)) {
            *color = [rgb[0], rgb[1], rgb[2]];
        }
        Some(Self(colors))
    }
}

/// Shade 0..=15 along a ramp.
fn between(ramp: &Ramp, shade: usize) -> [u8; 3] {
    let place = shade as f32 / 15.0 * 2.0;
    let (from, to, part) = if place < 1.0 {
        (ramp[0], ramp[1], place)
    } else {
        (ramp[1], ramp[2], place - 1.0)
    };
    std::array::from_fn(|channel| {
        let (from, to) = (f32::from(from[channel]), f32::from(to[channel]));
        (from + (to - from) * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_run_from_dark_to_bright_and_back() {
        let Palette(colors) = Palette::quake_like();
        let brightness = |index: usize| {
            colors[index]
                .iter()
                .map(|&channel| u32::from(channel))
                .sum::<u32>()
        };
        for row in 0..14 {
            let (first, last) = (brightness(row * 16), brightness(row * 16 + 15));
            assert_eq!(first < last, row < 8, "row {row}");
        }
        assert_eq!(
            (colors[0], colors[15], colors[255]),
            ([0; 3], [236; 3], [158, 90, 82])
        );
    }

    #[test]
    fn short_palettes_are_filled_up() {
        let palette = Palette::from_bytes(&[1, 2, 3, 4, 5, 6]).expect("two colours");
        assert_eq!(palette.0[..3], [[1, 2, 3], [4, 5, 6], [0; 3]]);
        assert!(Palette::from_bytes(&[1, 2]).is_none());
    }
}
