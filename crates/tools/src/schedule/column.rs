//! Columns of a schedule: what is asked for, and where the values come from.

use super::cells::cell_of;
use super::finish::{self, Part};
use crate::fields::{Field, Reading};
use contract::Fault;
use ifc::selector::Datum;
use ifc::{Id, placement};
use serde::Deserialize;
use spatial::passage::{Passage, Side};
use spatial::{Layout, Origin, Room};
use std::collections::HashMap;
use std::sync::Arc;
use tables::{Cell, Total};

/// A column that is asked for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wished {
    /// As in query_elements, or floor_finish, wall_finish, ceiling_finish, skirting, rooms, operation, sill.
    pub field: Option<String>,
    /// Instead: `[Area] * 45`, over headings or fields; round, min, max, abs, floor, ceiling, if.
    pub formula: Option<String>,
    pub heading: Option<String>,
    /// mm, m, ft, m², ft², …: converts; of a formula its label.
    pub unit: Option<String>,
    pub decimals: Option<u8>,
    /// sum, avg, min, max, count, none.
    pub total: Option<String>,
}

/// A column as a caller may write it.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a field such as \"OverallWidth\", or {\"field\": \"OverallWidth\", \"heading\": \"Width\", \"unit\": \"mm\"} of field, formula, heading, unit, decimals, total"
)]
pub(crate) enum ColumnWish {
    /// A field.
    Field(String),
    /// More of it.
    More(Wished),
}

impl ColumnWish {
    pub(super) fn wished(self) -> Wished {
        match self {
            Self::Field(field) => Wished { field: Some(field), ..Wished::default() },
            Self::More(wished) => wished,
        }
    }
}

impl Wished {
    pub(super) fn usual((field, heading, unit, total): (&str, &str, Option<&str>, Option<&str>)) -> Self {
        Self {
            field: Some(field.to_owned()),
            heading: Some(heading.to_owned()),
            unit: unit.map(str::to_owned),
            total: total.map(str::to_owned),
            ..Self::default()
        }
    }

    /// True if people call it so, in any letter case and with blanks or underscores.
    pub(super) fn is_headed(&self, name: &str) -> bool {
        let plain = |text: &str| text.trim().to_lowercase().replace(['_', '-'], " ");
        self.heading.as_deref().is_some_and(|heading| plain(heading) == plain(name))
    }

    /// The total that it asks for.
    pub(super) fn total(&self, position: &str) -> Result<WishedTotal, Fault> {
        match self.total.as_deref() {
            None => Ok(WishedTotal::Unsaid),
            Some("none") => Ok(WishedTotal::None),
            Some(name) => Total::named(name).map(WishedTotal::Of).ok_or_else(|| {
                let message = format!("`{name}` is no total; choose of sum, avg, min, max, count, none.");
                Fault::invalid(&format!("{position}.total"), message)
            }),
        }
    }
}

/// The total that a caller asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WishedTotal {
    /// Nothing is said of it.
    Unsaid,
    /// No total.
    None,
    /// This one.
    Of(Total),
}

/// The source of a column's values.
pub(super) enum Source {
    /// A field of the model.
    Field(Field),
    /// A finish of a room.
    Finish(Part),
    /// The rooms on both sides of a door or window; of what stands in a room this room.
    Rooms,
    /// The way that a door or window opens: its own attribute, else its type's.
    Operation,
    /// The height of a door's or window's lower edge over its storey.
    Sill,
}

impl Source {
    /// The source of this name.
    pub(super) fn parse(name: &str, position: &str) -> Result<Self, Fault> {
        if let Some((_, part)) = Part::ALL.into_iter().find(|(known, _)| *known == name) {
            return Ok(Self::Finish(part));
        }
        match name {
            "rooms" => Ok(Self::Rooms),
            "operation" => Ok(Self::Operation),
            "sill" => Ok(Self::Sill),
            _ if name.trim().is_empty() => Err(Fault::invalid(position, "Name the field of the column.")),
            _ => Field::parse(name, position).map(Self::Field),
        }
    }

    /// True if its values come from the layout of rooms.
    pub(super) fn needs_layout(&self) -> bool {
        matches!(self, Self::Rooms | Self::Sill)
    }

