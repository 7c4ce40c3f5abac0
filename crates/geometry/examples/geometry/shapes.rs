//! The measures of every product of a file, one JSON line each, for comparing with other programs: bounding box (m, in the world),
//! volume (m³), area (m²), closed or not, triangles, and what could not be made with its instance and reason. The last line holds
//! totals and CPU seconds. `cargo run -p geometry --example geometry -- shapes MODEL.ifc`.

use crate::Arguments;
use crate::figures::timed;
use geometry::{Shape, ShapeError, Shaper, drawable};
use ifc::{Id, Limits, Model};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::{error::Error, path::Path};

/// An instance at fault and why.
fn reason(note: &ShapeError) -> Value {
    json!({"item": note.item.0, "reason": note.reason})
}

fn line(model: &Model, id: Id, shape: &Result<Shape, ShapeError>) -> Value {
    let product = model.get(id);
    let named = json!({
        "id": id.0,
        "guid": product.as_ref().and_then(ifc::Instance::guid),
        "class": product.as_ref().map(ifc::Instance::class_name),
    });
    let rest = match shape {
        Ok(shape) => {
            let measures = shape.mesh().measures();
            json!({
                "min": measures.bounds.min, "max": measures.bounds.max, "volume": measures.volume,
                "area": measures.area, "closed": measures.is_closed(), "triangles": shape.triangles(),
                "box": shape.is_box, "notes": shape.notes.iter().map(reason).collect::<Vec<_>>(),
            })
        }
        Err(error) => json!({"notes": [reason(error)]}),
    };
    let mut line = named;
    if let (Some(line), Value::Object(rest)) = (line.as_object_mut(), rest) {
        line.extend(rest);
    }
    line
}

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: shapes MODEL.ifc")?;
    let (opened, open) = timed(|| Model::open(Path::new(&file), &Limits::default()));
    let (model, _) = opened?;
    let products = drawable(&model);
    let (shapes, mesh) = timed(|| {
        let shaper = Shaper::plain(&model);
        products.par_iter().map(|id| shaper.element(*id)).collect::<Vec<_>>()
    });
    for (id, shape) in products.iter().zip(&shapes) {
        println!("{}", line(&model, *id, shape));
    }
    let made: Vec<&Shape> = shapes.iter().flatten().collect();
    println!(
        "{}",
        json!({
            "products": products.len(),
            "shapes": made.len(),
            "boxes": made.iter().filter(|s| s.is_box).count(),
            "noted": made.iter().filter(|s| !s.notes.is_empty()).count(),
            "triangles": made.iter().map(|s| s.triangles()).sum::<usize>(),
            "open": open,
            "mesh": mesh,
        })
    );
    Ok(())
}
