//! Measures what meshing a file costs, as one line of JSON, for comparing with other programs: opening, all products (with `uncut` their
//! openings are left in), the scene with its tiles as GLB, and the scene after one wall has been moved.
//! `cargo run --release -p geometry --example geometry -- mesh MODEL.ifc [uncut]`.

use crate::Arguments;
use crate::figures::{memory, timed};
use geometry::{Scene, Shaper, drawable};
use ifc::{Limits, Model, Value};
use rayon::prelude::*;
use serde_json::json;
use std::{error::Error, path::Path, time::Instant};

/// The number of times that a wall is moved.
const MOVES: usize = 40;

/// A state of the model in which a wall stands elsewhere.
fn moved(model: &Model, wall: ifc::Id, by: f64) -> Option<Model> {
    let placement = model.get(model.get(wall)?.reference("ObjectPlacement")?)?;
    let axes = placement.reference("RelativePlacement")?;
    let at = model.get(model.get(axes)?.reference("Location")?)?;
    let mut point = [0.0; 3];
    at.numbers("Coordinates", &mut point)?;
    let [x, y, z] = point.map(Value::Real);
    let mut edit = model.edit();
    let x = Value::list([Value::Real(x.as_f64()? + by), y, z]);
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", x)]).ok()?;
    edit.set(axes, "Location", point).ok()?;
    Some(edit.finish().0)
}

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: mesh MODEL.ifc [uncut]")?;
    let uncut = arguments.next().is_some_and(|kind| kind == "uncut");
    let (opened, open) = timed(|| Model::open(Path::new(&file), &Limits::default()));
    let (mut model, _) = opened?;
    let (shapes, mesh) = timed(|| {
        let shaper = Shaper::new(&model);
        let one = |id| if uncut { shaper.uncut_element(id) } else { shaper.element(id) };
        drawable(&model).into_par_iter().with_max_len(1).map(one).collect::<Vec<_>>()
    });
    let made = shapes.iter().flatten().count();
    let triangles: usize = shapes.iter().flatten().map(geometry::Shape::triangles).sum();
    let peak = memory("VmHWM:");
    drop(shapes);
    let (mut scene, whole) = timed(|| Scene::from_model(&model));
    let keys: Vec<String> = scene.tileset().tiles.iter().map(|t| t.key.clone()).collect();
    let (bytes, glb) =
        timed(|| keys.par_iter().filter_map(|key| scene.glb(key)).map(|g| g.len()).sum::<usize>());
    let walls = model.of_class("IfcWall");
    let (mut follow, mut fresh) = (Vec::new(), Vec::new());
    // the first one pays for the reverse references, which any other question pays for as well
    for round in 0..=MOVES {
        let Some(wall) = walls.get(round * 37 % walls.len().max(1)) else { break };
        let Some(next) = moved(&model, *wall, 1.0) else { continue };
        model = next;
        let begun = Instant::now();
        let next = scene.follow(&model);
        let followed = begun.elapsed().as_secs_f64();
        let new =
            next.tileset().tiles.iter().filter(|t| scene.tileset().tiles.iter().all(|o| o.key != t.key));
        let begun = Instant::now();
        new.for_each(|t| drop(next.glb(&t.key)));
        if round > 0 {
            follow.push(followed);
            fresh.push(begun.elapsed().as_secs_f64());
        }
        scene = next;
    }
    let middle = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    println!(
        "{}",
        json!({
            "open": open, "mesh": mesh, "products": made, "triangles": triangles, "peak_mb": peak,
            "scene": whole, "glb": glb, "tiles": keys.len(), "bytes": bytes,
            "moved": middle(follow), "new_tiles": middle(fresh),
        })
    );
    Ok(())
}
