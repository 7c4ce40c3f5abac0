//! The swing of a door's leaves: to which sides they open, how far they reach, and at which end the handle is.
//!
//! By IFC, a leaf opens to the positive y axis of the door's placement, and left and right are as one looks along that axis (IfcDoorTypeOperationEnum).

use crate::packs::context::Context;
use glam::DVec2;
use spatial::ways::Door;

/// The swing of a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Swing {
    /// True of the sides of the wall that leaves open to: before it and behind it, as the door counts across.
    pub(super) sides: [bool; 2],
    /// Width of a leaf in metres.
    pub(super) leaf: f64,
    /// The end along the wall where the handle is: 1 or -1 as the door counts along; 0 of several leaves.
    pub(super) latch: f64,
}

/// The swing of a door; `None` of one that slides, folds or revolves, or of which the file does not say how it opens.
pub(super) fn swing(context: &Context<'_>, door: &Door) -> Option<Swing> {
    let operation = door.operation.as_str();
    if !operation.contains("SWING") || operation.contains("SLIDING") || operation.contains("FOLDING") {
        return None;
    }
    let forward = forward(context, door)?;
    let both = operation.starts_with("DOUBLE_SWING") || operation.starts_with("DOUBLE_DOOR_DOUBLE_SWING");
    let is_behind = forward.dot(door.through()) > 0.0;
    let sides = if both { [true, true] } else { [!is_behind, is_behind] };
    let is_pair = operation.starts_with("DOUBLE_DOOR");
    let leaf = if is_pair { door.clear / 2.0 } else { door.clear };
    // looking along y, x runs to the right
    let right = -forward.perp();
    let end = right.dot(door.along).signum();
    let latch = match (is_pair, operation.ends_with("LEFT"), operation.ends_with("RIGHT")) {
        (false, true, _) => end,
        (false, _, true) => -end,
        _ => 0.0,
    };
    Some(Swing { sides, leaf, latch })
}

/// The direction in plan to which leaves open: the y axis of the placement.
fn forward(context: &Context<'_>, door: &Door) -> Option<DVec2> {
    let placement = context.model().get(door.element)?.reference("ObjectPlacement")?;
    let frame = context.shaper.reader.world(placement)?;
    let y = frame.y_axis.truncate();
    (y.length() > 0.9).then(|| y.normalize())
}
