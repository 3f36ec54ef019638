//! Light at one point of a surface.

use glam::DVec3;
use glam::Vec3;

use crate::compiler::BakeScene;
use crate::compiler::Light;
use crate::compiler::LightKind;
use crate::compiler::display;
use crate::compiler::light::WEAK;
use crate::compiler::raycast::RayState;

/// Rays start this far in front of a surface and end this far before a light.
const OFF_SURFACE: f64 = 1.0 / 16.0;
/// A start inside a solid is tried again this far aside.
const ASIDE: f64 = 0.5;
/// Directions over the disc of a sun that has a size.
const SUN_RAYS: usize = 16;

/// A place to light.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub position: DVec3,
    /// Unit normal of the flat surface.
    pub plane_normal: DVec3,
    /// Unit; differs from the plane's only on smooth meshes.
    pub normal: DVec3,
    /// Where rays start, before they are moved off the surface: pulled in from the rim.
    pub start: DVec3,
}

/// A light that shines towards a spot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub light: u32,
    /// Nothing is in the way.
    pub open: bool,
    /// What it gives, or would give, in its strongest channel.
    pub strength: f32,
}

/// Light at a spot.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// What the vertex shows, decoded: 0..1.
    pub linear: Vec3,
    /// False: the spot is inside a solid, its light means nothing.
    pub valid: bool,
    /// The light was known; no light of the map was asked.
    pub given: bool,
    /// Ascending by light.
    pub seen: Box<[Seen]>,
}

impl Sample {
    /// All light that arrives, for judging what a single one matters.
    pub(super) fn open_strength(&self) -> f32 {
        self.seen
            .iter()
            .filter(|seen| seen.open)
            .map(|seen| seen.strength)
            .sum()
    }
}

/// What a worker keeps from point to point.
pub(super) struct Worker<'a> {
    scene: &'a BakeScene<'a>,
    rays: RayState,
    /// Per light, the pack of triangles that was last in its way.
    guesses: Vec<u32>,
    seen: Vec<Seen>,
    pub ray_count: u64,
}

impl<'a> Worker<'a> {
    pub(super) fn new(scene: &'a BakeScene<'a>) -> Self {
        Self {
            scene,
            rays: RayState::default(),
            guesses: vec![0; scene.lights.len()],
            seen: Vec::new(),
            ray_count: 0,
        }
    }

    /// Light at a spot from these lights (ascending; all others are known not to reach it), or the light that is known there.
    pub(super) fn sample(&mut self, spot: &Spot, candidates: &[u32]) -> Sample {
        if let Some(linear) = self.given(spot) {
            return Sample {
                linear,
                valid: true,
                given: true,
                seen: Box::default(),
            };
        }
        let (start, valid) = self.start(spot);
        let mut linear = self.scene.ambient;
        let mut display = DVec3::ZERO;
        self.seen.clear();
        for &index in candidates {
            let light = &self.scene.lights[index as usize];
            let value = light.at(spot.position, self.scene.units_per_meter, |to_light| {
                facing(spot, to_light)
            });
            let strength = value.abs().max_element();
            if strength < WEAK || strength.is_nan() {
                continue;
            }
            let visible = self.visibility(index, start);
            self.seen.push(Seen {
                light: index,
                open: visible >= 0.5,
                strength: strength as f32,
            });
            if visible > 0.0 {
                *(if light.adds_display() {
                    &mut display
                } else {
                    &mut linear
                }) += value * visible;
            }
        }
        Sample {
            linear: shown(linear, display),
            valid,
            given: false,
            seen: self.seen.as_slice().into(),
        }
    }

    /// Asked a little inside the surface, where it is no other's.
    pub(super) fn given(&self, spot: &Spot) -> Option<Vec3> {
        self.scene.given.as_ref()?.at(spot.start, spot.plane_normal)
    }

    /// Whether one light reaches a spot: 1 = wholly.
    pub(super) fn visibility_at(&mut self, light: u32, spot: &Spot) -> f64 {
        let (start, _) = self.start(spot);
        self.visibility(light, start)
    }

