//! How long requirements of an IDS take: `ids MODEL.ifc FILE.ids [ROUNDS]` tells it of one document and one model, `ids-cases FOLDER [ROUNDS]` of
//! all cases of a suite whose names begin with `pass-` or `fail-`, and how many were judged so. One line of JSON: `cpu` is seconds of all
//! threads over a whole round, the steps are wall seconds; of several rounds the quickest.

use crate::figures::{memory, timed};
use ifc::{Limits, Model};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use validation::ids::{Document, Report, Status, check, read};

/// The steps of a check.
const STEPS: [&str; 4] = ["open", "read", "audit", "check"];

/// The outcome of one check, with the wall seconds of its steps in their order.
struct Outcome {
    document: Document,
    report: Report,
    problems: usize,
    seconds: [f64; 4],
}

/// Opens a model, reads and audits a document, and checks the one against the other.
fn checked(model: &Path, file: &Path) -> Result<Outcome, Box<dyn Error>> {
    let mut seconds = [0.0; 4];
    let mut begin = Instant::now();
    let mut pass = |step: usize| {
        let now = Instant::now();
        seconds[step] = (now - begin).as_secs_f64();
        begin = now;
    };
    let (model, _) = Model::open(model, &Limits::default())?;
    pass(0);
    let reading = read(&fs::read(file)?)?;
    pass(1);
    let audit = reading.document.audit();
    pass(2);
    let report = check(&reading.document, &model, false, &mut || true).ok_or("given up")?;
    pass(3);
    let problems = reading.structure.len() + audit.len();
    Ok(Outcome { document: reading.document, report, problems, seconds })
}

/// The seconds of steps as an object.
fn told(seconds: [f64; 4]) -> Map<String, Value> {
    STEPS.iter().zip(seconds).map(|(name, seconds)| ((*name).to_owned(), json!(seconds))).collect()
}

/// The least of each step.
fn least(all: impl Iterator<Item = [f64; 4]>) -> [f64; 4] {
    all.fold([f64::INFINITY; 4], |known, own| std::array::from_fn(|at| known[at].min(own[at])))
}

/// The seconds of all threads.
fn cpu_of(spent: &Value) -> f64 {
    spent.get("cpu").and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// Prints the times of one document and one model.
pub(crate) fn one(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [model, file, rest @ ..] = arguments else {
        return Err("usage: ids MODEL.ifc FILE.ids [ROUNDS]".into());
    };
    let rounds = rest.first().map_or(Ok(1), |text| text.parse::<usize>())?.max(1);
    let (mut times, mut cpu) = (Vec::new(), f64::INFINITY);
    let mut last = None;
    for _ in 0..rounds {
        let (outcome, spent) = timed(|| checked(model.as_ref(), file.as_ref()));
        cpu = cpu.min(cpu_of(&spent));
        let outcome = outcome?;
        times.push(outcome.seconds);
        last = Some(outcome);
    }
    let last = last.ok_or("no round")?;
    let all = || last.report.specifications.iter().flat_map(|own| &own.requirements);
    let mut told = told(least(times.into_iter()));
    told.insert("cpu".to_owned(), json!(cpu));
    for (name, count) in [
        ("specifications", last.document.specifications.len()),
        ("requirements", all().count()),
        ("passed", all().map(|own| own.passed).sum()),
        ("failed", all().map(|own| own.failed.len()).sum()),
        (
            "failed_specifications",
            last.report.specifications.iter().filter(|own| own.status == Status::Failed).count(),
        ),
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
    let (mut sums, mut cpu, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut sum = [0.0; 4];
        let (done, spent) = timed(|| -> Result<(), Box<dyn Error>> {
            for (file, is_met) in &found {
                let outcome = checked(&file.with_extension("ifc"), file)?;
                if round == 0 && outcome.report.is_met() != *is_met {
                    wrong.push(json!(file.display().to_string()));
                }
                sum = std::array::from_fn(|at| sum[at] + outcome.seconds[at]);
            }
            Ok(())
        });
        done?;
        sums.push(sum);
        cpu.push(cpu_of(&spent));
    }
    let mut told = told(least(sums.into_iter()));
    told.insert("cpu".to_owned(), json!(cpu.iter().copied().fold(f64::INFINITY, f64::min)));
    told.insert("first_round_cpu".to_owned(), json!(cpu.first()));
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
