//! Energy measures: what engineers try on a model every day, each by a few numbers in the units of the field and limited to a part of the
//! model by one kind of selector.
//!
//! [`apply`] answers the changed model and an account: what is different now, before and after, what was taken for granted and by which
//! source, and what was left as it is and why. All measures are applied, in order, or none. A construction or schedule that others use
//! is copied; the two sides of an element stay alike. An outcome that the schema rules out is refused.

mod daylighting;
mod density;
mod facts;
mod glazing;
mod heat_recovery;
mod hvac;
mod ideal_loads;
mod insulate;
mod loads;
mod orientation;
mod photovoltaics;
mod schedule;
mod schedule_values;
mod selector;
mod setpoints;
mod shading;
mod template_system;
#[cfg(test)]
mod tests;
mod ventilation;
mod window_ratio;
mod work;

pub use daylighting::{Daylighting, Dimming};
pub use glazing::ReplaceGlazing;
pub use heat_recovery::HeatRecovery;
pub use ideal_loads::IdealLoads;
pub use insulate::Insulate;
pub use loads::{Equipment, Infiltration, Lighting, Occupancy};
pub use orientation::Turn;
pub use photovoltaics::Photovoltaics;
pub use schedule::{ChangeSchedule, DayValues, Week};
pub use selector::{Orientation, Selector};
pub use setpoints::{Days, Hours, Setpoints};
pub use shading::{Fins, Overhang};
pub use template_system::{SystemKind, TemplateSystem};
pub use ventilation::NaturalVentilation;
pub use window_ratio::WindowToWallRatio;

use crate::check::{self, Finding, Severity};
use crate::idf::{Document, diff};
use contract::Fault;
use facts::Facts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use work::Work;

/// A measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "measure", rename_all = "snake_case")]
pub enum Measure {
    /// Insulation to a U-value.
    Insulate(Insulate),
    /// Other glazing.
    ReplaceGlazing(ReplaceGlazing),
    /// Windows as a share of walls.
    WindowToWallRatio(WindowToWallRatio),
    /// Overhangs above windows.
    Overhang(Overhang),
    /// Fins beside windows.
    Fins(Fins),
    /// Infiltration.
    Infiltration(Infiltration),
    /// Natural ventilation.
    NaturalVentilation(NaturalVentilation),
    /// Power of lights.
    Lighting(Lighting),
    /// Lights dimmed by daylight.
    Daylighting(Daylighting),
    /// Power of equipment.
    Equipment(Equipment),
    /// Density of people.
    Occupancy(Occupancy),
    /// Set points of temperature.
    Setpoints(Setpoints),
    /// Another course of a schedule.
    Schedule(ChangeSchedule),
    /// Heat recovered from exhaust air.
    HeatRecovery(HeatRecovery),
    /// Ideal loads in the place of all systems.
    IdealLoads(IdealLoads),
    /// A system of templates in the place of all systems.
    TemplateSystem(TemplateSystem),
    /// Photovoltaics on roofs.
    Photovoltaics(Photovoltaics),
    /// The building turned.
    Orientation(Turn),
}

/// The kind of element that is insulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    /// Walls to outdoors.
    Wall,
    /// Roofs, and ceilings to outdoors.
    Roof,
    /// Floors to outdoors or to the ground.
    Floor,
    /// Ceilings under another zone, such as an attic.
    Ceiling,
}

impl ElementKind {
    fn word(self) -> &'static str {
        match self {
            Self::Wall => "walls",
            Self::Roof => "roofs",
            Self::Floor => "floors",
            Self::Ceiling => "ceilings",
        }
    }

    /// One of them, with what it borders on.
    fn place(self) -> &'static str {
        match self {
            Self::Wall => "wall to outdoors",
            Self::Roof => "roof to outdoors",
            Self::Floor => "floor to outdoors or the ground",
            Self::Ceiling => "ceiling under another zone",
        }
    }
}

/// The place of insulation in a construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A new outermost layer.
    Outside,
    /// A new innermost layer.
    Inside,
    /// The layer that insulates most is made thicker or thinner.
    Core,
}

impl Place {
    fn word(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Inside => "inside",
            Self::Core => "core",
        }
    }
}

/// A kind of insulation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Insulation {
    /// 0.030 W/(m·K).
    #[default]
    InsulationBoard,
    /// 0.050 W/(m·K).
    Batt,
    /// 0.037 W/(m·K).
    ExpandedPolystyrene,
    /// 0.0245 W/(m·K).
    Polyisocyanurate,
}

/// The films of air that a U-value includes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FilmSource {
    /// Of ISO 6946.
    #[default]
    Iso6946,
    /// Those by which EnergyPlus reports U-factors with film.
    Energyplus,
}

/// The energy that equipment takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fuel {
    /// Electricity.
    #[default]
    Electric,
    /// Gas.
    Gas,
}

/// Something that was taken for granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Assumption {
    /// Its subject.
    pub what: String,
    /// The value that was taken.
    pub value: String,
    /// Where that comes from.
    pub source: String,
}

/// Something that a measure left as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Skipped {
    /// Its subject.
    pub what: String,
    /// Why.
    pub why: String,
}

/// The change that one measure made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// Objects that it was for: surfaces, windows, loads, zones.
    pub count: usize,
    /// The change in a few words.
    pub what: String,
    /// The value before; a mean by area, volume or zone where there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// The value now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<f64>,
    /// The unit of both.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
}

