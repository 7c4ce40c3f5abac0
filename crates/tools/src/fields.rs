//! Columns: what agents ask of elements by name, in rows, for sorting and for adding up. Most are paths to what the file states; the
//! others are computed from shapes and materials, in mm, m², m³ and degrees, and say what they stand on.

use crate::IfcCall;
use crate::computed::{Computed, Grounded, compute, north_words, real};
use crate::elements::shown;
use crate::opened::{OpenVersion, Unkept};
use contract::{Fault, Unwatched};
use geometry::Shaper;
use geometry::quantity::{self, Quantities};
use geometry::query::Index;
use ifc::relations::Links;
use ifc::selector::{Computes, Datum, KEYS, Path, Step};
use ifc::{Id, Model, Units, psets};
use rayon::prelude::*;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A column that an agent asks for.
pub struct Field {
    /// As it was asked for; the name of the column.
    pub label: String,
    source: Source,
}

enum Source {
    /// The file's own statement.
    Path(Path),
    /// A coordinate of the element's origin.
    Origin(Path),
    Computed(Computed),
    /// A base quantity measured on the shape, by its name.
    Measured(String),
}

/// The set under which base quantities are asked for as they are measured: `computed.NetSideArea`.
const MEASURED: &str = "computed";

/// Makes the index of shapes when it is first asked for.
type MakeIndex<'m> = Box<dyn Fn() -> Result<Arc<Index>, Fault> + 'm>;

/// A model that columns are read from; what was computed is kept as long as it lasts.
pub struct Reading<'m> {
    /// Relations.
    pub links: Links<'m>,
    /// The file's units.
    pub units: Units,
    shaper: Shaper<'m>,
    make_index: MakeIndex<'m>,
    index: OnceCell<Option<Arc<Index>>>,
    known: RefCell<HashMap<(Id, Computed), Grounded>>,
    measured: RefCell<HashMap<Id, Option<Arc<Quantities>>>>,
}

impl<'m> Reading<'m> {
    /// Reads the model as a call left it by now.
    pub fn new(call: &'m IfcCall) -> Self {
        Self::with_index(call.edit.model(), Box::new(|| call.index()))
    }

    /// Reads a model that nobody keeps anything for.
    pub fn of_model(model: &'m Model) -> Self {
        Self::with_index(model, Box::new(|| Unkept(model.clone()).index(&Unwatched)))
    }

    fn with_index(model: &'m Model, make_index: MakeIndex<'m>) -> Self {
        Self {
            links: Links::of_many(model),
            units: Units::from_model(model),
            shaper: Shaper::plain(model),
            make_index,
            index: OnceCell::new(),
            known: RefCell::default(),
            measured: RefCell::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.links.model()
    }

    /// The maker of shapes that are measured.
    pub fn shaper(&self) -> &Shaper<'m> {
        &self.shaper
    }

    fn index(&self) -> Option<&Arc<Index>> {
        self.index.get_or_init(|| (self.make_index)().ok()).as_ref()
    }

