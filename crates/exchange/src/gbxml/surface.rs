//! Surfaces: second-level boundaries of the rooms, each once, with the openings in them; and shades.

use super::construction::Constructions;
use super::polygon::{of_area, of_face, point_loop, rectangle, without_holes};
use super::space_id;
use geometry::region::Area;
use geometry::{Scene, Shaper};
use glam::{DAffine3, DVec3};
use ifc::relations::Links;
use ifc::{Id, Model};
use spatial::Layout;
use spatial::facet::{Facet, extent, holds};
use spatial::space_boundaries::{Facing, Level, SpaceBoundary, space_boundaries};
use spatial::ways::doors::operation;
use xml::Writer;

/// The most that a floor may lie below the terrain and be on it, in metres.
const ON_GRADE: f64 = 0.7;
/// Faces are walls where their normal rises or falls less than this.
const LEVEL: f64 = 0.7;
/// Faces of shades at most.
const SHADES: usize = 5_000;

/// A door, window or hole.
pub(super) struct Opening {
    kind: &'static str,
    name: String,
    guid: Option<String>,
    plane: DAffine3,
    area: Area,
    construction: Option<String>,
    window: Option<String>,
}

/// A surface.
pub(super) struct Surface {
    pub id: String,
    kind: &'static str,
    /// The rooms on both sides, the one whose outside is seen first.
    pub spaces: Vec<usize>,
    name: String,
    guid: Option<String>,
    plane: DAffine3,
    area: Area,
    pub points: Vec<DVec3>,
    construction: String,
    pub openings: Vec<Opening>,
}

/// All surfaces of a layout.
pub(super) fn surfaces(
    scene: &Scene,
    layout: &Layout,
    links: &Links<'_>,
    constructions: &mut Constructions<'_, '_>,
) -> Vec<Surface> {
    let boundaries = space_boundaries(layout, links, Level::Second);
    let is_outside = |room: usize| layout.rooms.rooms.get(room).is_none_or(|room| room.is_outside);
    let mut surfaces = Vec::new();
    let mut places = std::collections::HashMap::new();
    for (at, boundary) in boundaries.iter().enumerate() {
        let is_second = boundary.corresponding.is_some_and(|other| {
            other < at && boundaries.get(other).is_some_and(|other| !is_outside(other.room))
        });
        if boundary.parent.is_some() || is_second || is_outside(boundary.room) {
            continue;
        }
        let first = surfaces.len();
        for area in without_holes(&boundary.area) {
            surfaces.push(surface(
                surfaces.len(),
                boundary,
                area,
                layout,
                links.model(),
                constructions,
                &is_outside,
            ));
        }
        places.insert(at, first..surfaces.len());
    }
    for boundary in &boundaries {
        let Some(own) = boundary.parent.and_then(|parent| places.get(&parent)) else { continue };
        let Some((low, high)) = extent(&boundary.area.outer) else { continue };
        let middle = boundary.plane.transform_point3(low.midpoint(high).extend(0.0));
        let is_in = |surface: &Surface| {
            let at = surface.plane.inverse().transform_point3(middle).truncate();
            holds(surface.area.loops(), at)
        };
        let within = own.clone().find(|at| surfaces.get(*at).is_some_and(is_in));
        if let Some(surface) = surfaces.get_mut(within.unwrap_or(own.start)) {
            surface.openings.push(opening(boundary, links.model(), constructions));
        }
    }
    shades(scene, layout, links, &boundaries, constructions, &mut surfaces);
    surfaces
}

fn surface(
    number: usize,
    boundary: &SpaceBoundary,
    area: Area,
    layout: &Layout,
    model: &Model,
    constructions: &mut Constructions<'_, '_>,
    is_outside: &dyn Fn(usize) -> bool,
) -> Surface {
    let behind = boundary.behind.filter(|room| !is_outside(*room));
    let is_open = boundary.behind.is_some() && behind.is_none();
    let facing = if is_open { Facing::External } else { boundary.facing };
    let foot = boundary.plane.translation.z;
    let kind = kind(boundary, facing, foot, layout.terrain);
    Surface {
        id: format!("surface-{number}"),
        kind,
        spaces: std::iter::once(boundary.room).chain(behind).collect(),
        name: boundary.element.and_then(|id| model.get(id)?.name()).unwrap_or_else(|| kind.to_owned()),
        guid: boundary.element.and_then(|id| model.get(id)?.guid()),
        plane: boundary.plane,
        points: of_area(&boundary.plane, &area),
        area,
        construction: constructions.of_element(boundary.element, kind),
        openings: Vec::new(),
    }
}

/// The type of a surface, by how it lies and by what is behind it.
fn kind(boundary: &SpaceBoundary, facing: Facing, foot: f64, terrain: f64) -> &'static str {
    let up = boundary.plane.z_axis.z;
    if boundary.is_virtual && facing == Facing::Internal {
        return "Air";
    }
    match facing {
        Facing::Internal if up > LEVEL => "Ceiling",
        Facing::Internal if up < -LEVEL => "InteriorFloor",
        Facing::Internal => "InteriorWall",
        Facing::External if up > LEVEL => "Roof",
        Facing::External if up < -LEVEL => "RaisedFloor",
        Facing::External => "ExteriorWall",
        Facing::Earth if up > LEVEL => "UndergroundCeiling",
        Facing::Earth if up < -LEVEL && foot > terrain - ON_GRADE => "SlabOnGrade",
        Facing::Earth if up < -LEVEL => "UndergroundSlab",
        Facing::Earth => "UndergroundWall",
    }
}

