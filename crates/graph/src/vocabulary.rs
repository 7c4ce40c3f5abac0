//! The vocabulary in use in a model: prefixes, classes and predicates with how often they occur and an example, for who writes a query.

use crate::derived::Derived;
use crate::edges::EDGES;
use crate::findings::Check;
use crate::names::{self, IFC, PROP, compact};
use crate::neighbours::{Measure, Way};
use crate::rules::Rule;
use crate::source::{Asked, Explained, Sight, Source};
use crate::term::{Key, Part};
use crate::values::qudt_unit;
use crate::view::View;
use contract::{Fault, Watch};
use ifc::SchemaVersion;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The vocabulary of one graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Vocabulary {
    /// Prefixes that are known without a declaration, with their namespaces.
    pub prefixes: Vec<(String, String)>,
    /// Classes of which there are instances, superclasses included.
    pub classes: Vec<ClassUse>,
    /// Predicates of which there are triples; properties and quantities are those with the prefix `prop:`.
    pub predicates: Vec<PredicateUse>,
}

/// A class in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassUse {
    /// With its prefix: `ifc:IfcWall`.
    pub name: String,
    /// The number of instances, those of subclasses included.
    pub count: u64,
    /// One instance, with its prefix.
    pub example: String,
}

/// A predicate in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateUse {
    /// With its prefix: `ifc:name`, `prop:Pset_WallCommon.FireRating`.
    pub name: String,
    /// The number of triples.
    pub count: u64,
    /// One object, as a query would write it.
    pub example: String,
    /// The meaning, of edges and measures.
    pub meaning: Option<&'static str>,
    /// The unit of its values in QUDT: `unit:M`.
    pub unit: Option<String>,
}

/// Triples between two questions whether the vocabulary is still wanted.
const STRIDE: u64 = 4096;

impl Vocabulary {
    /// Reads the vocabulary of a graph, by its place in the dataset: every triple of it once, with those parts that are asked for.
    pub fn of_graph(
        dataset: &dyn Source,
        graph: usize,
        asked: Asked,
        watch: &dyn Watch,
    ) -> Result<Self, Fault> {
        let view = dataset.view(asked);
        let view = &*view;
        let prefixes = dataset.prefixes();
        let mut classes: BTreeMap<u32, (u64, Key)> = BTreeMap::new();
        let mut predicates: BTreeMap<u32, (u64, Key)> = BTreeMap::new();
        let of_type = view.iris().number(names::TYPE);
        let mut read = 0;
        for (subject, predicate, object) in view.triples(graph, None, None, None) {
            read += 1;
            if read % STRIDE == 0 && !watch.at(read, 0) {
                return Err(Fault::given_up("reading the vocabulary"));
            }
            let Some(number) = crate::patterns::number_of(&predicate) else { continue };
            if number == of_type
                && let Some(class) = crate::patterns::number_of(&object)
            {
                classes.entry(class).or_insert_with(|| (0, subject.clone())).0 += 1;
            }
            predicates.entry(number).or_insert_with(|| (0, object.clone())).0 += 1;
        }
        if let Some(fault) = view.fault() {
            return Err(fault);
        }
        let short = |number: u32| compact(&view.iris().text(number), &prefixes);
        let written = |key: &Key| written(view, key, &prefixes);
        let mut classes: Vec<ClassUse> = classes
            .iter()
            .map(|(class, (count, subject))| ClassUse {
                name: short(*class),
                count: *count,
                example: written(subject),
            })
            .collect();
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        let iris: Vec<_> = predicates.keys().map(|number| view.iris().text(*number)).collect();
        let explained = view.explained(graph, &iris);
        let mut predicates: Vec<PredicateUse> = predicates
            .iter()
            .zip(explained)
            .map(|((number, (count, object)), (meaning, unit))| {
                let unit = unit.map(|unit| format!("unit:{unit}"));
                PredicateUse { name: short(*number), count: *count, example: written(object), meaning, unit }
            })
            .collect();
        predicates.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { prefixes, classes, predicates })
    }

    /// The vocabulary as JSON, its keys as here.
    pub fn to_json(&self) -> Value {
        let predicate = |used: &PredicateUse| {
            let mut entry = json!({ "name": used.name, "count": used.count, "example": used.example });
            if let Some(entry) = entry.as_object_mut() {
                entry.extend(used.meaning.map(|meaning| ("meaning".to_owned(), json!(meaning))));
                entry.extend(used.unit.as_ref().map(|unit| ("unit".to_owned(), json!(unit))));
            }
            entry
        };
        let class =
            |used: &ClassUse| json!({ "name": used.name, "count": used.count, "example": used.example });
        let prefixes: serde_json::Map<String, Value> =
            self.prefixes.iter().map(|(prefix, iri)| (prefix.clone(), json!(iri))).collect();
        json!({
            "prefixes": prefixes,
            "classes": self.classes.iter().map(class).collect::<Vec<_>>(),
            "predicates": self.predicates.iter().map(predicate).collect::<Vec<_>>(),
        })
    }
}

