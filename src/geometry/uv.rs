//! Texture coordinates of brush faces: the five numbers of the file, exact frames, and the way between them.
//!
//! Source of every formula: `.hmap` version 1, section 2.5 (D26). `u`, `v` count repeats; v grows downwards.

use glam::DAffine3;
use glam::DQuat;
use glam::DVec2;
use glam::DVec3;
use glam::Vec2;

use crate::geometry::Plane;
use crate::geometry::transform::Mapping;

/// The margin that keeps 45-degree faces from flipping on rounding noise.
const ROW_MARGIN: f64 = 1e-4;

/// Axes of less area than this are parallel to readers of `UVAX`.
const LEAST_AREA: f64 = 1e-12;

/// Parallel axes rounded to `f32` meet at a sine of up to 1e-7.
const LEAST_SINE: f64 = 1e-6;

/// Repeats per unit that somebody may have wanted.
const DENSITIES: std::ops::Range<f64> = 1e-5..1e3;

/// Coordinates beyond this have no digits left for the place within the picture.
const MOST_REPEATS: f64 = 65_536.0;

/// The file's five numbers. Offsets in repeats, scale without unit (2 = twice as large), rotation in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uv {
    pub offset: Vec2,
    pub scale: Vec2,
    pub rotation_deg: f32,
}

impl Default for Uv {
    fn default() -> Self {
        Self {
            offset: Vec2::ZERO,
            scale: Vec2::ONE,
            rotation_deg: 0.0,
        }
    }
}

/// A texture frame: `u = dot(u, p) + u_offset`, `v = dot(v, p) + v_offset`, in repeats.
/// As `Face::axes` (the `UVAX` chunk) it replaces the five numbers, which then hold the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvAxes {
    pub u: DVec3,
    pub u_offset: f64,
    pub v: DVec3,
    pub v_offset: f64,
}

/// What [`UvAxes::fit`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub uv: Uv,
    /// FACE_ALIGNED.
    pub aligned: bool,
    /// The five numbers alone are right to 0.001 pixel.
    pub exact: bool,
    /// The frame rounded to `f32` as it came, where they are not; `None` also where the file cannot hold it.
    pub axes: Option<UvAxes>,
}

/// World axis that a face of this unit normal is projected along: its row in 2.5 step 1.
#[must_use]
pub fn projection_axis(normal: DVec3) -> usize {
    let size = normal.abs();
    if size.y + ROW_MARGIN >= size.x && size.y + ROW_MARGIN >= size.z {
        1
    } else if size.x + ROW_MARGIN >= size.z {
        0
    } else {
        2
    }
}

/// The texture axes U, V that a unit normal implies (2.5 steps 1 and 2).
#[must_use]
pub fn base_axes(normal: DVec3, aligned: bool) -> (DVec3, DVec3) {
    let axis = projection_axis(normal);
    let positive = normal[axis] > 0.0;
    let (u, v) = match (axis, positive) {
        (1, true) => (DVec3::X, DVec3::Z),
        (1, false) => (DVec3::X, DVec3::NEG_Z),
        (0, true) => (DVec3::NEG_Z, DVec3::NEG_Y),
        (0, false) => (DVec3::Z, DVec3::NEG_Y),
        (_, true) => (DVec3::X, DVec3::NEG_Y),
        (_, false) => (DVec3::NEG_X, DVec3::NEG_Y),
    };
    if !aligned {
        return (u, v);
    }
    let v = (v - normal * normal.dot(v)).normalize_or(v);
    (normal.cross(v), v)
}

impl Uv {
    /// The frame of the five numbers on a face of this unit normal (2.5 steps 1 to 4). A scale of 0 reads as 1.
    #[must_use]
    pub fn frame(&self, normal: DVec3, aligned: bool, tile_size: Vec2) -> UvAxes {
        let (u, v) = base_axes(normal, aligned);
        let (sin, cos) = sin_cos_deg(f64::from(self.rotation_deg));
        let sound = |scale: f32| if scale == 0.0 { 1.0 } else { f64::from(scale) };
        let (turned_u, turned_v) = (u * cos - v * sin, u * sin + v * cos);
        UvAxes {
            u: turned_u / (f64::from(tile_size.x) * sound(self.scale.x)),
            u_offset: f64::from(self.offset.x),
            v: turned_v / (f64::from(tile_size.y) * sound(self.scale.y)),
            v_offset: f64::from(self.offset.y),
        }
    }

    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.offset.is_finite() && self.scale.is_finite() && self.rotation_deg.is_finite()
    }
}

