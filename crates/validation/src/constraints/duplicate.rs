//! Elements that are there twice: one class, one shape, one place.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use building::soundness::overlap::RULES;
use building::soundness::twice::is_twice;
use geometry::query::Element;
use ifc::Id;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::DUPLICATE,
    title: "Nothing is there twice",
    text: "No two elements of one class have the same shape at the same place.",
    why: "A copy that lies in its original is not seen, and is counted, priced and scheduled twice.",
    severity: Severity::Error,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let groups = groups(context);
    let numbers: BTreeMap<Id, usize> =
        groups.iter().enumerate().flat_map(|(n, group)| group.iter().map(move |id| (*id, n))).collect();
    let mut found = Vec::new();
    for group in &groups {
        let is_asked = group.iter().any(|id| context.concerns(*id));
        if is_asked && !are_of_copies(context, group, &numbers) {
            found.push(told(context, group, &numbers));
        }
    }
    let cause = |finding: &Finding| {
        let ends = [finding.elements.first(), finding.elements.last()];
        ends.map(|id| id.and_then(|id| context.storey(*id)))
    };
    let say = |[one, other]: &[Option<Id>; 2], group: &[Finding]| {
        let name = |id: &Option<Id>| id.map_or("no storey".to_owned(), |id| context.called(id));
        if one == other {
            format!("{} elements on {} are there twice or more.", group.len(), name(one))
        } else {
            format!("{} elements of {} are there again on {}.", group.len(), name(one), name(other))
        }
    };
    findings.extend(joined(found, cause, say));
}

/// Returns true of openings that are there twice because the doors or windows in them are.
fn are_of_copies(context: &Context<'_>, group: &[Id], numbers: &BTreeMap<Id, usize>) -> bool {
    let filling = |id: &Id| context.links.fillings_of(*id).first().and_then(|filling| numbers.get(filling));
    let first = group.first().and_then(filling);
    first.is_some() && group.iter().all(|id| filling(id) == first)
}

/// Elements that are the same body at the same place, those of each group by their numbers.
pub(super) fn groups(context: &Context<'_>) -> Vec<Vec<Id>> {
    let mut by_class: BTreeMap<&str, Vec<Arc<Element>>> = BTreeMap::new();
    for body in context.bodies() {
        if let Some(class) = context.model.get(body.id()).map(|instance| instance.class_name()) {
            by_class.entry(class).or_default().push(Arc::clone(body));
        }
    }
    let openings = context.model.of_class("IfcOpeningElement");
    // most openings are alone in their host
    let hosts = openings.iter().filter_map(|id| context.links.host_of_opening(*id));
    let mut count: BTreeMap<Id, usize> = BTreeMap::new();
    hosts.for_each(|host| *count.entry(host).or_default() += 1);
    for host in count.into_iter().filter(|(_, count)| *count > 1).map(|(host, _)| host) {
        let own = context.links.openings_of(host).into_iter().filter_map(|id| context.uncut(id));
        by_class.entry("IfcOpeningElement").or_default().extend(own);
    }
    by_class.into_values().flat_map(|bodies| same(context, bodies)).collect()
}

/// The groups of equal bodies among some, by a sweep along x.
fn same(context: &Context<'_>, mut bodies: Vec<Arc<Element>>) -> Vec<Vec<Id>> {
    bodies.retain(|body| body.bounds().min.is_finite() && body.bounds().max.is_finite());
    bodies.sort_by(|a, b| a.bounds().min.x.total_cmp(&b.bounds().min.x).then(a.id().cmp(&b.id())));
    let mut first_of: BTreeMap<Id, Id> = BTreeMap::new();
    for (place, body) in bodies.iter().enumerate() {
        for other in bodies.iter().skip(place + 1) {
            if other.bounds().min.x - body.bounds().min.x > RULES.tolerance {
                break;
            }
            let is_known = first_of.contains_key(&other.id());
            if !is_known && is_twice(context.model, body, other) {
                let first = first_of.get(&body.id()).copied().unwrap_or(body.id());
                first_of.insert(body.id(), first);
                first_of.insert(other.id(), first);
            }
        }
    }
    let mut groups: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    for (id, first) in first_of {
        groups.entry(first).or_default().push(id);
    }
    groups.into_values().collect()
}

fn told(context: &Context<'_>, group: &[Id], numbers: &BTreeMap<Id, usize>) -> Finding {
    let (first, copies) = group.split_first().map_or((Id(0), &[][..]), |(first, rest)| (*first, rest));
    let place = context.uncut(first).map(|body| body.bounds().centre()).unwrap_or_default();
    let (one, other) =
        (context.called(first), copies.first().map(|id| context.called(*id)).unwrap_or_default());
    let more = if copies.len() > 1 { format!(" and {} more", copies.len() - 1) } else { String::new() };
    let message = format!("{one} and {other}{more} are the same body at the same place, {} mm.", at(place));
    let finding = CONSTRAINT
        .breach(group.to_vec(), message)
        .measured(Quantity::count(group.len()), Required::Exactly(Quantity::count(1)))
        .at(place)
        .suggest("Keep one and delete the others.");
    let expendable: Option<Vec<String>> =
        copies.iter().map(|id| expendable(context, first, *id, numbers)).collect();
    match expendable {
        Some(ids) => finding.mended_by("delete_elements", json!({ "element_ids": ids })),
        None => finding,
    }
}

/// The GlobalId of a copy that can go: nothing hangs on it, and it has no more to say of itself than the original.
fn expendable(
    context: &Context<'_>,
    original: Id,
    copy: Id,
    numbers: &BTreeMap<Id, usize>,
) -> Option<String> {
    let links = &context.links;
    let hangs = !links.openings_of(copy).is_empty()
        || !links.fillings_of(copy).is_empty()
        || !links.children(copy).is_empty()
        || !links.nested(copy).is_empty()
        || !links.connections_of(copy).is_empty();
    // a copy in a copy of the opening goes with that
    let opening = |id: Id| links.opening_of_filling(id);
    let is_one = |a: Id, b: Id| numbers.get(&a).is_some_and(|n| numbers.get(&b) == Some(n));
    let filled = opening(copy) == opening(original)
        || opening(copy).zip(opening(original)).is_some_and(|(a, b)| is_one(a, b));
    let is_like = links.type_of(copy) == links.type_of(original)
        && links.aggregate_parent(copy) == links.aggregate_parent(original)
        && links.host_of_opening(copy) == links.host_of_opening(original);
    (!hangs && filled && is_like).then(|| context.guid(copy)).flatten()
}
