//! A model held against requirements in the Information Delivery Specification of buildingSMART (IDS 1.0).

use crate::answer_room::{ANSWER, fit, sentences, weight};
use crate::elements::brief;
use crate::opened::file_stem;
use crate::report::Found;
use crate::topic_file::{MEDIA_TYPE, TopicFile, project_of};
use crate::topics;
use crate::{IfcCall, Tool, given_file};
use bcf::Version;
use contract::{Effect, Fault, FileNeed, NamedFile};
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use validation::ids::{self, Constraint, Document, Facet, Problem, Report, SpecificationResult, Status};

/// The role of the file.
pub(crate) const FILE: &str = "ids";
/// Bytes of a document at most.
const MAX_BYTES: usize = 32 << 20;
/// Specifications of one answer at most.
const MOST: usize = 200;
/// Elements of one requirement at most.
const MOST_ELEMENTS: usize = 200;
/// About how many bytes of specifications an answer holds, and of notes: with its title less than an answer may have.
const BUDGET: usize = ANSWER - 3_000;
const NOTES: usize = 1_500;
/// Images of one page at most.
const MOST_IMAGES: usize = 24;
/// Problems of a document that are told.
const TOLD: usize = 20;

/// The kinds of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Issues for other programs: a topic with a picture for each requirement that fails.
    Bcf,
    /// A page to read and print.
    Html,
    /// Everything, for programs.
    Json,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Path or bucket key of an IDS file, or its text.
    ids: String,
    /// The whole report as a file.
    report: Option<Format>,
    /// Leave out specifications that are for other schemas than the model's; else they are checked, and marked.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    skip_other_schemas: bool,
    /// Failing elements listed for each requirement, at most.
    #[schemars(extend("default" = 3, "minimum" = 1, "maximum" = MOST_ELEMENTS, "x-seldom" = true))]
    elements: Option<usize>,
    /// Specifications at most.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A requirement.
#[derive(Debug, Serialize, JsonSchema)]
struct RequirementRow {
    requirement: String,
    passed: usize,
    failed: usize,
    /// The first that fail: id, name, class, reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<Map<String, Value>>,
}

/// A specification.
#[derive(Debug, Serialize, JsonSchema)]
struct Specification {
    name: String,
    /// `passed`, `failed` or `skipped`.
    status: &'static str,
    applies_to: String,
    /// Elements that it applies to.
    applicable: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Of one that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    requirements: Vec<RequirementRow>,
    /// Elements that may not be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prohibited: Vec<Map<String, Value>>,
}

/// The result. Texts are those of the file's authors.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    title: String,
    /// No specification failed, and one at least was checked.
    met: bool,
    passed: usize,
    failed: usize,
    skipped: usize,
    specifications: Vec<Specification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// Mistakes of the file that do not keep it from being checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

