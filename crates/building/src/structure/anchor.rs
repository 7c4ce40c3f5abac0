//! The places that members are made at: a point, a grid's crossing, or a column; and the heights they take from their storey.

use super::crossing::{Crossing, Grids};
use super::line::Line;
use super::links::Role;
use super::ties;
use crate::author::Author;
use crate::lookup;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;

/// A place as it is given.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// A point in plan, and z above the storey where it was said.
    Point(DVec2, Option<f64>),
    /// A grid's crossing, or a column.
    Text(String),
}

/// The thing that a place hangs on.
#[derive(Debug, Clone, PartialEq)]
pub enum Hold {
    /// Nothing.
    Free,
    /// A grid's crossing.
    Grid(Crossing),
    /// A column.
    Column(Id),
}

/// A place found.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    /// In plan.
    pub at: DVec2,
    /// Height above the storey where it was said.
    pub z: Option<f64>,
    /// The thing that it hangs on.
    pub hold: Hold,
}

impl Anchor {
    /// Makes a part of an element remember what it hangs on.
    pub fn remember(&self, author: &mut Author, element: Id, role: Role) -> Result<(), Fault> {
        match &self.hold {
            Hold::Free => Ok(()),
            Hold::Grid(crossing) => ties::place_on(author, element, role, crossing),
            Hold::Column(column) => ties::follow_column(author, element, role, *column),
        }
    }

    /// The name of its crossing.
    pub fn crossing(&self) -> Option<&str> {
        match &self.hold {
            Hold::Grid(crossing) => Some(&crossing.name),
            _ => None,
        }
    }

    /// From a crossing.
    pub fn on(crossing: Crossing) -> Self {
        Self { at: crossing.at, z: None, hold: Hold::Grid(crossing) }
    }
}

/// The places that a given one means: a point is one, a text may name many crossings.
pub fn several(author: &Author, grids: &Grids, field: &str, given: &Given) -> Result<Vec<Anchor>, Fault> {
    match given {
        Given::Point(at, z) => Ok(vec![Anchor { at: *at, z: *z, hold: Hold::Free }]),
        Given::Text(text) => Ok(grids.crossings(author, field, text)?.into_iter().map(Anchor::on).collect()),
    }
}

/// The one place that a given one means: a point, a crossing, or a column by id or name; of a column the foot or the head.
pub fn one(
    author: &Author,
    storey: Id,
    grids: &Grids,
    field: &str,
    given: &Given,
    is_head: bool,
) -> Result<Anchor, Fault> {
    let Given::Text(text) = given else {
        return several(author, grids, field, given)?
            .pop()
            .ok_or_else(|| Fault::invalid(field, format!("`{field}` is no place.")));
    };
    let on_grid = grids.crossings(author, field, text);
    if let Ok(mut found) = on_grid {
        let first = found.pop();
        return match (first, found.is_empty()) {
            (Some(crossing), true) => Ok(Anchor::on(crossing)),
            _ => Err(Fault::invalid(field, format!("`{field}`: {text} means several crossings; give one."))),
        };
    }
    let column = lookup::element(author.edit, field, text, &["IfcColumn"], "a column");
    let column = match (column, on_grid) {
        (Ok(column), _) => column,
        // a crossing that is misspelt has a slash, a column's name hardly
        (Err(_), Err(on_grid)) if text.contains('/') => return Err(on_grid),
        (Err(fault), _) => return Err(fault),
    };
    let line = Line::read(author, column)?;
    let (a, b) = (line.at(0.0), line.at(line.length));
    let (foot, head) = if a.z <= b.z { (a, b) } else { (b, a) };
    let point: DVec3 = if is_head { head } else { foot };
    let floor = author.frame(storey)?.translation.z;
    Ok(Anchor { at: point.truncate(), z: Some(point.z - floor), hold: Hold::Column(column) })
}
