//! Answers of queries: rows, a truth, or triples.

use crate::names::{self, IN_GUID, compact};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term, Triple};
use serde_json::{Map, Value, json};

/// The answer of a query.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The rows, truth or triples.
    pub outcome: Outcome,
    /// True if there is more than the limit let through.
    pub is_truncated: bool,
    /// Remarks: names that nothing bears with those that were likely meant, and what else an empty answer may come from.
    pub notes: Vec<String>,
    /// The prefixes by which IRIs are shortened, with their namespaces.
    pub prefixes: Vec<(String, String)>,
}

/// The rows, truth or triples of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The answer of SELECT.
    Rows {
        /// The variables, without their question marks.
        variables: Vec<String>,
        /// A value for each variable, or none.
        rows: Vec<Vec<Option<Term>>>,
    },
    /// The answer of ASK.
    Truth(bool),
    /// The answer of CONSTRUCT and DESCRIBE.
    Triples(Vec<Triple>),
}

impl Outcome {
    /// The number of rows or triples; one for a truth.
    pub fn len(&self) -> usize {
        match self {
            Outcome::Rows { rows, .. } => rows.len(),
            Outcome::Truth(_) => 1,
            Outcome::Triples(triples) => triples.len(),
        }
    }

    /// True if there are no rows or triples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Answer {
    /// A term as JSON: numbers and truths as such, texts plain, IRIs shortened by their prefix (`ifc:IfcWall`, `inst:2O2Fr$t4X7Zf8NOew3FLOH`).
    pub fn cell(&self, term: &Term) -> Value {
        match term {
            Term::NamedNode(iri) => compact(iri.as_str(), &self.prefixes).into(),
            Term::Literal(literal) => literal_json(literal),
            Term::BlankNode(node) => node.to_string().into(),
        }
    }

    /// The GlobalId of the element that a term stands for.
    pub fn global_id(&self, term: &Term) -> Option<String> {
        let Term::NamedNode(iri) = term else { return None };
        let bases = self.prefixes.iter().filter(|(prefix, _)| prefix.starts_with("inst"));
        let mut locals = bases.filter_map(|(_, base)| iri.as_str().strip_prefix(base.as_str()));
        locals.next().and_then(|local| names::decode(local, &IN_GUID))
    }

    /// The rows of SELECT and the triples of CONSTRUCT and DESCRIBE, each as a list of cells; none of ASK.
    pub fn table(&self) -> Vec<Value> {
        match &self.outcome {
            Outcome::Rows { rows, .. } => {
                let cell = |cell: &Option<Term>| cell.as_ref().map_or(Value::Null, |term| self.cell(term));
                rows.iter().map(|row| row.iter().map(cell).collect()).collect()
            }
            Outcome::Truth(_) => Vec::new(),
            Outcome::Triples(triples) => {
                let triple = |triple: &Triple| {
                    let (subject, predicate) =
                        (triple.subject.clone().into(), triple.predicate.clone().into());
                    json!([self.cell(&subject), self.cell(&predicate), self.cell(&triple.object)])
                };
                triples.iter().map(triple).collect()
            }
        }
    }

    /// The answer as JSON: `variables` and `rows`, or `answer`, or `triples` (subject, predicate and object, shortened), with `truncated`
    /// and `notes` where there are such.
    pub fn to_json(&self) -> Value {
        let mut answer = Map::new();
        match &self.outcome {
            Outcome::Rows { variables, .. } => {
                answer.insert("variables".to_owned(), json!(variables));
                answer.insert("rows".to_owned(), self.table().into());
            }
            Outcome::Truth(truth) => {
                answer.insert("answer".to_owned(), json!(truth));
            }
            Outcome::Triples(_) => {
                answer.insert("triples".to_owned(), self.table().into());
            }
        }
        if self.is_truncated {
            answer.insert("truncated".to_owned(), true.into());
        }
        if !self.notes.is_empty() {
            answer.insert("notes".to_owned(), json!(self.notes));
        }
        answer.into()
    }
}

/// A literal as JSON.
fn literal_json(literal: &Literal) -> Value {
    let text = || Value::from(literal.value());
    let datatype = literal.datatype();
    if datatype == xsd::BOOLEAN {
        literal.value().parse::<bool>().map_or_else(|_| text(), Value::from)
    } else if datatype == xsd::INTEGER {
        literal.value().parse::<i64>().map_or_else(|_| text(), Value::from)
    } else if [xsd::DOUBLE, xsd::DECIMAL, xsd::FLOAT].contains(&datatype) {
        let number = literal.value().parse::<f64>().ok().and_then(serde_json::Number::from_f64);
        number.map_or_else(text, Value::from)
    } else {
        text()
    }
}
