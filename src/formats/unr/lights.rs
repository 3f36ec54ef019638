//! Light actors as lights of a map (`unr.md` 8.4): colour and strength from hue, saturation and brightness, the law by effect.

use glam::DVec3;

use crate::document::Entity;
use crate::formats::ogz::entities::short;
use crate::formats::ogz::entities::triple;
use crate::formats::unr::defaults::Known;

/// Brightest value of a channel before the division by 255.
const FULL: f64 = 104.0;

pub const TYPES: [&str; 10] = [
    "LT_None",
    "LT_Steady",
    "LT_Pulse",
    "LT_Blink",
    "LT_Flicker",
    "LT_Strobe",
    "LT_BackdropLight",
    "LT_SubtlePulse",
    "LT_TexturePaletteOnce",
    "LT_TexturePaletteLoop",
];

pub const EFFECTS: [&str; 20] = [
    "LE_None",
    "LE_TorchWaver",
    "LE_FireWaver",
    "LE_WateryShimmer",
    "LE_Searchlight",
    "LE_SlowWave",
    "LE_FastWave",
    "LE_CloudCast",
    "LE_StaticSpot",
    "LE_Shock",
    "LE_Disco",
    "LE_Warp",
    "LE_Spotlight",
    "LE_NonIncidence",
    "LE_Shell",
    "LE_OmniBumpMap",
    "LE_Interference",
    "LE_Cylinder",
    "LE_Rotor",
    "LE_Unused",
];

const NONE: usize = 0;
const STEADY: usize = 1;

/// How the light of an actor falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Point,
    /// Around the actor's X axis.
    Spot,
    /// The angle of the surface does not matter.
    NonIncidence,
    /// Any height, the angle does not matter.
    Cylinder,
    /// Only near its radius.
    Shell,
}

/// What shines from an actor, in the file's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shine {
    /// Channels of 0 to [`FULL`], before the division by 255.
    pub rgb: DVec3,
    /// Units.
    pub radius: f64,
    pub shape: Shape,
    /// `LightCone`, 0 to 255.
    pub cone: f64,
    /// Takes light away (Harry Potter).
    pub is_dark: bool,
    /// Reaches only surfaces for special lights.
    pub is_special: bool,
    /// Number of its `LightType`, never none.
    pub kind: usize,
    /// Number of its `LightEffect`.
    pub effect: usize,
}

/// Channels of 0 to [`FULL`] of hue, saturation (255: white) and brightness, each 0 to 255.
#[must_use]
pub fn rgb(hue: u8, saturation: u8, brightness: u8) -> DVec3 {
    let v = 6.512_735 * f64::from(brightness).sqrt();
    if saturation >= 250 {
        return DVec3::splat(v);
    }
    let mut c = f64::from(saturation) / 2.5;
    if c > 32.0 {
        c += 2.0;
    }
    let low = c * v / FULL;
    // Of the way from one main colour to the next; 255 is all the way back to red.
    let f = f64::from(hue - hue.min(254) / 85 * 85) / 85.0;
    let falling = (1.0 - f) * v + f * low;
    let rising = f * v + (1.0 - f) * low;
    match hue {
        0..85 => DVec3::new(falling, rising, low),
        85..170 => DVec3::new(low, falling, rising),
        _ => DVec3::new(rising, low, falling),
    }
}

/// World radius in units of a `LightRadius`.
#[must_use]
pub fn radius(stored: u8) -> f64 {
    25.0 * (f64::from(stored) + 1.0)
}

impl Shine {
    /// `None` when nothing shines.
    #[must_use]
    pub fn of(known: &Known<'_>) -> Option<Self> {
        // Text may name a kind that nobody knows: steady.
        let kind = known.value("LightType").map_or(NONE, |_| {
            known.choice("LightType", &TYPES).unwrap_or(STEADY)
        });
        if kind == NONE {
            return None;
        }
        let effect = known.choice("LightEffect", &EFFECTS).unwrap_or(0);
        let byte = |name: &str| known.byte(name).unwrap_or(0);
        Some(Self {
            rgb: rgb(
                byte("LightHue"),
                byte("LightSaturation"),
                byte("LightBrightness"),
            ),
            radius: radius(byte("LightRadius")),
            shape: match effect {
                8 | 12 => Shape::Spot,
                13 => Shape::NonIncidence,
                14 => Shape::Shell,
                17 => Shape::Cylinder,
                _ => Shape::Point,
            },
            cone: f64::from(byte("LightCone")),
            is_dark: known.bool("bDarkLight"),
            is_special: known.bool("bSpecialLit"),
            kind,
            effect,
        })
    }

