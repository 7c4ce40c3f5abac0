//! Answers to triple patterns: which side is bound decides which index of the model is asked.

use crate::budget;
use crate::derived::Derived;
use crate::edges::EDGES;
use crate::findings::Check;
use crate::names::UNIT;
use crate::neighbours::{Measure, Place, Way};
use crate::rules::Rule;
use crate::source::Triples;
use crate::term::{Key, Part};
use crate::view::{ByValue, Subject, View};
use ifc::Id;
use std::rc::Rc;

impl View<'_> {
    /// The triples of a graph that fit a pattern.
    pub(crate) fn fitting<'a>(
        &'a self,
        at: usize,
        subject: Option<&Key>,
        predicate: Option<&Key>,
        object: Option<&Key>,
    ) -> Triples<'a> {
        budget::step();
        let wanted = object.cloned();
        match (subject, predicate) {
            (Some(subject), Some(predicate)) => {
                let Some((start, number)) = self.subject(at, subject).zip(number_of(predicate)) else {
                    return Box::new(std::iter::empty());
                };
                let found = self.objects(at, start, &self.rule(number));
                let (subject, predicate) = (subject.clone(), predicate.clone());
                let kept = found
                    .into_iter()
                    .filter(move |found| wanted.as_ref().is_none_or(|wanted| wanted == found));
                Box::new(kept.map(move |object| (subject.clone(), predicate.clone(), object)))
            }
            (Some(subject), None) => {
                let Some(start) = self.subject(at, subject) else { return Box::new(std::iter::empty()) };
                let about = self.about(at, subject.clone(), start);
                Box::new(
                    about.filter(move |(_, _, found)| wanted.as_ref().is_none_or(|wanted| wanted == found)),
                )
            }
            (None, Some(predicate)) => {
                let Some(number) = number_of(predicate) else { return Box::new(std::iter::empty()) };
                let rule = self.rule(number);
                let predicate = predicate.clone();
                match wanted {
                    Some(object) => {
                        let found = self.subjects(at, number, &rule, &object);
                        Box::new(
                            found
                                .into_iter()
                                .map(move |subject| (subject, predicate.clone(), object.clone())),
                        )
                    }
                    None => Box::new(self.starts(at, &rule).flat_map(move |(subject, start)| {
                        budget::step();
                        let predicate = predicate.clone();
                        let found = self.objects(at, start, &rule).into_iter();
                        found.map(move |object| (subject.clone(), predicate.clone(), object))
                    })),
                }
            }
            (None, None) => match wanted {
                Some(object) if !is_literal(&object) => self.to(at, object),
                Some(object) => Box::new(self.all(at).filter(move |(_, _, found)| *found == object)),
                None => self.all(at),
            },
        }
    }

    /// The objects of a subject by a rule, each once.
    pub(crate) fn objects(&self, at: usize, subject: Subject, rule: &Rule) -> Vec<Key> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        let nodes = |ids: Vec<Id>| -> Vec<Key> {
            ids.into_iter().filter(|id| graph.is_node(*id)).map(|id| self.node(at, id)).collect()
        };
        let instance = match subject {
            Subject::Place(Place::Instance(id)) => Some(id),
            _ => None,
        };
        match (rule, subject) {
            (Rule::Type, Subject::Place(place)) => self.types(at, place),
            (Rule::Type, Subject::Finding(_)) => vec![self.name(&crate::findings::class())],
            (Rule::Check(Check::Element), Subject::Finding(number)) => {
                let found = self.findings(at).map(|findings| findings.elements(number));
                nodes(found.unwrap_or_default().iter().map(|id| Id(*id)).collect())
            }
            (Rule::Check(check), Subject::Finding(number)) => {
                let found = self.findings(at).and_then(|findings| findings.literal(number, *check));
                found.map(Key::new).into_iter().collect()
            }
            (Rule::SubClassOf, Subject::Class(class)) => self.superclass(at, class).into_iter().collect(),
            (Rule::Way(way), Subject::Place(place)) => {
                let Some(neighbours) = self.neighbours(at) else { return Vec::new() };
                neighbours.objects(*way, place).iter().map(|place| self.place(at, *place)).collect()
            }
            (Rule::Measure(measure), Subject::Place(place)) => {
                let found = self.neighbours(at).and_then(|neighbours| neighbours.measure(*measure, place));
                found.map(Key::new).into_iter().collect()
            }
            _ => {
                let Some(id) = instance else { return Vec::new() };
                match rule {
                    Rule::Class => {
                        let class = graph.graph.model().get(id).map(|instance| instance.class_name());
                        class.map(|class| self.class(class)).into_iter().collect()
                    }
                    Rule::Attribute(name) => self.attribute(at, id, name),
                    Rule::Edge(edge) => nodes(edge.objects(&graph.links, id)),
                    Rule::Derived(Derived::Unit) => {
                        let unit = graph.unit(id).map(|unit| self.name(&format!("{UNIT}{unit}")));
                        unit.into_iter().collect()
                    }
                    Rule::Derived(derived) => nodes(derived.objects(&graph.links, id)),
                    Rule::Property(property) => {
                        let found = graph
                            .with_properties(|properties| properties.objects(id, &property.0, &property.1));
                        found.into_iter().map(|object| self.object(at, object)).collect()
                    }
                    _ => Vec::new(),
                }
            }
        }
    }

    /// The subjects that have an object by a rule, each once.
    fn subjects(&self, at: usize, number: u32, rule: &Rule, object: &Key) -> Vec<Key> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        let target = self.subject(at, object);
        let instance = match target {
            Some(Subject::Place(Place::Instance(id))) => Some(id),
            _ => None,
        };
        let nodes = |ids: Vec<Id>| -> Vec<Key> {
            ids.into_iter().filter(|id| graph.is_node(*id)).map(|id| self.node(at, id)).collect()
        };
        let findings = |places: &[usize]| -> Vec<Key> {
            places.iter().map(|number| self.finding(at, *number)).collect()
        };
        match (rule, target) {
            (Rule::Type, Some(Subject::Class(class))) => self.instances(at, class),
            (Rule::Check(Check::Element), _) => {
                let found = instance.and_then(|id| Some(self.findings(at)?.about(id.0)));
                findings(found.unwrap_or_default())
            }
            (Rule::Check(check), None) => {
                let found = self.findings(at).map(|all| all.with_literal(*check, object.part()));
                findings(&found.unwrap_or_default())
            }
            (Rule::Class, Some(Subject::Class(class))) => {
                let name = self.text(class);
                let ids = name.strip_prefix(crate::names::IFC).map(|name| graph.of_exact_class(name));
                nodes(ids.unwrap_or_default())
            }
            (Rule::SubClassOf, Some(Subject::Class(class))) => self.subclasses(at, class),
            (Rule::Way(way), Some(Subject::Place(place))) => {
                let Some(neighbours) = self.neighbours(at) else { return Vec::new() };
                neighbours.subjects(*way, place).iter().map(|place| self.place(at, *place)).collect()
            }
            (Rule::Edge(edge), _) => {
                instance.map(|id| nodes(edge.subjects(&graph.links, id))).unwrap_or_default()
            }
            (Rule::Derived(Derived::Unit), _) => self.filtered(at, rule, object),
            (Rule::Derived(derived), _) => {
                instance.map(|id| nodes(derived.subjects(&graph.links, id))).unwrap_or_default()
            }
            (Rule::Attribute(name), Some(_)) => {
                instance.map(|id| nodes(graph.referring(id, name))).unwrap_or_default()
            }
            (Rule::Attribute(name), None) => {
                if let Part::Text(text) = object.part()
                    && let Some(ids) = graph.of_text(name, text)
                {
                    return nodes(ids);
                }
                self.valued(at, number, rule, object)
            }
            (Rule::Property(_), None) => self.valued(at, number, rule, object),
            (Rule::Property(_) | Rule::Measure(_), _) => self.filtered(at, rule, object),
            _ => Vec::new(),
        }
    }

    /// Looks through all subjects of a rule.
    fn filtered(&self, at: usize, rule: &Rule, object: &Key) -> Vec<Key> {
        let has = |start: Subject| self.objects(at, start, rule).contains(object);
        self.starts(at, rule).filter(|(_, start)| has(*start)).map(|(subject, _)| subject).collect()
    }

    /// Looks up a literal among those of all subjects of a rule, which are read once in a query.
    fn valued(&self, at: usize, number: u32, rule: &Rule, object: &Key) -> Vec<Key> {
        let known = self.by_value.borrow().get(&(at, number)).cloned();
        let by_value = known.unwrap_or_else(|| {
            let mut made = ByValue::default();
            for (_, start) in self.starts(at, rule) {
                budget::step();
                let Subject::Place(Place::Instance(id)) = start else { continue };
                for object in self.objects(at, start, rule).iter().filter(|object| is_literal(object)) {
                    made.entry(object.part().clone()).or_default().push(id);
                }
            }
            let made = Rc::new(made);
            self.by_value.borrow_mut().insert((at, number), Rc::clone(&made));
            made
        });
        by_value.get(object.part()).into_iter().flatten().map(|id| self.node(at, *id)).collect()
    }

    /// Every triple about a subject.
    fn about(&self, at: usize, key: Key, start: Subject) -> Triples<'_> {
        let rules = self.rules_about(at, start);
        let named = rules.into_iter().flat_map({
            let key = key.clone();
            move |rule| {
                budget::step();
                let found = self.objects(at, start, &rule);
                let predicate = (!found.is_empty()).then(|| self.predicate(&rule));
                let key = key.clone();
                let pairs = predicate.into_iter().flat_map(move |predicate| {
                    found.clone().into_iter().map(move |object| (predicate.clone(), object))
                });
                pairs.map(move |(predicate, object)| (key.clone(), predicate, object))
            }
        });
        let Subject::Place(Place::Instance(id)) = start else { return Box::new(named) };
        // read only when all before was used up
        let properties = std::iter::once(()).flat_map(move |()| self.properties(at, id));
        let owned = properties.map(move |(predicate, object)| (key.clone(), predicate, object));
        Box::new(named.chain(owned))
    }

    /// The properties of a node as predicates and objects.
    fn properties(&self, at: usize, id: Id) -> Vec<(Key, Key)> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        let mut found = Vec::new();
        for (local, objects) in graph.with_properties(|properties| properties.all(id)) {
            let predicate = self.name(&format!("{}{local}", crate::names::PROP));
            found.extend(objects.into_iter().map(|object| (predicate.clone(), self.object(at, object))));
        }
        found
    }

    /// The rules that may say something about a subject, properties left out.
    fn rules_about(&self, at: usize, start: Subject) -> Vec<Rule> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        let place = match start {
            Subject::Class(_) => return vec![Rule::SubClassOf],
            Subject::Finding(_) => {
                return std::iter::once(Rule::Type).chain(Check::ALL.map(Rule::Check)).collect();
            }
            Subject::Place(place) => place,
        };
        let mut rules = vec![Rule::Type, Rule::Class];
        match place {
            Place::Instance(id) => {
                let entity = graph.graph.model().get(id).and_then(|instance| instance.entity());
                let attributes = entity.into_iter().flat_map(|entity| graph.nodes.attributes_of(entity));
                rules.extend(attributes.map(Rule::Attribute));
            }
            Place::Found(_) | Place::Outside => {}
        }
        rules.extend(EDGES.iter().map(Rule::Edge));
        rules.extend(Derived::ALL.into_iter().map(Rule::Derived));
        if graph.may_be_near_rooms(place) {
            rules.extend(Way::ALL.into_iter().map(Rule::Way));
            rules.extend(Measure::ALL.into_iter().map(Rule::Measure));
        }
        rules
    }

    /// The predicate of a rule that has one IRI.
    pub(crate) fn predicate(&self, rule: &Rule) -> Key {
        use crate::names::{IFC, SUB_CLASS_OF, TYPE, predicate_of_attribute, property_name};
        match rule {
            Rule::Type => self.name(TYPE),
            Rule::Class => self.name(&format!("{IFC}{}", crate::rules::CLASS)),
            Rule::SubClassOf => self.name(SUB_CLASS_OF),
            Rule::Attribute(name) => self.name(&format!("{IFC}{}", predicate_of_attribute(name))),
            Rule::Edge(edge) => self.name(&format!("{}{}", edge.namespace, edge.name)),
            Rule::Derived(derived) => self.name(&derived.iri()),
            Rule::Way(way) => self.name(&way.iri()),
            Rule::Measure(measure) => self.name(&measure.iri()),
            Rule::Check(check) => self.name(&check.iri()),
            Rule::Property(property) => {
                let local = property_name(&property.0, property.1.iter().map(String::as_str));
                self.name(&format!("{}{local}", crate::names::PROP))
            }
            Rule::Unknown => self.name("urn:invalid"),
        }
    }

    /// Every triple whose object is a node or class.
    fn to(&self, at: usize, object: Key) -> Triples<'_> {
        let Some(target) = self.subject(at, &object) else { return Box::new(std::iter::empty()) };
        let Some(graph) = self.graphs().get(at) else { return Box::new(std::iter::empty()) };
        let mut rules = Vec::new();
        let mut owners = Vec::new();
        match target {
            // the IRI of a unit looks like that of a class
            Subject::Class(_) => {
                rules.extend([Rule::Type, Rule::Class, Rule::SubClassOf, Rule::Derived(Derived::Unit)]);
            }
            // nothing leads to a finding
            Subject::Finding(_) => {}
            Subject::Place(place) => {
                rules.extend(EDGES.iter().map(Rule::Edge));
                rules.extend(Derived::ALL.into_iter().map(Rule::Derived));
                if graph.may_be_near_rooms(place) {
                    rules.extend(Way::ALL.into_iter().map(Rule::Way));
                }
                if self.has_findings() {
                    rules.push(Rule::Check(Check::Element));
                }
                if let Place::Instance(id) = place {
                    rules.extend(graph.attributes_to(id).into_iter().map(Rule::Attribute));
                    owners = graph.with_properties(|properties| properties.owners(id));
                }
            }
        }
        let wanted = object.clone();
        let edges = rules.into_iter().flat_map(move |rule| {
            budget::step();
            let predicate = self.predicate(&rule);
            let number = number_of(&predicate).unwrap_or_default();
            let object = object.clone();
            let found = self.subjects(at, number, &rule, &object).into_iter();
            found.map(move |subject| (subject, predicate.clone(), object.clone()))
        });
        let owned = owners.into_iter().flat_map(move |owner| {
            let subject = self.node(at, owner);
            let wanted = wanted.clone();
            let pairs = self.properties(at, owner).into_iter().filter(move |(_, object)| *object == wanted);
            pairs.map(move |(predicate, object)| (subject.clone(), predicate, object))
        });
        Box::new(edges.chain(owned))
    }

    /// Every triple of a graph.
    pub(crate) fn all(&self, at: usize) -> Triples<'_> {
        Box::new(self.everything(at).flat_map(move |(subject, start)| self.about(at, subject, start)))
    }
}

/// The number of an IRI that is no node.
pub(crate) fn number_of(key: &Key) -> Option<u32> {
    match key.part() {
        Part::Name(number) => Some(*number),
        _ => None,
    }
}

/// True of terms that stand for no node.
pub(crate) fn is_literal(key: &Key) -> bool {
    !matches!(key.part(), Part::Node { .. } | Part::Name(_))
}
