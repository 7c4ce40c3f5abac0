//! The kinds of things that rules judge, the things of a model of each kind, and what belongs to what.

use super::context::Context;
use ifc::Id;

/// A kind of things that rules judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The whole model.
    Building,
    /// A storey.
    Storey,
    /// A room: an IfcSpace with a body, or what walls enclose on a storey without any.
    Room,
    /// A door with a shape.
    Door,
    /// A window.
    Window,
    /// A stair: the IfcStair with its flights, or a flight that is no part of any.
    Stair,
    /// A run of steps between floors or landings.
    Flight,
    /// A sloped strip of a ramp.
    Ramp,
    /// A slab.
    Slab,
    /// A wall.
    Wall,
    /// A group of rooms (IfcZone), as a dwelling.
    Zone,
    /// Anything that a selector chooses.
    Element,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 12] = [
        Kind::Building,
        Kind::Storey,
        Kind::Room,
        Kind::Door,
        Kind::Window,
        Kind::Stair,
        Kind::Flight,
        Kind::Ramp,
        Kind::Slab,
        Kind::Wall,
        Kind::Zone,
        Kind::Element,
    ];

    /// Its name in packs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Storey => "storey",
            Self::Room => "room",
            Self::Door => "door",
            Self::Window => "window",
            Self::Stair => "stair",
            Self::Flight => "flight",
            Self::Ramp => "ramp",
            Self::Slab => "slab",
            Self::Wall => "wall",
            Self::Zone => "zone",
            Self::Element => "element",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A thing of a model. Numbers are places in the lists of rooms, storeys, doors, flights and stairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// The whole model.
    Building,
    /// A storey.
    Storey(usize),
    /// A room.
    Room(usize),
    /// A door, by its place in the premises.
    Door(usize),
    /// A stair, by its place in [`Context::stairs`].
    Stair(usize),
    /// A flight of steps, by its place in the premises.
    Flight(usize),
    /// A strip of a ramp, by its place in the premises.
    Ramp(usize),
    /// A window, slab, wall, zone or other element.
    Element(Id),
}

/// The things of a kind in a model.
pub(crate) fn items(context: &Context<'_>, kind: Kind) -> Vec<Item> {
    let premises = &context.subject.ways.premises;
    let rooms = &context.subject.layout.rooms;
    let of_class = |class: &str| context.model().of_class(class).into_iter().map(Item::Element).collect();
    let flights =
        |is_stair: bool| premises.flights.iter().enumerate().filter(move |(_, f)| f.is_stair == is_stair);
    match kind {
        Kind::Building => vec![Item::Building],
        Kind::Storey => (0..rooms.storeys.len()).map(Item::Storey).collect(),
        Kind::Room => (0..rooms.rooms.len()).map(Item::Room).collect(),
        Kind::Door => {
            let doors = premises.doors.iter().enumerate().filter(|(_, door)| !door.is_open);
            doors.map(|(number, _)| Item::Door(number)).collect()
        }
        Kind::Window => of_class("IfcWindow"),
        Kind::Stair => (0..context.stairs.len()).map(Item::Stair).collect(),
        Kind::Flight => flights(true).map(|(number, _)| Item::Flight(number)).collect(),
        Kind::Ramp => {
            let of_ramp = |id: Id| context.is_part_of(id, &["IfcRamp", "IfcRampFlight"]);
            flights(false).filter(|(_, f)| of_ramp(f.element)).map(|(number, _)| Item::Ramp(number)).collect()
        }
        Kind::Slab => of_class("IfcSlab"),
        Kind::Wall => of_class("IfcWall"),
        Kind::Zone => of_class("IfcZone"),
        Kind::Element => of_class("IfcElement"),
    }
}

/// The things of a kind that belong to another thing, or that it belongs to: the doors of a room, the rooms of a door, the flights of a
/// stair, whatever is on a storey, all of the building.
pub(crate) fn related(context: &Context<'_>, item: Item, kind: Kind) -> Vec<Item> {
    let premises = &context.subject.ways.premises;
    let layout = context.subject.layout;
    match (item, kind) {
        (Item::Building, _) => items(context, kind),
        (Item::Storey(storey), _) => {
            let mut all = items(context, kind);
            all.retain(|other| context.storey(*other) == Some(storey));
            all
        }
        (Item::Room(room), Kind::Door) => {
            let beside = premises.beside.iter().enumerate().filter(|(_, sides)| sides.contains(&Some(room)));
            let numbers = beside.map(|(number, _)| number);
            numbers.filter(|n| premises.doors.get(*n).is_some_and(|d| !d.is_open)).map(Item::Door).collect()
        }
        (Item::Room(room), Kind::Window) => {
            let windows = layout.passages_at(room).map(|(_, passage)| passage);
            let windows = windows.filter(|p| p.kind == spatial::passage::PassageKind::Window);
            windows.map(|passage| Item::Element(passage.element)).collect()
        }
        (Item::Door(door), Kind::Room) => {
            premises.beside.get(door).into_iter().flatten().flatten().map(|room| Item::Room(*room)).collect()
        }
        (Item::Stair(stair), Kind::Flight) => {
            let flights = context.stairs.get(stair).map(|stair| stair.flights.clone());
            flights.unwrap_or_default().into_iter().map(Item::Flight).collect()
        }
        (Item::Element(zone), Kind::Room) => {
            let members = context.links.members_of(zone);
            let is_member = |room: &spatial::Room| room.space().is_some_and(|id| members.contains(&id));
            let rooms = layout.rooms.rooms.iter().enumerate().filter(|(_, room)| is_member(room));
            rooms.map(|(number, _)| Item::Room(number)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns true if things of the second kind can belong to things of the first, as [`related`] finds them.
pub(crate) fn relates(from: Kind, to: Kind) -> bool {
    match from {
        Kind::Building => to != Kind::Building,
        Kind::Storey => !matches!(to, Kind::Building | Kind::Storey | Kind::Zone),
        Kind::Room => matches!(to, Kind::Door | Kind::Window),
        Kind::Door | Kind::Zone => to == Kind::Room,
        Kind::Stair => to == Kind::Flight,
        _ => false,
    }
}
