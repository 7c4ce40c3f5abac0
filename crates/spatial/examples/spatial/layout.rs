//! How long layouts, neighbours and measures of rooms take: `layout MODEL.ifc …`; without a model, of a storey of 100 rooms with spaces
//! and without. Milliseconds of
//! all threads together, the quickest of some rounds.

use crate::{Arguments, figures, grid};
use geometry::Scene;
use ifc::{Id, Limits, Model, Value};
use rayon::prelude::*;
use spatial::{Layout, exposure::Exposure};
use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
    time::Duration,
};

/// Rounds of which the quickest is told.
const ROUNDS: usize = 9;

/// Prints a table of times.
pub(crate) fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = arguments.collect();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "model rooms scene_ms layout_ms neighbours_ms facts_ms again_ms scene_after_edit_ms layout_after_edit_ms facts_after_edit_ms"
    )?;
    if files.is_empty() {
        for with_spaces in [true, false] {
            let text = grid::storey(10, 10, with_spaces);
            let model = Model::from_bytes(text.into_bytes(), &Limits::default())?.0;
            measured(if with_spaces { "grid" } else { "grid without spaces" }, &model, &mut out)?;
        }
    }
    for file in files {
        let model = Model::open(Path::new(&file), &Limits::default())?.0;
        measured(&file, &model, &mut out)?;
    }
    Ok(())
}

fn measured(name: &str, model: &Model, out: &mut impl io::Write) -> io::Result<()> {
    let (scene, scene_ms) = timed(|| Scene::from_model(model));
    let (_, layout_ms) = timed(|| Layout::from_scene(&scene));
    let fresh: Vec<Layout> = (0..ROUNDS).map(|_| Layout::from_scene(&scene)).collect();
    let neighbours_ms = quickest(fresh.iter().map(|l| timed_once(|| l.adjacencies().len()).1));
    let facts_ms = quickest(fresh.iter().map(|l| timed_once(|| facts(l)).1));
    let Some(known) = fresh.first() else { return Ok(()) };
    let (_, again_ms) = timed(|| facts(known));
    let edited = edited(model);
    let (_, scene_after_ms) = timed(|| scene.follow(&edited));
    let after = scene.follow(&edited);
    let (_, following_ms) = timed(|| known.following(&scene, &after));
    let followed: Vec<Layout> = (0..ROUNDS).map(|_| known.following(&scene, &after)).collect();
    let facts_after_ms =
        quickest(followed.iter().map(|l| timed_once(|| l.adjacencies().len() as f64 + facts(l)).1));
    let times = [
        scene_ms,
        layout_ms,
        neighbours_ms,
        facts_ms,
        again_ms,
        scene_after_ms,
        following_ms,
        facts_after_ms,
    ];
    write!(out, "{name} {}", known.rooms.rooms.len())?;
    for time in times {
        write!(out, " {:.2}", time.as_secs_f64() * 1e3)?;
    }
    writeln!(out)
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
        && let Some(Value::List(list)) = model.get(point).map(|p| p.attr("Coordinates"))
        && let Some(Value::Real(x)) = list.first()
    {
        let per_metre = 1e3 / ifc::units::Units::from_model(model).length_mm;
        let moved = std::iter::once(Value::Real(x + 0.05 * per_metre)).chain(list.iter().skip(1).cloned());
        drop(edit.set(point, "Coordinates", Value::list(moved)));
    }
    edit.model().clone()
}

/// Does work several times; returns its result and the least of the times that it takes.
fn timed<T>(work: impl Fn() -> T) -> (T, Duration) {
    let times = (1..ROUNDS).map(|_| timed_once(&work).1).collect::<Vec<_>>();
    let (made, last) = timed_once(&work);
    (made, quickest(times.into_iter().chain([last])))
}

/// Does work once; returns its result and the time that all threads spent on it.
fn timed_once<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (made, spent) = figures::timed(work);
    (made, Duration::from_secs_f64(spent["cpu"].as_f64().unwrap_or_default()))
}

fn quickest(times: impl Iterator<Item = Duration>) -> Duration {
    times.min().unwrap_or_default()
}
