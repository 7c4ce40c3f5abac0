//! Where triples begin: the subjects of a predicate, the instances of a class, and all nodes of a graph.

use crate::budget;
use crate::derived::Derived;
use crate::edges::once;
use crate::names::{BOT, CHECK, IFC, ROOM, WAY};
use crate::neighbours::Place;
use crate::properties::{self, Object, Properties};
use crate::rules::Rule;
use crate::term::Key;
use crate::values::{Declared, Reader};
use crate::view::{GraphView, Subject, View};
use ifc::{Entity, Id, Kind, Value};

/// Subjects as terms, and as what they stand for.
type Starts<'a> = Box<dyn Iterator<Item = (Key, Subject)> + 'a>;

/// Classes of BOT, with the classes of IFC whose instances they have.
const BOT_CLASSES: [(&str, &[&str]); 7] = [
    ("Site", &["IfcSite"]),
    ("Building", &["IfcBuilding"]),
    ("Storey", &["IfcBuildingStorey"]),
    ("Space", &["IfcSpace"]),
    ("Zone", &["IfcSpatialStructureElement", "IfcSpatialElement", "IfcZone"]),
    ("Element", &["IfcElement"]),
    ("Interface", &["IfcRelSpaceBoundary"]),
];

/// Classes of features, which are elements in IFC, but holes and no things.
const NO_ELEMENT: &str = "IfcFeatureElementSubtraction";

impl GraphView<'_> {
    /// True if an instance is a node.
    pub fn is_node(&self, id: Id) -> bool {
        let entity = self.graph.model().get(id).and_then(|instance| instance.entity());
        entity.is_some_and(|entity| self.nodes.has(entity))
    }

    /// Reads properties.
    pub fn with_properties<T>(&self, body: impl FnOnce(&Properties<'_, '_>) -> T) -> T {
        let reader = Reader { schema: self.graph.model().schema(), units: &self.units };
        body(&Properties { links: &self.links, reader: &reader })
    }

    /// The unit in which the value of a property or quantity is given.
    pub fn unit(&self, id: Id) -> Option<&'static str> {
        let instance = self.graph.model().get(id)?;
        let is_one = instance.is_a("IfcProperty") || instance.is_a("IfcPhysicalQuantity");
        let property = is_one.then(|| ifc::psets::property(self.graph.model(), id))??;
        properties::unit_of(&property)
    }

    /// The nodes of exactly this class, in the spelling of the schema.
    pub fn of_exact_class(&self, name: &str) -> Vec<Id> {
        let model = self.graph.model();
        let entity = model.schema().entity(name).filter(|entity| entity.name == name);
        entity.map(|entity| model.of_class_exact(entity.name)).unwrap_or_default()
    }

    /// The nodes whose attribute is this text; `None` where that is no attribute of plain text in each class.
    pub fn of_text(&self, attribute: &'static str, text: &str) -> Option<Vec<Id>> {
        let model = self.graph.model();
        if attribute == "GlobalId" {
            let found =
                model.by_guid(text).filter(|id| model.get(*id).is_some_and(|i| i.says("GlobalId", text)));
            // of several that have it the others are found by looking at all
            return (!self.graph.has_doubles()).then(|| found.into_iter().collect());
        }
        let mut found = Vec::new();
        for class in &self.classes {
            let Some(declared) = class.attribute(attribute) else { continue };
            if declared.kind != Kind::Text {
                return None;
            }
            found.extend(model.of_text(class.name, attribute, text));
        }
        Some(once(found))
    }

    /// The nodes of which an attribute refers to an instance.
    pub fn referring(&self, id: Id, attribute: &str) -> Vec<Id> {
        let model = self.graph.model();
        let mut found = model.referrers(id);
        found.retain(|source| model.get(*source).is_some_and(|source| source.refers_to(attribute, id)));
        found
    }

    /// The attributes by which nodes refer to an instance.
    pub fn attributes_to(&self, id: Id) -> Vec<&'static str> {
        let model = self.graph.model();
        let mut found = Vec::new();
        for source in model.referrers(id).into_iter().filter_map(|source| model.get(source)) {
            let Some(entity) = source.entity().filter(|entity| self.nodes.has(entity)) else { continue };
            for name in self.nodes.attributes_of(entity) {
                if !found.contains(&name) && source.refers_to(name, id) {
                    found.push(name);
                }
            }
        }
        found
    }

    /// True if rooms may have to do with a place: other instances need not wait for rooms to be made.
    pub fn may_be_near_rooms(&self, place: Place) -> bool {
        let Place::Instance(id) = place else { return true };
        self.graph
            .model()
            .get(id)
            .is_some_and(|instance| instance.is_a("IfcSpace") || instance.is_a("IfcElement"))
    }

    fn bot_classes(&self, entity: &'static Entity) -> impl Iterator<Item = &'static str> + '_ {
        let schema = self.graph.model().schema();
        let has = move |(class, members): &(&str, &[&str])| {
            members.iter().any(|member| entity.is_a(schema, member))
                && !(*class == "Element" && entity.is_a(schema, NO_ELEMENT))
        };
        BOT_CLASSES.into_iter().filter(has).map(|(class, _)| class)
    }
}

