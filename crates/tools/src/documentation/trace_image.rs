//! A picture of a plan, read as lines, walls and regions in pixels, for who sees the picture to confirm and build from.

use crate::{IfcCall, Tool, given_file};
use contract::{Effect, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use raster_trace::{Limits, Options, Scale};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The role of the file, and the parameter that names it.
const FILE: &str = "file";
/// Bytes of a picture at most.
const MAX_BYTES: usize = 64 << 20;
/// Entries of one list at most.
const MOST: usize = 300;

/// A length that is known.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a length that is known, such as {\"pixels\": 100, \"mm\": 635}")]
struct Length {
    pixels: f64,
    mm: f64,
}

/// The scale of the picture.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a length that is known, such as {\"pixels\": 100, \"mm\": 635}, or text such as \"1:200\""
)]
enum Known {
    /// A length that is known.
    Length(Length),
    /// `1:200`, where the file says its dots to the inch.
    Ratio(String),
}

impl Known {
    fn scale(&self, picture: &raster_trace::Picture) -> Result<Scale, raster_trace::Error> {
        match self {
            Self::Length(Length { pixels, mm }) => Ok(Scale { pixels: *pixels, mm: *mm }),
            Self::Ratio(text) => Scale::of_ratio(text, picture),
        }
    }
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// PNG or JPEG: path or bucket key.
    file: String,
    /// {"pixels": 100, "mm": 635}, or 1:200 if the file says its dots to the inch: adds mm.
    #[schemars(with = "Option<Value>")]
    scale: Option<Known>,
    /// Walls, openings, regions, segments in the answer at most, the surest first; the file has all.
    #[schemars(extend("default" = 40, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The trace. Points are [x, y] in pixels from the upper left; those in mm are from the frame's origin, y upwards.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Its size, skew in degrees, how walls are drawn.
    picture: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    mm_per_pixel: Option<f64>,
    /// The origin of places in mm, in pixels, and the degrees that the plan was turned back.
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<Value>,
    /// Axis, thickness, confidence from 0 to 1 with reasons.
    walls: Vec<Value>,
    /// Gaps in walls: door, window or opening.
    openings: Vec<Value>,
    /// Rooms; places of words and hatches.
    regions: Vec<Value>,
    /// Straight lines.
    segments: Vec<Value>,
    arcs: Vec<Value>,
    /// To be answered by who sees the picture, or by the person.
    questions: Vec<Value>,
    /// How many there are of each.
    counts: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("trace_image", Effect::Query, run)
        .title("Trace of a picture")
        .toolset(Toolset::Exchange)
        .file(FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: FILE.to_owned() }))
        .makes_files()
        .long()
        .description(
            "Reads a picture of a plan as walls, openings, rooms, lines in pixels, drawn over it: look, answer, then build.",
        )
        .example("A scanned plan", json!({ "file": "plan.png" }))
        .example("With a length that is known", json!({ "file": "plan.png", "scale": { "pixels": 100, "mm": 1000 } }))
        .example("By the scale of the sheet", json!({ "file": "plan.png", "scale": "1:200" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let limit = crate::input::bounded("limit", input.limit, 40, [1, MOST])?;
    let bytes = given_file::bytes_or_text(call, FILE, &input.file, MAX_BYTES)?;
    let refused = |error: raster_trace::Error| {
        use raster_trace::Error::{Ratio, Resolution, Scale};
        if matches!(error, Scale { .. } | Ratio { .. } | Resolution { .. }) {
            return Fault::invalid("scale", format!("{error}."));
        }
        Fault::new(FaultCode::UnreadableFile, format!("The picture cannot be read: {error}."))
            .with("field", FILE)
    };
    call.watch.begins("reading the picture");
    let picture = raster_trace::read(&bytes, &Limits::default()).map_err(refused)?;
    call.watch.begins("tracing");
    let scale = input.scale.map(|known| known.scale(&picture)).transpose().map_err(refused)?;
    let trace = raster_trace::trace(&picture, &Options { scale, most: MOST }).map_err(refused)?;
    let png = raster_trace::overlay(&picture, &trace).map_err(refused)?;
    let whole = serde_json::to_value(&trace).map_err(|error| Fault::backend(format!("{error}.")))?;
    call.make_file("picture", "trace.png", "image/png", &mut |out| out.write_all(&png))?;
    call.make_file("trace", "trace.json", "application/json", &mut |out| {
        out.write_all(whole.to_string().as_bytes())
    })?;
    Ok(output(&whole, limit))
}

fn output(whole: &Value, limit: usize) -> Output {
    let list = |name: &str| whole.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut notes: Vec<String> =
        list("problems").iter().filter_map(|problem| problem.as_str().map(str::to_owned)).collect();
    let mut first = |name: &str| {
        let mut all = list(name);
        if all.len() > limit {
            notes.push(format!("The surest {limit} of {} {name} are shown; the file has them.", all.len()));
            all.truncate(limit);
        }
        all.into_iter().map(crate::elements::tidy).collect()
    };
    let (walls, openings, regions) = (first("walls"), first("openings"), first("regions"));
    let (segments, arcs) = (first("segments"), first("arcs"));
    Output {
        picture: crate::elements::tidy(whole.get("picture").cloned().unwrap_or_default()),
        mm_per_pixel: whole.get("mm_per_pixel").and_then(Value::as_f64),
        frame: whole.get("frame").cloned(),
        walls,
        openings,
        regions,
        segments,
        arcs,
        questions: list("questions"),
        counts: whole.get("counts").cloned().unwrap_or_default(),
        notes,
    }
}
