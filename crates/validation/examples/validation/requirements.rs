//! How long requirements of an IDS take: `ids MODEL.ifc FILE.ids [ROUNDS]` tells it of one document and one model, `ids-cases FOLDER [ROUNDS]` of
//! all cases of a suite whose names begin with `pass-` or `fail-`, and how many were judged so. One line of JSON; seconds of all threads, and
//! wall seconds; of several rounds the quickest.

use crate::figures::{memory, timed};
use ifc::{Limits, Model};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use validation::ids::{Document, Report, Status, check, read};

/// The steps of a check.
const STEPS: [&str; 4] = ["open", "read", "audit", "check"];

/// The outcome of one check, with the times of its steps in their order.
struct Outcome {
    document: Document,
    report: Report,
    problems: usize,
    times: [Value; 4],
}

/// Opens a model, reads and audits a document, and checks the one against the other.
fn checked(model: &Path, file: &Path) -> Result<Outcome, Box<dyn Error>> {
    let (opened, open) = timed(|| Model::open(model, &Limits::default()));
    let (model, _) = opened?;
    let (reading, reading_time) = timed(|| fs::read(file).map(|bytes| read(&bytes)));
    let reading = reading??;
    let (audit, audit_time) = timed(|| reading.document.audit());
    let (report, check_time) = timed(|| check(&reading.document, &model, false, &mut || true));
    Ok(Outcome {
        report: report.ok_or("given up")?,
        problems: reading.structure.len() + audit.len(),
        document: reading.document,
        times: [open, reading_time, audit_time, check_time],
    })
}

fn seconds(time: &Value, clock: &str) -> f64 {
    time.get(clock).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// The times of the steps as one object; a step takes what it takes in its quickest round, or in all of several files.
fn steps<'a>(all: impl Iterator<Item = &'a [Value; 4]> + Clone, join: impl Fn(f64, f64) -> f64) -> Map<String, Value> {
    let mut steps = Map::new();
    for (at, name) in STEPS.iter().enumerate() {
        let joined = |clock| {
            all.clone().filter_map(|times| times.get(at)).map(|time| seconds(time, clock)).reduce(&join)
        };
        steps.insert((*name).to_owned(), json!({ "cpu": joined("cpu"), "wall": joined("wall") }));
    }
    steps
}

/// Prints the times of one document and one model.
pub(crate) fn one(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [model, file, rest @ ..] = arguments else { return Err("usage: ids MODEL.ifc FILE.ids [ROUNDS]".into()) };
    let rounds = rest.first().map_or(Ok(1), |text| text.parse::<usize>())?.max(1);
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..rounds {
        let outcome = checked(model.as_ref(), file.as_ref())?;
        times.push(outcome.times.clone());
        last = Some(outcome);
    }
    let last = last.ok_or("no round")?;
    let all = || last.report.specifications.iter().flat_map(|own| &own.requirements);
    let mut told = steps(times.iter(), f64::min);
    for (name, count) in [
        ("specifications", last.document.specifications.len()),
        ("requirements", all().count()),
        ("passed", all().map(|own| own.passed).sum()),
        ("failed", all().map(|own| own.failed.len()).sum()),
        ("failed_specifications", last.report.specifications.iter().filter(|own| own.status == Status::Failed).count()),
        ("problems", last.problems),
    ] {
        told.insert(name.to_owned(), json!(count));
    }
    told.insert("peak_mb".to_owned(), json!(memory("VmHWM:")));
    println!("{}", Value::from(told));
    Ok(())
}

/// Prints the times of all cases of a suite together: each step in its quickest round, and the whole of the first round, in which tables are
/// made that are kept.
pub(crate) fn cases(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [folder, rest @ ..] = arguments else { return Err("usage: ids-cases FOLDER [ROUNDS]".into()) };
    let rounds = rest.first().map_or(Ok(1), |text| text.parse::<usize>())?.max(1);
    let found = found(Path::new(folder))?;
    let (mut sums, mut wrong) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut times = Vec::new();
        for (file, is_met) in &found {
            let outcome = checked(&file.with_extension("ifc"), file)?;
            if round == 0 && outcome.report.is_met() != *is_met {
                wrong.push(json!(file.display().to_string()));
            }
            times.push(outcome.times);
        }
        sums.push(steps(times.iter(), |a, b| a + b));
    }
    let at = |sum: &Map<String, Value>, step: &str, clock: &str| {
        sum.get(step).map_or(f64::NAN, |time| seconds(time, clock))
    };
    let first = sums.first().ok_or("no round")?;
    let first: f64 = STEPS.iter().map(|step| at(first, step, "cpu")).sum();
    let mut told = Map::new();
    for step in STEPS {
        let least = |clock| sums.iter().map(|sum| at(sum, step, clock)).reduce(f64::min);
        told.insert(step.to_owned(), json!({ "cpu": least("cpu"), "wall": least("wall") }));
    }
    told.insert("first_round_cpu".to_owned(), json!(first));
    told.insert("cases".to_owned(), json!(found.len()));
    told.insert("right".to_owned(), json!(found.len() - wrong.len()));
    told.insert("wrong".to_owned(), Value::Array(wrong));
    told.insert("peak_mb".to_owned(), json!(memory("VmHWM:")));
    println!("{}", Value::from(told));
    Ok(())
}

/// The cases below a folder in the order of their paths, with the verdict that is due.
fn found(folder: &Path) -> Result<Vec<(PathBuf, bool)>, Box<dyn Error>> {
    let (mut open, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".ids") && (name.starts_with("pass-") || name.starts_with("fail-")) {
                found.push((path, name.starts_with("pass-")));
            }
        }
    }
    found.sort();
    Ok(found)
}
