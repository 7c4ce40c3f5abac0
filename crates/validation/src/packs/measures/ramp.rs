//! Sizes of ramps: slope, clear width, rise and run between landings.

use super::flight_steps::{flight, middle};
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Arguments, Measure, Reading, Run};
use crate::packs::value::ValueType;

const fn plain(
    name: &'static str,
    unit: Unit,
    label: &'static str,
    means: &'static str,
    run: Run,
) -> Measure {
    Measure {
        name,
        kind: Kind::Ramp,
        value: ValueType::Quantity(unit),
        label,
        means,
        arguments: &[],
        is_many: false,
        run,
    }
}

pub(super) const MEASURES: &[Measure] = &[
    plain("ramp.slope", Unit::Ratio, "slope", "Rise by run of the sloped face.", |c, i, _| {
        Ok(vec![Reading::number(flight(c, i)?.slope, Unit::Ratio)])
    }),
    plain(
        "ramp.width",
        Unit::Length,
        "clear width",
        "The width between what stands on or beside it: walls, railings, kerbs.",
        |c, i, _| Ok(vec![Reading::length(flight(c, i)?.width)]),
    ),
    plain(
        "ramp.rise",
        Unit::Length,
        "rise between landings",
        "The height from where the slope begins to where it ends.",
        rise,
    ),
    plain(
        "ramp.run",
        Unit::Length,
        "run between landings",
        "The length in plan from where the slope begins to where it ends.",
        run,
    ),
];

fn ends(context: &Context<'_>, item: Item) -> Result<glam::DVec3, String> {
    let flight = flight(context, item)?;
    let (first, last) =
        (flight.lines.first().ok_or("it has no shape")?, flight.lines.last().ok_or("it has no shape")?);
    Ok(middle(*last) - middle(*first))
}

fn rise(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    Ok(vec![Reading::length(ends(context, item)?.z.abs())])
}

fn run(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    Ok(vec![Reading::length(ends(context, item)?.truncate().length())])
}