fn opening(boundary: &SpaceBoundary, model: &Model, constructions: &mut Constructions<'_, '_>) -> Opening {
    let element = boundary.element.and_then(|id| model.get(id));
    let is_a = |class: &str| element.is_some_and(|e| e.is_a(class));
    let is_level = boundary.plane.z_axis.z > LEVEL;
    let slides = || {
        let links = Links::of_one(model);
        boundary.element.is_some_and(|id| operation(&links, id).contains("SLIDING"))
    };
    let kind = match () {
        () if is_a("IfcDoor") && slides() => "SlidingDoor",
        () if is_a("IfcDoor") => "NonSlidingDoor",
        () if is_a("IfcWindow") && is_level => "OperableSkylight",
        () if is_a("IfcWindow") => "OperableWindow",
        () if boundary.is_virtual || is_a("IfcFeatureElementSubtraction") => "Air",
        () if is_level => "FixedSkylight",
        () => "FixedWindow",
    };
    let is_window = kind.ends_with("Window") || kind.ends_with("Skylight");
    Opening {
        kind,
        name: element.and_then(|e| e.name()).unwrap_or_else(|| kind.to_owned()),
        guid: element.and_then(|e| e.guid()),
        plane: boundary.plane,
        area: boundary.area.clone(),
        construction: (!is_window).then(|| constructions.of_element(boundary.element, kind)),
        window: is_window.then(|| constructions.window(boundary.element)),
    }
}

/// Shading devices, and slabs, roofs and walls that bound no room, by their faces.
fn shades(
    scene: &Scene,
    layout: &Layout,
    links: &Links<'_>,
    boundaries: &[SpaceBoundary],
    constructions: &mut Constructions<'_, '_>,
    surfaces: &mut Vec<Surface>,
) {
    let model = links.model();
    let bounding: std::collections::HashSet<Id> = boundaries.iter().filter_map(|b| b.element).collect();
    let crossed: std::collections::HashSet<Id> =
        layout.pieces.iter().flat_map(|piece| piece.crossed.iter().map(|c| c.element)).collect();
    let shaper = Shaper::plain(model);
    let mut left = SHADES;
    for class in ["IfcShadingDevice", "IfcSlab", "IfcRoof", "IfcWall"] {
        for id in model.of_class(class) {
            let whole = links.aggregate_parent(id);
            let bounds = |id: &Id| bounding.contains(id) || crossed.contains(id);
            if bounds(&id)
                || whole.as_ref().is_some_and(bounds)
                || scene.entry(id).is_none_or(|e| !e.is_drawn())
            {
                continue;
            }
            let Ok(bodies) = shaper.gross_bodies(id) else { continue };
            // what stands in a room shades nothing outdoors
            let is_within = bodies.iter().any(|s| !layout.rooms.at(s.bounds().centre()).is_empty());
            let faces: Vec<_> = bodies.iter().flat_map(|solid| solid.merged().faces).collect();
            if is_within || faces.len() > left {
                continue;
            }
            left -= faces.len();
            for face in &faces {
                let (Some(facet), Some(points)) = (Facet::new(0, face), of_face(face)) else { continue };
                let Some((outer, holes)) = facet.loops.split_first() else { continue };
                let element = model.get(id);
                surfaces.push(Surface {
                    id: format!("surface-{}", surfaces.len()),
                    kind: "Shade",
                    spaces: Vec::new(),
                    name: element.and_then(|e| e.name()).unwrap_or_else(|| "Shade".to_owned()),
                    guid: element.and_then(|e| e.guid()),
                    plane: facet.plane,
                    area: Area::new(outer.clone(), holes.to_vec()),
                    points,
                    construction: constructions.of_element(Some(id), "Shade"),
                    openings: Vec::new(),
                });
            }
        }
    }
}

impl Surface {
    pub fn write(&self, writer: &mut Writer) {
        let is_outside = matches!(self.kind, "ExteriorWall" | "Roof" | "RaisedFloor" | "Shade");
        writer
            .open("Surface")
            .attribute("id", &self.id)
            .attribute("surfaceType", self.kind)
            .attribute("constructionIdRef", &self.construction)
            .attribute("exposedToSun", if is_outside { "true" } else { "false" })
            .optional_attribute("ifcGUID", self.guid.as_deref());
        writer.leaf("Name", &self.name);
        for room in &self.spaces {
            writer.open("AdjacentSpaceId").attribute("spaceIdRef", &space_id(*room)).close();
        }
        geometry(writer, &self.plane, &self.area, &self.points);
        for (number, opening) in self.openings.iter().enumerate() {
            writer
                .open("Opening")
                .attribute("id", &format!("{}-opening-{number}", self.id))
                .attribute("openingType", opening.kind)
                .optional_attribute("constructionIdRef", opening.construction.as_deref())
                .optional_attribute("windowTypeIdRef", opening.window.as_deref())
                .optional_attribute("ifcGUID", opening.guid.as_deref());
            writer.leaf("Name", &opening.name);
            geometry(writer, &opening.plane, &opening.area, &of_area(&opening.plane, &opening.area));
            writer.optional("CADObjectId", opening.guid.as_deref()).close();
        }
        writer.optional("CADObjectId", self.guid.as_deref()).close();
    }
}

fn geometry(writer: &mut Writer, plane: &DAffine3, area: &Area, points: &[DVec3]) {
    rectangle(writer, plane, area);
    writer.open("PlanarGeometry");
    point_loop(writer, points);
    writer.close();
}
