//! Requirements on models as agents write them, made facets of an IDS document.

use contract::Fault;
use ifc::psets::templates;
use ifc::{Kind, SchemaVersion};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use validation::ids::{
    AttributeFacet, Base, Bounds, Cardinality, ClassificationFacet, Constraint, EntityFacet, Facet,
    MaterialFacet, PartOfFacet, Pattern, Place, PropertyFacet, Requirement, Restriction, Specification,
    base_of_attribute, base_of_type,
};

/// A plain value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum Plain {
    Truth(bool),
    Number(serde_json::Number),
    Text(String),
}

impl Plain {
    fn text(&self) -> String {
        match self {
            Self::Truth(truth) => truth.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// A range, pattern or length.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Range {
    /// Regular expression of XML Schema, for the whole text.
    pattern: Option<String>,
    min: Option<Plain>,
    max: Option<Plain>,
    above: Option<Plain>,
    below: Option<Plain>,
    min_length: Option<u32>,
    max_length: Option<u32>,
}

/// The demand on a value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a value, a list of values, or one of {\"min\": 0.9}, {\"max\": 5}, {\"above\": 0}, {\"pattern\": \"[A-Z]+\"}"
)]
#[schemars(inline)]
pub(crate) enum Wanted {
    One(Plain),
    OneOf(Vec<Plain>),
    Range(Range),
}

/// One condition: exactly one of class, attribute, property, material, classification, part_of.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Condition {
    /// IfcWall, or several.
    #[serde(alias = "entity")]
    class: Option<Wanted>,
    predefined_type: Option<Wanted>,
    attribute: Option<String>,
    /// Set.Property
    property: Option<String>,
    /// Type of the property, such as IfcLabel.
    r#type: Option<String>,
    /// true: any.
    material: Option<Wanted>,
    /// Name of the system.
    classification: Option<Wanted>,
    /// Class of the whole.
    part_of: Option<Wanted>,
    /// IfcRelAggregates, IfcRelAssignsToGroup, IfcRelContainedInSpatialStructure, IfcRelNests, voids.
    relation: Option<String>,
    /// Numbers in SI units; a list: one of them; a range {min, max, above, below, pattern, …}.
    value: Option<Wanted>,
    /// required, optional, prohibited.
    cardinality: Option<Occurs>,
    instructions: Option<String>,
}

/// How often something must be.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Occurs {
    Required,
    Optional,
    Prohibited,
}

impl Occurs {
    fn cardinality(self) -> Cardinality {
        match self {
            Self::Required => Cardinality::Required,
            Self::Optional => Cardinality::Optional,
            Self::Prohibited => Cardinality::Prohibited,
        }
    }
}

/// Requirements on some elements.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    name: Option<String>,
    #[serde(deserialize_with = "conditions")]
    applies_to: Vec<Condition>,
    #[serde(default, deserialize_with = "conditions")]
    must: Vec<Condition>,
    /// Of the elements themselves; optional by default.
    occurs: Option<Occurs>,
}

/// Reads conditions: a list, or one alone; a text is a class.
fn conditions<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Condition>, D::Error> {
    let given = match Value::deserialize(from)? {
        Value::Array(list) => list,
        one => vec![one],
    };
    let one = |value: Value| match value {
        Value::String(class) => serde_json::from_value(json!({ "class": class })),
        other => serde_json::from_value(other),
    };
    given.into_iter().map(|value| one(value).map_err(|error| D::Error::custom(like(&error)))).collect()
}

/// The reason for which a condition cannot be read, with how one looks.
fn like(error: &serde_json::Error) -> String {
    format!(
        "{error}. A condition is an object such as {{\"class\": \"IfcDoor\"}}, {{\"attribute\": \"Name\"}}, {{\"property\": \
         \"Pset_DoorCommon.FireRating\", \"value\": [\"EI30\", \"EI60\"]}} or {{\"material\": true}}"
    )
}

/// Makes facets, and remembers what it chose.
pub(crate) struct Authoring<'s> {
    schemas: &'s [SchemaVersion],
    pub assumed: Vec<String>,
}

impl<'s> Authoring<'s> {
    pub(crate) fn new(schemas: &'s [SchemaVersion]) -> Self {
        Self { schemas, assumed: Vec::new() }
    }

