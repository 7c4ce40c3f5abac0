//! The classes that an element may be made of: those of the model's schema that stand somewhere with a body of their own.

use crate::author::Author;
use crate::lookup::near;
use contract::Fault;
use ifc::{Kind, Model, SchemaVersion};

/// A class that elements can be made of, with the words that its attributes need.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// `IfcFurniture`.
    pub name: &'static str,
    /// Attributes that are enumerations, with their items.
    pub words: Vec<(&'static str, String)>,
    /// The attribute ObjectType.
    pub object_type: Option<String>,
}

/// Classes with tools of their own that know what belongs to them.
const INSTEAD: [(&str, &str); 9] = [
    ("IfcSpatialZone", "put its rooms into a zone with create_group"),
    ("IfcSpace", "make rooms with create_space or create_rooms"),
    ("IfcBuildingStorey", "make storeys with create_level"),
    ("IfcBuilding", "create_project makes the building"),
    ("IfcSite", "create_project makes the site"),
    ("IfcFeatureElementSubtraction", "cut openings with create_opening"),
    ("IfcFeatureElement", "combine bodies with boolean_operation"),
    ("IfcVirtualElement", "it bounds rooms and has no body"),
    ("IfcDistributionPort", "ports have no body"),
];

/// Classes that a schema keeps for old files alone, or names as a whole of which only the kinds are used.
fn outdated(version: SchemaVersion) -> &'static [&'static str] {
    const KINDS: [&str; 10] = [
        "IfcFlowFitting",
        "IfcFlowSegment",
        "IfcFlowTerminal",
        "IfcFlowController",
        "IfcFlowMovingDevice",
        "IfcFlowStorageDevice",
        "IfcFlowTreatmentDevice",
        "IfcEnergyConversionDevice",
        "IfcCivilElement",
        "IfcElectricDistributionBoard",
    ];
    match version {
        SchemaVersion::Ifc2x3 => &["IfcElectricalElement", "IfcEquipmentElement"],
        SchemaVersion::Ifc4 => KINDS.split_at(8).0,
        SchemaVersion::Ifc4x3 => &KINDS,
    }
}

impl Class {
    /// Reads a class as an agent gives it, with its `PredefinedType` and its own word for what it is where these are given.
    pub fn read(
        author: &Author,
        text: &str,
        predefined_type: Option<&str>,
        object_type: Option<&str>,
    ) -> Result<Self, Fault> {
        let name = named(author.edit, text)?;
        let mut class = Self { name, words: Vec::new(), object_type: object_type.map(str::to_owned) };
        if object_type.is_some_and(|text| text.trim().is_empty()) {
            return Err(Fault::invalid(
                "object_type",
                "`object_type` is empty; leave it out or give a word.",
            ));
        }
        if let Some(given) = predefined_type {
            class.words.push(predefined(author.edit, name, given)?);
        }
        if class.words.iter().any(|(_, item)| item == "USERDEFINED") && object_type.is_none() {
            return Err(Fault::invalid(
                "object_type",
                "`predefined_type` USERDEFINED says that `object_type` has the word; give it.",
            ));
        }
        class.fill(author.edit)?;
        Ok(class)
    }

    /// The word that its elements are named by: `Building element proxy`.
    pub fn noun(&self) -> String {
        let mut noun = String::new();
        for (i, c) in self.name.trim_start_matches("Ifc").chars().enumerate() {
            if i > 0 && c.is_uppercase() {
                noun.push(' ');
                noun.extend(c.to_lowercase());
            } else {
                noun.push(c);
            }
        }
        noun
    }

    /// Gives a word to each attribute that must have one.
    fn fill(&mut self, model: &Model) -> Result<(), Fault> {
        let Some(entity) = model.schema().entity(self.name) else { return Ok(()) };
        for attribute in entity.attributes.iter().filter(|a| !a.optional && !a.derived) {
            let is_known = matches!(attribute.name, "GlobalId" | "OwnerHistory")
                || self.words.iter().any(|(name, _)| *name == attribute.name);
            if is_known {
                continue;
            }
            match attribute.kind {
                Kind::Enumeration(items) if items.contains(&"NOTDEFINED") => {
                    self.words.push((attribute.name, "NOTDEFINED".to_owned()));
                }
                _ => {
                    return Err(Fault::invalid(
                        "ifc_class",
                        format!(
                            "An {} must have {} as well, which is not given here; take IfcBuildingElementProxy with `object_type`.",
                            self.name, attribute.name
                        ),
                    )
                    .with("attribute", attribute.name));
                }
            }
        }
        Ok(())
    }
}

/// The item of an enumeration that says what an element of a class is.
fn predefined(model: &Model, class: &'static str, given: &str) -> Result<(&'static str, String), Fault> {
    let wanted = given.trim().to_uppercase().replace([' ', '-'], "_");
    let entity = model.schema().entity(class);
    let attributes = entity.map(|entity| entity.attributes).unwrap_or_default();
    let found = ["PredefinedType", "ShapeType", "OperationType"].iter().find_map(|name| {
        let attribute = attributes.iter().find(|a| a.name == *name)?;
        match attribute.kind {
            Kind::Enumeration(items) => Some((attribute.name, items)),
            _ => None,
        }
    });
    let Some((attribute, items)) = found else {
        return Err(Fault::invalid(
            "predefined_type",
            format!(
                "An {class} has no PredefinedType in {}; say what it is by `object_type`.",
                model.schema().version()
            ),
        ));
    };
    if items.contains(&wanted.as_str()) {
        return Ok((attribute, wanted));
    }
    let near = near(&wanted, items.iter().copied());
    let hint = near.first().map_or_else(String::new, |n| format!(" Did you mean {n}?"));
    Err(Fault::invalid(
        "predefined_type",
        format!("`predefined_type` {wanted} is not one of {class}.{attribute}.{hint}"),
    )
    .with("allowed", items))
}