    /// Computes for many elements at once what these fields need; values asked for later are then known.
    pub fn prepare<'f>(&self, fields: impl IntoIterator<Item = &'f Field>, elements: &[Id]) {
        let fields: Vec<&Field> = fields.into_iter().collect();
        if fields.iter().any(|field| matches!(field.source, Source::Measured(_))) {
            self.measure(elements);
        }
        let mut wanted: Vec<Computed> = fields.into_iter().filter_map(Field::computed).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for field in wanted {
            let is_new = |id: &&Id| !self.known.borrow().contains_key(&(**id, field));
            let left: Vec<Id> = elements.iter().filter(is_new).copied().collect();
            let index = self.index_for(field);
            let (model, shaper) = (self.model(), &self.shaper);
            let found: Vec<(Id, Grounded)> = left
                .into_par_iter()
                .map(|id| (id, compute(model, shaper, index.as_deref(), field, id, 0)))
                .collect();
            self.known.borrow_mut().extend(found.into_iter().map(|(id, value)| ((id, field), value)));
        }
    }

    /// Measures the base quantities of many elements at once.
    pub(crate) fn measure(&self, elements: &[Id]) {
        let is_new = |id: &&Id| !self.measured.borrow().contains_key(*id);
        let left: Vec<Id> = elements.iter().filter(is_new).copied().collect();
        let shaper = &self.shaper;
        let one = |id: Id| (id, quantity::base_quantities(shaper, id).ok().flatten().map(Arc::new));
        let found: Vec<(Id, Option<Arc<Quantities>>)> = left.into_par_iter().map(one).collect();
        self.measured.borrow_mut().extend(found);
    }

    /// The base quantities of an element as they are measured on its shape; nothing of a class that has none, or of a shape that cannot be
    /// measured.
    pub(crate) fn measured(&self, id: Id) -> Option<Arc<Quantities>> {
        if !self.measured.borrow().contains_key(&id) {
            self.measure(&[id]);
        }
        self.measured.borrow().get(&id).cloned().flatten()
    }

    /// The elements of which a value was computed so far, in their order.
    pub fn looked_at(&self, field: Computed) -> Vec<Id> {
        let known = self.known.borrow();
        let mut found: Vec<Id> = known.keys().filter(|(_, of)| *of == field).map(|(id, _)| *id).collect();
        found.sort_unstable();
        found
    }

    fn index_for(&self, field: Computed) -> Option<Arc<Index>> {
        match field {
            Computed::Facing | Computed::Bearing => self.index().cloned(),
            _ => None,
        }
    }

    /// The computed value of an element, and the ground that it stands on.
    pub fn computed(&self, field: Computed, id: Id) -> Grounded {
        if let Some(known) = self.known.borrow().get(&(id, field)) {
            return known.clone();
        }
        let index = self.index_for(field);
        let found = compute(self.model(), &self.shaper, index.as_deref(), field, id, 0);
        self.known.borrow_mut().insert((id, field), found.clone());
        found
    }

    /// Says on what the computed values of a column stand, and why some elements have none.
    pub fn grounds(&self, field: &Field, elements: &[Id]) -> Option<String> {
        let computed = field.computed()?;
        let mut with: BTreeMap<String, usize> = BTreeMap::new();
        let mut without: BTreeMap<String, usize> = BTreeMap::new();
        let mut silent = 0;
        for id in elements {
            let (value, ground) = self.computed(computed, *id);
            match (value == Datum::Null, ground) {
                (false, Some(ground)) => *with.entry(ground).or_default() += 1,
                (true, Some(reason)) => *without.entry(reason).or_default() += 1,
                (true, None) => silent += 1,
                (false, None) => {}
            }
        }
        if silent > 0 {
            *without
                .entry(format!("there is no {} to their class or shape", computed.name()))
                .or_default() += silent;
        }
        let listed = |counts: BTreeMap<String, usize>| {
            let more = counts.len().saturating_sub(4);
            let mut parts: Vec<String> =
                counts.into_iter().take(4).map(|(ground, count)| format!("{count} {ground}")).collect();
            if more > 0 {
                parts.push(format!("and {more} more kinds"));
            }
            parts.join("; ")
        };
        let mut text = format!("{}: computed", computed.name());
        if matches!(computed, Computed::Facing | Computed::Bearing) {
            text = format!("{text}, {}", north_words(self.model()));
        }
        if !with.is_empty() {
            text = format!("{text}: {}", listed(with));
        }
        if !without.is_empty() {
            text = format!("{text}. Without: {}", listed(without));
        }
        Some(format!("{text}."))
    }
}

impl Computes for Reading<'_> {
    fn values(&self, name: &str, elements: &[Id]) -> Vec<Datum> {
        let Ok(field) = Field::parse(name, "selector") else { return Vec::new() };
        self.prepare([&field], elements);
        elements.iter().map(|id| compared(self.model(), field.value(self, *id))).collect()
    }
}

