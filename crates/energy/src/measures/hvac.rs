//! Heating, cooling and ventilation taken out of a model, so that another system can take its place.
//!
//! What goes are the objects of the groups of the schema that make up systems, less the plant loops that serve nothing but water use,
//! refrigeration and process loads, with all that these loops need. With them goes what would be left to control, to report by or to
//! size what is no more: programs of the energy management system that read or drive it.

use super::facts::Facts;
use super::work::Work;
use crate::idf::{Document, Handle, Object};
use contract::{Fault, FaultCode};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Groups of the schema whose objects make up systems.
const GROUPS: [&str; 23] = [
    "HVAC Templates",
    "Zone HVAC Forced Air Units",
    "Zone HVAC Radiative/Convective Units",
    "Zone HVAC Air Loop Terminal Units",
    "Zone HVAC Equipment Connections",
    "Fans",
    "Coils",
    "Evaporative Coolers",
    "Humidifiers and Dehumidifiers",
    "Heat Recovery",
    "Unitary Equipment",
    "Variable Refrigerant Flow Equipment",
    "Controllers",
    "Air Distribution",
    "Node-Branch Management",
    "Pumps",
    "Plant-Condenser Flow Control",
    "Plant Heating and Cooling Equipment",
    "Condenser Equipment and Heat Exchangers",
    "Water Heaters and Thermal Storage",
    "Plant-Condenser Loops",
    "Plant-Condenser Control",
    "System Availability Managers",
];

/// Types of other groups that go, too.
const TYPES: [&str; 8] = [
    "Sizing:System",
    "Sizing:Plant",
    "WaterUse:Connections",
    "LoadProfile:Plant",
    "ZoneControl:Humidistat",
    "DesignSpecification:ZoneHVAC:Sizing",
    "DesignSpecification:AirTerminal:Sizing",
    "HeatExchanger:FluidToFluid",
];

/// Objects in the groups that stay: those of thermostats and of air that are no part of a system.
const STAY: [&str; 1] = ["HVACTemplate:Thermostat"];

/// Beginnings of types on the demand side of a loop that may stay.
const DEMANDS: [&str; 9] = [
    "WaterUse:",
    "Pipe:",
    "WaterHeater:",
    "Refrigeration:",
    "TemperingValve",
    "HeatExchanger:FluidToFluid",
    "LoadProfile:Plant",
    "ThermalStorage:HotWater",
    "SwimmingPool:",
];

fn starts(name: &str, beginning: &str) -> bool {
    name.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

fn is_of_system(object: Object<'_>) -> bool {
    let name = object.type_name();
    let group = object.about().map_or("", |about| &*about.group);
    let named = GROUPS.contains(&group) || group == "Setpoint Managers" || TYPES.contains(&name);
    named && !STAY.contains(&name)
}

/// All that a handle leads to, over objects of systems.
fn reach(document: &Document, facts: &Facts, from: Handle) -> HashSet<Handle> {
    let mut found = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(handle) = open.pop() {
        for reference in facts.graph.from(handle) {
            let Some(object) = document.object(reference.to) else { continue };
            let goes_on = is_of_system(object) && !starts(object.type_name(), "PlantLoop");
            if goes_on && found.insert(reference.to) {
                open.push(reference.to);
            }
        }
    }
    found
}

/// The components in the branches of a loop's demand side.
fn demands<'a>(document: &'a Document, plant: Object<'a>) -> Vec<&'a str> {
    let list = plant.get("demand_side_branch_list_name").unwrap_or_default();
    let list = document.get("BranchList", list).filter(|_| !list.is_empty());
    let branches = list.into_iter().flat_map(|list| list.values().skip(1));
    let branches = branches.filter(|name| !name.is_empty()).filter_map(|name| document.get("Branch", name));
    // a branch's groups begin with the type of their component
    let types = branches.flat_map(|branch| {
        branch
            .fields()
            .filter(|value| value.field.is_some_and(|field| field.key.contains("component_object_type")))
    });
    types.map(|value| value.value).filter(|kind| !kind.is_empty()).collect()
}

/// The names in fields for nodes, in lower case.
fn node_names<'a>(objects: impl Iterator<Item = Object<'a>>) -> HashSet<String> {
    let fields = objects.flat_map(|object| object.fields().collect::<Vec<_>>());
    let nodes = fields.filter(|value| value.field.is_some_and(|field| field.key.contains("node")));
    nodes.filter(|value| !value.value.is_empty()).map(|value| value.value.to_lowercase()).collect()
}

