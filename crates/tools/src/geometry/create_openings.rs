//! Several openings at once, with the doors and windows in them.

use super::create_opening::{Kind, Outline, shape};
use crate::modelling::{Location, author, place};
use crate::{IfcCall, Tool};
use building::Author;
use building::lookup;
use building::opening::{self, Detail, OpeningAnswer};
use building::openings::{self, Amount, Wish, of_wish};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The most wishes of one call.
const MOST: usize = 500;

#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a wall's id or name, a room, a word such as outer_walls, or a list of these"
)]
pub(super) enum Hosts {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// Wall or slab, id or name.
    host_id: Option<String>,
    /// Instead: ids or names, a room, or outer_walls, inner_walls, each_room, north, east, south, west.
    pub(super) hosts: Option<Hosts>,
    /// Storey that such words are about; without it all (doors to outside: the lowest).
    #[schemars(extend("x-seldom" = true))]
    pub(super) level_id: Option<String>,
    /// As in create_opening, on each host; without any of these four its center.
    #[schemars(with = "Option<Location>")]
    location: Option<Value>,
    /// Instead: mm from middle to middle.
    every: Option<f64>,
    /// Instead: so many in all, evenly.
    count: Option<u32>,
    /// Instead: so many on each host, evenly.
    each_side: Option<u32>,
    /// mm.
    width: f64,
    /// mm.
    height: f64,
    /// The filling.
    #[serde(default)]
    opening_type: Kind,
    /// As IFC says it.
    #[schemars(extend("x-seldom" = true))]
    operation_type: Option<String>,
    /// mm above the wall's base.
    sill: Option<f64>,
    /// Name; {n} counts, {host}.
    name: Option<String>,
    /// Outline: rectangle, round, arch, polygon.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    shape: Outline,
    /// Sides of a polygon.
    #[schemars(extend("x-seldom" = true))]
    sides: Option<u32>,
    /// Width of the frame as seen, in mm.
    #[schemars(extend("x-seldom" = true))]
    lining: Option<f64>,
    /// Panes of glass.
    #[schemars(extend("x-seldom" = true))]
    glazing: Option<u32>,
    /// Opens to the right of the wall's direction.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    flipped: bool,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// The openings, in order; later ones go beside earlier ones.
    openings: Vec<Entry>,
}

/// An opening as made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Made {
    /// The number of the entry it was asked for in, from 0.
    pub(super) entry: usize,
    /// The opening.
    #[serde(flatten)]
    pub(super) opening: OpeningAnswer,
}

/// The openings as made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Each, in the order asked for.
    openings: Vec<Made>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_openings", Effect::Create, run)
        .title("Create openings, doors and windows")
        .description(
            "Cuts many openings, doors and windows in one call, all or none: by host, on every side \
             (hosts outer_walls, each_side 1), evenly spaced (count, every), at a corner, per room (hosts \
             each_room). Refused with the entry's number and the room there is.",
        )
        .event(EventType::OpeningsCreated)
        .toolset(Toolset::Detailing)
        .example(
            "Three windows in a wall, evenly spaced, and a vent at its end",
            json!({ "openings": [
                { "host_id": "Wall 1", "count": 3, "width": 600, "height": 900, "opening_type": "window", "sill": 1800 },
                { "host_id": "Wall 1", "location": { "at": "end", "offset": 300 }, "width": 200, "height": 200, "shape": "round", "sill": 200 }
            ] }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Answer, Fault> {
    if input.openings.is_empty() || input.openings.len() > MOST {
        return Err(Fault::invalid(
            "openings",
            format!("`openings` has {} entries; give 1 to {MOST}.", input.openings.len()),
        ));
    }
    let mut kinds = input.openings.iter().map(|entry| entry.opening_type.event());
    let first = kinds.next();
    if input.openings.len() == 1 && input.openings.iter().all(Entry::is_single) {
        call.event = first;
    }
    let author = &mut author(call);
    let mut wishes = Vec::with_capacity(input.openings.len());
    for (i, entry) in input.openings.into_iter().enumerate() {
        wishes.push(wish(author, entry).map_err(|fault| of_wish(i, fault))?);
    }
    let made = openings::create(author, &wishes)?;
    Ok(Answer { openings: opening_answers(author, made)? })
}

/// Returns what is told of openings that were made, each with the entry that it was asked for in.
pub(super) fn opening_answers(author: &mut Author, made: Vec<(usize, Id)>) -> Result<Vec<Made>, Fault> {
    made.into_iter().map(|(entry, id)| Ok(Made { entry, opening: opening::answer(author, id)? })).collect()
}

impl Entry {
    /// True if a door is to be put in.
    pub(super) fn is_door(&self) -> bool {
        self.opening_type == Kind::Door
    }

    /// Returns true if it asks for one opening in one host.
    fn is_single(&self) -> bool {
        self.host_id.is_some() && self.every.is_none() && self.count.is_none() && self.each_side.is_none()
    }
}

pub(super) fn wish(author: &mut Author, entry: Entry) -> Result<Wish, Fault> {
    let (hosts_field, hosts) = match (entry.host_id, entry.hosts) {
        (Some(one), None) => ("host_id", vec![one]),
        (None, Some(Hosts::One(one))) => ("hosts", vec![one]),
        (None, Some(Hosts::Many(many))) => ("hosts", many),
        (Some(_), Some(_)) => return Err(Fault::invalid("hosts", "Give `host_id` or `hosts`, not both.")),
        (None, None) => {
            return Err(Fault::invalid(
                "host_id",
                "Give `host_id`, or `hosts`: ids or names, a room, outer_walls, inner_walls, each_room or a side such as north.",
            ));
        }
    };
    let (location, in_location) = match &entry.location {
        None => (None, None),
        Some(location) => {
            let find = |text: &str| opening::told_from(author, "location", text);
            let (place, sill) = place(location, &find)?;
            (Some(Amount::At(place)), sill)
        }
    };
    let mut amounts = [
        location,
        entry.every.map(Amount::Every),
        entry.count.map(Amount::Count),
        entry.each_side.map(Amount::Each),
    ]
    .into_iter()
    .flatten();
    let amount = match (amounts.next(), amounts.next()) {
        (Some(amount), None) => amount,
        (None, _) => {
            author.assume("in the middle of its host");
            Amount::Middle
        }
        (Some(_), Some(_)) => {
            return Err(Fault::invalid("location", "Give one of location, every, count and each_side."));
        }
    };
    if in_location.is_some() && entry.sill.is_some() && in_location != entry.sill {
        return Err(Fault::invalid("sill", "`sill` and `location.sill` differ; give one of them."));
    }
    let level = entry.level_id.map(|text| lookup::storey(author.edit, "level_id", &text)).transpose()?;
    Ok(Wish {
        hosts,
        hosts_field,
        level,
        amount,
        sill: entry.sill.or(in_location),
        width: entry.width,
        height: entry.height,
        filling: entry.opening_type.filling(),
        operation: entry.operation_type,
        name: entry.name,
        detail: Detail {
            shape: shape(entry.shape, entry.sides)?,
            lining: entry.lining,
            panes: entry.glazing,
            is_flipped: entry.flipped,
        },
    })
}
