//! Doors and windows that stand beside the opening that they fill.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around as _;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use building::soundness::hosts::{CASING, Fit, built_host};

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::FILLING_OUTSIDE_OPENING,
    title: "Doors and windows stand in their openings",
    text: "A door or window stands out of the opening that it fills by no more than a casing, 100 mm.",
    why: "The wall is cut at one place and the door stands at another: one of both was moved alone.",
    severity: Severity::Error,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for opening in context.model.of_class("IfcOpeningElement") {
        let fillings = context.links.fillings_of(opening);
        if fillings.is_empty()
            || !(context.concerns(opening) || fillings.iter().any(|id| context.concerns(*id)))
        {
            continue;
        }
        let Some(host) = built_host(&context.links, opening) else { continue };
        let (Some(cutter), Some(body)) = (context.uncut(opening), context.uncut(host)) else { continue };
        let fit = Fit::new(context.model, opening, &cutter, &body);
        for filling in fillings {
            let Some(leaf) = context.uncut(filling) else { continue };
            let Some(out) = fit.stands_out(&leaf, &cutter) else { continue };
            let place = leaf.bounds().centre();
            let (one, other) = (context.called(filling), context.called(opening));
            let out = Quantity::length(out);
            let message = format!("{one} stands {out} out of {other}, which it fills, at {} mm.", at(place));
            let finding = CONSTRAINT
                .breach(vec![filling, opening], message)
                .measured(out, Required::AtMost(Quantity::length(CASING)))
                .at(place)
                .suggest("Move the one to the other, or make the opening as large as what fills it.");
            findings.push(finding);
        }
    }
}
