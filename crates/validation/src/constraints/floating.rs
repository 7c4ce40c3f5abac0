//! Elements that rest on nothing and hang from nothing: nothing within 10 mm of them leads down to the ground.
//!
//! Parts count as their whole and doors as their wall. What touches stands or floats together; what is in the ground, stands on the
//! lowest storey's floor, or is carried by what nobody models (ducts, terrain) holds what touches it.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::floating::{Ground, can_float, may_hold, touch, whole};
use building::soundness::{NEAR, constraint};
use geometry::query::{Element, Index};
use ifc::Id;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::FLOATING,
    title: "Nothing floats",
    text: "Every element rests on or hangs from another one that is within 10 mm, and so down to the ground.",
    why: "What floats was drawn at the wrong height, or what carried it was deleted.",
    severity: Severity::Warning,
    find,
};

/// Pairs of near elements that are looked at at most.
const MOST_PAIRS: usize = 2_000_000;
/// Where more than this share of all elements float, the model is not drawn so that its parts touch.
const SHARE: f64 = 0.5;
/// Fewer elements are no share.
const FEW: usize = 10;

/// Classes that carry others; a model without any holds a trade alone, whose building is elsewhere.
const STRUCTURE: [&str; 7] =
    ["IfcWall", "IfcSlab", "IfcColumn", "IfcBeam", "IfcMember", "IfcFooting", "IfcRoof"];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut bodies = context.bodies();
    bodies.retain(|body| may_hold(&context.links, body.id(), body.id()));
    if !bodies.iter().any(|body| context.is_any(body.id(), &STRUCTURE)) {
        let message =
            "The model has neither walls nor slabs nor a frame; what its elements stand on was not judged.";
        findings.push(CONSTRAINT.unjudged(message));
        return;
    }
    if let Some(storeys) = storeys_without_floors(context, &bodies) {
        let message = format!(
            "The model has walls or a frame on {storeys} storeys and no slab between them: floors are elsewhere, and what stands on them was not judged."
        );
        findings.push(CONSTRAINT.unjudged(&message));
        return;
    }
    let wholes: BTreeMap<Id, Id> =
        bodies.iter().map(|body| (body.id(), whole(&context.links, body.id()))).collect();
    let index: Index = context.index.subset(wholes.keys().copied());
    let Some(pairs) = index.near_pairs(None, NEAR, MOST_PAIRS) else {
        let message = "Elements are too near to each other to tell what they stand on.";
        findings.push(CONSTRAINT.unjudged(message));
        return;
    };
    let mut sets = Sets::new(wholes.values().copied());
    for (a, b) in &pairs {
        let (Some(one), Some(other)) = (wholes.get(&a.id()), wholes.get(&b.id())) else { continue };
        let links = &context.links;
        let may_hold = may_hold(links, a.id(), b.id()) && may_hold(links, b.id(), a.id());
        if may_hold && !sets.are_one(*one, *other) && touch(a, b) {
            sets.unite(*one, *other);
        }
    }
    let groups = floating(context, &bodies, &wholes, &mut sets);
    let count: usize = groups.iter().map(BTreeSet::len).sum();
    let all = wholes.values().collect::<BTreeSet<_>>().len();
    if count > FEW && count as f64 > SHARE * all as f64 {
        let message = format!(
            "{count} of {all} elements touch nothing that stands: the model is not drawn so that its parts meet, and which of them float was not told."
        );
        findings.push(CONSTRAINT.unjudged(&message));
        return;
    }
    let found = groups.into_iter().map(|group| told(context, &group, &wholes)).collect();
    let class = |finding: &Finding| {
        let first = finding.elements.first().copied();
        let class = first.and_then(|id| context.model.get(id)).map(|e| e.class_name().to_owned());
        (class, first.and_then(|id| context.storey(id)))
    };
    let say = |(class, storey): &(Option<String>, Option<Id>), group: &[Finding]| {
        let on = storey.map_or("no storey".to_owned(), |id| context.called(id));
        let name = class.as_deref().unwrap_or("element");
        format!(
            "{} times {name} on {on}, alone or with others, rests on nothing and hangs from nothing.",
            group.len()
        )
    };
    findings.extend(joined(found, class, say));
}

/// The number of storeys on which something stands, where several have something and there is no slab: a trade alone, as masonry.
fn storeys_without_floors(context: &Context<'_>, bodies: &[&Arc<Element>]) -> Option<usize> {
    let is_floor = |body: &&Arc<Element>| context.is_any(body.id(), &["IfcSlab", "IfcRoof"]);
    if bodies.iter().any(is_floor) {
        return None;
    }
    let built = bodies.iter().filter(|body| context.is_any(body.id(), &STRUCTURE));
    let storeys: BTreeSet<Id> = built.filter_map(|body| context.storey(body.id())).collect();
    (storeys.len() > 1).then_some(storeys.len())
}

