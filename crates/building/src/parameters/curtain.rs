//! A curtain wall's height, grid, members, panels and doors; the place and the height of a door in one.

use super::change::{Change, number};
use crate::author::Author;
use crate::curtain;
use crate::lookup::label;
use crate::measures::finite;
use contract::Fault;
use ifc::Id;
use serde_json::Value as Json;

pub(super) fn wall(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let (before, after, regenerated) = curtain::change(author, id, parameter, value)?;
    Ok(Change { before, after, regenerated })
}

pub(super) fn door(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let Some(whole) = curtain::whole_of(author, id) else {
        return Err(Fault::constraint(format!("{} is in no curtain wall.", label(author.edit, id))));
    };
    let value = finite("value", number(value)?)?;
    let (before, after, regenerated) = curtain::change_door(author, whole, id, parameter, value)?;
    Ok(Change { before, after, regenerated })
}
