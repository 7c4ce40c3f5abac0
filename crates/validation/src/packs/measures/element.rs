//! Facts of any element: its place on a storey, and that it has a shape.

use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Arguments, Measure, Reading};
use crate::packs::value::{Value, ValueType};

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "element.is_on_storey",
        kind: Kind::Element,
        value: ValueType::Truth,
        label: "place on a storey",
        means: "True of an element that a storey contains, by itself or through what it belongs to.",
        arguments: &[],
        is_many: false,
        run: is_on_storey,
    },
    Measure {
        name: "element.has_shape",
        kind: Kind::Element,
        value: ValueType::Truth,
        label: "shape",
        means: "True of an element with a body, or with parts that have one.",
        arguments: &[],
        is_many: false,
        run: has_shape,
    },
];

fn is_on_storey(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    Ok(vec![Reading::new(Value::Truth(context.storey(item).is_some()))])
}

fn has_shape(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let id = context.element(item).ok_or("it is no element of the file")?;
    let has = |id: ifc::Id| context.body(id).is_some();
    let is_shaped = has(id) || context.links.children(id).into_iter().any(has);
    Ok(vec![Reading::new(Value::Truth(is_shaped))])
}
