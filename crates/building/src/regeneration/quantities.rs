//! Quantities that another program stated follow an element's shape, where they were those of its shape before: a wall that lost a door has
//! another net volume. What its author counts by another rule is left.

use crate::author::{Author, tidy};
use crate::measured;
use crate::quantities::{is_ours, sets};
use contract::Fault;
use geometry::Shaper;
use geometry::quantity::{Compared, Measure, base_quantities, compare};
use ifc::{Id, Model, Value};
use std::collections::BTreeSet;

/// Elements that are looked at, at most.
const MOST: usize = 500;
/// The share by which a stated quantity may differ from that of the shape and be meant.
const SHARE: f64 = 0.01;
/// Two figures of a shape that differ by a smaller share are the same.
const SAME: f64 = 1e-6;
/// The name of quantity sets before IFC4 had one for each class.
const FORMER: &str = "BaseQuantities";

/// Writes the quantities of elements that have another shape than before.
pub(super) fn follow(author: &mut Author, before: &Model, reshaped: &BTreeSet<Id>) -> Result<(), Fault> {
    let stating: Vec<(Id, Vec<Id>)> = reshaped
        .iter()
        .filter_map(|id| {
            let sets = stated_by_others(before, *id);
            (!sets.is_empty() && author.edit.contains(*id)).then_some((*id, sets))
        })
        .take(MOST)
        .collect();
    if stating.is_empty() {
        return Ok(());
    }
    let then = {
        let shaper = Shaper::plain(before);
        stating.iter().map(|(id, _)| true_ones(&shaper, *id)).collect::<Vec<_>>()
    };
    let now: Vec<Vec<(&'static str, Measure, f64)>> = {
        let shaper = Shaper::plain(author.edit);
        let measured = |id: Id| match base_quantities(&shaper, id) {
            Ok(Some(all)) => all.values.iter().map(|q| (q.name, q.measure, q.value)).collect(),
            _ => Vec::new(),
        };
        stating.iter().map(|(id, _)| measured(*id)).collect()
    };
    for (((_, sets), then), now) in stating.iter().zip(then).zip(now) {
        for (name, measure, value) in now {
            let former = then.iter().find(|(known, _)| *known == name);
            // what the change left as it was keeps its author's figures to the last digit
            if former.is_some_and(|(_, former)| (value - former).abs() > SAME * former.abs()) {
                restate(author, sets, name, measure, value)?;
            }
        }
    }
    Ok(())
}

/// The quantity sets of an element that are its own and were not computed here.
fn stated_by_others(model: &Model, id: Id) -> Vec<Id> {
    let Some(set) = measured::set_of(model, id) else { return Vec::new() };
    if is_ours(model, id, set) {
        return Vec::new();
    }
    let is_meant = |set_id: &Id| {
        model.get(*set_id).is_some_and(|found| {
            found.is_a("IfcElementQuantity") && (found.says("Name", set) || found.says("Name", FORMER))
        })
    };
    sets(model, id).into_iter().filter(|(_, shared)| !shared).map(|(set, _)| set).filter(is_meant).collect()
}

/// The stated quantities that are those of the shape: their names, and the values of the shape.
fn true_ones(shaper: &Shaper<'_>, id: Id) -> Vec<(&'static str, f64)> {
    let Ok(Some(measured)) = base_quantities(shaper, id) else { return Vec::new() };
    let holds = |compared: &Compared| {
        let least = match compared.measured.measure {
            Measure::Length => 0.005,
            Measure::Area => 0.02,
            Measure::Volume => 0.01,
        };
        let value = compared.measured.value;
        (compared.stored - value).abs() <= (SHARE * value.abs()).max(least)
    };
    let all = compare(shaper.reader.model, &measured);
    all.iter().filter(|own| holds(own)).map(|own| (own.measured.name, own.measured.value)).collect()
}

/// Writes a quantity in SI units into the sets that state it.
fn restate(author: &mut Author, sets: &[Id], name: &str, measure: Measure, value: f64) -> Result<(), Fault> {
    let units = author.units();
    let (attribute, value) = match measure {
        Measure::Length => ("LengthValue", author.length_in_file_units(value * 1e3)),
        Measure::Area => ("AreaValue", tidy(value / units.area_m2)),
        Measure::Volume => ("VolumeValue", tidy(value / units.volume_m3)),
    };
    for set in sets {
        let members = author.edit.get(*set).map(|set| set.references("Quantities")).unwrap_or_default();
        for member in members {
            let stated =
                author.edit.get(member).filter(|q| q.says("Name", name)).and_then(|q| q.number(attribute));
            if stated.is_some_and(|stated| (stated - value).abs() > 1e-9 * value.abs()) {
                author.set(member, attribute, Value::Real(value))?;
            }
        }
    }
    Ok(())
}
