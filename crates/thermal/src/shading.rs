//! Things that cast shadows beyond the zones: eaves, balconies, garden walls, a neighbour's house.
//!
//! Of slabs and roofs that cover zones, what reaches out over them; of plates, the faces of one side, for EnergyPlus lets shadows fall both
//! ways; of thick bodies, a neighbour's house or a hill, all faces but those that look down. A body of very many faces counts by its box
//! where it is as large as a house. What stands inside the building or below the terrain casts none. Those that are largest as seen from
//! the building are kept: small ones and far ones matter little.

use crate::{
    divide,
    document::{Document, metres},
    names::Names,
    report::Notes,
};
use geometry::{
    Bounds, Face, Shaper,
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

const CLASSES: [&str; 14] = [
    "IfcBuilding",
    "IfcSite",
    "IfcGeographicElement",
    "IfcCurtainWall",
    "IfcCovering",
    "IfcRailing",
    "IfcSlab",
    "IfcRoof",
    "IfcWall",
    "IfcColumn",
    "IfcPlate",
    "IfcShadingDevice",
    "IfcBuildingElementProxy",
    "IfcBuildingElementPart",
];

/// The thickness, in metres, from which a body is no plate: twice its volume by its surface.
const THICK: f64 = 0.3;
/// The least height and width, in metres, of a body of many faces that counts by its box.
const HOUSE: f64 = 2.0;
/// The distance, in metres, at which a face counts half.
const HALF: f64 = 10.0;

struct Shade {
    element: Id,
    corners: Vec<DVec3>,
    /// Its size in m² as it matters from where the building stands.
    weight: f64,
}

/// The faces of an element that may cast shadows.
struct Caster {
    faces: Vec<Facet>,
    is_thick: bool,
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
    let around = bounds(facets);
    let mut shades = Vec::new();
    let mut seen = HashSet::new();
    for id in CLASSES.iter().flat_map(|class| model.of_class(class)).filter(|id| seen.insert(*id)) {
        let Some(caster) = caster(shaper, id, notes) else { continue };
        let covers = bounding.contains(&id);
        let is_ground = model.get(id).is_some_and(|e| e.is_a("IfcSite") || e.is_a("IfcGeographicElement"));
        for facet in caster.faces {
            let n = facet.normal();
            let wanted = if covers {
                n.z > 0.3
            } else if is_ground {
                // level ground lies under the sun, not before it
                n.z > -0.01 && n.z < 0.95
            } else if caster.is_thick {
                n.z > -0.01
            } else {
                is_first_side(n)
            };
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
                        let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
                        let far = middle.distance(middle.clamp(around.min, around.max));
                        let weight = size / (1.0 + (far / HALF).powi(2));
                        shades.push(Shade { element: id, corners, weight });
                    }
                }
            }
        }
    }
    shades.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    if shades.len() > MOST {
        notes.find(
            "shading",
            format!(
                "{} of {} surfaces that cast shadows are kept, the largest as seen from the building",
                MOST,
                shades.len()
            ),
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

/// The box around the rooms; around the origin where there is none.
fn bounds(facets: &[Facet]) -> Bounds {
    let points = facets.iter().flat_map(|f| f.loops.iter().flatten().map(|p| f.lift(*p)));
    let all = Bounds::from_points(points);
    if all.is_empty() { Bounds::from_points([DVec3::ZERO]) } else { all }
}

/// The faces of an element's bodies; those of its box where they are very many and it is as large as a house, which is noted. `None` for one
/// that casts no shadow.
fn caster(shaper: &Shaper<'_>, id: Id, notes: &mut Notes) -> Option<Caster> {
    let bodies = shaper.net_bodies(id).ok().filter(|bodies| !bodies.is_box)?;
    let faces: Vec<&Face> = bodies.iter().flat_map(|s| &s.faces).collect();
    if faces.len() <= MOST_FACES {
        let faces: Vec<Facet> = faces.into_iter().filter_map(|face| Facet::new(0, face)).collect();
        let size = |f: &Facet| region::even_odd(&f.loops).iter().map(Area::size).sum::<f64>();
        let surface: f64 = faces.iter().map(size).sum();
        let volume: f64 = bodies.iter().map(|s| s.volume().abs()).sum();
        let is_thick = surface > 0.0 && 2.0 * volume / surface > THICK;
        return Some(Caster { faces, is_thick });
    }
    let model = shaper.reader.model;
    let is_house = model.get(id).is_some_and(|e| e.is_a("IfcBuildingElementProxy") || e.is_a("IfcBuilding"));
    let all = bodies.iter().map(geometry::Solid::bounds).fold(Bounds::EMPTY, |all, b| all.join(&b));
    let size = if all.is_empty() { DVec3::ZERO } else { all.max - all.min };
    if !is_house || size.min_element() < HOUSE {
        return None;
    }
    notes.assume(
        "shape of a body that casts shadows",
        &guid(model, id),
        "its box",
        &format!("it has {} faces, more than {MOST_FACES}", faces.len()),
    );
    let sides = box_faces(&all);
    Some(Caster { faces: sides.iter().filter_map(|face| Facet::new(0, face)).collect(), is_thick: true })
}

/// The four sides and the top of a box, seen from outside.
fn box_faces(b: &Bounds) -> [Face; 5] {
    let p = |x: bool, y: bool, z: bool| {
        let of = |high: bool, low: f64, max: f64| if high { max } else { low };
        DVec3::new(of(x, b.min.x, b.max.x), of(y, b.min.y, b.max.y), of(z, b.min.z, b.max.z))
    };
    let (o, i) = (false, true);
    [
        vec![p(o, o, o), p(i, o, o), p(i, o, i), p(o, o, i)],
        vec![p(i, o, o), p(i, i, o), p(i, i, i), p(i, o, i)],
        vec![p(i, i, o), p(o, i, o), p(o, i, i), p(i, i, i)],
        vec![p(o, i, o), p(o, o, o), p(o, o, i), p(o, i, i)],
        vec![p(o, o, i), p(i, o, i), p(i, i, i), p(o, i, i)],
    ]
    .map(|corners| Face { loops: vec![corners] })
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
