//! Take-offs as tables: with formulas for what is needed with waste, for cost and for carbon.

use super::compare::Difference;
use super::rates::{Rates, main_quantity};
use super::{Collected, Group, Unit};
use contract::Fault;
use ifc::schema::Schema;
use std::collections::BTreeSet;
use tables::{Cell, Column, Formula, Record, Table, Total, arranged};

/// The waste of quantities in percent, and rates, where the caller gave any.
pub(crate) struct Priced<'a> {
    pub schema: &'a Schema,
    pub waste: Option<f64>,
    pub rates: Option<&'a Rates>,
}

impl Priced<'_> {
    fn is_any(&self) -> bool {
        self.waste.is_some() || self.rates.is_some()
    }
}

fn column(key: &str, heading: &str, decimals: Option<u8>) -> Column {
    Column { key: key.to_owned(), heading: heading.to_owned(), decimals, ..Column::default() }
}

/// A column that is computed of others.
fn computed(
    columns: &[Column],
    (key, heading): (&str, &str),
    unit: Option<&str>,
    formula: &str,
) -> Result<Column, Fault> {
    let find = |name: &str| {
        columns.iter().position(|column| column.heading == name).ok_or_else(|| format!("no column {name}"))
    };
    let formula = Formula::parse(formula, &find)
        .map_err(|error| Fault::backend(format!("The formula {formula} is wrong {error}.")))?;
    Ok(Column {
        unit: unit.map(str::to_owned),
        formula: Some(formula),
        total: Some(Total::Sum),
        ..column(key, heading, Some(2))
    })
}

/// The headings of the columns of a grouping.
fn headings(grouping: &[String]) -> impl Iterator<Item = Column> + '_ {
    grouping.iter().map(|name| {
        let mut heading = name.trim().to_owned();
        if let Some(first) = heading.get(..1).map(str::to_uppercase) {
            heading.replace_range(..1, &first);
        }
        column(name, &heading, None)
    })
}

/// The groups without a rate, and the rates without a group.
#[derive(Default)]
pub(crate) struct Unmatched {
    /// Groups that no line of the rates is for.
    pub groups: Vec<String>,
    /// Lines of the rates that are for no group.
    pub lines: Vec<String>,
}

/// A take-off as a table, a row for each quantity of each group; and what has no rate, or is a rate of nothing.
pub(crate) fn rows(
    collected: &Collected,
    grouping: &[String],
    priced: &Priced<'_>,
    title: &str,
) -> Result<(Table, Unmatched), Fault> {
    let mut columns: Vec<Column> = headings(grouping).collect();
    columns.push(column("elements", "Elements", Some(0)));
    columns.push(column("quantity", "Quantity", None));
    columns.push(column("unit", "Unit", None));
    columns.push(column("value", "Value", Some(3)));
    columns.push(column("stored", "Stored", Some(3)));
    columns.push(column("computed", "Computed", Some(3)));
    columns.push(column("difference", "Difference", Some(1)));
    if let Some(last) = columns.last_mut() {
        last.unit = Some("%".to_owned());
    }
    columns.push(column("source", "Source", None));
    price(&mut columns, priced, "Value")?;
    let mut records = Vec::new();
    let (mut unmatched, mut used) = (Unmatched::default(), BTreeSet::new());
    for group in &collected.groups {
        let mut lines = BTreeSet::new();
        let own = of_group(group, grouping, priced, &mut lines);
        if priced.rates.is_some() && lines.is_empty() && !own.is_empty() {
            unmatched.groups.push(group.keys.join(" · "));
        }
        records.extend(own);
        used.extend(lines);
    }
    unmatched.lines = priced.rates.map(|rates| rates.without(&used)).unwrap_or_default();
    compute(&columns, &mut records);
    let rows = arranged(&columns, records, &[], "");
    Ok((Table { title: title.to_owned(), subtitle: Vec::new(), columns, rows, id_heading: None }, unmatched))
}

/// Adds columns for what is needed with waste, for cost and for carbon, of the amounts in a column.
fn price(columns: &mut Vec<Column>, priced: &Priced<'_>, amount: &str) -> Result<(), Fault> {
    if !priced.is_any() {
        return Ok(());
    }
    let mut waste = column("waste", "Waste", Some(1));
    waste.unit = Some("%".to_owned());
    columns.push(waste);
    let formula = format!("[{amount}] * (1 + [Waste] / 100)");
    let mut needed = computed(columns, ("with_waste", "With waste"), None, &formula)?;
    (needed.total, needed.decimals) = (None, Some(3));
    columns.push(needed);
    let Some(rates) = priced.rates else { return Ok(()) };
    let currency = rates.currency.as_deref();
    let mut rate = column("rate", "Rate", Some(2));
    rate.unit = currency.map(|currency| format!("{currency}/unit"));
    columns.push(rate);
    columns.push(computed(columns, ("cost", "Cost"), currency, "[With waste] * [Rate]")?);
    let mut factor = column("carbon_factor", "Carbon factor", Some(3));
    factor.unit = Some("kg CO₂e/unit".to_owned());
    columns.push(factor);
    let formula = "[With waste] * [Carbon factor]";
    columns.push(computed(columns, ("carbon", "Carbon"), Some("kg CO₂e"), formula)?);
    Ok(())
}

