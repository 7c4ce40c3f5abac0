//! What EnergyPlus says of its own input: object types, their fields in the order of the text form, units, ranges,
//! choices, which names a field may refer to, and the words that explain them.
//!
//! The tables of 18 versions are part of the program, generated from the schemas (and one IDD) that EnergyPlus ships. They
//! are unpacked when first asked for; which one a model is read by, its own version says (`Schema::for_version`). What is not here:
//! whether a model keeps to all this (`check`).

mod build;
mod codec;
mod idd;
mod lend;
mod plan;
mod pool;
mod search;
#[cfg(test)]
mod tests;
mod versions;

pub use pool::pack as pack_together;
pub use search::Hit;
pub use versions::{Found, HOME};

use plan::Plan;
use search::Words;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Text that many fields share.
pub type Text = Arc<str>;

/// The type of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A number.
    Real,
    /// A whole number.
    Integer,
    /// One of a list of words.
    Choice,
    /// Any text.
    Text,
    /// The name of another object, or of a type of object.
    Reference,
    /// The name of an output variable or meter.
    External,
    /// The name of a node of the air or water loops.
    Node,
    /// A number or a text.
    Mixed,
}

/// A word that may stand in place of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Automatic {
    /// The program sizes the field.
    Autosize,
    /// The program computes the field.
    Autocalculate,
}

impl Automatic {
    /// The word as the program spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Autosize => "Autosize",
            Self::Autocalculate => "Autocalculate",
        }
    }
}

/// An end of the range of a number.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Bound {
    /// The number.
    pub value: f64,
    /// True if the number itself is outside.
    pub exclusive: bool,
}

/// One field of a type of object.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name in epJSON, such as `begin_month`.
    pub key: Text,
    /// Its name in the text form, such as `Begin Month`.
    pub name: Text,
    /// For a field of a repeated group, its name with `{}` where the number of the group stands, if it carries one.
    pub numbered: Option<Text>,
    /// The type of its values.
    pub kind: FieldKind,
    /// True if it must have a value.
    pub required: bool,
    /// The word that may stand in place of a number.
    pub automatic: Option<Automatic>,
    /// The value that holds where it is blank.
    pub default: Option<Text>,
    /// The words, or for numbers the numbers, that it may hold; empty if any.
    pub choices: Vec<Text>,
    /// The least number.
    pub minimum: Option<Bound>,
    /// The greatest number.
    pub maximum: Option<Bound>,
    /// Units, such as `m3/s`.
    pub units: Option<Text>,
    /// Units used in North America, where they are not those that follow from the units.
    pub ip_units: Option<Text>,
    /// The field of the same object that says what the units are.
    pub units_from: Option<Text>,
    /// The schema's note on it.
    pub note: Option<Text>,
    /// The lists that its value is a member of: other fields may refer to it through them.
    pub references: Vec<Text>,
    /// The lists that the type itself is a member of.
    pub class_references: Vec<Text>,
    /// The lists whose members it may name.
    pub lists: Vec<Text>,
    /// True if the case of its letters matters.
    pub retain_case: bool,
}

impl Field {
    /// True if it holds a number, perhaps beside a word.
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind, FieldKind::Real | FieldKind::Integer)
    }

    /// Its name in the `group`th group (from 0), or its plain name.
    pub fn name_in(&self, group: Option<usize>) -> String {
        match (&self.numbered, group) {
            (Some(pattern), Some(group)) => pattern.replacen("{}", &(group + 1).to_string(), 1),
            (None, Some(group)) => format!("{} {}", self.name, group + 1),
            _ => self.name.to_string(),
        }
    }
}

/// A group of fields that may be repeated at the end of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Extensible {
    /// The name of the list in epJSON, such as `vertices`.
    pub key: Text,
    /// The fields of one group.
    pub fields: Vec<Field>,
    /// The least number of groups.
    pub min_items: u32,
    /// The largest number of groups.
    pub max_items: Option<u32>,
}

