//! Attributes of the target that the class of the source implies, and attributes that others said in the source.

use crate::Outcome;
use crate::Way;
use crate::draft::{SPOKEN, says_something, set};
use crate::step::Step;
use ifc::schema::{Entity, Kind};
use ifc::{Instance, Value};

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
        if self.way == Way::TwoToFour {
            self.defined(instance, target, values);
        }
        match target.name {
            "IfcSpace" if source.name == "IfcExternalSpatialElement" => {
                set(values, target.index_of("InteriorOrExteriorSpace"), Value::enumeration("EXTERNAL"));
            }
            "IfcBuilding" if source.name.ends_with("Part") || source.name == "IfcFacilityPartCommon" => {
                set(values, target.index_of("CompositionType"), Value::enumeration("PARTIAL"));
            }
            "IfcOwnerHistory" if self.way == Way::TwoToFour => self.dated(instance, target, values),
            "IfcPerson" if self.way == Way::FourToTwo => self.named(instance, target, values),
            "IfcGeneralProfileProperties" => self.profile_down(instance, target, values),
            // the boolean in its place is only there to be left out
            _ if self.way == Way::FourToThree && target.is_a(self.to, "IfcRelAssigns") => {
                set(values, target.index_of("RelatedObjectsType"), Value::Null);
            }
            _ if target.is_a(self.to, "IfcRelSpaceBoundary") => self.boundary(instance, target, values),
            _ => {}
        }
    }

    /// IFC4 wants a date with the action that was done last (IfcOwnerHistory.CorrectChangeAction): that of the creation.
    fn dated(&mut self, instance: &Instance<'_>, target: &Entity, values: &mut [Value]) {
        let date = target.index_of("LastModifiedDate");
        let action = target.index_of("ChangeAction").and_then(|at| values.get(at)?.as_enum());
        let undone = action.is_none_or(|action| ["NOCHANGE", "NOTDEFINED"].contains(&action));
        if undone || date.and_then(|at| values.get(at)).is_none_or(|date| !date.is_null()) {
            return;
        }
        let created = instance.attr("CreationDate");
        if !created.is_null() {
            set(values, date, created);
            self.approximated(
                instance,
                "has a ChangeAction without LastModifiedDate, which is now the CreationDate",
            );
        }
    }

    /// IFC2X3 wants a person to have a name (IfcPerson.WR1), IFC4 is content with an identification.
    fn named(&mut self, instance: &Instance<'_>, target: &Entity, values: &mut [Value]) {
        let names = ["FamilyName", "GivenName"].map(|name| target.index_of(name));
        let nameless = names.iter().flatten().all(|at| values.get(*at).is_none_or(Value::is_null));
        let identification = instance.text("Identification").filter(|text| !text.is_empty());
        if let (true, Some(text)) = (nameless, identification) {
            set(values, target.index_of("FamilyName"), Value::Text(text));
            self.approximated(instance, "has no name, and its Identification is the FamilyName now");
        }
    }

    /// IFC4 wants a text with USERDEFINED where IFC2X3 did not (IfcStair.CorrectPredefinedType and its like).
    fn defined(&mut self, instance: &Instance<'_>, target: &Entity, values: &mut [Value]) {
        let Some(at) = target.index_of("PredefinedType") else { return };
        let Some(Kind::Enumeration(words)) = target.attributes.get(at).map(|attribute| attribute.kind) else {
            return;
        };
        let user_defined = values.get(at).and_then(Value::as_enum) == Some("USERDEFINED");
        let place = SPOKEN.iter().find_map(|name| target.index_of(name));
        let silent = place.and_then(|at| values.get(at)).is_some_and(Value::is_null);
        if user_defined && silent && words.contains(&"NOTDEFINED") {
            set(values, Some(at), Value::enumeration("NOTDEFINED"));
            self.approximated(instance, "is USERDEFINED without saying as what, and is NOTDEFINED now");
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
