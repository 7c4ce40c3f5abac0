//! The width of a stair or ramp, the wishes for its steps or slope, its height, and what else it is drawn by.

use super::change::{Change, number};
use crate::author::Author;
use crate::measures::mm;
use crate::stairs::redraw;
use contract::Fault;
use ifc::Id;
use serde_json::{Value as Json, json};

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let shown = |author: &Author| json!(redraw::shown(author, id, parameter).map(mm));
    let before = shown(author);
    let wanted = if value.is_null() { None } else { Some(number(value)?) };
    let regenerated = redraw::change(author, id, parameter, wanted)?;
    Ok(Change { before, after: shown(author), regenerated })
}
