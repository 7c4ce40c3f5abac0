//! The quantities of one element: what the file states, and what is measured on the shape.

use super::Unit;
use crate::fields::Reading;
use geometry::quantity::Measure;
use ifc::Id;
use ifc::psets::{self, Detail};
use std::collections::{BTreeMap, BTreeSet};

/// A quantity of an element in m, m², m³, kg or s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Both {
    pub unit: Unit,
    pub stored: Option<f64>,
    pub computed: Option<f64>,
}

/// Dimensions of one element, which say nothing when they are added up.
const NO_SUM: [&str; 16] = [
    "Width",
    "Height",
    "Depth",
    "Thickness",
    "Diameter",
    "CrossSectionArea",
    "FinishCeilingHeight",
    "FinishFloorHeight",
    "ClearHeight",
    "NominalWidth",
    "NominalHeight",
    "NominalLength",
    "GrossCrossSectionArea",
    "NetCrossSectionArea",
    "Slope",
    "RiserHeight",
];

/// True of a quantity that adds up.
pub(super) fn adds_up(name: &str) -> bool {
    !NO_SUM.contains(&name)
}

impl From<Measure> for Unit {
    fn from(measure: Measure) -> Self {
        match measure {
            Measure::Length => Self::Metre,
            Measure::Area => Self::SquareMetre,
            Measure::Volume => Self::CubicMetre,
        }
    }
}

/// The quantities of an element by name. What classes without base quantities have measured is volume and surface of their body.
/// Of what the file states the base quantities count; those of other sets go into `other`, by name, and count where all are wanted.
pub(super) fn of_element(
    reading: &Reading<'_>,
    id: Id,
    wants_all: bool,
    other: &mut BTreeSet<String>,
) -> BTreeMap<String, Both> {
    let mut found: BTreeMap<String, Both> = BTreeMap::new();
    let (model, units) = (reading.model(), &reading.units);
    for set in psets::of_with(&reading.links, id) {
        let is_base = set.name.starts_with("Qto_") || set.name == "BaseQuantities";
        for property in set.properties {
            let Detail::Quantity(measure) = property.detail else { continue };
            let unit = match measure {
                "IfcLengthMeasure" => Unit::Metre,
                "IfcAreaMeasure" => Unit::SquareMetre,
                "IfcVolumeMeasure" => Unit::CubicMetre,
                "IfcMassMeasure" => Unit::Kilogram,
                "IfcTimeMeasure" => Unit::Second,
                "IfcCountMeasure" => Unit::Piece,
                _ => continue,
            };
            let Some(stored) = property.in_si(model, units).filter(|value| value.is_finite()) else {
                continue;
            };
            if !is_base {
                other.insert(property.name.clone());
                if !wants_all {
                    continue;
                }
            }
            // the SI unit of mass is the kilogram, and files count in grams where they say gram
            let both = Both { unit, stored: Some(stored), computed: None };
            found.entry(property.name).or_insert(both);
        }
    }
    let mut put = |name: &str, unit: Unit, value: f64| {
        let both = found.entry(name.to_owned()).or_insert(Both { unit, stored: None, computed: None });
        both.computed = Some(value);
    };
    match reading.measured(id) {
        Some(measured) => {
            for quantity in &measured.values {
                put(quantity.name, quantity.measure.into(), quantity.value);
            }
        }
        None => {
            if let Ok(measured) = geometry::measured(reading.shaper(), id) {
                put("NetVolume", Unit::CubicMetre, measured.volume);
                put("NetSurfaceArea", Unit::SquareMetre, measured.surface);
            }
        }
    }
    found.retain(|name, _| adds_up(name));
    found
}
