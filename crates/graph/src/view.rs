//! The dataset as the evaluator sees it: for one query, on one thread.
//!
//! Nothing here is a triple that is kept. A pattern is answered from the model's own indices when it is asked; what a query asks by
//! value again and again is remembered until the query ends.

use crate::dataset::{Dataset, Graph};
use crate::names::{self, IN_GUID, OUTSIDE};
use crate::neighbours::{Neighbours, Place};
use crate::nodes::Nodes;
use crate::rules::Rule;
use crate::term::{self, Key, Part};
use contract::Fault;
use foldhash::HashMap;
use ifc::relations::Links;
use ifc::units::Units;
use ifc::{Entity, Id};
use oxrdf::{NamedNode, Term};
use spareval::{ExpressionTerm, InternalQuad, QueryableDataset};
use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

/// A dataset during one query.
pub struct View<'d> {
    graphs: Vec<GraphView<'d>>,
    names: RefCell<Names>,
    rules: RefCell<HashMap<u32, Rule>>,
    /// The subjects of a predicate by the literal, as far as somebody asked for them.
    pub(crate) by_value: RefCell<HashMap<(usize, u32), Rc<ByValue>>>,
    /// The first Fault in making rooms.
    fault: RefCell<Option<Fault>>,
}

/// Subjects by the literal that they have.
pub(crate) type ByValue = HashMap<Part, Vec<Id>>;

/// One graph during one query.
pub(crate) struct GraphView<'d> {
    pub graph: &'d Graph,
    pub links: Links<'d>,
    pub units: Units,
    pub nodes: &'static Nodes,
    /// The classes of nodes that there are instances of.
    pub classes: Vec<&'static Entity>,
}

/// IRIs by number.
#[derive(Default)]
struct Names {
    texts: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, u32>,
}

/// The start of a triple in one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// An instance, a room that was found, or the open air.
    Place(Place),
    /// A class, by the number of its IRI.
    Class(u32),
}

impl<'d> View<'d> {
    /// A view for one query.
    pub fn new(dataset: &'d Dataset) -> Self {
        let graphs = dataset.graphs().iter().map(|graph| {
            let nodes = Nodes::of_schema(graph.schema());
            let mut classes = graph.model().classes();
            classes.retain(|class| nodes.has(class));
            let (links, units) = (Links::of_many(graph.model()), Units::from_model(graph.model()));
            GraphView { graph, links, units, nodes, classes }
        });
        Self {
            graphs: graphs.collect(),
            names: RefCell::default(),
            rules: RefCell::default(),
            by_value: RefCell::default(),
            fault: RefCell::default(),
        }
    }

    /// The graphs.
    pub(crate) fn graphs(&self) -> &[GraphView<'d>] {
        &self.graphs
    }

