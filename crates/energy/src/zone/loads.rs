//! Loads and air of a zone: people, lights, equipment, infiltration, ventilation and outdoor air, as levels of the zone and by area, each
//! with its schedule.
//!
//! An object gives its level in one of several ways (a number, by floor area, by person, by air changes), and a list of zones means each of
//! them. What is given for a space alone, or by a method that only a run knows, has no level here and says why.

use crate::idf::Object;

/// The sizes of a zone that levels are computed with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Room {
    /// In m².
    pub floor_area: f64,
    /// In m³.
    pub volume: f64,
    /// Of its surfaces to outdoors, in m².
    pub exterior_area: f64,
    /// Of its walls to outdoors, in m².
    pub exterior_wall_area: f64,
    /// People on its design level.
    pub people: f64,
}

/// A load of a zone.
#[derive(Debug, Clone)]
pub struct Load<'a> {
    /// The object.
    pub object: Object<'a>,
    /// Persons or W at its design level; a reason where the object does not say.
    pub level: Result<f64, String>,
    /// The unit of the level: `people` or `W`.
    pub unit: &'static str,
    /// The name of its schedule; empty where it has none.
    pub schedule: &'a str,
}

/// A type of load: the key of its schedule, and those of its level, of the level by floor area, and by person.
struct Form {
    type_name: &'static str,
    schedule: &'static str,
    level: &'static str,
    per_area: &'static str,
    per_person: &'static str,
}

const fn form(
    type_name: &'static str,
    level: &'static str,
    per_area: &'static str,
    per_person: &'static str,
) -> Form {
    Form { type_name, schedule: "schedule_name", level, per_area, per_person }
}

const FORMS: [Form; 6] = [
    form("Lights", "lighting_level", "watts_per_floor_area", "watts_per_person"),
    form("ElectricEquipment", "design_level", "watts_per_floor_area", "watts_per_person"),
    form("GasEquipment", "design_level", "power_per_floor_area", "power_per_person"),
    form("HotWaterEquipment", "design_level", "power_per_floor_area", "power_per_person"),
    form("SteamEquipment", "design_level", "power_per_floor_area", "power_per_person"),
    form("OtherEquipment", "design_level", "power_per_floor_area", "power_per_person"),
];

fn is_type(object: Object<'_>, name: &str) -> bool {
    object.type_name().eq_ignore_ascii_case(name)
}

/// The number in a field by its key in the newest version, or in those before, which say `zone_floor_area` and, of some flows, no `rate`.
fn number(object: Object<'_>, key: &str) -> Result<f64, String> {
    let of_zone = |key: &str| key.replace("floor_area", "zone_floor_area");
    let flow = key.replace("flow_rate_per", "flow_per");
    let keys = [key.to_owned(), of_zone(key), of_zone(&flow), flow];
    let number = keys.iter().find_map(|key| object.number(key)).filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{} is no number", key.replace('_', " ")))
}

/// True if an object is given for a space, of which a zone may have several.
fn is_of_space(object: Object<'_>) -> bool {
    let named = object.fields().find(|value| {
        value.field.is_some_and(|field| field.key.contains("zone") && field.key.contains("name"))
    });
    let name = named.map_or("", |value| value.value);
    let document = object.document();
    !name.is_empty()
        && document.get("Zone", name).is_none()
        && document.get("ZoneList", name).is_none()
        && (document.get("Space", name).is_some() || document.get("SpaceList", name).is_some())
}

/// The persons of a People object in a zone of this floor area.
fn people(object: Object<'_>, floor_area: f64) -> Result<f64, String> {
    let method = object.get("number_of_people_calculation_method").unwrap_or_default().to_ascii_lowercase();
    match method.as_str() {
        "people/area" => Ok(number(object, "people_per_floor_area")? * floor_area),
        "area/person" => {
            let each = number(object, "floor_area_per_person")?;
            if each > 0.0 { Ok(floor_area / each) } else { Err("floor area per person is zero".to_owned()) }
        }
        _ => number(object, "number_of_people"),
    }
}

