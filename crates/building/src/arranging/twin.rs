//! Instances made after others: the same class and attributes, some of them given anew.

use crate::author::Author;
use contract::Fault;
use ifc::{Id, Model, Value};

/// The attributes of an instance by name, those left out that the schema derives or that are named in `without`.
pub(crate) fn attributes(model: &Model, id: Id, without: &[&str]) -> Vec<(&'static str, Value)> {
    let Some(instance) = model.get(id) else { return Vec::new() };
    let declared = instance.entity().map(|entity| entity.attributes).unwrap_or_default();
    declared
        .iter()
        .zip(instance.attributes())
        .filter(|(attribute, value)| {
            !attribute.derived
                && !value.is_null()
                && *value != Value::Derived
                && !without.contains(&attribute.name)
        })
        .map(|(attribute, value)| (attribute.name, value))
        .collect()
}

impl Author<'_> {
    /// Makes an instance like another, but for what is given anew; one that has a GlobalId gets its own, and our owner.
    pub fn twin(&mut self, id: Id, changes: &[(&'static str, Value)]) -> Result<Id, Fault> {
        let Some(instance) = self.edit.get(id) else { return Err(Fault::no_element(&id.to_string())) };
        let class = instance.class_name().to_owned();
        let rooted = instance.is_a("IfcRoot");
        let mut without: Vec<&str> = changes.iter().map(|(name, _)| *name).collect();
        if rooted {
            without.extend(["GlobalId", "OwnerHistory"]);
        }
        let mut all = attributes(self.edit, id, &without);
        all.extend(changes.iter().filter(|(_, value)| !value.is_null()).cloned());
        if rooted { self.root(&class, None, &all) } else { self.create(&class, &all) }
    }

    /// Makes a set of properties or quantities like another, with members of its own.
    pub fn twin_set(&mut self, set: Id) -> Result<Id, Fault> {
        let Some(instance) = self.edit.get(set) else { return Err(Fault::no_element(&set.to_string())) };
        let attribute = match () {
            () if instance.is_a("IfcPropertySet") => "HasProperties",
            () if instance.is_a("IfcElementQuantity") => "Quantities",
            () => return self.twin(set, &[]),
        };
        let members = self.twin_members(&instance_references(self.edit, set, attribute), 0)?;
        self.twin(set, &[(attribute, members)])
    }

    fn twin_members(&mut self, members: &[Id], depth: usize) -> Result<Value, Fault> {
        let mut made = Vec::with_capacity(members.len());
        for member in members {
            let within = match self.edit.get(*member) {
                Some(member) if depth < 8 && member.is_a("IfcComplexProperty") => Some("HasProperties"),
                Some(member) if depth < 8 && member.is_a("IfcPhysicalComplexQuantity") => {
                    Some("HasQuantities")
                }
                _ => None,
            };
            let twin = match within {
                Some(attribute) => {
                    let inner = instance_references(self.edit, *member, attribute);
                    let inner = self.twin_members(&inner, depth + 1)?;
                    self.twin(*member, &[(attribute, inner)])?
                }
                None => self.twin(*member, &[])?,
            };
            made.push(Value::Ref(twin));
        }
        Ok(Value::List(made))
    }
}

fn instance_references(model: &Model, id: Id, attribute: &str) -> Vec<Id> {
    model.get(id).map(|instance| instance.references(attribute)).unwrap_or_default()
}
