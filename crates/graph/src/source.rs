//! Datasets that queries are asked of, whatever kind of model stands behind them, and such a dataset during one query.

use crate::answer::Outcome;
use crate::mentions::Mentions;
use crate::term::{Key, Part};
use contract::Fault;
use foldhash::HashMap;
use oxrdf::Term;
use spareval::{ExpressionTerm, InternalQuad, QueryableDataset};
use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

/// Models that are asked as graphs. The first graph is also the default one.
pub trait Source: Sync {
    /// The prefixes that a query may use without declaring them, with their namespaces.
    fn prefixes(&self) -> Vec<(String, String)>;

    /// The IRIs of the graphs, the default one first.
    fn graph_names(&self) -> Vec<&str>;

    /// The dataset during one query, on one thread.
    fn view(&self, asked: Asked) -> Box<dyn Sight + '_>;
}

/// The parts of a graph that are made with some effort, and are there only for a query that mentions one of their terms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// Findings of checks.
    pub findings: bool,
    /// Results of a simulation.
    pub results: bool,
}

impl Asked {
    /// The parts that a query mentions.
    pub fn of_mentions(mentions: &Mentions) -> Self {
        let any = |is_one: fn(&str) -> bool| mentions.all().any(is_one);
        Self {
            findings: any(|iri| iri.starts_with(crate::names::CHECK) || iri.contains(crate::findings::NODE)),
            results: any(|iri| iri.starts_with(crate::names::RESULT)),
        }
    }
}

/// A triple of terms.
pub type Triple = (Key, Key, Key);

/// Triples as they are asked for.
pub type Triples<'a> = Box<dyn Iterator<Item = Triple> + 'a>;

/// The meaning of a predicate, and the unit of its values in QUDT.
pub type Explained = (Option<&'static str>, Option<&'static str>);

/// A dataset during one query: triples that are looked up when they are asked for.
pub trait Sight {
    /// Its IRIs by number.
    fn iris(&self) -> &Iris;

    /// The IRIs of the graphs, the default one first.
    fn graph_names(&self) -> Vec<&str>;

    /// The triples of a graph that fit a pattern.
    fn triples<'a>(
        &'a self,
        at: usize,
        subject: Option<&Key>,
        predicate: Option<&Key>,
        object: Option<&Key>,
    ) -> Triples<'a>;

    /// A term as it leaves the query.
    fn to_term(&self, key: &Key) -> Term;

    /// A term of a query.
    fn to_key(&self, term: Term) -> Key;

    /// The first Fault in making what was asked for, if there was one.
    fn fault(&self) -> Option<Fault>;

    /// Remarks on the names that a query mentions and nothing bears.
    fn notes(&self, mentions: &Mentions, prefixes: &[(String, String)]) -> Vec<String>;

    /// The meanings and units of some predicates of a graph.
    fn explained(&self, at: usize, predicates: &[Rc<str>]) -> Vec<Explained>;
}

/// The remarks on an answer that hang on the query alone.
pub(crate) fn plain_notes(mentions: &Mentions, outcome: &Outcome) -> Vec<String> {
    let mut notes = Vec::new();
    if mentions.has_class_path && mentions.predicates.contains(crate::names::TYPE) && !outcome.is_empty() {
        notes.push(
            "`a` holds for superclasses too, so that a/rdfs:subClassOf* finds things several times; `a` alone does it."
                .to_owned(),
        );
    }
    if outcome.is_empty()
        && let Some(number) = mentions.numbers.first()
    {
        notes.push(format!(
            "A number in a pattern fits only its own datatype; measures are xsd:double. Compare with FILTER(?x = {number})."
        ));
    }
    notes
}

/// IRIs by number, for the time of one query.
#[derive(Default)]
pub struct Iris(RefCell<Table>);

#[derive(Default)]
struct Table {
    texts: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, u32>,
}