/// A term as a query writes it.
fn written(view: &dyn Sight, key: &Key, prefixes: &[(String, String)]) -> String {
    let text = match key.part() {
        Part::Double(number) => number.0.to_string(),
        Part::Integer(number) => number.to_string(),
        Part::Boolean(truth) => truth.to_string(),
        _ => match view.to_term(key) {
            oxrdf::Term::NamedNode(iri) => compact(iri.as_str(), prefixes),
            term => term.to_string(),
        },
    };
    if text.chars().count() > 80 { text.chars().take(79).chain("…".chars()).collect() } else { text }
}

/// The units of properties by local name; of a name with several none.
fn units(view: &View<'_>, graph: usize) -> BTreeMap<String, Option<&'static str>> {
    let mut units: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    if let Some(graph) = view.graphs().get(graph) {
        graph.with_properties(|properties| {
            properties.catalogue(|name, _, unit, _| {
                let known = units.entry(name).or_insert(unit);
                if *known != unit {
                    *known = None;
                }
            });
        });
    }
    units
}

/// The meanings and units of some predicates of a building.
pub(crate) fn explained(view: &View<'_>, at: usize, predicates: &[Rc<str>]) -> Vec<Explained> {
    let units = units(view, at);
    let schema = view.graphs().get(at).map_or(SchemaVersion::Ifc4, |graph| graph.graph.schema());
    predicates.iter().map(|iri| about(iri, &units, schema)).collect()
}

/// The meaning and unit of a predicate.
fn about(
    iri: &str,
    units: &BTreeMap<String, Option<&'static str>>,
    schema: SchemaVersion,
) -> (Option<&'static str>, Option<&'static str>) {
    if let Some(local) = iri.strip_prefix(PROP) {
        return (None, units.get(local).copied().flatten());
    }
    match Rule::of_iri(iri) {
        Rule::Type => (Some("class, superclasses included, and class of BOT"), None),
        Rule::Class => (Some("the class of an instance alone, without superclasses"), None),
        Rule::SubClassOf => (Some("class to the next one above"), None),
        Rule::Edge(edge) => (Some(edge.meaning), None),
        Rule::Derived(derived) => (Some(derived.meaning()), None),
        Rule::Way(way) => (Some(way.meaning()), None),
        Rule::Measure(measure) => (Some(measure.meaning()), measure.unit()),
        Rule::Check(check) => (Some(check.meaning()), None),
        Rule::Attribute(name) => (None, attribute_unit(name, schema)),
        Rule::Property(_) | Rule::Unknown => (None, None),
    }
}

/// The unit of an attribute, where it has the same in every class.
fn attribute_unit(name: &str, schema: SchemaVersion) -> Option<&'static str> {
    let declared = schema.schema().entities().iter().filter_map(|entity| entity.attribute(name));
    let mut units = declared.map(|attribute| qudt_unit(attribute.declared));
    let first = units.next()??;
    units.all(|unit| unit == Some(first)).then_some(first)
}

/// Every edge, way and measure that any model may have, with its meaning: for a description of the vocabulary without a model.
pub fn fixed_vocabulary() -> Vec<(String, &'static str)> {
    let prefixes: Vec<(String, String)> =
        names::PREFIXES.iter().map(|(prefix, iri)| ((*prefix).to_owned(), (*iri).to_owned())).collect();
    let mut all = vec![
        (names::TYPE.to_owned(), "class, superclasses included, and class of BOT"),
        (format!("{IFC}class"), "the class of an instance alone, without superclasses"),
        (names::SUB_CLASS_OF.to_owned(), "class to the next one above"),
    ];
    all.extend(EDGES.iter().map(|edge| (format!("{}{}", edge.namespace, edge.name), edge.meaning)));
    all.extend(Derived::ALL.map(|derived| (derived.iri(), derived.meaning())));
    all.extend(Way::ALL.map(|way| (way.iri(), way.meaning())));
    all.extend(Measure::ALL.map(|measure| (measure.iri(), measure.meaning())));
    all.extend(Check::ALL.map(|check| (check.iri(), check.meaning())));
    all.into_iter().map(|(iri, meaning)| (compact(&iri, &prefixes), meaning)).collect()
}
