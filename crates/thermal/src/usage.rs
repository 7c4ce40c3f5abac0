//! The table of usages of rooms: people, lights, equipment, fresh air, set points and when, each row with the source of its figures.
//!
//! The figures are in `data/usages.json`. Loads and hours are those of the prototype buildings of ASHRAE 90.1-2019 (DOE/PNNL), fresh air
//! those of ASHRAE 62.1, set points those of DIN EN 12831 and EN 16798-1. They are assumptions all the same.

use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// A row of the table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Usage {
    pub name: String,
    /// Words by which a room says it, in lower case.
    words: Vec<String>,
    /// m² a person; zero where nobody stays.
    pub area_per_person: f64,
    /// W/m²
    pub lights: f64,
    /// W/m²
    pub equipment: f64,
    /// m³/s a person
    pub air_per_person: f64,
    /// m³/s a m²
    pub air_per_area: f64,
    /// °C; zero where it is not heated.
    pub heating: f64,
    /// °C; zero where it is not cooled.
    pub cooling: f64,
    /// The name of its profile.
    pub profile: String,
    pub sources: Sources,
}

/// The sources of a row's figures.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sources {
    pub loads: String,
    pub air: String,
    pub setpoints: String,
}

/// The hours of people, lights and equipment; what has none is always there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    pub source: String,
    #[serde(default)]
    pub people: Option<Week>,
    #[serde(default)]
    pub lights: Option<Week>,
    #[serde(default)]
    pub equipment: Option<Week>,
}

/// Shares by kind of day: each until an hour.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Week {
    pub weekday: Vec<(u32, f64)>,
    pub saturday: Vec<(u32, f64)>,
    pub other: Vec<(u32, f64)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    profiles: BTreeMap<String, Profile>,
    usages: Vec<Usage>,
}

/// The first row whose word a space says counts, so the special ones come first; the last is for all others.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/usages.json")).unwrap_or_default());
static NONE: LazyLock<Usage> = LazyLock::new(Usage::default);

/// Words that say no more than that it is a room; every other word of a room goes before them.
const GENERAL: [&str; 3] = ["room", "raum", "zimmer"];

/// The names of all rows.
pub(crate) fn names() -> Vec<&'static str> {
    TABLE.usages.iter().map(|usage| usage.name.as_str()).collect()
}

/// The row of a name, whatever its case.
pub(crate) fn named(name: &str) -> Option<&'static Usage> {
    TABLE.usages.iter().find(|usage| usage.name.eq_ignore_ascii_case(name.trim()))
}

/// The row for rooms that say nothing.
pub(crate) fn usual() -> &'static Usage {
    TABLE.usages.last().unwrap_or(&NONE)
}

/// A profile by its name.
pub(crate) fn profile(name: &str) -> Option<&'static Profile> {
    TABLE.profiles.get(name)
}

/// The row that the first telling one of some texts names, and that text; texts are in lower case.
pub(crate) fn told(texts: &[String]) -> Option<(&'static Usage, &str)> {
    let rows = |general: bool| {
        texts.iter().find_map(|text| {
            let says = |word: &String| GENERAL.contains(&word.as_str()) == general && holds(text, word);
            let row = TABLE.usages.iter().find(|row| row.words.iter().any(says))?;
            Some((row, text.as_str()))
        })
    };
    rows(false).or_else(|| rows(true))
}

/// Returns true if a text holds a word: short ones must begin a word of it.
fn holds(text: &str, word: &str) -> bool {
    if word.chars().count() > 4 {
        return text.contains(word);
    }
    let begins = |t: &str| t.starts_with(word) && (word != "att" || t == "att");
    text.split(|c: char| !c.is_alphanumeric()).any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_of(texts: &[&str]) -> Option<&'static str> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        told(&texts).map(|(row, _)| row.name.as_str())
    }

    #[test]
    fn rooms_are_known_by_their_names_in_several_languages() {
        for (text, row) in [
            ("Schlafzimmer", "bedroom"),
            ("Bad", "bathroom"),
            ("WC Herren", "toilet"),
            ("Büro", "office"),
            ("Büroflur", "corridor"),
            ("Wohnen", "living room"),
            ("Küche", "kitchen"),
            ("Bedroom 2", "bedroom"),
            ("Foyer", "corridor"),
            ("Treppenhaus 1", "stairwell"),
            ("Stair", "corridor"),
            ("Kellerraum", "cellar"),
            ("Tiefgarage", "garage"),
            ("att", "attic"),
            ("Utility", "technical room"),
            ("Salle de classe 3", "classroom"),
            ("Kindergarten", "classroom"),
            ("Turnhalle", "sports hall"),
            ("Hörsaal", "lecture hall"),
            ("Verkaufsraum", "retail"),
            ("Besprechungsraum", "meeting room"),
            ("Hotelzimmer 12", "hotel room"),
        ] {
            assert_eq!(row_of(&[text]), Some(row), "{text}");
        }
        assert_eq!(row_of(&["1"]), None);
        // a word that says no more than that it is a room gives way to what else is said
        assert_eq!(row_of(&["Room", "13-85 21 11: Stairway"]), Some("corridor"));
        assert_eq!(row_of(&["Room"]), Some("living room"));
    }

    #[test]
    fn every_row_names_its_sources_and_a_profile_that_says_the_whole_day() {
        assert!(TABLE.usages.len() > 20, "the table cannot be read");
        for usage in &TABLE.usages {
            let sources = [&usage.sources.loads, &usage.sources.air, &usage.sources.setpoints];
            assert!(sources.iter().all(|source| !source.is_empty()), "{}", usage.name);
            let profile = profile(&usage.profile);
            assert!(profile.is_some_and(|profile| !profile.source.is_empty()), "{}", usage.name);
            assert!(usage.cooling == 0.0 || usage.cooling >= usage.heating + 2.0, "{}", usage.name);
        }
        for (name, profile) in &TABLE.profiles {
            for week in [&profile.people, &profile.lights, &profile.equipment].into_iter().flatten() {
                for shares in [&week.weekday, &week.saturday, &week.other] {
                    assert_eq!(shares.last().map(|s| s.0), Some(24), "{name}");
                    assert!(shares.windows(2).all(|w| w[0].0 < w[1].0), "{name}");
                    assert!(shares.iter().all(|s| (0.0..=1.0).contains(&s.1)), "{name}");
                }
            }
        }
    }
}