/// A type of object.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectType {
    /// Its name, such as `BuildingSurface:Detailed`.
    pub name: Text,
    /// The group of types it belongs to, such as `Thermal Zones and Surfaces`.
    pub group: Text,
    /// The schema's note on it.
    pub memo: Text,
    /// The layout of its text form: empty, `singleLine`, `vertices`, `compactSchedule`, …
    pub format: Text,
    /// Its fields in the order of the text form; the name comes first, where objects have one.
    pub fields: Vec<Field>,
    /// The fields that repeat after them.
    pub extensible: Option<Extensible>,
    /// True if objects of this type have names.
    pub named: bool,
    /// The least number of fields in the text form.
    pub min_fields: u32,
    /// True if a model has at most one.
    pub unique: bool,
    /// True if a model must have one.
    pub required: bool,
}

impl ObjectType {
    /// The field at a position of the text form, and the number of the group it stands in.
    pub fn field_at(&self, position: usize) -> Option<(&Field, Option<usize>)> {
        if let Some(field) = self.fields.get(position) {
            return Some((field, None));
        }
        let group = self.extensible.as_ref()?;
        let beyond = position.checked_sub(self.fields.len())?;
        let number = beyond.checked_div(group.fields.len())?;
        Some((group.fields.get(beyond % group.fields.len())?, Some(number)))
    }

    /// The position of a field by its key or name, whatever the case; the fields of groups carry their number in it, as
    /// in `Vertex 2 X-coordinate` or `vertex_2_x_coordinate`.
    pub fn position(&self, field: &str) -> Option<usize> {
        let wanted = key_of(field);
        if let Some(at) = self.fields.iter().position(|f| *f.key == *wanted || key_of(&f.name) == wanted) {
            return Some(at);
        }
        let group = self.extensible.as_ref()?;
        group.fields.iter().enumerate().find_map(|(at, field)| {
            let number = number_within(&wanted, field)?;
            number.checked_mul(group.fields.len())?.checked_add(self.fields.len() + at)
        })
    }

    /// Every field once, those of the group last.
    pub fn all_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().chain(self.extensible.iter().flat_map(|group| &group.fields))
    }
}

/// A name as epJSON spells names of fields: small letters, figures and underscores.
pub fn key_of(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            key.push(c.to_ascii_lowercase());
        } else if !key.ends_with('_') {
            key.push('_');
        }
    }
    key.trim_matches('_').to_owned()
}

/// The number of the group, from 0, that `wanted` names `field` in.
fn number_within(wanted: &str, field: &Field) -> Option<usize> {
    let parse =
        |digits: &str| digits.parse::<usize>().ok().filter(|n| (1..=1_000_000).contains(n)).map(|n| n - 1);
    if let Some(pattern) = &field.numbered {
        let (before, after) = pattern.split_once("{}")?;
        let (before, after) = (key_of(before), key_of(after));
        let digits = wanted.strip_prefix(before.as_str()).and_then(|rest| rest.strip_suffix(after.as_str()));
        if let Some(number) = digits.and_then(|digits| parse(digits.trim_matches('_'))) {
            return Some(number);
        }
    }
    let rest = wanted.strip_prefix(&*field.key)?;
    if rest.is_empty() { Some(0) } else { parse(rest.strip_prefix('_')?) }
}

/// The members of a reference list: what may be named by a field that uses it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Members {
    /// Types and the positions of the fields whose values are members (groups: the position in the first group).
    pub fields: Vec<(u32, u32)>,
    /// Types that are members by their own names.
    pub types: Vec<u32>,
}

/// Why a schema cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// A file cannot be opened.
    #[error("cannot read {path}: {source}. Name the folder in which EnergyPlus is installed.")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The JSON is not a schema of EnergyPlus.
    #[error("not a schema of EnergyPlus: {0}")]
    Form(String),
    /// A packed table is damaged.
    #[error("the packed schema is damaged")]
    Damaged,
}

/// The schema of one version of EnergyPlus.
pub struct Schema {
    version: Text,
    types: Vec<ObjectType>,
    by_name: HashMap<Box<str>, u32>,
    lists: OnceLock<HashMap<Text, Members>>,
    words: OnceLock<Words>,
    plans: Vec<OnceLock<Plan>>,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Schema {} with {} types", self.version, self.types.len())
    }
}

impl Schema {
    pub(crate) fn new(version: Text, types: Vec<ObjectType>) -> Self {
        let by_name = types
            .iter()
            .enumerate()
            .map(|(at, object)| (object.name.to_ascii_lowercase().into_boxed_str(), at as u32))
            .collect();
        let plans = types.iter().map(|_| OnceLock::new()).collect();
        Self { version, types, by_name, lists: OnceLock::new(), words: OnceLock::new(), plans }
    }

