//! The whole tree of a model for a viewer: projects, what they are divided into, elements with their parts, openings with
//! what fills them left out. The tool `spatial_tree` is its bounded sister for agents.

use ifc::relations::Links;
use ifc::{Id, Model};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Levels at most; deeper ones are left out.
const DEPTH: usize = 64;

/// `{"tree": [{"id", "class", "name", "children"}]}`. What stands nowhere comes last, under an entry without id.
pub(crate) fn outline(model: &Model) -> Value {
    let mut walk = Walk { links: Links::of_many(model), seen: HashSet::new() };
    let mut tree: Vec<Value> =
        model.of_class("IfcProject").into_iter().filter_map(|id| walk.node(id, 0)).collect();
    let mut loose = model.of_class("IfcElement");
    loose.retain(|id| !walk.is_hidden(*id) && !walk.seen.contains(id));
    // parts come with their wholes, not before them
    let (parts, wholes): (Vec<Id>, Vec<Id>) =
        loose.into_iter().partition(|id| walk.links.aggregate_parent(*id).is_some());
    let nowhere: Vec<Value> = wholes.into_iter().chain(parts).filter_map(|id| walk.node(id, 0)).collect();
    if !nowhere.is_empty() {
        tree.push(json!({"id": "", "class": "", "name": "In no storey", "children": nowhere}));
    }
    json!({ "tree": tree })
}

struct Walk<'m> {
    links: Links<'m>,
    seen: HashSet<Id>,
}

impl Walk<'_> {
    /// Openings and ports are not what one looks for in a tree.
    fn is_hidden(&self, id: Id) -> bool {
        let hidden = ["IfcFeatureElementSubtraction", "IfcPort", "IfcVirtualElement"];
        self.links.model().get(id).is_none_or(|i| hidden.iter().any(|class| i.is_a(class)))
    }

    fn node(&mut self, id: Id, depth: usize) -> Option<Value> {
        if depth > DEPTH || self.is_hidden(id) || !self.seen.insert(id) {
            return None;
        }
        let instance = self.links.model().get(id)?;
        let mut node = Map::new();
        node.insert("id".into(), instance.guid().unwrap_or_default().into());
        node.insert("class".into(), instance.class_name().into());
        let long = instance.text("LongName").filter(|name| !name.trim().is_empty());
        let name = match (instance.name().filter(|name| !name.trim().is_empty()), long) {
            // rooms are known by number and name
            (Some(name), Some(long)) if instance.is_a("IfcSpace") && name != long => {
                Some(format!("{name} {long}"))
            }
            (name, long) => name.or(long),
        };
        if let Some(name) = name {
            node.insert("name".into(), name.into());
        }
        let mut below = self.links.children(id);
        below.extend(self.links.contained(id));
        below.extend(self.links.nested(id));
        let mut storeys: Vec<(Id, f64)> = Vec::new();
        below.retain(|id| {
            let storey = self.links.model().get(*id).filter(|i| i.is_a("IfcBuildingStorey"));
            storeys.extend(storey.map(|s| (*id, s.number("Elevation").unwrap_or(f64::INFINITY))));
            storey.is_none()
        });
        // storeys as they stand, the lowest last
        storeys.sort_by(|a, b| b.1.total_cmp(&a.1));
        let children: Vec<Value> = storeys
            .into_iter()
            .map(|(id, _)| id)
            .chain(below)
            .filter_map(|id| self.node(id, depth + 1))
            .collect();
        if !children.is_empty() {
            node.insert("children".into(), children.into());
        }
        Some(node.into())
    }
}
