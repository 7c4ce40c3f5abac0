//! Doors, windows and openings in rated walls: weaker than the wall asks, without a rating, or without anything that closes them.

use super::Survey;
use super::rules::{OPENING_MISSING, OPENING_UNPROTECTED, OPENING_WEAKER};
use crate::{Finding, Measured, Quantity, Required, Unit};
use spatial::passage::{Passage, PassageKind, Side};

/// Openings smaller than this are for pipes, in m².
const SMALL: f64 = 0.3;

/// Adds a finding for each opening within the building that is weaker than its wall asks.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    for passage in survey.subject.layout.passages.iter() {
        let wall = passage.host.and_then(|host| survey.stated.minutes(host));
        let Some(wall) = wall.filter(|minutes| *minutes > 0.0) else { continue };
        // what an outer wall needs hangs on what stands opposite
        let is_inner = !passage.sides().any(|side| side == Side::Outdoors);
        if is_inner && passage.area > SMALL {
            findings.extend(of_passage(survey, passage, wall));
        }
    }
}

fn of_passage(survey: &Survey<'_>, passage: &Passage, wall: f64) -> Option<Finding> {
    let needed = survey.parameters.opening_minutes(wall);
    let host = passage.host?;
    let (one, other) = (survey.called(passage.element), survey.called(host));
    let (rule, message, has) = match (passage.kind, survey.stated.minutes(passage.element)) {
        (_, Some(minutes)) if minutes >= needed - 1e-6 => return None,
        (PassageKind::Opening, _) => (
            OPENING_UNPROTECTED,
            format!("Nothing closes {one} in {other}, which is rated for {wall:.0} min."),
            None,
        ),
        (_, Some(minutes)) => {
            let message = format!(
                "{one} is rated for {minutes:.0} min, and stands in {other}, rated for {wall:.0} min; it needs {needed:.0} min."
            );
            (OPENING_WEAKER, message, Some(minutes))
        }
        (_, None) => {
            // a text that was not understood is told as such
            if survey.stated.unreadable.contains_key(&passage.element) {
                return None;
            }
            let message = format!(
                "{one} has no fire rating, and stands in {other}, rated for {wall:.0} min; it needs {needed:.0} min."
            );
            (OPENING_MISSING, message, None)
        }
    };
    let measured = has.map_or(Measured::Words("none".to_owned()), |value| {
        Measured::Quantity(Quantity { value, unit: Unit::Minutes })
    });
    let required = Required::AtLeast(Quantity { value: needed, unit: Unit::Minutes });
    let finding = rule
        .finding(vec![passage.element, host], message)
        .at(passage.frame.translation)
        .suggest("Take a door or window of the rating that is needed, and state it as FireRating.");
    Some(Finding { measured: Some(measured), required: Some(required), ..finding })
}
