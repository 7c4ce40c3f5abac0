//! Measures the time that a plan of each storey takes, a metre above its floor: one JSON line each, the first with cold caches.
//! `cargo run -p geometry --example geometry -- section MODEL.ifc`.

use crate::Arguments;
use crate::figures::timed;
use geometry::{
    Shaper, drawable,
    math::Bounds,
    section::{self, Plane},
};
use ifc::{Limits, Model};
use serde_json::json;
use std::{error::Error, path::Path};

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: section MODEL.ifc")?;
    let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
    let products = drawable(&model);
    let shaper = Shaper::plain(&model);
    for storey in model.of_class("IfcBuildingStorey") {
        let metres = ifc::units::Units::from_model(&model).length_mm / 1000.0;
        let level = model.get(storey).and_then(|s| s.number("Elevation")).unwrap_or(0.0) * metres;
        let plane = Plane::level(level + 1.0).ok_or("the storey has no height")?;
        let (cuts, plan) = timed(|| section::of_elements(&shaper, &products, &plane, &|_| true));
        let mut cuts = cuts.unwrap_or_default();
        cuts.retain(|cut| cut.outline.bounds().is_some());
        let areas: usize = cuts.iter().map(|c| c.outline.areas.len()).sum();
        let reach = cuts.iter().filter_map(|c| c.outline.bounds()).fold(Bounds::EMPTY, |all, (low, high)| {
            all.join(&Bounds { min: low.extend(0.0), max: high.extend(0.0) })
        });
        println!(
            "{}",
            json!({"storey": storey.0, "level": level, "elements": cuts.len(), "areas": areas,
                "size": cuts.iter().map(|c| c.outline.size()).sum::<f64>(), "reach": reach, "plan": plan})
        );
    }
    Ok(())
}
