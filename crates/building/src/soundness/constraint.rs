//! The identifiers of the constraints that are judged both of a whole model and of what a change touched, so that a finding has one name
//! wherever it is told.

/// Two elements share space.
pub const OVERLAP: &str = "constraints.overlap";
/// An element is there twice.
pub const DUPLICATE: &str = "constraints.duplicate";
/// Several instances have one GlobalId.
pub const DUPLICATE_GUID: &str = "constraints.duplicate_guid";
/// An element has no extent.
pub const ZERO_SIZE: &str = "constraints.zero_size";
/// An element stands far from the building.
pub const OUTLIER: &str = "constraints.outlier";
/// An element rests on nothing and hangs from nothing.
pub const FLOATING: &str = "constraints.floating";
/// An opening is cut into nothing.
pub const IDLE_OPENING: &str = "constraints.idle_opening";
/// An opening does not lie in its host.
pub const OPENING_OUTSIDE_HOST: &str = "constraints.opening_outside_host";
/// A door or window has no host.
pub const UNHOSTED_FILLING: &str = "constraints.unhosted_filling";
/// A door or window stands beside its opening.
pub const FILLING_OUTSIDE_OPENING: &str = "constraints.filling_outside_opening";
/// Two rooms share space.
pub const SPACE_OVERLAP: &str = "constraints.space_overlap";
/// A wall ends a little short of another one.
pub const WALL_GAP: &str = "constraints.wall_gap";
/// A slab ends a little short of a wall.
pub const SLAB_GAP: &str = "constraints.slab_gap";
/// Two walls meet and are not connected.
pub const UNJOINED: &str = "constraints.unjoined";
/// A door hits something as it opens.
pub const DOOR_SWING: &str = "constraints.door_swing";
/// The levels of storeys contradict each other.
pub const STOREY_LEVELS: &str = "constraints.storey_levels";
/// A stated quantity is not that of the shape.
pub const QUANTITY: &str = "constraints.quantity";
/// A room is not reached from outside.
pub const SEALED_ROOM: &str = "constraints.sealed_room";
