//! A plan or a section of the model as a drawing at a scale, in SVG.

use crate::opened::file_stem;
use crate::{IfcCall, Tool};
use building::lookup;
use building::picture::title;
use building::sectioning::{self, CutPlane};
use contract::{Effect, Fault, json_sha256};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// Millimetres above a storey's floor at which a plan is cut.
const PLAN_HEIGHT: f64 = 1200.0;
/// The scales that paper is drawn at.
const SCALES: std::ops::RangeInclusive<f64> = 1.0..=10_000.0;

/// The place of the cut.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// For a plan: its storey.
    level_id: Option<String>,
    /// mm above that floor.
    #[schemars(extend("default" = 1200))]
    height: Option<f64>,
    /// For a section: a point of the plane, in mm.
    origin: Option<[f64; 3]>,
    /// Towards the viewer.
    normal: Option<[f64; 3]>,
}

/// The formats of a drawing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Scalable lines, every element a group.
    #[default]
    Svg,
}

/// The tool's arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// level_id (and height) for a plan, origin and normal for a section.
    cut_plane: Plane,
    /// mm seen beyond the cut; by default a plan's floor, a section's all.
    depth: Option<f64>,
    /// 1 to this.
    #[schemars(extend("default" = 100))]
    scale: Option<f64>,
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    format: Format,
}

/// The drawing.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The same for the same view of the same version.
    view_id: String,
    /// `plan` or `section`.
    kind: &'static str,
    scale: String,
    format: Format,
    /// Width and height in mm.
    paper: [f64; 2],
    /// Elements cut, by class.
    cut: BTreeMap<String, usize>,
    /// Their cut area in m².
    cut_area: f64,
    /// Elements seen beyond.
    seen: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_section", Effect::Query, run)
        .title("Plan or section")
        .makes_files()
        .kept()
        .description(
            "Draws a plan or section to scale as SVG: cut filled, what is seen in lines, hidden left out.",
        )
        .example("A plan", json!({ "cut_plane": { "level_id": "Ground floor" }, "scale": 50 }))
        .example(
            "A section looking north",
            json!({ "cut_plane": { "origin": [0, 2000, 0], "normal": [0, -1, 0] }, "depth": 5000 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let scale = input.scale.unwrap_or(100.0);
    if !SCALES.contains(&scale) {
        let message = "`scale` has to be 1 to 10000: 100 draws at 1:100.";
        return Err(Fault::invalid("scale", message));
    }
    if input.depth.is_some_and(|depth| !(depth > 0.0 && depth.is_finite())) {
        return Err(Fault::invalid("depth", "`depth` has to be more than 0 mm; leave it out to see all."));
    }
    let model = call.edit.model();
    let at = plane(model, &input.cut_plane)?;
    let words = match at {
        CutPlane::Plan { storey, .. } => format!("plan-{}", title(model, storey)),
        CutPlane::Section { .. } => "section".to_owned(),
    };
    let scene = call.scene()?;
    let watch = call.watch.as_ref();
    watch.begins("cutting");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let depth = input.depth.map(|mm| mm / 1000.0);
    let view = sectioning::cut(&scene, at, depth, &go_on)
        .map_err(|_| {
            Fault::invalid("cut_plane.normal", "`normal` must have a direction, such as [0, -1, 0].")
        })?
        .ok_or_else(|| Fault::given_up("create_section"))?;
    let sheet = view.drawing(&scene, scale).sheet().ok_or_else(|| nothing_cut(&scene))?;
    let mut cut = BTreeMap::new();
    for id in view.cut_elements() {
        let class = scene.entry(id).map(|e| e.class.clone()).unwrap_or_default();
        *cut.entry(class).or_insert(0) += 1;
    }
    let version = call.version("model")?.name().cloned();
    let view_id: String = json_sha256(&json!([version, input])).chars().take(16).collect();
    let name = format!("{}.svg", file_stem(&words));
    call.make_file("drawing", &name, "image/svg+xml", &mut |out| out.write_all(sheet.svg.as_bytes()))?;
    Ok(Output {
        view_id,
        kind: if matches!(at, CutPlane::Plan { .. }) { "plan" } else { "section" },
        scale: format!("1:{scale}"),
        format: input.format,
        paper: sheet.size.round().to_array(),
        cut,
        // lines alone have no area, not one of minus nought
        cut_area: (view.cut_area() * 1e3).round().max(0.0) / 1e3 + 0.0,
        seen: view.seen_only(),
    })
}

/// The plane that the arguments mean: a plan's or a section's, not both.
fn plane(model: &ifc::Model, given: &Plane) -> Result<CutPlane, Fault> {
    let is_finite = |p: &[f64; 3]| p.iter().all(|v| v.is_finite());
    match (&given.level_id, given.origin, given.normal) {
        (Some(level), None, None) => {
            let storey = lookup::storey(model, "cut_plane.level_id", level)?;
            Ok(CutPlane::Plan { storey, height: given.height.unwrap_or(PLAN_HEIGHT) / 1000.0 })
        }
        (None, Some(origin), Some(normal)) if is_finite(&origin) && is_finite(&normal) => {
            if given.height.is_some() {
                return Err(Fault::invalid(
                    "cut_plane.height",
                    "`height` goes with level_id; a section has its place by origin and normal.",
                ));
            }
            Ok(CutPlane::section(origin.map(|mm| mm / 1000.0), normal))
        }
        _ => Err(Fault::invalid(
            "cut_plane",
            "`cut_plane` is either {level_id, height} for a plan or {origin, normal} for a section.",
        )),
    }
}

/// Says where there is something to cut.
fn nothing_cut(scene: &geometry::Scene) -> Fault {
    let drawn = scene.entries().iter().filter(|e| e.is_drawn());
    let whole = drawn.fold(geometry::Bounds::EMPTY, |all, e| all.join(&e.bounds)).scaled(1000.0);
    let fault = Fault::constraint(
        "The plane meets nothing, and nothing is seen beyond it. Move it into the model's box, or turn it.",
    );
    let fault = fault.with("field", "cut_plane");
    if whole.is_empty() { fault } else { fault.with("bbox", crate::elements::box_json(&whole)) }
}
