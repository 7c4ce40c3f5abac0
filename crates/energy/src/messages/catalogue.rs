//! The kinds of messages that are known, read from `catalogue.json`: the first whose pattern fits a message is its kind, so that
//! particular ones stand before general ones.

use crate::results::errors::{Level, Message};
use regex::{Captures, Regex, RegexSet, RegexSetBuilder};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The most characters of a message and its continuations that patterns are held against.
const SUBJECT: usize = 2_000;

/// The memory that the patterns may take together.
const MEMORY: usize = 64 << 20;

/// A kind of message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its id, by which a mend is asked for.
    pub id: String,
    /// The weight of its messages; any if absent.
    #[serde(default)]
    pub level: Option<Level>,
    /// The pattern that the text fits, together with the lines that continue it, each on a line of its own. Case does not matter. Groups with a
    /// meaning of their own: `type` and `name` of the object, `field` and `value` in it.
    pub pattern: String,
    /// The pattern that every continuation line is held against, where the lines are a list; its groups are added to those of the text.
    #[serde(default)]
    pub each: Option<String>,
    /// Types of which the object is one, where the message does not say it.
    #[serde(default)]
    pub types: Vec<String>,
    /// The field it speaks of, where the message does not say it.
    #[serde(default)]
    pub field: Option<String>,
    /// Its meaning, in one sentence.
    pub meaning: String,
    /// The remedy.
    pub remedy: String,
    /// True if it only follows from other messages.
    #[serde(default)]
    pub follows: bool,
    /// The steps that mend it, one after another; the first that changes something is enough.
    #[serde(default)]
    pub mend: Vec<Step>,
    /// The place where it was seen, or the part of the program that writes it.
    #[expect(dead_code, reason = "for those who read and extend the catalogue")]
    pub source: String,
}

/// A step of a mend. A text that begins with `$` stands for a group of the pattern.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The change to make.
    #[serde(rename = "do")]
    pub kind: StepKind,
    /// The types among which the object is; those of the message if empty.
    #[serde(default)]
    pub types: Vec<String>,
    /// The name of the object; that of the message if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// True if it is done to every object of the types.
    #[serde(default)]
    pub every: bool,
    /// The field that it is done to; that of the message if absent.
    #[serde(default)]
    pub field: Option<String>,
    /// A second field, or `Type.field` of other objects.
    #[serde(default)]
    pub other: Option<String>,
    /// The value to set, or to look for; that of the message if absent.
    #[serde(default)]
    pub value: Option<String>,
    /// The fields of an object that is added.
    #[serde(default)]
    pub fields: Map<String, Value>,
    /// True if the next step is done, too.
    #[serde(default)]
    pub then: bool,
    /// Things taken for granted, with their source.
    #[serde(default)]
    pub assumption: Option<String>,
}

/// The changes that a step can make.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Sets a field.
    #[default]
    Set,
    /// Clears a field.
    Clear,
    /// Clears the stated volume of zones whose surfaces close around another one.
    ClearVolumes,
    /// Sets a field to the schema's default, or to the nearest number that it allows.
    Allowed,
    /// Exchanges the values of two fields.
    Swap,
    /// Exchanges the least and the greatest value wherever the least is above.
    SwapRanges,
    /// Removes the object.
    Remove,
    /// Removes output variables of a key and name that were not made.
    RemoveUnmade,
    /// Removes objects of the types that nothing refers to.
    RemoveUnused,
    /// Removes objects of the types that nothing refers to and that refer to nothing but what others refer to, too.
    RemoveSpare,
    /// Removes repeated groups that hold the value, but the first.
    RemoveRepeated,
    /// Removes the values behind the last field.
    RemoveExtra,
    /// Removes, or where they differ renames, objects beside the first of their name.
    OneOfName,
    /// Removes objects beside the first of a type that may occur once.
    OneOfType,
    /// Adds an object.
    Add,
    /// Adds a copy of the object for another name.
    Copy,
    /// Puts the nearest name that the field may refer to in place of one that nothing has.
    Nearest,
    /// Puts the nearest of the values that a field of other objects holds (`Type.field`) in place of one that none holds.
    NearestValue,
    /// Puts the nearest of the words that a field allows in place of another.
    NearestChoice,
    /// Gives an object the nearest type that exists.
    NearestType,
    /// Gives objects without a name one.
    NameBlank,
    /// Gives corners in the opposite order.
    Turn,
    /// Turns the surface or the window in it, whichever faces into its zone.
    TurnInwards,
    /// Leaves out corners that coincide with or lie between their neighbours.
    CleanCorners,
    /// Gives the other side of an interzone surface the same layers in the opposite order.
    MirrorLayers,
    /// Carries the last value of each day of a schedule on to its end.
    UntilMidnight,
    /// Carries the last period of a schedule on to the end of the year.
    ThroughYear,
    /// Gives a schedule values for the days that have none.
    OtherDays,
    /// Writes the fields of a compact schedule in the form that they must have.
    ScheduleWords,
    /// Numbers the sequences of an equipment list in its order.
    Renumber,
}