/// The loads among the objects that belong to a zone: people first, who others count by. `room.people` is set by them.
pub fn loads<'a>(objects: &[Object<'a>], room: &mut Room) -> Vec<Load<'a>> {
    let mut found = Vec::new();
    for object in objects.iter().copied().filter(|object| is_type(*object, "People")) {
        let level = if is_of_space(object) { Err(SPACE.to_owned()) } else { people(object, room.floor_area) };
        room.people += level.as_ref().copied().unwrap_or(0.0);
        let schedule = object.get("number_of_people_schedule_name").unwrap_or_default();
        found.push(Load { object, level, unit: "people", schedule });
    }
    for object in objects.iter().copied() {
        let Some(form) = FORMS.iter().find(|form| is_type(object, form.type_name)) else { continue };
        let method = object.get("design_level_calculation_method").unwrap_or_default().to_ascii_lowercase();
        let level = if is_of_space(object) {
            Err(SPACE.to_owned())
        } else if method.ends_with("/area") {
            number(object, form.per_area).map(|each| each * room.floor_area)
        } else if method.ends_with("/person") {
            number(object, form.per_person).map(|each| each * room.people)
        } else {
            number(object, form.level)
        };
        let schedule = object.get(form.schedule).unwrap_or_default();
        found.push(Load { object, level, unit: "W", schedule });
    }
    found
}

/// The reason why an object of a space has no level of its zone.
const SPACE: &str = "it is given for a space and not for the zone";

/// The way that air takes into a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AirKind {
    /// Through leaks.
    Infiltration,
    /// Through openings and fans of the zone itself.
    Ventilation,
    /// Outdoor air that systems bring, at its design.
    OutdoorAir,
}

/// Air of a zone.
#[derive(Debug, Clone)]
pub struct Air<'a> {
    /// The object.
    pub object: Object<'a>,
    /// The way that it takes.
    pub kind: AirKind,
    /// Its design flow in m³/s; a reason where the object does not say.
    pub flow: Result<f64, String>,
    /// The name of its schedule; empty where it has none.
    pub schedule: &'a str,
}

