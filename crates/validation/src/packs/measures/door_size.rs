//! Sizes of doors: clear width, clear height, the step at the threshold, and how they open.

use super::{swing, walked};
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::{Value, ValueType};
use spatial::ways::{Basis, Door, doors::FRAME};

/// The distance off a wall, in metres, at which its floor is looked for.
const OFF: f64 = 0.3;
/// The thickest finish, in metres, that may be drawn through the opening of a door.
const FINISH: f64 = 0.05;

/// The clear width of a door in words.
pub(in crate::packs) const CLEAR_WIDTH: &str = "clear width";

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "door.clear_width",
        kind: Kind::Door,
        value: ValueType::Quantity(Unit::Length),
        label: CLEAR_WIDTH,
        means: "What the file states as clear width, else the width less the lining at both sides, and less the leaf that stands in the opening when it is open.",
        arguments: &[
            Argument::length("frame", FRAME, "thickness of the frame at each side where the file has none"),
            Argument::length(
                "leaf",
                0.0,
                "thickness by which an open leaf narrows the opening where the file states no clear width",
            ),
            Argument::truth("one_leaf", false, "of a pair of leaves one alone counts"),
        ],
        is_many: false,
        run: clear_width,
    },
    Measure {
        name: "door.clear_height",
        kind: Kind::Door,
        value: ValueType::Quantity(Unit::Length),
        label: "clear height",
        means: "The height that the file states of the door, where it is that from floor to head but for a finish of at most 50 mm; else from the floor at the door to the head of its opening, less the frame.",
        arguments: &[Argument::length("frame", FRAME, "thickness of the frame at the head")],
        is_many: false,
        run: clear_height,
    },
    Measure {
        name: "door.threshold",
        kind: Kind::Door,
        value: ValueType::Quantity(Unit::Length),
        label: "step at the threshold",
        means: "The difference between the floors on both sides, 300 mm off the wall.",
        arguments: &[],
        is_many: false,
        run: threshold,
    },
    Measure {
        name: "door.operation",
        kind: Kind::Door,
        value: ValueType::Text,
        label: "way of opening",
        means: "The operation type of the door or its type, such as SINGLE_SWING_LEFT; none where nothing is said.",
        arguments: &[],
        is_many: false,
        run: operation,
    },
    Measure {
        name: "door.is_exit",
        kind: Kind::Door,
        value: ValueType::Truth,
        label: "exit to the open air",
        means: "True of a door that leads outside at the height of the ground.",
        arguments: &[],
        is_many: false,
        run: is_exit,
    },
    Measure {
        name: "door.swings_out",
        kind: Kind::Door,
        value: ValueType::Truth,
        label: "swing outwards",
        means: "True of an exit of which a leaf opens to the outside.",
        arguments: &[],
        is_many: false,
        run: swings_out,
    },
];

/// The door that a thing is.
pub(super) fn door<'a>(context: &Context<'a>, item: Item) -> Result<(usize, &'a Door), String> {
    let Item::Door(number) = item else { return Err("it is no door".to_owned()) };
    Ok((number, context.door(number).ok_or("the door has no shape")?))
}

fn clear_width(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (_, door) = door(context, item)?;
    let (width, words) = match door.basis {
        Basis::Stated => (door.clear, "as the file states".to_owned()),
        Basis::Lining => {
            (door.clear - arguments.number("leaf"), "less the lining that the file has".to_owned())
        }
        Basis::Usual => {
            let frame = arguments.number("frame");
            let width = door.clear + 2.0 * (FRAME - frame) - arguments.number("leaf");
            (width, format!("with a frame of {:.0} mm a side assumed", frame * 1e3))
        }
        Basis::Opening => (door.clear, "as wide as the opening".to_owned()),
    };
    let is_pair = door.operation.starts_with("DOUBLE_DOOR") && arguments.truth("one_leaf");
    let width = if is_pair { width / 2.0 } else { width };
    Ok(vec![Reading::length(width).saying(format!("It is measured {words}."))])
}

fn clear_height(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let (_, door) = door(context, item)?;
    let frame = if door.basis == Basis::Opening { 0.0 } else { arguments.number("frame") };
    let measured = door.head - door.sill;
    let stated = context.model().get(door.element).and_then(|instance| instance.number("OverallHeight"));
    let stated = stated.map(|height| context.units.to_mm(height) / 1e3);
    // doors are made for the finished floor, also where its finish is drawn through their opening
    let height = stated.filter(|stated| (measured..measured + FINISH).contains(stated)).unwrap_or(measured);
    Ok(vec![Reading::length(height - frame)])
}

fn threshold(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (_, door) = door(context, item)?;
    let [before, behind] =
        door.sides(OFF).map(|p| walked::under(context, p.truncate(), door.sill - 0.4, door.sill + 0.2));
    let (Some(before), Some(behind)) = (before, behind) else {
        return Err("no floor is modelled on both sides of it".to_owned());
    };
    Ok(vec![Reading::length((before.height - behind.height).abs())])
}

fn operation(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (_, door) = door(context, item)?;
    let said = Some(door.operation.clone()).filter(|said| !said.is_empty());
    Ok(said.map(|said| Reading::new(Value::Text(said))).into_iter().collect())
}

fn is_exit(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (number, _) = door(context, item)?;
    let is_exit = context.subject.ways.premises.exits.iter().any(|exit| exit.door == number);
    Ok(vec![Reading::new(Value::Truth(is_exit))])
}

fn swings_out(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (number, door) = door(context, item)?;
    let exit = context.subject.ways.premises.exits.iter().find(|exit| exit.door == number);
    let exit = exit.ok_or("it leads to no open air")?;
    let swing =
        swing::opens(context, door).ok_or("the file does not say that its leaf swings, and to where")?;
    let is_behind = (exit.outside.truncate() - door.middle).dot(door.through()) > 0.0;
    Ok(vec![Reading::new(Value::Truth(swing.sides[usize::from(is_behind)]))])
}
