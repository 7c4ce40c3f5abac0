//! The width of stairs on the way out (1005.3.1, 1011.2).

use super::rules::STAIR_WIDTH;
use super::survey::Survey;
use crate::{Finding, Quantity, Required};
use ifc::Id;
use std::collections::BTreeMap;

/// Adds a finding for each stair that is too narrow for who takes it.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    // the narrowest flight of an element, with the most persons on one of its flights
    let mut by_element: BTreeMap<Id, (f64, f64, glam::DVec3)> = BTreeMap::new();
    for (number, persons) in survey.flight_loads() {
        let Some(flight) = survey.subject.ways.premises.flights.get(number).filter(|f| f.is_stair) else {
            continue;
        };
        let at = flight.lines.first().map(|line| line[0].midpoint(line[1])).unwrap_or_default();
        let entry = by_element.entry(flight.element).or_insert((flight.width, persons, at));
        if flight.width < entry.0 {
            (entry.0, entry.2) = (flight.width, at);
        }
        entry.1 = entry.1.max(persons);
    }
    findings.extend(by_element.into_iter().filter_map(|(id, (width, persons, at))| {
        let parameters = survey.parameters;
        let [usual, few] = parameters.least_stair;
        let least = if persons < parameters.swing_load { few } else { usual };
        let by_load = persons * parameters.stair_width_per_person;
        let needed = least.max(by_load);
        if width >= needed - 1e-6 {
            return None;
        }
        let (has, needs) = (Quantity::length(width), Quantity::length(needed));
        let name = building::soundness::called(survey.subject.model, id);
        let message = format!(
            "{name} is {has} wide, and {:.0} persons leave by it; they need {needs}.",
            persons.ceil()
        );
        let finding = STAIR_WIDTH
            .finding(vec![id], message)
            .measured(has, Required::AtLeast(needs))
            .at(at)
            .suggest("Make the stair wider.");
        Some(if by_load > least { finding.by_clause("IBC 2021 1005.3.1") } else { finding })
    }));
}
