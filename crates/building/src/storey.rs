//! The places of elements by storey: the storey that holds one, and heights counted from it.

use crate::author::Author;
use crate::measures::mm;
use glam::DVec3;
use ifc::Id;

/// Returns the storey that an element stands in, and the storey's height in the world in mm.
pub fn level_of(author: &Author, element: Id) -> Option<(Id, f64)> {
    let storey = ifc::relations::storey_of(author.edit, element)?;
    Some((storey, author.frame(storey).ok()?.translation.z))
}

/// Returns a point in the world, in mm, as tools give it: z above the element's storey.
pub fn above_storey(author: &Author, element: Id, p: DVec3) -> DVec3 {
    let zero = level_of(author, element).map_or(0.0, |(_, z)| z);
    DVec3::new(mm(p.x), mm(p.y), mm(p.z - zero))
}
