//! What a value must be: one text, or a restriction of XML Schema.
//!
//! Numbers are equal within the tolerance of IDS 1.0, its bounds included; ranges are exact (IDS documentation, tolerance).

use super::lexical;
use super::pattern::Pattern;
use std::borrow::Cow;
use std::cmp::Ordering;
use xml::Place;

/// The relative and the absolute part of the tolerance.
const EPSILON: f64 = 1e-6;

/// A base type of XML Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// `xs:string`.
    String,
    /// `xs:boolean`.
    Boolean,
    /// `xs:integer`.
    Integer,
    /// `xs:double`.
    Double,
    /// `xs:float`.
    Float,
    /// `xs:decimal`.
    Decimal,
    /// `xs:duration`.
    Duration,
    /// `xs:dateTime`.
    DateTime,
    /// `xs:date`.
    Date,
    /// `xs:time`.
    Time,
    /// `xs:anyURI`.
    AnyUri,
}

impl Base {
    /// Every base type.
    pub const ALL: [Self; 11] = [
        Self::String,
        Self::Boolean,
        Self::Integer,
        Self::Double,
        Self::Float,
        Self::Decimal,
        Self::Duration,
        Self::DateTime,
        Self::Date,
        Self::Time,
        Self::AnyUri,
    ];

    /// The name without a prefix.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Double => "double",
            Self::Float => "float",
            Self::Decimal => "decimal",
            Self::Duration => "duration",
            Self::DateTime => "dateTime",
            Self::Date => "date",
            Self::Time => "time",
            Self::AnyUri => "anyURI",
        }
    }

    /// The base type of a qualified name, whatever its prefix.
    pub fn from_name(name: &str) -> Option<Self> {
        let local = name.rsplit(':').next().unwrap_or(name);
        Self::ALL.into_iter().find(|base| base.as_str() == local)
    }

    /// True if a value may be written so.
    pub(super) fn accepts(self, text: &str) -> bool {
        match self {
            Self::String | Self::AnyUri => true,
            Self::Boolean => lexical::boolean(text).is_some(),
            Self::Integer => lexical::is_integer(text),
            Self::Decimal => lexical::is_decimal(text),
            Self::Double | Self::Float => lexical::double(text).is_some(),
            Self::Duration => lexical::duration(text).is_some(),
            Self::DateTime => lexical::date_time(text).is_some(),
            Self::Date => lexical::date(text).is_some(),
            Self::Time => lexical::time(text).is_some(),
        }
    }

    /// True if its values are numbers.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Double | Self::Float | Self::Decimal)
    }
}

/// Bounds, each as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// More than.
    pub min_exclusive: Option<String>,
    /// Not less than.
    pub min_inclusive: Option<String>,
    /// Less than.
    pub max_exclusive: Option<String>,
    /// Not more than.
    pub max_inclusive: Option<String>,
}

impl Bounds {
    /// True if something bounds from below.
    pub(super) fn has_min(&self) -> bool {
        self.min_exclusive.is_some() || self.min_inclusive.is_some()
    }

    /// True if something bounds from above.
    pub(super) fn has_max(&self) -> bool {
        self.max_exclusive.is_some() || self.max_inclusive.is_some()
    }

    /// Each bound with its name.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("minExclusive", &self.min_exclusive),
            ("minInclusive", &self.min_inclusive),
            ("maxExclusive", &self.max_exclusive),
            ("maxInclusive", &self.max_inclusive),
        ]
        .into_iter()
        .filter_map(|(name, bound)| Some((name, bound.as_deref()?)))
    }
}

/// A restriction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Restriction {
    /// The base as it is written.
    pub base: String,
    /// One of these.
    pub enumeration: Vec<String>,
    /// Like one of these.
    pub patterns: Vec<Pattern>,
    /// Between these.
    pub bounds: Bounds,
    /// Exactly so many characters.
    pub length: Option<u64>,
    /// At least so many characters.
    pub min_length: Option<u64>,
    /// At most so many characters.
    pub max_length: Option<u64>,
    /// At most so many digits.
    pub total_digits: Option<u64>,
    /// At most so many digits behind the point.
    pub fraction_digits: Option<u64>,
    /// The names of all facets, in order, those that are not known here included.
    pub facets: Vec<String>,
    /// The place of its tag.
    pub place: Place,
}