/// The groups of wholes that hold each other and stand on nothing.
fn floating(
    context: &Context<'_>,
    bodies: &[&Arc<Element>],
    wholes: &BTreeMap<Id, Id>,
    sets: &mut Sets,
) -> Vec<BTreeSet<Id>> {
    let lowest = context.index.bounds().min.z;
    let has_storeys = !context.model.of_class("IfcBuildingStorey").is_empty();
    let mut ground = Ground::default();
    let mut held: BTreeSet<Id> = BTreeSet::new();
    let mut groups: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    for body in bodies {
        let Some(whole) = wholes.get(&body.id()).copied() else { continue };
        let set = sets.root(whole);
        groups.entry(set).or_default().insert(whole);
        if held.contains(&set) {
            continue;
        }
        let place = context.links.container(whole);
        let level = if has_storeys { ground.under(context.model, place) } else { lowest };
        // the building may go deeper than its lowest storey, into foundations that are no storey
        if body.bounds().min.z <= level + NEAR || !can_float(&context.links, whole) {
            held.insert(set);
        }
    }
    groups.into_iter().filter(|(set, _)| !held.contains(set)).map(|(_, group)| group).collect()
}

fn told(context: &Context<'_>, group: &BTreeSet<Id>, wholes: &BTreeMap<Id, Id>) -> Finding {
    let first = group.first().copied().unwrap_or(Id(0));
    let called = context.called(first);
    let more = match group.len() {
        0 | 1 => " rests on nothing and hangs from nothing".to_owned(),
        n => format!(" and {} more hold each other and rest on nothing", n - 1),
    };
    let message = format!("{called}{more}: nothing that stands is within {} mm.", NEAR * 1000.0);
    let members: Vec<Id> =
        wholes.iter().filter(|(_, whole)| group.contains(whole)).map(|(id, _)| *id).collect();
    let bodies: Vec<&Arc<Element>> = members.iter().filter_map(|id| context.index.get(*id)).collect();
    let lowest = bodies.iter().map(|body| body.bounds()).min_by(|a, b| a.min.z.total_cmp(&b.min.z));
    let finding = CONSTRAINT
        .breach(group.iter().copied().collect(), message)
        .suggest("Move it down to what carries it, or draw what carries it.");
    let Some(bounds) = lowest else { return finding };
    let finding = finding.at(bounds.centre().with_z(bounds.min.z));
    match clearance(context, &bodies, &members) {
        Some(gap) => finding.measured(Quantity::length(gap), Required::AtMost(Quantity::length(NEAR))),
        None => finding,
    }
}

/// The distance to the nearest other element, in metres; none where there is none within two metres.
fn clearance(context: &Context<'_>, bodies: &[&Arc<Element>], members: &[Id]) -> Option<f64> {
    const REACH: f64 = 2.0;
    let of = |body: &&Arc<Element>| {
        let near = context.index.near(&body.bounds(), REACH);
        let others = near.into_iter().filter(|other| {
            let is_space = context.scene.entry(other.id()).is_some_and(|entry| entry.is_space);
            !is_space && !members.contains(&other.id())
        });
        others.filter_map(|other| Some(body.distance(other, REACH)?.metres)).min_by(f64::total_cmp)
    };
    bodies.iter().take(8).filter_map(of).min_by(f64::total_cmp)
}

/// Sets of ids that grow together.
struct Sets(BTreeMap<Id, Id>);

impl Sets {
    fn new(ids: impl Iterator<Item = Id>) -> Self {
        Self(ids.map(|id| (id, id)).collect())
    }

    /// The id that stands for the set of another.
    fn root(&mut self, id: Id) -> Id {
        let mut at = id;
        while let Some(up) = self.0.get(&at).copied().filter(|up| *up != at) {
            at = up;
        }
        let mut next = id;
        while let Some(up) = self.0.insert(next, at).filter(|up| *up != at && *up != next) {
            next = up;
        }
        at
    }

    fn are_one(&mut self, a: Id, b: Id) -> bool {
        self.root(a) == self.root(b)
    }

    fn unite(&mut self, a: Id, b: Id) {
        let (one, other) = (self.root(a), self.root(b));
        self.0.insert(one.max(other), one.min(other));
    }
}
