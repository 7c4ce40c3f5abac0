//! Fire resistance ratings as they are spelt: REI 60 and EI2 30-C5 (EN 13501-2), F90-A and T30 (DIN 4102), FRL 90/90/90 (AS 1530.4), FD30S
//! (BS 476), CF 1h30, hours and minutes.

use regex::Regex;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A fire resistance in minutes, by criterion; what is not asked for is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Load-bearing capacity, R.
    pub load: Option<f64>,
    /// Integrity, E.
    pub integrity: Option<f64>,
    /// Insulation, I.
    pub insulation: Option<f64>,
}

/// A text that should be a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// A rating.
    Rated(Rating),
    /// A word that says that there is none.
    Unrated,
    /// Something that is not understood.
    Unreadable,
}

impl Rating {
    /// All three criteria for so many minutes.
    pub fn all(minutes: f64) -> Self {
        Self { load: Some(minutes), integrity: Some(minutes), insulation: Some(minutes) }
    }

    /// Integrity and insulation for so many minutes, as doors and glazing have them.
    pub fn separating(minutes: f64) -> Self {
        Self { load: None, ..Self::all(minutes) }
    }

    /// The minutes for which it keeps fire back: the least of integrity and insulation, else those of load-bearing.
    pub fn minutes(&self) -> f64 {
        let separating = [self.integrity, self.insulation].into_iter().flatten().reduce(f64::min);
        separating.or(self.load).unwrap_or(0.0)
    }

    fn set(&mut self, letters: &str, minutes: f64) {
        for letter in letters.chars() {
            match letter {
                'R' => self.load = Some(minutes),
                'E' => self.integrity = Some(minutes),
                'I' => self.insulation = Some(minutes),
                _ => {}
            }
        }
    }
}

/// Words that say that there is no rating.
const NONE: [&str; 14] = [
    "NONE",
    "N/A",
    "NA",
    "NO",
    "-",
    "--",
    "0",
    "UNRATED",
    "NOT RATED",
    "NON-RATED",
    "NON RATED",
    "KEINE",
    "OHNE",
    "NPD",
];

/// Makes a pattern of this file's own; one that were wrong would match nothing, which the tests would show.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

static TRIPLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:^|[^0-9])(\d{1,3}|-)\s*/\s*(\d{1,3}|-)\s*/\s*(\d{1,3}|-)"));
static EUROPEAN: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:^|[^A-Z])(REI|REW|RE|EI[12]|EI|EW|R|E)(?:-M)?[\s\-:]*(\d{2,3})"));
static FRENCH: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:^|[^A-Z])(CF|PF|SF)\s*(?:(\d)/(\d)|(\d+))\s*H\s*(\d{2})?"));
static NATIONAL: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:^|[^A-Z])(FD|F|T|W|G|K|L|B)[\s\-]*(\d{2,3})"));
static MINUTES: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(\d{1,3}(?:\.\d+)?)\s*-?\s*(?:MIN|MN|DAK|')"));
static HOURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?:(\d+(?:\.\d+)?)(?:[\s\-]+|\s*AND\s*)?)??(?:(\d)/(\d)[\s\-]*|(\d+(?:\.\d+)?)[\s\-]*)(?:HOUR|HR|STD|SAAT|UUR|H\b|H$)",
    )
});

/// Reads a rating.
pub fn read(text: &str) -> Reading {
    let plain = text.trim().to_uppercase().replace(',', ".").replace(['–', '—'], "-");
    let plain = plain.replace('½', " 1/2").replace('¼', " 1/4").replace('¾', " 3/4");
    let plain = plain.trim();
    if plain.is_empty() || NONE.contains(&plain) {
        return Reading::Unrated;
    }
    let found = triple(plain)
        .or_else(|| european(plain))
        .or_else(|| french(plain))
        .or_else(|| national(plain))
        .or_else(|| minutes(plain))
        .or_else(|| hours(plain))
        .or_else(|| bare(plain));
    match found {
        Some(rating) if rating.minutes() > 0.0 => Reading::Rated(rating),
        Some(_) => Reading::Unrated,
        None => Reading::Unreadable,
    }
}

fn number(found: Option<regex::Match<'_>>) -> Option<f64> {
    found?.as_str().parse().ok()
}

fn triple(text: &str) -> Option<Rating> {
    let found = TRIPLE.as_ref()?.captures(text)?;
    let [load, integrity, insulation] = [1, 2, 3].map(|group| number(found.get(group)).filter(|v| *v > 0.0));
    Some(Rating { load, integrity, insulation })
}

fn european(text: &str) -> Option<Rating> {
    let mut rating = None::<Rating>;
    for found in EUROPEAN.as_ref()?.captures_iter(text) {
        let (letters, minutes) = (found.get(1)?.as_str(), number(found.get(2))?);
        rating.get_or_insert_default().set(letters, minutes);
    }
    rating
}

fn french(text: &str) -> Option<Rating> {
    let found = FRENCH.as_ref()?.captures(text)?;
    let part = number(found.get(2)).zip(number(found.get(3))).map(|(a, b)| a / b.max(1.0));
    let hours = part.or_else(|| number(found.get(4)))?;
    let minutes = hours * 60.0 + number(found.get(5)).unwrap_or(0.0);
    let mut rating = Rating::default();
    let letters = match found.get(1)?.as_str() {
        "CF" => "EI",
        "PF" => "E",
        _ => "R",
    };
    rating.set(letters, minutes);
    Some(rating)
}

fn national(text: &str) -> Option<Rating> {
    let found = NATIONAL.as_ref()?.captures(text)?;
    let minutes = number(found.get(2))?;
    Some(match found.get(1)?.as_str() {
        "F" => Rating::all(minutes),
        "G" => Rating { integrity: Some(minutes), ..Rating::default() },
        _ => Rating::separating(minutes),
    })
}

fn minutes(text: &str) -> Option<Rating> {
    number(MINUTES.as_ref()?.captures(text)?.get(1)).map(Rating::all)
}

fn hours(text: &str) -> Option<Rating> {
    let found = HOURS.as_ref()?.captures(text)?;
    let part = number(found.get(2)).zip(number(found.get(3))).map(|(a, b)| a / b.max(1.0));
    let whole = if part.is_some() { number(found.get(1)) } else { number(found.get(4)) };
    Some(Rating::all((whole.unwrap_or(0.0) + part.unwrap_or(0.0)) * 60.0))
}

/// A number alone: of 10 and more minutes, of up to 4 hours.
fn bare(text: &str) -> Option<Rating> {
    let value: f64 = text.parse().ok()?;
    match value {
        v if (10.0..=480.0).contains(&v) => Some(Rating::all(v)),
        v if v > 0.0 && v <= 4.0 => Some(Rating::all(v * 60.0)),
        0.0 => Some(Rating::default()),
        _ => None,
    }
}
