//! The agent's own Python on a model: a script of many edits is one change. What runs it is each adapter's own; the
//! description, the input and the answer are the same everywhere.

use crate::{Tool, parse};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The languages that scripts are written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Python 3.
    #[default]
    Python,
}

/// The right of a script to change the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It may.
    #[default]
    Modify,
    /// It only reads; edits are refused.
    Query,
}

/// A script.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Python; the last expression is answered.
    pub code: String,
    /// The language.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    pub language: Language,
    /// query only reads, and refuses edits.
    #[serde(default)]
    pub mode: Mode,
    /// ifcopenshell: all of Python, with `model` (an ifcopenshell.file), `ifcopenshell` and `adapter`, whose methods
    /// are create_wall, create_opening, set_properties and the like.
    #[serde(default)]
    #[schemars(extend("default" = "native", "x-backend" = "ifcopenshell", "x-seldom" = true))]
    pub backend: Option<String>,
}

/// The tool's answer.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// The value of the last expression.
    pub value: Option<Value>,
    /// The text that was printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// The parts cut because they were too long: printed, value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits_met: Vec<&'static str>,
}

/// The script in a call's parameters.
pub fn input(params: Value) -> Result<Input, Fault> {
    parse(params, &["code", "language", "mode"].map(str::to_owned))
}

/// The tool.
pub fn tool() -> Tool {
    Tool::adapter::<Input, Output>("run_code", Effect::Modify)
        .description(
            "Runs Python on the model: many steps as one change, all or nothing. `adapter` has every tool on a model as a \
             method:\n\
             w = adapter.create_wall([0,0], [5000,0], \"Ground\")\n\
             for e in adapter.select(\"IfcDoor\"): print(e.name, e.host, e.OverallWidth)\n\
             Elements of select(selector), element(id): id, name, ifc_class, IFC attributes, \
             get(\"Pset_WallCommon.FireRating\"), psets(), quantities(), query_elements' fields (type, host, volume, \
             facing, …), parts, contains, openings, fillings, bounds, origin; change them with tools. Numbers are in the file's units (adapter.unit, to_mm(x), from_mm(x)); of tools and places \
             in mm. Has math, json, re, itertools, datetime; no generators, files, network.",
        )
        .toolset(Toolset::Model)
        .toolset(Toolset::Code)
        .destructive()
        .reads_when("mode", "query")
        .event(EventType::CodeRun)
        .example("Count walls", json!({ "code": "len(adapter.select(\"IfcWall\"))", "mode": "query" }))
}
