//! The content of the elements of IDS by its XML Schema: which children, in which order, how often; which attributes.

/// A child of a sequence.
pub(super) struct Slot {
    pub name: &'static str,
    pub content: Content,
    pub is_required: bool,
    pub is_many: bool,
}

/// The type of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Ids,
    Info,
    Specifications,
    Specification,
    Applicability,
    Requirements,
    Value,
    Entity(Place),
    PartOf(Place),
    Classification(Place),
    Attribute(Place),
    Property(Place),
    Material(Place),
    Text,
    Author,
    Date,
}

/// Where a facet stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Applicability,
    Requirements,
}

/// The type of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttributeType {
    Text,
    Versions,
    Count,
    CountOrUnbounded,
    Relation,
    UpperCase,
    SimpleCardinality,
    ConditionalCardinality,
}

const fn slot(name: &'static str, content: Content, is_required: bool, is_many: bool) -> Slot {
    Slot { name, content, is_required, is_many }
}

const fn one(name: &'static str, content: Content) -> Slot {
    slot(name, content, true, false)
}

const fn optional(name: &'static str, content: Content) -> Slot {
    slot(name, content, false, false)
}

const fn any(name: &'static str, content: Content) -> Slot {
    slot(name, content, false, true)
}

use Content::{
    Applicability, Attribute, Author, Classification, Date, Entity, Ids, Info, Material, PartOf, Property,
    Requirements, Specification, Specifications, Text, Value,
};

const APPLICABILITY: [Slot; 6] = [
    optional("entity", Entity(Place::Applicability)),
    any("partOf", PartOf(Place::Applicability)),
    any("classification", Classification(Place::Applicability)),
    any("attribute", Attribute(Place::Applicability)),
    any("property", Property(Place::Applicability)),
    any("material", Material(Place::Applicability)),
];

/// Rounds of these, each any number of times: so in any order.
const REQUIREMENTS: [Slot; 6] = [
    any("entity", Entity(Place::Requirements)),
    any("partOf", PartOf(Place::Requirements)),
    any("classification", Classification(Place::Requirements)),
    any("attribute", Attribute(Place::Requirements)),
    any("property", Property(Place::Requirements)),
    any("material", Material(Place::Requirements)),
];

impl Content {
    /// The children; none where it holds text, or one of two.
    pub fn children(self) -> &'static [Slot] {
        match self {
            Ids => const { &[one("info", Info), one("specifications", Specifications)] },
            Info => {
                const {
                    &[
                        one("title", Text),
                        optional("copyright", Text),
                        optional("version", Text),
                        optional("description", Text),
                        optional("author", Author),
                        optional("date", Date),
                        optional("purpose", Text),
                        optional("milestone", Text),
                    ]
                }
            }
            Specifications => const { &[slot("specification", Specification, true, true)] },
            Specification => {
                const { &[one("applicability", Applicability), optional("requirements", Requirements)] }
            }
            Applicability => &APPLICABILITY,
            Requirements => &REQUIREMENTS,
            Entity(_) => const { &[one("name", Value), optional("predefinedType", Value)] },
            // the whole has no attributes of a requirement
            PartOf(_) => const { &[one("entity", Entity(Place::Applicability))] },
            Classification(_) => const { &[optional("value", Value), one("system", Value)] },
            Attribute(_) => const { &[one("name", Value), optional("value", Value)] },
            Property(_) => {
                const { &[one("propertySet", Value), one("baseName", Value), optional("value", Value)] }
            }
            Material(_) => const { &[optional("value", Value)] },
            Value | Text | Author | Date => &[],
        }
    }

    /// True if the children may come in any order.
    pub fn is_unordered(self) -> bool {
        self == Requirements
    }

    /// The attributes: name, type, whether it must be there.
    pub fn attributes(self) -> &'static [(&'static str, AttributeType, bool)] {
        use AttributeType as Type;
        const fn text(name: &'static str) -> (&'static str, Type, bool) {
            (name, Type::Text, false)
        }
        const RELATION: (&str, Type, bool) = ("relation", Type::Relation, false);
        const DATA_TYPE: (&str, Type, bool) = ("dataType", Type::UpperCase, false);
        const CARDINALITY: (&str, Type, bool) = ("cardinality", Type::ConditionalCardinality, false);
        match self {
            Specification => {
                const {
                    &[
                        ("name", Type::Text, true),
                        ("ifcVersion", Type::Versions, true),
                        text("identifier"),
                        text("description"),
                        text("instructions"),
                    ]
                }
            }
            Applicability => {
                &[("minOccurs", Type::Count, false), ("maxOccurs", Type::CountOrUnbounded, false)]
            }
            Requirements => const { &[text("description")] },
            Entity(Place::Requirements) => const { &[text("instructions")] },
            PartOf(Place::Applicability) => &[RELATION],
            PartOf(Place::Requirements) => {
                const { &[RELATION, ("cardinality", Type::SimpleCardinality, false), text("instructions")] }
            }
            Property(Place::Applicability) => &[DATA_TYPE],
            Property(Place::Requirements) => {
                const { &[DATA_TYPE, text("uri"), CARDINALITY, text("instructions")] }
            }
            Classification(Place::Requirements) | Material(Place::Requirements) => {
                const { &[text("uri"), CARDINALITY, text("instructions")] }
            }
            Attribute(Place::Requirements) => const { &[CARDINALITY, text("instructions")] },
            _ => &[],
        }
    }
}
