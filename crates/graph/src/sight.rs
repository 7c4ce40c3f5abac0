//! Buildings as the evaluator asks them: the dataset during one query, by all that is known of it.

use crate::dataset::{Dataset, Graph};
use crate::mentions::Mentions;
use crate::source::{Asked, Explained, Iris, Sight, Source, Triples};
use crate::term::{self, Key, Part};
use crate::view::View;
use contract::Fault;
use oxrdf::Term;
use std::rc::Rc;

impl Source for Dataset {
    fn prefixes(&self) -> Vec<(String, String)> {
        Self::prefixes(self)
    }

    fn graph_names(&self) -> Vec<&str> {
        self.graphs().iter().map(Graph::name).collect()
    }

    fn view(&self, asked: Asked) -> Box<dyn Sight + '_> {
        Box::new(View::new(self, asked))
    }
}

impl Sight for View<'_> {
    fn iris(&self) -> &Iris {
        &self.iris
    }

    fn graph_names(&self) -> Vec<&str> {
        self.graphs().iter().map(|graph| graph.graph.name()).collect()
    }

    fn triples<'a>(
        &'a self,
        at: usize,
        subject: Option<&Key>,
        predicate: Option<&Key>,
        object: Option<&Key>,
    ) -> Triples<'a> {
        self.fitting(at, subject, predicate, object)
    }

    fn to_term(&self, key: &Key) -> Term {
        match key.part() {
            Part::Node { graph, id } => self.iri_of_node(*graph, *id).into(),
            Part::Name(number) => term::iri(self.text(*number).to_string()).into(),
            Part::Other(term) => term.as_ref().clone(),
            literal => term::to_literal(literal).map_or_else(|| oxrdf::Literal::from("").into(), Into::into),
        }
    }

    fn to_key(&self, term: Term) -> Key {
        match term {
            Term::NamedNode(iri) => {
                let known = self.graphs().iter().enumerate().find_map(|(at, graph)| {
                    let local = iri.as_str().strip_prefix(graph.graph.base())?;
                    Some(Key::node(at as u16, graph.find(local)?))
                });
                known.unwrap_or_else(|| self.name(iri.as_str()))
            }
            Term::Literal(literal) => Key::new(term::literal(literal)),
            Term::BlankNode(_) => Key::new(Part::Other(Rc::new(term))),
        }
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.borrow().clone()
    }

    fn notes(&self, mentions: &Mentions, prefixes: &[(String, String)]) -> Vec<String> {
        crate::notes::notes(self, mentions, prefixes)
    }

    fn explained(&self, at: usize, predicates: &[Rc<str>]) -> Vec<Explained> {
        crate::vocabulary::explained(self, at, predicates)
    }
}
