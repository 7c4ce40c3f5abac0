//! The parameters that a stair was drawn by, kept with it as properties, so that what is made along it later (a railing)
//! finds its steps again. Lengths are in the file's unit.

use super::layout::{Layout, Measures, Shape, Turn};
use super::run::Build;
use super::site::Placed;
use crate::author::Author;
use contract::Fault;
use ifc::{Id, Value, psets};

/// The set's name.
const SET: &str = "StairParameters";

/// A stair read back.
pub struct Known {
    /// Its measures.
    pub measures: Measures,
    /// Its plan.
    pub layout: Layout,
    /// The way it is built.
    pub build: Build,
}

const SHAPES: [Shape; 5] = [Shape::Straight, Shape::L, Shape::U, Shape::Winder, Shape::Spiral];

/// Keeps a stair's parameters with it.
pub fn keep(author: &mut Author, stair: Id, placed: &Placed) -> Result<(), Fault> {
    let m = &placed.sized.measures;
    let label = |text: &str| Value::typed("IfcLabel", Value::from(text));
    let whole = |n: usize| Value::typed("IfcInteger", Value::Integer(i64::try_from(n).unwrap_or(0)));
    let length =
        |value: f64| Value::typed("IfcLengthMeasure", Value::Real(author.length_in_file_units(value)));
    let flag = |value: bool| Value::typed("IfcBoolean", Value::Boolean(value));
    let thickness = placed.sized.thickness;
    let mut all = vec![
        ("Shape", label(m.shape.word())),
        ("Turn", label(if m.turn == Turn::Left { "left" } else { "right" })),
        ("Risers", whole(m.risers)),
        ("Riser", length(m.riser)),
        ("Tread", length(m.tread)),
        ("Width", length(m.width)),
        ("Landing", length(m.landing)),
        ("Gap", length(m.gap)),
        ("Parted", flag(m.parted)),
        ("Open", flag(placed.sized.build == Build::Open)),
        ("Thickness", length(thickness)),
    ];
    if let Some(first) = placed.first {
        all.push(("First", whole(first)));
    }
    author.describe(stair, SET, &all)
}

/// Reads a stair back; `None` for one of another program.
pub fn known(author: &Author, stair: Id) -> Option<Known> {
    let get = |name: &str| psets::get(author.edit, stair, SET, name);
    let length = |name: &str| Some(author.units().to_mm(get(name)?.as_f64()?));
    let whole = |name: &str| usize::try_from(get(name)?.as_i64()?).ok().filter(|n| *n <= 1000);
    let flag = |name: &str| get(name)?.as_bool();
    let shape = get("Shape")?;
    let shape = shape.as_text()?;
    let turn = get("Turn")?;
    let measures = Measures {
        shape: SHAPES.into_iter().find(|s| s.word() == shape)?,
        turn: if turn.as_text()? == "right" { Turn::Right } else { Turn::Left },
        risers: whole("Risers").filter(|n| *n >= 2)?,
        riser: length("Riser").filter(|l| *l > 1.0)?,
        tread: length("Tread").filter(|l| *l > 1.0)?,
        width: length("Width").filter(|l| *l > 1.0)?,
        landing: length("Landing").filter(|l| *l > 0.0)?,
        gap: length("Gap").filter(|l| *l >= 0.0)?,
        parted: flag("Parted")?,
    };
    let build = if flag("Open")? { Build::Open } else { Build::Solid(length("Thickness")?) };
    let layout = Layout::draw(&measures, whole("First"));
    Some(Known { measures, layout, build })
}