/// The air among the objects that belong to a zone, and among the specifications of outdoor air that serve it.
pub fn airs<'a>(objects: &[Object<'a>], outdoor: &[Object<'a>], room: &Room) -> Vec<Air<'a>> {
    let mut found = Vec::new();
    for object in objects.iter().copied() {
        let type_name = object.type_name().to_ascii_lowercase();
        let kind = if type_name.starts_with("zoneinfiltration:") {
            AirKind::Infiltration
        } else if type_name.starts_with("zoneventilation:") {
            AirKind::Ventilation
        } else {
            continue;
        };
        let flow = if is_of_space(object) {
            Err(SPACE.to_owned())
        } else if type_name.ends_with(":designflowrate") {
            design_flow(object, room)
        } else {
            Err("it hangs on wind and temperatures".to_owned())
        };
        found.push(Air { object, kind, flow, schedule: object.get("schedule_name").unwrap_or_default() });
    }
    for object in outdoor.iter().copied() {
        let schedule = object.get("outdoor_air_schedule_name").unwrap_or_default();
        found.push(Air { object, kind: AirKind::OutdoorAir, flow: outdoor_flow(object, room), schedule });
    }
    found
}

/// The design flow of an infiltration or ventilation, in m³/s.
fn design_flow(object: Object<'_>, room: &Room) -> Result<f64, String> {
    let method = object.get("design_flow_rate_calculation_method").unwrap_or_default().to_ascii_lowercase();
    match method.as_str() {
        "flow/area" => Ok(number(object, "flow_rate_per_floor_area")? * room.floor_area),
        "flow/exteriorarea" => {
            Ok(number(object, "flow_rate_per_exterior_surface_area")? * room.exterior_area)
        }
        "flow/exteriorwallarea" => {
            Ok(number(object, "flow_rate_per_exterior_surface_area")? * room.exterior_wall_area)
        }
        "flow/person" => Ok(number(object, "flow_rate_per_person")? * room.people),
        "airchanges/hour" => Ok(number(object, "air_changes_per_hour")? * room.volume / 3_600.0),
        _ => number(object, "design_flow_rate"),
    }
}

/// The flow of a DesignSpecification:OutdoorAir, in m³/s.
fn outdoor_flow(object: Object<'_>, room: &Room) -> Result<f64, String> {
    let said = |key: &str| object.number(key).filter(|number| number.is_finite());
    // the program's own default for a person holds where the method counts them
    let by_person = said("outdoor_air_flow_per_person").unwrap_or(0.009_44) * room.people;
    let by_area = said("outdoor_air_flow_per_zone_floor_area").unwrap_or(0.0) * room.floor_area;
    let whole = said("outdoor_air_flow_per_zone").unwrap_or(0.0);
    let by_changes = said("outdoor_air_flow_air_changes_per_hour").unwrap_or(0.0) * room.volume / 3_600.0;
    let method = object.get("outdoor_air_method").unwrap_or_default().to_ascii_lowercase();
    match method.as_str() {
        "flow/person" | "" => Ok(by_person),
        "flow/area" => Ok(by_area),
        "flow/zone" => Ok(whole),
        "airchanges/hour" => Ok(by_changes),
        "sum" => Ok(by_person + by_area + whole + by_changes),
        "maximum" => Ok(by_person.max(by_area).max(whole).max(by_changes)),
        other => Err(format!("the method {other} is a run's to tell")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idf::Document;

    const MODEL: &str = "Version,25.2;Zone,Z;ZoneList,All,Z;Space,S,Z;
        People,P,All,On,Area/Person,,,10,0.3,,Act;
        Lights,L,Z,On,Watts/Area,,8;Lights,M,Z,On,LightingLevel,120;Lights,N,S,On,Watts/Area,,8;
        ElectricEquipment,E,Z,On,Watts/Person,,,50;
        ZoneInfiltration:DesignFlowRate,I,Z,On,AirChanges/Hour,,,,0.5;
        ZoneInfiltration:EffectiveLeakageArea,K,Z,On,100,0.0001,0.0001;
        ZoneVentilation:DesignFlowRate,V,Z,On,Flow/Person,,,0.01;
        DesignSpecification:OutdoorAir,O,Sum,0.0025,0.0003;";

    #[test]
    fn levels_follow_from_the_method_and_the_size_of_the_zone() {
        let (document, _) = Document::open(MODEL.as_bytes()).unwrap();
        let objects: Vec<Object<'_>> = document.objects().collect();
        let mut room = Room { floor_area: 200.0, volume: 600.0, ..Room::default() };
        let found = loads(&objects, &mut room);
        assert!((room.people - 20.0).abs() < 1e-9);
        let levels: Vec<(&str, Option<f64>)> =
            found.iter().map(|load| (load.object.name(), load.level.clone().ok())).collect();
        assert_eq!(
            levels,
            [("P", Some(20.0)), ("L", Some(1_600.0)), ("M", Some(120.0)), ("N", None), ("E", Some(1_000.0))]
        );
        let outdoor: Vec<Object<'_>> = document.of_type("DesignSpecification:OutdoorAir").collect();
        let flows: Vec<(&str, Option<f64>)> = airs(&objects, &outdoor, &room)
            .iter()
            .map(|air| (air.object.name(), air.flow.clone().ok()))
            .collect();
        let sum = 0.0025 * 20.0 + 0.0003 * 200.0;
        assert_eq!(
            flows,
            [("I", Some(0.5 * 600.0 / 3_600.0)), ("K", None), ("V", Some(0.2)), ("O", Some(sum))]
        );
    }

    #[test]
    fn older_versions_call_the_same_fields_otherwise() {
        let text = "Version,9.2;Zone,Z;People,P,Z,On,Area/Person,,,10,0.3,,Act;Lights,L,Z,On,Watts/Area,,8;
            ZoneInfiltration:DesignFlowRate,I,Z,On,Flow/Area,,0.001;
            ZoneInfiltration:DesignFlowRate,J,Z,On,Flow/ExteriorArea,,,0.002;";
        let (document, _) = Document::open(text.as_bytes()).unwrap();
        let objects: Vec<Object<'_>> = document.objects().collect();
        let mut room = Room { floor_area: 200.0, exterior_area: 50.0, ..Room::default() };
        let levels: Vec<Option<f64>> =
            loads(&objects, &mut room).into_iter().map(|load| load.level.ok()).collect();
        assert_eq!(levels, [Some(20.0), Some(1_600.0)]);
        let flows: Vec<Option<f64>> =
            airs(&objects, &[], &room).into_iter().map(|air| air.flow.ok()).collect();
        assert_eq!(flows, [Some(0.2), Some(0.1)]);
    }
}
