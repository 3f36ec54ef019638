//! Moving cameras: look, fly, dolly, pan, orbit, zoom, frame (CAM-1 to CAM-7, CAM-10). Pure functions on a [`View`], and the
//! little state that flying and easing need.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec2;
use glam::DVec3;

use crate::editor::input::Key;
use crate::editor::view::View;
use crate::editor::view::ViewKind;
use crate::geometry::Aabb;

/// Degrees per point at sensitivity 1.
pub const LOOK_DEG_PER_POINT: f64 = 0.15;
pub const MAX_PITCH_DEG: f64 = 89.0;

/// Seconds until full speed, and what `Shift` multiplies it by.
pub const EASE_IN_S: f64 = 0.12;
pub const FAST: f64 = 3.0;
pub const MIN_SPEED: f64 = 16.0;
pub const MAX_SPEED: f64 = 16384.0;

/// One notch of the wheel multiplies speed and zoom by this.
pub const NOTCH: f64 = 1.25;

/// Points per unit in 2D.
pub const MIN_ZOOM: f64 = 1.0 / 256.0;
pub const MAX_ZOOM: f64 = 64.0;

/// Field of view in 3D, from top to bottom.
pub const MIN_FOV_DEG: f64 = 10.0;
pub const MAX_FOV_DEG: f64 = 110.0;

/// Share of the distance that one notch travels, its bounds, and the step where nothing is ahead.
const DOLLY_SHARE: f64 = 0.15;
const DOLLY_LEAST: f64 = 8.0;
const DOLLY_MOST: f64 = 512.0;
const DOLLY_FREE: f64 = 64.0;

/// Framed bounds fill this much of the view.
const FRAME_SHARE: f64 = 0.8;
const FRAME_S: f64 = 0.2;
/// What is framed is at least this far away.
const NEAREST_FRAME: f64 = 16.0;

/// CAM-1: dx, dy in points.
pub fn look(view: &mut View, delta: DVec2, sensitivity: f64, invert_y: bool) {
    let scale = LOOK_DEG_PER_POINT * sensitivity;
    let dy = if invert_y { -delta.y } else { delta.y };
    view.yaw_deg = (view.yaw_deg - delta.x * scale) % 360.0;
    view.pitch_deg = (view.pitch_deg - dy * scale).clamp(-MAX_PITCH_DEG, MAX_PITCH_DEG);
}

/// CAM-4: one notch along the ray through the pointer. `surface`: distance to what is under it.
pub fn dolly(view: &mut View, dir: DVec3, notches: f64, surface: Option<f64>, grid_step: f64) {
    let least = DOLLY_LEAST.max(grid_step).min(DOLLY_MOST);
    let step = surface.map_or(DOLLY_FREE, |distance| {
        (distance * DOLLY_SHARE).clamp(least, DOLLY_MOST)
    });
    view.eye += dir * step * notches;
}

/// CAM-5 in 2D: the point under the pointer goes along.
pub fn pan_flat(view: &mut View, delta: DVec2) {
    let moved = (view.right() * -delta.x + view.up() * delta.y) / view.points_per_unit;
    view.eye += moved;
}

/// CAM-5 in 3D: the point `depth` units ahead of the eye that was under the pointer stays under it.
pub fn pan(view: &mut View, from: DVec2, to: DVec2, depth: f64) {
    let at = |point: DVec2| {
        let ray = view.ray(point);
        ray.dir * (depth / ray.dir.dot(view.forward()).max(1e-6))
    };
    view.eye += at(from) - at(to);
}

/// CAM-7: the point under the pointer does not move.
pub fn zoom_flat(view: &mut View, at: DVec2, factor: f64) {
    let before = view.ray(at).origin;
    view.points_per_unit = (view.points_per_unit * factor).clamp(MIN_ZOOM, MAX_ZOOM);
    let after = view.ray(at).origin;
    let mut moved = before - after;
    // Along the view rays start at one depth; only the plane counts.
    moved -= view.forward() * moved.dot(view.forward());
    view.eye += moved;
}

/// CAM-8: the wheel narrows or widens what a 3D view sees.
pub fn zoom(view: &mut View, notches: f64) {
    view.fov_y_deg = (view.fov_y_deg * NOTCH.powf(-notches)).clamp(MIN_FOV_DEG, MAX_FOV_DEG);
}