/// The kinds, ready to be held against messages.
pub struct Catalogue {
    entries: Vec<Entry>,
    set: RegexSet,
    patterns: Vec<OnceLock<Option<Regex>>>,
    each: Vec<OnceLock<Option<Regex>>>,
}

static TEXT: &str = include_str!("catalogue.json");

impl Catalogue {
    /// The catalogue of this program.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Catalogue> = OnceLock::new();
        SHARED.get_or_init(|| {
            // a test reads the same text, and fails if it is not whole
            let entries: Vec<Entry> = serde_json::from_str(TEXT).unwrap_or_default();
            Self::from_entries(entries)
        })
    }

    /// The text of the catalogue.
    #[cfg(test)]
    pub fn text() -> &'static str {
        TEXT
    }

    fn from_entries(entries: Vec<Entry>) -> Self {
        let built = RegexSetBuilder::new(entries.iter().map(|entry| entry.pattern.as_str()))
            .case_insensitive(true)
            .multi_line(true)
            .size_limit(MEMORY)
            .dfa_size_limit(MEMORY)
            .build();
        let count = entries.len();
        Self {
            set: built.unwrap_or_default(),
            patterns: (0..count).map(|_| OnceLock::new()).collect(),
            each: (0..count).map(|_| OnceLock::new()).collect(),
            entries,
        }
    }

    /// Every kind, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The kind of a message, by its place.
    pub fn kind(&self, message: &Message) -> Option<&Entry> {
        let subject = subject(message);
        let fitting = self.set.matches(&subject);
        fitting
            .into_iter()
            .filter_map(|at| self.entries.get(at))
            .find(|entry| entry.level.is_none_or(|level| level == message.level))
    }

    /// The values of the groups of a kind's patterns in a message: once, or once for every line of its list.
    pub fn groups(&self, entry: &Entry, message: &Message) -> Vec<Groups> {
        let Some(at) = self.entries.iter().position(|other| std::ptr::eq(other, entry)) else {
            return Vec::new();
        };
        let compiled = |cell: Option<&OnceLock<Option<Regex>>>, text: &str| {
            cell.and_then(|cell| cell.get_or_init(|| compile(text).ok()).clone())
        };
        let subject = subject(message);
        let pattern = compiled(self.patterns.get(at), &entry.pattern);
        let Some(pattern) = pattern else { return Vec::new() };
        let Some(head) = pattern.captures(&subject).map(|found| Groups::from_captures(&pattern, &found))
        else {
            return Vec::new();
        };
        let Some(text) = &entry.each else { return vec![head] };
        let Some(each) = compiled(self.each.get(at), text) else { return vec![head] };
        let lines = message.details.iter().filter_map(|line| {
            let mut groups = Groups::from_captures(&each, &each.captures(line)?);
            groups.0.extend(head.0.iter().cloned());
            Some(groups)
        });
        let found: Vec<Groups> = lines.collect();
        if found.is_empty() { vec![head] } else { found }
    }
}

/// A pattern as messages are held against it.
pub fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).case_insensitive(true).multi_line(true).build()
}

/// A message and its continuations, a line each, cut where it grows long.
fn subject(message: &Message) -> String {
    let mut text = message.text.clone();
    for line in &message.details {
        if text.len() > SUBJECT {
            break;
        }
        text.push('\n');
        text.push_str(line);
    }
    if text.len() > 2 * SUBJECT {
        let end = (0..=2 * SUBJECT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        text.truncate(end);
    }
    text
}

/// The words that the named groups of a pattern hold, the first of a name being the one that counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Groups(Vec<(String, String)>);

impl Groups {
    fn from_captures(pattern: &Regex, captures: &Captures<'_>) -> Self {
        let named = pattern.capture_names().flatten();
        let held =
            named.filter_map(|name| Some((name.to_owned(), captures.name(name)?.as_str().trim().to_owned())));
        Self(held.collect())
    }

    /// The words of a group.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, words)| words.as_str())
    }

    /// A text, or what the group holds that it stands for.
    pub fn resolve<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        match text.strip_prefix('$') {
            Some(group) => self.get(group),
            None => Some(text),
        }
    }
}
