//! Drawings as tools ask for them: which view, at which scale, in which style. A view has a name that says all of it, so that whoever
//! is given the name draws the same of any version.

mod marks;
mod name;
mod sheet_picture;
mod sheet_view;
mod style;

pub(crate) use marks::{Flagged, PlanColours, laid, marks};
pub(crate) use sheet_picture::{SheetPicture, pictures};
pub(crate) use sheet_view::SheetView;
pub(crate) use style::{files, style};

use building::lookup;
use contract::Fault;
use documentation::drawing::dimension::End;
use documentation::drawing::{self, Asked, Drawing, Kind, Wanted};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Millimetres above a storey's floor at which a plan is cut.
const PLAN_HEIGHT: f64 = 1200.0;
/// The scales that paper is drawn at.
const SCALES: std::ops::RangeInclusive<f64> = 1.0..=10_000.0;
/// The scale of a drawing where none is given.
const SCALE: f64 = 100.0;

/// The place of the cut.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a cut such as {\"level_id\": \"Ground floor\"} or {\"axis\": \"x\"}"
)]
pub(crate) struct Plane {
    /// For a plan: its storey.
    pub level_id: Option<String>,
    /// mm above that floor.
    #[schemars(extend("default" = 1200))]
    pub height: Option<f64>,
    /// Its ceiling, as in a mirror on the floor.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    pub ceiling: bool,
    /// For a section: a point of the plane, in mm.
    pub origin: Option<[f64; 3]>,
    /// Towards the viewer.
    pub normal: Option<[f64; 3]>,
    /// Uncut: elevation of a side, axonometry from a corner.
    #[schemars(extend("x-seldom" = true))]
    pub side: Option<Side>,
}

/// The side or corner that a building is seen from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum Side {
    North,
    East,
    South,
    West,
    NorthEast,
    SouthEast,
    SouthWest,
    NorthWest,
}

impl Side {
    const ALL: [(Self, &str, [f64; 2]); 8] = [
        (Self::North, "north", [0.0, 1.0]),
        (Self::East, "east", [1.0, 0.0]),
        (Self::South, "south", [0.0, -1.0]),
        (Self::West, "west", [-1.0, 0.0]),
        (Self::NorthEast, "north-east", [1.0, 1.0]),
        (Self::SouthEast, "south-east", [1.0, -1.0]),
        (Self::SouthWest, "south-west", [-1.0, -1.0]),
        (Self::NorthWest, "north-west", [-1.0, 1.0]),
    ];

    fn told(self) -> (&'static str, DVec2) {
        let row = Self::ALL.iter().find(|row| row.0 == self);
        row.map_or(("", DVec2::ZERO), |(_, name, way)| (name, DVec2::from(*way)))
    }
}

/// A dimension that is wanted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    /// An element's id, or a point in mm.
    pub from: Place,
    /// The same.
    pub to: Place,
    /// mm from there to its line, leftwards.
    #[schemars(extend("default" = 0))]
    pub aside: Option<f64>,
}

/// An end of a dimension.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a point [x, y, z] in mm, or an element's id or name")]
#[schemars(inline)]
pub(crate) enum Place {
    /// A point in mm.
    Point([f64; 3]),
    /// An element.
    Element(String),
}

/// A view of a model to scale.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    kind: Kind,
    scale: f64,
    depth: Option<f64>,
}

impl View {
    /// The view that arguments mean: a plan's, a section's or one from outside, not several.
    pub(crate) fn new(
        model: &Model,
        plane: &Plane,
        scale: Option<f64>,
        depth: Option<f64>,
    ) -> Result<Self, Fault> {
        let scale = scale.unwrap_or(SCALE);
        if !SCALES.contains(&scale) {
            return Err(Fault::invalid("scale", "`scale` has to be 1 to 10000: 100 draws at 1:100."));
        }
        if depth.is_some_and(|depth| !(depth > 0.0 && depth.is_finite())) {
            let problem = "`depth` has to be more than 0 mm; leave it out to see all.";
            return Err(Fault::invalid("depth", problem));
        }
        let kind = kind(model, plane)?;
        if depth.is_some() && matches!(kind, Kind::Axonometry { .. }) {
            return Err(Fault::invalid("depth", "An axonometry shows all; leave `depth` out."));
        }
        Ok(Self { kind, scale, depth: depth.map(|mm| mm / 1000.0) })
    }

    /// The kind in the field's words.
    pub(crate) fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Plan { .. } => "plan",
            Kind::CeilingPlan { .. } => "ceiling plan",
            Kind::Section { .. } => "section",
            Kind::Elevation { .. } => "elevation",
            Kind::Axonometry { .. } => "axonometry",
        }
    }

    /// The scale as it is written.
    pub(crate) fn scale(&self) -> String {
        format!("1:{}", self.scale)
    }

    /// Words for the name of its file.
    pub(crate) fn file_words(&self, model: &Model) -> String {
        match self.kind {
            Kind::Plan { storey, .. } | Kind::CeilingPlan { storey, .. } => {
                format!("{}-{}", self.kind(), building::picture::title(model, storey))
            }
            Kind::Elevation { direction } => format!("elevation-{}", name::side(direction)),
            Kind::Axonometry { direction } => format!("axonometry-{}", name::side(direction.truncate())),
            Kind::Section { .. } => self.kind().to_owned(),
        }
    }

    /// The drawing asked of the crate that draws.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted { depth: self.depth, ..Wanted::new(self.kind, self.scale) }
    }
}

