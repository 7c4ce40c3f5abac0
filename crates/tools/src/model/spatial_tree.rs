//! Project, sites, buildings, storeys, spaces: what is in what.

use crate::elements::{brief, number_json};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Server};
use ifc::relations::{Links, spatial_class};
use ifc::{Id, Units};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};

/// Levels of a tree at most: none has so many, but files may go round in circles.
const DEEPEST: usize = 64;
/// Entries of one answer, unless more are asked for.
const USUAL: usize = 400;
/// Entries of one answer at most.
const MOST: usize = 1_000_000;

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// Levels below the project; without it all.
    #[schemars(extend("x-seldom" = true, "maximum" = DEEPEST))]
    depth: Option<usize>,
    /// List the elements of each place, not only their counts.
    elements: Option<bool>,
    /// Entries at most.
    #[schemars(extend("default" = USUAL, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The tree.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    tree: Vec<Map<String, Value>>,
    /// Unit of elevations.
    unit: String,
    /// Elements in no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_place: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("spatial_tree", Effect::Query, run)
        .also_on(Server::Spatial)
        .description(
            "Project, sites, buildings, storeys, spaces as a tree, with what each contains by class.",
        )
        .example("Down to storeys", json!({ "depth": 3 }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let model = call.edit.model();
    let units = Units::from_model(model);
    let limit = crate::input::limit(input.limit, USUAL, MOST)?;
    let mut walk = Walk {
        links: Links::of_many(model),
        spatial: spatial_class(model),
        list: input.elements.unwrap_or(false),
        left: limit,
        seen: HashSet::new(),
    };
    let depth = crate::input::bounded("depth", input.depth, DEEPEST, [0, DEEPEST])?;
    let mut roots = model.of_class("IfcProject");
    if roots.is_empty() {
        let spatial = model.of_class(walk.spatial);
        roots = spatial.into_iter().filter(|id| walk.links.aggregate_parent(*id).is_none()).collect();
    }
    let tree: Vec<_> = roots.into_iter().filter_map(|id| walk.node(id, depth)).collect();
    let mut notes = Vec::new();
    if walk.left == 0 {
        notes.push(format!(
            "Cut at {limit} entries; ask for less depth, or for one place with query_elements location=…"
        ));
    }
    let elements = model.of_class("IfcElement");
    let without = elements.into_iter().filter(|id| walk.links.container(*id).is_none()).count();
    Ok(Output {
        tree,
        unit: units.length_label().to_owned(),
        without_place: Some(without).filter(|count| *count > 0),
        notes,
    })
}

struct Walk<'m> {
    links: Links<'m>,
    spatial: &'static str,
    list: bool,
    left: usize,
    seen: HashSet<Id>,
}

impl Walk<'_> {
    /// An element with its parts.
    fn element(&mut self, id: Id, depth: usize) -> Option<Map<String, Value>> {
        if depth == 0 || self.left == 0 || !self.seen.insert(id) {
            return None;
        }
        self.left -= 1;
        let mut node = brief(self.links.model(), id);
        let parts = self.links.children(id);
        let parts: Vec<Value> =
            parts.into_iter().filter_map(|id| self.element(id, depth - 1)).map(Value::from).collect();
        if !parts.is_empty() {
            node.insert("parts".into(), parts.into());
        }
        Some(node)
    }

    fn node(&mut self, id: Id, depth: usize) -> Option<Map<String, Value>> {
        if !self.seen.insert(id) || self.left == 0 {
            return None;
        }
        self.left -= 1;
        let model = self.links.model();
        let mut node = brief(model, id);
        let instance = model.get(id)?;
        if let Some(long) = instance.text("LongName").filter(|text| !text.is_empty()) {
            node.insert("long_name".into(), long.into());
        }
        if instance.is_a("IfcBuildingStorey")
            && let Some(elevation) = ifc::placement::elevation(model, id)
        {
            node.insert("elevation".into(), number_json(elevation));
        }
        let contained = self.links.contained(id);
        if self.list {
            let list: Vec<Value> =
                contained.iter().filter_map(|id| self.element(*id, 8)).map(Value::from).collect();
            if !list.is_empty() {
                node.insert("elements".into(), list.into());
            }
        } else if !contained.is_empty() {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for id in &contained {
                *counts.entry(model.get(*id).map_or("", |i| i.class_name())).or_default() += 1;
            }
            node.insert("elements".into(), json!(counts));
        }
        let mut below = self.links.children(id);
        below.retain(|id| model.get(*id).is_some_and(|i| i.is_a(self.spatial)));
        if depth == 0 {
            if !below.is_empty() {
                node.insert("below".into(), below.len().into());
            }
            return Some(node);
        }
        below.sort_by(|a, b| {
            let elevation = |id: &Id| {
                let storey = model.get(*id).filter(|i| i.is_a("IfcBuildingStorey"));
                storey.and_then(|_| ifc::placement::elevation(model, *id)).unwrap_or(0.0)
            };
            elevation(a).total_cmp(&elevation(b)).then(a.cmp(b))
        });
        let children: Vec<Value> =
            below.into_iter().filter_map(|id| self.node(id, depth - 1)).map(Value::from).collect();
        if !children.is_empty() {
            node.insert("children".into(), children.into());
        }
        Some(node)
    }
}
