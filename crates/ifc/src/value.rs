//! Attribute values as ISO 10303-21 writes them. A value knows nothing of the schema: whether `5` may stand where a
//! length is due is for [`crate::Edit`] to say.

use serde_json::json;
use std::fmt;

/// The id of an instance in its file: 12 for `#12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// One attribute value, or a member of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `$`: not given.
    #[default]
    Null,
    /// `*`: follows from other attributes.
    Derived,
    /// A whole number.
    Integer(i64),
    /// A real number; never infinite or NaN in a file.
    Real(f64),
    /// `.T.` or `.F.`.
    Boolean(bool),
    /// `.U.`, the third value of LOGICAL.
    Unknown,
    /// A string, decoded.
    Text(String),
    /// An enumeration item in capitals, without its dots.
    Enum(String),
    /// A binary, as the hexadecimal digits between its quotes.
    Binary(String),
    /// A reference to an instance.
    Ref(Id),
    /// An aggregate.
    List(Vec<Value>),
    /// A value that says its type, `IFCLABEL('x')`; the name in the schema's spelling (`IfcLabel`).
    Typed(String, Box<Value>),
}

impl Value {
    /// A list.
    pub fn list<T: Into<Self>>(members: impl IntoIterator<Item = T>) -> Self {
        Self::List(members.into_iter().map(Into::into).collect())
    }

    /// A value that says its type, such as `Value::typed("IfcLabel", "x")`.
    pub fn typed(name: &str, value: impl Into<Self>) -> Self {
        Self::Typed(name.to_owned(), Box::new(value.into()))
    }

    /// An enumeration item, in capitals without dots.
    pub fn enumeration(item: &str) -> Self {
        Self::Enum(item.to_owned())
    }

    /// True if it is `$`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value without the type it says.
    pub fn untyped(&self) -> &Self {
        match self {
            Self::Typed(_, inner) => inner.untyped(),
            other => other,
        }
    }

    /// The number, if it is one, whether whole, real or typed.
    pub fn as_f64(&self) -> Option<f64> {
        match self.untyped() {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        match self.untyped() {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.untyped() {
            Self::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self.untyped() {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The string itself, if it is one.
    pub fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Typed(_, inner) => inner.into_text(),
            _ => None,
        }
    }

    /// The enumeration item, if it is one.
    pub fn as_enum(&self) -> Option<&str> {
        match self.untyped() {
            Self::Enum(item) => Some(item),
            _ => None,
        }
    }

    /// The reference, if it is one.
    pub fn as_ref(&self) -> Option<Id> {
        match self {
            Self::Ref(id) => Some(*id),
            _ => None,
        }
    }

    /// The members, if it is a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self.untyped() {
            Self::List(members) => Some(members),
            _ => None,
        }
    }

    /// Calls `each` with every reference in it, however deep.
    pub fn for_each_ref(&self, each: &mut impl FnMut(Id)) {
        match self {
            Self::Ref(id) => each(*id),
            Self::List(members) => members.iter().for_each(|member| member.for_each_ref(each)),
            Self::Typed(_, inner) => inner.for_each_ref(each),
            _ => {}
        }
    }

    /// True if this reference is in it, however deep.
    pub fn refers(&self, to: Id) -> bool {
        match self {
            Self::Ref(id) => *id == to,
            Self::List(members) => members.iter().any(|member| member.refers(to)),
            Self::Typed(_, inner) => inner.refers(to),
            _ => false,
        }
    }

    /// Returns the value with every reference put through `map`.
    pub fn map_refs<E>(&self, map: &mut impl FnMut(Id) -> Result<Id, E>) -> Result<Self, E> {
        Ok(match self {
            Self::Ref(id) => Self::Ref(map(*id)?),
            Self::List(members) => {
                Self::List(members.iter().map(|m| m.map_refs(map)).collect::<Result<_, E>>()?)
            }
            Self::Typed(name, inner) => Self::Typed(name.clone(), Box::new(inner.map_refs(map)?)),
            other => other.clone(),
        })
    }

    /// Equal as text in a file would be: unlike `==`, `0.` and `-0.` differ.
    pub fn is_identical(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => a.to_bits() == b.to_bits(),
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_identical(b))
            }
            (Self::Typed(a, x), Self::Typed(b, y)) => a == b && x.is_identical(y),
            (a, b) => a == b,
        }
    }

    /// As JSON: `$` is null, `*` is `"*"`, references are `"#12"`, enumerations their items, `.U.` is `"UNKNOWN"`,
    /// typed values `{"type": …, "value": …}`.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Derived => json!("*"),
            Self::Integer(value) => json!(value),
            Self::Real(value) => json!(value),
            Self::Boolean(value) => json!(value),
            Self::Unknown => json!("UNKNOWN"),
            Self::Text(text) | Self::Enum(text) | Self::Binary(text) => json!(text),
            Self::Ref(id) => json!(id.to_string()),
            Self::List(members) => members.iter().map(Self::to_json).collect(),
            Self::Typed(name, inner) => json!({"type": name, "value": inner.to_json()}),
        }
    }

    /// The kind of value in words, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "nothing ($)",
            Self::Derived => "a derived value (*)",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real number",
            Self::Boolean(_) => "a boolean",
            Self::Unknown => "the logical value unknown",
            Self::Text(_) => "a text",
            Self::Enum(_) => "an enumeration item",
            Self::Binary(_) => "a binary",
            Self::Ref(_) => "a reference",
            Self::List(_) => "a list",
            Self::Typed(..) => "a typed value",
        }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}
impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}
impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}
impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}
impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}
impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Self::Text(value.clone())
    }
}
impl From<Id> for Value {
    fn from(id: Id) -> Self {
        Self::Ref(id)
    }
}
impl From<&Id> for Value {
    fn from(id: &Id) -> Self {
        Self::Ref(*id)
    }
}
impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(members: Vec<T>) -> Self {
        Self::list(members)
    }
}
impl<T: Into<Self>, const N: usize> From<[T; N]> for Value {
    fn from(members: [T; N]) -> Self {
        Self::list(members)
    }
}
impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
