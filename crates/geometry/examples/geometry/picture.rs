//! A picture of a model: `cargo run --release -p geometry --example geometry -- picture MODEL.ifc OUT.png [VIEW] [WIDTHxHEIGHT]`.
//!
//! VIEW is one of south-east (unless told otherwise), south-west, north-east, north-west, plan, north, east, south, west; `@HEIGHT`
//! after it cuts off all above a height in metres, and `+labels` writes the rooms' names on it. One JSON line says how long it took.

use crate::Arguments;
use geometry::{
    Scene,
    render::{self, Camera, HalfSpace, Label, Look, Named, Setting, Target},
};
use ifc::{Limits, Model};
use serde_json::json;
use std::{error::Error, path::Path, time::Instant};

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = arguments.collect();
    let [file, out, options @ ..] = arguments.as_slice() else {
        return Err("usage: picture MODEL.ifc OUT.png [VIEW[@HEIGHT][+labels]] [WIDTHxHEIGHT]".into());
    };
    let view = options.first().map_or("south-east", String::as_str);
    let (view, labels) = view.strip_suffix("+labels").map_or((view, false), |v| (v, true));
    let (view, height) = view.split_once('@').map_or((view, None), |(v, h)| (v, Some(h)));
    let size = options.get(1).map_or("1200x800", String::as_str);
    let (wide, high) = size.split_once('x').ok_or("a size is written 1200x800")?;

    let (model, _) = Model::open(Path::new(file), &Limits::default())?;
    let started = Instant::now();
    let scene = Scene::from_model(&model);
    let meshed = started.elapsed();
    let items = render::of_scene(&scene);
    let mut setting = Setting::new(wide.parse()?, high.parse()?);
    let top: Option<f64> = height.map(str::parse).transpose()?;
    setting.clip.extend(top.and_then(HalfSpace::below));
    if labels {
        let name = |id| model.get(id).and_then(|s| s.text("LongName").or_else(|| s.text("Name")));
        setting.labels = model
            .of_class("IfcSpace")
            .into_iter()
            .filter_map(|id| Some(Label { target: Target::Element(id), text: name(id)? }))
            .collect();
    }
    let shown = items.iter().filter(|i| i.look != Look::Hidden);
    let mut boxes: Vec<_> = shown.map(render::Item::bounds).collect();
    if let Some(top) = top {
        boxes.retain(|b| b.min.z < top);
        for b in &mut boxes {
            b.max.z = b.max.z.min(top);
        }
    }
    let view = Named::parse(view).ok_or("there is no such view")?;
    let camera = Camera::named(view, &boxes, setting.aspect(), 0.04).ok_or("there is nothing to see")?;
    let started = Instant::now();
    let picture = render::draw(&items, &camera, &setting, &|_, _| true)?;
    let drawn = started.elapsed();
    let started = Instant::now();
    let png = picture.png()?;
    let written = started.elapsed();
    std::fs::write(out, &png)?;
    let pixels = f64::from(picture.width) * f64::from(picture.height);
    println!(
        "{}",
        json!({"triangles": items.iter().map(|i| i.shape.triangles()).sum::<usize>(), "mesh_ms": meshed.as_millis(),
            "draw_ms": drawn.as_millis(), "png_ms": written.as_millis(), "bytes": png.len(),
            "megapixels_per_second": pixels / drawn.as_secs_f64() / 1e6})
    );
    Ok(())
}
