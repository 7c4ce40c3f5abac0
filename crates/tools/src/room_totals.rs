//! Sums over rooms, by storey and in all: what floors, walls and ceilings come to, and what the file states of the same rooms.

use crate::room_report::{Reporter, rounded};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use spatial::exposure::Exposure;
use spatial::measures::RoomMeasures;
use spatial::stored;
use std::collections::BTreeMap;

/// Sums over rooms; m², m³.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Totals {
    /// None: all storeys together.
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    /// Rooms counted; those outdoors are not.
    rooms: usize,
    area: Value,
    gross_area: Value,
    volume: Value,
    net_wall_area: Value,
    ceiling_area: Value,
    /// Inner surface of walls to the open air, with windows and doors.
    facade: Value,
    /// Areas and volumes that the file states of every one of these rooms.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    stored: BTreeMap<&'static str, Value>,
}

/// Sums that are being made.
#[derive(Default, Clone)]
struct Sums {
    rooms: usize,
    measures: RoomMeasures,
    facade: f64,
    stored: BTreeMap<&'static str, (usize, f64)>,
}

impl Sums {
    fn add(&mut self, own: &RoomMeasures, facade: f64, stored: &[stored::StoredQuantity]) {
        self.rooms += 1;
        let sum = &mut self.measures;
        sum.net_floor_area += own.net_floor_area;
        sum.gross_floor_area += own.gross_floor_area;
        sum.volume += own.volume;
        sum.net_wall_area += own.net_wall_area;
        sum.ceiling_area += own.ceiling_area;
        self.facade += facade;
        for quantity in stored.iter().filter(|q| q.name.ends_with("Area") || q.name.ends_with("Volume")) {
            let (count, value) = self.stored.entry(quantity.name).or_default();
            *count += 1;
            *value += quantity.value;
        }
    }

    fn told(&self, storey: Option<String>) -> Totals {
        let stated = self.stored.iter().filter(|(_, (count, _))| *count == self.rooms);
        Totals {
            storey,
            rooms: self.rooms,
            area: rounded(self.measures.net_floor_area),
            gross_area: rounded(self.measures.gross_floor_area),
            volume: rounded(self.measures.volume),
            net_wall_area: rounded(self.measures.net_wall_area),
            ceiling_area: rounded(self.measures.ceiling_area),
            facade: rounded(self.facade),
            stored: stated.map(|(name, (_, value))| (*name, rounded(*value))).collect(),
        }
    }
}

/// The sums over some rooms by storey, the lowest first, and, where they lie on several, over all.
pub(crate) fn totals(reporter: &Reporter<'_>, chosen: &[usize]) -> Vec<Totals> {
    let layout = reporter.layout;
    let mut all = Sums::default();
    let mut storeys: BTreeMap<Option<usize>, Sums> = BTreeMap::new();
    for number in chosen {
        let Some(room) = layout.rooms.rooms.get(*number).filter(|room| !room.is_outside) else { continue };
        let own = layout.measures(*number);
        let facade = Exposure::of_room(layout, *number, reporter.north).facades.iter().map(|f| f.wall).sum();
        let stated = room.space().map(|space| stored::quantities(&reporter.links, &reporter.units, space));
        let stated = stated.unwrap_or_default();
        all.add(&own, facade, &stated);
        storeys.entry(room.storey).or_default().add(&own, facade, &stated);
    }
    let name = |storey: usize| layout.rooms.storeys.get(storey).map(|s| s.name.clone());
    let mut told: Vec<Totals> = storeys
        .iter()
        .map(|(storey, sums)| sums.told(Some(storey.and_then(name).unwrap_or_default())))
        .collect();
    if told.len() > 1 {
        told.push(all.told(None));
    }
    told
}
