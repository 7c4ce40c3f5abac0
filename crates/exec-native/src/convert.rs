//! A model in another schema version, with what that could not hold as JSON.

use contract::Fault;
use ifc::{Model, SchemaVersion};
use ifc_convert::{ConversionReport, Outcome};
use serde_json::{Value, json};

/// Notes that an answer carries; the rest is counted.
const NOTES: usize = 500;
/// Instances that a note names.
const EXAMPLES: usize = 5;

/// The converted model and its report.
pub(crate) fn convert(model: &Model, to: SchemaVersion) -> Result<(Model, Value), Fault> {
    let (converted, report) = ifc_convert::convert(model, to)
        .map_err(|error| Fault::backend(format!("The model cannot be converted to {to}: {error}.")))?;
    Ok((converted, of_report(&report)))
}

/// What was lost first, then what is near, then what only has another name; within each the most frequent first.
fn of_report(report: &ConversionReport) -> Value {
    let total = report.total();
    let mut notes: Vec<_> = report.notes.iter().filter(|note| note.outcome != Outcome::Kept).collect();
    notes.sort_by_key(|note| (std::cmp::Reverse(note.outcome), std::cmp::Reverse(note.count)));
    let more = notes.len().saturating_sub(NOTES);
    let notes = notes.into_iter().take(NOTES).map(|note| {
        let examples = note.instances.iter().take(EXAMPLES).map(|(id, guid)| match guid {
            Some(guid) => json!({ "id": id.0, "global_id": guid }),
            None => json!({ "id": id.0 }),
        });
        json!({
            "class": note.class,
            "outcome": note.outcome.as_str(),
            "reason": note.reason,
            "count": note.count,
            "examples": examples.collect::<Vec<_>>(),
        })
    });
    json!({
        "from": report.from,
        "to": report.to,
        "counts": {
            "kept": total.kept,
            "mapped": total.mapped,
            "approximated": total.approximated,
            "dropped": total.dropped,
        },
        "notes": notes.collect::<Vec<_>>(),
        "more_notes": more,
        "made": report.made,
    })
}
