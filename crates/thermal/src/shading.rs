//! Things that cast shadows beyond the zones: eaves, balconies, garden walls, a neighbour's house.
//!
//! Of slabs and roofs that cover zones, what reaches out over them; of other elements, the faces of one side, for EnergyPlus lets shadows
//! fall both ways. What stands inside the building or below the terrain casts none. The largest are kept: small ones matter little.

use crate::{
    divide,
    document::{Document, metres},
    names::Names,
    report::Notes,
};
use geometry::{
    Shaper,
    region::{self, Area, Loop},
};
use glam::DVec3;
use ifc::Id;
use serde_json::{Value, json};
use spatial::{
    asked::Asked,
    behind,
    elements::{Elements, guid},
    facet::{Facet, counts, extent},
    pairing::{Behind, Piece},
};
use std::collections::HashSet;

/// The most surfaces that cast shadows; each costs time at every step of the sun.
const MOST: usize = 120;
/// The smallest shading surface, in m².
const SMALLEST: f64 = 0.4;
/// An element with more faces is furniture or a tree, and no plate.
const MOST_FACES: usize = 120;
/// The length that an element reaches over the zone it covers, in metres, before that counts: walls stand under it.
const OVER: f64 = 0.6;

const CLASSES: [&str; 8] = [
    "IfcSlab",
    "IfcRoof",
    "IfcWall",
    "IfcColumn",
    "IfcPlate",
    "IfcShadingDevice",
    "IfcBuildingElementProxy",
    "IfcBuildingElementPart",
];

struct Shade {
    element: Id,
    corners: Vec<DVec3>,
    size: f64,
}

/// Writes what casts shadows; answers how many surfaces there are.
pub(crate) fn write(
    shaper: &Shaper<'_>,
    elements: &Elements,
    facets: &[Facet],
    pieces: &[Piece],
    level: (f64, DVec3),
    document: &mut Document,
    notes: &mut Notes,
) -> usize {
    let (terrain, origin) = level;
    let model = shaper.reader.model;
    let bounding: HashSet<Id> = pieces.iter().flat_map(|p| p.crossed.iter()).map(|c| c.element).collect();
    let mut shades = Vec::new();
    let mut seen = HashSet::new();
    for id in CLASSES.iter().flat_map(|class| model.of_class(class)).filter(|id| seen.insert(*id)) {
        let Ok(bodies) = shaper.net_bodies(id) else { continue };
        if bodies.is_box || bodies.iter().map(|s| s.faces.len()).sum::<usize>() > MOST_FACES {
            continue;
        }
        let covers = bounding.contains(&id);
        for facet in bodies.iter().flat_map(|s| &s.faces).filter_map(|f| Facet::new(0, f)) {
            let n = facet.normal();
            let wanted = if covers { n.z > 0.3 } else { is_first_side(n) };
            if !wanted {
                continue;
            }
            for area in reaching(&facet, facets, pieces, covers) {
                if area.size() < SMALLEST
                    || !counts(&area)
                    || !is_in_the_open(elements, &facet, &area, terrain)
                {
                    continue;
                }
                for polygon in divide::polygons(&area, true, &[]) {
                    let corners: Vec<DVec3> = polygon.iter().map(|p| facet.lift(*p)).collect();
                    let size = geometry::math::signed_area(&polygon).abs();
                    if size >= SMALLEST {
                        shades.push(Shade { element: id, corners, size });
                    }
                }
            }
        }
    }
    shades.sort_by(|a, b| b.size.total_cmp(&a.size));
    if shades.len() > MOST {
        notes.find(
            "shading",
            format!("{} of {} surfaces that cast shadows are kept, the largest", MOST, shades.len()),
        );
        shades.truncate(MOST);
    }
    let mut names = Names::default();
    for shade in &shades {
        let title =
            model.get(shade.element).and_then(|e| e.name()).unwrap_or_else(|| guid(model, shade.element));
        let name = names.unique(&format!("{title} shade"));
        let vertices: Value = shade
            .corners
            .iter()
            .map(|p| {
                let DVec3 { x, y, z } = (*p - origin).map(metres);
                json!({ "vertex_x_coordinate": x, "vertex_y_coordinate": y, "vertex_z_coordinate": z })
            })
            .collect();
        document.put("Shading:Building:Detailed", &name, json!({ "vertices": vertices }));
    }
    shades.len()
}

/// Of two opposite directions one.
fn is_first_side(n: DVec3) -> bool {
    let [z, x, y] = [n.z, n.x, n.y];
    z > 0.01 || (z.abs() <= 0.01 && (x > 0.01 || (x.abs() <= 0.01 && y > 0.0)))
}

/// Returns the areas of a face that are over no zone; all of it where its element covers none.
fn reaching(face: &Facet, facets: &[Facet], pieces: &[Piece], covers: bool) -> Vec<Area> {
    if !covers {
        return region::even_odd(&face.loops);
    }
    let mut under: Vec<Loop> = Vec::new();
    for piece in pieces {
        let Some(facet) = facets.get(piece.facet) else { continue };
        let height = (facet.plane.translation - face.plane.translation).dot(face.normal());
        let is_near =
            (-behind::THICKEST..0.2).contains(&height) && facet.normal().dot(face.normal()).abs() > 0.9;
        if !is_near || piece.behind == Behind::Ground {
            continue;
        }
        for polygon in divide::polygons(&piece.area, true, &[]) {
            let seen = face.project(facet, std::slice::from_ref(&polygon));
            if let Some((low, high)) = extent(seen.iter().flatten()) {
                under.push(region::rectangle(low - OVER, high + OVER));
            }
        }
    }
    region::less_all(&face.loops, &under)
}

/// Returns true if a face stands above the terrain (in metres) and not inside the building.
fn is_in_the_open(elements: &Elements, face: &Facet, area: &Area, terrain: f64) -> bool {
    let Some((point, _)) = Facet::samples(area).first().copied() else { return false };
    let at = face.above(point, 0.05);
    at.z > terrain + 0.05 && !elements.encloses(at, &mut Asked::default())
}
