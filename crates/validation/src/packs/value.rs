//! Values of packs and their types: quantities with units, texts, truths.
//!
//! A quantity is written as a text of number and unit, `"815 mm"`, `"32 in"`, `"8.33 %"`, `"1:12"`, and kept in the unit that findings keep it in. Numbers of things
//! are plain numbers. A quantity of another kind than is asked for is refused, as is one without its unit.

use crate::finding::{Quantity, Unit};
use std::fmt;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// A number with a unit of this kind.
    Quantity(Unit),
    /// A text.
    Text,
    /// True or false.
    Truth,
    /// Several texts.
    Texts,
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quantity(Unit::Length) => "a length, as \"815 mm\" or \"32 in\"",
            Self::Quantity(Unit::Area) => "an area, as \"7.5 m²\"",
            Self::Quantity(Unit::Volume) => "a volume, as \"20 m³\"",
            Self::Quantity(Unit::Angle) => "an angle, as \"45°\"",
            Self::Quantity(Unit::Minutes) => "a time, as \"60 min\"",
            Self::Quantity(Unit::Count) => "a number, as 2",
            Self::Quantity(Unit::Ratio) => "a ratio, as \"8.33 %\" or \"1:12\"",
            Self::Text => "a text",
            Self::Truth => "true or false",
            Self::Texts => "a list of texts",
        })
    }
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number with its unit.
    Quantity(Quantity),
    /// A text.
    Text(String),
    /// True or false.
    Truth(bool),
    /// Several texts.
    Texts(Vec<String>),
}

impl Value {
    /// The number in the unit of its kind, of a quantity.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Quantity(quantity) => Some(quantity.value),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantity(quantity) => quantity.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Truth(truth) => f.write_str(if *truth { "yes" } else { "no" }),
            Self::Texts(texts) => f.write_str(&texts.join(", ")),
        }
    }
}

/// The units of quantities: how they are written, their kind, and how much of the kept unit one is.
const UNITS: [(&str, Unit, f64); 21] = [
    ("mm", Unit::Length, 0.001),
    ("cm", Unit::Length, 0.01),
    ("m", Unit::Length, 1.0),
    ("in", Unit::Length, 0.0254),
    ("ft", Unit::Length, 0.3048),
    ("m²", Unit::Area, 1.0),
    ("m2", Unit::Area, 1.0),
    ("ft²", Unit::Area, 0.3048 * 0.3048),
    ("ft2", Unit::Area, 0.3048 * 0.3048),
    ("m³", Unit::Volume, 1.0),
    ("m3", Unit::Volume, 1.0),
    ("ft³", Unit::Volume, 0.3048 * 0.3048 * 0.3048),
    ("ft3", Unit::Volume, 0.3048 * 0.3048 * 0.3048),
    ("°", Unit::Angle, 1.0),
    ("deg", Unit::Angle, 1.0),
    ("min", Unit::Minutes, 1.0),
    ("h", Unit::Minutes, 60.0),
    ("%", Unit::Ratio, 0.01),
    ("mm/person", Unit::Length, 0.001),
    ("in/person", Unit::Length, 0.0254),
    ("m²/person", Unit::Area, 1.0),
];

/// Reads a quantity; the error has the character in the text, from 0, at which it is not as it should be.
pub fn quantity(text: &str) -> Result<Quantity, (usize, String)> {
    if let Some((rise, run)) = text.split_once(':') {
        return ratio(text, rise, run);
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let value: f64 = digits.parse().map_err(|_| (0, format!("`{text}` does not begin with a number")))?;
    let unit = rest.trim();
    let place = text.chars().count() - rest.trim_start().chars().count();
    if !value.is_finite() {
        return Err((0, format!("`{digits}` is beyond all measure")));
    }
    let known = UNITS.iter().find(|(name, ..)| *name == unit);
    match known {
        Some((_, kind, factor)) => Ok(Quantity { value: value * factor, unit: *kind }),
        None if unit.is_empty() => Err((place, format!("`{text}` has no unit"))),
        None => {
            let near = super::problem::instead(unit, UNITS.iter().map(|(name, ..)| *name));
            Err((place, format!("`{unit}` is no unit{near}")))
        }
    }
}

/// A ratio as `1:12`.
fn ratio(text: &str, rise: &str, run: &str) -> Result<Quantity, (usize, String)> {
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let place = text.chars().count() - run.trim_start().chars().count();
    let rise = number(rise).ok_or((0, format!("`{text}` is no ratio, as 1:12")))?;
    let run = number(run).filter(|v| *v > 0.0).ok_or((place, format!("`{text}` is no ratio, as 1:12")))?;
    Ok(Quantity { value: rise / run, unit: Unit::Ratio })
}

/// The text that a value of the file is, if it is one.
pub(super) fn text(value: &ifc::Value) -> Option<String> {
    match ifc::psets::plain_json(value) {
        serde_json::Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_in_the_unit_that_is_kept() {
        let close = |text: &str, value: f64, unit: Unit| {
            let found = quantity(text).unwrap();
            assert!((found.value - value).abs() < 1e-12 && found.unit == unit, "{text}: {found:?}");
        };
        close("815 mm", 0.815, Unit::Length);
        close("32in", 0.8128, Unit::Length);
        close("8.33 %", 0.0833, Unit::Ratio);
        close("1:12", 1.0 / 12.0, Unit::Ratio);
        close("7.5 m²", 7.5, Unit::Area);
        close("-45°", -45.0, Unit::Angle);
        close("1 h", 60.0, Unit::Minutes);
    }

    #[test]
    fn what_is_no_quantity_names_the_character() {
        let at = |text: &str| quantity(text).unwrap_err().0;
        assert_eq!(at("wide"), 0);
        assert_eq!(at("815 millim"), 4);
        assert_eq!(at("815"), 3);
        assert_eq!(at("1:0"), 2);
        assert_eq!(at("1e999 mm"), 0);
        assert!(quantity("12 ftt").unwrap_err().1.contains("`ft`"));
    }
}
