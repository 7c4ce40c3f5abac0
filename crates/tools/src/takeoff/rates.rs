//! Tables of the caller's: what a unit of something costs and emits, how much of it is lost, and which code an element has.

use super::Unit;
use super::collect::COUNT;
use crate::elements::label_of;
use crate::fields::Reading;
use building::categories;
use contract::{Fault, FaultCode};
use ifc::Id;
use ifc::schema::Schema;
use std::collections::BTreeSet;
use tables::{Cell, Sheet};

/// The headings of columns that choose elements.
const CHOOSE: [&str; 6] = ["class", "type", "material", "classification", "level", "room"];

/// A line of rates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rate {
    /// The line in the file.
    pub line: usize,
    /// Heading and value of what it is for; all must hold.
    chosen: Vec<(String, String)>,
    /// The quantity it is for; without it the first of its unit.
    quantity: Option<String>,
    unit: Unit,
    /// For one unit, in the table's currency.
    pub cost: Option<f64>,
    /// kg CO₂e for one unit.
    pub carbon: Option<f64>,
    /// Percent that is needed besides.
    pub waste: Option<f64>,
}

/// A table of rates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rates {
    rates: Vec<Rate>,
    /// The currency that the heading of the costs names.
    pub currency: Option<String>,
}

fn bad(field: &str, line: usize, problem: String) -> Fault {
    Fault::invalid(field, format!("Line {line} of `{field}`: {problem}.")).with("line", line)
}

/// Reads a table that came with a call.
fn sheet(bytes: &[u8], field: &str) -> Result<Sheet, Fault> {
    tables::read(bytes, None).map_err(|error| {
        let message = format!("The file of `{field}` cannot be read: {error}.");
        Fault::new(FaultCode::UnreadableFile, message).with("field", field)
    })
}

fn words(cells: &[Cell], at: Option<usize>) -> Option<String> {
    let words = cells.get(at?)?.words().trim().to_owned();
    (!words.is_empty()).then_some(words)
}

/// A number of a cell, which in text may have a comma for decimals.
fn number(
    cells: &[Cell],
    at: Option<usize>,
    sheet: &Sheet,
    (field, line): (&str, usize),
) -> Result<Option<f64>, Fault> {
    let Some(words) = words(cells, at) else { return Ok(None) };
    let plain =
        if sheet.has_decimal_commas { words.replace('.', "").replace(',', ".") } else { words.clone() };
    match plain.trim_end_matches('%').trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
        _ => Err(bad(field, line, format!("`{words}` is no number of nought or more"))),
    }
}

impl Rates {
    /// Reads rates: columns that choose (class, type, material, classification, level, room), `quantity`, `unit`, `cost` (`cost (EUR)`),
    /// `carbon`, `waste`.
    pub(crate) fn read(bytes: &[u8], field: &str) -> Result<Self, Fault> {
        let sheet = sheet(bytes, field)?;
        let lower: Vec<String> = sheet.headings.iter().map(|heading| heading.to_lowercase()).collect();
        let plain = |heading: &String| heading.split('(').next().unwrap_or_default().trim().to_owned();
        let at = |name: &str| lower.iter().position(|heading| plain(heading) == name);
        let known = |name: &str| {
            CHOOSE.contains(&name) || ["quantity", "unit", "cost", "carbon", "waste"].contains(&name)
        };
        if let Some(heading) = sheet
            .headings
            .iter()
            .find(|heading| !known(&plain(&heading.to_lowercase())) && !heading.is_empty())
        {
            let message = format!(
                "`{heading}` of `{field}` is no column of rates; there are {}, quantity, unit, cost, carbon, waste.",
                CHOOSE.join(", ")
            );
            return Err(Fault::invalid(field, message));
        }
        let (unit, cost, carbon, waste) = (at("unit"), at("cost"), at("carbon"), at("waste"));
        if unit.is_none() || (cost.is_none() && carbon.is_none() && waste.is_none()) {
            let message = format!("`{field}` needs the column unit, and cost, carbon or waste.");
            return Err(Fault::invalid(field, message));
        }
        let currency = cost.and_then(|at| sheet.headings.get(at)).and_then(|heading| {
            let inner = heading.split_once('(')?.1.split_once(')')?.0.trim();
            (!inner.is_empty()).then(|| inner.to_owned())
        });
        let mut rates = Vec::new();
        for line in &sheet.lines {
            let cells = &line.cells;
            let chosen = CHOOSE.iter().filter_map(|name| Some(((*name).to_owned(), words(cells, at(name))?)));
            let chosen: Vec<(String, String)> = chosen.collect();
            let Some(label) = words(cells, unit) else {
                return Err(bad(field, line.number, "it has no unit".to_owned()));
            };
            let Some(unit) = Unit::named(&label) else {
                let problem = format!("`{label}` is no unit of a take-off; choose of pcs, m, m², m³, kg");
                return Err(bad(field, line.number, problem));
            };
            let read = |at| number(cells, at, &sheet, (field, line.number));
            rates.push(Rate {
                line: line.number,
                chosen,
                quantity: words(cells, at("quantity")),
                unit,
                cost: read(cost)?,
                carbon: read(carbon)?,
                waste: read(waste)?,
            });
        }
        if rates.is_empty() {
            return Err(Fault::invalid(field, format!("`{field}` has no line below its header.")));
        }
        Ok(Self { rates, currency })
    }

    /// The lines of the file that these are not, with what they are for.
    pub(crate) fn without(&self, used: &BTreeSet<usize>) -> Vec<String> {
        let unused = self.rates.iter().filter(|rate| !used.contains(&rate.line));
        let told = |rate: &Rate| {
            let mut words: Vec<&str> = rate.chosen.iter().map(|(_, value)| value.as_str()).collect();
            words.extend(rate.quantity.as_deref());
            words.push(rate.unit.label());
            format!("line {} ({})", rate.line, words.join(", "))
        };
        unused.map(told).collect()
    }