impl Iris {
    /// The number of an IRI.
    pub fn number(&self, iri: &str) -> u32 {
        let mut table = self.0.borrow_mut();
        if let Some(number) = table.numbers.get(iri) {
            return *number;
        }
        // what a query makes up by the million is bounded like the terms that it holds
        crate::budget::hold(iri.len());
        let number = u32::try_from(table.texts.len()).unwrap_or(u32::MAX);
        let text: Rc<str> = iri.into();
        table.texts.push(Rc::clone(&text));
        table.numbers.insert(text, number);
        number
    }

    /// An IRI as a term.
    pub fn name(&self, iri: &str) -> Key {
        Key::new(Part::Name(self.number(iri)))
    }

    /// The IRI of a number.
    pub fn text(&self, number: u32) -> Rc<str> {
        self.0.borrow().texts.get(number as usize).cloned().unwrap_or_else(|| "urn:invalid".into())
    }
}

/// A dataset as the evaluator takes it.
#[derive(Clone, Copy)]
pub(crate) struct Evaluated<'a>(pub &'a dyn Sight);

impl Evaluated<'_> {
    /// The graph of a name.
    fn graph(self, key: &Key) -> Option<usize> {
        let Part::Name(number) = key.part() else { return None };
        let text = self.0.iris().text(*number);
        self.0.graph_names().iter().position(|name| **name == *text)
    }
}

type Quads<'a> = Box<dyn Iterator<Item = Result<InternalQuad<Key>, Infallible>> + 'a>;

impl<'a> QueryableDataset<'a> for Evaluated<'a> {
    type InternalTerm = Key;
    type Error = Infallible;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Key>,
        predicate: Option<&Key>,
        object: Option<&Key>,
        graph_name: Option<Option<&Key>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Key>, Infallible>> + use<'a> {
        let view: &'a dyn Sight = self.0;
        let of_graph = |at: usize, name: Option<Key>| -> Quads<'a> {
            Box::new(view.triples(at, subject, predicate, object).map(move |(subject, predicate, object)| {
                Ok(InternalQuad { subject, predicate, object, graph_name: name.clone() })
            }))
        };
        let quads: Quads<'a> = match graph_name {
            Some(None) => of_graph(0, None),
            Some(Some(name)) => match self.graph(name) {
                Some(at) => of_graph(at, Some(name.clone())),
                None => Box::new(std::iter::empty()),
            },
            None => {
                let names = view.graph_names().into_iter().map(|name| view.iris().name(name));
                let each: Vec<Quads<'a>> =
                    names.enumerate().map(|(at, name)| of_graph(at, Some(name))).collect();
                Box::new(each.into_iter().flatten())
            }
        };
        quads
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<Key, Infallible>> + use<'a> {
        let names: Vec<Key> = self.0.graph_names().into_iter().map(|name| self.0.iris().name(name)).collect();
        names.into_iter().map(Ok)
    }

    fn contains_internal_graph_name(&self, graph_name: &Key) -> Result<bool, Infallible> {
        Ok(self.graph(graph_name).is_some())
    }

    fn internalize_term(&self, term: Term) -> Result<Key, Infallible> {
        Ok(self.0.to_key(term))
    }

    fn externalize_term(&self, term: Key) -> Result<Term, Infallible> {
        Ok(self.0.to_term(&term))
    }

    fn externalize_expression_term(&self, term: Key) -> Result<ExpressionTerm, Infallible> {
        crate::budget::step();
        Ok(match term.part() {
            Part::Text(text) => ExpressionTerm::StringLiteral(text.to_string()),
            Part::Integer(number) => ExpressionTerm::IntegerLiteral((*number).into()),
            Part::Double(number) => ExpressionTerm::DoubleLiteral(number.0.into()),
            Part::Boolean(truth) => ExpressionTerm::BooleanLiteral((*truth).into()),
            _ => self.0.to_term(&term).into(),
        })
    }
}
