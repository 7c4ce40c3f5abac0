//! Numbers as they stand on drawings: measures in the style's unit, with the sign of its language.

use super::{Style, Unit};

/// A measure as words: the figures, and the raised 5 of half a centimetre behind them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figure {
    /// The figures, such as `2.13`.
    pub base: String,
    /// True with a small raised 5 behind.
    pub is_half: bool,
}

impl Figure {
    /// The figure as one word, the raised 5 as the character `⁵`.
    pub fn words(&self) -> String {
        if self.is_half { format!("{}⁵", self.base) } else { self.base.clone() }
    }
}

impl Style {
    /// A length in metres as a dimension's figure. Millimetres are rounded to whole ones; centimetres and metres to millimetres, or
    /// to half centimetres where the half is raised.
    pub fn measure(&self, metres: f64) -> Figure {
        let mm = (metres * 1000.0).round();
        let decimal = self.words().decimal;
        match self.dimensions.unit {
            Unit::Mm => Figure { base: format!("{mm:.0}"), is_half: false },
            unit if self.dimensions.superscript => {
                let halves = (mm / 5.0).round() as i64;
                let (cm, is_half) = (halves.div_euclid(2), halves.rem_euclid(2) == 1);
                // lengths below a metre are told in centimetres, as they are on the site
                let base = if unit == Unit::M && cm >= 100 {
                    format!("{}{decimal}{:02}", cm / 100, cm % 100)
                } else {
                    cm.to_string()
                };
                Figure { base, is_half }
            }
            Unit::Cm => Figure { base: trimmed(mm / 10.0, 1, 0, &decimal), is_half: false },
            Unit::M => Figure { base: trimmed(mm / 1000.0, 3, 2, &decimal), is_half: false },
        }
    }

    /// An area in square metres to two decimals.
    pub fn area(&self, square_metres: f64) -> String {
        format!("{square_metres:.2} m²").replace('.', &self.words().decimal)
    }

    /// A height in metres with its sign and two decimals; nought is ±0.00.
    pub fn level(&self, metres: f64) -> String {
        let rounded = (metres * 100.0).round() / 100.0;
        let text = if rounded == 0.0 { "±0.00".to_owned() } else { format!("{rounded:+.2}") };
        text.replace('.', &self.words().decimal)
    }
}

/// A number with at most `most` decimals and at least `least`, noughts behind them left out.
fn trimmed(value: f64, most: usize, least: usize, decimal: &str) -> String {
    let mut text = format!("{value:.most$}");
    if let Some(point) = text.find('.') {
        while text.len() > point + 1 + least && text.ends_with('0') {
            text.pop();
        }
        if text.ends_with('.') {
            text.pop();
        }
    }
    text.replace('.', decimal)
}
