//! Groups, zones of rooms and systems, and their members.

use crate::arranged::{LISTED, chosen_objects};
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::library::groups::{self, Kind, Wanted};
use building::lookup;
use contract::{Effect, EventType, Fault, Toolset};
use ifc::relations::Links;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum GroupKind {
    #[default]
    Group,
    Zone,
    System,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Name; of one there is, name or id.
    name: String,
    /// A zone holds rooms, a system what serves one purpose.
    #[serde(default)]
    kind: GroupKind,
    /// Members to put in: ids, names, a category or selectors.
    #[serde(default)]
    add: Vec<String>,
    /// Members to take out; without its last a group ends.
    #[serde(default)]
    remove: Vec<String>,
    /// Of a system: HEATING, VENTILATION, DOMESTICCOLDWATER …
    #[schemars(extend("x-seldom" = true))]
    predefined_type: Option<String>,
    /// Full name of a zone or system.
    #[schemars(extend("x-seldom" = true))]
    long_name: Option<String>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// GlobalId; absent where the group ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    group_id: Option<String>,
    /// Class.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Name.
    name: String,
    /// How many members it has.
    count: usize,
    /// Names of its members; the first 200.
    members: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_group", Effect::Create, run)
        .title("Create or change group, zone or system")
        .description("Makes a group, a zone of rooms or a system, or puts members into the one of this name and takes them out.")
        .toolset(Toolset::Library)
        .event(EventType::GroupChanged)
        .example("Walls that belong together", json!({ "name": "North side", "add": ["Wall 1"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    if input.add.is_empty()
        && input.remove.is_empty()
        && input.predefined_type.is_none()
        && input.long_name.is_none()
    {
        return Err(Fault::invalid("add", "Nothing is asked for: give members to `add` or `remove`."));
    }
    let members = |author: &building::Author, field: &str, texts: &[String]| {
        if texts.is_empty() { Ok(Vec::new()) } else { chosen_objects(author, field, texts) }
    };
    let wanted = Wanted {
        add: members(author, "add", &input.add)?,
        remove: members(author, "remove", &input.remove)?,
        group: input.name.clone(),
        kind: match input.kind {
            GroupKind::Group => Kind::Group,
            GroupKind::Zone => Kind::Zone,
            GroupKind::System => Kind::System,
        },
        predefined: input.predefined_type,
        long_name: input.long_name,
    };
    let Some(group) = groups::put(author, &wanted)? else {
        return Ok(Output { group_id: None, class: None, name: input.name, count: 0, members: Vec::new() });
    };
    let members = Links::of_one(author.edit).members_of(group);
    Ok(Output {
        group_id: Some(lookup::guid(author.edit, group)),
        class: author.edit.get(group).map(|g| g.class_name().to_owned()),
        name: lookup::label(author.edit, group),
        count: members.len(),
        members: members.iter().take(LISTED).map(|id| lookup::label(author.edit, *id)).collect(),
    })
}
