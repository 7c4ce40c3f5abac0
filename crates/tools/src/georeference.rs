//! The place on Earth where a model says it is: coordinate reference system and map conversion, the site's latitude and
//! longitude, true north. In IFC2X3 the first two are property sets of the project, as IfcOpenShell writes them.

use crate::elements::number_json;
use ifc::{Id, Model, SchemaVersion, Units, Value, psets, units};
use serde_json::{Map, Value as Json, json};

/// The property sets of the project that stand for IfcMapConversion and IfcProjectedCRS in IFC2X3, as they are
/// written; as they are read, in either spelling.
pub const SETS_2X3: [&str; 2] = ["ePSet_MapConversion", "ePSet_ProjectedCRS"];

/// The three-dimensional context that geometry is in.
pub fn context(model: &Model) -> Option<Id> {
    let contexts = model.of_class_exact("IfcGeometricRepresentationContext");
    let is_model = |id: &&Id| {
        let context = model.get(**id);
        context.is_some_and(|c| {
            c.text("ContextType").is_some_and(|t| t.eq_ignore_ascii_case("model"))
                || c.number("CoordinateSpaceDimension") == Some(3.0)
        })
    };
    contexts.iter().find(is_model).or_else(|| contexts.first()).copied()
}

/// The map conversion of the model: its instance, its coordinate reference system; IFC4 and later.
pub fn conversion(model: &Model) -> Option<(Id, Option<Id>)> {
    let id = model.of_class("IfcMapConversion").into_iter().next()?;
    Some((id, model.get(id)?.reference("TargetCRS")))
}

/// A compound plane angle as decimal degrees.
pub fn degrees(value: &Value) -> Option<f64> {
    let parts: Vec<f64> = value.as_list()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let part = |at: usize| parts.get(at).copied().unwrap_or(0.0);
    Some(part(0) + part(1) / 60.0 + part(2) / 3600.0 + part(3) / 3.6e9)
}

/// Decimal degrees as degrees, minutes, seconds and millionths of a second, all of one sign.
pub fn compound(degrees: f64) -> Value {
    let total = (degrees.abs() * 3.6e9).round() as i64;
    let sign = if degrees < 0.0 { -1 } else { 1 };
    let parts = [total / 3_600_000_000, total / 60_000_000 % 60, total / 1_000_000 % 60, total % 1_000_000];
    Value::list(parts.map(|part| part * sign))
}

/// The angle of a direction in the plane, clockwise from y, in degrees from 0 to 360.
pub fn clockwise_from_y(x: f64, y: f64) -> f64 {
    (x.atan2(y).to_degrees() + 360.0) % 360.0
}

/// The angle of true north, clockwise from y, in degrees to a millionth; none where the model does not give it.
pub fn true_north(model: &Model) -> Option<f64> {
    let north = model.get(context(model)?)?.reference("TrueNorth")?;
    let [x, y, _] = ifc::placement::direction(model, north)?.into();
    Some((clockwise_from_y(x, y) * 1e6).round() / 1e6)
}

/// Everything that the model says of its place; lengths in metres, angles in degrees. Empty if it says nothing.
pub fn read(model: &Model, project_units: &Units) -> Map<String, Json> {
    let mut map = Map::new();
    if model.schema().version() == SchemaVersion::Ifc2x3 {
        read_2x3(model, project_units, &mut map);
    } else if let Some((id, crs)) = conversion(model)
        && let Some(instance) = model.get(id)
    {
        if let Some(name) = crs.and_then(|crs| model.get(crs)?.name()) {
            map.insert("crs".into(), name.into());
        }
        let metres = map_unit(model, crs, project_units);
        let number = |name: &str| instance.number(name);
        let values =
            ["Eastings", "Northings", "OrthogonalHeight", "XAxisAbscissa", "XAxisOrdinate"].map(number);
        insert_conversion(&mut map, values, metres);
    }
    for site in model.of_class("IfcSite") {
        let Some(site) = model.get(site) else { continue };
        for (key, name) in [("latitude", "RefLatitude"), ("longitude", "RefLongitude")] {
            if let Some(angle) = degrees(&site.attr(name)) {
                map.entry(key).or_insert_with(|| json!((angle * 1e7).round() / 1e7));
            }
        }
        if let Some(elevation) = site.number("RefElevation") {
            let metres = project_units.to_mm(elevation) / 1000.0;
            map.entry("elevation").or_insert_with(|| number_json(metres));
        }
    }
    if let Some(angle) = true_north(model) {
        map.insert("true_north".into(), number_json(angle));
    }
    if !map.is_empty() {
        map.insert("units".into(), "m, degrees".into());
    }
    map
}

/// Returns the metres of one unit of the map: the reference system's, else the project's.
pub fn map_unit(model: &Model, crs: Option<Id>, project_units: &Units) -> f64 {
    let own = crs.and_then(|crs| model.get(crs)?.reference("MapUnit")).and_then(|id| units::unit(model, id));
    own.map_or(project_units.length_mm / 1000.0, |unit| unit.si)
}

fn read_2x3(model: &Model, project_units: &Units, map: &mut Map<String, Json>) {
    let Some(project) = ifc::relations::project(model) else { return };
    let sets = psets::of_element(model, project);
    let find = |set: &str, name: &str| {
        let set = sets.iter().find(|s| s.name.eq_ignore_ascii_case(set))?;
        set.properties.iter().find(|p| p.name == name).map(|p| p.value.clone())
    };
    let [conversion, crs] = SETS_2X3;
    if let Some(name) = find(crs, "Name").and_then(|v| v.as_text().map(str::to_owned)) {
        map.insert("crs".into(), name.into());
    }
    let metres = match find(crs, "MapUnit").and_then(|v| v.as_text().map(str::to_ascii_uppercase)).as_deref()
    {
        Some("METRE") => 1.0,
        Some("MILLIMETRE") => 0.001,
        _ => project_units.length_mm / 1000.0,
    };
    let number = |name: &str| find(conversion, name)?.as_f64();
    let values = ["Eastings", "Northings", "OrthogonalHeight", "XAxisAbscissa", "XAxisOrdinate"].map(number);
    insert_conversion(map, values, metres);
}

fn insert_conversion(map: &mut Map<String, Json>, values: [Option<f64>; 5], metres: f64) {
    let [east, north, height, abscissa, ordinate] = values;
    for (key, value) in [("eastings", east), ("northings", north), ("height", height)] {
        if let Some(value) = value {
            map.insert(key.into(), number_json(value * metres));
        }
    }
    if let (Some(x), Some(y)) = (abscissa, ordinate) {
        // the local x axis runs along (x, y) on the map; grid north lies the same angle clockwise of local y
        let angle = (y.atan2(x).to_degrees() + 360.0) % 360.0;
        map.insert("grid_north".into(), number_json((angle * 1e6).round() / 1e6));
    }
}
