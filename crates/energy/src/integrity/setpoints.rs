//! Nodes that something is held to a set point at, and at which nothing puts one.

use super::model::{Model, value};
use super::{Issue, IssueKind, Severity, issue};
use foldhash::HashSet;

/// Fields that name a node with a set point: type of object, field.
const NEEDED: [(&str, &str); 7] = [
    ("PlantLoop", "loop_temperature_setpoint_node_name"),
    ("CondenserLoop", "condenser_loop_temperature_setpoint_node_name"),
    ("Controller:WaterCoil", "sensor_node_name"),
    ("SetpointManager:MixedAir", "reference_setpoint_node_name"),
    ("CoilSystem:Cooling:DX", "dx_cooling_coil_system_sensor_node_name"),
    ("Coil:Heating:Fuel", "temperature_setpoint_node_name"),
    ("Coil:Heating:Electric", "temperature_setpoint_node_name"),
];

/// Adds nodes without the set point that something needs there.
pub fn check(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut set: HashSet<String> = HashSet::default();
    let mut put = |named: &str| {
        set.insert(named.to_lowercase());
        if let Some(list) = document.get("NodeList", named).filter(|_| !named.is_empty()) {
            set.extend(list.groups().flatten().filter(|node| !node.is_empty()).map(str::to_lowercase));
        }
    };
    for object in document.objects() {
        let name = object.type_name();
        if name.starts_with("SetpointManager:") {
            if name.starts_with("SetpointManager:ReturnTemperature:") {
                object.get("plant_loop_supply_outlet_node").into_iter().for_each(&mut put);
            }
            object.get("setpoint_node_or_nodelist_name").into_iter().for_each(&mut put);
        } else if name == "EnergyManagementSystem:Actuator" {
            object.get("actuated_component_unique_name").into_iter().for_each(&mut put);
        } else if name == "HeatExchanger:FluidToFluid" {
            object.get("heat_exchanger_setpoint_node_name").into_iter().for_each(&mut put);
        }
    }
    // programs outside the model may put any
    if ["PythonPlugin:Instance", "ExternalInterface"]
        .iter()
        .any(|name| document.of_type(name).next().is_some())
    {
        return;
    }
    for (type_name, field) in NEEDED {
        for object in document.of_type(type_name) {
            let node = value(object, field);
            if node.is_empty() || set.contains(&node.to_lowercase()) {
                continue;
            }
            let message = format!(
                "{type_name} `{}` needs a set point at the node `{node}`, and nothing puts one there.",
                object.name()
            );
            let what = "Add a SetpointManager for that node, or let the one that is there name it.";
            issues.push(issue(
                Severity::Error,
                IssueKind::MissingSetpoint,
                vec![object.into()],
                message,
                what,
            ));
        }
    }
}
