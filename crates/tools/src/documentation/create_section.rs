//! A drawing of the model at a scale: plan, reflected ceiling plan, section, elevation or axonometry, as SVG, PDF, DXF or PNG.

use crate::drawing_request::{self, Flagged, Measure, PlanColours, Plane, View};
use crate::elements::id_of;
use crate::opened::file_stem;
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use documentation::blocks::with_blocks;
use documentation::difference::{ChangeKind, Difference};
use documentation::drawing::dimension::Of;
use documentation::drawing::{Drawing, Place};
use glam::DVec3;
use paper::dxf::LayerStandard;
use paper::{Page, dxf, pdf, png, svg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The role of the version to compare with.
const BASE: &str = "diff_base";
/// Dots to the inch of pictures where the caller says nothing.
const DPI: u32 = 150;
/// Notes that are told; the others are counted.
const NOTES: usize = 8;

/// The formats of a drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Format {
    /// Scalable lines, every element a group.
    #[default]
    Svg,
    /// A page to print.
    Pdf,
    /// For CAD: R2018, in mm of the world.
    Dxf,
    /// A picture.
    Png,
}

/// The standards that name layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Layers {
    /// AIA CAD Layer Guidelines.
    Aia,
    /// ISO 13567.
    Iso13567,
}

/// The tool's arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// level_id (and height) for a plan, origin and normal for a section, side (north, …) for an elevation.
    cut_plane: Plane,
    /// mm seen beyond the cut; by default a plan's floor, a section's all.
    depth: Option<f64>,
    /// 1 to this.
    #[schemars(extend("default" = 100))]
    scale: Option<f64>,
    /// DXF is in mm of the world.
    #[serde(default)]
    format: Format,
    /// Chains of dimensions.
    #[schemars(extend("default" = true, "x-seldom" = true))]
    dimensions: Option<bool>,
    /// Dimensions besides.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    measure: Vec<Measure>,
    /// Below the drawing.
    #[schemars(extend("x-seldom" = true))]
    title: Option<String>,
    /// Version to compare with: removed red, added green, changed amber in clouds.
    #[schemars(extend("x-seldom" = true))]
    diff_base: Option<String>,
    /// Numbered flags, with a list beside.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    findings: Vec<Flagged>,
    /// A way: points in mm, as path_finding answers them.
    #[schemars(extend("x-seldom" = true))]
    path: Option<Vec<[f64; 3]>>,
    /// Colours of rooms.
    #[schemars(extend("x-seldom" = true))]
    rooms: Option<PlanColours>,
    /// de, en, es, fr, it, nl, tr.
    #[schemars(extend("default" = "en", "x-seldom" = true))]
    language: Option<String>,
    /// Path (.style) or bucket key of a TOML file: line weights, hatches, letters, fonts.
    #[schemars(extend("x-seldom" = true))]
    style: Option<String>,
    /// Of a DXF.
    #[schemars(extend("default" = "aia", "x-seldom" = true))]
    layers: Option<Layers>,
    /// Of a PNG.
    #[schemars(extend("default" = 150, "minimum" = 20, "maximum" = 600, "x-seldom" = true))]
    dpi: Option<u32>,
}

/// The drawing.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Names the view, of any version.
    view_id: String,
    /// `plan`, `ceiling plan`, `section`, `elevation` or `axonometry`.
    kind: &'static str,
    scale: String,
    format: Format,
    /// Width and height in mm.
    paper: [f64; 2],
    /// Where the paper lies in the world; to lay the drawing over the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<Placement>,
    /// Elements cut, by class.
    cut: BTreeMap<String, usize>,
    /// Their cut area in m².
    cut_area: f64,
    /// Elements seen beyond.
    seen: usize,
    /// Rooms that it names.
    rooms: usize,
    /// Dimensions on it.
    dimensions: usize,
    /// mm of those in `measure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measured: Vec<f64>,
    /// Of a comparison: elements added, removed, changed, and those on the drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Compared>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The paper in the world, in the plane of the drawing.
