//! Holds the packs that come with the program against a model, and tells what each rule found and how long it took.

use crate::opened::Opened;
use std::cell::Cell;
use std::error::Error;
use std::time::Instant;
use validation::packs::{Overrides, check, shipped};

/// Checks a model by one pack, or by all.
pub(crate) fn run(path: &str, only: Option<&str>) -> Result<(), Box<dyn Error>> {
    let opened = Opened::new(path)?;
    let subject = opened.subject();
    for pack in shipped().iter().filter(|pack| only.is_none_or(|only| only == pack.id)) {
        let times: Vec<Cell<f64>> = pack.rules.iter().map(|_| Cell::new(0.0)).collect();
        let begin = Instant::now();
        let report = check(&subject, pack, &Overrides::new(), &|done, _| {
            if let Some(cell) = times.get(done) {
                cell.set(begin.elapsed().as_secs_f64() * 1e3);
            }
            true
        });
        let Ok(report) = report else { continue };
        let whole = begin.elapsed().as_secs_f64() * 1e3;
        println!("# {} {whole:.1} ms", pack.id);
        for (number, result) in report.rules.iter().enumerate() {
            let from = times.get(number).map_or(0.0, Cell::get);
            let to = times.get(number + 1).map_or(whole, Cell::get);
            let untold: usize = result.not_judged.values().sum();
            println!(
                "{}: {} passed, {} failed, {untold} not judged, {:.1} ms",
                result.rule,
                result.passed,
                result.failed,
                to - from
            );
        }
        for finding in &report.findings {
            let ids: Vec<String> =
                finding.elements.iter().take(3).filter_map(|id| subject.model.get(*id)?.guid()).collect();
            let at =
                finding.point.map_or_else(String::new, |p| format!(" at {:.2} {:.2} {:.2}", p.x, p.y, p.z));
            println!(
                "  {} [{}] {}{at} {}",
                finding.rule,
                finding.severity.as_str(),
                finding.message,
                ids.join(" ")
            );
        }
    }
    Ok(())
}
