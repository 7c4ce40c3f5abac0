//! What a link to the viewer lays over a version: a way, floors of rooms in colours, highlighted elements; in the plan of a storey, cut
//! open, where all of it lies on one.

use crate::opened::{OpenVersion, with_shape};
use crate::overlaid::{self, millimetres};
use crate::selecting::choose;
use building::lookup;
use building::picture::CUT_HEIGHT;
use contract::ops::{Overlay, OverlayAnswer, OverlayFile};
use contract::{Fault, Watch};
use geometry::Bounds;
use glam::DVec3;
use ifc::Id;
use ifc::relations::Links;
use spatial::{Layout, Storey};
use std::collections::BTreeSet;

/// Elements that are highlighted at most.
const MOST_ELEMENTS: usize = 5000;
/// A point belongs to the storey whose floor is at most so far above it, in metres: steps and uneven ground.
const STEP: f64 = 0.5;

/// Makes the overlay that is asked for; a Fault names the field that cannot be shown.
pub fn overlay(
    version: &dyn OpenVersion,
    watch: &dyn Watch,
    asked: &Overlay,
) -> Result<(OverlayFile, OverlayAnswer), Fault> {
    let (scene, layout) = (version.scene(watch)?, version.layout(watch)?);
    let model = version.model();
    let given =
        asked.level_id.as_deref().map(|level| lookup::storey(model, "level_id", level)).transpose()?;
    let path = if asked.path.is_empty() { Vec::new() } else { overlaid::places("path", &asked.path)? };
    let mut elements = BTreeSet::new();
    if !asked.elements.is_empty() {
        let chosen = choose(model, "elements", &asked.elements)?;
        elements.extend(with_shape(&scene, &Links::of_many(model), &chosen));
        if elements.is_empty() {
            return Err(Fault::invalid("elements", "None of these elements has a shape that can be drawn."));
        }
        if elements.len() > MOST_ELEMENTS {
            let problem = format!("`elements` are {}; choose at most {MOST_ELEMENTS}.", elements.len());
            return Err(Fault::invalid("elements", problem));
        }
    }
    let own = |id: &Id| scene.entry(*id).and_then(|entry| entry.storey);
    let storey = given.or_else(|| match (path.is_empty(), elements.is_empty()) {
        (true, true) => only(layout.rooms.rooms.iter().map(|room| storey_id(&layout, room.storey))),
        _ => only(path.iter().map(|p| storey_under(&layout, *p)).chain(elements.iter().map(own))),
    });
    let plan = storey.and_then(|id| layout.rooms.storeys.iter().find(|storey| storey.id == id));
    let mut bounds = Bounds::EMPTY;
    let mut file = OverlayFile { colours: asked.rooms, ..OverlayFile::default() };
    if let Some(by) = asked.rooms {
        let coloured = overlaid::rooms(&layout, by, storey);
        if coloured.floors.is_empty() {
            return Err(overlaid::no_rooms(storey));
        }
        for floor in &coloured.floors {
            let (layer, corners) = floor.layer(&layout);
            bounds = corners.into_iter().fold(bounds, Bounds::with);
            file.rooms.push(layer);
        }
        file.legend = coloured.legend;
    }
    bounds = path.iter().copied().fold(bounds, Bounds::with);
    for id in &elements {
        if let Some(entry) = scene.entry(*id) {
            bounds = [entry.bounds.min, entry.bounds.max].into_iter().fold(bounds, Bounds::with);
        }
        file.elements.extend(model.get(*id).and_then(|instance| instance.guid()));
    }
    if bounds.is_empty() {
        let on_it = scene.entries().iter().filter(|e| e.is_drawn() && e.storey == storey);
        bounds = on_it.flat_map(|e| [e.bounds.min, e.bounds.max]).fold(bounds, Bounds::with);
    }
    if bounds.is_empty() {
        return Err(Fault::invalid("level_id", "Nothing that is drawn stands on this storey."));
    }
    file.cut = plan.map(|storey| storey.elevation + CUT_HEIGHT);
    file.path = path.iter().map(|p| p.to_array().map(millimetres)).collect();
    file.min = bounds.min.to_array().map(millimetres);
    file.max = bounds.max.to_array().map(millimetres);
    let answer = OverlayAnswer {
        storey: plan.map(|storey| storey.name.clone()),
        elements: file.elements.len(),
        legend: file.legend.clone(),
    };
    Ok((file, answer))
}

/// The one storey that all of some things lie on.
fn only(storeys: impl Iterator<Item = Option<Id>>) -> Option<Id> {
    let found: BTreeSet<Option<Id>> = storeys.collect();
    match (found.len(), found.first()) {
        (1, Some(one)) => *one,
        _ => None,
    }
}

fn storey_id(layout: &Layout, number: Option<usize>) -> Option<Id> {
    layout.rooms.storeys.get(number?).map(|storey| storey.id)
}

/// The storey that a point stands on: of those that begin below it the highest.
fn storey_under(layout: &Layout, p: DVec3) -> Option<Id> {
    let below = |storey: &&Storey| storey.elevation <= p.z + STEP;
    layout.rooms.storeys.iter().rfind(below).map(|storey| storey.id)
}
