//! The declarations of IFC's schemas: entities with their attributes in the order of a STEP line, supertypes, inverse
//! attributes, defined types, enumerations and selects, for IFC2X3 TC1, IFC4 ADD2 TC1 and IFC4X3 ADD2.
//!
//! The tables are static data generated from the EXPRESS files (`cargo xtask codegen`). Entities stand in pre-order
//! of the inheritance tree, so "is a" is one interval test, and a name is found in any letter case by one hash.
//!
//! It knows no model and no file: rules and functions of the schemas are for `ifc-check`.

mod declared;
mod generated;
mod per_version;
#[cfg(test)]
mod tests;

pub use declared::{Width, base, leaf, width};
pub use per_version::PerVersion;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt;

/// The schemas that are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SchemaVersion {
    /// IFC2X3 TC1.
    #[serde(rename = "IFC2X3")]
    Ifc2x3,
    /// IFC4 ADD2 TC1 (ISO 16739-1:2018).
    #[serde(rename = "IFC4")]
    Ifc4,
    /// IFC4X3 ADD2 (ISO 16739-1:2024).
    #[serde(rename = "IFC4X3")]
    Ifc4x3,
}

impl SchemaVersion {
    /// Every schema, oldest first.
    pub const ALL: [Self; 3] = [Self::Ifc2x3, Self::Ifc4, Self::Ifc4x3];

    /// Its tables.
    pub fn schema(self) -> &'static Schema {
        match self {
            Self::Ifc2x3 => &generated::ifc2x3::SCHEMA,
            Self::Ifc4 => &generated::ifc4::SCHEMA,
            Self::Ifc4x3 => &generated::ifc4x3::SCHEMA,
        }
    }

    /// The short name: `IFC2X3`, `IFC4` or `IFC4X3`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ifc2x3 => "IFC2X3",
            Self::Ifc4 => "IFC4",
            Self::Ifc4x3 => "IFC4X3",
        }
    }

    /// The name that a file's header has in FILE_SCHEMA.
    pub fn file_schema(self) -> &'static str {
        match self {
            Self::Ifc4x3 => "IFC4X3_ADD2",
            other => other.as_str(),
        }
    }

    /// The schema that a FILE_SCHEMA or a person names: `IFC4`, `ifc4x3_add2`, `IFC2X3_TC1`, … Earlier drafts of
    /// IFC4X3 (RC1 to RC4, TC1, ADD1) and of IFC4 are read as their final form.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_uppercase();
        [("IFC4X3", Self::Ifc4x3), ("IFC2X3", Self::Ifc2x3), ("IFC4", Self::Ifc4)].into_iter().find_map(
            |(prefix, version)| {
                let rest = name.strip_prefix(prefix)?;
                (rest.is_empty() || rest.starts_with('_')).then_some(version)
            },
        )
    }
}

impl fmt::Display for SchemaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The place of an entity in its schema's table; entities of different schemas must not be compared by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub u16);

/// One schema's tables.
#[derive(Debug)]
pub struct Schema {
    pub(crate) version: SchemaVersion,
    pub(crate) name: &'static str,
    pub(crate) entities: &'static [Entity],
    pub(crate) types: &'static [TypeDeclaration],
    pub(crate) entity_slots: &'static [u16],
    pub(crate) type_slots: &'static [u16],
}

/// A class of IFC.
#[derive(Debug)]
pub struct Entity {
    /// `IfcWall`.
    pub name: &'static str,
    /// Its place in the table.
    pub id: EntityId,
    /// The place of its last descendant: descendants are exactly the places from `id` to here.
    pub last: EntityId,
    /// The entity that it specialises; `None` for a root.
    pub supertype: Option<EntityId>,
    /// True if only its subtypes have instances.
    pub is_abstract: bool,
    /// All explicit attributes, inherited first, in the order of a STEP line.
    pub attributes: &'static [&'static Attribute],
    /// The inverse attributes that this entity itself declares; see [`Schema::inverses`] for inherited ones.
    pub inverses: &'static [Inverse],
}

/// An explicit attribute.
#[derive(Debug, PartialEq, Eq)]
pub struct Attribute {
    /// `OverallHeight`.
    pub name: &'static str,
    /// The entity that declares it first.
    pub owner: &'static str,
    /// The type as EXPRESS writes it: `IfcPositiveLengthMeasure`, `SET [1:?] OF IfcObject`.
    pub declared: &'static str,
    /// True if `$` is allowed.
    pub optional: bool,
    /// True if this entity derives it, so that the file holds `*`.
    pub derived: bool,
    /// The kind of value that a file writes for it.
    pub kind: Kind,
}

