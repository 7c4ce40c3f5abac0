//! Sheets: drawings on paper of a standard size with title block, revisions and notes. Their definitions are kept with the model, so that
//! they are drawn again after every edit.

use crate::drawing_request::{self, SheetPicture, SheetView};
use crate::elements::OneOrMore;
use crate::kept_sheets;
use crate::modelling::iso_time;
use crate::opened::file_stem;
use crate::selecting::choose;
use crate::{IfcCall, Tool, given_file, sheet_schedule};
use contract::{Effect, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use documentation::sheet::set::{self, Cover, SetDefinition, SheetSet};
use documentation::sheet::{
    BadSheet, Cache, Keynote, Orientation, Revision, SheetDefinition, Size, TITLE_BLOCKS, Table, TitleBlock,
};
use paper::{pdf, png, svg};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The role of a title block of the caller's own, and its parameter.
const TEMPLATE: &str = "template";
/// Bytes of such a file at most.
const MAX_BYTES: usize = 4 << 20;
/// Sheets of a model at most.
const MOST: usize = 500;
/// Rows of a table at most.
const ROWS: usize = 400;
/// Digits of a version in a revision table.
const SHORT: usize = 8;
/// Dots to the inch of pictures.
const DPI: f64 = 100.0;
/// Notes of a sheet that are told; the others are counted.
const NOTES: usize = 5;

/// Drawings by what they show: after an edit only those are made again that show something of it.
static DRAWN: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

/// The formats of sheets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Format {
    /// All in one document, with bookmarks.
    #[default]
    Pdf,
    /// A file for each.
    Svg,
    /// A picture of each.
    Png,
}

/// The way that a sheet lies.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Lies {
    /// The long side at the bottom.
    Landscape,
    /// The short side at the bottom.
    Portrait,
}

/// A numbered note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Note {
    number: String,
    text: String,
    /// Ids or selector of what it is about.
    elements: Option<OneOrMore>,
}

/// A table: words, or a schedule.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as {\"schedule\": {\"template\": \"door\"}} or {\"title\": \"Ours\", \"header\": [\"Key\"], \"rows\": [[\"1\"]]}"
)]
#[schemars(inline)]
pub struct TableRows {
    #[serde(default)]
    title: String,
    #[serde(default)]
    header: Vec<String>,
    #[serde(default)]
    rows: Vec<Vec<String>>,
    /// Arguments of generate_schedule: drawn from the model each time.
    schedule: Option<Map<String, Value>>,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Makes or replaces the sheet `number`. Without: the kept sheets are drawn.
    views: Option<Vec<SheetView>>,
    /// By default the next, A-101.
    number: Option<String>,
    /// As in its title block.
    name: Option<String>,
    /// A4 to A0, ANSI A to E, ARCH A to E1.
    #[schemars(extend("default" = "A1"))]
    size: Option<String>,
    #[schemars(extend("x-seldom" = true))]
    orientation: Option<Lies>,
    /// iso-large, iso-medium, iso-small, strip; by default by size.
    #[schemars(extend("x-seldom" = true))]
    title_block: Option<String>,
    /// Instead: path or bucket key of an SVG with fields {{title}}.
    #[schemars(extend("x-seldom" = true))]
    template: Option<String>,
    /// Of the title block: {"legal_owner": "…"}.
    #[serde(default)]
    fields: BTreeMap<String, String>,
    /// Hatches and lines of its views.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    legend: bool,
    /// Numbered notes, and what they are about.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    keynotes: Vec<Note>,
    /// Words of your own, or {"schedule": {"template": "door"}}.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    tables: Vec<TableRows>,
    /// Of the model, drawn anew with it.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    pictures: Vec<SheetPicture>,
    /// Text of a row for the revision table of what is drawn.
    revision: Option<String>,
    /// Of the kept ones only these numbers.
    #[schemars(extend("x-seldom" = true))]
    sheets: Option<Vec<String>>,
    /// Numbers that are kept no longer.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    remove: Vec<String>,
    /// A cover and a list of sheets in front, with this title.
    #[schemars(extend("x-seldom" = true))]
    cover: Option<String>,
    #[serde(default)]
    format: Format,
    /// de, en, es, fr, it, nl, tr.
    #[schemars(extend("default" = "en", "x-seldom" = true))]
    language: Option<String>,
    /// Path (.style) or bucket key of a TOML file, as of create_section.
    #[schemars(extend("x-seldom" = true))]
    style: Option<String>,
}

