//! Several tools as one change, for agents that write no code: later steps name what earlier ones answered. What runs it is the
//! adapter; the description, the input and the answer are the same everywhere.

use crate::{Tool, parse};
use contract::{Condition, Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The tool that a batch may begin with, which makes the model that the others work on.
pub const BEGINS: &str = "create_project";
/// Steps of a batch at most.
pub const MOST: usize = 500;

/// One step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A tool on a model; the first may be create_project.
    pub tool: String,
    /// Its arguments, without model_id.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Name for later steps.
    #[serde(default, rename = "as")]
    pub name: Option<String>,
}

/// How much of the steps' answers is told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Ids and names alone.
    Ids,
    /// All but what is long, which is shortened.
    #[default]
    Concise,
    /// All of it.
    Full,
}

/// The steps.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// In order.
    pub steps: Vec<Step>,
    /// ids and names alone; concise shortens what is long; full.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    pub detail: Detail,
}

/// The answer of one step.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StepAnswer {
    /// Its name, or its number from 1.
    pub step: String,
    /// The tool.
    pub tool: String,
    /// The tool's own answer.
    #[serde(flatten)]
    pub answer: Map<String, Value>,
}

/// The tool's answer.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// The answer of each step, in order.
    pub steps: Vec<StepAnswer>,
    /// The most items of a list that are told, where longer ones were shortened.
    pub lists_shortened_to: Option<usize>,
}

/// The steps in a call's parameters.
pub fn input(params: Value) -> Result<Input, Fault> {
    parse(params, &["steps", "detail"].map(str::to_owned))
}

/// The tool.
pub fn tool() -> Tool {
    Tool::adapter::<Input, Output>("run_batch", Effect::Modify)
        .description(
            "Runs tools on a model as one change, all or nothing. `$name.path` in later steps is what the step named by `as` \
             answered: \"$house.storeys.0.walls.*.wall_id\", [side=1] for one.",
        )
        .toolset(Toolset::Model)
        .destructive()
        .makes_files()
        .makes_model_when(Condition::is("steps.0.tool", BEGINS), "steps.0.arguments.name")
        .event(EventType::BatchRun)
        .example(
            "A wall with a window in its middle",
            json!({ "steps": [
                { "tool": "create_wall", "as": "wall", "arguments": { "start": [0, 9000], "end": [5000, 9000], "level_id": "Ground Floor" } },
                { "tool": "create_opening", "arguments": { "host_id": "$wall.wall_id", "location": { "at": "center" },
                    "width": 1200, "height": 1200, "opening_type": "window" } },
            ] }),
        )
}
