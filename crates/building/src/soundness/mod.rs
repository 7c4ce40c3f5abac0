//! The soundness of a building: what nothing that is built does, judged of one element or one pair, and found in what a change touched.
//! Elements that go through each other or are there twice, that rest on and hang from nothing, have no size or stand far off; openings
//! outside their hosts, doors outside their openings; rooms in each other.
//!
//! The judgements are those of the constraints on whole models, too, and go by their identifiers ([`constraint`]). Of a change,
//! only what differs between two states of a model is looked at and what is near that, never the whole building. A finding is told, not
//! refused: a house in the making floats here and there until its next wall is there. Rooms that a change cuts off are added by who
//! knows rooms; what rules say of a building is asked elsewhere.

mod bodies;
pub mod constraint;
pub mod custom;
pub mod extent;
pub mod fillings;
pub mod floating;
pub mod framing;
mod guids;
pub mod hosts;
mod lesser;
pub mod outlier;
pub mod overlap;
pub mod room;
mod surroundings;
pub mod twice;

pub use bodies::Bodies;
pub use surroundings::Surroundings;
pub(crate) use surroundings::storeys_in;

use crate::lookup::{guid, label};
use geometry::{Scene, Shaper};
use ifc::{Id, Model};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Findings told at most.
const MOST_TOLD: usize = 20;
/// Elements looked at in one call.
const MOST_LOOKED_AT: usize = 3_000;
/// Elements near each other are no farther apart, in metres.
pub const NEAR: f64 = 0.010;

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Two elements share space.
    Overlap,
    /// An element rests on nothing and hangs from nothing.
    Floating,
    /// An opening is not within its host, or a door or window not within its opening.
    OutsideHost,
    /// A room that was reached from outside is not any more.
    Unreached,
    /// An element is there twice.
    Duplicate,
    /// Two instances have one GlobalId.
    DuplicateGuid,
    /// An element has no extent.
    ZeroSize,
    /// An opening is cut into nothing.
    IdleOpening,
    /// A door or window has no host.
    UnhostedFilling,
    /// Two rooms share space.
    SpaceOverlap,
    /// An element stands far from the building.
    Outlier,
    /// A wall or slab ends a little short of a wall.
    Gap,
    /// Two walls meet and are not connected.
    Unjoined,
    /// A door hits something as it opens.
    DoorSwing,
    /// The levels of storeys contradict each other.
    StoreyLevels,
    /// A stated quantity is not that of the shape.
    Quantity,
}

impl Kind {
    /// Every kind, in their order.
    pub const ALL: [Self; 16] = [
        Self::Overlap,
        Self::Floating,
        Self::OutsideHost,
        Self::Unreached,
        Self::Duplicate,
        Self::DuplicateGuid,
        Self::ZeroSize,
        Self::IdleOpening,
        Self::UnhostedFilling,
        Self::SpaceOverlap,
        Self::Outlier,
        Self::Gap,
        Self::Unjoined,
        Self::DoorSwing,
        Self::StoreyLevels,
        Self::Quantity,
    ];
}

/// A thing that is not sound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// The constraint that it breaks: `constraints.overlap`.
    pub rule: &'static str,
    /// GlobalIds of the elements.
    pub elements: Vec<String>,
    /// The finding in words.
    pub say: String,
}

/// The findings on a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sound {
    /// All findings, in the order of their kinds and elements.
    pub findings: Vec<Finding>,
    /// Elements touched that were too many to look at.
    pub unlooked: usize,
    /// Sentences on what else was not looked at.
    pub notes: Vec<String>,
    /// Products that were there and are moved, shaped anew or gone.
    pub disturbed: BTreeSet<Id>,
}

impl Sound {
    /// The form of an answer: `true`, or a list of what was found, cut at a bound and saying so.
    pub fn to_json(&self) -> Value {
        if self.findings.is_empty() && self.unlooked == 0 && self.notes.is_empty() {
            return Value::Bool(true);
        }
        let mut told: Vec<Value> =
            self.findings.iter().take(MOST_TOLD).map(|finding| json!(finding)).collect();
        let rest = self.findings.len() - told.len();
        if rest > 0 {
            told.push(json!({ "kind": "more", "say": format!("{rest} more are not listed.") }));
        }
        if self.unlooked > 0 {
            let say = format!(
                "Only {MOST_LOOKED_AT} of the elements touched were looked at; {} were not.",
                self.unlooked
            );
            told.push(json!({ "kind": "more", "say": say }));
        }
        told.extend(self.notes.iter().map(|say| json!({ "kind": "more", "say": say })));
        Value::Array(told)
    }
}

