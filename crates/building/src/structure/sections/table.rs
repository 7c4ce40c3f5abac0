//! The tables of sections, read once from the files beside this one. A row that cannot be read is left out; a test asks that none is.

use super::shape::Shape;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The sections of European standards.
pub(super) const EUROPEAN: &str = include_str!("european.txt");
/// The sections of the American Institute of Steel Construction.
pub(super) const AMERICAN: &str = include_str!("american.txt");

/// Millimetres in an inch.
const INCH: f64 = 25.4;
/// Density of steel that tables of sections reckon with, in kg per mm³.
pub(super) const STEEL: f64 = 7850e-9;

/// A section that a table lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name as the standard writes it.
    pub name: String,
    /// Its dimensions.
    pub shape: Shape,
    /// The mass in kg/m that the standard states; hollow ones have that of the formula.
    pub mass: f64,
}

/// Every section, by [`key`] of its name.
pub(super) static TABLE: LazyLock<HashMap<String, Row>> = LazyLock::new(|| {
    let rows = rows(EUROPEAN, 1.0).chain(rows(AMERICAN, INCH));
    rows.map(|row| (key(&row.name), row)).collect()
});

/// The rows of a table whose lengths are so many mm.
pub(super) fn rows(text: &str, unit: f64) -> impl Iterator<Item = Row> + '_ {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .flat_map(move |line| hollow(line).unwrap_or_else(|| row(line, unit).into_iter().collect()))
}

/// A line such as `IPE80 I 80 46 3.8 5.2 5 = 6`.
fn row(line: &str, unit: f64) -> Option<Row> {
    let (left, stated) = line.split_once('=')?;
    let mut words = left.split_whitespace();
    let (name, kind) = (words.next()?, words.next()?);
    let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    let stated: f64 = stated.trim().parse().ok()?;
    let at = |i: usize| numbers.get(i).map(|n| n * unit);
    let shape = match kind {
        "I" => Shape::I { depth: at(0)?, width: at(1)?, web: at(2)?, flange: at(3)?, fillet: at(4)? },
        "U" => Shape::U {
            depth: at(0)?,
            width: at(1)?,
            web: at(2)?,
            flange: at(3)?,
            fillet: at(4)?,
            edge: at(5)?,
            slope: numbers.get(6)? / 100.0,
        },
        "L" => Shape::L { depth: at(0)?, width: at(1)?, thickness: at(2)?, fillet: at(3)?, edge: at(4)? },
        "R" => Shape::Box { depth: at(0)?, width: at(1)?, wall: at(2)?, outer: at(3)?, inner: at(4)? },
        "C" => Shape::Tube { diameter: at(0)?, wall: at(1)? },
        _ => return None,
    };
    // where lengths are inches, an area is stated
    let mass = if unit == 1.0 { stated } else { stated * unit * unit * STEEL * 1000.0 };
    Some(Row { name: name.to_owned(), shape, mass })
}

/// A line such as `hollow RHS 50x30: 3.2 4 5`; `None` for another one.
fn hollow(line: &str) -> Option<Vec<Row>> {
    let (size, walls) = line.strip_prefix("hollow ")?.split_once(':')?;
    let names = walls.split_whitespace().filter_map(|wall| {
        let (family, sides) = size.split_once(' ')?;
        let sides = if family.ends_with("SHS") { format!("{sides}x{sides}") } else { sides.to_owned() };
        by_formula(&format!("{family}{sides}x{wall}"))
    });
    Some(names.collect())
}

/// The hollow section that a name such as `RHS200x100x8` describes, by its standard's formula, whether or not a table lists it.
pub(super) fn by_formula(name: &str) -> Option<Row> {
    let parts = Parts::read(name);
    let (family, is_cold) = match parts.family.strip_prefix("CF") {
        Some(rest) => (rest, true),
        None => (parts.family.as_str(), false),
    };
    let cold = if is_cold { "CF" } else { "" };
    let (name, shape, least) = match (family, parts.numbers.as_slice()) {
        ("CHS", [diameter, wall]) => {
            let name = format!("{cold}CHS{diameter}x{wall}");
            (name, Shape::Tube { diameter: *diameter, wall: *wall }, *diameter)
        }
        ("SHS" | "RHS", [depth, width, wall]) => {
            let word = if depth == width { "SHS" } else { "RHS" };
            let name = format!("{cold}{word}{depth}x{width}x{wall}");
            (name, Shape::hollow(*depth, *width, *wall, is_cold), depth.min(*width))
        }
        _ => return None,
    };
    let wall = *parts.numbers.last()?;
    // thinner than a sheet or with corners that meet is no section
    let is_possible = wall >= 0.5 && wall * 6.0 <= least && (10.0..=3000.0).contains(&least);
    is_possible.then(|| Row { mass: shape.area() * STEEL * 1000.0, name, shape })
}

/// A name taken apart: `HSS5-1/2X4X3/8` is HSS with 5.5, 4 and 0.375; `HE200B` is HE, 200 and B.
pub(super) struct Parts {
    pub family: String,
    pub numbers: Vec<f64>,
    pub suffix: String,
}

impl Parts {
    pub(super) fn read(name: &str) -> Self {
        let plain: String = name
            .to_uppercase()
            .chars()
            .map(|c| if matches!(c, '×' | '*') { 'X' } else { c })
            .filter(|c| !c.is_whitespace())
            .collect();
        let first = plain.find(|c: char| c.is_ascii_digit()).unwrap_or(plain.len());
        let (head, rest) = plain.split_at(first);
        let last = rest.rfind(|c: char| c.is_ascii_digit()).map_or(0, |i| i + 1);
        let (numbers, suffix) = rest.split_at(last);
        let letters = |text: &str| -> String { text.chars().filter(char::is_ascii_alphabetic).collect() };
        let family = letters(head);
        let suffix = letters(suffix);
        let numbers: Vec<f64> = numbers.split('X').filter_map(number).collect();
        let numbers = match (family.as_str(), numbers.as_slice()) {
            // equal legs or sides said once
            ("L" | "SHS" | "RHS" | "CFSHS" | "CFRHS", [side, wall]) => vec![*side, *side, *wall],
            _ => numbers,
        };
        let family = match (family.as_str(), suffix.as_str()) {
            ("HE", "A" | "B" | "M") => {
                return Self { family: format!("HE{suffix}"), numbers, suffix: String::new() };
            }
            ("UNP" | "U", _) => "UPN".to_owned(),
            ("RHS", _) if numbers.first() == numbers.get(1) => "SHS".to_owned(),
            ("SHS", _) if numbers.first() != numbers.get(1) => "RHS".to_owned(),
            ("CFRHS", _) if numbers.first() == numbers.get(1) => "CFSHS".to_owned(),
            _ => family,
        };
        Self { family, numbers, suffix }
    }
}

/// A number such as `5.6`, `5,6`, `3/8` or `1-3/8`.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(['-', '_']).trim_end_matches(['.', '-', '_']).replace(',', ".");
    let part = |text: &str| -> Option<f64> {
        match text.split_once('/') {
            Some((over, under)) => Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?),
            None => text.parse().ok(),
        }
    };
    let value = match text.split_once('-') {
        Some((whole, rest)) => part(whole)? + part(rest)?,
        None => part(&text)?,
    };
    value.is_finite().then_some(value)
}

/// The name without case, spaces, dots and ways of writing numbers.
pub(super) fn key(name: &str) -> String {
    let parts = Parts::read(name);
    let numbers: Vec<String> = parts.numbers.iter().map(|n| format!("{n:.3}")).collect();
    format!("{}|{}|{}", parts.family, numbers.join("|"), parts.suffix)
}
