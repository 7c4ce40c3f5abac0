//! The outcome of a conversion, by class of the source and by reason, in an order that depends on nothing else.

use ifc::{Id, Model, SchemaVersion};
use std::collections::{BTreeMap, HashMap};

/// The result for an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// As it was.
    Kept,
    /// Kept, but said otherwise: under another class or attribute name.
    Mapped,
    /// The nearest that the target has; something is lost or was made up.
    Approximated,
    /// Not at all.
    Dropped,
}

impl Outcome {
    /// `kept`, `mapped`, `approximated`, `dropped`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Mapped => "mapped",
            Self::Approximated => "approximated",
            Self::Dropped => "dropped",
        }
    }
}

/// The number of instances of one class by result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// As they were.
    pub kept: usize,
    /// Said otherwise.
    pub mapped: usize,
    /// As the nearest thing.
    pub approximated: usize,
    /// Not at all.
    pub dropped: usize,
}

impl Tally {
    fn slot(&mut self, outcome: Outcome) -> &mut usize {
        match outcome {
            Outcome::Kept => &mut self.kept,
            Outcome::Mapped => &mut self.mapped,
            Outcome::Approximated => &mut self.approximated,
            Outcome::Dropped => &mut self.dropped,
        }
    }
}

/// Instances of one class with which the same happened for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Their class in the source.
    pub class: String,
    /// The result.
    pub outcome: Outcome,
    /// Why, or what became of them.
    pub reason: String,
    /// The number of them.
    pub count: usize,
    /// The first of them, by id, with their GlobalIds.
    pub instances: Vec<(Id, Option<String>)>,
}

/// The outcome of a conversion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversionReport {
    /// The schema before.
    pub from: SchemaVersion,
    /// The schema after.
    pub to: SchemaVersion,
    /// By class of the source.
    pub classes: BTreeMap<String, Tally>,
    /// The notes on what was not simply kept, by class, outcome and reason.
    pub notes: Vec<Note>,
    /// The number of instances of each class that were made because the target needs them.
    pub made: BTreeMap<String, usize>,
    fates: HashMap<u32, Outcome>,
}

/// Instances that a note names; the rest is only counted.
const NAMED: usize = 1_000;

/// The outcome of one step.
#[derive(Debug, Default)]
pub(super) struct Record {
    notes: BTreeMap<(String, Outcome, String), Vec<u32>>,
    pub fates: HashMap<u32, Outcome>,
    pub made: BTreeMap<String, usize>,
}

impl Record {
    /// Notes what became of an instance; of several notes the worst counts.
    pub fn note(&mut self, id: u32, class: &str, outcome: Outcome, reason: &str) {
        let fate = self.fates.entry(id).or_insert(outcome);
        *fate = outcome.max(*fate);
        let key = (class.to_owned(), outcome, reason.to_owned());
        let noted = self.notes.entry(key).or_default();
        if noted.last() != Some(&id) {
            noted.push(id);
        }
    }

    /// Notes that an instance is now said otherwise, which needs no words.
    pub fn mapped(&mut self, id: u32) {
        self.fates.entry(id).or_insert(Outcome::Mapped);
    }
}

impl ConversionReport {
    pub(super) fn new(from: SchemaVersion, to: SchemaVersion) -> Self {
        Self {
            from,
            to,
            classes: BTreeMap::new(),
            notes: Vec::new(),
            made: BTreeMap::new(),
            fates: HashMap::new(),
        }
    }

    /// Adds what a step from `model` did; `source` is the model that the first step began from.
    pub(super) fn follow(&mut self, source: &Model, model: &Model, record: Record) {
        for ((class, outcome, reason), mut ids) in record.notes {
            ids.sort_unstable();
            ids.dedup();
            let instances =
                ids.iter().take(NAMED).map(|id| (Id(*id), model.get(Id(*id)).and_then(|i| i.guid())));
            self.notes.push(Note {
                class,
                outcome,
                reason,
                count: ids.len(),
                instances: instances.collect(),
            });
        }
        for (id, outcome) in record.fates {
            if source.contains(Id(id)) {
                let fate = self.fates.entry(id).or_insert(outcome);
                *fate = outcome.max(*fate);
            }
        }
        for (class, count) in record.made {
            *self.made.entry(class).or_default() += count;
        }
        self.notes.sort_by(|a, b| {
            (&a.class, a.outcome, &a.reason, a.instances.first()).cmp(&(
                &b.class,
                b.outcome,
                &b.reason,
                b.instances.first(),
            ))
        });
    }

    /// Counts every instance of the source under its class.
    pub(super) fn count_kept(&mut self, source: &Model) {
        for (class, count) in source.class_counts() {
            self.classes.insert(class, Tally { kept: count, ..Tally::default() });
        }
        for (id, outcome) in &self.fates {
            let class = source.get(Id(*id)).map(|instance| instance.class_name());
            if let Some(tally) = class.and_then(|class| self.classes.get_mut(class)) {
                tally.kept = tally.kept.saturating_sub(1);
                *tally.slot(*outcome) += 1;
            }
        }
    }

    /// All classes together.
    pub fn total(&self) -> Tally {
        self.classes.values().fold(Tally::default(), |sum, tally| Tally {
            kept: sum.kept + tally.kept,
            mapped: sum.mapped + tally.mapped,
            approximated: sum.approximated + tally.approximated,
            dropped: sum.dropped + tally.dropped,
        })
    }

    /// The outcome for one instance of the source.
    pub fn outcome(&self, id: Id) -> Outcome {
        self.fates.get(&id.0).copied().unwrap_or(Outcome::Kept)
    }

    /// True if nothing was lost or made up.
    pub fn is_lossless(&self) -> bool {
        self.fates.values().all(|outcome| *outcome <= Outcome::Mapped)
    }
}
