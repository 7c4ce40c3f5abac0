//! The occupant load of rooms: by what the file states of it, else by use and area.

use super::occupancy::{AreaBasis, Occupancy, recognised, texts};
use super::parameters::Parameters;
use crate::Subject;
use ifc::psets;
use ifc::relations::Links;
use std::collections::BTreeMap;

/// The load of a room.
#[derive(Debug, Clone, PartialEq)]
pub struct RoomLoad {
    /// The place of the room in the list of rooms.
    pub room: usize,
    /// The identifier of its occupancy.
    pub occupancy: String,
    /// True if its use was not recognised, and that of the building was taken.
    pub is_assumed: bool,
    /// True if the file states the number of persons.
    pub is_stated: bool,
    /// The floor area that counts in m².
    pub area: f64,
    /// Square metres a person; none of a room without a load of its own.
    pub factor: Option<f64>,
    /// The number of persons, not rounded: storeys and exits add them up.
    pub persons: f64,
}

/// The loads of all rooms, and the occupancy of the building.
pub(super) fn loads(subject: &Subject<'_>, parameters: &Parameters) -> (Vec<RoomLoad>, Option<Occupancy>) {
    let rooms = &subject.layout.rooms.rooms;
    let links = Links::of_many(subject.model);
    let table = &parameters.occupancies;
    let own: Vec<Option<&Occupancy>> =
        rooms.iter().map(|room| recognised(table, &texts(subject, &links, room))).collect();
    let main = parameters
        .occupancy
        .as_deref()
        .and_then(|id| parameters.occupancy_named(id))
        .or_else(|| most_area(subject, &own))
        .or_else(|| parameters.occupancy_named("business"));
    let Some(main) = main else { return (Vec::new(), None) };
    let load = |room: usize| room_load(subject, room, own.get(room).copied().flatten(), main);
    ((0..rooms.len()).map(load).collect(), Some(main.clone()))
}

/// The occupancy that most of the recognised area is of.
fn most_area<'t>(subject: &Subject<'_>, own: &[Option<&'t Occupancy>]) -> Option<&'t Occupancy> {
    let mut areas: BTreeMap<&str, (f64, &Occupancy)> = BTreeMap::new();
    for (room, occupancy) in own.iter().enumerate() {
        let Some(occupancy) = occupancy.filter(|o| o.factor_ft2.is_some()) else { continue };
        areas.entry(occupancy.id.as_str()).or_insert((0.0, occupancy)).0 +=
            subject.layout.measures(room).gross_floor_area;
    }
    areas.into_values().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, occupancy)| occupancy)
}

fn room_load(subject: &Subject<'_>, room: usize, own: Option<&Occupancy>, main: &Occupancy) -> RoomLoad {
    let measures = subject.layout.measures(room);
    let occupancy = own.unwrap_or(main);
    // corridors and toilets count where the building's factor is of all its area
    let shares_main = occupancy.factor_ft2.is_none() && main.basis == AreaBasis::Gross;
    let counted = if shares_main { main } else { occupancy };
    let area = match counted.basis {
        AreaBasis::Gross => measures.gross_floor_area,
        AreaBasis::Net => measures.net_floor_area,
    };
    let is_outside = subject.layout.rooms.rooms.get(room).is_some_and(|own| own.is_outside);
    let factor = counted.factor().filter(|factor| *factor > 0.0 && !is_outside);
    let stated = stated(subject, room);
    let persons = stated.or_else(|| factor.map(|factor| area / factor)).unwrap_or(0.0);
    RoomLoad {
        room,
        occupancy: occupancy.id.clone(),
        is_assumed: own.is_none(),
        is_stated: stated.is_some(),
        area,
        factor,
        persons,
    }
}

/// The number of persons that the file states (Pset_SpaceOccupancyRequirements).
fn stated(subject: &Subject<'_>, room: usize) -> Option<f64> {
    let space = subject.layout.rooms.rooms.get(room)?.space()?;
    let set = "Pset_SpaceOccupancyRequirements";
    let number = |name: &str| psets::find(subject.model, space, set, name)?.value.as_f64();
    number("OccupancyNumberPeak").or_else(|| number("OccupancyNumber")).filter(|n| n.is_finite() && *n >= 0.0)
}
