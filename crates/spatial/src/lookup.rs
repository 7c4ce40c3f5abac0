//! The rooms that an agent means: by id, by name, or all of a storey. What is not found comes back as a Fault with what there is.

use crate::{Room, Rooms};
use contract::{Fault, FaultCode};
use serde_json::{Value, json};

/// The most candidates that a Fault lists.
const CANDIDATES: usize = 20;

impl Rooms {
    /// The one room that `text` means, by its place in [`Rooms::rooms`]: a GlobalId, a name, a long name, or both. `field` names the
    /// parameter.
    pub fn find(&self, field: &str, text: &str) -> Result<usize, Fault> {
        match self.named(text).as_slice() {
            [one] => Ok(*one),
            [] => Err(self.missing(field, text)),
            several => Err(Fault::invalid(
                field,
                format!("{} rooms are called {text}; give `{field}` as one of their ids.", several.len()),
            )
            .with("candidates", self.listed(several.iter().copied()))),
        }
    }

    /// The rooms that texts mean, in their order and each once; a text may also be a storey's id or name, for all rooms on it, or `all`.
    pub fn choose(&self, field: &str, texts: &[String]) -> Result<Vec<usize>, Fault> {
        let mut chosen = Vec::new();
        for text in texts {
            let own = self.named(text);
            let found = match (own.as_slice(), self.storey_named(text)) {
                ([], _) if text.trim().eq_ignore_ascii_case("all") => (0..self.rooms.len()).collect(),
                ([], Some(storey)) => {
                    let on: Vec<usize> = self.on_storey(storey).collect();
                    if on.is_empty() {
                        return Err(self.bare(field, storey));
                    }
                    on
                }
                _ => vec![self.find(field, text)?],
            };
            chosen.extend(found);
        }
        let mut seen = std::collections::HashSet::new();
        chosen.retain(|room| seen.insert(*room));
        if chosen.is_empty() {
            if self.rooms.is_empty() {
                return Err(self.missing(field, ""));
            }
            let problem = format!("Give `{field}`: rooms by id or name, a storey, or all.");
            return Err(Fault::invalid(field, problem));
        }
        Ok(chosen)
    }

    /// The storey of this id or name, by its place in [`Rooms::storeys`].
    pub fn storey_named(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        let is = |wanted: &dyn Fn(&crate::Storey) -> bool| self.storeys.iter().position(wanted);
        is(&|s| s.global_id == text)
            .or_else(|| is(&|s| s.name == text))
            .or_else(|| is(&|s| s.name.to_lowercase() == text.to_lowercase()))
    }

    fn named(&self, text: &str) -> Vec<usize> {
        let text = text.trim();
        let all = |wanted: &dyn Fn(&Room) -> bool| -> Vec<usize> {
            self.rooms.iter().enumerate().filter(|(_, room)| wanted(room)).map(|(n, _)| n).collect()
        };
        let same = |own: &str| !own.trim().is_empty() && own.trim().to_lowercase() == text.to_lowercase();
        let by: [&dyn Fn(&Room) -> bool; 6] = [
            &|room| room.id == text,
            &|room| !text.is_empty() && room.name.trim() == text,
            &|room| !text.is_empty() && room.label() == text,
            &|room| !text.is_empty() && room.long_name.trim() == text,
            &|room| same(&room.name) || same(&room.label()),
            &|room| same(&room.long_name),
        ];
        by.iter().map(|wanted| all(*wanted)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn missing(&self, field: &str, text: &str) -> Fault {
        let fault = |say: String| {
            Fault::new(FaultCode::ElementNotFound, say).with("field", field).with("element_id", text)
        };
        if self.rooms.is_empty() {
            let why = match self.left_out.first() {
                Some((_, reason)) => {
                    format!("Its {} spaces are none, the first because {reason}", self.left_out.len())
                }
                None => "It has no IfcSpace, and on no storey do walls that meet enclose a floor".to_owned(),
            };
            return fault(format!(
                "There is no room in this model. {why}. Make rooms with create_rooms or create_space."
            ));
        }
        let wanted = text.trim().to_lowercase();
        let is_near = |room: &Room| {
            let label = room.label().to_lowercase();
            !wanted.is_empty()
                && (label.contains(&wanted) || wanted.contains(&room.name.trim().to_lowercase()))
        };
        let near: Vec<usize> =
            (0..self.rooms.len()).filter(|n| self.rooms.get(*n).is_some_and(&is_near)).collect();
        let shown = if near.is_empty() { (0..self.rooms.len()).collect() } else { near };
        fault(format!("`{field}`: {text} is neither the id nor the name of a room or storey. Take one of the candidates."))
            .with("candidates", self.listed(shown))
    }

    fn bare(&self, field: &str, storey: usize) -> Fault {
        let with: Vec<&str> = self
            .storeys
            .iter()
            .enumerate()
            .filter(|(n, _)| self.on_storey(*n).next().is_some())
            .map(|(_, s)| s.name.as_str())
            .collect();
        let name = self.storeys.get(storey).map(|s| s.name.clone()).unwrap_or_default();
        Fault::constraint(format!(
            "The storey {name} has no rooms: neither an IfcSpace, nor walls that enclose a floor. Storeys with rooms: {}.",
            if with.is_empty() { "none".to_owned() } else { with.join(", ") }
        ))
        .with("field", field)
    }

    fn listed(&self, rooms: impl IntoIterator<Item = usize>) -> Vec<Value> {
        let row = |room: &Room| {
            let storey = room.storey.and_then(|s| self.storeys.get(s)).map(|s| s.name.clone());
            json!({ "id": room.id, "name": room.label(), "storey": storey })
        };
        rooms.into_iter().filter_map(|n| self.rooms.get(n)).take(CANDIDATES).map(row).collect()
    }
}
