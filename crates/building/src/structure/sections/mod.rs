//! Sections of columns and beams: by the name a standard gives them, rectangular, round, or any outline.
//!
//! What the tables hold, and on whose word, their heads say. A name that none has is refused with the nearest.

pub mod shape;
mod table;

use crate::lookup;
use crate::measures::{mm, positive};
use crate::polygon;
use contract::Fault;
use glam::DVec2;
pub use table::Row;

/// A section asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Section {
    /// Of a standard.
    Named(Row),
    /// A rectangle, of mm along x and along y.
    Rectangle {
        /// Along x.
        width: f64,
        /// Along y.
        depth: f64,
    },
    /// A full circle.
    Round {
        /// In mm.
        diameter: f64,
    },
    /// An outline in mm.
    Outline(Vec<DVec2>),
}

/// The section of a name; `field` is the parameter that gave it.
pub fn named(field: &str, text: &str) -> Result<Row, Fault> {
    if let Some(row) = table::TABLE.get(&table::key(text)) {
        return Ok(row.clone());
    }
    // the formulas hold for sizes that no table lists
    if let Some(row) = table::by_formula(text) {
        return Ok(row);
    }
    let near = nearest(text);
    let hint = match near.as_slice() {
        [] => "Names are such as IPE300, HEB200, UPN160, L100x100x10, CHS139.7x5, RHS200x100x8, W12X26, HSS6X4X1/4.".to_owned(),
        near => format!("The nearest are {}.", near.join(", ")),
    };
    Err(Fault::invalid(
        field,
        format!("`{field}`: {text} is no section of the European or American tables. {hint}"),
    )
    .with("near_matches", near))
}

/// Returns true if a table lists a section; others follow their standard's formula.
pub fn is_listed(row: &Row) -> bool {
    table::TABLE.contains_key(&table::key(&row.name))
}

/// The names nearest to one: of its family those of the nearest size, else those that are spelled alike.
fn nearest(text: &str) -> Vec<String> {
    let wanted = table::Parts::read(text);
    let mut kin: Vec<(f64, &str)> = table::TABLE
        .values()
        .filter_map(|row| {
            let parts = table::Parts::read(&row.name);
            if parts.family != wanted.family {
                return None;
            }
            let distance = parts
                .numbers
                .iter()
                .zip(wanted.numbers.iter().map(Some).chain(std::iter::repeat(None)))
                .map(|(own, asked)| asked.map_or(0.0, |asked| (own - asked).abs()))
                .sum();
            Some((distance, row.name.as_str()))
        })
        .collect();
    kin.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    if kin.is_empty() {
        return lookup::near(text, table::TABLE.values().map(|row| row.name.as_str()));
    }
    kin.into_iter().take(5).map(|(_, name)| name.to_owned()).collect()
}

impl Section {
    /// A rectangle; `width` and `depth` are the parameters' names too.
    pub fn rectangle(width: f64, depth: f64) -> Result<Self, Fault> {
        Ok(Self::Rectangle { width: positive("width", width)?, depth: positive("depth", depth)? })
    }

    /// A circle.
    pub fn round(diameter: f64) -> Result<Self, Fault> {
        Ok(Self::Round { diameter: positive("diameter", diameter)? })
    }

    /// An outline whose points are already checked, turned counter-clockwise.
    pub fn outline(mut points: Vec<DVec2>) -> Self {
        if polygon::signed_area(&points) < 0.0 {
            points.reverse();
        }
        Self::Outline(points)
    }

    /// The name of its profile, such as `HEB200` or `300 x 400 mm`.
    pub fn title(&self) -> String {
        match self {
            Self::Named(row) => row.name.clone(),
            Self::Rectangle { width, depth } => format!("{} x {} mm", mm(*width), mm(*depth)),
            Self::Round { diameter } => format!("D {} mm", mm(*diameter)),
            Self::Outline(points) => {
                let (low, high) = polygon::bounds(points);
                let (size, area) = (high - low, polygon::area(points));
                let sides = points.len();
                format!("{sides} corners, {} x {} mm, {} mm2", mm(size.x), mm(size.y), area.round())
            }
        }
    }

