//! Placements of copied products that are to stand under another placement, or under none, at the same place of the
//! world.

use super::closure::Closure;
use super::{Copy, CopyError, Placement};
use crate::placement::{inverse, world};
use crate::{Id, Value};
use glam::DAffine3;
use std::collections::BTreeMap;

impl Copy<'_, '_> {
    /// New placements in the model for those of the other that are cut from what is above them.
    pub(super) fn placements(&mut self, closure: &Closure) -> Result<BTreeMap<Id, Id>, CopyError> {
        let under = match self.options.placement {
            Placement::Chain => return Ok(BTreeMap::new()),
            Placement::World => None,
            Placement::Under(id) => Some(id),
        };
        let above = under.and_then(|id| world(self.edit.model(), id)).unwrap_or(DAffine3::IDENTITY);
        let down = inverse(&above).unwrap_or(DAffine3::IDENTITY);
        let mut made = BTreeMap::new();
        for placement in &closure.cut {
            let Some(mut place) = world(self.source, *placement) else { continue };
            place.translation *= self.scale.length();
            let place = down * place;
            let [x, z, origin] = [place.x_axis, place.z_axis, place.translation].map(|v| v.to_array());
            let point = self.edit.create("IfcCartesianPoint", &[("Coordinates", Value::list(origin))])?;
            let axis = self.edit.create("IfcDirection", &[("DirectionRatios", Value::list(z))])?;
            let first = self.edit.create("IfcDirection", &[("DirectionRatios", Value::list(x))])?;
            let placed = [("Location", point.into()), ("Axis", axis.into()), ("RefDirection", first.into())];
            let placed = self.edit.create("IfcAxis2Placement3D", &placed)?;
            let attributes = [("PlacementRelTo", under.into()), ("RelativePlacement", placed.into())];
            made.insert(*placement, self.edit.create("IfcLocalPlacement", &attributes)?);
        }
        Ok(made)
    }
}
