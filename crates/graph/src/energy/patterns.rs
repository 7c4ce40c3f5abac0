//! Answers to triple patterns on energy models: which side is bound decides what is looked up.

use super::view::{ByValue, EnergyView, Subject};
use crate::budget;
use crate::findings::{self, Check};
use crate::names::{self, EP, HAS_UNIT, RESULT, UNIT};
use crate::patterns::{is_literal, number_of};
use crate::source::Triples;
use crate::term::{Key, Part};
use energy::idf::Handle;
use std::rc::Rc;

/// The triples that a predicate stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    /// `rdf:type`.
    Type,
    /// A field, or what repeats, by its key.
    Field(Rc<str>),
    /// Any field that refers to another object.
    RefersTo,
    /// The number of fields that repeat, from 1.
    GroupNumber,
    /// The schema's group of a type.
    InGroup,
    /// The unit of a field in QUDT.
    Unit,
    /// The unit of a field as the schema writes it.
    Units,
    /// A part of a finding.
    Check(Check),
    /// A result of a simulation.
    Result(Rc<str>),
    /// Nothing that any model has.
    Unknown,
}

/// Predicates of `ep:` that are no fields, with their meanings. Keys of fields have small letters alone.
pub(super) const OWN: [(&str, Rule, &str); 4] = [
    ("refersTo", Rule::RefersTo, "object to any object that one of its fields names"),
    ("groupNumber", Rule::GroupNumber, "fields that repeat to their number, from 1"),
    ("inGroup", Rule::InGroup, "type to the group of the schema that it is in"),
    ("units", Rule::Units, "field to its unit as the schema writes it"),
];

impl Rule {
    /// The rule behind an IRI.
    pub(super) fn of_iri(iri: &str) -> Self {
        if iri == names::TYPE {
            return Rule::Type;
        }
        if iri == HAS_UNIT {
            return Rule::Unit;
        }
        if let Some(check) = Check::of_iri(iri) {
            return Rule::Check(check);
        }
        if let Some(local) = iri.strip_prefix(RESULT) {
            return Rule::Result(local.into());
        }
        let Some(local) = iri.strip_prefix(EP) else { return Rule::Unknown };
        if let Some((_, rule, _)) = OWN.iter().find(|(name, ..)| *name == local) {
            return rule.clone();
        }
        match names::decode(local, &[]) {
            Some(key) if !key.chars().any(|c| c.is_ascii_uppercase()) => Rule::Field(key.into()),
            _ => Rule::Unknown,
        }
    }
}

/// The meaning of a predicate that is no field.
pub(super) fn meaning(iri: &str) -> Option<&'static str> {
    if let Some(check) = Check::of_iri(iri) {
        return Some(check.meaning());
    }
    let local = iri.strip_prefix(EP)?;
    OWN.iter().find(|(name, ..)| *name == local).map(|(.., meaning)| *meaning)
}

