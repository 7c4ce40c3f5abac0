//! Reads plans and tells what they show: `plans read FILE… [--scale MM] [--layers ROLE=NAME,NAME]… [--svg OUT] [--png OUT]` prints each as a line of JSON;
//! `plans drawing FILE` prints what the file holds; `plans measure FILE` prints times and memory; `plans crowd SHAPE COUNT` writes a DXF of so many lines.
#![allow(clippy::print_stdout, reason = "it is a program for the shell")]

use plans::drawing::{Drawing, Limits};
use plans::{Options, recognise};
use std::error::Error;
use std::io::Write as _;
use std::time::Instant;

#[path = "../tests/crowd/mod.rs"]
mod crowd;

const USAGE: &str = "plans read FILE… [--scale MM] [--layers ROLE=NAME,NAME]… [--svg OUT] [--png OUT] | plans drawing FILE | plans measure FILE | plans crowd SHAPE COUNT";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, file, rest @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    if task == "crowd" {
        let count = rest.first().ok_or(USAGE)?.parse()?;
        let shapes = || format!("a shape is one of {}", crowd::SHAPES.join(", "));
        std::io::stdout().lock().write_all(&crowd::dxf(file, count).ok_or_else(shapes)?)?;
        return Ok(());
    }
    if task == "read" {
        let files = arguments.iter().skip(1).take_while(|own| !own.starts_with("--")).count();
        let (files, rest) = arguments.get(1..).unwrap_or_default().split_at(files);
        return files.iter().try_for_each(|file| read(&std::fs::read(file)?, rest));
    }
    let bytes = std::fs::read(file)?;
    match task.as_str() {
        "drawing" => tell(&plans::read(&bytes, &Limits::default(), &|| true)?),
        "measure" => measure(&bytes),
        _ => Err(USAGE.into()),
    }
}

fn read(bytes: &[u8], rest: &[String]) -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let (mut svg, mut png) = (None, None);
    for pair in rest.chunks(2) {
        match pair {
            [name, value] if name == "--scale" => options.scale = Some(value.parse()?),
            [name, value] if name == "--layers" => {
                let (role, names) = value.split_once('=').ok_or(USAGE)?;
                let names = names.split(',').map(str::to_owned);
                options.layers.entry(role.to_owned()).or_default().extend(names);
            }
            [name, value] if name == "--svg" => svg = Some(value),
            [name, value] if name == "--png" => png = Some(value),
            _ => return Err(USAGE.into()),
        }
    }
    let drawing = plans::read(bytes, &Limits::default(), &|| true)?;
    let plan = recognise(&drawing, &options, &|| true)?;
    if svg.is_some() || png.is_some() {
        let page = plans::overlay::page(&drawing, &plan);
        if let Some(path) = svg {
            std::fs::write(path, paper::svg::write(&page))?;
        }
        if let Some(path) = png {
            std::fs::write(path, paper::png::write(&page, paper::png::Resolution::Width(1600))?)?;
        }
    }
    writeln!(std::io::stdout().lock(), "{}", serde_json::to_string(&plan)?)?;
    Ok(())
}

fn tell(drawing: &Drawing) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:?} {} {:?}", drawing.format, drawing.version, drawing.units)?;
    for entity in &drawing.entities {
        writeln!(out, "{} {} {:?}", drawing.layer(entity.layer), entity.instance, entity.shape)?;
    }
    for passed in &drawing.passed {
        writeln!(out, "{passed:?}")?;
    }
    for notice in &drawing.notices {
        writeln!(out, "{notice}")?;
    }
    Ok(())
}

fn measure(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let drawing = plans::read(bytes, &Limits::default(), &|| true)?;
    let read = begin.elapsed().as_secs_f64();
    let plan = recognise(&drawing, &Options::default(), &|| true)?;
    let all = begin.elapsed().as_secs_f64();
    let page = plans::overlay::page(&drawing, &plan);
    let overlay = paper::svg::write(&page).len();
    let drawn = begin.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    writeln!(
        std::io::stdout().lock(),
        "{{\"bytes\": {}, \"entities\": {}, \"read\": {read:.3}, \"recognise\": {:.3}, \"overlay\": {:.3}, \"overlay_bytes\": {overlay}, \"walls\": {}, \"doors\": {}, \"peak_mb\": {:.0}}}",
        bytes.len(),
        drawing.entities.len(),
        all - read,
        drawn - all,
        plan.walls.len(),
        plan.doors.len(),
        peak.unwrap_or(0.0) / 1024.0
    )?;
    Ok(())
}
