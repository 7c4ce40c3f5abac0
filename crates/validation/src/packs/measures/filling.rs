//! Where doors and windows belong: in an opening of a wall or in a curtain wall, on the storey of that.

use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Arguments, Measure, Reading};
use crate::packs::value::{Value, ValueType};
use crate::packs::words;
use ifc::Id;

pub(super) const MEASURES: &[Measure] = &[
    Measure {
        name: "element.has_host",
        kind: Kind::Element,
        value: ValueType::Truth,
        label: "place in a wall",
        means: "True of a door or window that fills an opening of an element, or is a part of a curtain wall, another door or window, or an assembly.",
        arguments: &[],
        is_many: false,
        run: has_host,
    },
    Measure {
        name: "element.on_storey_of_host",
        kind: Kind::Element,
        value: ValueType::Truth,
        label: "storey the same as that of its wall",
        means: "True of a door or window on the same storey as the element whose opening it fills.",
        arguments: &[],
        is_many: true,
        run: on_storey_of_host,
    },
];

fn element(context: &Context<'_>, item: Item) -> Result<Id, String> {
    context.element(item).ok_or_else(|| "it is no element of the file".to_owned())
}

/// The element that a filling stands in.
fn host(context: &Context<'_>, id: Id) -> Option<Id> {
    let opening = context.links.opening_of_filling(id)?;
    context.links.host_of_opening(opening)
}

fn has_host(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let id = element(context, item)?;
    let wholes =
        ["IfcCurtainWall", "IfcWall", "IfcDoor", "IfcWindow", "IfcElementAssembly", "IfcRoof", "IfcSlab"];
    let is_part = context.links.aggregate_parent(id).is_some_and(|whole| context.is_a(whole, &wholes));
    Ok(vec![Reading::new(Value::Truth(is_part || host(context, id).is_some()))])
}

fn on_storey_of_host(context: &Context<'_>, item: Item, _: &Arguments) -> Answer {
    let id = element(context, item)?;
    let Some(host) = host(context, id) else { return Ok(Vec::new()) };
    let (Some(own), Some(other)) = (stated(context, id), context.storey_of(host)) else {
        return Ok(Vec::new());
    };
    let name = |number: usize| {
        let storey = context.subject.layout.rooms.storeys.get(number);
        storey.map_or_else(String::new, |storey| storey.name.clone())
    };
    let wall = words::name(context, host);
    let detail = format!("It is on {}, and {wall} is on {}.", name(own), name(other));
    Ok(vec![Reading::new(Value::Truth(own == other)).about([host]).saying(detail)])
}

/// The storey that the file puts an element on itself; one that it does not is where its wall is.
fn stated(context: &Context<'_>, id: Id) -> Option<usize> {
    context.storey_of(context.links.direct_container(id)?)
}
