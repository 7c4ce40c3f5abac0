//! A graph as a file: Turtle and JSON-LD, written as the triples are read.
//!
//! The order is that of the model (classes, then the file), so that the same model gives the same bytes.

use crate::dataset::Dataset;
use crate::term::Key;
use crate::view::View;
use contract::{Fault, FaultCode, Watch};
use oxjsonld::JsonLdSerializer;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term, Triple};
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
    dataset: &Dataset,
    graph: usize,
    format: Format,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> Result<u64, Fault> {
    let view = View::new(dataset);
    let written = match format {
        Format::Turtle => turtle(&view, dataset, graph, out, watch),
        Format::JsonLd => json_ld(&view, dataset, graph, out, watch),
    };
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

/// Every triple of a graph, until nobody wants them any more.
fn each(
    view: &View<'_>,
    graph: usize,
    watch: &dyn Watch,
    mut write: impl FnMut(Triple) -> io::Result<()>,
) -> io::Result<u64> {
    let mut count = 0;
    for triple in view.all(graph) {
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
fn to_triple(view: &View<'_>, (subject, predicate, object): &(Key, Key, Key)) -> Option<Triple> {
    let subject: NamedOrBlankNode = match view.to_term(subject) {
        Term::NamedNode(node) => node.into(),
        Term::BlankNode(node) => node.into(),
        Term::Literal(_) => return None,
    };
    let Term::NamedNode(predicate) = view.to_term(predicate) else { return None };
    Some(Triple { subject, predicate, object: view.to_term(object) })
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error.to_string())
}

fn turtle(
    view: &View<'_>,
    dataset: &Dataset,
    graph: usize,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<u64> {
    let mut serializer = TurtleSerializer::new();
    for (prefix, namespace) in dataset.prefixes() {
        serializer = serializer.with_prefix(prefix, namespace).map_err(invalid)?;
    }
    let mut writer = serializer.for_writer(out);
    let count = each(view, graph, watch, |triple| writer.serialize_triple(triple.as_ref()))?;
    writer.finish()?;
    Ok(count)
}

fn json_ld(
    view: &View<'_>,
    dataset: &Dataset,
    graph: usize,
    out: &mut dyn Write,
    watch: &dyn Watch,
) -> io::Result<u64> {
    let mut serializer = JsonLdSerializer::new();
    for (prefix, namespace) in dataset.prefixes() {
        serializer = serializer.with_prefix(prefix, namespace).map_err(invalid)?;
    }
    let mut writer = serializer.for_writer(out);
    let count = each(view, graph, watch, |triple| {
        let quad = Quad {
            subject: triple.subject,
            predicate: triple.predicate,
            object: triple.object,
            graph_name: GraphName::DefaultGraph,
        };
        writer.serialize_quad(quad.as_ref())
    })?;
    writer.finish()?;
    Ok(count)
}

/// Triples that a query made, as Turtle with the given prefixes.
pub fn to_turtle(triples: &[Triple], prefixes: &[(String, String)]) -> String {
    let mut serializer = TurtleSerializer::new();
    for (prefix, namespace) in prefixes {
        // an invalid one is left out, and its IRIs are written in full
        if NamedNode::new(namespace.as_str()).is_ok()
            && let Ok(with) = serializer.clone().with_prefix(prefix, namespace)
        {
            serializer = with;
        }
    }
    let mut writer = serializer.for_writer(Vec::new());
    for triple in triples {
        // writing into memory cannot fail
        let _ = writer.serialize_triple(triple.as_ref());
    }
    writer.finish().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
