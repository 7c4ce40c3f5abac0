//! The connections between walls as the model stores them: which ends meet, or which end meets another's path, and how
//! they are asked to be cut.
//!
//! `IfcRelConnectsPathElements` says where walls meet and not how they are cut. What somebody asked for stands in its
//! description, the wall that runs through at a butt is the relating one; without a description corners are cut as their
//! walls suggest. It holds the priorities of the layers of both walls.

use crate::author::{Author, refused};
use crate::layer_priority;
use crate::quantities::is_ours;
use crate::quantity_sets;
use crate::relations::End;
use contract::Fault;
use ifc::{Id, Value};

/// How the ends of walls are cut at a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// As the walls suggest: mitred, or where one is higher, that one running through.
    #[default]
    Auto,
    /// One runs through to the outer face of the other.
    Butt,
    /// Both are cut on the line that halves their angle.
    Mitre,
}

impl Kind {
    /// The word it is stored as.
    fn word(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::Butt => Some("butt"),
            Self::Mitre => Some("mitre"),
        }
    }
}

/// A connection as one of its walls sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The relation.
    pub relation: Id,
    /// The place on the wall's own path.
    pub own: End,
    /// The other wall.
    pub other: Id,
    /// The place on the other's path.
    pub there: End,
    /// True if the wall is the relating one.
    pub first: bool,
    /// How it is cut.
    pub kind: Kind,
}

/// The connections of a wall.
pub fn links(author: &Author, wall: Id) -> Vec<Link> {
    author
        .edit
        .referrers_of(wall, "IfcRelConnectsPathElements")
        .into_iter()
        .filter_map(|id| {
            let relation = author.edit.get(id)?;
            let end = |name: &str| relation.attr(name).as_enum().and_then(End::from_word);
            let (relating, related) =
                (relation.reference("RelatingElement")?, relation.reference("RelatedElement")?);
            let (here, there) = (end("RelatingConnectionType")?, end("RelatedConnectionType")?);
            let text = relation.text("Description");
            let kind = [Kind::Butt, Kind::Mitre]
                .into_iter()
                .find(|kind| kind.word() == text.as_deref())
                .unwrap_or_default();
            let first = relating == wall;
            let (own, other, there) = if first { (here, related, there) } else { (there, relating, here) };
            Some(Link { relation: id, own, other, there, first, kind })
        })
        .collect()
}

/// Connects two walls, the one that runs through first. One relation stands for two ends, whoever is asked.
pub fn link(author: &mut Author, [a, b]: [(Id, End); 2], kind: Kind) -> Result<Id, Fault> {
    let known = links(author, a.0).into_iter().find(|l| l.other == b.0 && l.own == a.1 && l.there == b.1);
    let relation = match known {
        Some(known) if known.first || kind != Kind::Butt => known.relation,
        Some(known) => {
            author.edit.remove(known.relation).map_err(|error| refused(&error))?;
            author.connect(a.0, a.1, b.0, b.1)?
        }
        None => author.connect(a.0, a.1, b.0, b.1)?,
    };
    prioritise(author, relation)?;
    let before = author.edit.get(relation).and_then(|r| r.text("Description"));
    if before.as_deref() != kind.word() {
        author.set(relation, "Description", kind.word().map_or(Value::Null, Value::from))?;
    }
    Ok(relation)
}

/// Writes the priorities of the layers of both walls to their connection, in the order of their layer sets, as corners are cut by
/// them. Those that another program wrote for a wall of its own stay.
pub fn prioritise(author: &mut Author, relation: Id) -> Result<(), Fault> {
    for (wall, list) in [("RelatingElement", "RelatingPriorities"), ("RelatedElement", "RelatedPriorities")] {
        let Some(stored) = author.edit.get(relation) else { return Ok(()) };
        let Some(wall) = stored.reference(wall) else { continue };
        let before: Vec<i64> =
            stored.attr(list).as_list().unwrap_or_default().iter().filter_map(Value::as_i64).collect();
        if !before.is_empty() && !is_ours(author.edit, wall, quantity_sets::WALL) {
            continue;
        }
        let now: Vec<i64> = layer_priority::of_layers(author, wall).into_iter().map(i64::from).collect();
        if now != before {
            author.set(relation, list, Value::list(now.into_iter().map(Value::Integer)))?;
        }
    }
    Ok(())
}

/// Takes a connection away; what its walls' ends are then is for the caller.
pub fn unlink(author: &mut Author, relation: Id) -> Result<(), Fault> {
    author.edit.remove(relation).map_err(|error| refused(&error))
}
