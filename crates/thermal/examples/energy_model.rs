//! `energy_model FILE.ifc OUT.epJSON [ZONING] [CORRECTIONS]`: the energy model of a building, with its zones, findings and assumptions on
//! standard error; ZONING is a word, CORRECTIONS a list, both as JSON.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("energy_model FILE.ifc OUT.epJSON [ZONING] [CORRECTIONS]".into());
    };
    let zoning = arguments.next().unwrap_or_else(|| "\"space\"".into());
    let corrections = arguments.next().unwrap_or_else(|| "[]".into());
    let options = thermal::Options {
        zoning: serde_json::from_str(&zoning)?,
        corrections: serde_json::from_str(&corrections)?,
        ..thermal::Options::default()
    };
    let (model, _) = ifc::Model::open(Path::new(&from), &ifc::Limits::default())?;
    let converted = thermal::convert(&model, &options).map_err(|f| f.message)?;
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
    for c in &converted.constructions {
        eprintln!(
            "U {:6.3} file {:?} {:.3} m {} {}",
            c.transmittance, c.stated_transmittance, c.thickness, c.construction, c.element
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