/// A sheet that was drawn.
#[derive(Debug, Serialize, JsonSchema)]
struct Drawn {
    /// Its number.
    sheet_id: String,
    name: String,
    /// Titles of its views with their scales.
    views: Vec<String>,
    /// Fields of the title block that nothing is known for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    empty_fields: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    sheets: Vec<Drawn>,
    /// Views drawn anew; the others were known from before.
    redrawn: usize,
    /// Numbers of the sheets that the model keeps.
    kept: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_sheet", Effect::Modify, run)
        .title("Sheets")
        .toolset(Toolset::Exchange)
        .makes_files()
        .file(FileNeed::Named(NamedFile { role: TEMPLATE.to_owned(), parameter: TEMPLATE.to_owned() }))
        .files(drawing_request::files())
        .long()
        .description(
            "Makes a sheet of views with title block, keeps it with the model and draws it; without views draws the kept ones again, as one set.",
        )
        .example(
            "A plan and an elevation on A2",
            json!({ "views": ["plan:Ground floor", { "view": "elevation:south", "scale": 200 }], "size": "A2", "name": "Ground floor" }),
        )
        .example(
            "A sheet of schedules",
            json!({ "views": [], "size": "A3", "tables": [{ "schedule": { "template": "door" } }], "name": "Doors" }),
        )
        .example("All kept sheets after an edit", json!({}))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let mut kept = kept_sheets::read(call.edit.model());
    let mut changes: BTreeMap<String, Option<SheetDefinition>> = BTreeMap::new();
    for (at, number) in input.remove.iter().enumerate() {
        known(&kept, &format!("remove[{at}]"), number)?;
        kept.remove(number);
        changes.insert(number.clone(), None);
    }
    let wanted: Vec<String> = if input.views.is_some() {
        let sheet = defined(call, &input, &kept)?;
        let number = sheet.number.clone();
        kept.insert(number.clone(), sheet);
        vec![number]
    } else {
        lone(&input)?;
        match &input.sheets {
            Some(numbers) if numbers.is_empty() => {
                return Err(Fault::invalid("sheets", "Name at least one sheet, or leave `sheets` out."));
            }
            Some(numbers) => {
                let all = numbers.iter().enumerate();
                all.map(|(at, number)| {
                    known(&kept, &format!("sheets[{at}]"), number).map(|()| number.clone())
                })
                .collect::<Result<_, _>>()?
            }
            None => kept.keys().cloned().collect(),
        }
    };
    if kept.len() > MOST {
        let problem = format!("A model keeps at most {MOST} sheets.");
        return Err(Fault::new(FaultCode::LimitReached, problem).with("field", "views"));
    }
    if wanted.is_empty() && input.remove.is_empty() {
        return Err(Fault::invalid(
            "views",
            "No sheet is kept yet: give `views`, such as [\"plan:Ground floor\"].",
        ));
    }
    for number in &wanted {
        let Some(sheet) = kept.get_mut(number) else { continue };
        if let Some(text) = &input.revision {
            sheet.revisions.push(revision(call, sheet.revisions.len(), text));
        }
        if input.views.is_some() || input.revision.is_some() {
            changes.insert(number.clone(), Some(sheet.clone()));
        }
    }
    let sheets: Vec<SheetDefinition> = wanted.iter().filter_map(|number| kept.get(number).cloned()).collect();
    let (drawn, redrawn) = if sheets.is_empty() { (None, 0) } else { drawn(call, &input, sheets)? };
    if !changes.is_empty() {
        let changes: Vec<_> = changes.into_iter().collect();
        kept_sheets::write(&mut call.edit, &mut call.guids, &changes)?;
    }
    if let Some(set) = &drawn {
        written(call, &input, set)?;
    }
    let told = drawn.iter().flat_map(|set| &set.sheets).map(told).collect();
    Ok(Output { sheets: told, redrawn, kept: kept.into_keys().collect() })
}

