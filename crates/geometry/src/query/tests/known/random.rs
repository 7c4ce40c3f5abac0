//! A plain generator of numbers: the same ones in every run and on every machine.

use glam::{DAffine3, DQuat, DVec3};
use std::f64::consts::TAU;

/// A linear congruential generator (Knuth's multiplier for 64 bits).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns a number between two.
    pub(super) fn between(&mut self, from: f64, to: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + (to - from) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns one of a list.
    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        let at = self.between(0.0, list.len() as f64) as usize;
        list[at.min(list.len() - 1)]
    }

    /// Returns a vector of which each part lies between two numbers.
    pub(super) fn vector(&mut self, from: f64, to: f64) -> DVec3 {
        DVec3::new(self.between(from, to), self.between(from, to), self.between(from, to))
    }

    /// Returns an angle of a whole turn, in radians.
    pub(super) fn angle(&mut self) -> f64 {
        self.between(0.0, TAU)
    }

    /// Returns a turn about any axis and a way.
    pub(super) fn motion(&mut self, way: DVec3) -> DAffine3 {
        let axis = self.vector(-1.0, 1.0).normalize_or(DVec3::Z);
        DAffine3::from_rotation_translation(DQuat::from_axis_angle(axis, self.angle()), way)
    }
}
