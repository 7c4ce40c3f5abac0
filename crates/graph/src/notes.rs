//! Remarks beside an answer: names that nothing bears, with those that were likely meant, so that an empty answer is not taken for one.

use crate::derived::Derived;
use crate::edges::EDGES;
use crate::findings::{self, Check};
use crate::mentions::Mentions;
use crate::names::{BOT, CHECK, IFC, PROP, ROOM, WAY, compact, predicate_of_attribute};
use crate::neighbours::{Measure, Way};
use crate::rules::Rule;
use crate::source::Sight;
use crate::view::{GraphView, Subject, View};
use std::collections::BTreeSet;

/// Names that are proposed for one that nothing bears.
const PROPOSED: usize = 4;

/// The remarks on the names that a query mentions.
pub fn notes(view: &View<'_>, mentions: &Mentions, prefixes: &[(String, String)]) -> Vec<String> {
    let short = |iri: &str| compact(iri, prefixes);
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
        let is_element = view.graphs().iter().any(|graph| iri.starts_with(graph.graph.base()));
        let key = is_element.then(|| view.to_key(oxrdf::NamedNode::new_unchecked(iri.clone()).into()));
        let Some(key) = key.filter(|key| !matches!(key.part(), crate::term::Part::Node { .. })) else {
            continue;
        };
        let is_finding = |at: usize| matches!(view.subject(at, &key), Some(Subject::Finding(_)));
        let is_known = iri.contains("room:")
            || (iri.contains(findings::NODE) && (0..view.graphs().len()).any(is_finding));
        if !is_known {
            notes.push(format!("There is no {} in these models.", short(iri)));
        }
    }
    let left_out: usize =
        (0..view.graphs().len()).filter_map(|at| view.findings(at)).map(findings::Findings::left_out).sum();
    if left_out > 0 {
        notes.push(format!("{left_out} further findings are counted and not in the graph."));
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
    known.extend(Check::ALL.map(Check::iri));
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
const OTHERS: [(&str, &str); 10] = [
    (BOT, "Site"),
    (BOT, "Building"),
    (BOT, "Storey"),
    (BOT, "Space"),
    (BOT, "Zone"),
    (BOT, "Element"),
    (BOT, "Interface"),
    (WAY, "Outside"),
    (ROOM, "FoundRoom"),
    (CHECK, "Finding"),
];

fn class_state(view: &View<'_>, iri: &str) -> ClassState {
    let number = view.number(iri);
    let is_other = |(namespace, name): &(&str, &str)| iri.strip_prefix(namespace) == Some(*name);
    if OTHERS.iter().any(is_other) {
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