/// A computed value as a comparison has it: of a profile its texts, of layers the names of their materials.
fn compared(model: &Model, value: Datum) -> Datum {
    match value {
        Datum::Record(members) => Datum::List(members.into_iter().map(|(_, value)| value).collect()),
        Datum::List(members) => {
            let material = |layer: Datum| match layer {
                Datum::Record(members) => members.into_iter().next().map_or(Datum::Null, |(_, value)| value),
                other => other,
            };
            let name = |value: Datum| match value {
                Datum::Entity(id) => Datum::of_attribute(model, id, "Name"),
                other => other,
            };
            Datum::List(members.into_iter().map(material).map(name).collect())
        }
        other => other,
    }
}

impl Field {
    /// Reads `Name`, `storey`, `Pset_WallCommon.FireRating`, `type.Name`, …; attributes in small letters are
    /// understood too.
    pub fn parse(text: &str, position: &str) -> Result<Self, Fault> {
        let mut path = Path::parse(text.trim()).map_err(|error| {
            Fault::invalid(position, format!("The field `{text}` cannot be read: {}.", error.message))
        })?;
        let mut source = None;
        if let [Step::Key(set), Step::Key(name)] = path.steps.as_slice()
            && set == MEASURED
        {
            source = Some(Source::Measured(name.clone()));
        }
        if let [Step::Key(key)] = path.steps.as_mut_slice() {
            match key.as_str() {
                "id" | "global_id" => "GlobalId".clone_into(key),
                "bbox" => {
                    return Err(Fault::invalid(
                        position,
                        "Boxes are a column of rows, not a thing to sort or add up; use x, y or z, or a quantity.",
                    ));
                }
                "x" | "y" | "z" => source = Some(Source::Origin(path.clone())),
                name if Computed::named(name).is_some() => {
                    source = Computed::named(name).map(Source::Computed);
                }
                _ if KEYS.contains(&key.as_str()) => {}
                _ if key.starts_with(|c: char| c.is_ascii_lowercase()) && !key.contains(' ') => {
                    *key = key.split('_').map(capitalised).collect();
                }
                _ => {}
            }
        }
        Ok(Self { label: text.trim().to_owned(), source: source.unwrap_or(Source::Path(path)) })
    }

    /// The computed value that it asks for, if it does.
    pub fn computed(&self) -> Option<Computed> {
        match &self.source {
            Source::Computed(computed) => Some(*computed),
            _ => None,
        }
    }

