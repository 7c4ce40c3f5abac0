//! The graph of a model from the command line, for measuring and for comparing it with other programs:
//! `cargo run -p graph --example graph -- TASK MODEL …`.
#![expect(clippy::print_stdout, reason = "its answers are what it is for")]

use contract::Unwatched;
use graph::{Asked, Dataset, Format, Limits, Vocabulary, export, query};
use ifc::Model;
use serde_json::{Value, json};
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: query MODEL SPARQL | time MODEL SPARQL ROUNDS | queries MODEL QUERIES.json NAME | turtle MODEL OUT | jsonld MODEL OUT | vocabulary MODEL";

/// The beginning of the IRIs of all models here.
const BASE: &str = "https://pensaer.local/model/example/";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn open(path: &str) -> Result<Dataset, Box<dyn Error>> {
    let (model, _) = Model::open(path.as_ref(), &ifc::Limits::default())?;
    Ok(Dataset::of_model(BASE, model)?)
}

fn run(arguments: &[String]) -> Result<Value, Box<dyn Error>> {
    let limits = Limits { rows: 1_000_000, time: Duration::from_secs(600), ..Limits::default() };
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Ok(match words.as_slice() {
        ["query", model, sparql] => query(&open(model)?, sparql, &limits, &Unwatched)?.to_json(),
        ["time", model, sparql, rounds] => {
            let dataset = open(model)?;
            let begun = Instant::now();
            let answer = query(&dataset, sparql, &limits, &Unwatched)?;
            let first = begun.elapsed();
            let mut times: Vec<f64> = Vec::new();
            for _ in 0..rounds.parse::<usize>()? {
                let begun = Instant::now();
                query(&dataset, sparql, &limits, &Unwatched)?;
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            times.sort_by(f64::total_cmp);
            let median = times.get(times.len() / 2);
            json!({ "rows": answer.outcome.len(), "first_ms": first.as_secs_f64() * 1e3, "median_ms": median })
        }
        ["queries", model, path, name] => {
            let dataset = open(model)?;
            let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path)?)?;
            let mut answers = serde_json::Map::new();
            for case in cases.iter().filter(|case| case["model"] == **name) {
                let answer =
                    query(&dataset, case["sparql"].as_str().unwrap_or_default(), &limits, &Unwatched);
                let answer = answer.map_or_else(|fault| fault.to_json(), |answer| answer.to_json());
                answers.insert(case["name"].as_str().unwrap_or_default().to_owned(), answer);
            }
            answers.into()
        }
        ["turtle" | "jsonld", model, out] => {
            let format = if words.first() == Some(&"turtle") { Format::Turtle } else { Format::JsonLd };
            let mut file = std::io::BufWriter::new(std::fs::File::create(out)?);
            let begun = Instant::now();
            let triples = export(&open(model)?, 0, format, &mut file, &Unwatched)?;
            json!({ "triples": triples, "ms": begun.elapsed().as_millis() as u64 })
        }
        ["vocabulary", model] => {
            Vocabulary::of_graph(&open(model)?, 0, Asked::default(), &Unwatched)?.to_json()
        }
        _ => return Err(USAGE.into()),
    })
}
