//! Clashes as tools ask for them: two categories, in a model or between two.

use crate::IfcCall;
use crate::elements::label_of;
use crate::opened::{OpenVersion, with_shape};
use crate::selecting::choose;
use crate::topics::guid_of;
use bcf::Guid;
use contract::{Fault, FaultCode};
use geometry::Scene;
use geometry::query::{Index, Interference, Kind, Refused};
use ifc::relations::Links;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use validation::clash::{self, Against, Clash, Clashes, Ignore, Mode as Looked, Wanted};

/// Rows of a matrix at most.
const MOST_ROWS: usize = 100;
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
    /// One wholly within the other.
    Inside,
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
    /// Bonds that pairs are left out for; by default all.
    #[schemars(extend("x-seldom" = true))]
    pub ignore: Option<Vec<Ignore>>,
}

/// A matrix of searches.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected the name of a matrix, or a list of searches")]
#[schemars(inline)]
pub(crate) enum Matrix {
    /// One that comes with the program.
    Named(MatrixName),
    /// Rows of the caller's own.
    Rows(Vec<Search>),
}

/// A matrix that comes with the program.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum MatrixName {
    Disciplines,
}

/// Searches that are made one after another.
pub(crate) struct Asked {
    rows: Vec<Search>,
    is_matrix: bool,
}

/// A clash, and the row of the matrix that found it.
pub(crate) struct Found {
    pub clash: Clash,
    pub row: Option<usize>,
    /// True if both sets were the same, so that which of the pair is the first means nothing.
    pub is_one_set: bool,
}

/// A row of a matrix as it is told.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RowTold {
    source: String,
    target: String,
    total: usize,
    /// The reason for which nothing was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// All that some searches found.
#[derive(Default)]
pub(crate) struct AllFound {
    /// The worst first, each pair once.
    pub found: Vec<Found>,
    pub source_count: usize,
    pub target_count: usize,
    pub rows: Vec<RowTold>,
    pub bound: BTreeMap<String, usize>,
    pub notes: Vec<String>,
    /// The other model or version.
    pub other: Option<Arc<dyn OpenVersion>>,
}

impl Asked {
    /// One search.
    pub(crate) fn one(search: Search) -> Self {
        Self { rows: vec![search], is_matrix: false }
    }

    /// The searches of a matrix, with what its rows ignore unless they say it themselves.
    pub(crate) fn matrix(matrix: &Matrix, ignore: Option<Vec<Ignore>>) -> Result<Self, Fault> {
        let mut rows = match matrix {
            Matrix::Named(MatrixName::Disciplines) => disciplines()?,
            Matrix::Rows(rows) => rows.clone(),
        };
        if rows.is_empty() || rows.len() > MOST_ROWS {
            let problem = format!("Give a matrix of 1 to {MOST_ROWS} rows.");
            return Err(Fault::invalid("matrix", problem));
        }
        for row in &mut rows {
            row.ignore = row.ignore.take().or_else(|| ignore.clone());
        }
        Ok(Self { rows, is_matrix: true })
    }

    /// Makes them on the model as it is now.
    pub(crate) fn run(&self, call: &IfcCall, is_named: bool) -> Result<AllFound, Fault> {
        let other = match call.versions.get(TARGET) {
            None if is_named => Some(call.version(TARGET)?.clone()),
            other => other.cloned(),
        };
        let (scene, index) = (call.scene()?, call.index()?);
        let mut all = AllFound { other: other.clone(), ..AllFound::default() };
        let (mut seen, mut number) = (HashSet::new(), 0);
        for search in &self.rows {
            let row = number;
            number += 1;
            let found = match search.run_on(call, &scene, &index, other.clone()) {
                Ok(found) => found,
                // a discipline that a model does not have is no mistake of a matrix
                Err(fault) if self.is_matrix && is_of_choice(&fault) => {
                    all.rows.push(search.told(0, Some(fault.message)));
                    continue;
                }
                Err(fault) => return Err(fault),
            };
            all.source_count += found.source_count;
            all.target_count += found.target_count;
            for (bond, count) in found.clashes.bound {
                *all.bound.entry(bond).or_default() += count;
            }
            all.notes
                .extend(found.notes.into_iter().filter(|note| !all.notes.contains(note)).collect::<Vec<_>>());
            let before = all.found.len();
            let is_one_set = found.clashes.is_one_set;
            for clash in found.clashes.found {
                let (a, b) = (clash.pair.a, clash.pair.b);
                let key = if other.is_none() { (a.min(b), a.max(b)) } else { (a, b) };
                if seen.insert(key) {
                    all.found.push(Found { clash, row: self.is_matrix.then_some(row), is_one_set });
                }
            }
            if self.is_matrix {
                all.rows.push(search.told(all.found.len() - before, None));
            }
        }
        all.found.sort_by(|p, q| clash::by_weight(&p.clash, &q.clash));
        Ok(all)
    }