/// The cells of those columns for a quantity, before what they compute; and the line of the rates that was used.
fn price_of(
    priced: &Priced<'_>,
    grouping: &[String],
    keys: &[String],
    (quantity, unit, is_main): (&str, Unit, bool),
) -> (Vec<Cell>, Option<usize>) {
    let rate =
        priced.rates.and_then(|rates| rates.find(priced.schema, grouping, keys, quantity, unit, is_main));
    let optional = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Number);
    let mut cells = Vec::new();
    if priced.is_any() {
        // of pieces none is lost unless a rate says so
        let usual = priced.waste.filter(|_| unit != Unit::Piece);
        let waste = rate.and_then(|rate| rate.waste).or(usual).unwrap_or(0.0);
        cells.extend([Cell::Number(waste), Cell::Empty]);
    }
    if priced.rates.is_some() {
        let (cost, carbon) = (rate.and_then(|rate| rate.cost), rate.and_then(|rate| rate.carbon));
        cells.extend([optional(cost), Cell::Empty, optional(carbon), Cell::Empty]);
    }
    (cells, rate.map(|rate| rate.line))
}

/// Computes the columns that have formulas.
fn compute(columns: &[Column], records: &mut [Record]) {
    for record in records {
        for (at, formula) in
            columns.iter().enumerate().filter_map(|(at, column)| Some((at, column.formula.as_ref()?)))
        {
            let value = formula.value(&record.cells);
            if let Some(place) = record.cells.get_mut(at) {
                *place = value;
            }
        }
    }
}

fn of_group(
    group: &Group,
    grouping: &[String],
    priced: &Priced<'_>,
    lines: &mut BTreeSet<usize>,
) -> Vec<Record> {
    let number = |(sum, count): (f64, usize)| if count > 0 { Cell::Number(sum) } else { Cell::Empty };
    let mut records = Vec::new();
    for (name, (unit, sum)) in &group.quantities {
        let mut cells: Vec<Cell> = group.keys.iter().map(|key| Cell::Text(key.clone())).collect();
        cells.push(Cell::Number(group.elements as f64));
        cells.push(Cell::Text(name.clone()));
        cells.push(Cell::Text(unit.label().to_owned()));
        cells.push(Cell::Number(sum.value));
        cells.push(number(sum.stored));
        cells.push(number(sum.computed));
        cells.push(sum.difference().map_or(Cell::Empty, Cell::Number));
        cells.push(Cell::Text(if name == super::collect::COUNT {
            "counted".to_owned()
        } else {
            sum.source()
        }));
        let names = group.quantities.iter().map(|(name, (unit, _))| (name.as_str(), *unit));
        let first = main_quantity(names, *unit) == Some(name.as_str());
        let (more, line) = price_of(priced, grouping, &group.keys, (name, *unit, first));
        cells.extend(more);
        lines.extend(line);
        records.push(Record { id: String::new(), cells });
    }
    records
}

/// The differences of two take-offs as a table; what they cost and emit where there are rates.
pub(crate) fn differences(
    found: &[Difference],
    grouping: &[String],
    priced: &Priced<'_>,
    title: &str,
) -> Result<Table, Fault> {
    let mut columns: Vec<Column> = headings(grouping).collect();
    columns.push(column("quantity", "Quantity", None));
    columns.push(column("unit", "Unit", None));
    columns.push(column("before", "Before", Some(3)));
    columns.push(column("after", "After", Some(3)));
    let mut change = computed(&columns, ("change", "Change"), None, "[After] - [Before]")?;
    (change.total, change.decimals) = (None, Some(3));
    columns.push(change);
    price(&mut columns, priced, "Change")?;
    let record = |one: &Difference| {
        let mut cells: Vec<Cell> = one.keys.iter().map(|key| Cell::Text(key.clone())).collect();
        cells.push(Cell::Text(one.quantity.clone()));
        cells.push(Cell::Text(one.unit.label().to_owned()));
        cells.extend([one.before, one.after, one.change()].map(Cell::Number));
        cells.extend(price_of(priced, grouping, &one.keys, (&one.quantity, one.unit, one.is_main)).0);
        Record { id: String::new(), cells }
    };
    let mut records: Vec<Record> = found.iter().map(record).collect();
    compute(&columns, &mut records);
    let rows = arranged(&columns, records, &[], "");
    Ok(Table { title: title.to_owned(), subtitle: Vec::new(), columns, rows, id_heading: None })
}
