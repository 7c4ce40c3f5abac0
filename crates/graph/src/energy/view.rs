//! The dataset of energy models as the evaluator sees it: for one query, on one thread.
//!
//! Nothing here is a triple that is kept: objects are found by type, by name and by the references between them.

use super::patterns::Rule;
use super::{EnergyGraph, OBJECTS};
use crate::findings::{self, Findings};
use crate::mentions::Mentions;
use crate::names::{self, EP, RESULT};
use crate::source::{Asked, Explained, Iris, Sight, Triples};
use crate::term::{self, Key, Part};
use contract::Fault;
use energy::idf::{Document, Handle, Object};
use energy::schema::ObjectType;
use foldhash::HashMap;
use oxrdf::Term;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Characters that stay in the name of a type.
pub(super) const IN_TYPE: [char; 1] = [':'];

/// Subjects by the literal that they have.
pub(super) type ByValue = HashMap<Part, Vec<Key>>;

/// A dataset during one query.
pub(crate) struct EnergyView<'d> {
    graphs: Vec<GraphView<'d>>,
    iris: Iris,
    asked: Asked,
    rules: RefCell<HashMap<u32, Rule>>,
    /// The subjects of a predicate by the literal, as far as somebody asked for them.
    pub(super) by_value: RefCell<HashMap<(usize, u32), Rc<ByValue>>>,
}

/// One graph during one query.
pub(super) struct GraphView<'d> {
    pub graph: &'d EnergyGraph,
    /// The types of which there are objects, with what the schema says of them.
    pub types: Vec<(&'d str, Option<&'d ObjectType>)>,
    /// The fields of these types, and the names of what repeats in them, by key.
    pub fields: BTreeMap<&'d str, FieldUse<'d>>,
}

/// A key of fields, in all types in use that have it.
#[derive(Default)]
pub(super) struct FieldUse<'d> {
    /// The places of the types.
    pub types: BTreeSet<usize>,
    /// Units, as the schema writes them.
    pub units: BTreeSet<&'d str>,
}

/// The start of a triple in one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject<'d> {
    /// An object.
    Object(Handle),
    /// Fields that repeat, by their number from 0.
    Group(Handle, usize),
    /// A type, by its place among those in use.
    Class(usize),
    /// A predicate that fields have.
    Field(&'d str),
    /// A finding, by its place.
    Finding(usize),
    /// A run or an end use, by its place.
    Told(usize),
}

impl<'d> GraphView<'d> {
    fn new(graph: &'d EnergyGraph) -> Self {
        let document = graph.document();
        let schema = document.schema();
        let known = |(name, _): (&'d str, usize)| (name, schema.get(name));
        let types: Vec<(&str, Option<&ObjectType>)> = document.types().into_iter().map(known).collect();
        let mut fields: BTreeMap<&str, FieldUse<'_>> = BTreeMap::new();
        for (at, about) in types.iter().enumerate().filter_map(|(at, (_, about))| Some((at, (*about)?))) {
            for (position, field) in about.all_fields().enumerate() {
                let key = if position == 0 && about.named { NAME } else { &*field.key };
                let used = fields.entry(key).or_default();
                used.types.insert(at);
                used.units.extend(field.units.as_deref());
            }
            if let Some(group) = &about.extensible {
                fields.entry(&group.key).or_default().types.insert(at);
            }
        }
        Self { graph, types, fields }
    }

    pub(super) fn document(&self) -> &'d Document {
        self.graph.document()
    }

    /// The local part of an object's IRI: by its name, unless it has none or another has it and comes first.
    fn local(&self, object: Object<'_>) -> String {
        let class = names::encode(object.type_name(), &IN_TYPE);
        let name = object.name();
        let first = self.document().all_named(object.type_name(), name).into_iter().next();
        if !name.is_empty() && first.is_some_and(|first| first.handle() == object.handle()) {
            return format!("{class}.{}", names::encode(name, &[]));
        }
        format!("{class}.id:{}", object.handle().0)
    }

    /// The object whose IRI ends so.
    fn find(&self, local: &str) -> Option<Handle> {
        let (class, rest) = local.split_once('.')?;
        let class = names::decode(class, &IN_TYPE)?;
        let found = match rest.strip_prefix("id:") {
            Some(number) => self.document().object(Handle(number.parse().ok()?))?,
            None => self.document().all_named(&class, &names::decode(rest, &[])?).into_iter().next()?,
        };
        // type and name have one spelling, that of the object
        (self.local(found) == local).then(|| found.handle())
    }
}