/// Two states of a model, and what differs in shape or place between them.
pub(crate) struct Change<'m> {
    pub before: &'m Model,
    pub after: &'m Model,
    /// Instances that differ.
    pub instances: &'m [Id],
    /// Products that are there and are new, moved, cut or shaped anew.
    pub touched: BTreeSet<Id>,
    /// Elements that were there and are moved, shaped anew or gone.
    pub disturbed: BTreeSet<Id>,
    /// Rooms that are there and are new, moved or shaped anew.
    pub rooms: BTreeSet<Id>,
}

impl<'m> Change<'m> {
    fn new(before: &'m Model, after: &'m Model, instances: &'m [Id], reshaped: &BTreeSet<Id>) -> Self {
        let is_a = |model: &Model, id: &Id, class: &str| model.get(*id).is_some_and(|p| p.is_a(class));
        let all = |model: &Model, class: &str| -> BTreeSet<Id> {
            reshaped.iter().copied().filter(|id| is_a(model, id, class)).collect()
        };
        Self {
            before,
            after,
            instances,
            touched: all(after, "IfcElement"),
            disturbed: all(before, "IfcElement"),
            rooms: all(after, "IfcSpace"),
        }
    }
}

/// Judgements that are made where more is known of buildings than here: of what a change touched and stands around it.
pub type Further = fn(&Bodies<'_>, &mut Vec<Finding>);

/// Looks at what a change touched, `further` included. `known` is what is known of the surroundings in `before`, and grows by what had to be looked up; what
/// is known after the change is answered beside the findings. `None` where the change is of what everything hangs on, as units are.
pub fn look(
    before: &Model,
    after: &Model,
    touched: &[Id],
    known: &mut Surroundings,
    further: Further,
) -> Option<(Sound, Surroundings)> {
    look_at_drawn(before, after, touched, known, (None, further))
}

/// The same, where the state after may have been drawn already: what that scene shows is not made again.
pub fn look_at_drawn(
    before: &Model,
    after: &Model,
    touched: &[Id],
    known: &mut Surroundings,
    (drawn, further): (Option<&Scene>, Further),
) -> Option<(Sound, Surroundings)> {
    let reshaped = match geometry::scene::reshaped(before, after, touched) {
        Some(reshaped) => reshaped,
        // a model that was begun: all that stands in it is new
        None if before.of_class("IfcProduct").is_empty() && !after.of_class("IfcElement").is_empty() => {
            after.of_class("IfcProduct").into_iter().collect()
        }
        None => return None,
    };
    let mut sound = Sound::default();
    guids::find(before, after, touched, &mut sound.findings);
    let mut change = Change::new(before, after, touched, &reshaped);
    sound.disturbed = reshaped.iter().copied().filter(|id| before.get(*id).is_some()).collect();
    if change.touched.len() > MOST_LOOKED_AT {
        sound.unlooked = change.touched.len() - MOST_LOOKED_AT;
        change.touched = change.touched.into_iter().take(MOST_LOOKED_AT).collect();
    }
    let places = surroundings::Places::around(&change);
    known.learn(&Shaper::plain(before), &places);
    // shapes that are mapped are made once, for boxes and bodies
    let shaper = Shaper::plain(after);
    let mut now = known.follow(before, &shaper, &reshaped);
    now.learn(&shaper, &places);
    let bodies = Bodies::new(&change, known, &now, &places, (shaper, drawn));
    for find in [overlap::find, floating::find, hosts::find, lesser::find, room::find] {
        find(&bodies, &mut sound.findings);
    }
    further(&bodies, &mut sound.findings);
    sound.findings.sort_by(|a, b| (a.kind, &a.elements).cmp(&(b.kind, &b.elements)));
    sound.findings.dedup();
    Some((sound, now))
}

/// A finding on elements, named in its words by `{0}`, `{1}`.
fn finding(model: &Model, (kind, rule): (Kind, &'static str), elements: &[Id], say: String) -> Finding {
    Finding { kind, rule, elements: elements.iter().map(|id| guid(model, *id)).collect(), say }
}

/// Returns an element in words: class and name.
pub fn called(model: &Model, id: Id) -> String {
    let class =
        model.get(id).map(|e| e.class_name().trim_start_matches("Ifc").to_owned()).unwrap_or_default();
    let class = class.trim_end_matches("StandardCase");
    let name = label(model, id);
    if name.to_lowercase().starts_with(&class.to_lowercase()) { name } else { format!("{class} {name}") }
}
