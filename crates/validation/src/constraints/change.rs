//! The constraints that a change may break around what it touched, beyond those that [`building::soundness`] judges itself: gaps and joins
//! of walls, slits along slabs, doors that hit something, levels of storeys, quantities.
//!
//! A finding that was there before the change is not told again. Walls that meet and are not connected are told only where they can be
//! joined: others are built so.

use super::{door_swing, gap, quantity, storey_levels, unjoined};
use crate::Finding;
use crate::around::Around;
use crate::swing::{Swing, swings_of};
use crate::wall_run::WallRun;
use building::soundness::{self, Bodies, Kind, constraint};
use geometry::query::Element;
use geometry::{Bounds, Shaper};
use ifc::relations::Links;
use ifc::{Id, Model};
use spatial::storey::storeys;
use spatial::ways::doors::door;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Doors whose hinges are no farther away than this, in metres, may hit an element.
const DOOR_REACH: f64 = 2.5;

/// A change with what is near it, after it.
struct Now<'b, 'm>(&'b Bodies<'m>);

impl Around for Now<'_, '_> {
    fn model(&self) -> &Model {
        self.0.model()
    }

    fn links(&self) -> &Links<'_> {
        &self.0.links
    }

    fn shaper(&self) -> &Shaper<'_> {
        self.0.shaper()
    }

    fn body(&self, id: Id) -> Option<Arc<Element>> {
        self.0.cut(id)
    }

    fn near(&self, bounds: &Bounds, metres: f64) -> Vec<Id> {
        self.0.near(*bounds, metres).map(|(id, _)| id).collect()
    }
}

/// The same before the change, as far as it is there after it.
struct Former<'b, 'm> {
    bodies: &'b Bodies<'m>,
    links: Links<'m>,
    shaper: Shaper<'m>,
}

impl Around for Former<'_, '_> {
    fn model(&self) -> &Model {
        self.bodies.former()
    }

    fn links(&self) -> &Links<'_> {
        &self.links
    }

    fn shaper(&self) -> &Shaper<'_> {
        &self.shaper
    }

    fn body(&self, id: Id) -> Option<Arc<Element>> {
        self.bodies.former_cut(id)
    }

    fn near(&self, bounds: &Bounds, metres: f64) -> Vec<Id> {
        self.bodies.near(*bounds, metres).map(|(id, _)| id).collect()
    }
}

/// A change that is looked at, and what was found.
struct Look<'b, 'm, 'f> {
    now: Now<'b, 'm>,
    former: OnceCell<Former<'b, 'm>>,
    findings: &'f mut Vec<soundness::Finding>,
}

/// Adds the findings on what a change touched.
pub fn of_change(bodies: &Bodies<'_>, findings: &mut Vec<soundness::Finding>) {
    let mut look = Look { now: Now(bodies), former: OnceCell::new(), findings };
    look.walls();
    look.slabs();
    look.doors();
    look.storeys();
    look.quantities();
}

