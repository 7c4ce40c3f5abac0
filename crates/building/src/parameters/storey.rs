//! A storey's elevation: the storey and all it holds move up or down.

use super::change::{Change, number};
use crate::author::Author;
use crate::frame::Frame;
use crate::measures::{finite, mm};
use crate::placing::place;
use crate::{project, totals};
use contract::Fault;
use ifc::{Id, relations};
use serde_json::{Value as Json, json};

pub(super) fn elevation(author: &mut Author, id: Id, value: &Json) -> Result<Change, Fault> {
    let to = finite("value", number(value)?)?;
    let before = project::elevation_of(author, id);
    let held = relations::decomposition(author.edit, id);
    let frames: Vec<(Id, Frame)> = held
        .into_iter()
        .filter_map(|e| author.placement_of(e).and(author.frame(e).ok()).map(|f| (e, f)))
        .collect();
    let up = to - before;
    let raised = |frame: Frame| {
        frame.with_origin([frame.translation.x, frame.translation.y, frame.translation.z + up])
    };
    let frame = raised(author.frame(id)?);
    if author.placement_of(id).is_some() {
        place(author, id, &frame)?;
    }
    author.state_elevation(id, to)?;
    // whatever is not placed within the storey is raised by hand
    for (element, was) in frames {
        place(author, element, &raised(was))?;
    }
    totals::of_storey(author, id)?;
    Ok(Change {
        before: json!(mm(before)),
        after: json!(mm(project::elevation_of(author, id))),
        regenerated: Vec::new(),
    })
}
