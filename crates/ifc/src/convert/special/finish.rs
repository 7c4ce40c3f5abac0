//! What a class of the target says that the class of the source implies, and attributes that others said in the source.

use crate::convert::draft::{says_something, set};
use crate::convert::step::Step;
use crate::convert::{Outcome, Way};
use crate::schema::Entity;
use crate::{Instance, Value};

impl Step<'_> {
    /// The last word on an instance that was drafted.
    pub fn finish(
        &mut self,
        instance: &Instance<'_>,
        source: &'static Entity,
        target: &'static Entity,
        values: &mut [Value],
    ) {
        let id = instance.id().0;
        for (name, value) in self.overrides.get(&id).cloned().unwrap_or_default() {
            if source.index_of(name).is_none()
                && let Some(at) = target.index_of(name)
            {
                set(values, Some(at), value);
                self.record.mapped(id);
            }
        }
        let implied = match (self.way, source.name, target.name) {
            (Way::TwoToFour | Way::FourToThree, "IfcDoorStyle", "IfcDoorType") => Some("DOOR"),
            (Way::TwoToFour | Way::FourToThree, "IfcWindowStyle", "IfcWindowType") => Some("WINDOW"),
            (Way::TwoToFour, "IfcChamferEdgeFeature", _) => Some("CHAMFER"),
            (Way::TwoToFour, "IfcRoundedEdgeFeature", _) => Some("EDGE"),
            (Way::TwoToFour, "IfcElectricalCircuit", _) => Some("ELECTRICAL"),
            (Way::TwoToFour, "IfcMove", _) => Some("MOVE"),
            _ => None,
        };
        if let Some(word) = implied {
            set(values, target.index_of("PredefinedType"), Value::enumeration(word));
        }
        match target.name {
            "IfcSpace" if source.name == "IfcExternalSpatialElement" => {
                set(values, target.index_of("InteriorOrExteriorSpace"), Value::enumeration("EXTERNAL"));
            }
            "IfcBuilding" if source.name.ends_with("Part") || source.name == "IfcFacilityPartCommon" => {
                set(values, target.index_of("CompositionType"), Value::enumeration("PARTIAL"));
            }
            "IfcGeneralProfileProperties" => self.profile_down(instance, target, values),
            // the boolean in its place is only there to be left out
            _ if self.way == Way::FourToThree && target.is_a(self.to, "IfcRelAssigns") => {
                set(values, target.index_of("RelatedObjectsType"), Value::Null);
            }
            _ if target.is_a(self.to, "IfcRelSpaceBoundary") => self.boundary(instance, target, values),
            _ => {}
        }
    }

    /// Properties of a profile as the attributes that IFC2X3 has for them.
    fn profile_down(&mut self, instance: &Instance<'_>, target: &Entity, values: &mut [Value]) {
        for property in instance.references("Properties") {
            let Some(property) = self.source.get(property) else { continue };
            let name = property.name().unwrap_or_default();
            let value = property.number("NominalValue").map(Value::Real);
            match (target.index_of(&name), value) {
                (Some(at), Some(value)) if values.get(at).is_some_and(|old| !says_something(old)) => {
                    set(values, Some(at), value);
                }
                _ => {
                    let class = instance.class_name();
                    let reason = format!("{} has no {name}", target.name);
                    self.record.note(instance.id().0, class, Outcome::Approximated, &reason);
                }
            }
        }
    }
}
