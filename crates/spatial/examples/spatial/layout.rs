//! How long layouts, neighbours and measures of rooms take: `layout MODEL.ifc`; `grid FILE.ifc [bare]` writes a storey of 100 rooms to
//! measure, `bare` without spaces. One line of JSON, milliseconds: processor time of all threads and wall time, of the quickest round.

use crate::{Arguments, figures, grid};
use geometry::Scene;
use ifc::{Id, Limits, Model, Value as Attribute};
use rayon::prelude::*;
use serde_json::{Value, json};
use spatial::{Layout, exposure::Exposure};
use std::{
    error::Error,
    fs,
    io::{self, Write as _},
    path::Path,
};

/// Rounds of which the quickest is told.
const ROUNDS: usize = 9;

/// Writes a storey of ten by ten rooms.
pub(crate) fn write_grid(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: grid FILE.ifc [bare]")?;
    let with_spaces = arguments.next().as_deref() != Some("bare");
    fs::write(file, grid::storey(10, 10, with_spaces))?;
    Ok(())
}

/// Prints the times of a model.
pub(crate) fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = arguments.next().ok_or("usage: layout MODEL.ifc")?;
    let model = Model::open(Path::new(&file), &Limits::default())?.0;
    let (scene, scene_ms) = timed(|| Scene::from_model(&model));
    let (_, layout_ms) = timed(|| Layout::from_scene(&scene));
    let fresh: Vec<Layout> = (0..ROUNDS).map(|_| Layout::from_scene(&scene)).collect();
    let neighbours_ms = quickest(fresh.iter().map(|l| figures::timed(|| l.adjacencies().len()).1));
    let facts_ms = quickest(fresh.iter().map(|l| figures::timed(|| facts(l)).1));
    let known = fresh.first().ok_or("no round")?;
    let edited = edited(&model);
    let (after, scene_after_ms) = timed(|| scene.follow(&edited));
    let (_, layout_after_ms) = timed(|| known.following(&scene, &after));
    let followed: Vec<Layout> = (0..ROUNDS).map(|_| known.following(&scene, &after)).collect();
    let facts_after_ms =
        quickest(followed.iter().map(|l| figures::timed(|| l.adjacencies().len() as f64 + facts(l)).1));
    let pairs = known.adjacencies().len();
    let told = json!({
        "rooms": known.rooms.rooms.len(), "neighbours": pairs, "scene": scene_ms, "layout": layout_ms,
        "adjacency": neighbours_ms, "facts": facts_ms, "scene_after": scene_after_ms, "layout_after": layout_after_ms,
        "facts_after": facts_after_ms, "peak_mb": figures::memory("VmHWM:"),
    });
    writeln!(io::stdout().lock(), "{told}")?;
    Ok(())
}

/// All that is said of all rooms.
fn facts(layout: &Layout) -> f64 {
    let rooms: Vec<usize> = (0..layout.rooms.rooms.len()).collect();
    let of = |room| {
        let exposure = Exposure::of_room(layout, room, 0.0);
        let around = layout.bounding(room).len() + layout.contents(room).len();
        around as f64
            + layout.measures(room).volume
            + layout.daylight_factor(room)
            + layout.usable_width(room).furnished
            + exposure.windows()
    };
    rooms.par_iter().map(|room| of(*room)).sum()
}

/// The model with a wall moved by 50 mm along x of its own placement.
fn edited(model: &Model) -> Model {
    let mut edit = model.edit();
    let place = |wall: Id| -> Option<Id> {
        let placement = model.get(wall)?.reference("ObjectPlacement")?;
        let frame = model.get(placement)?.reference("RelativePlacement")?;
        model.get(frame)?.reference("Location")
    };
    let walls = model.of_class("IfcWall");
    if let Some(point) = walls.get(walls.len() / 2).and_then(|wall| place(*wall))
        && let Some(Attribute::List(list)) = model.get(point).map(|p| p.attr("Coordinates"))
        && let Some(Attribute::Real(x)) = list.first()
    {
        let per_metre = 1e3 / ifc::units::Units::from_model(model).length_mm;
        let moved =
            std::iter::once(Attribute::Real(x + 0.05 * per_metre)).chain(list.iter().skip(1).cloned());
        drop(edit.set(point, "Coordinates", Attribute::list(moved)));
    }
    edit.model().clone()
}

/// Does work several times; returns its result and the times of the quickest round.
fn timed<T>(work: impl Fn() -> T) -> (T, Value) {
    let times: Vec<Value> = (1..ROUNDS).map(|_| figures::timed(&work).1).collect();
    let (made, last) = figures::timed(&work);
    (made, quickest(times.into_iter().chain([last])))
}

/// The times of the round with the least wall time, in milliseconds.
fn quickest(times: impl Iterator<Item = Value>) -> Value {
    let of = |time: &Value, clock: &str| time[clock].as_f64().unwrap_or(f64::NAN) * 1e3;
    let least = times.min_by(|a, b| of(a, "wall").total_cmp(&of(b, "wall"))).unwrap_or_default();
    json!({"cpu": of(&least, "cpu"), "wall": of(&least, "wall")})
}
