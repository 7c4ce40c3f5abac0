//! A sound house: two rooms of 4 m by 4 m, walls that are connected, a door outside and one between the rooms.

use super::plan::{Plan, Setting};
use ifc::Id;

/// The house, and its parts.
pub struct House {
    pub plan: Plan,
    pub south: Id,
    pub north: Id,
    pub east: Id,
    /// The wall between the rooms.
    pub inner: Id,
    pub rooms: [Id; 2],
    pub storey: Id,
    /// The door between the rooms.
    pub between: Id,
    /// The slab under the rooms.
    pub floor: Id,
    /// The slab over the rooms.
    pub ceiling: Id,
}

impl House {
    pub fn new(setting: Setting) -> Self {
        let mut plan = Plan::new(setting);
        let storey = plan.storey("Level 1", 0.0);
        let floor = plan.slab("Floor", [0.0, 0.0, -0.2], [8.6, 4.4, 0.0]);
        let ceiling = plan.slab("Ceiling", [0.0, 0.0, 3.0], [8.6, 4.4, 3.2]);
        let [south, north, _, east, inner] = walls(&mut plan, 0.0);
        plan.door(south, [1.5, 0.1, 0.0], 0.0, 1.0, "SINGLE_SWING_LEFT");
        let between = plan.door(inner, [4.3, 1.5, 0.0], 90.0, 0.9, "SINGLE_SWING_LEFT");
        let rooms = rooms(&mut plan, ["A", "B"], 0.0);
        Self { plan, south, north, east, inner, rooms, storey, between, floor, ceiling }
    }

    /// A second storey with two rooms, and a door between them; its walls.
    pub fn upper(&mut self, with_door: bool) -> ([Id; 5], [Id; 2]) {
        self.plan.storey("Level 2", 3.2);
        let walls = walls(&mut self.plan, 3.2);
        if with_door {
            self.plan.door(walls[4], [4.3, 1.5, 3.2], 90.0, 0.9, "SINGLE_SWING_LEFT");
        }
        self.plan.slab("Roof", [0.0, 0.0, 6.2], [8.6, 4.4, 6.4]);
        let rooms = rooms(&mut self.plan, ["C", "D"], 3.2);
        (walls, rooms)
    }

    /// A stair of 16 risers along the north wall of the second room, through a hole in the ceiling, up to the second storey.
    pub fn stair(&mut self) {
        let kept = std::mem::replace(&mut self.plan.storey, 0);
        self.plan.opening(Some(self.ceiling), [4.6, 3.2, 2.9], [7.8, 4.2, 3.3]);
        let steps: Vec<_> = (0..16)
            .map(|step| {
                let (x, z) = (4.6 + 0.2 * f64::from(step), 0.2 * f64::from(step + 1));
                ([x, 3.2, z - 0.2], [x + 0.2, 4.2, z])
            })
            .collect();
        self.plan.boxes("IFCSTAIRFLIGHT", "Flight", &steps, "$,$,$,$,.STRAIGHT.");
        self.plan.storey = kept;
    }
}

fn walls(plan: &mut Plan, z: f64) -> [Id; 5] {
    let top = z + 3.0;
    let south = plan.wall("South", [0.0, 0.0, z], [8.6, 0.2, top]);
    let north = plan.wall("North", [0.0, 4.2, z], [8.6, 4.4, top]);
    let west = plan.wall("West", [0.0, 0.2, z], [0.2, 4.2, top]);
    let east = plan.wall("East", [8.4, 0.2, z], [8.6, 4.2, top]);
    let inner = plan.wall("Inner", [4.2, 0.2, z], [4.4, 4.2, top]);
    for other in [west, east, inner] {
        plan.connect(south, other);
        plan.connect(north, other);
    }
    [south, north, west, east, inner]
}

fn rooms(plan: &mut Plan, names: [&str; 2], z: f64) -> [Id; 2] {
    let top = z + 3.0;
    [plan.room(names[0], [0.2, 0.2, z], [4.2, 4.2, top]), plan.room(names[1], [4.4, 0.2, z], [8.4, 4.2, top])]
}
