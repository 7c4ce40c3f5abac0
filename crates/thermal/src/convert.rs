//! The conversion from its first step to its last.

use crate::{
    construction::Constructions,
    document::Document,
    names::{Names, legal},
    opening,
    report::{BuildingCounts, Converted, Notes, Options, ZoneReport},
    shading, site, space, usage,
    write::Writer,
};
use contract::Fault;
use geometry::{Bounds, Shaper};
use glam::DVec3;
use ifc::{Model, relations::Links, units::Units};
use serde_json::json;
use spatial::{boundary, elements::Elements, pairing};

/// Coordinates beyond this, in metres, are moved to the origin.
const FAR: f64 = 5_000.0;

/// The energy model of a building: a zone for each space. A Fault where the model has no space that could be one.
pub fn convert(model: &Model, options: &Options) -> Result<Converted, Fault> {
    let shaper = Shaper::plain(model);
    let links = Links::of_many(model);
    let units = Units::from_model(model);
    let mut notes = Notes::default();
    let elements = Elements::from_model(&shaper);
    let zones = space::zones(&shaper, &links, &elements, &mut notes);
    if zones.is_empty() {
        let why: Vec<String> =
            notes.findings.iter().take(5).map(|f| format!("{} {}", f.place, f.message)).collect();
        return Err(Fault::constraint(format!(
            "The model has no IfcSpace with a closed body, so there are no zones to make. Add spaces (create_space, or layout of \
             rooms) and call again. {}",
            why.join("; ")
        )));
    }
    let facets = space::facets(&zones);
    let spaces: Vec<Option<ifc::Id>> = zones.iter().map(|zone| Some(zone.space)).collect();
    let terrain = site::terrain(&shaper.reader, &zones, &mut notes);
    let stated = boundary::stated(&shaper, &links, &spaces);
    let pieces = pairing::pieces(&facets, &elements, &stated, terrain);
    let subs = opening::subs(&shaper, &links, &facets, &pieces, &mut notes);

    let mut document = Document::new();
    let north = site::north_axis(model, &mut notes);
    general(model, options, north, &mut document);
    site::write(&shaper.reader, options.weather.as_ref(), &mut document, &mut notes);
    usage::schedules(&mut document);

    let origin = origin(&zones, &mut notes);
    let mut constructions = Constructions::new(shaper.reader.clone(), &links, options.default_constructions);
    let mut writer = Writer {
        zones: &zones,
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
    let (surfaces, mut counts) = (writer.surfaces, writer.counts);

    let mut reports = Vec::new();
    for zone in &zones {
        let row = usage::find(&links, zone, &mut notes);
        let (volume, gap) = enclosed(&document, &zone.name);
        let closed = zone.closed && gap < 1e-3;
        let body_volume = zone.solid.volume();
        let floor_area: f64 =
            surfaces.iter().filter(|s| s.zone == zone.name && s.kind == "Floor").map(|s| s.area).sum();
        let mut fields = json!({ "type": 1, "multiplier": 1, "part_of_total_floor_area": "Yes" });
        if let Some(fields) = fields.as_object_mut() {
            // what does not close cannot be computed from its faces
            let whole = if zone.closed { body_volume } else { zone.stated_volume.unwrap_or(body_volume) };
            fields.insert("volume".into(), json!(crate::document::digits(whole)));
            if floor_area < 0.1 {
                let area = zone.stated_floor_area.unwrap_or(0.1);
                fields.insert("floor_area".into(), json!(crate::document::digits(area)));
            }
        }
        document.put("Zone", &zone.name, fields);
        usage::write(&links, &units, zone, row, &mut document, &mut notes);
        reports.push(ZoneReport {
            zone: zone.name.clone(),
            space: zone.guid.clone(),
            label: zone.label.clone(),
            volume,
            body_volume,
            stated_volume: zone.stated_volume,
            floor_area,
            stated_floor_area: zone.stated_floor_area,
            closed,
            usage: row.name.to_owned(),
        });
    }
    let level = (terrain, origin);
    counts.shading = shading::write(&shaper, &elements, &facets, &pieces, level, &mut document, &mut notes);
    counts.stated_boundaries = stated.len();
    counts.zones = zones.len();
    counts.constructions = document.count("Construction");
    Ok(Converted {
        epjson: document.finish(),
        assumptions: notes.assumptions,
        findings: notes.findings,
        zones: reports,
        surfaces,
        counts,
    })
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
fn origin(zones: &[space::Zone], notes: &mut Notes) -> DVec3 {
    let all = zones.iter().map(|z| z.solid.bounds()).fold(Bounds::EMPTY, |all, b| all.join(&b));
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

/// Volume and gap of the surfaces of a zone as they are written.
fn enclosed(document: &Document, zone: &str) -> (f64, f64) {
    crate::write::enclosed(&document.polygons(zone))
}
