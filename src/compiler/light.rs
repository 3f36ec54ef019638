//! Lights of a document and what each gives to a point (`hmap.md` D29, D39; `falloff` laws: the compiler's design, 4).

use glam::DVec3;

use crate::compiler::LightKind;
use crate::compiler::LightRecord;
use crate::compiler::display;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Issue;
use crate::document::ObjectId;
use crate::document::Severity;

/// Light weaker than this share of white is not worth a ray.
pub const WEAK: f64 = 1.0 / 512.0;

/// How light falls off. All but [`Law::Physical`] are laws of games, which add light in display values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Inverse square with a window (D39).
    Physical,
    Linear,
    Quake,
    QuakeInverse,
    QuakeInverse2,
    QuakeInfinite,
    Unreal,
    UnrealFlat,
    UnrealCylinder,
}

impl Law {
    /// `None` for a word that is no law; the empty word is [`Law::Physical`].
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "" => Self::Physical,
            "linear" => Self::Linear,
            "quake" => Self::Quake,
            "quake_inverse" => Self::QuakeInverse,
            "quake_inverse2" => Self::QuakeInverse2,
            "quake_infinite" => Self::QuakeInfinite,
            "unreal" => Self::Unreal,
            "unreal_flat" => Self::UnrealFlat,
            "unreal_cylinder" => Self::UnrealCylinder,
            _ => return None,
        })
    }

    /// True when nothing reaches a surface that looks away from the light.
    const fn needs_facing(self) -> bool {
        !matches!(self, Self::UnrealFlat | Self::UnrealCylinder)
    }

    /// True when `radius` ends the light.
    const fn has_range(self) -> bool {
        !matches!(
            self,
            Self::QuakeInverse | Self::QuakeInverse2 | Self::QuakeInfinite
        )
    }
}

/// A light as the bake uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    pub entity: ObjectId,
    pub kind: LightKind,
    /// Map units; zero for a sun.
    pub position: DVec3,
    /// Unit vector along which light travels; (0, -1, 0) for points.
    pub direction: DVec3,
    /// sRGB-encoded, as the map says it.
    pub color: DVec3,
    pub intensity: f64,
    /// Units, 0 = no limit.
    pub radius: f64,
    /// Half angles; 0 unless a spot.
    pub inner_deg: f64,
    pub outer_deg: f64,
    pub law: Law,
    /// False: shines through everything.
    pub shadows: bool,
    /// Angular diameter of a sun, for soft shadows.
    pub size_deg: f64,
    /// What `color * intensity` is in the law's own space: linear, or display values.
    strength: DVec3,
    cos_inner: f64,
    cos_outer: f64,
}

/// All lights of a map that are compiled, ascending by entity. Unknown laws are told in `issues`.
#[must_use]
pub fn lights_of(doc: &Document, issues: &mut Vec<Issue>) -> Vec<Light> {
    let mut lights = Vec::new();
    for (id, object) in doc.objects() {
        let Some(entity) = object.entity() else {
            continue;
        };
        let Some(kind) = kind_of(&entity.class) else {
            continue;
        };
        if doc.is_left_out(id) {
            continue;
        }
        let word = entity.key("falloff").unwrap_or("").trim();
        let law = Law::of_word(word).unwrap_or_else(|| {
            issues.push(Issue {
                code: "C-LIGHT-FALLOFF",
                severity: Severity::Warning,
                object: Some(id),
                face: None,
                place: Some(entity.origin),
                text: format!(
                    "unknown falloff \"{word}\"; the light falls off by the inverse square"
                ),
                fix: None,
            });
            Law::Physical
        });
        lights.push(Light::of_entity(id, entity, kind, law));
    }
    lights
}

fn kind_of(class: &str) -> Option<LightKind> {
    match class {
        "light" => Some(LightKind::Point),
        "light_spot" => Some(LightKind::Spot),
        "light_sun" => Some(LightKind::Sun),
        _ => None,
    }
}

