//! The measures of packs, by what they are of.

mod door_front;
mod door_size;
mod element;
mod filling;
mod fits;
mod flight_ends;
mod flight_size;
mod flight_steps;
mod guard;
mod prism;
mod ramp;
mod room_bodies;
mod room_clear;
mod room_doors;
mod room_light;
mod room_size;
mod room_travel;
mod slab;
mod storey_areas;
mod storey_levels;
mod swing;
mod walked;
mod zone;

pub(in crate::packs) use door_size::CLEAR_WIDTH;

use super::measure::Measure;

/// All measures.
const ALL: &[&[Measure]] = &[
    door_size::MEASURES,
    door_front::MEASURES,
    room_size::MEASURES,
    room_clear::MEASURES,
    room_doors::MEASURES,
    room_light::MEASURES,
    room_travel::MEASURES,
    room_bodies::MEASURES,
    flight_steps::MEASURES,
    flight_size::MEASURES,
    flight_ends::MEASURES,
    ramp::MEASURES,
    slab::MEASURES,
    guard::MEASURES,
    storey_levels::MEASURES,
    storey_areas::MEASURES,
    filling::MEASURES,
    element::MEASURES,
    zone::MEASURES,
];

/// All measures, by kind.
pub fn measures() -> impl Iterator<Item = &'static Measure> {
    ALL.iter().flat_map(|group| group.iter())
}

/// The measure of this name.
pub fn measure(name: &str) -> Option<&'static Measure> {
    measures().find(|measure| measure.name == name)
}
