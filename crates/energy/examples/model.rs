//! Reads models of EnergyPlus from the command line, for the checks made with its own programs and for measuring:
//! `model epjson FILE`, `model idf FILE` write that form to standard output; `model check FILE` and `model integrity FILE` say what is wrong with
//! it; `model measure FILE…` says how long it took to read and to check each.

use energy::check::{Options, check};
use energy::idf::{Document, Format};
use energy::integrity;
use std::error::Error;
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let mut out = std::io::stdout().lock();
    for file in arguments {
        let bytes = std::fs::read(&file)?;
        match task.as_str() {
            "epjson" => out.write_all(&Document::open(&bytes)?.0.to_bytes(Format::EpJson)?)?,
            "idf" => out.write_all(&Document::open(&bytes)?.0.to_bytes(Format::Idf)?)?,
            "check" => {
                for finding in check(&Document::open(&bytes)?.0, Options::default()) {
                    writeln!(out, "{:?} {}", finding.code, finding.message)?;
                }
            }
            "integrity" => {
                for issue in integrity::check(&Document::open(&bytes)?.0, integrity::Surroundings::default())
                {
                    writeln!(out, "{:?} {:?} {}", issue.severity, issue.kind, issue.message)?;
                }
            }
            "measure" => {
                energy::schema::Schema::built_in();
                let begun = Instant::now();
                let (document, _) = Document::open(&bytes)?;
                let read = begun.elapsed();
                let begun = Instant::now();
                let findings = check(&document, Options::default()).len();
                let checked = begun.elapsed();
                let (read, checked) = (read.as_secs_f64() * 1e3, checked.as_secs_f64() * 1e3);
                let objects = document.len();
                writeln!(
                    out,
                    "{file} {objects} objects, read {read:.2} ms, {findings} findings in {checked:.2} ms"
                )?;
            }
            _ => return Err("model epjson|idf|check|integrity|measure FILE…".into()),
        }
    }
    Ok(())
}
