//! Findings accepted as they are, with the reason, or taken up again.

use crate::modelling::iso_time;
use crate::waivers::{self, Waiver};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, FaultCode, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Findings of one call at most.
const MOST: usize = 500;
/// Letters of a reason at most.
const LONGEST: usize = 2_000;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Ids of findings or clashes, as the checks tell them.
    finding_ids: Vec<String>,
    /// The reason for which they are accepted; not for withdraw.
    reason: Option<String>,
    /// Take waivers back.
    #[serde(default)]
    withdraw: bool,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Waived, or taken up again.
    changed: usize,
    /// Waivers of the model now.
    waivers: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("waive_findings", Effect::Modify, run)
        .title("Waive findings")
        .toolset(Toolset::Compliance)
        .description(
            "Accepts findings or clashes with a reason: later checks leave them out and say so.",
        )
        .example(
            "A beam that passes on purpose",
            json!({ "finding_ids": ["3f2a9c01b7de"], "reason": "Cast in one piece, agreed with the engineer." }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let mut ids: Vec<String> = input.finding_ids.iter().map(|id| id.trim().to_lowercase()).collect();
    ids.sort();
    ids.dedup();
    if ids.is_empty() || ids.len() > MOST {
        return Err(Fault::invalid("finding_ids", format!("Give from 1 to {MOST} ids of findings.")));
    }
    for (at, id) in ids.iter().enumerate() {
        if !is_id(id) {
            let id: String = id.chars().take(60).collect();
            let problem =
                format!("'{id}' is no id of a finding, such as 3f2a9c01b7de; take it from a check's answer.");
            return Err(Fault::invalid(&format!("finding_ids[{at}]"), problem));
        }
    }
    let known = waivers::read(call.edit.model());
    let waiver = match (&input.reason, input.withdraw) {
        (Some(_), true) => {
            return Err(Fault::invalid("reason", "Waivers are taken back without a `reason`."));
        }
        (None, true) => {
            if let Some(id) = ids.iter().find(|id| !known.contains_key(*id)) {
                let problem = format!("The finding {id} is not waived.");
                return Err(Fault::new(FaultCode::NotFound, problem).with("field", "finding_ids"));
            }
            None
        }
        (Some(reason), false) if !reason.trim().is_empty() && reason.chars().count() <= LONGEST => {
            let (by, time) = (call.actor.principal.clone(), iso_time(call.time_ms));
            Some(Waiver { reason: reason.clone(), by, time })
        }
        (_, false) => {
            let problem =
                format!("Give the `reason` for which they are accepted, in at most {LONGEST} letters.");
            return Err(Fault::invalid("reason", problem));
        }
    };
    waivers::write(&mut call.edit, &mut call.guids, &ids, waiver.as_ref())?;
    Ok(Output { changed: ids.len(), waivers: waivers::read(call.edit.model()).len() })
}

/// True of what looks as ids of findings do: twelve hexadecimal digits, perhaps with a number, or a GUID.
fn is_id(id: &str) -> bool {
    let is_hex = |text: &str| text.chars().all(|letter| letter.is_ascii_hexdigit());
    let (first, rest) = id.split_at_checked(12).unwrap_or((id, ""));
    let is_short = first.len() == 12
        && is_hex(first)
        && (rest.is_empty() || rest.strip_prefix('-').is_some_and(|number| number.parse::<u32>().is_ok()));
    is_short || (id.len() == 36 && id.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit()))
}
