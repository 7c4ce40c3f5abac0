//! A picture of the model as PNG: from a corner, from above or from a side, of a storey, of chosen elements, of what changed.

use crate::elements::OneOrMore;
use crate::opened::file_stem;
use crate::overlaid;
use crate::selecting::choose;
use crate::{IfcCall, Tool};
use building::lookup;
use building::picture::{self, Stage, Wanted};
use contract::ops::{LegendEntry, RoomColours};
use contract::{Effect, Fault};
use geometry::Scene;
use geometry::render::{self, Camera, Named, Picture, PictureError, Setting};
use ifc::Id;
use ifc::relations::Links;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;

/// The role of the version to compare with.
const BASE: &str = "diff_base";
/// The least and the greatest width in pixels.
const WIDTHS: std::ops::RangeInclusive<u32> = 200..=4096;
/// The colour of what a storey's opening cuts.
const CUT: geometry::style::Colour = [48, 52, 60, 255];
/// The share of the picture that is left free on each side.
const MARGIN: f64 = 0.04;

/// A direction of view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// From above and the south-east, in perspective.
    #[default]
    Iso,
    /// From above, north up.
    Plan,
    /// The north side.
    North,
    /// The south side.
    South,
    /// The east side.
    East,
    /// The west side.
    West,
}

impl View {
    /// Every one.
    pub(crate) const ALL: [Self; 6] =
        [Self::Iso, Self::Plan, Self::North, Self::South, Self::East, Self::West];

    fn named(self) -> Named {
        match self {
            Self::Iso => Named::SouthEast,
            Self::Plan => Named::Plan,
            Self::North => Named::North,
            Self::South => Named::South,
            Self::East => Named::East,
            Self::West => Named::West,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Iso => "iso",
            Self::Plan => "plan",
            Self::North => "north",
            Self::South => "south",
            Self::East => "east",
            Self::West => "west",
        }
    }
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Side seen, from above, or from a corner.
    #[serde(default)]
    view: View,
    /// Only this storey; plan and iso cut it open.
    level_id: Option<String>,
    /// Ids or selector: in colour, the rest faint.
    elements: Option<OneOrMore>,
    /// Version to compare with: added green, removed red, changed amber.
    diff_base: Option<String>,
    /// Colour the floors of rooms.
    #[schemars(extend("x-seldom" = true))]
    rooms: Option<RoomColours>,
    /// Points [x, y, z] in mm of a way to draw, as `path_finding` answers them.
    #[schemars(extend("x-seldom" = true))]
    path: Option<Vec<[f64; 3]>>,
    /// Names of rooms, storeys, or what is chosen.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    labels: bool,
    /// Pixels.
    #[schemars(extend("default" = 1024, "x-seldom" = true))]
    width: Option<u32>,
}

/// Elements by their colour in a comparison.
#[derive(Debug, Serialize, JsonSchema)]
struct Difference {
    /// Green.
    added: usize,
    /// Amber.
    changed: usize,
    /// Red.
    removed: usize,
}

