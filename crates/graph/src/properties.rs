//! Properties and quantities as predicates: `prop:Pset_WallCommon.FireRating`, `prop:Qto_WallBaseQuantities.Length`.
//!
//! The local name is the set, a dot, and the property, each percent-encoded where it holds more than letters, digits, `-` and `_`
//! (`prop:PSet_Revit_Constraints.Base%20Offset`). Parts of complex properties follow with further dots; a bounded property has `.lower`
//! and `.upper` beside its set point. An enumerated or listed property has one triple a value. Tables are left out.
//!
//! A set without a name is called by its class: `prop:IfcElementQuantity.volume`, `prop:IfcDoorLiningProperties.LiningDepth`.
//!
//! An object has the properties of its own sets, the first that has a value where several bear one name, and those of its type where it
//! has none of its own. Materials have theirs.

use crate::edges::once;
use crate::names::property_name;
use crate::nodes::Nodes;
use crate::term::Part;
use crate::values::{Declared, Reader, qudt_unit};
use foldhash::{HashSet, HashSetExt};
use ifc::psets::{self, Detail, Property};
use ifc::relations::{DEFINED, End, Links};
use ifc::units::Unit;
use ifc::{Id, Model, Value};

/// One value of a property: a literal, or an instance that is a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A literal.
    Literal(Part),
    /// A node.
    Node(Id),
}

/// Classes of sets that have a name, with their subtypes.
const SETS: [&str; 3] =
    ["IfcPropertySetDefinition", "IfcMaterialProperties", "IfcExtendedMaterialProperties"];

/// Reads the properties of one model.
pub struct Properties<'v, 'm> {
    /// Its relations.
    pub links: &'v Links<'m>,
    /// Its values.
    pub reader: &'v Reader<'v>,
}

impl Properties<'_, '_> {
    fn model(&self) -> &Model {
        self.links.model()
    }

    /// The sets of a node: its own, then those of its type.
    fn sets(&self, node: Id) -> impl Iterator<Item = Id> {
        let (own, inherited) = psets::definitions_of(self.links, node);
        own.into_iter().chain(inherited)
    }

