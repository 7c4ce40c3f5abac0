//! Units by their labels, and numbers from one to another.

use contract::Fault;

/// A unit: its labels and its size in the SI unit.
type OneUnit = (&'static [&'static str], f64);

/// Dimensions, each with the labels of its units in all their spellings and the size of one in the SI unit.
const UNITS: [(&str, &[OneUnit]); 6] = [
    (
        "length",
        &[
            (&["mm"], 1e-3),
            (&["cm"], 1e-2),
            (&["dm"], 1e-1),
            (&["m"], 1.0),
            (&["km"], 1e3),
            (&["in", "inch", "inches"], 0.0254),
            (&["ft", "foot", "feet"], 0.3048),
            (&["yd", "yard", "yards"], 0.9144),
        ],
    ),
    (
        "area",
        &[
            (&["mm²", "mm2"], 1e-6),
            (&["cm²", "cm2"], 1e-4),
            (&["m²", "m2", "sqm"], 1.0),
            (&["ha"], 1e4),
            (&["in²", "in2"], 0.000_645_16),
            (&["ft²", "ft2", "sqft", "sf"], 0.092_903_04),
            (&["yd²", "yd2"], 0.836_127_36),
        ],
    ),
    (
        "volume",
        &[
            (&["mm³", "mm3"], 1e-9),
            (&["cm³", "cm3"], 1e-6),
            (&["l", "dm³", "dm3", "litre", "litres"], 1e-3),
            (&["m³", "m3", "cbm"], 1.0),
            (&["in³", "in3"], 0.000_016_387_064),
            (&["ft³", "ft3", "cf"], 0.028_316_846_592),
            (&["yd³", "yd3", "cy"], 0.764_554_857_984),
        ],
    ),
    ("mass", &[(&["g"], 1e-3), (&["kg"], 1.0), (&["t"], 1e3), (&["lb", "lbs"], 0.453_592_37)]),
    ("angle", &[(&["rad"], 1.0), (&["°", "deg"], std::f64::consts::PI / 180.0)]),
    ("time", &[(&["s"], 1.0), (&["min"], 60.0), (&["h"], 3600.0), (&["d"], 86_400.0)]),
];

/// The dimension of a unit, its usual label and its size; nothing of one that is not known.
pub(crate) fn known(label: &str) -> Option<(&'static str, &'static str, f64)> {
    let label = label.trim();
    let of = |(dimension, units): &(&'static str, &'static [OneUnit])| {
        let found = units.iter().find(|(labels, _)| labels.contains(&label));
        let folded = || {
            let lower = label.to_lowercase();
            units.iter().find(|(labels, _)| labels.contains(&lower.as_str()))
        };
        let (labels, size) = found.or_else(folded)?;
        Some((*dimension, *labels.first()?, *size))
    };
    UNITS.iter().find_map(of)
}

/// Labels of the units that a unit can be shown in.
pub(crate) fn alike(label: &str) -> Vec<&'static str> {
    let Some((dimension, ..)) = known(label) else { return Vec::new() };
    let units = UNITS.iter().find(|(known, _)| *known == dimension).map_or(&[][..], |(_, units)| units);
    units.iter().filter_map(|(labels, _)| labels.first().copied()).collect()
}

/// The number by which a value of one unit is multiplied to have it in another; nothing where they measure different things.
pub(crate) fn factor(from: &str, to: &str) -> Option<f64> {
    if from == to {
        return Some(1.0);
    }
    let ((dimension, _, size), (other, _, other_size)) = (known(from)?, known(to)?);
    (dimension == other).then_some(size / other_size)
}

/// The usual label of a unit that a caller names, and the number by which values of `from` are multiplied; a Fault where that cannot be.
pub(crate) fn wanted(from: Option<&str>, to: &str, field: &str) -> Result<(String, f64), Fault> {
    let Some(from) = from else {
        return Err(Fault::invalid(field, format!("These values have no unit that could be shown in {to}.")));
    };
    match (factor(from, to), known(to)) {
        (Some(factor), Some((_, label, _))) => Ok((label.to_owned(), factor)),
        (Some(factor), None) => Ok((to.to_owned(), factor)),
        _ => {
            let alike = alike(from);
            let choice =
                if alike.is_empty() { String::new() } else { format!(" Choose of {}.", alike.join(", ")) };
            Err(Fault::invalid(field, format!("Values in {from} cannot be shown in {to}.{choice}")))
        }
    }
}

/// Decimals that a unit is usually shown with.
pub(crate) fn decimals(unit: &str) -> Option<u8> {
    Some(match unit {
        "mm" => 0,
        "cm" | "°" => 1,
        "m" | "m³" | "ft³" | "t" => 3,
        "m²" | "in" | "ft" | "ft²" | "yd²" | "yd³" | "yd" | "kg" | "lb" => 2,
        _ => return None,
    })
}

/// True of units whose numbers add up to something that people ask for.
pub(crate) fn adds_up(unit: &str) -> bool {
    known(unit).is_some_and(|(dimension, ..)| matches!(dimension, "area" | "volume" | "mass"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_from_unit_to_unit_of_one_dimension() {
        assert_eq!(factor("m", "mm"), Some(1000.0));
        assert_eq!(factor("ft²", "m2"), Some(0.092_903_04));
        assert_eq!(factor("m", "m²"), None);
        assert_eq!(factor("EUR", "EUR"), Some(1.0));
        assert_eq!(wanted(Some("m³"), "L", "unit").unwrap().0, "l");
        assert!(wanted(Some("m"), "kg", "unit").unwrap_err().message.contains("mm, cm"));
        assert!(wanted(None, "kg", "unit").is_err());
    }
}
