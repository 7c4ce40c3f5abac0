//! A graph as a file: Turtle and JSON-LD, written as the triples are read.
//!
//! The order is that of the model (classes, then the file), so that the same model gives the same bytes. What is found out about a model
//! beside it, findings of checks and results of simulations, is left out: it is not the model's, and changes without it.

use crate::source::{Asked, Sight, Source};
use crate::term::Key;
use contract::{Fault, FaultCode, Watch};
use oxjsonld::JsonLdSerializer;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Term, Triple};
use oxttl::TurtleSerializer;
use std::io::{self, Write};

/// The format of a file of triples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Turtle, with the prefixes of the dataset.
    Turtle,
    /// JSON-LD in expanded terms, with the prefixes as its context.
    JsonLd,
}

/// Triples between two questions whether the file is still wanted.
const STRIDE: u64 = 4096;

/// Writes a graph, by its place in the dataset, to `out`, and returns the number of triples.
pub fn export(
    dataset: &dyn Source,
    graph: usize,
    format: Format,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> Result<u64, Fault> {
    let view = dataset.view(Asked::default());
    let written = write(&*view, &dataset.prefixes(), graph, format, out, watch);
    if let Some(fault) = view.fault() {
        return Err(fault);
    }
    match written {
        Ok(count) => Ok(count),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(Fault::given_up("writing the graph")),
        Err(error) => {
            Err(Fault::new(FaultCode::StorageFailed, format!("The graph could not be written: {error}.")))
        }
    }
}

fn write(
    view: &dyn Sight,
    prefixes: &[(String, String)],
    graph: usize,
    format: Format,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<u64> {
    match format {
        Format::Turtle => {
            let serializer = prefixed(TurtleSerializer::new(), prefixes, |own, (prefix, iri)| {
                own.with_prefix(prefix, iri)
            })?;
            let mut writer = serializer.for_writer(out);
            let count = each(view, graph, watch, |triple| writer.serialize_triple(triple.as_ref()))?;
            writer.finish()?;
            Ok(count)
        }
        Format::JsonLd => {
            let serializer = prefixed(JsonLdSerializer::new(), prefixes, |own, (prefix, iri)| {
                own.with_prefix(prefix, iri)
            })?;
            let mut writer = serializer.for_writer(out);
            let count = each(view, graph, watch, |triple| {
                writer.serialize_quad(triple.in_graph(GraphName::DefaultGraph).as_ref())
            })?;
            writer.finish()?;
            Ok(count)
        }
    }
}

/// A serializer with prefixes, each added by `with`.
fn prefixed<S, E: std::fmt::Display>(
    serializer: S,
    prefixes: &[(String, String)],
    with: impl Fn(S, (&str, &str)) -> Result<S, E>,
) -> io::Result<S> {
    prefixes.iter().try_fold(serializer, |serializer, (prefix, namespace)| {
        with(serializer, (prefix, namespace))
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
    })
}

/// Every triple of a graph, until nobody wants them any more.
fn each(
    view: &dyn Sight,
    graph: usize,
    watch: &dyn Watch,
    mut write: impl FnMut(Triple) -> io::Result<()>,
) -> io::Result<u64> {
    let mut count = 0;
    for triple in view.triples(graph, None, None, None) {
        if count % STRIDE == 0 && !watch.at(count, 0) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if let Some(triple) = to_triple(view, &triple) {
            count += 1;
            write(triple)?;
        }
    }
    Ok(count)
}

/// A triple as it leaves the graph.
fn to_triple(view: &dyn Sight, (subject, predicate, object): &(Key, Key, Key)) -> Option<Triple> {
    let subject: NamedOrBlankNode = match view.to_term(subject) {
        Term::NamedNode(node) => node.into(),
        Term::BlankNode(node) => node.into(),
        Term::Literal(_) => return None,
    };
    let Term::NamedNode(predicate) = view.to_term(predicate) else { return None };
    Some(Triple { subject, predicate, object: view.to_term(object) })
}

/// Triples that a query made, as Turtle with the given prefixes.
pub fn to_turtle(triples: &[Triple], prefixes: &[(String, String)]) -> String {
    // an invalid prefix is left out, and its IRIs are written in full
    let valid: Vec<(String, String)> = prefixes
        .iter()
        .filter(|(_, namespace)| NamedNode::new(namespace.as_str()).is_ok())
        .cloned()
        .collect();
    let serializer =
        prefixed(TurtleSerializer::new(), &valid, |own, (prefix, iri)| own.with_prefix(prefix, iri));
    let mut writer = serializer.unwrap_or_default().for_writer(Vec::new());
    for triple in triples {
        // writing into memory cannot fail
        let _ = writer.serialize_triple(triple.as_ref());
    }
    writer.finish().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
