//! The colours of views, as roles (`look.md` 8). The theme may hand over others.

use crate::editor::overlay::Role;
use crate::viewport::Family;

/// sRGB bytes.
type Rgb = [u8; 3];

/// Colours of everything that is not a texture. The default is the dark column, which 3D views use in every theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colors {
    pub background_2d: Rgb,
    pub background_3d: Rgb,
    pub grid_minor: Rgb,
    pub grid_major: Rgb,
    pub grid_super: Rgb,
    pub axis: [Rgb; 3],
    pub brush: Rgb,
    pub brush_entity: Rgb,
    pub mesh: Rgb,
    pub selected: Rgb,
    pub hover: Rgb,
    pub handle: Rgb,
    pub handle_selected: Rgb,
    pub locked: Rgb,
    pub refused: Rgb,
    pub leak: Rgb,
    pub link: Rgb,
    /// By [`Family`].
    pub entity: [Rgb; 7],
    /// Lines of the grid on faces in 3D.
    pub grid_3d: Rgb,
}

const fn hex(rgb: u32) -> Rgb {
    let [_, r, g, b] = rgb.to_be_bytes();
    [r, g, b]
}

impl Colors {
    /// The dark column of `look.md` 8.
    pub const DARK: Self = Self {
        background_2d: hex(0x131519),
        background_3d: hex(0x0e1013),
        grid_minor: hex(0x1d2026),
        grid_major: hex(0x2a2e36),
        grid_super: hex(0x404651),
        axis: [hex(0xe0566b), hex(0x9fcf4a), hex(0x4a90f0)],
        brush: hex(0x8f98a6),
        brush_entity: hex(0xb79ae0),
        mesh: hex(0x66a89a),
        selected: hex(0xff5f3d),
        hover: hex(0xf2f5f9),
        handle: hex(0xffd45a),
        handle_selected: hex(0xff3b30),
        locked: hex(0x565d68),
        refused: hex(0xff6b63),
        leak: hex(0xff5fd2),
        link: hex(0x7fd0c0),
        entity: [
            hex(0xf2cf5b),
            hex(0x72c58b),
            hex(0x86b7f0),
            hex(0xe58fb1),
            hex(0x9ad0d8),
            hex(0xb79ae0),
            hex(0xa6adb8),
        ],
        // 0.75, 0.85, 0.9.
        grid_3d: hex(0xbfd9e6),
    };

    /// The light column, for 2D views of a light window.
    pub const LIGHT: Self = Self {
        background_2d: hex(0xf7f8f9),
        background_3d: hex(0x0e1013),
        grid_minor: hex(0xebedf0),
        grid_major: hex(0xd9dde2),
        grid_super: hex(0xb9c0c9),
        axis: [hex(0xa61e3a), hex(0x447d0a), hex(0x1c62c9)],
        brush: hex(0x545d6a),
        brush_entity: hex(0x7a4fb5),
        mesh: hex(0x2b7568),
        selected: hex(0xd83c1a),
        hover: hex(0x111418),
        handle: hex(0xffc933),
        handle_selected: hex(0xd8281e),
        locked: hex(0xa9b0ba),
        refused: hex(0xb3261e),
        leak: hex(0xb8189a),
        link: hex(0x14746a),
        entity: [
            hex(0x8a6400),
            hex(0x1f7a3d),
            hex(0x1f5fb0),
            hex(0xa8326a),
            hex(0x146c7a),
            hex(0x7a4fb5),
            hex(0x4a525d),
        ],
        grid_3d: hex(0xbfd9e6),
    };

    /// The colour of an overlay's role.
    #[must_use]
    pub fn of_role(&self, role: Role) -> Rgb {
        match role {
            Role::Selected => self.selected,
            Role::Hover => self.hover,
            Role::Handle | Role::Guide => self.handle,
            Role::HandleSelected => self.handle_selected,
            Role::Refused => self.refused,
            Role::AxisX => self.axis[0],
            Role::AxisY => self.axis[1],
            Role::AxisZ => self.axis[2],
            Role::Leak => self.leak,
            Role::Link => self.link,
            Role::Ghost => self.brush,
        }
    }

    #[must_use]
    pub fn of_family(&self, family: Family) -> Rgb {
        self.entity[family as usize]
    }
}

impl Default for Colors {
    fn default() -> Self {
        Self::DARK
    }
}

/// One sRGB-encoded channel (0..1) to linear light.
pub(crate) fn decode(encoded: f32) -> f32 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

/// Linear light (0..1) to an sRGB-encoded channel.
pub(crate) fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Linear red, green, blue and this alpha.
pub(crate) fn linear(rgb: Rgb, alpha: f32) -> [f32; 4] {
    let [r, g, b] = rgb.map(|byte| decode(f32::from(byte) / 255.0));
    [r, g, b, alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_decoding_and_encoding() {
        for byte in 0..=255u8 {
            let back = encode(decode(f32::from(byte) / 255.0)) * 255.0;
            assert!((back - f32::from(byte)).abs() < 0.01, "{byte} {back}");
        }
        assert_eq!(Colors::DARK.selected, [0xff, 0x5f, 0x3d]);
    }
}