impl<'d> EnergyView<'d> {
    /// The triples of a graph that fit a pattern.
    pub(super) fn fitting<'a>(
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
                let found = self.objects(at, start, &self.rule(number)).into_iter();
                let (subject, predicate) = (subject.clone(), predicate.clone());
                let kept = found.filter(move |found| wanted.as_ref().is_none_or(|wanted| wanted == found));
                Box::new(kept.map(move |object| (subject.clone(), predicate.clone(), object)))
            }
            (Some(subject), None) => {
                let Some(start) = self.subject(at, subject) else { return Box::new(std::iter::empty()) };
                let about = self.about(at, start).into_iter();
                let subject = subject.clone();
                let kept = about.filter(move |(_, found)| wanted.as_ref().is_none_or(|w| w == found));
                Box::new(kept.map(move |(predicate, object)| (subject.clone(), predicate, object)))
            }
            (None, Some(predicate)) => {
                let Some(number) = number_of(predicate) else { return Box::new(std::iter::empty()) };
                let (rule, predicate) = (self.rule(number), predicate.clone());
                match wanted {
                    Some(object) => {
                        let found = self.subjects(at, number, &rule, &object).into_iter();
                        Box::new(found.map(move |subject| (subject, predicate.clone(), object.clone())))
                    }
                    None => Box::new(self.starts(at, &rule).flat_map(move |start| {
                        budget::step();
                        let found = self.objects(at, start, &rule);
                        let subject = (!found.is_empty()).then(|| self.term(at, start));
                        let predicate = predicate.clone();
                        subject.into_iter().flat_map(move |subject| {
                            let predicate = predicate.clone();
                            let with = move |object| (subject.clone(), predicate.clone(), object);
                            found.clone().into_iter().map(with)
                        })
                    })),
                }
            }
            (None, None) => match wanted {
                Some(object) if !is_literal(&object) => Box::new(self.to(at, &object).into_iter()),
                Some(object) => Box::new(self.all(at).filter(move |(_, _, found)| *found == object)),
                None => self.all(at),
            },
        }
    }

    /// The objects of a subject by a rule, each once.
    fn objects(&self, at: usize, subject: Subject<'d>, rule: &Rule) -> Vec<Key> {
        let values = |pairs: Vec<(&str, Key)>, key: &str| -> Vec<Key> {
            pairs.into_iter().filter(|(own, _)| *own == key).map(|(_, value)| value).collect()
        };
        match (rule, subject) {
            (Rule::Type, Subject::Object(handle)) => {
                self.object(at, handle).map(|object| self.class(object.type_name())).into_iter().collect()
            }
            (Rule::Type, Subject::Finding(_)) => vec![self.name(&findings::class())],
            (Rule::Type, Subject::Told(number)) => {
                let class = self.results(at).map(|results| format!("{RESULT}{}", results.class(number)));
                class.map(|class| self.name(&class)).into_iter().collect()
            }
            (Rule::Field(key), Subject::Object(handle)) => values(self.fields_of(at, handle, Some(key)), key),
            (Rule::Field(key), Subject::Group(handle, number)) => {
                values(self.fields_of_group(at, handle, number), key)
            }
            (Rule::RefersTo, Subject::Object(handle)) => {
                let mut to: Vec<Handle> = self.references(at).map_or_else(Vec::new, |graph| {
                    graph.from(handle).iter().map(|reference| reference.to).collect()
                });
                to.sort_unstable();
                to.dedup();
                to.into_iter().map(|to| self.node(at, to)).collect()
            }
            (Rule::GroupNumber, Subject::Group(_, number)) => {
                vec![Key::new(Part::Integer(i64::try_from(number + 1).unwrap_or(i64::MAX)))]
            }
            (Rule::InGroup, Subject::Class(class)) => {
                let about = self.graphs().get(at).and_then(|graph| graph.types.get(class)?.1);
                about.map(|about| Key::text(&about.group)).into_iter().collect()
            }
            (Rule::Unit | Rule::Units, Subject::Field(key)) => {
                let used = self.graphs().get(at).and_then(|graph| graph.fields.get(key));
                let units = used.into_iter().flat_map(|used| &used.units);
                let mut found: Vec<Key> = match rule {
                    Rule::Unit => units
                        .filter_map(|units| super::units::qudt_unit(units))
                        .map(|unit| self.name(&format!("{UNIT}{unit}")))
                        .collect(),
                    _ => units.map(|units| Key::text(units)).collect(),
                };
                // two spellings of one unit are one
                let mut seen = Vec::new();
                found.retain(|unit| !seen.contains(unit) && (seen.push(unit.clone()), true).1);
                found
            }
            (Rule::Check(Check::Element), Subject::Finding(number)) => {
                let found = self.findings(at).map(|findings| findings.elements(number));
                found.unwrap_or_default().iter().map(|id| self.node(at, Handle(*id))).collect()
            }
            (Rule::Check(check), Subject::Finding(number)) => {
                let found = self.findings(at).and_then(|findings| findings.literal(number, *check));
                found.map(Key::new).into_iter().collect()
            }
            (Rule::Result(name), Subject::Object(handle)) => {
                let zone = self.zone(at, handle);
                let value = zone.and_then(|zone| self.results(at)?.of_zone(zone, name));
                value.map(Key::new).into_iter().collect()
            }
            (Rule::Result(name), Subject::Told(number)) => {
                let value = self.results(at).and_then(|results| results.value(number, name));
                value.map(Key::new).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The name of an object that is a zone.
    fn zone(&self, at: usize, handle: Handle) -> Option<&'d str> {
        let object = self.object(at, handle)?;
        (object.type_name() == "Zone").then(|| object.name())
    }

    /// The subjects that have an object by a rule, each once.
    fn subjects(&self, at: usize, number: u32, rule: &Rule, object: &Key) -> Vec<Key> {
        let target = self.subject(at, object);
        match (rule, target) {
            (Rule::Type, Some(Subject::Class(class))) => {
                let Some(graph) = self.graphs().get(at) else { return Vec::new() };
                let name = graph.types.get(class).map(|(name, _)| *name).unwrap_or_default();
                // a type that the schema does not know may be spelled in several ways
                let own = graph.document().of_type(name).filter(|object| object.type_name() == name);
                own.map(|object| self.node(at, object.handle())).collect()
            }
            (Rule::Field(key), Some(Subject::Object(handle))) => {
                let mut found = Vec::new();
                for reference in self.references(at).map(|graph| graph.to(handle)).unwrap_or_default() {
                    budget::step();
                    let Some((own, group)) = self.place(at, reference.from, reference.position) else {
                        continue;
                    };
                    if *own == **key {
                        found.push(Subject::Object(reference.from));
                        found.extend(group.map(|number| Subject::Group(reference.from, number)));
                    }
                }
                self.once(at, found)
            }
            (Rule::Field(key), Some(Subject::Group(handle, _))) => {
                let group = self.object(at, handle).and_then(|object| object.about()?.extensible.as_ref());
                let is_own = group.is_some_and(|group| *group.key == **key);
                if is_own { vec![self.node(at, handle)] } else { Vec::new() }
            }
            (Rule::RefersTo, Some(Subject::Object(handle))) => {
                let all = self.references(at).map(|graph| graph.to(handle)).unwrap_or_default();
                self.once(at, all.iter().map(|reference| Subject::Object(reference.from)).collect())
            }
            (Rule::Check(Check::Element), Some(Subject::Object(handle))) => {
                let found = self.findings(at).map(|findings| findings.about(handle.0)).unwrap_or_default();
                found.iter().map(|number| self.term(at, Subject::Finding(*number))).collect()
            }
            (Rule::Check(check), None) => {
                let found = self.findings(at).map(|all| all.with_literal(*check, object.part()));
                let found = found.unwrap_or_default().into_iter();
                found.map(|number| self.term(at, Subject::Finding(number))).collect()
            }
            // findings and results have classes that no object has, units are no subjects
            (Rule::Type | Rule::Unit, None) => {
                let starts = self.starts(at, rule).filter(|start| !matches!(start, Subject::Object(_)));
                let kept = starts.filter(|start| self.objects(at, *start, rule).contains(object));
                kept.map(|start| self.term(at, start)).collect()
            }
            (_, None) if is_literal(object) => self.valued(at, number, rule, object),
            _ => Vec::new(),
        }
    }

    /// Subjects as terms, each once, in their order.
    fn once(&self, at: usize, mut subjects: Vec<Subject<'d>>) -> Vec<Key> {
        // references come in the order of who refers, so that like ones stand together but for groups between
        let mut seen = foldhash::HashSet::default();
        subjects.retain(|subject| {
            let place = match subject {
                Subject::Object(handle) => (handle.0, usize::MAX),
                Subject::Group(handle, number) => (handle.0, *number),
                _ => return true,
            };
            seen.insert(place)
        });
        subjects.into_iter().map(|subject| self.term(at, subject)).collect()
    }

    /// Looks up a literal among those of all subjects of a rule, which are read once in a query.
    fn valued(&self, at: usize, number: u32, rule: &Rule, object: &Key) -> Vec<Key> {
        let known = self.by_value.borrow().get(&(at, number)).cloned();
        let by_value = known.unwrap_or_else(|| {
            let mut made = ByValue::default();
            for start in self.starts(at, rule) {
                budget::step();
                let found = self.objects(at, start, rule);
                let mut literals = found.iter().filter(|object| is_literal(object)).peekable();
                let Some(subject) = literals.peek().is_some().then(|| self.term(at, start)) else { continue };
                for object in literals {
                    made.entry(object.part().clone()).or_default().push(subject.clone());
                }
            }
            let made = Rc::new(made);
            self.by_value.borrow_mut().insert((at, number), Rc::clone(&made));
            made
        });
        by_value.get(object.part()).cloned().unwrap_or_default()
    }

    /// The subjects that may have something by a rule.
    fn starts<'a>(&'a self, at: usize, rule: &Rule) -> Box<dyn Iterator<Item = Subject<'d>> + 'a> {
        let Some(graph) = self.graphs().get(at) else { return Box::new(std::iter::empty()) };
        match rule {
            Rule::Type => Box::new(self.handles(at).map(Subject::Object).chain(self.beside(at))),
            Rule::RefersTo => Box::new(self.handles(at).map(Subject::Object)),
            Rule::Field(key) => {
                let types = graph.fields.get(&**key).into_iter().flat_map(|used| &used.types);
                let key = Rc::clone(key);
                Box::new(types.filter_map(|class| graph.types.get(*class)).flat_map(move |(name, about)| {
                    let group = about.and_then(|about| about.extensible.as_ref());
                    let in_group =
                        group.is_some_and(|group| group.fields.iter().any(|field| *field.key == *key));
                    graph.document().of_type(name).flat_map(move |object| {
                        let handle = object.handle();
                        let groups = in_group.then(|| self.groups_of(at, handle)).into_iter().flatten();
                        std::iter::once(Subject::Object(handle)).chain(groups)
                    })
                }))
            }
            Rule::GroupNumber => {
                Box::new(self.handles(at).flat_map(move |handle| self.groups_of(at, handle)))
            }
            Rule::InGroup => Box::new((0..graph.types.len()).map(Subject::Class)),
            Rule::Unit | Rule::Units => Box::new(graph.fields.keys().map(|key| Subject::Field(key))),
            Rule::Check(_) => {
                Box::new(self.beside(at).filter(|beside| matches!(beside, Subject::Finding(_))))
            }
            Rule::Result(_) => {
                let zones =
                    self.has_results().then(|| graph.document().of_type("Zone")).into_iter().flatten();
                let told = self.beside(at).filter(|beside| matches!(beside, Subject::Told(_)));
                Box::new(zones.map(|zone| Subject::Object(zone.handle())).chain(told))
            }
            Rule::Unknown => Box::new(std::iter::empty()),
        }
    }

    fn handles(&self, at: usize) -> impl Iterator<Item = Handle> + '_ {
        let objects = self.graphs().get(at).into_iter().flat_map(|graph| graph.document().objects());
        objects.map(|object| {
            budget::step();
            object.handle()
        })
    }

    fn groups_of(&self, at: usize, handle: Handle) -> impl Iterator<Item = Subject<'d>> + '_ {
        self.groups(at, handle).map(move |number| Subject::Group(handle, number))
    }

    /// Findings, runs and uses, where they take part.
    fn beside(&self, at: usize) -> impl Iterator<Item = Subject<'d>> + '_ {
        let findings = self.findings(at).map_or(0, findings::Findings::len);
        let told = self.results(at).map_or(0, super::RunResults::told);
        (0..findings).map(Subject::Finding).chain((0..told).map(Subject::Told))
    }

    /// The predicates and objects of a subject.
    fn about(&self, at: usize, subject: Subject<'d>) -> Vec<(Key, Key)> {
        budget::step();
        let own = |name: &str| self.name(&format!("{EP}{name}"));
        let by_rules = |rules: &[(Key, Rule)]| -> Vec<(Key, Key)> {
            let with = |(predicate, rule): &(Key, Rule)| {
                let found = self.objects(at, subject, rule).into_iter();
                found.map(|object| (predicate.clone(), object)).collect::<Vec<_>>()
            };
            rules.iter().flat_map(with).collect()
        };
        let of_fields = |pairs: Vec<(&'d str, Key)>| -> Vec<(Key, Key)> {
            pairs.into_iter().map(|(key, object)| (self.field(key), object)).collect()
        };
        let results = |names: Vec<String>| -> Vec<(Key, Rule)> {
            let rule = |name: String| (self.name(&format!("{RESULT}{name}")), Rule::Result(name.into()));
            names.into_iter().map(rule).collect()
        };
        let of_type = (self.name(names::TYPE), Rule::Type);
        match subject {
            Subject::Object(handle) => {
                let mut found = by_rules(&[of_type]);
                found.extend(of_fields(self.fields_of(at, handle, None)));
                found.extend(by_rules(&[(own("refersTo"), Rule::RefersTo)]));
                if let Some((zone, run)) = self.zone(at, handle).zip(self.results(at)) {
                    found.extend(by_rules(&results(run.names_of_zone(zone))));
                }
                found
            }
            Subject::Group(handle, number) => {
                let mut found = by_rules(&[(own("groupNumber"), Rule::GroupNumber)]);
                found.extend(of_fields(self.fields_of_group(at, handle, number)));
                found
            }
            Subject::Class(_) => by_rules(&[(own("inGroup"), Rule::InGroup)]),
            Subject::Field(_) => by_rules(&[(self.name(HAS_UNIT), Rule::Unit), (own("units"), Rule::Units)]),
            Subject::Finding(_) => {
                let checks = Check::ALL.map(|check| (self.name(&check.iri()), Rule::Check(check)));
                by_rules(&std::iter::once(of_type).chain(checks).collect::<Vec<_>>())
            }
            Subject::Told(number) => {
                let names = self.results(at).map(|results| results.names(number)).unwrap_or_default();
                by_rules(&std::iter::once(of_type).chain(results(names)).collect::<Vec<_>>())
            }
        }
    }

    /// Every triple whose object is no literal.
    fn to(&self, at: usize, object: &Key) -> Vec<(Key, Key, Key)> {
        let mut predicates: Vec<Key> = Vec::new();
        let target = self.subject(at, object);
        match target {
            Some(Subject::Object(handle)) => {
                let mut keys: Vec<&str> = Vec::new();
                for reference in self.references(at).map(|graph| graph.to(handle)).unwrap_or_default() {
                    let place = self.place(at, reference.from, reference.position);
                    keys.extend(place.map(|(key, _)| key).filter(|key| !keys.contains(key)));
                }
                predicates.extend(keys.into_iter().map(|key| self.field(key)));
                predicates.push(self.name(&format!("{EP}refersTo")));
                predicates.push(self.name(&Check::Element.iri()));
            }
            Some(Subject::Group(handle, _)) => {
                let group = self.object(at, handle).and_then(|object| object.about()?.extensible.as_ref());
                predicates.extend(group.map(|group| self.field(&group.key)));
            }
            Some(Subject::Class(_)) | None => {
                predicates.extend([self.name(names::TYPE), self.name(HAS_UNIT)]);
            }
            Some(Subject::Field(_) | Subject::Finding(_) | Subject::Told(_)) => {}
        }
        let mut found = Vec::new();
        for predicate in predicates {
            let number = number_of(&predicate).unwrap_or_default();
            let subjects = self.subjects(at, number, &self.rule(number), object).into_iter();
            found.extend(subjects.map(|subject| (subject, predicate.clone(), object.clone())));
        }
        found
    }

    /// Every triple of a graph.
    fn all(&self, at: usize) -> Triples<'_> {
        let Some(graph) = self.graphs().get(at) else { return Box::new(std::iter::empty()) };
        let schema = (0..graph.types.len())
            .map(Subject::Class)
            .chain(graph.fields.keys().map(|key| Subject::Field(key)));
        let objects = self.handles(at).flat_map(move |handle| {
            std::iter::once(Subject::Object(handle)).chain(self.groups_of(at, handle))
        });
        Box::new(schema.chain(objects).chain(self.beside(at)).flat_map(move |start| {
            let subject = self.term(at, start);
            let about = self.about(at, start).into_iter();
            about.map(move |(predicate, object)| (subject.clone(), predicate, object))
        }))
    }
}
