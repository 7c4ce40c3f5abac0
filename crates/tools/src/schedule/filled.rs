//! Filled-in schedules: the cells that a person changed, written to the elements that their lines are about.

use super::cell_of;
use super::column::Source;
use super::conversion;
use super::template::Template;
use crate::IfcCall;
use crate::elements::find;
use crate::fields::{Field, Reading};
use crate::modelling::author;
use building::parameters;
use contract::Fault;
use ifc::psets::{Detail, templates};
use ifc::schema::Kind;
use ifc::{Id, Model};
use serde_json::{Value, json};
use tables::{Cell, Sheet};

/// A cell that was written or would not be.
pub(crate) struct CellChange {
    /// The line of the file, from 1.
    pub line: usize,
    /// GlobalId.
    pub id: String,
    /// The heading.
    pub column: String,
    pub before: Cell,
    pub after: Cell,
    /// Why it was not written.
    pub refused: Option<String>,
}

/// The outcome of a file.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Lines that are about elements of the model.
    pub lines: usize,
    /// Cells that differ from what was written out, in the file's order.
    pub changes: Vec<CellChange>,
    pub notes: Vec<String>,
}

/// A column of the file.
struct Filled {
    at: usize,
    heading: String,
    key: String,
    unit: Option<String>,
    /// Its place among the values that were written out.
    written: Option<usize>,
    /// True if the headings are those of rooms: with a number beside the name.
    has_number: bool,
}

impl Filled {
    /// The field of an element that the column is about, and the unit of its cells: of text alone, headings of the usual schedules stand for their
    /// fields.
    fn field_of(&self, model: &Model, element: Id) -> (String, Option<String>) {
        let is_a = |class: &str| model.get(element).is_some_and(|e| e.is_a(class));
        let usual =
            if self.written.is_none() { Template::field_of(is_a, &self.key, self.has_number) } else { None };
        match usual {
            Some((field, unit)) => (field.to_owned(), self.unit.clone().or_else(|| unit.map(str::to_owned))),
            None => (self.key.clone(), self.unit.clone()),
        }
    }
}

/// The attributes that a shape hangs on, with the parameters that change both.
const SHAPED: [(&str, &str); 2] = [("OverallWidth", "width"), ("OverallHeight", "height")];
/// Attributes that follow from an element's type.
const TYPED: [&str; 4] = ["PredefinedType", "OperationType", "PartitioningType", "ConstructionType"];

/// A cell that differs from what was written out and from the model, and may be written.
struct Wanted {
    element: Id,
    field: Field,
    /// As its column shows it.
    value: Cell,
    /// From the model's unit to the column's.
    factor: f64,
    unit: Option<String>,
    /// Its place among the changes.
    change: usize,
}

/// Writes the cells of a sheet that were changed. Each is written or refused by itself.
pub(crate) fn write(call: &mut IfcCall, sheet: &Sheet) -> Result<Outcome, Fault> {
    let mut outcome = Outcome::default();
    let columns = columns(sheet, &mut outcome.notes);
    // the model is read as it was before the first change
    let wanted = compared(&Reading::new(call), sheet, &columns, &mut outcome);
    for wanted in &wanted {
        let refused = set(call, wanted).err();
        if let Some(change) = outcome.changes.get_mut(wanted.change) {
            change.refused = refused;
        }
    }
    contradicted(&Reading::new(call), &wanted, &mut outcome);
    Ok(outcome)
}

/// Refuses what another line of the file has since overwritten, as where both are about one type.
fn contradicted(reading: &Reading<'_>, wanted: &[Wanted], outcome: &mut Outcome) {
    for one in wanted {
        let Some(change) = outcome.changes.get_mut(one.change).filter(|own| own.refused.is_none()) else {
            continue;
        };
        let now = scaled(cell_of(reading.model(), &one.field.value(reading, one.element)), one.factor);
        if !is_same(&now, &one.value) {
            change.refused = Some(format!("another line of the file makes it {}", worded(&now)));
        }
    }
}

