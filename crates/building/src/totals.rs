//! Totals of storeys and buildings that follow when their slabs and spaces change: floor areas, perimeters, footprint,
//! written in the same edit as the change.
//!
//! Gross figures are the outer outlines of the storey's floor slabs (roof plates and landings do not count), net ones
//! the spaces'. A storey whose slabs cannot all be read as outlines gets no gross figure rather than a wrong one.

use crate::author::Author;
use crate::host::Slab;
use crate::lookup::predefined_type;
use crate::polygon::{area, perimeter};
use crate::quantities::{Quantity, is_ours, own_set, read, sets};
use crate::quantity_sets;
use crate::regions;
use crate::solids;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, relations};

/// Computes a storey's totals, and then its building's.
pub fn of_storey(author: &mut Author, storey: Id) -> Result<(), Fault> {
    let mut quantities = Vec::new();
    // a height that was stated is no total: it stays
    if let Some(height) = read(author.edit, storey, quantity_sets::STOREY).get("GrossHeight") {
        quantities.push(("GrossHeight", Quantity::Length(author.units().to_mm(height.value))));
    }
    if let Some((gross, round)) = floors(author, storey) {
        quantities.push(("GrossPerimeter", Quantity::Length(round)));
        quantities.push(("GrossFloorArea", Quantity::Area(gross)));
    }
    let spaces = spaces(author, storey);
    if !spaces.is_empty() {
        let sum = |part: fn(&(f64, f64)) -> f64| spaces.iter().map(part).sum::<f64>();
        quantities.push(("NetFloorArea", Quantity::Area(sum(|s| s.0))));
        quantities.push(("NetVolume", Quantity::Volume(sum(|s| s.1))));
    }
    write(author, storey, quantity_sets::STOREY, &quantities)?;
    match relations::aggregate_parent(author.edit, storey) {
        Some(building) if author.edit.get(building).is_some_and(|b| b.is_a("IfcBuilding")) => {
            of_building(author, building)
        }
        _ => Ok(()),
    }
}

/// Computes the totals of whatever storey an element belongs to.
pub fn around(author: &mut Author, element: Id) -> Result<(), Fault> {
    match relations::storey_of(author.edit, element) {
        Some(storey) => of_storey(author, storey),
        None => Ok(()),
    }
}

fn of_building(author: &mut Author, building: Id) -> Result<(), Fault> {
    let mut storeys: Vec<Id> = relations::children(author.edit, building)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcBuildingStorey")))
        .collect();
    storeys.sort_by(|a, b| {
        crate::project::elevation_of(author, *a).total_cmp(&crate::project::elevation_of(author, *b))
    });
    let per_m2 = author.units().area_m2 * 1e6;
    let per_m3 = author.units().volume_m3 * 1e9;
    let (mut footprint, mut gross, mut net, mut volume) = (None, 0.0, 0.0, 0.0);
    // of some storeys alone the sum would be that of no building
    let (mut all_gross, mut all_net) = (true, true);
    for storey in storeys {
        let has = |class: &str| {
            let held = relations::contained(author.edit, storey).into_iter();
            held.chain(relations::children(author.edit, storey)).any(|id| {
                author.edit.get(id).is_some_and(|held| held.is_a(class)) && is_floor_or_room(author, id)
            })
        };
        let stored = read(author.edit, storey, quantity_sets::STOREY);
        let value = |name: &str| stored.get(name).map(|q| q.value);
        if let Some(area) = value("GrossFloorArea") {
            // what stands on the ground is the lowest floor there is
            footprint.get_or_insert(area);
            gross += area;
        }
        all_gross &= value("GrossFloorArea").is_some() || !has("IfcSlab");
        all_net &= value("NetFloorArea").is_some() || !has("IfcSpace");
        net += value("NetFloorArea").unwrap_or(0.0);
        volume += value("NetVolume").unwrap_or(0.0);
    }
    let mut quantities = Vec::new();
    if let Some(footprint) = footprint.filter(|_| all_gross) {
        quantities.push(("FootprintArea", Quantity::Area(footprint * per_m2)));
        quantities.push(("GrossFloorArea", Quantity::Area(gross * per_m2)));
    }
    if net > 0.0 && all_net {
        quantities.push(("NetFloorArea", Quantity::Area(net * per_m2)));
        quantities.push(("NetVolume", Quantity::Volume(volume * per_m3)));
    }
    write(author, building, quantity_sets::BUILDING, &quantities)
}

fn write(author: &mut Author, object: Id, set: &str, quantities: &[(&str, Quantity)]) -> Result<(), Fault> {
    if is_stated_by_others(author, object, set, quantities) {
        return Ok(());
    }
    if !quantities.is_empty() {
        return author.quantify(object, set, quantities);
    }
    // nothing is left to total: the set goes, since a set must not be empty
    match own_set(author.edit, object, set) {
        Some(existing) => {
            for relation in author.edit.referrers_of(existing, "IfcRelDefinesByProperties") {
                author.drop_member(relation, "RelatedObjects", object)?;
            }
            Ok(())
        }
        None => Ok(()),
    }
}

/// True of slabs but those of roofs and landings, and of all that is no slab.
fn is_floor_or_room(author: &Author, id: Id) -> bool {
    !matches!(predefined_type(author.edit, id).as_deref(), Some("ROOF" | "LANDING"))
}

/// True if another program states one of these quantities of the object: ours beside them would say the same otherwise.
fn is_stated_by_others(author: &Author, object: Id, set: &str, quantities: &[(&str, Quantity)]) -> bool {
    if is_ours(author.edit, object, set) {
        return false;
    }
    sets(author.edit, object).into_iter().any(|(other, _)| {
        let members = author.edit.get(other).map(|other| other.references("Quantities")).unwrap_or_default();
        members.into_iter().any(|member| {
            author.edit.get(member).is_some_and(|q| quantities.iter().any(|(name, _)| q.says("Name", name)))
        })
    })
}

/// Area and perimeter in mm of what the floor slabs of a storey cover together; `None` without slabs, or where one
/// cannot be read.
fn floors(author: &Author, storey: Id) -> Option<(f64, f64)> {
    let slabs: Vec<Id> = relations::contained(author.edit, storey)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcSlab")) && is_floor_or_room(author, *id))
        .collect();
    let outlines = slabs
        .iter()
        .map(|id| Slab::read(author, *id).ok().map(|slab| slab.outline_in_world()))
        .collect::<Option<Vec<_>>>()?;
    match outlines.as_slice() {
        [] => None,
        // one outline is measured as it was drawn, without the overlay's rounding
        [one] => Some((area(one), perimeter(one))),
        several => {
            let joined = regions::union(several);
            let whole = |part: fn(&[DVec2]) -> f64, sign: f64| -> f64 {
                joined
                    .iter()
                    .map(|r| part(&r.outer) + sign * r.holes.iter().map(|h| part(h)).sum::<f64>())
                    .sum()
            };
            Some((whole(area, -1.0), whole(perimeter, 0.0)))
        }
    }
}

/// Area in mm² and volume in mm³ of each space of a storey.
fn spaces(author: &Author, storey: Id) -> Vec<(f64, f64)> {
    let length_mm = author.units().length_mm;
    relations::children(author.edit, storey)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcSpace")))
        .filter_map(|id| solids::prism_of(author.edit, id, length_mm))
        .map(|prism| {
            let floor = area(&prism.outline) - prism.holes.iter().map(|h| area(h)).sum::<f64>();
            (floor, floor * prism.height)
        })
        .collect()
}
