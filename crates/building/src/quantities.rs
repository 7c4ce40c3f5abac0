//! Base quantities: computed from the parameters an element was made with, stored in the file's own units.
//!
//! Names and meanings are those of the Qto_*BaseQuantities templates of IFC4; IFC2X3 has no such templates, and the
//! same names are written there, so that one selector reads all schemas. Values are rounded to a billionth of the unit,
//! exact enough for `Qto_WallBaseQuantities.Length=7`.

use crate::author::{Author, tidy};
use contract::Fault;
use ifc::{Id, Instance, Model, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The method of measurement that quantities written here name, which the standard asks of its base quantities.
const METHOD: &str = "BaseQuantities";
/// The description of quantities written here; it tells them from those of other programs. Older versions had it as their method.
const COMPUTED: &str = "Computed by Pensaer from the element's parameters";

/// A quantity computed here, in mm, mm² or mm³.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A length in mm.
    Length(f64),
    /// An area in mm².
    Area(f64),
    /// A volume in mm³.
    Volume(f64),
}

/// A quantity as it stands in the file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Stored {
    /// The number, in the file's unit.
    pub value: f64,
    /// The unit.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// Quantities by name, read back from the file.
pub type Quantities = BTreeMap<String, Stored>;

impl Author<'_> {
    /// Writes a set of quantities to an object: values it has are replaced, others added, names no longer given are
    /// taken away. A set that other objects share is left to them.
    ///
    /// Names are those of IFC4; where the schema spells one another way it is written so.
    pub fn quantify(&mut self, object: Id, set: &str, quantities: &[(&str, Quantity)]) -> Result<(), Fault> {
        let spelled: Vec<(&str, Quantity)> =
            quantities.iter().map(|(name, quantity)| (self.spelling(name), *quantity)).collect();
        let quantities = spelled.as_slice();
        if let Some(existing) = own_set(self.edit, object, set) {
            self.requantify(existing, quantities)
        } else {
            let members =
                quantities.iter().map(|(n, q)| self.quantity(n, *q)).collect::<Result<Vec<_>, _>>()?;
            let list = Value::list(members.into_iter().map(Value::Ref));
            let element_quantity = self.root(
                "IfcElementQuantity",
                Some(set),
                &[
                    ("Description", COMPUTED.into()),
                    ("MethodOfMeasurement", METHOD.into()),
                    ("Quantities", list),
                ],
            )?;
            self.define(object, element_quantity)
        }
    }

    /// The name of a quantity of IFC4 as this schema spells it.
    fn spelling<'n>(&self, name: &'n str) -> &'n str {
        match name {
            "FootprintArea" if self.is_latest() => "FootPrintArea",
            "GrossFootprintArea" if self.is_latest() => "GrossFootPrintArea",
            "NetFootprintArea" if self.is_latest() => "NetFootPrintArea",
            other => other,
        }
    }

    fn requantify(&mut self, set: Id, quantities: &[(&str, Quantity)]) -> Result<(), Fault> {
        let members = self.edit.get(set).map(|s| s.references("Quantities")).unwrap_or_default();
        let mut kept = Vec::new();
        for (name, quantity) in quantities {
            let (class, attribute, value) = self.in_file_units(*quantity);
            let same = members.iter().copied().find(|id| {
                self.edit.get(*id).is_some_and(|q| q.class_name() == class && q.says("Name", name))
            });
            if let Some(same) = same {
                if self.edit.get(same).and_then(|q| q.number(attribute)) != Some(value) {
                    self.set(same, attribute, Value::Real(value))?;
                }
                kept.push(same);
            } else {
                kept.push(self.quantity(name, *quantity)?);
            }
        }
        if kept != members {
            self.set(set, "Quantities", Value::list(kept.iter().copied().map(Value::Ref)))?;
            let gone: Vec<Id> = members.into_iter().filter(|id| !kept.contains(id)).collect();
            self.sweep(&gone)?;
        }
        Ok(())
    }

    fn quantity(&mut self, name: &str, quantity: Quantity) -> Result<Id, Fault> {
        let (class, attribute, value) = self.in_file_units(quantity);
        self.create(class, &[("Name", name.into()), (attribute, Value::Real(value))])
    }

    fn in_file_units(&self, quantity: Quantity) -> (&'static str, &'static str, f64) {
        let units = self.units();
        match quantity {
            Quantity::Length(mm) => ("IfcQuantityLength", "LengthValue", self.length_in_file_units(mm)),
            Quantity::Area(mm2) => ("IfcQuantityArea", "AreaValue", tidy(mm2 / 1e6 / units.area_m2)),
            Quantity::Volume(mm3) => ("IfcQuantityVolume", "VolumeValue", tidy(mm3 / 1e9 / units.volume_m3)),
        }
    }

    /// Ties a property or quantity set to an object by a relation of its own.
    pub fn define(&mut self, object: Id, set: Id) -> Result<(), Fault> {
        let objects = Value::list([Value::Ref(object)]);
        let ends = [("RelatedObjects", objects), ("RelatingPropertyDefinition", set.into())];
        self.root("IfcRelDefinesByProperties", None, &ends).map(|_| ())
    }

    /// Writes a property set of single values, or adds to the one of this name that only this object has.
    pub fn describe(&mut self, object: Id, set: &str, properties: &[(&str, Value)]) -> Result<(), Fault> {
        let mut made = Vec::new();
        let existing = own_set(self.edit, object, set);
        let members = existing
            .and_then(|s| self.edit.get(s).map(|s| s.references("HasProperties")))
            .unwrap_or_default();
        for (name, value) in properties {
            let known =
                members.iter().copied().find(|id| self.edit.get(*id).is_some_and(|p| p.says("Name", name)));
            match known {
                Some(known) => self.set(known, "NominalValue", value.clone())?,
                None => made.push(self.create(
                    "IfcPropertySingleValue",
                    &[("Name", (*name).into()), ("NominalValue", value.clone())],
                )?),
            }
        }
        if let Some(existing) = existing {
            for property in made {
                self.add_to(existing, "HasProperties", property)?;
            }
            return Ok(());
        }
        let list = Value::list(made.into_iter().map(Value::Ref));
        let new = self.root("IfcPropertySet", Some(set), &[("HasProperties", list)])?;
        self.define(object, new)
    }
}

