//! The places of the surfaces: sums for agents, corners for the page in the chat.

use crate::energy_results::{BUDGET, fit, weight};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use energy::geometry::{Kind, Scene, Surface, Unplaced};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// The meaning of the colours.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    color_by: ColorBy,
    /// Corners from this surface on.
    #[schemars(extend("x-page" = true))]
    from_surface: Option<usize>,
}

/// The meaning of a surface's colour.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ColorBy {
    /// Its kind: wall, floor, roof, window …
    #[default]
    Type,
    /// The zone that it encloses.
    Zone,
}

/// Surfaces of one kind.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Sum {
    surfaces: usize,
    /// In m².
    area: f64,
}

/// A zone.
#[derive(Debug, Serialize, JsonSchema)]
struct Zone {
    #[serde(rename = "zone")]
    name: String,
    surfaces: usize,
    /// In m², by kind.
    areas: BTreeMap<&'static str, f64>,
    /// Least and greatest x, y, z in m.
    extent: [[f64; 3]; 2],
}

/// The geometry.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    color_by: Option<ColorBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    surface_count: Option<usize>,
    /// By kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    kinds: BTreeMap<&'static str, Sum>,
    /// Outer walls and the windows in them, in m², by where they look.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    facades: BTreeMap<&'static str, [f64; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zones: Vec<Zone>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extent: Option<[[f64; 3]; 2]>,
    /// Degrees by which the building is turned; all is told as it stands after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    north_axis: Option<f64>,
    /// Objects without a place, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unplaced: Vec<Unplaced>,
    /// Surfaces with corners, for the page: name, kind, zone, corners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    surfaces: Vec<Value>,
    /// The surface that the page goes on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_surface: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("view_geometry", Effect::Query, run)
        .description(
            "The surfaces where EnergyPlus places them: areas by kind, zone and orientation, extents.",
        )
        .page("ui://pensaer/energy-geometry")
        .example("By zone", json!({"color_by": "zone"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let scene = Scene::from_document(&call.document);
    let mut output = Output {
        color_by: None,
        surface_count: None,
        kinds: BTreeMap::new(),
        facades: BTreeMap::new(),
        zones: Vec::new(),
        extent: None,
        north_axis: None,
        unplaced: Vec::new(),
        surfaces: Vec::new(),
        next_surface: None,
        notice: None,
    };
    let from = input.from_surface.unwrap_or(0);
    if input.from_surface.is_none() {
        told(&scene, input.color_by, &mut output);
    }
    let room = BUDGET.saturating_sub(weight(&output));
    // half a picture says less than none: all corners, or the page asks for them in pieces
    let mut packed: Vec<Value> = scene.surfaces.iter().skip(from).map(packed).collect();
    let total = packed.len();
    let left = fit(&mut packed, room);
    if input.from_surface.is_some() || left == 0 {
        output.surfaces = packed;
    }
    if input.from_surface.is_none() && left > 0 {
        output.next_surface = (total > 0).then_some(0);
    } else if left > 0 {
        output.next_surface = Some(from + total - left);
    }
    Ok(output)
}

/// The sums, to a bound.
fn told(scene: &Scene, color_by: ColorBy, output: &mut Output) {
    output.color_by = Some(color_by);
    output.surface_count = Some(scene.surfaces.len());
    output.north_axis = Some(scene.north_axis);
    output.extent = scene.extent().map(|extent| extent.map(|corner| corner.to_array().map(rounded)));
    let mut zones: BTreeMap<&str, Vec<&Surface>> = BTreeMap::new();
    for surface in &scene.surfaces {
        let sum = output.kinds.entry(surface.kind.word()).or_default();
        sum.surfaces += 1;
        sum.area += surface.area();
        let host = surface.within.as_ref().and_then(|name| {
            scene.surfaces.iter().find(|host| host.within.is_none() && host.name.eq_ignore_ascii_case(name))
        });
        let outer = host.unwrap_or(surface).boundary.eq_ignore_ascii_case("Outdoors");
        let place = match surface.kind {
            Kind::Wall if outer => Some(0),
            Kind::Window if outer && host.is_some_and(|host| host.kind == Kind::Wall) => Some(1),
            _ => None,
        };
        if let Some(area) = place.and_then(|at| {
            output.facades.entry(looks(host.unwrap_or(surface).azimuth())).or_default().get_mut(at)
        }) {
            *area += surface.area();
        }
        if !surface.zone.is_empty() && surface.kind != Kind::Shading {
            zones.entry(&surface.zone).or_default().push(surface);
        }
    }
    for sum in output.kinds.values_mut() {
        sum.area = rounded(sum.area);
    }
    for areas in output.facades.values_mut() {
        *areas = areas.map(rounded);
    }
    output.zones = zones.into_iter().map(|(name, surfaces)| zone(name, &surfaces)).collect();
    output.unplaced.clone_from(&scene.unplaced);
    let unplaced = fit(&mut output.unplaced, BUDGET / 5);
    let room = BUDGET.saturating_sub(weight(output) - weight(&output.zones));
    let left = fit(&mut output.zones, room);
    if left + unplaced > 0 {
        output.notice = Some(format!(
            "{left} zones and {unplaced} objects without a place are left out; get_zone_properties tells of one zone."
        ));
    }
}

fn zone(name: &str, surfaces: &[&Surface]) -> Zone {
    let mut areas: BTreeMap<&'static str, f64> = BTreeMap::new();
    for surface in surfaces {
        *areas.entry(surface.kind.word()).or_default() += surface.area();
    }
    for area in areas.values_mut() {
        *area = rounded(*area);
    }
    let own =
        Scene { surfaces: surfaces.iter().map(|surface| (*surface).clone()).collect(), ..Scene::default() };
    let extent = own.extent().unwrap_or_default().map(|corner| corner.to_array().map(rounded));
    Zone { name: name.to_owned(), surfaces: surfaces.len(), areas, extent }
}

/// To a centimetre, or a square decimetre.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn packed(surface: &Surface) -> Value {
    let corners: Vec<[f64; 3]> =
        surface.corners.iter().map(|corner| corner.to_array().map(rounded)).collect();
    json!([surface.name, surface.kind.word(), surface.zone, corners])
}

/// The direction of the eight winds.
fn looks(azimuth: f64) -> &'static str {
    const WINDS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    WINDS.get(((azimuth / 45.0).round() as usize) % 8).copied().unwrap_or("N")
}