/// CAM-6: turns about a pivot; up stays +Y, the poles clamp.
pub fn orbit(view: &mut View, pivot: DVec3, delta: DVec2, sensitivity: f64) {
    let before = view.map_from_view();
    let local = before.transpose() * (view.eye - pivot);
    look(view, delta, sensitivity, false);
    view.eye = pivot + view.map_from_view() * local;
}

/// CAM-6: the wheel scales the distance to the pivot.
pub fn orbit_radius(view: &mut View, pivot: DVec3, notches: f64) {
    view.eye = pivot + (view.eye - pivot) * NOTCH.powf(-notches);
}

/// CAM-10: where a view has to stand so that `bounds` fill 80 % of it; it never turns.
#[must_use]
pub fn framed(view: &View, bounds: Aabb) -> View {
    let mut framed = view.clone();
    if bounds.is_empty() {
        return framed;
    }
    let axes = view.map_from_view();
    let center = bounds.center();
    let local: Vec<DVec3> = bounds
        .corners()
        .into_iter()
        .map(|corner| axes.transpose() * (corner - center))
        .collect();
    if view.is_2d() {
        let half = local.iter().fold(DVec2::ZERO, |half, corner| {
            half.max(DVec2::new(corner.x.abs(), corner.y.abs()))
        });
        let zoom = (view.size * 0.5 * FRAME_SHARE / half.max(DVec2::splat(1e-6))).min_element();
        // A point has no size to fill the view with.
        framed.points_per_unit = if half.max_element() < 1e-6 {
            view.points_per_unit
        } else {
            zoom.clamp(MIN_ZOOM, MAX_ZOOM)
        };
        framed.eye = center;
        return framed;
    }
    let tan_y = (view.fov_y_deg.to_radians() * 0.5).tan() * FRAME_SHARE;
    let tan_x = tan_y * view.size.x.max(1.0) / view.size.y.max(1.0);
    // Each corner must lie within the narrowed frustum: |x| <= tan * (distance - z).
    let distance = local
        .iter()
        .map(|corner| (corner.x.abs() / tan_x).max(corner.y.abs() / tan_y) + corner.z)
        .fold(NEAREST_FRAME, f64::max);
    framed.eye = center + axes.z_axis * distance;
    framed
}

/// Where a view has to stand so that points fill 80 % of it as tightly as its direction allows; it never turns. Without points
/// it stays.
///
/// In a perspective view each point at (x, y, z), z towards the viewer, has to lie within the narrowed frustum:
/// `|x - eye.x| <= tan_x * (eye.z - z)`. The least `eye.z` is where the left and the right planes through the outermost points
/// meet, or the lower and the upper ones; the other axis is then centred.
#[must_use]
pub fn framed_points(view: &View, points: &[DVec3]) -> View {
    if view.is_2d() || points.is_empty() {
        return framed(view, Aabb::of_points(points.iter().copied()));
    }
    let axes = view.map_from_view();
    let tan_y = (view.fov_y_deg.to_radians() * 0.5).tan() * FRAME_SHARE;
    let tan_x = tan_y * view.size.x.max(1.0) / view.size.y.max(1.0);
    let most = DVec3::splat(f64::NEG_INFINITY);
    let (mut upper, mut lower, mut nearest) = (most, most, f64::NEG_INFINITY);
    for &point in points {
        let at = axes.transpose() * point;
        let slope = DVec3::new(tan_x * at.z, tan_y * at.z, 0.0);
        upper = upper.max(slope + at);
        lower = lower.max(slope - at);
        nearest = nearest.max(at.z);
    }
    let distance = (upper + lower) * 0.5 / DVec3::new(tan_x, tan_y, 1.0);
    let middle = (upper - lower) * 0.5;
    let z = distance.x.max(distance.y).max(nearest + NEAREST_FRAME);
    View {
        eye: axes * DVec3::new(middle.x, middle.y, z),
        ..view.clone()
    }
}

/// A view on its way to another place.
#[derive(Clone, Debug)]
struct Ease {
    pane: usize,
    from: View,
    to: View,
    since_s: f64,
}

