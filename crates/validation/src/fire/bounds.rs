//! What bounds compartments: elements without a rating, and places where two compartments are open to each other.

use super::between::between;
use super::rules::{COMPARTMENT_OPEN, MISSING_RATING};
use super::{Compartment, Source, Survey};
use crate::grouping::joined;
use crate::{Finding, Measured, Required};
use ifc::Id;
use spatial::adjacency::{Adjacency, Through};
use spatial::passage::Side;
use std::collections::{BTreeMap, BTreeSet};

/// Adds a finding for each element between two compartments that has no rating, where nothing behind it has one.
pub(super) fn missing(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let of = compartment_of_rooms(survey);
    let mut seen: BTreeSet<Id> = BTreeSet::new();
    let mut found = Vec::new();
    let is_told = |id: &Id| {
        survey.stated.minutes(*id).is_some_and(|minutes| minutes > 0.0)
            || survey.stated.unreadable.contains_key(id)
    };
    for piece in between(survey.subject.layout) {
        let Some([one, other]) = parted(survey, &of, piece.rooms) else { continue };
        let lacks = piece.layers.iter().find(|id| !survey.is_a(**id, "IfcCovering"));
        if let Some(id) = lacks.filter(|_| !piece.layers.iter().any(is_told)).filter(|id| seen.insert(**id)) {
            found.push(without_rating(survey, *id, one, other));
        }
    }
    for adjacency in survey.subject.layout.adjacencies().iter().filter(|a| a.through == Through::Door) {
        let Some([one, other]) = rooms(adjacency).and_then(|rooms| parted(survey, &of, rooms)) else {
            continue;
        };
        for id in adjacency.elements.iter().copied() {
            // doors in rated walls are told with their wall
            let in_rated = survey.links.host_of(id).is_some_and(|host| survey.stated.minutes(host).is_some());
            if !is_told(&id) && !in_rated && seen.insert(id) {
                found.push(without_rating(survey, id, one, other));
            }
        }
    }
    let class = |finding: &Finding| {
        finding
            .elements
            .first()
            .and_then(|id| survey.subject.model.get(*id))
            .map(|e| e.class_name().to_owned())
    };
    let say = |class: &Option<String>, group: &[Finding]| {
        let name = class.as_deref().unwrap_or("element");
        format!(
            "{} elements of the class {name} bound fire compartments and have no fire rating.",
            group.len()
        )
    };
    findings.extend(joined(found, class, say));
}

fn without_rating(survey: &Survey<'_>, id: Id, one: &Compartment, other: &Compartment) -> Finding {
    let message = format!(
        "{} lies between the fire compartments {} and {} and has no fire rating.",
        survey.called(id),
        one.name,
        other.name
    );
    let finding = MISSING_RATING
        .finding(vec![id], message)
        .suggest("State its FireRating in its common property set, with set_properties.");
    Finding {
        measured: Some(Measured::Words("none".to_owned())),
        required: Some(Required::Words("FireRating given".to_owned())),
        point: survey.subject.index.get(id).map(|body| body.bounds().centre()),
        ..finding
    }
}

/// Adds a finding for each pair of rooms of two compartments that are open to each other.
pub(super) fn open(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let of = compartment_of_rooms(survey);
    let all = &survey.subject.layout.rooms.rooms;
    for adjacency in survey.subject.layout.adjacencies().iter().filter(|a| a.through == Through::Opening) {
        let Some([one, other]) = rooms(adjacency).and_then(|rooms| parted(survey, &of, rooms)) else {
            continue;
        };
        let both: Vec<_> = adjacency.sides.iter().filter_map(|side| all.get(side.room()?)).collect();
        let [first, second] = both[..] else { continue };
        let message = format!(
            "The rooms {} and {} are open to each other over {:.2} m², and belong to the fire compartments {} and {}.",
            first.label(),
            second.label(),
            adjacency.area,
            one.name,
            other.name
        );
        let spaces = both.iter().filter_map(|room| room.space());
        let elements = spaces.chain(adjacency.elements.iter().copied()).collect();
        let finding = COMPARTMENT_OPEN
            .finding(elements, message)
            .measured(crate::Quantity::area(adjacency.area), Required::AtMost(crate::Quantity::area(0.0)))
            .suggest("Close it with a rated wall or door, or put both rooms into one compartment.");
        let at = adjacency.elements.first().and_then(|id| {
            survey.subject.layout.passages.iter().find(|p| p.element == *id).map(|p| p.frame.translation)
        });
        findings.push(Finding { point: at, ..finding });
    }
}

/// The compartments that each room belongs to.
fn compartment_of_rooms(survey: &Survey<'_>) -> BTreeMap<usize, Vec<usize>> {
    let mut of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, compartment) in survey.compartments.iter().enumerate() {
        // what rated elements make is bounded by rated elements alone
        if compartment.source == Source::RatedElements {
            continue;
        }
        for room in &compartment.rooms {
            of.entry(*room).or_default().push(number);
        }
    }
    of
}

/// The rooms on both sides of a neighbourhood.
fn rooms(adjacency: &Adjacency) -> Option<[usize; 2]> {
    let [Side::Room(a), Side::Room(b)] = adjacency.sides else { return None };
    Some([a, b])
}

/// The two compartments that two rooms belong to, where they share none.
fn parted<'s>(
    survey: &'s Survey<'_>,
    of: &BTreeMap<usize, Vec<usize>>,
    [a, b]: [usize; 2],
) -> Option<[&'s Compartment; 2]> {
    let (one, other) = (of.get(&a)?, of.get(&b)?);
    if one.iter().any(|number| other.contains(number)) {
        return None;
    }
    let compartment = |numbers: &[usize]| numbers.first().and_then(|n| survey.compartments.get(*n));
    Some([compartment(one)?, compartment(other)?])
}
