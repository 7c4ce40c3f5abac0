//! The ties between things: aggregation, containment, voiding, filling, typing, properties. A tie that exists for the
//! same parent is widened, not doubled, so that a storey keeps one list of what it holds.

use crate::author::{Author, word};
use contract::Fault;
use ifc::{Id, Value};

impl Author<'_> {
    /// Makes `part` a part of `whole`.
    pub fn aggregate(&mut self, whole: Id, part: Id) -> Result<(), Fault> {
        self.join("IfcRelAggregates", "RelatingObject", whole, "RelatedObjects", part)
    }

    /// Makes a storey (or another spatial element) hold an element.
    pub fn contain(&mut self, spatial: Id, element: Id) -> Result<(), Fault> {
        self.join(
            "IfcRelContainedInSpatialStructure",
            "RelatingStructure",
            spatial,
            "RelatedElements",
            element,
        )
    }

    /// Gives an element a type.
    pub fn type_as(&mut self, element_type: Id, element: Id) -> Result<(), Fault> {
        self.join("IfcRelDefinesByType", "RelatingType", element_type, "RelatedObjects", element)
    }

    /// Gives an element, or a type, a material, a layer set or the use of one.
    pub fn make_of(&mut self, material: Id, object: Id) -> Result<(), Fault> {
        self.join("IfcRelAssociatesMaterial", "RelatingMaterial", material, "RelatedObjects", object)
    }

    fn join(&mut self, class: &str, one: &str, relating: Id, many: &str, related: Id) -> Result<(), Fault> {
        let existing = self.edit.referrers_of(relating, class).into_iter().find(|id| {
            self.edit.get(*id).is_some_and(|r| r.class_name() == class && r.reference(one) == Some(relating))
        });
        if let Some(relation) = existing {
            self.add_to(relation, many, related)
        } else {
            let members = Value::list([Value::Ref(related)]);
            self.root(class, None, &[(one, relating.into()), (many, members)]).map(|_| ())
        }
    }

    /// Cuts an opening into its host.
    pub fn void(&mut self, host: Id, opening: Id) -> Result<(), Fault> {
        let ends = [("RelatingBuildingElement", host.into()), ("RelatedOpeningElement", opening.into())];
        self.root("IfcRelVoidsElement", None, &ends).map(|_| ())
    }

    /// Puts a door or window into an opening.
    pub fn fill(&mut self, opening: Id, filling: Id) -> Result<(), Fault> {
        let ends = [("RelatingOpeningElement", opening.into()), ("RelatedBuildingElement", filling.into())];
        self.root("IfcRelFillsElement", None, &ends).map(|_| ())
    }

    /// Says that two walls meet, and at which end or along which path.
    pub fn connect(&mut self, a: Id, a_at: End, b: Id, b_at: End) -> Result<Id, Fault> {
        let none = || Value::List(Vec::new());
        self.root(
            "IfcRelConnectsPathElements",
            None,
            &[
                ("RelatingElement", a.into()),
                ("RelatedElement", b.into()),
                ("RelatingPriorities", none()),
                ("RelatedPriorities", none()),
                ("RelatedConnectionType", word(b_at.word())),
                ("RelatingConnectionType", word(a_at.word())),
            ],
        )
    }
}

/// The place of a connection on a wall's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// At its start.
    Start,
    /// At its end.
    End,
    /// Somewhere between.
    Path,
}

impl End {
    fn word(self) -> &'static str {
        match self {
            Self::Start => "ATSTART",
            Self::End => "ATEND",
            Self::Path => "ATPATH",
        }
    }

    /// The end that an IfcConnectionTypeEnum item names.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Start, Self::End, Self::Path].into_iter().find(|end| end.word() == word)
    }
}