fn known(kept: &BTreeMap<String, SheetDefinition>, field: &str, number: &str) -> Result<(), Fault> {
    if kept.contains_key(number) {
        return Ok(());
    }
    let number: String = number.chars().take(80).collect();
    let all: Vec<&str> = kept.keys().map(String::as_str).collect();
    let near = crate::input::near_matches(&number, all.iter().copied());
    let problem = if all.is_empty() {
        format!("No sheet {number} is kept; none is.")
    } else {
        format!("No sheet {number} is kept; there are {}.", all.join(", "))
    };
    Err(Fault::new(FaultCode::NotFound, problem).with("field", field).with("near_matches", near))
}

/// Refuses what belongs to a sheet that is made, where none is.
fn lone(input: &Input) -> Result<(), Fault> {
    let given = [
        ("number", input.number.is_some()),
        ("name", input.name.is_some()),
        ("size", input.size.is_some()),
        ("orientation", input.orientation.is_some()),
        ("title_block", input.title_block.is_some()),
        ("template", input.template.is_some()),
        ("fields", !input.fields.is_empty()),
        ("legend", input.legend),
        ("keynotes", !input.keynotes.is_empty()),
        ("tables", !input.tables.is_empty()),
        ("pictures", !input.pictures.is_empty()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => {
            let problem = format!("`{name}` belongs to a sheet that is made; give its `views`, too.");
            Err(Fault::invalid(name, problem))
        }
        None => Ok(()),
    }
}

/// The sheet that the arguments define.
fn defined(
    call: &IfcCall,
    input: &Input,
    kept: &BTreeMap<String, SheetDefinition>,
) -> Result<SheetDefinition, Fault> {
    if input.sheets.is_some() {
        return Err(Fault::invalid(
            "sheets",
            "`sheets` are kept ones that are drawn again; leave it or `views` out.",
        ));
    }
    let views = input.views.iter().flatten().enumerate();
    let views = views.map(|(at, view)| view.definition(&format!("views[{at}]"))).collect::<Result<_, _>>()?;
    let pictures = input.pictures.iter().enumerate();
    let model = call.edit.model();
    let pictures = pictures
        .map(|(at, own)| own.definition(model, &format!("pictures[{at}]")))
        .collect::<Result<_, _>>()?;
    let number = input.number.clone().unwrap_or_else(|| next_number(kept));
    let number = number.trim().to_owned();
    if number.is_empty() || number.chars().count() > 40 || number.chars().any(char::is_control) {
        return Err(Fault::invalid("number", "A number has 1 to 40 characters, such as A-101."));
    }
    let size = input.size.as_deref().unwrap_or("A1");
    let size: Size = serde_json::from_value(json!(size.trim().to_uppercase())).map_err(|_| {
        let all: Vec<String> =
            Size::ALL.iter().filter_map(|own| json!(own).as_str().map(str::to_owned)).collect();
        let size: String = size.chars().take(40).collect();
        Fault::invalid("size", format!("There is no size {size}; there are {}.", all.join(", ")))
    })?;
    Ok(SheetDefinition {
        name: input.name.clone().unwrap_or_default(),
        size,
        orientation: input.orientation.map(|lies| match lies {
            Lies::Landscape => Orientation::Landscape,
            Lies::Portrait => Orientation::Portrait,
        }),
        title_block: title_block(call, input)?,
        drawing_area: None,
        fields: input.fields.clone(),
        views,
        legend: input.legend,
        keynotes: keynotes(call, &input.keynotes)?,
        tables: tables(call, &input.tables)?,
        pictures,
        // a sheet that is made anew keeps its history
        revisions: kept.get(&number).map(|own| own.revisions.clone()).unwrap_or_default(),
        number,
    })
}

/// The first number of the row … that is free.
fn next_number(kept: &BTreeMap<String, SheetDefinition>) -> String {
    let numbers = (101..=101 + MOST).map(|number| format!("A-{number}"));
    let mut free = numbers.filter(|number| !kept.contains_key(number));
    free.next().unwrap_or_default()
}

fn title_block(call: &IfcCall, input: &Input) -> Result<TitleBlock, Fault> {
    if let Some(bytes) = given_file::bytes(call, TEMPLATE, TEMPLATE, MAX_BYTES)? {
        if input.title_block.is_some() {
            return Err(Fault::invalid("template", "Give `title_block` or `template`, not both."));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Fault::invalid(TEMPLATE, "The title block is no text in UTF-8."))?;
        return Ok(TitleBlock::Svg(text));
    }
    let Some(name) = &input.title_block else { return Ok(TitleBlock::Standard) };
    let names: Vec<&str> = TITLE_BLOCKS.iter().map(|own| own.0).collect();
    if names.contains(&name.as_str()) {
        return Ok(TitleBlock::Named(name.clone()));
    }
    let problem = format!(
        "No title block is called so; there are {}. One of your own is a `template`.",
        names.join(", ")
    );
    Err(Fault::invalid("title_block", problem))
}

fn keynotes(call: &IfcCall, notes: &[Note]) -> Result<Vec<Keynote>, Fault> {
    let model = call.edit.model();
    let one = |(at, note): (usize, &Note)| {
        let field = format!("keynotes[{at}].elements");
        let ids = match &note.elements {
            Some(elements) => choose(model, &field, &elements.clone().list())?,
            None => Vec::new(),
        };
        let elements = ids.into_iter().filter_map(|id| model.get(id)?.guid()).collect();
        Ok(Keynote { number: note.number.clone(), text: note.text.clone(), elements })
    };
    notes.iter().enumerate().map(one).collect()
}

fn tables(call: &IfcCall, tables: &[TableRows]) -> Result<Vec<Table>, Fault> {
    let one = |(at, own): (usize, &TableRows)| {
        let field = format!("tables[{at}]");
        if own.rows.len() > ROWS {
            let problem = format!("A table on a sheet has at most {ROWS} rows.");
            return Err(Fault::invalid(&format!("{field}.rows"), problem));
        }
        let (title, header, rows) = (own.title.clone(), own.header.clone(), own.rows.clone());
        let schedule = own.schedule.clone().map(Value::Object);
        let table = Table { title, header, rows, schedule, ..Table::default() };
        match &table.schedule {
            Some(_) if !table.header.is_empty() || !table.rows.is_empty() => {
                Err(Fault::invalid(&field, "A table has words of your own, or a schedule."))
            }
            // one that cannot be made is not kept
            Some(_) => sheet_schedule::filled(call, &table, &field).map(|_| table),
            None => Ok(table),
        }
    };
    tables.iter().enumerate().map(one).collect()
}

/// A row of the revision table: the next letter, today, the caller, the version of the model.
fn revision(call: &IfcCall, before: usize, text: &str) -> Revision {
    let date = iso_time(call.time_ms);
    let version = call.versions.get("model").and_then(|own| own.name()?.version.clone());
    Revision {
        index: letters(before),
        date: date.split('T').next().unwrap_or_default().to_owned(),
        by: call.actor.principal.clone(),
        version: version.map(|own| own.to_string().chars().take(SHORT).collect()).unwrap_or_default(),
        text: text.to_owned(),
    }
}

/// A, B … Z, AA, AB …
fn letters(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", letters(more - 1)),
    }
}

