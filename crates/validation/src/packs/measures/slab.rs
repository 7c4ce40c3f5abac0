//! The thickness of slabs and walls, measured of their bodies.

use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Arguments, Measure, Reading};
use crate::packs::value::ValueType;

const fn thickness(name: &'static str, kind: Kind, means: &'static str) -> Measure {
    let value = ValueType::Quantity(Unit::Length);
    Measure { name, kind, value, label: "thickness", means, arguments: &[], is_many: false, run }
}

pub(super) const MEASURES: &[Measure] = &[
    thickness(
        "slab.thickness",
        Kind::Slab,
        "Between the two main faces of the slab's body, as Qto_SlabBaseQuantities has its width.",
    ),
    thickness(
        "wall.thickness",
        Kind::Wall,
        "Between the two main faces of the wall's body, as Qto_WallBaseQuantities has its width.",
    ),
];

fn run(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let Item::Element(id) = item else { return Err("it is no element".to_owned()) };
    let found =
        geometry::quantity::base_quantities(&context.shaper, id).map_err(|error| error.to_string())?;
    let quantities = found.ok_or("its body cannot be measured")?;
    let value = quantities
        .get("Width")
        .filter(|value| value.is_finite() && *value > 0.0)
        .ok_or("its body has no two main faces")?;
    Ok(vec![Reading::length(value)])
}