/// Sine and cosine, exact at quarter turns.
fn sin_cos_deg(angle_deg: f64) -> (f64, f64) {
    match angle_deg.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        angle => angle.to_radians().sin_cos(),
    }
}

impl UvAxes {
    /// Texture coordinates of a point, in repeats.
    #[must_use]
    pub fn at(&self, point: DVec3) -> DVec2 {
        DVec2::new(
            self.u.dot(point) + self.u_offset,
            self.v.dot(point) + self.v_offset,
        )
    }

    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.u.is_finite()
            && self.v.is_finite()
            && self.u_offset.is_finite()
            && self.v_offset.is_finite()
    }

    /// What readers of `UVAX` ask for: finite as `f32`, and not parallel then.
    #[must_use]
    pub fn is_storable(&self) -> bool {
        let stored = self.rounded();
        let sine = stored.u.cross(stored.v).length();
        stored.is_finite()
            && sine >= LEAST_AREA
            && sine > LEAST_SINE * stored.u.length() * stored.v.length()
    }

    /// A frame for the face of this (unit) plane where this one is none: upright, with as many repeats per unit along each
    /// axis as can be told, and with the coordinates it has at this point.
    #[must_use]
    pub fn levelled(&self, plane: Plane, at: DVec3, tile_size: Vec2) -> Self {
        let (a, b) = base_axes(plane.normal, true);
        let density = |axis: DVec3, other: DVec3, tile: f32| {
            [axis.length(), other.length()]
                .into_iter()
                .find(|density| DENSITIES.contains(density))
                .unwrap_or_else(|| f64::from(tile.max(1.0)).recip())
        };
        let (u, v) = (
            a * density(self.u, self.v, tile_size.x),
            b * density(self.v, self.u, tile_size.y),
        );
        let wanted = self.at(at);
        let offset = |wanted: f64, axis: DVec3| {
            let wanted = if wanted.abs() < MOST_REPEATS {
                wanted
            } else {
                0.0
            };
            wanted - axis.dot(at)
        };
        Self {
            u,
            u_offset: offset(wanted.x, u),
            v,
            v_offset: offset(wanted.y, v),
        }
    }

    /// Every number rounded to the nearest `f32`.
    #[must_use]
    pub fn rounded(&self) -> Self {
        Self {
            u: self.u.as_vec3().as_dvec3(),
            u_offset: f64::from(self.u_offset as f32),
            v: self.v.as_vec3().as_dvec3(),
            v_offset: f64::from(self.v_offset as f32),
        }
    }

    /// The same coordinates on the (unit) plane, with axes that lie in it.
    #[must_use]
    pub fn in_plane(&self, plane: Plane) -> Self {
        let (u, u_offset) = flattened(self.u, self.u_offset, plane.normal, plane);
        let (v, v_offset) = flattened(self.v, self.v_offset, plane.normal, plane);
        Self {
            u,
            u_offset,
            v,
            v_offset,
        }
    }

    /// Alignment lock: the frame with `carried(M p) == self(p)` for all p of the face, kept in the mapped face's plane `mapped`
    /// (unit) (`interactions.md` 6.1). A map that flattens space leaves the frame as it is.
    #[must_use]
    pub fn carried(&self, map: &DAffine3, mapped: Plane) -> Self {
        Mapping::new(*map).frame(*self).in_plane(mapped)
    }

    /// UV lock: the frame in the plane of `to` (three points not on one line) that has there the coordinates it has at `from`;
    /// `None` when the points lie on a line.
    #[must_use]
    pub fn held(&self, from: [DVec3; 3], to: [DVec3; 3]) -> Option<Self> {
        Self::through(to, from.map(|point| self.at(point)))
    }

    /// The frame in the plane of three points that has these coordinates there; `None` when the points lie on a line.
    #[must_use]
    pub fn through(points: [DVec3; 3], values: [DVec2; 3]) -> Option<Self> {
        let (e, f) = (points[1] - points[0], points[2] - points[0]);
        let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
        let det = ee * ff - ef * ef;
        if det <= 1e-18 * ee * ff {
            return None;
        }
        let solve = |along_e: f64, along_f: f64| {
            e * ((along_e * ff - along_f * ef) / det) + f * ((along_f * ee - along_e * ef) / det)
        };
        let (d1, d2) = (values[1] - values[0], values[2] - values[0]);
        let (u, v) = (solve(d1.x, d2.x), solve(d1.y, d2.y));
        Some(Self {
            u,
            u_offset: values[0].x - u.dot(points[0]),
            v,
            v_offset: values[0].y - v.dot(points[0]),
        })
    }

    /// The frame carried round from one (unit) plane to another, without stretch and continuous along their common line
    /// (6.1 *Wrap*). `along` is the face's longest edge, about which opposite planes turn; parallel planes keep the frame.
    #[must_use]
    pub fn wrapped(&self, from: Plane, to: Plane, along: DVec3) -> Self {
        let axis = from.normal.cross(to.normal);
        // Normals rounded to f32 differ by some 1e-7; such planes are parallel.
        let (turn, fixed) = if axis.length_squared() > 1e-12 {
            let cos = from.normal.dot(to.normal);
            // The point of both planes nearest to the origin.
            let det = 1.0 - cos * cos;
            let q = from.normal * ((from.dist - to.dist * cos) / det)
                + to.normal * ((to.dist - from.dist * cos) / det);
            (DQuat::from_rotation_arc(from.normal, to.normal), q)
        } else if from.normal.dot(to.normal) > 0.0 {
            return self.in_plane(to);
        } else {
            let Some(axis) = (along - from.normal * along.dot(from.normal)).try_normalize() else {
                return *self;
            };
            (
                DQuat::from_axis_angle(axis, std::f64::consts::PI),
                from.normal * f64::midpoint(from.dist, -to.dist),
            )
        };
        let flat = self.in_plane(from);
        let turned = |axis: DVec3, offset: f64| {
            let new = turn * axis;
            (new, offset + (axis - new).dot(fixed))
        };
        let (u, u_offset) = turned(flat.u, flat.u_offset);
        let (v, v_offset) = turned(flat.v, flat.v_offset);
        Self {
            u,
            u_offset,
            v,
            v_offset,
        }
        .in_plane(to)
    }

    /// Copied to another (unit) plane unchanged, seen along the old projection (6.1 *Project*). The second value is the area
    /// factor: below 0.1 the picture is stretched badly.
    #[must_use]
    pub fn projected(&self, to: Plane) -> (Self, f64) {
        let cross = self.u.cross(self.v);
        let factor = to.normal.dot(cross).abs() / cross.length().max(f64::MIN_POSITIVE);
        (self.in_plane(to), factor)
    }

    /// Turned by an angle about a point, counter-clockwise seen from the front of a face of this unit normal.
    #[must_use]
    pub fn rotated(&self, normal: DVec3, center: DVec3, angle_deg: f64) -> Self {
        let turn = DQuat::from_axis_angle(normal, angle_deg.to_radians());
        self.changed_about(center, |axis| turn * axis, |axis| turn * axis)
    }

    /// The picture made larger by these factors about a point; a factor of 0 counts as 1.
    #[must_use]
    pub fn scaled(&self, center: DVec3, factor: DVec2) -> Self {
        let factor = DVec2::select(factor.cmpeq(DVec2::ZERO), DVec2::ONE, factor);
        self.changed_about(center, |axis| axis / factor.x, |axis| axis / factor.y)
    }

    /// Coordinates raised by these repeats: the picture moves the other way.
    #[must_use]
    pub fn shifted(&self, repeats: DVec2) -> Self {
        Self {
            u_offset: self.u_offset + repeats.x,
            v_offset: self.v_offset + repeats.y,
            ..*self
        }
    }

    /// Coordinates scaled, then raised: what fitting does.
    #[must_use]
    pub fn remapped(&self, factor: DVec2, raised: DVec2) -> Self {
        Self {
            u: self.u * factor.x,
            u_offset: self.u_offset * factor.x + raised.x,
            v: self.v * factor.y,
            v_offset: self.v_offset * factor.y + raised.y,
        }
    }

    /// Steps in the plane of this unit normal along which `u` (or `v`) grows by one repeat and the other stays; `None` for a
    /// frame that is none on the face.
    #[must_use]
    pub fn tangents(&self, normal: DVec3) -> Option<(DVec3, DVec3)> {
        let flat = |axis: DVec3| axis - normal * axis.dot(normal);
        let (u, v) = (flat(self.u), flat(self.v));
        let det = u.cross(v).dot(normal);
        if det.abs() <= 1e-12 * u.length() * v.length() || !det.is_finite() {
            return None;
        }
        Some((v.cross(normal) / det, normal.cross(u) / det))
    }

    /// The point of the (unit) plane with these coordinates; `None` for a frame that is none there.
    #[must_use]
    pub fn point_at(&self, plane: Plane, uv: DVec2) -> Option<DVec3> {
        let (along_u, along_v) = self.tangents(plane.normal)?;
        let base = plane.normal * plane.dist;
        let off = uv - self.at(base);
        Some(base + along_u * off.x + along_v * off.y)
    }

    fn changed_about(
        &self,
        center: DVec3,
        change_u: impl Fn(DVec3) -> DVec3,
        change_v: impl Fn(DVec3) -> DVec3,
    ) -> Self {
        let (u, v) = (change_u(self.u), change_v(self.v));
        Self {
            u,
            u_offset: self.u_offset + (self.u - u).dot(center),
            v,
            v_offset: self.v_offset + (self.v - v).dot(center),
        }
    }

    /// The five numbers for this frame (2.5 *Fit*), trying `aligned` first, then the other setting; judged at `corners` with all
    /// fields rounded to `f32` against 0.001 pixel of `pixels` (the picture's size; tile size or 64 when unknown).
    #[must_use]
    pub fn fit(
        &self,
        plane: Plane,
        aligned: bool,
        tile_size: Vec2,
        pixels: Vec2,
        corners: &[DVec3],
    ) -> Fit {
        let no_frame = !self.is_finite()
            || self.u.cross(self.v).length_squared()
                <= 1e-24 * self.u.length_squared() * self.v.length_squared();
        if no_frame {
            return Fit {
                uv: Uv::default(),
                aligned,
                exact: false,
                axes: None,
            };
        }
        let axes = Some(self.rounded()).filter(UvAxes::is_storable);
        let Some(own) = self.five_numbers(plane, aligned, tile_size) else {
            return Fit {
                uv: Uv::default(),
                aligned,
                exact: false,
                axes,
            };
        };
        if self.is_matched(&own, plane, aligned, tile_size, pixels, corners) {
            return Fit {
                uv: own,
                aligned,
                exact: true,
                axes: None,
            };
        }
        if let Some(other) = self.five_numbers(plane, !aligned, tile_size)
            && self.is_matched(&other, plane, !aligned, tile_size, pixels, corners)
        {
            return Fit {
                uv: other,
                aligned: !aligned,
                exact: true,
                axes: None,
            };
        }
        let mut uv = own;
        if !corners.is_empty() {
            let mean = corners.iter().sum::<DVec3>() / corners.len() as f64;
            let off = self.at(mean) - own.frame(plane.normal, aligned, tile_size).at(mean);
            let shifted = (own.offset.as_dvec2() + off).as_vec2();
            if shifted.is_finite() {
                uv.offset = shifted;
            }
        }
        Fit {
            uv,
            aligned,
            exact: false,
            axes,
        }
    }

    /// The best five numbers that keep U; `None` when the frame is degenerate on the face.
    fn five_numbers(&self, plane: Plane, aligned: bool, tile_size: Vec2) -> Option<Uv> {
        let n = plane.normal;
        let (a, b) = base_axes(n, aligned);
        let along = if aligned {
            n
        } else {
            DVec3::AXES[projection_axis(n)]
        };
        let (u, u_offset) = flattened(self.u, self.u_offset, along, plane);
        let (v, v_offset) = flattened(self.v, self.v_offset, along, plane);
        let mut rotation = (-u.dot(b)).atan2(u.dot(a));
        let (sin, cos) = rotation.sin_cos();
        let w = v.dot(a) * sin + v.dot(b) * cos;
        if !(u.length() >= 1e-12 && w.abs() >= 1e-12) {
            return None;
        }
        let mut scale = DVec2::new(
            1.0 / (f64::from(tile_size.x) * u.length()),
            1.0 / (f64::from(tile_size.y) * w),
        );
        let quarter = std::f64::consts::FRAC_PI_2;
        // Noise of the last digits must not turn 90 into -90.
        if rotation > quarter + 1e-12 {
            rotation -= 2.0 * quarter;
            scale = -scale;
        } else if rotation <= -quarter + 1e-12 {
            rotation += 2.0 * quarter;
            scale = -scale;
        }
        // `+ 0.0` takes the sign off a zero.
        let uv = Uv {
            offset: DVec2::new(u_offset, v_offset).as_vec2() + Vec2::ZERO,
            scale: scale.as_vec2(),
            rotation_deg: rotation.to_degrees() as f32 + 0.0,
        };
        (uv.is_finite() && uv.scale.x != 0.0 && uv.scale.y != 0.0).then_some(uv)
    }

    fn is_matched(
        &self,
        uv: &Uv,
        plane: Plane,
        aligned: bool,
        tile_size: Vec2,
        pixels: Vec2,
        corners: &[DVec3],
    ) -> bool {
        let frame = uv.frame(plane.normal, aligned, tile_size);
        let pixel = |pixels: f32| {
            0.001
                / f64::from(if pixels > 0.0 && pixels.is_finite() {
                    pixels
                } else {
                    64.0
                })
        };
        let limit = DVec2::new(pixel(pixels.x), pixel(pixels.y));
        corners.iter().all(|&corner| {
            let (wanted, found) = (self.at(corner), frame.at(corner));
            let steps = wanted.map(|value| 4.0 * f32_step(value));
            (wanted - found).abs().cmple(limit.max(steps)).all()
        })
    }
}

