//! The columns of a schedule as they are made: named, with units, totals and formulas.

use super::column::{Source, Wished, WishedTotal};
use super::{ID_HEADING, Template, Wish, conversion};
use crate::fields::Field;
use contract::Fault;
use tables::{Column, Formula, Total};

/// Columns at most.
const MOST_COLUMNS: usize = 60;
/// Decimals at most.
const MOST_DECIMALS: u8 = 12;

/// A column, with where its values come from.
pub(super) struct Made {
    pub column: Column,
    /// Nothing of a formula.
    pub source: Option<Source>,
    /// The place of it in the caller's arguments.
    pub position: String,
    /// True of a template's column, which stays where nothing has the field.
    pub is_usual: bool,
    /// True where the caller said nothing of a total: the unit decides.
    is_total_open: bool,
}

impl Made {
    /// The field of the model that it shows, if it shows one.
    pub(super) fn field(&self) -> Option<&Field> {
        match &self.source {
            Some(Source::Field(field)) => Some(field),
            _ => None,
        }
    }

    /// True if a caller may mean it by this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let name = name.trim();
        self.column.heading == name || (self.source.is_some() && self.column.key == name)
    }

    /// Takes the unit that was found, and what is usual for it where the caller said nothing.
    pub(super) fn settle(&mut self, unit: Option<String>) {
        let column = &mut self.column;
        if column.decimals.is_none() {
            column.decimals = unit.as_deref().and_then(conversion::decimals);
        }
        if self.is_total_open && unit.as_deref().is_some_and(conversion::adds_up) {
            column.total = Some(Total::Sum);
        }
        column.unit = unit;
    }
}

/// The headings of columns, for people.
pub(super) fn headings(columns: &[Made]) -> String {
    columns.iter().map(|made| made.column.heading.as_str()).collect::<Vec<_>>().join(", ")
}

/// The columns that are asked for.
pub(super) fn columns(wish: &Wish, is_itemized: bool) -> Result<Vec<Made>, Fault> {
    let given = wish.parameters.as_ref().filter(|given| !given.is_empty());
    let wished: Vec<Wished> = match (given, wish.template) {
        (Some(given), _) => given.iter().cloned().map(|one| meant(one.wished(), wish)).collect(),
        (None, Some(template)) => template.columns(),
        (None, None) => {
            let message = "Name the columns, such as [\"Name\", \"storey\", \"Pset_DoorCommon.FireRating\", \"area\"], or a template.";
            return Err(Fault::invalid("parameters", message));
        }
    };
    if wished.len() > MOST_COLUMNS {
        let message = format!("A schedule has at most {MOST_COLUMNS} columns; these are {}.", wished.len());
        return Err(Fault::invalid("parameters", message));
    }
    let mut made: Vec<Made> = Vec::with_capacity(wished.len());
    for (at, one) in wished.iter().enumerate() {
        let position = format!("parameters[{at}]");
        let column = column(one, &position, given.is_none())?;
        if made.iter().any(|other| other.column.heading == column.column.heading) {
            let message =
                format!("Two columns have the heading `{}`; give one another.", column.column.heading);
            return Err(Fault::invalid(&position, message));
        }
        made.push(column);
    }
    if !is_itemized && !made.iter().any(|made| made.column.key == "count") {
        let count = Wished::usual(("count", "Count", None, Some("sum")));
        made.push(column(&count, "parameters", true)?);
    }
    Ok(made)
}

/// A column as it is meant: the heading of a usual schedule of these elements stands for its field.
fn meant(wished: Wished, wish: &Wish) -> Wished {
    let Some(field) = wished.field.as_deref() else { return wished };
    let of_category = || Template::of_category(wish.category.as_deref()?);
    let Some(template) = wish.template.or_else(of_category) else { return wished };
    let usual = template.columns();
    // what is a field already means that: the Name of a room is its number, though a schedule says Name for its long name
    if usual.iter().any(|usual| usual.field.as_deref() == Some(field)) {
        return wished;
    }
    match usual.into_iter().find(|usual| usual.is_headed(field)) {
        Some(usual) => Wished {
            heading: wished.heading.or(usual.heading),
            unit: wished.unit.or(usual.unit),
            decimals: wished.decimals.or(usual.decimals),
            total: wished.total.or(usual.total),
            ..usual
        },
        None => wished,
    }
}

