//! Remarks beside an answer on an energy model: names that nothing bears, with those that were likely meant.

use super::OBJECTS;
use super::patterns::{OWN, Rule};
use super::view::{EnergyView, IN_TYPE, Subject};
use crate::findings::{self, Check};
use crate::mentions::Mentions;
use crate::names::{self, EP, RESULT, compact};
use crate::source::Sight;
use crate::term::Part;
use std::collections::BTreeSet;

/// Names that are proposed for one that nothing bears.
const PROPOSED: usize = 4;

/// The remarks on the names that a query mentions.
pub fn notes(view: &EnergyView<'_>, mentions: &Mentions, prefixes: &[(String, String)]) -> Vec<String> {
    let short = |iri: &str| compact(iri, prefixes);
    let mut notes = Vec::new();
    if view.has_results() && view.graphs().iter().all(|graph| graph.graph.results.is_none()) {
        notes.push(
            "No simulation of this model came to its end, so that result: has nothing here. Use run_simulation."
                .to_owned(),
        );
    }
    for iri in &mentions.predicates {
        let known = match Rule::of_iri(iri) {
            Rule::Field(key) if is_in_use(view, &key) => continue,
            Rule::Field(key) if is_in_schema(view, &key) => "No object in this model has",
            Rule::Result(name) if names_of_results(view).is_empty_or_has(&name) => continue,
            Rule::Field(_) | Rule::Result(_) | Rule::Unknown => "Unknown predicate",
            _ => continue,
        };
        notes.push(format!("{known} {}.{}", short(iri), proposal(&near_predicates(view, iri), &short)));
    }
    for iri in &mentions.classes {
        notes.extend(class(view, iri, &short));
    }
    for iri in mentions.nodes.iter().filter(|iri| iri.starts_with(OBJECTS)) {
        let key = view.to_key(oxrdf::NamedNode::new_unchecked(iri.clone()).into());
        let is_known = matches!(key.part(), Part::Node { .. })
            || (0..view.graphs().len()).any(|at| view.subject(at, &key).is_some());
        if !is_known {
            notes.push(format!("There is no {} in these models.", short(iri)));
        }
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

fn is_in_use(view: &EnergyView<'_>, key: &str) -> bool {
    view.graphs().iter().any(|graph| graph.fields.contains_key(key))
}

fn is_in_schema(view: &EnergyView<'_>, key: &str) -> bool {
    let has = |about: &energy::schema::ObjectType| {
        about.all_fields().any(|field| *field.key == *key)
            || about.extensible.as_ref().is_some_and(|group| *group.key == *key)
    };
    view.graphs().iter().any(|graph| graph.document().schema().types().iter().any(has))
}

/// The predicates of the results that there are.
struct Known<'n>(BTreeSet<&'n str>);

impl Known<'_> {
    /// True if there are no results, of which another remark tells, or they have this predicate.
    fn is_empty_or_has(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.contains(name)
    }
}

fn names_of_results<'n>(view: &'n EnergyView<'_>) -> Known<'n> {
    let runs = (0..view.graphs().len()).filter_map(|at| view.results(at));
    Known(runs.flat_map(super::RunResults::all_names).collect())
}

/// The last part of an IRI.
fn local(iri: &str) -> &str {
    iri.rsplit(['#', '/']).next().unwrap_or(iri)
}

/// The IRIs of predicates that look like one, the nearest first.
fn near_predicates(view: &EnergyView<'_>, iri: &str) -> Vec<String> {
    let wanted = local(iri).rsplit('.').next().unwrap_or(iri);
    let fields = view.graphs().iter().flat_map(|graph| graph.fields.keys());
    let mut known: Vec<String> = fields.map(|key| format!("{EP}{}", names::encode(key, &[]))).collect();
    known.extend(OWN.iter().map(|(name, ..)| format!("{EP}{name}")));
    known.extend(names_of_results(view).0.iter().map(|name| format!("{RESULT}{name}")));
    known.extend(Check::ALL.map(Check::iri));
    let as_key = energy::schema::key_of(wanted);
    let mut found: Vec<String> = Vec::new();
    for name in [wanted, as_key.as_str()] {
        let near = ifc_schema::near(name, known.iter().map(|iri| local(iri)), PROPOSED);
        found.extend(known.iter().filter(|iri| local(iri).eq_ignore_ascii_case(name)).cloned());
        found.extend(near.iter().filter_map(|near| known.iter().find(|iri| local(iri) == *near).cloned()));
    }
    let mut seen = BTreeSet::new();
    found.retain(|iri| seen.insert(iri.clone()));
    found.truncate(PROPOSED);
    found
}

/// The remark on a class of which there is nothing.
fn class(view: &EnergyView<'_>, iri: &str, short: &dyn Fn(&str) -> String) -> Option<String> {
    use super::results::{RUN_CLASS, TOTAL_CLASS, USE_CLASS};
    let is_beside = |name: &&str| iri.strip_prefix(RESULT) == Some(*name);
    if iri == findings::class() || [RUN_CLASS, TOTAL_CLASS, USE_CLASS].iter().any(is_beside) {
        return None;
    }
    let key = view.name(iri);
    if (0..view.graphs().len()).any(|at| matches!(view.subject(at, &key), Some(Subject::Class(_)))) {
        return None;
    }
    let schema = view.graphs().first()?.document().schema();
    let name = iri.strip_prefix(EP).and_then(|local| names::decode(local, &IN_TYPE));
    let about = name.as_deref().and_then(|name| schema.get(name));
    if about.is_some_and(|about| Some(&*about.name) == name.as_deref()) {
        return Some(format!("There is no {} in this model.", short(iri)));
    }
    let near = schema.near(local(iri), PROPOSED).into_iter();
    let near: Vec<String> = near.map(|name| format!("{EP}{}", names::encode(name, &IN_TYPE))).collect();
    Some(format!("Unknown class {}.{}", short(iri), proposal(&near, short)))
}
