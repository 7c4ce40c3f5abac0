//! Who refers to whom. A field refers to another object by its name, through lists that the schema keeps: the construction
//! of a surface is one of `ConstructionNames`, of which every type of construction is a member.
//!
//! Where a field beside it says the type (`Component Object Type`, `Component Name`), only objects of that type are
//! meant. Keys of output variables, of sensors and of actuators are names too, though no list says of what; they are followed where
//! only one object has that name, or one of the type that an actuator says. A field for a node may name a `NodeList` in its place.

#[cfg(test)]
mod tests;

use crate::idf::{Document, Handle, Object};
use crate::schema::{FieldKind, ObjectType, Schema};
use foldhash::HashMap;

/// Fields whose value is the name of any object that reports something or is acted on, and the field that may say its type.
const KEYS: [(&str, &str, Option<&str>); 3] = [
    ("Output:Variable", "key_value", None),
    ("EnergyManagementSystem:Sensor", "output_variable_or_output_meter_index_key_name", None),
    ("EnergyManagementSystem:Actuator", "actuated_component_unique_name", Some("actuated_component_type")),
];

/// A key field of a type: both by their numbers, and the field beside it that may say the type of what it names.
struct Key {
    type_number: u32,
    position: u32,
    type_position: Option<usize>,
}

impl Key {
    fn known(schema: &Schema) -> Vec<Self> {
        let key = |(type_name, field, beside): &(&str, &str, Option<&str>)| {
            let type_number = schema.number(type_name)?;
            let about = schema.type_at(type_number)?;
            let type_position = beside.and_then(|field| about.position(field));
            Some(Self { type_number, position: about.position(field)? as u32, type_position })
        };
        KEYS.iter().filter_map(key).collect()
    }

    /// The one object that a value means: the only one of that name, or among several the one of the type beside it.
    fn target(&self, object: Object<'_>, names: &Names<'_>, value: &str) -> Option<Handle> {
        let schema = names.document.schema();
        let wanted = self.type_position.and_then(|at| schema.number(object.value(at)));
        let mut named = names.named(value).filter(|named| named.position == 0);
        let first = named.next()?;
        let Some(second) = named.next() else { return Some(first.handle) };
        let mut all = [first, second].into_iter().chain(named);
        all.find(|named| Some(named.type_number) == wanted).map(|named| named.handle)
    }
}

/// The number of a field among all of its type, for a position in an object.
pub fn number_of(about: &ObjectType, position: usize) -> Option<u32> {
    let fixed = about.fields.len();
    if position < fixed {
        return Some(position as u32);
    }
    let size = about.extensible.as_ref()?.fields.len();
    Some((fixed + (position - fixed).checked_rem(size)?) as u32)
}

/// The target of a reference.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// The field refers to nothing.
    Free,
    /// A type, by its name.
    Type,
    /// These objects; several where names are shared by types that may all be meant.
    Objects(Vec<Handle>),
    /// Nothing has this name.
    Missing,
    /// An object has this name, but is not of the type that the field beside says.
    OtherType(Handle),
}

/// Objects of one type and one name that are told apart by who names them. More than one is a fault that is found elsewhere; that all
/// have one name must not make every reference lead to all of them.
const ALIKE: usize = 32;

/// Every name of a document that others may refer to.
pub struct Names<'a> {
    document: &'a Document,
    by_name: HashMap<u64, Vec<Named>>,
}

#[derive(Clone, Copy)]
struct Named {
    type_number: u32,
    position: u32,
    handle: Handle,
}

fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

impl<'a> Names<'a> {
    /// Reads the names of a document.
    pub fn from_document(document: &'a Document) -> Self {
        let mut by_name: HashMap<u64, Vec<Named>> = HashMap::default();
        let schema = document.schema();
        for object in document.objects() {
            let Some(type_number) = object.type_number() else { continue };
            let Some(plan) = schema.plan(type_number) else { continue };
            for &position in &plan.providers {
                let value = object.value(position as usize);
                if value.is_empty() {
                    continue;
                }
                let named = Named { type_number, position, handle: object.handle() };
                let list = by_name.entry(hash(value)).or_default();
                let alike = |other: &&Named| (other.type_number, other.position) == (type_number, position);
                if list.len() < ALIKE || list.iter().filter(alike).take(ALIKE).count() < ALIKE {
                    list.push(named);
                }
            }
        }
        Self { document, by_name }
    }

    fn named<'b>(&'b self, name: &'b str) -> impl Iterator<Item = Named> + 'b {
        let list = self.by_name.get(&hash(name)).map(Vec::as_slice).unwrap_or_default();
        list.iter().copied().filter(move |named| {
            let object = self.document.object(named.handle);
            object.is_some_and(|object| object.value(named.position as usize).eq_ignore_ascii_case(name))
        })
    }

