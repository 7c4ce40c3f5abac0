//! A boundary as instances: the relation, and its surface in the placement of its room and in the file's unit.

use super::boundary::{Level, NewBoundary};
use crate::author::{Author, word};
use crate::frame::Frame;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, Value};

/// The class of boundaries of a level in this file's schema; in IFC2X3 Name and Description tell the levels apart.
pub(super) fn class_of(author: &Author, level: Level) -> &'static str {
    match (author.legacy(), level) {
        (true, _) => "IfcRelSpaceBoundary",
        (false, Level::First) => "IfcRelSpaceBoundary1stLevel",
        (false, Level::Second) => "IfcRelSpaceBoundary2ndLevel",
    }
}

/// The attributes of a boundary but for its geometry and its ties to others, as this file's schema has them.
pub(super) fn attributes(
    author: &Author,
    new: &NewBoundary,
    element: Option<Id>,
) -> Vec<(&'static str, Value)> {
    // IFC2X3 knows no earth
    let side = if author.legacy() && new.side != "INTERNAL" { "EXTERNAL" } else { new.side };
    vec![
        ("RelatedBuildingElement", element.map_or(Value::Null, Value::Ref)),
        ("PhysicalOrVirtualBoundary", word(if new.is_virtual { "VIRTUAL" } else { "PHYSICAL" })),
        ("InternalOrExternalBoundary", word(side)),
        ("Description", new.kind.map_or(Value::Null, Value::from)),
    ]
}

/// Writes a boundary; its ties to others are for when they are all there.
pub(super) fn create(
    author: &mut Author,
    level: Level,
    new: &NewBoundary,
    element: Option<Id>,
) -> Result<Id, Fault> {
    let geometry = geometry(author, new)?;
    let mut attributes = attributes(author, new, element);
    attributes.push(("RelatingSpace", new.space.into()));
    attributes.push(("ConnectionGeometry", geometry.into()));
    attributes.retain(|(_, value)| !value.is_null());
    author.root(class_of(author, level), Some(level.word()), &attributes)
}

/// Writes the surface of a boundary as an IfcCurveBoundedPlane, its outline counter-clockwise about the normal.
pub(super) fn geometry(author: &mut Author, new: &NewBoundary) -> Result<Id, Fault> {
    let room = author.frame(new.space)?;
    let origin = new.area.outer.first().copied().unwrap_or_default();
    let place = new.plane.transform_point3(origin.extend(0.0)) * 1000.0;
    let plane = Frame(new.plane).with_origin(place).seen_from(&room);
    let position = author.axes(&plane)?;
    let basis = author.create("IfcPlane", &[("Position", position.into())])?;
    let outer = polyline(author, &new.area.outer, origin)?;
    let mut inner = Vec::new();
    for hole in &new.area.holes {
        inner.push(Value::Ref(polyline(author, hole, origin)?));
    }
    let surface = author.create(
        "IfcCurveBoundedPlane",
        &[
            ("BasisSurface", basis.into()),
            ("OuterBoundary", outer.into()),
            ("InnerBoundaries", Value::List(inner)),
        ],
    )?;
    author.create("IfcConnectionSurfaceGeometry", &[("SurfaceOnRelatingElement", surface.into())])
}

/// A closed line of points in metres about an origin: the first point is also the last.
fn polyline(author: &mut Author, points: &[DVec2], origin: DVec2) -> Result<Id, Fault> {
    let mut ids = Vec::with_capacity(points.len() + 1);
    for point in points {
        ids.push(author.point2((*point - origin) * 1000.0)?);
    }
    ids.extend(ids.first().copied());
    author.create("IfcPolyline", &[("Points", Value::list(ids.into_iter().map(Value::Ref)))])
}
