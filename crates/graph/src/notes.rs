//! Remarks beside an answer: names that nothing bears, with those that were likely meant, so that an empty answer is not taken for one.

use crate::answer::Outcome;
use crate::dataset::Dataset;
use crate::derived::Derived;
use crate::edges::EDGES;
use crate::mentions::Mentions;
use crate::names::{BOT, IFC, PROP, ROOM, WAY, compact, predicate_of_attribute};
use crate::neighbours::{Measure, Way};
use crate::rules::Rule;
use crate::view::{GraphView, View};
use std::collections::BTreeSet;

/// Names that are proposed for one that nothing bears.
const PROPOSED: usize = 4;

/// The remarks on an answer.
pub fn notes(view: &View<'_>, dataset: &Dataset, mentions: &Mentions, outcome: &Outcome) -> Vec<String> {
    let prefixes = dataset.prefixes();
    let short = |iri: &str| compact(iri, &prefixes);
    let mut notes = Vec::new();
    for iri in &mentions.predicates {
        let rule = Rule::of_iri(iri);
        let is_missing = match &rule {
            Rule::Unknown => true,
            Rule::Property(property) => !view
                .graphs()
                .iter()
                .any(|graph| graph.with_properties(|properties| properties.occurs(&property.0, &property.1))),
            Rule::Attribute(name) => !view.graphs().iter().any(|graph| {
                graph.classes.iter().any(|class| graph.nodes.attributes_of(class).any(|known| known == *name))
            }),
            _ => false,
        };
        if is_missing {
            let known = if matches!(rule, Rule::Attribute(_)) {
                "No class in this model has"
            } else {
                "Unknown predicate"
            };
            notes.push(format!("{known} {}.{}", short(iri), proposal(&near_predicates(view, iri), &short)));
        }
    }
    for iri in &mentions.classes {
        match class_state(view, iri) {
            ClassState::Present => {}
            ClassState::Absent => notes.push(format!("There is no {} in this model.", short(iri))),
            ClassState::Unknown => {
                notes.push(format!(
                    "Unknown class {}.{}",
                    short(iri),
                    proposal(&near_classes(view, iri), &short)
                ));
            }
        }
    }
    for iri in &mentions.nodes {
        let is_element = dataset.graphs().iter().any(|graph| iri.starts_with(graph.base()));
        let key = is_element.then(|| view.to_key(oxrdf::NamedNode::new_unchecked(iri.clone()).into()));
        if key.is_some_and(|key| {
            !matches!(key.part(), crate::term::Part::Node { .. }) && !iri.contains("room:")
        }) {
            notes.push(format!("There is no {} in these models.", short(iri)));
        }
    }
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

fn proposal(near: &[String], short: &dyn Fn(&str) -> String) -> String {
    let names: Vec<String> = near.iter().map(|iri| short(iri)).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!(" Did you mean {only}?"),
        Some((last, rest)) => format!(" Did you mean {} or {last}?", rest.join(", ")),
    }
}

/// The last part of an IRI.
fn local(iri: &str) -> &str {
    iri.rsplit(['#', '/']).next().unwrap_or(iri)
}

