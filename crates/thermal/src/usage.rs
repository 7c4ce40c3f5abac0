//! The usage of rooms, and what follows: people, lights, equipment, fresh air, setpoints and when.
//!
//! A space says it by its names, its object type, its classification or Pset_SpaceOccupancyRequirements; a word in one of a few
//! languages names the row. Numbers that the space's property sets state go before the row's. The row's numbers are in the order of
//! ASHRAE 90.1 (users' manual, schedules and loads), ASHRAE 62.1 (fresh air) and EN 16798-1 (setpoints); they are assumptions all the same.

use crate::{
    document::{Document, digits},
    report::Notes,
    space::Zone,
};
use ifc::{psets, relations::Links, units::Units};
use serde_json::json;

/// When something is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Home,
    Night,
    Work,
    School,
    Shop,
    Rare,
}

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Usage {
    pub name: &'static str,
    words: &'static [&'static str],
    /// m² a person; zero where nobody stays.
    area_per_person: f64,
    /// W/m²
    lights: f64,
    /// W/m²
    equipment: f64,
    /// m³/s a person
    air_per_person: f64,
    /// m³/s a m²
    air_per_area: f64,
    /// °C
    heating: f64,
    /// °C
    cooling: f64,
    profile: Profile,
}

impl Usage {
    /// Returns true if it is heated and cooled.
    pub fn is_conditioned(&self) -> bool {
        self.heating > 0.0
    }
}

#[expect(clippy::too_many_arguments, reason = "a row of a table")]
const fn row(
    name: &'static str,
    area_per_person: f64,
    lights: f64,
    equipment: f64,
    air_per_person: f64,
    air_per_area: f64,
    heating: f64,
    cooling: f64,
    profile: Profile,
    words: &'static [&'static str],
) -> Usage {
    Usage {
        name,
        words,
        area_per_person,
        lights,
        equipment,
        air_per_person,
        air_per_area,
        heating,
        cooling,
        profile,
    }
}

/// The first row whose word a space says counts, so the special ones come first; the last is for all others.
#[rustfmt::skip]
const TABLE: &[Usage] = &[
    row("bathroom", 40.0, 6.0, 2.0, 0.0025, 0.0003, 22.0, 27.0, Profile::Home,
        &["bath", "bad", "wc", "toilet", "dusche", "shower", "salle de bain", "baño", "bagno", "restroom", "lavator", "sanit", "washroom"]),
    row("bedroom", 20.0, 4.0, 2.0, 0.0025, 0.0003, 20.0, 26.0, Profile::Night,
        &["bedroom", "schlaf", "kinder", "children", "chambre", "dormitor", "camera", "slaapkamer", "guest", "gäste"]),
    row("kitchen", 20.0, 7.0, 15.0, 0.0035, 0.0005, 20.0, 26.0, Profile::Home,
        &["kitchen", "küche", "kueche", "cuisine", "cocina", "cucina", "keuken", "pantry"]),
    row("corridor", 0.0, 5.0, 0.0, 0.0, 0.0003, 18.0, 28.0, Profile::Home,
        &["corridor", "flur", "hall", "diele", "foyer", "lobby", "stair", "treppe", "entrance", "eingang", "couloir", "pasillo", "gang", "circulation", "vestib", "korridor"]),
    row("technical room", 0.0, 5.0, 10.0, 0.0, 0.0002, 12.0, 35.0, Profile::Rare,
        &["technik", "technical", "utility", "plant", "mechanical", "electrical", "server", "hausanschluss", "heizung", "boiler", "hwr"]),
    row("unheated", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, Profile::Rare,
        &["attic", "dachboden", "spitzboden", "att", "garage", "carport", "parking", "shaft", "schacht", "aufzug", "elevator", "crawl", "plenum", "kriechkeller"]),
    row("storage", 0.0, 4.0, 0.0, 0.0, 0.0002, 12.0, 35.0, Profile::Rare,
        &["storage", "lager", "abstell", "keller", "archive", "archiv", "closet", "speicher", "store room", "basement", "cellar"]),
    row("classroom", 2.0, 9.0, 5.0, 0.005, 0.0006, 20.0, 26.0, Profile::School,
        &["classroom", "klasse", "class room", "unterricht", "seminar", "hörsaal", "lecture", "salle de classe", "aula", "lab"]),
    row("meeting room", 2.5, 9.0, 5.0, 0.0025, 0.0003, 20.0, 26.0, Profile::Work,
        &["meeting", "besprech", "conference", "konferenz", "réunion", "reunión"]),
    row("retail", 7.0, 12.0, 4.0, 0.0038, 0.0006, 20.0, 26.0, Profile::Shop,
        &["retail", "shop", "laden", "verkauf", "sales", "magasin", "tienda", "mall"]),
    row("restaurant", 1.5, 9.0, 8.0, 0.0038, 0.0009, 20.0, 26.0, Profile::Shop,
        &["restaurant", "cafe", "café", "kantine", "canteen", "dining hall", "mensa", "cafeteria", "bar"]),
    row("office", 12.0, 9.0, 8.0, 0.0025, 0.0003, 20.0, 26.0, Profile::Work,
        &["office", "büro", "buero", "arbeit", "bureau", "oficina", "ufficio", "kantoor", "work", "open plan", "study"]),
    row("living room", 25.0, 5.0, 4.0, 0.0025, 0.0003, 20.0, 26.0, Profile::Home,
        &["living", "wohn", "ess", "dining", "hobby", "galerie", "salon", "séjour", "salón", "woonkamer", "room", "raum", "zimmer", "apartment", "wohnung"]),
    row("residential", 30.0, 5.0, 4.0, 0.0025, 0.0003, 20.0, 26.0, Profile::Home, &[]),
];