    /// The specification of the request at a place of the list.
    pub(crate) fn specification(&mut self, at: usize, asked: &Asked) -> Result<Specification, Fault> {
        let field = format!("requirements.{at}");
        if asked.applies_to.is_empty() {
            let problem = "Say what the requirement applies to, as in [{\"class\": \"IfcWall\"}].";
            return Err(Fault::invalid(&format!("{field}.applies_to"), problem));
        }
        let mut classes = Vec::new();
        let mut applicability = Vec::new();
        for (n, condition) in asked.applies_to.iter().enumerate() {
            let field = format!("{field}.applies_to.{n}");
            if condition.cardinality.is_some() || condition.instructions.is_some() {
                let problem =
                    "What it applies to has neither `cardinality` nor `instructions`; put them into `must`.";
                return Err(Fault::invalid(&field, problem));
            }
            if let Some(Wanted::One(class)) = &condition.class {
                classes.push(class.text());
            }
            applicability.push(self.facet(condition, &classes, Cardinality::Required, &field)?);
        }
        if applicability.iter().filter(|facet| matches!(facet, Facet::Entity(_))).count() > 1 {
            let problem =
                "An IDS names classes once; give a list, as in {\"class\": [\"IfcWall\", \"IfcSlab\"]}.";
            return Err(Fault::invalid(&format!("{field}.applies_to"), problem));
        }
        let mut requirements = Vec::new();
        for (n, condition) in asked.must.iter().enumerate() {
            let field = format!("{field}.must.{n}");
            let cardinality = condition.cardinality.map_or(Cardinality::Required, Occurs::cardinality);
            let facet = self.facet(condition, &classes, cardinality, &field)?;
            let is_fixed = matches!(facet, Facet::Entity(_));
            if is_fixed && cardinality != Cardinality::Required {
                let problem = "A class is always required; leave `cardinality` out.";
                return Err(Fault::invalid(&format!("{field}.cardinality"), problem));
            }
            let instructions = condition.instructions.clone();
            requirements.push(Requirement { facet, cardinality: Some(cardinality), instructions, uri: None });
        }
        let name = asked
            .name
            .clone()
            .unwrap_or_else(|| applicability.iter().map(Facet::describe).collect::<Vec<_>>().join(", "));
        Ok(Specification {
            name,
            identifier: None,
            description: None,
            instructions: None,
            versions: self.schemas.to_vec(),
            cardinality: Some(asked.occurs.map_or(Cardinality::Optional, Occurs::cardinality)),
            applicability,
            requirements_description: None,
            requirements,
            place: Place::default(),
            applicability_place: Place::default(),
        })
    }

