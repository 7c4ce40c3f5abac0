//! OJP001: a part of an element is placed relative to its whole, so that it moves with it (IFC2X3 and IFC4).

use super::Context;
use ifc::relations::AGGREGATED;

pub(super) fn parts(context: &mut Context<'_, '_>) {
    if context.is_4x3() {
        return;
    }
    for part in context.of_class("IfcElement") {
        for whole in context.across(part.id(), AGGREGATED, "RelatingObject") {
            if !whole.is_a("IfcElement") {
                continue;
            }
            let placement = part.reference("ObjectPlacement").and_then(|id| context.model.get(id));
            let Some(placement) = placement.filter(|placement| placement.is_a("IfcLocalPlacement")) else {
                context.report_about(&part, Some("ObjectPlacement"), |named| {
                    format!("{named} is a part of {} and has no IfcLocalPlacement; give it one relative to that of its whole", whole.id())
                });
                continue;
            };
            let due = whole.reference("ObjectPlacement");
            let found = placement.reference("PlacementRelTo");
            if found != due {
                let shown = |id: Option<ifc::Id>| id.map_or_else(|| "$".to_owned(), |id| id.to_string());
                context.report_about(&part, Some("ObjectPlacement"), |named| {
                    format!(
                        "{named} is a part of {} and placed relative to {}, not to its whole's placement {}; set PlacementRelTo of {} \
                         to it and adapt the coordinates",
                        whole.id(),
                        shown(found),
                        shown(due),
                        placement.id()
                    )
                });
            }
        }
    }
}
