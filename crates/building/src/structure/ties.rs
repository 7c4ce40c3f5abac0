//! What stands on a grid or ends at a column remembers it: by a relation to the grid and a property with the crossing's name, or by a
//! relation to the column; and follows when those move.

use super::crossing::{Crossing, again};
use super::framed;
use super::grid::{self, GridLine};
use super::line::Line;
use super::links::{BORNE, PLACED, Role, SET, crossing_of, grids_of, members};
use super::member::{Redraw, redraw};
use crate::author::Author;
use crate::movement;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Makes an element remember a grid's crossing.
pub fn place_on(author: &mut Author, element: Id, role: Role, crossing: &Crossing) -> Result<(), Fault> {
    let label = Value::typed("IfcLabel", crossing.name.as_str());
    author.describe(element, SET, &[(role.property(), label)])?;
    if grids_of(author.edit, element).contains(&crossing.grid) {
        return Ok(());
    }
    let existing = author
        .edit
        .referrers_of(crossing.grid, "IfcRelAssignsToProduct")
        .into_iter()
        .find(|id| author.edit.get(*id).is_some_and(|r| r.name().as_deref() == Some(PLACED)));
    match existing {
        Some(relation) => author.add_to(relation, "RelatedObjects", element),
        None => author
            .root(
                "IfcRelAssignsToProduct",
                Some(PLACED),
                &[
                    ("RelatedObjects", Value::list([Value::Ref(element)])),
                    ("RelatingProduct", crossing.grid.into()),
                ],
            )
            .map(|_| ()),
    }
}

/// Makes a part of an element follow a column.
pub fn follow_column(author: &mut Author, element: Id, role: Role, column: Id) -> Result<(), Fault> {
    let ends = [
        ("Description", Value::from(role.property())),
        ("RelatingElement", element.into()),
        ("RelatedElement", column.into()),
    ];
    author.root("IfcRelConnectsElements", Some(BORNE), &ends).map(|_| ())
}

/// Moves what stands on a grid after its lines moved from where they were; answers the elements that followed.
pub fn follow_grid(author: &mut Author, grid: Id, before: &[GridLine]) -> Result<Vec<Id>, Fault> {
    let after = grid::lines(author, grid)?;
    let mut followed = Vec::new();
    for member in members(author.edit, grid) {
        let way = |role: Role| -> Option<DVec2> {
            let name = crossing_of(author.edit, member, role)?;
            let by = again(&after, &name)? - again(before, &name)?;
            (by.length() > 1e-6).then_some(by)
        };
        let ways = Role::ALL.map(|role| way(role).map(|by| by.extend(0.0)));
        if ways == [None; 3] {
            continue;
        }
        if let [Some(whole), ..] = ways {
            followed.push(member);
            followed.extend(movement::shift(author, &[member], whole)?);
        } else {
            shift_ends(author, member, ways[1], ways[2])?;
            followed.push(member);
        }
    }
    let mut seen = BTreeSet::new();
    followed.retain(|id| seen.insert(*id));
    Ok(followed)
}

/// Writes the crossings of what stands on a grid with another name for one of its lines; answers what remembers it.
pub fn rename_line(author: &mut Author, grid: Id, was: &str, now: &str) -> Result<Vec<Id>, Fault> {
    let mut renamed = Vec::new();
    for member in members(author.edit, grid) {
        for role in Role::ALL {
            let Some(name) = crossing_of(author.edit, member, role) else { continue };
            let parts: Vec<&str> = name.split('/').collect();
            if !parts.contains(&was) {
                continue;
            }
            let fresh: Vec<&str> =
                parts.into_iter().map(|part| if part == was { now } else { part }).collect();
            let label = Value::typed("IfcLabel", fresh.join("/").as_str());
            author.describe(member, SET, &[(role.property(), label)])?;
            if !renamed.contains(&member) {
                renamed.push(member);
            }
        }
    }
    Ok(renamed)
}

fn shift_ends(author: &mut Author, id: Id, start: Option<DVec3>, end: Option<DVec3>) -> Result<(), Fault> {
    let line = Line::read(author, id)?;
    let change = Redraw {
        start: start.map(|by| line.at(0.0) + by),
        end: end.map(|by| line.at(line.length) + by),
        ..Redraw::default()
    };
    redraw(author, id, &change).map(|_| ())
}

/// Moves what follows columns and grids that were moved; `chosen` moved by themselves. Answers the elements that followed.
pub fn follow(author: &mut Author, chosen: &BTreeSet<Id>, by: DVec3) -> Result<Vec<Id>, Fault> {
    let mut dependents: BTreeMap<Id, BTreeSet<Role>> = BTreeMap::new();
    for id in chosen {
        for relation in author.edit.referrers_of(*id, "IfcRelConnectsElements") {
            let Some(relation) = author.edit.get(relation) else { continue };
            let is_ours = relation.name().as_deref() == Some(BORNE)
                && relation.reference("RelatedElement") == Some(*id);
            let role = relation.text("Description").and_then(|text| Role::read(&text));
            if let (true, Some(role), Some(dependent)) =
                (is_ours, role, relation.reference("RelatingElement"))
                && !chosen.contains(&dependent)
            {
                dependents.entry(dependent).or_default().insert(role);
            }
        }
    }
    let mut followed = Vec::new();
    for id in chosen {
        if author.edit.get(*id).is_some_and(|e| e.is_a("IfcGrid")) {
            let others: Vec<Id> =
                members(author.edit, *id).into_iter().filter(|member| !chosen.contains(member)).collect();
            followed.extend(movement::shift(author, &others, by)?);
            followed.extend(others);
        }
    }
    for (dependent, roles) in dependents {
        let of = |role: Role| roles.contains(&role).then_some(by);
        if roles.contains(&Role::Whole) {
            followed.extend(movement::shift(author, &[dependent], by)?);
        } else {
            shift_ends(author, dependent, of(Role::Start), of(Role::End))?;
        }
        followed.push(dependent);
    }
    let drawn = framed::follow(author, chosen)?;
    followed.extend(drawn.into_iter().filter(|beam| !followed.contains(beam)).collect::<Vec<_>>());
    Ok(followed)
}
