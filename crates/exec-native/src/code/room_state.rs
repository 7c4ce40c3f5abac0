//! The rooms that a script has asked for.

use ifc::{Model, relations::Links};
use spatial::{Layout, relations::RoomsOf};
use std::sync::Arc;

/// Handles from here on are rooms that were found; below are instances of the file.
const FOUND: u64 = 1 << 32;
/// The rooms of the model as it is between two edits.
pub(super) struct RoomState {
    pub(super) layout: Arc<Layout>,
    pub(super) rooms: RoomsOf,
}

impl RoomState {
    pub(super) fn new(layout: Arc<Layout>, model: &Model) -> RoomState {
        let rooms = RoomsOf::new(&layout, &Links::of_many(model));
        RoomState { layout, rooms }
    }
}

/// The rooms that were handed out by their ids; these stay when the model is edited.
#[derive(Default)]
pub(super) struct FoundRooms(Vec<String>);

impl FoundRooms {
    /// The id of the room that a handle stands for, if it is one of these.
    pub(super) fn id(&self, handle: u64) -> Option<&str> {
        let place = usize::try_from(handle.checked_sub(FOUND)?).ok()?;
        self.0.get(place).map(String::as_str)
    }

    pub(super) fn handle(&mut self, id: &str) -> u64 {
        let place = self.0.iter().position(|known| known == id).unwrap_or_else(|| {
            self.0.push(id.to_owned());
            self.0.len() - 1
        });
        FOUND + place as u64
    }
}
