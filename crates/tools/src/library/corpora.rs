//! The sections of the corpora that come with the program.

use crate::script_api;
use crate::validation::explain_rule;
use energy::docs;
use energy::schema::Schema;
use knowledge::Section;
use knowledge::corpora::catalogue::{self, ToolPage};
use knowledge::corpora::names::ENERGYPLUS;
use knowledge::corpora::{guides, ids, ifc, meanings};
use serde_json::Value;

/// Parameters that nearly every tool has, which say nothing of one.
pub(crate) const COMMON: [&str; 6] =
    ["model_id", "model_version", "as_job", "reasoning", "idempotency_key", "backend"];

/// All corpora: IFC, IDS, rules and packs, tools, the agent's Python, the types of EnergyPlus' newest version, and these guides.
pub(super) fn own(texts: &[(&str, &str)]) -> Vec<Section> {
    let mut sections = ifc::sections();
    sections.extend(meanings::explained(ids::sections()));
    sections.extend(meanings::explained(explain_rule::sections()));
    sections.extend(meanings::explained(catalogue::tools(tools())));
    sections.extend(catalogue::script(script_api::pages()));
    sections.extend(types(Schema::built_in().as_ref()));
    for (name, text) in texts {
        sections.extend(meanings::explained(guides::guide(name, text)));
    }
    sections
}

/// The types of objects of a version of EnergyPlus, at `energyplus/schema/…`.
pub(super) fn types(schema: &Schema) -> Vec<Section> {
    let versions = [schema.short_version().to_owned()];
    let sections = schema.types().iter().map(|about| {
        let own = docs::section(schema, about);
        (own.location, own.title, own.path, own.tags, own.text)
    });
    meanings::explained(catalogue::documentation(ENERGYPLUS, &versions, sections))
}

/// The tools with their parameters, as agents read them.
fn tools() -> Vec<ToolPage> {
    let shown = crate::catalogue().into_iter().filter(|tool| !tool.spec.for_pages_only);
    shown
        .map(|tool| {
            let properties = tool.spec.input_schema.get("properties").and_then(Value::as_object);
            let words = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_owned);
            let parameters = properties
                .into_iter()
                .flatten()
                .filter(|(name, _)| !COMMON.contains(&name.as_str()))
                .map(|(name, schema)| (name.clone(), words(schema).unwrap_or_default()));
            let mut description = tool.spec.description.clone();
            // what a tool is for is often said best by its examples
            for example in &tool.spec.examples {
                description.push_str("\nExample: ");
                description.push_str(&example.title);
            }
            ToolPage {
                server: tool.spec.server.as_str().to_owned(),
                description,
                parameters: parameters.collect(),
                name: tool.spec.name,
            }
        })
        .collect()
}