/// The kind of value that a STEP file writes, defined types followed down to their base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A real; whole numbers are accepted.
    Number,
    /// A whole number.
    Integer,
    /// Text.
    Text,
    /// `.T.` or `.F.`
    Boolean,
    /// `.T.`, `.F.` or `.U.`
    Logical,
    /// Bits.
    Binary,
    /// One of these words between dots.
    Enumeration(&'static [&'static str]),
    /// A reference to an instance of this entity or a subtype.
    Entity(&'static str),
    /// A reference to one of these entities or a typed value of one of these defined types, selects within opened.
    Select(&'static [&'static str]),
    /// A list or set.
    List(&'static List),
}

/// A list, set or array.
#[derive(Debug, PartialEq, Eq)]
pub struct List {
    /// The kind of its members.
    pub of: Kind,
    /// At least so many.
    pub min: u32,
    /// At most so many; none: any number.
    pub max: Option<u32>,
    /// True if the order means nothing and no member comes twice.
    pub set: bool,
    /// True if no member comes twice in a list.
    pub unique: bool,
}

/// An inverse attribute: the instances of `entity` whose `attribute` refers here.
#[derive(Debug, PartialEq, Eq)]
pub struct Inverse {
    /// `HasOpenings`.
    pub name: &'static str,
    /// `IfcRelVoidsElement`.
    pub entity: &'static str,
    /// `RelatingBuildingElement`.
    pub attribute: &'static str,
    /// At least so many.
    pub min: u32,
    /// At most so many; none: any number.
    pub max: Option<u32>,
    /// True if it is declared as one instance, not as a set of them: EXPRESS then reads it without an index.
    pub single: bool,
}

/// A type that is not an entity.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// `IfcLabel`.
    pub name: &'static str,
    /// The declaration behind the name.
    pub definition: Definition,
}

/// The declaration of a type that is not an entity: another type, words, or a choice of types.
#[derive(Debug, PartialEq, Eq)]
pub enum Definition {
    /// Another type under a name of its own.
    Defined {
        /// The type as EXPRESS writes it.
        declared: &'static str,
        /// The kind of value that a file writes for it.
        kind: Kind,
    },
    /// One of some words.
    Enumeration(&'static [&'static str]),
    /// One of some entities or types.
    Select {
        /// As declared.
        members: &'static [&'static str],
        /// With selects within opened, sorted.
        leaves: &'static [&'static str],
    },
}

impl Schema {
    /// The version of the schema.
    pub fn version(&self) -> SchemaVersion {
        self.version
    }

    /// The name in its EXPRESS file: `IFC2X3`, `IFC4`, `IFC4X3_ADD2`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The entity of this name, in any letter case.
    pub fn entity(&self, name: &str) -> Option<&'static Entity> {
        FOUND.with(|found| {
            let slot = found.get(spot(name, 0) % found.len())?;
            if let Some((entities, entity)) = slot.get()
                && std::ptr::eq(entities, self.entities)
                && entity.name == name
            {
                return Some(entity);
            }
            let entity = find(self.entities, self.entity_slots, name, |entity| entity.name)?;
            slot.set(Some((self.entities, entity)));
            Some(entity)
        })
    }

    /// The entity at this place.
    pub fn entity_at(&self, id: EntityId) -> Option<&'static Entity> {
        self.entities.get(usize::from(id.0))
    }

    /// Every entity, each before its subtypes.
    pub fn entities(&self) -> &'static [Entity] {
        self.entities
    }

    /// The defined type, enumeration or select of this name, in any letter case.
    pub fn type_declaration(&self, name: &str) -> Option<&'static TypeDeclaration> {
        find(self.types, self.type_slots, name, |declaration| declaration.name)
    }

    /// Every type that is not an entity, by name.
    pub fn types(&self) -> &'static [TypeDeclaration] {
        self.types
    }

    /// True if `sub` is `sup` or one of its descendants.
    pub fn is_a(&self, sub: EntityId, sup: EntityId) -> bool {
        self.entity_at(sup).is_some_and(|sup| sup.id <= sub && sub <= sup.last)
    }

    /// An entity and all its descendants.
    pub fn subtypes(&self, id: EntityId) -> &'static [Entity] {
        let Some(entity) = self.entity_at(id) else { return &[] };
        self.entities.get(usize::from(entity.id.0)..=usize::from(entity.last.0)).unwrap_or(&[])
    }

    /// An entity, its supertype, and so on up to the root.
    pub fn lineage(&self, entity: &'static Entity) -> impl Iterator<Item = &'static Entity> + use<'_> {
        std::iter::successors(Some(entity), |entity| entity.supertype.and_then(|id| self.entity_at(id)))
    }

    /// All inverse attributes of an entity, its own first, then inherited ones.
    pub fn inverses(&self, entity: &'static Entity) -> impl Iterator<Item = &'static Inverse> + use<'_> {
        self.lineage(entity).flat_map(|entity| entity.inverses)
    }

    /// The kind of value that a file writes for this defined type, enumeration or select.
    pub fn kind_of_type(&self, name: &str) -> Option<Kind> {
        Some(match self.type_declaration(name)?.definition {
            Definition::Defined { kind, .. } => kind,
            Definition::Enumeration(items) => Kind::Enumeration(items),
            Definition::Select { leaves, .. } => Kind::Select(leaves),
        })
    }

    /// Names of entities that look like this one, nearest first: for "did you mean".
    pub fn near_entities(&self, name: &str, limit: usize) -> Vec<&'static str> {
        near(name, self.entities.iter().map(|entity| entity.name), limit)
    }
}

