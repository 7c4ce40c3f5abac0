//! Occupancies: how many square metres a person has in a room of some use, and the limits that hang on the use.
//!
//! The table is data ([`Occupancy::table`]); another one may be given. A room's use is recognised by what the file says of it.

use crate::Subject;
use ifc::{Id, psets};
use serde::{Deserialize, Serialize};
use spatial::Room;

/// A use of rooms. Lengths and areas in feet, as the tables give them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Occupancy {
    /// Its identifier: `business`.
    pub id: String,
    /// Its name in words.
    pub title: String,
    /// Square feet a person; none of uses that have no load of their own, such as corridors.
    pub factor_ft2: Option<f64>,
    /// The area that the factor is of.
    pub basis: AreaBasis,
    /// The most persons in a room with a single exit.
    pub single_exit_load: usize,
    /// The longest common path in feet, without sprinklers and with.
    pub common_path_ft: [f64; 2],
    /// The longest travel distance in feet, without sprinklers and with.
    pub travel_ft: [f64; 2],
    /// Words by which rooms of this use are recognised, in small letters.
    pub words: Vec<String>,
}

/// The area that an occupant load factor is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AreaBasis {
    /// With corridors, stairs and toilets.
    Gross,
    /// The room itself, without what stands in it.
    Net,
}

/// Metres in a foot.
pub const FOOT: f64 = 0.3048;

#[derive(Deserialize)]
struct Table {
    occupancies: Vec<Occupancy>,
}

impl Occupancy {
    /// The shipped table: International Building Code 2021, tables 1004.5, 1006.2.1 and 1017.2.
    pub fn table() -> Vec<Self> {
        let table: Result<Table, _> = serde_json::from_str(include_str!("occupancies.json"));
        table.map(|table| table.occupancies).unwrap_or_default()
    }

    /// Square metres a person.
    pub fn factor(&self) -> Option<f64> {
        self.factor_ft2.map(|feet| feet * FOOT * FOOT)
    }

    /// The longest travel distance in metres.
    pub fn travel(&self, has_sprinklers: bool) -> f64 {
        self.travel_ft[usize::from(has_sprinklers)] * FOOT
    }

    /// The longest common path in metres.
    pub fn common_path(&self, has_sprinklers: bool) -> f64 {
        self.common_path_ft[usize::from(has_sprinklers)] * FOOT
    }
}

/// Returns the occupancy of a table that what the file says of a room names best: the one with the longest of its words.
pub fn recognised<'t>(table: &'t [Occupancy], texts: &[String]) -> Option<&'t Occupancy> {
    // what comes first says more: the use that is stated, then the long name, then the name
    texts.iter().find_map(|text| {
        let text = text.to_lowercase();
        let words = table.iter().flat_map(|own| own.words.iter().map(move |word| (word, own)));
        let found = words.filter(|(word, _)| names(&text, word));
        found.max_by_key(|(word, _)| word.len()).map(|(_, own)| own)
    })
}

/// Returns true if a text has a word, or one that begins or ends with it; a word of up to three letters must stand alone.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|t| t.chars().next());
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        let (begins, ends) = (!is_letter(before), !is_letter(after));
        if word.chars().count() <= 3 { begins && ends } else { begins || ends }
    })
}

/// The texts in which the file says what a room is used for, the surest first.
pub(super) fn texts(subject: &Subject<'_>, links: &ifc::relations::Links<'_>, room: &Room) -> Vec<String> {
    let mut texts = Vec::new();
    if let Some(space) = room.space() {
        texts.extend(stated_type(subject, space));
        let classes = links.classifications_of(space).into_iter().filter_map(|id| subject.model.get(id));
        texts.extend(classes.filter_map(|class| class.name()));
    }
    texts.push(room.long_name.clone());
    texts.extend(room.space().and_then(|space| subject.model.get(space)?.text("ObjectType")));
    texts.push(room.name.clone());
    texts.retain(|text| !text.trim().is_empty());
    texts
}

fn stated_type(subject: &Subject<'_>, space: Id) -> Option<String> {
    let found = psets::find(subject.model, space, "Pset_SpaceOccupancyRequirements", "OccupancyType")?;
    found.value.as_text().map(str::to_owned)
}
