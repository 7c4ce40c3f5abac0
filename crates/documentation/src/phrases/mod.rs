//! Sentences of lists, legends and reports by language, and the names of classes as people call them.
//!
//! The language is the style's. Where there are no sentences in it they are in English, and [`Phrases::is_fallback`] says so.

mod classes;
mod de;
mod en;

use crate::style::Style;
use std::fmt::Write as _;

macro_rules! phrases {
    ($($(#[$doc:meta])* $field:ident),* $(,)?) => {
        /// The sentences of one language; `{}` stands where something is put in.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Table {
            $($(#[$doc])* pub $field: &'static str,)*
        }
    };
}

phrases! {
    legend, changes, colours, only_before, only_after, changed, old_outline, unchanged, cloud, not_here, more_rows,
    no_changes, new, removed, moved, turned, other_shape, size, other_openings, openings_new, openings_gone,
    openings_changed, other_look, other_class, one_property, properties, nothing_stated, findings, severity_error,
    severity_warning, severity_note, way, ways, not_on_view, no_value, at_least, below, passport, schema, program,
    written, authors, units, length, area, volume, map, easting, northing, height, crs, latitude, longitude,
    true_north, no_map, storey, storeys, name, count, class, elements, elements_of_kinds, rooms, floor_area,
    room_volume, net_volume, quality, of_model, project, not_said, clockwise, anticlockwise, measured_rooms,
    unmeasured_rooms, no_storeys, no_rooms, no_plan, report_of_changes, summary, summary_none, place, what, before,
    after, element, no_storey, page, fallback, material, kind_of, level, up, down, moves_to, north_up,
}

/// The sentences of a style's language.
#[derive(Debug, Clone)]
pub(crate) struct Phrases {
    /// The sentences.
    pub t: &'static Table,
    /// The language that was asked for.
    pub asked: String,
    /// The language that is written.
    pub written: &'static str,
    decimal: String,
    winds: [String; 8],
}

impl Phrases {
    /// The sentences of a style's language, those in English where there are none.
    pub fn new(style: &Style) -> Phrases {
        let words = style.words();
        let (t, written) = match style.language.as_str() {
            "de" => (&de::TABLE, "de"),
            _ => (&en::TABLE, "en"),
        };
        let winds = words.winds.clone();
        Phrases { t, asked: style.language.clone(), written, decimal: words.decimal, winds }
    }

    /// True if the language asked for has no sentences, so that they are in English.
    pub fn is_fallback(&self) -> bool {
        self.asked != self.written
    }

    /// The name of a class as people call it: `IfcWallStandardCase` is a wall.
    pub fn class(&self, class: &str) -> String {
        classes::name(class, self.written)
    }

    /// A number with so many decimals, by the language's sign.
    pub fn number(&self, value: f64, decimals: usize) -> String {
        let text = format!("{value:.decimals$}");
        let text = if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        };
        if self.decimal.is_empty() { text } else { text.replace('.', &self.decimal) }
    }

    /// A length in metres as whole millimetres.
    pub fn mm(&self, metres: f64) -> String {
        let mm = metres * 1000.0;
        // what is below a millimetre is no nought
        let text = if mm.abs() < 0.95 { self.number(mm, 1) } else { self.number(mm, 0) };
        format!("{text} mm")
    }

    /// The wind that a direction in plan goes to, where it goes clearly to one of the eight.
    pub fn wind(&self, way: glam::DVec2) -> Option<&str> {
        let eighth = way.to_angle() / std::f64::consts::FRAC_PI_4;
        let is_clear = eighth.is_finite() && (eighth - eighth.round()).abs() < 0.25;
        let place = (eighth.round() as i64).rem_euclid(8) as usize;
        self.winds.get(place).map(String::as_str).filter(|wind| is_clear && !wind.is_empty())
    }
}

/// A sentence with words put in for each `{}` in turn.
pub(crate) fn put(sentence: &str, words: &[&dyn std::fmt::Display]) -> String {
    let mut out = String::with_capacity(sentence.len() + 16);
    let mut words = words.iter();
    let mut parts = sentence.split("{}").peekable();
    while let Some(part) = parts.next() {
        out.push_str(part);
        if parts.peek().is_some()
            && let Some(word) = words.next()
        {
            // writing to a string does not fail
            let _ = write!(out, "{word}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_take_words_and_languages_fall_back_to_english() {
        assert_eq!(put("{} of {}", &[&1, &"two {}"]), "1 of two {}");
        let of = |language: &str| Style::from_toml(&format!("language = \"{language}\"")).unwrap();
        let (de, fr) = (Phrases::new(&of("de")), Phrases::new(&of("fr")));
        assert!(!de.is_fallback() && fr.is_fallback());
        assert_eq!((de.number(-0.001, 2), fr.written), ("0,00".to_owned(), "en"));
        assert_eq!(de.mm(0.0004), "0,4 mm");
        assert_eq!(Phrases::new(&of("en")).wind(glam::DVec2::new(0.0, -1.0)), Some("south"));
        assert_eq!(de.class("IfcWallStandardCase"), "Wand");
        assert_eq!(de.class("IfcFlowController"), "Flow controller");
    }
}
