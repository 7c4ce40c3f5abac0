//! The names of the IFC4 base quantity set templates that are written here. They are names alone: what is measured is
//! said beside each element, how it is stored in [`crate::quantities`].

/// The base quantities of walls.
pub const WALL: &str = "Qto_WallBaseQuantities";

/// The base quantities of slabs.
pub const SLAB: &str = "Qto_SlabBaseQuantities";

/// The base quantities of spaces.
pub const SPACE: &str = "Qto_SpaceBaseQuantities";

/// The base quantities of roofs.
pub const ROOF: &str = "Qto_RoofBaseQuantities";

/// The base quantities of openings.
pub const OPENING: &str = "Qto_OpeningElementBaseQuantities";

/// The base quantities of doors.
pub const DOOR: &str = "Qto_DoorBaseQuantities";

/// The base quantities of windows.
pub const WINDOW: &str = "Qto_WindowBaseQuantities";

/// The base quantities of columns.
pub const COLUMN: &str = "Qto_ColumnBaseQuantities";

/// The base quantities of beams.
pub const BEAM: &str = "Qto_BeamBaseQuantities";

/// The base quantities of storeys.
pub const STOREY: &str = "Qto_BuildingStoreyBaseQuantities";

/// The base quantities of buildings.
pub const BUILDING: &str = "Qto_BuildingBaseQuantities";

/// The base quantities of members such as braces.
pub const MEMBER: &str = "Qto_MemberBaseQuantities";

/// The base quantities of footings.
pub const FOOTING: &str = "Qto_FootingBaseQuantities";

/// The base quantities of piles.
pub const PILE: &str = "Qto_PileBaseQuantities";

/// The base quantities of flights of stairs.
pub const STAIR_FLIGHT: &str = "Qto_StairFlightBaseQuantities";

/// The base quantities of flights of ramps.
pub const RAMP_FLIGHT: &str = "Qto_RampFlightBaseQuantities";

/// The base quantities of railings.
pub const RAILING: &str = "Qto_RailingBaseQuantities";
