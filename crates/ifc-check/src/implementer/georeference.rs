//! GRF001 to GRF008: where on earth a model is. Codes are looked up in the EPSG dataset ([`super::epsg`]).

use super::{Context, epsg};
use ifc::units::Units;
use ifc::{Instance, Value};

/// Every system that the model names.
fn systems<'m>(context: &Context<'m, '_>) -> Vec<Instance<'m>> {
    context.of_class("IfcCoordinateReferenceSystem")
}

pub(super) fn one_operation(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    let contexts = context.of_exactly("IfcGeometricRepresentationContext");
    // an operation says the same as another if it differs in its source only
    let operations: Vec<Option<(&str, Vec<Value>)>> = contexts
        .iter()
        .map(|one| {
            let operation = context.model.get(*one.inverse("HasCoordinateOperation").first()?)?;
            let mut values = operation.attributes();
            if let Some(source) = values.first_mut() {
                *source = Value::Null;
            }
            Some((operation.class_name(), values))
        })
        .collect();
    let Some(first) = operations.first() else { return };
    for (one, operation) in contexts.iter().zip(&operations).skip(1) {
        if operation != first {
            context.report_about(one, Some("HasCoordinateOperation"), |named| {
                let found = if operation.is_some() {
                    "another coordinate operation than"
                } else {
                    "no coordinate operation, unlike"
                };
                let found = if first.is_none() { "a coordinate operation, unlike" } else { found };
                format!("{named} has {found} the first context; give all contexts the same one")
            });
        }
    }
}

/// GRF002: every system is named by its code.
pub(super) fn named_by_code(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    for system in systems(context) {
        let Some(name) = system.text("Name") else { continue };
        if epsg::system(&name).is_none_or(|system| !system.valid) {
            context.report_about(&system, Some("Name"), |named| {
                format!("{named} is not named by a valid code of EPSG; write one, such as 'EPSG:25832'")
            });
        }
    }
}

pub(super) fn presence(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    let (facility, due) = if context.is_4x3() {
        ("IfcFacility", "IfcCoordinateReferenceSystem")
    } else {
        ("IfcBuilding", "IfcProjectedCRS")
    };
    let facilities = context.of_class(facility);
    if let Some(first) = facilities.first()
        && context.of_class(due).is_empty()
    {
        context.report(first, |named| {
            format!(
                "{named} stands in a model without {due}; state its place with an IfcMapConversion to one"
            )
        });
    }
}

pub(super) fn codes(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    for system in systems(context) {
        for attribute in ["Name", "GeodeticDatum", "VerticalDatum"] {
            if attribute == "VerticalDatum" && !system.is_a("IfcProjectedCRS") {
                continue;
            }
            let Some(name) = system.text(attribute).filter(|name| name.starts_with("EPSG:")) else {
                continue;
            };
            if epsg::system(&name).is_none_or(|system| !system.valid) {
                context.report_about(&system, Some(attribute), |named| {
                    format!("{named} has the {attribute} '{name}', which is no valid code of a coordinate reference system in EPSG; look it up at epsg.org")
                });
            }
        }
    }
}

pub(super) fn scale(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    let project = Units::from_model(context.model).si("IfcLengthMeasure");
    for conversion in context.of_class("IfcMapConversion") {
        let Some(target) = conversion.reference("TargetCRS").and_then(|id| context.model.get(id)) else {
            continue;
        };
        let Some(name) = target.text("Name") else { continue };
        let Some(system) = epsg::system(&name) else { continue };
        let Some(map) = system.metres else {
            context.report_about(&conversion, Some("TargetCRS"), |named| {
                format!("{named} goes to {name}, which has no one horizontal unit of length; use a projected system")
            });
            continue;
        };
        let given = conversion.number("Scale").filter(|scale| *scale != 0.0);
        let due = map / project;
        let found = given.unwrap_or(1.0);
        if (found - due).abs() > 1e-9 * found.abs().max(due.abs()) {
            context.report_about(&conversion, Some("Scale"), |named| {
                let shown = given.map_or_else(|| "no Scale, which means 1".to_owned(), |scale| format!("the Scale {scale}"));
                format!(
                    "{named} has {shown}; a unit of {name} is {map} m and one of the project {project} m, so {due} is due"
                )
            });
        }
    }
}

pub(super) fn well_known_text(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    for system in systems(context) {
        let name = system.text("Name");
        let has_text = !system.inverse("WellKnownText").is_empty();
        let is_text = name.as_deref() == Some("WKT");
        let is_epsg = name.as_deref().is_none_or(|name| name.starts_with("EPSG:"));
        let shown = name.as_deref().unwrap_or("$");
        if !has_text && !is_epsg {
            context.report_about(&system, Some("WellKnownText"), |named| {
                format!("{named} is no code of EPSG and has no IfcWellKnownText; add it, and call the system 'WKT'")
            });
        } else if has_text && !is_text {
            context.report_about(&system, Some("Name"), |named| {
                format!("{named} has an IfcWellKnownText and the Name '{shown}'; call it 'WKT'")
            });
        }
    }
}

pub(super) fn vertical_datum(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    for system in context.of_class("IfcProjectedCRS") {
        let Some(name) = system.text("VerticalDatum") else { continue };
        if epsg::system(&name).is_some_and(|system| system.valid && !system.vertical) {
            context.report_about(&system, Some("VerticalDatum"), |named| {
                format!("{named} has the VerticalDatum {name}, which says nothing of heights; use a vertical or compound system")
            });
        }
    }
}

pub(super) fn rigid_operation(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    for operation in context.of_class("IfcRigidOperation") {
        for attribute in ["FirstCoordinate", "SecondCoordinate"] {
            let Value::Typed(measure, _) = operation.attr(attribute) else { continue };
            if !matches!(measure.as_str(), "IfcLengthMeasure" | "IfcPlaneAngleMeasure") {
                context.report_about(&operation, Some(attribute), |named| {
                    format!("{named} has its {attribute} as {measure}; write IfcLengthMeasure, or IfcPlaneAngleMeasure for a geographic system")
                });
            }
        }
    }
}