    /// The material that such sections are of, where nothing else is said.
    pub fn material(&self) -> &'static str {
        if matches!(self, Self::Named(_)) { "Steel" } else { "Reinforced concrete" }
    }

    /// Returns its greatest measure across, in mm.
    pub fn breadth(&self) -> f64 {
        match self {
            Self::Named(row) => {
                let (depth, width) = row.shape.size();
                depth.max(width)
            }
            Self::Rectangle { width, depth } => width.max(*depth),
            Self::Round { diameter } => *diameter,
            Self::Outline(points) => {
                let (low, high) = polygon::bounds(points);
                (high - low).max_element()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_tables_is_read_and_has_the_mass_that_its_source_states() {
        for (text, unit, rows) in [(table::EUROPEAN, 1.0, 500), (table::AMERICAN, 25.4, 1200)] {
            let lines = text.lines().filter(|l| l.contains(" = ") && !l.starts_with('#')).count();
            let read: Vec<Row> = table::rows(text, unit).collect();
            assert!(read.len() > rows && read.len() >= lines, "{} rows of {lines} lines", read.len());
            for row in read {
                let mass = row.shape.area() * table::STEEL * 1000.0;
                assert!((mass / row.mass - 1.0).abs() < 0.01, "{}: {mass} is not {}", row.name, row.mass);
            }
        }
        // no two names are one
        let all = table::rows(table::EUROPEAN, 1.0).chain(table::rows(table::AMERICAN, 25.4)).count();
        assert_eq!(table::TABLE.len(), all);
    }

    #[test]
    fn hollow_sections_have_the_masses_that_their_standards_state() {
        let stated = [
            ("CHS139.7x5", 16.6),
            ("CHS219.1x8", 41.6),
            ("CHS406.4x10", 97.8),
            ("SHS100x100x5", 14.7),
            ("SHS40x40x4", 4.39),
            ("SHS200x200x10", 58.8),
            ("SHS150x150x8", 35.1),
            ("RHS200x100x8", 35.1),
            ("RHS300x200x10", 74.5),
            ("RHS60x40x4", 5.64),
            ("CFSHS100x100x4", 11.7),
            ("CFSHS60x60x3", 5.19),
        ];
        for (name, mass) in stated {
            let found = named("section", name).unwrap();
            assert!((found.mass / mass - 1.0).abs() < 0.01, "{name}: {} is not {mass}", found.mass);
        }
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        for (written, name) in [
            ("HE 200 B", "HEB200"),
            ("heb200", "HEB200"),
            ("H.E.B. 200", "HEB200"),
            ("ipe 300", "IPE300"),
            ("UNP 160", "UPN160"),
            ("L 100 x 10", "L100x100x10"),
            ("L100×50×8", "L100x50x8"),
            ("RHS 100x100x5", "SHS100x100x5"),
            ("shs 100 x 5.0", "SHS100x100x5"),
            ("CHS 139,7 x 5", "CHS139.7x5"),
            ("w12x26", "W12X26"),
            ("HSS6X4X.25", "HSS6X4X1/4"),
            ("HSS 5-1/2 x 5-1/2 x 3/8", "HSS5-1/2X5-1/2X3/8"),
        ] {
            assert_eq!(named("section", written).unwrap().name, name, "{written}");
        }
    }

    #[test]
    fn an_unknown_name_answers_the_nearest() {
        let fault = named("section", "HEB 210").unwrap_err();
        assert_eq!(fault.data["field"], "section");
        let near = fault.data["near_matches"].as_array().unwrap().clone();
        assert_eq!(near[..2], ["HEB200", "HEB220"]);
        assert!(named("section", "SHS 100x100x50").is_err());
        assert!(named("section", "nonsense").unwrap_err().message.contains("IPE300"));
        let made = named("section", "RHS 210x105x7").unwrap();
        assert!(!is_listed(&made) && made.name == "RHS210x105x7");
    }
}