impl<'b, 'm> Look<'b, 'm, '_> {
    fn former(&self) -> &Former<'b, 'm> {
        self.former.get_or_init(|| {
            let (bodies, model) = (self.now.0, self.now.0.former());
            Former { bodies, links: Links::of_one(model), shaper: Shaper::plain(model) }
        })
    }

    /// Tells a finding, unless it was there before.
    fn tell(
        &mut self,
        (kind, rule): (Kind, &'static str),
        found: Option<Finding>,
        was: impl Fn(&Former<'_, '_>) -> bool,
    ) {
        let Some(finding) = found else { return };
        if was(self.former()) {
            return;
        }
        let model = self.now.model();
        let guid = |id: &Id| model.get(*id).and_then(|e| e.guid()).unwrap_or_default();
        let elements = finding.elements.iter().map(guid).collect();
        self.findings.push(soundness::Finding { kind, rule, elements, say: finding.message });
    }

    /// Touched elements of a class with the elements of another near them, each pair once.
    fn pairs(&self, class: &str, other: &str, reach: f64) -> Vec<(Id, Id)> {
        let now = &self.now;
        let mut pairs = BTreeSet::new();
        let is = |id: Id, class: &str| now.is_a(id, class);
        for id in self.now.0.touched().iter().filter(|id| is(**id, class) || is(**id, other)) {
            let Some(own) = now.body(*id) else { continue };
            let wanted = if is(*id, class) { other } else { class };
            let near = now.0.near(own.bounds(), reach).map(|(id, _)| id);
            for its in near.filter(|its| its != id && is(*its, wanted)) {
                let in_order = if class == other { *id < its } else { is(*id, class) };
                pairs.insert(if in_order { (*id, its) } else { (its, *id) });
            }
        }
        pairs.into_iter().collect()
    }

    fn walls(&mut self) {
        let connects = self.now.model().has_class("IfcRelConnectsPathElements");
        for (a, b) in self.pairs("IfcWall", "IfcWall", gap::WIDEST) {
            let gap = on_walls(&self.now, [a, b], |one, other| gap::between(&self.now, one, other));
            self.tell((Kind::Gap, constraint::WALL_GAP), gap, |former| {
                on_walls(former, [a, b], |one, other| gap::between(former, one, other)).is_some()
            });
            if !connects {
                continue;
            }
            let met = on_walls(&self.now, [a, b], |one, other| unjoined::between(&self.now, one, other));
            let met = met.map(|found| unjoined::joined_by_call(&self.now, found));
            self.tell(
                (Kind::Unjoined, constraint::UNJOINED),
                met.filter(|found| !found.fix.is_empty()),
                |former| {
                    on_walls(former, [a, b], |one, other| unjoined::between(former, one, other)).is_some()
                },
            );
        }
    }

    fn slabs(&mut self) {
        for (slab, wall) in self.pairs("IfcSlab", "IfcWall", gap::WIDEST) {
            let (Some(one), Some(other)) = (self.now.body(slab), self.now.body(wall)) else { continue };
            if !gap::is_floor(&self.now, slab) {
                continue;
            }
            let found = gap::slit(&self.now, &one, &other);
            self.tell((Kind::Gap, constraint::SLAB_GAP), found, |former| {
                let bodies = (former.body(slab), former.body(wall));
                matches!(bodies, (Some(one), Some(other)) if gap::slit(former, &one, &other).is_some())
            });
        }
    }

    fn doors(&mut self) {
        let bodies = self.now.0;
        let mut doors: BTreeSet<Id> = BTreeSet::new();
        for id in bodies.touched() {
            if self.now.is_a(*id, "IfcDoor") {
                doors.insert(*id);
            } else if self.now.is_any(*id, &door_swing::HARD)
                && let Some(own) = self.now.body(*id)
            {
                let near = bodies.near(own.bounds(), DOOR_REACH).map(|(id, _)| id);
                doors.extend(near.filter(|id| self.now.is_a(*id, "IfcDoor")));
            }
        }
        let touched = bodies.touched();
        // of doors beside each other all swings are asked for by each
        let mut known: BTreeMap<Id, Vec<Swing>> = BTreeMap::new();
        for id in doors {
            // of a door that stays as it was only what is new in its swing is looked at; of two that are new one tells that they meet
            let is_new = touched.contains(&id);
            let mut others = if is_new { self.neighbours(id) } else { Vec::new() };
            others.retain(|other| *other > id || !touched.contains(other));
            let is_asked = |id: Id| is_new || touched.contains(&id);
            if known.entry(id).or_insert_with(|| swings(&self.now, id)).is_empty() {
                continue;
            }
            for door in &others {
                known.entry(*door).or_insert_with(|| swings(&self.now, *door));
            }
            let swings = |door: Id| known.get(&door).cloned().unwrap_or_default();
            for found in hits(&self.now, &swings, id, &others, &is_asked) {
                let elements = found.elements.clone();
                self.tell((Kind::DoorSwing, constraint::DOOR_SWING), Some(found), |former| {
                    let swings = |door: Id| self::swings(former, door);
                    hits(former, &swings, id, &others, &is_asked)
                        .iter()
                        .any(|finding| finding.elements == elements)
                });
            }
        }
    }

    /// Other doors whose swings may meet that of one.
    fn neighbours(&self, door: Id) -> Vec<Id> {
        let own = self.now.body(door).map(|body| body.bounds());
        let near = own.into_iter().flat_map(|own| self.now.0.near(own, 2.0 * DOOR_REACH));
        near.map(|(id, _)| id).filter(|id| *id != door && self.now.is_a(*id, "IfcDoor")).collect()
    }

    fn storeys(&mut self) {
        let model = self.now.model();
        let is_one = |id: &&Id| model.get(**id).is_some_and(|i| i.is_a("IfcBuildingStorey"));
        let touched: BTreeSet<Id> = self.now.0.instances().iter().filter(is_one).copied().collect();
        if touched.is_empty() {
            return;
        }
        let found = storey_levels::among(&self.now, &storeys(self.now.shaper(), self.now.links()));
        for finding in
            found.into_iter().filter(|finding| finding.elements.iter().any(|id| touched.contains(id)))
        {
            let elements = finding.elements.clone();
            self.tell((Kind::StoreyLevels, constraint::STOREY_LEVELS), Some(finding), |former| {
                let was = storey_levels::among(former, &storeys(&former.shaper, &former.links));
                was.iter().any(|finding| finding.elements == elements)
            });
        }
    }

    fn quantities(&mut self) {
        for id in self.now.0.touched() {
            let found = quantity::of_element(&self.now, *id);
            self.tell((Kind::Quantity, constraint::QUANTITY), found, |former| {
                former.model().get(*id).is_some() && quantity::of_element(former, *id).is_some()
            });
        }
    }
}

/// Judges two walls that have a run.
fn on_walls<T>(
    around: &impl Around,
    walls: [Id; 2],
    judge: impl Fn((&WallRun, &Element), (&WallRun, &Element)) -> Option<T>,
) -> Option<T> {
    let [one, other] = walls.map(|id| around.body(id));
    let (one, other) = (one?, other?);
    judge((&WallRun::of_body(&one)?, &one), (&WallRun::of_body(&other)?, &other))
}

/// The swings of a door.
fn swings(around: &impl Around, id: Id) -> Vec<Swing> {
    let Some(own) = around.body(id) else { return Vec::new() };
    let host = around.links().host_of(id).and_then(|host| around.body(host));
    let door = door(around.shaper(), around.links(), &own, host.as_deref());
    door.map(|door| swings_of(around.model(), &door, Some(&own))).unwrap_or_default()
}

/// The findings on what a door hits of the elements that are asked about, and on other doors that it meets.
fn hits(
    around: &impl Around,
    swings: &dyn Fn(Id) -> Vec<Swing>,
    id: Id,
    others: &[Id],
    is_asked: &dyn Fn(Id) -> bool,
) -> Vec<Finding> {
    let own = swings(id);
    if own.is_empty() {
        return Vec::new();
    }
    let theirs: Vec<Swing> = others.iter().flat_map(|id| swings(*id)).collect();
    let meetings = own.iter().flat_map(|swing| theirs.iter().map(move |other| (swing, other)));
    let met = meetings.filter_map(|(swing, other)| door_swing::meeting(around, swing, other));
    own.iter().flat_map(|swing| door_swing::hits(around, swing, is_asked)).chain(met).collect()
}
