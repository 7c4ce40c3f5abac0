//! Terms as the evaluator holds them: small, compared by what they are, turned into text only where somebody reads it.
//!
//! Two terms are equal if they are the same RDF term. Numbers of one datatype are the same by value, whichever way a query spells them.

use crate::budget;
use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Term};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A term. Copies are counted against the query's budget.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Key(Part);

/// The content of a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// An instance that is a node, in the first graph that knows its IRI.
    Node {
        /// The place of the graph.
        graph: u16,
        /// The instance.
        id: u32,
    },
    /// Another IRI, by its place in the query's table of names.
    Name(u32),
    /// A plain string.
    Text(Rc<str>),
    /// An `xsd:integer`.
    Integer(i64),
    /// An `xsd:double`.
    Double(Bits),
    /// An `xsd:boolean`.
    Boolean(bool),
    /// Any other term that a query makes.
    Other(Rc<Term>),
}

/// A double compared by its bits, all NaN and both zeros as they are.
#[derive(Debug, Clone, Copy)]
pub struct Bits(pub f64);

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Bits {}

impl Hash for Bits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Key {
    /// A term of this content.
    pub fn new(part: Part) -> Self {
        let key = Self(part);
        budget::hold(key.bytes());
        key
    }

    /// An instance.
    pub fn node(graph: u16, id: ifc::Id) -> Self {
        Self::new(Part::Node { graph, id: id.0 })
    }

    /// A string.
    pub fn text(text: &str) -> Self {
        Self::new(Part::Text(text.into()))
    }

    /// The content.
    pub fn part(&self) -> &Part {
        &self.0
    }

    fn bytes(&self) -> usize {
        match &self.0 {
            // counted in full for every copy, since which copy keeps it alive is not known
            Part::Text(text) => text.len(),
            Part::Other(term) => match term.as_ref() {
                Term::Literal(literal) => literal.value().len(),
                _ => 0,
            },
            _ => 0,
        }
    }
}

impl Clone for Key {
    fn clone(&self) -> Self {
        Self::new(self.0.clone())
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        budget::release(self.bytes());
    }
}

/// The content of a literal.
pub fn literal(literal: Literal) -> Part {
    let value = literal.value();
    let datatype = literal.datatype();
    let known = if literal.language().is_some() {
        None
    } else if datatype == xsd::STRING {
        Some(Part::Text(value.into()))
    } else if datatype == xsd::INTEGER {
        value.strip_prefix('+').unwrap_or(value).parse().ok().map(Part::Integer)
    } else if datatype == xsd::DOUBLE {
        double(value).map(|number| Part::Double(Bits(number)))
    } else if datatype == xsd::BOOLEAN {
        match value {
            "true" | "1" => Some(Part::Boolean(true)),
            "false" | "0" => Some(Part::Boolean(false)),
            _ => None,
        }
    } else {
        None
    };
    known.unwrap_or_else(|| Part::Other(Rc::new(literal.into())))
}

/// Reads an `xsd:double`: what Rust reads beyond the standard, such as `infinity`, is none.
fn double(text: &str) -> Option<f64> {
    match text {
        "INF" | "+INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        _ => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// A literal of this content; `None` for what is none.
pub fn to_literal(part: &Part) -> Option<Literal> {
    Some(match part {
        Part::Text(text) => Literal::new_simple_literal(text.to_string()),
        Part::Integer(number) => Literal::from(*number),
        Part::Double(number) => Literal::from(number.0),
        Part::Boolean(truth) => Literal::from(*truth),
        Part::Other(term) => match term.as_ref() {
            Term::Literal(literal) => literal.clone(),
            _ => return None,
        },
        Part::Node { .. } | Part::Name(_) => return None,
    })
}

/// An IRI as a term; one that is not valid, which only a program error could make, as an IRI that says so.
pub fn iri(text: String) -> NamedNode {
    NamedNode::new(text).unwrap_or_else(|_| NamedNode::new_unchecked("urn:invalid"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_the_same_by_value() {
        let double = |text: &str| literal(Literal::new_typed_literal(text, xsd::DOUBLE));
        assert_eq!(double("2.50"), double("25e-1"));
        assert_ne!(double("2.5"), literal(Literal::new_typed_literal("2.5", xsd::DECIMAL)));
        assert!(matches!(double("infinity"), Part::Other(_)));
        assert_eq!(literal(Literal::new_typed_literal("1", xsd::BOOLEAN)), Part::Boolean(true));
    }

    proptest! {
        #[test]
        fn any_text_and_number_comes_back(text in any::<String>(), number in any::<f64>(), whole in any::<i64>()) {
            for part in [Part::Text(text.as_str().into()), Part::Double(Bits(number)), Part::Integer(whole)] {
                let back = literal(to_literal(&part).unwrap());
                let is_nan = matches!(part, Part::Double(Bits(number)) if number.is_nan());
                prop_assert!(is_nan || back == part, "{:?}", part);
            }
        }
    }
}
