//! Any bytes are a drawing or are refused, and whatever is read is recognised without a number that is none.
use plans::drawing::{Drawing, Limits};
use plans::{Options, overlay, recognise};

/// Bounds that keep one input quick.
pub const LIMITS: Limits = Limits { bytes: 4 << 20, entities: 20_000, details: 200_000 };

/// One input.
pub fn run(bytes: &[u8]) {
    if let Ok(drawing) = plans::dxf::read(bytes, &LIMITS, &|| true) {
        check(&drawing);
    }
}

/// Properties that hold for every drawing.
pub fn check(drawing: &Drawing) {
    assert!(drawing.entities.iter().all(|entity| (entity.layer as usize) < drawing.layers.len()));
    for scale in [None, Some(1000.0)] {
        let Ok(plan) = recognise(drawing, &Options { scale, ..Options::default() }, &|| true) else {
            continue;
        };
        for wall in &plan.walls {
            let numbers =
                [wall.start[0], wall.start[1], wall.end[0], wall.end[1], wall.thickness, wall.confidence];
            assert!(numbers.iter().all(|own| own.is_finite()) && wall.thickness > 0.0, "{wall:?}");
        }
        let places = plan.doors.iter().map(|own| &own.place).chain(plan.windows.iter().map(|own| &own.place));
        for place in places.chain(plan.openings.iter().map(|own| &own.place)) {
            assert!(place.wall < plan.walls.len() && place.width.is_finite() && place.position.is_finite());
        }
        assert!(plan.rooms.iter().all(|room| room.area > 0.0 && room.outline.len() > 2));
        if scale.is_none() {
            assert!(!paper::svg::write(&overlay::page(drawing, &plan)).contains("NaN"));
        }
    }
}
