//! The loops of air and water: components in branches, branches in lists, and the splitters and mixers between them.
//!
//! Branches stand in the order of the flow: the first takes in where the loop begins, the last lets out where it ends, and those between them are
//! parallel, from a splitter to a mixer.

use super::model::{Model, value};
use super::near::Near;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::{Handle, Object};
use crate::schema::FieldKind;
use foldhash::{HashMap, HashSet};

/// One side of a loop, by the fields that give it: branches, connectors, and the nodes at which it begins and ends.
struct Side {
    type_name: &'static str,
    word: &'static str,
    branches: &'static str,
    connectors: &'static str,
    inlet: &'static str,
    outlet: &'static str,
}

const SIDES: [Side; 5] = [
    Side {
        type_name: "AirLoopHVAC",
        word: "supply side",
        branches: "branch_list_name",
        connectors: "connector_list_name",
        inlet: "supply_side_inlet_node_name",
        outlet: "supply_side_outlet_node_names",
    },
    Side {
        type_name: "PlantLoop",
        word: "supply side",
        branches: "plant_side_branch_list_name",
        connectors: "plant_side_connector_list_name",
        inlet: "plant_side_inlet_node_name",
        outlet: "plant_side_outlet_node_name",
    },
    Side {
        type_name: "PlantLoop",
        word: "demand side",
        branches: "demand_side_branch_list_name",
        connectors: "demand_side_connector_list_name",
        inlet: "demand_side_inlet_node_name",
        outlet: "demand_side_outlet_node_name",
    },
    Side {
        type_name: "CondenserLoop",
        word: "supply side",
        branches: "condenser_side_branch_list_name",
        connectors: "condenser_side_connector_list_name",
        inlet: "condenser_side_inlet_node_name",
        outlet: "condenser_side_outlet_node_name",
    },
    Side {
        type_name: "CondenserLoop",
        word: "demand side",
        branches: "condenser_demand_side_branch_list_name",
        connectors: "condenser_demand_side_connector_list_name",
        inlet: "demand_side_inlet_node_name",
        outlet: "demand_side_outlet_node_name",
    },
];

/// One component of a branch.
struct Part<'a> {
    type_name: &'a str,
    name: &'a str,
    inlet: &'a str,
    outlet: &'a str,
}