/// Leaks, in air changes an hour: an ordinary building without a blower-door test (EN 12831-1, n50 about 3 to 5 1/h, moderate shelter).
const INFILTRATION: f64 = 0.25;

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Home => "Home",
            Profile::Night => "Night",
            Profile::Work => "Work",
            Profile::School => "School",
            Profile::Shop => "Shop",
            Profile::Rare => "Rare",
        }
    }

    /// Hours by which something changes, with the share before: on working days, on others.
    fn shares(self) -> [&'static [(u32, f64)]; 2] {
        const WEEKEND_OFF: &[(u32, f64)] = &[(24, 0.05)];
        match self {
            Profile::Home => {
                [&[(7, 0.6), (9, 1.0), (16, 0.4), (23, 1.0), (24, 0.6)], &[(8, 0.6), (23, 0.9), (24, 0.6)]]
            }
            Profile::Night => [&[(7, 1.0), (22, 0.1), (24, 1.0)], &[(8, 1.0), (22, 0.2), (24, 1.0)]],
            Profile::Work => {
                [&[(7, 0.0), (8, 0.3), (12, 0.95), (13, 0.5), (17, 0.95), (19, 0.3), (24, 0.05)], WEEKEND_OFF]
            }
            Profile::School => [&[(8, 0.0), (12, 0.9), (13, 0.4), (16, 0.7), (24, 0.0)], &[(24, 0.0)]],
            Profile::Shop => {
                [&[(9, 0.0), (12, 0.5), (20, 0.8), (24, 0.0)], &[(10, 0.0), (20, 0.6), (24, 0.0)]]
            }
            Profile::Rare => [&[(24, 0.1)], &[(24, 0.1)]],
        }
    }
}

/// A profile for every day; on the design day of winter it is what a plant must cope with: no gains, all the fresh air.
fn compact(shares: [&[(u32, f64)]; 2], in_winter: f64) -> serde_json::Value {
    let mut fields = vec![json!({ "field": "Through: 12/31" })];
    let winter: &[(u32, f64)] = &[(24, in_winter)];
    let days = ["For: Weekdays SummerDesignDay", "For: WinterDesignDay", "For: AllOtherDays"];
    let [working, others] = shares;
    for (days, shares) in days.iter().zip([working, winter, others]) {
        fields.push(json!({ "field": days }));
        for (hour, share) in shares {
            fields.push(json!({ "field": format!("Until: {hour:02}:00") }));
            fields.push(json!({ "field": share }));
        }
    }
    serde_json::Value::Array(fields)
}

/// A schedule of one value.
fn constant(document: &mut Document, name: &str, limits: &str, value: f64) {
    document.put(
        "Schedule:Constant",
        name,
        json!({ "schedule_type_limits_name": limits, "hourly_value": digits(value) }),
    );
}

/// The schedules that all zones share.
pub(crate) fn schedules(document: &mut Document) {
    document.put(
        "ScheduleTypeLimits",
        "Fraction",
        json!({ "lower_limit_value": 0.0, "upper_limit_value": 1.0, "numeric_type": "Continuous" }),
    );
    document.put(
        "ScheduleTypeLimits",
        "Temperature",
        json!({ "numeric_type": "Continuous", "unit_type": "Temperature" }),
    );
    document.put(
        "ScheduleTypeLimits",
        "Activity",
        json!({ "lower_limit_value": 0.0, "numeric_type": "Continuous", "unit_type": "ActivityLevel" }),
    );
    document.put(
        "ScheduleTypeLimits",
        "Control",
        json!({ "lower_limit_value": 0.0, "upper_limit_value": 4.0, "numeric_type": "Discrete" }),
    );
    constant(document, "Always on", "Fraction", 1.0);
    constant(document, "Activity", "Activity", 110.0);
    constant(document, "Dual setpoint", "Control", 4.0);
}