impl Restriction {
    /// The base type, if it is one of XML Schema that IDS uses.
    pub fn base(&self) -> Option<Base> {
        Base::from_name(&self.base)
    }
}

/// The demand on a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    /// This.
    Simple(String),
    /// As restricted.
    Restriction(Box<Restriction>),
}

/// A value of a model, in SI units if it is a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum<'v> {
    Text(Cow<'v, str>),
    Real(f64),
    Integer(i64),
    Boolean(bool),
}

impl std::fmt::Display for Datum<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => {
                let mut letters = text.chars();
                let kept: String = letters.by_ref().take(80).collect();
                write!(f, "\"{kept}{}\"", if letters.next().is_some() { "…" } else { "" })
            }
            // without what is left of a conversion, as in 0.7619999999999989
            Self::Real(number) => {
                let rounded = format!("{number:.11e}").parse().unwrap_or(*number);
                write!(f, "{rounded}")
            }
            Self::Integer(number) => write!(f, "{number}"),
            Self::Boolean(truth) => write!(f, "{truth}"),
        }
    }
}

impl Constraint {
    /// True if it asks for nothing: an empty text, or nothing but empty patterns and values.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Simple(text) => text.is_empty(),
            Self::Restriction(restriction) => {
                restriction.facets.iter().all(|name| name == "pattern" || name == "enumeration")
                    && restriction.enumeration.iter().all(String::is_empty)
                    && restriction.patterns.iter().all(|pattern| pattern.text().is_empty())
            }
        }
    }

    /// True if a text meets it.
    pub(super) fn accepts_text(&self, text: &str) -> bool {
        self.accepts(&Datum::Text(Cow::Borrowed(text)))
    }

    /// True if a value meets it.
    pub(super) fn accepts(&self, value: &Datum<'_>) -> bool {
        match self {
            Self::Simple(text) => is_equal(text, value),
            Self::Restriction(restriction) => restriction.accepts(value),
        }
    }

    /// The single text that it asks for.
    pub(super) fn single(&self) -> Option<&str> {
        match self {
            Self::Simple(text) => Some(text),
            Self::Restriction(restriction) => match restriction.enumeration.as_slice() {
                [only] if restriction.facets.len() == 1 => Some(only),
                _ => None,
            },
        }
    }

    /// In words: `"FireRating"`, `one of "A", "B"`, `≥ 2`.
    pub fn describe(&self) -> String {
        let Self::Restriction(restriction) = self else {
            let Self::Simple(text) = self else { return String::new() };
            return format!("\"{text}\"");
        };
        let mut parts = Vec::new();
        if !restriction.enumeration.is_empty() {
            let mut listed: Vec<String> =
                restriction.enumeration.iter().take(12).map(|value| format!("\"{value}\"")).collect();
            if restriction.enumeration.len() > 12 {
                listed.push("…".to_owned());
            }
            parts.push(format!("one of {}", listed.join(", ")));
        }
        if !restriction.patterns.is_empty() {
            let listed: Vec<_> =
                restriction.patterns.iter().map(|pattern| format!("/{}/", pattern.text())).collect();
            parts.push(format!("like {}", listed.join(" or ")));
        }
        for (name, bound) in restriction.bounds.all() {
            let sign = match name {
                "minExclusive" => ">",
                "minInclusive" => "≥",
                "maxExclusive" => "<",
                _ => "≤",
            };
            parts.push(format!("{sign} {bound}"));
        }
        for (words, number) in [
            ("characters", restriction.length),
            ("characters at least", restriction.min_length),
            ("characters at most", restriction.max_length),
            ("digits at most", restriction.total_digits),
            ("digits at most behind the point", restriction.fraction_digits),
        ] {
            if let Some(number) = number {
                parts.push(format!("{number} {words}"));
            }
        }
        parts.join(" and ")
    }
}

