//! How long a change is looked at for what it made wrong: `edits MODEL.ifc` moves walls, slabs and rooms by 5 mm, one after the other, and
//! tells the times of `building::soundness::look` with the surroundings known.

use building::soundness::{Surroundings, look};
use ifc::{Id, Model, Value};
use std::time::Instant;
use validation::constraints::of_change;

/// Elements of a class that are moved at most.
const MOST: usize = 60;

/// Tells the times on a model.
pub fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [path] = arguments else { return Err("give a model".into()) };
    let (model, _) = Model::open(path.as_ref(), &ifc::Limits::default())?;
    let mut known = Surroundings::default();
    for class in ["IfcWall", "IfcSlab", "IfcDoor", "IfcSpace"] {
        let (mut times, mut bare) = (Vec::new(), Vec::new());
        let mut findings = 0;
        for id in model.of_class(class).into_iter().take(MOST) {
            let Some((after, touched)) = moved(&model, id) else { continue };
            // the first learns what stands around
            look(&model, &after, &touched, &mut known, of_change);
            let begin = Instant::now();
            let looked = look(&model, &after, &touched, &mut known, of_change);
            times.push(begin.elapsed().as_secs_f64() * 1e3);
            findings += looked.map_or(0, |(sound, _)| sound.findings.len());
            let begin = Instant::now();
            look(&model, &after, &touched, &mut known, |_, _| {});
            bare.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        let at = |times: &mut Vec<f64>, share: usize| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() * share / 100).copied().unwrap_or(f64::NAN)
        };
        let (half, most, bare) = (at(&mut times, 50), at(&mut times, 90), at(&mut bare, 50));
        println!(
            "{class}: {} moved, {half:.3} ms at the median, {most:.3} ms at 90 %, {findings} findings; {bare:.3} ms without gaps, joins, swings, levels and quantities",
            times.len()
        );
    }
    Ok(())
}

/// The model with one element moved by 5 mm, and what differs.
fn moved(model: &Model, id: Id) -> Option<(Model, Vec<Id>)> {
    let placement = model.get(id)?.reference("ObjectPlacement")?;
    let axes = model.get(placement)?.reference("RelativePlacement")?;
    let point = model.get(axes)?.reference("Location")?;
    let mut at = [0.0; 3];
    model.get(point)?.numbers("Coordinates", &mut at)?;
    let mut edit = model.edit();
    at[0] += 5.0 / ifc::Units::from_model(model).to_mm(1.0);
    let at = Value::list(at.map(Value::Real));
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", at)]).ok()?;
    let axes = edit.create("IfcAxis2Placement3D", &[("Location", point.into())]).ok()?;
    edit.set(placement, "RelativePlacement", axes).ok()?;
    let touched: Vec<Id> = edit.touched().collect();
    Some((edit.finish().0, touched))
}