    /// The names that its lines choose by and that the grouping does not have.
    pub(crate) fn missing(&self, grouping: &[String]) -> Vec<String> {
        let mut names: Vec<String> = self
            .rates
            .iter()
            .flat_map(|rate| &rate.chosen)
            .map(|(name, _)| name.clone())
            .filter(|name| !grouping.contains(name))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// The rate of a group's quantity: the line that says most of it; of two the first. `first` says whether the quantity is the first
    /// of its unit in the group, which a line without a quantity is for.
    ///
    /// A class stands for its subtypes, and a category (`walls`) for its classes.
    pub(crate) fn find(
        &self,
        schema: &Schema,
        grouping: &[String],
        keys: &[String],
        quantity: &str,
        unit: Unit,
        first: bool,
    ) -> Option<&Rate> {
        let holds = |(name, value): &(String, String)| {
            let key = grouping.iter().position(|own| own == name).and_then(|at| keys.get(at));
            key.is_some_and(|key| {
                key.eq_ignore_ascii_case(value) || (name == "class" && is_of_class(schema, key, value))
            })
        };
        let fits = |rate: &&Rate| {
            let is_its = match &rate.quantity {
                Some(own) => own.eq_ignore_ascii_case(quantity),
                None => first,
            };
            is_its && rate.unit == unit && rate.chosen.iter().all(holds)
        };
        // of two that say as much the first one counts
        let weight = |rate: &&Rate| {
            (rate.chosen.len() * 2 + usize::from(rate.quantity.is_some()), usize::MAX - rate.line)
        };
        self.rates.iter().filter(fits).max_by_key(weight)
    }
}

/// True of a class that is another or a subtype of it, or of a category.
fn is_of_class(schema: &Schema, class: &str, wanted: &str) -> bool {
    let Some(entity) = schema.entity(class) else { return false };
    let is_a = |name: &str| schema.lineage(entity).any(|above| above.name.eq_ignore_ascii_case(name));
    is_a(wanted) || categories::classes(wanted).is_some_and(|classes| classes.iter().any(|name| is_a(name)))
}

/// The quantities that a line without a quantity is for, the first there is of each unit.
pub(super) fn main_quantity<'q>(names: impl Iterator<Item = (&'q str, Unit)>, unit: Unit) -> Option<&'q str> {
    const MAIN: [&str; 12] = [
        COUNT,
        "NetVolume",
        "GrossVolume",
        "NetSideArea",
        "NetArea",
        "NetFloorArea",
        "GrossSideArea",
        "GrossArea",
        "GrossFloorArea",
        "Area",
        "Length",
        "NetWeight",
    ];
    let of_unit: Vec<&str> = names.filter(|(_, own)| *own == unit).map(|(name, _)| name).collect();
    MAIN.into_iter()
        .find_map(|name| of_unit.iter().find(|own| **own == name).copied())
        .or_else(|| of_unit.first().copied())
}

/// A table from classes, types and materials to codes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mapping {
    lines: Vec<(Vec<(String, String)>, String)>,
}

impl Mapping {
    /// Reads a mapping: the columns class, type, material and code.
    pub(crate) fn read(bytes: &[u8], field: &str) -> Result<Self, Fault> {
        let sheet = sheet(bytes, field)?;
        let lower: Vec<String> = sheet.headings.iter().map(|heading| heading.to_lowercase()).collect();
        let at = |name: &str| lower.iter().position(|heading| heading == name);
        let choose = ["class", "type", "material"];
        let Some(code) = at("code") else {
            return Err(Fault::invalid(
                field,
                format!("`{field}` needs the column code, and class, type or material."),
            ));
        };
        if let Some(heading) =
            lower.iter().find(|name| !choose.contains(&name.as_str()) && *name != "code" && !name.is_empty())
        {
            let message = format!(
                "`{heading}` of `{field}` is no column of codes; there are class, type, material, code."
            );
            return Err(Fault::invalid(field, message));
        }
        let mut lines = Vec::new();
        for line in &sheet.lines {
            let chosen: Vec<(String, String)> = choose
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), words(&line.cells, at(name))?)))
                .collect();
            let Some(code) = words(&line.cells, Some(code)) else {
                return Err(bad(field, line.number, "it has no code".to_owned()));
            };
            if chosen.is_empty() {
                return Err(bad(field, line.number, "it says neither class, type nor material".to_owned()));
            }
            lines.push((chosen, code));
        }
        Ok(Self { lines })
    }

    /// The code of an element: of the line that says most of it, of two the first. A class stands for its subtypes.
    pub(super) fn code(&self, reading: &Reading<'_>, id: Id, material: Option<&str>) -> Option<&str> {
        let model = reading.model();
        let instance = model.get(id)?;
        let of_type = reading.links.type_of(id).map(|of_type| label_of(model, of_type));
        let own_materials = || -> Vec<String> {
            match material {
                Some(material) => vec![material.to_owned()],
                None => reading.links.materials_of(id).into_iter().map(|id| label_of(model, id)).collect(),
            }
        };
        let holds = |(name, value): &(String, String)| match name.as_str() {
            "class" => instance.is_a(value),
            "type" => of_type.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(value)),
            _ => own_materials().iter().any(|own| own.eq_ignore_ascii_case(value)),
        };
        let mut best: Option<(usize, &str)> = None;
        for (chosen, code) in &self.lines {
            if chosen.iter().all(holds) && best.is_none_or(|(said, _)| chosen.len() > said) {
                best = Some((chosen.len(), code));
            }
        }
        best.map(|(_, code)| code)
    }
}