/// The cells of a sheet that differ from the model; those that cannot be written are refused.
fn compared(reading: &Reading<'_>, sheet: &Sheet, columns: &[Filled], outcome: &mut Outcome) -> Vec<Wanted> {
    let mut all = Vec::new();
    for line in &sheet.lines {
        let ids = line.cells.get(sheet.ids).map(Cell::words).unwrap_or_default();
        let mut is_known = false;
        for id in ids.split_whitespace() {
            let change = |column: &str, (before, after, refused)| CellChange {
                line: line.number,
                id: id.to_owned(),
                column: column.to_owned(),
                before,
                after,
                refused,
            };
            let element = match find(reading.model(), id) {
                Ok(element) => element,
                Err(fault) => {
                    let refused = (Cell::Empty, Cell::Text(id.to_owned()), Some(fault.message));
                    outcome.changes.push(change(super::ID_HEADING, refused));
                    continue;
                }
            };
            is_known = true;
            for column in columns {
                let cell = line.cells.get(column.at).cloned().unwrap_or_default();
                let written = column.written.and_then(|at| sheet.values.get(&ids)?.get(at));
                match one(reading, sheet, element, column, &cell, written) {
                    Ok(None) => {}
                    Ok(Some((before, wanted))) => {
                        let wanted = Wanted { change: outcome.changes.len(), ..wanted };
                        outcome.changes.push(change(&column.heading, (before, wanted.value.clone(), None)));
                        all.push(wanted);
                    }
                    Err((before, why)) => {
                        outcome.changes.push(change(&column.heading, (before, cell, Some(why))));
                    }
                }
            }
        }
        outcome.lines += usize::from(is_known);
    }
    all
}

/// The columns of the file that fields of the model stand for.
fn columns(sheet: &Sheet, notes: &mut Vec<String>) -> Vec<Filled> {
    let mut found = Vec::new();
    let has_number = sheet.headings.iter().any(|heading| heading == "Number");
    let headings = sheet.headings.iter().enumerate();
    for (at, heading) in headings.filter(|(at, heading)| *at != sheet.ids && !heading.is_empty()) {
        let written = sheet.columns.iter().position(|column| column.title == *heading);
        let (key, unit) = match written.and_then(|at| sheet.columns.get(at)) {
            Some(column) => (column.key.clone(), column.unit.clone()),
            None => keyed(heading),
        };
        if written.is_none() && !sheet.columns.is_empty() && !key.contains('.') {
            notes.push(format!("The column `{heading}` was added to the file and is no property (`Set.Property`); it is passed over."));
            continue;
        }
        found.push(Filled { at, heading: heading.clone(), key, unit, written, has_number });
    }
    found
}

/// A heading of a CSV file as field and unit: `OverallWidth (mm)`.
fn keyed(heading: &str) -> (String, Option<String>) {
    let parted = heading.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    match parted {
        Some((key, unit)) if !unit.is_empty() => (key.to_owned(), Some(unit.to_owned())),
        _ => (heading.to_owned(), None),
    }
}

