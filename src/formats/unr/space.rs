//! The one place where the engine's space becomes a map's, and where a brush's own space becomes the engine's.
//!
//! Engine: left-handed, X forward, Y right, Z up. Map: right-handed, Y up, forward -Z. The change turns handedness round, so the
//! corners of every polygon change their order.

use glam::DMat3;
use glam::DVec3;

/// Units of a turn.
const TURN: f64 = 65_536.0;

/// Mappers reckon 16 units to the foot.
pub const UNITS_PER_METER: f32 = 52.5;

/// A place or a direction in the engine's axes to a map's, one unit to one.
#[must_use]
pub fn to_map(point: DVec3) -> DVec3 {
    // `+ 0.0` and `0.0 -` take the sign off a zero.
    DVec3::new(point.y + 0.0, point.z + 0.0, 0.0 - point.x)
}

/// The way back.
#[must_use]
pub fn from_map(point: DVec3) -> DVec3 {
    DVec3::new(0.0 - point.z, point.x + 0.0, point.y + 0.0)
}

/// Turns in units of 1/65 536 of a whole one; any number, also beyond one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotator {
    pub pitch: i32,
    pub yaw: i32,
    pub roll: i32,
}

impl Rotator {
    /// Columns: where the engine's unit axes go.
    #[must_use]
    pub fn matrix(self) -> DMat3 {
        let [pitch, yaw, roll] = [self.pitch, self.yaw, self.roll].map(radians);
        let (sp, cp) = pitch.sin_cos();
        let (sy, cy) = yaw.sin_cos();
        let (sr, cr) = roll.sin_cos();
        DMat3::from_cols(
            DVec3::new(cp * cy, cp * sy, sp),
            DVec3::new(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp),
            DVec3::new(-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp),
        )
    }

    /// Angles of an entity in degrees: pitch, yaw, roll of a map.
    #[must_use]
    pub fn angles_deg(self) -> DVec3 {
        let degrees = |units: i32| f64::from(units.rem_euclid(65_536)) * 360.0 / TURN;
        let turned = |units: i32| (360.0 - degrees(units)) % 360.0;
        DVec3::new(degrees(self.pitch), turned(self.yaw), turned(self.roll))
    }
}

/// Quarter turns give sines and cosines of exactly -1, 0, 1.
fn radians(units: i32) -> f64 {
    f64::from(units.rem_euclid(65_536)) / TURN * std::f64::consts::TAU
}

/// Scales along the axes of a brush; shear is not applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub scale: DVec3,
    pub sheer_rate: f32,
    /// 1 to 6: XY, XZ, YX, YZ, ZX, ZY.
    pub sheer_axis: u8,
}

impl Default for Scale {
    fn default() -> Self {
        Self {
            scale: DVec3::ONE,
            sheer_rate: 0.0,
            sheer_axis: 0,
        }
    }
}
