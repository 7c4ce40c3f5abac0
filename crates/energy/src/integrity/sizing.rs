//! What a simulation needs beside the building: something to size by, a place, a time.

use super::{Issue, IssueKind, Severity, Subject, Surroundings, issue};
use crate::idf::{Document, Object};
use std::collections::HashSet;

/// Adds what is missing to size equipment, and to simulate at all.
pub fn check(document: &Document, around: Surroundings, issues: &mut Vec<Issue>) {
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
    zones(document, &autosized, issues);
    loops(document, "AirLoopHVAC", "Sizing:System", "airloop_name", issues);
    loops(document, "PlantLoop", "Sizing:Plant", "plant_or_condenser_loop_name", issues);
    loops(document, "CondenserLoop", "Sizing:Plant", "plant_or_condenser_loop_name", issues);
    place_and_time(document, around, periods, issues);
}

fn few(objects: &[Object<'_>]) -> Vec<Subject> {
    objects.iter().take(20).map(|object| Subject::from(*object)).collect()
}

/// Zones with equipment that is to be sized need a Sizing:Zone.
fn zones(document: &Document, autosized: &[Object<'_>], issues: &mut Vec<Issue>) {
    let sized: HashSet<String> = document
        .of_type("Sizing:Zone")
        .flat_map(|sizing| {
            let named = sizing.get("zone_or_zonelist_name").unwrap_or_default();
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
            let zone = connections.get("zone_name").unwrap_or_default().to_lowercase();
            let list = connections.get("zone_conditioning_equipment_list_name").unwrap_or_default();
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
            issues.push(issue(
                Severity::Error,
                IssueKind::MissingSizing,
                vec![system.into()],
                message,
                &what,
            ));
        }
    }
}

fn place_and_time(document: &Document, around: Surroundings, periods: bool, issues: &mut Vec<Issue>) {
    let mut missing = |severity, message: &str, what: &str| {
        issues.push(issue(severity, IssueKind::NoWeatherOrLocation, Vec::new(), message.to_owned(), what));
    };
    let years =
        document.objects().any(|object| object.type_name().starts_with("RunPeriod") && object.is_named());
    let runs_year = document.of_type("SimulationControl").next().is_none_or(|control| {
        let asked = control.get("run_simulation_for_weather_file_run_periods").unwrap_or_default();
        asked.is_empty() || asked.eq_ignore_ascii_case("yes")
    });
    if !years && !periods {
        missing(
            Severity::Error,
            "There is nothing to simulate: neither a RunPeriod nor a design day.",
            "Add a RunPeriod for a year of weather, or SizingPeriod:DesignDay objects.",
        );
    }
    if document.of_type("Site:Location").next().is_none() {
        missing(
            match (periods, around.weather) {
                (true, Some(true)) | (false, None | Some(false)) => Severity::Warning,
                (true, None | Some(false)) => Severity::Error,
                (false, Some(true)) => Severity::Notice,
            },
            if periods {
                "There is no Site:Location: design days cannot be simulated without a weather file that says the place."
            } else {
                "There is no Site:Location; place and time zone come from the weather file, if there is one."
            },
            "Add a Site:Location, for instance from the DDY file beside the weather file.",
        );
    }
    if years && runs_year && around.weather == Some(false) {
        missing(
            Severity::Warning,
            "A year is to be simulated, and there is no weather file.",
            "Get one with download_weather_file, or simulate design days only.",
        );
    }
}