const EXAMPLE: &str = "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>Walls</title></info><specifications>\
<specification name=\"Walls have names\" ifcVersion=\"IFC4 IFC4X3_ADD2\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\">\
<entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name>\
<simpleValue>Name</simpleValue></name></attribute></requirements></specification></specifications></ids>";

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("check_ids", Effect::Query, run)
        .title("Requirements of an IDS")
        .file(FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: FILE.to_owned() }))
        .makes_files()
        .long()
        .description(
            "Checks the model against an IDS 1.0 file: each specification, each requirement, which elements fail and why. An invalid file is \
             refused with line and remedy.",
        )
        .example("A text", json!({ "ids": EXAMPLE }))
        .example("With a page to print", json!({ "ids": EXAMPLE, "report": "html" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 20, MOST)?;
    let elements = crate::input::bounded("elements", input.elements, 3, [1, MOST_ELEMENTS])?;
    let (document, harmless) = given(call, FILE, &input.ids)?;
    let model = call.edit.model().clone();
    call.watch.begins("checking requirements");
    let watch = std::sync::Arc::clone(&call.watch);
    let mut asked = || watch.wanted();
    let report = ids::check(&document, &model, input.skip_other_schemas, &mut asked);
    let report = report.ok_or_else(|| Fault::given_up("check_ids"))?;
    let count = |status| report.specifications.iter().filter(|own| own.status == status).count();
    let notes: Vec<String> = listed(&harmless).into_iter().chain(left_out(&document, &model)).collect();
    if let Some(format) = input.report {
        written(call, &document, &report, &model, &notes, format)?;
    }
    let mut specifications = Vec::new();
    let mut spent = 0;
    let all = document.specifications.iter().zip(&report.specifications);
    for (specification, result) in all.skip(start).take(limit) {
        let told = told(&model, specification, result, elements);
        spent += weight(&told);
        if spent > BUDGET && !specifications.is_empty() {
            break;
        }
        specifications.push(fitted(told));
    }
    let next = start + specifications.len();
    Ok(Output {
        title: short(&document.info.title),
        met: report.is_met(),
        passed: count(Status::Passed),
        failed: count(Status::Failed),
        skipped: count(Status::Skipped),
        next_cursor: (next < report.specifications.len() && !specifications.is_empty())
            .then(|| next.to_string()),
        specifications,
        notes: sentences(notes, NOTES, ", which the report `json` holds"),
    })
}

/// Sentences on elements that a specification passes over because it names their class without its special kinds: an IDS names each class
/// that it means (IDS 1.0, entity facet).
fn left_out(document: &Document, model: &Model) -> Vec<String> {
    let mut notes = BTreeSet::new();
    for specification in &document.specifications {
        let entities = specification.applicability.iter().filter_map(|facet| match facet {
            Facet::Entity(entity) => Some(entity),
            _ => None,
        });
        for entity in entities {
            let Some(Constraint::Simple(name)) = &entity.name else { continue };
            for kind in ["StandardCase", "ElementedCase"] {
                let count = model.of_class(&format!("{name}{kind}")).len();
                if count > 0 {
                    notes.insert(format!(
                        "{name} names that class alone: {count} {name}{} are not looked at. Name both to include them.",
                        kind.to_uppercase()
                    ));
                }
            }
        }
    }
    notes.into_iter().collect()
}

/// The document that a parameter `ids` means: path or bucket key of a file that came with the call, or the text itself.
pub(crate) fn given(call: &IfcCall, field: &str, ids: &str) -> Result<(Document, Vec<Problem>), Fault> {
    let bytes = if ids.trim_start().starts_with('<') {
        Some(ids.as_bytes().to_vec())
    } else {
        given_file::bytes(call, FILE, field, MAX_BYTES)?
    };
    let Some(bytes) = bytes else {
        let problem = format!("`{field}` is the path or bucket key of an IDS file, or its text.");
        return Err(Fault::invalid(field, problem));
    };
    audited(field, &bytes)
}

/// A document without mistakes that keep it from being checked, and those that do not; else a Fault with all of them.
fn audited(field: &str, bytes: &[u8]) -> Result<(Document, Vec<Problem>), Fault> {
    let refused = |problems: &[String]| {
        let message = format!(
            "`{field}` is no valid IDS 1.0 document. {} Correct it and call again.",
            problems.iter().map(|problem| format!("{problem}.")).collect::<Vec<_>>().join(" ")
        );
        Fault::invalid(field, message).with("problems", problems)
    };
    let reading = ids::read(bytes).map_err(|problem| refused(&[short(&problem.to_string())]))?;
    let (mut blocking, mut harmless) = (reading.structure, Vec::new());
    for problem in reading.document.audit() {
        if problem.blocks { blocking.push(problem) } else { harmless.push(problem) }
    }
    if !blocking.is_empty() {
        return Err(refused(&listed(&blocking)));
    }
    Ok((reading.document, harmless))
}

fn listed(problems: &[Problem]) -> Vec<String> {
    let mut listed: Vec<String> =
        problems.iter().take(TOLD).map(|problem| short(&problem.to_string())).collect();
    if problems.len() > TOLD {
        listed.push(format!("… and {} more", problems.len() - TOLD));
    }
    listed
}

/// A text of a stranger, shortened.
fn short(text: &str) -> String {
    let mut letters = text.chars();
    let kept: String = letters.by_ref().take(400).collect();
    if letters.next().is_some() { kept + "…" } else { kept }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Passed => "passed",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
    }
}