    /// The set and the name of a stored property or quantity, if it asks for one.
    pub fn stored(&self) -> Option<(&str, &str)> {
        match &self.source {
            Source::Path(path) => match path.steps.as_slice() {
                [Step::Key(set), Step::Key(name)] if !KEYS.contains(&set.as_str()) => Some((set, name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value that the file itself states for an element; none for a field that is computed.
    pub fn followed(&self, links: &Links<'_>, element: Id) -> Option<Datum> {
        match &self.source {
            Source::Path(path) => Some(path.follow(links, element)),
            Source::Origin(_) | Source::Computed(_) | Source::Measured(_) => None,
        }
    }

    /// The attribute that it reads of the element itself, if it does.
    pub(crate) fn attribute(&self) -> Option<&str> {
        match &self.source {
            Source::Path(path) => match path.steps.as_slice() {
                [Step::Key(name)] if !KEYS.contains(&name.as_str()) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// True of a value that can be written to the element by this name: an attribute other than its identity, a property.
    pub(crate) fn is_written(&self) -> bool {
        self.stored().is_some()
            || self.attribute().is_some_and(|name| name != "GlobalId" && name != "OwnerHistory")
    }

    /// The value for an element.
    pub fn value(&self, reading: &Reading<'_>, element: Id) -> Datum {
        match &self.source {
            Source::Path(path) => path.follow(&reading.links, element),
            Source::Computed(computed) => reading.computed(*computed, element).0,
            Source::Measured(name) => {
                reading.measured(element).and_then(|found| found.get(name)).map_or(Datum::Null, real)
            }
            Source::Origin(path) => match path.follow(&reading.links, element).as_f64() {
                Some(value) => real(reading.units.to_mm(value)),
                None => Datum::Null,
            },
        }
    }

    /// Returns the unit of its numbers, going by this element.
    pub fn unit(&self, reading: &Reading<'_>, element: Id) -> Option<String> {
        let path = match &self.source {
            Source::Path(path) => path,
            Source::Origin(_) => return Some("mm".to_owned()),
            Source::Computed(computed) => return computed.unit().map(str::to_owned),
            Source::Measured(name) => {
                let found = reading.measured(element)?;
                let quantity = found.values.iter().find(|quantity| quantity.name == name)?;
                return Some(quantity.measure.unit().to_owned());
            }
        };
        let (links, units) = (&reading.links, &reading.units);
        let model = links.model();
        let (last, before) = path.steps.split_last()?;
        let Step::Key(last) = last else {
            return matching(path, links, element)?.unit_label(model, units);
        };
        let owner = Path { steps: before.to_vec() }.follow(links, element);
        let owner = match owner {
            Datum::List(members) => members.into_iter().next().unwrap_or(Datum::Null),
            other => other,
        };
        match owner {
            Datum::Entity(id) if matches!(last.as_str(), "x" | "y" | "z") => {
                model.get(id)?.reference("ObjectPlacement").map(|_| units.length_label().to_owned())
            }
            Datum::Entity(id) => {
                units.label(model.get(id)?.entity()?.attribute(last)?.declared).map(str::to_owned)
            }
            Datum::Record(_) => {
                let (set, before) = before.split_last()?;
                let Step::Key(set) = set else {
                    return matching(path, links, element)?.unit_label(model, units);
                };
                let Datum::Entity(id) = Path { steps: before.to_vec() }.follow(links, element) else {
                    return None;
                };
                psets::find_with(links, id, set, last)?.unit_label(model, units)
            }
            _ => None,
        }
    }

    /// A Fault with near names where no element has the field, and none could have it.
    pub fn check(&self, reading: &Reading<'_>, elements: &[Id], position: &str) -> Result<(), Fault> {
        let Some(near) = self.near_matches(reading, elements) else { return Ok(()) };
        // a standard property that the author left out is a right name
        if self.stored().is_some_and(|(set, name)| crate::selecting::is_standard(reading.model(), set, name))
        {
            return Ok(());
        }
        let hint = near.first().map_or_else(String::new, |near| format!(" Did you mean {near}?"));
        let message = format!("None of these elements has {}.{hint}", self.label);
        Err(Fault::invalid(position, message).with("near_matches", near))
    }

    /// Returns what an unknown name may have meant, going by these elements; none if there are no elements, or some element has the
    /// field or could have it.
    pub fn near_matches(&self, reading: &Reading<'_>, elements: &[Id]) -> Option<Vec<String>> {
        if let Source::Measured(name) = &self.source {
            return near_quantities(reading, elements, name);
        }
        let Source::Path(path) = &self.source else { return None };
        let links = &reading.links;
        let [first, rest @ ..] = path.steps.as_slice() else { return None };
        if elements.is_empty() || elements.iter().any(|id| self.value(reading, *id) != Datum::Null) {
            return None;
        }
        if let (Step::Key(key), Some((last, before))) = (first, path.steps.split_last())
            && KEYS.contains(&key.as_str())
        {
            if rest.is_empty() {
                return None;
            }
            // `storey.Elevatn`: what the key leads to is there, its part is not
            let owner = Path { steps: before.to_vec() };
            let owners: Vec<Id> = elements.iter().filter_map(|id| entity(owner.follow(links, *id))).collect();
            let names = Names::from_elements(links, &owners);
            let Step::Key(last) = last else { return None };
            return (!owners.is_empty() && !names.has(last)).then(|| names.near(last));
        }
        let names = Names::from_elements(links, elements);
        let label = match (first, rest) {
            (Step::Key(first), []) => first.clone(),
            (Step::Key(first), [Step::Key(name)]) => format!("{first}.{name}"),
            _ if names.properties.iter().any(|(set, name)| {
                is_step(first, set) && rest.first().is_none_or(|step| is_step(step, name))
            }) =>
            {
                return None;
            }
            _ => path.to_string(),
        };
        if names.has(&label) { None } else { Some(names.near(&label)) }
    }
}

/// The quantities that elements have instead of one that none has.
fn near_quantities(reading: &Reading<'_>, elements: &[Id], name: &str) -> Option<Vec<String>> {
    let mut names: Vec<&str> = Vec::new();
    for id in elements {
        for quantity in reading.measured(*id).iter().flat_map(|found| &found.values) {
            if quantity.name == name {
                return None;
            }
            if !names.contains(&quantity.name) {
                names.push(quantity.name);
            }
        }
    }
    let near = crate::near_matches(name, names.iter().copied());
    let shown = if near.is_empty() { names.iter().map(|name| (*name).to_owned()).collect() } else { near };
    let with_set = shown.into_iter().take(8).map(|name| format!("{MEASURED}.{name}"));
    (!elements.is_empty()).then(|| with_set.collect())
}

fn is_step(step: &Step, name: &str) -> bool {
    match step {
        Step::Key(key) => key == name,
        Step::Regex(regex) => regex.is_match(name),
    }
}

fn entity(value: Datum) -> Option<Id> {
    match value {
        Datum::Entity(id) => Some(id),
        Datum::List(members) => members.into_iter().find_map(entity),
        _ => None,
    }
}

/// The first property that a path with a regular expression leads to.
fn matching(path: &Path, links: &Links<'_>, element: Id) -> Option<psets::Property> {
    let [set, name] = path.steps.as_slice() else { return None };
    let sets = psets::of_with(links, element);
    let mut properties = sets.into_iter().filter(|s| is_step(set, &s.name)).flat_map(|s| s.properties);
    properties.find(|property| is_step(name, &property.name))
}

/// The names that some elements answer to.
pub(crate) struct Names {
    attributes: Vec<&'static str>,
    /// Set and property.
    pub(crate) properties: Vec<(String, String)>,
}

/// Elements whose properties are looked through for near names, at most.
const LOOKED_AT: usize = 5_000;

impl Names {
    /// Attributes of all their classes, properties of the first few thousand.
    pub(crate) fn from_elements(links: &Links<'_>, elements: &[Id]) -> Self {
        let model = links.model();
        let mut attributes = Vec::new();
        let mut classes = std::collections::HashSet::new();
        for id in elements {
            let Some(entity) = model.get(*id).and_then(|instance| instance.entity()) else { continue };
            if classes.insert(entity.name) {
                attributes.extend(entity.attributes.iter().map(|a| a.name));
                attributes.extend(model.schema().inverses(entity).map(|inverse| inverse.name));
            }
        }
        attributes.sort_unstable();
        attributes.dedup();
        let mut properties = std::collections::BTreeSet::new();
        for id in elements.iter().take(LOOKED_AT) {
            for set in psets::of_with(links, *id) {
                for property in set.properties {
                    properties.insert((set.name.clone(), property.name));
                }
            }
        }
        Self { attributes, properties: properties.into_iter().collect() }
    }

    /// True if a name, or `Set.Property`, or a set, is among them.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.attributes.contains(&label)
            || self.properties.iter().any(|(set, name)| {
                set == label
                    || label.strip_prefix(set.as_str()).and_then(|rest| rest.strip_prefix('.')) == Some(name)
            })
    }

    /// The names that look like one, nearest first; the right property in another set too.
    pub(crate) fn near(&self, label: &str) -> Vec<String> {
        let joined: Vec<String> = self.properties.iter().map(|(set, name)| format!("{set}.{name}")).collect();
        let own = Computed::ALL.iter().map(|(name, _)| *name);
        let words = self.attributes.iter().copied().chain(KEYS).chain(own);
        let mut near = crate::near_matches(label, joined.iter().map(String::as_str).chain(words));
        let name = label.rsplit_once('.').map_or(label, |(_, name)| name);
        let same = |(_, known): &&(String, String)| known.eq_ignore_ascii_case(name);
        near.extend(self.properties.iter().filter(same).take(3).map(|(set, name)| format!("{set}.{name}")));
        let mut seen = std::collections::HashSet::new();
        near.retain(|name| seen.insert(name.clone()));
        near
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A computed value as JSON, instances by their names.
pub fn computed_json(reading: &Reading<'_>, field: Computed, id: Id) -> serde_json::Value {
    shown(reading.model(), &reading.computed(field, id).0)
}