/// The key of names.
pub(super) const NAME: &str = "name";

impl<'d> EnergyView<'d> {
    /// A view for one query.
    pub(crate) fn new(graphs: &'d [EnergyGraph], asked: Asked) -> Self {
        Self {
            graphs: graphs.iter().map(GraphView::new).collect(),
            iris: Iris::default(),
            asked,
            rules: RefCell::default(),
            by_value: RefCell::default(),
        }
    }

    /// The graphs.
    pub(super) fn graphs(&self) -> &[GraphView<'d>] {
        &self.graphs
    }

    pub(super) fn name(&self, iri: &str) -> Key {
        self.iris.name(iri)
    }

    /// The rule of a predicate.
    pub(super) fn rule(&self, predicate: u32) -> Rule {
        if let Some(rule) = self.rules.borrow().get(&predicate) {
            return rule.clone();
        }
        let rule = Rule::of_iri(&self.iris.text(predicate));
        self.rules.borrow_mut().insert(predicate, rule.clone());
        rule
    }

    /// True if results were asked for.
    pub(super) fn has_results(&self) -> bool {
        self.asked.results
    }

    /// The findings of a graph; none where the query mentions none.
    pub(super) fn findings(&self, at: usize) -> Option<&'d Findings> {
        let graph = self.graphs.get(at)?.graph;
        self.asked.findings.then(|| crate::budget::pause(|| graph.findings()))
    }

    /// The results of a graph; none where the query mentions none.
    pub(super) fn results(&self, at: usize) -> Option<&'d super::RunResults> {
        self.graphs.get(at)?.graph.results.as_ref().filter(|_| self.asked.results)
    }

    /// The references of a graph.
    pub(super) fn references(&self, at: usize) -> Option<&'d energy::references::Graph> {
        let graph = self.graphs.get(at)?.graph;
        Some(crate::budget::pause(|| graph.references()))
    }

    pub(super) fn object(&self, at: usize, handle: Handle) -> Option<Object<'d>> {
        self.graphs.get(at)?.document().object(handle)
    }

    /// An object of a graph as a term: the same for every graph that has one of its type and name.
    pub(super) fn node(&self, at: usize, handle: Handle) -> Key {
        let own = || Key::node(at as u16, ifc::Id(handle.0));
        if at == 0 {
            return own();
        }
        let local = self.graphs.get(at).and_then(|graph| Some(graph.local(graph.document().object(handle)?)));
        let Some(local) = local else { return own() };
        let earlier = self.graphs.iter().take(at).enumerate();
        let mut same = earlier
            .filter_map(|(other, graph)| Some(Key::node(other as u16, ifc::Id(graph.find(&local)?.0))));
        same.next().unwrap_or_else(own)
    }

    /// The local part of the IRI of the object that a term stands for.
    fn local_of(&self, graph: u16, id: u32) -> Option<String> {
        let graph = self.graphs.get(usize::from(graph))?;
        Some(graph.local(graph.document().object(Handle(id))?))
    }

    /// The object of a graph that a term stands for.
    pub(super) fn handle(&self, at: usize, key: &Key) -> Option<Handle> {
        let Part::Node { graph, id } = key.part() else { return None };
        if usize::from(*graph) == at {
            return Some(Handle(*id));
        }
        self.graphs.get(at)?.find(&self.local_of(*graph, *id)?)
    }

    /// The subject in a graph that a term stands for.
    pub(super) fn subject(&self, at: usize, key: &Key) -> Option<Subject<'d>> {
        let number = match key.part() {
            Part::Node { .. } => return self.handle(at, key).map(Subject::Object),
            Part::Name(number) => *number,
            _ => return None,
        };
        let text = self.iris.text(number);
        let graph = self.graphs.get(at)?;
        if let Some(local) = text.strip_prefix(OBJECTS) {
            if let Some(id) = local.strip_prefix(findings::NODE) {
                return self.findings(at)?.find(&names::decode(id, &[])?).map(Subject::Finding);
            }
            let (object, group) = local.rsplit_once('.')?;
            let handle = graph.find(object)?;
            let number = group.parse::<usize>().ok()?.checked_sub(1)?;
            let is_one = group == (number + 1).to_string() && self.has_group(at, handle, number);
            return is_one.then_some(Subject::Group(handle, number));
        }
        if let Some(local) = text.strip_prefix(RESULT) {
            return self.results(at)?.find(local).map(Subject::Told);
        }
        let local = text.strip_prefix(EP)?;
        let name = names::decode(local, &IN_TYPE)?;
        if let Some(class) = graph.types.iter().position(|(known, _)| *known == name) {
            return Some(Subject::Class(class));
        }
        let (key, _) = graph.fields.get_key_value(name.as_str())?;
        Some(Subject::Field(key))
    }

    /// A subject of a graph as a term.
    pub(super) fn term(&self, at: usize, subject: Subject<'d>) -> Key {
        match subject {
            Subject::Object(handle) => self.node(at, handle),
            Subject::Group(handle, number) => {
                let local = self.local_of(at as u16, handle.0).unwrap_or_default();
                self.name(&format!("{OBJECTS}{local}.{}", number + 1))
            }
            Subject::Class(class) => {
                let name = self.graphs.get(at).and_then(|graph| graph.types.get(class));
                self.class(name.map(|(name, _)| *name).unwrap_or_default())
            }
            Subject::Field(key) => self.field(key),
            Subject::Finding(number) => {
                let id = self.findings(at).map(|findings| findings.id(number)).unwrap_or_default();
                self.name(&format!("{OBJECTS}{}{}", findings::NODE, names::encode(id, &[])))
            }
            Subject::Told(number) => {
                let iri = self.results(at).map(|results| results.iri(number)).unwrap_or_default();
                self.name(&iri)
            }
        }
    }

    /// A type as a term.
    pub(super) fn class(&self, name: &str) -> Key {
        self.name(&format!("{EP}{}", names::encode(name, &IN_TYPE)))
    }

    /// The predicate of a field.
    pub(super) fn field(&self, key: &str) -> Key {
        self.name(&format!("{EP}{}", names::encode(key, &[])))
    }
}

