//! Daylight of rooms: windows to the open air beside the floor.

use super::room_size::{number, room};
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Arguments, Measure, Reading};
use crate::packs::value::{Value, ValueType};
use spatial::exposure::Exposure;

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "room.window_share",
        kind: Kind::Room,
        value: ValueType::Quantity(Unit::Ratio),
        label: "window area by floor area",
        means: "The openings of windows to the open air over the net floor area.",
        arguments: &[],
        is_many: false,
        run: window_share,
    },
    Measure {
        name: "room.has_window",
        kind: Kind::Room,
        value: ValueType::Truth,
        label: "window to the open air",
        means: "True of a room with a window, or a glazed roof, to the open air.",
        arguments: &[],
        is_many: false,
        run: has_window,
    },
];

fn windows(context: &Context<'_>, item: Item) -> Result<f64, String> {
    Ok(Exposure::of_room(context.subject.layout, number(item)?, 0.0).windows())
}

fn window_share(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let (number, _) = room(context, item)?;
    let floor = context.subject.layout.measures(number).net_floor_area;
    if floor <= 0.0 {
        return Err("its floor has no area".to_owned());
    }
    let windows = windows(context, item)?;
    Ok(vec![
        Reading::number(windows / floor, Unit::Ratio)
            .saying(format!("Windows have {windows:.2} m², the floor {floor:.2} m².")),
    ])
}

fn has_window(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    Ok(vec![Reading::new(Value::Truth(windows(context, item)? > 0.0))])
}