    fn facet(
        &mut self,
        condition: &Condition,
        classes: &[String],
        cardinality: Cardinality,
        field: &str,
    ) -> Result<Facet, Fault> {
        let kinds = [
            condition.class.is_some(),
            condition.attribute.is_some(),
            condition.property.is_some(),
            condition.material.is_some(),
            condition.classification.is_some(),
            condition.part_of.is_some(),
        ];
        if kinds.into_iter().filter(|is_given| *is_given).count() != 1 {
            let problem =
                "Give exactly one of class, attribute, property, material, classification, part_of.";
            return Err(Fault::invalid(field, problem));
        }
        let stray = [
            (
                condition.predefined_type.is_some()
                    && condition.class.is_none()
                    && condition.part_of.is_none(),
                "predefined_type",
            ),
            (condition.r#type.is_some() && condition.property.is_none(), "type"),
            (condition.relation.is_some() && condition.part_of.is_none(), "relation"),
            (
                condition.value.is_some()
                    && condition.attribute.is_none()
                    && condition.property.is_none()
                    && condition.classification.is_none(),
                "value",
            ),
        ];
        if let Some((_, name)) = stray.into_iter().find(|(is_stray, _)| *is_stray) {
            let problem = format!("`{name}` says nothing about this condition; leave it out.");
            return Err(Fault::invalid(&format!("{field}.{name}"), problem));
        }
        let place = Place::default();
        let text = |wanted: &Wanted| constraint(wanted, Base::String);
        if let Some(class) = &condition.class {
            return Ok(Facet::Entity(entity(class, condition.predefined_type.as_ref())));
        }
        if let Some(name) = &condition.attribute {
            let base = self.attribute_base(name, classes);
            let value = condition.value.as_ref().map(|value| constraint(value, base));
            let name = Some(Constraint::Simple(name.clone()));
            return Ok(Facet::Attribute(AttributeFacet { name, value, place }));
        }
        if let Some(property) = &condition.property {
            return self.property(property, condition, cardinality, field);
        }
        if let Some(material) = &condition.material {
            let is_any = matches!(material, Wanted::One(Plain::Truth(true)));
            return Ok(Facet::Material(MaterialFacet { value: (!is_any).then(|| text(material)), place }));
        }
        if let Some(system) = &condition.classification {
            let value = condition.value.as_ref().map(text);
            return Ok(Facet::Classification(ClassificationFacet {
                value,
                system: Some(text(system)),
                place,
            }));
        }
        let relation =
            condition.relation.as_deref().map(|relation| match relation.to_ascii_uppercase().as_str() {
                "VOIDS" | "IFCRELVOIDSELEMENT" | "IFCRELFILLSELEMENT" => {
                    "IFCRELVOIDSELEMENT IFCRELFILLSELEMENT".to_owned()
                }
                upper => upper.to_owned(),
            });
        let entity =
            condition.part_of.as_ref().map(|class| entity(class, condition.predefined_type.as_ref()));
        Ok(Facet::PartOf(PartOfFacet { relation, entity: entity.unwrap_or_default(), place }))
    }

    fn property(
        &mut self,
        named: &str,
        condition: &Condition,
        cardinality: Cardinality,
        field: &str,
    ) -> Result<Facet, Fault> {
        let Some((set, name)) =
            named.split_once('.').filter(|(set, name)| !set.is_empty() && !name.is_empty())
        else {
            let problem =
                format!("`{named}` is no property; write Set.Property, as in Pset_WallCommon.FireRating.");
            return Err(Fault::invalid(&format!("{field}.property"), problem));
        };
        let mut data_type = condition.r#type.as_deref().map(str::to_ascii_uppercase);
        if data_type.is_none() && cardinality != Cardinality::Prohibited {
            let chosen = self.data_type(set, name, condition.value.as_ref());
            self.assumed.push(format!("{named} is of the type {chosen}."));
            data_type = Some(chosen);
        }
        let base = data_type.as_deref().and_then(|of_type| {
            self.schemas.iter().find_map(|version| base_of_type(version.schema(), of_type))
        });
        Ok(Facet::Property(PropertyFacet {
            property_set: Some(Constraint::Simple(set.to_owned())),
            base_name: Some(Constraint::Simple(name.to_owned())),
            value: condition.value.as_ref().map(|value| constraint(value, base.unwrap_or(Base::String))),
            data_type,
            place: Place::default(),
        }))
    }

    /// The type of a property that the caller left open: the published one, else what suits the value.
    fn data_type(&self, set: &str, name: &str, value: Option<&Wanted>) -> String {
        let published = self.schemas.iter().find_map(|version| {
            let template = templates::find(*version, set, name)?;
            let quantity = match template.quantity_class() {
                Some("IfcQuantityLength") => "IfcLengthMeasure",
                Some("IfcQuantityArea") => "IfcAreaMeasure",
                Some("IfcQuantityVolume") => "IfcVolumeMeasure",
                Some("IfcQuantityCount") => "IfcCountMeasure",
                Some("IfcQuantityWeight") => "IfcMassMeasure",
                Some("IfcQuantityTime") => "IfcTimeMeasure",
                _ => template.measure,
            };
            (!quantity.is_empty()).then(|| quantity.to_ascii_uppercase())
        });
        published.unwrap_or_else(|| {
            let first = match value {
                Some(Wanted::One(plain)) => Some(plain),
                Some(Wanted::OneOf(all)) => all.first(),
                Some(Wanted::Range(range)) => {
                    [&range.min, &range.max, &range.above, &range.below].into_iter().find_map(Option::as_ref)
                }
                None => None,
            };
            match first {
                Some(Plain::Truth(_)) => "IFCBOOLEAN",
                Some(Plain::Number(_)) => "IFCREAL",
                _ => "IFCLABEL",
            }
            .to_owned()
        })
    }

    fn attribute_base(&self, name: &str, classes: &[String]) -> Base {
        let of_class = self.schemas.iter().find_map(|version| {
            let schema = version.schema();
            classes.iter().find_map(|class| base_of_attribute(schema.entity(class)?.attribute(name)?))
        });
        let of_any = || {
            self.schemas.iter().find_map(|version| {
                let all = version.schema().entities().iter().filter_map(|own| own.attribute(name));
                all.filter(|own| !matches!(own.kind, Kind::Entity(_))).find_map(base_of_attribute)
            })
        };
        of_class.or_else(of_any).unwrap_or(Base::String)
    }
}

/// A class, however its letters are written, with a predefined type.
fn entity(class: &Wanted, predefined_type: Option<&Wanted>) -> EntityFacet {
    let name = match constraint(class, Base::String) {
        Constraint::Simple(text) => Constraint::Simple(text.to_ascii_uppercase()),
        Constraint::Restriction(mut own) => {
            own.enumeration.iter_mut().for_each(|text| text.make_ascii_uppercase());
            Constraint::Restriction(own)
        }
    };
    EntityFacet {
        name: Some(name),
        predefined_type: predefined_type.map(|wanted| constraint(wanted, Base::String)),
        place: Place::default(),
    }
}

fn constraint(wanted: &Wanted, base: Base) -> Constraint {
    let mut own = Restriction { base: format!("xs:{}", base.as_str()), ..Restriction::default() };
    match wanted {
        Wanted::One(plain) => return Constraint::Simple(plain.text()),
        Wanted::OneOf(all) => own.enumeration = all.iter().map(Plain::text).collect(),
        Wanted::Range(range) => {
            let bound = |plain: &Option<Plain>| plain.as_ref().map(Plain::text);
            own.patterns = range.pattern.iter().map(|pattern| Pattern::new(pattern)).collect();
            own.bounds = Bounds {
                min_inclusive: bound(&range.min),
                max_inclusive: bound(&range.max),
                min_exclusive: bound(&range.above),
                max_exclusive: bound(&range.below),
            };
            own.min_length = range.min_length.map(u64::from);
            own.max_length = range.max_length.map(u64::from);
        }
    }
    Constraint::Restriction(Box::new(own))
}