    /// The clashes of the version of a role, by GUID with the names of both elements.
    pub(crate) fn before(
        &self,
        call: &IfcCall,
        role: &str,
        other: Option<Arc<dyn OpenVersion>>,
    ) -> Result<BTreeMap<String, (String, String)>, Fault> {
        let version = call.version(role)?.clone();
        let (scene, index) = (version.scene(call.watch.as_ref())?, version.index(call.watch.as_ref())?);
        let mut before = BTreeMap::new();
        for search in &self.rows {
            let found = match search.run_on(call, &scene, &index, other.clone()) {
                Ok(found) => found,
                // nothing of the kind was there then
                Err(fault) if is_of_choice(&fault) => continue,
                Err(fault) => return Err(fault),
            };
            let target = other.as_ref().map_or(version.model(), |other| other.model());
            for clash in &found.clashes.found {
                let guid = clash_guid(version.model(), target, &clash.pair).to_string();
                let names = (label_of(version.model(), clash.pair.a), label_of(target, clash.pair.b));
                before.insert(guid, names);
            }
        }
        Ok(before)
    }
}

/// The rows of the matrix that comes with the program.
fn disciplines() -> Result<Vec<Search>, Fault> {
    let matrix = clash::Matrix::disciplines()
        .map_err(|error| Fault::backend(format!("The matrix of disciplines cannot be read: {error}")))?;
    let search = |row: clash::Row| {
        let mode = match row.mode {
            Some(word) => serde_json::from_value(Value::String(word))
                .map_err(|error| Fault::backend(format!("A mode of the matrix cannot be read: {error}")))?,
            None => Mode::default(),
        };
        Ok(Search {
            source_category: row.source,
            target_category: row.target,
            mode,
            tolerance: row.tolerance,
            clearance: row.clearance,
            ignore: None,
        })
    };
    matrix.rows.into_iter().map(search).collect()
}

/// True if a search was refused because a category has no elements.
fn is_of_choice(fault: &Fault) -> bool {
    let field = fault.data.get("field").and_then(Value::as_str).unwrap_or_default();
    matches!(fault.code, FaultCode::InvalidParams | FaultCode::NotFound)
        && matches!(field, "source_category" | "target_category")
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
    fn told(&self, total: usize, note: Option<String>) -> RowTold {
        RowTold { source: self.source_category.clone(), target: self.target_category.clone(), total, note }
    }

    /// Looks for the pairs; `is_named` says that the caller named another model or version.
    pub(crate) fn run(&self, call: &IfcCall, is_named: bool) -> Result<Searched, Fault> {
        let other = match call.versions.get(TARGET) {
            None if is_named => Some(call.version(TARGET)?.clone()),
            other => other.cloned(),
        };
        let (scene, index) = (call.scene()?, call.index()?);
        self.run_on(call, &scene, &index, other)
    }

    /// The same on a state of the model.
    pub(crate) fn run_on(
        &self,
        call: &IfcCall,
        scene: &Scene,
        index: &Index,
        other: Option<Arc<dyn OpenVersion>>,
    ) -> Result<Searched, Fault> {
        let mode = self.looked()?;
        let model = scene.model();
        let sources = choose(model, "source_category", std::slice::from_ref(&self.source_category))?;
        let target_model = other.as_ref().map_or(model, |other| other.model());
        let targets = choose(target_model, "target_category", std::slice::from_ref(&self.target_category))?;
        let source = part(scene, index, "source_category", &sources)?;
        let target = match &other {
            None => part(scene, index, "target_category", &targets)?,
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
        let ignore = self.ignore.as_deref().unwrap_or(&Ignore::ALL);
        let wanted = Wanted { mode, tolerance: self.tolerance / 1000.0, ignore };
        let found = clash::clashes(model, &source, &against, &wanted, &go_on);
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
            (Mode::Inside, None) => Ok(Looked::Inside),
            (Mode::Clearance, Some(mm)) if mm > 0.0 && mm.is_finite() => Ok(Looked::Clearance(mm / 1000.0)),
            (Mode::Clearance, _) => Err(Fault::invalid(
                "clearance",
                "mode=clearance needs `clearance`: the mm that have to be kept free.",
            )),
            (Mode::Hard | Mode::Duplicate | Mode::Inside, Some(_)) => {
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

/// The GUID of a clash: the same each time, from whichever side it is looked for, and in whichever file its elements lie.
pub(crate) fn clash_guid(source: &Model, target: &Model, pair: &Interference) -> Guid {
    let mut ids = [guid_of(source, pair.a), guid_of(target, pair.b)].map(Option::unwrap_or_default);
    ids.sort();
    Guid::made_of(&[b"clash", ids[0].as_bytes(), ids[1].as_bytes()])
}