/// Every predicate but properties, by IRI.
pub fn fixed_predicates(graphs: &[GraphView<'_>]) -> Vec<String> {
    let mut known: Vec<String> =
        vec![crate::names::TYPE.to_owned(), crate::names::SUB_CLASS_OF.to_owned(), format!("{IFC}class")];
    known.extend(EDGES.iter().map(|edge| format!("{}{}", edge.namespace, edge.name)));
    known.extend(Derived::ALL.map(Derived::iri));
    known.extend(Way::ALL.map(Way::iri));
    known.extend(Measure::ALL.map(Measure::iri));
    let attributes: BTreeSet<&str> = graphs
        .iter()
        .flat_map(|graph| graph.classes.iter().flat_map(|class| graph.nodes.attributes_of(class)))
        .collect();
    known.extend(attributes.into_iter().map(|name| format!("{IFC}{}", predicate_of_attribute(name))));
    known
}

/// The IRIs of predicates that look like one, the nearest first.
fn near_predicates(view: &View<'_>, iri: &str) -> Vec<String> {
    let wanted = local(iri);
    let fixed = fixed_predicates(view.graphs());
    let mut properties: BTreeSet<String> = BTreeSet::new();
    for graph in view.graphs() {
        graph.with_properties(|all| {
            all.catalogue(|name, _, _, _| {
                properties.insert(name);
            });
        });
    }
    let by_name = |text: &str| {
        let last = text.rsplit('.').next().unwrap_or(text);
        last.to_lowercase()
    };
    let name = by_name(wanted);
    // one property of many sets first: who forgets the set knows the property
    let mut found: Vec<String> = Vec::new();
    if iri.starts_with(PROP) {
        found.extend(
            properties.iter().filter(|known| by_name(known) == name).map(|known| format!("{PROP}{known}")),
        );
    }
    let spelled = fixed.iter().filter(|known| local(known).eq_ignore_ascii_case(wanted)).cloned();
    found.extend(spelled);
    if !iri.starts_with(PROP) {
        let named = properties.iter().filter(|known| by_name(known) == name);
        found.extend(named.map(|known| format!("{PROP}{known}")));
    }
    let near_fixed = ifc_schema::near(wanted, fixed.iter().map(|known| local(known)), PROPOSED);
    let near_properties = ifc_schema::near(wanted, properties.iter().map(String::as_str), PROPOSED);
    let of_fixed =
        near_fixed.iter().filter_map(|name| fixed.iter().find(|known| local(known) == *name).cloned());
    let of_properties = near_properties.iter().map(|name| format!("{PROP}{name}"));
    if iri.starts_with(PROP) {
        found.extend(of_properties.chain(of_fixed));
    } else {
        found.extend(of_fixed.chain(of_properties));
    }
    let mut seen = BTreeSet::new();
    found.retain(|known| seen.insert(known.clone()));
    found.truncate(PROPOSED);
    found
}

enum ClassState {
    Present,
    Absent,
    Unknown,
}

/// Classes beside those of IFC.
const OTHERS: [(&str, &str); 9] = [
    (BOT, "Site"),
    (BOT, "Building"),
    (BOT, "Storey"),
    (BOT, "Space"),
    (BOT, "Zone"),
    (BOT, "Element"),
    (BOT, "Interface"),
    (WAY, "Outside"),
    (ROOM, "FoundRoom"),
];

fn class_state(view: &View<'_>, iri: &str) -> ClassState {
    let number = view.number(iri);
    let is_rooms = iri.starts_with(BOT) || iri.starts_with(WAY) || iri.starts_with(ROOM);
    let is_other =
        is_rooms && OTHERS.iter().any(|(namespace, name)| iri.strip_prefix(namespace) == Some(name));
    if is_other {
        return ClassState::Present;
    }
    let Some(name) = iri.strip_prefix(IFC) else { return ClassState::Unknown };
    let known = view.graphs().iter().filter_map(|graph| {
        graph.graph.model().schema().entity(name).filter(|entity| entity.name == name).map(|_| graph)
    });
    if known.count() == 0 {
        return ClassState::Unknown;
    }
    let is_present = (0..view.graphs().len()).any(|at| !view.instances(at, number).is_empty());
    if is_present { ClassState::Present } else { ClassState::Absent }
}

fn near_classes(view: &View<'_>, iri: &str) -> Vec<String> {
    let wanted = local(iri);
    let Some(graph) = view.graphs().first() else { return Vec::new() };
    let schema = graph.graph.model().schema();
    let mut found: Vec<String> = Vec::new();
    let others = OTHERS.iter().filter(|(_, name)| name.eq_ignore_ascii_case(wanted));
    found.extend(others.map(|(namespace, name)| format!("{namespace}{name}")));
    found.extend(schema.near_entities(wanted, PROPOSED).into_iter().map(|name| format!("{IFC}{name}")));
    found.truncate(PROPOSED);
    found
}
