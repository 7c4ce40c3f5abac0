//! Measures, beside others in the same run, on this machine. What counts is CPU time and the ratio: wall time on a
//! shared machine says little. Nothing here passes or fails.
//!
//! Thirteen parts: the kernel in a process of its own, beside IfcOpenShell, ifc-lite-core and web-ifc (open, first answers,
//! one edit, save, memory, differences, validation); meshing, beside IfcOpenShell, ifc-lite-geometry and slopifc; the kernel through
//! the whole system, where an edit ends in a durable commit; isolated calls and scripts of agents, beside a bare Python; the
//! doors (start to `initialize`, calls); the calls that agents make most, beside ifcopenshell-mcp and a server on FastMCP; models of EnergyPlus, beside idfkit, eppy and idfkit-mcp; authoring, beside
//! ifcopenshell.api; rooms, neighbours and ways, beside IfcOpenShell; clashes, beside ifcclash; plans, beside IfcOpenShell; requirements of an IDS, beside ifctester;
//! documentation searched, and the graph of a model, beside rdflib; and many agents at once.

mod authoring;
mod clash;
mod code;
mod difference;
mod drawings;
mod energy;
pub mod enlarge;
mod geometry;
mod ids;
mod kernel;
mod knowledge;
mod load;
mod peers;
mod schedules;
mod spatial;
mod surface;
mod system;
mod validation;

use crate::shell::{cargo, sh, target, test_data};
use crate::{setup, ui};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The measurements to make.
#[derive(clap::Args)]
pub struct Arguments {
    /// Runs of which the median is taken.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Copies of the Duplex that make a large file: 12 are about 30 MB, 85 about 230 MB.
    #[arg(long, value_delimiter = ',', default_values_t = [12, 85])]
    copies: Vec<u32>,
    /// Only the kernel.
    #[arg(long)]
    kernel: bool,
    /// Only meshing.
    #[arg(long)]
    geometry: bool,
    /// Only isolation and scripts.
    #[arg(long)]
    code: bool,
    /// Only models of EnergyPlus.
    #[arg(long)]
    energy: bool,
    /// Only many agents at once.
    #[arg(long)]
    load: bool,
    /// Only authoring: walls with windows, a wall moved, a shell with rooms.
    #[arg(long)]
    authoring: bool,
    /// Only requirements of an IDS.
    #[arg(long)]
    ids: bool,
    /// Only rooms, neighbours and ways.
    #[arg(long)]
    spatial: bool,
    /// Only clashes.
    #[arg(long)]
    clash: bool,
    /// Only plans.
    #[arg(long)]
    drawings: bool,
    /// Only schedules and take-offs.
    #[arg(long)]
    schedules: bool,
    /// Only documentation and the graph.
    #[arg(long)]
    knowledge: bool,
    /// Only the doors: from the start of `pensaer mcp` to its first answers, and calls.
    #[arg(long)]
    doors: bool,
    /// Only the calls that agents make most, beside other servers.
    #[arg(long)]
    surface: bool,
    /// Calls measured at each door.
    #[arg(long, default_value_t = 200)]
    calls: usize,
    /// Measure these files instead.
    #[arg(long)]
    file: Vec<PathBuf>,
}

