//! Doors on the way out: their clear width (1010.1.1) and the way they open (1010.1.2.1).

use super::rules::{DOOR_SWING, DOOR_WIDTH};
use super::survey::{Passing, Survey};
use crate::widened::widened;
use crate::{Finding, Quantity, Required};
use spatial::ways::Door;
use std::collections::BTreeSet;

/// Adds a finding for each door that is too narrow for who passes it, or opens against many.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let premises = &survey.subject.ways.premises;
    let mut exits: BTreeSet<usize> = premises.exits.iter().map(|exit| exit.door).collect();
    exits.extend(survey.network.exits.iter().map(|exit| exit.door));
    for (number, passing) in &survey.doors {
        let Some(door) = survey.door(*number).filter(|door| !door.is_open) else { continue };
        // the capacity of exits is told with the exit
        findings.extend(width(survey, door, passing, exits.contains(number)));
        findings.extend(swing(survey, door, passing));
    }
}

fn width(survey: &Survey<'_>, door: &Door, passing: &Passing, is_exit: bool) -> Option<Finding> {
    let parameters = survey.parameters;
    if passing.persons() < parameters.least_door_load {
        return None;
    }
    let by_load = if is_exit { 0.0 } else { passing.persons() * parameters.door_width_per_person };
    let needed = parameters.least_door.max(by_load);
    if door.clear >= needed - 1e-6 {
        return None;
    }
    let (has, needs) = (Quantity::length(door.clear), Quantity::length(needed));
    let name = building::soundness::called(survey.subject.model, door.element);
    let message = format!(
        "{name} is {has} wide in the clear, and {:.0} persons leave by it; they need {needs}.",
        passing.persons().ceil()
    );
    let finding = DOOR_WIDTH
        .finding(vec![door.element], message)
        .measured(has, Required::AtLeast(needs))
        .at(door.middle.extend(door.sill))
        .suggest("Make the door wider with modify_parameter, width.");
    let finding = widened(finding, survey.subject.model, door, needed - door.clear);
    Some(if by_load > parameters.least_door { finding.by_clause("IBC 2021 1005.3.2") } else { finding })
}

fn swing(survey: &Survey<'_>, door: &Door, passing: &Passing) -> Option<Finding> {
    let least = survey.parameters.swing_load;
    if passing.persons() < least {
        return None;
    }
    let swings = survey.subject.swings(door);
    // a door that opens both ways, or has a panel that opens the right way, lets out
    let is_against = !swings.is_empty() && swings.iter().all(|swing| swing.open.dot(passing.ways) < 0.0);
    if !is_against {
        return None;
    }
    let name = building::soundness::called(survey.subject.model, door.element);
    let persons = Quantity::count(passing.persons().ceil() as usize);
    let message = format!("{name} opens against the way out of {persons} persons.");
    let finding = DOOR_SWING
        .finding(vec![door.element], message)
        .measured(persons, Required::Words(format!("opens with the way out, from {least:.0} persons")))
        .at(door.middle.extend(door.sill))
        .suggest("Let it open the other way.");
    let arcs = swings.iter().map(|swing| swing.ground(0, 90).iter().map(|p| p.extend(door.sill)).collect());
    Some(Finding { lines: arcs.collect(), ..finding })
}
