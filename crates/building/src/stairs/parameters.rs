//! The parameters that a stair was drawn by, kept with it as properties, so that what is made along it later (a railing)
//! finds its steps again. Lengths are in the file's unit.

use super::layout::{Layout, Measures, Shape, Turn, count};
use super::rule::{HEADROOM, Sized, THICKNESS, Wishes};
use super::run::Build;
use super::site::Placed;
use super::{Manner, opening};
use crate::author::Author;
use crate::frame::Frame;
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
    /// The number of steps before its turn, where that is not the middle.
    pub first: Option<usize>,
    /// Thickness of waist and landings in mm.
    pub thickness: f64,
    /// Clear height over its steps in mm.
    pub headroom: f64,
    /// The riser and the tread that were asked for in mm; what was not is found by rule.
    pub wished: [Option<f64>; 2],
    /// Slabs above are cut for it.
    pub cut: bool,
    /// The material that was asked for.
    pub material: Option<String>,
}

impl Known {
    /// The height that it climbs in mm.
    pub fn height(&self) -> f64 {
        self.measures.riser * count(self.measures.risers)
    }

    /// The wishes that it was drawn by, its measures taken as they are.
    pub fn wishes(&self) -> Wishes {
        let m = &self.measures;
        Wishes {
            riser: self.wished[0],
            tread: self.wished[1],
            width: Some(m.width),
            landing: m.parted.then_some(m.landing),
            gap: Some(m.gap),
            open: Some(self.build == Build::Open),
            thickness: Some(self.thickness),
            headroom: Some(self.headroom),
        }
    }

    /// It as it stands at a frame in the world.
    pub fn placed(&self, frame: &Frame) -> Placed {
        Placed {
            sized: Sized {
                measures: self.measures,
                build: self.build,
                thickness: self.thickness,
                headroom: self.headroom,
            },
            layout: self.layout.clone(),
            first: self.first,
            start: frame.translation.truncate(),
            along: frame.x_axis.truncate(),
        }
    }
}

const SHAPES: [Shape; 5] = [Shape::Straight, Shape::L, Shape::U, Shape::Winder, Shape::Spiral];

/// Keeps a stair's parameters with it.
pub(super) fn keep(
    author: &mut Author,
    stair: Id,
    placed: &Placed,
    manner: &Manner<'_>,
) -> Result<(), Fault> {
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
        ("Headroom", length(placed.sized.headroom)),
        ("Cut", flag(manner.cut)),
    ];
    // what an earlier drawing said is taken back
    let known = author.edit.get(stair).is_some() && psets::get(author.edit, stair, SET, "Shape").is_some();
    match placed.first {
        Some(first) => all.push(("First", whole(first))),
        None if known => all.push(("First", Value::typed("IfcInteger", Value::Integer(-1)))),
        None => {}
    }
    for (name, wish) in [("WishedRiser", manner.wishes.riser), ("WishedTread", manner.wishes.tread)] {
        match wish {
            Some(wish) => all.push((name, length(wish))),
            None if known => all.push((name, length(0.0))),
            None => {}
        }
    }
    if let Some(material) = manner.material {
        all.push(("Material", label(material)));
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
    let first = whole("First");
    let layout = Layout::draw(&measures, first);
    let wish = |name: &str| length(name).filter(|l| *l > 1.0);
    Some(Known {
        measures,
        layout,
        build,
        first,
        thickness: length("Thickness").filter(|l| *l > 1.0).unwrap_or(THICKNESS),
        headroom: length("Headroom").filter(|l| *l > 1.0).unwrap_or(HEADROOM),
        wished: [wish("WishedRiser"), wish("WishedTread")],
        cut: flag("Cut").unwrap_or_else(|| !opening::cut_for(author.edit, stair).is_empty()),
        material: get("Material").and_then(|m| m.as_text().map(ToString::to_string)),
    })
}
