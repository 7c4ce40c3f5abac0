//! Asks for variables and meters to be recorded by the next run, in one step.

use crate::energy::list_output_variables;
use crate::simulation::results;
use crate::{EnergyCall, Reply, Tool, parse};
use contract::{
    Effect, EventType, Fault, FaultCode, ModelUse, Models, Needs, Operation, Queries, Sessions, Toolset,
};
use energy::edit::{Fields, NewObject};
use energy::results::Frequency;
use energy::results::variables::literally;
use energy::schema::nearest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Variables that one call may ask for.
const MOST: usize = 200;

/// The tool's arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// As list_output_variables has them, available=true.
    variables: Vec<String>,
    /// Zone, surface, node …; every one without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "*", "x-seldom" = true))]
    key_value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "Hourly", "x-seldom" = true))]
    frequency: Option<Frequency>,
}

/// The outputs that the model asks for now.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    added: Vec<String>,
    /// Those that it asked for already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    there: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("request_outputs", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .description("Has the next run record variables and meters.")
        .toolset(Toolset::Results)
        .model(ModelUse::Current)
        .with_energy(add)
        .event(EventType::ElementCreated)
        .idempotent()
        .example(
            "Temperatures of air and surfaces by the hour",
            json!({ "variables": ["Zone Mean Air Temperature", "Surface Inside Face Temperature"] }),
        )
}

async fn run(
    platform: &(impl Models + Queries + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    if input.variables.is_empty() || input.variables.len() > MOST {
        return Err(Fault::invalid("variables", format!("Give from 1 to {MOST} names.")));
    }
    let asked: Vec<String> = input.variables.iter().map(|name| literally(name.trim())).collect();
    let mut notice = None;
    match could_record(platform, &format!("^({})$", asked.join("|"))).await {
        Some(known) => check(platform, &input.variables, &known).await?,
        None => {
            notice = Some("There is no run yet to check the names against; a name that means nothing is told as a warning of the run.".to_owned());
        }
    }
    let model = platform.current_model().await?;
    let operation =
        Operation { effect: Effect::Modify, name: "request_outputs".into(), params: json!(input) };
    let changed = platform.change_model(&model.model_id, operation, None).await?;
    let mut output = Output::deserialize(&changed.artifact.result)
        .map_err(|error| Fault::backend(format!("The outputs cannot be read: {error}.")))?;
    output.notice = notice;
    Ok(match changed.committed {
        Some(committed) => Reply::new(output).committed(committed),
        None => Reply::new(output).status("unchanged"),
    })
}

/// The names that the latest run could have recorded, of those that a regular expression finds; none where there is no run.
async fn could_record(platform: &(impl Queries + ?Sized), search: &str) -> Option<Vec<String>> {
    let operation = Operation {
        effect: Effect::Query,
        name: list_output_variables::NAME.into(),
        params: json!({ "available": true, "limit": 1_000, "search": search }),
    };
    let needs = Needs { files: vec![results()], ..Needs::default() };
    let known = platform.query_needing(operation, &needs).await.ok()?;
    let listed = known.result.get("variables")?.as_array()?;
    Some(listed.iter().filter_map(|row| Some(row.get("name")?.as_str()?.to_owned())).collect())
}

async fn check(platform: &(impl Queries + ?Sized), wanted: &[String], known: &[String]) -> Result<(), Fault> {
    let is_known = |name: &&String| known.iter().any(|known| known.eq_ignore_ascii_case(name.trim()));
    let unknown: Vec<&str> = wanted.iter().filter(|name| !is_known(name)).map(|name| name.trim()).collect();
    let Some(first) = unknown.first() else { return Ok(()) };
    // names that have all of its words but one
    let words: Vec<String> = first.split([' ', ':']).filter(|word| !word.is_empty()).map(literally).collect();
    let without = |left: usize| {
        let kept: Vec<&str> =
            words.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, word)| word.as_str()).collect();
        kept.join(".*")
    };
    let searches: Vec<String> = (0..words.len()).map(without).filter(|search| !search.is_empty()).collect();
    let alike = could_record(platform, &searches.join("|")).await.unwrap_or_default();
    let mut near = nearest(first, alike.iter().map(String::as_str), 5);
    if near.is_empty() {
        near = alike.iter().take(5).map(String::as_str).collect();
    }
    let meant = if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(", ")) };
    let message = format!(
        "The model could not record {}.{meant} list_output_variables with available=true and search finds names. Nothing was added.",
        unknown.join(", ")
    );
    Err(Fault::new(FaultCode::InvalidParams, message).with("field", "variables").with("near_matches", near))
}

fn add(call: &mut EnergyCall<'_>, params: Value) -> Result<Value, Fault> {
    let input: Input = parse(params, &["variables", "key_value", "frequency"].map(str::to_owned))?;
    let key = input.key_value.as_deref().map_or("*", str::trim);
    let frequency = match input.frequency.unwrap_or(Frequency::Hourly) {
        Frequency::Detailed => "Detailed",
        Frequency::Timestep => "Timestep",
        Frequency::Hourly => "Hourly",
        Frequency::Daily => "Daily",
        Frequency::Monthly => "Monthly",
        Frequency::RunPeriod => "RunPeriod",
        Frequency::Annual => "Annual",
    };
    let mut output = Output { added: Vec::new(), there: Vec::new(), notice: None };
    for name in input.variables.iter().map(|name| name.trim()) {
        // names of meters have a colon, those of variables never
        let is_meter = name.contains(':');
        let (object_type, field) =
            if is_meter { ("Output:Meter", "key_name") } else { ("Output:Variable", "variable_name") };
        let is_same = |object: energy::idf::Object<'_>| {
            let says = |field: &str, word: &str| {
                object.get(field).is_some_and(|value| {
                    value.eq_ignore_ascii_case(word) || (value.is_empty() && word == "*")
                })
            };
            let often = object.get("reporting_frequency").filter(|word| !word.is_empty()).unwrap_or("Hourly");
            says(field, name)
                && often.eq_ignore_ascii_case(frequency)
                && (is_meter || says("key_value", key) || says("key_value", "*"))
        };
        if call.document.of_type(object_type).any(is_same) {
            output.there.push(name.to_owned());
            continue;
        }
        let mut fields = Fields::new();
        if !is_meter {
            fields.insert("key_value".to_owned(), key.into());
        }
        fields.insert(field.to_owned(), name.into());
        fields.insert("reporting_frequency".to_owned(), frequency.into());
        call.document.add_all(&[NewObject {
            object_type: object_type.to_owned(),
            name: String::new(),
            fields,
        }])?;
        output.added.push(name.to_owned());
    }
    serde_json::to_value(output)
        .map_err(|error| Fault::backend(format!("The outputs cannot be written: {error}.")))
}
