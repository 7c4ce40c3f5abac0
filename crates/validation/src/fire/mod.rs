//! Fire ratings: what the file states of walls, slabs, doors and windows, which compartments they make, and where those leak.
//!
//! It judges what is stated against itself and against a table for openings ([`Parameters`]); it refuses to say which rating a wall must
//! have, which a code tells by use, height and distance.

mod barriers;
mod between;
mod bounds;
mod compartments;
mod openings;
mod parameters;
mod rating;
mod rules;
mod shafts;
mod stated;
#[cfg(test)]
pub(crate) mod tests;
mod tops;

pub(crate) use barriers::Barriers;
pub use compartments::{Compartment, Source};
pub use parameters::{OpeningRule, Parameters};
pub use rating::{Rating, Reading, read};
pub use rules::rules;

use crate::grouping::joined;
use crate::{Finding, Measured, Required, Subject};
use geometry::Shaper;
use ifc::Id;
use ifc::relations::Links;
use stated::Stated;
use std::collections::BTreeMap;

/// The fire compartments and ratings of a building, and what is wrong with them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The compartments.
    pub compartments: Vec<Compartment>,
    /// The ratings that were read, by element.
    pub ratings: BTreeMap<Id, Rating>,
    /// The breaches, and what could not be judged.
    pub findings: Vec<Finding>,
    /// Sentences on what was assumed.
    pub notes: Vec<String>,
}

/// The model that all fire checks look at.
struct Survey<'a> {
    subject: &'a Subject<'a>,
    parameters: &'a Parameters,
    links: Links<'a>,
    shaper: Shaper<'a>,
    stated: Stated,
    compartments: Vec<Compartment>,
}

impl Survey<'_> {
    fn called(&self, id: Id) -> String {
        building::soundness::called(self.subject.model, id)
    }

    fn is_a(&self, id: Id, class: &str) -> bool {
        self.subject.model.get(id).is_some_and(|instance| instance.is_a(class))
    }
}

/// Checks the fire ratings of a building. `go_on` is told how many of how many steps are done; where it answers no, there is no report.
pub fn check(
    subject: &Subject<'_>,
    parameters: &Parameters,
    go_on: &dyn Fn(usize, usize) -> bool,
) -> Option<Report> {
    type Step = fn(&Survey<'_>, &mut Vec<Finding>);
    const STEPS: [Step; 6] =
        [openings::find, bounds::missing, bounds::open, tops::find, shafts::find, unreadable];
    if !go_on(0, STEPS.len() + 1) {
        return None;
    }
    let links = Links::of_many(subject.model);
    let stated = Stated::new(&links);
    let compartments = compartments::compartments(subject, &links, &stated, parameters.least_minutes);
    if !stated.is_any() && compartments.is_empty() && stated.unreadable.is_empty() {
        let message = "The model states neither fire ratings nor fire compartments; nothing was judged.";
        let finding = rules::UNJUDGED.finding(Vec::new(), message.to_owned());
        return Some(Report { findings: vec![finding], ..Report::default() });
    }
    let shaper = Shaper::plain(subject.model);
    let survey = Survey { subject, parameters, links, shaper, stated, compartments };
    let mut findings = Vec::new();
    for (done, step) in STEPS.iter().enumerate() {
        if !go_on(done + 1, STEPS.len() + 1) {
            return None;
        }
        step(&survey, &mut findings);
    }
    let notes = survey.notes();
    Some(Report { compartments: survey.compartments, ratings: survey.stated.ratings, findings, notes })
}

impl Survey<'_> {
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.compartments.iter().any(|own| own.source == Source::RatedElements) {
            notes.push(
                "The file groups no fire compartments; they were read from rated walls and slabs.".to_owned(),
            );
        }
        if self.compartments.is_empty() {
            notes.push(
                "No fire compartments were found: the file groups none, and rated walls and slabs part none."
                    .to_owned(),
            );
        }
        if self.subject.layout.rooms.rooms.is_empty() {
            notes.push("The model has no rooms; what bounds a compartment was not judged.".to_owned());
        }
        notes
    }
}

/// Adds what was stated and not understood.
fn unreadable(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let told = survey.stated.unreadable.iter().map(|(id, text)| {
        let message =
            format!("{} states the fire rating {text:?}, which was not understood.", survey.called(*id));
        let finding = rules::UNREADABLE
            .finding(vec![*id], message)
            .suggest("Write it as a class with minutes, such as REI 60.");
        let required = Some(Required::Words("a class with minutes".to_owned()));
        Finding { measured: Some(Measured::Words(text.clone())), required, ..finding }
    });
    let text = |finding: &Finding| finding.measured.as_ref().map(ToString::to_string);
    let say = |text: &Option<String>, group: &[Finding]| {
        format!(
            "{} elements state the fire rating {:?}, which was not understood.",
            group.len(),
            text.as_deref().unwrap_or_default()
        )
    };
    findings.extend(joined(told.collect(), text, say));
}
