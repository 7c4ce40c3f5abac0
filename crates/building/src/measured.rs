//! Quantities of elements whose body no longer follows from the parameters they were made with: measured from the body.

use crate::author::Author;
use crate::quantities::{Quantity, is_ours};
use crate::quantity_sets;
use contract::Fault;
use geometry::Shaper;
use geometry::bodies::Bodies;
use geometry::quantity::{self, Measure};
use ifc::{Id, Model};

/// The base quantity set of an element's class, where it has one.
pub fn set_of(model: &Model, id: Id) -> Option<&'static str> {
    let element = model.get(id)?;
    const SETS: [(&str, &str); 5] = [
        ("IfcWall", quantity_sets::WALL),
        ("IfcSlab", quantity_sets::SLAB),
        ("IfcSpace", quantity_sets::SPACE),
        ("IfcColumn", quantity_sets::COLUMN),
        ("IfcBeam", quantity_sets::BEAM),
    ];
    SETS.iter().find(|(class, _)| element.is_a(class)).map(|(_, set)| *set)
}

/// Writes an element's quantities from its body where it carries ours; those of other programs are left to them.
pub fn requantify(author: &mut Author, id: Id) -> Result<(), Fault> {
    let Some(set) = set_of(author.edit, id).filter(|set| is_ours(author.edit, id, set)) else {
        return Ok(());
    };
    let found: Vec<(&str, Quantity)> = {
        let shaper = Shaper::plain(author.edit);
        if let Ok(Some(all)) = quantity::base_quantities(&shaper, id) {
            all.values.iter().map(|q| (q.name, in_mm(q.measure, q.value))).collect()
        } else {
            // a body that cannot be told apart into sides still has a volume
            let volume = |b: Result<Bodies, _>| b.ok().map(|b| b.volume());
            let all = [
                ("GrossVolume", volume(shaper.gross_bodies(id))),
                ("NetVolume", volume(shaper.net_bodies(id))),
            ];
            all.into_iter().filter_map(|(n, v)| Some((n, in_mm(Measure::Volume, v?)))).collect()
        }
    };
    if found.is_empty() { Ok(()) } else { author.quantify(id, set, &found) }
}

fn in_mm(measure: Measure, value: f64) -> Quantity {
    match measure {
        Measure::Length => Quantity::Length(value * 1e3),
        Measure::Area => Quantity::Area(value * 1e6),
        Measure::Volume => Quantity::Volume(value * 1e9),
    }
}