/// Draws sheets as a set; also how many views were drawn anew.
fn drawn(
    call: &mut IfcCall,
    input: &Input,
    sheets: Vec<SheetDefinition>,
) -> Result<(Option<SheetSet>, usize), Fault> {
    let style = drawing_request::style(call, input.style.as_deref(), input.language.as_deref())?;
    let sheets =
        sheets.into_iter().map(|sheet| with_schedules(call, sheet)).collect::<Result<Vec<_>, _>>()?;
    let scene = call.scene()?;
    let pictures = drawing_request::pictures(call, &scene, &sheets)?;
    let title = input.cover.clone().unwrap_or_else(|| title_of(&sheets));
    let cover = input.cover.as_ref().map(|title| Cover {
        number: "A-000".to_owned(),
        title: Some(title.clone()),
        lines: Vec::new(),
        picture: None,
    });
    let index = input.cover.as_ref().map(|_| "A-001".to_owned());
    let definition = SetDefinition { title, cover, index, sheets };
    let watch = std::sync::Arc::clone(&call.watch);
    watch.begins("drawing");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let mut cache = DRAWN.lock();
    let before = cache.drawn();
    let found = set::draw(&scene, &definition, &style, &pictures, &mut cache, &go_on);
    let redrawn = cache.drawn() - before;
    let set = found.map_err(bad)?.ok_or_else(|| Fault::given_up("create_sheet"))?;
    Ok((Some(set), redrawn))
}

