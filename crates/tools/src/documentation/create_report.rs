//! Reports for people who do not open models: the passport of a model on one page, and what changed between two versions.

use crate::opened::file_stem;
use crate::report::{self as findings, Family, Requested, State, Wish};
use crate::{IfcCall, Tool, drawing_request};
use building::picture::{self, Wanted};
use contract::{Effect, Fault, Toolset};
use documentation::report::{self, Document, Given, Picture, Quality};
use geometry::Scene;
use geometry::render::{self, Camera, Named, Setting};
use paper::{pdf, svg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// The role of the earlier version.
const BASE: &str = "diff_base";
/// Pixels of pictures, and the share of them that is left free around what they show.
const PIXELS: [u32; 2] = [900, 640];
const MARGIN: f64 = 0.05;

/// The formats of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Format {
    /// Pages of A4.
    #[default]
    Pdf,
    /// A page for a browser, with all in it.
    Html,
    /// Markdown.
    Markdown,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Version to compare with: a report of what changed since. Without: the passport of the model.
    diff_base: Option<String>,
    #[serde(default)]
    format: Format,
    /// de, en, es, fr, it, nl, tr.
    #[schemars(extend("default" = "en", "x-seldom" = true))]
    language: Option<String>,
    /// Path (.style) or bucket key of a TOML file, as of create_section.
    #[schemars(extend("x-seldom" = true))]
    style: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// `passport` or `changes`.
    kind: &'static str,
    title: String,
    /// The language that it is in; English where there are no sentences in the one asked for.
    language: String,
    /// Of a PDF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
    /// Of a report of changes: elements that are new, gone or different.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<usize>,
    /// Of a passport: each family of checks in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quality: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_report", Effect::Query, run)
        .title("Report")
        .toolset(Toolset::Exchange)
        .makes_files()
        .further_version(BASE, "diff_base")
        .files(drawing_request::files())
        .long()
        .description(
            "Writes a report for people who do not open models: the model's passport on one page (sizes, storeys, quality, pictures), or what changed since a version.",
        )
        .example("The passport of the model", json!({}))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let style = drawing_request::style(call, input.style.as_deref(), input.language.as_deref())?;
    let scene = call.scene()?;
    let watch = Arc::clone(&call.watch);
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let given_up = || Fault::given_up("create_report");
    let mut quality = Vec::new();
    let (kind, document, changes) = if input.diff_base.is_some() {
        let before = call.version(BASE)?.scene(call.watch.as_ref())?;
        let pictures = pictures(call, &scene, Some(&before))?;
        watch.begins("comparing");
        let (document, told) =
            report::changes(&before, &scene, &pictures, &style, &go_on).ok_or_else(given_up)?;
        ("changes", document, Some(told.len()))
    } else {
        let lines = lines(call)?;
        quality = lines.iter().map(|line| line.words.clone()).collect();
        let given = Given { quality: lines, pictures: pictures(call, &scene, None)?, storey: None };
        watch.begins("measuring");
        let (document, _) = report::passport(&scene, &given, &style, &go_on).ok_or_else(given_up)?;
        ("passport", document, None)
    };
    let pages = written(call, kind, &document, input.format)?;
    Ok(Output { kind, title: document.title, language: document.language, pages, changes, quality })
}

/// The families of checks that every file is held against, each with what it came to.
fn lines(call: &IfcCall) -> Result<Vec<Quality>, Fault> {
    const HELD: [Family; 4] = [Family::Schema, Family::Rules, Family::Implementer, Family::Constraints];
    let wish = Wish { parts: Some(&HELD), ids: None, packs: None, usual: &HELD, within: "" };
    let mut found = findings::found(State::Now(call), &Requested::new(call, &wish)?)?;
    found.waive(call.edit.model());
    found.word();
    let line = |line: &findings::Line| Quality {
        words: format!("{}: {}", line.family.as_str(), line.say),
        is_fulfilled: line.met,
    };
    Ok(found.lines.iter().map(line).collect())
}

/// Two pictures of a model from opposite corners, or of what differs from an earlier state; none of what cannot be seen.
fn pictures(call: &IfcCall, scene: &Scene, before: Option<&Scene>) -> Result<Vec<Picture>, Fault> {
    let mut pictures = Vec::new();
    for (view, caption) in [(Named::SouthEast, "south-east"), (Named::NorthWest, "north-west")] {
        let wanted = Wanted { scene, view, storey: None, chosen: None, before, labels: false };
        let stage = picture::stage(&wanted);
        let setting = Setting::new(PIXELS[0], PIXELS[1]);
        let Some(camera) = Camera::named(view, &stage.boxes, setting.aspect(), MARGIN) else { continue };
        let watch = call.watch.as_ref();
        watch.begins("drawing");
        let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
        let drawn = match render::draw(&stage.items, &camera, &setting, &go_on) {
            Ok(drawn) => drawn,
            Err(render::PictureError::Cancelled) => return Err(Fault::given_up("create_report")),
            // a model too large for a picture has a report all the same
            Err(_) => continue,
        };
        let png = drawn.png().map_err(|error| Fault::backend(format!("{error}.")))?;
        let file_name = Some(format!("{caption}.png"));
        pictures.push(Picture { png: png.into(), pixels: PIXELS, caption: caption.to_owned(), file_name });
    }
    Ok(pictures)
}

/// Writes a report, and the pictures beside one that refers to them; the pages of a PDF.
fn written(
    call: &mut IfcCall,
    kind: &str,
    document: &Document,
    format: Format,
) -> Result<Option<usize>, Fault> {
    let stem = file_stem(&format!("{kind} {}", document.title));
    let (ending, media_type, bytes, pages) = match format {
        Format::Pdf => {
            let pages = document.pages();
            let language = Some(document.language.clone());
            let facts =
                pdf::Metadata { title: Some(document.title.clone()), language, ..pdf::Metadata::default() };
            let bytes = pdf::write(&pages, &[], &facts)
                .map_err(|error| Fault::invalid("format", format!("It cannot be written so: {error}.")))?;
            ("pdf", "application/pdf", bytes, Some(pages.len()))
        }
        Format::Html => ("html", "text/html", document.html().into_bytes(), None),
        Format::Markdown => ("md", "text/markdown", document.markdown().into_bytes(), None),
    };
    call.make_file("report", &format!("{stem}.{ending}"), media_type, &mut |out| out.write_all(&bytes))?;
    if format == Format::Markdown {
        for block in &document.blocks {
            let report::Block::Pictures(pictures) = block else { continue };
            for own in pictures {
                let name = own.file_name.clone().unwrap_or_else(|| "picture.png".to_owned());
                call.make_file("picture", &name, "image/png", &mut |out| out.write_all(&own.png))?;
            }
        }
        for (name, page) in document.drawings() {
            let svg = svg::write(page);
            call.make_file("drawing", &name, "image/svg+xml", &mut |out| out.write_all(svg.as_bytes()))?;
        }
    }
    Ok(pages)
}
