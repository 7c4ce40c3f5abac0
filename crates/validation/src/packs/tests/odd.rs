//! A building in which every limit of the packs matters that the others leave alone: a parking room with one door, mats before doors, a
//! corridor with doors beside each other, a lobby that is drawn too small, a hall over two storeys, a balcony, a stair with a low last step.

use super::house::{Corner, Place, Writer};

/// The building.
pub(super) fn odd(place: Place) -> String {
    let mut file = Writer::new(place);
    let lower = file.storey("Level 0", 0.0);
    let upper = file.storey("Level 1", 3.3);
    walls(&mut file, [lower, upper]);
    rooms(&mut file, [lower, upper]);
    doors(&mut file, lower);
    lobby(&mut file, lower);
    hall(&mut file, [lower, upper]);
    balcony(&mut file, upper);
    stair(&mut file, lower);
    file.finish()
}

fn walls(file: &mut Writer, [lower, upper]: [usize; 2]) {
    let floor = |file: &mut Writer, storey: usize, top: f64| {
        file.block("IFCSLAB", "FLOOR", "Floor", storey, [0.0, 0.0, top - 0.3], [14.7, 8.6, top]);
    };
    floor(file, lower, 0.0);
    floor(file, upper, 3.3);
    for (storey, foot) in [(lower, 0.0), (upper, 3.3)] {
        let around: [[f64; 4]; 4] =
            [[0.0, 8.3, 14.7, 8.6], [0.0, 0.3, 0.3, 8.3], [14.4, 0.3, 14.7, 8.3], [0.0, 0.0, 14.7, 0.3]];
        // the last is drawn with its door
        for [x, y, u, v] in around.into_iter().take(if foot > 0.0 { 4 } else { 3 }) {
            file.wall(storey, [x, y, foot], [u, v, foot + 3.0]);
        }
    }
    file.wall(lower, [8.3, 0.3, 0.0], [8.4, 8.3, 3.0]);
    file.wall(lower, [11.4, 0.3, 0.0], [11.5, 3.9, 3.0]);
}

fn rooms(file: &mut Writer, [lower, upper]: [usize; 2]) {
    let mut room = |storey: usize, name: &str, [x, y, u, v]: [f64; 4], foot: f64| {
        file.space(storey, name, [x, y, foot], [u, v, foot + 2.9]);
    };
    room(lower, "Parking", [0.3, 0.3, 8.3, 8.3], 0.0);
    room(lower, "Bedroom", [8.4, 0.3, 11.4, 3.9], 0.0);
    room(lower, "Storage", [11.5, 0.3, 14.4, 3.9], 0.0);
    room(lower, "Corridor", [8.4, 4.0, 14.4, 5.1], 0.0);
    room(lower, "Office", [8.4, 5.2, 14.4, 8.3], 0.0);
    room(upper, "Office above", [0.3, 0.3, 14.4, 8.3], 3.3);
    file.block("IFCFURNITURE", "BED", "Bed", lower, [9.0, 0.8, 0.0], [11.2, 3.2, 0.5]);
}

fn doors(file: &mut Writer, lower: usize) {
    let south = file.wall(lower, [0.0, 0.0, 0.0], [14.7, 0.3, 3.0]);
    file.door(lower, south, [3.0, 0.0, 0.0], [4.1, 0.3, 2.1], [0.0, 1.0]);
    for (low, high) in [([3.2, 0.8, 0.0], [3.9, 1.1, 0.02]), ([3.2, -0.8, 0.0], [3.9, -0.5, 0.02])] {
        file.block("IFCBUILDINGELEMENTPROXY", "ELEMENT", "Mat", lower, low, high);
    }
    // a corridor of 1.1 m with two doors that lie 0.2 m beside each other
    let one = file.wall(lower, [8.4, 3.9, 0.0], [14.4, 4.0, 3.0]);
    let other = file.wall(lower, [8.4, 5.1, 0.0], [14.4, 5.2, 3.0]);
    file.door(lower, one, [9.0, 3.9, 0.0], [10.0, 4.0, 2.1], [0.0, -1.0]);
    file.door(lower, other, [10.2, 5.1, 0.0], [11.2, 5.2, 2.1], [0.0, 1.0]);
    // one that stands in no wall
    let leaf = file.solid([3.0, -5.0, 0.0], [4.0, -4.96, 2.1]);
    let loose = file.product("IFCDOOR", "Loose door", &[leaf], "$,$,$,.DOOR.,.SINGLE_SWING_LEFT.,$");
    file.contain(lower, loose);
}

