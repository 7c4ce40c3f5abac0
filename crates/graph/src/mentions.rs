//! The terms that a query mentions: predicates, classes, nodes, graphs, and services of others.

use oxrdf::{Literal, NamedNode};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, Expression, Function, GraphPattern, OrderExpression, PropertyPathExpression,
};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// The terms that a query mentions, by what they stand for.
#[derive(Debug, Default)]
pub struct Mentions {
    /// Predicates.
    pub predicates: BTreeSet<String>,
    /// Objects of `rdf:type`.
    pub classes: BTreeSet<String>,
    /// Other subjects and objects.
    pub nodes: BTreeSet<String>,
    /// IRIs within expressions, whatever they stand for.
    pub spoken: BTreeSet<String>,
    /// Names of graphs.
    pub graphs: BTreeSet<String>,
    /// Services of others.
    pub services: Vec<String>,
    /// Numbers that stand as objects.
    pub numbers: Vec<String>,
    /// True if a path leads up over any number of `rdfs:subClassOf`.
    pub has_class_path: bool,
    /// Patterns of triples and paths.
    pub patterns: usize,
    /// The most calls of REPLACE within one expression, each of which may make a text many times as long.
    pub replaces: usize,
}

impl Mentions {
    /// Reads a query.
    pub fn of_query(query: &Query) -> Self {
        let mut found = Self::default();
        let (Query::Select { pattern, .. }
        | Query::Ask { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }) = query;
        found.pattern(pattern);
        found
    }

