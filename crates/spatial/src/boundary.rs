//! Second-level space boundaries, where a file has them with a surface: what it says is behind a face.
//!
//! Rooms keep the faces of their own bodies, which close; boundaries of files seldom do, for some leave out the ends of walls and others
//! overlap at openings. What a boundary says of the far side (earth, outside, the end of an element) and of the element goes before what
//! lines through the model find.

use crate::{
    behind::Far,
    elements::Crossed,
    facet::{Facet, holds},
};
use geometry::{Shaper, item::Pieces, region::Area};
use glam::DVec3;
use ifc::{
    Id,
    relations::{BoundaryLevel, Links},
};

/// A boundary of a room with its surface.
pub struct Stated {
    room: usize,
    element: Option<Id>,
    level: BoundaryLevel,
    /// `INTERNAL`, `EXTERNAL`, `EXTERNAL_EARTH`, …
    side: String,
    /// Its surface; the normal looks either way.
    surfaces: Vec<Facet>,
}

/// The most that a boundary may lie from the face it is of, in metres.
const NEAR: f64 = 0.05;

/// All second-level boundaries with a surface of some rooms, given by their spaces; a room that the file does not have has none.
pub fn stated(shaper: &Shaper<'_>, links: &Links<'_>, spaces: &[Option<Id>]) -> Vec<Stated> {
    let model = shaper.reader.model;
    let mut found = Vec::new();
    for (number, space) in spaces.iter().enumerate().filter_map(|(number, space)| Some((number, (*space)?))) {
        let placed = model.get(space).and_then(|s| shaper.reader.world(s.reference("ObjectPlacement")?));
        let Some(frame) = placed else { continue };
        for boundary in links.boundaries_of_space(space) {
            if matches!(boundary.level, BoundaryLevel::First | BoundaryLevel::Unknown)
                || boundary.parent.is_some()
            {
                continue;
            }
            // what is said of an opening is not said of what closes it
            let is_built = |id: &Id| {
                let classes = [
                    "IfcWall",
                    "IfcSlab",
                    "IfcRoof",
                    "IfcCovering",
                    "IfcCurtainWall",
                    "IfcPlate",
                    "IfcBuildingElementPart",
                ];
                model.get(*id).is_some_and(|e| classes.iter().any(|class| e.is_a(class)))
            };
            if !boundary.element.as_ref().is_some_and(is_built) {
                continue;
            }
            let geometry =
                model.get(boundary.relation).and_then(|r| model.get(r.reference("ConnectionGeometry")?));
            let Some(surface) = geometry.and_then(|g| g.reference("SurfaceOnRelatingElement")) else {
                continue;
            };
            let mut pieces = Pieces::default();
            shaper.item(surface, &frame, None, 0, &mut pieces);
            let surfaces: Vec<Facet> = pieces
                .pieces
                .iter()
                .filter(|p| !p.is_box)
                .flat_map(|p| p.solid.solid().moved(&p.at).faces)
                .filter_map(|face| Facet::new(number, &face))
                .collect();
            if surfaces.is_empty() {
                continue;
            }
            found.push(Stated {
                room: number,
                element: boundary.element,
                level: boundary.level,
                side: boundary.internal.unwrap_or_default(),
                surfaces,
            });
        }
    }
    found
}

impl Stated {
    fn covers(&self, facet: &Facet, point: DVec3) -> bool {
        self.surfaces.iter().any(|s| {
            s.normal().dot(facet.normal()).abs() > 0.99
                && s.height(point).abs() < NEAR
                && holds(s.loops.iter(), s.flat(point))
        })
    }
}

/// Returns what the file says is behind most of a piece, beside what lines found there.
pub fn corrected(
    stated: &[Stated],
    facet: &Facet,
    area: &Area,
    found: (Far, Vec<Crossed>),
) -> (Far, Vec<Crossed>) {
    let (far, crossed) = found;
    let samples = Facet::samples(area);
    let whole: f64 = samples.iter().map(|s| s.1).sum();
    let covering = |s: &&Stated| -> bool {
        let covered = samples.iter().filter(|(p, _)| s.covers(facet, facet.lift(*p)));
        s.room == facet.room && covered.map(|(_, w)| w).sum::<f64>() > 0.5 * whole
    };
    let Some(boundary) = stated.iter().find(covering) else { return (far, crossed) };
    let said = match boundary.side.as_str() {
        "EXTERNAL_EARTH" => Far::Ground,
        // a slab on the ground is external too
        "EXTERNAL" | "EXTERNAL_WATER" if far != Far::Ground => Far::Outdoors,
        "INTERNAL" if boundary.level == BoundaryLevel::SecondB => Far::End,
        _ => far,
    };
    let crossed = match boundary.element {
        Some(element) if crossed.is_empty() => vec![Crossed { element, from: 0.0, to: 0.2 }],
        _ => crossed,
    };
    (said, crossed)
}
