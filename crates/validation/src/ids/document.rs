//! The parts of an IDS document.

use super::constraint::Constraint;
use ifc::SchemaVersion;
use xml::Place;

/// An IDS document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// Title, author and the like.
    pub info: Info,
    /// The specifications, in order.
    pub specifications: Vec<Specification>,
}

/// The head of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The title.
    pub title: String,
    /// Who holds the rights.
    pub copyright: Option<String>,
    /// The document's own version.
    pub version: Option<String>,
    /// A description.
    pub description: Option<String>,
    /// An address of electronic mail.
    pub author: Option<String>,
    /// A date, `2026-01-31`.
    pub date: Option<String>,
    /// The purpose.
    pub purpose: Option<String>,
    /// The milestone of the project.
    pub milestone: Option<String>,
}

/// How often something must be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cardinality {
    /// It must be there and as asked.
    #[default]
    Required,
    /// It need not be there; if it is, it must be as asked.
    Optional,
    /// It must not be there.
    Prohibited,
}

impl Cardinality {
    /// The word of the standard.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::Prohibited => "prohibited",
        }
    }
}

/// One specification: to which instances it applies, and what is required of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Specification {
    /// Its name.
    pub name: String,
    /// An identifier for machines.
    pub identifier: Option<String>,
    /// A description.
    pub description: Option<String>,
    /// Instructions to who makes the model.
    pub instructions: Option<String>,
    /// The schemas that it is for.
    pub versions: Vec<SchemaVersion>,
    /// Required: something must be applicable; prohibited: nothing may be. None where the document says something else.
    pub cardinality: Option<Cardinality>,
    /// The facets that an instance must meet for the specification to apply to it.
    pub applicability: Vec<Facet>,
    /// A description of the requirements.
    pub requirements_description: Option<String>,
    /// The requirements.
    pub requirements: Vec<Requirement>,
    /// The place of its tag.
    pub place: Place,
    /// The place of the tag of its applicability.
    pub applicability_place: Place,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// The facet.
    pub facet: Facet,
    /// None where the document says what is no cardinality.
    pub cardinality: Option<Cardinality>,
    /// Instructions to who makes the model.
    pub instructions: Option<String>,
    /// A web address with more about it.
    pub uri: Option<String>,
}

/// A condition on an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum Facet {
    /// By class and predefined type.
    Entity(EntityFacet),
    /// By the whole that it belongs to.
    PartOf(PartOfFacet),
    /// By its classification.
    Classification(ClassificationFacet),
    /// By an attribute.
    Attribute(AttributeFacet),
    /// By a property or quantity.
    Property(PropertyFacet),
    /// By its material.
    Material(MaterialFacet),
}

impl Facet {
    /// The name of its element.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Entity(_) => "entity",
            Self::PartOf(_) => "partOf",
            Self::Classification(_) => "classification",
            Self::Attribute(_) => "attribute",
            Self::Property(_) => "property",
            Self::Material(_) => "material",
        }
    }

    /// The place of its tag.
    pub fn place(&self) -> Place {
        match self {
            Self::Entity(facet) => facet.place,
            Self::PartOf(facet) => facet.place,
            Self::Classification(facet) => facet.place,
            Self::Attribute(facet) => facet.place,
            Self::Property(facet) => facet.place,
            Self::Material(facet) => facet.place,
        }
    }
}

/// Class and predefined type.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntityFacet {
    /// The class in capitals, `IFCWALL`; subtypes do not count.
    pub name: Option<Constraint>,
    /// The predefined type, or what a user defined one is called.
    pub predefined_type: Option<Constraint>,
    /// The place of its tag.
    pub place: Place,
}

/// A whole that an instance belongs to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartOfFacet {
    /// The relation in capitals; without it any.
    pub relation: Option<String>,
    /// The whole.
    pub entity: EntityFacet,
    /// The place of its tag.
    pub place: Place,
}

/// A classification.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClassificationFacet {
    /// The identification of a reference, or of one above it.
    pub value: Option<Constraint>,
    /// The name of the system.
    pub system: Option<Constraint>,
    /// The place of its tag.
    pub place: Place,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttributeFacet {
    /// Its name in the spelling of the schema.
    pub name: Option<Constraint>,
    /// Its value; without it any that is not empty.
    pub value: Option<Constraint>,
    /// The place of its tag.
    pub place: Place,
}

/// A property or quantity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PropertyFacet {
    /// The name of the set.
    pub property_set: Option<Constraint>,
    /// The name of the property.
    pub base_name: Option<Constraint>,
    /// Its value; without it any that is not empty.
    pub value: Option<Constraint>,
    /// The type of its value in capitals, `IFCLABEL`.
    pub data_type: Option<String>,
    /// The place of its tag.
    pub place: Place,
}

/// A material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MaterialFacet {
    /// A name or category of the material, or of a layer, profile or constituent; without it any material.
    pub value: Option<Constraint>,
    /// The place of its tag.
    pub place: Place,
}
