//! The Rust text of one schema's tables. Entities are laid out in pre-order of their inheritance tree, so that a
//! subtype test is an interval test; names are found through an open-addressing hash table made here.

use super::express::{Aggregate, AttributeDeclaration, Definition, EntityDeclaration, Express, Type};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// Writes the module of a schema.
pub fn write(schema: &Express, version: &str, source: &str) -> Result<String> {
    Writer::new(schema)?.module(version, source)
}

struct Writer<'s> {
    schema: &'s Express,
    types: HashMap<&'s str, &'s Definition>,
    entities: HashMap<&'s str, &'s EntityDeclaration>,
    /// Entities in pre-order with the position of their last descendant.
    order: Vec<(&'s EntityDeclaration, usize)>,
    /// Position by name.
    position: HashMap<&'s str, usize>,
    /// Enumerations, select leaves and aggregates by their text, with the name of the static that holds them.
    lists: BTreeMap<String, String>,
    list_text: String,
    attributes: HashMap<String, usize>,
    attribute_text: String,
}

impl<'s> Writer<'s> {
    fn new(schema: &'s Express) -> Result<Self> {
        let types = schema.types.iter().map(|t| (t.name.as_str(), &t.definition)).collect();
        let entities: HashMap<_, _> = schema.entities.iter().map(|e| (e.name.as_str(), e)).collect();
        let mut children: BTreeMap<Option<&str>, Vec<&EntityDeclaration>> = BTreeMap::new();
        for entity in &schema.entities {
            children.entry(entity.supertype.as_deref()).or_default().push(entity);
        }
        for list in children.values_mut() {
            list.sort_by(|a, b| a.name.cmp(&b.name));
        }
        let mut order = Vec::new();
        lay_out(None, &children, &mut order);
        if order.len() != schema.entities.len() {
            bail!("an entity's supertype is not declared, or supertypes run in a circle");
        }
        let position = order.iter().enumerate().map(|(at, (entity, _))| (entity.name.as_str(), at)).collect();
        Ok(Self {
            schema,
            types,
            entities,
            order,
            position,
            lists: BTreeMap::new(),
            list_text: String::new(),
            attributes: HashMap::new(),
            attribute_text: String::new(),
        })
    }

    fn module(mut self, version: &str, source: &str) -> Result<String> {
        let mut entities = String::new();
        for (entity, last) in self.order.clone() {
            let attributes = self.attributes_of(entity)?;
            let supertype = match &entity.supertype {
                Some(name) => {
                    format!("Some(EntityId({}))", self.position.get(name.as_str()).context("supertype")?)
                }
                None => "None".to_owned(),
            };
            let at = self.position[entity.name.as_str()];
            let attributes: Vec<String> = attributes.iter().map(|at| format!("&A[{at}]")).collect();
            let inverses: Vec<String> = entity
                .inverses
                .iter()
                .map(|i| {
                    let max = i.max.map_or("None".to_owned(), |max| format!("Some({max})"));
                    let single = i.single;
                    format!("v({:?}, {:?}, {:?}, {}, {max}, {single})", i.name, i.entity, i.attribute, i.min)
                })
                .collect();
            writeln!(
                entities,
                "    Entity {{ name: {:?}, id: EntityId({at}), last: EntityId({last}), supertype: {supertype}, is_abstract: {}, attributes: &[{}], inverses: &[{}] }},",
                entity.name,
                entity.is_abstract,
                attributes.join(", "),
                inverses.join(", "),
            )?;
        }
        let mut types = String::new();
        let mut declarations: Vec<_> = self.schema.types.iter().collect();
        declarations.sort_by(|a, b| a.name.cmp(&b.name));
        for declaration in &declarations {
            let definition = match &declaration.definition {
                Definition::Enumeration(items) => {
                    format!("Definition::Enumeration(&{})", self.strings(items))
                }
                Definition::Select(members) => {
                    format!(
                        "Definition::Select {{ members: &{}, leaves: &{} }}",
                        self.strings(members),
                        self.leaves(&declaration.name)?
                    )
                }
                Definition::Defined(of) => {
                    let kind = self.kind(of)?;
                    format!("Definition::Defined {{ declared: {:?}, kind: {kind} }}", express_text(of))
                }
            };
            writeln!(
                types,
                "    TypeDeclaration {{ name: {:?}, definition: {definition} }},",
                declaration.name
            )?;
        }
        let entity_names: Vec<&str> = self.order.iter().map(|(entity, _)| entity.name.as_str()).collect();
        let type_names: Vec<&str> = declarations.iter().map(|t| t.name.as_str()).collect();
        Ok(format!(
            "//! The tables of {name}, generated by `cargo xtask codegen` from {source}; not to be edited.\n\
             //!\n\
             //! Translated from the EXPRESS schema © buildingSMART International Ltd., CC BY-ND 4.0, with leave to translate\n\
             //! it into programming languages: https://creativecommons.org/licenses/by-nd/4.0/\n\n\
             use crate::{{Attribute, Definition, Entity, EntityId, Inverse, Kind, List, Schema, SchemaVersion, TypeDeclaration}};\n\n\
             /// The schema.\n\
             pub static SCHEMA: Schema = Schema {{\n    version: SchemaVersion::{version},\n    name: {name:?},\n    entities: &E,\n    types: &T,\n    entity_slots: &ES,\n    type_slots: &TS,\n}};\n\n\
             const fn a(name: &'static str, owner: &'static str, declared: &'static str, optional: bool, derived: bool, kind: Kind) -> Attribute {{\n    Attribute {{ name, owner, declared, optional, derived, kind }}\n}}\n\n\
             const fn v(name: &'static str, entity: &'static str, attribute: &'static str, min: u32, max: Option<u32>, single: bool) -> Inverse {{\n    Inverse {{ name, entity, attribute, min, max, single }}\n}}\n\n\
             static E: [Entity; {entity_count}] = [\n{entities}];\n\n\
             static A: [Attribute; {attribute_count}] = [\n{attributes}];\n\n\
             static T: [TypeDeclaration; {type_count}] = [\n{types}];\n\n\
             {lists}\n\
             {entity_slots}\n{type_slots}",
            name = self.schema.name,
            entity_count = self.order.len(),
            attribute_count = self.attributes.len(),
            attributes = self.attribute_text,
            type_count = declarations.len(),
            lists = self.list_text,
            entity_slots = slots("ES", &entity_names),
            type_slots = slots("TS", &type_names),
        ))
    }

