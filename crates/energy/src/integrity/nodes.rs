//! Nodes of the air and water loops: a node is where one component lets out and the next takes in.

use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::{Document, Handle, Object};
use crate::references::Graph;
use crate::schema::FieldKind;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Objects that watch and steer nodes, and let nothing in or out.
const WATCHERS: [&str; 7] = [
    "SetpointManager:",
    "Controller:",
    "AvailabilityManager:",
    "EnergyManagementSystem:",
    "ZoneControl:",
    "Output:",
    "NodeList",
];

/// The largest number of levels between a component and the one that holds it.
const DEPTH: usize = 4;

struct Use<'a> {
    object: Object<'a>,
    field: &'a str,
}

/// Adds nodes that only one object knows, and nodes that two components let out into.
pub fn check(document: &Document, graph: &Graph, issues: &mut Vec<Issue>) {
    let mut nodes: BTreeMap<String, Vec<Use<'_>>> = BTreeMap::new();
    let members = |list: Object<'_>| -> Vec<String> {
        list.groups().flatten().filter(|node| !node.is_empty()).map(str::to_lowercase).collect()
    };
    let lists: HashMap<String, Vec<String>> =
        document.of_type("NodeList").map(|list| (list.name().to_lowercase(), members(list))).collect();
    let steers = |object: &Object<'_>| WATCHERS.iter().any(|start| object.type_name().starts_with(start));
    for object in document.objects().filter(|object| !steers(object)) {
        for value in object.fields().filter(|value| !value.value.is_empty()) {
            let Some(field) = value.field.filter(|field| field.kind == FieldKind::Node) else { continue };
            let named = value.value.to_lowercase();
            // a list of nodes stands for its nodes
            for node in lists.get(&named).unwrap_or(&vec![named]) {
                nodes.entry(node.clone()).or_default().push(Use { object, field: &field.key });
            }
        }
    }
    for (node, uses) in &nodes {
        let objects: HashSet<Handle> = uses.iter().map(|place| place.object.handle()).collect();
        if let ([place], 1) = (uses.as_slice(), objects.len()) {
            dangling(node, place, issues);
        }
        duplicate(node, uses, graph, issues);
    }
}

/// Reports a node with a single use, unless one is enough: outdoor air is everyone's, zones and tanks stand at the end of what leads to
/// them.
fn dangling(node: &str, place: &Use<'_>, issues: &mut Vec<Issue>) {
    let type_name = place.object.type_name();
    let ends =
        ["zone_air_node", "outdoor", "outside", "relief", "exhaust", "condenser", "ambient", "air_inlet"];
    let goes_on = (place.field.contains("inlet") || place.field.contains("outlet"))
        && !ends.iter().any(|word| place.field.contains(word))
        && (type_name == "Branch"
            || type_name.starts_with("Pump:")
            || type_name.starts_with("AirLoopHVAC")
            || type_name.starts_with("Connector:"));
    if goes_on {
        let message = format!(
            "Node `{node}` is known only to {type_name} `{}` ({}): nothing stands on its other side.",
            place.object.label(),
            place.field
        );
        let what = "Give the component before or behind it the same node name; is one of them misspelt?";
        issues.push(issue(
            Severity::Warning,
            IssueKind::DanglingNode,
            vec![place.object.into()],
            message,
            what,
        ));
    }
}

/// Reports a node into which two components let out. A component and the one that holds it share their nodes.
fn duplicate(node: &str, uses: &[Use<'_>], graph: &Graph, issues: &mut Vec<Issue>) {
    let lets_out = |place: &&Use<'_>| {
        place.field.contains("outlet_node")
            && !place.field.contains("side_outlet")
            && !["Branch", "AirLoopHVAC", "PlantLoop", "CondenserLoop"].contains(&place.object.type_name())
    };
    let mut out: Vec<&Use<'_>> = uses.iter().filter(lets_out).collect();
    out.dedup_by_key(|place| place.object.handle());
    for (at, one) in out.iter().enumerate() {
        for other in out.iter().skip(at + 1) {
            let (a, b) = (one.object.handle(), other.object.handle());
            if a != b && !reaches(graph, a, b) && !reaches(graph, b, a) {
                let message = format!(
                    "Node `{node}` is the outlet of both {} `{}` and {} `{}`.",
                    one.object.type_name(),
                    one.object.label(),
                    other.object.type_name(),
                    other.object.label()
                );
                let both = vec![Subject::from(one.object), Subject::from(other.object)];
                let what =
                    "Give one of them an outlet node of its own, and the component behind it that inlet.";
                issues.push(issue(Severity::Warning, IssueKind::DuplicateNode, both, message, what));
                return;
            }
        }
    }
}

/// True if one object holds another, perhaps through others.
fn reaches(graph: &Graph, from: Handle, to: Handle) -> bool {
    let mut seen = HashSet::from([from]);
    let mut front = vec![from];
    for _ in 0..DEPTH {
        let next: Vec<Handle> =
            front.iter().flat_map(|at| graph.from(*at)).map(|reference| reference.to).collect();
        front = next.into_iter().filter(|at| seen.insert(*at)).collect();
        if seen.contains(&to) {
            return true;
        }
    }
    false
}
