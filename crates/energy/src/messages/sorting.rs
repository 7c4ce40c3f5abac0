//! Sorts the messages of a run into groups: one for each kind and weight, and for what no pattern knows, one for each way it is worded.

use super::catalogue::{Catalogue, Entry};
use crate::results::errors::{ErrorReport, Level, Message, shape};
use foldhash::HashMap;

/// Messages that are told together.
pub struct Group<'a> {
    /// Their weight.
    pub level: Level,
    /// Their kind.
    pub entry: Option<&'static Entry>,
    /// The messages, in the order of the file.
    pub messages: Vec<&'a Message>,
}

/// The groups of a report, the gravest first, within a weight as they came.
pub fn groups(report: &ErrorReport) -> Vec<Group<'_>> {
    let catalogue = Catalogue::shared();
    let mut places: HashMap<(Level, String), usize> = HashMap::default();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for message in &report.messages {
        let entry = catalogue.kind(message);
        let key = entry.map_or_else(|| shape(&message.text), |entry| entry.id.clone());
        let place = *places.entry((message.level, key)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.messages.push(message),
            None => groups.push(Group { level: message.level, entry, messages: vec![message] }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.level));
    groups
}
