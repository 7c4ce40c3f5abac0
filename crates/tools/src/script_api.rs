//! The agent's Python: what the adapter and elements of a script have, as pages that are found and read, and as lines that help where a
//! script named something that is not there.

use crate::library::COMMON;
use crate::near_matches;
use contract::ToolSpec;
use knowledge::corpora::catalogue::ScriptPage;
use serde_json::Value;
use std::fmt::Write as _;

/// Lines that help at once.
const LINES: usize = 3;
/// Characters of a line, about.
const LINE: usize = 200;

/// A function or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its owner: `adapter`, `element` or `room`.
    pub on: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub written: &'static str,
    /// Its meaning.
    pub text: &'static str,
}

impl Entry {
    /// Its address.
    pub fn address(&self) -> String {
        format!("script/{}.{}", self.on, self.name)
    }

    /// It on one line.
    pub fn line(&self) -> String {
        format!("{}: {}", self.written, self.text)
    }
}

const fn of_adapter(name: &'static str, written: &'static str, text: &'static str) -> Entry {
    Entry { on: "adapter", name, written, text }
}

const fn of_element(name: &'static str, written: &'static str, text: &'static str) -> Entry {
    Entry { on: "element", name, written, text }
}

const fn of_room(name: &'static str, written: &'static str, text: &'static str) -> Entry {
    Entry { on: "room", name, written, text }
}

/// Everything but the tools, which are methods of the adapter as they are.
pub const ENTRIES: &[Entry] = &[
    of_adapter(
        "select",
        "adapter.select(selector)",
        "a list of the elements that a selector names, such as \"IfcWall, Pset_WallCommon.IsExternal=TRUE\".",
    ),
    of_adapter("element", "adapter.element(id)", "one element, by its id, GlobalId or unique name."),
    of_adapter(
        "to_mm",
        "adapter.to_mm(length)",
        "a number or list of numbers in the file's unit of length as millimetres.",
    ),
    of_adapter(
        "from_mm",
        "adapter.from_mm(length)",
        "a number or list of numbers in millimetres in the file's unit of length.",
    ),
    of_adapter("unit", "adapter.unit", "the file's unit of length, such as \"mm\" or \"m\"."),
    of_adapter("schema", "adapter.schema", "the file's schema: \"IFC2X3\", \"IFC4\" or \"IFC4X3\"."),
    of_element("id", "element.id", "its id, by which tools know it."),
    of_element("global_id", "element.global_id", "its GlobalId."),
    of_element("name", "element.name", "its name."),
    of_element("ifc_class", "element.ifc_class", "its class, such as \"IfcWall\"."),
    of_element(
        "get",
        "element.get(\"Pset_WallCommon.FireRating\")",
        "the field of that name as query_elements has it: an attribute, property, quantity, \"type.Name\", \"storey.Name\"; None where it has none.",
    ),
    of_element("psets", "element.psets()", "its property sets as a dict of dicts, in the file's units."),
    of_element(
        "quantities",
        "element.quantities()",
        "its quantity sets as a dict of dicts, in the file's units.",
    ),
    of_element("attributes", "element.attributes()", "its IFC attributes as a dict, in the file's units."),
    of_element("storey", "element.storey", "the storey that it is on, or None."),
    of_element("container", "element.container", "the spatial structure element that contains it, or None."),
    of_element("type", "element.type", "its type as an element, or None."),
    of_element(
        "host",
        "element.host",
        "the wall, slab or roof whose opening a door or window fills, or None.",
    ),
    of_element("fills", "element.fills", "the opening that a door or window fills, or None."),
    of_element("part_of", "element.part_of", "the whole of which it is a part, or None."),
    of_element("parts", "element.parts", "a list of its parts."),
    of_element("contains", "element.contains", "a list of the elements that a storey or space contains."),
    of_element("openings", "element.openings", "a list of the openings in it."),
    of_element("fillings", "element.fillings", "a list of the doors and windows in its openings."),
    of_element("groups", "element.groups", "a list of the groups, systems and zones that it is in."),
    of_element("occurrences", "element.occurrences", "a list of the occurrences of a type."),
    of_element("material", "element.material", "the name of its material."),
    of_element(
        "materials",
        "element.materials",
        "the names of its materials, layers and constituents included.",
    ),
    of_element("bounds", "element.bounds", "its bounding box in mm, in the world."),
    of_element("origin", "element.origin", "where it stands, in mm, in the world."),
    of_element(
        "placement",
        "element.placement(local=False)",
        "its origin in mm and axes, in the world or on what it is placed on.",
    ),
    of_element("parameters", "element.parameters", "the parameters behind its shape, in mm."),
    of_element(
        "spaces",
        "element.spaces",
        "a list of the spaces that it bounds, as the file's space boundaries say.",
    ),
    of_element(
        "boundaries",
        "element.boundaries",
        "a list of the elements that bound a space, as the file's space boundaries say.",
    ),
    of_element(
        "rooms",
        "element.rooms",
        "a list of rooms that it bounds, opens into or stands in; those on a storey or in a building; computed.",
    ),
    of_element("volume", "element.volume", "its volume in m³, computed from its shape."),
    of_element("area", "element.area", "its area in m², computed from its shape."),
    of_element("surface", "element.surface", "the area of its whole surface in m²."),
    of_element("thickness", "element.thickness", "its thickness in mm."),
    of_element("layers", "element.layers", "its layers: materials and thicknesses in mm."),
    of_element("profile", "element.profile", "the profile that it is extruded of."),
    of_element("facing", "element.facing", "the direction that it faces, as a word."),
    of_element("bearing", "element.bearing", "the direction that it faces, in degrees from north."),
    of_room(
        "neighbours",
        "room.neighbours or room.neighbours(\"door\")",
        "a list of the rooms beside it in any way, or through \"door\", \"opening\", \"window\", \"wall\", \"slab\".",
    ),
    of_room("doors", "room.doors", "a list of its doors."),
    of_room("windows", "room.windows", "a list of its windows."),
];