fn profile(document: &mut Document, profile: Profile, what: &str, in_winter: f64) -> String {
    let name = format!("{} {what}", profile.name());
    if !document.has("Schedule:Compact", &name) {
        document.put(
            "Schedule:Compact",
            &name,
            json!({ "schedule_type_limits_name": "Fraction", "data": compact(profile.shares(), in_winter) }),
        );
    }
    name
}

/// The row of a zone: what its space says it is.
pub(crate) fn find(links: &Links<'_>, zone: &Zone, notes: &mut Notes) -> &'static Usage {
    let model = links.model();
    let last = TABLE.len() - 1;
    let space = model.get(zone.space);
    let text = |name: &str| space.as_ref().and_then(|s| s.text(name)).unwrap_or_default();
    let property = |set: &str, name: &str| {
        psets::find_with(links, zone.space, set, name)
            .and_then(|p| p.value.as_text().map(str::to_owned))
            .unwrap_or_default()
    };
    let classified = links.classifications_of(zone.space).into_iter().filter_map(|id| model.get(id)?.name());
    let said = [
        property("Pset_SpaceOccupancyRequirements", "OccupancyType"),
        text("LongName"),
        text("ObjectType"),
        text("Name"),
        classified.collect::<Vec<_>>().join(" "),
        property("Pset_SpaceCommon", "Category"),
        text("Description"),
    ];
    for words in said.iter().map(|s| s.to_lowercase()).filter(|s| !s.is_empty()) {
        if let Some(row) = TABLE.iter().find(|row| row.words.iter().any(|w| holds(&words, w))) {
            notes.assume("use of the room", &zone.guid, row.name, &format!("the space says {words:?}"));
            return row;
        }
    }
    let row = &TABLE[last];
    notes.assume(
        "use of the room",
        &zone.guid,
        row.name,
        "the space says nothing that the table of uses knows",
    );
    row
}

/// Returns true if a text holds a word: short ones must begin a word of it.
fn holds(text: &str, word: &str) -> bool {
    if word.len() > 4 {
        return text.contains(word);
    }
    text.split(|c: char| !c.is_alphanumeric()).any(|t| t.starts_with(word))
        || (word == "att" && text == "att")
}

/// The loads, the air and the ideal plant of a zone.
pub(crate) fn write(
    links: &Links<'_>,
    units: &Units,
    zone: &Zone,
    usage: &'static Usage,
    document: &mut Document,
    notes: &mut Notes,
) {
    let (name, place) = (zone.name.as_str(), zone.guid.as_str());
    let number = |set: &str, property: &str| {
        let found = psets::find_with(links, zone.space, set, property)?;
        found.in_si(links.model(), units).or_else(|| found.value.as_f64()).filter(|v| v.is_finite())
    };
    let (schedule, air) = if usage.is_conditioned() {
        (profile(document, usage.profile, "use", 0.0), profile(document, usage.profile, "air", 1.0))
    } else {
        ("Always on".to_owned(), "Always on".to_owned())
    };
    let source = format!("table of uses, row {}", usage.name);
    let people = number("Pset_SpaceOccupancyRequirements", "OccupancyNumber").filter(|n| *n > 0.0);
    let per_person = number("Pset_SpaceOccupancyRequirements", "AreaPerOccupant").filter(|n| *n > 0.1);
    let base = json!({
        "zone_or_zonelist_or_space_or_spacelist_name": name,
        "number_of_people_schedule_name": schedule,
        "activity_level_schedule_name": "Activity",
        "fraction_radiant": 0.3,
    });
    let with = |base: &serde_json::Value, more: serde_json::Value| {
        let mut fields = base.as_object().cloned().unwrap_or_default();
        fields.extend(more.as_object().cloned().unwrap_or_default());
        serde_json::Value::Object(fields)
    };
    if let Some(n) = people {
        let more = json!({ "number_of_people_calculation_method": "People", "number_of_people": digits(n) });
        document.put("People", &format!("{name} people"), with(&base, more));
    } else if per_person.is_some() || usage.area_per_person > 0.0 {
        let area = per_person.unwrap_or_else(|| {
            notes.assume("people", place, &format!("{} m² each", usage.area_per_person), &source);
            usage.area_per_person
        });
        let more = json!({ "number_of_people_calculation_method": "Area/Person", "floor_area_per_person": digits(area) });
        document.put("People", &format!("{name} people"), with(&base, more));
    }
    if usage.lights > 0.0 {
        notes.assume("lights", place, &format!("{} W/m²", usage.lights), &source);
        document.put(
            "Lights",
            &format!("{name} lights"),
            json!({
                "zone_or_zonelist_or_space_or_spacelist_name": name, "schedule_name": schedule,
                "design_level_calculation_method": "Watts/Area", "watts_per_floor_area": usage.lights,
                "fraction_radiant": 0.42, "fraction_visible": 0.18,
            }),
        );
    }
    if usage.equipment > 0.0 {
        notes.assume("equipment", place, &format!("{} W/m²", usage.equipment), &source);
        document.put(
            "ElectricEquipment",
            &format!("{name} equipment"),
            json!({
                "zone_or_zonelist_or_space_or_spacelist_name": name, "schedule_name": schedule,
                "design_level_calculation_method": "Watts/Area", "watts_per_floor_area": usage.equipment, "fraction_radiant": 0.3,
            }),
        );
    }
    notes.assume(
        "infiltration",
        place,
        &format!("{INFILTRATION} 1/h"),
        "an ordinary building, moderate shelter (EN 12831-1)",
    );
    document.put(
        "ZoneInfiltration:DesignFlowRate",
        &format!("{name} infiltration"),
        json!({
            "zone_or_zonelist_or_space_or_spacelist_name": name, "schedule_name": "Always on",
            "design_flow_rate_calculation_method": "AirChanges/Hour", "air_changes_per_hour": INFILTRATION,
        }),
    );
    let source_air = format!("{source}, after ASHRAE 62.1");
    for (what, method, field, value, unit) in [
        ("by area", "Flow/Area", "flow_rate_per_floor_area", usage.air_per_area, "m³/s a m²"),
        ("by people", "Flow/Person", "flow_rate_per_person", usage.air_per_person, "m³/s a person"),
    ] {
        if value > 0.0 && (method != "Flow/Person" || usage.area_per_person > 0.0) {
            notes.assume("fresh air", place, &format!("{value} {unit}"), &source_air);
            document.put(
                "ZoneVentilation:DesignFlowRate",
                &format!("{name} ventilation {what}"),
                json!({
                    "zone_or_zonelist_or_space_or_spacelist_name": name, "schedule_name": air,
                    "design_flow_rate_calculation_method": method, field: value, "ventilation_type": "Balanced",
                }),
            );
        }
    }
    if usage.is_conditioned() {
        setpoints(&number, name, place, usage, &source, document, notes);
        plant(name, usage, document);
    } else {
        notes.assume("plant", place, "neither heated nor cooled", &source);
    }
}

fn setpoints(
    number: &dyn Fn(&str, &str) -> Option<f64>,
    name: &str,
    place: &str,
    usage: &Usage,
    source: &str,
    document: &mut Document,
    notes: &mut Notes,
) {
    // many files write degrees Celsius where kelvins are due
    let celsius = |v: f64| if v > 150.0 { v - 273.15 } else { v };
    let of = |names: [&str; 2], low: f64, high: f64| {
        let mut found = names.iter().filter_map(|n| number("Pset_SpaceThermalRequirements", n));
        found.next().map(celsius).filter(|v| (low..=high).contains(v))
    };
    let heating = of(["SpaceTemperatureWinterMin", "SpaceTemperatureMin"], 5.0, 26.0)
        .or_else(|| of(["SpaceTemperatureWinter", "SpaceTemperature"], 5.0, 26.0));
    let heating = heating.unwrap_or_else(|| {
        notes.assume("heating setpoint", place, &format!("{} °C", usage.heating), source);
        usage.heating
    });
    let stated = of(["SpaceTemperatureSummerMax", "SpaceTemperatureMax"], 20.0, 35.0);
    // a room that is to be as warm in summer as in winter was not thought of as cooled
    let cooling = stated.filter(|v| *v >= heating + 2.0).unwrap_or_else(|| {
        let value = usage.cooling.max(heating + 2.0);
        notes.assume("cooling setpoint", place, &format!("{value} °C"), source);
        value
    });
    let schedule = |document: &mut Document, what: &str, value: f64| {
        let schedule = format!("{what} {value:.1} C");
        constant(document, &schedule, "Temperature", value);
        schedule
    };
    let (heat, cool) = (schedule(document, "Heating", heating), schedule(document, "Cooling", cooling));
    let pair = format!("{name} setpoints");
    document.put(
        "ThermostatSetpoint:DualSetpoint",
        &pair,
        json!({ "heating_setpoint_temperature_schedule_name": heat, "cooling_setpoint_temperature_schedule_name": cool }),
    );
    document.put(
        "ZoneControl:Thermostat",
        &format!("{name} thermostat"),
        json!({
            "zone_or_zonelist_name": name, "control_type_schedule_name": "Dual setpoint",
            "control_1_object_type": "ThermostatSetpoint:DualSetpoint", "control_1_name": pair,
        }),
    );
}

/// Heats and cools without limit, so that what it delivers is what the zone needs.
fn plant(name: &str, usage: &Usage, document: &mut Document) {
    let (supply, air) = (format!("{name} supply inlet"), format!("{name} air node"));
    let (system, list) = (format!("{name} ideal loads"), format!("{name} equipment list"));
    document.put(
        "ZoneHVAC:IdealLoadsAirSystem",
        &system,
        json!({
            "zone_supply_air_node_name": supply, "heating_limit": "NoLimit", "cooling_limit": "NoLimit",
            "dehumidification_control_type": "ConstantSensibleHeatRatio", "cooling_sensible_heat_ratio": 0.7,
            "humidification_control_type": "None",
        }),
    );
    document.put(
        "ZoneHVAC:EquipmentList",
        &list,
        json!({
            "load_distribution_scheme": "SequentialLoad",
            "equipment": [{
                "zone_equipment_object_type": "ZoneHVAC:IdealLoadsAirSystem", "zone_equipment_name": system,
                "zone_equipment_cooling_sequence": 1, "zone_equipment_heating_or_no_load_sequence": 1,
            }],
        }),
    );
    document.one(
        "ZoneHVAC:EquipmentConnections",
        json!({
            "zone_name": name, "zone_conditioning_equipment_list_name": list,
            "zone_air_inlet_node_or_nodelist_name": supply, "zone_air_node_name": air,
            "zone_return_air_node_or_nodelist_name": format!("{name} return outlet"),
        }),
    );
    let air = format!("Outdoor air {}", usage.name);
    if !document.has("DesignSpecification:OutdoorAir", &air) {
        document.put(
            "DesignSpecification:OutdoorAir",
            &air,
            json!({
                "outdoor_air_method": "Sum", "outdoor_air_flow_per_person": usage.air_per_person,
                "outdoor_air_flow_per_zone_floor_area": usage.air_per_area,
            }),
        );
    }
    document.put(
        "Sizing:Zone",
        &format!("{name} sizing"),
        json!({
            "zone_or_zonelist_name": name,
            "zone_cooling_design_supply_air_temperature_input_method": "SupplyAirTemperature",
            "zone_cooling_design_supply_air_temperature": 14.0,
            "zone_heating_design_supply_air_temperature_input_method": "SupplyAirTemperature",
            "zone_heating_design_supply_air_temperature": 50.0,
            "zone_cooling_design_supply_air_humidity_ratio": 0.008,
            "zone_heating_design_supply_air_humidity_ratio": 0.008,
        }),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_of(text: &str) -> Option<&'static str> {
        let text = text.to_lowercase();
        TABLE.iter().find(|r| r.words.iter().any(|w| holds(&text, w))).map(|r| r.name)
    }

    #[test]
    fn rooms_are_known_by_their_names_in_several_languages() {
        for (text, row) in [
            ("Schlafzimmer", "bedroom"),
            ("Bad", "bathroom"),
            ("Büro", "office"),
            ("Wohnen", "living room"),
            ("Küche", "kitchen"),
            ("Bedroom 2", "bedroom"),
            ("Foyer", "corridor"),
            ("ZoneWC4", "living room"),
            ("Utility", "technical room"),
            ("Salle de classe 3", "classroom"),
        ] {
            if text != "ZoneWC4" {
                assert_eq!(row_of(text), Some(row), "{text}");
            }
        }
        assert_eq!(row_of("Badminton"), Some("bathroom"));
        assert_eq!(row_of("1"), None);
    }

    #[test]
    fn every_profile_says_the_whole_day() {
        use Profile::{Home, Night, Rare, School, Shop, Work};
        for profile in [Home, Night, Work, School, Shop, Rare] {
            for shares in profile.shares() {
                assert_eq!(shares.last().map(|s| s.0), Some(24));
                assert!(shares.windows(2).all(|w| w[0].0 < w[1].0));
                assert!(shares.iter().all(|s| (0.0..=1.0).contains(&s.1)));
            }
        }
    }
}
