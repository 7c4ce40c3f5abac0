//! Elements, brought into line or spaced evenly.

use crate::arranged::{Standing, all_standing, chosen};
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::arranging::aligning::{self, Aligned, Edge, Line};
use building::lookup;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The edge that is brought into line.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Align {
    /// Lowest x.
    Left,
    /// Middle in x.
    CenterX,
    /// Highest x.
    Right,
    /// Lowest y.
    Front,
    /// Middle in y.
    CenterY,
    /// Highest y.
    Back,
    /// Lowest z.
    Bottom,
    /// Middle in z.
    CenterZ,
    /// Highest z.
    Top,
}

impl Align {
    fn edge(self) -> (usize, Edge) {
        match self {
            Self::Left => (0, Edge::Low),
            Self::CenterX => (0, Edge::Middle),
            Self::Right => (0, Edge::High),
            Self::Front => (1, Edge::Low),
            Self::CenterY => (1, Edge::Middle),
            Self::Back => (1, Edge::High),
            Self::Bottom => (2, Edge::Low),
            Self::CenterZ => (2, Edge::Middle),
            Self::Top => (2, Edge::High),
        }
    }
}

/// An axis of the world.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Axis {
    X,
    Y,
    Z,
}

/// An element by id or name, or a world coordinate in mm.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the forms; read by hand for better messages")]
enum To {
    Element(String),
    Coordinate(f64),
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// Edge or middle to bring into line.
    align: Option<Align>,
    /// Element whose edge counts, or a coordinate in mm; default: the first element.
    #[schemars(with = "Option<To>")]
    to: Option<Value>,
    /// Axis along which to space evenly, between the first and the last.
    distribute: Option<Axis>,
    /// Gap in mm between them instead; the first stays.
    spacing: Option<f64>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements that were moved.
    moved: Vec<Standing>,
    /// How many were in place already.
    in_place: usize,
    /// GlobalIds of what went along, as of every change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    regenerated: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("align_elements", Effect::Modify, run)
        .description(
            "Brings edges or middles of elements into line, spaces them evenly along an axis, or both.",
        )
        .idempotent()
        .toolset(Toolset::Arranging)
        .event(EventType::ElementsAligned)
        .example(
            "A wall's left edge at 500",
            json!({ "element_ids": ["Wall 1"], "align": "left", "to": 500 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    if input.align.is_none() && input.distribute.is_none() {
        return Err(Fault::invalid("align", "Give `align`, `distribute` or both."));
    }
    if input.align.is_none() && input.to.is_some() {
        return Err(Fault::invalid("to", "`to` goes with `align`, which is missing."));
    }
    if input.distribute.is_none() && input.spacing.is_some() {
        return Err(Fault::invalid("spacing", "`spacing` goes with `distribute`, which is missing."));
    }
    let mut all = Aligned::default();
    if let Some(align) = input.align {
        let line = match &input.to {
            None | Some(Value::Null) => {
                let Some(first) = ids.first().copied() else {
                    return Err(Fault::invalid("element_ids", "None."));
                };
                if ids.len() < 2 {
                    return Err(Fault::invalid(
                        "to",
                        "One element alone is brought into line with something else: give `to`.",
                    ));
                }
                author.assume(format!("to {}", lookup::label(author.edit, first)));
                Line::Element(first)
            }
            Some(Value::String(text)) => Line::Element(lookup::product(author.edit, "to", text)?),
            Some(value) => Line::At(value.as_f64().ok_or_else(|| {
                Fault::invalid(
                    "to",
                    format!("`to` is {value}; it is an element's id or name, or a coordinate in mm."),
                )
            })?),
        };
        let (axis, edge) = align.edge();
        all = aligning::align(author, &ids, axis, edge, line)?;
    }
    if let Some(axis) = input.distribute {
        let axis = match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let spaced = aligning::distribute(author, &ids, axis, input.spacing)?;
        all.moved.extend(spaced.moved);
        all.followed.extend(spaced.followed);
    }
    let Aligned { mut moved, mut followed } = all;
    moved.sort_unstable();
    moved.dedup();
    followed.retain(|id| !moved.contains(id));
    followed.sort_unstable();
    followed.dedup();
    let regenerated = followed.into_iter().map(|id| lookup::guid(author.edit, id)).collect();
    Ok(Output { in_place: ids.len() - moved.len(), moved: all_standing(author, &moved), regenerated })
}
