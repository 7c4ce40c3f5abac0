//! The findings of checks: a finding is one place of a model that is not as a rule asks, with what was measured, what is required, and
//! what to do about it.

use glam::DVec3;
use ifc::Id;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The weight of a finding, the heaviest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The requirement is not met.
    Error,
    /// The requirement is probably not met, or good practice is not kept.
    Warning,
    /// To be known, such as that something could not be judged.
    Info,
}

impl Severity {
    /// Its name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// The unit that a quantity is kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Metres; told in mm.
    Length,
    /// Square metres.
    Area,
    /// Cubic metres.
    Volume,
    /// Degrees.
    Angle,
    /// Minutes, of fire resistance.
    Minutes,
    /// A number of things.
    Count,
    /// A share of one.
    Ratio,
}

/// A value with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// The value, in the unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
}

impl Quantity {
    /// A length in metres.
    pub fn length(metres: f64) -> Self {
        Self { value: metres, unit: Unit::Length }
    }

    /// An area in square metres.
    pub fn area(square_metres: f64) -> Self {
        Self { value: square_metres, unit: Unit::Area }
    }

    /// A volume in cubic metres.
    pub fn volume(cubic_metres: f64) -> Self {
        Self { value: cubic_metres, unit: Unit::Volume }
    }

    /// An angle in degrees.
    pub fn angle(degrees: f64) -> Self {
        Self { value: degrees, unit: Unit::Angle }
    }

    /// A number of things.
    pub fn count(number: usize) -> Self {
        Self { value: number as f64, unit: Unit::Count }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match self.unit {
            // what is less than half of a tenth is no length at all
            Unit::Length if value.abs() < 5e-5 => f.write_str("0 mm"),
            Unit::Length if value.abs() < 0.01 => write!(f, "{} mm", Places(value * 1000.0, 1)),
            Unit::Length => write!(f, "{} mm", Places(value * 1000.0, 0)),
            Unit::Area => write!(f, "{} m²", Places(value, 2)),
            Unit::Volume => write!(f, "{} m³", Places(value, 3)),
            Unit::Angle => write!(f, "{}°", Places(value, 1)),
            Unit::Minutes => write!(f, "{} min", Places(value, 0)),
            Unit::Count => write!(f, "{}", Places(value, 0)),
            Unit::Ratio => write!(f, "{}", Places(value, 3)),
        }
    }
}

/// A number with so many decimal places. What rounds to nought has no sign: sums of lengths end at -0, which nobody measures.
struct Places(f64, usize);

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, places) = *self;
        let text = format!("{value:.places$}");
        let is_nought = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        f.write_str(if is_nought { text.trim_start_matches('-') } else { &text })
    }
}

/// The demand of a rule on a measured value.
#[derive(Debug, Clone, PartialEq)]
pub enum Required {
    /// At least this much.
    AtLeast(Quantity),
    /// At most this much.
    AtMost(Quantity),
    /// This much, and nothing else.
    Exactly(Quantity),
    /// From the first to the second.
    Between(Quantity, Quantity),
    /// Something that is no quantity, in words: `FireRating given`.
    Words(String),
}

impl fmt::Display for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(limit) => write!(f, "at least {limit}"),
            Self::AtMost(limit) => write!(f, "at most {limit}"),
            Self::Exactly(limit) => write!(f, "exactly {limit}"),
            Self::Between(low, high) => write!(f, "{low} to {high}"),
            Self::Words(words) => f.write_str(words),
        }
    }
}

/// A value as it was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// A quantity.
    Quantity(Quantity),
    /// Something else: the text of an attribute, `none`.
    Words(String),
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantity(quantity) => quantity.fmt(f),
            Self::Words(words) => f.write_str(words),
        }
    }
}

/// The call of a tool that mends a finding for certain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// The tool's name: `delete_elements`.
    pub tool: String,
    /// Its arguments, as the tool takes them: lengths in mm, elements by GlobalId.
    pub arguments: Value,
}

/// A place of a model that is not as a rule asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule's identifier, unique among all checks: `constraints.overlap`, `ada-2010.404.2.3`.
    pub rule: String,
    /// The clause of the source, as the source numbers it.
    pub clause: Option<String>,
    /// The weight.
    pub severity: Severity,
    /// The elements concerned, the one that it is about first.
    pub elements: Vec<Id>,
    /// The room that it is in, where it is not itself the element.
    pub room: Option<Id>,
    /// The message: what was found and what is due, in one or two sentences that stand by themselves.
    pub message: String,
    /// The value that was found.
    pub measured: Option<Measured>,
    /// The value that is asked for.
    pub required: Option<Required>,
    /// The place, in metres of the world.
    pub point: Option<DVec3>,
    /// Lines that show it, in metres of the world: a way, an edge.
    pub lines: Vec<Vec<DVec3>>,
    /// The remedy that an agent can carry out, in one sentence.
    pub suggestion: Option<String>,
    /// The calls that mend it, in this order, where that is certain.
    pub fix: Vec<Fix>,
}

impl Finding {
    /// A finding about some elements, the one that it is about first.
    pub fn new(rule: impl Into<String>, severity: Severity, elements: Vec<Id>, message: String) -> Self {
        Self {
            rule: rule.into(),
            clause: None,
            severity,
            elements,
            room: None,
            message,
            measured: None,
            required: None,
            point: None,
            lines: Vec::new(),
            suggestion: None,
            fix: Vec::new(),
        }
    }

    /// Returns the finding, with the value found and the value asked for.
    #[must_use]
    pub fn measured(mut self, measured: Quantity, required: Required) -> Self {
        self.measured = Some(Measured::Quantity(measured));
        self.required = Some(required);
        self
    }

    /// Returns the finding, with the clause of its source.
    #[must_use]
    pub fn by_clause(mut self, clause: &str) -> Self {
        self.clause = Some(clause.to_owned());
        self
    }

    /// Returns the finding, with its place.
    #[must_use]
    pub fn at(mut self, point: DVec3) -> Self {
        self.point = Some(point);
        self
    }

    /// Returns the finding, with what can be done about it.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// Returns the finding, with a call that mends it for certain.
    #[must_use]
    pub fn mended_by(mut self, tool: &str, arguments: Value) -> Self {
        self.fix.push(Fix { tool: tool.to_owned(), arguments });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{Quantity, Required, Unit};

    #[test]
    fn quantities_print_no_negative_nought_and_keep_the_sign_of_what_is_one() {
        let text = |value: f64, unit: Unit| Quantity { value, unit }.to_string();
        for (unit, nought) in [
            (Unit::Length, "0 mm"),
            (Unit::Area, "0.00 m²"),
            (Unit::Volume, "0.000 m³"),
            (Unit::Angle, "0.0°"),
            (Unit::Minutes, "0 min"),
            (Unit::Count, "0"),
            (Unit::Ratio, "0.000"),
        ] {
            for value in [-0.0, 0.0, -1e-6, 1e-6] {
                assert_eq!(text(value, unit), nought, "{value} {unit:?}");
            }
        }
        for (value, unit, told) in [
            (-0.004, Unit::Length, "-4.0 mm"),
            (0.0005, Unit::Length, "0.5 mm"),
            (-0.25, Unit::Length, "-250 mm"),
            (1.2, Unit::Length, "1200 mm"),
            (-0.006, Unit::Area, "-0.01 m²"),
            (-10.0, Unit::Count, "-10"),
        ] {
            assert_eq!(text(value, unit), told, "{value} {unit:?}");
        }
        assert_eq!(Required::AtLeast(Quantity::length(-0.0)).to_string(), "at least 0 mm");
    }
}
