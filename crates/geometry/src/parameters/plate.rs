//! Slabs and rooms: an outline and how far it is extruded.

use super::{Answer, By, Outline3, Sweep};
use crate::{item::Shaper, read::ShapeError};
use glam::DVec3;
use ifc::Instance;
use ifc::placement::unit;
use serde::{Deserialize, Serialize};

/// The parameters of a slab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slab {
    /// Its outlines at the beginning of the extrusion, one for each area of the profile.
    pub footprint: Answer<Vec<Outline3>>,
    /// Square to its faces.
    pub thickness: Answer<f64>,
    /// The way it is extruded, at length one.
    pub direction: Answer<DVec3>,
    /// The height of its lower end in the world, for level ones.
    pub base: Answer<f64>,
    /// The height of its upper end in the world, for level ones.
    pub top: Answer<f64>,
}

/// The parameters of a room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Space {
    /// Its floor: one outline for each area of the profile.
    pub footprint: Answer<Vec<Outline3>>,
    /// From floor to ceiling.
    pub height: Answer<f64>,
    /// The height of its floor in the world.
    pub base: Answer<f64>,
}

pub(super) fn slab(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Slab, ShapeError> {
    shaper.frame(product)?;
    let sweep = shaper.only_sweep(product);
    let level = sweep
        .clone()
        .and_then(|s| if s.is_upright() { Ok(s) } else { Err(ShapeError::new(s.item, "is not level")) });
    Ok(Slab {
        footprint: Answer::from_result(sweep.clone().and_then(|s| outlines(shaper, &s, 0.0))),
        thickness: Answer::from_result(sweep.clone().map(|s| (s.thickness(), s.by()))),
        direction: Answer::from_result(sweep.and_then(|s| {
            let none = || ShapeError::new(s.item, "has no direction");
            Ok((unit(s.path).ok_or_else(none)?, s.by()))
        })),
        base: Answer::from_result(level.clone().map(|s| (s.levels().0, s.by()))),
        top: Answer::from_result(level.map(|s| (s.levels().1, s.by()))),
    })
}

pub(super) fn space(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Space, ShapeError> {
    shaper.frame(product)?;
    let upright = shaper.only_sweep(product).and_then(|s| {
        if s.is_upright() { Ok(s) } else { Err(ShapeError::new(s.item, "is not extruded upright")) }
    });
    let footprint =
        upright.clone().and_then(|s| outlines(shaper, &s, if s.path.z < 0.0 { 1.0 } else { 0.0 }));
    let drawn = || {
        let lines = shaper.lines(product.id()).ok()?;
        let loops: Outline3 =
            lines.into_iter().filter(|l| l.is_of("FootPrint") && l.closed).map(|l| l.points).collect();
        (!loops.is_empty()).then(|| (vec![loops], By::FootPrintRepresentation))
    };
    Ok(Space {
        footprint: Answer::from_result(footprint.or_else(|error| drawn().ok_or(error))),
        height: Answer::from_result(upright.clone().map(|s| (s.levels().1 - s.levels().0, s.by()))),
        base: Answer::from_result(upright.map(|s| (s.levels().0, s.by()))),
    })
}

/// The outlines of a sweep's profile at a share of its way, in the world.
pub(super) fn outlines(
    shaper: &Shaper<'_>,
    sweep: &Sweep,
    way: f64,
) -> Result<(Vec<Outline3>, By), ShapeError> {
    let areas = shaper.profile_areas(sweep)?;
    let outline = |a: &crate::region::Area| -> Outline3 {
        a.loops().map(|l| l.iter().map(|p| sweep.point(*p, way)).collect()).collect()
    };
    Ok((areas.iter().map(outline).collect(), sweep.by()))
}
