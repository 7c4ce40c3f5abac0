//! Rooms in a script: which rooms an element bounds, opens into or stands in, and what lies beside a room. A room that was found between
//! walls has no IfcSpace; it is handed out like an element, by its id.

use super::adapter::Bench;
use super::arguments;
use super::room_state::RoomState;
use contract::Fault;
use ifc::{Id, Instance};
use script::{Arguments, Element, Refused, Reply};
use serde_json::{Value, json};
use spatial::adjacency::Through;
use spatial::measures::passages_of;
use spatial::passage::{PassageKind, Side};
use spatial::{Layout, Room};
use std::sync::Arc;
use tools::number_json;

/// The class that such a room says it has.
const CLASS: &str = "Room";
/// Attributes of rooms, of the file or found.
const OF_ROOMS: [&str; 3] = ["neighbours", "doors", "windows"];

impl Bench<'_> {
    fn rooms(&mut self) -> Result<Arc<RoomState>, Fault> {
        if let Some(known) = &self.rooms {
            return Ok(Arc::clone(known));
        }
        let layout = self.call.layout()?;
        let made = Arc::new(RoomState::new(layout, self.call.edit.model()));
        self.rooms = Some(Arc::clone(&made));
        Ok(made)
    }

    /// An attribute of an element that is about rooms.
    pub(super) fn rooms_of_element(&mut self, id: Id, name: &str) -> Result<Option<Reply>, Refused> {
        let is_space = || self.call.edit.model().get(id).is_some_and(|i: Instance<'_>| i.is_a("IfcSpace"));
        if name == "rooms" {
            let state = self.rooms()?;
            let numbers = state.rooms.around(id);
            return Ok(Some(self.handed_out(&state.layout, numbers)));
        }
        if !OF_ROOMS.contains(&name) || !is_space() {
            return Ok(None);
        }
        let state = self.rooms()?;
        let number = state.layout.rooms.rooms.iter().position(|room| room.space() == Some(id));
        let number = number.ok_or_else(|| {
            let left_out = state.layout.rooms.left_out.iter().find(|(space, _)| *space == id);
            let reason = left_out.map_or("other spaces make it up", |(_, reason)| reason.as_str());
            Fault::constraint(format!(
                "The space {} is no room: {reason}.",
                tools::label_of(self.call.edit.model(), id)
            ))
        })?;
        Ok(self.of_room(&state.layout, number, name))
    }

    /// The neighbours in one way: `neighbours("door")`.
    pub(super) fn neighbours_through(&mut self, id: Id, given: Arguments) -> Result<Option<Reply>, Refused> {
        let Some(Reply::Elements(_)) = self.rooms_of_element(id, "neighbours")? else { return Ok(None) };
        let state = self.rooms()?;
        let number = state.layout.rooms.rooms.iter().position(|room| room.space() == Some(id));
        let through = through(given)?;
        Ok(number.map(|number| self.neighbours(&state.layout, number, Some(through))))
    }

    /// An attribute of a room that was found.
    pub(super) fn read_found(&mut self, room: &str, name: &str) -> Result<Option<Reply>, Refused> {
        let state = self.rooms()?;
        let number = number_of(&state.layout, room)?;
        Ok(self.of_room(&state.layout, number, name))
    }

    /// A method of a room that was found: an attribute, or `neighbours` with a way.
    pub(super) fn call_found(&mut self, room: &str, name: &str, given: Arguments) -> Result<Reply, Refused> {
        let is_bare = given.positional.is_empty() && given.named.is_empty();
        let reply = if name == "neighbours" && !is_bare {
            let state = self.rooms()?;
            let number = number_of(&state.layout, room)?;
            let through = through(given)?;
            Some(self.neighbours(&state.layout, number, Some(through)))
        } else if is_bare {
            self.read_found(room, name)?
        } else {
            None
        };
        reply.ok_or_else(|| Refused::Attribute(format!("the room {room} has no {name}")))
    }

    fn of_room(&mut self, layout: &Layout, number: usize, name: &str) -> Option<Reply> {
        let room = layout.rooms.rooms.get(number)?;
        let passages = |wanted: PassageKind| {
            let all =
                passages_of(layout, number).into_iter().filter_map(|(place, ..)| layout.passages.get(place));
            let mut ids: Vec<Id> = all.filter(|p| p.kind == wanted).map(|p| p.element).collect();
            ids.dedup();
            self.elements(ids)
        };
        Some(match name {
            "neighbours" => self.neighbours(layout, number, None),
            "doors" => passages(PassageKind::Door),
            "windows" => passages(PassageKind::Window),
            "rooms" => self.handed_out(layout, vec![number]),
            "name" => Reply::Value(json!(room.name)),
            "global_id" => Reply::Value(Value::Null),
            "storey" => {
                let storey = room.storey.and_then(|s| layout.rooms.storeys.get(s)).map(|storey| storey.id);
                storey.map_or(Reply::Value(Value::Null), |id| Reply::Element(self.element(id)))
            }
            "boundaries" => {
                let mut ids: Vec<Id> = layout.bounding(number).iter().filter_map(|b| b.element).collect();
                ids.sort_unstable();
                ids.dedup();
                self.elements(ids)
            }
            "area" => Reply::Value(rounded(layout.measures(number).net_floor_area)),
            "volume" => Reply::Value(rounded(layout.measures(number).volume)),
            _ => return None,
        })
    }

    fn neighbours(&mut self, layout: &Layout, number: usize, through: Option<Through>) -> Reply {
        let own = Side::Room(number);
        let beside = layout.adjacencies().iter().filter(|a| through.is_none_or(|way| a.through == way));
        let others = beside.filter_map(|a| match a.sides {
            [a, Side::Room(b)] if a == own => Some(b),
            [Side::Room(a), b] if b == own => Some(a),
            _ => None,
        });
        let mut others: Vec<usize> = others.collect();
        others.sort_unstable();
        others.dedup();
        self.handed_out(layout, others)
    }

    /// Rooms as elements: spaces of the file, and those that were found by their ids.
    fn handed_out(&mut self, layout: &Layout, numbers: Vec<usize>) -> Reply {
        let rooms: Vec<&Room> = numbers.into_iter().filter_map(|n| layout.rooms.rooms.get(n)).collect();
        let elements = rooms.into_iter().map(|room| {
            if let Some(space) = room.space() {
                return self.element(space);
            }
            let handle = self.found.handle(&room.id);
            Element { handle, id: room.id.clone(), class: CLASS.to_owned() }
        });
        Reply::Elements(elements.collect())
    }
}

/// The place of a room that was found; a Fault where walls enclose it no more.
fn number_of(layout: &Layout, id: &str) -> Result<usize, Fault> {
    let found = layout.rooms.rooms.iter().position(|room| room.id == id);
    found.ok_or_else(|| Fault::no_element(id))
}

/// The way that a call of `neighbours` names.
fn through(given: Arguments) -> Result<Through, Refused> {
    let given = arguments::only("neighbours", "through", given)?;
    let way = given.as_str().and_then(|text| Through::ALL.into_iter().find(|way| way.word() == text));
    way.ok_or_else(|| {
        let words = Through::ALL.map(Through::word).join(", ");
        Refused::Type(format!("neighbours takes one of {words}"))
    })
}

fn rounded(value: f64) -> Value {
    number_json((value * 1e6).round() / 1e6)
}
