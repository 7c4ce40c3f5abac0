//! A zone: its measures, what encloses it, what controls and serves it, and what else names it.

use crate::energy_objects::{BUDGET, find};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use energy::digits::rounded;
use energy::geometry::Scene;
use energy::geometry::zones::ZoneSurfaces;
use energy::idf::{Document, Object, body};
use energy::references::Graph;
use energy::zone::{Belongings, set_points};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Names of one kind that are listed where every zone is shown.
const FEW: usize = 6;
/// Names of one kind that are listed of one zone.
const MANY: usize = 40;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Its name.
    zone_name: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Zone {
    name: String,
    /// Of one zone alone: its fields.
    #[serde(skip_serializing_if = "Value::is_null")]
    fields: Value,
    floor_area_m2: f64,
    volume_m3: f64,
    /// From floor to ceiling.
    height_m: f64,
    /// Those of these three that the zone's own fields state; the others follow from its surfaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stated: Vec<&'static str>,
    /// Identical zones that it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    multiplier: Option<f64>,
    /// False where its surfaces leave a gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<bool>,
    /// Gross areas of its surfaces in m², by their type: wall, floor, roof, ceiling.
    areas: BTreeMap<&'static str, f64>,
    /// Area of windows and doors in m².
    openings: f64,
    surfaces: usize,
    /// Of these, other sides of surfaces that are given in another zone.
    #[serde(skip_serializing_if = "is_zero")]
    mirrored: usize,
    constructions: Vec<String>,
    thermostats: Vec<Control>,
    /// Equipment and air terminals.
    hvac: Vec<String>,
    /// Of one zone alone: other objects that refer to it, also through a space or a list, by type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    referred_to_by: BTreeMap<String, Vec<String>>,
    /// Names that are left out above.
    #[serde(skip_serializing_if = "is_zero")]
    names_left_out: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Control {
    control: String,
    /// The set points by their purpose, each with its schedule or temperature.
    set_points: BTreeMap<String, String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The zones.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    zones: Vec<Zone>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("get_zone_properties", Effect::Query, run)
        .description("A zone: area, volume, height, enclosing areas, constructions, thermostats, HVAC; without a name, every zone in short.")
        .example("Every zone", json!({}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let graph = Graph::from_document(document);
    let scene = Scene::from_document(document);
    let sorted = ZoneSurfaces::from_scene(&scene);
    let whole = input.zone_name.is_some();
    let zones: Vec<Object<'_>> = match &input.zone_name {
        Some(name) => vec![find(document, "Zone", name)?],
        None => document.of_type("Zone").collect(),
    };
    let total = zones.len();
    let (mut spent, mut shown) = (0, Vec::new());
    for object in zones {
        let zone = zone(document, &graph, &sorted, object, whole);
        spent += serde_json::to_string(&zone).map_or(0, |text| text.len());
        if spent > BUDGET && !shown.is_empty() {
            break;
        }
        shown.push(zone);
    }
    let left = total - shown.len();
    let notice = (left > 0).then(|| format!("{left} zones are left out; give zone_name to see one of them."));
    Ok(Output { zones: shown, total, notice })
}

fn zone(
    document: &Document,
    graph: &Graph,
    sorted: &ZoneSurfaces<'_>,
    object: Object<'_>,
    whole: bool,
) -> Zone {
    let most = if whole { MANY } else { FEW };
    let measures = sorted.measures(object);
    let around = sorted.around(object.name());
    let (mut areas, mut openings) = (BTreeMap::<&'static str, f64>::new(), 0.0);
    let mut constructions = BTreeSet::new();
    for surface in around {
        *areas.entry(surface.kind.word()).or_default() += surface.area();
        constructions.insert(surface.construction.clone());
        for opening in sorted.openings(surface) {
            openings += opening.area();
            constructions.insert(opening.construction.clone());
        }
    }
    constructions.remove("");
    let belongings = Belongings::from_zone(document, graph, object);
    let named = |object: &Object<'_>| format!("{}: {}", object.type_name(), object.label());
    let stated = [("floor_area", "floor_area_m2"), ("volume", "volume_m3"), ("ceiling_height", "height_m")];
    let is_stated = |field: &str| object.number(field).is_some_and(|number| number > 0.0);
    let mut zone = Zone {
        name: object.name().to_owned(),
        fields: if whole { body(object) } else { Value::Null },
        floor_area_m2: rounded(measures.floor_area, "m2"),
        volume_m3: rounded(measures.volume, "m3"),
        height_m: rounded(measures.height, "m"),
        stated: stated.into_iter().filter(|(field, _)| is_stated(field)).map(|(_, name)| name).collect(),
        multiplier: object.number("multiplier").filter(|multiplier| *multiplier > 1.0),
        closed: measures.closed.filter(|closed| !closed),
        areas: areas.into_iter().map(|(kind, area)| (kind, rounded(area, "m2"))).collect(),
        openings: rounded(openings, "m2"),
        surfaces: around.len(),
        mirrored: around.iter().filter(|surface| surface.mirror_of.is_some()).count(),
        constructions: constructions.into_iter().collect(),
        thermostats: belongings.controls.iter().map(|(control, points)| told(*control, points)).collect(),
        hvac: belongings.equipment.iter().map(named).collect(),
        referred_to_by: BTreeMap::new(),
        names_left_out: 0,
    };
    for object in belongings.others.iter().filter(|_| whole) {
        zone.referred_to_by.entry(object.type_name().to_owned()).or_default().push(object.label());
    }
    let mut left_out = 0;
    for names in [&mut zone.constructions, &mut zone.hvac].into_iter().chain(zone.referred_to_by.values_mut())
    {
        left_out += names.len().saturating_sub(most);
        names.truncate(most);
    }
    zone.names_left_out = left_out;
    zone
}

fn told(control: Object<'_>, points: &[Object<'_>]) -> Control {
    let from = std::iter::once(control).chain(points.iter().copied());
    Control {
        control: format!("{}: {}", control.type_name(), control.label()),
        set_points: from.flat_map(set_points).map(|(what, named)| (what, named.to_owned())).collect(),
    }
}
