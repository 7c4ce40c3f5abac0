//! The conversion from its first step to its last.

use crate::{
    construction::Constructions,
    document::{Document, digits},
    limits::Limits,
    loads::{self, Part},
    mass::Masses,
    names::{Names, legal},
    opening, plant,
    report::{BuildingCounts, Converted, Notes, Options, ZoneReport},
    room_use::{self, Use},
    shading, site,
    space::{self, Room},
    write::{Writer, Written},
    zoning::{self, Zone},
};
use contract::Fault;
use geometry::{Bounds, Shaper};
use glam::DVec3;
use ifc::{Model, relations::Links, units::Units};
use serde_json::json;
use spatial::{boundary, elements::Elements, pairing};

/// Coordinates beyond this, in metres, are moved to the origin.
const FAR: f64 = 5_000.0;

/// The energy model of a building. A Fault where the model has no space that could be a zone, or a correction is for nothing in it.
pub fn convert(model: &Model, options: &Options) -> Result<Converted, Fault> {
    let shaper = Shaper::plain(model);
    let links = Links::of_many(model);
    let units = Units::from_model(model);
    let mut notes = Notes::new(&options.corrections)?;
    let elements = Elements::from_model(&shaper);
    let rooms = space::rooms(&shaper, &links, &elements, &mut notes);
    if rooms.is_empty() {
        let why: Vec<String> =
            notes.findings.iter().take(5).map(|f| format!("{} {}", f.place, f.message)).collect();
        return Err(Fault::constraint(format!(
            "The model has no IfcSpace with a closed body, so there are no zones to make. Add spaces (create_space, or layout of \
             rooms) and call again. {}",
            why.join("; ")
        )));
    }
    let facets = space::facets(&rooms);
    let spaces: Vec<Option<ifc::Id>> = rooms.iter().map(|room| Some(room.space)).collect();
    let terrain = site::terrain(&shaper.reader, &links, &rooms, &mut notes);
    let uses = room_use::uses(&links, &units, &rooms, &mut notes);
    let stated = boundary::stated(&shaper, &links, &spaces);
    let mut pieces = pairing::pieces(&facets, &elements, &stated, terrain);
    Limits::new(&shaper, &links, &elements, &rooms, &facets).settle(&mut pieces, &mut notes);
    let subs = opening::subs(&shaper, &links, &facets, &pieces, &mut notes);
    let north = site::north_axis(&links, &mut notes);
    let faces = (facets.as_slice(), pieces.as_slice());
    let zones = zoning::zones(options.zoning, &links, (&rooms, &uses), faces, north);

    let mut document = Document::new();
    general(model, options, north, &mut document);
    site::write(&shaper.reader, &links, options.weather.as_ref(), &mut document, &mut notes);
    loads::schedules(&mut document);

    let origin = origin(&rooms, &mut notes);
    let zone_of = zone_of(&zones, rooms.len());
    let mut constructions = Constructions::new(shaper.reader.clone(), &links, options.default_constructions);
    let mut writer = Writer {
        zones: &zones,
        zone_of: &zone_of,
        rooms: vec![Written::default(); rooms.len()],
        masses: Masses::default(),
        facets: &facets,
        pieces: &pieces,
        subs: &subs,
        links: &links,
        units: &units,
        origin,
        document: &mut document,
        notes: &mut notes,
        names: Names::default(),
        surfaces: Vec::new(),
        counts: BuildingCounts::default(),
    };
    writer.write(&mut constructions);
    let (surfaces, mut counts, masses, written) =
        (writer.surfaces, writer.counts, writer.masses, writer.rooms);
    counts.internal_masses = masses.write(&zones, &mut document);
    let made = Made { rooms: &rooms, uses: &uses, written: &written };
    let reports = zones.iter().map(|zone| made.zone(zone, &mut document, &mut notes)).collect();
    let level = (terrain, origin);
    counts.shading = shading::write(&shaper, &elements, &facets, &pieces, level, &mut document, &mut notes);
    counts.stated_boundaries = stated.len();
    counts.zones = zones.len();
    counts.constructions = document.count("Construction");
    notes.all_applied()?;
    Ok(Converted {
        epjson: document.finish(),
        assumptions: notes.assumptions,
        findings: notes.findings,
        zones: reports,
        surfaces,
        constructions: constructions.reports,
        counts,
    })
}

/// The number of the zone of each room.
fn zone_of(zones: &[Zone], rooms: usize) -> Vec<usize> {
    let mut numbers = vec![usize::MAX; rooms];
    for (number, zone) in zones.iter().enumerate() {
        for room in &zone.rooms {
            if let Some(of) = numbers.get_mut(*room) {
                *of = number;
            }
        }
    }
    numbers
}

/// The rooms, their uses and what was written of them, in one order.
struct Made<'a> {
    rooms: &'a [Room],
    uses: &'a [Use],
    written: &'a [Written],
}