    /// Where rays of a spot start; false when every place tried is inside a solid.
    fn start(&self, spot: &Spot) -> (DVec3, bool) {
        let off = spot.plane_normal * OFF_SURFACE;
        let first = spot.start + off;
        if !self.scene.is_dark(first) {
            return (first, true);
        }
        let (u, v) = spot.plane_normal.any_orthonormal_pair();
        let (right, up) = (u * ASIDE, v * ASIDE);
        let slant = std::f64::consts::FRAC_1_SQRT_2;
        let places = [
            right,
            up,
            -right,
            -up,
            (right + up) * slant,
            (right - up) * slant,
            (up - right) * slant,
            (right + up) * -slant,
        ];
        for aside in places {
            if !self.scene.is_dark(first + aside) {
                return (first + aside, true);
            }
        }
        (first, false)
    }

    fn visibility(&mut self, index: u32, start: DVec3) -> f64 {
        let light = &self.scene.lights[index as usize];
        if !light.shadows {
            return 1.0;
        }
        if light.kind == LightKind::Sun {
            return self.sun_visibility(index, light, start);
        }
        let to_start = start - light.position;
        let distance = to_start.length();
        if distance <= OFF_SURFACE {
            return 1.0;
        }
        let end = light.position + to_start * (OFF_SURFACE / distance);
        if self.is_blocked(index, start, end) {
            0.0
        } else {
            1.0
        }
    }

    /// Open when the ray meets sky, or nothing within the world.
    fn sun_visibility(&mut self, index: u32, light: &Light, start: DVec3) -> f64 {
        if light.size_deg <= 0.0 {
            return self.sun_ray(index, start, -light.direction);
        }
        let radius = {
            let (sin, cos) = display::sin_cos_deg(light.size_deg * 0.5);
            sin / cos
        };
        let (u, v) = light.direction.any_orthonormal_pair();
        let mut open = 0.0;
        for ray in 0..SUN_RAYS {
            // Even over the disc: equal areas outwards, turned by the golden angle.
            let outwards = ((ray as f64 + 0.5) / SUN_RAYS as f64).sqrt() * radius;
            let (sin, cos) = display::sin_cos_deg(ray as f64 * 137.507_764_050_037_85);
            let aside = (u * cos + v * sin) * outwards;
            open += self.sun_ray(index, start, (aside - light.direction).normalize());
        }
        open / SUN_RAYS as f64
    }

    fn sun_ray(&mut self, index: u32, start: DVec3, to_sun: DVec3) -> f64 {
        let far = start + to_sun * self.scene.far;
        let end = match self.scene.sky.nearest(start, far, &mut self.rays) {
            Some(share) => start.lerp(far, f64::from(share)) - to_sun * OFF_SURFACE,
            None => far,
        };
        if self.is_blocked(index, start, end) {
            0.0
        } else {
            1.0
        }
    }

    fn is_blocked(&mut self, index: u32, start: DVec3, end: DVec3) -> bool {
        self.ray_count += 1;
        self.scene.opaque.is_blocked(
            start,
            end,
            &mut self.guesses[index as usize],
            &mut self.rays,
        )
    }
}

/// The cosine that a light counts with: the smoothed one, ended softly where the flat surface turns away.
fn facing(spot: &Spot, to_light: DVec3) -> f64 {
    let flat = spot.plane_normal.dot(to_light);
    if spot.normal == spot.plane_normal {
        return flat;
    }
    if flat <= 0.0 {
        return flat.min(0.0);
    }
    let ramp = (flat * 10.0).min(1.0);
    spot.normal.dot(to_light).max(0.0) * ramp
}

/// Sum of linear and display light as a vertex shows it, decoded.
fn shown(linear: DVec3, display: DVec3) -> Vec3 {
    let linear = linear.clamp(DVec3::ZERO, DVec3::ONE);
    if display == DVec3::ZERO {
        return linear.as_vec3();
    }
    display::decode_rgb((display::encode_rgb(linear) + display).clamp(DVec3::ZERO, DVec3::ONE))
        .as_vec3()
}

/// The byte of D39 for decoded light.
pub(super) fn byte_of(linear: f32) -> u8 {
    (255.0 * display::encode(f64::from(linear).min(1.0))).round() as u8
}
