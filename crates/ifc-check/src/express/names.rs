//! The names of a schema: attributes (explicit, derived and inverse), functions, enumeration items.
//! EXPRESS does not tell letter cases apart (ISO 10303-11, 7.4), so everything is found in any case.

use super::syntax::{Named, Symbol};
use ifc::schema::{Definition, Entity, EntityId, Schema};
use std::collections::{HashMap, HashSet};

/// The names of a schema.
#[derive(Debug)]
pub(super) struct Names {
    pub schema: &'static Schema,
    symbols: HashMap<String, Symbol>,
    spellings: Vec<&'static str>,
    /// Attributes that an entity itself derives.
    derived: HashMap<EntityId, Vec<Symbol>>,
    /// Items of all enumerations, in capitals.
    items: HashSet<String>,
    /// Place in the table of functions, and how many parameters.
    functions: HashMap<String, (u16, u16)>,
}

impl Names {
    /// The names that the schema's tables have.
    pub fn new(schema: &'static Schema) -> Self {
        let mut names = Self {
            schema,
            symbols: HashMap::new(),
            spellings: Vec::new(),
            derived: HashMap::new(),
            items: HashSet::new(),
            functions: HashMap::new(),
        };
        for entity in schema.entities() {
            for attribute in entity.attributes {
                names.add(attribute.name);
            }
            for inverse in entity.inverses {
                names.add(inverse.name);
            }
        }
        for declared in schema.types() {
            if let Definition::Enumeration(items) = declared.definition {
                names.items.extend(items.iter().map(|item| item.to_ascii_uppercase()));
            }
        }
        names
    }

    /// Makes an attribute's name known, if it is not yet.
    fn add(&mut self, name: &'static str) -> Symbol {
        let next = self.spellings.len() as Symbol;
        let spellings = &mut self.spellings;
        *self.symbols.entry(name.to_ascii_lowercase()).or_insert_with(|| {
            spellings.push(name);
            next
        })
    }

    /// Makes a derived attribute known.
    pub fn add_derived(&mut self, owner: EntityId, name: &'static str) -> Symbol {
        let symbol = self.add(name);
        self.derived.entry(owner).or_default().push(symbol);
        symbol
    }

    /// Makes a function known.
    pub fn add_function(&mut self, name: &str, place: u16, parameters: u16) {
        self.functions.insert(name.to_ascii_lowercase(), (place, parameters));
    }

    /// The number of an attribute's name.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(&name.to_ascii_lowercase()).copied()
    }

    /// An attribute's name as the schema spells it.
    pub fn spelling(&self, symbol: Symbol) -> &'static str {
        self.spellings.get(usize::from(symbol)).copied().unwrap_or("?")
    }

    /// True if an entity has an attribute of this name, be it explicit, derived or inverse.
    pub fn has_attribute(&self, entity: &'static Entity, symbol: Symbol) -> bool {
        let name = self.spelling(symbol);
        let explicit = || entity.attributes.iter().any(|a| a.name.eq_ignore_ascii_case(name));
        let inverse = || self.schema.inverses(entity).any(|i| i.name.eq_ignore_ascii_case(name));
        let derives = |e: &Entity| self.derived.get(&e.id).is_some_and(|list| list.contains(&symbol));
        explicit() || inverse() || self.schema.lineage(entity).any(derives)
    }

    /// A function's place in the table, and how many parameters it has.
    pub fn function(&self, name: &str) -> Option<(u16, u16)> {
        self.functions.get(&name.to_ascii_lowercase()).copied()
    }

    /// True if some enumeration has this item; in capitals.
    pub fn is_item(&self, item: &str) -> bool {
        self.items.contains(item)
    }

    /// The type or entity that a string such as `'IFC4.IFCWALL'` names; nothing for other strings.
    pub fn named(&self, text: &str) -> Option<Named> {
        let (schema, name) = text.split_once('.')?;
        if schema != self.schema.name() {
            return None;
        }
        match self.schema.entity(name) {
            Some(entity) => Some(Named::Entity(entity.id)),
            None => self.schema.type_declaration(name).map(Named::Type),
        }
    }
}