    /// Half angle of a spot in degrees.
    #[must_use]
    pub fn outer_deg(&self) -> f64 {
        (1.0 - self.cone / 255.0)
            .clamp(-1.0, 1.0)
            .acos()
            .to_degrees()
    }

    /// True when the map's own laws say all of it: steady, and of a shape that there is a law for.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.kind == STEADY && matches!(self.effect, 0 | 8 | 12 | 13 | 17)
    }

    /// The kind and the effect by name, as far as they are out of the ordinary.
    #[must_use]
    pub fn named(&self) -> String {
        let kind = (self.kind != STEADY)
            .then(|| TYPES.get(self.kind))
            .flatten();
        let effect = (self.effect != 0)
            .then(|| EFFECTS.get(self.effect))
            .flatten();
        let words = kind.into_iter().chain(effect);
        words.copied().collect::<Vec<_>>().join(" ")
    }

    /// Makes an entity at the actor's place a light of the map; its class goes to `_class` where it had another.
    pub fn put(&self, entity: &mut Entity) {
        let class = if self.shape == Shape::Spot {
            "light_spot"
        } else {
            "light"
        };
        if entity.class != class {
            let old = std::mem::replace(&mut entity.class, class.to_owned());
            entity.set_key("_class", old);
        }
        let peak = self.rgb.max_element();
        let color = if peak > 0.0 {
            self.rgb / peak
        } else {
            DVec3::ONE
        };
        // A negative intensity is read as 0 (`hmap.md` 5).
        let intensity = if self.is_dark {
            0.0
        } else {
            2.0 * peak / 255.0
        };
        entity.set_key("color", triple(color));
        entity.set_key("intensity", short(intensity));
        entity.set_key("radius", short(self.radius));
        entity.set_key(
            "falloff",
            match self.shape {
                Shape::Point | Shape::Spot | Shape::Shell => "unreal",
                Shape::NonIncidence => "unreal_flat",
                Shape::Cylinder => "unreal_cylinder",
            },
        );
        if self.shape == Shape::Spot {
            entity.set_key("inner", "0");
            entity.set_key("outer", short(self.outer_deg()));
        }
    }

    /// Light that arrives at a place when nothing is in the way, in display values of a surface with this unit normal;
    /// `position` and `axis` (unit): of the actor; everything in the file's space. 1 is white before the surface colour is doubled.
    #[must_use]
    pub fn at(&self, position: DVec3, axis: DVec3, place: DVec3, normal: DVec3) -> DVec3 {
        let offset = position - place;
        let distance = offset.length();
        let d = distance / self.radius;
        let to_light = if distance > 0.0 {
            offset / distance
        } else {
            normal
        };
        let cosine = normal.dot(to_light).abs();
        let fading = || {
            if d <= 0.0 {
                1.0
            } else {
                ((1.0 + 2.0 * d * d * d - 3.0 * d * d) / d).min(1.0)
            }
        };
        let share = match self.shape {
            Shape::Cylinder => {
                let flat = offset.x * offset.x + offset.y * offset.y;
                (1.0 - flat / (self.radius * self.radius)).max(0.0)
            }
            _ if d >= 1.0 => 0.0,
            Shape::NonIncidence => 1.0 - d,
            Shape::Shell if d <= 0.8 => 0.0,
            Shape::Point | Shape::Shell => fading() * cosine,
            Shape::Spot => {
                let off = 1.0 + axis.dot(to_light);
                let inside = if self.cone > 0.0 {
                    1.0 - (off / (self.cone / 255.0)).min(1.0)
                } else {
                    0.0
                };
                fading() * cosine * inside * inside
            }
        };
        let light = (self.rgb / 255.0 * share).min(DVec3::ONE);
        if self.is_dark { -light } else { light }
    }
}

/// Ambient light of a zone or the map, in the colours of a map: what is added to a surface.
#[must_use]
pub fn ambient(known: &Known<'_>) -> DVec3 {
    let byte = |name: &str| known.byte(name).unwrap_or(0);
    let rgb = rgb(
        byte("AmbientHue"),
        byte("AmbientSaturation"),
        byte("AmbientBrightness"),
    );
    2.0 * rgb / 255.0
}

#[cfg(test)]
#[path = "lights_tests.rs"]
mod tests;