/// Builds for release, makes the large file, measures.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.ids {
        // it needs no more than the Python
        return ids::run(arguments.runs);
    }
    if arguments.drawings {
        return drawings::run(arguments.runs);
    }
    setup::run()?;
    if arguments.geometry {
        return geometry::run(arguments.runs, &arguments.copies, &arguments.file);
    }
    if arguments.spatial {
        return spatial::run(arguments.runs);
    }
    if arguments.clash {
        return clash::run(arguments.runs);
    }
    if !arguments.kernel {
        if ui::exists() {
            ui::build()?;
        }
        sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--bin", "pensaer"]))?;
    }
    if arguments.load {
        return load::run();
    }
    if arguments.knowledge {
        return knowledge::run(arguments.runs);
    }
    if arguments.schedules {
        return schedules::run(arguments.runs);
    }
    if arguments.authoring {
        return authoring::run(arguments.runs, arguments.calls);
    }
    if arguments.energy {
        return energy::run(arguments.runs);
    }
    if arguments.doors {
        return system::doors(arguments.calls);
    }
    if arguments.surface {
        fs::create_dir_all(target().join("bench"))?;
        return surface::run(arguments.calls);
    }
    if arguments.code {
        fs::create_dir_all(target().join("bench"))?;
        let file = samples(&[])?;
        return file.iter().try_for_each(|file| code::run(file, arguments.calls));
    }
    sh(cargo().args(["build", "--release", "--quiet", "--workspace", "--example", "ifc"]))?;
    fs::create_dir_all(target().join("bench"))?;
    let files = if arguments.file.is_empty() { samples(&arguments.copies)? } else { arguments.file.clone() };
    let peers = peers::ready();
    println!(
        "\n{} cores; medians of {} runs; CPU seconds first, wall seconds in brackets",
        cores(),
        arguments.runs
    );
    for file in &files {
        kernel::measure(file, arguments.runs, &peers)?;
    }
    for file in &files {
        println!("\n{}", file.file_name().unwrap_or_default().to_string_lossy());
        difference::measure(file, arguments.runs)?;
        validation::measure(file, arguments.runs.min(3))?;
    }
    if arguments.kernel {
        return Ok(());
    }
    geometry::run(arguments.runs, &arguments.copies, &arguments.file)?;
    for file in &files {
        system::on_file(file, arguments.calls)?;
    }
    if let Some(file) = files.first() {
        code::run(file, arguments.calls)?;
    }
    system::doors(arguments.calls)?;
    surface::run(arguments.calls)?;
    energy::run(arguments.runs)?;
    authoring::run(arguments.runs, arguments.calls)?;
    spatial::run(arguments.runs)?;
    clash::run(arguments.runs)?;
    drawings::run(arguments.runs)?;
    schedules::run(arguments.runs)?;
    ids::run(arguments.runs)?;
    load::run()
}

/// A property that many of the Duplex's walls share, and the one that is put in its place: none of them has a rating.
const UNRATED: &str = "IFCPROPERTYSINGLEVALUE('ExtendToStructure',$,IFCBOOLEAN(.F.),$)";
const RATED: &str = "IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('EI60'),$)";

/// The model that the files to measure are made of, among the real models.
const SOURCE: &str = "models/Duplex_A_20110907.ifc";

/// The Duplex with rated walls, and large files made of it.
fn samples(copies: &[u32]) -> Result<Vec<PathBuf>> {
    let data = test_data().context("no real models: set PENSAER_TEST_DATA, or name files with --file")?;
    let folder = target().join("bench");
    let small = folder.join("duplex.ifc");
    let text = fs::read_to_string(data.join(SOURCE))?;
    fs::write(&small, text.replace(UNRATED, RATED))?;
    let mut files = vec![small.clone()];
    for copies in copies {
        let large = folder.join(format!("duplex-x{copies}-rated.ifc"));
        if !large.exists() {
            enlarge::write(&small, *copies, enlarge::Copies::InPlace, &large)?;
        }
        files.push(large);
    }
    Ok(files)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The value at this share of a sorted list, such as 0.5 for the median.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (share * (values.len().saturating_sub(1)) as f64).round() as usize;
    values.get(at).copied().unwrap_or(f64::NAN)
}

/// `median 0.21 ms, p99 0.80 ms`.
fn spread(times: &[Duration]) -> String {
    let mut milliseconds: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    let (median, late) = (quantile(&mut milliseconds, 0.5), quantile(&mut milliseconds, 0.99));
    format!("median {median:.2} ms, p99 {late:.2} ms")
}
