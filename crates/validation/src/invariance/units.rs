//! A model in another unit of length: every length of it is counted anew, and stands for the same.

use ifc::{Id, Model, Value};
use ifc_schema::{base, leaf};

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unit {
    Metre,
    Millimetre,
    Foot,
}

impl Unit {
    fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Millimetre => 0.001,
            Self::Foot => 0.3048,
        }
    }
}

/// Returns the model in another unit of length; areas, volumes and angles keep theirs.
pub fn in_unit(model: &Model, unit: Unit) -> Model {
    let factor = ifc::Units::from_model(model).to_mm(1.0) / 1000.0 / unit.metres();
    let schema = model.schema();
    let mut edit = model.edit();
    for id in model.ids() {
        let Some(instance) = model.get(id) else { continue };
        // units say of their own what they count in
        let has_own_unit = ["Unit", "UnitComponent"].iter().any(|name| instance.reference(name).is_some());
        if instance.is_a("IfcMeasureWithUnit") || has_own_unit {
            continue;
        }
        let Some(entity) = schema.entity(instance.class_name()) else { continue };
        for attribute in entity.attributes {
            let value = instance.attr(attribute.name);
            let is_length = base(schema, leaf(attribute.declared)).0 == "IfcLengthMeasure"
                || attribute.name == "Precision";
            let scaled =
                scaled(&value, is_length, factor, &|name| base(schema, name).0 == "IfcLengthMeasure");
            if let Some(scaled) = scaled {
                edit.set(id, attribute.name, scaled).unwrap();
            }
        }
    }
    let units = model.of_class("IfcUnitAssignment");
    for assignment in units {
        let is_length = |id: &Id| {
            model
                .get(*id)
                .and_then(|unit| unit.enumeration("UnitType"))
                .is_some_and(|kind| kind == "LENGTHUNIT")
        };
        let all = model.get(assignment).map(|own| own.references("Units")).unwrap_or_default();
        let mut kept: Vec<Id> = all.into_iter().filter(|id| !is_length(id)).collect();
        kept.push(declared(&mut edit, unit));
        edit.set(assignment, "Units", Value::list(kept)).unwrap();
    }
    edit.finish().0
}

/// A value with its lengths multiplied; none where it holds none.
fn scaled(value: &Value, is_length: bool, factor: f64, is_named: &dyn Fn(&str) -> bool) -> Option<Value> {
    match value {
        Value::Real(number) if is_length => Some(Value::Real(number * factor)),
        Value::Integer(number) if is_length => Some(Value::Real(*number as f64 * factor)),
        Value::Typed(name, inner) => {
            let inner = scaled(inner, is_named(name), factor, is_named)?;
            Some(Value::Typed(name.clone(), Box::new(inner)))
        }
        Value::List(members) => {
            let all: Vec<Option<Value>> =
                members.iter().map(|member| scaled(member, is_length, factor, is_named)).collect();
            if all.iter().all(Option::is_none) {
                return None;
            }
            Some(Value::List(
                all.into_iter().zip(members).map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect(),
            ))
        }
        _ => None,
    }
}

/// Declares the unit; its instance.
fn declared(edit: &mut ifc::Edit, unit: Unit) -> Id {
    let length = || ("UnitType", Value::Enum("LENGTHUNIT".to_owned()));
    let mut metric = |prefix: Value| {
        let name = ("Name", Value::Enum("METRE".to_owned()));
        edit.create("IfcSIUnit", &[length(), ("Prefix", prefix), name]).unwrap()
    };
    match unit {
        Unit::Metre => metric(Value::Null),
        Unit::Millimetre => metric(Value::Enum("MILLI".to_owned())),
        Unit::Foot => {
            let metre = metric(Value::Null);
            let value = Value::Typed("IfcLengthMeasure".to_owned(), Box::new(Value::Real(0.3048)));
            let measure = [("ValueComponent", value), ("UnitComponent", metre.into())];
            let measure = edit.create("IfcMeasureWithUnit", &measure).unwrap();
            let exponents = [
                "LengthExponent",
                "MassExponent",
                "TimeExponent",
                "ElectricCurrentExponent",
                "ThermodynamicTemperatureExponent",
                "AmountOfSubstanceExponent",
                "LuminousIntensityExponent",
            ];
            let exponents = exponents.map(|name| (name, Value::Integer(i64::from(name == "LengthExponent"))));
            let dimensions = edit.create("IfcDimensionalExponents", &exponents).unwrap();
            let foot = [
                ("Dimensions", dimensions.into()),
                length(),
                ("Name", Value::Text("FOOT".to_owned())),
                ("ConversionFactor", measure.into()),
            ];
            edit.create("IfcConversionBasedUnit", &foot).unwrap()
        }
    }
}
