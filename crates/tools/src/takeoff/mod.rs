//! Take-offs: quantities of elements added up by group, each with where it comes from, with waste, cost and carbon by a table of the caller's.

mod collect;
mod compare;
mod group;
mod quantity;
mod rates;
mod table;

pub(crate) use collect::{Asked, Collected, collect};
pub(crate) use compare::compare;
pub(crate) use rates::{Mapping, Rates};
pub(crate) use table::{Priced, differences, rows};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The source that a value is taken from where there are two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Prefer {
    /// Measured on the shape; where that cannot be, what the file states.
    #[default]
    Computed,
    /// As the file states; where it states nothing, measured.
    Stored,
}

/// The unit of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Unit {
    Piece,
    Metre,
    SquareMetre,
    CubicMetre,
    Kilogram,
    Second,
}

impl Unit {
    const ALL: [(&'static str, Self); 6] = [
        ("pcs", Self::Piece),
        ("m", Self::Metre),
        ("m²", Self::SquareMetre),
        ("m³", Self::CubicMetre),
        ("kg", Self::Kilogram),
        ("s", Self::Second),
    ];

    /// Its label.
    pub(crate) fn label(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, unit)| *unit == self).map_or("", |(label, _)| label)
    }

    /// The unit of this label, in any of its spellings.
    fn named(label: &str) -> Option<Self> {
        let label = label.trim();
        if ["pcs", "pc", "each", "ea", "no", "nr", "st", "stk", "1"].contains(&label.to_lowercase().as_str())
        {
            return Some(Self::Piece);
        }
        let (_, known, size) = crate::schedule::conversion::known(label)?;
        Self::ALL.into_iter().find(|(own, _)| *own == known && size == 1.0).map(|(_, unit)| unit)
    }
}

/// The sum of one quantity in one group.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sum {
    /// Elements with a value.
    pub count: usize,
    /// The sum of the values, each taken from the source that is preferred.
    pub value: f64,
    /// The values among them that were measured.
    pub from_shape: usize,
    /// The sum of what is stored, and of how many.
    pub stored: (f64, usize),
    /// The same measured.
    pub computed: (f64, usize),
    /// The sums over those elements that have both: stored, computed.
    pub both: (f64, f64, usize),
}

impl Sum {
    fn add(&mut self, stored: Option<f64>, computed: Option<f64>, prefer: Prefer) {
        let value = match prefer {
            Prefer::Computed => computed.or(stored),
            Prefer::Stored => stored.or(computed),
        };
        let Some(value) = value else { return };
        self.count += 1;
        self.value += value;
        let is_measured = match prefer {
            Prefer::Computed => computed.is_some(),
            Prefer::Stored => stored.is_none(),
        };
        self.from_shape += usize::from(is_measured);
        if let Some(stored) = stored {
            self.stored = (self.stored.0 + stored, self.stored.1 + 1);
        }
        if let Some(computed) = computed {
            self.computed = (self.computed.0 + computed, self.computed.1 + 1);
        }
        if let (Some(stored), Some(computed)) = (stored, computed) {
            self.both = (self.both.0 + stored, self.both.1 + computed, self.both.2 + 1);
        }
    }

    /// The source of the values.
    pub(crate) fn source(&self) -> String {
        match (self.from_shape, self.count - self.from_shape) {
            (_, 0) => "computed".to_owned(),
            (0, _) => "stored".to_owned(),
            (computed, stored) => format!("{computed} computed, {stored} stored"),
        }
    }

    /// The difference of what is stored from what is measured in percent, over the elements that have both.
    pub(crate) fn difference(&self) -> Option<f64> {
        let (stored, computed, count) = self.both;
        (count > 0 && computed.abs() > 1e-9).then(|| (stored - computed) / computed * 100.0)
    }
}

/// The sums of one group by quantity.
pub(crate) type Quantities = BTreeMap<String, (Unit, Sum)>;

/// A group: its keys, how many elements it has, and their quantities.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    /// The values of the grouping, in its order.
    pub keys: Vec<String>,
    /// Elements.
    pub elements: usize,
    /// Sums.
    pub quantities: Quantities,
}