    /// The values of one property of a node.
    pub fn objects(&self, node: Id, set: &str, parts: &[String]) -> Vec<Object> {
        let Some((name, _)) = parts.split_first() else { return Vec::new() };
        for id in self.sets(node) {
            if !self.model().get(id).is_some_and(|instance| is_called(&instance, set)) {
                continue;
            }
            let mut found = Vec::new();
            // of two properties of one name in a set the first that has a value counts
            for property in self.named(id, name) {
                self.expand(&property, &mut Vec::new(), &mut |path, objects| {
                    if found.is_empty() && path == parts {
                        found = objects;
                    }
                });
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Vec::new()
    }

    fn named(&self, set: Id, name: &str) -> Vec<Property> {
        let all = psets::property_set(self.model(), set).map(|set| set.properties).unwrap_or_default();
        all.into_iter().filter(|property| property.name == name).collect()
    }

    /// Every property of a node that has a value, by local name.
    pub fn all(&self, node: Id) -> Vec<(String, Vec<Object>)> {
        let mut seen: HashSet<String> = HashSet::new();
        let mut found = Vec::new();
        for set in self.sets(node).filter_map(|id| psets::property_set(self.model(), id)) {
            self.each_in_set(&set, &mut |local, objects, _| {
                if seen.insert(local.clone()) {
                    found.push((local, objects));
                }
            });
        }
        found
    }

    /// Calls `each` with local name, values and property for every property of a set that has a value.
    pub fn each_in_set(
        &self,
        set: &psets::PropertySet,
        each: &mut dyn FnMut(String, Vec<Object>, &Property),
    ) {
        let name = if set.name.is_empty() { &set.class } else { &set.name };
        for property in &set.properties {
            self.expand(property, &mut Vec::new(), &mut |path, objects| {
                let local = property_name(name, path.iter().map(String::as_str));
                each(local, objects, property);
            });
        }
    }

    fn expand(
        &self,
        property: &Property,
        path: &mut Vec<String>,
        each: &mut dyn FnMut(&[String], Vec<Object>),
    ) {
        let own = property.unit.and_then(|id| ifc::units::unit(self.model(), id));
        let name = match property.detail {
            Detail::Quantity(measure) | Detail::Attribute(measure) => measure,
            _ => "",
        };
        path.push(property.name.clone());
        let mut give = |path: &[String], value: &Value| {
            let objects = self.values(value, name, own.as_ref());
            if !objects.is_empty() {
                each(path, objects);
            }
        };
        match &property.detail {
            Detail::Bounded { lower, upper } => {
                give(path, &property.value);
                for (end, value) in [("lower", lower), ("upper", upper)] {
                    path.push(end.to_owned());
                    give(path, value);
                    path.pop();
                }
            }
            Detail::Reference(Some(id)) => give(path, &Value::Ref(*id)),
            Detail::Complex(parts) => parts.iter().for_each(|part| self.expand(part, path, each)),
            _ => give(path, &property.value),
        }
        path.pop();
    }

    fn values(&self, value: &Value, measure: &str, unit: Option<&Unit>) -> Vec<Object> {
        let kind = self.reader.schema.kind_of_type(measure);
        let declared = Declared { name: measure, kind, unit };
        let mut found: Vec<Object> =
            self.reader.literals(value, declared).into_iter().map(Object::Literal).collect();
        let nodes = Nodes::of_schema(self.reader.schema.version());
        value.for_each_ref(&mut |id| {
            let entity = self.model().get(id).and_then(|instance| instance.entity());
            let object = Object::Node(id);
            if entity.is_some_and(|entity| nodes.has(entity)) && !found.contains(&object) {
                found.push(object);
            }
        });
        found
    }

    /// The sets of this name, in the order of classes.
    fn sets_named(&self, name: &str) -> Vec<Id> {
        let model = self.model();
        let schema = model.schema();
        let tops = SETS.iter().filter_map(|class| schema.entity(class));
        let classes = tops.flat_map(|top| schema.subtypes(top.id)).filter(|class| !class.is_abstract);
        let present = classes.filter(|class| model.has_class(class.name));
        let mut found = Vec::new();
        for class in present {
            found.extend(model.of_text(class.name, "Name", name));
            if class.name == name {
                let unnamed = |id: &Id| model.get(*id).is_some_and(|set| is_called(&set, name));
                found.extend(model.of_class_exact(name).into_iter().filter(unnamed));
            }
        }
        once(found)
    }

    /// The nodes that may have a property.
    pub fn sources(&self, set: &str, parts: &[String]) -> Vec<Id> {
        let Some((name, _)) = parts.split_first() else { return Vec::new() };
        let sets = self.sets_named(set).into_iter();
        once(sets.filter(|id| self.holds(*id, name)).flat_map(|id| self.bearers(id)).collect())
    }

    fn holds(&self, set: Id, name: &str) -> bool {
        psets::property_named(self.model(), set, name).is_some()
    }

    /// True if any set has this property.
    pub fn occurs(&self, set: &str, parts: &[String]) -> bool {
        let named = parts.first();
        named.is_some_and(|name| self.sets_named(set).into_iter().any(|id| self.holds(id, name)))
    }

    /// The nodes that have a set, themselves or from their type.
    fn bearers(&self, set: Id) -> Vec<Id> {
        let model = self.model();
        let end = End { class: DEFINED.class, attribute: "RelatingPropertyDefinition" };
        let mut found = self.links.across(set, end, "RelatedObjects");
        for of_type in model.referrers_of(set, "IfcTypeObject") {
            found.extend(self.links.occurrences_of(of_type));
            found.push(of_type);
        }
        found.extend(model.get(set).and_then(|instance| instance.reference("Material")));
        found
    }

    /// The names of all properties that sets have values for, each with the number of nodes that bear such a set, its unit and a value.
    pub fn catalogue(&self, mut each: impl FnMut(String, usize, Option<&'static str>, &Object)) {
        for id in SETS.iter().flat_map(|class| self.model().of_class(class)) {
            let Some(set) = psets::property_set(self.model(), id) else { continue };
            let bearers = once(self.bearers(id)).len();
            if bearers == 0 {
                continue;
            }
            self.each_in_set(&set, &mut |local, objects, property| {
                if let Some(first) = objects.first() {
                    each(local, bearers, unit_of(property), first);
                }
            });
        }
    }
}

/// True if a set has this name, or has none and is of the class of this name.
fn is_called(set: &ifc::Instance<'_>, name: &str) -> bool {
    set.says("Name", name) || (set.class_name() == name && set.name().is_none_or(|own| own.is_empty()))
}

/// The unit in QUDT in which the graph gives a property's value.
pub fn unit_of(property: &Property) -> Option<&'static str> {
    let of_value = |value: &Value| match value {
        Value::Typed(measure, _) => qudt_unit(measure),
        _ => None,
    };
    match &property.detail {
        Detail::Quantity(measure) | Detail::Attribute(measure) => qudt_unit(measure),
        Detail::Bounded { lower, upper } => [&property.value, lower, upper].into_iter().find_map(of_value),
        _ => of_value(&property.value).or_else(|| property.value.as_list()?.first().and_then(of_value)),
    }
}

impl Properties<'_, '_> {
    /// The nodes that may have a property whose value is an instance.
    pub fn owners(&self, value: Id) -> Vec<Id> {
        let model = self.model();
        let mut properties = model.referrers_of(value, "IfcPropertyReferenceValue");
        let mut sets = Vec::new();
        for _ in 0..ifc::relations::DEPTH {
            let mut wholes = Vec::new();
            for property in std::mem::take(&mut properties) {
                sets.extend(SETS.iter().flat_map(|class| model.referrers_of(property, class)));
                wholes.extend(model.referrers_of(property, "IfcComplexProperty"));
            }
            if wholes.is_empty() {
                break;
            }
            properties = once(wholes);
        }
        sets.extend(SETS.iter().flat_map(|class| model.referrers_of(value, class)));
        once(once(sets).into_iter().flat_map(|set| self.bearers(set)).collect())
    }
}
