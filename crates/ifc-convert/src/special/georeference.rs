//! The place of the model on the earth. IFC2X3 has no classes for it; implementers agreed on property sets of the project
//! under the names that IFC4 later gave the classes (buildingSMART, User Guide for Geo-referencing in IFC, 2020).

use crate::Outcome;
use crate::step::{Fate, Step};
use ifc::{Instance, Value};

impl Step<'_> {
    pub(super) fn map_conversion(&mut self, instance: &Instance<'_>) -> Fate {
        let target = instance.reference("TargetCRS").and_then(|id| self.source.get(id));
        let mut properties = Vec::new();
        if let Some(name) = target.and_then(|target| target.name()) {
            properties.push(("TargetCRS", Value::typed("IfcLabel", name)));
        }
        for name in ["Eastings", "Northings", "OrthogonalHeight"] {
            if let Some(length) = instance.number(name) {
                properties.push((name, Value::typed("IfcLengthMeasure", length)));
            }
        }
        for name in ["XAxisAbscissa", "XAxisOrdinate", "Scale"] {
            if let Some(number) = instance.number(name) {
                properties.push((name, Value::typed("IfcReal", number)));
            }
        }
        self.project_set(instance, "ePSet_MapConversion", properties)
    }

    pub(super) fn projected_crs(&mut self, instance: &Instance<'_>) -> Fate {
        let names = ["Name", "Description", "GeodeticDatum", "VerticalDatum", "MapProjection", "MapZone"];
        let mut properties: Vec<(&str, Value)> = Vec::new();
        for name in names {
            if let Some(text) = instance.text(name) {
                properties.push((name, Value::typed("IfcLabel", text)));
            }
        }
        let unit = instance.reference("MapUnit").and_then(|id| self.source.get(id));
        if let Some(name) = unit.and_then(|unit| into_word(unit.attr("Name").untyped().clone())) {
            properties.push(("MapUnit", Value::typed("IfcLabel", name)));
        }
        self.project_set(instance, "ePSet_ProjectedCRS", properties)
    }

    /// A property set of the project in the place of an instance.
    fn project_set(&mut self, instance: &Instance<'_>, name: &str, properties: Vec<(&str, Value)>) -> Fate {
        let project = self.source.of_class("IfcProject").into_iter().next();
        let Some(project) = project.and_then(|id| self.source.get(id)).filter(|_| !properties.is_empty())
        else {
            return self.dropped(instance, "has no project whose property set could say it");
        };
        let mut members = Vec::new();
        for (name, value) in properties {
            members.extend(
                self.make("IfcPropertySingleValue", &[("Name", name.into()), ("NominalValue", value)]),
            );
        }
        let attributes = [("Name", name.into()), ("HasProperties", members.into())];
        let set = self.make_rooted("IfcPropertySet", &project, name, &attributes);
        let attributes =
            [("RelatedObjects", Value::list([project.id()])), ("RelatingPropertyDefinition", set.into())];
        self.make_rooted("IfcRelDefinesByProperties", &project, &format!("{name} relation"), &attributes);
        self.record.note(
            instance.id().0,
            instance.class_name(),
            Outcome::Mapped,
            &format!("is the property set {name} of the project now"),
        );
        Fate::Gone
    }
}

/// The text of a text or enumeration word.
fn into_word(value: Value) -> Option<String> {
    match value {
        Value::Text(text) | Value::Enum(text) => Some(text),
        _ => None,
    }
}
