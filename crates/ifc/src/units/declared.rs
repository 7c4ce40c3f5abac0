//! Units as a file declares them, and which classes say so. No model: [`super::read`] reads them from one.

use crate::schema::Entity;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A unit as a file declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// As people write it: `mm`, `m²`, `ft`, `W/(m²·K)`.
    pub label: String,
    /// The size of one of it in the SI unit: 0.001 for a millimetre, 0.017… for a degree. Money and units that depend
    /// on context, such as "each", are 1.
    pub si: f64,
    /// The offset to be added in the SI unit: 273.15 for degrees Celsius; else nought.
    pub offset: f64,
}

impl Unit {
    pub(super) fn new(label: &str, si: f64) -> Self {
        Self { label: label.to_owned(), si, offset: 0.0 }
    }

    /// A value in this unit in the SI unit.
    pub fn to_si(&self, value: f64) -> f64 {
        value * self.si + self.offset
    }

    /// A value in the SI unit in this unit.
    pub fn from_si(&self, value: f64) -> f64 {
        (value - self.offset) / self.si
    }
}

/// The units of a file.
#[derive(Debug, Clone)]
pub struct Units {
    /// One unit of length in mm: 1000 for metres.
    pub length_mm: f64,
    /// One unit of area in m².
    pub area_m2: f64,
    /// One unit of volume in m³.
    pub volume_m3: f64,
    /// One unit of plane angle in degrees.
    pub angle_deg: f64,
    by_type: Arc<BTreeMap<String, Unit>>,
}

/// True of the classes that units are read from.
pub(crate) fn is_read(class: Option<&Entity>) -> bool {
    class.is_some_and(|class| {
        matches!(
            class.name,
            "IfcProject"
                | "IfcUnitAssignment"
                | "IfcSIUnit"
                | "IfcConversionBasedUnit"
                | "IfcConversionBasedUnitWithOffset"
                | "IfcContextDependentUnit"
                | "IfcMeasureWithUnit"
                | "IfcDerivedUnit"
                | "IfcDerivedUnitElement"
                | "IfcMonetaryUnit"
        )
    })
}

impl Units {
    pub(super) fn from_table(by_type: BTreeMap<String, Unit>) -> Self {
        let si = |kind: &str| {
            by_type.get(kind).map(|unit: &Unit| unit.si).filter(|si| si.is_finite() && *si > 0.0)
        };
        let length = si("LENGTHUNIT").unwrap_or(1.0);
        Self {
            length_mm: tidy(length * 1000.0),
            area_m2: si("AREAUNIT").unwrap_or(1.0),
            volume_m3: si("VOLUMEUNIT").unwrap_or(1.0),
            angle_deg: si("PLANEANGLEUNIT").map_or(180.0 / std::f64::consts::PI, |si| tidy(si.to_degrees())),
            by_type: Arc::new(by_type),
        }
    }

    /// A length of the file in mm.
    pub fn to_mm(&self, length: f64) -> f64 {
        length * self.length_mm
    }

    /// A length in mm as the file has it.
    pub fn from_mm(&self, mm: f64) -> f64 {
        mm / self.length_mm
    }

    /// The label of one unit of length: `m`, `mm`, `ft`.
    pub fn length_label(&self) -> &str {
        self.label_of("LENGTHUNIT").unwrap_or("m")
    }

    /// The label of one unit of area.
    pub fn area_label(&self) -> &str {
        self.label_of("AREAUNIT").unwrap_or("m²")
    }

    /// The label of one unit of volume.
    pub fn volume_label(&self) -> &str {
        self.label_of("VOLUMEUNIT").unwrap_or("m³")
    }

    /// The label of one unit of angle.
    pub fn angle_label(&self) -> &str {
        self.label_of("PLANEANGLEUNIT").unwrap_or("rad")
    }