fn parts(branch: Object<'_>) -> impl Iterator<Item = Part<'_>> {
    branch.groups().filter_map(|group| match group.as_slice() {
        [type_name, name, inlet, outlet, ..] if !type_name.is_empty() => {
            Some(Part { type_name, name, inlet, outlet })
        }
        _ => None,
    })
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

fn say(issues: &mut Vec<Issue>, objects: &[Object<'_>], message: String, what: &str) {
    let objects = objects.iter().map(|object| Subject::from(*object)).collect();
    issues.push(issue(Severity::Error, IssueKind::BrokenLoop, objects, message, what));
}

/// Adds what is wrong with branches, their lists and connectors.
pub fn check(document: &Model<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    let mut held: HashMap<(String, String), Object<'_>> = HashMap::default();
    let mut flows: HashSet<(String, String, String)> = HashSet::default();
    for branch in document.of_type("Branch") {
        components(document, branch, near, issues);
        for part in parts(branch) {
            let key = (part.type_name.to_lowercase(), part.name.to_lowercase());
            // a coil of water stands in a branch of air and in one of water, with other nodes in each
            let again = !flows.insert((key.0.clone(), key.1.clone(), part.inlet.to_lowercase()));
            if let Some(other) = held.insert(key, branch).filter(|_| again) {
                let message = format!(
                    "{} `{}` stands in the branch `{}` and again in `{}`.",
                    part.type_name,
                    part.name,
                    other.name(),
                    branch.name()
                );
                say(issues, &[other, branch], message, "Let it stand in one branch.");
            }
        }
    }
    lists(document, issues);
    for side in &SIDES {
        for system in document.of_type(side.type_name) {
            loop_side(document, system, side, issues);
        }
    }
    for plant in document.of_type("PlantLoop").chain(document.of_type("CondenserLoop")) {
        temperatures(plant, issues);
    }
    plant_equipment(document, &held, issues);
}

/// Reports a loop whose lowest temperature is above its highest.
fn temperatures(plant: Object<'_>, issues: &mut Vec<Issue>) {
    let number = |key: &str| value(plant, key).parse::<f64>().ok();
    let (Some(least), Some(most)) = (number("minimum_loop_temperature"), number("maximum_loop_temperature"))
    else {
        return;
    };
    if least >= most {
        let message = format!(
            "{} `{}` is to have at least {least} °C and at most {most} °C.",
            plant.type_name(),
            plant.name()
        );
        say(issues, &[plant], message, "Exchange the two, or change them.");
    }
}

/// Reports a component that does not have the nodes that its branch says, and one that does not follow from the one before it.
fn components(document: &Model<'_>, branch: Object<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    let mut before: Option<Part<'_>> = None;
    for part in parts(branch) {
        if let Some(before) = before.as_ref().filter(|before| !same(before.outlet, part.inlet)) {
            let message = format!(
                "Branch `{}`: `{}` lets out at `{}`, and `{}` behind it takes in at `{}`.",
                branch.name(),
                before.name,
                before.outlet,
                part.name,
                part.inlet
            );
            let what = "Put the components in the order of the flow, each with the outlet of the one before it as its inlet.";
            say(issues, &[branch], message, what);
        }
        if let Some(component) = document.get(part.type_name, part.name).filter(|_| !part.name.is_empty()) {
            let nodes: Vec<&str> = component
                .fields()
                .filter(|value| {
                    value
                        .field
                        .is_some_and(|field| field.kind == FieldKind::Node || field.key.contains("node_name"))
                })
                .map(|value| value.value)
                .collect();
            for (node, word) in [(part.inlet, "inlet"), (part.outlet, "outlet")] {
                // a type without nodes of its own has those of what it holds
                if nodes.len() < 2 || node.is_empty() || nodes.iter().any(|own| same(own, node)) {
                    continue;
                }
                let meant = near.meant(node, nodes.iter().copied());
                let message = format!(
                    "Branch `{}` gives {} `{}` the {word} `{node}`, which that does not have.{meant}",
                    branch.name(),
                    part.type_name,
                    part.name
                );
                let what = "Let branch and component name the same node.";
                say(issues, &[branch, component], message, what);
            }
        }
        before = Some(part);
    }
}

/// Reports a branch that stands in two lists, or in none.
fn lists(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut listed: HashMap<String, Object<'_>> = HashMap::default();
    for list in document.of_type("BranchList") {
        for branch in list.groups().flatten().filter(|branch| !branch.is_empty()) {
            if let Some(other) = listed.insert(branch.to_lowercase(), list) {
                let message = format!(
                    "The branch `{branch}` is listed twice, in `{}` and `{}`.",
                    other.name(),
                    list.name()
                );
                say(issues, &[other, list], message, "List each branch once.");
            }
        }
    }
    for branch in document.of_type("Branch") {
        if !listed.contains_key(&branch.name().to_lowercase()) {
            let message = format!("The branch `{}` stands in no list of branches.", branch.name());
            let what = "Add it to the BranchList of its loop's side, or remove it.";
            say(issues, &[branch], message, what);
        }
    }
}

/// Reports a side of a loop that does not lead from its first node to its last.
fn loop_side(document: &Model<'_>, system: Object<'_>, side: &Side, issues: &mut Vec<Issue>) {
    let title = || format!("The {} of {} `{}`", side.word, system.type_name(), system.name());
    let listed = value(system, side.branches);
    if listed.is_empty() {
        let message = format!("{} has no list of branches.", title());
        say(issues, &[system], message, "Name its BranchList.");
        return;
    }
    let Some(list) = document.get("BranchList", listed) else { return };
    let names: Vec<&str> = list.groups().flatten().filter(|branch| !branch.is_empty()).collect();
    let branches: Vec<Object<'_>> = names.iter().filter_map(|name| document.get("Branch", name)).collect();
    if branches.len() < names.len() {
        return;
    }
    let (Some(first), Some(last)) = (branches.first(), branches.last()) else { return };
    let begins = parts(*first).next().map(|part| part.inlet).unwrap_or_default();
    let inlet = value(system, side.inlet);
    if !same(begins, inlet) {
        let message = format!(
            "{} begins at the node `{inlet}`, and its first branch, `{}`, at `{begins}`.",
            title(),
            first.name()
        );
        let what = "Let the BranchList begin with the branch at the loop's inlet, and give both one node.";
        say(issues, &[system, *first], message, what);
    }
    let outlet = value(system, side.outlet);
    let ends: Vec<&str> =
        branches.iter().filter_map(|branch| parts(*branch).last()).map(|part| part.outlet).collect();
    let is_air = side.type_name == "AirLoopHVAC";
    let several = document.get("NodeList", outlet).filter(|_| is_air);
    let outlets: Vec<&str> = several.map_or_else(
        || vec![outlet],
        |list| list.groups().flatten().filter(|node| !node.is_empty()).collect(),
    );
    let last_ends = ends.last().copied().unwrap_or_default();
    let ends_there = |node: &&str| {
        if is_air { ends.iter().any(|end| same(end, node)) } else { same(last_ends, node) }
    };
    if let Some(node) = outlets.iter().find(|node| !ends_there(node)) {
        let message = format!(
            "{} ends at the node `{node}`, and its last branch, `{}`, at `{last_ends}`.",
            title(),
            last.name()
        );
        let what = "Let the BranchList end with the branch at the loop's outlet, and give both one node.";
        say(issues, &[system, *last], message, what);
    }
    connectors(document, system, side, &names, issues);
}

/// Reports parallel branches that a splitter and a mixer do not join.
fn connectors(
    document: &Model<'_>,
    system: Object<'_>,
    side: &Side,
    names: &[&str],
    issues: &mut Vec<Issue>,
) {
    let title = || format!("The {} of {} `{}`", side.word, system.type_name(), system.name());
    let listed = value(system, side.connectors);
    if listed.is_empty() {
        if names.len() > 1 && side.type_name != "AirLoopHVAC" {
            let message = format!("{} has {} branches and no list of connectors.", title(), names.len());
            say(issues, &[system], message, "Name a ConnectorList with a splitter and a mixer.");
        }
        return;
    }
    let Some(list) = document.get("ConnectorList", listed) else { return };
    let mut joined = [None, None];
    for pair in list.values().skip(1).collect::<Vec<_>>().chunks(2) {
        let [type_name, name] = pair else { continue };
        let at = usize::from(same(type_name, "Connector:Mixer"));
        if let Some(slot) = joined.get_mut(at) {
            *slot = document.get(type_name, name).filter(|_| !name.is_empty()).or(*slot);
        }
    }
    let many = |connector: Object<'_>| -> HashSet<String> {
        connector.groups().flatten().filter(|name| !name.is_empty()).map(str::to_lowercase).collect()
    };
    let lower: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let ends = [names.first(), names.last()];
    for ((connector, end), field) in joined.iter().zip(ends).zip(["inlet_branch_name", "outlet_branch_name"])
    {
        let (Some(connector), Some(end)) = (connector, end) else { continue };
        let one = value(*connector, field);
        if !same(one, end) {
            let message = format!(
                "{} joins the parallel branches to `{one}`, and the list of branches `{}` {} `{end}`.",
                connector_title(*connector),
                listed_name(system, side),
                if field.starts_with("inlet") { "begins with" } else { "ends with" }
            );
            let what = "List the branch before the splitter first and the one behind the mixer last.";
            say(issues, &[*connector, system], message, what);
        }
        for branch in connector.groups().flatten().filter(|name| !name.is_empty()) {
            if !lower.contains(&branch.to_lowercase()) {
                let message = format!(
                    "{} names the branch `{branch}`, which is not in the list of branches `{}`.",
                    connector_title(*connector),
                    listed_name(system, side)
                );
                say(
                    issues,
                    &[*connector, system],
                    message,
                    "Add the branch to the list, or take it from the connector.",
                );
            }
        }
    }
    let [Some(splitter), Some(mixer)] = joined else {
        if names.len() > 2 {
            let message = format!(
                "{} has {} branches, and its list of connectors has not both a splitter and a mixer.",
                title(),
                names.len()
            );
            say(
                issues,
                &[system, list],
                message,
                "Add a Connector:Splitter and a Connector:Mixer to the ConnectorList.",
            );
        }
        return;
    };
    let (from, to) = (many(splitter), many(mixer));
    let between = names.get(1..names.len().saturating_sub(1)).unwrap_or_default();
    for name in between {
        let key = name.to_lowercase();
        for (connector, joins) in [(splitter, &from), (mixer, &to)] {
            if !joins.contains(&key) {
                let message = format!("The branch `{name}` is not joined by {}.", connector_title(connector));
                let what =
                    "Every branch between the first and the last stands in the splitter and in the mixer.";
                say(issues, &[connector, system], message, what);
            }
        }
    }
}

fn connector_title(connector: Object<'_>) -> String {
    format!("{} `{}`", connector.type_name(), connector.name())
}

fn listed_name<'a>(system: Object<'a>, side: &Side) -> &'a str {
    value(system, side.branches)
}

/// Reports equipment of a plant that stands in no branch.
fn plant_equipment(
    document: &Model<'_>,
    held: &HashMap<(String, String), Object<'_>>,
    issues: &mut Vec<Issue>,
) {
    let mut told: HashSet<Handle> = HashSet::default();
    for list in document.of_type("PlantEquipmentList").chain(document.of_type("CondenserEquipmentList")) {
        for pair in list.groups().collect::<Vec<_>>().concat().chunks(2) {
            let [type_name, name] = pair else { continue };
            let Some(object) = document.get(type_name, name).filter(|_| !name.is_empty()) else { continue };
            if !held.contains_key(&(type_name.to_lowercase(), name.to_lowercase()))
                && told.insert(object.handle())
            {
                let message = format!(
                    "{} `{}` operates {type_name} `{name}`, which stands in no branch.",
                    list.type_name(),
                    list.name()
                );
                say(
                    issues,
                    &[list, object],
                    message,
                    "Let it stand in a branch of the loop, or take it from the list.",
                );
            }
        }
    }
}
