//! Coordinates as whole steps.

use crate::math::Bounds;
use glam::DVec3;
use serde_json::{Map, Value, json};

/// The form in which coordinates are written: whole steps from a corner, or as they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub corner: DVec3,
    /// Metres per step; none for `f32`.
    pub step: Option<f64>,
}

/// The widest step: half of it is the farthest that a corner is moved.
const WIDEST: f64 = 0.001;

impl Steps {
    pub fn for_bounds(bounds: &Bounds) -> Steps {
        let extent = bounds.size().max_element().max(1e-6);
        let step = extent / f64::from(u16::MAX);
        Steps { corner: bounds.min, step: (step <= WIDEST).then_some(step) }
    }

    /// The transform that undoes it.
    pub fn node(&self) -> Map<String, Value> {
        let mut node = Map::new();
        if let Some(step) = self.step {
            node.insert("translation".into(), json!(self.corner.as_vec3()));
            node.insert("scale".into(), json!([step as f32, step as f32, step as f32]));
        }
        node
    }

    pub fn write(&self, p: DVec3, into: &mut Vec<u8>) {
        for v in self.written(p).to_array() {
            match self.step {
                Some(_) => into.extend((v as u16).to_le_bytes()),
                None => into.extend((v as f32).to_le_bytes()),
            }
        }
    }

    pub fn written(&self, p: DVec3) -> DVec3 {
        match self.step {
            Some(step) => (p - self.corner).map(|v| (v / step).round().clamp(0.0, f64::from(u16::MAX))),
            None => p.as_vec3().as_dvec3(),
        }
    }
}
