//! The values that are due where: the schema's tables made ready for the walk over a file. Class names become intervals of class
//! codes, selects become sets of bits, and what defined types say of their base (a real or any number, how many
//! characters) is looked up once. Made once for each schema, when first asked for.

use ifc::schema::{
    Attribute, Definition, Kind, List, PerVersion, Schema, SchemaVersion, Width, base, leaf, width,
};
use std::collections::HashMap;

/// A schema made ready.
pub(super) struct Dues {
    /// By entity, the places in `attributes` of its attributes.
    entities: Vec<Vec<u16>>,
    attributes: Vec<AttributeDue>,
    /// By place in the schema's list of types.
    types: Vec<Due>,
}

/// The value that is due at an attribute.
pub(super) struct AttributeDue {
    pub attribute: &'static Attribute,
    pub due: Due,
}

/// The kind of value that is due.
pub(super) enum Due {
    /// A real, with its point.
    Real,
    /// A real or a whole number.
    Number,
    Integer,
    /// A text, of so many characters.
    Text(Option<Width>),
    /// A GlobalId.
    GlobalId,
    Boolean,
    Logical,
    /// A binary, of so many bits.
    Binary(Option<Width>),
    Enumeration(&'static [&'static str]),
    /// A reference to an instance with a class code in this interval.
    Entity {
        first: u16,
        last: u16,
    },
    Select(Select),
    List(Box<DueList>),
}

/// The leaves of a select.
pub(super) struct Select {
    /// Class codes, a bit each.
    classes: Vec<u64>,
    /// Places in the schema's list of types, sorted.
    types: Vec<u16>,
}

/// An aggregate.
pub(super) struct DueList {
    pub of: Due,
    pub list: &'static List,
}

impl Select {
    pub fn has_class(&self, code: u16) -> bool {
        self.classes.get(usize::from(code >> 6)).is_some_and(|bits| bits >> (code & 63) & 1 == 1)
    }

    pub fn has_type(&self, place: u16) -> bool {
        self.types.binary_search(&place).is_ok()
    }
}

impl Dues {
    /// Those of a schema.
    pub fn for_version(version: SchemaVersion) -> &'static Self {
        static MADE: PerVersion<Dues> = PerVersion::new();
        MADE.get_or_init(version, || Self::new(version.schema()))
    }

    fn new(schema: &'static Schema) -> Self {
        let mut places: HashMap<*const Attribute, u16> = HashMap::new();
        let mut attributes = Vec::new();
        let entities = schema
            .entities()
            .iter()
            .map(|entity| {
                let place = |attribute: &&'static Attribute| {
                    *places.entry(std::ptr::from_ref(*attribute)).or_insert_with(|| {
                        let due = due(schema, attribute.kind, attribute.declared);
                        attributes.push(AttributeDue { attribute, due });
                        (attributes.len() - 1) as u16
                    })
                };
                entity.attributes.iter().map(place).collect()
            })
            .collect();
        let types = schema
            .types()
            .iter()
            .map(|declaration| match declaration.definition {
                Definition::Defined { kind, .. } => due(schema, kind, declaration.name),
                Definition::Enumeration(items) => Due::Enumeration(items),
                Definition::Select { leaves, .. } => due(schema, Kind::Select(leaves), declaration.name),
            })
            .collect();
        Self { entities, attributes, types }
    }

    /// The values that are due at each attribute of the entity at this place, in the order of a STEP line.
    pub fn attributes(&'static self, code: u16) -> Option<impl Iterator<Item = &'static AttributeDue>> {
        let places = self.entities.get(usize::from(code))?;
        Some(places.iter().filter_map(|place| self.attributes.get(usize::from(*place))))
    }

    /// The value that is due within a typed value of the type at this place.
    pub fn of_type(&self, place: u16) -> Option<&Due> {
        self.types.get(usize::from(place))
    }
}

