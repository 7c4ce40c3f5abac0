//! Elements that rest on nothing and hang from nothing: nothing is within 10 mm of them, and they do not stand on the ground.
//!
//! Parts count as their whole and doors as their wall. Elements that only touch each other float together. What was not touched by the
//! change is taken to stand, unless something beside it was moved or taken away: then it is followed to the ground or another storey.

use super::bodies::Bodies;
use super::surroundings::{place_of, storeys_in};
use super::{Finding, Kind, NEAR, called, constraint, finding};
use crate::storey::storeys_by_height;
use geometry::query::Element;
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

/// Returns the whole that an element stands or falls with.
pub fn whole(links: &Links<'_>, id: Id) -> Id {
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

/// Returns true of a whole that has to stand on something: not of what is in the ground, or is carried by what nobody models.
pub fn can_float(links: &Links<'_>, whole: Id) -> bool {
    let model = links.model();
    let is_a = |id: Id, class: &str| model.get(id).is_some_and(|e| e.is_a(class));
    let is_kind = is_a(whole, "IfcElement") && !NEVER.iter().any(|class| is_a(whole, class));
    let is_duct = is_a(whole, "IfcDistributionElement") && !is_a(whole, "IfcSanitaryTerminal");
    let is_ground = || is_a(whole, "IfcSlab") && links.predefined_type(whole).as_deref() == Some("BASESLAB");
    let is_outside = || place_of(model, whole).is_some_and(|place| is_a(place, "IfcSite"));
    is_kind && !is_duct && !is_ground() && !is_outside()
}

/// Returns true if one element may carry the other: what has no body, and a covering what it covers, holds nothing.
pub fn may_hold(links: &Links<'_>, holder: Id, held: Id) -> bool {
    const NO_HOLD: [&str; 3] = ["IfcFeatureElement", "IfcVirtualElement", "IfcAnnotation"];
    let model = links.model();
    let is_none = model.get(holder).is_none_or(|e| NO_HOLD.iter().any(|class| e.is_a(class)));
    let covers = || {
        let is_covering = model.get(holder).is_some_and(|e| e.is_a("IfcCovering"));
        is_covering && links.covered_by(holder).contains(&held)
    };
    !is_none && !covers()
}

/// Returns true if two bodies are so near that one can carry the other.
pub fn touch(one: &Element, other: &Element) -> bool {
    one.distance(other, NEAR).is_some()
        || one.contains(other.bounds().centre())
        || other.contains(one.bounds().centre())
}

/// Wholes that were not touched and are followed to what they stand on, in one call.
const MOST_FOLLOWED: usize = 100;

/// Adds a finding for each whole that floats.
pub(super) fn find(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let left = bodies.left_behind();
    let mut looked_at: BTreeSet<Id> = BTreeSet::new();
    let is_drawn = |id: &Id| is_drawn(bodies, *id);
    for id in bodies.change.touched.iter().filter(|id| is_drawn(id)).chain(left.iter().take(MOST_LEFT_BEHIND))
    {
        looked_at.insert(whole(&bodies.links, *id));
    }
    looked_at.retain(|whole| can_float(&bodies.links, *whole));
    let mut search = Search {
        bodies,
        ground: Ground::default(),
        places: places(bodies),
        // what was not touched is taken to stand where nothing was taken away from under it
        left_to_follow: if left.is_empty() { 0 } else { MOST_FOLLOWED },
        standing: BTreeSet::new(),
        floating: BTreeSet::new(),
        left: left.iter().map(|id| whole(&bodies.links, *id)).collect(),
        looked_at: looked_at.clone(),
        told: BTreeSet::new(),
    };
    for whole in &looked_at {
        search.stands(*whole);
    }
    for whole in &search.told {
        if members(bodies, *whole).iter().all(|id| bodies.bounds(*id).is_none()) {
            continue;
        }
        let say = format!(
            "{} rests on nothing and hangs from nothing: nothing that stands is within {} mm of it.",
            called(bodies.model(), *whole),
            NEAR * 1000.0
        );
        findings.push(finding(bodies.model(), (Kind::Floating, constraint::FLOATING), &[*whole], say));
    }
}

fn is_drawn(bodies: &Bodies<'_>, id: Id) -> bool {
    bodies.model().get(id).is_some_and(|e| geometry::element::is_drawable(&e))
}

/// A whole and its parts, as far as they are drawn: what is touched in part stands or falls with all of them.
fn members(bodies: &Bodies<'_>, whole: Id) -> BTreeSet<Id> {
    let parts = relations::decomposition(bodies.model(), whole);
    std::iter::once(whole).chain(parts).filter(|id| is_drawn(bodies, *id)).collect()
}

/// The storeys and other spatial structures that the change is on. Of what is on others it is not known what it stands on.
fn places(bodies: &Bodies<'_>) -> BTreeSet<Id> {
    let change = bodies.change;
    let now = change.touched.iter().filter_map(|id| place_of(change.after, *id));
    now.chain(change.disturbed.iter().filter_map(|id| place_of(change.before, *id))).collect()
}

/// The search for what wholes stand on, from one to what it touches. All that touch each other stand, or float together.
struct Search<'b, 'm> {
    bodies: &'b Bodies<'m>,
    ground: Ground,
    places: BTreeSet<Id>,
    /// So many of those that were not touched may be followed yet.
    left_to_follow: usize,
    standing: BTreeSet<Id>,
    floating: BTreeSet<Id>,
    /// The wholes beside which something was moved or taken away.
    left: BTreeSet<Id>,
    /// The wholes that are asked about.
    looked_at: BTreeSet<Id>,
    /// Those that float by this change: of what hung on something that went, all that hung together.
    told: BTreeSet<Id>,
}

impl Search<'_, '_> {
    /// Finds out of a whole, and of all that had to be looked at for it, whether they stand.
    fn stands(&mut self, whole: Id) {
        if self.standing.contains(&whole) || self.floating.contains(&whole) {
            return;
        }
        let mut seen = BTreeSet::from([whole]);
        let mut open = vec![whole];
        let mut stands = false;
        while let Some(next) = open.pop() {
            match self.footing(next, &seen) {
                Footing::Sure => {
                    stands = true;
                    break;
                }
                Footing::Only(others) => {
                    // the lowest comes last, and so is asked next
                    open.extend(others.iter().copied().filter(|other| seen.insert(*other)));
                }
            }
        }
        if stands {
            self.standing.extend(seen);
            return;
        }
        let is_left = seen.iter().any(|whole| self.left.contains(whole));
        self.told.extend(seen.iter().filter(|whole| is_left || self.looked_at.contains(whole)));
        self.floating.extend(seen);
    }

    fn footing(&mut self, whole: Id, seen: &BTreeSet<Id>) -> Footing {
        let bodies = self.bodies;
        let members = members(bodies, whole);
        let level = self.ground.under(bodies.model(), bodies.place(whole));
        let boxes: Vec<_> = members.iter().filter_map(|id| Some((*id, bodies.bounds(*id)?))).collect();
        if boxes.iter().any(|(_, b)| b.min.z <= level + NEAR) {
            return Footing::Sure;
        }
        let mut others: Vec<(f64, Id)> = Vec::new();
        for (id, bounds) in boxes {
            for (other, its) in bodies.near(bounds, NEAR) {
                let their = self::whole(&bodies.links, other);
                let is_known = their == whole || seen.contains(&their) || others.iter().any(|o| o.1 == their);
                if is_known || !members.iter().all(|member| may_hold(&bodies.links, other, *member)) {
                    continue;
                }
                let (Some(one), Some(two)) = (bodies.cut(id), bodies.cut(other)) else { continue };
                if !touch(&one, &two) {
                    continue;
                }
                if self.standing.contains(&their) || !self.is_followed(their) {
                    return Footing::Sure;
                }
                others.push((its.min.z, their));
            }
        }
        others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Footing::Only(others.into_iter().map(|(_, their)| their).collect())
    }

    /// Returns true of a whole that has to be shown to stand; others are taken to.
    fn is_followed(&mut self, whole: Id) -> bool {
        if self.looked_at.contains(&whole) || self.floating.contains(&whole) {
            return true;
        }
        let is_here = self.bodies.place(whole).is_some_and(|place| self.places.contains(&place));
        if self.left_to_follow == 0 || !is_here || !can_float(&self.bodies.links, whole) {
            return false;
        }
        self.left_to_follow -= 1;
        true
    }
}

/// Everything that a whole stands on.
enum Footing {
    /// The ground, or something that stands.
    Sure,
    /// Others of which it is not known yet whether they stand, the lowest last.
    Only(Vec<Id>),
}

/// The level of the ground by building: the floor of its lowest storey, in metres.
#[derive(Debug, Default)]
pub struct Ground(BTreeMap<Option<Id>, f64>);

impl Ground {
    /// Returns the level of the ground under what stands on a storey or another spatial structure, in metres.
    pub fn under(&mut self, model: &Model, place: Option<Id>) -> f64 {
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
