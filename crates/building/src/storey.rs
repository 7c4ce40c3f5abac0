//! Where elements stand by storey: the storey that holds one, and heights counted from it.

use crate::author::Author;
use crate::measures::mm;
use ifc::Id;

/// Returns the storey that an element stands in, and the storey's height in the world in mm.
pub fn level_of(author: &Author, element: Id) -> Option<(Id, f64)> {
    let storey = ifc::relations::storey_of(author.edit, element)?;
    Some((storey, author.frame(storey).ok()?.origin[2]))
}

/// Returns a point in the world, in mm, as tools give it: z above the element's storey.
pub fn above_storey(author: &Author, element: Id, p: [f64; 3]) -> [f64; 3] {
    let zero = level_of(author, element).map_or(0.0, |(_, z)| z);
    [mm(p[0]), mm(p[1]), mm(p[2] - zero)]
}