    /// The unit declared for an IfcUnitEnum or IfcDerivedUnitEnum item, such as `MASSUNIT`.
    pub fn declared(&self, unit_type: &str) -> Option<&Unit> {
        self.by_type.get(unit_type)
    }

    fn label_of(&self, unit_type: &str) -> Option<&str> {
        self.by_type.get(unit_type).map(|unit| unit.label.as_str())
    }

    /// The label of the unit that a value of this measure is in, if it has one: `mm` for `IfcPositiveLengthMeasure`; the type's name in
    /// the schema's spelling.
    pub fn label(&self, measure: &str) -> Option<&str> {
        let unit_type = unit_type_of_measure(measure)?;
        self.label_of(&unit_type).or_else(|| default_label(&unit_type))
    }

    /// The size of one unit of this measure in its SI unit; 1 where the file says nothing.
    pub fn si(&self, measure: &str) -> f64 {
        unit_type_of_measure(measure).and_then(|kind| self.by_type.get(&kind)).map_or(1.0, |unit| unit.si)
    }

    /// A value of this measure in its SI unit: metres for a length, kelvins for a temperature.
    pub fn to_si(&self, measure: &str, value: f64) -> f64 {
        let unit = unit_type_of_measure(measure).and_then(|kind| self.by_type.get(&kind));
        unit.map_or(value, |unit| unit.to_si(value))
    }

    /// A value in the SI unit of this measure as the file has it.
    pub fn from_si(&self, measure: &str, value: f64) -> f64 {
        let unit = unit_type_of_measure(measure).and_then(|kind| self.by_type.get(&kind));
        unit.map_or(value, |unit| unit.from_si(value))
    }

    /// Every declared unit by its type.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Unit)> {
        self.by_type.iter().map(|(kind, unit)| (kind.as_str(), unit))
    }
}

/// Returns the type of the unit that a measure is in: `LENGTHUNIT` for `IfcNonNegativeLengthMeasure`; none for labels, counts and ratios.
pub fn unit_type_of_measure(measure: &str) -> Option<String> {
    let stem = measure.strip_prefix("Ifc")?.strip_suffix("Measure")?;
    let stem = stem.strip_prefix("Positive").or_else(|| stem.strip_prefix("NonNegative")).unwrap_or(stem);
    if matches!(
        stem,
        "Ratio"
            | "NormalisedRatio"
            | "Count"
            | "Numeric"
            | "Descriptive"
            | "ContextDependent"
            | "CompoundPlaneAngle"
            | "Parameter"
    ) {
        return None;
    }
    let stem = if stem == "Monetary" { "MONETARY".to_owned() } else { stem.to_ascii_uppercase() };
    Some(format!("{stem}UNIT"))
}

fn default_label(unit_type: &str) -> Option<&'static str> {
    Some(match unit_type {
        "LENGTHUNIT" => "m",
        "AREAUNIT" => "m²",
        "VOLUMEUNIT" => "m³",
        "PLANEANGLEUNIT" => "rad",
        "MASSUNIT" => "kg",
        "TIMEUNIT" => "s",
        "THERMODYNAMICTEMPERATUREUNIT" => "K",
        "POWERUNIT" => "W",
        "FORCEUNIT" => "N",
        "PRESSUREUNIT" => "Pa",
        "ENERGYUNIT" => "J",
        "ILLUMINANCEUNIT" => "lx",
        "ELECTRICVOLTAGEUNIT" => "V",
        "ELECTRICCURRENTUNIT" => "A",
        "FREQUENCYUNIT" => "Hz",
        "LUMINOUSFLUXUNIT" => "lm",
        "THERMALTRANSMITTANCEUNIT" => "W/(m²·K)",
        "VOLUMETRICFLOWRATEUNIT" => "m³/s",
        _ => return None,
    })
}

/// Takes the last few bits of rounding away: 304.79999999999995 is 304.8.
pub(super) fn tidy(value: f64) -> f64 {
    format!("{value:.13e}").parse().unwrap_or(value)
}