impl Light {
    fn of_entity(id: ObjectId, entity: &Entity, kind: LightKind, law: Law) -> Self {
        let number = |key: &str, default: f64| entity.number(key).unwrap_or(default);
        let sun = kind == LightKind::Sun;
        let spot = kind == LightKind::Spot;
        let outer_deg = if spot {
            number("outer", 40.0).clamp(0.0, 180.0)
        } else {
            0.0
        };
        let inner_deg = if spot {
            number("inner", 20.0).clamp(0.0, outer_deg)
        } else {
            0.0
        };
        let finite = |place: DVec3| {
            if place.is_finite() {
                place
            } else {
                DVec3::ZERO
            }
        };
        let light = Self {
            entity: id,
            kind,
            position: if sun {
                DVec3::ZERO
            } else {
                finite(entity.origin)
            },
            direction: if kind == LightKind::Point {
                DVec3::NEG_Y
            } else {
                display::forward(finite(entity.angles_deg))
            },
            color: entity
                .vector("color")
                .unwrap_or(DVec3::ONE)
                .max(DVec3::ZERO),
            intensity: number("intensity", if sun { 1.0 } else { 4.0 }),
            radius: if sun {
                0.0
            } else {
                number("radius", 320.0).max(0.0)
            },
            inner_deg,
            outer_deg,
            law,
            shadows: number("shadows", 1.0) != 0.0,
            size_deg: if sun {
                number("size", 0.0).clamp(0.0, 90.0)
            } else {
                0.0
            },
            strength: DVec3::ZERO,
            cos_inner: 1.0,
            cos_outer: 1.0,
        };
        light.prepared()
    }

    /// Fills what follows from the other fields; call it after changing them.
    #[must_use]
    pub fn prepared(mut self) -> Self {
        let base = if self.law == Law::Physical {
            display::decode_rgb(self.color)
        } else {
            self.color
        };
        self.strength = base * self.intensity;
        self.cos_inner = display::sin_cos_deg(self.inner_deg).1;
        self.cos_outer = display::sin_cos_deg(self.outer_deg).1;
        self
    }

    /// The record of `CMPL`, which knows nothing of laws.
    #[must_use]
    pub fn record(&self) -> LightRecord {
        LightRecord {
            kind: self.kind,
            position: self.position.as_vec3(),
            direction: self.direction.as_vec3(),
            color: self.color.as_vec3(),
            intensity: self.intensity as f32,
            radius: self.radius as f32,
            inner_deg: self.inner_deg as f32,
            outer_deg: self.outer_deg as f32,
            entity_id: self.entity.get(),
        }
    }

    /// True when the result of [`Light::at`] is a display value, added after encoding.
    #[must_use]
    pub fn adds_display(&self) -> bool {
        self.law != Law::Physical
    }

    /// What arrives at a point when nothing is in the way, per channel: irradiance E in linear light (D39), or with another law
    /// the display value g. `normal` is unit; the cosine is `facing(L)` for the direction L to the light.
    #[must_use]
    pub fn at(&self, point: DVec3, units_per_meter: f64, facing: impl Fn(DVec3) -> f64) -> DVec3 {
        let (to_light, distance) = if self.kind == LightKind::Sun {
            (-self.direction, 0.0)
        } else {
            let offset = self.position - point;
            let distance = offset.length();
            (
                if distance > 0.0 {
                    offset / distance
                } else {
                    DVec3::Y
                },
                distance,
            )
        };
        let cosine = facing(to_light);
        if cosine <= 0.0 && self.law.needs_facing() {
            return DVec3::ZERO;
        }
        let cone = self.cone(to_light);
        if cone == 0.0 {
            return DVec3::ZERO;
        }
        self.strength
            * (cone * self.falloff(self.position - point, distance, cosine, units_per_meter))
    }

    /// S of D39: 1 inside the inner cone, 0 outside the outer one.
    fn cone(&self, to_light: DVec3) -> f64 {
        if self.kind != LightKind::Spot {
            return 1.0;
        }
        let cos = -self.direction.dot(to_light);
        let width = self.cos_inner - self.cos_outer;
        if width <= 0.0 {
            return if cos >= self.cos_outer { 1.0 } else { 0.0 };
        }
        let t = ((cos - self.cos_outer) / width).clamp(0.0, 1.0);
        t * t
    }