/// The objects of plant loops that stay, and the names of these.
fn kept(document: &Document, facts: &Facts) -> (HashSet<Handle>, Vec<String>) {
    let (mut found, mut names) = (HashSet::new(), Vec::new());
    for plant in document.of_type("PlantLoop") {
        let demands = demands(document, plant);
        let stays = !demands.is_empty()
            && demands.iter().all(|kind| DEMANDS.iter().any(|beginning| starts(kind, beginning)))
            && demands.iter().any(|kind| !starts(kind, "Pipe:"));
        if stays {
            found.extend(reach(document, facts, plant.handle()));
            names.push(plant.name().to_owned());
        }
    }
    // what speaks of them by the names of their nodes, or sizes them
    let elsewhere = node_names(document.objects().filter(|own| !is_of_system(*own)));
    let nodes = node_names(found.iter().filter_map(|handle| document.object(*handle)));
    let mut more = Vec::new();
    for object in document.objects().filter(|own| is_of_system(*own) && !found.contains(&own.handle())) {
        let group = object.about().map_or("", |about| &*about.group);
        let outer = starts(object.type_name(), "OutdoorAir:Node");
        let speaks = group == "Setpoint Managers" || object.type_name() == "NodeList" || outer;
        let by_node = speaks
            && object.values().any(|value| {
                let value = value.to_lowercase();
                nodes.contains(&value) || (outer && elsewhere.contains(&value))
            });
        let sizes = object.type_name() == "Sizing:Plant"
            && object
                .values()
                .next()
                .is_some_and(|name| names.iter().any(|own| own.eq_ignore_ascii_case(name)));
        if by_node || sizes {
            more.extend(reach(document, facts, object.handle()));
        }
    }
    // water heaters that zones warm, and others that stand by themselves
    for object in document.objects().filter(|own| starts(own.type_name(), "WaterHeater:")) {
        let on_loop = ["use_side_inlet_node_name", "source_side_inlet_node_name"];
        if on_loop.iter().all(|field| object.get(field).is_none_or(str::is_empty)) {
            more.push(object.handle());
        }
    }
    found.extend(more);
    (found, names)
}

/// Objects of the energy management system that would speak of what is gone, and programs that would miss them.
fn programs(
    document: &Document,
    facts: &Facts,
    gone: &HashSet<Handle>,
    nodes: &HashSet<String>,
) -> HashSet<Handle> {
    let names: HashSet<String> = gone
        .iter()
        .filter_map(|handle| document.object(*handle))
        .map(|object| object.name().to_lowercase())
        .filter(|name| !name.is_empty())
        .collect();
    let mut dead: HashSet<Handle> = HashSet::new();
    let mut words: HashSet<String> = HashSet::new();
    for kind in ["Sensor", "Actuator", "InternalVariable"] {
        for object in document.of_type(&format!("EnergyManagementSystem:{kind}")) {
            let keys = object.values().skip(1).map(str::to_lowercase);
            let speaks = keys.into_iter().any(|key| names.contains(&key) || nodes.contains(&key));
            let refers =
                facts.graph.from(object.handle()).iter().any(|reference| gone.contains(&reference.to));
            if speaks || refers {
                dead.insert(object.handle());
                words.insert(object.name().to_lowercase());
            }
        }
    }
    let uses = |object: Object<'_>, words: &HashSet<String>| {
        object.values().skip(1).any(|line| {
            line.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| words.contains(&word.to_lowercase()))
        })
    };
    // programs and routines that miss one of them, and those that call these
    loop {
        let mut grown = false;
        for kind in [
            "Program",
            "Subroutine",
            "OutputVariable",
            "MeteredOutputVariable",
            "TrendVariable",
            "CurveOrTableIndexVariable",
            "ConstructionIndexVariable",
        ] {
            for object in document.of_type(&format!("EnergyManagementSystem:{kind}")) {
                if !dead.contains(&object.handle()) && uses(object, &words) {
                    dead.insert(object.handle());
                    words.insert(object.name().to_lowercase());
                    grown = true;
                }
            }
        }
        if !grown {
            break;
        }
    }
    dead
}

