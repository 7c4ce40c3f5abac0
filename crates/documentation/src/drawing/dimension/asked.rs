//! Dimensions that were asked for: between two points or elements.

use super::super::sheet::Sheet;
use super::{Chain, Dimension, Of, draw_chain};
use geometry::query::Element;
use geometry::section::Plane;
use glam::DVec3;
use ifc::Id;
use spatial::queries::{Place, shortest};
use std::sync::Arc;

/// An end of a dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// A point in metres of the world.
    Point(DVec3),
    /// An element: the place of it that is nearest to the other end.
    Element(Id),
}

/// A dimension asked for. It is measured in the plane of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// Its ends.
    pub ends: [End; 2],
    /// Metres by which the line lies beside the ends, to the left as one goes from the first to the second.
    pub aside: f64,
}

/// Draws the dimensions asked for; the numbers in the list of those that cannot be drawn: an end is nowhere, or both lie at one place
/// of the drawing.
pub(in crate::drawing) fn draw(
    sheet: &mut Sheet<'_>,
    plane: &Plane,
    asked: &[Asked],
) -> (Vec<Dimension>, Vec<usize>) {
    let (mut told, mut failed) = (Vec::new(), Vec::new());
    for (number, one) in asked.iter().enumerate() {
        let drawn = ends(sheet, one).and_then(|ends| {
            let feet = ends.map(|p| plane.flat(p).truncate());
            let along = (feet[1] - feet[0]).try_normalize()?;
            let on = feet[0] + along.perp() * one.aside;
            let chain =
                Chain { of: Of::Asked, feet: feet.to_vec(), along, on, extended: true, element: None };
            Some(draw_chain(sheet, plane, &chain)).filter(|all| !all.is_empty())
        });
        match drawn {
            Some(all) => told.extend(all),
            None => failed.push(number),
        }
    }
    (told, failed)
}

fn ends(sheet: &Sheet<'_>, asked: &Asked) -> Option<[DVec3; 2]> {
    if !asked.aside.is_finite() {
        return None;
    }
    let place = |end: &End| match end {
        End::Point(p) => p.is_finite().then_some(Place::Point(*p)),
        End::Element(id) => {
            let mesh = sheet.scene.shape(*id)?.mesh();
            Some(Place::Body(Arc::new(Element::new(*id, mesh))))
        }
    };
    let [a, b] = &asked.ends;
    Some(shortest(&place(a)?, &place(b)?)?.points)
}
