//! Queries: SPARQL 1.1 SELECT, ASK, CONSTRUCT and DESCRIBE, read only, within limits.
//!
//! Every prefix of [`Source::prefixes`] is known without a declaration. Updates, services of others and graphs that were not given are
//! refused. A query runs on a thread of its own with a stack of its own, which ends with it; see [`crate::budget`].

use crate::answer::{Answer, Outcome};
use crate::budget::{Budget, Exceeded, Stop};
use crate::mentions::Mentions;
use crate::source::{Asked, Evaluated, Sight, Source, plain_notes};
use crate::text::{self, Prepared};
use contract::{Fault, FaultCode, Watch};
use oxrdf::Term;
use spareval::{QueryEvaluationError, QueryEvaluator, QueryResults};
use spargebra::{Query, SparqlParser};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Limits of a query.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most rows or triples that are answered.
    pub rows: usize,
    /// The longest that it may take; the time in which rooms are made for the first time does not count.
    pub time: Duration,
    /// The most terms of intermediate results that are held at once; one takes about 50 bytes.
    pub terms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 100, time: Duration::from_secs(10), terms: 4_000_000 }
    }
}

/// The stack of a query: its own, since a query nests as deep as its text allows.
const STACK: usize = 64 << 20;
/// The time between two questions whether the answer is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);
/// The most calls of REPLACE in one expression.
const REPLACES: usize = 3;
/// The most patterns: the order in which they are joined is planned in the cube of their number.
const PATTERNS: usize = 80;

/// Asks a dataset a query. A query that is not understood, not allowed, or larger than the limits is a Fault.
pub fn query(
    dataset: &dyn Source,
    sparql: &str,
    limits: &Limits,
    watch: &dyn Watch,
) -> Result<Answer, Fault> {
    let prepared = text::prepare(sparql)?;
    let stop = Stop::default();
    let (done, waiting) = channel();
    std::thread::scope(|scope| {
        let budget = Budget { time: limits.time, terms: limits.terms, stop: stop.clone() };
        let rows = limits.rows;
        let body = move || {
            let outcome = budget.run(|| answer(dataset, &prepared, rows));
            // nobody waits any more where the receiver is gone
            let _ = done.send(outcome.unwrap_or_else(|reason| Err(refusal(reason))));
        };
        let spawned =
            std::thread::Builder::new().name("query".to_owned()).stack_size(STACK).spawn_scoped(scope, body);
        if spawned.is_err() {
            return Err(Fault::new(FaultCode::Busy, "There is no thread free for the query. Ask again."));
        }
        loop {
            match waiting.recv_timeout(PATIENCE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if watch.wanted() => {}
                Err(RecvTimeoutError::Timeout) => stop.set(Exceeded::Cancelled),
                Err(RecvTimeoutError::Disconnected) => return Err(refusal(Exceeded::Failed)),
            }
        }
    })
}

fn refusal(reason: Exceeded) -> Fault {
    let limit = |message: &str| Fault::new(FaultCode::LimitReached, message).with("field", "sparql");
    match reason {
        Exceeded::Time => limit(
            "The query took longer than it may. Begin with a class or a known element, put FILTER beside what it filters, join by shared variables, and keep * and + paths bound at one end.",
        ),
        Exceeded::Memory => limit(
            "The query held more intermediate results than it may. Two patterns without a shared variable give every pair; join them, or ask for less with LIMIT in a subquery.",
        ),
        Exceeded::Cancelled => Fault::given_up("the query"),
        Exceeded::Failed => Fault::backend("The query could not be evaluated. Write it in a simpler way."),
    }
}

/// Parses a query.
pub(crate) fn parse(dataset: &dyn Source, prepared: &Prepared) -> Result<Query, Fault> {
    let prefixes = dataset.prefixes();
    let mut parser = SparqlParser::new();
    for (prefix, namespace) in &prefixes {
        parser = parser
            .with_prefix(prefix, namespace)
            .map_err(|error| Fault::invalid("base", format!("{namespace} is no IRI: {error}.")))?;
    }
    let error = match parser.clone().parse_query(&prepared.text) {
        Ok(query) => return Ok(query),
        Err(error) => error,
    };
    let is_known = |name: &str| {
        prefixes.iter().any(|(prefix, _)| prefix == name)
            || prepared.declared.iter().any(|prefix| prefix == name)
    };
    if let Some((prefix, line, column)) = prepared.prefixes.iter().find(|(prefix, ..)| !is_known(prefix)) {
        let known: Vec<&str> = prefixes.iter().map(|(prefix, _)| prefix.as_str()).collect();
        let near = ifc_schema::near(prefix, known.iter().copied(), 1);
        let meant = near.first().map(|near| format!(" Did you mean {near}:?")).unwrap_or_default();
        let problem = format!(
            "Line {line}, column {column}: the prefix {prefix}: is not declared.{meant} Known without declaration: {}.",
            known.join(", ")
        );
        return Err(Fault::invalid("sparql", problem).with("line", line).with("column", column));
    }
    if parser.parse_update(&prepared.text).is_ok() {
        let problem = "Graphs are read only: SELECT, ASK, CONSTRUCT and DESCRIBE are answered, updates are not. Change the model by the tools that edit it.";
        return Err(Fault::new(FaultCode::NotSupported, problem).with("field", "sparql"));
    }
    Err(syntax(prepared, &error.to_string()))
}