/// The picture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    view: View,
    width: u32,
    height: u32,
    /// Elements to be seen in it.
    visible: usize,
    /// Millimetres that a pixel stands for, in all views but iso.
    #[serde(skip_serializing_if = "Option::is_none")]
    mm_per_pixel: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
    /// Colours of rooms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legend: Vec<LegendEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("render_view", Effect::Query, run)
        .title("Picture of the model")
        .further_version(BASE, "diff_base")
        .makes_files()
        .kept()
        .description("A picture of the model (PNG) to look at: whole, a storey, chosen elements, or a version difference.")
        .example("From a corner", json!({}))
        .example(
            "A storey's plan with the rooms' names",
            json!({ "view": "plan", "level_id": "Ground floor", "labels": true, "width": 600 }),
        )
        .example(
            "A way over a storey whose rooms are coloured by area",
            json!({
                "view": "plan", "level_id": "Ground floor", "rooms": "area",
                "path": [[1000, 1000, 0], [3000, 1500, 0]], "width": 600
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let width = input.width.unwrap_or(1024);
    if !WIDTHS.contains(&width) {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        return Err(Fault::invalid("width", format!("`width` has to be {least} to {most} pixels.")));
    }
    let model = call.edit.model();
    let storey = match &input.level_id {
        Some(level) => Some(lookup::storey(model, "level_id", level)?),
        None => None,
    };
    let chosen = match input.elements {
        Some(texts) => Some(choose(model, "elements", &texts.list())?),
        None => None,
    };
    let before = match &input.diff_base {
        Some(_) => Some(call.version(BASE)?.scene(call.watch.as_ref())?),
        None => None,
    };
    let scene = call.scene()?;
    let chosen = match chosen {
        Some(chosen) => Some(drawn(&scene, &chosen)?),
        None => None,
    };
    let wanted = Wanted {
        scene: &scene,
        view: input.view.named(),
        storey,
        chosen: chosen.as_ref(),
        before: before.as_deref(),
        labels: input.labels,
    };
    let mut stage = picture::stage(&wanted);
    let own_items = stage.items.len();
    let mut legend = Vec::new();
    if let Some(by) = input.rooms {
        let coloured = overlaid::rooms(call.layout()?.as_ref(), by, storey);
        if coloured.floors.is_empty() {
            return Err(overlaid::no_rooms(storey));
        }
        stage.items.extend(coloured.floors.iter().map(overlaid::ColouredFloor::item));
        legend = coloured.legend;
    }
    if let Some(path) = &input.path {
        let way = overlaid::way(&overlaid::places("path", path)?)
            .ok_or_else(|| Fault::invalid("path", "`path` is one point: give 2 or more that differ."))?;
        stage.boxes.push(way.bounds());
        stage.items.push(way);
    }
    let mut notes = Vec::new();
    if stage.labels_left_out {
        notes.push(
            "There are more names than the picture bears; choose fewer elements or a storey.".to_owned(),
        );
    }
    if input.labels && stage.labels.is_empty() {
        notes.push("There is nothing to label: no rooms with a shape, or nothing changed.".to_owned());
    }
    let (mut picture, mm_per_pixel) = draw(call, &stage, input.view, width)?;
    let changes = before.as_ref().map(|_| picture::count_changes(&stage.items));
    if changes.is_some_and(|c| hidden_changes(&stage, &picture, c))
        && picture::clear_unchanged(&mut stage.items)
    {
        picture = draw(call, &stage, input.view, width)?.0;
        notes.push("Changes lie behind what is unchanged, which is therefore shown clear.".to_owned());
    }
    if changes == Some(picture::ChangeCount::default()) {
        notes.push("Nothing that is drawn differs between the two versions.".to_owned());
    }
    let missing = scene.entries().iter().filter(|e| !e.is_drawn() && !e.is_space).count();
    if missing > 0 {
        notes.push(format!("{missing} elements have a representation that cannot be drawn."));
    }
    let output = Output {
        view: input.view,
        width: picture.width,
        height: picture.height,
        visible: visible(&picture).into_iter().filter(|item| *item as usize <= own_items).count(),
        mm_per_pixel,
        difference: changes.map(|c| Difference { added: c.added, changed: c.changed, removed: c.removed }),
        legend,
        notes,
    };
    let bytes = picture.png().map_err(|error| not_drawn(&error))?;
    let level = storey.map(|id| format!("-{}", picture::title(scene.model(), id))).unwrap_or_default();
    let name = format!("{}.png", file_stem(&format!("view-{}{level}", input.view.word())));
    call.make_file("picture", &name, "image/png", &mut |out| out.write_all(&bytes))?;
    Ok(output)
}

/// A picture of a model or of one of its storeys as PNG.
pub(crate) fn png(
    call: &IfcCall,
    scene: &Scene,
    view: View,
    storey: Option<Id>,
    width: u32,
) -> Result<Vec<u8>, Fault> {
    let wanted = Wanted { scene, view: view.named(), storey, chosen: None, before: None, labels: false };
    let (picture, _) = draw(call, &picture::stage(&wanted), view, width)?;
    picture.png().map_err(|error| not_drawn(&error))
}

/// Those of some elements that have a shape; of a whole without one its parts, of a storey what is in it.
fn drawn(scene: &Scene, chosen: &[Id]) -> Result<HashSet<Id>, Fault> {
    let found = crate::opened::with_shape(scene, &Links::of_many(scene.model()), chosen);
    if found.is_empty() {
        return Err(Fault::invalid("elements", "None of these elements has a shape that can be drawn."));
    }
    Ok(found)
}

/// Draws a stage; in views along an axis it says how much a pixel stands for.
fn draw(call: &IfcCall, stage: &Stage, view: View, width: u32) -> Result<(Picture, Option<f64>), Fault> {
    let nothing = || {
        let fault =
            Fault::constraint("There is nothing to see: no element here has a shape that can be drawn.");
        fault.with("field", "level_id")
    };
    // what is long and low is not drawn in the middle of nothing
    let square = Camera::named(view.named(), &stage.boxes, 1.0, 0.0).ok_or_else(nothing)?;
    let aspect = square.spread(&stage.boxes).clamp(0.7, 2.4);
    let height =
        ((f64::from(width) / aspect).round() as u32).clamp(*render::SIDES.start(), *render::SIDES.end());
    let setting = Setting {
        clip: stage.clip.clone(),
        cut_colour: Some(CUT),
        labels: stage.labels.clone(),
        ..Setting::new(width, height)
    };
    let camera = Camera::named(view.named(), &stage.boxes, setting.aspect(), MARGIN).ok_or_else(nothing)?;
    let watch = call.watch.as_ref();
    watch.begins("drawing");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let picture = render::draw(&stage.items, &camera, &setting, &go_on).map_err(|error| not_drawn(&error))?;
    let scale = 1000.0 / (camera.heights_per_metre(1.0) * f64::from(height));
    Ok((picture, (view != View::Iso).then(|| (scale * 100.0).round() / 100.0)))
}

/// The elements to be seen.
fn visible(picture: &Picture) -> HashSet<u32> {
    picture.items.iter().copied().filter(|item| *item > 0).collect()
}

/// Returns true if fewer changed elements are to be seen than there are.
fn hidden_changes(stage: &Stage, picture: &Picture, changes: picture::ChangeCount) -> bool {
    let seen: Vec<_> = visible(picture)
        .into_iter()
        .filter_map(|item| stage.items.get((item as usize).checked_sub(1)?).cloned())
        .collect();
    let seen = picture::count_changes(&seen);
    (seen.added, seen.changed) != (changes.added, changes.changed)
}

fn not_drawn(error: &PictureError) -> Fault {
    match error {
        PictureError::Cancelled => Fault::given_up("render_view"),
        PictureError::Size => Fault::invalid("width", format!("{error}.")),
        PictureError::Triangles => Fault::new(
            contract::FaultCode::LimitReached,
            format!("{error}. Give a level_id or elements to draw less."),
        ),
        PictureError::Png(_) => Fault::backend(format!("{error}.")),
    }
}