#[derive(Debug, Serialize, JsonSchema)]
struct Placement {
    /// Its upper left corner, mm.
    corner: [f64; 3],
    /// mm of the world by a mm of paper to the right.
    right: [f64; 3],
    /// mm of the world by a mm of paper down.
    down: [f64; 3],
}

/// Two versions compared.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Compared {
    added: usize,
    removed: usize,
    changed: usize,
    /// In a cloud on this drawing.
    drawn: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_section", Effect::Query, run)
        .title("Drawing")
        .makes_files()
        .further_version(BASE, "diff_base")
        .files(drawing_request::files())
        .kept()
        .description(
            "Draws a plan, section or elevation to scale: hatches by material, symbols, room names, dimensions.",
        )
        .example("A plan", json!({ "cut_plane": { "level_id": "Ground floor" }, "scale": 50 }))
        .example(
            "A section looking north",
            json!({ "cut_plane": { "origin": [0, 2000, 0], "normal": [0, -1, 0] }, "depth": 5000 }),
        )
        .example(
            "The south elevation to print, in German",
            json!({ "cut_plane": { "side": "south" }, "format": "pdf", "language": "de" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    for (name, is_given, format) in
        [("layers", input.layers.is_some(), Format::Dxf), ("dpi", input.dpi.is_some(), Format::Png)]
    {
        if is_given && input.format != format {
            let of = if format == Format::Dxf { "dxf" } else { "png" };
            return Err(Fault::invalid(name, format!("`{name}` goes with format {of}.")));
        }
    }
    let model = call.edit.model();
    let view = View::new(model, &input.cut_plane, input.scale, input.depth)?;
    let mut wanted = view.wanted();
    wanted.dimensions = input.dimensions.unwrap_or(true);
    wanted.asked = drawing_request::asked(model, &input.measure)?;
    wanted.title.clone_from(&input.title);
    let (view_id, stem) = (view.name(model), file_stem(&view.file_words(model)));
    let style = drawing_request::style(call, input.style.as_deref(), input.language.as_deref())?;
    let scene = call.scene()?;
    let watch = std::sync::Arc::clone(&call.watch);
    watch.begins("cutting");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let marks = drawing_request::marks(call.edit.model(), &input.findings, input.path.as_deref())?;
    let is_marked = !input.findings.is_empty() || input.path.is_some() || input.rooms.is_some();
    let (drawing, page, place, difference, left_out) = if input.diff_base.is_some() {
        if is_marked {
            let problem =
                "A comparison has its own colours: leave findings, path and rooms out, or `diff_base`.";
            return Err(Fault::invalid("diff_base", problem));
        }
        let before = call.version(BASE)?.scene(call.watch.as_ref())?;
        let found = documentation::difference::draw(&before, &scene, &wanted, &style, &go_on)
            .map_err(|problem| drawing_request::undrawn(&scene, problem))?
            .ok_or_else(|| Fault::given_up("create_section"))?;
        let compared = compared(&found);
        (found.newer, found.page, None, Some(compared), Vec::new())
    } else {
        let drawing = drawing_request::drawn(&scene, &wanted, &style, &go_on, "create_section")?;
        let (page, place, left_out) = if is_marked {
            drawing_request::laid(&drawing, marks, input.rooms, &style)?
        } else {
            (drawing.page.clone(), drawing.place, Vec::new())
        };
        (Some(drawing), page, Some(place), None, left_out)
    };
    let (ending, media_type, bytes) = written(&page, &input)?;
    call.make_file("drawing", &format!("{stem}.{ending}"), media_type, &mut |out| out.write_all(&bytes))?;
    let mut output = Output {
        view_id,
        kind: view.kind(),
        scale: view.scale(),
        format: input.format,
        paper: page.size.round().to_array(),
        placement: place.as_ref().map(placement),
        cut: BTreeMap::new(),
        cut_area: 0.0,
        seen: 0,
        rooms: 0,
        dimensions: 0,
        measured: Vec::new(),
        difference,
        notes: Vec::new(),
    };
    if let Some(drawing) = &drawing {
        for id in &drawing.cut {
            let class = scene.entry(*id).map(|e| e.class.clone()).unwrap_or_default();
            *output.cut.entry(class).or_insert(0) += 1;
        }
        // lines alone have no area, not one of minus nought
        output.cut_area = (drawing.cut_area * 1e3).round().max(0.0) / 1e3 + 0.0;
        output.seen = drawing.seen.len();
        output.rooms = drawing.rooms.len();
        output.dimensions = drawing.dimensions.len();
        output.measured = measured(drawing);
        output.notes = notes(call.edit.model(), drawing);
    }
    output.notes.extend(left_out);
    Ok(output)
}

/// Where the paper lies.
fn placement(place: &Place) -> Placement {
    let [corner, right, down] = place.corner().map(|p| p * 1000.0);
    let rounded = |p: DVec3, by: f64| p.to_array().map(|v| (v * by).round() / by + 0.0);
    Placement { corner: rounded(corner, 1e3), right: rounded(right, 1e9), down: rounded(down, 1e9) }
}

/// The changes of a comparison, counted.
fn compared(found: &Difference) -> Compared {
    let count = |kind: ChangeKind| found.changes.iter().filter(|own| own.kind() == kind).count();
    Compared {
        added: count(ChangeKind::New),
        removed: count(ChangeKind::Removed),
        changed: count(ChangeKind::Changed),
        drawn: found.changes.iter().filter(|own| own.cloud.is_some()).count(),
    }
}

/// A page in the format asked for: ending, media type, bytes.
fn written(page: &Page, input: &Input) -> Result<(&'static str, &'static str, Vec<u8>), Fault> {
    let bad = |error: paper::Error| Fault::invalid("format", format!("It cannot be written so: {error}."));
    Ok(match input.format {
        Format::Svg => ("svg", "image/svg+xml", svg::write(page).into_bytes()),
        Format::Pdf => {
            let facts = pdf::Metadata { language: input.language.clone(), ..pdf::Metadata::default() };
            let bytes = pdf::write(std::slice::from_ref(page), &[], &facts).map_err(bad)?;
            ("pdf", "application/pdf", bytes)
        }
        Format::Dxf => {
            let standard = match input.layers {
                Some(Layers::Iso13567) => LayerStandard::Iso13567,
                Some(Layers::Aia) | None => LayerStandard::Aia,
            };
            ("dxf", "image/vnd.dxf", dxf::write(&with_blocks(page.clone()), standard).map_err(bad)?)
        }
        Format::Png => {
            let dpi = f64::from(input.dpi.unwrap_or(DPI).clamp(20, 600));
            ("png", "image/png", png::write(page, png::Resolution::DotsPerInch(dpi)).map_err(bad)?)
        }
    })
}

/// The measures of the dimensions that were asked for, in mm.
fn measured(drawing: &Drawing) -> Vec<f64> {
    let asked = drawing.dimensions.iter().filter(|own| own.of == Of::Asked);
    asked.map(|own| (own.metres * 1e4).round() / 10.0).collect()
}

/// Notes in words with the elements that they are about.
fn notes(model: &ifc::Model, drawing: &Drawing) -> Vec<String> {
    let word = |note: &documentation::drawing::Note| match note.element {
        Some(id) => format!("{}: {}", id_of(model, id), note.words),
        None => note.words.clone(),
    };
    let mut told: Vec<String> = drawing.notes.iter().take(NOTES).map(word).collect();
    let rest = drawing.notes.len() - told.len();
    if rest > 0 {
        told.push(format!("{rest} more are not listed."));
    }
    let missing = drawing.page.missing_characters();
    if missing > 0 {
        told.push(format!("{missing} characters are in none of the fonts and are drawn as boxes."));
    }
    told
}
