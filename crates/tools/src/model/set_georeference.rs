//! Says where on Earth the model is.

use crate::{IfcCall, Tool, georeference};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::psets::{self, Change};
use ifc::{EditError, Id, SchemaVersion, Units, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// Of the site, degrees north.
    latitude: Option<f64>,
    /// Of the site, degrees east.
    longitude: Option<f64>,
    /// Height of the model's origin above the vertical datum, m.
    elevation: Option<f64>,
    /// Projected coordinate reference system, such as EPSG:25832.
    crs: Option<String>,
    /// Of the model's origin on the map, m.
    eastings: Option<f64>,
    /// Of the model's origin on the map, m.
    northings: Option<f64>,
    /// Degrees clockwise from the model's y axis to true north.
    true_north: Option<f64>,
    /// The same to grid north; default: true north.
    grid_north: Option<f64>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    georeference: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("set_georeference", Effect::Modify, run)
        .idempotent()
        .event(EventType::GeoreferenceSet)
        .description("Says where the model is: latitude and longitude of the site, map coordinates in a projected system, north.")
        .toolset(Toolset::Detailing)
        .example("A site in Munich", json!({ "crs": "EPSG:25832", "eastings": 691_000, "northings": 5_334_000, "elevation": 515, "latitude": 48.137, "longitude": 11.575 }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    check(&input)?;
    let mut notes = Vec::new();
    let units = Units::from_model(&call.edit);
    let old = call.edit.schema().version() == SchemaVersion::Ifc2x3;
    if input.latitude.is_some() || input.longitude.is_some() || input.elevation.is_some() {
        site(call, &input, &units).map_err(refused)?;
    }
    if let Some(angle) = input.true_north {
        true_north(call, angle)?;
    }
    let on_map = input.crs.is_some() || input.eastings.is_some() || input.northings.is_some();
    if on_map || input.grid_north.is_some() {
        if old {
            map_2x3(call, &input)?;
            let [conversion, crs] = georeference::SETS_2X3;
            notes.push(format!(
                "IFC2X3 has no IfcMapConversion and no IfcProjectedCRS: they stand in the project's property sets {conversion} and {crs}, as the implementers agreed."
            ));
        } else {
            map(call, &input, &units)?;
        }
        if input.grid_north.is_none() && input.true_north.is_some() {
            notes.push(
                "Grid north was set to true north; give grid_north where the meridian convergence matters."
                    .to_owned(),
            );
        }
    }
    Ok(Output { georeference: georeference::read(&call.edit, &units), notes })
}

fn check(input: &Input) -> Result<(), Fault> {
    let angles = [
        ("latitude", input.latitude, 90.0),
        ("longitude", input.longitude, 180.0),
        ("true_north", input.true_north, 360.0),
        ("grid_north", input.grid_north, 360.0),
    ];
    for (name, value, limit) in angles {
        if value.is_some_and(|value| value.abs() > limit) {
            return Err(Fault::invalid(name, format!("`{name}` is in degrees, from -{limit} to {limit}.")));
        }
    }
    let numbers = [input.elevation, input.eastings, input.northings];
    if numbers.iter().flatten().any(|value| value.abs() > 1e9) {
        return Err(Fault::invalid("eastings", "Coordinates on the map are in metres."));
    }
    if numbers.iter().all(Option::is_none)
        && input.crs.is_none()
        && angles.iter().all(|(_, value, _)| value.is_none())
    {
        return Err(Fault::invalid(
            "latitude",
            "Give latitude and longitude, or crs with eastings and northings, or true_north.",
        ));
    }
    Ok(())
}

fn refused(error: EditError) -> Fault {
    Fault::constraint(format!("{error}."))
}

fn site(call: &mut IfcCall, input: &Input, units: &Units) -> Result<(), EditError> {
    let Some(site) = call.edit.of_class("IfcSite").into_iter().next() else { return Ok(()) };
    if let Some(angle) = input.latitude {
        call.edit.set(site, "RefLatitude", georeference::compound(angle))?;
    }
    if let Some(angle) = input.longitude {
        call.edit.set(site, "RefLongitude", georeference::compound(angle))?;
    }
    if let Some(metres) = input.elevation {
        call.edit.set(site, "RefElevation", units.from_mm(metres * 1000.0))?;
    }
    Ok(())
}

/// (x, y) of an angle clockwise from y, without the noise of a sine.
fn direction(angle: f64) -> [f64; 2] {
    let tidy = |value: f64| (value * 1e15).round() / 1e15;
    let radians = angle.to_radians();
    [tidy(radians.sin()), tidy(radians.cos())]
}

fn context(call: &IfcCall) -> Result<Id, Fault> {
    georeference::context(&call.edit).ok_or_else(|| {
        Fault::constraint("The model has no geometric representation context, so nothing in it has a place.")
    })
}

fn true_north(call: &mut IfcCall, angle: f64) -> Result<(), Fault> {
    let context = context(call)?;
    let ratios = Value::list(direction(angle));
    let north = call.edit.create("IfcDirection", &[("DirectionRatios", ratios)]).map_err(refused)?;
    let before = call.edit.get(context).and_then(|c| c.reference("TrueNorth"));
    call.edit.set(context, "TrueNorth", north).map_err(refused)?;
    if let Some(before) = before.filter(|id| call.edit.referrers(*id).is_empty()) {
        call.edit.remove(before).map_err(refused)?;
    }
    Ok(())
}

fn needs_crs() -> Fault {
    Fault::invalid("crs", "Map coordinates need a projected coordinate reference system, such as EPSG:25832.")
}

/// The angle of grid north, if one is to be written.
fn rotation(input: &Input) -> Option<[f64; 2]> {
    // local x on the map: (cos, sin) of the angle by which grid north lies clockwise of local y
    input.grid_north.or(input.true_north).map(|angle| {
        let [sin, cos] = direction(angle);
        [cos, sin]
    })
}

fn map(call: &mut IfcCall, input: &Input, units: &Units) -> Result<(), Fault> {
    let edit = &mut call.edit;
    let (conversion, crs) = match georeference::conversion(edit) {
        Some((conversion, crs)) => (Some(conversion), crs),
        None => (None, None),
    };
    let crs = match (crs, &input.crs) {
        (Some(crs), Some(name)) => {
            edit.set(crs, "Name", name.as_str()).map_err(refused)?;
            crs
        }
        (Some(crs), None) => crs,
        (None, Some(name)) => {
            let metre =
                [("UnitType", Value::enumeration("LENGTHUNIT")), ("Name", Value::enumeration("METRE"))];
            let metre = edit.create("IfcSIUnit", &metre).map_err(refused)?;
            edit.create("IfcProjectedCRS", &[("Name", name.as_str().into()), ("MapUnit", metre.into())])
                .map_err(refused)?
        }
        (None, None) => return Err(needs_crs()),
    };
    let metres = georeference::map_unit(edit, Some(crs), units);
    let mut values: Vec<(&str, Value)> = Vec::new();
    for (name, value) in
        [("Eastings", input.eastings), ("Northings", input.northings), ("OrthogonalHeight", input.elevation)]
    {
        match value {
            Some(value) => values.push((name, Value::Real(value / metres))),
            None if conversion.is_none() => values.push((name, Value::Real(0.0))),
            None => {}
        }
    }
    if let Some([abscissa, ordinate]) = rotation(input) {
        values.extend([("XAxisAbscissa", Value::Real(abscissa)), ("XAxisOrdinate", Value::Real(ordinate))]);
    }
    if let Some(conversion) = conversion {
        for (name, value) in values {
            edit.set(conversion, name, value).map_err(refused)?;
        }
        return Ok(());
    }
    let scale = units.length_mm / 1000.0 / metres;
    if (scale - 1.0).abs() > 1e-12 {
        values.push(("Scale", Value::Real(scale)));
    }
    let context = context(call)?;
    values.extend([("SourceCRS", context.into()), ("TargetCRS", crs.into())]);
    call.edit.create("IfcMapConversion", &values).map_err(refused)?;
    Ok(())
}

/// In IFC2X3 the map is in property sets of the project.
fn map_2x3(call: &mut IfcCall, input: &Input) -> Result<(), Fault> {
    let Some(project) = ifc::relations::project(&call.edit) else {
        return Err(Fault::constraint("The model has no IfcProject."));
    };
    let units = Units::from_model(&call.edit);
    let before = georeference::read(&call.edit, &units);
    if input.crs.is_none() && !before.contains_key("crs") {
        return Err(needs_crs());
    }
    let change = |name: &str, of_type: &str, value: Value| Change {
        name: name.to_owned(),
        value: Some(Value::typed(of_type, value)),
    };
    let kept = |name: &str, given: Option<f64>| given.or_else(|| before.get(name)?.as_f64()).unwrap_or(0.0);
    let mut conversion = vec![
        change("Eastings", "IfcLengthMeasure", kept("eastings", input.eastings).into()),
        change("Northings", "IfcLengthMeasure", kept("northings", input.northings).into()),
        change("OrthogonalHeight", "IfcLengthMeasure", kept("height", input.elevation).into()),
        change("Scale", "IfcReal", (units.length_mm / 1000.0).into()),
    ];
    if let Some([abscissa, ordinate]) = rotation(input) {
        conversion.push(change("XAxisAbscissa", "IfcReal", abscissa.into()));
        conversion.push(change("XAxisOrdinate", "IfcReal", ordinate.into()));
    }
    let mut system = vec![change("MapUnit", "IfcLabel", "METRE".into())];
    if let Some(name) = &input.crs {
        system.push(change("Name", "IfcLabel", name.as_str().into()));
    }
    for (set, changes) in georeference::SETS_2X3.into_iter().zip([conversion, system]) {
        psets::set(&mut call.edit, &[project], set, &changes, &mut call.guids)
            .map_err(|error| Fault::constraint(format!("{error}.")))?;
    }
    Ok(())
}
