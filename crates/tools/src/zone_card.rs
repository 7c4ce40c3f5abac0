//! A zone as it is told: its measures, what encloses it with areas and U-values, loads, air, set points, and what serves it back to its plant.

use energy::constructions::{self, Films, HeatFlow};
use energy::digits::rounded;
use energy::geometry::zones::{ZoneSurfaces, multiplier};
use energy::geometry::{Kind, Scene, Surface};
use energy::idf::{Document, Object, body};
use energy::references::Graph;
use energy::schedules::{self, Calendar};
use energy::zone::{AirKind, Belongings, Component, Room, airs, loads, set_points, systems};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Names of one kind that are listed.
const NAMES: usize = 30;

/// Surfaces of one part of the building, one boundary and one construction.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Enclosing {
    /// wall, floor, roof, ceiling, window or door.
    part: String,
    /// The other side: `outdoors`, `ground`, `adiabatic`, or a zone.
    to: String,
    /// Without the openings in them.
    area_m2: f64,
    count: usize,
    construction: String,
    /// W/m²K with the films by which EnergyPlus reports it; a text where it has none.
    #[serde(skip_serializing_if = "Value::is_null")]
    u_value: Value,
    /// From outside to inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    layers: Vec<String>,
}

/// A load or an air flow.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Gain {
    object: String,
    /// Persons, W or m³/s at design level; a text where the object does not say.
    level: Value,
    unit: String,
    /// By floor area; of air, changes in an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    per_m2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    air_changes: Option<f64>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    schedule: String,
}

/// A control and its set points, each with its schedule or temperature.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Control {
    control: String,
    set_points: BTreeMap<String, String>,
}

/// Equipment of the zone, and what stands behind it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Served {
    equipment: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    air_loop: Option<String>,
    /// The loop's components, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    supply: Vec<String>,
    /// Plant loops that feed coils of it, each by whose coil.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    plant: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Zone {
    pub name: String,
    pub floor_area_m2: f64,
    pub volume_m3: f64,
    /// From floor to ceiling.
    pub height_m: f64,
    /// Those of these three that the zone's own fields state; the others follow from its surfaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<String>,
    /// Identical zones that it stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<f64>,
    /// False where its surfaces leave a gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<bool>,
    /// Of one zone alone: gross areas of its surfaces in m², by their part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub areas: BTreeMap<String, f64>,
    /// Of one zone alone: windows and doors, in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<f64>,
    /// Its surfaces; of these `mirrored`, other sides of surfaces that are given in another zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surfaces: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirrored: Option<usize>,
    /// m² of walls, roofs and floors to outdoors, openings in them left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub to_outdoors_m2: BTreeMap<String, f64>,
    /// Of the whole zone, at design level.
    pub people: f64,
    pub lights_w_m2: f64,
    pub equipment_w_m2: f64,
    /// Changes in an hour.
    pub infiltration_per_h: f64,
    /// The loads and flows that its object does not say by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Heating and cooling set points, where every zone is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Equipment and air terminals; where every zone is shown their types.
    pub hvac: Vec<String>,
    /// Of one zone alone: fields that are not as usual.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub fields: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enclosed_by: Vec<Enclosing>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Gain>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub air: Vec<Gain>,
    /// Controls with their set points, each by its schedule or temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thermostats: Option<Vec<Control>>,
    /// Air loops and plants behind its equipment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub served_by: Vec<Served>,
    /// The least, the mean and the largest value over a year of the schedules that are named above.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub schedules: BTreeMap<String, String>,
    /// Other objects that refer to it, by type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub referred_to_by: BTreeMap<String, Vec<String>>,
    /// Design loads of the latest run in W, and numbers that it took otherwise than the model says now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub of_run: Option<Value>,
}

/// A model, read for the cards of its zones.
pub struct Reader<'a> {
    pub document: &'a Document,
    pub graph: &'a Graph,
    pub scene: &'a Scene,
    pub sorted: &'a ZoneSurfaces<'a>,
}

fn named(object: Object<'_>) -> String {
    format!("{}: {}", object.type_name(), object.label())
}

fn is_outdoors(surface: &Surface) -> bool {
    surface.boundary.eq_ignore_ascii_case("outdoors")
}

