//! Conflicts of a merge, which two sides cannot both have, in words that a person can decide by.

use ifc::{Id, Model, Side, Value};
use std::fmt;

/// A conflict: two changes of which only one can hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// Names the conflict among those of one merge, the same whenever the three models are the same.
    pub key: String,
    /// The thing that it is about.
    pub about: Thing,
    /// In what.
    pub kind: ConflictKind,
    /// The parts left out of either side where the other one is chosen.
    pub(super) ours: Vec<Part>,
    pub(super) theirs: Vec<Part>,
}

/// An instance as a conflict names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thing {
    /// Its id: in the models of both sides for what the base has, else in that of the side that made it.
    pub id: Option<Id>,
    /// Its class.
    pub class: String,
    /// Its GlobalId, if it has one.
    pub global_id: Option<String>,
    /// Its Name, if it has one.
    pub name: Option<String>,
}

/// Why two sides do not go together.
#[derive(Debug, Clone, PartialEq)]
pub enum ConflictKind {
    /// Both give one attribute another value.
    Attribute {
        /// The attribute; `class` where both make another instance of it.
        attribute: String,
        /// Before.
        base: Value,
        /// As ours has it.
        ours: Value,
        /// As theirs has it.
        theirs: Value,
    },
    /// Both give one property or quantity another value.
    Property {
        /// The set's name.
        set: String,
        /// The property's name.
        property: String,
        /// Before; null if it was not there.
        base: Value,
        /// As ours has it.
        ours: Value,
        /// As theirs has it.
        theirs: Value,
    },
    /// Both move it, to different places: by so much in mm along the axes of what it stands on, turns not counted.
    Moved {
        /// By ours.
        ours: [f64; 3],
        /// By theirs.
        theirs: [f64; 3],
    },
    /// One side removes what the other changes or newly refers to.
    Removed {
        /// The side that removes it.
        by: Side,
        /// Attributes that the other side changes, in it or in what it is made of.
        changed: Vec<String>,
        /// The things of the other side that need it.
        needed_by: Vec<Thing>,
    },
    /// Each side puts it in a relation of which it may be in so many only: contained in two storeys, say.
    TooMany {
        /// The relationship, such as `IfcRelContainedInSpatialStructure`.
        relation: String,
        /// The most there may be.
        most: u32,
        /// The things that ours relates it to.
        ours: Vec<Thing>,
        /// The things that theirs relates it to.
        theirs: Vec<Thing>,
    },
    /// Together both sides take more members out of a list than it can spare.
    TooFew {
        /// The list.
        attribute: String,
        /// The least it needs.
        least: u32,
    },
    /// Both make an instance with this GlobalId.
    SameGlobalId,
}

/// A part of one side's change that can be left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// The change of one attribute.
    Attribute(Id, u32),
    /// Every change of an instance.
    Changes(Id),
    /// The removal of an instance, with what was removed along with it.
    Removal(Id),
    /// An instance made, with what cannot be without it.
    Made(Id),
    /// A new reference from one instance to another.
    Reference { by: Id, to: Id },
}

impl Thing {
    /// As a model has it; only the id where it does not.
    pub(super) fn new(model: &Model, id: Id) -> Self {
        match model.get(id) {
            Some(instance) => Self {
                id: Some(id),
                class: instance.class_name().to_owned(),
                global_id: instance.guid(),
                name: instance.name(),
            },
            None => Self { id: Some(id), ..Self::default() },
        }
    }

    /// The word that names it in a key.
    pub(super) fn key(&self) -> String {
        match (&self.global_id, self.id) {
            (Some(guid), _) => guid.clone(),
            (None, Some(id)) => id.to_string(),
            (None, None) => String::new(),
        }
    }
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.class.is_empty() { "instance" } else { &self.class })?;
        match (&self.name, &self.global_id, self.id) {
            (Some(name), ..) => write!(f, " {name:?}"),
            (None, Some(guid), _) => write!(f, " {guid}"),
            (None, None, Some(id)) => write!(f, " {id}"),
            (None, None, None) => Ok(()),
        }
    }
}