impl Sight for EnergyView<'_> {
    fn iris(&self) -> &Iris {
        &self.iris
    }

    fn graph_names(&self) -> Vec<&str> {
        self.graphs.iter().map(|graph| graph.graph.name.as_str()).collect()
    }

    fn triples<'a>(
        &'a self,
        at: usize,
        subject: Option<&Key>,
        predicate: Option<&Key>,
        object: Option<&Key>,
    ) -> Triples<'a> {
        self.fitting(at, subject, predicate, object)
    }

    fn to_term(&self, key: &Key) -> Term {
        match key.part() {
            Part::Node { graph, id } => {
                let local = self.local_of(*graph, *id).unwrap_or_default();
                term::iri(format!("{OBJECTS}{local}")).into()
            }
            Part::Name(number) => term::iri(self.iris.text(*number).to_string()).into(),
            Part::Other(term) => term.as_ref().clone(),
            literal => term::to_literal(literal).map_or_else(|| oxrdf::Literal::from("").into(), Into::into),
        }
    }

    fn to_key(&self, term: Term) -> Key {
        match term {
            Term::NamedNode(iri) => {
                let known = iri.as_str().strip_prefix(OBJECTS).and_then(|local| {
                    self.graphs
                        .iter()
                        .enumerate()
                        .find_map(|(at, graph)| Some(Key::node(at as u16, ifc::Id(graph.find(local)?.0))))
                });
                known.unwrap_or_else(|| self.name(iri.as_str()))
            }
            Term::Literal(literal) => Key::new(term::literal(literal)),
            Term::BlankNode(_) => Key::new(Part::Other(Rc::new(term))),
        }
    }

    fn fault(&self) -> Option<Fault> {
        None
    }

    fn notes(&self, mentions: &Mentions, prefixes: &[(String, String)]) -> Vec<String> {
        super::notes::notes(self, mentions, prefixes)
    }

    fn explained(&self, at: usize, predicates: &[Rc<str>]) -> Vec<Explained> {
        let unit = |iri: &Rc<str>| {
            let used = self.graphs.get(at)?.fields.get(&*names::decode(iri.strip_prefix(EP)?, &[])?)?;
            let mut units = used.units.iter();
            let first = super::units::qudt_unit(units.next()?)?;
            // of a key with several units none is that of all its values
            units.next().is_none().then_some(first)
        };
        predicates.iter().map(|iri| (super::patterns::meaning(iri), unit(iri))).collect()
    }
}
