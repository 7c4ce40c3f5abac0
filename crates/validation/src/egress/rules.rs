//! The rules of the egress analysis, each with its page. Clauses are those of the International Building Code 2021.

use crate::Severity;
use crate::rule_page::RulePage;

/// The source of the rules, whose figures are data that can be set otherwise.
const CODE: &str = "International Building Code 2021; figures typed from the published text, and settable";

pub(super) const UNREACHED: RulePage = RulePage {
    id: "egress.unreached",
    clause: Some("IBC 2021 1003.6"),
    title: "A way leads out of every room",
    text: "From every room in which persons are counted, a way of 600 mm leads to a door outside at the height of the ground; nothing interrupts it.",
    why: "Who cannot reach an exit cannot leave. Most often a door or a stair is missing in the model, and all other figures of the room with it.",
    severity: Severity::Error,
    passes: "An office with a door to a corridor that leads to an exit.",
    fails: "Two rooms of an upper storey to which no stair leads.",
    source: CODE,
};

pub(super) const TRAVEL_DISTANCE: RulePage = RulePage {
    id: "egress.travel_distance",
    clause: Some("IBC 2021 1017.2"),
    title: "Exit access travel distance",
    text: "From the farthest place of a room to the entrance of an exit it is no farther than the table permits for its use, without sprinklers or with: 200 ft or 300 ft for business.",
    why: "The time until one is safe grows with the way; the limits are what a person walks before smoke fills it.",
    severity: Severity::Error,
    passes: "An office 40 m from its exit.",
    fails: "A corridor of 80 m with an exit at one end only, without sprinklers.",
    source: CODE,
};

pub(super) const COMMON_PATH: RulePage = RulePage {
    id: "egress.common_path",
    clause: Some("IBC 2021 1006.2.1"),
    title: "Common path of egress travel",
    text: "From the farthest place of a room, no more than the table permits for its use is walked until two ways part that lead to two exits: 75 ft in most uses.",
    why: "On the common path one has no choice: a fire there shuts in all who are behind it.",
    severity: Severity::Error,
    passes: "A room whose two doors lead to two exits, 15 m from its farthest place.",
    fails: "A corridor of 30 m with one exit, at its end.",
    source: CODE,
};

pub(super) const DEAD_END: RulePage = RulePage {
    id: "egress.dead_end",
    clause: Some("IBC 2021 1020.5"),
    title: "Dead ends of corridors",
    text: "Where a corridor leads to more than one exit, no end of it is deeper than 20 ft without a way out, 50 ft with sprinklers; what is less deep than 2.5 times its width is no dead end.",
    why: "In smoke one walks into a dead end, and has to come back towards the fire.",
    severity: Severity::Error,
    passes: "A corridor that goes on for 4 m beyond its last exit.",
    fails: "A corridor that goes on for 19 m beyond its last exit.",
    source: CODE,
};

pub(super) const ROOM_EXITS: RulePage = RulePage {
    id: "egress.room_exits",
    clause: Some("IBC 2021 1006.2.1"),
    title: "Exits of rooms",
    text: "A room for more persons than one way out may serve (49 in most uses) has two doors, for more than 500 three, for more than 1,000 four.",
    why: "When one door is shut by fire, all must leave by another.",
    severity: Severity::Error,
    passes: "A meeting room of 100 m², for 72 persons, with two doors.",
    fails: "The same room with one door.",
    source: CODE,
};

pub(super) const STOREY_EXITS: RulePage = RulePage {
    id: "egress.storey_exits",
    clause: Some("IBC 2021 1006.3.3"),
    title: "Exits of storeys",
    text: "A storey for more than 49 persons has two exits or stairs, for more than 500 three, for more than 1,000 four.",
    why: "When one stair is full of smoke, all of the storey must leave by another.",
    severity: Severity::Error,
    passes: "An upper storey for 200 persons with two stairs.",
    fails: "An upper storey for 200 persons with one stair.",
    source: CODE,
};