impl Conflict {
    /// The effect of choosing a side, as a sentence.
    pub fn resolution(&self, side: Side) -> String {
        let about = &self.about;
        match &self.kind {
            ConflictKind::Attribute { attribute, ours, theirs, .. } => {
                let value = if side == Side::Ours { ours } else { theirs };
                format!("{about} has {attribute} {}.", shown(value))
            }
            ConflictKind::Property { set, property, ours, theirs, .. } => {
                let value = if side == Side::Ours { ours } else { theirs };
                format!("{about} has {set}.{property} {}.", shown(value))
            }
            ConflictKind::Moved { ours, theirs } => {
                let [x, y, z] = if side == Side::Ours { ours } else { theirs };
                format!("{about} is moved by ({x:.1}, {y:.1}, {z:.1}) mm.")
            }
            ConflictKind::Removed { by, needed_by, .. } if *by == side => {
                if needed_by.is_empty() {
                    format!("{about} stays removed; the other side's changes of it are dropped.")
                } else {
                    format!("{about} stays removed, and what needs it is dropped: {}.", listed(needed_by))
                }
            }
            ConflictKind::Removed { .. } => {
                format!("{about} stays, with what belongs to it and the changes of {side}.")
            }
            ConflictKind::TooMany { relation, ours, theirs, .. } => {
                let kept = if side == Side::Ours { ours } else { theirs };
                format!("{about} stays related to {} ({relation}).", listed(kept))
            }
            ConflictKind::TooFew { attribute, .. } => {
                format!("{about} keeps those members of {attribute} that only the other side takes out.")
            }
            ConflictKind::SameGlobalId => format!("Only the {about} of {side} is made."),
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = &self.about;
        match &self.kind {
            ConflictKind::Attribute { attribute, base, ours, theirs } => write!(
                f,
                "both change {attribute} of {about} (was {}): ours to {}, theirs to {}",
                shown(base),
                shown(ours),
                shown(theirs)
            ),
            ConflictKind::Property { set, property, base, ours, theirs } => write!(
                f,
                "both give {about} another {set}.{property} (was {}): ours {}, theirs {}",
                shown(base),
                shown(ours),
                shown(theirs)
            ),
            ConflictKind::Moved { .. } => write!(f, "both move {about} to different places"),
            ConflictKind::Removed { by, changed, needed_by } => {
                write!(f, "{by} removes {about}, which {}", by.other())?;
                if !changed.is_empty() {
                    write!(f, " changes ({})", changed.join(", "))?;
                }
                if !needed_by.is_empty() {
                    let and = if changed.is_empty() { "" } else { " and" };
                    write!(f, "{and} needs for {}", listed(needed_by))?;
                }
                Ok(())
            }
            ConflictKind::TooMany { relation, most, ours, theirs } => write!(
                f,
                "{about} may be in {most} {relation} only: ours relates it to {}, theirs to {}",
                listed(ours),
                listed(theirs)
            ),
            ConflictKind::TooFew { attribute, least } => {
                write!(f, "{about} needs at least {least} {attribute}, and both sides take some out")
            }
            ConflictKind::SameGlobalId => write!(f, "both make {about} with one GlobalId"),
        }
    }
}

fn shown(value: &Value) -> String {
    let mut out = String::new();
    ifc::step::encode::value(value, &mut out);
    let end = out.char_indices().nth(80).map(|(end, _)| end);
    if let Some(end) = end {
        out.truncate(end);
        out.push('…');
    }
    out
}

fn listed(things: &[Thing]) -> String {
    const MOST: usize = 5;
    let text = things.iter().take(MOST).map(Thing::to_string).collect::<Vec<_>>().join(", ");
    match things.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{text} and {more} more"),
        _ => text,
    }
}
