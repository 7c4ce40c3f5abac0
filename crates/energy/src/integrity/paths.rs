//! The ways of the air between a system and its zones: supply and return paths that begin and end where the air loop does.

use super::model::{Model, value};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::Object;
use foldhash::{HashMap, HashSet};

/// Adds air loops that no path leads from or to.
pub fn check(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let ends = |type_name: &str, field: &str| -> HashSet<String> {
        document.of_type(type_name).filter_map(|path| path.get(field)).map(str::to_lowercase).collect()
    };
    let supply = ends("AirLoopHVAC:SupplyPath", "supply_air_path_inlet_node_name");
    let back = ends("AirLoopHVAC:ReturnPath", "return_air_path_outlet_node_name");
    let mut terminals: HashSet<String> = HashSet::default();
    for terminal in document.objects().filter(|object| object.type_name().starts_with("AirTerminal:")) {
        terminals.extend(terminal.values().map(str::to_lowercase));
    }
    let mut lists: HashMap<String, Object<'_>> = HashMap::default();
    lists.extend(document.of_type("NodeList").map(|list| (list.name().to_lowercase(), list)));
    let nodes = |named: &str| -> Vec<String> {
        match lists.get(&named.to_lowercase()) {
            Some(list) => {
                list.groups().flatten().filter(|node| !node.is_empty()).map(str::to_lowercase).collect()
            }
            None => vec![named.to_lowercase()],
        }
    };
    let returns: HashSet<String> = document
        .of_type("ZoneHVAC:EquipmentConnections")
        .filter_map(|zone| zone.get("zone_return_air_node_or_nodelist_name"))
        .flat_map(nodes)
        .collect();
    for system in document.of_type("AirLoopHVAC") {
        let inlets = value(system, "demand_side_inlet_node_names");
        for node in nodes(inlets).into_iter().filter(|node| !node.is_empty()) {
            if !supply.contains(&node) && !terminals.contains(&node) {
                let what = "Add an AirLoopHVAC:SupplyPath that begins at the node, or mend its name.";
                say(system, &node, "supply air enters no supply path", what, issues);
            }
        }
        let outlet = value(system, "demand_side_outlet_node_name");
        let node = outlet.to_lowercase();
        if !outlet.is_empty() && !back.contains(&node) && !returns.contains(&node) {
            let what = "Add an AirLoopHVAC:ReturnPath that ends at the node, or mend its name.";
            say(system, outlet, "return air comes by no return path", what, issues);
        }
    }
}

fn say(system: Object<'_>, node: &str, why: &str, what: &str, issues: &mut Vec<Issue>) {
    let message = format!("AirLoopHVAC `{}`: its {why} at the node `{node}`.", system.name());
    let objects = vec![Subject::from(system)];
    issues.push(issue(Severity::Error, IssueKind::BrokenLoop, objects, message, what));
}
