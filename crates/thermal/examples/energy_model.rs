//! `convert FILE.ifc OUT.epJSON`: the energy model of a building, with its zones, findings and assumptions on standard error.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("convert FILE.ifc OUT.epJSON".into());
    };
    let (model, _) = ifc::Model::open(Path::new(&from), &ifc::Limits::default())?;
    let converted = thermal::convert(&model, &thermal::Options::default()).map_err(|f| f.message)?;
    eprintln!("{:?}", converted.counts);
    for z in &converted.zones {
        eprintln!(
            "{:<28} {:8.2} m³ body {:8.2} file {:?} floor {:7.2} file {:?} closed {} {}",
            z.zone,
            z.volume,
            z.body_volume,
            z.stated_volume,
            z.floor_area,
            z.stated_floor_area,
            z.closed,
            z.usage
        );
    }
    for f in &converted.findings {
        eprintln!("finding {} {}", f.place, f.message);
    }
    for a in &converted.assumptions {
        eprintln!("assumed {} = {} for {} ({})", a.what, a.value, a.count, a.source);
    }
    if std::env::var_os("SURFACES").is_some() {
        for s in &converted.surfaces {
            eprintln!("{:<40} {:<9} {:8.3} {:?} {:?}", s.surface, s.boundary, s.area, s.normal, s.elements);
        }
    }
    std::fs::write(to, serde_json::to_vec_pretty(&converted.epjson)?)?;
    Ok(())
}
