//! What belongs to a zone beside the surfaces around it: what it is controlled by, what serves it, and what else names it, directly or
//! through a space or a list that it is in.

mod hvac;
mod loads;

pub use hvac::{Component, System, systems};
pub use loads::{Air, AirKind, Load, Room, airs, loads};

use crate::geometry::polygon::{DETAILED, SIMPLE};
use crate::idf::{Document, Object};
use crate::references::Graph;
use std::collections::BTreeSet;

/// Lists of zones and spaces, and spaces themselves: who names one means the zones in it.
const STAND_FOR_ZONES: [&str; 3] = ["ZoneList", "Space", "SpaceList"];

/// The objects that belong to a zone, in the order of the model.
pub struct Belongings<'a> {
    /// Controls of temperature, humidity and comfort, each with the set points that it goes by.
    pub controls: Vec<(Object<'a>, Vec<Object<'a>>)>,
    /// Equipment of the zone and the air terminals in it; templates for them.
    pub equipment: Vec<Object<'a>>,
    /// All others that name it, but for its surfaces: loads, air flows, sizing, spaces and lists.
    pub others: Vec<Object<'a>>,
}

fn starts(object: Object<'_>, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| {
        let start = object.type_name().get(..beginning.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    })
}

fn is_any(object: Object<'_>, types: &[&str]) -> bool {
    types.iter().any(|name| object.type_name().eq_ignore_ascii_case(name))
}

/// The objects that one names, without those named twice.
fn named_by<'a>(document: &'a Document, graph: &Graph, object: Object<'a>) -> Vec<Object<'a>> {
    let mut seen = BTreeSet::new();
    let targets = graph.from(object.handle()).iter().map(|reference| reference.to);
    let targets = targets.filter(|handle| seen.insert(*handle)).collect::<Vec<_>>();
    targets.into_iter().filter_map(|handle| document.object(handle)).collect()
}

impl<'a> Belongings<'a> {
    /// Gathers what belongs to a zone.
    pub fn from_zone(document: &'a Document, graph: &Graph, zone: Object<'a>) -> Self {
        let mut standing = vec![zone.handle()];
        let mut referrers = BTreeSet::new();
        let mut at = 0;
        while let Some(handle) = standing.get(at).copied() {
            at += 1;
            for reference in graph.to(handle) {
                let Some(object) = document.object(reference.from) else { continue };
                if referrers.insert(reference.from) && is_any(object, &STAND_FOR_ZONES) {
                    standing.push(reference.from);
                }
            }
        }
        let mut found = Self { controls: Vec::new(), equipment: Vec::new(), others: Vec::new() };
        for object in referrers.into_iter().filter_map(|handle| document.object(handle)) {
            let named = || named_by(document, graph, object).into_iter();
            if is_any(object, &DETAILED) || is_any(object, &SIMPLE) {
                continue;
            }
            if starts(object, &["ZoneControl:"]) {
                let points = named().filter(|one| starts(*one, &["ThermostatSetpoint:"])).collect();
                found.controls.push((object, points));
            } else if is_any(object, &["ZoneHVAC:EquipmentConnections"]) {
                for list in named().filter(|one| is_any(*one, &["ZoneHVAC:EquipmentList"])) {
                    found.equip(document, graph, list);
                }
            } else if starts(object, &["HVACTemplate:Zone:"]) {
                found.equipment.push(object);
                let thermostats = named().filter(|one| is_any(*one, &["HVACTemplate:Thermostat"]));
                found.controls.extend(thermostats.map(|thermostat| (thermostat, Vec::new())));
            } else {
                found.others.push(object);
            }
        }
        found
    }

    fn equip(&mut self, document: &'a Document, graph: &Graph, list: Object<'a>) {
        for unit in named_by(document, graph, list).into_iter().filter(|one| !starts(*one, &["Schedule"])) {
            self.equipment.push(unit);
            let terminals = named_by(document, graph, unit).into_iter();
            self.equipment.extend(terminals.filter(|one| starts(*one, &["AirTerminal:"])));
        }
    }
}

/// The schedules and temperatures that a control or set point goes by: what each is for, and the name or number.
pub fn set_points(object: Object<'_>) -> Vec<(String, &str)> {
    let is_point = |key: &str| key.contains("setpoint") || key.contains("set_point");
    let fields = object.fields().filter(|value| !value.value.is_empty());
    fields
        .filter_map(|value| {
            let key = &value.field?.key;
            is_point(key).then(|| (value.name().to_lowercase().replace(" schedule name", ""), value.value))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_serves_a_zone_is_told_apart_from_what_else_names_it() {
        let text = "Version,25.2;Zone,Z;Zone,Y;ZoneList,Both,Z,Y;\
            ZoneControl:Thermostat,T,Both,Types,ThermostatSetpoint:DualSetpoint,D;\
            ThermostatSetpoint:DualSetpoint,D,Heat,Cool;\
            ZoneHVAC:EquipmentConnections,Z,Z Equipment,in,,air,out;\
            ZoneHVAC:EquipmentList,Z Equipment,SequentialLoad,ZoneHVAC:AirDistributionUnit,Unit,1,1;\
            ZoneHVAC:AirDistributionUnit,Unit,in,AirTerminal:SingleDuct:VAV:NoReheat,Box;\
            AirTerminal:SingleDuct:VAV:NoReheat,Box,,in,from,0.1;\
            Lights,L,Both,On,LightingLevel,100;";
        let (document, _) = Document::open(text.as_bytes()).unwrap();
        let graph = Graph::from_document(&document);
        let zone = document.get("Zone", "Z").unwrap();
        let found = Belongings::from_zone(&document, &graph, zone);
        let names = |objects: &[Object<'_>]| -> Vec<String> {
            objects.iter().map(|object| object.name().to_owned()).collect()
        };
        let (control, points) = &found.controls[0];
        assert_eq!((control.name(), names(points)), ("T", vec!["D".to_owned()]));
        let points = set_points(points[0]);
        assert_eq!(
            points.iter().map(|(what, name)| (what.as_str(), *name)).collect::<Vec<_>>(),
            [("heating setpoint temperature", "Heat"), ("cooling setpoint temperature", "Cool")]
        );
        assert_eq!(names(&found.equipment), ["Unit", "Box"]);
        assert_eq!(names(&found.others), ["Both", "L"]);
        let other = Belongings::from_zone(&document, &graph, document.get("Zone", "Y").unwrap());
        assert!(other.equipment.is_empty() && other.controls.len() == 1);
    }
}