impl Change {
    fn new(count: usize, what: String, before: f64, after: f64, unit: &'static str) -> Self {
        let told = |value: f64| value.is_finite().then(|| crate::digits::to_decimals(value, 4));
        Self { count, what, before: told(before), after: told(after), unit }
    }
}

/// The outcome of one measure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Outcome {
    /// Its name.
    pub measure: String,
    /// The change that it made.
    #[serde(flatten)]
    pub change: Change,
    /// Things taken for granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
    /// Things that it left as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// How many objects of a type are different.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// New ones.
    pub added: usize,
    /// Changed ones.
    pub changed: usize,
    /// Ones that are gone.
    pub removed: usize,
}

/// A model to which measures were applied, and the account of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Applied {
    /// The model now.
    #[serde(skip)]
    pub document: Document,
    /// The outcome of each measure, in order.
    pub measures: Vec<Outcome>,
    /// The objects that differ, by type.
    pub objects: BTreeMap<String, Counts>,
}

impl Measure {
    /// Its name, as it is given.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Insulate(_) => "insulate",
            Self::ReplaceGlazing(_) => "replace_glazing",
            Self::WindowToWallRatio(_) => "window_to_wall_ratio",
            Self::Overhang(_) => "overhang",
            Self::Fins(_) => "fins",
            Self::Infiltration(_) => "infiltration",
            Self::NaturalVentilation(_) => "natural_ventilation",
            Self::Lighting(_) => "lighting",
            Self::Daylighting(_) => "daylighting",
            Self::Equipment(_) => "equipment",
            Self::Occupancy(_) => "occupancy",
            Self::Setpoints(_) => "setpoints",
            Self::Schedule(_) => "schedule",
            Self::HeatRecovery(_) => "heat_recovery",
            Self::IdealLoads(_) => "ideal_loads",
            Self::TemplateSystem(_) => "template_system",
            Self::Photovoltaics(_) => "photovoltaics",
            Self::Orientation(_) => "orientation",
        }
    }

    fn run(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        match self {
            Self::Insulate(own) => own.apply(work, facts),
            Self::ReplaceGlazing(own) => own.apply(work, facts),
            Self::WindowToWallRatio(own) => own.apply(work, facts),
            Self::Overhang(own) => own.apply(work, facts),
            Self::Fins(own) => own.apply(work, facts),
            Self::Infiltration(own) => own.apply(work, facts),
            Self::NaturalVentilation(own) => own.apply(work, facts),
            Self::Lighting(own) => own.apply(work, facts),
            Self::Daylighting(own) => own.apply(work, facts),
            Self::Equipment(own) => own.apply(work, facts),
            Self::Occupancy(own) => own.apply(work, facts),
            Self::Setpoints(own) => own.apply(work, facts),
            Self::Schedule(own) => own.apply(work, facts),
            Self::HeatRecovery(own) => own.apply(work, facts),
            Self::IdealLoads(own) => own.apply(work, facts),
            Self::TemplateSystem(own) => own.apply(work, facts),
            Self::Photovoltaics(own) => own.apply(work, facts),
            Self::Orientation(own) => own.apply(work, facts),
        }
    }
}

/// Applies measures in order, all or none.
///
/// A measure that finds nothing it could change is a fault that says what there is; its data holds the measure's place in `index`. So is
/// an outcome with an error of the schema that the model did not have before.
pub fn apply(document: &Document, measures: &[Measure]) -> Result<Applied, Fault> {
    if measures.is_empty() {
        return Err(Fault::invalid("measures", "Give at least one measure."));
    }
    let mut now = document.clone();
    let mut outcomes = Vec::with_capacity(measures.len());
    for (index, measure) in measures.iter().enumerate() {
        let placed = |fault: Fault| {
            let message = format!("{}: {} Nothing was changed.", measure.name(), fault.message);
            Fault { message, ..fault }.with("index", index).with("measure", measure.name())
        };
        let facts = Facts::from_document(&now);
        let mut work = Work::new(&now);
        let change = measure.run(&mut work, &facts).map_err(placed)?;
        now = work.document;
        outcomes.push(Outcome {
            measure: measure.name().to_owned(),
            change,
            assumptions: work.assumptions,
            skipped: work.skipped,
        });
    }
    if let Some(finding) = new_error(document, &now) {
        let message = format!("The outcome would not run: {} Nothing was changed.", finding.message);
        return Err(Fault::constraint(message)
            .with("object_type", finding.object_type)
            .with("name", finding.name));
    }
    let raw = diff(document, &now);
    let mut objects: BTreeMap<String, Counts> = BTreeMap::new();
    for own in &raw.added {
        objects.entry(own.class.clone()).or_default().added += 1;
    }
    for own in &raw.removed {
        objects.entry(own.class.clone()).or_default().removed += 1;
    }
    for own in &raw.modified {
        objects.entry(own.entity.class.clone()).or_default().changed += 1;
    }
    Ok(Applied { document: now, measures: outcomes, objects })
}

/// The first error of the schema that a model has and had not before.
fn new_error(before: &Document, after: &Document) -> Option<Finding> {
    let errors = |document: &Document| {
        let found = check::check(document, check::Options::default()).into_iter();
        found.filter(|finding| finding.severity == Severity::Error).collect::<Vec<_>>()
    };
    let key = |finding: &Finding| {
        (finding.code, finding.object_type.clone(), finding.name.clone(), finding.field.clone())
    };
    let found = errors(after);
    if found.is_empty() {
        return None;
    }
    let known: HashSet<_> = errors(before).iter().map(key).collect();
    found.into_iter().find(|finding| !known.contains(&key(finding)))
}
