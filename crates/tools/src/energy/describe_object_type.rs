//! One type of object with its fields: what each holds, in which units and range, and what it may refer to.

use crate::energy_objects::{BUDGET, schema_of, type_of};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use energy::schema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Choices and lists that one field shows at most.
const LISTED: usize = 40;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Such as `BuildingSurface:Detailed`.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// Version of EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Described {
    /// Its name for add_object and update_object.
    field: String,
    /// `real`, `integer`, `choice`, `text`, `reference`, `external`, `node`, `mixed`.
    kind: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    /// Such as `from 0 up to 1, or Autosize`.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    /// Lists whose members it may name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Repeated {
    /// The name of the list of groups.
    field: String,
    fields: Vec<Described>,
}

/// The type.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    object_type: String,
    version: String,
    group: String,
    memo: String,
    /// True if objects have names.
    named: bool,
    /// At most one in a model.
    unique: bool,
    /// Every model must have it.
    required: bool,
    fields: Vec<Described>,
    /// The groups of fields that repeat at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    extensible: Option<Repeated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("describe_object_type", Effect::Query, run)
        .description("The fields of one EnergyPlus object type: kind, units, range, choices, default, references, notes.")
        .in_terms_of_model("version")
        .example("The fields of a zone", json!({"object_type": "Zone"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let schema = &*schema_of(&call.document, input.version.as_deref())?;
    let about = type_of(schema, &input.object_type)?;
    let answer = |note: usize| {
        let fields = |fields: &[schema::Field]| fields.iter().map(|it| field(it, note)).collect::<Vec<_>>();
        Output {
            object_type: about.name.to_string(),
            version: schema.version().to_owned(),
            group: about.group.to_string(),
            memo: about.memo.to_string(),
            named: about.named,
            unique: about.unique,
            required: about.required,
            fields: fields(&about.fields),
            extensible: about
                .extensible
                .as_ref()
                .map(|group| Repeated { field: group.key.to_string(), fields: fields(&group.fields) }),
            notice: None,
        }
    };
    for note in [usize::MAX, 200, 60, 0] {
        let mut output = answer(note);
        let weight = serde_json::to_string(&output).map_or(0, |text| text.len());
        if weight > BUDGET && note > 0 {
            continue;
        }
        if note < usize::MAX {
            output.notice = Some("The notes are shortened; search_schema finds what they say.".into());
        }
        if weight > BUDGET {
            output.notice =
                Some(format!("{} fields; only the first are shown, without notes.", output.fields.len()));
            output.fields.truncate(90);
        }
        return Ok(output);
    }
    Ok(answer(0))
}

fn field(field: &schema::Field, note: usize) -> Described {
    let texts = |all: &[schema::Text]| all.iter().take(LISTED).map(ToString::to_string).collect();
    let bound = |bound: Option<schema::Bound>, open: &str, closed: &str| {
        bound.map(|bound| format!("{} {}", if bound.exclusive { open } else { closed }, bound.value))
    };
    let parts = [
        bound(field.minimum, "greater than", "from"),
        bound(field.maximum, "less than", "up to"),
        field.automatic.map(|word| format!("or {}", word.word())),
    ];
    let range = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let kind = serde_json::to_value(field.kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
    Described {
        field: field.key.to_string(),
        kind: kind.unwrap_or_default(),
        required: field.required,
        units: field.units.as_deref().map(str::to_owned),
        default: field.default.as_deref().map(str::to_owned),
        range: (!range.is_empty()).then_some(range),
        choices: texts(&field.choices),
        references: texts(&field.lists),
        note: field.note.as_deref().filter(|_| note > 0).map(|text| text.chars().take(note).collect()),
    }
}