/// A Fault for text that is no SPARQL, from the parser's words: `error at 2:17: expected …`.
fn syntax(prepared: &Prepared, error: &str) -> Fault {
    let located = error.strip_prefix("error at ").and_then(|rest| {
        let (line, rest) = rest.split_once(':')?;
        let (column, expected) = rest.split_once(": ")?;
        Some((line.parse::<usize>().ok()?, column.parse::<usize>().ok()?, expected))
    });
    let Some((line, column, expected)) = located else {
        return Fault::invalid("sparql", format!("This is no SPARQL query: {error}."));
    };
    let rest = prepared.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let near: String = rest.chars().skip(column.saturating_sub(1)).take(30).collect();
    let column = prepared.column(line, column);
    let expected: String = if expected.chars().count() > 200 {
        expected.chars().take(200).chain("…".chars()).collect()
    } else {
        expected.to_owned()
    };
    let place =
        if near.trim().is_empty() { "at the end of the line".to_owned() } else { format!("at `{near}`") };
    Fault::invalid("sparql", format!("Line {line}, column {column}, {place}: {expected}."))
        .with("line", line)
        .with("column", column)
}

/// Refuses what is no business of this dataset.
fn check(dataset: &dyn Source, query: &Query, mentions: &Mentions) -> Result<(), Fault> {
    let refused = |message: String| Fault::new(FaultCode::NotSupported, message).with("field", "sparql");
    if let Some(service) = mentions.services.first() {
        return Err(refused(format!(
            "SERVICE {service}: other services are not asked. Ask of the models given alone."
        )));
    }
    if mentions.replaces > REPLACES {
        return Err(refused(format!(
            "An expression calls REPLACE {} times; up to {REPLACES} are allowed.",
            mentions.replaces
        )));
    }
    if mentions.patterns > PATTERNS {
        let message = format!("The query has {} patterns; up to {PATTERNS} are planned.", mentions.patterns);
        return Err(Fault::new(FaultCode::LimitReached, message).with("field", "sparql"));
    }
    let from =
        query.dataset().into_iter().flat_map(|from| from.default.iter().chain(from.named.iter().flatten()));
    let named: Vec<&str> =
        from.map(oxrdf::NamedNode::as_str).chain(mentions.graphs.iter().map(String::as_str)).collect();
    let known = dataset.graph_names();
    if let Some(unknown) = named.into_iter().find(|name| !known.contains(name)) {
        return Err(Fault::invalid(
            "sparql",
            format!("There is no graph <{unknown}> here. There are: <{}>.", known.join(">, <")),
        )
        .with("candidates", known));
    }
    Ok(())
}

fn answer(dataset: &dyn Source, prepared: &Prepared, limit: usize) -> Result<Answer, Fault> {
    let query = parse(dataset, prepared)?;
    let mentions = Mentions::of_query(&query);
    check(dataset, &query, &mentions)?;
    let view = dataset.view(Asked::of_mentions(&mentions));
    let (outcome, is_truncated) = evaluate(&*view, &query, limit)?;
    if let Some(fault) = view.fault() {
        return Err(fault);
    }
    let prefixes = dataset.prefixes();
    let mut notes = view.notes(&mentions, &prefixes);
    notes.extend(plain_notes(&mentions, &outcome));
    // what the remarks looked for may have failed too
    match view.fault() {
        Some(fault) => Err(fault),
        None => Ok(Answer { outcome, is_truncated, notes, prefixes }),
    }
}

fn evaluate(view: &dyn Sight, query: &Query, limit: usize) -> Result<(Outcome, bool), Fault> {
    let failed = |error: QueryEvaluationError| Fault::invalid("sparql", format!("{error}."));
    let evaluator = QueryEvaluator::new();
    Ok(match evaluator.prepare(query).execute(Evaluated(view)).map_err(failed)? {
        QueryResults::Boolean(truth) => (Outcome::Truth(truth), false),
        QueryResults::Solutions(solutions) => {
            let variables: Vec<String> =
                solutions.variables().iter().map(|variable| variable.as_str().to_owned()).collect();
            let (mut rows, mut is_truncated) = (Vec::new(), false);
            for solution in solutions {
                let solution = solution.map_err(failed)?;
                if rows.len() == limit {
                    is_truncated = true;
                    break;
                }
                let row: Vec<Option<Term>> =
                    (0..variables.len()).map(|place| solution.get(place).cloned()).collect();
                rows.push(row);
            }
            (Outcome::Rows { variables, rows }, is_truncated)
        }
        QueryResults::Graph(found) => {
            let (mut triples, mut seen, mut is_truncated) =
                (Vec::new(), std::collections::HashSet::new(), false);
            for triple in found {
                let triple = triple.map_err(failed)?;
                // a graph has each triple once; the evaluator does not look
                if seen.contains(&triple) {
                    continue;
                }
                if triples.len() == limit {
                    is_truncated = true;
                    break;
                }
                seen.insert(triple.clone());
                triples.push(triple);
            }
            (Outcome::Triples(triples), is_truncated)
        }
    })
}
