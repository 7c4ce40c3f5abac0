//! How long requirements of an IDS take: `ids MODEL.ifc FILE.ids [ROUNDS]` tells it of one document and one model, `ids-cases FOLDER [ROUNDS]` of
//! all cases of a suite whose names begin with `pass-` or `fail-`, and how many were judged so. One line of JSON: seconds of all threads, of
//! a whole round and of its steps; of several rounds the quickest. Steps of a suite are measured in rounds of their own, because asking the
//! time so often costs as much as the smallest of them.

use crate::figures::memory;
use ifc::{Limits, Model};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use validation::ids::{Document, Report, Status, check, read};

/// The steps of a check.
const STEPS: [&str; 4] = ["open", "read", "audit", "check"];

/// The outcome of one check, with the seconds of its steps in their order.
struct Outcome {
    document: Document,
    report: Report,
    problems: usize,
    seconds: [f64; 4],
}

/// Tells the seconds that all threads have spent so far.
type Clock = dyn Fn() -> f64;

/// Time that all threads of this process have spent on a processor.
fn spent() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

/// Opens a model, reads and audits a document, and checks the one against the other.
fn checked(model: &Path, file: &Path, clock: &Clock) -> Result<Outcome, Box<dyn Error>> {
    let mut seconds = [clock(); 5];
    let (model, _) = Model::open(model, &Limits::default())?;
    seconds[1] = clock();
    let reading = read(&fs::read(file)?)?;
    seconds[2] = clock();
    let audit = reading.document.audit();
    seconds[3] = clock();
    let report = check(&reading.document, &model, false, &mut || true).ok_or("given up")?;
    seconds[4] = clock();
    let problems = reading.structure.len() + audit.len();
    let seconds = std::array::from_fn(|step| seconds[step + 1] - seconds[step]);
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

/// Prints the times of one document and one model.
pub(crate) fn one(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [model, file, rest @ ..] = arguments else {
        return Err("usage: ids MODEL.ifc FILE.ids [ROUNDS]".into());
    };
    let rounds = rest.first().map_or(Ok(1), |text| text.parse::<usize>())?.max(1);
    let (mut times, mut cpu) = (Vec::new(), f64::INFINITY);
    let mut last = None;
    for _ in 0..rounds {
        let begin = spent();
        let outcome = checked(model.as_ref(), file.as_ref(), &spent)?;
        cpu = cpu.min(spent() - begin);
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
    let failed: Vec<usize> = all().map(|own| own.failed.len()).collect();
    told.insert("failed_by_requirement".to_owned(), json!(failed));
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
    for _ in 0..rounds {
        let begin = spent();
        for (file, _) in &found {
            checked(&file.with_extension("ifc"), file, &|| 0.0)?;
        }
        cpu.push(spent() - begin);
        let mut sum = [0.0; 4];
        for (file, is_met) in &found {
            let outcome = checked(&file.with_extension("ifc"), file, &spent)?;
            if sums.is_empty() && outcome.report.is_met() != *is_met {
                wrong.push(json!(file.display().to_string()));
            }
            sum = std::array::from_fn(|at| sum[at] + outcome.seconds[at]);
        }
        sums.push(sum);
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
            } else if path.extension().is_some_and(|own| own == "ids")
                && (name.starts_with("pass-") || name.starts_with("fail-"))
            {
                found.push((path, name.starts_with("pass-")));
            }
        }
    }
    found.sort();
    Ok(found)
}