impl View<'_> {
    /// A class of IFC as a term.
    pub(crate) fn class(&self, name: &str) -> Key {
        self.name(&format!("{IFC}{name}"))
    }

    /// A value of a property as a term.
    pub(crate) fn object(&self, at: usize, object: Object) -> Key {
        match object {
            Object::Literal(part) => Key::new(part),
            Object::Node(id) => self.node(at, id),
        }
    }

    /// The classes of something.
    pub(crate) fn types(&self, at: usize, place: Place) -> Vec<Key> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        match place {
            Place::Outside => vec![self.name(&format!("{WAY}Outside"))],
            Place::Found(_) => [(ROOM, "FoundRoom"), (BOT, "Space"), (BOT, "Zone")]
                .map(|(namespace, name)| self.name(&format!("{namespace}{name}")))
                .to_vec(),
            Place::Instance(id) => {
                let model = graph.graph.model();
                let Some(entity) = model.get(id).and_then(|instance| instance.entity()) else {
                    return Vec::new();
                };
                let own = model.schema().lineage(entity).map(|class| self.class(class.name));
                own.chain(graph.bot_classes(entity).map(|class| self.name(&format!("{BOT}{class}"))))
                    .collect()
            }
        }
    }

    /// The instances of a class, those of subclasses included.
    pub(crate) fn instances(&self, at: usize, class: u32) -> Vec<Key> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        let text = self.text(class);
        let model = graph.graph.model();
        if let Some(name) = text.strip_prefix(IFC) {
            let entity = model.schema().entity(name).filter(|entity| entity.name == name);
            let ids = entity.map(|entity| model.of_class(entity.name)).unwrap_or_default();
            return ids.into_iter().filter(|id| graph.is_node(*id)).map(|id| self.node(at, id)).collect();
        }
        let with_rooms = [format!("{BOT}Space"), format!("{BOT}Zone"), format!("{ROOM}FoundRoom")];
        let mut found = Vec::new();
        if let Some((name, members)) =
            text.strip_prefix(BOT).and_then(|name| BOT_CLASSES.iter().find(|(class, _)| *class == name))
        {
            let ids = once(members.iter().flat_map(|member| model.of_class(member)).collect());
            let is_meant = |id: &Id| {
                *name != "Element" || model.get(*id).is_some_and(|instance| !instance.is_a(NO_ELEMENT))
            };
            found.extend(ids.into_iter().filter(is_meant).map(|id| self.node(at, id)));
        }
        if with_rooms.iter().any(|room| **room == *text) {
            found.extend(self.found_rooms(at).map(|(key, _)| key));
        }
        if text.starts_with(CHECK) && *text == *crate::findings::class() {
            found.extend(self.every_finding(at).map(|(key, _)| key));
        }
        if *text == *format!("{WAY}Outside") {
            found.extend(self.outside(at).map(|(key, _)| key));
        }
        found
    }

    /// The rooms that were found.
    pub(crate) fn found_rooms(&self, at: usize) -> impl Iterator<Item = (Key, Subject)> + '_ {
        let bare = self.graphs().get(at).is_some_and(|graph| graph.graph.has_bare_storeys());
        let count = if bare { self.neighbours(at).map_or(0, |neighbours| neighbours.found.len()) } else { 0 };
        (0..count).map(move |number| {
            let place = Place::Found(number);
            (self.place(at, place), Subject::Place(place))
        })
    }

    /// Every finding of a graph.
    pub(crate) fn every_finding(&self, at: usize) -> impl Iterator<Item = (Key, Subject)> + '_ {
        let count = self.findings(at).map_or(0, crate::findings::Findings::len);
        (0..count).map(move |number| (self.finding(at, number), Subject::Finding(number)))
    }

    fn outside(&self, at: usize) -> impl Iterator<Item = (Key, Subject)> + '_ {
        let is_there = self.neighbours(at).is_some_and(crate::neighbours::Neighbours::has_outside);
        is_there.then(|| (self.place(at, Place::Outside), Subject::Place(Place::Outside))).into_iter()
    }

    /// The class above one of which there are instances.
    pub(crate) fn superclass(&self, at: usize, class: u32) -> Option<Key> {
        let graph = self.graphs().get(at)?;
        let text = self.text(class);
        if let Some(name) = text.strip_prefix(BOT) {
            let is_zone = ["Site", "Building", "Storey", "Space"].contains(&name);
            return is_zone.then(|| self.name(&format!("{BOT}Zone")));
        }
        let schema = graph.graph.model().schema();
        let name = text.strip_prefix(IFC)?;
        let entity = schema.entity(name).filter(|entity| entity.name == name && graph.occurs(entity))?;
        Some(self.class(schema.entity_at(entity.supertype?)?.name))
    }

    /// The classes below one of which there are instances.
    pub(crate) fn subclasses(&self, at: usize, class: u32) -> Vec<Key> {
        let found = self.class_starts(at).filter(|(_, start)| match start {
            Subject::Class(number) => {
                self.superclass(at, *number).and_then(|key| crate::patterns::number_of(&key)) == Some(class)
            }
            Subject::Place(_) | Subject::Finding(_) => false,
        });
        found.map(|(key, _)| key).collect()
    }

    /// The classes that have one above.
    fn class_starts(&self, at: usize) -> Starts<'_> {
        let Some(graph) = self.graphs().get(at) else { return Box::new(std::iter::empty()) };
        let schema = graph.graph.model().schema();
        let occurring = schema.entities().iter().filter(|entity| graph.occurs(entity));
        let ifc = occurring.map(|entity| format!("{IFC}{}", entity.name));
        let bot = ["Site", "Building", "Storey", "Space"].map(|name| format!("{BOT}{name}"));
        Box::new(ifc.chain(bot).map(|iri| {
            let key = self.name(&iri);
            let number = crate::patterns::number_of(&key).unwrap_or_default();
            (key, Subject::Class(number))
        }))
    }

    /// The subjects that may have something by a rule.
    pub(crate) fn starts<'a>(&'a self, at: usize, rule: &Rule) -> Starts<'a> {
        let Some(graph) = self.graphs().get(at) else { return Box::new(std::iter::empty()) };
        let model = graph.graph.model();
        let nodes = move |ids: Vec<Id>| -> Starts<'a> {
            let known = ids.into_iter().filter(move |id| graph.is_node(*id));
            Box::new(known.map(move |id| (self.node(at, id), Subject::Place(Place::Instance(id)))))
        };
        match rule {
            Rule::Type => {
                let classes = self.places(at);
                Box::new(classes)
            }
            Rule::Class => self.nodes(at),
            Rule::SubClassOf => self.class_starts(at),
            Rule::Attribute(name) => {
                let name = *name;
                let classes = graph.classes.iter().filter(move |class| class.index_of(name).is_some());
                Box::new(classes.flat_map(move |class| nodes(model.of_class_exact(class.name))))
            }
            Rule::Edge(edge) => nodes(edge.sources(model)),
            Rule::Derived(derived) => nodes(Derived::sources(*derived, &graph.links)),
            Rule::Property(property) => {
                nodes(graph.with_properties(|properties| properties.sources(&property.0, &property.1)))
            }
            Rule::Way(way) => {
                let pairs = self.neighbours(at).map(|neighbours| neighbours.pairs(*way)).unwrap_or_default();
                let mut places: Vec<Place> = pairs.iter().map(|(from, _)| *from).collect();
                places.sort_unstable();
                places.dedup();
                Box::new(places.into_iter().map(move |place| (self.place(at, place), Subject::Place(place))))
            }
            Rule::Measure(measure) => {
                let Some(neighbours) = self.neighbours(at) else { return Box::new(std::iter::empty()) };
                let places = neighbours.measures(*measure).map(|(place, _)| place);
                Box::new(places.map(move |place| (self.place(at, place), Subject::Place(place))))
            }
            Rule::Check(_) => Box::new(self.every_finding(at)),
            Rule::Unknown => Box::new(std::iter::empty()),
        }
    }

    /// The instances that are nodes, by class.
    pub(crate) fn nodes(&self, at: usize) -> Starts<'_> {
        let Some(graph) = self.graphs().get(at) else { return Box::new(std::iter::empty()) };
        let ids = graph.classes.iter().flat_map(|class| graph.graph.model().of_class_exact(class.name));
        Box::new(ids.map(move |id| {
            budget::step();
            (self.node(at, id), Subject::Place(Place::Instance(id)))
        }))
    }

    /// Every place of a graph: instances, rooms that were found, the open air; and findings.
    fn places(&self, at: usize) -> Starts<'_> {
        // rooms are made only when all instances were used up
        let others = std::iter::once(())
            .flat_map(move |()| self.found_rooms(at).chain(self.outside(at)).chain(self.every_finding(at)));
        Box::new(self.nodes(at).chain(others))
    }

    /// Every subject of a graph.
    pub(crate) fn everything(&self, at: usize) -> Starts<'_> {
        Box::new(self.class_starts(at).chain(self.places(at)))
    }

    /// The values of an attribute.
    pub(crate) fn attribute(&self, at: usize, id: Id, name: &'static str) -> Vec<Key> {
        let Some(graph) = self.graphs().get(at) else { return Vec::new() };
        let model = graph.graph.model();
        let Some(instance) = model.get(id) else { return Vec::new() };
        let Some(entity) = instance.entity() else { return Vec::new() };
        let place = entity.index_of(name).filter(|place| graph.nodes.is_predicate(entity, *place));
        let Some((declared, place)) = place.and_then(|place| Some((entity.attributes.get(place)?, place)))
        else {
            return Vec::new();
        };
        let value = instance.attr_at(place);
        if matches!(value, Value::Null | Value::Derived) {
            return Vec::new();
        }
        let unit = instance.reference("Unit").and_then(|unit| ifc::units::unit(model, unit));
        let (type_name, kind) = match declared.kind {
            Kind::List(list) => (declared.declared.rsplit(' ').next().unwrap_or_default(), list.of),
            kind => (declared.declared, kind),
        };
        let reader = Reader { schema: model.schema(), units: &graph.units };
        let literals =
            reader.literals(&value, Declared { name: type_name, kind: Some(kind), unit: unit.as_ref() });
        let mut found: Vec<Key> = literals.into_iter().map(Key::new).collect();
        let mut ids = Vec::new();
        value.for_each_ref(&mut |id| ids.push(id));
        found.extend(once(ids).into_iter().filter(|id| graph.is_node(*id)).map(|id| self.node(at, id)));
        found
    }
}

impl GraphView<'_> {
    /// True if there are nodes of a class or its subtypes.
    fn occurs(&self, entity: &Entity) -> bool {
        self.classes.iter().any(|class| entity.id <= class.id && class.id <= entity.last)
    }
}
