//! A drawn plan, DXF or SVG, that becomes walls, doors, windows and rooms of a storey.

use crate::modelling::{author, level};
use crate::plan_making::{Heights, Made, make};
use crate::{IfcCall, Tool, given_file};
use building::space;
use contract::{Effect, EventType, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use glam::DVec2;
use plans::Role;
use plans::drawing::Limits;
use plans::plan::{Leftover, Plan, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The role of the file, and the parameter that names it.
const FILE: &str = "file";
/// Bytes of a file at most.
const MAX_BYTES: usize = 256 << 20;
/// Groups of what was not understood that are told, and places of each.
const GROUPS: usize = 20;
const PLACES: usize = 5;
/// Pixels across of the picture of what was read.
const PICTURE: u32 = 1400;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// DXF or SVG: path, bucket key or text.
    file: String,
    /// Storey, id or name.
    level_id: String,
    /// Role → layers, where their names do not say it: `{"wall": ["A1"], "ignore": ["X"]}`; door, window, text, dimension, ….
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    layers: BTreeMap<String, Vec<String>>,
    /// mm of a drawing unit, where it does not say.
    scale: Option<f64>,
    /// [x, y] in mm at which the plan's lower left corner comes to lie; `drawing` keeps its own coordinates.
    #[schemars(extend("default" = [0, 0], "x-seldom" = true))]
    place: Option<Place>,
    /// Of walls, mm; by default up to the next storey.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
    /// mm.
    #[schemars(extend("default" = 2100, "x-seldom" = true))]
    door_height: Option<f64>,
    /// mm.
    #[schemars(extend("default" = 1200, "x-seldom" = true))]
    window_height: Option<f64>,
    /// Of windows, mm.
    #[schemars(extend("default" = 900, "x-seldom" = true))]
    sill: Option<f64>,
    /// Leave the rooms out.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    without_rooms: bool,
}

/// The place of a plan.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a point [x, y] in mm, or \"drawing\"")]
#[schemars(inline)]
enum Place {
    /// A point in mm.
    Point([f64; 2]),
    /// `drawing`.
    Word(String),
}

/// Things of the drawing that were not made.
#[derive(Debug, Serialize, JsonSchema)]
struct Group {
    kind: String,
    layer: String,
    reason: String,
    count: usize,
    /// Some of them, [x, y] in the drawing's units.
    at: Vec<[f64; 2]>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// mm of a unit of the drawing.
    scale: f64,
    /// Why it is that.
    scale_reason: String,
    /// Ids of what was made.
    walls: Vec<String>,
    doors: Vec<String>,
    windows: Vec<String>,
    /// Openings without a door or window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    openings: Vec<String>,
    /// Id and name.
    spaces: Vec<[String; 2]>,
    /// Things that were read and could not be made, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_made: Vec<String>,
    /// Things that were not understood; red in the picture.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_understood: Vec<Group>,
    /// Furniture, stairs, dimensions and the like, which become no elements: kind, layer, count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passed_over: Vec<String>,
    /// The role that each layer was taken for.
    layers: BTreeMap<String, &'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("import_plan", Effect::Create, run)
        .title("Plan from a drawing")
        .toolset(Toolset::Exchange)
        .event(EventType::BuildingCreated)
        .file(FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: FILE.to_owned() }))
        .makes_files()
        .long()
        .description(
            "Makes walls, doors, windows and rooms of a drawn plan; tells and draws what it did not understand.",
        )
        .example("A room of 4 by 3 m", json!({ "file": EXAMPLE, "level_id": "Ground Floor", "scale": 1, "place": [20000, 0] }))
}

/// Four walls of 200 mm around a room of 4 by 3 m, in mm.
const EXAMPLE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4400mm\" height=\"3400mm\" viewBox=\"0 0 4400 3400\"><g id=\"walls\" \
fill=\"none\" stroke=\"black\"><rect x=\"0\" y=\"0\" width=\"4400\" height=\"3400\"/><rect x=\"200\" y=\"200\" width=\"4000\" \
height=\"3000\"/></g></svg>";

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let roles = roles(&input.layers)?;
    if input.scale.is_some_and(|scale| !(scale.is_finite() && scale > 0.0)) {
        return Err(Fault::invalid("scale", "The mm of a unit of the drawing are a number above nought."));
    }
    let bytes = given_file::bytes_or_text(call, FILE, &input.file, MAX_BYTES)?;
    let watch = Arc::clone(&call.watch);
    let wanted = || watch.wanted();
    watch.begins("reading the drawing");
    let drawing = plans::read(&bytes, &Limits::default(), &wanted).map_err(unread)?;
    call.watch.begins("recognising");
    let options = plans::Options { scale: input.scale, layers: roles, ..plans::Options::default() };
    let plan = plans::recognise(&drawing, &options, &wanted).map_err(unread)?;
    asked(&plan)?;
    let page = plans::overlay::page(&drawing, &plan);
    let by = place(&input, &plan)?;
    call.watch.begins("making elements");
    let (made, notes) = {
        let author = &mut author(call);
        let storey = level(author, &input.level_id)?;
        let walls = input.height.unwrap_or_else(|| space::clear_height(author, storey));
        if input.height.is_none() {
            author.assume(format!("height of walls {} mm", building::measures::mm(walls)));
        }
        let heights = Heights {
            walls,
            doors: input.door_height.unwrap_or(2100.0),
            windows: input.window_height.unwrap_or(1200.0),
            sill: input.sill.unwrap_or(900.0),
        };
        for (given, what, value) in [
            (input.door_height, "height of doors", heights.doors),
            (input.window_height, "height of windows", heights.windows),
            (input.sill, "sill of windows", heights.sill),
        ] {
            if given.is_none() {
                author.assume(format!("{what} {} mm", building::measures::mm(value)));
            }
        }
        let mut notes = plan.assumptions.clone();
        notes.extend(drawing.notices.iter().cloned());
        (make(author, storey, &plan, by, &heights, input.without_rooms, watch.as_ref())?, notes)
    };
    let mut seen = std::collections::BTreeSet::new();
    call.assumed.retain(|one| seen.insert(one.clone()));
    if made.walls.is_empty() {
        let message = "No wall was found in the drawing. Say with `layers` which layers hold the walls, and with `scale` how large a unit is.";
        return Err(Fault::invalid(FILE, message).with("layers", layers(&plan)));
    }
    let svg = paper::svg::write(&page);
    call.make_file("drawing", "plan-as-read.svg", "image/svg+xml", &mut |out| out.write_all(svg.as_bytes()))?;
    if let Ok(png) = paper::png::write(&page, paper::png::Resolution::Width(PICTURE)) {
        call.make_file("picture", "plan-as-read.png", "image/png", &mut |out| out.write_all(&png))?;
    }
    Ok(output(&plan, made, notes))
}

