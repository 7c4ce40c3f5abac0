//! The free floor of rooms: the largest circle, and the longest rectangle of a width, beside what stands there.

use super::fits;
use super::room_size::room;
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Preset, Reading};
use crate::packs::value::ValueType;
use geometry::region::{self, Area, Loop};
use spatial::facet::loops_of;
use spatial::plan::largest_circle;

/// Circles are found to this, in metres.
const PRECISION: f64 = 0.005;

const CONTENTS: Argument = Argument::truth("contents", true, "furniture and columns take from the floor");
const STAIRS: Argument = Argument::truth("stairs", true, "stairs and lifts take from the floor, too");

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "room.turning_circle",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Length),
        label: "largest free circle",
        means: "The diameter of the largest circle on the floor beside what stands there up to 2 m high.",
        arguments: &[CONTENTS, STAIRS],
        is_many: false,
        run: turning_circle,
    },
    Measure {
        name: "room.clear_rectangle",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Length),
        label: "longest free rectangle of the width",
        means: "The length, as far as `length`, of the longest rectangle of some width on the floor beside what stands there up to 2 m high.",
        arguments: &[
            Argument {
                name: "length",
                value: ValueType::Quantity(Unit::Length),
                default: Preset::Needed,
                choices: &[],
                means: "the length that is asked for",
            },
            Argument {
                name: "width",
                value: ValueType::Quantity(Unit::Length),
                default: Preset::Needed,
                choices: &[],
                means: "its width",
            },
            CONTENTS,
            STAIRS,
        ],
        is_many: false,
        run: clear_rectangle,
    },
];

/// The floor of a room beside what stands there.
fn free(context: &Context<'_>, item: Item, arguments: &Arguments) -> Result<Vec<Area>, String> {
    let (number, room) = room(context, item)?;
    if room.floor.is_empty() {
        return Err("its floor has no outline".to_owned());
    }
    let counts = |content: &&spatial::contents::Content| {
        arguments.truth("contents") && (arguments.truth("stairs") || !content.joins_storeys)
    };
    let contents = context.subject.layout.contents(number).iter().filter(counts);
    let taken: Vec<Loop> =
        contents.map(|content| content.footprint.clone()).filter(|l| l.len() > 2).collect();
    if taken.is_empty() {
        return Ok(room.floor.clone());
    }
    Ok(region::less_all(&loops_of(&room.floor), &taken))
}

fn turning_circle(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (_, room) = room(context, item)?;
    let found = largest_circle(&free(context, item, arguments)?, PRECISION);
    let Some((middle, radius)) = found else { return Ok(vec![Reading::length(0.0)]) };
    Ok(vec![Reading::length(2.0 * radius).at(middle.extend(room.foot))])
}

fn clear_rectangle(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (_, room) = room(context, item)?;
    let (length, width) = (arguments.number("length"), arguments.number("width"));
    let free = free(context, item, arguments)?;
    if let Some((middle, _)) = fits::rectangle(&free, length, width) {
        return Ok(vec![Reading::length(length).at(middle.extend(room.foot))]);
    }
    let (mut low, mut high, mut place) = (0.0, length, None);
    while high - low > PRECISION {
        let middle = f64::midpoint(low, high);
        match fits::rectangle(&free, middle, width) {
            Some((at, _)) => (low, place) = (middle, Some(at)),
            None => high = middle,
        }
    }
    let reading = Reading::length(low);
    Ok(vec![match place {
        Some(at) => reading.at(at.extend(room.foot)),
        None => reading,
    }])
}
