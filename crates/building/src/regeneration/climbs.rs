//! Stairs and ramps between storeys of which one was raised or lowered: they climb as far as it is now, with as many steps as the rule
//! asks for, and with landings, railings and the openings above.

use super::{Followed, with_reader};
use crate::author::Author;
use crate::lookup::{guid, label};
use crate::stairs::{redraw, storey_at};
use contract::Fault;
use ifc::{Id, Model, relations};
use std::collections::BTreeSet;

/// A stair or ramp between two storeys.
struct Climb {
    id: Id,
    upper: Id,
    height: f64,
}

/// Draws anew what leads to or from storeys that were raised.
pub(super) fn follow(
    author: &mut Author,
    before: &Model,
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    if !reshaped.iter().any(|id| before.get(*id).is_some_and(|s| s.is_a("IfcBuildingStorey"))) {
        return Ok(());
    }
    for climb in with_reader(before, climbs) {
        let Climb { id, upper, height } = climb;
        if !author.edit.contains(id) || !author.edit.contains(upper) {
            continue;
        }
        // one that was changed by hand in the same edit climbs as far as it was told to
        let stands = redraw::height_of(author, id);
        let (Some(stands), Ok(at), Ok(level)) = (stands, author.frame(id), author.frame(upper)) else {
            continue;
        };
        let now = level.translation.z - at.translation.z;
        if (stands - height).abs() > 1.0 || (now - height).abs() < 1.0 {
            continue;
        }
        let name = label(author.edit, id);
        let drawn = redraw::climb(author, id, now).map_err(|fault| {
            Fault::constraint(format!(
                "{name} leads up to {} and cannot follow. {} Or change {name} first with modify_parameter, or delete it and make another.",
                label(author.edit, upper),
                fault.message
            ))
            .with("field", "value")
            .with("elements", vec![guid(author.edit, id)])
        })?;
        followed.add(id);
        for part in drawn {
            followed.add(part);
        }
    }
    Ok(())
}

fn climbs(before: &Author<'_>) -> Vec<Climb> {
    let all = ["IfcStair", "IfcRamp"].into_iter().flat_map(|class| before.edit.of_class(class));
    all.filter_map(|id| {
        let height = redraw::height_of(before, id)?;
        let storey = relations::storey_of(before.edit, id)?;
        let upper = storey_at(before, storey, before.frame(id).ok()?.translation.z + height)?;
        Some(Climb { id, upper, height })
    })
    .collect()
}