impl<'a> Reader<'a> {
    /// The card of a zone, or what is told of it where every zone is shown.
    pub fn zone(&self, object: Object<'a>, whole: bool) -> Zone {
        let measures = self.sorted.measures(object);
        let around = self.sorted.around(object.name());
        let belongings = Belongings::from_zone(self.document, self.graph, object);
        let mut to_outdoors: BTreeMap<String, f64> = BTreeMap::new();
        let mut room = Room { floor_area: measures.floor_area, volume: measures.volume, ..Room::default() };
        for surface in around.iter().filter(|surface| is_outdoors(surface)) {
            room.exterior_area += surface.area();
            if surface.kind == Kind::Wall {
                room.exterior_wall_area += surface.area();
            }
            *to_outdoors.entry(surface.kind.word().to_owned()).or_default() += self.sorted.net_area(surface);
            for opening in self.sorted.openings(surface) {
                // EnergyPlus counts a door beside the whole wall that it is in
                if opening.kind == Kind::Door {
                    room.exterior_area += opening.area();
                }
                *to_outdoors.entry(opening.kind.word().to_owned()).or_default() += opening.area();
            }
        }
        let loads = loads(&belongings.others, &mut room);
        let outdoor = self.outdoor_air(&belongings);
        let airs = airs(&belongings.others, &outdoor, &room);
        // the sum of nothing is no negative zero
        let sum = |types: &[&str]| -> f64 {
            let of_types =
                loads.iter().filter(|load| types.iter().any(|name| load.object.type_name() == *name));
            of_types.filter_map(|load| load.level.as_ref().ok()).fold(0.0, |sum, level| sum + level)
        };
        let area = measures.floor_area.max(f64::MIN_POSITIVE);
        let infiltration: f64 = airs
            .iter()
            .filter(|air| air.kind == AirKind::Infiltration)
            .filter_map(|air| air.flow.as_ref().ok())
            .fold(0.0, |sum, flow| sum + flow);
        let unsaid = loads.iter().filter_map(|load| Some((load.object, load.level.as_ref().err()?)));
        let unsaid = unsaid.chain(airs.iter().filter_map(|air| Some((air.object, air.flow.as_ref().err()?))));
        let stated =
            [("floor_area", "floor_area_m2"), ("volume", "volume_m3"), ("ceiling_height", "height_m")];
        let is_stated = |field: &str| object.number(field).is_some_and(|number| number > 0.0);
        let mut zone = Zone {
            name: object.name().to_owned(),
            floor_area_m2: rounded(measures.floor_area, "m2"),
            volume_m3: rounded(measures.volume, "m3"),
            height_m: rounded(measures.height, "m"),
            stated: stated
                .into_iter()
                .filter(|(field, _)| is_stated(field))
                .map(|(_, name)| name.to_owned())
                .collect(),
            multiplier: Some(multiplier(object)).filter(|multiplier| *multiplier > 1.0),
            closed: measures.closed.filter(|closed| !closed),
            to_outdoors_m2: to_outdoors.into_iter().map(|(kind, area)| (kind, rounded(area, "m2"))).collect(),
            people: rounded(room.people, "m2"),
            lights_w_m2: rounded(sum(&["Lights"]) / area, "W/m2"),
            equipment_w_m2: rounded(sum(&["ElectricEquipment"]) / area, "W/m2"),
            infiltration_per_h: rounded(infiltration * 3_600.0 / measures.volume.max(f64::MIN_POSITIVE), "m"),
            unknown: unsaid.take(NAMES).map(|(object, why)| format!("{}: {why}", named(object))).collect(),
            areas: BTreeMap::new(),
            openings: None,
            surfaces: None,
            mirrored: None,
            control: None,
            hvac: Vec::new(),
            fields: Value::Null,
            enclosed_by: Vec::new(),
            loads: Vec::new(),
            air: Vec::new(),
            thermostats: None,
            served_by: Vec::new(),
            schedules: BTreeMap::new(),
            referred_to_by: BTreeMap::new(),
            of_run: None,
        };
        if !whole {
            let points = belongings.controls.iter().flat_map(|(control, points)| points_of(*control, points));
            let points: Vec<String> = points.map(|(what, value)| format!("{what} {value}")).take(4).collect();
            zone.control = Some(points.join(", ")).filter(|text| !text.is_empty());
            let types: BTreeSet<&str> = belongings.equipment.iter().map(Object::type_name).collect();
            zone.hvac = types.into_iter().map(str::to_owned).collect();
            return zone;
        }
        zone.fields = unusual(object);
        zone.hvac = belongings.equipment.iter().map(|object| named(*object)).collect();
        zone.surfaces = Some(around.len());
        let mirrored = around.iter().filter(|surface| surface.mirror_of.is_some()).count();
        zone.mirrored = Some(mirrored).filter(|count| *count > 0);
        let mut openings = 0.0;
        for surface in around {
            *zone.areas.entry(surface.kind.word().to_owned()).or_default() += surface.area();
            openings += self.sorted.openings(surface).iter().fold(0.0, |sum, opening| sum + opening.area());
        }
        zone.areas.values_mut().for_each(|area| *area = rounded(*area, "m2"));
        zone.openings = Some(rounded(openings, "m2"));
        zone.enclosed_by = self.enclosing(around);
        let calendar = Calendar::from_document(self.document, 2024);
        zone.loads = loads
            .iter()
            .map(|load| Gain {
                object: named(load.object),
                level: level(&load.level, load.unit),
                unit: load.unit.to_owned(),
                per_m2: load.level.as_ref().ok().map(|level| rounded(level / area, "W/m2")),
                air_changes: None,
                schedule: load.schedule.to_owned(),
            })
            .collect();
        zone.air = airs
            .iter()
            .map(|air| Gain {
                object: named(air.object),
                level: level(&air.flow, "m3/s"),
                unit: "m3/s".to_owned(),
                per_m2: None,
                air_changes: air
                    .flow
                    .as_ref()
                    .ok()
                    .map(|flow| rounded(flow * 3_600.0 / measures.volume.max(f64::MIN_POSITIVE), "m")),
                schedule: air.schedule.to_owned(),
            })
            .collect();
        let thermostats: Vec<Control> = belongings
            .controls
            .iter()
            .map(|(control, points)| Control {
                control: named(*control),
                set_points: points_of(*control, points)
                    .map(|(what, value)| (what, value.to_owned()))
                    .collect(),
            })
            .collect();
        let of_loads = zone.loads.iter().chain(&zone.air).map(|gain| gain.schedule.as_str());
        let of_points =
            thermostats.iter().flat_map(|control| control.set_points.values().map(String::as_str));
        let names: BTreeSet<&str> = of_loads.chain(of_points).collect();
        zone.schedules = names.into_iter().filter_map(|name| self.schedule(name, &calendar)).collect();
        zone.thermostats = Some(thermostats);
        let units = belongings
            .equipment
            .iter()
            .filter(|unit| unit.type_name() == "ZoneHVAC:AirDistributionUnit")
            .count();
        let only_units = units == belongings.equipment.len();
        zone.served_by = systems(self.document, self.graph, &belongings.equipment)
            .into_iter()
            // a unit is but the frame of the terminal behind it
            .filter(|system| {
                only_units || system.equipment.object.type_name() != "ZoneHVAC:AirDistributionUnit"
            })
            .filter(|system| system.air_loop.is_some() || !system.equipment.plants.is_empty())
            .map(|system| Served {
                equipment: named(system.equipment.object),
                air_loop: system.air_loop.map(|air_loop| air_loop.name().to_owned()),
                plant: std::iter::once(&system.equipment).chain(&system.supply).flat_map(plants).collect(),
                supply: system.supply.iter().map(|part| named(part.object)).take(NAMES).collect(),
            })
            .collect();
        let told: BTreeSet<_> = loads
            .iter()
            .map(|load| load.object.handle())
            .chain(airs.iter().map(|air| air.object.handle()))
            .collect();
        for object in belongings.others.iter().filter(|object| !told.contains(&object.handle())) {
            let names = zone.referred_to_by.entry(object.type_name().to_owned()).or_default();
            if names.len() < NAMES {
                names.push(object.label());
            }
        }
        zone
    }