fn told(
    model: &Model,
    specification: &ids::Specification,
    result: &SpecificationResult,
    elements: usize,
) -> Specification {
    let applies: Vec<String> = specification.applicability.iter().map(ids::Facet::describe).collect();
    // those of a specification that passed, or that nothing was held against, say nothing that its status does not
    let is_told = elements == usize::MAX || result.status == Status::Failed;
    let requirements = specification.requirements.iter().zip(&result.requirements).filter(|_| is_told).map(
        |(own, result)| RequirementRow {
            requirement: short(&own.describe()),
            passed: result.passed,
            failed: result.failed.len(),
            elements: result
                .failed
                .iter()
                .take(elements)
                .map(|failure| {
                    let mut row = brief(model, failure.id);
                    row.insert("reason".to_owned(), json!(short(&failure.reason)));
                    row
                })
                .collect(),
        },
    );
    let is_prohibited = specification.cardinality == Some(ids::Cardinality::Prohibited);
    let others = result.is_for_others && result.status != Status::Skipped;
    let note = match (&result.reason, others) {
        (Some(reason), _) => Some(short(reason)),
        (None, true) => Some("it is not for the model's schema, and was checked all the same".to_owned()),
        _ => None,
    };
    Specification {
        name: short(&specification.name),
        status: word(result.status),
        applies_to: short(&applies.join("; ")),
        applicable: result.applicable.len(),
        note,
        requirements: requirements.collect(),
        prohibited: if is_prohibited {
            result.applicable.iter().take(elements).map(|id| brief(model, *id)).collect()
        } else {
            Vec::new()
        },
    }
}

/// A specification with as much of it as an answer holds, which says what is left out: elements first, then requirements that are met.
fn fitted(mut own: Specification) -> Specification {
    let counts = |own: &Specification| {
        let rows = own.requirements.iter().map(|row| row.elements.len());
        (rows.sum::<usize>() + own.prohibited.len(), own.requirements.len())
    };
    let before = counts(&own);
    let lists = own.requirements.iter().map(|row| &row.elements).chain([&own.prohibited]);
    let mut elements = lists.map(Vec::len).max().unwrap_or(0);
    while weight(&own) > BUDGET && elements > 0 {
        elements /= 2;
        own.requirements.iter_mut().for_each(|row| row.elements.truncate(elements));
        own.prohibited.truncate(elements);
    }
    if weight(&own) > BUDGET {
        own.requirements.retain(|row| row.failed > 0);
        let room = BUDGET.saturating_sub(weight(&own).saturating_sub(weight(&own.requirements)));
        fit(&mut own.requirements, room);
    }
    let after = counts(&own);
    if before != after {
        let said = own.note.take().map(|note| format!("{note}; ")).unwrap_or_default();
        own.note = Some(format!(
            "{said}for want of room {} elements and {} requirements are left out; the report `json` holds all",
            before.0 - after.0,
            before.1 - after.1
        ));
    }
    own
}

fn written(
    call: &mut IfcCall,
    document: &Document,
    report: &Report,
    model: &Model,
    notes: &[String],
    format: Format,
) -> Result<(), Fault> {
    let stem = file_stem(&document.info.title);
    match format {
        Format::Bcf => as_topics(call, document, report, &stem),
        Format::Html => {
            let about = format!("{} model with {} instances", model.schema().version().as_str(), model.len());
            let page = ids::html(document, report, model, &about, &images(call, report)?);
            call.make_file("report", &format!("{stem}.html"), "text/html", &mut |out| {
                out.write_all(page.as_bytes())
            })
        }
        Format::Json => {
            let all = document.specifications.iter().zip(&report.specifications);
            let all: Vec<Specification> =
                all.map(|(own, result)| told(model, own, result, usize::MAX)).collect();
            let whole = json!({ "title": document.info.title, "met": report.is_met(), "specifications": all, "notes": notes });
            call.make_file("report", &format!("{stem}.json"), "application/json", &mut |out| {
                out.write_all(whole.to_string().as_bytes())
            })
        }
    }
}

/// Images of what fails, by the places of specification and requirement.
fn images(call: &IfcCall, report: &Report) -> Result<ids::Images, Fault> {
    let mut images = ids::Images::new();
    for (at, specification) in report.specifications.iter().enumerate() {
        for (number, requirement) in specification.requirements.iter().enumerate() {
            if images.len() < MOST_IMAGES
                && let Some(image) = topics::image(call, requirement.failed.iter().map(|own| own.id))?
            {
                images.insert((at, number), image);
            }
        }
    }
    Ok(images)
}

/// Writes a topic for each requirement that fails, but for what is waived.
fn as_topics(call: &mut IfcCall, document: &Document, report: &Report, stem: &str) -> Result<(), Fault> {
    let mut found = Found::of_document(call.edit.model(), document, report);
    found.waive(call.edit.model());
    let mut file = TopicFile::new(call, true)?;
    file.findings(call, &found, true)?;
    let (_, bytes) = file.written(project_of(call.edit.model()), Version::V3_0)?;
    call.make_file("report", &format!("{stem}.bcf"), MEDIA_TYPE, &mut |out| out.write_all(&bytes))
}