/// A sheet with the rows of its schedules as the model has them now.
fn with_schedules(call: &IfcCall, mut sheet: SheetDefinition) -> Result<SheetDefinition, Fault> {
    for (at, table) in sheet.tables.iter_mut().enumerate() {
        if table.schedule.is_some() {
            *table = sheet_schedule::filled(call, table, &format!("tables[{at}]"))?;
        }
    }
    Ok(sheet)
}

fn bad(problem: BadSheet) -> Fault {
    let field = match &problem {
        BadSheet::TitleBlock { .. } => "title_block",
        BadSheet::Table { .. } => "tables",
        BadSheet::Set { .. } => "number",
        BadSheet::Picture { .. } => "pictures",
        BadSheet::View { .. } | BadSheet::Room { .. } => "views",
    };
    let words = problem.to_string();
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    Fault::invalid(field, format!("{first}{}.", letters.as_str().trim_end_matches('.')))
}

/// The name of a document of these sheets.
fn title_of(sheets: &[SheetDefinition]) -> String {
    match sheets {
        [one] => format!("{} {}", one.number, one.name).trim().to_owned(),
        _ => "Sheets".to_owned(),
    }
}

/// Writes the files.
fn written(call: &mut IfcCall, input: &Input, set: &SheetSet) -> Result<(), Fault> {
    let bad = |error: paper::Error| Fault::invalid("format", format!("It cannot be written so: {error}."));
    if input.format == Format::Pdf {
        let facts = pdf::Metadata { language: input.language.clone(), ..pdf::Metadata::default() };
        let bytes = set.pdf(&facts).map_err(bad)?;
        let name = format!("{}.pdf", file_stem(&set.title));
        return call.make_file("sheets", &name, "application/pdf", &mut |out| out.write_all(&bytes));
    }
    for sheet in &set.sheets {
        let stem = file_stem(&format!("{} {}", sheet.number, sheet.name));
        let (ending, media_type, bytes) = match input.format {
            Format::Png => {
                ("png", "image/png", png::write(&sheet.page, png::Resolution::DotsPerInch(DPI)).map_err(bad)?)
            }
            Format::Svg | Format::Pdf => ("svg", "image/svg+xml", svg::write(&sheet.page).into_bytes()),
        };
        call.make_file("sheet", &format!("{stem}.{ending}"), media_type, &mut |out| out.write_all(&bytes))?;
    }
    Ok(())
}

fn told(sheet: &documentation::sheet::Sheet) -> Drawn {
    let mut notes: Vec<String> = sheet.notes.iter().take(NOTES).cloned().collect();
    if sheet.notes.len() > notes.len() {
        notes.push(format!("{} more are not listed.", sheet.notes.len() - notes.len()));
    }
    Drawn {
        sheet_id: sheet.number.clone(),
        name: sheet.name.clone(),
        views: sheet.views.iter().map(|view| format!("{} 1:{}", view.title, view.scale)).collect(),
        empty_fields: sheet.empty_fields.clone(),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn revisions_have_letters_in_their_order() {
        assert_eq!([0, 1, 25, 26, 51, 52].map(letters), ["A", "B", "Z", "AA", "AZ", "BA"]);
    }
}
