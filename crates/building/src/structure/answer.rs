//! Members as they are answered.

use super::line::Line;
use super::links;
use crate::author::Author;
use crate::lookup::{guid, label};
use crate::measures::mm;
use crate::quantities::{Quantities, read};
use crate::storey::{above_storey, level_of};
use contract::Fault;
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;

/// Members of one answer that tell their quantities.
const WITH_QUANTITIES: usize = 10;

/// A member as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MemberAnswer {
    /// GlobalId.
    pub id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Start of its axis: world x and y, z above the storey, in mm.
    pub start: [f64; 3],
    /// End of its axis.
    pub end: [f64; 3],
    /// Length of its axis in mm.
    pub length: f64,
    /// The grid crossing it stands on, or those it runs between.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossing: Option<String>,
    /// Base quantities as stored, in the file's units; told of the first ten.
    #[serde(skip_serializing_if = "Quantities::is_empty")]
    pub quantities: Quantities,
}

/// Members of one section that were made together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MembersAnswer {
    /// How many were made.
    pub count: usize,
    /// Name of their profile.
    pub section: String,
    /// Area of their section in mm².
    pub section_area: f64,
    /// Each of them.
    pub elements: Vec<MemberAnswer>,
}

/// Members as they stand; there is at least one.
pub fn answer(author: &Author, ids: &[Id], section: &str) -> Result<MembersAnswer, Fault> {
    let mut elements = Vec::with_capacity(ids.len());
    let mut area = 0.0;
    for (i, id) in ids.iter().enumerate() {
        let line = Line::read(author, *id)?;
        area = line.section.area;
        let quantities = if i < WITH_QUANTITIES {
            read(author.edit, *id, line.noun.quantities)
        } else {
            Quantities::new()
        };
        elements.push(MemberAnswer {
            id: guid(author.edit, *id),
            name: label(author.edit, *id),
            level: level_of(author, *id).map(|(storey, _)| label(author.edit, storey)),
            start: above_storey(author, *id, line.at(0.0)).to_array(),
            end: above_storey(author, *id, line.at(line.length)).to_array(),
            length: mm(line.length),
            crossing: links::told(author.edit, *id),
            quantities,
        });
    }
    Ok(MembersAnswer { count: ids.len(), section: section.to_owned(), section_area: mm(area), elements })
}
