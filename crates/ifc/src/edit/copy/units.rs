//! Measures in the units of the model that they come into.

use super::{CopyError, CopyOptions, UnitPolicy};
use crate::edit::check;
use crate::schema::{Definition, Entity, Schema};
use crate::units::unit_type_of_measure;
use crate::{Model, Units, Value};
use std::collections::BTreeMap;

/// Factors between the units of two models.
pub(super) struct Scale {
    schema: &'static Schema,
    policy: UnitPolicy,
    /// True if parameters of curves, which may be angles, stay as they are.
    keeps_parameters: bool,
    /// By unit type; only those that differ. None where no factor converts.
    factors: BTreeMap<String, Option<f64>>,
}

impl Scale {
    pub fn between(source: &Model, target: &Model, options: &CopyOptions) -> Self {
        let (policy, keeps_parameters) = (options.units, options.is_tolerant);
        let (from, to) = (Units::from_model(source), Units::from_model(target));
        let mut factors = BTreeMap::new();
        let kinds = from.all().chain(to.all()).map(|(kind, _)| kind.to_owned()).collect::<Vec<_>>();
        for kind in kinds {
            let si = |units: &Units| units.declared(&kind).map_or(1.0, |unit| unit.si);
            let (a, b) = (si(&from), si(&to));
            let label = |units: &Units| units.declared(&kind).map(|unit| unit.label.clone());
            // a unit that only one of them declares, at its SI value, is the same
            let other_name = matches!((label(&from), label(&to)), (Some(a), Some(b)) if a != b);
            let same = (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
            if same && !(other_name && (kind == "THERMODYNAMICTEMPERATUREUNIT" || kind == "MONETARYUNIT")) {
                continue;
            }
            let known = a.is_finite() && b.is_finite() && a > 0.0 && b > 0.0 && !same;
            factors.insert(kind, known.then_some(a / b));
        }
        Self { schema: target.schema(), policy, keeps_parameters, factors }
    }

    /// Converts the measures of an instance; counts them.
    pub fn apply(
        &self,
        entity: &Entity,
        values: &mut [Value],
        converted: &mut usize,
    ) -> Result<(), CopyError> {
        if self.factors.is_empty() || entity.name == "IfcMeasureWithUnit" {
            return Ok(());
        }
        let own_unit =
            entity.index_of("Unit").and_then(|at| values.get(at)).is_some_and(|unit| !unit.is_null());
        if own_unit {
            return Ok(());
        }
        for (attribute, value) in entity.attributes.iter().zip(values) {
            // a precision is a length although it is declared as a number
            let declared =
                if attribute.name == "Precision" { "IfcLengthMeasure" } else { attribute.declared };
            self.value(check::leaf(declared), value, converted)?;
        }
        Ok(())
    }

    fn value(&self, declared: &str, value: &mut Value, converted: &mut usize) -> Result<(), CopyError> {
        match value {
            Value::Real(number) => {
                if let Some(factor) = self.factor(declared)? {
                    *number *= factor;
                    *converted += 1;
                }
            }
            Value::List(members) => {
                for member in members {
                    self.value(declared, member, converted)?;
                }
            }
            Value::Typed(name, inner) => {
                let name = name.clone();
                self.value(&name, inner, converted)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn factor(&self, declared: &str) -> Result<Option<f64>, CopyError> {
        if declared == "IfcParameterValue" && self.keeps_parameters {
            return Ok(None);
        }
        if declared == "IfcParameterValue" && self.factors.contains_key("PLANEANGLEUNIT") {
            let reason = "a parameter may be an angle, and cannot be converted";
            return Err(CopyError::Units("PLANEANGLEUNIT".to_owned(), reason));
        }
        let (base, _) = check::base(self.schema, declared);
        let is_type = matches!(
            self.schema.type_declaration(base).map(|found| &found.definition),
            Some(Definition::Defined { .. })
        );
        let Some(kind) = unit_type_of_measure(base).filter(|_| is_type) else { return Ok(None) };
        match (self.factors.get(&kind), self.policy) {
            (None, _) => Ok(None),
            (Some(Some(factor)), UnitPolicy::Convert) => Ok(Some(*factor)),
            (Some(None), UnitPolicy::Convert) => Err(CopyError::Units(kind, "no factor converts it")),
            (Some(_), UnitPolicy::Refuse) => {
                Err(CopyError::Units(kind, "ask for conversion, or give the models the same units"))
            }
        }
    }

    /// Units of length of the model for one of the other.
    pub fn length(&self) -> f64 {
        self.factors.get("LENGTHUNIT").copied().flatten().unwrap_or(1.0)
    }
}
