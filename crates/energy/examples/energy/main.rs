//! Reads models of EnergyPlus from the command line, for the checks made with its own programs and for measuring:
//! `energy epjson FILE`, `energy idf FILE` write that form to standard output; `energy check FILE` and `energy integrity FILE` say what is wrong with
//! it, `energy faults FILE…` as one line of JSON for each; `energy measure FILE…` prints as JSON what it took to read and to check each;
//! `energy stations QUERY` what the first search for a weather station takes, `energy schemas VERSION…` what it takes to have the schema of
//! each, and what all of them weigh. `energy measure-apply …`, `energy tables …` and `energy pack-stations …` do what their modules say.
#![expect(clippy::print_stdout, reason = "a tool for a shell")]

#[path = "../../../ifc/examples/ifc/figures.rs"]
mod figures;
mod measures;
mod tables;

use energy::check::{Options, check};
use energy::idf::{Document, Format};
use energy::integrity;
use energy::schema::Schema;
use energy::weather::{Index, StationQuery};
use serde_json::json;
use std::error::Error;
use std::io::Write;

use figures::{memory, timed};

/// The arguments behind the task's name on the command line.
type Arguments = std::iter::Skip<std::env::Args>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    if task == "tables" {
        return tables::run(arguments);
    }
    let mut out = std::io::stdout().lock();
    if task == "pack-stations" {
        let (Some(list), Some(target)) = (arguments.next(), arguments.next()) else {
            return Err("usage: energy pack-stations LIST.json TARGET.bin".into());
        };
        let packed = energy::weather::stations::pack(&std::fs::read(list)?);
        let (packed, files) = packed.map_err(|fault| fault.to_string())?;
        std::fs::write(&target, &packed)?;
        writeln!(out, "{files} files of stations in {} bytes: {target}", packed.len())?;
        return Ok(());
    }
    if task == "stations" {
        let query = StationQuery { query: arguments.next(), limit: 5, ..StationQuery::default() };
        let (found, spent) = timed(|| Index::built_in().and_then(|index| index.search(&query)));
        let found = found.map_err(|fault| fault.to_string())?.len();
        writeln!(out, "{}", json!({ "found": found, "search": spent }))?;
        return Ok(());
    }
    if task == "schemas" {
        let read = arguments.map(|version| {
            let (found, spent) = timed(|| Schema::for_version(&version));
            json!({ "version": version, "types": found.schema.types().len(), "unpack": spent["cpu"], "rss_mb": memory("VmRSS:") })
        });
        let read: Vec<_> = read.collect();
        writeln!(out, "{}", json!({ "schemas": read, "peak_mb": memory("VmHWM:") }))?;
        return Ok(());
    }
    if task == "measure-apply" {
        return measures::run(arguments, &mut out);
    }
    if task == "measure" {
        let files = arguments.map(|file| measured(&file)).collect::<Result<Vec<_>, _>>()?;
        writeln!(out, "{}", json!({ "files": files, "peak_mb": memory("VmHWM:") }))?;
        return Ok(());
    }
    if task == "faults" {
        for file in arguments {
            writeln!(out, "{}", faults(&file)?)?;
        }
        return Ok(());
    }
    for file in arguments {
        let bytes = std::fs::read(&file)?;
        match task.as_str() {
            "epjson" => out.write_all(&Document::open(&bytes)?.0.to_bytes(Format::EpJson)?)?,
            "idf" => out.write_all(&Document::open(&bytes)?.0.to_bytes(Format::Idf)?)?,
            "check" => {
                for finding in check(&Document::open(&bytes)?.0, Options::default()) {
                    writeln!(out, "{:?} {:?} {}", finding.severity, finding.code, finding.message)?;
                }
            }
            "integrity" => {
                for issue in integrity::check(&Document::open(&bytes)?.0, integrity::Surroundings::default())
                {
                    writeln!(out, "{:?} {:?} {}", issue.severity, issue.kind, issue.message)?;
                }
            }
            _ => return Err("energy epjson|idf|check|integrity|faults|measure FILE…".into()),
        }
    }
    Ok(())
}

/// Everything that is wrong with a file, by its severity.
fn faults(file: &str) -> Result<serde_json::Value, Box<dyn Error>> {
    let document = Document::open(&std::fs::read(file)?)?.0;
    let findings = check(&document, Options::default());
    let findings = findings
        .into_iter()
        .map(|finding| (format!("{:?}", finding.severity), format!("{:?}", finding.code), finding.message));
    let issues = integrity::check(&document, integrity::Surroundings::default());
    let issues = issues
        .into_iter()
        .map(|issue| (format!("{:?}", issue.severity), format!("{:?}", issue.kind), issue.message));
    let all: Vec<_> = findings.chain(issues).collect();
    let of = |wanted: &str| -> Vec<String> {
        let wanted = all.iter().filter(|(severity, ..)| severity == wanted);
        wanted.map(|(_, kind, message)| format!("{kind}: {message}")).collect()
    };
    Ok(json!({ "file": file, "errors": of("Error"), "warnings": of("Warning") }))
}

/// Seconds that it takes to read a file and to check it, once the schema is there.
fn measured(file: &str) -> Result<serde_json::Value, Box<dyn Error>> {
    Schema::built_in();
    let bytes = std::fs::read(file)?;
    let (read, reading) = timed(|| Document::open(&bytes));
    let document = read?.0;
    let (findings, checking) = timed(|| check(&document, Options::default()).len());
    let (issues, integrity) = timed(|| integrity::check(&document, integrity::Surroundings::default()).len());
    Ok(json!({
        "file": file,
        "objects": document.len(),
        "read": reading["cpu"],
        "findings": findings,
        "check": checking["cpu"],
        "issues": issues,
        "integrity": integrity["cpu"],
    }))
}
