//! The interferences of a file with itself or with another, one JSON line each; the last line holds totals and times: reading,
//! meshing, all pairs cold (trees are made on the way) and again warm.
//! `cargo run --release -p geometry --example geometry -- clashes A.ifc [B.ifc] [tolerance=1e-4] [volume=1e-6] [clearance=0] [touching=1]`.

use crate::Arguments;
use crate::figures::{memory, timed};
use geometry::{
    Shaper, drawable,
    query::{Index, Kind, Relation, Rules, interferences},
};
use ifc::{Id, Limits, Model, relations::Links};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::{error::Error, path::Path, sync::Arc};

fn scene(model: &Model) -> Index {
    let shaper = Shaper::plain(model);
    // rooms are no bodies that one can run into, and openings are none at all
    let is_body = |id: &Id| model.get(*id).is_some_and(|p| p.is_a("IfcElement"));
    let ids: Vec<Id> = drawable(model).into_iter().filter(is_body).collect();
    let mesh = |id: &Id| Some((*id, Arc::new(shaper.element(*id).ok()?.mesh())));
    ids.par_iter().filter_map(mesh).collect::<Vec<_>>().into_iter().collect()
}

fn told(kind: &Kind) -> Value {
    match kind {
        Kind::Hard { depth, volume } => json!({"kind": "hard", "depth": depth, "volume": volume}),
        Kind::Duplicate { volume } => json!({"kind": "duplicate", "volume": volume}),
        Kind::Inside { volume } => json!({"kind": "inside", "volume": volume}),
        Kind::Contains { volume } => json!({"kind": "contains", "volume": volume}),
        Kind::Touching { area } => json!({"kind": "touching", "area": area}),
        Kind::Clearance { distance } => json!({"kind": "clearance", "distance": distance}),
    }
}

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let (mut files, mut rules) = (Vec::new(), Rules::default());
    for argument in arguments {
        match argument.split_once('=') {
            Some(("tolerance", v)) => rules.tolerance = v.parse()?,
            Some(("volume", v)) => rules.least_volume = v.parse()?,
            Some(("clearance", v)) => rules.clearance = v.parse()?,
            Some(("touching", v)) => rules.touching = v != "0",
            _ => files.push(argument),
        }
    }
    let (opened, open) = timed(|| {
        let open = |f: &String| Model::open(Path::new(f), &Limits::default()).map(|m| m.0);
        files.iter().map(open).collect::<Result<Vec<Model>, _>>()
    });
    let models = opened?;
    let (scenes, mesh) = timed(|| models.iter().map(scene).collect::<Vec<Index>>());
    let (first, second) = (scenes.first().ok_or("usage: clashes A.ifc [B.ifc]")?, scenes.get(1));
    let (found, cold) = timed(|| interferences(first, second, &rules, &|_, _| true));
    let (again, warm) = timed(|| interferences(first, second, &rules, &|_, _| true));
    let found = found?;
    let model = models.first().ok_or("no model")?;
    let other = models.get(1).unwrap_or(model);
    let links = Links::of_many(model);
    for f in &found {
        let named = |m: &Model, id: Id| {
            let i = m.get(id);
            json!([i.as_ref().and_then(ifc::Instance::guid), i.as_ref().map(ifc::Instance::class_name)])
        };
        let relation = if second.is_none() { Relation::between(&links, f.a, f.b) } else { Relation::None };
        let mut line =
            json!({"a": named(model, f.a), "b": named(other, f.b), "place": f.place, "relation": relation});
        if let (Some(line), Value::Object(kind)) = (line.as_object_mut(), told(&f.kind)) {
            line.extend(kind);
        }
        println!("{line}");
    }
    let triangles: usize = scenes.iter().flat_map(Index::iter).map(|e| e.mesh().triangles.len()).sum();
    println!(
        "{}",
        json!({
            "elements": scenes.iter().map(Index::len).collect::<Vec<_>>(), "triangles": triangles,
            "near": first.near_pairs(second, rules.clearance.max(rules.tolerance), usize::MAX - 1).map(|p| p.len()),
            "found": found.len(), "hard": found.iter().filter(|f| f.kind.is_hard()).count(), "same": again.as_ref() == Ok(&found),
            "open": open, "mesh": mesh, "cold": cold, "warm": warm, "peak_mb": memory("VmHWM:"),
        })
    );
    Ok(())
}
