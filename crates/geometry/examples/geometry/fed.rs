//! Measures an index of a whole model beside its scene, and how quickly it follows an edit: a line of JSON.
//! `cargo run --release -p geometry --example geometry -- fed MODEL.ifc`.

use crate::Arguments;
use crate::figures::{memory, timed};
use geometry::{Scene, query::Index};
use ifc::{Limits, Model, Value};
use serde_json::json;
use std::{error::Error, path::Path};

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: fed MODEL.ifc")?;
    let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
    let (scene, made) = timed(|| Scene::from_model(&model));
    let with_scene = memory("VmRSS:");
    let (mut index, fed) = timed(|| Index::of_scene(&scene, &|e| !e.is_space));
    let with_meshes = memory("VmRSS:");
    let ((), trees) = timed(|| index.prepare());
    let with_trees = memory("VmRSS:");
    let triangles: usize = index.iter().map(|e| e.mesh().triangles.len()).sum();
    let mut edit = model.edit();
    let body = model.of_class("IfcExtrudedAreaSolid").first().copied().ok_or("nothing is extruded")?;
    edit.set(body, "Depth", Value::Real(1.0))?;
    let after = edit.finish().0;
    let (next, followed) = timed(|| scene.follow(&after));
    let (touched, follow) = timed(|| index.follow_scene(&scene, &next, &|e| !e.is_space));
    println!(
        "{}",
        json!({
            "elements": index.len(), "triangles": triangles, "scene": made, "index": fed, "trees": trees, "mb": [with_scene,
            with_meshes, with_trees], "scene follows": followed, "index follows": follow, "touched": touched,
        })
    );
    Ok(())
}
