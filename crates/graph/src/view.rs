//! The dataset of buildings as the evaluator sees it: for one query, on one thread.
//!
//! Nothing here is a triple that is kept. A pattern is answered from the model's own indices when it is asked; what a query asks by
//! value again and again is remembered until the query ends.

use crate::dataset::{Dataset, Graph};
use crate::findings::{self, Findings};
use crate::names::{self, IN_GUID, OUTSIDE};
use crate::neighbours::{Neighbours, Place};
use crate::nodes::Nodes;
use crate::rules::Rule;
use crate::source::{Asked, Iris};
use crate::term::{self, Key, Part};
use contract::Fault;
use foldhash::HashMap;
use ifc::relations::Links;
use ifc::units::Units;
use ifc::{Entity, Id};
use oxrdf::NamedNode;
use std::cell::RefCell;
use std::rc::Rc;

/// A dataset during one query.
pub struct View<'d> {
    graphs: Vec<GraphView<'d>>,
    pub(crate) iris: Iris,
    asked: Asked,
    rules: RefCell<HashMap<u32, Rule>>,
    /// The subjects of a predicate by the literal, as far as somebody asked for them.
    pub(crate) by_value: RefCell<HashMap<(usize, u32), Rc<ByValue>>>,
    /// The first Fault in making rooms or findings.
    pub(crate) fault: RefCell<Option<Fault>>,
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

/// The start of a triple in one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// An instance, a room that was found, or the open air.
    Place(Place),
    /// A class, by the number of its IRI.
    Class(u32),
    /// A finding of a check, by its place among those of the graph.
    Finding(usize),
}

impl<'d> View<'d> {
    /// A view for one query.
    pub fn new(dataset: &'d Dataset, asked: Asked) -> Self {
        let graphs = dataset.graphs().iter().map(|graph| {
            let nodes = Nodes::of_schema(graph.schema());
            let mut classes = graph.model().classes();
            classes.retain(|class| nodes.has(class));
            let (links, units) = (Links::of_many(graph.model()), Units::from_model(graph.model()));
            GraphView { graph, links, units, nodes, classes }
        });
        Self {
            graphs: graphs.collect(),
            iris: Iris::default(),
            asked,
            rules: RefCell::default(),
            by_value: RefCell::default(),
            fault: RefCell::default(),
        }
    }

    /// The graphs.
    pub(crate) fn graphs(&self) -> &[GraphView<'d>] {
        &self.graphs
    }

    /// True if findings take part.
    pub(crate) fn has_findings(&self) -> bool {
        self.asked.findings
    }

    /// The number of an IRI.
    pub(crate) fn number(&self, iri: &str) -> u32 {
        self.iris.number(iri)
    }

    /// An IRI as a term.
    pub(crate) fn name(&self, iri: &str) -> Key {
        self.iris.name(iri)
    }

    /// The IRI of a number.
    pub(crate) fn text(&self, number: u32) -> Rc<str> {
        self.iris.text(number)
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

    /// The findings of a graph; none where the query mentions none, or, with the Fault kept, where they cannot be made.
    pub(crate) fn findings(&self, at: usize) -> Option<&'d Findings> {
        if !self.asked.findings {
            return None;
        }
        let graph = self.graphs.get(at)?.graph;
        match crate::budget::pause(|| graph.findings()) {
            Ok(findings) => Some(findings),
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
                let local = text.strip_prefix(graph.base());
                if let Some(finding) = local.and_then(|local| local.strip_prefix(findings::NODE)) {
                    let id = names::decode(finding, &[])?;
                    return self.findings(at)?.find(&id).map(Subject::Finding);
                }
                if let Some(room) = local.and_then(|local| local.strip_prefix("room:")) {
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

    /// A finding of a graph as a term.
    pub(crate) fn finding(&self, at: usize, number: usize) -> Key {
        let id = self.findings(at).map(|findings| findings.id(number)).unwrap_or_default();
        let base = self.graphs.get(at).map(|graph| graph.graph.base()).unwrap_or_default();
        self.name(&format!("{base}{}{}", findings::NODE, names::encode(id, &[])))
    }

    /// The IRI of a node.
    pub(crate) fn iri_of_node(&self, graph: u16, id: u32) -> NamedNode {
        let at = usize::from(graph);
        let base = self.graphs.get(at).map(|graph| graph.graph.base()).unwrap_or_default();
        term::iri(format!("{base}{}", self.local(at, Id(id)).unwrap_or_default()))
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
    pub(crate) fn find(&self, local: &str) -> Option<Id> {
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