thread_local! {
    /// Entities found lately, each with the table that it is of, by where its name was read: most names are written out in the program, and
    /// asked for again and again.
    static FOUND: [Cell<Option<Found>>; 512] = const { [const { Cell::new(None) }; 512] };
    /// Places of attributes found lately, by the same and the entity.
    static PLACED: [Cell<Option<Placed>>; 1024] = const { [const { Cell::new(None) }; 1024] };
}

/// A table, and an entity of it.
type Found = (&'static [Entity], &'static Entity);
/// The attributes of an entity, and a place among them.
type Placed = (&'static [&'static Attribute], usize);

/// A number for where a name stands, spread by Knuth's multiplicative method: names written out in a program lie close together.
fn spot(name: &str, of: usize) -> usize {
    let number = (name.as_ptr().addr() ^ name.len() ^ (of << 20)) as u64;
    usize::try_from(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48).unwrap_or_default()
}

impl Entity {
    /// True if it is, or descends from, the entity of this name.
    pub fn is_a(&self, schema: &Schema, name: &str) -> bool {
        schema.entity(name).is_some_and(|sup| sup.id <= self.id && self.id <= sup.last)
    }

    /// The place of an attribute in a STEP line, from nought; the spelling is exact.
    pub fn index_of(&self, attribute: &str) -> Option<usize> {
        PLACED.with(|placed| {
            let slot = placed.get(spot(attribute, usize::from(self.id.0)) % placed.len())?;
            let is_it = |at: usize| self.attributes.get(at).is_some_and(|known| known.name == attribute);
            if let Some((attributes, at)) = slot.get()
                && std::ptr::eq(attributes, self.attributes)
                && is_it(at)
            {
                return Some(at);
            }
            let at = self.attributes.iter().position(|known| known.name == attribute)?;
            slot.set(Some((self.attributes, at)));
            Some(at)
        })
    }

    /// An attribute by its exact name.
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        self.attributes.get(self.index_of(name)?).copied()
    }
}

/// Those of `candidates` that look like `name`, nearest first: edit distance up to a third of the length, or one
/// contains the other. Letter case and a leading `Ifc` count for nothing.
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let plain = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.strip_prefix("ifc").map(str::to_owned).unwrap_or(lower)
    };
    let wanted: String = plain(name).chars().take(64).collect();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let other = plain(candidate);
        let distance = distance(&wanted, &other);
        let contained =
            wanted.len() >= 3 && other.len() >= 3 && (other.contains(&wanted) || wanted.contains(&other));
        if distance * 3 <= wanted.len().max(3) {
            found.push((distance, candidate));
        } else if contained {
            found.push((distance + wanted.len(), candidate));
        }
    }
    found.sort_unstable();
    found.dedup_by(|a, b| a.1 == b.1);
    found.into_iter().take(limit).map(|(_, candidate)| candidate).collect()
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (to, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let cost = diagonal + usize::from(from != *to);
            diagonal = *cell;
            left = cost.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

fn find<T>(
    table: &'static [T],
    slots: &[u16],
    name: &str,
    name_of: impl Fn(&T) -> &'static str,
) -> Option<&'static T> {
    let mask = slots.len().checked_sub(1)?;
    let mut at = hash(name) as usize & mask;
    loop {
        // a slot holds the place plus one; nought ends the search
        let place = usize::from(*slots.get(at)?).checked_sub(1)?;
        let entry = table.get(place)?;
        if name_of(entry).eq_ignore_ascii_case(name) {
            return Some(entry);
        }
        at = (at + 1) & mask;
    }
}

/// FNV-1a over the upper-case letters; the generator of the tables has the same.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_uppercase())).wrapping_mul(0x0100_0193)
    })
}