pub(super) const EXIT_CAPACITY: RulePage = RulePage {
    id: "egress.exit_capacity",
    clause: Some("IBC 2021 1005.3.2"),
    title: "Capacity of exits",
    text: "An exit is 0.2 in wide in the clear for each person to whom it is the nearest.",
    why: "A door lets so many through in a minute; who waits before it breathes smoke.",
    severity: Severity::Error,
    passes: "A door of 920 mm clear for 150 persons, who need 762 mm.",
    fails: "The same door for 400 persons, who need 2,032 mm.",
    source: CODE,
};

pub(super) const SEPARATION: RulePage = RulePage {
    id: "egress.separation",
    clause: Some("IBC 2021 1007.1.1"),
    title: "Two doors lie apart",
    text: "Where a room needs two doors, two of them lie half of its longest diagonal apart, with sprinklers a third.",
    why: "Two doors beside each other are shut by one fire.",
    severity: Severity::Error,
    passes: "Doors 8.3 m apart in a room of 10 m by 10 m.",
    fails: "Doors 2 m apart in the same room, whose diagonal of 14.1 m asks for 7.1 m.",
    source: CODE,
};

pub(super) const DOOR_WIDTH: RulePage = RulePage {
    id: "egress.door_width",
    clause: Some("IBC 2021 1010.1.1"),
    title: "Clear width of doors on the way out",
    text: "A door by which ten persons or more leave is clear over 32 in, and over 0.2 in for each of them (1005.3.2).",
    why: "The narrowest door sets how fast all behind it leave, and who uses a wheelchair does not pass a narrow one.",
    severity: Severity::Error,
    passes: "A door of 900 mm clear for 40 persons.",
    fails: "A door of 700 mm clear for 40 persons.",
    source: CODE,
};

pub(super) const DOOR_SWING: RulePage = RulePage {
    id: "egress.door_swing",
    clause: Some("IBC 2021 1010.1.2.1"),
    title: "Doors open with the way out",
    text: "A door by which 50 persons or more leave opens in their direction.",
    why: "A crowd that presses against a door that opens inwards keeps it shut.",
    severity: Severity::Error,
    passes: "A door that opens outwards, of a meeting room for 72 persons.",
    fails: "A door that opens inwards, of the same room.",
    source: CODE,
};

pub(super) const STAIR_WIDTH: RulePage = RulePage {
    id: "egress.stair_width",
    clause: Some("IBC 2021 1011.2"),
    title: "Width of stairs on the way out",
    text: "A stair is 44 in wide, 36 in for fewer than 50 persons, and 0.3 in for each person who leaves by it (1005.3.1).",
    why: "One walks down slower than on the level, and those behind wait; too narrow a stair holds up whole storeys.",
    severity: Severity::Error,
    passes: "A stair of 1.2 m for 100 persons, who need 1,118 mm.",
    fails: "A stair of 1 m for 200 persons, who need 1,524 mm.",
    source: CODE,
};

pub(super) const UNJUDGED: RulePage = RulePage {
    id: "egress.unjudged",
    clause: None,
    title: "There is something to judge",
    text: "The model has rooms, or walls that enclose some, and a door that leads outside at the height of the ground.",
    why: "Without rooms nobody is counted, and without an exit no way ends; that is said rather than passed over.",
    severity: Severity::Info,
    passes: "A model with spaces and an entrance.",
    fails: "A model of one upper storey, without any door outside.",
    source: "egress_analysis: what it needs to judge",
};

/// Every rule of the egress analysis.
static RULES: [RulePage; 12] = [
    UNREACHED,
    TRAVEL_DISTANCE,
    COMMON_PATH,
    DEAD_END,
    ROOM_EXITS,
    STOREY_EXITS,
    EXIT_CAPACITY,
    SEPARATION,
    DOOR_WIDTH,
    DOOR_SWING,
    STAIR_WIDTH,
    UNJUDGED,
];

/// Returns every rule of the egress analysis.
pub fn rules() -> &'static [RulePage] {
    &RULES
}