    /// Everything of the law but colour, cone and visibility.
    fn falloff(&self, offset: DVec3, distance: f64, cosine: f64, units_per_meter: f64) -> f64 {
        let sun = self.kind == LightKind::Sun;
        // v = d / R; without a range it stays 0.
        let v = if sun || self.radius <= 0.0 {
            0.0
        } else {
            distance / self.radius
        };
        if v >= 1.0 && self.law.has_range() && self.law != Law::UnrealCylinder {
            return 0.0;
        }
        let half = 0.5 + 0.5 * cosine;
        let inverse = if sun { 1.0 } else { 128.0 / distance.max(1.0) };
        match self.law {
            Law::Physical if sun => cosine,
            Law::Physical => {
                let ratio = units_per_meter / distance.max(0.01 * units_per_meter);
                let window = 1.0 - v * v * v * v;
                cosine * ratio * ratio * window * window
            }
            Law::Linear => cosine * (1.0 - v),
            Law::Quake => (1.0 - v) * half,
            Law::QuakeInverse => inverse * half,
            Law::QuakeInverse2 => inverse * inverse * half,
            Law::QuakeInfinite => half,
            // At v = 0 the quotient is above any bound, so its minimum with 1 is 1.
            Law::Unreal if v <= 0.0 => cosine,
            Law::Unreal => cosine * ((1.0 - 3.0 * v * v + 2.0 * v * v * v) / v).min(1.0),
            Law::UnrealFlat => 1.0 - v,
            Law::UnrealCylinder if sun || self.radius <= 0.0 => 1.0,
            Law::UnrealCylinder => (1.0
                - (offset.x * offset.x + offset.z * offset.z) / (self.radius * self.radius))
                .max(0.0),
        }
    }

    /// Distance in units beyond which [`Light::at`] gives less than a 512th in every channel; infinite for suns.
    #[must_use]
    pub fn reach(&self, units_per_meter: f64) -> f64 {
        let peak = self.strength.abs().max_element();
        if peak < WEAK {
            return 0.0;
        }
        let ranged = |limit: f64| {
            if self.radius > 0.0 {
                limit.min(self.radius)
            } else {
                limit
            }
        };
        match (self.kind, self.law) {
            (LightKind::Sun, _) | (_, Law::QuakeInfinite | Law::UnrealCylinder) => f64::INFINITY,
            (_, Law::Physical) => ranged(units_per_meter * (peak / WEAK).sqrt()),
            (_, Law::QuakeInverse) => 128.0 * (peak / WEAK),
            (_, Law::QuakeInverse2) => 128.0 * (peak / WEAK).sqrt(),
            _ => ranged(f64::INFINITY),
        }
    }

