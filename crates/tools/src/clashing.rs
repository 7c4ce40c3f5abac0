//! Clashes as tools ask for them: two categories, in a model or between two.

use crate::IfcCall;
use crate::opened::{OpenVersion, with_shape};
use crate::selecting::choose;
use building::clash::{self, Against, Clashes, Mode as Looked};
use contract::{Fault, FaultCode};
use geometry::Scene;
use geometry::query::{Index, Kind, Refused};
use ifc::relations::Links;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The role of the other model or version.
pub(crate) const TARGET: &str = "target";

/// The kind of clash that is looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Sharing space.
    #[default]
    Hard,
    /// Also nearer than `clearance`.
    Clearance,
    /// The same shape at the same place.
    Duplicate,
}

/// The pairs that are looked for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// IFC class, selector, or a word such as walls, pipes, structure, mep.
    pub source_category: String,
    /// The same, for what they are held against.
    pub target_category: String,
    #[serde(default)]
    pub mode: Mode,
    /// mm of depth that are let pass.
    #[serde(default)]
    pub tolerance: f64,
    /// mm, for mode clearance.
    pub clearance: Option<f64>,
}

/// The pairs found.
pub(crate) struct Searched {
    pub clashes: Clashes,
    /// Elements held against each other.
    pub source_count: usize,
    pub target_count: usize,
    pub notes: Vec<String>,
    /// The other model or version.
    pub other: Option<Arc<dyn OpenVersion>>,
}

impl Searched {
    /// The model of the targets.
    pub(crate) fn target_model<'a>(&'a self, call: &'a IfcCall) -> Model {
        self.other.as_ref().map_or_else(|| call.edit.model().clone(), |other| other.model().clone())
    }
}

impl Search {
    /// Looks for the pairs; `is_named` says that the caller named another model or version.
    pub(crate) fn run(&self, call: &IfcCall, is_named: bool) -> Result<Searched, Fault> {
        let mode = self.looked()?;
        let other = match call.versions.get(TARGET) {
            None if is_named => Some(call.version(TARGET)?.clone()),
            other => other.cloned(),
        };
        let model = call.edit.model();
        let sources = choose(model, "source_category", std::slice::from_ref(&self.source_category))?;
        let target_model = other.as_ref().map_or(model, |other| other.model());
        let targets = choose(target_model, "target_category", std::slice::from_ref(&self.target_category))?;
        let (scene, index) = (call.scene()?, call.index()?);
        let source = part(&scene, &index, "source_category", &sources)?;
        let target = match &other {
            None => part(&scene, &index, "target_category", &targets)?,
            Some(other) => {
                let watch = call.watch.as_ref();
                let (scene, index) = (other.scene(watch)?, other.index(watch)?);
                part(&scene, &index, "target_category", &targets)?
            }
        };
        let against = match &other {
            None => Against::SameVersion(&target),
            Some(other) if is_same_model(call, other.as_ref()) => {
                Against::OtherVersion(&target, other.model())
            }
            Some(_) => Against::OtherModel(&target),
        };
        let watch = call.watch.as_ref();
        watch.begins("looking for clashes");
        let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
        let found = clash::clashes(model, &source, &against, mode, self.tolerance / 1000.0, &go_on);
        let clashes = found.map_err(|refused| not_looked_at(&refused))?;
        let mut notes = Vec::new();
        if let Some(metres) = clash::apart(&source, &target) {
            notes.push(format!(
                "The two sets lie {metres:.1} m apart. If they are of two models, these may not share their origin."
            ));
        }
        Ok(Searched { clashes, source_count: source.len(), target_count: target.len(), notes, other })
    }

    /// The pairs that the arguments ask for.
    fn looked(&self) -> Result<Looked, Fault> {
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(Fault::invalid("tolerance", "`tolerance` is a depth in mm, 0 or more."));
        }
        match (self.mode, self.clearance) {
            (Mode::Hard, None) => Ok(Looked::Hard),
            (Mode::Duplicate, None) => Ok(Looked::Duplicate),
            (Mode::Clearance, Some(mm)) if mm > 0.0 && mm.is_finite() => Ok(Looked::Clearance(mm / 1000.0)),
            (Mode::Clearance, _) => Err(Fault::invalid(
                "clearance",
                "mode=clearance needs `clearance`: the mm that have to be kept free.",
            )),
            (Mode::Hard | Mode::Duplicate, Some(_)) => {
                Err(Fault::invalid("clearance", "`clearance` goes with mode=clearance."))
            }
        }
    }
}

fn part(scene: &Scene, index: &Index, field: &str, ids: &[Id]) -> Result<Index, Fault> {
    let drawn = with_shape(scene, &Links::of_many(scene.model()), ids);
    if drawn.is_empty() {
        let problem = format!("None of the elements of `{field}` has a shape to clash with.");
        return Err(Fault::invalid(field, problem));
    }
    Ok(index.subset(drawn))
}

fn is_same_model(call: &IfcCall, other: &dyn OpenVersion) -> bool {
    let own = call.versions.get("model").and_then(|version| version.name());
    own.zip(other.name()).is_some_and(|(own, other)| own.id == other.id)
}

fn not_looked_at(refused: &Refused) -> Fault {
    match refused {
        Refused::Stopped => Fault::given_up("clash_detection"),
        Refused::TooMany(_) => Fault::new(FaultCode::LimitReached, format!("There are {refused}."))
            .with("field", "source_category"),
    }
}

/// The word for a kind of clash.
pub(crate) fn kind_word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Hard { .. } => "hard",
        Kind::Duplicate { .. } => "duplicate",
        Kind::Inside { .. } => "inside",
        Kind::Contains { .. } => "contains",
        Kind::Touching { .. } => "touching",
        Kind::Clearance { .. } => "clearance",
    }
}