    /// The first Fault in making rooms, if there was one.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.borrow().clone()
    }

    /// The number of an IRI.
    pub(crate) fn number(&self, iri: &str) -> u32 {
        let mut names = self.names.borrow_mut();
        if let Some(number) = names.numbers.get(iri) {
            return *number;
        }
        // what a query makes up by the million is bounded like the terms that it holds
        crate::budget::hold(iri.len());
        let number = u32::try_from(names.texts.len()).unwrap_or(u32::MAX);
        let text: Rc<str> = iri.into();
        names.texts.push(Rc::clone(&text));
        names.numbers.insert(text, number);
        number
    }

    /// An IRI as a term.
    pub(crate) fn name(&self, iri: &str) -> Key {
        Key::new(Part::Name(self.number(iri)))
    }

    /// The IRI of a number.
    pub(crate) fn text(&self, number: u32) -> Rc<str> {
        self.names.borrow().texts.get(number as usize).cloned().unwrap_or_else(|| "urn:invalid".into())
    }

    /// The rule of a predicate.
    pub(crate) fn rule(&self, predicate: u32) -> Rule {
        if let Some(rule) = self.rules.borrow().get(&predicate) {
            return rule.clone();
        }
        let rule = Rule::of_iri(&self.text(predicate));
        self.rules.borrow_mut().insert(predicate, rule.clone());
        rule
    }

    /// The rooms of a graph; none, and the Fault kept, where they cannot be made.
    pub(crate) fn neighbours(&self, at: usize) -> Option<&'d Neighbours> {
        let graph = self.graphs.get(at)?.graph;
        match crate::budget::pause(|| graph.neighbours()) {
            Ok(neighbours) => Some(neighbours),
            Err(fault) => {
                self.fault.borrow_mut().get_or_insert(fault);
                None
            }
        }
    }

    /// The local part of a node's IRI.
    fn local(&self, at: usize, id: Id) -> Option<String> {
        let graph = self.graphs.get(at)?;
        Some(
            graph
                .global_id(id)
                .map_or_else(|| format!("id:{}", id.0), |guid| names::encode(&guid, &IN_GUID).into_owned()),
        )
    }

    /// A node of a graph as a term: the same for every graph of one base that has it.
    pub(crate) fn node(&self, at: usize, id: Id) -> Key {
        let own = || Key::node(at as u16, id);
        let Some(graph) = self.graphs.get(at).filter(|_| at > 0) else { return own() };
        let earlier = self.graphs.iter().take(at).enumerate();
        let mut same_base = earlier.filter(|(_, other)| other.graph.base() == graph.graph.base()).peekable();
        if same_base.peek().is_none() {
            return own();
        }
        let Some(local) = self.local(at, id) else { return own() };
        same_base
            .find_map(|(other, known)| Some(Key::node(other as u16, known.find(&local)?)))
            .unwrap_or_else(own)
    }

    /// The instance of a graph that a term stands for.
    pub(crate) fn instance(&self, at: usize, key: &Key) -> Option<Id> {
        let Part::Node { graph, id } = key.part() else { return None };
        let (graph, id) = (usize::from(*graph), Id(*id));
        if graph == at {
            return Some(id);
        }
        let (from, to) = (self.graphs.get(graph)?, self.graphs.get(at)?);
        if from.graph.base() != to.graph.base() {
            return None;
        }
        to.find(&self.local(graph, id)?)
    }

    /// The subject in a graph that a term stands for.
    pub(crate) fn subject(&self, at: usize, key: &Key) -> Option<Subject> {
        match key.part() {
            Part::Node { .. } => self.instance(at, key).map(|id| Subject::Place(Place::Instance(id))),
            Part::Name(number) => {
                let text = self.text(*number);
                if *text == *OUTSIDE {
                    return Some(Subject::Place(Place::Outside));
                }
                let graph = self.graphs.get(at)?.graph;
                if let Some(room) =
                    text.strip_prefix(graph.base()).and_then(|local| local.strip_prefix("room:"))
                {
                    let id = names::decode(room, &IN_GUID)?;
                    let found = self.neighbours(at)?.found.iter().position(|known| known.id == id)?;
                    return Some(Subject::Place(Place::Found(found)));
                }
                Some(Subject::Class(*number))
            }
            _ => None,
        }
    }

    /// A place of a graph as a term.
    pub(crate) fn place(&self, at: usize, place: Place) -> Key {
        match place {
            Place::Instance(id) => self.node(at, id),
            Place::Outside => self.name(OUTSIDE),
            Place::Found(number) => {
                let room = self.neighbours(at).and_then(|neighbours| neighbours.found.get(number));
                let base = self.graphs.get(at).map(|graph| graph.graph.base()).unwrap_or_default();
                let id = room.map(|room| room.id.as_str()).unwrap_or_default();
                self.name(&format!("{base}room:{}", names::encode(id, &IN_GUID)))
            }
        }
    }

    /// The graph of a name.
    fn graph(&self, key: &Key) -> Option<usize> {
        let Part::Name(number) = key.part() else { return None };
        let text = self.text(*number);
        self.graphs.iter().position(|graph| graph.graph.name() == &*text)
    }

    fn iri_of_node(&self, graph: u16, id: u32) -> NamedNode {
        let at = usize::from(graph);
        let base = self.graphs.get(at).map(|graph| graph.graph.base()).unwrap_or_default();
        term::iri(format!("{base}{}", self.local(at, Id(id)).unwrap_or_default()))
    }

    /// A term as it leaves the query.
    pub fn to_term(&self, key: &Key) -> Term {
        match key.part() {
            Part::Node { graph, id } => self.iri_of_node(*graph, *id).into(),
            Part::Name(number) => term::iri(self.text(*number).to_string()).into(),
            Part::Other(term) => term.as_ref().clone(),
            literal => term::to_literal(literal).map_or_else(|| oxrdf::Literal::from("").into(), Into::into),
        }
    }

    /// A term of a query.
    pub fn to_key(&self, term: Term) -> Key {
        match term {
            Term::NamedNode(iri) => {
                let known = self.graphs.iter().enumerate().find_map(|(at, graph)| {
                    let local = iri.as_str().strip_prefix(graph.graph.base())?;
                    Some(Key::node(at as u16, graph.find(local)?))
                });
                known.unwrap_or_else(|| self.name(iri.as_str()))
            }
            Term::Literal(literal) => Key::new(term::literal(literal)),
            Term::BlankNode(_) => Key::new(Part::Other(Rc::new(term))),
        }
    }
}