/// A lobby of 1 m between two doors, of which one is its own by a space boundary alone.
fn lobby(file: &mut Writer, lower: usize) {
    file.block("IFCSLAB", "FLOOR", "Floor", lower, [16.0, 0.0, -0.3], [20.0, 1.6, 0.0]);
    file.wall(lower, [16.0, 0.3, 0.0], [16.3, 1.3, 3.0]);
    file.wall(lower, [19.7, 0.3, 0.0], [20.0, 1.3, 3.0]);
    let south = file.wall(lower, [16.0, 0.0, 0.0], [20.0, 0.3, 3.0]);
    let north = file.wall(lower, [16.0, 1.3, 0.0], [20.0, 1.6, 3.0]);
    file.door(lower, south, [17.5, 0.0, 0.0], [18.5, 0.3, 2.1], [0.0, -1.0]);
    let far = file.door(lower, north, [17.5, 1.3, 0.0], [18.5, 1.6, 2.1], [0.0, 1.0]);
    let space = file.space(lower, "Lobby", [16.3, 0.3, 0.0], [19.7, 0.8, 2.9]);
    let guid = file.guid();
    file.line(&format!("IFCRELSPACEBOUNDARY('{guid}',$,$,$,#{space},#{far},$,.PHYSICAL.,.INTERNAL.)"));
}

/// A room of the lower storey that reaches up through the upper one.
fn hall(file: &mut Writer, [lower, upper]: [usize; 2]) {
    file.block("IFCSLAB", "FLOOR", "Floor", lower, [16.0, 4.0, -0.3], [20.0, 8.0, 0.0]);
    for (storey, foot) in [(lower, 0.0), (upper, 3.3)] {
        let around: [[f64; 4]; 4] =
            [[16.0, 4.0, 20.0, 4.3], [16.0, 7.7, 20.0, 8.0], [16.0, 4.3, 16.3, 7.7], [19.7, 4.3, 20.0, 7.7]];
        for [x, y, u, v] in around {
            file.wall(storey, [x, y, foot], [u, v, foot + 3.3]);
        }
    }
    file.block("IFCSLAB", "ROOF", "Roof", upper, [16.0, 4.0, 6.6], [20.0, 8.0, 6.9]);
    file.space(lower, "Hall", [16.3, 4.3, 0.0], [19.7, 7.7, 6.4]);
}

/// A floor with railings that stand 60 mm off its edges.
fn balcony(file: &mut Writer, upper: usize) {
    file.block("IFCSLAB", "FLOOR", "Balcony", upper, [22.0, 0.0, 3.0], [26.0, 3.0, 3.3]);
    file.space(upper, "Balcony", [22.0, 0.0, 3.3], [26.0, 3.0, 5.8]);
    let rails: [[f64; 4]; 4] = [
        [21.9, -0.1, 26.1, -0.06],
        [21.9, 3.06, 26.1, 3.1],
        [21.9, -0.1, 21.94, 3.1],
        [26.06, -0.1, 26.1, 3.1],
    ];
    for [x, y, u, v] in rails {
        file.block("IFCRAILING", "GUARDRAIL", "Guard", upper, [x, y, 3.2], [u, v, 4.4]);
    }
}

/// A stair of 15 risers of 190 mm that leaves 150 mm to the floor.
fn stair(file: &mut Writer, lower: usize) {
    file.block("IFCSLAB", "FLOOR", "Foot", lower, [28.0, 0.0, -0.3], [40.0, 3.0, 0.0]);
    file.block("IFCSLAB", "FLOOR", "Top", lower, [34.2, 0.0, 2.7], [38.0, 3.0, 3.0]);
    let step = |i: u32| -> (Corner, Corner) {
        let (x, z) = (30.0 + 0.28 * f64::from(i), 0.19 * f64::from(i));
        ([x, 0.5, z], [x + 0.28, 1.8, z + 0.19])
    };
    let steps: Vec<usize> = (0..15).map(step).map(|(low, high)| file.solid(low, high)).collect();
    let flight = file.product("IFCSTAIRFLIGHT", "Flight", &steps, "$,$,$,$,$,.STRAIGHT.");
    let placement = file.placement();
    let guid = file.guid();
    let stair = file.line(&format!("IFCSTAIR('{guid}',$,'Stair',$,$,#{placement},$,$,.STRAIGHT_RUN_STAIR.)"));
    file.relation("IFCRELAGGREGATES", stair, &[flight]);
    file.contain(lower, stair);
}
