//! The place of the building and its orientation: latitude, longitude, elevation, true north, the terrain's level, the days it is
//! sized for and the temperature of the ground.

use crate::{
    corrections::Here,
    document::{Document, digits},
    report::Notes,
    space::Room,
};
use geometry::read::Reader;
use ifc::{Id, Model, Value, relations::Links};
use serde::{Deserialize, Serialize};
use serde_json::json;
use spatial::elements::guid;

/// The place of a weather file, as its header says it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weather {
    /// The name of the place.
    pub name: String,
    /// Degrees, north positive.
    pub latitude: f64,
    /// Degrees, east positive.
    pub longitude: f64,
    /// Hours from Greenwich.
    pub time_zone: f64,
    /// Metres above the sea.
    pub elevation: f64,
    /// `SizingPeriod:DesignDay` objects as epJSON: name and fields, as a DDY file has them.
    #[serde(default)]
    pub design_days: Vec<(String, serde_json::Value)>,
    /// Mean temperatures of the ground, January to December, in °C; for the floors on it.
    #[serde(default)]
    pub ground_temperatures: Option<[f64; 12]>,
}

/// The angle by which the building's y axis lies clockwise of true north, in degrees from 0 to 360.
pub(crate) fn north_axis(links: &Links<'_>, notes: &mut Notes) -> f64 {
    let model = links.model();
    let unit = "° clockwise from the y axis";
    if let Some(angle) = notes.number("true north", "project", unit, &Here::whole(links)) {
        return (-angle).rem_euclid(360.0);
    }
    let contexts = model.of_class("IfcGeometricRepresentationContext");
    let direction = contexts.into_iter().find_map(|id| {
        let context = model.get(id).filter(|c| !c.is_a("IfcGeometricRepresentationSubContext"))?;
        let mut ratios = [0.0; 3];
        model.get(context.reference("TrueNorth")?)?.numbers("DirectionRatios", &mut ratios)?;
        (ratios[0].hypot(ratios[1]) > 1e-9).then_some([ratios[0], ratios[1]])
    });
    let Some([x, y]) = direction else {
        notes.assume(
            "true north",
            "project",
            "0 ° clockwise from the y axis",
            "the model's contexts give no TrueNorth",
        );
        return 0.0;
    };
    let angle = -x.atan2(y).to_degrees();
    let angle = angle.rem_euclid(360.0);
    let rounded = (angle * 1e4).round() / 1e4;
    if rounded >= 360.0 { 0.0 } else { rounded }
}

/// The level of the terrain in metres of the world.
pub(crate) fn terrain(reader: &Reader<'_>, links: &Links<'_>, rooms: &[Room], notes: &mut Notes) -> f64 {
    let model = reader.model;
    if let Some(level) = notes.number("level of the terrain", "site", "m", &Here::whole(links)) {
        return level;
    }
    let lowest = rooms.iter().map(|z| z.solid.bounds().min.z).fold(f64::INFINITY, f64::min);
    let site = model.of_class("IfcSite").into_iter().next().and_then(|id| model.get(id));
    let placed = site.and_then(|s| reader.world(s.reference("ObjectPlacement")?));
    let level = placed.map_or(0.0, |f| f.translation.z);
    let highest = rooms.iter().map(|z| z.solid.bounds().max.z).fold(f64::NEG_INFINITY, f64::max);
    if lowest.is_finite() && (level < lowest - 2.0 || level > highest) {
        notes.assume(
            "level of the terrain",
            "site",
            &format!("{lowest:.2} m"),
            "the lowest floor; the site's placement does not lie at the building",
        );
        return lowest;
    }
    notes.assume(
        "level of the terrain",
        "site",
        &format!("{level:.2} m"),
        "the placement of the IfcSite; level ground",
    );
    level
}

/// Degrees of an IfcCompoundPlaneAngleMeasure.
fn degrees(value: &Value) -> Option<f64> {
    let parts: Vec<f64> = value.untyped().as_list()?.iter().filter_map(Value::as_f64).collect();
    let (degrees, minutes) = (parts.first()?, parts.get(1).unwrap_or(&0.0));
    let (seconds, millionths) = (parts.get(2).unwrap_or(&0.0), parts.get(3).unwrap_or(&0.0));
    Some(degrees + minutes / 60.0 + (seconds + millionths / 1e6) / 3600.0)
}

/// The location that the site gives for itself, in degrees and metres.
fn stated(model: &Model, reader: &Reader<'_>) -> Option<(Id, f64, f64, Option<f64>)> {
    model.of_class("IfcSite").into_iter().find_map(|id| {
        let site = model.get(id)?;
        let latitude = degrees(&site.attr("RefLatitude")).filter(|v| v.abs() <= 90.0)?;
        let longitude = degrees(&site.attr("RefLongitude")).filter(|v| v.abs() <= 180.0)?;
        let elevation = site.number("RefElevation").map(|v| v * reader.metre);
        Some((id, latitude, longitude, elevation.filter(|v| (-300.0..8900.0).contains(v))))
    })
}

