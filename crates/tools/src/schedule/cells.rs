//! Values of fields as cells.

use crate::elements::shown;
use ifc::Model;
use ifc::selector::Datum;
use serde_json::Value;
use tables::Cell;

/// A value as a cell: instances by their names, several values parted by commas.
pub(crate) fn cell_of(model: &Model, value: &Datum) -> Cell {
    from_json(&shown(model, value))
}

/// A JSON value as a cell.
pub(super) fn from_json(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::Bool(truth) => Cell::Truth(*truth),
        Value::Number(number) => number.as_f64().map_or(Cell::Empty, Cell::Number),
        Value::String(text) => Cell::Text(text.clone()),
        Value::Array(members) => {
            let words: Vec<String> = members.iter().map(words).filter(|words| !words.is_empty()).collect();
            if words.is_empty() { Cell::Empty } else { Cell::Text(words.join(", ")) }
        }
        Value::Object(_) => Cell::Text(words(value)),
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.values().map(words).filter(|words| !words.is_empty());
            members.collect::<Vec<_>>().join(" ")
        }
        other => from_json(other).words(),
    }
}

/// A cell as JSON.
pub(crate) fn json_of(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Text(text) => Value::from(text.clone()),
        Cell::Number(number) => crate::elements::number_json(*number),
        Cell::Truth(truth) => Value::from(*truth),
    }
}
