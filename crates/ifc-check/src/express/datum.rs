//! The values that expressions have while they are evaluated. Copies share what is large; nothing is ever changed in
//! place behind another's back, so an instance that a function makes or changes is its own.

use super::syntax::{Named, Symbol};
use super::truth::Truth;
use ifc::schema::{Definition, EntityId, Schema, TypeDeclaration};
use ifc::{Id, Value};
use std::rc::Rc;

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Datum<'a> {
    /// `?`: there is none (ISO 10303-11, 14.2).
    Indeterminate,
    Integer(i64),
    Real(f64),
    Logical(Truth),
    Text(Text<'a>),
    /// An enumeration item, in capitals.
    Item(Text<'a>),
    /// Binary digits as a file has them: hexadecimal, the first digit says how many bits of the next are left out.
    Binary(Text<'a>),
    /// An instance of the model.
    Instance(Id),
    /// An instance that an expression made.
    Made(Rc<Made<'a>>),
    Aggregate(Rc<Aggregate<'a>>),
    /// A value that says its type, as members of a select do.
    Typed(&'static TypeDeclaration, Rc<Datum<'a>>),
    /// The answer of TYPEOF: a set of names, not spelt out.
    Types(Types),
}

/// A text of the rule or of the model.
#[derive(Debug, Clone)]
pub(super) enum Text<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

impl std::ops::Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

/// An instance that is not in the model: its entities, and the explicit attributes that it was given.
#[derive(Debug, Clone)]
pub(super) struct Made<'a> {
    pub entities: Vec<EntityId>,
    pub values: Vec<(Symbol, Datum<'a>)>,
}

/// A list, set, bag or array.
#[derive(Debug, Clone)]
pub(super) struct Aggregate<'a> {
    pub kind: AggregateKind,
    pub members: Vec<Datum<'a>>,
}

/// The kinds of aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AggregateKind {
    /// From an aggregate initialiser, which fits every kind (12.9).
    Open,
    List,
    Set,
    Bag,
    /// With the index of its first member.
    Array(i64),
}

/// The types that a value belongs to.
#[derive(Debug, Clone)]
pub(super) enum Types {
    /// Those of an instance: its entities with their supertypes, and the selects that have one of them.
    Entities(Rc<[EntityId]>),
    /// Those of an instance of one entity.
    Entity(EntityId),
    /// A defined type with what it is defined by, and the selects that have one of them.
    Defined(&'static TypeDeclaration),
    /// A simple type or an aggregate: `REAL`, `LIST`.
    Simple(&'static str),
}

impl<'a> Datum<'a> {
    /// A truth value.
    pub fn truth(value: impl Into<Truth>) -> Self {
        Self::Logical(value.into())
    }

    /// A text made here.
    pub fn text(text: &str) -> Self {
        Self::Text(Text::Shared(text.into()))
    }

    /// An aggregate.
    pub fn aggregate(kind: AggregateKind, members: Vec<Self>) -> Self {
        Self::Aggregate(Rc::new(Aggregate { kind, members }))
    }

    /// The value without the type it says.
    pub fn plain(&self) -> &Self {
        match self {
            Self::Typed(_, inner) => inner.plain(),
            other => other,
        }
    }

    /// As LOGICAL; what is none, or is indeterminate, counts as unknown.
    pub fn as_truth(&self) -> Truth {
        match self.plain() {
            Self::Logical(truth) => *truth,
            _ => Truth::Unknown,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self.plain() {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self.plain() {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// The aggregate, if it is one.
    pub fn as_aggregate(&self) -> Option<&Rc<Aggregate<'a>>> {
        match self.plain() {
            Self::Aggregate(aggregate) => Some(aggregate),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        match self.plain() {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// True if it is `?`.
    pub fn is_indeterminate(&self) -> bool {
        matches!(self, Self::Indeterminate)
    }

    /// As the model writes it; nothing for what no file can hold.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Integer(value) => Value::Integer(*value),
            Self::Real(value) => Value::Real(*value),
            Self::Logical(Truth::Unknown) => Value::Unknown,
            Self::Logical(truth) => Value::Boolean(*truth == Truth::True),
            Self::Text(text) => Value::Text(text.to_string()),
            Self::Item(item) => Value::Enum(item.to_string()),
            Self::Binary(digits) => Value::Binary(digits.to_string()),
            Self::Instance(id) => Value::Ref(*id),
            Self::Made(made) => Value::List(made.values.iter().map(|(_, value)| value.to_value()).collect()),
            Self::Aggregate(aggregate) => Value::List(aggregate.members.iter().map(Self::to_value).collect()),
            Self::Typed(declared, inner) => {
                Value::Typed(declared.name.to_owned(), Box::new(inner.to_value()))
            }
            Self::Indeterminate | Self::Types(_) => Value::Null,
        }
    }
}

impl Types {
    /// True if the type of this name is among them.
    pub fn contains(&self, schema: &Schema, text: &str, named: Option<Named>) -> bool {
        match (self, named) {
            (Self::Simple(name), None) => {
                *name == text || (*name == "INTEGER" || *name == "REAL") && text == "NUMBER"
            }
            (Self::Defined(declared), Some(Named::Type(wanted))) => {
                chain(schema, declared).any(|step| is_or_has(wanted, step.name))
            }
            (Self::Defined(declared), None) => {
                schema.kind_of_type(declared.name).is_some_and(|kind| simple_name(kind) == Some(text))
            }
            (Self::Entity(entity), Some(named)) => entity_is(schema, *entity, named),
            (Self::Entities(entities), Some(named)) => {
                entities.iter().any(|entity| entity_is(schema, *entity, named))
            }
            _ => false,
        }
    }

    /// All names, as TYPEOF spells them (15.25).
    pub fn names(&self, schema: &Schema) -> Vec<String> {
        let mut names = Vec::new();
        let steps: Vec<&'static str> = match self {
            Self::Simple(name) => return vec![(*name).to_owned()],
            Self::Defined(declared) => {
                let kind = schema.kind_of_type(declared.name);
                names.extend(kind.and_then(simple_name).map(str::to_owned));
                chain(schema, declared).map(|step| step.name).collect()
            }
            Self::Entity(entity) => lineage(schema, *entity).collect(),
            Self::Entities(entities) => entities.iter().flat_map(|entity| lineage(schema, *entity)).collect(),
        };
        let selects = schema.types().iter().filter(|t| {
            matches!(t.definition, Definition::Select { leaves, .. } if steps.iter().any(|s| leaves.contains(s)))
        });
        let all = steps.iter().copied().chain(selects.map(|t| t.name));
        names.extend(all.map(|name| format!("{}.{}", schema.name(), name.to_ascii_uppercase())));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Compares both where that shows without spelling them out; `None` where it does not.
    pub fn is_same(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Entity(a), Self::Entity(b)) => Some(a == b),
            (Self::Defined(a), Self::Defined(b)) => Some(std::ptr::eq(*a, *b)),
            (Self::Simple(a), Self::Simple(b)) => Some(a == b),
            _ => None,
        }
    }
}

/// The name of a simple type or of an aggregate.
fn simple_name(kind: ifc::Kind) -> Option<&'static str> {
    use ifc::Kind;
    Some(match kind {
        Kind::Number => "REAL",
        Kind::Integer => "INTEGER",
        Kind::Text => "STRING",
        Kind::Boolean => "BOOLEAN",
        Kind::Logical => "LOGICAL",
        Kind::Binary => "BINARY",
        Kind::List(list) if list.set => "SET",
        Kind::List(_) => "LIST",
        _ => return None,
    })
}

/// A defined type, the type that it is defined by, and so on.
fn chain<'s>(
    schema: &'s Schema,
    declared: &'static TypeDeclaration,
) -> impl Iterator<Item = &'static TypeDeclaration> + use<'s> {
    std::iter::successors(Some(declared), |step| match step.definition {
        Definition::Defined { declared, .. } => schema.type_declaration(declared),
        _ => None,
    })
    .take(16)
}

fn lineage(schema: &Schema, entity: EntityId) -> impl Iterator<Item = &'static str> + use<'_> {
    schema.entity_at(entity).into_iter().flat_map(|entity| schema.lineage(entity)).map(|entity| entity.name)
}

/// True if a type is the one of this name or a select that has it.
fn is_or_has(wanted: &'static TypeDeclaration, name: &str) -> bool {
    match wanted.definition {
        Definition::Select { leaves, .. } => leaves.binary_search(&name).is_ok(),
        _ => wanted.name == name,
    }
}

fn entity_is(schema: &Schema, entity: EntityId, named: Named) -> bool {
    match named {
        Named::Entity(wanted) => schema.is_a(entity, wanted),
        Named::Type(wanted) => match wanted.definition {
            Definition::Select { leaves, .. } => {
                lineage(schema, entity).any(|name| leaves.binary_search(&name).is_ok())
            }
            _ => false,
        },
    }
}
