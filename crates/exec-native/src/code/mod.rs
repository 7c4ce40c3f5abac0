//! `run_code` and `run_batch`. A script's calls are tools' bodies on one transaction. What it comes to is one change or, if an exception
//! is not caught or a limit is met, nothing.

mod adapter;
mod arguments;
pub(crate) mod batch;
mod element;
mod room_state;
mod rooms;

use crate::model::NativeModel;
use crate::run::Call;
use adapter::Bench;
use contract::{Fault, Outcome};
use script::{Limits, Ran};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tools::model::run_code::{self, Mode};
use tools::{IfcBody, Tool};

/// The tools that a script finds on its adapter.
pub(crate) type Tools = BTreeMap<String, (Tool, IfcBody)>;

/// The name of the operation.
pub(crate) const NAME: &str = "run_code";

/// Runs the script of a request.
pub(crate) fn run(call: &Call<'_>, before: &NativeModel, tools: &Tools) -> Result<Outcome, Fault> {
    let request = call.request;
    let input = run_code::input(request.operation.params.clone())?;
    call.watch.begins("running the script");
    let mut bench = Bench::new(call, before, tools, input.mode == Mode::Modify);
    let ran = script::run(&input.code, &mut bench, &limits(call));
    let Ran { value, printed, limits_met, .. } = ran.map_err(|fault| bench.helped(fault))?;
    let mut result = Map::new();
    if !value.is_null() {
        result.insert("value".into(), value);
    }
    if !printed.is_empty() {
        result.insert("printed".into(), printed.into());
    }
    if !limits_met.is_empty() {
        result.insert("limits_met".into(), json!(limits_met));
    }
    let files = std::mem::take(&mut bench.call.made);
    let again = std::mem::take(&mut bench.call.regenerated);
    let edit = bench.into_edit();
    let outcome = Outcome {
        files,
        event_type: Some("CodeRun".into()),
        ..crate::run::committed(before, edit, Value::Object(result), Some(call.reach()))
    };
    Ok(crate::run::telling_regenerated(outcome, &again))
}

/// Returns the limits of a script: its own limits, and no more than the call has left. It ends in time to say so.
fn limits(call: &Call<'_>) -> Limits {
    let (asked, deadline) = (call.request.limits, call.request.deadline_ms);
    let mut limits = Limits::default();
    if asked.wall_ms > 0 {
        limits.wall = limits.wall.min(Duration::from_millis(asked.wall_ms));
    }
    if asked.memory_bytes > 0 {
        limits.memory = limits.memory.min(usize::try_from(asked.memory_bytes).unwrap_or(usize::MAX));
    }
    if deadline > 0 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let left = Duration::from_millis(deadline).saturating_sub(now);
        limits.wall = limits.wall.min(left.mul_f64(0.9));
    }
    limits
}