    /// True of values that can be written back to an element.
    pub(super) fn is_editable(&self) -> bool {
        match self {
            Self::Field(field) => field.is_written(),
            _ => false,
        }
    }
}

/// A model with its rooms, from which values are read.
pub(crate) struct Places<'m, 'r> {
    /// The model's values.
    pub reading: &'r Reading<'m>,
    layout: Option<Arc<Layout>>,
    passages: HashMap<Id, usize>,
}

impl<'m, 'r> Places<'m, 'r> {
    /// A model with its layout, where columns need it.
    pub(crate) fn new(reading: &'r Reading<'m>, layout: Option<Arc<Layout>>) -> Self {
        let passages = layout.iter().flat_map(|layout| layout.passages.iter().enumerate());
        let passages = passages.map(|(at, passage)| (passage.element, at)).collect();
        Self { reading, layout, passages }
    }

    fn passage(&self, id: Id) -> Option<&Passage> {
        self.layout.as_ref()?.passages.get(*self.passages.get(&id)?).map(Arc::as_ref)
    }

    /// The value of a column for an element.
    pub(super) fn cell(&self, source: &Source, id: Id) -> Cell {
        let text = |words: String| if words.is_empty() { Cell::Empty } else { Cell::Text(words) };
        match source {
            Source::Field(field) => cell_of(self.reading.model(), &field.value(self.reading, id)),
            Source::Finish(part) => finish::of_room(self.reading, id, *part).map_or(Cell::Empty, text),
            Source::Rooms => text(self.rooms(id)),
            Source::Operation => text(self.operation(id)),
            Source::Sill => self.sill(id).map_or(Cell::Empty, Cell::Number),
        }
    }

    /// The unit of a column's numbers, going by this element.
    pub(super) fn unit(&self, source: &Source, id: Id) -> Option<String> {
        match source {
            Source::Field(field) => field.unit(self.reading, id),
            Source::Sill => Some("mm".to_owned()),
            Source::Finish(_) | Source::Rooms | Source::Operation => None,
        }
    }

    /// The rooms on both sides of a door or window, or the room that something stands in.
    pub(crate) fn rooms(&self, id: Id) -> String {
        let Some(layout) = &self.layout else { return String::new() };
        if let Some(passage) = self.passage(id) {
            let mut names: Vec<String> = Vec::new();
            for side in passage.sides() {
                let name = match side {
                    Side::Room(room) => layout.rooms.rooms.get(room).map(Room::label).unwrap_or_default(),
                    Side::Outdoors => "outdoors".to_owned(),
                    Side::Building => "building".to_owned(),
                };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            return names.join(" | ");
        }
        let links = &self.reading.links;
        if let Some(space) = links.ancestor(id, "IfcSpace") {
            return room_label(layout, space);
        }
        let holds = |room: &usize| layout.contents(*room).iter().any(|content| content.element == id);
        let room = (0..layout.rooms.rooms.len()).find(holds);
        room.and_then(|room| layout.rooms.rooms.get(room)).map(Room::label).unwrap_or_default()
    }

    fn operation(&self, id: Id) -> String {
        let links = &self.reading.links;
        let model = self.reading.model();
        let stated = |id: Id| {
            ["OperationType", "PartitioningType"].into_iter().find_map(|attribute| {
                let value = Datum::of_attribute(model, id, attribute);
                match value {
                    Datum::Text(text) if text != "NOTDEFINED" => Some(text),
                    _ => None,
                }
            })
        };
        stated(id).or_else(|| stated(links.type_of(id)?)).unwrap_or_default()
    }

    /// In mm.
    fn sill(&self, id: Id) -> Option<f64> {
        let model = self.reading.model();
        let storey = self.reading.links.ancestor(id, "IfcBuildingStorey")?;
        let placement = model.get(storey)?.reference("ObjectPlacement")?;
        let floor = self.reading.units.to_mm(placement::world(model, placement)?.translation.z);
        Some(((self.passage(id)?.sill() * 1e3 - floor) * 1e3).round() / 1e3 + 0.0)
    }
}

fn room_label(layout: &Layout, space: Id) -> String {
    let is_it = |room: &&Room| room.origin == Origin::Stored(space);
    layout.rooms.rooms.iter().find(is_it).map(Room::label).unwrap_or_default()
}