/// The Fault of a drawing that is not read.
fn unread(error: plans::Error) -> Fault {
    let message = format!("The plan cannot be read: {error}.");
    match error {
        plans::Error::GivenUp => Fault::given_up("import_plan"),
        plans::Error::TooDense { .. } => Fault::invalid("layers", message),
        _ => Fault::new(FaultCode::UnreadableFile, message).with("field", FILE),
    }
}

/// The roles of layers that the caller names; a Fault where there is no such role.
fn roles(given: &BTreeMap<String, Vec<String>>) -> Result<BTreeMap<String, Vec<String>>, Fault> {
    let names: Vec<&str> = Role::all().map(Role::name).chain(["ignore"]).collect();
    if let Some(unknown) = given.keys().find(|role| !names.contains(&role.as_str())) {
        let near = crate::near_matches(unknown, names.iter().copied());
        let message = format!("`{unknown}` is no role of a layer; there are {}.", names.join(", "));
        return Err(Fault::invalid("layers", message).with("near_matches", near));
    }
    Ok(given.clone())
}

/// A Fault where the drawing cannot be built without an answer.
fn asked(plan: &Plan) -> Result<(), Fault> {
    match plan.questions.first() {
        None => Ok(()),
        Some(Question::NeedsScale { message, candidates }) => {
            let choice: Vec<Value> = candidates
                .iter()
                .map(|one| json!({ "scale": one.mm_per_unit, "unit": one.unit, "reasons": one.reasons }))
                .collect();
            Err(Fault::invalid("scale", message.clone()).with("candidates", choice))
        }
        Some(Question::NeedsLayers { message, candidates }) => {
            Err(Fault::invalid("layers", message.clone()).with("candidates", candidates))
        }
    }
}

/// The vector from the plan's places to the model.
fn place(input: &Input, plan: &Plan) -> Result<DVec2, Fault> {
    let lowest = |points: &mut dyn Iterator<Item = DVec2>| points.reduce(DVec2::min).unwrap_or_default();
    let mut ends = plan.walls.iter().flat_map(|wall| {
        let aside = DVec2::splat(wall.thickness / 2.0);
        [DVec2::from(wall.start) - aside, DVec2::from(wall.end) - aside]
    });
    let corner = lowest(&mut ends);
    match &input.place {
        None => Ok(-corner),
        Some(Place::Point(point)) if point.iter().all(|part| part.is_finite()) => {
            Ok(DVec2::from(*point) - corner)
        }
        Some(Place::Word(word)) if word.trim() == "drawing" => {
            Ok(DVec2::from(plan.origin.drawing) * plan.scale.mm_per_unit)
        }
        Some(_) => Err(Fault::invalid("place", "`place` is a point [x, y] in mm, or `drawing`.")),
    }
}

fn layers(plan: &Plan) -> BTreeMap<String, &'static str> {
    plan.layers.iter().map(|layer| (layer.layer.clone(), layer.role)).collect()
}

fn output(plan: &Plan, made: Made, mut notes: Vec<String>) -> Output {
    let group = |left: &Leftover| Group {
        kind: left.kind.clone(),
        layer: left.layer.clone(),
        reason: left.reason.clone(),
        count: left.count,
        at: left.places.iter().take(PLACES).map(|place| place.drawing).collect(),
    };
    let groups = plan.not_understood.len();
    if groups > GROUPS {
        notes.push(format!(
            "{} further kinds of things were not understood; they are red in the picture.",
            groups - GROUPS
        ));
    }
    let passed = plan.passed_over.iter().take(GROUPS);
    let passed =
        passed.map(|left| format!("{} {} on {}: {}", left.count, left.kind, left.layer, left.reason));
    Output {
        scale: plan.scale.mm_per_unit,
        scale_reason: plan.scale.reason.clone(),
        walls: made.walls,
        doors: made.doors,
        windows: made.windows,
        openings: made.openings,
        spaces: made.spaces,
        not_made: made.refused,
        not_understood: plan.not_understood.iter().take(GROUPS).map(group).collect(),
        passed_over: passed.collect(),
        layers: layers(plan),
        notes,
    }
}
