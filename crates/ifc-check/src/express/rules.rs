//! The rules of a schema, read from its generated table when a model is first validated: where rules of entities and
//! of defined types, UNIQUE rules, global rules, derived attributes and functions.
//!
//! The rules of an entity are put together when an instance of it is first met: where each attribute name leads, the
//! where rules that it has and inherits, and which attributes have values of types that have rules.

use super::lexer::SyntaxError;
use super::names::Names;
use super::parse;
use super::syntax::{Formula, Function, Symbol};
use ifc::schema::{Definition, Entity, EntityId, Inverse, PerVersion, Schema, SchemaVersion};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A rule that says what holds for an instance or a value.
#[derive(Debug)]
pub(super) struct Rule {
    /// The entity or type that declares it.
    pub owner: &'static str,
    /// `CorrectPredefinedType`, `WR1`.
    pub label: &'static str,
    /// The expression as the schema has it.
    pub text: &'static str,
    pub formula: Formula,
}

impl Rule {
    /// `IfcWall.CorrectPredefinedType`
    pub fn name(&self) -> String {
        format!("{}.{}", self.owner, self.label)
    }
}

/// Attributes whose values together are unique among the instances of an entity.
#[derive(Debug)]
pub(super) struct Unique {
    pub owner: &'static str,
    pub label: &'static str,
    pub text: &'static str,
    pub formulas: Vec<Formula>,
}

/// The meaning of an attribute's name in an entity.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// To this place in the STEP line.
    Explicit(u16),
    /// To this derived attribute of the schema.
    Derived(u16),
    /// To those who refer here.
    Inverse(&'static Inverse),
}

/// The parts of an attribute's value that must be looked at.
#[derive(Debug, Clone)]
pub(super) enum Check {
    /// The value itself is of types that have these rules, and may need more looking at.
    Value(Box<[u16]>, Option<Box<Check>>),
    /// The members of an aggregate.
    Members(Box<Check>),
    /// Whatever type the value says it is of.
    Select,
}

/// The rules that hold for an entity, inherited ones included.
#[derive(Debug)]
pub(super) struct Plan {
    places: Box<[(Symbol, Place)]>,
    /// Places in the table of where rules.
    pub rules: Box<[u16]>,
    /// Attributes whose values must be looked at.
    pub checks: Box<[(u16, Check)]>,
}

/// The rules of a schema.
#[derive(Debug)]
pub(super) struct Rules {
    names: Names,
    functions: Vec<Option<Function>>,
    derived: Vec<(EntityId, Symbol, Option<Formula>)>,
    of_entities: Vec<Rule>,
    of_types: Vec<Rule>,
    pub unique: Vec<Unique>,
    pub global: Vec<Function>,
    by_entity: HashMap<EntityId, Vec<u16>>,
    by_type: HashMap<&'static str, Vec<u16>>,
    derived_of_entity: HashMap<EntityId, Vec<u16>>,
    plans: Box<[OnceLock<Plan>]>,
    checks_of_type: HashMap<&'static str, Option<Check>>,
    /// The lines of the table that could not be read; nothing, as a test makes sure.
    pub faults: Vec<String>,
}

/// The table of a schema: a line for each rule, derived attribute and function.
pub(super) fn table(version: SchemaVersion) -> &'static str {
    version.pick([
        include_str!("generated/ifc2x3.txt"),
        include_str!("generated/ifc4.txt"),
        include_str!("generated/ifc4x3.txt"),
    ])
}

