//! An EnergyPlus model as an RDF graph that SPARQL asks: a view on its objects, and no copy of them.
//!
//! # Terms
//!
//! | prefix | of |
//! | --- | --- |
//! | `inst:` | objects by type and name: `inst:Zone.SPACE1-1`, or by handle where they have no name of their own: `inst:Sizing:Zone.id:12` |
//! | `ep:` | types (`ep:BuildingSurface:Detailed`) and fields by their keys in epJSON (`ep:zone_name`, `ep:ceiling_height`), and `ep:name` |
//! | `result:` | results of the latest simulation: `result:heatingDesignLoad_W` of zones, `result:EndUse`, `result:run`; there for queries that mention them alone |
//! | `check:` | findings, as of buildings |
//! | `qudt:`, `unit:` | the unit of a field, at the predicate: `ep:ceiling_height qudt:unit unit:M`; `ep:units` is the schema's own word |
//!
//! A field that refers to another object leads to its node; `ep:refersTo` is any such field. Other values are literals: numbers in the
//! units of the schema, choices in its spelling, texts as they are written. A blank field is no triple, whatever holds by default.
//!
//! Fields that repeat at the end of an object stand at nodes of their own: `?surface ep:vertices ?v . ?v ep:groupNumber 1 ;
//! ep:vertex_x_coordinate ?x`. Where they refer to other objects, the object itself leads there, too: `?list ep:zone_name ?zone`.

mod notes;
mod objects;
mod patterns;
mod results;
#[cfg(test)]
mod tests;
mod units;
mod view;

pub use results::RunResults;

use crate::findings::{Finding, Findings};
use crate::names;
use crate::source::{Asked, Sight, Source};
use contract::Fault;
use energy::check::{Options, Severity, check};
use energy::idf::Document;
use energy::references;
use std::sync::OnceLock;
use view::EnergyView;

/// The beginning of the IRIs of objects.
pub const OBJECTS: &str = "urn:pensaer:object:";

/// The prefixes that every query of energy models knows.
const PREFIXES: [(&str, &str); 9] = [
    ("rdf", names::RDF),
    ("rdfs", names::RDFS),
    ("xsd", names::XSD),
    ("ep", names::EP),
    ("result", names::RESULT),
    ("check", names::CHECK),
    ("qudt", names::QUDT),
    ("unit", names::UNIT),
    ("inst", OBJECTS),
];

/// One EnergyPlus model as a graph.
pub struct EnergyGraph {
    name: String,
    document: Document,
    references: OnceLock<references::Graph>,
    findings: OnceLock<Findings>,
    results: Option<RunResults>,
}

impl EnergyGraph {
    /// A model as the graph of this IRI.
    pub fn new(name: &str, document: Document) -> Self {
        let (references, findings) = (OnceLock::new(), OnceLock::new());
        Self { name: name.to_owned(), document, references, findings, results: None }
    }

    /// The same, with the results of a simulation.
    #[must_use]
    pub fn with_results(self, results: Option<RunResults>) -> Self {
        Self { results, ..self }
    }

    /// The model.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The references between its objects, followed when first asked for.
    fn references(&self) -> &references::Graph {
        self.references.get_or_init(|| references::Graph::from_document(&self.document))
    }

    /// The findings of its checks, made when first asked for.
    fn findings(&self) -> &Findings {
        self.findings.get_or_init(|| {
            let found = check(&self.document, Options::default());
            Findings::new(found.into_iter().enumerate().map(|(at, own)| finding(at, own)).collect(), 0)
        })
    }
}

/// A finding as its node has it, in the words of the report on such models.
fn finding(at: usize, own: energy::check::Finding) -> Finding {
    let kind = serde_json::to_value(own.code).ok().and_then(|code| code.as_str().map(str::to_owned));
    let field = own.field.as_ref().map(|field| format!(": {field}")).unwrap_or_default();
    Finding {
        id: (at + 1).to_string(),
        rule: format!("{}{field}", own.object_type),
        severity: match own.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        kind: kind.unwrap_or_default(),
        message: own.message,
        at: None,
        instance: own.handle.map(|handle| handle.to_string()),
        elements: own.handle.map(|handle| handle.0).into_iter().collect(),
    }
}

/// EnergyPlus models that a query is asked of together: versions of one model, whose objects are the same by type and name.
pub struct EnergyDataset {
    graphs: Vec<EnergyGraph>,
}

impl EnergyDataset {
    /// Some models; the first one is the default graph. None at all, and more than can be counted, are Faults.
    pub fn new(graphs: Vec<EnergyGraph>) -> Result<Self, Fault> {
        if graphs.is_empty() || graphs.len() > usize::from(u16::MAX) {
            return Err(Fault::invalid("graphs", "A query needs between one and 65535 models."));
        }
        Ok(Self { graphs })
    }
}

impl Source for EnergyDataset {
    fn prefixes(&self) -> Vec<(String, String)> {
        PREFIXES.iter().map(|(prefix, iri)| ((*prefix).to_owned(), (*iri).to_owned())).collect()
    }

    fn graph_names(&self) -> Vec<&str> {
        self.graphs.iter().map(|graph| graph.name.as_str()).collect()
    }

    fn view(&self, asked: Asked) -> Box<dyn Sight + '_> {
        Box::new(EnergyView::new(&self.graphs, asked))
    }
}