    /// All attributes of an entity in the order of a STEP line, as positions in the table of attributes.
    fn attributes_of(&mut self, entity: &'s EntityDeclaration) -> Result<Vec<usize>> {
        let mut lineage = vec![entity];
        let mut at = entity;
        while let Some(name) = &at.supertype {
            at = self.entities.get(name.as_str()).context("supertype")?;
            lineage.push(at);
        }
        lineage.reverse();
        let mut list: Vec<(AttributeDeclaration, &str, bool)> = Vec::new();
        for step in lineage {
            for name in &step.derived {
                // derived from nothing explicit, as the schema's own calculations are, does not show in a file
                if let Some(known) = list.iter_mut().find(|(a, _, _)| a.name == *name) {
                    known.2 = true;
                }
            }
            for anew in &step.redeclared {
                let known = list.iter_mut().find(|(a, _, _)| a.name == anew.name);
                let known = known.with_context(|| {
                    format!("{}.{} is declared anew but not inherited", step.name, anew.name)
                })?;
                known.0 = anew.clone();
            }
            list.extend(step.attributes.iter().map(|a| (a.clone(), step.name.as_str(), false)));
        }
        list.into_iter()
            .map(|(attribute, owner, derived)| self.attribute(&attribute, owner, derived))
            .collect()
    }

    fn attribute(&mut self, attribute: &AttributeDeclaration, owner: &str, derived: bool) -> Result<usize> {
        let kind = self.kind(&attribute.of)?;
        let text = format!(
            "    a({:?}, {owner:?}, {:?}, {}, {derived}, {kind}),\n",
            attribute.name,
            express_text(&attribute.of),
            attribute.optional,
        );
        if let Some(at) = self.attributes.get(&text) {
            return Ok(*at);
        }
        let at = self.attributes.len();
        self.attribute_text.push_str(&text);
        self.attributes.insert(text, at);
        Ok(at)
    }

