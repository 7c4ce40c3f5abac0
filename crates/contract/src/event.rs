//! What kinds of fact the event log holds. The spelling of each is part of the interface: subscribers test for it, and
//! logs written years ago are read by it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The kind of an event.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        pub enum EventType {
            $($(#[$doc])* $name,)*
            /// A kind that older logs hold; none is added.
            Other(String),
        }

        impl EventType {
            /// Every kind that has a name of ours.
            pub const NAMED: &'static [Self] = &[$(Self::$name,)*];

            /// The kind of change that an execution service says it made; none if it is no kind of ours, or one that only the platform
            /// itself can tell of: an approval, a movement through history, the end of a job.
            pub fn told_by_service(name: &str) -> Option<Self> {
                let kind = Self::from(name);
                let is_platforms = matches!(
                    kind,
                    Self::Other(_)
                        | Self::ModelLoaded
                        | Self::ModelReplaced
                        | Self::EditsUndone
                        | Self::EditsRedone
                        | Self::VersionRestored
                        | Self::VersionMerged
                        | Self::BranchCreated
                        | Self::BranchDeleted
                        | Self::ApprovalRequested
                        | Self::ApprovalDecided
                        | Self::SimulationEnded
                );
                (!is_platforms).then_some(kind)
            }

            /// True if it tells of a commit: neither of an approval nor of the end of a job.
            pub fn is_commit(&self) -> bool {
                !matches!(self, Self::ApprovalRequested | Self::ApprovalDecided | Self::SimulationEnded)
            }

            /// Its spelling.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => stringify!($name),)*
                    Self::Other(name) => name,
                }
            }
        }

        impl From<&str> for EventType {
            fn from(name: &str) -> Self {
                match name {
                    $(stringify!($name) => Self::$name,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }
    };
}

events! {
    /// A model without content was begun.
    ModelCreated,
    /// A project with its first structure was begun.
    ProjectCreated,
    /// A file became a model.
    ModelLoaded,
    /// A file became the next version of a model.
    ModelReplaced,
    /// Something changed that no other kind says better.
    ModelChanged,
    /// A storey was added.
    LevelCreated,
    /// A wall was added.
    WallCreated,
    /// A floor was added.
    FloorCreated,
    /// A roof was added.
    RoofCreated,
    /// A space was added.
    SpaceCreated,
    /// Rooms were laid out, with partitions.
    RoomsCreated,
    /// Walls, floors and roof of several storeys were added.
    ShellCreated,
    /// An opening was cut.
    OpeningCreated,
    /// An opening was cut and a door put in.
    DoorCreated,
    /// An opening was cut and a window put in.
    WindowCreated,
    /// Several openings were cut, and filled where asked.
    OpeningsCreated,
    /// Walls were joined, or their joins were undone.
    ElementsJoined,
    /// A grid was added.
    GridCreated,
    /// Columns were added.
    ColumnCreated,
    /// Beams were added.
    BeamCreated,
    /// Members such as braces were added.
    MemberCreated,
    /// Footings were added.
    FootingCreated,
    /// Piles were added.
    PileCreated,
    /// A stair was added.
    StairCreated,
    /// A ramp was added.
    RampCreated,
    /// Railings were added.
    RailingCreated,
    /// A shaft was cut through the slabs of several storeys.
    ShaftCreated,
    /// A curtain wall was added.
    CurtainWallCreated,
    /// Coverings were added.
    CoveringCreated,
    /// Furniture or sanitary objects were added.
    FurnitureCreated,
    /// A building with storeys, rooms, openings and roof was added.
    BuildingCreated,
    /// An element was added.
    ElementCreated,
    /// An element's parameter, attribute or property was changed.
    ElementModified,
    /// Elements were moved.
    ElementsMoved,
    /// Elements were turned.
    ElementsRotated,
    /// Elements were mirrored.
    ElementsMirrored,
    /// Elements were brought in line, or spread evenly.
    ElementsAligned,
    /// Elements were copied.
    ElementsCopied,
    /// Elements were renamed or numbered.
    ElementsRenamed,
    /// Elements were given another type.
    TypeAssigned,
    /// Elements were given another material.
    MaterialAssigned,
    /// Colours were set.
    StyleSet,
    /// A group, zone or system was made, or its members were changed.
    GroupChanged,
    /// Elements were classified.
    ElementsClassified,
    /// A document was attached to elements.
    DocumentAttached,
    /// Elements were removed, with what depends on them.
    ElementsDeleted,
    /// Bodies were united, subtracted or intersected.
    BooleanApplied,
    /// Properties were set.
    PropertiesSet,
    /// The model was placed on the earth.
    GeoreferenceSet,
    /// A script changed the model.
    CodeRun,
    /// Several tools changed the model, as one change.
    BatchRun,
    /// The latest edits were taken back.
    EditsUndone,
    /// Edits taken back were made again.
    EditsRedone,
    /// The content of an older version became the newest.
    VersionRestored,
    /// The changes of a branch were added to another.
    VersionMerged,
    /// A branch was begun.
    BranchCreated,
    /// A branch was given up; its versions stay.
    BranchDeleted,
    /// A change waits for somebody's approval.
    ApprovalRequested,
    /// A change that waited was approved or rejected, or waited too long.
    ApprovalDecided,
    /// A simulation of a version ended, however it did; nothing of the model changed.
    SimulationEnded,
}

impl From<String> for EventType {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl From<EventType> for String {
    fn from(kind: EventType) -> Self {
        kind.as_str().to_owned()
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl JsonSchema for EventType {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventType".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back_as_it_is_spelt_also_those_of_others() {
        for kind in EventType::NAMED.iter().cloned().chain([EventType::Other("PipeBent".into())]) {
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(text, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<EventType>(&text).unwrap(), kind);
        }
    }

    #[test]
    fn a_service_tells_of_its_changes_and_of_nothing_else() {
        assert_eq!(EventType::told_by_service("WallCreated"), Some(EventType::WallCreated));
        for name in
            ["ApprovalDecided", "SimulationEnded", "VersionMerged", "PipeBent", "A\nB", "", "CodeRun\r"]
        {
            assert_eq!(EventType::told_by_service(name), None, "{name:?}");
        }
    }

    #[test]
    fn spellings_that_logs_rely_on_stay() {
        for name in ["WallCreated", "OpeningCreated", "ElementModified", "ElementsDeleted", "VersionMerged"] {
            assert!(!matches!(EventType::from(name), EventType::Other(_)), "{name}");
        }
    }
}
