//! PJS001: units of the project that are told by others (inch, degree) have the names and factors that IFC recommends, and are told by
//! SI units.

use super::{Context, named};
use ifc::Instance;

/// A conversion based unit that IFC recommends (IfcConversionBasedUnit, ISO 16739-1:2024).
struct Recommended {
    /// In lower case; case does not count.
    name: &'static str,
    /// The number of SI units, without prefix.
    factor: f64,
    /// The SI unit.
    si: &'static str,
}

const fn unit(name: &'static str, factor: f64, si: &'static str) -> Recommended {
    Recommended { name, factor, si }
}

const UNITS: [Recommended; 33] = [
    unit("inch", 0.0254, "METRE"),
    unit("foot", 0.3048, "METRE"),
    unit("us survey foot", 0.304_800_609_601_22, "METRE"),
    unit("yard", 0.9144, "METRE"),
    unit("mile", 1609.344, "METRE"),
    unit("square inch", 0.000_645_16, "SQUARE_METRE"),
    unit("square foot", 0.092_903_04, "SQUARE_METRE"),
    unit("square yard", 0.836_127_36, "SQUARE_METRE"),
    unit("acre", 4046.873, "SQUARE_METRE"),
    unit("square mile", 2_589_988.0, "SQUARE_METRE"),
    unit("cubic inch", 0.000_016_387_06, "CUBIC_METRE"),
    unit("cubic foot", 0.028_316_846_592, "CUBIC_METRE"),
    unit("cubic yard", 0.764_554_9, "CUBIC_METRE"),
    unit("litre", 0.001, "CUBIC_METRE"),
    unit("fluid ounce uk", 0.000_028_413_062_5, "CUBIC_METRE"),
    unit("fluid ounce us", 0.000_029_573_53, "CUBIC_METRE"),
    unit("pint uk", 0.000_568, "CUBIC_METRE"),
    unit("pint us", 0.000_473_176_5, "CUBIC_METRE"),
    unit("gallon uk", 0.004_546, "CUBIC_METRE"),
    unit("gallon us", 0.003_785_412, "CUBIC_METRE"),
    unit("degree", 0.017_453_292_519_943_295, "RADIAN"),
    unit("ounce", 28.349_523_125, "GRAM"),
    unit("pound", 453.592_37, "GRAM"),
    unit("ton uk", 1_016_046.908_8, "GRAM"),
    unit("ton us", 907_184.74, "GRAM"),
    unit("lbf", 4.448_221_615_3, "NEWTON"),
    unit("kip", 4_448.221_615_3, "NEWTON"),
    unit("psi", 6_894.757_293_2, "PASCAL"),
    unit("ksi", 6_894_757.293_2, "PASCAL"),
    unit("minute", 60.0, "SECOND"),
    unit("hour", 3600.0, "SECOND"),
    unit("day", 86_400.0, "SECOND"),
    unit("btu", 1055.056, "JOULE"),
];

/// The most that a factor may differ, as a share of it.
const TOLERANCE: f64 = 1e-6;

/// The kinds of unit whose names are held against the table, each with the SI unit that it is told by.
const KINDS: [(&str, &str); 4] = [
    ("LENGTHUNIT", "METRE"),
    ("AREAUNIT", "SQUARE_METRE"),
    ("VOLUMEUNIT", "CUBIC_METRE"),
    ("PLANEANGLEUNIT", "RADIAN"),
];

pub(super) fn recommended(context: &mut Context<'_, '_>) {
    for project in context.of_class("IfcProject") {
        let assignment = project.reference("UnitsInContext").and_then(|id| context.model.get(id));
        let Some(assignment) = assignment else { continue };
        for unit in context.at(&assignment, "Units") {
            if unit.is_a("IfcConversionBasedUnit") {
                judge(context, &unit);
            }
        }
    }
}

fn judge(context: &mut Context<'_, '_>, unit: &Instance<'_>) {
    let name = unit.name().unwrap_or_default();
    let kind = unit.enumeration("UnitType").unwrap_or_default();
    let kind = KINDS.iter().find(|(known, _)| *known == kind);
    let known = UNITS.iter().find(|known| known.name.eq_ignore_ascii_case(&name));
    if kind.is_some() && known.is_none() {
        let near = ifc::schema::near(&name.to_lowercase(), UNITS.iter().map(|unit| unit.name), 3);
        context.report_about(unit, Some("Name"), |named| {
            let near = if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) };
            format!("{named} has a name that IFC does not recommend{near}; use a recommended one, such as 'inch', 'square foot' or 'degree'")
        });
    }
    let Some(factor) = unit.reference("ConversionFactor").and_then(|id| context.model.get(id)) else {
        return;
    };
    let Some(si) = factor.reference("UnitComponent").and_then(|id| context.model.get(id)) else { return };
    if !si.is_a("IfcSIUnit") {
        context.report_about(unit, Some("ConversionFactor"), |name| {
            format!("{name} is told by {}, where an IfcSIUnit is due", named(&si))
        });
        return;
    }
    let si_name = si.enumeration("Name").unwrap_or_default();
    if let Some((_, due)) = kind.filter(|(_, due)| *due != si_name) {
        context.report_about(unit, Some("ConversionFactor"), |named| {
            format!("{named} is told by {si_name}, where {due} is due")
        });
    }
    let Some(known) = known.filter(|known| known.si == si_name) else { return };
    let prefixed = prefix(&si.enumeration("Prefix").unwrap_or_default()).powi(power(&si_name));
    let due = known.factor / prefixed;
    let found = factor.attr("ValueComponent").as_f64().unwrap_or(f64::NAN);
    if found.is_finite() && (found - due).abs() > TOLERANCE * found.abs().max(due.abs()) {
        context.report_about(unit, Some("ConversionFactor"), |named| {
            format!("{named} has the factor {found}; IFC recommends {due}")
        });
    }
}

/// How many times the prefix of an SI unit counts: a square millimetre is a millionth of a square metre.
fn power(si: &str) -> i32 {
    match si {
        "SQUARE_METRE" => 2,
        "CUBIC_METRE" => 3,
        _ => 1,
    }
}

/// The factor of an SI prefix.
fn prefix(word: &str) -> f64 {
    match word {
        "EXA" => 1e18,
        "PETA" => 1e15,
        "TERA" => 1e12,
        "GIGA" => 1e9,
        "MEGA" => 1e6,
        "KILO" => 1e3,
        "HECTO" => 1e2,
        "DECA" => 1e1,
        "DECI" => 1e-1,
        "CENTI" => 1e-2,
        "MILLI" => 1e-3,
        "MICRO" => 1e-6,
        "NANO" => 1e-9,
        "PICO" => 1e-12,
        "FEMTO" => 1e-15,
        "ATTO" => 1e-18,
        _ => 1.0,
    }
}