/// The cell before and what is wanted of it, where it differs from what was written out and from the model; else why it is refused.
fn one(
    reading: &Reading<'_>,
    sheet: &Sheet,
    element: Id,
    column: &Filled,
    cell: &Cell,
    written: Option<&Cell>,
) -> Result<Option<(Cell, Wanted)>, (Cell, String)> {
    if written.is_some_and(|written| is_same(written, cell)) {
        return Ok(None);
    }
    let (key, column_unit) = column.field_of(reading.model(), element);
    let source = match Source::parse(&key, &column.heading) {
        Ok(source) => source,
        Err(fault) if written.is_some() || !cell.is_empty() => return Err((Cell::Empty, fault.message)),
        Err(_) => return Ok(None),
    };
    let Source::Field(field) = source else {
        return written.map_or(Ok(None), |written| Err((written.clone(), follows(&column.heading))));
    };
    let current = cell_of(reading.model(), &field.value(reading, element));
    let unit = field.unit(reading, element);
    let kind = kind_of(reading, element, &field);
    let factor = match (&column_unit, &unit) {
        (Some(to), Some(from)) => conversion::factor(from, to),
        _ => Some(1.0),
    };
    let Some(factor) = factor else {
        let (from, to) = (unit.unwrap_or_default(), column_unit.clone().unwrap_or_default());
        return Err((current, format!("the model has it in {from}, and the file in {to}")));
    };
    let shown = scaled(current, factor);
    let value = match read_as(cell, kind.as_ref(), &shown, sheet.has_decimal_commas) {
        Ok(value) => value,
        Err(why) => return Err((shown, why)),
    };
    if is_same(&shown, &value) {
        return Ok(None);
    }
    if !field.is_written() {
        // text without what was written out may hold columns that were never meant to be changed
        return Err((shown, follows(&column.heading)));
    }
    if let Some(written) = written.filter(|written| !is_same(written, &shown)) {
        let why =
            format!("the model has changed since: it had {}, and has {}", worded(written), worded(&shown));
        return Err((shown, why));
    }
    Ok(Some((shown, Wanted { element, field, value, factor, unit, change: 0 })))
}

/// A cell as its column shows it.
fn scaled(cell: Cell, factor: f64) -> Cell {
    match cell {
        Cell::Number(number) => Cell::Number(number * factor),
        other => other,
    }
}

fn follows(heading: &str) -> String {
    format!("{heading} follows from other things of the model and is not written")
}

fn worded(cell: &Cell) -> String {
    if cell.is_empty() { "nothing".to_owned() } else { format!("`{}`", cell.words()) }
}

/// True of two cells that say the same; numbers to a billionth of their size.
fn is_same(a: &Cell, b: &Cell) -> bool {
    match (a, b) {
        // a cell of a workbook cannot tell an empty text from nothing
        (Cell::Empty, Cell::Text(text)) | (Cell::Text(text), Cell::Empty) => text.is_empty(),
        (Cell::Number(a), Cell::Number(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3),
        (Cell::Text(a), Cell::Text(b)) => a == b,
        (Cell::Truth(a), Cell::Truth(b)) => a == b,
        (Cell::Empty, Cell::Empty) => true,
        _ => false,
    }
}

/// The kind of value that a field takes: by what is there, else by the schema or by the standard's property set.
fn kind_of(reading: &Reading<'_>, element: Id, field: &Field) -> Option<Kind> {
    let model = reading.model();
    if let Some(name) = field.attribute() {
        return model.get(element)?.entity()?.attribute(name).map(|attribute| attribute.kind);
    }
    let (set, name) = field.stored()?;
    if let Some(found) = ifc::psets::find_with(&reading.links, element, set, name) {
        match (&found.value, found.detail) {
            (ifc::Value::Typed(of_type, _), _) => return model.schema().kind_of_type(of_type),
            (_, Detail::Quantity(_)) => return Some(Kind::Number),
            _ => {}
        }
    }
    template_kind(model, set, name)
}

fn template_kind(model: &Model, set: &str, name: &str) -> Option<Kind> {
    let schema = model.schema();
    let set = templates::find_set(schema.version(), set)?;
    let property = set.properties.iter().find(|property| property.name == name)?;
    match property.measure(schema) {
        Some(measure) => schema.kind_of_type(measure),
        None => property.quantity_class().map(|_| Kind::Number),
    }
}

/// A cell as a value of the kind that is due; text of CSV is read as such a value.
fn read_as(cell: &Cell, kind: Option<&Kind>, current: &Cell, commas: bool) -> Result<Cell, String> {
    let is_number = match kind {
        Some(kind) => matches!(kind, Kind::Number | Kind::Integer),
        None => matches!(current, Cell::Number(_)),
    };
    let is_truth = match kind {
        Some(kind) => matches!(kind, Kind::Boolean | Kind::Logical),
        None => matches!(current, Cell::Truth(_)),
    };
    match cell {
        Cell::Text(text) if is_number => {
            number(text, commas).map(Cell::Number).ok_or_else(|| format!("`{text}` is no number"))
        }
        Cell::Text(text) if is_truth => {
            truth(text).map(Cell::Truth).ok_or_else(|| format!("`{text}` is neither TRUE nor FALSE"))
        }
        Cell::Number(number) if is_truth && (*number == 0.0 || *number == 1.0) => {
            Ok(Cell::Truth(*number == 1.0))
        }
        Cell::Number(_) | Cell::Truth(_) if matches!(kind, Some(Kind::Text | Kind::Enumeration(_))) => {
            Ok(Cell::Text(cell.words()))
        }
        Cell::Truth(_) if is_number => Err(format!("{} is no number", cell.words())),
        other => Ok(other.clone()),
    }
}

fn number(text: &str, commas: bool) -> Option<f64> {
    let text = text.trim().replace(['\u{a0}', '\u{202f}', ' '], "");
    let plain = if commas && text.contains(',') { text.replace('.', "").replace(',', ".") } else { text };
    plain.parse::<f64>().ok().filter(|number| number.is_finite())
}

fn truth(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "wahr" | "ja" | "vrai" | "oui" | "x" => Some(true),
        "false" | "no" | "falsch" | "nein" | "faux" | "non" => Some(false),
        _ => None,
    }
}