    /// The specifications of outdoor air that serve a zone: by its sizing, its equipment and its terminals.
    fn outdoor_air(&self, belongings: &Belongings<'a>) -> Vec<Object<'a>> {
        let mut found: Vec<Object<'a>> = Vec::new();
        for object in belongings.equipment.iter().chain(&belongings.others) {
            for reference in self.graph.from(object.handle()) {
                let Some(to) = self.document.object(reference.to) else { continue };
                let is_new = found.iter().all(|known| known.handle() != to.handle());
                if is_new && to.type_name() == "DesignSpecification:OutdoorAir" {
                    found.push(to);
                }
            }
        }
        found
    }

    fn enclosing(&self, around: &[&Surface]) -> Vec<Enclosing> {
        let mut rows: Vec<Enclosing> = Vec::new();
        let mut put = |surface: &Surface, to: &str, area: f64| {
            let part = surface.kind.word();
            let same = |row: &&mut Enclosing| {
                row.part == part
                    && row.to == to
                    && row.construction.eq_ignore_ascii_case(&surface.construction)
            };
            if let Some(row) = rows.iter_mut().find(same) {
                row.area_m2 += area;
                row.count += 1;
                return;
            }
            let (u_value, layers) = self.construction(surface);
            rows.push(Enclosing {
                part: part.to_owned(),
                to: to.to_owned(),
                area_m2: area,
                count: 1,
                construction: surface.construction.clone(),
                u_value,
                layers,
            });
        };
        for surface in around {
            let to = self.other_side(surface);
            put(surface, &to, self.sorted.net_area(surface));
            for opening in self.sorted.openings(surface) {
                put(opening, &to, opening.area());
            }
        }
        for row in &mut rows {
            row.area_m2 = rounded(row.area_m2, "m2");
        }
        rows
    }

    /// The other side of a surface: a zone by its name, else the boundary.
    fn other_side(&self, surface: &Surface) -> String {
        if surface.beyond.is_empty() {
            return surface.boundary.to_lowercase();
        }
        let beyond = &surface.beyond;
        let other = self.scene.surfaces.iter().find(|other| other.name.eq_ignore_ascii_case(beyond));
        match other {
            Some(other) if other.name.eq_ignore_ascii_case(&surface.name) => "adiabatic".to_owned(),
            Some(other) => format!("zone {}", other.zone),
            None => format!("{} {beyond}", surface.boundary.to_lowercase()),
        }
    }

    fn construction(&self, surface: &Surface) -> (Value, Vec<String>) {
        let Some(construction) = constructions::find(self.document, &surface.construction) else {
            return (Value::Null, Vec::new());
        };
        let flow = match surface.kind {
            Kind::Roof | Kind::Ceiling => HeatFlow::Upward,
            Kind::Floor => HeatFlow::Downward,
            _ => HeatFlow::Horizontal,
        };
        let films = Films::energyplus(flow);
        let films = if is_outdoors(surface) || surface.boundary.eq_ignore_ascii_case("ground") {
            films
        } else {
            films.between_rooms()
        };
        let u_value = match constructions::u_value(self.document, construction, films) {
            Ok(value) => json!(rounded(value, "m")),
            Err(reason) => json!(reason),
        };
        (u_value, constructions::layer_names(construction).take(NAMES).map(str::to_owned).collect())
    }

    /// A schedule by its name, with its least, mean and largest value over a year; none where it is no schedule or cannot be told.
    fn schedule(&self, name: &str, calendar: &Calendar) -> Option<(String, String)> {
        let object = schedules::TYPES.iter().find_map(|kind| self.document.get(kind, name))?;
        let year = schedules::resolve(object, calendar, &|_| None).ok()?;
        let (mut least, mut most, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
        for value in year.hours() {
            least = least.min(value);
            most = most.max(value);
            sum += value;
            count += 1.0;
        }
        if count == 0.0 {
            return None;
        }
        let told = |value: f64| rounded(value, "m2");
        let text = if most - least < 1e-9 {
            format!("{} always", told(least))
        } else {
            format!("{} to {}, mean {}", told(least), told(most), told(sum / count))
        };
        Some((object.name().to_owned(), text))
    }
}

/// The fields of a zone that are not what they usually are: zero, one, left to the program.
fn unusual(object: Object<'_>) -> Value {
    let Value::Object(mut fields) = body(object) else { return Value::Null };
    fields.retain(|name, value| match value {
        Value::Number(number) => {
            let usual = if ["type", "multiplier"].contains(&name.as_str()) { 1.0 } else { 0.0 };
            number.as_f64() != Some(usual)
        }
        Value::String(word) => !["autocalculate", "yes", ""].contains(&word.to_ascii_lowercase().as_str()),
        _ => true,
    });
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}

fn level(level: &Result<f64, String>, unit: &str) -> Value {
    match level {
        Ok(number) => json!(rounded(*number, unit)),
        Err(reason) => json!(reason),
    }
}

fn plants(part: &Component<'_>) -> Vec<String> {
    part.plants.iter().map(|plant| format!("{} ({})", plant.name(), part.object.label())).collect()
}

/// The set points of a control, by what each is for.
fn points_of<'a>(
    control: Object<'a>,
    points: &[Object<'a>],
) -> impl Iterator<Item = (String, &'a str)> + use<'a> {
    std::iter::once(control)
        .chain(points.iter().copied())
        .collect::<Vec<_>>()
        .into_iter()
        .flat_map(set_points)
}
