//! Full-text search over a schema. A word counts by where it stands (name before field before note) and by how rare it
//! is; the beginning of a word finds it too.

use super::{Field, ObjectType};
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound::{Included, Unbounded};

/// A type that answers to a search.
#[derive(Debug, Clone)]
pub struct Hit<'a> {
    /// The type.
    pub object: &'a ObjectType,
    /// The rank of the match, the best of a search being the largest.
    pub score: f64,
    /// The fields in whose name, note or units a word was found, the best first, to a bound.
    pub fields: Vec<&'a Field>,
}

/// Every word of a schema with where it stands.
pub struct Words(BTreeMap<Box<str>, Vec<Place>>);

/// Type, field (none for the type itself) and weight.
#[derive(Clone, Copy)]
struct Place {
    object: u32,
    field: u32,
    weight: f32,
}

const OBJECT: u32 = u32::MAX;
const FIELDS: usize = 5;

impl Words {
    /// Reads every text of the types.
    pub fn from_types(types: &[ObjectType]) -> Self {
        let mut words: HashMap<String, Vec<Place>> = HashMap::new();
        for (object, about) in types.iter().enumerate() {
            let object = object as u32;
            let mut add = |field: u32, weight: f32, text: &str| {
                for word in split(text) {
                    let places = words.entry(word).or_default();
                    match places.last_mut() {
                        Some(last) if last.object == object && last.field == field => {
                            last.weight = last.weight.max(weight);
                        }
                        _ => places.push(Place { object, field, weight }),
                    }
                }
            };
            add(OBJECT, 8.0, &about.name);
            add(OBJECT, 2.0, &about.group);
            add(OBJECT, 2.0, &about.memo);
            for (at, field) in about.all_fields().enumerate() {
                let at = at as u32;
                add(at, 3.0, &field.name);
                add(at, 1.0, field.note.as_deref().unwrap_or_default());
                if let Some(units) = &field.units {
                    words_of_units(units, |word| add(at, 1.5, word));
                }
                for choice in &field.choices {
                    add(at, 1.0, choice);
                }
            }
        }
        Self(words.into_iter().map(|(word, places)| (word.into_boxed_str(), places)).collect())
    }

    /// The types that answer best.
    pub fn search<'a>(&self, types: &'a [ObjectType], query: &str, limit: usize) -> Vec<Hit<'a>> {
        let mut asked = split(query);
        asked.truncate(12);
        let mut scores: HashMap<u32, (f64, u32, HashMap<u32, f64>)> = HashMap::new();
        for word in &asked {
            // best place in each type for this word, and each field that has it
            let mut best: HashMap<u32, f64> = HashMap::new();
            let beginnings = self
                .0
                .range::<str, _>((Included(word.as_str()), Unbounded))
                .take_while(|(w, _)| w.starts_with(word.as_str()));
            for (found, places) in beginnings {
                let rare = (types.len() as f64 * 12.0 / (1.0 + places.len() as f64)).max(1.0).ln();
                let close = if found.len() == word.len() {
                    1.0
                } else {
                    word.len() as f64 / found.len() as f64 * 0.6
                };
                for place in places {
                    let score = f64::from(place.weight) * rare * close;
                    let entry = best.entry(place.object).or_default();
                    *entry = entry.max(score);
                    if place.field != OBJECT {
                        let fields = &mut scores.entry(place.object).or_default().2;
                        *fields.entry(place.field).or_default() += score;
                    }
                }
            }
            for (object, score) in best {
                let entry = scores.entry(object).or_default();
                entry.0 += score;
                entry.1 += 1;
            }
        }
        let whole = query.trim().to_lowercase();
        let joined = asked.concat();
        let mut hits: Vec<Hit<'a>> = Vec::new();
        for (number, (score, words, fields)) in scores {
            let Some(object) = types.get(number as usize) else { continue };
            let name = object.name.to_lowercase();
            let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
            let named = if name == whole || plain == joined {
                100.0
            } else if plain.contains(&joined) {
                15.0 + 15.0 * joined.len() as f64 / plain.len().max(1) as f64
            } else {
                0.0
            };
            // all words asked for count for more than one of them twice
            let share = f64::from(words) / asked.len().max(1) as f64;
            let mut found: Vec<(f64, u32)> =
                fields.into_iter().map(|(field, score)| (score, field)).collect();
            found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let fields = found
                .iter()
                .take(FIELDS)
                .filter_map(|(_, at)| object.all_fields().nth(*at as usize))
                .collect();
            hits.push(Hit { object, score: score * share * share + named, fields });
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.object.name.cmp(&b.object.name)));
        hits.truncate(limit);
        hits
    }
}

/// `W/m2-K` is found whole as well as by its parts.
fn words_of_units(units: &str, mut add: impl FnMut(&str)) {
    add(units);
    add(&units.replace(|c: char| !c.is_alphanumeric(), ""));
}

/// The words of a text in small letters; those written together as in `WindowMaterial` also apart.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        words.push(run.to_lowercase());
        let mut part = String::new();
        let mut before: Option<char> = None;
        let mut parts = Vec::new();
        for c in run.chars() {
            if c.is_uppercase() && before.is_some_and(char::is_lowercase) {
                parts.push(std::mem::take(&mut part));
            }
            part.extend(c.to_lowercase());
            before = Some(c);
        }
        if !parts.is_empty() {
            parts.push(part);
            words.extend(parts);
        }
    }
    words.retain(|word| word.len() < 60);
    words
}
