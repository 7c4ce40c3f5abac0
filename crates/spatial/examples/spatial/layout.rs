//! How long layouts, neighbours and measures of rooms take: `layout MODEL.ifc …`; without a model, of a storey of 100 rooms with spaces
//! and without. Milliseconds, medians.

use crate::{Arguments, grid};
use geometry::Scene;
use ifc::{Limits, Model};
use spatial::{Layout, measures::RoomMeasures};
use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
    time::{Duration, Instant},
};

/// Rounds of which the median is told.
const ROUNDS: usize = 9;

/// Prints a table of times.
pub(crate) fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = arguments.collect();
    let mut out = io::stdout().lock();
    writeln!(out, "model rooms scene_ms layout_ms neighbours_ms measures_ms around_ms again_ms")?;
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
    let (layout, layout_ms) = timed(|| Layout::from_scene(&scene));
    let rooms = layout.rooms.rooms.len();
    let fresh: Vec<Layout> = (0..ROUNDS).map(|_| Layout::from_scene(&scene)).collect();
    let neighbours_ms = median(fresh.iter().map(|l| timed_once(|| l.adjacencies().len()).1));
    let around_ms =
        median(fresh.iter().map(|l| timed_once(|| (0..rooms).map(|n| l.bounding(n).len()).sum::<usize>()).1));
    let measure = || (0..rooms).map(|n| RoomMeasures::of_room(&layout, n).volume).sum::<f64>();
    let (_, measures_ms) = timed(measure);
    let known = fresh.first().unwrap_or(&layout);
    let (_, again_ms) =
        timed(|| (0..rooms).map(|n| known.bounding(n).len() + known.adjacencies().len()).sum::<usize>());
    let ms =
        [scene_ms, layout_ms, neighbours_ms, measures_ms, around_ms, again_ms].map(|t| t.as_secs_f64() * 1e3);
    write!(out, "{name} {rooms}")?;
    for value in ms {
        write!(out, " {value:.2}")?;
    }
    writeln!(out)
}

/// Does work several times; returns its result and the median of the times that it takes.
fn timed<T>(work: impl Fn() -> T) -> (T, Duration) {
    let times = (1..ROUNDS).map(|_| timed_once(&work).1).collect::<Vec<_>>();
    let (made, last) = timed_once(&work);
    (made, median(times.into_iter().chain([last])))
}

fn timed_once<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let made = work();
    (made, begun.elapsed())
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