/// Location, design days and ground.
pub(crate) fn write(
    reader: &Reader<'_>,
    links: &Links<'_>,
    weather: Option<&Weather>,
    document: &mut Document,
    notes: &mut Notes,
) {
    let model = reader.model;
    let (name, latitude, longitude, zone, elevation) = if let Some(w) = weather {
        (w.name.clone(), w.latitude, w.longitude, w.time_zone, w.elevation)
    } else if let Some((id, latitude, longitude, elevation)) = stated(model, reader) {
        let place = guid(model, id);
        let zone = (longitude / 15.0).round();
        notes.assume(
            "time zone",
            &place,
            &format!("{zone} h"),
            "by longitude, 15° an hour; borders are not known",
        );
        let elevation = elevation.unwrap_or_else(|| {
            notes.assume("elevation", &place, "0 m", "the site states no RefElevation");
            0.0
        });
        ("Site".to_owned(), latitude, longitude, zone, elevation)
    } else {
        notes.assume(
            "location",
            "site",
            "50° N, 10° E, 200 m",
            "the site states no latitude and longitude, and no weather file was given",
        );
        ("Site".to_owned(), 50.0, 10.0, 1.0, 200.0)
    };
    let name = match crate::names::legal(&name) {
        name if name.is_empty() => "Site".to_owned(),
        name => name,
    };
    document.put(
        "Site:Location",
        &name,
        json!({
            "latitude": digits(latitude), "longitude": digits(longitude), "time_zone": digits(zone), "elevation": digits(elevation),
        }),
    );
    let given = weather.map(|w| w.design_days.as_slice()).unwrap_or_default();
    if given.is_empty() {
        design_days(latitude, elevation, document, notes);
    } else {
        for (name, fields) in given {
            document.put("SizingPeriod:DesignDay", name, fields.clone());
        }
    }
    ground(links, weather.and_then(|w| w.ground_temperatures), document, notes);
}

/// A cold and a hot day by latitude: no more than an order of magnitude, until a DDY file is given.
fn design_days(latitude: f64, elevation: f64, document: &mut Document, notes: &mut Notes) {
    let row = match latitude.abs() {
        l if l < 15.0 => (16.0, 34.0, 8.0, 25.0),
        l if l < 30.0 => (4.0, 37.0, 11.0, 24.0),
        l if l < 40.0 => (-5.0, 35.0, 11.0, 22.0),
        l if l < 48.0 => (-12.0, 33.0, 11.0, 21.0),
        l if l < 55.0 => (-14.0, 30.0, 10.0, 19.0),
        _ => (-24.0, 27.0, 9.0, 17.0),
    };
    let (cold, hot, range, wet) = row;
    notes.assume(
        "design days",
        "site",
        &format!("{cold} °C in winter, {hot} °C with {wet} °C wet bulb in summer"),
        "typical of the latitude; give a weather file with its DDY for the 99.6 % and 0.4 % days of the place",
    );
    let (winter, summer) = if latitude < 0.0 { (7, 1) } else { (1, 7) };
    // the standard atmosphere
    let pressure = digits(101_325.0 * (1.0 - 2.25577e-5 * elevation).max(0.1).powf(5.2559));
    document.put(
        "SizingPeriod:DesignDay",
        "Winter design day",
        json!({
            "month": winter, "day_of_month": 21, "day_type": "WinterDesignDay",
            "maximum_dry_bulb_temperature": cold, "daily_dry_bulb_temperature_range": 0.0,
            "humidity_condition_type": "WetBulb", "wetbulb_or_dewpoint_at_maximum_dry_bulb": cold,
            "barometric_pressure": pressure, "wind_speed": 4.0, "wind_direction": 0.0,
            "solar_model_indicator": "ASHRAEClearSky", "sky_clearness": 0.0,
        }),
    );
    document.put(
        "SizingPeriod:DesignDay",
        "Summer design day",
        json!({
            "month": summer, "day_of_month": 21, "day_type": "SummerDesignDay",
            "maximum_dry_bulb_temperature": hot, "daily_dry_bulb_temperature_range": range,
            "humidity_condition_type": "WetBulb", "wetbulb_or_dewpoint_at_maximum_dry_bulb": wet,
            "barometric_pressure": pressure, "wind_speed": 3.0, "wind_direction": 0.0,
            "solar_model_indicator": "ASHRAEClearSky", "sky_clearness": 1.0,
        }),
    );
}

fn ground(links: &Links<'_>, given: Option<[f64; 12]>, document: &mut Document, notes: &mut Notes) {
    let what = "temperature of the ground under the building";
    let corrected =
        notes.number(what, "site", "°C", &Here::whole(links)).map(|temperature| [temperature; 12]);
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    if let Some(months) = given.filter(|_| corrected.is_none()) {
        let (low, high) =
            months.iter().fold((f64::MAX, f64::MIN), |(low, high), t| (low.min(*t), high.max(*t)));
        notes.assume(
            what,
            "site",
            &format!("monthly, {low:.1} to {high:.1} °C"),
            "the weather file's ground at about 4 m; a heated building warms it, so that losses are rather too high than too low",
        );
    }
    let temperatures = corrected.or(given).unwrap_or_else(|| {
        notes.assume(
            what,
            "site",
            "18 °C",
            "EnergyPlus' default: about 2 K below the rooms (Input Output Reference, Site:GroundTemperature:BuildingSurface)",
        );
        [18.0; 12]
    });
    let fields: serde_json::Map<String, serde_json::Value> = MONTHS
        .iter()
        .zip(temperatures)
        .map(|(m, t)| (format!("{m}_ground_temperature"), json!(digits(t))))
        .collect();
    document.one("Site:GroundTemperature:BuildingSurface", serde_json::Value::Object(fields));
}
