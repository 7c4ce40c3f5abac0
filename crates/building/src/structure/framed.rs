//! Beams framed into columns: the body stops where the column's begins, so that neither stands in the other. A relation remembers it,
//! and the beam is drawn anew when its column moves, turns or gets another section.

use super::links::{FRAMED, Role, beams_of, columns_of, relations_of};
use super::member::{Redraw, redraw};
use super::noun::COLUMN;
use crate::author::{Author, refused};
use contract::Fault;
use ifc::{Id, Value};
use std::collections::BTreeSet;

/// Remembers that an end of a beam stops at a column.
pub fn remember(author: &mut Author, beam: Id, role: Role, column: Id) -> Result<(), Fault> {
    let ends = [
        ("Description", Value::from(role.property())),
        ("RelatingElement", beam.into()),
        ("RelatedElement", column.into()),
    ];
    author.root("IfcRelConnectsElements", Some(FRAMED), &ends).map(|_| ())
}

/// Draws the beams anew that stop at elements which moved, or are themselves among those; answers those that did not move.
pub fn follow(author: &mut Author, moved: &BTreeSet<Id>) -> Result<Vec<Id>, Fault> {
    let mut beams = BTreeSet::new();
    for id in moved {
        let Some(element) = author.edit.get(*id) else { continue };
        if element.is_a(COLUMN.class) {
            beams.extend(beams_of(author.edit, *id));
        } else if element.is_a("IfcBeam") {
            beams.insert(*id);
        }
    }
    let mut drawn = Vec::new();
    for beam in beams {
        let columns = columns_of(author.edit, beam);
        let together = moved.contains(&beam) && columns.iter().all(|(_, column)| moved.contains(column));
        if columns.is_empty() || together {
            continue;
        }
        redraw(author, beam, &Redraw::default())?;
        if !moved.contains(&beam) {
            drawn.push(beam);
        }
    }
    Ok(drawn)
}

/// Lets beams go on to their axes' ends where their column goes; `going` go themselves.
pub fn release(author: &mut Author, going: &[Id]) -> Result<(), Fault> {
    let all: BTreeSet<Id> = going.iter().copied().collect();
    for id in going {
        for (relation, beam, role, column) in relations_of(author.edit, *id) {
            if column != *id || all.contains(&beam) {
                continue;
            }
            author.edit.remove(relation).map_err(|error| refused(&error))?;
            redraw(author, beam, &Redraw { free: Some(role), ..Redraw::default() })?;
        }
    }
    Ok(())
}
