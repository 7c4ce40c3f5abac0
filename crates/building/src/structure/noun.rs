//! The kinds of straight members: their classes and the words for them.

use crate::quantity_sets;
use ifc::{Id, Model};

/// The classes and words of a kind of linear element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noun {
    /// The class of the element.
    pub class: &'static str,
    /// The class of its type; absent where the schema has none.
    pub type_class: &'static str,
    /// PredefinedType.
    pub predefined: &'static str,
    /// The word its names begin with.
    pub word: &'static str,
    /// Its base quantities.
    pub quantities: &'static str,
    /// Its common properties.
    pub properties: &'static str,
}

/// Columns.
pub const COLUMN: Noun = Noun {
    class: "IfcColumn",
    type_class: "IfcColumnType",
    predefined: "COLUMN",
    word: "Column",
    quantities: quantity_sets::COLUMN,
    properties: "Pset_ColumnCommon",
};

/// Beams.
pub const BEAM: Noun = Noun {
    class: "IfcBeam",
    type_class: "IfcBeamType",
    predefined: "BEAM",
    word: "Beam",
    quantities: quantity_sets::BEAM,
    properties: "Pset_BeamCommon",
};

/// Braces.
pub const BRACE: Noun = Noun {
    class: "IfcMember",
    type_class: "IfcMemberType",
    predefined: "BRACE",
    word: "Brace",
    quantities: quantity_sets::MEMBER,
    properties: "Pset_MemberCommon",
};

/// The words of a member's class.
pub fn noun_of(model: &Model, id: Id) -> Option<Noun> {
    let element = model.get(id)?;
    [COLUMN, BEAM, BRACE].into_iter().find(|noun| element.is_a(noun.class))
}