fn column(wished: &Wished, position: &str, is_usual: bool) -> Result<Made, Fault> {
    let total = wished.total(position)?;
    let heading = wished.heading.as_deref().map(str::trim).filter(|heading| !heading.is_empty());
    if heading == Some(ID_HEADING) {
        return Err(Fault::invalid(
            position,
            "The last column has that heading; the ids stand there anyway.",
        ));
    }
    if wished.decimals.is_some_and(|decimals| decimals > MOST_DECIMALS) {
        let message = format!("Up to {MOST_DECIMALS} decimals are shown.");
        return Err(Fault::invalid(&format!("{position}.decimals"), message));
    }
    let (name, source) = match (&wished.field, &wished.formula) {
        (Some(field), None) => (field.trim(), Some(Source::parse(field.trim(), position)?)),
        (None, Some(formula)) => (formula.trim(), None),
        _ => return Err(Fault::invalid(position, "A column has either a field or a formula.")),
    };
    if source.is_none() && heading.is_none() {
        return Err(Fault::invalid(position, "A column with a formula needs a heading."));
    }
    if source.is_none() && total == WishedTotal::Of(Total::Count) {
        let message = "A total of a formula is sum, avg, min or max; count a column of the model.";
        return Err(Fault::invalid(&format!("{position}.total"), message));
    }
    let counted = (name == "count").then_some(Total::Sum);
    let is_editable = source.as_ref().is_some_and(Source::is_editable);
    let column = Column {
        key: name.to_owned(),
        heading: heading.unwrap_or(name).to_owned(),
        unit: wished.unit.clone(),
        decimals: wished.decimals,
        total: match total {
            WishedTotal::Of(total) => Some(total),
            WishedTotal::None => None,
            WishedTotal::Unsaid => counted,
        },
        formula: None,
        is_editable,
    };
    let is_total_open = total == WishedTotal::Unsaid && source.is_some();
    Ok(Made { column, source, position: position.to_owned(), is_usual, is_total_open })
}

/// Adds the column of a field in front, unless there is one.
pub(super) fn ensure(columns: &mut Vec<Made>, name: &str, position: &str) -> Result<(), Fault> {
    match columns.iter().find(|made| made.is_called(name)) {
        Some(made) if made.column.total == Some(Total::Count) => {
            Err(Fault::invalid(position, "A column that forms groups has no total of its own."))
        }
        Some(_) => Ok(()),
        None => {
            let wished = Wished { field: Some(name.to_owned()), ..Wished::default() };
            columns.insert(0, column(&wished, position, false)?);
            Ok(())
        }
    }
}

/// Reads the formulas; one may use every column that has none, and those with formulas before it.
pub(super) fn formulas(columns: &mut [Made]) -> Result<(), Fault> {
    for at in 0..columns.len() {
        let Some(made) = columns.get(at).filter(|made| made.source.is_none()) else { continue };
        let find = |name: &str| {
            let usable = |other: &usize| {
                columns
                    .get(*other)
                    .is_some_and(|made| made.is_called(name) && (made.source.is_some() || *other < at))
            };
            (0..columns.len()).find(usable).ok_or_else(|| {
                let all: Vec<&Made> = columns.iter().filter(|made| made.source.is_some()).collect();
                let names =
                    all.iter().map(|made| made.column.heading.as_str()).collect::<Vec<_>>().join(", ");
                format!("there is no column `{name}` before it; there are {names}")
            })
        };
        let formula = Formula::parse(&made.column.key, &find).map_err(|error| {
            Fault::invalid(&format!("{}.formula", made.position), format!("The formula is wrong {error}."))
        })?;
        if let Some(made) = columns.get_mut(at) {
            let usual = made.column.unit.as_deref().map_or(Some(2), conversion::decimals);
            made.column.decimals = made.column.decimals.or(usual).or(Some(2));
            made.column.formula = Some(formula);
        }
    }
    Ok(())
}
