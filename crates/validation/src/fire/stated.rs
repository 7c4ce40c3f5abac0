//! The ratings that a model states: the property FireRating of elements and types, and what other programs call it.

use super::rating::{Rating, Reading, read};
use ifc::relations::Links;
use ifc::{Id, Value, psets};
use std::collections::BTreeMap;

/// Classes of what keeps fire back.
const CLASSES: [&str; 7] =
    ["IfcWall", "IfcSlab", "IfcRoof", "IfcDoor", "IfcWindow", "IfcCurtainWall", "IfcPlate"];
/// The names of ratings, in small letters without anything between.
const NAMES: [&str; 9] = [
    "firerating",
    "fireresistancerating",
    "fireresistance",
    "frl",
    "feuerwiderstand",
    "feuerwiderstandsklasse",
    "resistanceaufeu",
    "brandwerendheid",
    "yangindayanimi",
];

/// The ratings of a model.
#[derive(Debug, Clone, Default)]
pub(super) struct Stated {
    /// The ratings that were read, by element; one that is stated to have none is there with a rating of nought.
    pub ratings: BTreeMap<Id, Rating>,
    /// Texts that were not understood, by element.
    pub unreadable: BTreeMap<Id, String>,
}

impl Stated {
    pub fn new(links: &Links<'_>) -> Self {
        let mut stated = Self::default();
        for id in CLASSES.iter().flat_map(|class| links.model().of_class(class)) {
            let Some(text) = text(links, id) else { continue };
            match read(&text) {
                Reading::Rated(rating) => drop(stated.ratings.insert(id, rating)),
                Reading::Unrated if text.trim().is_empty() => {}
                Reading::Unrated => drop(stated.ratings.insert(id, Rating::default())),
                Reading::Unreadable => drop(stated.unreadable.insert(id, text)),
            }
        }
        stated
    }

    /// The minutes for which an element keeps fire back; none of one without a rating.
    pub fn minutes(&self, id: Id) -> Option<f64> {
        self.ratings.get(&id).map(Rating::minutes)
    }

    /// Returns true if any element has a rating.
    pub fn is_any(&self) -> bool {
        self.ratings.values().any(|rating| rating.minutes() > 0.0)
    }
}

/// The text of an element's rating.
fn text(links: &Links<'_>, id: Id) -> Option<String> {
    let sets = psets::merged(links, id);
    let found = sets.iter().flat_map(|set| &set.properties).find(|property| is_rating(&property.name))?;
    written(&found.value)
}

/// A value as text; of a list its first.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::List(all) => all.first().and_then(written),
        value => {
            let number = || value.as_f64().map(|number| number.to_string());
            value.as_text().map(str::to_owned).or_else(|| value.as_enum().map(str::to_owned)).or_else(number)
        }
    }
}

fn is_rating(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    NAMES.contains(&plain.as_str())
}
