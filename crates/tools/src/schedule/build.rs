//! A schedule made of a model.

use super::column::{Places, Source};
use super::made::{self, Made};
use super::{ID_HEADING, Wish};
use crate::IfcCall;
use crate::elements::id_of;
use crate::fields::Reading;
use crate::selecting::{of_category, of_classes_named};
use crate::stored::disagreements;
use building::categories;
use contract::Fault;
use ifc::Id;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tables::{Cell, Column, Record, Table, arranged, compare};

/// Elements at most.
const MOST_ELEMENTS: usize = 200_000;
/// Elements whose stored quantities are held against their shapes, at most.
const COMPARED: usize = 200;

/// A schedule, and what is to be said of it.
pub(crate) struct Built {
    /// The table.
    pub table: Table,
    /// Elements in it.
    pub elements: usize,
    /// Fields that it is sorted by.
    pub sorted_by: Vec<String>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// Makes a schedule.
pub(crate) fn build(call: &IfcCall, wish: Wish) -> Result<Built, Fault> {
    let reading = Reading::new(call);
    let (selected, mut notes) = elements(&reading, &wish)?;
    if selected.len() > MOST_ELEMENTS {
        let message = format!(
            "A schedule has at most {MOST_ELEMENTS} elements, and these are {}; filter them.",
            selected.len()
        );
        return Err(Fault::invalid("filters", message));
    }
    let is_itemized = wish.itemized && wish.template.is_none_or(super::Template::is_itemized);
    let mut columns = made::columns(&wish, is_itemized)?;
    for (at, name) in wish.group_by.iter().enumerate() {
        made::ensure(&mut columns, name, &format!("group_by[{at}]"))?;
    }
    let place = |name: &String| columns.iter().position(|made| made.is_called(name));
    let grouping: Vec<usize> = wish.group_by.iter().filter_map(place).collect();
    let needs_layout = columns.iter().filter_map(|made| made.source.as_ref()).any(Source::needs_layout);
    let layout = if needs_layout && !selected.is_empty() { Some(call.layout()?) } else { None };
    reading.prepare(columns.iter().filter_map(Made::field), &selected);
    check_names(&reading, &columns, &selected, &mut notes)?;
    let model = Places::new(&reading, layout);
    call.watch.begins("reading values");
    let mut records = records(&model, &mut columns, &selected, &mut notes)?;
    made::formulas(&mut columns)?;
    compute(&columns, &mut records);
    let sort = sort_keys(&wish, &columns, &records)?;
    let ranks = storey_ranks(&reading);
    let sorted_by = sort.iter().map(|(at, down)| {
        let heading = columns.get(*at).map(|made| made.column.heading.clone()).unwrap_or_default();
        if *down { format!("-{heading}") } else { heading }
    });
    let sorted_by: Vec<String> = sorted_by.collect();
    if !is_itemized {
        records = merged(&columns, &grouping, records);
        compute(&columns, &mut records);
    }
    let sortable = |record: &Record, at: usize| -> Cell {
        let cell = record.cells.get(at).cloned().unwrap_or_default();
        let is_storey = columns.get(at).is_some_and(|made| made.column.key == "storey");
        match &cell {
            Cell::Text(name) if is_storey => ranks.get(name).map_or(cell, |rank| Cell::Number(*rank)),
            _ => cell,
        }
    };
    let keys = grouping.iter().map(|at| (*at, false)).chain(sort.iter().copied());
    let keys: Vec<(usize, bool)> = keys.collect();
    records.sort_by(|a, b| {
        let orders = keys.iter().map(|(at, down)| {
            let (a, b) = (sortable(a, *at), sortable(b, *at));
            // what has no value comes last either way
            if *down && !a.is_empty() && !b.is_empty() { compare(&b, &a) } else { compare(&a, &b) }
        });
        orders.fold(Ordering::Equal, Ordering::then)
    });
    told(&reading, &columns, &selected, &mut notes);
    notes.extend(fixed_sizes(&reading, &columns, &selected));
    let columns: Vec<Column> = columns.into_iter().map(|made| made.column).collect();
    let rows = arranged(&columns, records, &grouping, "");
    let title = title(&wish);
    let table = Table { title, subtitle: Vec::new(), columns, rows, id_heading: Some(ID_HEADING.to_owned()) };
    Ok(Built { table, elements: selected.len(), sorted_by, notes })
}

fn title(wish: &Wish) -> String {
    if let Some(title) = wish.title.as_deref().map(str::trim).filter(|title| !title.is_empty()) {
        return title.to_owned();
    }
    if let Some(template) = wish.template {
        return template.title().to_owned();
    }
    let category = wish.category.as_deref().unwrap_or_default();
    let word = category.split(',').next().unwrap_or_default().trim();
    format!("Schedule of {word}")
}

/// The elements that category, template and filters choose.
fn elements(reading: &Reading<'_>, wish: &Wish) -> Result<(Vec<Id>, Vec<String>), Fault> {
    let category = wish.category.as_deref().map(str::trim).filter(|category| !category.is_empty());
    let found = match (category, wish.template) {
        (Some(category), _) => of_category(reading, category, &wish.filters, "category")?,
        (None, Some(template)) => of_classes_named(reading, template.classes(), &wish.filters, "filters")?,
        (None, None) => {
            let words: Vec<&str> = categories::words().collect();
            let message = format!(
                "Name a category: {}, a class such as IfcDoor, or a selector; or a template.",
                words.join(", ")
            );
            return Err(Fault::invalid("category", message));
        }
    };
    Ok((found.elements, found.notes))
}

/// A Fault where a field that the caller named is one that none of the elements has or could have.
fn check_names(
    reading: &Reading<'_>,
    columns: &[Made],
    selected: &[Id],
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    if selected.is_empty() {
        notes.push("No element is chosen, so that the schedule is empty.".to_owned());
        return Ok(());
    }
    // a template's columns stay where nothing is filled in yet: that is for the person who fills them in
    for made in columns.iter().filter(|made| !made.is_usual) {
        if let Some(field) = made.field() {
            field.check(reading, selected, &made.position)?;
        }
    }
    Ok(())
}

/// A record for each element; numbers in the unit of their column.
fn records(
    model: &Places<'_, '_>,
    columns: &mut [Made],
    selected: &[Id],
    notes: &mut Vec<String>,
) -> Result<Vec<Record>, Fault> {
    let ifc = model.reading.model();
    let id = |id: &Id| Record { id: id_of(ifc, *id), cells: vec![Cell::Empty; columns.len()] };
    let mut records: Vec<Record> = selected.iter().map(id).collect();
    for (at, made) in columns.iter_mut().enumerate() {
        let Some(source) = &made.source else { continue };
        let mut values: Vec<Cell> = selected.iter().map(|id| model.cell(source, *id)).collect();
        let measured = |(_, cell): &(&Id, &Cell)| cell.number().is_some();
        // elements may state one property in several units; the first one's is the column's
        let many = matches!(source, Source::Field(field) if field.stored().is_some());
        let mut numbers = selected.iter().zip(&values).filter(measured).map(|(id, _)| *id);
        let first = numbers.next().and_then(|id| model.unit(source, id));
        let (label, factor) = match (&made.column.unit, &first) {
            (Some(to), _) if values.iter().any(|cell| cell.number().is_some()) => {
                super::conversion::wanted(first.as_deref(), to, &format!("{}.unit", made.position))?
            }
            (Some(to), _) => (to.clone(), 1.0),
            (None, Some(unit)) => (unit.clone(), 1.0),
            (None, None) => (String::new(), 1.0),
        };
        let mut strange: BTreeMap<String, usize> = BTreeMap::new();
        for (id, cell) in selected.iter().zip(&mut values) {
            let Some(number) = cell.number() else { continue };
            let own = if many { model.unit(source, *id) } else { first.clone() };
            let factor = match (&own, &first) {
                (Some(own), Some(first)) if own != first => {
                    super::conversion::factor(own, first).map(|f| f * factor)
                }
                _ => Some(factor),
            };
            if let Some(factor) = factor {
                *cell = Cell::Number(tidy(number * factor));
            } else {
                // a number in another unit would be taken for one in this column's
                let own = own.unwrap_or_default();
                *cell = Cell::Text(format!("{} {own}", cell.words()));
                *strange.entry(own).or_default() += 1;
            }
        }
        for (unit, count) in strange {
            notes.push(format!("{}: {count} values are in {unit}, and stand as texts.", made.column.heading));
        }
        made.settle((!label.is_empty()).then_some(label));
        for (record, cell) in records.iter_mut().zip(values) {
            if let Some(place) = record.cells.get_mut(at) {
                *place = cell;
            }
        }
    }
    Ok(records)
}

/// A number without the noise of binary fractions.
fn tidy(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// Computes the columns that have formulas, in their order.
fn compute(columns: &[Made], records: &mut [Record]) {
    for (at, made) in columns.iter().enumerate() {
        let Some(formula) = &made.column.formula else { continue };
        for record in records.iter_mut() {
            let value = formula.value(&record.cells);
            if let Some(place) = record.cells.get_mut(at) {
                *place = value;
            }
        }
    }
}

/// The columns to sort by, and which of them downwards; by default by the first that has values and is no group.
fn sort_keys(wish: &Wish, columns: &[Made], records: &[Record]) -> Result<Vec<(usize, bool)>, Fault> {
    if wish.sort.is_empty() {
        let has_values = |at: usize| {
            records.iter().any(|record| record.cells.get(at).is_some_and(|cell| !cell.is_empty()))
        };
        let is_free = |(at, made): (usize, &Made)| {
            has_values(at) && !wish.group_by.iter().any(|name| made.is_called(name))
        };
        let first = columns.iter().enumerate().position(is_free);
        return Ok(first.map(|at| (at, false)).into_iter().collect());
    }
    let one = |(number, name): (usize, &String)| {
        let (name, down) = name.strip_prefix('-').map_or((name.as_str(), false), |name| (name, true));
        columns.iter().position(|made| made.is_called(name)).map(|at| (at, down)).ok_or_else(|| {
            let message =
                format!("There is no column `{name}` to sort by; there are {}.", made::headings(columns));
            Fault::invalid(&format!("sort[{number}]"), message)
        })
    };
    wish.sort.iter().enumerate().map(one).collect()
}

/// Storeys by name, with their height.
fn storey_ranks(reading: &Reading<'_>) -> HashMap<String, f64> {
    let model = reading.model();
    let storeys = model.of_class("IfcBuildingStorey").into_iter();
    let rank = |id: Id| {
        let placement = model.get(id)?.reference("ObjectPlacement")?;
        Some((crate::elements::label_of(model, id), ifc::placement::world(model, placement)?.translation.z))
    };
    storeys.filter_map(rank).collect()
}

/// One record for those that are alike in all but the columns with totals; their ids stand together.
fn merged(columns: &[Made], grouping: &[usize], records: Vec<Record>) -> Vec<Record> {
    let is_key = |at: &usize| {
        let made = columns.get(*at);
        grouping.contains(at) || made.is_some_and(|made| made.column.total.is_none() && made.source.is_some())
    };
    let keys: Vec<usize> = (0..columns.len()).filter(is_key).collect();
    let mut order: Vec<Vec<Record>> = Vec::new();
    let mut places: HashMap<Vec<(u8, String)>, usize> = HashMap::new();
    for record in records {
        let word = |at: &usize| {
            let cell = record.cells.get(*at).cloned().unwrap_or_default();
            let kind = match cell {
                Cell::Empty => 0,
                Cell::Text(_) => 1,
                Cell::Number(_) => 2,
                Cell::Truth(_) => 3,
            };
            (kind, cell.words())
        };
        let key: Vec<(u8, String)> = keys.iter().map(word).collect();
        let at = *places.entry(key).or_insert_with(|| {
            order.push(Vec::new());
            order.len() - 1
        });
        if let Some(group) = order.get_mut(at) {
            group.push(record);
        }
    }
    let one = |group: Vec<Record>| {
        let ids: Vec<&str> = group.iter().map(|record| record.id.as_str()).collect();
        let cell = |(at, made): (usize, &Made)| {
            let mut cells = group.iter().filter_map(|record| record.cells.get(at));
            match made.column.total {
                Some(total) if !keys.contains(&at) => total.over(cells),
                _ => cells.next().cloned().unwrap_or_default(),
            }
        };
        Record { id: ids.join(" "), cells: columns.iter().enumerate().map(cell).collect() }
    };
    order.into_iter().map(one).collect()
}

/// Says of how many doors and windows the size cannot be written back, since another program drew them by their types.
fn fixed_sizes(reading: &Reading<'_>, columns: &[Made], selected: &[Id]) -> Option<String> {
    let is_size = |made: &Made| ["OverallWidth", "OverallHeight"].contains(&made.column.key.as_str());
    columns.iter().find(|made| is_size(made))?;
    let model = reading.model();
    let is_fixed = |id: &&Id| {
        let fills = ifc::relations::opening_of_filling(model, **id).is_some();
        fills && !building::filling::can_reshape(model, **id)
    };
    let count = selected.iter().filter(is_fixed).count();
    (count > 0).then(|| {
        format!("The shapes of {count} of them are another program's: their widths and heights are not written back by import_schedule.")
    })
}

/// Says on what computed values stand, and which stored ones the shapes contradict.
fn told(reading: &Reading<'_>, columns: &[Made], selected: &[Id], notes: &mut Vec<String>) {
    if selected.is_empty() {
        return;
    }
    let compared = selected.get(..selected.len().min(COMPARED)).unwrap_or(selected);
    for field in columns.iter().filter_map(Made::field) {
        notes.extend(reading.grounds(field, selected));
        notes.extend(disagreements(reading, field, compared));
    }
    let mut seen = BTreeSet::new();
    notes.retain(|note| seen.insert(note.clone()));
}