impl Made<'_> {
    /// Writes a zone with what is used in it, and answers its row of the report.
    fn zone(&self, zone: &Zone, document: &mut Document, notes: &mut Notes) -> ZoneReport {
        let own = || {
            let of = |number: &usize| {
                Some((self.rooms.get(*number)?, self.uses.get(*number)?, self.written.get(*number)?))
            };
            zone.rooms.iter().filter_map(of)
        };
        // what does not close cannot be computed from its faces
        let whole = |room: &Room| {
            let body = room.solid.volume();
            if room.closed { body } else { room.stated_volume.unwrap_or(body) }
        };
        let ground = |room: &Room, written: &Written| {
            if written.floor_area < 0.1 { room.stated_floor_area.unwrap_or(0.1) } else { written.floor_area }
        };
        let parts: Vec<Part<'_>> = own()
            .map(|(room, using, written)| Part { using, area: ground(room, written), volume: whole(room) })
            .collect();
        let is_single = zone.rooms.len() == 1;
        let floor_area: f64 = own().map(|(_, _, written)| written.floor_area).sum();
        let mut fields = json!({
            "type": 1, "multiplier": 1, "part_of_total_floor_area": "Yes",
            "volume": digits(parts.iter().map(|part| part.volume).sum()),
        });
        if (!is_single || floor_area < 0.1)
            && let Some(fields) = fields.as_object_mut()
        {
            fields.insert("floor_area".into(), json!(digits(parts.iter().map(|part| part.area).sum())));
        }
        document.put("Zone", &zone.name, fields);
        loads::write(&zone.name, &parts, document);
        let points = plant::set_points(&zone.name, &parts, notes);
        if let Some(points) = points {
            plant::write(&zone.name, points, document);
        }
        let mut usages: Vec<&str> = own().map(|(_, using, _)| using.usage.name.as_str()).collect();
        usages.sort_unstable();
        usages.dedup();
        let guids: Vec<String> = own().map(|(room, ..)| room.guid.clone()).collect();
        let sum = |stated: &dyn Fn(&Room) -> Option<f64>| own().map(|(room, ..)| stated(room)).sum();
        let enclosed: Vec<(f64, f64)> = own().map(|(_, _, written)| written.enclosed()).collect();
        ZoneReport {
            zone: zone.name.clone(),
            space: guids.first().cloned().unwrap_or_default(),
            spaces: if is_single { Vec::new() } else { guids },
            label: own()
                .next()
                .filter(|_| is_single)
                .map_or(zone.name.clone(), |(room, ..)| room.label.clone()),
            volume: enclosed.iter().map(|(volume, _)| volume).sum(),
            body_volume: own().map(|(room, ..)| room.solid.volume()).sum(),
            stated_volume: sum(&|room| room.stated_volume),
            floor_area,
            stated_floor_area: sum(&|room| room.stated_floor_area),
            closed: own().all(|(room, ..)| room.closed) && enclosed.iter().all(|(_, gap)| *gap < 1e-3),
            usage: usages.join(", "),
            conditioned: points.is_some(),
        }
    }
}

/// Writes the objects that are the same in every model; `north` in degrees.
fn general(model: &Model, options: &Options, north: f64, document: &mut Document) {
    let named = || model.of_class("IfcBuilding").into_iter().find_map(|id| model.get(id)?.name());
    let name = options.name.clone().or_else(named).map(|n| legal(&n)).filter(|n| !n.is_empty());
    document.put(
        "Building",
        &name.unwrap_or_else(|| "Building".to_owned()),
        json!({
            "north_axis": north, "terrain": "Suburbs", "solar_distribution": "FullExterior",
            "loads_convergence_tolerance_value": 0.04, "temperature_convergence_tolerance_value": 0.4,
            "maximum_number_of_warmup_days": 25, "minimum_number_of_warmup_days": 6,
        }),
    );
    // relative to a building at the origin whose zones are not moved: the coordinates of the IFC file, turned by the north axis
    document.one(
        "GlobalGeometryRules",
        json!({
            "starting_vertex_position": "UpperLeftCorner", "vertex_entry_direction": "Counterclockwise",
            "coordinate_system": "Relative",
        }),
    );
    document.one("Timestep", json!({ "number_of_timesteps_per_hour": 6 }));
    document.one(
        "SimulationControl",
        json!({
            "do_zone_sizing_calculation": "Yes", "do_system_sizing_calculation": "No", "do_plant_sizing_calculation": "No",
            "run_simulation_for_sizing_periods": "Yes", "run_simulation_for_weather_file_run_periods": "Yes",
        }),
    );
    document.put(
        "RunPeriod",
        "Year",
        json!({
            "begin_month": 1, "begin_day_of_month": 1, "end_month": 12, "end_day_of_month": 31,
            "use_weather_file_holidays_and_special_days": "Yes", "use_weather_file_daylight_saving_period": "Yes",
            "apply_weekend_holiday_rule": "No", "use_weather_file_rain_indicators": "Yes", "use_weather_file_snow_indicators": "Yes",
        }),
    );
    document.one(
        "Output:SQLite",
        json!({ "option_type": "SimpleAndTabular", "unit_conversion_for_tabular_data": "None" }),
    );
    document.one("Output:Table:SummaryReports", json!({ "reports": [{ "report_name": "AllSummary" }] }));
    document.one(
        "OutputControl:Table:Style",
        json!({ "column_separator": "CommaAndHTML", "unit_conversion": "None" }),
    );
    document.one("Output:Surfaces:List", json!({ "report_type": "Details" }));
    for variable in [
        "Zone Mean Air Temperature",
        "Zone Operative Temperature",
        "Zone Ideal Loads Zone Total Heating Energy",
        "Zone Ideal Loads Zone Total Cooling Energy",
    ] {
        document.one(
            "Output:Variable",
            json!({ "key_value": "*", "variable_name": variable, "reporting_frequency": "Hourly" }),
        );
    }
}

/// Returns the origin that is taken off all coordinates, in metres: nothing, unless the building stands far from the
/// file's.
fn origin(rooms: &[Room], notes: &mut Notes) -> DVec3 {
    let all = rooms.iter().map(|z| z.solid.bounds()).fold(Bounds::EMPTY, |all, b| all.join(&b));
    if all.is_empty() || all.min.abs().max(all.max.abs()).max_element() < FAR {
        return DVec3::ZERO;
    }
    let origin = all.min.floor();
    let [x, y, z] = origin.to_array();
    notes.assume(
        "origin",
        "building",
        &format!("{x} m, {y} m, {z} m of the file"),
        "the building stands far from the file's origin; all coordinates are from there",
    );
    origin
}
