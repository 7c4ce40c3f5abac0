//! Finds objects of a model whose names stand in a message, whatever their kind, and the field that is named beside.
//!
//! The program writes names in capitals, so case does not matter; of names within names the longest counts. Where a type is named
//! in the message, too, only objects of such types are meant. An object without a name is known by its first value, where its type is named.

use super::spoken::ObjectSpoken;
use crate::idf::{Document, Handle, Object};
use crate::results::errors::Message;
use foldhash::{HashMap, HashSet};

/// The most characters of a line that are looked through, and the most lines of a message.
const LINE: usize = 600;
const LINES: usize = 20;

/// The most objects of one name that are told.
const ALIKE: usize = 4;

/// The least length of a field's name that is looked for; shorter ones are words of any sentence.
const FIELD: usize = 6;

/// The names of a model, to be found in texts.
pub struct Finder<'a> {
    document: &'a Document,
    /// Objects by their names in small letters, and those without a name by their first value.
    names: HashMap<String, Vec<Handle>>,
    /// The length of the longest name, in bytes.
    longest: usize,
}

/// Words that are names in some models, and mean nothing in a sentence.
const COMMON: [&str; 12] = [
    "zone",
    "zones",
    "surface",
    "space",
    "schedule",
    "none",
    "air",
    "node",
    "all",
    "electricity",
    "name",
    "on/off",
];

impl<'a> Finder<'a> {
    /// Reads the names of a document.
    pub fn from_document(document: &'a Document) -> Self {
        let mut names: HashMap<String, Vec<Handle>> = HashMap::default();
        let mut longest = 0;
        for object in document.objects() {
            let name = object.value(0).trim();
            let is_number = name.parse::<f64>().is_ok();
            if name.len() < 2 || name.len() > LINE || is_number {
                continue;
            }
            longest = longest.max(name.len());
            names.entry(name.to_lowercase()).or_default().push(object.handle());
        }
        Self { document, names, longest }
    }

    /// Objects of a name, whatever their type.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Object<'a>> + '_ {
        let found = self.names.get(&name.trim().to_lowercase());
        found.into_iter().flatten().filter_map(|handle| self.document.object(*handle))
    }

    /// The objects that a message speaks of.
    pub fn spoken(&self, message: &Message) -> Vec<ObjectSpoken> {
        let lines = std::iter::once(&message.text).chain(&message.details).take(LINES);
        let lines: Vec<String> = lines.map(|line| shortened(line)).collect();
        let types = self.types_in(&lines);
        let mut out: Vec<ObjectSpoken> = Vec::new();
        let mut seen: HashSet<Handle> = HashSet::default();
        for line in &lines {
            for name in self.names_in(&self.without_fields(line, &types)) {
                let all: Vec<Object<'_>> = self.named(&name).collect();
                let typed =
                    |object: &&Object<'_>| types.contains(object.type_name().to_ascii_lowercase().as_str());
                let of_types: Vec<&Object<'_>> = all.iter().filter(typed).collect();
                // one without a name only counts where its type is named
                let named = all.iter().filter(|object| object.is_named());
                let chosen: Vec<&Object<'_>> = if of_types.is_empty() { named.collect() } else { of_types };
                let common = COMMON.contains(&name.as_str());
                for object in chosen.into_iter().take(ALIKE) {
                    if (!common || types.contains(object.type_name().to_ascii_lowercase().as_str()))
                        && seen.insert(object.handle())
                    {
                        out.push(told(*object, &lines));
                    }
                }
            }
        }
        out
    }

    /// A line with blanks in place of the names of fields of these types: the `Activity` of an `Activity Level Schedule Name` is no object.
    fn without_fields(&self, line: &str, types: &HashSet<String>) -> String {
        let mut out = line.to_owned();
        let abouts = types.iter().filter_map(|name| self.document.schema().get(name));
        for field in abouts.flat_map(|about| &about.fields).filter(|field| field.name.contains(' ')) {
            let name = field.name.to_lowercase();
            if out.contains(&name) {
                out = out.replace(&name, &" ".repeat(name.len()));
            }
        }
        out
    }

    /// The types of objects that the lines name.
    fn types_in(&self, lines: &[String]) -> HashSet<String> {
        let mut types = HashSet::default();
        for line in lines {
            // a type's name is a word of letters and colons, perhaps with a hyphen or a slash
            let words =
                line.split(|c: char| !(c.is_ascii_alphanumeric() || c == ':' || c == '-' || c == '/'));
            for word in words.map(|word| word.trim_matches([':', '-', '/'])) {
                if word.len() > 3 && self.document.schema().number(word).is_some() {
                    types.insert(word.to_owned());
                }
            }
        }
        types
    }

    /// The names that stand in a line in small letters, the longest first where one begins in another.
    fn names_in(&self, line: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut edges: Vec<usize> = Vec::new();
        let mut before: Option<char> = None;
        for (at, character) in line.char_indices() {
            let inside = before.is_some_and(char::is_alphanumeric) && character.is_alphanumeric();
            if !inside {
                edges.push(at);
            }
            before = Some(character);
        }
        edges.push(line.len());
        let mut from = 0;
        while let Some(&start) = edges.get(from) {
            let within = edges.iter().enumerate().skip(from + 1);
            let within = within.take_while(|(_, end)| **end - start <= self.longest + 1);
            let ends: Vec<(usize, usize)> = within.map(|(at, end)| (at, *end)).collect();
            let longest = ends.into_iter().rev().find_map(|(at, end)| {
                let name = line.get(start..end)?;
                (name.trim() == name && self.names.contains_key(name)).then(|| (at, name.to_owned()))
            });
            from = match longest {
                Some((at, name)) => {
                    found.push(name);
                    at.max(from + 1)
                }
                None => from + 1,
            };
        }
        found
    }
}

/// A line in small letters, cut where it grows long.
fn shortened(line: &str) -> String {
    line.chars().take(LINE).collect::<String>().to_lowercase()
}

/// True if a text holds a word or words, not within others.
fn contains_word(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + words.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// An object with the field of it that the lines name.
fn told(object: Object<'_>, lines: &[String]) -> ObjectSpoken {
    let at = object.about().and_then(|about| {
        let fields = about.fields.iter().enumerate().skip(1);
        let named = fields.filter(|(_, field)| {
            field.name.len() >= FIELD
                && lines.iter().any(|line| contains_word(line, &field.name.to_lowercase()))
        });
        named.max_by_key(|(_, field)| field.name.len()).map(|(at, field)| (at, field.name.to_string()))
    });
    ObjectSpoken {
        object_type: object.type_name().to_owned(),
        name: object.label(),
        value: at.as_ref().map(|(at, _)| object.value(*at).to_owned()).filter(|value| !value.is_empty()),
        field: at.map(|(_, name)| name),
    }
}
