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
            Unit::Length if value.abs() < 0.01 && value != 0.0 => write!(f, "{:.1} mm", value * 1000.0),
            Unit::Length => write!(f, "{:.0} mm", value * 1000.0),
            Unit::Area => write!(f, "{value:.2} m²"),
            Unit::Volume => write!(f, "{value:.3} m³"),
            Unit::Angle => write!(f, "{value:.1}°"),
            Unit::Minutes => write!(f, "{value:.0} min"),
            Unit::Count => write!(f, "{value:.0}"),
            Unit::Ratio => write!(f, "{value:.3}"),
        }
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
