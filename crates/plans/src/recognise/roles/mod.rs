//! What a layer, block or group is for, by its name in the languages that plans are drawn in.
//!
//! Names are compared without case and accents. Words of CAD standards (AIA, ISO 13567 with CI/SfB) and of everyday drawings; a name that
//! holds a word for a note, a hatch or furniture is that, even if it names a wall, too.

mod matching;
mod vocabulary;

pub(crate) use matching::hatched;
pub use matching::role;

/// The role of a layer or block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Walls, cut.
    Wall,
    /// Doors.
    Door,
    /// Windows and glazing.
    Window,
    /// Openings without a filling.
    Opening,
    /// Columns.
    Column,
    /// Words, tags, outlines of rooms.
    Text,
    /// Dimensions.
    Dimension,
    /// Furniture, kitchens, equipment.
    Furniture,
    /// Sanitary objects.
    Sanitary,
    /// Stairs, ramps, lifts.
    Stair,
    /// Grids and axes.
    Grid,
    /// Hatches.
    Hatch,
    /// Sheets: frames, title blocks, viewports.
    Sheet,
    /// Slabs, roofs, sites, services: what is no part of the walls.
    Other,
    /// Its name says nothing.
    Unknown,
}

impl Role {
    /// Its name in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Door => "door",
            Self::Window => "window",
            Self::Opening => "opening",
            Self::Column => "column",
            Self::Text => "text",
            Self::Dimension => "dimension",
            Self::Furniture => "furniture",
            Self::Sanitary => "sanitary",
            Self::Stair => "stair",
            Self::Grid => "grid",
            Self::Hatch => "hatch",
            Self::Sheet => "sheet",
            Self::Other => "other",
            Self::Unknown => "unknown",
        }
    }

    /// The role of a name as [`Role::name`] says it.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|role| role.name() == name)
    }

    /// Every role.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.into_iter()
    }

    /// True if lines of this role may be faces of walls.
    pub(crate) fn may_be_wall(self) -> bool {
        matches!(self, Self::Wall | Self::Unknown)
    }
}

const ALL: [Role; 15] = [
    Role::Wall,
    Role::Door,
    Role::Window,
    Role::Opening,
    Role::Column,
    Role::Text,
    Role::Dimension,
    Role::Furniture,
    Role::Sanitary,
    Role::Stair,
    Role::Grid,
    Role::Hatch,
    Role::Sheet,
    Role::Other,
    Role::Unknown,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_names_of_their_own() {
        assert!(ALL.iter().all(|role| Role::named(role.name()) == Some(*role)));
    }
}
