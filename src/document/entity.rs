//! Entities: a class, a placement and an ordered list of keys.

use glam::DAffine3;
use glam::DQuat;
use glam::DVec3;

/// A point entity, or the owner of brushes and meshes (its children).
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    pub class: String,
    /// Map units; the pivot of owned geometry.
    pub origin: DVec3,
    /// (pitch, yaw, roll) in degrees, `R = Ry(yaw) * Rx(pitch) * Rz(roll)`; zero looks along -Z.
    pub angles_deg: DVec3,
    pub scale: DVec3,
    /// In order, repeats kept; the first of a repeated key counts (D28).
    pub keys: Vec<(String, String)>,
}

impl Entity {
    #[must_use]
    pub fn new(class: impl Into<String>, origin: DVec3) -> Self {
        Self {
            class: class.into(),
            origin,
            angles_deg: DVec3::ZERO,
            scale: DVec3::ONE,
            keys: Vec::new(),
        }
    }

    /// Value of the first key of this name (exact case).
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&str> {
        self.keys
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first number of a key's value; `None` when absent or not a finite number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.key(name)?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite())
    }

    /// Three numbers of a key's value; `None` when absent or not three finite numbers.
    #[must_use]
    pub fn vector(&self, name: &str) -> Option<DVec3> {
        let mut numbers = self
            .key(name)?
            .split_whitespace()
            .map(|word| word.parse::<f64>().ok().filter(|n| n.is_finite()));
        Some(DVec3::new(
            numbers.next()??,
            numbers.next()??,
            numbers.next()??,
        ))
    }

    /// Sets the first key of this name, or adds it at the end.
    pub fn set_key(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.keys.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.keys.push((name.to_owned(), value)),
        }
    }

    /// Removes every key of this name.
    pub fn remove_key(&mut self, name: &str) {
        self.keys.retain(|(key, _)| key != name);
    }

    #[must_use]
    pub fn rotation(&self) -> DQuat {
        crate::geometry::rotation_from_angles_deg(self.angles_deg)
    }

    /// The direction the entity looks along, unit length.
    #[must_use]
    pub fn forward(&self) -> DVec3 {
        self.rotation() * DVec3::NEG_Z
    }

    /// `T(origin) * R * diag(scale)`; a zero in scale reads as 1 (`W-SCALE`).
    #[must_use]
    pub fn map_from_model(&self) -> DAffine3 {
        let scale = DVec3::select(self.scale.cmpeq(DVec3::ZERO), DVec3::ONE, self.scale);
        DAffine3::from_scale_rotation_translation(scale, self.rotation(), self.origin)
    }
}
