//! The tree of a document.

use std::fmt;
use std::sync::Arc;

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An attribute of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its namespace; none where its name has no prefix.
    pub namespace: Option<Arc<str>>,
    /// Its name without a prefix.
    pub name: String,
    /// Its value, white space normalised as for attributes of type CDATA.
    pub value: String,
}

/// An element with all it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Its namespace, as declared.
    pub namespace: Option<Arc<str>>,
    /// Its name without a prefix.
    pub name: String,
    /// Its attributes, in the document's order, without declarations of namespaces.
    pub attributes: Vec<Attribute>,
    /// Its child elements, in order.
    pub children: Vec<Element>,
    /// Its own text, pieces before and between the children joined.
    pub text: String,
    /// The place of its tag.
    pub place: Place,
}

impl Element {
    /// The value of an attribute without a namespace.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|own| own.namespace.is_none() && own.name == name);
        found.map(|own| own.value.as_str())
    }

    /// The first child of a name, whatever its namespace.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The children of a name, whatever their namespace.
    pub fn children_of(&self, name: &str) -> impl Iterator<Item = &Element> {
        self.children.iter().filter(move |child| child.name == name)
    }
}
