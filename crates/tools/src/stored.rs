//! Quantities that a file states, held against the shape: one that differs by more than a percent is flagged, and said to be the gross
//! one where it is that.

use crate::elements::number_json;
use crate::fields::{Field, Reading};
use geometry::quantity::{self, Quantities};
use ifc::{Id, psets};
use rayon::prelude::*;

/// The share by which a stated quantity may differ from the measured one.
const TOLERANCE: f64 = 0.01;

/// A quantity that differs from the shape.
pub(crate) struct Disagreement {
    /// Its name.
    pub name: &'static str,
    /// As stated, in m, m² or m³.
    pub stored: f64,
    /// As measured.
    pub measured: f64,
    /// The unit of both.
    pub unit: &'static str,
    /// The quantity whose measured value the stated one is, such as the gross one.
    pub equals: Option<&'static str>,
}

impl Disagreement {
    /// The difference in percent of the measured value, signed.
    pub fn percent(&self) -> f64 {
        let share = (self.stored - self.measured) / self.measured.abs().max(1e-9) * 100.0;
        (share * 10.0).round() / 10.0
    }

    /// In a sentence.
    pub fn say(&self) -> String {
        let of = self.equals.map_or_else(String::new, |name| format!(", which is its {name}"));
        let sign = if self.percent() > 0.0 { "+" } else { "" };
        format!(
            "{} is stated as {} {unit}{of}; by the shape it is {} {unit} ({sign}{} %)",
            self.name,
            number_json((self.stored * 1e4).round() / 1e4),
            number_json((self.measured * 1e4).round() / 1e4),
            number_json(self.percent()),
            unit = self.unit,
        )
    }
}

/// The stated quantities of an element that differ from what is measured.
pub(crate) fn of_element(reading: &Reading<'_>, id: Id) -> Vec<Disagreement> {
    match quantity::base_quantities(reading.shaper(), id) {
        Ok(Some(measured)) => differing(reading, &measured),
        _ => Vec::new(),
    }
}

fn differing(reading: &Reading<'_>, measured: &Quantities) -> Vec<Disagreement> {
    let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * a.abs().max(b.abs());
    let compared = quantity::compare(reading.model(), measured).into_iter();
    let differs = compared.filter(|one| !near(one.stored, one.measured.value));
    differs
        .map(|one| {
            let gross = one.measured.name.replacen("Net", "Gross", 1);
            let is_gross = |q: &&quantity::Quantity| {
                q.name == gross && q.name != one.measured.name && near(q.value, one.stored)
            };
            Disagreement {
                name: one.measured.name,
                stored: one.stored,
                unit: one.measured.measure.unit(),
                measured: one.measured.value,
                equals: measured.values.iter().find(is_gross).map(|q| q.name),
            }
        })
        .collect()
}

/// Says of a column of stated quantities how many of these elements' differ from the shape.
pub(crate) fn disagreements(reading: &Reading<'_>, field: &Field, elements: &[Id]) -> Option<String> {
    let (set, name) = field.stored()?;
    if !set.starts_with("Qto_") && set != "BaseQuantities" {
        return None;
    }
    let stated = |id: &&Id| psets::find_with(&reading.links, **id, set, name).is_some();
    let having: Vec<Id> = elements.iter().filter(stated).copied().collect();
    let shaper = reading.shaper();
    let measured: Vec<Quantities> =
        having.par_iter().filter_map(|id| quantity::base_quantities(shaper, *id).ok()?).collect();
    let found: Vec<Disagreement> = measured
        .iter()
        .flat_map(|measured| differing(reading, measured))
        .filter(|found| found.name == name)
        .collect();
    let worst = found.iter().max_by(|a, b| a.percent().abs().total_cmp(&b.percent().abs()))?;
    let gross = found.iter().filter(|found| found.equals.is_some()).count();
    let gross = if gross > 0 { format!(", {gross} being the gross value") } else { String::new() };
    Some(format!(
        "{set}.{name}: {} of {} stated values differ from the shape by more than 1 %{gross}; at most: {}.",
        found.len(),
        having.len(),
        worst.say()
    ))
}