/// Writes one value; everything that hangs on it follows.
fn set(call: &mut IfcCall, wanted: &Wanted) -> Result<(), String> {
    let Wanted { element, field, value: wanted, factor, unit, .. } = wanted;
    let author = &mut author(call);
    let plain = |number: f64| crate::elements::number_json(number);
    let (parameter, value): (String, Value) = match (field.attribute(), wanted) {
        (Some(name), Cell::Number(number)) if SHAPED.iter().any(|(known, _)| *known == name) => {
            let parameter =
                SHAPED.iter().find(|(known, _)| *known == name).map_or(name, |(_, parameter)| parameter);
            let mm = unit.as_ref().and_then(|unit| conversion::factor(unit, "mm")).unwrap_or(1.0);
            (parameter.to_owned(), plain(number / factor * mm))
        }
        (Some(name), _) if SHAPED.iter().any(|(known, _)| *known == name) => {
            return Err(format!("{name} is a size, and needs a number"));
        }
        (Some(name), _) if TYPED.contains(&name) => {
            return Err(format!("{name} is what the element's type says; assign_type gives it another type"));
        }
        (_, Cell::Number(number)) => (field.label.clone(), plain(number / factor)),
        (_, Cell::Text(text)) => (field.label.clone(), json!(text)),
        (_, Cell::Truth(truth)) => (field.label.clone(), json!(truth)),
        (_, Cell::Empty) => (field.label.clone(), Value::Null),
    };
    let savepoint = author.edit.savepoint();
    let done = parameters::modify(author, *element, &parameter, &value);
    match done {
        Ok(_) => {
            author.edit.release(&savepoint).map_err(|error| error.to_string())?;
            Ok(())
        }
        Err(fault) => {
            author.edit.roll_back(&savepoint).map_err(|error| error.to_string())?;
            Err(fault.message.trim_end_matches('.').to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_is_nothing_and_nought_is_not() {
        assert!(is_same(&Cell::Empty, &Cell::Text(String::new())));
        assert!(!is_same(&Cell::Empty, &Cell::Number(0.0)));
        assert!(is_same(&Cell::Number(1.0), &Cell::Number(1.0 + 1e-12)));
        assert!(!is_same(&Cell::Number(1.0), &Cell::Number(1.0 + 1e-6)));
    }
}