    /// The Rust text of a kind: what a STEP file writes for a value of this type.
    fn kind(&mut self, of: &Type) -> Result<String> {
        Ok(match of {
            Type::Aggregate { word, unique, min, max, of } => {
                let inner = self.kind(of)?;
                let set = *word == Aggregate::Set;
                let max = max.map_or("None".to_owned(), |max| format!("Some({max})"));
                let text =
                    format!("List {{ of: {inner}, min: {min}, max: {max}, set: {set}, unique: {unique} }}");
                let next = format!("L{}", self.lists.len());
                let name = self.lists.entry(text.clone()).or_insert_with(|| {
                    let _ = writeln!(self.list_text, "static {next}: List = {text};");
                    next
                });
                format!("Kind::List(&{name})")
            }
            Type::Named(name) | Type::Wide { name, .. } => match name.to_ascii_uppercase().as_str() {
                "REAL" | "NUMBER" => "Kind::Number".to_owned(),
                "INTEGER" => "Kind::Integer".to_owned(),
                "STRING" => "Kind::Text".to_owned(),
                "BOOLEAN" => "Kind::Boolean".to_owned(),
                "LOGICAL" => "Kind::Logical".to_owned(),
                "BINARY" => "Kind::Binary".to_owned(),
                _ => {
                    if self.entities.contains_key(name.as_str()) {
                        return Ok(format!("Kind::Entity({name:?})"));
                    }
                    let definition =
                        *self.types.get(name.as_str()).with_context(|| format!("{name} is not declared"))?;
                    match definition {
                        Definition::Defined(of) => self.kind(of)?,
                        Definition::Enumeration(items) => {
                            format!("Kind::Enumeration(&{})", self.strings(items))
                        }
                        Definition::Select(_) => format!("Kind::Select(&{})", self.leaves(name)?),
                    }
                }
            },
        })
    }

    /// The entities and defined types that a select comes down to, selects within it opened.
    fn leaves(&mut self, select: &str) -> Result<String> {
        let mut leaves = Vec::new();
        let mut open = vec![select];
        let mut seen = Vec::new();
        while let Some(name) = open.pop() {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            match self.types.get(name) {
                Some(Definition::Select(members)) => open.extend(members.iter().map(String::as_str)),
                Some(_) => leaves.push(name.to_owned()),
                None if self.entities.contains_key(name) => leaves.push(name.to_owned()),
                None => bail!("{name}, a member of {select}, is not declared"),
            }
        }
        leaves.sort();
        Ok(self.strings(&leaves))
    }

    fn strings(&mut self, items: &[String]) -> String {
        let text = format!("[&str; {}] = {items:?}", items.len());
        let next = format!("S{}", self.lists.len());
        self.lists
            .entry(text.clone())
            .or_insert_with(|| {
                let _ = writeln!(self.list_text, "static {next}: {text};");
                next
            })
            .clone()
    }
}

fn lay_out<'s>(
    parent: Option<&str>,
    children: &BTreeMap<Option<&str>, Vec<&'s EntityDeclaration>>,
    order: &mut Vec<(&'s EntityDeclaration, usize)>,
) {
    for &child in children.get(&parent).into_iter().flatten() {
        let at = order.len();
        order.push((child, at));
        lay_out(Some(&child.name), children, order);
        let last = order.len() - 1;
        order[at].1 = last;
    }
}

/// The type as EXPRESS writes it, in one line.
fn express_text(of: &Type) -> String {
    match of {
        Type::Named(name) => name.clone(),
        Type::Wide { name, width, fixed } => {
            format!("{name}({width}){}", if *fixed { " FIXED" } else { "" })
        }
        Type::Aggregate { word, unique, min, max, of } => {
            // an array's bounds are those of its index, as it was declared in every schema: from one
            let (word, min) = match word {
                Aggregate::List => ("LIST", *min),
                Aggregate::Set => ("SET", *min),
                Aggregate::Bag => ("BAG", *min),
                Aggregate::Array => ("ARRAY", 1),
            };
            let unique = if *unique { "UNIQUE " } else { "" };
            let max = max.map_or("?".to_owned(), |max| max.to_string());
            format!("{word} [{min}:{max}] OF {unique}{}", express_text(of))
        }
    }
}

/// An open-addressing table from the hash of a name to its position plus one; nought is an empty slot.
/// The hash is the one of `ifc::schema::hash`: FNV-1a over the upper-case letters.
fn slots(name: &str, names: &[&str]) -> String {
    let size = (names.len() * 2).next_power_of_two();
    let mut table = vec![0u16; size];
    for (position, entry) in names.iter().enumerate() {
        let mut at = hash(entry) as usize & (size - 1);
        while table[at] != 0 {
            at = (at + 1) & (size - 1);
        }
        table[at] = u16::try_from(position + 1).unwrap_or(0);
    }
    let mut text = format!("static {name}: [u16; {size}] = [\n");
    for row in table.chunks(32) {
        let row: Vec<String> = row.iter().map(u16::to_string).collect();
        let _ = writeln!(text, "    {},", row.join(", "));
    }
    text.push_str("];\n");
    text
}

fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_uppercase())).wrapping_mul(0x0100_0193)
    })
}