impl Rules {
    /// The rules of a schema, read when first asked for.
    pub fn for_version(version: SchemaVersion) -> &'static Self {
        static READ: PerVersion<Rules> = PerVersion::new();
        READ.get_or_init(version, || Self::read(version.schema(), table(version)))
    }

    /// Reads a table: lines of kind, owner, label and text.
    fn read(schema: &'static Schema, table: &'static str) -> Self {
        let mut rules = Self {
            names: Names::new(schema),
            functions: Vec::new(),
            derived: Vec::new(),
            of_entities: Vec::new(),
            of_types: Vec::new(),
            unique: Vec::new(),
            global: Vec::new(),
            by_entity: HashMap::new(),
            by_type: HashMap::new(),
            derived_of_entity: HashMap::new(),
            plans: schema.entities().iter().map(|_| OnceLock::new()).collect(),
            checks_of_type: HashMap::new(),
            faults: Vec::new(),
        };
        let lines: Vec<[&'static str; 4]> = table
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let mut parts = line.splitn(4, '\t');
                Some([parts.next()?, parts.next()?, parts.next()?, parts.next()?])
            })
            .collect();
        // names first, for texts speak of what comes later
        for [kind, owner, label, text] in &lines {
            match *kind {
                "derive" => {
                    let name = label.rsplit(['.', '\\']).next().unwrap_or(label);
                    if let Some(entity) = schema.entity(owner) {
                        rules.names.add_derived(entity.id, name);
                    }
                }
                "function" => {
                    let place = rules.functions.len() as u16;
                    rules.functions.push(None);
                    match parse::heading(text, &rules.names) {
                        Ok(parameters) => rules.names.add_function(owner, place, parameters),
                        Err(error) => rules.faults.push(format!("{owner}: {error}")),
                    }
                }
                _ => {}
            }
        }
        let mut function = 0;
        for line in &lines {
            if let Err(error) = rules.add(line, &mut function) {
                let [_, owner, label, text] = line;
                rules.faults.push(format!("{owner}.{label}: {error}: {text}"));
            }
        }
        for declared in schema.types() {
            let check = rules.check_of(declared.name, 0);
            rules.checks_of_type.insert(declared.name, check);
        }
        rules
    }

    fn add(&mut self, line: &[&'static str; 4], function: &mut usize) -> Result<(), SyntaxError> {
        let [kind, owner, label, text] = *line;
        let this = self.names.schema.entity(owner);
        let read = |names: &Names, text| parse::formula(text, names, this);
        match (kind, this) {
            ("where", Some(entity)) => {
                let formula = read(&self.names, text)?;
                self.by_entity.entry(entity.id).or_default().push(self.of_entities.len() as u16);
                self.of_entities.push(Rule { owner, label, text, formula });
            }
            ("type", None) => {
                let formula = read(&self.names, text)?;
                self.by_type.entry(owner).or_default().push(self.of_types.len() as u16);
                self.of_types.push(Rule { owner, label, text, formula });
            }
            ("unique", Some(_)) => {
                let formulas =
                    text.split(',').map(|text| read(&self.names, text)).collect::<Result<_, _>>()?;
                self.unique.push(Unique { owner, label, text, formulas });
            }
            ("derive", Some(entity)) => {
                let (_, text) = text.split_once('\t').unwrap_or(("", text));
                let name = label.rsplit(['.', '\\']).next().unwrap_or(label);
                let symbol = self.names.symbol(name).unwrap_or(Symbol::MAX);
                self.derived_of_entity.entry(entity.id).or_default().push(self.derived.len() as u16);
                self.derived.push((entity.id, symbol, None));
                let formula = read(&self.names, text)?;
                if let Some(last) = self.derived.last_mut() {
                    last.2 = Some(formula);
                }
            }
            ("function", _) => {
                let place = *function;
                *function += 1;
                let read = parse::function(owner, text, &self.names)?;
                if let Some(slot) = self.functions.get_mut(place) {
                    *slot = Some(read);
                }
            }
            ("rule", _) => self.global.push(parse::function(owner, text, &self.names)?),
            _ => return Err(SyntaxError { at: 0, message: format!("no {kind} of {owner} is known") }),
        }
        Ok(())
    }

    pub fn schema(&self) -> &'static Schema {
        self.names.schema
    }

    pub fn names(&self) -> &Names {
        &self.names
    }

    /// A function by its place.
    pub fn function(&self, place: u16) -> Option<&Function> {
        self.functions.get(usize::from(place))?.as_ref()
    }

    /// A derived attribute by its place.
    pub fn derived(&self, place: u16) -> Option<&Formula> {
        self.derived.get(usize::from(place))?.2.as_ref()
    }

    /// A where rule of an entity by its place.
    pub fn entity_rule(&self, place: u16) -> Option<&Rule> {
        self.of_entities.get(usize::from(place))
    }

    /// A where rule of a type by its place.
    pub fn type_rule(&self, place: u16) -> Option<&Rule> {
        self.of_types.get(usize::from(place))
    }

    /// Counts the rules of entities and of types, UNIQUE rules and global ones.
    #[cfg(test)]
    pub fn counts(&self) -> [usize; 4] {
        [self.of_entities.len(), self.of_types.len(), self.unique.len(), self.global.len()]
    }

    /// The rules that hold for an entity.
    pub fn plan(&self, entity: &'static Entity) -> Option<&Plan> {
        let cell = self.plans.get(usize::from(entity.id.0))?;
        Some(cell.get_or_init(|| self.make_plan(entity)))
    }

    /// The meaning of an attribute's name in an entity.
    pub fn place(&self, entity: &'static Entity, symbol: Symbol) -> Option<Place> {
        let plan = self.plan(entity)?;
        let at = plan.places.binary_search_by_key(&symbol, |(symbol, _)| *symbol).ok()?;
        plan.places.get(at).map(|(_, place)| *place)
    }

    fn make_plan(&self, entity: &'static Entity) -> Plan {
        let schema = self.names.schema;
        let mut places: HashMap<Symbol, Place> = HashMap::new();
        let mut checks = Vec::new();
        for (at, attribute) in entity.attributes.iter().enumerate() {
            if let Some(symbol) = self.names.symbol(attribute.name) {
                places.insert(symbol, Place::Explicit(at as u16));
            }
            if !attribute.derived
                && let Some(check) = self.check_of_declared(attribute.declared, 0)
            {
                checks.push((at as u16, check));
            }
        }
        for inverse in schema.inverses(entity) {
            if let Some(symbol) = self.names.symbol(inverse.name) {
                places.entry(symbol).or_insert(Place::Inverse(inverse));
            }
        }
        let mut rules = Vec::new();
        let lineage: Vec<&Entity> = schema.lineage(entity).collect();
        // from the root down, so that what a subtype derives anew wins
        for step in lineage.into_iter().rev() {
            for at in self.derived_of_entity.get(&step.id).into_iter().flatten() {
                if let Some((_, symbol, _)) = self.derived.get(usize::from(*at)) {
                    places.insert(*symbol, Place::Derived(*at));
                }
            }
            rules.extend(self.by_entity.get(&step.id).into_iter().flatten().copied());
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_unstable_by_key(|(symbol, _)| *symbol);
        Plan { places: places.into(), rules: rules.into(), checks: checks.into() }
    }

    /// The check of a value of a type that says its name.
    pub fn check_of_type(&self, name: &str) -> Option<&Check> {
        self.checks_of_type.get(name)?.as_ref()
    }

    /// The check of a value of a type as EXPRESS writes it.
    fn check_of_declared(&self, declared: &str, depth: usize) -> Option<Check> {
        let mut words = declared.split_whitespace();
        if matches!(words.next(), Some("LIST" | "SET" | "BAG" | "ARRAY")) {
            let (_, of) = declared.split_once(" OF ")?;
            let of = of.strip_prefix("UNIQUE ").unwrap_or(of);
            return self.check_of_declared(of, depth + 1).map(|check| Check::Members(Box::new(check)));
        }
        self.check_of(declared, depth)
    }

    fn check_of(&self, name: &str, depth: usize) -> Option<Check> {
        // types of types are few
        if depth > 16 {
            return None;
        }
        match self.names.schema.type_declaration(name)?.definition {
            Definition::Select { .. } => Some(Check::Select),
            Definition::Enumeration(_) => None,
            Definition::Defined { declared, .. } => {
                let deeper = self.check_of_declared(declared, depth + 1);
                match (self.by_type.get(name), deeper) {
                    (None, deeper) => deeper,
                    (Some(rules), deeper) => Some(Check::Value(rules.clone().into(), deeper.map(Box::new))),
                }
            }
        }
    }

    /// The order of two items in the first enumeration that has both.
    pub fn item_order(&self, a: &str, b: &str) -> Option<Ordering> {
        self.names.schema.types().iter().find_map(|declared| {
            let Definition::Enumeration(items) = declared.definition else { return None };
            let place = |item: &str| items.iter().position(|known| known.eq_ignore_ascii_case(item));
            Some(place(a)?.cmp(&place(b)?))
        })
    }
}
