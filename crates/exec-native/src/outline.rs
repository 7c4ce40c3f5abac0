//! The whole tree of a model for a viewer: projects, what they are divided into, elements with their parts, openings with
//! what fills them left out. The tool `spatial_tree` is its bounded sister for agents.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{Outline, OutlineAnswer, OutlineNode, PlatformOperation};
use contract::{Fault, Outcome};
use ifc::relations::Links;
use ifc::{Id, Model};
use std::collections::HashSet;

/// Levels at most; deeper ones are left out.
const DEPTH: usize = 64;

impl Resolve for Outline {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(OutlineAnswer { tree: tree(&call.model("model")?.model) })
    }
}

/// The roots of the tree. What stands nowhere comes last, under a heading.
fn tree(model: &Model) -> Vec<OutlineNode> {
    let mut walk = Walk { links: Links::of_many(model), seen: HashSet::new() };
    let mut tree: Vec<OutlineNode> =
        model.of_class("IfcProject").into_iter().filter_map(|id| walk.node(id, 0)).collect();
    let mut loose = model.of_class("IfcElement");
    loose.retain(|id| !walk.is_hidden(*id) && !walk.seen.contains(id));
    // parts come with their wholes, not before them
    let (parts, wholes): (Vec<Id>, Vec<Id>) =
        loose.into_iter().partition(|id| walk.links.aggregate_parent(*id).is_some());
    let children: Vec<OutlineNode> =
        wholes.into_iter().chain(parts).filter_map(|id| walk.node(id, 0)).collect();
    if !children.is_empty() {
        tree.push(OutlineNode { name: Some("In no storey".to_owned()), children, ..OutlineNode::default() });
    }
    tree
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

    fn node(&mut self, id: Id, depth: usize) -> Option<OutlineNode> {
        if depth > DEPTH || self.is_hidden(id) || !self.seen.insert(id) {
            return None;
        }
        let instance = self.links.model().get(id)?;
        let (guid, class) = (instance.guid().unwrap_or_default(), instance.class_name().to_owned());
        let long = instance.text("LongName").filter(|name| !name.trim().is_empty());
        let name = match (instance.name().filter(|name| !name.trim().is_empty()), long) {
            // rooms are known by number and name
            (Some(name), Some(long)) if instance.is_a("IfcSpace") && name != long => {
                Some(format!("{name} {long}"))
            }
            (name, long) => name.or(long),
        };
        let mut below = self.links.children(id);
        below.extend(self.links.contained(id));
        below.extend(self.links.nested(id));
        let mut storeys: Vec<(Id, f64)> = Vec::new();
        below.retain(|id| {
            let storey = self.links.model().get(*id).filter(|i| i.is_a("IfcBuildingStorey"));
            let elevation = || ifc::placement::elevation(self.links.model(), *id).unwrap_or(f64::INFINITY);
            storeys.extend(storey.as_ref().map(|_| (*id, elevation())));
            storey.is_none()
        });
        // storeys as they stand, the lowest last
        storeys.sort_by(|a, b| b.1.total_cmp(&a.1));
        let children = storeys
            .into_iter()
            .map(|(id, _)| id)
            .chain(below)
            .filter_map(|id| self.node(id, depth + 1))
            .collect();
        Some(OutlineNode { id: guid, class, name, children })
    }
}