/// True if a number is this one within the tolerance of IDS 1.0; the cases of the standard count the bounds in.
pub(super) fn is_near(number: f64, wanted: f64) -> bool {
    let slack = wanted.abs() * EPSILON + EPSILON;
    wanted - slack <= number && number <= wanted + slack
}

/// True if a value is what a text says.
fn is_equal(text: &str, value: &Datum<'_>) -> bool {
    match value {
        Datum::Text(own) => own == text,
        Datum::Real(number) => lexical::double(text).is_some_and(|wanted| is_near(*number, wanted)),
        Datum::Integer(number) => lexical::double(text).is_some_and(|wanted| wanted == *number as f64),
        Datum::Boolean(truth) => lexical::boolean(text) == Some(*truth),
    }
}

impl Restriction {
    /// True if it accepts every text of these characters of ASCII, a bit for each, but perhaps the empty one; it may do so where this does
    /// not say it.
    pub(super) fn accepts_all(&self, letters: u128) -> bool {
        // any other facet might refuse one of them
        let is_pattern = !self.patterns.is_empty() && self.facets.iter().all(|name| name == "pattern");
        is_pattern && self.patterns.iter().any(|pattern| pattern.matches_all(letters))
    }

    fn accepts(&self, value: &Datum<'_>) -> bool {
        let any_pattern = || match value {
            Datum::Text(text) => self.patterns.iter().any(|pattern| pattern.is_match(text)),
            // patterns are for texts and nothing else
            _ => false,
        };
        (self.enumeration.is_empty() || self.enumeration.iter().any(|text| is_equal(text, value)))
            && (self.patterns.is_empty() || any_pattern())
            && self.accepts_length(value)
            && self.accepts_digits(value)
            && self.bounds.all().all(|(name, bound)| {
                let order = self.compare(value, bound);
                match name {
                    "minExclusive" => order == Some(Ordering::Greater),
                    "minInclusive" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                    "maxExclusive" => order == Some(Ordering::Less),
                    _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                }
            })
    }

    fn accepts_length(&self, value: &Datum<'_>) -> bool {
        if self.length.is_none() && self.min_length.is_none() && self.max_length.is_none() {
            return true;
        }
        let Datum::Text(text) = value else { return false };
        let count = text.chars().count() as u64;
        self.length.is_none_or(|length| length == count)
            && self.min_length.is_none_or(|least| least <= count)
            && self.max_length.is_none_or(|most| count <= most)
    }

    fn accepts_digits(&self, value: &Datum<'_>) -> bool {
        if self.total_digits.is_none() && self.fraction_digits.is_none() {
            return true;
        }
        let text = match value {
            Datum::Real(number) => number.abs().to_string(),
            Datum::Integer(number) => number.unsigned_abs().to_string(),
            _ => return false,
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let whole = whole.trim_start_matches('0').len() as u64;
        let fraction = fraction.len() as u64;
        self.total_digits.is_none_or(|most| (whole + fraction).max(1) <= most)
            && self.fraction_digits.is_none_or(|most| fraction <= most)
    }

    /// The order of a value and a bound; none where they cannot be compared.
    fn compare(&self, value: &Datum<'_>, bound: &str) -> Option<Ordering> {
        match value {
            Datum::Real(number) => number.partial_cmp(&lexical::double(bound)?),
            Datum::Integer(number) => match bound.parse::<i64>() {
                Ok(bound) => Some(number.cmp(&bound)),
                Err(_) => (*number as f64).partial_cmp(&lexical::double(bound)?),
            },
            Datum::Boolean(_) => None,
            Datum::Text(text) => match self.base()? {
                Base::Date => lexical::date(text)?.partial_cmp(&lexical::date(bound)?),
                Base::Time => lexical::time(text)?.partial_cmp(&lexical::time(bound)?),
                Base::DateTime => lexical::date_time(text)?.partial_cmp(&lexical::date_time(bound)?),
                Base::Duration => {
                    lexical::compare_durations(lexical::duration(text)?, lexical::duration(bound)?)
                }
                _ => None,
            },
        }
    }
}
