//! The outline and the reach of a shaft, kept with the group of what belongs to it; they go along where all of that is put elsewhere.

use crate::author::Author;
use crate::lookup::guid;
use crate::regions;
use crate::storey::level_of;
use contract::Fault;
use glam::{DAffine3, DVec2};
use ifc::relations::Links;
use ifc::{Id, Value, psets};
use std::collections::BTreeSet;

/// The set of properties that a shaft is gone on by.
const SET: &str = "ShaftParameters";

/// Groups what belongs to a shaft, and keeps its outline and its reach with that: the storey that it stands on, and the last one where it
/// ends there.
pub(super) fn keep(
    author: &mut Author,
    (from, to): (Id, Option<Id>),
    outline: &[DVec2],
    text: &str,
    members: Vec<Id>,
) -> Result<(), Fault> {
    if members.is_empty() {
        return Ok(());
    }
    let group = author.root("IfcGroup", Some(text), &[("ObjectType", "Shaft".into())])?;
    let list = Value::list(members.into_iter().map(Value::Ref));
    let ends = [("RelatedObjects", list), ("RelatingGroup", group.into())];
    author.root("IfcRelAssignsToGroup", None, &ends)?;
    let text = |text: String| Value::typed("IfcText", Value::from(text.as_str()));
    let corners = text(written(author, outline));
    let mut all = vec![("Outline", corners), ("From", text(guid(author.edit, from)))];
    if let Some(last) = to {
        all.push(("To", text(guid(author.edit, last))));
    }
    author.describe(group, SET, &all)
}

/// The corners of an outline as they are kept, in the file's units.
fn written(author: &Author, outline: &[DVec2]) -> String {
    let number = |value: f64| author.length_in_file_units(value).to_string();
    let corners: Vec<String> = outline.iter().map(|p| format!("{} {}", number(p.x), number(p.y))).collect();
    corners.join("; ")
}

/// Carries the outlines of shafts that were put elsewhere with all that belongs to them, by a map of the world in mm.
pub(crate) fn carry(author: &mut Author, moved: &BTreeSet<Id>, map: &DAffine3) -> Result<(), Fault> {
    for group in author.edit.of_class_exact("IfcGroup") {
        let Some(known) = known(author, group) else { continue };
        if !known.members.iter().all(|member| moved.contains(member)) {
            continue;
        }
        let placed = |p: &DVec2| map.transform_point3(p.extend(0.0)).truncate();
        let outline: Vec<DVec2> = known.outline.iter().map(placed).collect();
        let text = written(author, &regions::counter_clockwise(&outline));
        let text = Value::typed("IfcText", Value::from(text.as_str()));
        author.describe(known.group, SET, &[("Outline", text)])?;
    }
    Ok(())
}

/// A shaft read back.
pub(super) struct Known {
    /// The group of what belongs to it.
    pub group: Id,
    /// Its outline in the world.
    pub outline: Vec<DVec2>,
    /// The heights in the world, in mm, of the floor that it stands on and of the highest that it goes through.
    pub levels: (f64, f64),
    /// Its openings, walls and lift car.
    pub members: Vec<Id>,
}

/// Reads a shaft back from its group; `None` for other groups.
pub(super) fn known(author: &Author, group: Id) -> Option<Known> {
    let text = |name: &str| {
        let value = psets::get(author.edit, group, SET, name)?;
        value.as_text().map(ToString::to_string)
    };
    let outline = text("Outline")?
        .split(';')
        .map(|corner| {
            let mut numbers = corner.split_whitespace().map(|n| n.parse::<f64>().ok());
            let (x, y) = (numbers.next()??, numbers.next()??);
            Some(DVec2::new(author.units().to_mm(x), author.units().to_mm(y)))
        })
        .collect::<Option<Vec<_>>>()
        .filter(|corners| corners.len() > 2)?;
    let level = |name: &str| {
        let storey = author.edit.by_guid(&text(name)?)?;
        author.frame(storey).ok().map(|frame| frame.translation.z)
    };
    let members = Links::of_one(author.edit).members_of(group);
    let from = level("From")?;
    let to = match text("To") {
        None => f64::INFINITY,
        // where its last storey was deleted it ends at the highest that is left
        Some(_) => level("To").unwrap_or_else(|| {
            members.iter().filter_map(|id| level_of(author, *id)).map(|(_, z)| z).fold(from, f64::max)
        }),
    };
    let levels = (from, to);
    (!members.is_empty()).then_some(Known { group, outline, levels, members })
}
