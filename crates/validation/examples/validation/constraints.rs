//! Constraints of a model on paper: `constraints MODEL.ifc [IDENTIFIER…]` tells the findings, and how long each constraint took.

use crate::opened::Opened;
use std::time::Instant;
use validation::constraints::{check, constraints};

/// Findings of a constraint that are told at most.
const TOLD: usize = 12;

/// Tells the findings on a model.
pub fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [path, ids @ ..] = arguments else { return Err("give a model".into()) };
    let opened = Opened::new(path)?;
    let subject = opened.subject();
    let whole = Instant::now();
    for constraint in
        constraints().filter(|own| ids.is_empty() || ids.iter().any(|id| own.id.ends_with(id.as_str())))
    {
        let begin = Instant::now();
        let report = check(&subject, None, &[constraint.id], &|_, _| true).ok_or("given up")?;
        let ms = begin.elapsed().as_secs_f64() * 1e3;
        println!("{}: {} in {ms:.1} ms", constraint.id, report.findings.len());
        for finding in report.findings.iter().take(if ids.is_empty() { TOLD } else { 200 }) {
            let ids: Vec<String> = finding.elements.iter().take(4).map(ToString::to_string).collect();
            println!("    {} {} {}", finding.severity.as_str(), ids.join(" "), finding.message);
        }
        report.notes.iter().for_each(|note| println!("    note: {note}"));
    }
    let one_by_one = whole.elapsed().as_secs_f64() * 1e3;
    let begin = Instant::now();
    check(&subject, None, &[], &|_, _| true).ok_or("given up")?;
    println!("all: {:.1} ms, one by one {one_by_one:.1} ms", begin.elapsed().as_secs_f64() * 1e3);
    Ok(())
}
