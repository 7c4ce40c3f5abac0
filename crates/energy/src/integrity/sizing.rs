//! What is to be sized, and what that needs: design days, sizing that is asked for, and an object that says by what.

use super::model::value;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::{Document, Object};
use std::collections::HashSet;

/// Adds what is missing to size equipment.
pub fn check(document: &Document, issues: &mut Vec<Issue>) {
    let autosized: Vec<Object<'_>> = document
        .objects()
        .filter(|object| !object.type_name().starts_with("Sizing:"))
        .filter(|object| object.values().any(|value| value.eq_ignore_ascii_case("autosize")))
        .collect();
    let has = |beginning: &str| document.objects().any(|object| object.type_name().starts_with(beginning));
    let periods = has("SizingPeriod:");
    if !autosized.is_empty() && !periods {
        let message = format!(
            "{} objects are to be sized, and there is no design day to size them by.",
            autosized.len()
        );
        let what =
            "Add SizingPeriod:DesignDay objects, for instance from the DDY file beside the weather file.";
        issues.push(issue(Severity::Error, IssueKind::MissingSizing, few(&autosized), message, what));
    }
    asked(document, &autosized, issues);
    zones(document, &autosized, issues);
    loops(document, "AirLoopHVAC", "Sizing:System", "airloop_name", issues);
    loops(document, "PlantLoop", "Sizing:Plant", "plant_or_condenser_loop_name", issues);
    loops(document, "CondenserLoop", "Sizing:Plant", "plant_or_condenser_loop_name", issues);
}

fn few(objects: &[Object<'_>]) -> Vec<Subject> {
    objects.iter().take(20).map(|object| Subject::from(*object)).collect()
}

/// Types of objects whose sizes come of the loads of zones, and those whose sizes come of plants.
const ZONAL: [&str; 6] =
    ["ZoneHVAC:", "AirTerminal:", "AirLoopHVAC", "Fan:", "Coil:", "Controller:OutdoorAir"];

/// Reports sizing that SimulationControl does not ask for.
fn asked(document: &Document, autosized: &[Object<'_>], issues: &mut Vec<Issue>) {
    let control = document.of_type("SimulationControl").next();
    let asks = |field: &str| {
        control.and_then(|control| control.get(field)).is_some_and(|word| word.eq_ignore_ascii_case("yes"))
    };
    let zone = asks("do_zone_sizing_calculation");
    let system = asks("do_system_sizing_calculation");
    let plant = asks("do_plant_sizing_calculation");
    // templates bring their own
    let is_template = |object: Object<'_>| object.type_name().starts_with("HVACTemplate:Zone:");
    let has_zones = document.of_type("Sizing:Zone").next().is_some() || document.objects().any(is_template);
    let objects = || control.into_iter().map(Subject::from).collect();
    let mut say = |severity, objects: Vec<Subject>, message: String, what: &str| {
        issues.push(issue(severity, IssueKind::MissingSizing, objects, message, what));
    };
    // what is made of templates is sized by objects that are made with it
    if document.objects().any(|object| object.type_name().starts_with("HVACTemplate:")) {
        return;
    }
    if system && (!zone || !has_zones) {
        let why =
            if zone { "there is no Sizing:Zone" } else { "zones are not (`Do Zone Sizing Calculation`)" };
        let message = format!("Systems are to be sized (`Do System Sizing Calculation`), and {why}.");
        let what = "Systems are sized by their zones: ask for both, and add a Sizing:Zone for each zone with equipment.";
        return say(Severity::Error, objects(), message, what);
    }
    if zone || system || plant {
        return;
    }
    let zonal: Vec<Object<'_>> = autosized
        .iter()
        .copied()
        .filter(|object| ZONAL.iter().any(|start| object.type_name().starts_with(start)))
        .collect();
    if !zonal.is_empty() {
        let message =
            format!("{} objects are to be sized, and SimulationControl asks for no sizing.", zonal.len());
        let what = "Set `Do Zone Sizing Calculation`, and those of systems and plants, to Yes.";
        let objects = control.into_iter().map(Subject::from).chain(few(&zonal)).collect();
        say(Severity::Error, objects, message, what);
    }
}

/// Zones with equipment that is to be sized need a Sizing:Zone.
fn zones(document: &Document, autosized: &[Object<'_>], issues: &mut Vec<Issue>) {
    let sized: HashSet<String> = document
        .of_type("Sizing:Zone")
        .flat_map(|sizing| {
            let named = value(sizing, "zone_or_zonelist_name");
            let list = document.get("ZoneList", named).filter(|_| !named.is_empty());
            let members: Vec<String> =
                list.iter().flat_map(Object::groups).flatten().map(str::to_lowercase).collect();
            members.into_iter().chain([named.to_lowercase()])
        })
        .collect();
    let zonal = autosized.iter().any(|object| {
        ["ZoneHVAC:", "AirTerminal:", "Fan:", "Coil:"]
            .iter()
            .any(|start| object.type_name().starts_with(start))
    });
    let spaces = document.of_type("Sizing:Zone").any(|sizing| {
        sizing.get("zone_or_zonelist_name").is_some_and(|name| document.get("Space", name).is_some())
    });
    if !zonal || spaces {
        return;
    }
    let bare: Vec<Object<'_>> = document
        .of_type("ZoneHVAC:EquipmentConnections")
        .filter(|connections| {
            let zone = value(*connections, "zone_name").to_lowercase();
            let list = value(*connections, "zone_conditioning_equipment_list_name");
            // exhaust fans alone are not sized
            let inlets =
                connections.get("zone_air_inlet_node_or_nodelist_name").is_some_and(|node| !node.is_empty());
            !sized.contains(&zone) && inlets && document.get("ZoneHVAC:EquipmentList", list).is_some()
        })
        .collect();
    if !bare.is_empty() {
        let names: Vec<&str> = bare.iter().take(8).filter_map(|object| object.get("zone_name")).collect();
        let more = if bare.len() > 8 { ", …" } else { "" };
        let message =
            format!("{} zones have equipment and no Sizing:Zone: {}{more}.", bare.len(), names.join(", "));
        let what = "Add a Sizing:Zone for each (a ZoneList serves many).";
        issues.push(issue(Severity::Warning, IssueKind::MissingSizing, few(&bare), message, what));
    }
}

/// Loops whose flow is to be sized need a sizing object of their own.
fn loops(document: &Document, type_name: &str, sizing: &str, field: &str, issues: &mut Vec<Issue>) {
    let sized: HashSet<String> =
        document.of_type(sizing).filter_map(|object| object.get(field).map(str::to_lowercase)).collect();
    for system in document.of_type(type_name) {
        let to_size = system.values().any(|value| value.eq_ignore_ascii_case("autosize"));
        if to_size && !sized.contains(&system.name().to_lowercase()) {
            let message = format!("{type_name} `{}` is to be sized and has no {sizing}.", system.name());
            let what = format!("Add a {sizing} that names it, or give its flow a number.");
            // an air loop without its own is sized as the first that has one
            let borrows = type_name == "AirLoopHVAC" && !sized.is_empty();
            issues.push(issue(
                if borrows { Severity::Warning } else { Severity::Error },
                IssueKind::MissingSizing,
                vec![system.into()],
                message,
                &what,
            ));
        }
    }
}