/// The place of a defined type in the schema's list, by its name in any letter case.
pub(super) fn type_place(schema: &'static Schema, name: &str) -> Option<u16> {
    let declaration = schema.type_declaration(name)?;
    let offset = std::ptr::from_ref(declaration).addr() - schema.types().as_ptr().addr();
    u16::try_from(offset / size_of_val(declaration)).ok()
}

fn due(schema: &'static Schema, kind: Kind, declared: &str) -> Due {
    match kind {
        Kind::Number if base(schema, leaf(declared)).1 == "NUMBER" => Due::Number,
        Kind::Number => Due::Real,
        Kind::Integer => Due::Integer,
        Kind::Text if base(schema, leaf(declared)).0 == "IfcGloballyUniqueId" => Due::GlobalId,
        Kind::Text => Due::Text(width(schema, leaf(declared))),
        Kind::Boolean => Due::Boolean,
        Kind::Logical => Due::Logical,
        Kind::Binary => Due::Binary(width(schema, leaf(declared))),
        Kind::Enumeration(items) => Due::Enumeration(items),
        Kind::Entity(class) => schema.entity(class).map_or(Due::Entity { first: 1, last: 0 }, |entity| {
            Due::Entity { first: entity.id.0, last: entity.last.0 }
        }),
        Kind::Select(leaves) => {
            let mut select = Select { classes: vec![0; schema.entities().len() / 64 + 1], types: Vec::new() };
            for leaf in leaves {
                if let Some(entity) = schema.entity(leaf) {
                    for code in entity.id.0..=entity.last.0 {
                        if let Some(bits) = select.classes.get_mut(usize::from(code >> 6)) {
                            *bits |= 1 << (code & 63);
                        }
                    }
                } else if let Some(place) = type_place(schema, leaf) {
                    select.types.push(place);
                }
            }
            select.types.sort_unstable();
            Due::Select(select)
        }
        Kind::List(list) => Due::List(Box::new(DueList { of: due(schema, list.of, declared), list })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attribute_of_every_schema_is_made_ready_as_declared() {
        for version in SchemaVersion::ALL {
            let (schema, dues) = (version.schema(), Dues::for_version(version));
            for entity in schema.entities() {
                let ready: Vec<&str> =
                    dues.attributes(entity.id.0).unwrap().map(|due| due.attribute.name).collect();
                let declared: Vec<&str> = entity.attributes.iter().map(|a| a.name).collect();
                assert_eq!(ready, declared, "{}", entity.name);
            }
            for (place, declaration) in schema.types().iter().enumerate() {
                assert_eq!(type_place(schema, declaration.name), Some(place as u16));
            }
        }
    }

    #[test]
    fn reals_numbers_and_widths_come_from_the_base_type() {
        let schema = SchemaVersion::Ifc4.schema();
        let dues = Dues::for_version(SchemaVersion::Ifc4);
        let of = |name: &str| dues.of_type(type_place(schema, name).unwrap()).unwrap();
        assert!(matches!(of("IfcPositiveLengthMeasure"), Due::Real));
        assert!(matches!(of("IfcCountMeasure"), Due::Number));
        assert!(matches!(of("IfcInteger"), Due::Integer));
        assert!(matches!(of("IfcLabel"), Due::Text(Some(Width { most: 255, fixed: false }))));
        assert!(matches!(of("IfcText"), Due::Text(None)));
        assert!(matches!(of("IfcGloballyUniqueId"), Due::GlobalId));
        let Due::Select(select) = of("IfcActorSelect") else { panic!("no select") };
        assert!(select.has_class(schema.entity("IfcPerson").unwrap().id.0));
        assert!(!select.has_class(schema.entity("IfcWall").unwrap().id.0));
        let Due::Select(select) = of("IfcValue") else { panic!("no select") };
        assert!(select.has_type(type_place(schema, "IfcLabel").unwrap()));
        assert!(!select.has_type(type_place(schema, "IfcGloballyUniqueId").unwrap()));
    }
}
