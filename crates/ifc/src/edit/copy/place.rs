//! Placements of copied products that are to stand under another placement, or under none, at the same place of the
//! world.

use super::closure::Closure;
use super::{Copy, CopyError, Placement};
use crate::placement::{Transform, world};
use crate::{Id, Value};
use std::collections::BTreeMap;

impl Copy<'_, '_> {
    /// New placements in the model for those of the other that are cut from what is above them.
    pub(super) fn placements(&mut self, closure: &Closure) -> Result<BTreeMap<Id, Id>, CopyError> {
        let under = match self.options.placement {
            Placement::Chain => return Ok(BTreeMap::new()),
            Placement::World => None,
            Placement::Under(id) => Some(id),
        };
        let above = under.and_then(|id| world(self.edit.model(), id)).unwrap_or(Transform::IDENTITY);
        let down = above.inverse().unwrap_or(Transform::IDENTITY);
        let mut made = BTreeMap::new();
        for placement in &closure.cut {
            let Some(place) = world(self.source, *placement) else { continue };
            let length = self.scale.length();
            let [x, y, z, origin] = place.columns();
            let place = Transform::from_axes(x, y, z, origin.map(|x| x * length));
            let [x, _, z, origin] = down.then(&place).columns();
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