/// The kind of view that a plane means.
fn kind(model: &Model, given: &Plane) -> Result<Kind, Fault> {
    let is_finite = |p: &[f64; 3]| p.iter().all(|v| v.is_finite());
    let kind = match (&given.level_id, given.origin, given.normal, given.side) {
        (Some(level), None, None, None) => {
            let storey = lookup::storey(model, "cut_plane.level_id", level)?;
            let height = given.height.unwrap_or(PLAN_HEIGHT) / 1000.0;
            if !height.is_finite() {
                return Err(Fault::invalid("cut_plane.height", "`height` is a number of mm."));
            }
            return Ok(if given.ceiling {
                Kind::CeilingPlan { storey, height }
            } else {
                Kind::Plan { storey, height }
            });
        }
        (None, Some(origin), Some(normal), None) if is_finite(&origin) && is_finite(&normal) => {
            if DVec3::from(normal).length_squared() <= 0.0 {
                let problem = "`normal` must have a direction, such as [0, -1, 0].";
                return Err(Fault::invalid("cut_plane.normal", problem));
            }
            Kind::Section { origin: DVec3::from(origin) / 1000.0, normal: DVec3::from(normal) }
        }
        (None, None, None, Some(side)) => {
            let (_, direction) = side.told();
            if direction.x == 0.0 || direction.y == 0.0 {
                Kind::Elevation { direction }
            } else {
                Kind::Axonometry { direction: direction.extend(1.0) }
            }
        }
        _ => {
            return Err(Fault::invalid(
                "cut_plane",
                "`cut_plane` is one of {level_id, height} for a plan, {origin, normal} for a section, {side} for an elevation.",
            ));
        }
    };
    for (name, is_given) in [("height", given.height.is_some()), ("ceiling", given.ceiling)] {
        if is_given {
            let problem = format!("`{name}` goes with level_id, which a {} has not.", word(&kind));
            return Err(Fault::invalid(&format!("cut_plane.{name}"), problem));
        }
    }
    Ok(kind)
}

fn word(kind: &Kind) -> &'static str {
    if matches!(kind, Kind::Section { .. }) { "section" } else { "view from outside" }
}

/// The dimensions that are wanted.
pub(crate) fn asked(model: &Model, wanted: &[Measure]) -> Result<Vec<Asked>, Fault> {
    let end = |field: String, place: &Place| match place {
        Place::Point(p) if p.iter().all(|v| v.is_finite()) => Ok(End::Point(DVec3::from(*p) / 1000.0)),
        Place::Point(_) => Err(Fault::invalid(&field, "A point has three finite numbers, in mm.")),
        Place::Element(id) => {
            Ok(End::Element(lookup::element(model, &field, id, &["IfcProduct"], "an element")?))
        }
    };
    let one = |(at, own): (usize, &Measure)| {
        let ends =
            [end(format!("measure[{at}].from"), &own.from)?, end(format!("measure[{at}].to"), &own.to)?];
        Ok(Asked { ends, aside: own.aside.unwrap_or(0.0) / 1000.0 })
    };
    wanted.iter().enumerate().map(one).collect()
}

/// Draws a view; a Fault says where there is something to see.
pub(crate) fn drawn(
    scene: &Scene,
    wanted: &Wanted,
    style: &Style,
    go_on: &(dyn Fn(usize, usize) -> bool + Sync),
    tool: &str,
) -> Result<Drawing, Fault> {
    let found = drawing::draw(scene, wanted, style, go_on).map_err(|problem| undrawn(scene, problem))?;
    found.ok_or_else(|| Fault::given_up(tool))
}

/// The Fault of a drawing that cannot be made.
pub(crate) fn undrawn(scene: &Scene, problem: drawing::BadDrawing) -> Fault {
    match problem {
        drawing::BadDrawing::Empty | drawing::BadDrawing::NothingMet => nothing_met(scene),
        other => Fault::invalid("cut_plane", format!("It cannot be drawn: {other}.")),
    }
}

/// Says where there is something to cut.
fn nothing_met(scene: &Scene) -> Fault {
    let drawn = scene.entries().iter().filter(|e| e.is_drawn());
    let whole = drawn.fold(geometry::Bounds::EMPTY, |all, e| all.join(&e.bounds)).scaled(1000.0);
    let fault = Fault::constraint(
        "The plane meets nothing, and nothing is seen beyond it. Move it into the model's box, or turn it.",
    );
    let fault = fault.with("field", "cut_plane");
    if whole.is_empty() { fault } else { fault.with("bbox", crate::elements::box_json(&whole)) }
}