/// The property or quantity set of this name that belongs to this object and to no other.
pub fn own_set(model: &Model, object: Id, name: &str) -> Option<Id> {
    let relations = model.referrers_of(object, "IfcRelDefinesByProperties");
    // the name is read sooner than who shares the set
    relations.into_iter().find_map(|relation| {
        let relation = model.get(relation)?;
        let set = relation.reference("RelatingPropertyDefinition")?;
        let is_meant = model.get(set).is_some_and(|s| s.says("Name", name));
        (is_meant && !is_shared(model, &relation, set)).then_some(set)
    })
}

/// True if a set is tied to others, too, by its relation to one object or by another relation.
fn is_shared(model: &Model, relation: &Instance<'_>, set: Id) -> bool {
    relation.references("RelatedObjects").len() > 1
        || model.referrers_of(set, "IfcRelDefinesByProperties").len() > 1
}

/// Returns true if an object carries a quantity set that was computed here, and so has to be kept current.
pub fn is_ours(model: &Model, object: Id, set: &str) -> bool {
    own_set(model, object, set)
        .and_then(|set| model.get(set))
        .is_some_and(|set| ["Description", "MethodOfMeasurement"].iter().any(|name| set.says(name, COMPUTED)))
}

/// The property and quantity sets tied to an object: (set, whether others share it).
pub fn sets(model: &Model, object: Id) -> Vec<(Id, bool)> {
    model
        .referrers_of(object, "IfcRelDefinesByProperties")
        .into_iter()
        .filter_map(|relation| {
            let relation = model.get(relation)?;
            let set = relation.reference("RelatingPropertyDefinition")?;
            Some((set, is_shared(model, &relation, set)))
        })
        .collect()
}

/// The quantities of an object in one set, as they stand in the file.
pub fn read(model: &Model, object: Id, set: &str) -> Quantities {
    let units = ifc::units::Units::from_model(model);
    let mut found = Quantities::new();
    for relation in model.referrers_of(object, "IfcRelDefinesByProperties") {
        let id = model.get(relation).and_then(|r| r.reference("RelatingPropertyDefinition"));
        let Some(instance) = id.and_then(|id| model.get(id)).filter(|s| s.says("Name", set)) else {
            continue;
        };
        for member in instance.references("Quantities") {
            let Some(quantity) = model.get(member) else { continue };
            let (attribute, unit) = match quantity.class_name() {
                "IfcQuantityLength" => ("LengthValue", units.length_label()),
                "IfcQuantityArea" => ("AreaValue", units.area_label()),
                "IfcQuantityVolume" => ("VolumeValue", units.volume_label()),
                _ => continue,
            };
            if let (Some(name), Some(value)) = (quantity.name(), quantity.number(attribute)) {
                found.insert(name, Stored { value, unit: unit.to_owned() });
            }
        }
    }
    found
}
