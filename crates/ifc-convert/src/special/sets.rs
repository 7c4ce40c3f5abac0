//! Property sets that a schema had as classes of their own, relationships that give several sets at once, and
//! properties without a value.

use crate::Outcome;
use crate::Way;
use crate::adapt::Typed;
use crate::draft::says_something;
use crate::step::{Fate, Step};
use ifc::schema::{Attribute, Entity, Kind};
use ifc::{Id, Instance, Value};

impl Step<'_> {
    /// An attribute as an IfcPropertySingleValue, if a property can hold it.
    pub(super) fn as_property(
        &mut self,
        instance: &Instance<'_>,
        entity: &'static Entity,
        attribute: &'static Attribute,
        value: &Value,
    ) -> Option<Id> {
        if !says_something(value) {
            return None;
        }
        let Some(Kind::Select(leaves)) = self.to.kind_of_type("IfcValue") else { return None };
        let from = Typed { kind: attribute.kind, declared: attribute.declared };
        let to = Typed { kind: Kind::Select(leaves), declared: "IfcValue" };
        let refers = value.as_ref().is_some() || value.as_list().is_some();
        let nominal =
            if refers { None } else { self.adapt(attribute.name, value, from, to, &mut Vec::new()) };
        let Some(nominal) = nominal else {
            let reason = format!("{} is no single value", attribute.name);
            self.record.note(instance.id().0, entity.name, Outcome::Approximated, &reason);
            return None;
        };
        self.make("IfcPropertySingleValue", &[("Name", attribute.name.into()), ("NominalValue", nominal)])
    }

    /// A set of predefined attributes (IfcEnergyProperties, IfcSoundProperties, …) as a property set.
    pub(super) fn attributes_as_properties(
        &mut self,
        instance: &Instance<'_>,
        entity: &'static Entity,
    ) -> Fate {
        let mut properties = Vec::new();
        for (attribute, value) in entity.attributes.iter().zip(instance.attributes()) {
            if !["IfcRoot", "IfcPropertyDefinition", "IfcPropertySetDefinition"].contains(&attribute.owner) {
                properties.extend(self.as_property(instance, entity, attribute, &value));
            }
        }
        if properties.is_empty() {
            return self.dropped(instance, "says nothing that a property set could hold");
        }
        let name = instance.name().unwrap_or_else(|| entity.name.trim_start_matches("Ifc").to_owned());
        let attributes = [
            ("GlobalId", instance.attr("GlobalId")),
            ("OwnerHistory", instance.attr("OwnerHistory")),
            ("Name", name.into()),
            ("Description", instance.attr("Description")),
            ("HasProperties", Value::list(properties)),
        ];
        self.made(instance, "IfcPropertySet", &attributes, Outcome::Approximated, "becomes IfcPropertySet")
    }

    /// Properties that differ from a set of the type: since IFC4 a set of the same name of the occurrence's own.
    pub(super) fn overridden(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        let set = instance.reference("RelatingPropertyDefinition").and_then(|id| self.source.get(id));
        let name = set.and_then(|set| set.name());
        let attributes = [("Name", name.into()), ("HasProperties", instance.attr("OverridingProperties"))];
        let Some(set) = self.make_rooted("IfcPropertySet", instance, "overriding", &attributes) else {
            return self.drafted(instance, entity);
        };
        let kept = ["GlobalId", "OwnerHistory", "Name", "Description", "RelatedObjects"];
        let mut attributes: Vec<(&str, Value)> = kept.map(|name| (name, instance.attr(name))).to_vec();
        attributes.push(("RelatingPropertyDefinition", set.into()));
        let reason = "is IfcRelDefinesByProperties with a set of its own now";
        self.made(instance, "IfcRelDefinesByProperties", &attributes, Outcome::Mapped, reason)
    }

    /// A relationship to several sets at once (IfcPropertySetDefinitionSet) as one for each.
    pub(super) fn sets_of_sets(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        let given = instance.attr("RelatingPropertyDefinition");
        let mut sets = Vec::new();
        given.for_each_ref(&mut |id| sets.push(id));
        if sets.len() > 1 || matches!(given, Value::Typed(..)) {
            let first = sets.first().copied();
            for (at, set) in sets.iter().enumerate().skip(1) {
                let attributes = [
                    ("RelatedObjects", instance.attr("RelatedObjects")),
                    ("RelatingPropertyDefinition", (*set).into()),
                ];
                self.make_rooted(entity.name, instance, &format!("set {at}"), &attributes);
            }
            let own = ("RelatingPropertyDefinition", first.into());
            self.overrides.entry(instance.id().0).or_default().push(own);
            self.record.note(
                instance.id().0,
                entity.name,
                Outcome::Mapped,
                "is a relationship for each set now",
            );
        }
        self.drafted(instance, entity)
    }

    /// A property whose values may be left out in IFC4 and not in IFC2X3: a single value without one.
    pub(super) fn empty_property(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        let values =
            ["EnumerationValues", "ListValues", "PropertyReference", "DefiningValues", "DefinedValues"];
        let says = values.iter().any(|name| says_something(&instance.attr(name)));
        if says {
            return self.drafted(instance, entity);
        }
        let attributes = [("Name", instance.attr("Name")), ("Description", instance.attr("Description"))];
        let reason = "has no values and becomes IfcPropertySingleValue";
        self.made(instance, "IfcPropertySingleValue", &attributes, Outcome::Approximated, reason)
    }

    /// Counts are whole numbers since IFC4X3; what is none is an IfcQuantityNumber there.
    pub(super) fn count(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        let count = instance.attr("CountValue");
        let whole = count.as_f64().is_none_or(|count| count.fract() == 0.0);
        if whole || self.way != Way::FourToThree {
            return self.drafted(instance, entity);
        }
        let kept = ["Name", "Description", "Unit", "Formula"];
        let mut attributes: Vec<(&str, Value)> = kept.map(|name| (name, instance.attr(name))).to_vec();
        attributes.push(("NumberValue", Value::Real(count.as_f64().unwrap_or_default())));
        self.made(instance, "IfcQuantityNumber", &attributes, Outcome::Mapped, "is IfcQuantityNumber now")
    }
}
