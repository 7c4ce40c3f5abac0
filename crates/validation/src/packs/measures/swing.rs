//! How the leaves of a door stand to its wall: to which sides they open, how far they reach, and at which end the handle is.

use crate::packs::context::Context;
use spatial::ways::Door;

/// How the leaves of a door open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Opens {
    /// True of the sides of the wall that leaves open to: before it and behind it, as the door counts across.
    pub(super) sides: [bool; 2],
    /// Width of the widest leaf in metres.
    pub(super) leaf: f64,
    /// The end along the wall where the handle is: 1 or -1 as the door counts along; 0 of several leaves.
    pub(super) latch: f64,
}

/// How a door opens; `None` of one that slides, folds or revolves, or of which the file does not say how it opens.
pub(super) fn opens(context: &Context<'_>, door: &Door) -> Option<Opens> {
    let swings = context.subject.swings(door);
    let first = swings.first()?;
    let mut sides = [false, false];
    for swing in &swings {
        sides[usize::from(swing.open.dot(door.through()) > 0.0)] = true;
    }
    let is_one = swings.iter().all(|swing| swing.hinge.distance(first.hinge) < 0.3);
    let latch = if is_one { first.closed.dot(door.along).signum() } else { 0.0 };
    let leaf = swings.iter().map(|swing| swing.radius).fold(0.0, f64::max);
    Some(Opens { sides, leaf, latch })
}