/// An axis and its offset moved along `plane`'s normal until the axis is square to `along`; the values on the plane stay.
fn flattened(axis: DVec3, offset: f64, along: DVec3, plane: Plane) -> (DVec3, f64) {
    let l = -axis.dot(along) / plane.normal.dot(along);
    (axis + plane.normal * l, offset - l * plane.dist)
}

/// Distance between neighbouring `f32` at this size.
fn f32_step(value: f64) -> f64 {
    let size = (value as f32).abs();
    f64::from(size.next_up()) - f64::from(size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unit() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0f64)
            .prop_map(DVec3::from)
            .prop_filter("a direction", |v| v.length() > 0.2)
            .prop_map(DVec3::normalize)
    }

    fn corners_on(plane: Plane) -> Vec<DVec3> {
        let (right, up) = plane.normal.any_orthonormal_pair();
        let middle = plane.normal * plane.dist;
        vec![
            middle + right * 100.0,
            middle + up * 130.0,
            middle - right * 90.0 - up * 40.0,
        ]
    }

    #[test]
    fn pictures_stand_upright_and_are_not_mirrored() {
        for normal in [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
        ] {
            let (u, v) = base_axes(normal, false);
            assert_eq!(u.cross(v), -normal);
            assert_eq!(
                base_axes(normal, true),
                (u, v),
                "aligned is the same on axis faces"
            );
        }
        // A 45-degree face is a floor, whatever its last digits say.
        let edge = DVec3::new(1.0, 1.0 - 1e-6, 0.0).normalize();
        assert_eq!(projection_axis(edge), 1);
    }

    #[test]
    fn the_example_of_the_format_text() {
        let plane = Plane::new(DVec3::Z, 64.0);
        let frame = UvAxes {
            u: DVec3::new(1.0 / 256.0, 0.0, 0.0),
            u_offset: 0.125,
            v: DVec3::new(0.0, -1.0 / 64.0, 0.0),
            v_offset: 0.125,
        };
        let fit = frame.fit(
            plane,
            false,
            Vec2::new(128.0, 64.0),
            Vec2::new(128.0, 64.0),
            &corners_on(plane),
        );
        assert_eq!(
            fit,
            Fit {
                uv: Uv {
                    offset: Vec2::splat(0.125),
                    scale: Vec2::new(2.0, 1.0),
                    rotation_deg: 0.0
                },
                aligned: false,
                exact: true,
                axes: None
            }
        );
    }

    #[test]
    fn scale_zero_reads_as_one() {
        let uv = Uv {
            scale: Vec2::new(0.0, 2.0),
            ..Uv::default()
        };
        let one = Uv {
            scale: Vec2::new(1.0, 2.0),
            ..Uv::default()
        };
        assert_eq!(
            uv.frame(DVec3::Y, false, Vec2::splat(64.0)),
            one.frame(DVec3::Y, false, Vec2::splat(64.0))
        );
    }

    #[test]
    fn frames_that_are_none_become_the_default() {
        let plane = Plane::new(DVec3::Y, 3.0);
        let fit = |u: DVec3, v: DVec3| {
            UvAxes {
                u,
                u_offset: 0.0,
                v,
                v_offset: 0.0,
            }
            .fit(
                plane,
                false,
                Vec2::splat(64.0),
                Vec2::splat(64.0),
                &corners_on(plane),
            )
        };
        assert_eq!(
            fit(DVec3::X, DVec3::X * 2.0),
            Fit {
                uv: Uv::default(),
                aligned: false,
                exact: false,
                axes: None
            }
        );
        assert_eq!(
            fit(DVec3::NAN, DVec3::X),
            Fit {
                uv: Uv::default(),
                aligned: false,
                exact: false,
                axes: None
            }
        );
        let across = fit(DVec3::Y, DVec3::X);
        assert_eq!(across.uv, Uv::default());
        assert!(across.axes.is_some(), "kept, since it is a frame elsewhere");
    }

    #[test]
    fn readers_take_what_is_no_line() {
        let storable = |u: [f64; 3], v: [f64; 3]| {
            UvAxes {
                u: u.into(),
                u_offset: 0.0,
                v: v.into(),
                v_offset: 0.0,
            }
            .is_storable()
        };
        assert!(storable([0.01, 0.0, 0.0], [0.01, 1e-3, 0.0]));
        assert!(!storable([0.01, 0.0, 0.0], [0.01, 1e-9, 0.0]), "parallel");
        assert!(!storable([1e-7, 0.0, 0.0], [0.0, 1e-7, 0.0]), "too small");
        assert!(!storable([1e39, 0.0, 0.0], [0.0, 1.0, 0.0]), "no f32");
        // Only rounding makes these parallel.
        assert!(!storable([1.0, 0.0, 0.0], [1.0 + 1e-9, 1e-12, 1e-12]));
    }

    #[test]
    fn a_sheared_frame_keeps_exact_axes() {
        let plane = Plane::new(DVec3::Z, 0.0);
        let frame = UvAxes {
            u: DVec3::new(0.02, 0.01, 0.0),
            u_offset: 0.0,
            v: DVec3::new(0.0, -0.02, 0.0),
            v_offset: 0.5,
        };
        let fit = frame.fit(
            plane,
            false,
            Vec2::splat(64.0),
            Vec2::splat(64.0),
            &corners_on(plane),
        );
        assert_eq!(fit.axes, Some(frame.rounded()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn five_numbers_come_back(normal in unit(), dist in -500.0..500.0f64, offset in prop::array::uniform2(-4.0..4.0f64),
            scale in prop::array::uniform2(0.1..4.0f64), mirrored in any::<bool>(), rotation in -89.0..89.0f64, aligned in any::<bool>(),
        ) {
            // In f64 the way back is exact to 5e-13 repeats; the fields themselves are f32, so the frame is built from them.
            let uv = Uv {
                offset: DVec2::from(offset).as_vec2(),
                scale: Vec2::new(scale[0] as f32, if mirrored { -scale[1] as f32 } else { scale[1] as f32 }),
                rotation_deg: rotation as f32,
            };
            let (plane, tile) = (Plane::new(normal, dist), Vec2::new(128.0, 32.0));
            let frame = uv.frame(normal, aligned, tile);
            let back = frame.in_plane(plane).five_numbers(plane, aligned, tile).expect("a frame");
            prop_assert!(back.offset.abs_diff_eq(uv.offset, 1e-5), "{:?} {:?}", back, uv);
            prop_assert!(back.scale.abs_diff_eq(uv.scale, 1e-5), "{:?} {:?}", back, uv);
            prop_assert!((back.rotation_deg - uv.rotation_deg).abs() < 1e-4, "{:?} {:?}", back, uv);
            let along = if aligned { normal } else { DVec3::AXES[projection_axis(normal)] };
            let flat = frame.in_plane(plane);
            let (u, u_offset) = flattened(flat.u, flat.u_offset, along, plane);
            prop_assert!(u.distance(frame.u) < 5e-13 && (u_offset - frame.u_offset).abs() < 5e-12);
            let fit = flat.fit(plane, aligned, tile, tile, &corners_on(plane));
            prop_assert!(fit.axes.is_none() && fit.aligned == aligned);
        }

        #[test]
        fn the_lock_carries_coordinates(normal in unit(), dist in -500.0..500.0f64, columns in prop::array::uniform3(unit()), shift in prop::array::uniform3(-999.0..999.0f64)) {
            let matrix = glam::DMat3::from_cols(columns[0], columns[1], columns[2]);
            prop_assume!(matrix.determinant().abs() > 0.05);
            let map = DAffine3::from_mat3_translation(matrix, DVec3::from(shift));
            let plane = Plane::new(normal, dist);
            let mapped = plane.transformed(&map).unit().expect("a plane");
            let frame = Uv { offset: Vec2::new(0.3, 0.1), scale: Vec2::new(2.0, -1.0), rotation_deg: 33.0 }.frame(normal, false, Vec2::splat(64.0));
            let carried = frame.carried(&map, mapped);
            for corner in corners_on(plane) {
                prop_assert!(carried.at(map.transform_point3(corner)).distance(frame.at(corner)) < 1e-6 / 64.0);
            }
            prop_assert!(carried.u.dot(mapped.normal).abs() < 1e-9);
        }

        #[test]
        fn three_points_hold_the_frame(from in prop::array::uniform3(unit()), to in prop::array::uniform3(unit())) {
            let from = from.map(|p| p * 64.0);
            let to = to.map(|p| p * 64.0);
            prop_assume!((to[1] - to[0]).cross(to[2] - to[0]).length() > 50.0);
            let frame = Uv::default().frame(DVec3::Y, false, Vec2::splat(64.0));
            let held = frame.held(from, to).expect("not on a line");
            for i in 0..3 {
                prop_assert!(held.at(to[i]).distance(frame.at(from[i])) < 1e-9);
            }
        }

        #[test]
        fn points_are_found_by_their_coordinates(normal in unit(), uv in prop::array::uniform2(-9.0..9.0f64), aligned in any::<bool>()) {
            let plane = Plane::new(normal, 77.0);
            let frame = Uv { rotation_deg: 33.0, ..Uv::default() }.frame(normal, aligned, Vec2::new(64.0, 32.0));
            let uv = DVec2::from(uv);
            let point = frame.point_at(plane, uv).expect("a frame");
            prop_assert!(plane.distance(point).abs() < 1e-6);
            prop_assert!(frame.at(point).distance(uv) < 1e-9);
        }
    }

    #[test]
    fn wrapping_round_a_tube_is_continuous() {
        let planes: Vec<Plane> = (0..12)
            .map(|i| {
                let (sin, cos) = (f64::from(i) * 30f64.to_radians()).sin_cos();
                Plane::new(DVec3::new(cos, 0.0, sin), 64.0)
            })
            .collect();
        let mut frame = UvAxes {
            u: DVec3::new(0.0, 0.003, 0.02),
            u_offset: 0.3,
            v: DVec3::new(0.001, -0.03, 0.0),
            v_offset: 0.1,
        }
        .in_plane(planes[0]);
        for pair in planes.windows(2) {
            let next = frame.wrapped(pair[0], pair[1], DVec3::Y);
            let bend =
                (pair[0].normal + pair[1].normal).normalize() * 64.0 / 15f64.to_radians().cos();
            for height in [-100.0, 0.0, 100.0] {
                let point = bend + DVec3::Y * height;
                assert!(frame.at(point).distance(next.at(point)) < 1e-9);
            }
            assert!(
                (next.u.length() - frame.u.length()).abs() < 1e-12,
                "equal density"
            );
            frame = next;
        }
        let flat = frame.wrapped(planes[11], Plane::new(planes[11].normal, 80.0), DVec3::Y);
        assert!(flat.u.distance(frame.u) < 1e-12 && (flat.u_offset - frame.u_offset).abs() < 1e-9);
    }

    #[test]
    fn turning_and_scaling_keep_the_center() {
        let frame = Uv::default().frame(DVec3::Z, false, Vec2::splat(64.0));
        let center = DVec3::new(10.0, 20.0, 0.0);
        let turned = frame.rotated(DVec3::Z, center, 90.0);
        assert!(turned.at(center).distance(frame.at(center)) < 1e-12);
        assert!(
            turned.u.distance(DVec3::Y / 64.0) < 1e-12,
            "counter-clockwise"
        );
        let larger = frame.scaled(center, DVec2::new(2.0, 0.0));
        assert_eq!((larger.u, larger.v), (frame.u / 2.0, frame.v));
        assert!(larger.at(center).distance(frame.at(center)) < 1e-12);
        assert_eq!(frame.shifted(DVec2::new(0.5, 0.0)).u_offset, 0.5);
        let fit = turned.fit(
            Plane::new(DVec3::Z, 0.0),
            false,
            Vec2::splat(64.0),
            Vec2::splat(64.0),
            &[center],
        );
        assert_eq!(fit.uv.rotation_deg, 90.0, "the sense of 2.5");
    }
}