/// Held fly keys, present velocity, views that ease.
#[derive(Default)]
pub(crate) struct CameraState {
    held: BTreeSet<Key>,
    /// 0..1: the ease-in.
    ramp: f64,
    eases: Vec<Ease>,
    /// When and where framing was last asked for, for the double press.
    pub last_frame: Option<f64>,
    /// Panes that were restored and have not learned their size yet.
    pub unsized_panes: BTreeSet<usize>,
    /// Panes of a map that was saved without views, as framing left them, and whether that was in their true size.
    pub fresh: BTreeMap<usize, (View, bool)>,
    /// Where panes looked from in 3D before they became 2D views.
    pub left_3d: BTreeMap<usize, View>,
}

/// The six letters that fly (CAM-2), by physical place.
const FLY_KEYS: &str = "WASDQX";

#[must_use]
pub(crate) fn is_fly_key(key: Key) -> bool {
    matches!(key, Key::Letter(letter) if FLY_KEYS.contains(letter))
}

impl CameraState {
    pub fn press(&mut self, key: Key) {
        self.held.insert(key);
    }

    pub fn release(&mut self, key: Key) {
        self.held.remove(&key);
    }

    pub fn release_all(&mut self) {
        self.held.clear();
        self.ramp = 0.0;
    }

    #[must_use]
    pub fn is_flying(&self) -> bool {
        !self.held.is_empty()
    }

    #[must_use]
    pub fn is_easing(&self) -> bool {
        !self.eases.is_empty()
    }

    /// CAM-2: the way of one frame. Independent of the frame rate: position is the exact integral of a linear ramp.
    pub fn fly(&mut self, view: &mut View, dt_s: f64, speed: f64, fast: bool) {
        let held = |letter: char| f64::from(u8::from(self.held.contains(&Key::Letter(letter))));
        let sum = view.forward() * (held('W') - held('S'))
            + view.right() * (held('D') - held('A'))
            + DVec3::Y * (held('Q') - held('X'));
        if self.held.is_empty() {
            self.ramp = 0.0;
            return;
        }
        let ramp_end = (self.ramp + dt_s / EASE_IN_S).min(1.0);
        let ramping_s = (ramp_end - self.ramp) * EASE_IN_S;
        let full_s = ramping_s * (self.ramp + ramp_end) * 0.5 + (dt_s - ramping_s) * ramp_end;
        self.ramp = ramp_end;
        view.eye += sum.normalize_or_zero() * speed * if fast { FAST } else { 1.0 } * full_s;
    }

    pub fn ease(&mut self, pane: usize, from: View, to: View, now_s: f64) {
        self.eases.retain(|ease| ease.pane != pane);
        self.eases.push(Ease {
            pane,
            from,
            to,
            since_s: now_s,
        });
    }

    /// Stops views on their way; true when there were any.
    pub fn stop_easing(&mut self) -> bool {
        !std::mem::take(&mut self.eases).is_empty()
    }

    pub fn stop_easing_of(&mut self, pane: usize) {
        self.eases.retain(|ease| ease.pane != pane);
    }

    /// Puts easing views where they are at this time.
    pub fn advance(&mut self, views: &mut [View], now_s: f64) {
        self.eases.retain(|ease| {
            let Some(view) = views.get_mut(ease.pane) else {
                return false;
            };
            let t = ((now_s - ease.since_s) / FRAME_S).clamp(0.0, 1.0);
            // Smoothstep: starts and stops softly.
            let s = t * t * (3.0 - 2.0 * t);
            view.eye = ease.from.eye.lerp(ease.to.eye, s);
            // The short way round.
            let turn = (ease.to.yaw_deg - ease.from.yaw_deg + 180.0).rem_euclid(360.0) - 180.0;
            view.yaw_deg = ease.from.yaw_deg + turn * s;
            view.pitch_deg = ease.from.pitch_deg + (ease.to.pitch_deg - ease.from.pitch_deg) * s;
            view.fov_y_deg = ease.from.fov_y_deg + (ease.to.fov_y_deg - ease.from.fov_y_deg) * s;
            view.points_per_unit = ease.from.points_per_unit
                * (ease.to.points_per_unit / ease.from.points_per_unit).powf(s);
            if t >= 1.0 {
                view.eye = ease.to.eye;
                (view.yaw_deg, view.pitch_deg) = (ease.to.yaw_deg, ease.to.pitch_deg);
                view.fov_y_deg = ease.to.fov_y_deg;
                view.points_per_unit = ease.to.points_per_unit;
            }
            t < 1.0
        });
    }
}

