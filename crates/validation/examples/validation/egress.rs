//! Egress and fire on paper: `egress MODEL.ifc [OCCUPANCY]` tells loads, exits and findings, and how long it took.

use crate::opened::Opened;
use std::time::Instant;
use validation::egress::{Parameters, egress_analysis};

/// Tells the egress of a model.
pub fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [path, rest @ ..] = arguments else { return Err("give a model".into()) };
    let opened = Opened::new(path)?;
    let parameters = Parameters { occupancy: rest.first().cloned(), ..Parameters::default() };
    let begin = Instant::now();
    let analysis = egress_analysis(&opened.subject(), &parameters, &|_, _| true).ok_or("given up")?;
    let ms = begin.elapsed().as_secs_f64() * 1e3;
    println!(
        "{:.0} persons, {} exits, {} in {ms:.1} ms",
        analysis.persons,
        analysis.exits.len(),
        analysis.occupancy
    );
    for room in &analysis.rooms {
        let length = room.way.as_ref().map_or(f64::NAN, |way| way.length);
        let name =
            opened.layout.rooms.rooms.get(room.load.room).map(spatial::Room::label).unwrap_or_default();
        println!(
            "    {name}: {} {}, {:.1} m², {:.2} persons, {} doors, {length:.2} m, {:.2} m common",
            room.load.occupancy,
            if room.load.is_assumed { "assumed" } else { "" },
            room.load.area,
            room.load.persons,
            room.doors.len(),
            room.common_path.unwrap_or(f64::NAN)
        );
    }
    for exit in &analysis.exits {
        println!(
            "    exit {}: {:.0} mm clear for {:.0} persons, {:.2} take it",
            exit.door,
            exit.clear_width * 1000.0,
            exit.capacity,
            exit.persons
        );
    }
    for finding in &analysis.findings {
        println!("    {} {} {}", finding.severity.as_str(), finding.rule, finding.message);
    }
    analysis.notes.iter().for_each(|note| println!("    note: {note}"));
    let begin = Instant::now();
    let report =
        validation::fire::check(&opened.subject(), &validation::fire::Parameters::default(), &|_, _| true);
    let report = report.ok_or("given up")?;
    let ms = begin.elapsed().as_secs_f64() * 1e3;
    println!("{} compartments, {} ratings in {ms:.1} ms", report.compartments.len(), report.ratings.len());
    for compartment in &report.compartments {
        println!("    {}: {} rooms", compartment.name, compartment.rooms.len());
    }
    for finding in &report.findings {
        println!("    {} {} {}", finding.severity.as_str(), finding.rule, finding.message);
    }
    report.notes.iter().for_each(|note| println!("    note: {note}"));
    Ok(())
}