/// The class that a text names; a Fault with the nearest ones where none is meant.
fn named(model: &Model, text: &str) -> Result<&'static str, Fault> {
    let schema = model.schema();
    let text = text.trim();
    let Some(entity) = schema.entity(text).or_else(|| schema.entity(&format!("Ifc{text}"))) else {
        return Err(unknown(model, text));
    };
    let name = entity.name;
    if offered(model).any(|class| class == name) {
        return Ok(name);
    }
    let is = |class: &str| schema.entity(class).is_some_and(|sup| schema.is_a(entity.id, sup.id));
    if let Some((_, instead)) = INSTEAD.iter().find(|(class, _)| is(class)) {
        return Err(Fault::invalid("ifc_class", format!("{name} is not made here: {instead}.")));
    }
    let base = name.trim_end_matches("StandardCase").trim_end_matches("ElementedCase");
    if base != name && schema.entity(base).is_some() {
        return Err(Fault::invalid(
            "ifc_class",
            format!(
                "{name} asks for a layer set or profile in use; take {base} here, or the tool that makes one."
            ),
        )
        .with("near_matches", [base]));
    }
    let subtypes: Vec<&str> = offered(model)
        .filter(|class| schema.entity(class).is_some_and(|sub| schema.is_a(sub.id, entity.id)))
        .take(12)
        .collect();
    let why = if subtypes.is_empty() && outdated(schema.version()).contains(&name) {
        format!("is deprecated in {}", schema.version())
    } else if subtypes.is_empty() {
        "is no class of things that stand in a building with a body".to_owned()
    } else {
        format!("has no instances of its own; take one of its kinds, such as {}", subtypes.join(", "))
    };
    let near = if subtypes.is_empty() { near(name, offered(model)) } else { Vec::new() };
    let fault = Fault::invalid("ifc_class", format!("{name} {why}."));
    Err(if near.is_empty() { fault.with("near_matches", subtypes) } else { fault.with("near_matches", near) })
}

fn unknown(model: &Model, text: &str) -> Fault {
    let schema = model.schema();
    // a class of another schema: the nearest of what it is a kind of that this one has
    for other in SchemaVersion::ALL.into_iter().rev().map(SchemaVersion::schema) {
        let Some(entity) = other.entity(text).or_else(|| other.entity(&format!("Ifc{text}"))) else {
            continue;
        };
        let is = |class: &str| other.entity(class).is_some_and(|sup| other.is_a(entity.id, sup.id));
        if let Some((_, instead)) = INSTEAD.iter().find(|(class, _)| is(class)) {
            let message = format!(
                "{} has no {}, which {} has; {instead}.",
                schema.version(),
                entity.name,
                other.version()
            );
            return Fault::invalid("ifc_class", message);
        }
        let mut above = entity.supertype.and_then(|sup| other.entity_at(sup));
        while let Some(sup) = above {
            if offered(model).any(|class| class == sup.name) {
                break;
            }
            above = sup.supertype.and_then(|sup| other.entity_at(sup));
        }
        let instead = above.map_or("IfcBuildingElementProxy", |sup| sup.name);
        return Fault::invalid(
            "ifc_class",
            format!(
                "{} has no {}, which {} has; take {instead} with `object_type`.",
                schema.version(),
                entity.name,
                other.version()
            ),
        )
        .with("near_matches", [instead]);
    }
    let near = near(text, offered(model)).into_iter().chain(near(&format!("Ifc{text}"), offered(model)));
    let mut all: Vec<String> = near.collect();
    all.dedup();
    all.truncate(5);
    let hint = all.first().map_or_else(
        || "Classes are named as in IFC: IfcFurniture, IfcBuildingElementProxy.".to_owned(),
        |first| format!("Did you mean {first}?"),
    );
    Fault::invalid("ifc_class", format!("`ifc_class`: {} has no class {text}. {hint}", schema.version()))
        .with("near_matches", all)
}

/// The classes of a model's schema that elements can be made of.
pub fn offered(model: &Model) -> impl Iterator<Item = &'static str> + use<> {
    let schema = model.schema();
    let is = |entity: ifc::EntityId, class: &str| {
        schema.entity(class).is_some_and(|sup| schema.is_a(entity, sup.id))
    };
    let outdated = outdated(schema.version());
    let classes: Vec<&'static str> = schema
        .entities()
        .iter()
        .filter(|entity| !entity.is_abstract && is(entity.id, "IfcElement"))
        .filter(|entity| !is(entity.id, "IfcFeatureElement") && !is(entity.id, "IfcVirtualElement"))
        .filter(|entity| !entity.name.ends_with("StandardCase") && !entity.name.ends_with("ElementedCase"))
        .map(|entity| entity.name)
        .filter(|name| !outdated.contains(name))
        .collect();
    classes.into_iter()
}