    /// Resolves a value to what it refers to; `number` is the number of its field among all of the type.
    pub fn resolve(&self, object: Object<'_>, position: usize, number: u32, value: &str) -> Target {
        let schema = self.document.schema();
        let plan = object.type_number().and_then(|number| schema.plan(number));
        let Some(user) = plan.and_then(|plan| plan.users.get(&number)) else { return Target::Free };
        if value.is_empty() {
            return Target::Free;
        }
        let beside = user.type_field.and_then(|field| {
            // a field of the same group stands as far away as in the schema
            let at = (position + field as usize).checked_sub(number as usize)?;
            schema.number(object.value(at))
        });
        let mut objects = Vec::new();
        let mut other = None;
        for named in
            self.named(value).filter(|named| user.names.contains(&(named.type_number, named.position)))
        {
            if beside.is_none_or(|wanted| wanted == named.type_number) {
                objects.push(named.handle);
            } else {
                other = Some(named.handle);
            }
        }
        if !objects.is_empty() {
            return Target::Objects(objects);
        }
        if !user.types.is_empty() && schema.number(value).is_some_and(|number| user.types.contains(&number)) {
            return Target::Type;
        }
        match other {
            Some(other) => Target::OtherType(other),
            None if user.open => Target::Free,
            None => Target::Missing,
        }
    }

    /// The names that a field may refer to, in order, and the types if it names types.
    pub fn available(&self, about: &ObjectType, position: usize) -> Vec<&str> {
        let schema = self.document.schema();
        let plan = schema.number(&about.name).and_then(|number| schema.plan(number));
        let user = number_of(about, position).and_then(|number| plan?.users.get(&number));
        let Some(user) = user else { return Vec::new() };
        let mut found: Vec<&str> = Vec::new();
        for named in self.by_name.values().flatten() {
            if user.names.contains(&(named.type_number, named.position))
                && let Some(object) = self.document.object(named.handle)
            {
                found.push(object.value(named.position as usize));
            }
        }
        found
            .extend(user.types.iter().filter_map(|number| schema.type_at(*number)).map(|about| &*about.name));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// A reference from one object to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    /// The object that refers.
    pub from: Handle,
    /// In which value.
    pub position: u32,
    /// To whom.
    pub to: Handle,
}

/// Every reference of a document.
#[derive(Debug, Default)]
pub struct Graph {
    /// By who refers, in the order of the document.
    out: Vec<Reference>,
    /// By who is referred to.
    back: Vec<Reference>,
}

impl Graph {
    /// Follows every reference.
    pub fn from_document(document: &Document) -> Self {
        let names = Names::from_document(document);
        let schema = document.schema();
        let mut out = Vec::new();
        let keys = Key::known(schema);
        let lists: HashMap<u64, Handle> =
            document.of_type("NodeList").map(|list| (hash(list.name()), list.handle())).collect();
        for object in document.objects() {
            let (Some(about), Some(type_number)) = (object.about(), object.type_number()) else { continue };
            let from = object.handle();
            let Some(plan) = schema.plan(type_number) else { continue };
            for (position, value) in object.values().enumerate() {
                let Some(number) = number_of(about, position) else { continue };
                let position = position as u32;
                if plan.users.contains_key(&number) {
                    if let Target::Objects(found) = names.resolve(object, position as usize, number, value) {
                        let other = found.into_iter().filter(|to| *to != from);
                        out.extend(other.map(|to| Reference { from, position, to }));
                    }
                    continue;
                }
                let key = keys.iter().find(|key| (key.type_number, key.position) == (type_number, position));
                if let Some(key) = key.filter(|_| !value.is_empty() && value != "*") {
                    out.extend(key.target(object, &names, value).map(|to| Reference { from, position, to }));
                } else if let Some(&to) = lists.get(&hash(value)).filter(|to| **to != from) {
                    let is_node = about
                        .field_at(position as usize)
                        .is_some_and(|(field, _)| field.kind == FieldKind::Node);
                    let has_name =
                        document.object(to).is_some_and(|list| list.name().eq_ignore_ascii_case(value));
                    if is_node && has_name {
                        out.push(Reference { from, position, to });
                    }
                }
            }
        }
        let mut back = out.clone();
        back.sort_by_key(|reference| (reference.to, reference.from, reference.position));
        Self { out, back }
    }

    /// Returns the references from an object.
    pub fn from(&self, handle: Handle) -> &[Reference] {
        span(&self.out, handle, |reference| reference.from)
    }

    /// Returns the references to an object.
    pub fn to(&self, handle: Handle) -> &[Reference] {
        span(&self.back, handle, |reference| reference.to)
    }
}

fn span(list: &[Reference], handle: Handle, key: impl Fn(&Reference) -> Handle) -> &[Reference] {
    let start = list.partition_point(|reference| key(reference) < handle);
    let end = list.partition_point(|reference| key(reference) <= handle);
    list.get(start..end).unwrap_or_default()
}