/// CAM-7: other 2D views take the zoom of `of`, and where `link`ed the coordinates of the axes they share with it.
pub(crate) fn link_flat(views: &mut [View], of: usize, link: bool) {
    let Some(source) = views.get(of).filter(|view| view.is_2d()).cloned() else {
        return;
    };
    for (pane, view) in views.iter_mut().enumerate() {
        if pane == of || !view.is_2d() {
            continue;
        }
        view.points_per_unit = source.points_per_unit;
        if !link {
            continue;
        }
        for axis in 0..3 {
            let seen = |view: &View| view.forward()[axis].abs() < 0.5;
            if seen(&source) && seen(view) {
                view.eye[axis] = source.eye[axis];
            }
        }
    }
}

/// CAM-7: 2D views that frame the same things take the zoom of the one that has to show them smallest.
pub(crate) fn share_zoom(views: &mut [View], panes: &[usize]) {
    let flat = |pane: usize, views: &[View]| views.get(pane).is_some_and(View::is_2d);
    let least = panes
        .iter()
        .filter(|&&pane| flat(pane, views))
        .map(|&pane| views[pane].points_per_unit)
        .min_by(f64::total_cmp);
    if let Some(least) = least {
        for view in views.iter_mut().filter(|view| view.is_2d()) {
            view.points_per_unit = least;
        }
    }
}

/// The next kind of view for `Space`.
#[must_use]
pub fn next_kind(kind: ViewKind) -> ViewKind {
    match kind {
        ViewKind::Perspective => ViewKind::Top,
        ViewKind::Top => ViewKind::Front,
        ViewKind::Front => ViewKind::Side,
        ViewKind::Side => ViewKind::Perspective,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_fills_four_fifths() {
        let bounds = Aabb::new(DVec3::new(-100.0, 0.0, 50.0), DVec3::new(300.0, 80.0, 90.0));
        for kind in [
            ViewKind::Perspective,
            ViewKind::Top,
            ViewKind::Front,
            ViewKind::Side,
        ] {
            let view = View {
                kind,
                size: DVec2::new(800.0, 500.0),
                ..View::default()
            };
            let framed = framed(&view, bounds);
            assert_eq!(
                (framed.pitch_deg, framed.yaw_deg),
                (view.pitch_deg, view.yaw_deg)
            );
            let reach = bounds
                .corners()
                .into_iter()
                .fold(DVec2::ZERO, |reach, corner| {
                    let (at, _) = framed.project(corner).expect("in front");
                    reach.max(((at - view.size * 0.5) / (view.size * 0.5)).abs())
                });
            assert!((reach.max_element() - 0.8).abs() < 1e-6, "{kind:?} {reach}");
        }
    }

    #[test]
    fn panning_keeps_the_point_under_the_pointer() {
        let mut view = View::default();
        let point = view.ray(DVec2::new(100.0, 90.0)).at(300.0);
        let depth = (point - view.eye).dot(view.forward());
        pan(
            &mut view,
            DVec2::new(100.0, 90.0),
            DVec2::new(400.0, 33.0),
            depth,
        );
        let (at, _) = view.project(point).expect("in front");
        assert!(at.distance(DVec2::new(400.0, 33.0)) < 1e-6, "{at}");
    }

    #[test]
    fn orbiting_keeps_the_distance_and_the_place_of_the_pivot_on_screen() {
        let mut view = View::default();
        let pivot = view.ray(DVec2::new(200.0, 300.0)).at(400.0);
        orbit(&mut view, pivot, DVec2::new(120.0, -30.0), 1.0);
        assert!((view.eye.distance(pivot) - 400.0).abs() < 1e-6);
        let (at, _) = view.project(pivot).expect("in front");
        assert!(at.distance(DVec2::new(200.0, 300.0)) < 1e-6, "{at}");
    }
}