    /// The schema of an installed version, from the folder that holds `Energy+.schema.epJSON` and `Energy+.idd`.
    pub fn load(folder: &Path) -> Result<Self, SchemaError> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path)
                .map_err(|source| SchemaError::File { path: path.display().to_string(), source })
        };
        Self::from_parts(&read("Energy+.schema.epJSON")?, &read("Energy+.idd").unwrap_or_default())
    }

    /// A schema from the text of the epJSON schema, and of the IDD for what only that says (may be empty).
    pub fn from_parts(json: &[u8], idd: &[u8]) -> Result<Self, SchemaError> {
        build::build(json, idd, None)
    }

    /// A schema from the text of the epJSON schema alone. What only the IDD says is taken from the schema of a version beside it.
    pub fn from_schema(json: &[u8], lender: &Self) -> Result<Self, SchemaError> {
        build::build(json, b"", Some(lender))
    }

    /// The schema in the form that becomes part of the program.
    pub fn pack(&self) -> Vec<u8> {
        codec::pack(self)
    }

    /// The version, such as `25.2.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The version as models name it, such as `25.2`.
    pub fn short_version(&self) -> &str {
        let mut dots = self.version.match_indices('.').map(|(at, _)| at);
        dots.nth(1).and_then(|at| self.version.get(..at)).unwrap_or(&self.version)
    }

    /// Every type, in the order of the schema.
    pub fn types(&self) -> &[ObjectType] {
        &self.types
    }

    /// A type by its number.
    pub fn type_at(&self, number: u32) -> Option<&ObjectType> {
        self.types.get(number as usize)
    }

    /// A type by its name, whatever the case.
    pub fn get(&self, name: &str) -> Option<&ObjectType> {
        self.type_at(self.number(name)?)
    }

    /// The number of a type by its name, whatever the case.
    pub fn number(&self, name: &str) -> Option<u32> {
        let name = name.trim();
        self.by_name
            .get(name)
            .copied()
            .or_else(|| self.by_name.get(name.to_ascii_lowercase().as_str()).copied())
    }

    /// The groups of types, in order of name.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = self.types.iter().map(|object| &*object.group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The members of a reference list.
    pub fn members(&self, list: &str) -> Option<&Members> {
        self.lists.get_or_init(|| self.gather()).get(list)
    }

    /// Returns the references that a type allows.
    pub(crate) fn plan(&self, number: u32) -> Option<&Plan> {
        let about = self.type_at(number)?;
        Some(self.plans.get(number as usize)?.get_or_init(|| Plan::from_type(self, about)))
    }

    fn gather(&self) -> HashMap<Text, Members> {
        let mut lists: HashMap<Text, Members> = HashMap::new();
        for (number, object) in self.types.iter().enumerate() {
            for (position, field) in object.all_fields().enumerate() {
                for list in &field.references {
                    lists.entry(list.clone()).or_default().fields.push((number as u32, position as u32));
                }
                for list in &field.class_references {
                    lists.entry(list.clone()).or_default().types.push(number as u32);
                }
            }
        }
        lists
    }

    /// Types whose name, group, memo, fields, notes or units answer to the words, the best first.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Hit<'_>> {
        self.words.get_or_init(|| Words::from_types(&self.types)).search(&self.types, query, limit)
    }

    /// Names of types close to one that does not exist, the nearest first.
    pub fn near(&self, name: &str, limit: usize) -> Vec<&str> {
        nearest(name, self.types.iter().map(|object| &*object.name), limit)
    }
}

/// Returns those of `names` that look most like `wanted`, the nearest first; none that is far off.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    // names as long as these are not typed
    const CUT: usize = 200;
    let wanted: String = wanted.trim().to_lowercase().chars().take(CUT).collect();
    let mut scored: Vec<(f64, &str)> = names
        .filter_map(|name| {
            if name.len() > 4 * CUT {
                return None;
            }
            let other = name.to_lowercase();
            let longer = wanted.len().max(other.len());
            // far apart in length cannot be near: spares most of the comparing
            let within = other.contains(&wanted) && wanted.len() > 2;
            if !within && wanted.len().abs_diff(other.len()) * 2 > longer {
                return None;
            }
            let score = strsim::jaro_winkler(&wanted, &other) + if within { 0.1 } else { 0.0 };
            (score > 0.82).then_some((score, name))
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}
