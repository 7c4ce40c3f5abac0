//! A model in another schema version, with what that could not hold.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{Convert, ConvertAnswer, ConvertCounts, ConvertExample, ConvertNote, PlatformOperation};
use contract::{Fault, Outcome};
use exec::files;
use ifc::SchemaVersion;
use ifc_convert::{ConversionReport, Outcome as Fate};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error;

/// Notes that an answer carries; the rest is counted.
const NOTES: usize = 500;
/// Instances that a note names.
const EXAMPLES: usize = 5;

impl Resolve for Convert {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let named = self.schema_version.as_str();
        let to = SchemaVersion::deserialize(named.into_deserializer())
            .map_err(|error: Error| Fault::invalid("schema_version", format!("{}: {error}.", Self::NAME)))?;
        let (converted, report) = ifc_convert::convert(&call.model("model")?.model, to)
            .map_err(|error| Fault::backend(format!("The model cannot be converted to {to}: {error}.")))?;
        let outcome = Self::outcome(answer(&report))?;
        let name = files::name(call.request, &format!("{to}.ifc"));
        let time = tools::iso_time(call.request.time_ms);
        let file = files::out_with(call.request, "model", name, "application/x-step", |out| {
            converted.write_at(&time, out)
        })?;
        Ok(Outcome { files: vec![file], ..outcome })
    }
}

/// Lists losses first, then what is near, then what only has another name; within each the most frequent first.
fn answer(report: &ConversionReport) -> ConvertAnswer {
    let total = report.total();
    let mut notes: Vec<_> = report.notes.iter().filter(|note| note.outcome != Fate::Kept).collect();
    notes.sort_by_key(|note| (std::cmp::Reverse(note.outcome), std::cmp::Reverse(note.count)));
    let more_notes = notes.len().saturating_sub(NOTES) as u64;
    let notes = notes.into_iter().take(NOTES).map(|note| {
        let examples = note.instances.iter().take(EXAMPLES);
        let examples = examples.map(|(id, guid)| ConvertExample { id: id.0, global_id: guid.clone() });
        ConvertNote {
            class: note.class.clone(),
            outcome: note.outcome.as_str().to_owned(),
            reason: note.reason.clone(),
            count: note.count as u64,
            examples: examples.collect(),
        }
    });
    ConvertAnswer {
        from: report.from.to_string(),
        to: report.to.to_string(),
        counts: ConvertCounts {
            kept: total.kept as u64,
            mapped: total.mapped as u64,
            approximated: total.approximated as u64,
            dropped: total.dropped as u64,
        },
        notes: notes.collect(),
        more_notes,
        made: report.made.iter().map(|(class, count)| (class.clone(), *count as u64)).collect(),
    }
}
