//! Writes a model's tiles and the measures of its elements into a folder, to look at and to compare:
//! `cargo run --release -p geometry --example geometry -- tiles MODEL.ifc FOLDER`.

use crate::Arguments;
use rayon::prelude::*;
use serde_json::json;
use std::{error::Error, fs, path::Path, time::Instant};

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let (Some(file), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: tiles MODEL.ifc FOLDER".into());
    };
    let start = Instant::now();
    let (model, _) = ifc::Model::open(Path::new(&file), &ifc::Limits::default())?;
    let opened = start.elapsed();
    let start = Instant::now();
    let scene = geometry::Scene::from_model(&model);
    let made = start.elapsed();
    let out = Path::new(&folder);
    fs::create_dir_all(out.join("tiles"))?;
    let set = scene.tileset();
    fs::write(out.join("tileset.json"), serde_json::to_vec_pretty(&set.to_3d_tiles())?)?;
    let start = Instant::now();
    let mut bytes = 0;
    for tile in &set.tiles {
        let glb = scene.glb(&tile.key).unwrap_or_default();
        bytes += glb.len();
        fs::write(out.join("tiles").join(format!("{}.glb", tile.key)), glb)?;
    }
    let written = start.elapsed();
    let shaper = geometry::Shaper::plain(&model);
    let measures: Vec<serde_json::Value> = geometry::drawable(&model)
        .par_iter()
        .filter_map(|id| {
            let guid = model.get(*id)?.guid()?;
            let shape = shaper.element(*id).ok()?;
            let m = shape.mesh().measures();
            Some(json!({
                "id": guid, "volume": m.volume, "area": m.area, "open": m.open,
                "min": m.bounds.min, "max": m.bounds.max, "box": shape.is_box, "notes": shape.notes.len(),
            }))
        })
        .collect();
    fs::write(out.join("measures.json"), serde_json::to_vec(&measures)?)?;
    println!(
        "{file}: opened in {opened:.1?}, meshed in {made:.1?}: {} drawn ({} as boxes, {} simplified), {} not; {} tiles, {} triangles, {bytes} bytes, written in {written:.1?}",
        set.drawn,
        set.boxes.len(),
        set.simplified.len(),
        set.unmeshed.len(),
        set.tiles.len(),
        set.tiles.iter().map(|t| t.triangles).sum::<usize>(),
    );
    for (what, list) in [("box", &set.boxes), ("simplified", &set.simplified), ("no shape", &set.unmeshed)] {
        for note in list.iter().take(6) {
            println!("  {what}: {} {}: {} {}", note.class, note.global_id, note.item, note.reason);
        }
    }
    Ok(())
}