    /// Every IRI but the names of graphs and services.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let sets = [&self.predicates, &self.classes, &self.nodes, &self.spoken];
        sets.into_iter().flatten().map(String::as_str)
    }

    fn pattern(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => patterns.iter().for_each(|triple| self.triple(triple)),
            GraphPattern::Path { subject, path, object } => {
                self.patterns += 1;
                self.node(subject);
                self.path(path);
                if ends_in_type(path)
                    && let TermPattern::NamedNode(class) = object
                {
                    self.classes.insert(class.as_str().to_owned());
                } else {
                    self.node(object);
                }
            }
            GraphPattern::Join { left, right }
            | GraphPattern::Union { left, right }
            | GraphPattern::Minus { left, right }
            | GraphPattern::Lateral { left, right } => {
                self.pattern(left);
                self.pattern(right);
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.pattern(left);
                self.pattern(right);
                if let Some(expression) = expression {
                    self.whole(expression);
                }
            }
            GraphPattern::Filter { expr, inner } => {
                self.whole(expr);
                self.pattern(inner);
            }
            GraphPattern::Graph { name, inner } => {
                if let NamedNodePattern::NamedNode(name) = name {
                    self.graphs.insert(name.as_str().to_owned());
                }
                self.pattern(inner);
            }
            GraphPattern::Extend { inner, expression, .. } => {
                self.whole(expression);
                self.pattern(inner);
            }
            GraphPattern::Values { bindings, .. } => {
                for term in bindings.iter().flatten().flatten() {
                    if let GroundTerm::NamedNode(node) = term {
                        self.nodes.insert(node.as_str().to_owned());
                    }
                }
            }
            GraphPattern::OrderBy { inner, expression } => {
                for OrderExpression::Asc(by) | OrderExpression::Desc(by) in expression {
                    self.whole(by);
                }
                self.pattern(inner);
            }
            GraphPattern::Group { inner, aggregates, .. } => {
                for (_, aggregate) in aggregates {
                    if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                        self.whole(expr);
                    }
                }
                self.pattern(inner);
            }
            GraphPattern::Project { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::Slice { inner, .. } => self.pattern(inner),
            GraphPattern::Service { name, .. } => self.services.push(name.to_string()),
        }
    }

    fn triple(&mut self, triple: &TriplePattern) {
        self.patterns += 1;
        self.node(&triple.subject);
        let is_type = match &triple.predicate {
            NamedNodePattern::NamedNode(predicate) => {
                self.predicates.insert(predicate.as_str().to_owned());
                predicate.as_str() == crate::names::TYPE
                    || predicate.as_str() == format!("{}class", crate::names::IFC)
            }
            NamedNodePattern::Variable(_) => false,
        };
        match &triple.object {
            TermPattern::NamedNode(class) if is_type => {
                self.classes.insert(class.as_str().to_owned());
            }
            object => self.node(object),
        }
    }

    fn node(&mut self, term: &TermPattern) {
        match term {
            TermPattern::NamedNode(node) => {
                self.nodes.insert(node.as_str().to_owned());
            }
            TermPattern::Literal(literal) if is_number(literal) => {
                self.numbers.push(literal.value().to_owned());
            }
            _ => {}
        }
    }

    fn path(&mut self, path: &PropertyPathExpression) {
        match path {
            PropertyPathExpression::NamedNode(predicate) => self.predicate(predicate),
            PropertyPathExpression::NegatedPropertySet(predicates) => {
                for predicate in predicates {
                    self.predicate(predicate);
                }
            }
            PropertyPathExpression::Sequence(a, b) | PropertyPathExpression::Alternative(a, b) => {
                self.path(a);
                self.path(b);
            }
            PropertyPathExpression::ZeroOrMore(inner) => {
                let up = inner.as_ref();
                self.has_class_path |= matches!(up, PropertyPathExpression::NamedNode(node) if node.as_str() == crate::names::SUB_CLASS_OF);
                self.path(inner);
            }
            PropertyPathExpression::Reverse(inner)
            | PropertyPathExpression::OneOrMore(inner)
            | PropertyPathExpression::ZeroOrOne(inner) => self.path(inner),
        }
    }

    fn predicate(&mut self, predicate: &NamedNode) {
        self.predicates.insert(predicate.as_str().to_owned());
    }

    fn whole(&mut self, expression: &Expression) {
        let replaces = self.expression(expression);
        self.replaces = self.replaces.max(replaces);
    }

    /// Reads an expression, and counts its calls of REPLACE.
    fn expression(&mut self, expression: &Expression) -> usize {
        match expression {
            Expression::Exists(pattern) => {
                self.pattern(pattern);
                0
            }
            Expression::Or(a, b)
            | Expression::And(a, b)
            | Expression::Equal(a, b)
            | Expression::SameTerm(a, b)
            | Expression::Greater(a, b)
            | Expression::GreaterOrEqual(a, b)
            | Expression::Less(a, b)
            | Expression::LessOrEqual(a, b)
            | Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => self.expression(a) + self.expression(b),
            Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => self.expression(a),
            Expression::If(a, b, c) => self.expression(a) + self.expression(b) + self.expression(c),
            Expression::In(a, list) => {
                let rest: usize = list.iter().map(|member| self.expression(member)).sum();
                self.expression(a) + rest
            }
            Expression::Coalesce(list) => list.iter().map(|member| self.expression(member)).sum(),
            Expression::FunctionCall(function, list) => {
                let own = usize::from(matches!(function, Function::Replace));
                own + list.iter().map(|member| self.expression(member)).sum::<usize>()
            }
            Expression::NamedNode(node) => {
                self.spoken.insert(node.as_str().to_owned());
                0
            }
            Expression::Literal(_) | Expression::Variable(_) | Expression::Bound(_) => 0,
        }
    }
}

/// True if a path ends at classes.
fn ends_in_type(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::NamedNode(node) => {
            [crate::names::TYPE, crate::names::SUB_CLASS_OF].contains(&node.as_str())
        }
        PropertyPathExpression::Sequence(_, last) => ends_in_type(last),
        PropertyPathExpression::ZeroOrMore(inner)
        | PropertyPathExpression::OneOrMore(inner)
        | PropertyPathExpression::ZeroOrOne(inner) => ends_in_type(inner),
        _ => false,
    }
}

/// True of numbers.
fn is_number(literal: &Literal) -> bool {
    use oxrdf::vocab::xsd;
    [xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE].contains(&literal.datatype())
}
