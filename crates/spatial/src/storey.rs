//! Storeys by height: where each has its floor, and where the next one begins.

use geometry::Shaper;
use ifc::{Id, relations::Links};

/// A storey of a building.
#[derive(Debug, Clone, PartialEq)]
pub struct Storey {
    /// The IfcBuildingStorey.
    pub id: Id,
    /// Its GlobalId; the number of its instance where it has none.
    pub global_id: String,
    /// Its name; empty where it has none.
    pub name: String,
    /// Height of its placement, in metres of the world.
    pub elevation: f64,
    /// Elevation of the next higher storey of the same building, in metres; of the highest there is none.
    pub next: Option<f64>,
    /// The building that it is a part of.
    pub building: Option<Id>,
}

/// The storeys of a model, the lowest first.
pub fn storeys(shaper: &Shaper<'_>, links: &Links<'_>) -> Vec<Storey> {
    let reader = &shaper.reader;
    let model = reader.model;
    let read = |id: Id| {
        let instance = model.get(id)?;
        let placed = instance.reference("ObjectPlacement").and_then(|p| reader.world(p));
        let elevation = match placed {
            Some(frame) => frame.translation.z,
            None => reader.length_or_zero(&instance, "Elevation"),
        };
        Some(Storey {
            id,
            global_id: instance.guid().unwrap_or_else(|| id.to_string()),
            name: instance.name().unwrap_or_default(),
            elevation,
            next: None,
            building: links.ancestor(id, "IfcBuilding"),
        })
    };
    let mut found: Vec<Storey> = model.of_class("IfcBuildingStorey").into_iter().filter_map(read).collect();
    found.sort_by(|a, b| a.elevation.total_cmp(&b.elevation).then(a.id.cmp(&b.id)));
    let heights: Vec<(Option<Id>, f64)> = found.iter().map(|s| (s.building, s.elevation)).collect();
    for storey in &mut found {
        let above = |(building, height): &&(Option<Id>, f64)| {
            *building == storey.building && *height > storey.elevation + SAME
        };
        storey.next = heights.iter().find(above).map(|(_, height)| *height);
    }
    found
}

/// Storeys nearer than this in height, in metres, lie beside each other and not on top.
const SAME: f64 = 0.5;
