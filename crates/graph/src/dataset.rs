//! The models that a query is asked of, as named graphs.
//!
//! The first one is also the default graph: what a query asks outside of `GRAPH` is asked of it alone, so that versions of one model do
//! not mix. Versions that are given the same base have the same IRIs for the same elements, and can be compared by them.

use crate::findings::{Findings, MakeFindings};
use crate::names::{self, PREFIXES};
use crate::neighbours::Neighbours;
use contract::{Fault, FaultCode};
use geometry::Scene;
use geometry::query::Index;
use ifc::relations::Links;
use ifc::{Model, SchemaVersion};
use spatial::Layout;
use std::sync::{Arc, OnceLock};

/// The rooms of a model, and its shapes by place.
#[derive(Clone)]
pub struct Surroundings {
    /// The rooms and what lies between them.
    pub layout: Arc<Layout>,
    /// The shapes by place, of which stairs are read.
    pub index: Arc<Index>,
}

/// Makes or fetches the rooms of a model; called once, when a query first asks for what hangs on them.
pub type MakeSurroundings = Arc<dyn Fn() -> Result<Surroundings, Fault> + Send + Sync>;

/// One model as a graph.
pub struct Graph {
    name: String,
    base: String,
    model: Model,
    make: MakeSurroundings,
    make_findings: Option<MakeFindings>,
    neighbours: OnceLock<Result<Neighbours, Fault>>,
    findings: OnceLock<Result<Arc<Findings>, Fault>>,
    has_bare_storeys: OnceLock<bool>,
    has_doubles: OnceLock<bool>,
}

impl Graph {
    /// A model as the graph `name`, whose elements have IRIs of `base` with their GlobalId behind. The name is an IRI such as
    /// `version:12`; another word is percent-encoded behind `graph:`. A base that is no IRI is a Fault. Rooms are made of the model
    /// when asked for.
    pub fn new(name: &str, base: &str, model: Model) -> Result<Self, Fault> {
        let own = model.clone();
        let make = move || {
            let scene = Scene::from_model(&own);
            let index = Arc::new(Index::of_scene(&scene, &|_| true));
            Ok(Surroundings { layout: Arc::new(Layout::from_scene(&scene)), index })
        };
        Self::with_surroundings(name, base, model, Arc::new(make))
    }

    /// The same, with rooms that somebody else keeps.
    pub fn with_surroundings(
        name: &str,
        base: &str,
        model: Model,
        make: MakeSurroundings,
    ) -> Result<Self, Fault> {
        if oxrdf::NamedNode::new(base).is_err() {
            return Err(Fault::invalid("base", format!("{base} is no absolute IRI.")));
        }
        let name = match oxrdf::NamedNode::new(name) {
            Ok(iri) => iri.into_string(),
            Err(_) => format!("graph:{}", names::encode(name, &[])),
        };
        let (has_bare_storeys, has_doubles) = (OnceLock::new(), OnceLock::new());
        let (neighbours, findings) = (OnceLock::new(), OnceLock::new());
        let base = base.to_owned();
        let make_findings = None;
        Ok(Self {
            name,
            base,
            model,
            make,
            make_findings,
            neighbours,
            findings,
            has_bare_storeys,
            has_doubles,
        })
    }

    /// The same, with the findings of checks that somebody else makes and keeps.
    #[must_use]
    pub fn with_findings(mut self, make: MakeFindings) -> Self {
        self.make_findings = Some(make);
        self
    }

    /// Its IRI.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The beginning of the IRIs of its elements.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The version of its schema.
    pub fn schema(&self) -> SchemaVersion {
        self.model.schema().version()
    }

    /// The rooms and what lies between them, made when first asked for.
    pub fn neighbours(&self) -> Result<&Neighbours, Fault> {
        let made = self.neighbours.get_or_init(|| {
            let surroundings = (self.make)()?;
            let links = Links::of_many(&self.model);
            Ok(Neighbours::from_layout(&surroundings.layout, &links, &surroundings.index))
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// The findings of checks, made when first asked for; none where nobody checks.
    pub fn findings(&self) -> Result<&Findings, Fault> {
        let made = self.findings.get_or_init(|| match &self.make_findings {
            Some(make) => make(),
            None => Ok(Arc::default()),
        });
        made.as_ref().map(AsRef::as_ref).map_err(Clone::clone)
    }

    /// True if a storey has no IfcSpace, so that rooms may be found on it.
    pub fn has_bare_storeys(&self) -> bool {
        *self.has_bare_storeys.get_or_init(|| {
            let links = Links::of_many(&self.model);
            let is_space = |id: &ifc::Id| self.model.get(*id).is_some_and(|i| i.is_a("IfcSpace"));
            let storeys = self.model.of_class("IfcBuildingStorey");
            storeys.into_iter().any(|storey| !links.children(storey).iter().any(is_space))
        })
    }

    /// True if two instances have one GlobalId, which a valid model does not have.
    pub(crate) fn has_doubles(&self) -> bool {
        *self.has_doubles.get_or_init(|| {
            let rooted = self.model.of_class("IfcRoot").into_iter();
            let is_second = |id: ifc::Id| {
                let guid = self.model.get(id).and_then(|instance| instance.guid());
                guid.is_some_and(|guid| !guid.is_empty() && self.model.by_guid(&guid) != Some(id))
            };
            rooted.into_iter().any(is_second)
        })
    }
}

/// Models that a query is asked of together.
pub struct Dataset {
    graphs: Vec<Graph>,
}

impl Dataset {
    /// Some models; the first one is the default graph. None at all, more than can be counted, and two of one name are Faults.
    pub fn new(graphs: Vec<Graph>) -> Result<Self, Fault> {
        if graphs.is_empty() || graphs.len() > usize::from(u16::MAX) {
            return Err(Fault::invalid("graphs", "A query needs between one and 65535 models."));
        }
        for (at, graph) in graphs.iter().enumerate() {
            if graphs.iter().take(at).any(|other| other.name == graph.name) {
                let problem = format!("Two graphs are called <{}>.", graph.name);
                return Err(Fault::new(FaultCode::InvalidParams, problem).with("field", "graphs"));
            }
        }
        Ok(Self { graphs })
    }

    /// One model, which is the default graph.
    pub fn of_model(base: &str, model: Model) -> Result<Self, Fault> {
        Self::new(vec![Graph::new("model", base, model)?])
    }

    /// The graphs, the default one first.
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// The prefixes of a query: those of [`PREFIXES`], `inst` for the elements of the default graph, and `inst2`, `inst3`, … for further
    /// bases.
    pub fn prefixes(&self) -> Vec<(String, String)> {
        let mut prefixes: Vec<(String, String)> =
            PREFIXES.iter().map(|(prefix, iri)| ((*prefix).to_owned(), (*iri).to_owned())).collect();
        let mut bases: Vec<&str> = Vec::new();
        for graph in &self.graphs {
            if !bases.contains(&graph.base.as_str()) {
                bases.push(&graph.base);
                let number = if bases.len() == 1 { String::new() } else { bases.len().to_string() };
                prefixes.push((format!("inst{number}"), graph.base.clone()));
            }
        }
        prefixes
    }
}