    /// False when no point of a plane's front within `bounds` can get light, by distance or by facing.
    #[must_use]
    pub fn may_light(
        &self,
        bounds: crate::geometry::Aabb,
        plane: crate::geometry::Plane,
        reach: f64,
    ) -> bool {
        let faces = !self.law.needs_facing();
        if self.kind == LightKind::Sun {
            return faces || plane.normal.dot(self.direction) < 0.0;
        }
        let nearest = self.position.clamp(bounds.min, bounds.max);
        (reach.is_infinite() || nearest.distance_squared(self.position) <= reach * reach)
            && (faces || plane.distance(self.position) > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Object;

    fn entity(class: &str, keys: &[(&str, &str)]) -> Entity {
        let mut entity = Entity::new(class, DVec3::new(0.0, 64.0, 0.0));
        entity.keys = keys
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        entity
    }

    fn light(class: &str, keys: &[(&str, &str)]) -> Light {
        let entity = entity(class, keys);
        let law = Law::of_word(entity.key("falloff").unwrap_or("")).expect("known law");
        Light::of_entity(
            ObjectId::new(1).expect("not 0"),
            &entity,
            kind_of(class).expect("a light"),
            law,
        )
    }

    fn up(direction: DVec3) -> f64 {
        direction.y
    }

    #[test]
    fn defaults_are_those_of_the_format() {
        let record = light("light_spot", &[("color", "1 x 1"), ("intensity", "inf")]).record();
        assert_eq!(
            (
                record.intensity,
                record.radius,
                record.inner_deg,
                record.outer_deg
            ),
            (4.0, 320.0, 20.0, 40.0)
        );
        assert_eq!(record.color, glam::Vec3::ONE);
        assert_eq!(record.direction, glam::Vec3::NEG_Z);
        let sun = light("light_sun", &[("radius", "99")]).record();
        assert_eq!(
            (sun.intensity, sun.radius, sun.position),
            (1.0, 0.0, glam::Vec3::ZERO)
        );
        assert_eq!(light("light", &[]).record().direction, glam::Vec3::NEG_Y);
    }

    #[test]
    fn laws_give_the_values_of_their_formulas() {
        // The light hangs 64 above the origin: straight below it c = 1; 48 aside d = 80 and c = 0.8.
        let check = |keys: &[(&str, &str)], below: f64, aside: f64| {
            let light = light("light", keys);
            let value = light.at(DVec3::ZERO, 32.0, up).x;
            assert!(
                (value - below).abs() < 1e-12,
                "{keys:?}: {value} instead of {below}"
            );
            let value = light.at(DVec3::new(48.0, 0.0, 0.0), 32.0, up).x;
            assert!(
                (value - aside).abs() < 1e-12,
                "{keys:?}: {value} instead of {aside}"
            );
        };
        let window = |v: f64| (1.0 - v.powi(4)).powi(2);
        check(&[("radius", "0")], 1.0, 4.0 * 0.8 * 0.16);
        check(
            &[("radius", "160")],
            window(0.4),
            4.0 * 0.8 * 0.16 * window(0.5),
        );
        let with = |law: &'static str| [("falloff", law), ("radius", "160"), ("intensity", "0.5")];
        check(&with("linear"), 0.5 * 0.6, 0.5 * 0.8 * 0.5);
        check(&with("quake"), 0.5 * 0.6, 0.5 * 0.5 * 0.9);
        check(&with("quake_inverse"), 0.5 * 2.0, 0.5 * 1.6 * 0.9);
        check(&with("quake_inverse2"), 0.5 * 4.0, 0.5 * 2.56 * 0.9);
        check(&with("quake_infinite"), 0.5, 0.5 * 0.9);
        check(&with("unreal"), 0.5, 0.5 * 0.8);
        check(&with("unreal_flat"), 0.5 * 0.6, 0.5 * 0.5);
        check(&with("unreal_cylinder"), 0.5, 0.5 * (1.0 - 0.09));
        check(
            &[("falloff", "unreal"), ("radius", "80")],
            4.0 * 0.104 / 0.8,
            0.0,
        );
    }

    #[test]
    fn nothing_arrives_outside_range_cone_and_front() {
        let point = light("light", &[("radius", "64")]);
        assert_eq!(point.at(DVec3::ZERO, 32.0, up), DVec3::ZERO);
        assert_eq!(point.at(DVec3::new(0.0, 65.0, 0.0), 32.0, up), DVec3::ZERO);
        let mut spot = entity(
            "light_spot",
            &[("inner", "0"), ("outer", "45"), ("radius", "0")],
        );
        spot.angles_deg = DVec3::new(-90.0, 0.0, 0.0);
        let spot = Light::of_entity(
            ObjectId::new(1).expect("not 0"),
            &spot,
            LightKind::Spot,
            Law::Physical,
        );
        assert!(spot.at(DVec3::new(63.9, 0.0, 0.0), 32.0, up).x > 0.0);
        assert_eq!(spot.at(DVec3::new(64.1, 0.0, 0.0), 32.0, up), DVec3::ZERO);
    }

    #[test]
    fn reach_bounds_the_light() {
        for law in [
            "",
            "linear",
            "quake",
            "quake_inverse",
            "quake_inverse2",
            "unreal",
            "unreal_flat",
        ] {
            for radius in ["0", "500"] {
                let light = light("light", &[("falloff", law), ("radius", radius)]);
                let reach = light.reach(32.0);
                if reach.is_finite() {
                    let beyond = DVec3::new(0.0, 64.0 - reach * 1.001, 0.0);
                    assert!(
                        light.at(beyond, 32.0, up).max_element() < WEAK,
                        "{law} {radius}"
                    );
                }
            }
        }
    }

    #[test]
    fn left_out_lights_and_unknown_laws() {
        let mut draft = Document::default().edit();
        let known = draft.insert(Object::new(crate::document::Kind::Entity(entity(
            "light",
            &[],
        ))));
        let strange = draft.insert(Object::new(crate::document::Kind::Entity(entity(
            "light",
            &[("falloff", "cubic")],
        ))));
        let mut out = Object::new(crate::document::Kind::Entity(entity("light_sun", &[])));
        out.flags = crate::document::ObjectFlags::NO_COMPILE;
        draft.insert(out);
        draft.insert(Object::new(crate::document::Kind::Entity(entity(
            "info_player_start",
            &[],
        ))));
        let state = draft.as_read();
        let mut issues = Vec::new();
        let lights = lights_of(&state, &mut issues);
        assert_eq!(
            lights.iter().map(|light| light.entity).collect::<Vec<_>>(),
            [known, strange]
        );
        assert_eq!(lights[1].law, Law::Physical);
        assert_eq!(issues.len(), 1);
        assert_eq!(
            (issues[0].code, issues[0].object),
            ("C-LIGHT-FALLOFF", Some(strange))
        );
    }
}
