//! Elements that rest on nothing and hang from nothing: nothing is within 10 mm of them, and they do not stand on the ground.
//!
//! Parts count as their whole and doors as their wall. Elements that only touch each other float together; what was not touched by the
//! change is taken to stand.

use super::bodies::Bodies;
use super::surroundings::storeys_in;
use super::{Finding, Kind, NEAR, called, finding};
use crate::storey::storeys_by_height;
use ifc::relations::{self, Links};
use ifc::{Id, Model};
use std::collections::{BTreeMap, BTreeSet};

/// Classes that stand on the ground, hang on others by nature, or are carried by what nobody models.
const NEVER: [&str; 9] = [
    "IfcFeatureElement",
    "IfcFooting",
    "IfcPile",
    "IfcCovering",
    "IfcVirtualElement",
    "IfcReinforcingElement",
    "IfcElementComponent",
    "IfcTransportElement",
    "IfcGeographicElement",
];

/// Elements held against their surroundings because something by them went.
const MOST_LEFT_BEHIND: usize = 300;

/// The whole that an element stands or falls with.
fn whole(links: &Links<'_>, id: Id) -> Id {
    let mut at = id;
    for _ in 0..16 {
        let is_element = |id: &Id| links.model().get(*id).is_some_and(|e| e.is_a("IfcElement"));
        let up = links
            .aggregate_parent(at)
            .filter(is_element)
            .or_else(|| links.host_of(at))
            .or_else(|| links.host_of_opening(at));
        match up {
            Some(up) if up != at => at = up,
            _ => break,
        }
    }
    at
}

fn can_float(bodies: &Bodies<'_>, whole: Id) -> bool {
    let is_kind = bodies.is_a(whole, "IfcElement") && !bodies.is_any(whole, &NEVER);
    let is_duct = bodies.is_a(whole, "IfcDistributionElement") && !bodies.is_a(whole, "IfcSanitaryTerminal");
    let is_ground = || {
        bodies.is_a(whole, "IfcSlab") && bodies.links.predefined_type(whole).as_deref() == Some("BASESLAB")
    };
    let is_outside = || bodies.place(whole).is_some_and(|place| bodies.is_a(place, "IfcSite"));
    is_kind && !is_duct && !is_ground() && !is_outside()
}

/// Adds a finding for each whole that floats.
pub(super) fn find(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let mut wholes: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    let drawn = |id: &Id| bodies.model().get(*id).is_some_and(|e| geometry::element::is_drawable(&e));
    let left = bodies.left_behind();
    for id in bodies.change.touched.iter().filter(|id| drawn(id)).chain(left.iter().take(MOST_LEFT_BEHIND)) {
        wholes.entry(whole(&bodies.links, *id)).or_default().insert(*id);
    }
    wholes.retain(|whole, _| can_float(bodies, *whole));
    // what is touched in part stands or falls with all its parts
    for (whole, members) in &mut wholes {
        let parts = relations::decomposition(bodies.model(), *whole);
        members.extend(std::iter::once(*whole).chain(parts).filter(drawn));
    }
    let mut ground = Ground::default();
    let mut standing: BTreeSet<Id> = BTreeSet::new();
    let mut open: Vec<Id> = Vec::new();
    let mut beside: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    for (whole, members) in &wholes {
        match footing(bodies, &mut ground, &wholes, *whole, members) {
            Footing::Sure => {
                standing.insert(*whole);
                open.push(*whole);
            }
            Footing::Only(others) => {
                for other in others {
                    beside.entry(*whole).or_default().insert(other);
                    beside.entry(other).or_default().insert(*whole);
                }
            }
        }
    }
    while let Some(whole) = open.pop() {
        for other in beside.get(&whole).into_iter().flatten() {
            if standing.insert(*other) {
                open.push(*other);
            }
        }
    }
    for (whole, members) in wholes.iter().filter(|(whole, _)| !standing.contains(whole)) {
        if members.iter().all(|id| bodies.bounds(*id).is_none()) {
            continue;
        }
        let say = format!(
            "{} rests on nothing and hangs from nothing: nothing that stands is within {} mm of it.",
            called(bodies.model(), *whole),
            NEAR * 1000.0
        );
        findings.push(finding(bodies.model(), Kind::Floating, &[*whole], say));
    }
}

/// Everything that a whole stands on.
enum Footing {
    /// The ground, or something that was not touched.
    Sure,
    /// Others of which it is not known yet whether they stand.
    Only(BTreeSet<Id>),
}

fn footing(
    bodies: &Bodies<'_>,
    ground: &mut Ground,
    wholes: &BTreeMap<Id, BTreeSet<Id>>,
    whole: Id,
    members: &BTreeSet<Id>,
) -> Footing {
    let level = ground.under(bodies.model(), bodies.place(whole));
    let mut others = BTreeSet::new();
    let boxes: Vec<_> = members.iter().filter_map(|id| Some((*id, bodies.bounds(*id)?))).collect();
    if boxes.iter().any(|(_, b)| b.min.z <= level + NEAR) {
        return Footing::Sure;
    }
    for (id, bounds) in boxes {
        for (other, _) in bodies.near(bounds, NEAR) {
            let their = self::whole(&bodies.links, other);
            let is_own = their == whole || others.contains(&their);
            let is_covering = bodies.is_a(other, "IfcCovering")
                && bodies.links.covered_by(other).iter().any(|covered| members.contains(covered));
            if is_own || is_covering || bodies.is_any(other, &["IfcFeatureElement", "IfcVirtualElement"]) {
                continue;
            }
            let (Some(one), Some(two)) = (bodies.cut(id), bodies.cut(other)) else { continue };
            let touch = one.distance(&two, NEAR).is_some() || one.contains(two.bounds().centre());
            if !touch {
                continue;
            }
            if !wholes.contains_key(&their) {
                return Footing::Sure;
            }
            others.insert(their);
        }
    }
    Footing::Only(others)
}

/// The level of the ground by building: the floor of its lowest storey, in metres.
#[derive(Default)]
struct Ground(BTreeMap<Option<Id>, f64>);

impl Ground {
    fn under(&mut self, model: &Model, place: Option<Id>) -> f64 {
        let whole = place.and_then(|place| {
            let is_storey = model.get(place).is_some_and(|p| p.is_a("IfcBuildingStorey"));
            if is_storey { relations::aggregate_parent(model, place) } else { Some(place) }
        });
        *self.0.entry(whole).or_insert_with(|| {
            let own = whole.and_then(|whole| storeys_in(model, whole).first().map(|(_, height)| *height));
            own.or_else(|| storeys_by_height(model).first().map(|(_, height)| *height)).unwrap_or(0.0)
        })
    }
}
