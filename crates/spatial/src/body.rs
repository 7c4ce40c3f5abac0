//! The body of an IfcSpace, as polygons that look out of the room.

use geometry::{Shaper, Solid, csg};
use ifc::Id;

/// The share of the surface that may be missing before a body counts as open.
const GAP: f64 = 1e-3;

/// The one body of a space, in metres of the world, with the faces of one plane joined; and whether it closes. An error says why it
/// has none.
pub fn body(shaper: &Shaper<'_>, space: Id) -> Result<(Solid, bool), String> {
    let bodies = shaper.gross_bodies(space).map_err(|e| e.to_string())?;
    if bodies.is_box {
        return Err("its body could not be made, only its box is known".to_owned());
    }
    let solids: Vec<&Solid> = bodies.iter().collect();
    let mut solid = match solids.as_slice() {
        [] => return Err("it has no body".to_owned()),
        [one] => (*one).clone(),
        several => csg::union(several).map_err(|e| format!("its bodies cannot be joined: {e}"))?,
    };
    solid.closed &= solid.agree();
    if solid.volume() < 0.0 {
        solid.turn();
    }
    let solid = solid.merged();
    if solid.volume() < 0.01 {
        return Err("its body encloses no volume".to_owned());
    }
    let is_closed = solid.closed && solid.gap() < GAP;
    Ok((solid, is_closed))
}