/// Everything as pages.
pub(crate) fn pages() -> Vec<ScriptPage> {
    let one = |entry: &Entry| ScriptPage {
        name: format!("{}.{}", entry.on, entry.name),
        signature: entry.written.to_owned(),
        text: format!("In run_code: {}", entry.text),
    };
    ENTRIES.iter().map(one).collect()
}

/// The lines on what is called most like a name that an element or the adapter does not have, the nearest first.
pub fn lines_near(on: &[&str], name: &str) -> Vec<String> {
    let own: Vec<&Entry> = ENTRIES.iter().filter(|entry| on.contains(&entry.on)).collect();
    let near = near_matches(name, own.iter().map(|entry| entry.name));
    // a name that has one of ours in it, or is in one of ours: `storey_name`, `quantity`
    let folded = name.to_lowercase();
    let within = own.iter().filter(|entry| {
        let known = entry.name.to_lowercase();
        known.len() > 2 && folded.len() > 2 && (folded.contains(&known) || known.contains(&folded))
    });
    let mut found: Vec<&Entry> = Vec::new();
    let by_name = near.iter().filter_map(|near| own.iter().find(|entry| entry.name == *near));
    let by_default =
        ["get", "psets", "select"].iter().filter_map(|known| own.iter().find(|entry| entry.name == *known));
    for entry in by_name.chain(within).chain(by_default) {
        if found.len() < LINES && !found.contains(entry) {
            found.push(entry);
        }
    }
    found.into_iter().map(Entry::line).collect()
}

/// A tool as a script calls it, on one line: what it requires, then what it takes by name.
pub fn line_of_tool(spec: &ToolSpec) -> String {
    let required: Vec<&str> = spec
        .input_schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut line = format!("adapter.{}({}", spec.name, required.join(", "));
    let properties = spec.input_schema.get("properties").and_then(Value::as_object);
    let others = properties.into_iter().flatten().map(|(name, _)| name.as_str());
    for name in others.filter(|name| !required.contains(name) && !COMMON.contains(name)) {
        if line.len() + name.len() > LINE {
            line.push_str(", …");
            break;
        }
        let separator = if line.ends_with('(') { "" } else { ", " };
        let _ = write!(line, "{separator}{name}=…");
    }
    line.push(')');
    line
}

/// The lines on parameters of a tool, by their names.
pub fn lines_of_parameters(spec: &ToolSpec, names: &[String]) -> Vec<String> {
    let properties = spec.input_schema.get("properties").and_then(Value::as_object);
    let about = |name: &String| {
        let schema = properties?.get(name)?;
        let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        Some(format!("{name}: {}", text.chars().take(LINE).collect::<String>()))
    };
    names.iter().filter_map(about).take(LINES - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_there_brings_the_lines_that_help() {
        assert!(lines_near(&["element"], "storey_name")[0].starts_with("element.storey:"));
        assert!(lines_near(&["element"], "quantity")[0].starts_with("element.quantities()"));
        assert!(lines_near(&["element"], "zzz")[0].starts_with("element.get("));
        assert!(lines_near(&["adapter"], "selekt")[0].starts_with("adapter.select("));
        for entry in ENTRIES {
            assert_eq!(ENTRIES.iter().filter(|other| other.address() == entry.address()).count(), 1);
        }
    }

    #[test]
    fn a_tool_on_one_line_has_what_it_requires_first() {
        let tool = crate::catalogue().into_iter().find(|tool| tool.spec.name == "create_wall").unwrap();
        let line = line_of_tool(&tool.spec);
        assert!(
            line.starts_with("adapter.create_wall(") && line.ends_with(')') && line.len() < 300,
            "{line}"
        );
    }
}
