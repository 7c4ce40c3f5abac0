//! Values of a file as literals: numbers in SI, so that nobody who asks has to know the file's units.
//!
//! A length is in metres, an angle in radians, a temperature in kelvins. Whole numbers are `xsd:integer`, other numbers `xsd:double`,
//! truths `xsd:boolean`, texts and enumeration items `xsd:string`. What is unknown or not given is no triple.

use crate::term::{Bits, Part};
use ifc::units::{Unit, Units, unit_type_of_measure};
use ifc::{Kind, Schema, Value};

/// Reads values of one file.
pub struct Reader<'m> {
    /// The schema of the file.
    pub schema: &'static Schema,
    /// The units of the file.
    pub units: &'m Units,
}

/// The type that a value is read as.
#[derive(Clone, Copy)]
pub struct Declared<'t> {
    /// Its name, such as `IfcLengthMeasure`.
    pub name: &'t str,
    /// The kind of value that a file writes for it.
    pub kind: Option<Kind>,
    /// The unit that the value itself gives, before that of the file.
    pub unit: Option<&'t Unit>,
}

impl Reader<'_> {
    /// The literals of a value: of a list those of its members, each once.
    pub fn literals(&self, value: &Value, declared: Declared<'_>) -> Vec<Part> {
        let mut found = Vec::new();
        self.add(value, declared, &mut found);
        found
    }

    fn add(&self, value: &Value, declared: Declared<'_>, found: &mut Vec<Part>) {
        if let Value::List(members) = value.untyped() {
            for member in members {
                self.add(member, declared, found);
            }
        } else if let Some(part) = self.literal(value, declared)
            && !found.contains(&part)
        {
            found.push(part);
        }
    }

    /// The literal of a single value.
    pub fn literal(&self, value: &Value, declared: Declared<'_>) -> Option<Part> {
        Some(match value {
            Value::Typed(name, inner) => {
                let kind = self.schema.kind_of_type(name);
                return self.literal(inner, Declared { name, kind, ..declared });
            }
            Value::Text(text) | Value::Enum(text) => Part::Text(text.as_str().into()),
            Value::Boolean(truth) => Part::Boolean(*truth),
            Value::Integer(whole) => {
                let is_whole = match declared.kind {
                    Some(Kind::Integer) => true,
                    Some(Kind::Number) => declared.name == "IfcCountMeasure",
                    _ => unit_type_of_measure(declared.name).is_none() && declared.unit.is_none(),
                };
                if is_whole { Part::Integer(*whole) } else { self.number(*whole as f64, declared) }
            }
            // the largest whole number up to which a double counts without gaps
            Value::Real(number)
                if declared.name == "IfcCountMeasure" && number.fract() == 0.0 && number.abs() < 9.0e15 =>
            {
                Part::Integer(*number as i64)
            }
            Value::Real(number) => self.number(*number, declared),
            Value::Null
            | Value::Derived
            | Value::Unknown
            | Value::Binary(_)
            | Value::Ref(_)
            | Value::List(_) => {
                return None;
            }
        })
    }

    fn number(&self, number: f64, declared: Declared<'_>) -> Part {
        let si = match declared.unit {
            Some(unit) => unit.to_si(number),
            None => self.units.to_si(declared.name, number),
        };
        Part::Double(Bits(if si.to_bits() == number.to_bits() { si } else { tidy(si) }))
    }
}

/// Takes the last few bits of rounding away: 304.79999999999995 mm are 0.3048 m.
fn tidy(value: f64) -> f64 {
    if value.is_finite() { format!("{value:.13e}").parse().unwrap_or(value) } else { value }
}

/// The IRI's local name of the SI unit of a measure in the vocabulary of QUDT; `None` for a measure whose SI unit has none there.
pub fn qudt_unit(measure: &str) -> Option<&'static str> {
    Some(match unit_type_of_measure(measure)?.as_str() {
        "LENGTHUNIT" => "M",
        "AREAUNIT" => "M2",
        "VOLUMEUNIT" => "M3",
        "PLANEANGLEUNIT" => "RAD",
        "SOLIDANGLEUNIT" => "SR",
        "MASSUNIT" => "KiloGM",
        "TIMEUNIT" => "SEC",
        "THERMODYNAMICTEMPERATUREUNIT" => "K",
        "POWERUNIT" => "W",
        "FORCEUNIT" => "N",
        "PRESSUREUNIT" => "PA",
        "ENERGYUNIT" => "J",
        "ILLUMINANCEUNIT" => "LUX",
        "LUMINOUSFLUXUNIT" => "LM",
        "LUMINOUSINTENSITYUNIT" => "CD",
        "ELECTRICVOLTAGEUNIT" => "V",
        "ELECTRICCURRENTUNIT" => "A",
        "ELECTRICRESISTANCEUNIT" => "OHM",
        "FREQUENCYUNIT" => "HZ",
        "THERMALTRANSMITTANCEUNIT" => "W-PER-M2-K",
        "THERMALCONDUCTIVITYUNIT" => "W-PER-M-K",
        "SPECIFICHEATCAPACITYUNIT" => "J-PER-KiloGM-K",
        "MASSDENSITYUNIT" => "KiloGM-PER-M3",
        "VOLUMETRICFLOWRATEUNIT" => "M3-PER-SEC",
        "MASSFLOWRATEUNIT" => "KiloGM-PER-SEC",
        "LINEARVELOCITYUNIT" => "M-PER-SEC",
        "HEATFLUXDENSITYUNIT" => "W-PER-M2",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ifc::{Limits, Model, SchemaVersion};

    fn check(value: Value, expected: Option<Part>) {
        let text = "ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;\n#2=IFCUNITASSIGNMENT((#3));\
            #3=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\nENDSEC;END-ISO-10303-21;";
        let (model, _) = Model::from_bytes(text.as_bytes().to_vec(), &Limits::default()).unwrap();
        let units = Units::from_model(&model);
        let reader = Reader { schema: SchemaVersion::Ifc4.schema(), units: &units };
        let declared = Declared { name: "", kind: None, unit: None };
        assert_eq!(reader.literal(&value, declared), expected, "{value:?}");
    }

    #[test]
    fn numbers_with_a_measure_are_in_si() {
        check(Value::typed("IfcLengthMeasure", 304.8), Some(Part::Double(Bits(0.3048))));
        check(Value::typed("IfcLengthMeasure", Value::Integer(2500)), Some(Part::Double(Bits(2.5))));
        check(Value::typed("IfcReal", 2.5), Some(Part::Double(Bits(2.5))));
        check(Value::typed("IfcInteger", Value::Integer(3)), Some(Part::Integer(3)));
        check(Value::typed("IfcCountMeasure", 3.0), Some(Part::Integer(3)));
        check(Value::typed("IfcBoolean", Value::Boolean(true)), Some(Part::Boolean(true)));
        check(Value::typed("IfcLogical", Value::Unknown), None);
        check(Value::Null, None);
    }
}