/// The objects taken out of a model.
pub(super) struct TakenOut {
    /// Objects removed, by type.
    pub removed: BTreeMap<String, usize>,
    /// The zones that had equipment.
    pub zones: Vec<usize>,
}

/// Takes all systems out of a model.
pub(super) fn take_out(work: &mut Work, facts: &Facts) -> Result<TakenOut, Fault> {
    let document = work.document.clone();
    if document.of_type("AirflowNetwork:Distribution:Node").next().is_some() {
        let message =
            "An AirflowNetwork distributes the air of this model's system; it cannot be taken out by itself.";
        return Err(Fault::new(FaultCode::NotSupported, message));
    }
    let (stay, loops) = kept(&document, facts);
    let going = document.objects().filter(|own| is_of_system(*own) && !stay.contains(&own.handle()));
    let mut gone: HashSet<Handle> = going.map(|own| own.handle()).collect();
    let mut nodes = node_names(gone.iter().filter_map(|handle| document.object(*handle)));
    for object in stay.iter().filter_map(|handle| document.object(*handle)) {
        for value in object.values() {
            nodes.remove(&value.to_lowercase());
        }
    }
    let mut zones: BTreeSet<usize> = BTreeSet::new();
    for object in document.of_type("ZoneHVAC:EquipmentConnections") {
        zones.extend(facts.zone(object.get("zone_name").unwrap_or_default()));
    }
    let templates = document.objects().filter(|own| starts(own.type_name(), "HVACTemplate:Zone:"));
    zones.extend(templates.filter_map(|own| facts.zone(own.get("zone_name")?)));
    gone.extend(programs(&document, facts, &gone, &nodes));
    // what is left over of the energy management system, faults and demand management that name what is gone
    for object in document.objects().filter(|own| !gone.contains(&own.handle())).collect::<Vec<_>>() {
        let name = object.type_name();
        let hangs = starts(name, "FaultModel:") || starts(name, "DemandManager:Ventilation");
        if hangs && facts.graph.from(object.handle()).iter().any(|reference| gone.contains(&reference.to)) {
            gone.insert(object.handle());
        }
    }
    let air = air_schedules(&document, &gone);
    let mut removed: BTreeMap<String, usize> = BTreeMap::new();
    for object in gone.iter().filter_map(|handle| document.object(*handle)) {
        *removed.entry(object.type_name().to_owned()).or_default() += 1;
    }
    let handles: Vec<Handle> = gone.iter().copied().collect();
    work.remove(&handles)?;
    clear_references(work, facts, &gone, &document)?;
    clear_managers(work)?;
    keep_air_schedule(work, &air)?;
    for (field, kind) in
        [("do_system_sizing_calculation", "Sizing:System"), ("do_plant_sizing_calculation", "Sizing:Plant")]
    {
        let is_left = work.document.of_type(kind).next().is_some();
        let control = work.document.of_type("SimulationControl").next().map(|own| own.handle());
        if let (false, Some(control)) = (is_left, control) {
            work.set(control, json!({ field: "No" }))?;
        }
    }
    if !loops.is_empty() {
        work.skip(
            format!("plant loops {}", loops.join(", ")),
            "they serve water use, refrigeration or process loads alone",
        );
    }
    Ok(TakenOut { removed, zones: zones.into_iter().collect() })
}

/// The schedules of least outdoor air of the systems that go; an empty name where one has none.
fn air_schedules(document: &Document, gone: &HashSet<Handle>) -> BTreeSet<String> {
    let controllers = document.of_type("Controller:OutdoorAir").filter(|own| gone.contains(&own.handle()));
    controllers
        .map(|own| own.get("minimum_outdoor_air_schedule_name").unwrap_or_default().to_owned())
        .collect()
}

