//! The exposure of a room: how much of its surface lies to the open air, by point of the compass, and on the ground; and how much
//! daylight its windows let in, by a rule of thumb.

use crate::{
    asked::Asked,
    measures::{RoomMeasures, passages_of},
    pairing::Behind,
    parts::Parts,
    passage::{Passage, PassageKind, Side},
};
use glam::DVec3;

/// The points of the compass, clockwise from north.
pub const COMPASS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// Returns the point of the compass that a direction looks to, as a place in [`COMPASS`]; `north` is the angle of true north
/// counter-clockwise from the world's y axis, in radians.
pub fn compass(direction: DVec3, north: f64) -> usize {
    // clockwise from the y axis, then from true north
    let angle = direction.x.atan2(direction.y) + north;
    let eighth = angle / std::f64::consts::FRAC_PI_4;
    eighth.round().rem_euclid(8.0) as usize % 8
}

/// The outer walls of a room to one side, in m².
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Facade {
    /// Wall with its windows and doors.
    pub wall: f64,
    /// Windows to the open air.
    pub window: f64,
    /// Doors to the open air.
    pub door: f64,
}

/// The surface of a room by what lies behind, in m².
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exposure {
    /// To the open air, by place in [`COMPASS`].
    pub facades: [Facade; 8],
    /// Ceiling under the open air.
    pub roof: f64,
    /// Windows in that.
    pub roof_window: f64,
    /// Floor over the open air.
    pub floor_outdoors: f64,
    /// Floor on the ground.
    pub floor_ground: f64,
    /// Walls against earth.
    pub wall_ground: f64,
}

impl Exposure {
    /// The exposure of a room of a layout; `north` as for [`compass`].
    pub fn of_room(layout: &Parts, room: usize, north: f64) -> Exposure {
        let mut exposure = Exposure::default();
        for (piece, facet) in layout.pieces_of(room) {
            let (normal, size) = (facet.normal(), piece.area.size());
            match (piece.behind, normal.z) {
                (Behind::Outdoors, z) if z > 0.5 => exposure.roof += size,
                (Behind::Outdoors, z) if z < -0.5 => exposure.floor_outdoors += size,
                (Behind::Ground, z) if z < -0.5 => exposure.floor_ground += size,
                (Behind::Ground, _) => exposure.wall_ground += size,
                (Behind::Outdoors, _) => {
                    if let Some(facade) = exposure.facades.get_mut(compass(normal, north)) {
                        facade.wall += size;
                    }
                }
                _ => {}
            }
        }
        for (number, side, share) in passages_of(layout, room) {
            let Some(passage) = layout.passages.get(number).filter(|_| side == Side::Outdoors) else {
                continue;
            };
            let out = passage.outward(room);
            let area = passage.area * share;
            let facade = exposure.facades.get_mut(compass(out, north));
            match (passage.kind, out.z > 0.5, facade) {
                (PassageKind::Window, true, _) => exposure.roof_window += area,
                (PassageKind::Window, false, Some(facade)) => facade.window += area,
                (PassageKind::Door, false, Some(facade)) => facade.door += area,
                _ => {}
            }
        }
        exposure
    }

    /// All windows to the open air, in m².
    pub fn windows(&self) -> f64 {
        self.facades.iter().map(|f| f.window).sum::<f64>() + self.roof_window
    }
}

/// Light that gets through clean double glazing, of what falls on it.
pub const TRANSMITTANCE: f64 = 0.68;
/// The part of a window's opening that is glass and no frame.
pub const GLASS: f64 = 0.75;
/// The part of the light that dirt lets through.
pub const MAINTENANCE: f64 = 0.9;
/// Mean reflectance of floor, walls and ceiling.
pub const REFLECTANCE: f64 = 0.5;
/// The farthest that obstructions are looked for, in metres.
const FAR: f64 = 100.0;

/// The mean daylight factor of a room in per cent: `M T Aw θ / (A (1 - R²))` (BS 8206-2:2008, 5.5; Crisp and Littlefair 1984), with
/// Aw the glass of its windows, A all surfaces of the room and θ the angle of sky in degrees that is seen from the middle of each window past
/// the rest of the model; trees and houses that are not in the model are not known.
pub(crate) fn daylight_factor(
    layout: &Parts,
    room: usize,
    measures: &RoomMeasures,
    asked: &mut Asked,
) -> f64 {
    let surface = measures.gross_floor_area + measures.ceiling_area + measures.wall_area;
    if surface <= 0.0 {
        return 0.0;
    }
    let windows = passages_of(layout, room).into_iter().filter(|(_, side, _)| *side == Side::Outdoors);
    let lit: f64 = windows
        .filter_map(|(number, _, share)| Some((layout.passages.get(number)?, share)))
        .filter(|(passage, _)| passage.kind == PassageKind::Window)
        .map(|(passage, share)| {
            passage.area * share * GLASS * sky_angle(layout, passage, passage.outward(room), asked)
        })
        .fold(0.0, |sum, part| sum + part);
    MAINTENANCE * TRANSMITTANCE * lit / (surface * (1.0 - REFLECTANCE * REFLECTANCE))
}

/// The angle of sky in degrees that is seen from the middle of a window, in the upright plane that looks straight out.
fn sky_angle(layout: &Parts, passage: &Passage, out: DVec3, asked: &mut Asked) -> f64 {
    const STEP: f64 = 5.0;
    let up = if passage.is_level() {
        passage.frame.y_axis
    } else {
        passage.frame.y_axis * passage.frame.y_axis.z.signum()
    };
    let (_, end) = crate::behind::run(&layout.elements, passage.frame.translation, out, 1.0, asked);
    let from = passage.frame.translation + out * (end + 0.05);
    let steps = (180.0 / STEP) as usize;
    let mut is_sky = |n: &usize| {
        let angle = (-90.0 + STEP * (*n as f64 + 0.5)).to_radians();
        let way = out * angle.cos() + up * angle.sin();
        way.z > 0.0 && !layout.elements.meets(from, way, FAR, asked)
    };
    STEP * (0..steps).filter(&mut is_sky).count() as f64
}