impl GraphView<'_> {
    /// The GlobalId by which a node is called: none where it has none, or another instance has the same and comes first.
    fn global_id(&self, id: Id) -> Option<String> {
        let model = self.graph.model();
        let guid = model.get(id)?.guid().filter(|guid| !guid.is_empty())?;
        (model.by_guid(&guid) == Some(id)).then_some(guid)
    }

    /// The node whose IRI ends so.
    fn find(&self, local: &str) -> Option<Id> {
        let model = self.graph.model();
        let is_node = |id: &Id| {
            let entity = model.get(*id).and_then(|instance| instance.entity());
            entity.is_some_and(|entity| self.nodes.has(entity))
        };
        if let Some(number) = local.strip_prefix("id:") {
            let id = Id(number.parse().ok()?);
            let is_canonical = number == id.0.to_string() && is_node(&id) && self.global_id(id).is_none();
            return is_canonical.then_some(id);
        }
        let guid = names::decode(local, &IN_GUID)?;
        let id = model.by_guid(&guid).filter(is_node)?;
        // a UUID finds the element too, but is not its name
        (model.get(id)?.guid()? == guid).then_some(id)
    }
}

type Quads<'a> = Box<dyn Iterator<Item = Result<InternalQuad<Key>, Infallible>> + 'a>;

impl<'a> QueryableDataset<'a> for &'a View<'a> {
    type InternalTerm = Key;
    type Error = Infallible;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Key>,
        predicate: Option<&Key>,
        object: Option<&Key>,
        graph_name: Option<Option<&Key>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Key>, Infallible>> + use<'a> {
        let view: &'a View<'a> = self;
        let of_graph = |at: usize, name: Option<Key>| -> Quads<'a> {
            Box::new(view.triples(at, subject, predicate, object).map(move |(subject, predicate, object)| {
                Ok(InternalQuad { subject, predicate, object, graph_name: name.clone() })
            }))
        };
        let quads: Quads<'a> = match graph_name {
            Some(None) => of_graph(0, None),
            Some(Some(name)) => match view.graph(name) {
                Some(at) => of_graph(at, Some(name.clone())),
                None => Box::new(std::iter::empty()),
            },
            None => {
                let names = view.graphs.iter().map(|graph| view.name(graph.graph.name()));
                let each: Vec<Quads<'a>> =
                    names.enumerate().map(|(at, name)| of_graph(at, Some(name))).collect();
                Box::new(each.into_iter().flatten())
            }
        };
        quads
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<Key, Infallible>> + use<'a> {
        let names: Vec<Key> = self.graphs.iter().map(|graph| self.name(graph.graph.name())).collect();
        names.into_iter().map(Ok)
    }

    fn contains_internal_graph_name(&self, graph_name: &Key) -> Result<bool, Infallible> {
        Ok(self.graph(graph_name).is_some())
    }

    fn internalize_term(&self, term: Term) -> Result<Key, Infallible> {
        Ok(self.to_key(term))
    }

    fn externalize_term(&self, term: Key) -> Result<Term, Infallible> {
        Ok(self.to_term(&term))
    }

    fn externalize_expression_term(&self, term: Key) -> Result<ExpressionTerm, Infallible> {
        crate::budget::step();
        Ok(match term.part() {
            Part::Text(text) => ExpressionTerm::StringLiteral(text.to_string()),
            Part::Integer(number) => ExpressionTerm::IntegerLiteral((*number).into()),
            Part::Double(number) => ExpressionTerm::DoubleLiteral(number.0.into()),
            Part::Boolean(truth) => ExpressionTerm::BooleanLiteral((*truth).into()),
            _ => self.to_term(&term).into(),
        })
    }
}
