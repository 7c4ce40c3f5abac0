//! Cladding and skirting keep to the walls that they lie on: where a wall is moved away, turned, shortened or made lower while its room
//! stays, they are cut to what is left of it.

use super::{Followed, with_reader};
use crate::author::Author;
use crate::covering;
use crate::host::Wall;
use contract::Fault;
use ifc::{Id, Model};
use std::collections::BTreeSet;

/// Cuts anew what lies on walls that have another line, outline or height than before.
pub(super) fn follow(
    author: &mut Author,
    before: &Model,
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let walls = reshaped.iter().copied().filter(|id| {
        [before, author.edit.model()].iter().all(|m| m.get(*id).is_some_and(|wall| wall.is_a("IfcWall")))
    });
    let lined: Vec<Id> = walls.filter(|id| !covering::lying_on(author.edit, *id).is_empty()).collect();
    for wall in lined {
        let was = with_reader(before, |reader| Wall::read(reader, wall));
        let (Ok(was), Ok(is)) = (was, Wall::read(author, wall)) else { continue };
        let same = was.frame == is.frame && was.outline == is.outline && was.height == is.height;
        let lying = covering::lying_on(author.edit, wall);
        // those that went with their room lie where they should
        if same || lying.iter().all(|id| followed.regenerated.contains(id)) {
            continue;
        }
        for covering in covering::refit_beside(author, wall)? {
            followed.add(covering);
        }
    }
    Ok(())
}
