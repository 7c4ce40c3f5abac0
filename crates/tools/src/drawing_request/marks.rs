//! Marks over a drawing as callers ask for them: findings, a way, the colours of rooms.

use super::Place;
use crate::overlaid;
use building::lookup;
use contract::Fault;
use documentation::drawing::Drawing;
use documentation::overlay::{
    Colouring, Finding, LeftOut, Mark, Marks, Overlaid, Reason, Severity, Spot, Target, Values, Way, lay,
};
use documentation::style::Style;
use glam::DVec3;
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Findings on one drawing at most.
const MOST: usize = 200;

/// A finding to flag.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Flagged {
    /// Id of an element or room, or a point in mm.
    at: Place,
    title: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    severity: Weight,
}

/// The weight of a finding.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Weight {
    Error,
    #[default]
    Warning,
    Info,
}

/// The colours of rooms.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum PlanColours {
    /// By area in six classes.
    Area,
    /// By name.
    Name,
}

/// The marks that a call asks for.
pub(crate) fn marks(model: &Model, findings: &[Flagged], path: Option<&[[f64; 3]]>) -> Result<Marks, Fault> {
    if findings.len() > MOST {
        return Err(Fault::invalid("findings", format!("A drawing has at most {MOST} findings.")));
    }
    let flagged = |(at, own): (usize, &Flagged)| {
        let field = format!("findings[{at}].at");
        let spot = match &own.at {
            Place::Point(p) if p.iter().all(|v| v.is_finite()) => Spot::Point(DVec3::from(*p) / 1000.0),
            Place::Point(_) => {
                return Err(Fault::invalid(&field, "A point has three finite numbers, in mm."));
            }
            Place::Element(id) => {
                Spot::Element(lookup::element(model, &field, id, &["IfcProduct"], "an element")?)
            }
        };
        let severity = match own.severity {
            Weight::Error => Severity::Error,
            Weight::Warning => Severity::Warning,
            Weight::Info => Severity::Note,
        };
        Ok(Finding { spot, severity, title: own.title.clone(), note: own.note.clone() })
    };
    let findings = findings.iter().enumerate().map(flagged).collect::<Result<_, _>>()?;
    let ways = match path {
        Some(points) => vec![Way { points: overlaid::places("path", points)?, name: "1".to_owned() }],
        None => Vec::new(),
    };
    Ok(Marks { findings, ways, rooms: None, elements: None })
}

/// Lays marks over a drawing, and the colours of its rooms; the page and what could not be laid over it.
pub(crate) fn laid(
    drawing: &Drawing,
    mut marks: Marks,
    colours: Option<PlanColours>,
    style: &Style,
) -> Result<(paper::Page, documentation::drawing::Place, Vec<String>), Fault> {
    if let Some(colours) = colours {
        if drawing.rooms.is_empty() {
            return Err(Fault::invalid("rooms", "There are no rooms on this drawing; plans have rooms."));
        }
        let target = |at: usize| {
            drawing.rooms.get(at).and_then(|own| own.id).map_or(Target::Room(at), Target::Element)
        };
        let rooms = drawing.rooms.iter().enumerate();
        let values = match colours {
            PlanColours::Area => {
                let of = rooms.map(|(at, own)| (target(at), own.area)).collect();
                Values::Numbers { unit: "m²".to_owned(), limits: overlaid::AREAS.to_vec(), of }
            }
            PlanColours::Name => {
                let of = rooms.map(|(at, own)| (target(at), own.name.clone())).collect();
                Values::Keys { of }
            }
        };
        marks.rooms = Some(Colouring { title: String::new(), values });
    }
    let Overlaid { page, place, left_out, .. } = lay(drawing, &marks, style);
    Ok((page, place, left_out.iter().map(told).collect()))
}

fn told(left: &LeftOut) -> String {
    let what = match left.mark {
        Mark::Finding(at) => format!("findings[{at}]"),
        Mark::Way(_) => "The path".to_owned(),
        Mark::Room(at) => format!("The colour of room {}", at + 1),
        Mark::Element(at) => format!("The colour of element {}", at + 1),
        Mark::Rows(count) => format!("{count} rows of the list"),
    };
    let why = match left.reason {
        Reason::OffView => "is not drawn: it lies off the view.",
        Reason::PartlyOffView => "is drawn in part: the rest lies off the view.",
        Reason::BadNumbers => "is not drawn: its numbers are no place.",
        Reason::NoRoom => "is not drawn: there is no room for it.",
    };
    format!("{what} {why}")
}