/// Gives the one schedule of outdoor air that all systems had to the specifications of outdoor air, which go on without them.
fn keep_air_schedule(work: &mut Work, schedules: &BTreeSet<String>) -> Result<(), Fault> {
    let mut all = schedules.iter();
    match (all.next(), all.next()) {
        (Some(only), None) if !only.is_empty() => {
            let field = "outdoor_air_schedule_name";
            let specified: Vec<Handle> = work
                .document
                .of_type("DesignSpecification:OutdoorAir")
                .filter(|own| own.get(field).is_some_and(str::is_empty))
                .map(|own| own.handle())
                .collect();
            for handle in &specified {
                work.set(*handle, json!({ field: only }))?;
            }
            if !specified.is_empty() {
                work.assume(
                    "schedule of outdoor air",
                    only,
                    "that by which all the systems removed brought it in",
                );
            }
        }
        (Some(_), Some(_)) => work.skip(
            "schedules of outdoor air of the systems removed",
            "they differ, and outdoor air is brought in as its specification says",
        ),
        _ => {}
    }
    Ok(())
}

/// Clears fields that name what is gone, where they need not be given, and says of the others.
fn clear_references(
    work: &mut Work,
    facts: &Facts,
    gone: &HashSet<Handle>,
    before: &Document,
) -> Result<(), Fault> {
    let mut users: BTreeMap<Handle, BTreeSet<usize>> = BTreeMap::new();
    for handle in gone {
        for reference in facts.graph.to(*handle).iter().filter(|reference| !gone.contains(&reference.from)) {
            users.entry(reference.from).or_default().insert(reference.position as usize);
        }
    }
    for (user, positions) in users {
        let Some(object) = before.object(user) else { continue };
        let Some(about) = object.about() else { continue };
        let name = object.type_name().to_owned();
        let required = positions.iter().any(|at| about.field_at(*at).is_some_and(|own| own.0.required));
        // reports and programs' callers go with what they are about
        if required || starts(&name, "Output:") || starts(&name, "Meter:") {
            if starts(&name, "Output:") || starts(&name, "EnergyManagementSystem:") {
                work.remove(&[user])?;
            }
            continue;
        }
        let mut record = work.object(user)?.to_record();
        for at in positions {
            if let Some(place) = record.values.get_mut(at) {
                *place = "".into();
            }
        }
        work.document.put(user, Some(record));
    }
    Ok(())
}

/// Leaves out of calling managers the programs that are gone; one without programs goes.
fn clear_managers(work: &mut Work) -> Result<(), Fault> {
    let managers: Vec<Handle> = work
        .document
        .of_type("EnergyManagementSystem:ProgramCallingManager")
        .map(|own| own.handle())
        .collect();
    for handle in managers {
        let object = work.object(handle)?;
        let is_there = |name: &str| {
            ["Program", "Subroutine"].iter().any(|kind| {
                let found = work.document.get(&format!("EnergyManagementSystem:{kind}"), name);
                found.is_some_and(|own| own.name() != "")
            })
        };
        let all: Vec<&str> = object.values().skip(2).filter(|name| !name.is_empty()).collect();
        let left: Vec<String> =
            all.iter().copied().filter(|name| is_there(name)).map(str::to_owned).collect();
        if left.is_empty() {
            work.remove(&[handle])?;
        } else if left.len() < all.len() {
            let mut record = object.to_record();
            record.values.truncate(2);
            record.values.extend(left.into_iter().map(String::into_boxed_str));
            work.document.put(handle, Some(record));
        }
    }
    Ok(())
}

/// The outdoor air that the sizing of a zone specifies: the name of its object.
pub(super) fn outdoor_air(document: &Document, facts: &Facts, zone: usize) -> Option<String> {
    let specified = |object: Object<'_>, names: &[&str]| {
        let own = names.iter().find_map(|name| object.get(name)).filter(|name| !name.is_empty())?;
        document.get("DesignSpecification:OutdoorAir", own).map(|found| found.name().to_owned())
    };
    document.of_type("Sizing:Zone").find_map(|object| {
        let parts = facts.parts(document, object.get("zone_or_zonelist_name")?);
        parts.iter().any(|part| part.zone == zone).then_some(())?;
        specified(object, &["design_specification_outdoor_air_object_name"])
    })
}
