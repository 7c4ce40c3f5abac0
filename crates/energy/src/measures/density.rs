//! Loads and air flows by density: lights, equipment, people and infiltration are scaled, or set to a density, in the zones selected.
//!
//! What each object amounts to in a zone follows from its method: a total, per floor area, per person, per outer surface, or air changes.
//! Where one object alone says it for a zone it is set to the density; several share it as they did before. An object for zones of which
//! some are not selected is divided into one for each zone first.

use super::facts::{Facts, Part};
use super::work::Work;
use crate::idf::{Document, Handle, Object};
use contract::{Fault, FaultCode};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

/// The quantity that a value is given by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Basis {
    /// The amount itself.
    Total,
    /// Per m² of floor.
    Floor,
    /// Per person.
    Person,
    /// m² of floor for each.
    FloorForEach,
    /// Per m² of surface to outdoors.
    Outer,
    /// Per m² of wall to outdoors.
    OuterWall,
    /// Air changes in an hour.
    AirChanges,
}

/// A way in which an object may state its amount.
pub(super) struct Method {
    pub word: &'static str,
    /// The field, by its keys in versions of EnergyPlus.
    pub fields: &'static [&'static str],
    pub basis: Basis,
}

/// A kind of load or air flow.
pub(super) struct Load {
    /// The type of objects.
    pub object_type: &'static str,
    /// Its name in sentences.
    pub noun: &'static str,
    /// The field that says the method.
    pub method_field: &'static str,
    /// The methods; the first is the one where none is said.
    pub methods: &'static [Method],
}

/// The aim for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// A value by this quantity.
    Value(Basis, f64),
    /// So many times what it is.
    Factor(f64),
}

/// The greatest density or factor that is taken.
const MOST: f64 = 1e6;

const PLACE: [&str; 3] =
    ["zone_or_zonelist_or_space_or_spacelist_name", "zone_or_zonelist_name", "zone_or_space_name"];

/// The field that names the zone of an object, and what it says.
pub(super) fn place(object: Object<'_>) -> Option<(&'static str, &str)> {
    PLACE.iter().find_map(|field| object.get(field).map(|name| (*field, name)))
}

/// The sums over the zones selected before and after.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub before: f64,
    pub after: f64,
    /// Of the zones that have such objects, in m².
    pub floor_area: f64,
    /// Of these, in m³.
    pub volume: f64,
    pub objects: usize,
}

impl Load {
    fn method(&self, object: Object<'_>) -> Option<&Method> {
        let word = object.get(self.method_field).unwrap_or_default();
        if word.is_empty() {
            return self.methods.first();
        }
        self.methods.iter().find(|method| method.word.eq_ignore_ascii_case(word))
    }

    fn field(method: &Method, object: Object<'_>) -> Option<&'static str> {
        method.fields.iter().copied().find(|field| object.get(field).is_some())
    }

    /// The amount of an object in a part of the model; none where its method is not understood.
    fn amount(&self, object: Object<'_>, part: &Part, facts: &Facts, persons: f64) -> Option<f64> {
        let method = self.method(object)?;
        let value = object.number(Self::field(method, object)?).unwrap_or(0.0);
        let value = Some(value).filter(|value| value.is_finite())?;
        by_basis(method.basis, value, part, facts, persons)
    }
}

/// The amount that a value by a quantity comes to in a part of the model.
fn by_basis(basis: Basis, value: f64, part: &Part, facts: &Facts, persons: f64) -> Option<f64> {
    let zone = facts.zones.get(part.zone)?;
    Some(match basis {
        Basis::Total => value,
        Basis::Floor => value * part.floor_area,
        Basis::Person => value * persons,
        Basis::FloorForEach if value > 0.0 => part.floor_area / value,
        Basis::FloorForEach => 0.0,
        Basis::Outer => value * zone.outer_area,
        Basis::OuterWall => value * zone.outer_wall_area,
        Basis::AirChanges => value * part.volume / 3600.0,
    })
}

/// The people in each zone.
fn persons(document: &Document, facts: &Facts) -> Vec<f64> {
    let mut sums = vec![0.0; facts.zones.len()];
    for object in document.of_type(PEOPLE.object_type) {
        let named = place(object).map_or("", |place| place.1);
        for part in facts.parts(document, named) {
            let amount = PEOPLE.amount(object, &part, facts, 0.0).unwrap_or(0.0);
            if let Some(sum) = sums.get_mut(part.zone) {
                *sum += amount;
            }
        }
    }
    sums
}

/// People.
pub(super) const PEOPLE: Load = Load {
    object_type: "People",
    noun: "people",
    method_field: "number_of_people_calculation_method",
    methods: &[
        Method { word: "People", fields: &["number_of_people"], basis: Basis::Total },
        Method {
            word: "People/Area",
            fields: &["people_per_floor_area", "people_per_zone_floor_area"],
            basis: Basis::Floor,
        },
        Method {
            word: "Area/Person",
            fields: &["floor_area_per_person", "zone_floor_area_per_person"],
            basis: Basis::FloorForEach,
        },
    ],
};

/// Puts one object for each zone in the place of one for several; answers them.
pub(super) fn divide(work: &mut Work, facts: &Facts, handle: Handle) -> Result<Vec<Handle>, Fault> {
    let object = work.object(handle)?;
    let Some((field, named)) = place(object) else { return Ok(vec![handle]) };
    let own = object.name().to_owned();
    let parts = facts.parts(&work.document, named);
    let names: Vec<String> = parts
        .iter()
        .filter_map(|part| match part.space {
            Some(space) => work.document.object(space).map(|space| space.name().to_owned()),
            None => facts.zones.get(part.zone).map(|zone| zone.name.clone()),
        })
        .collect();
    let mut made = Vec::new();
    for name in names {
        let (copy, _) = work.copy(handle, &format!("{name} {own}"))?;
        work.set(copy, json!({ field: name }))?;
        made.push(copy);
    }
    work.remove(&[handle])?;
    Ok(made)
}

/// The objects of a type in zones that are selected, each with its parts, after those that reach beyond them were divided.
pub(super) fn within(
    work: &mut Work,
    facts: &Facts,
    object_type: &str,
    selected: &HashSet<usize>,
) -> Result<Vec<(Handle, Vec<Part>)>, Fault> {
    let handles: Vec<Handle> = work.document.of_type(object_type).map(|object| object.handle()).collect();
    let mut found = Vec::new();
    for handle in handles {
        let object = work.object(handle)?;
        let label = object.label();
        let parts = facts.parts(&work.document, place(object).map_or("", |place| place.1));
        let inside = parts.iter().filter(|part| selected.contains(&part.zone)).count();
        if inside == 0 {
            continue;
        }
        if inside == parts.len() {
            found.push((handle, parts));
        } else if facts.graph.to(handle).is_empty() && !is_driven(&work.document, object_type, &label) {
            for own in divide(work, facts, handle)? {
                let parts = facts.parts(&work.document, place(work.object(own)?).map_or("", |place| place.1));
                if parts.iter().all(|part| selected.contains(&part.zone)) {
                    found.push((own, parts));
                }
            }
        } else {
            let why = "it is for zones of which some are not selected, and other objects name it";
            work.skip(format!("{object_type} `{label}`"), why);
        }
    }
    Ok(found)
}

/// True if a program of the energy management system sets an object while it runs.
fn is_driven(document: &Document, object_type: &str, name: &str) -> bool {
    let is = |object: Object<'_>, field: &str, word: &str| {
        object.get(field).is_some_and(|value| value.trim().eq_ignore_ascii_case(word.trim()))
    };
    document.of_type("EnergyManagementSystem:Actuator").any(|own| {
        is(own, "actuated_component_unique_name", name) && is(own, "actuated_component_type", object_type)
    })
}

/// Brings a load in the zones selected to a target.
pub(super) fn apply(
    work: &mut Work,
    facts: &Facts,
    load: &Load,
    target: Target,
    zones: &[usize],
) -> Result<Sums, Fault> {
    let selected: HashSet<usize> = zones.iter().copied().collect();
    let found = within(work, facts, load.object_type, &selected)?;
    let persons = persons(&work.document, facts);
    let in_zone = |zone: usize| persons.get(zone).copied().unwrap_or(0.0);
    // by zone: the sum, and how many objects make it
    let mut by_zone: BTreeMap<usize, (f64, usize, f64)> = BTreeMap::new();
    let mut understood = Vec::new();
    for (handle, parts) in found {
        let object = work.object(handle)?;
        let amounts: Option<Vec<f64>> =
            parts.iter().map(|part| load.amount(object, part, facts, in_zone(part.zone))).collect();
        let Some(amounts) = amounts else {
            let label = object.label();
            work.skip(format!("{} `{label}`", load.object_type), "its method is not understood");
            continue;
        };
        for (part, amount) in parts.iter().zip(&amounts) {
            let own = by_zone.entry(part.zone).or_default();
            own.0 += amount;
            own.1 += 1;
            own.2 = own.2.max(part.floor_area);
        }
        understood.push((handle, parts, amounts));
    }
    let mut sums = Sums::default();
    for (zone, (sum, _, _)) in &by_zone {
        let Some(known) = facts.zones.get(*zone) else { continue };
        sums.before += sum;
        sums.floor_area += known.floor_area;
        sums.volume += known.volume;
    }
    for (handle, parts, amounts) in understood {
        let label = work.object(handle)?.label();
        if is_driven(&work.document, load.object_type, &label) {
            let why = "a program of the energy management system sets it while it runs; the density holds while that does not";
            work.skip(format!("{} `{label}` in part", load.object_type), why);
        }
        let factor = |part: &Part| -> f64 {
            let whole = by_zone.get(&part.zone).map_or(0.0, |own| own.0);
            match target {
                Target::Factor(factor) => factor,
                Target::Value(basis, value) => {
                    let Some(zone) = facts.zones.get(part.zone) else { return f64::NAN };
                    let all = Part {
                        zone: part.zone,
                        space: None,
                        floor_area: zone.floor_area,
                        volume: zone.volume,
                    };
                    let wanted = by_basis(basis, value, &all, facts, in_zone(part.zone));
                    wanted.map_or(f64::NAN, |wanted| wanted / whole)
                }
            }
        };
        let alone = parts.iter().all(|part| by_zone.get(&part.zone).is_some_and(|own| own.1 == 1));
        if let (Target::Value(basis, value), true) = (target, alone) {
            set(work, load, handle, basis, value)?;
            let own = parts.iter().filter_map(|part| by_basis(basis, value, part, facts, in_zone(part.zone)));
            sums.after += own.sum::<f64>();
            sums.objects += 1;
            continue;
        }
        let factors: Vec<f64> = parts.iter().map(factor).collect();
        if factors.iter().any(|factor| !factor.is_finite()) {
            work.skip(
                format!("{} `{label}`", load.object_type),
                format!("there are several {} in its zone and all of them are zero", load.noun),
            );
            sums.after += amounts.iter().sum::<f64>();
            continue;
        }
        sums.after += amounts.iter().zip(&factors).map(|(amount, factor)| amount * factor).sum::<f64>();
        let first = factors.first().copied().unwrap_or(1.0);
        if factors.iter().all(|factor| (factor - first).abs() <= 1e-9 * first.abs()) {
            scale(work, load, handle, first)?;
            sums.objects += 1;
        } else {
            for (own, factor) in divide(work, facts, handle)?.into_iter().zip(factors) {
                scale(work, load, own, factor)?;
                sums.objects += 1;
            }
        }
    }
    Ok(sums)
}

/// Sets an object to a value by a quantity.
fn set(work: &mut Work, load: &Load, handle: Handle, basis: Basis, value: f64) -> Result<(), Fault> {
    let method = load.methods.iter().find(|method| method.basis == basis);
    let method = method.ok_or_else(|| Fault::backend("no method states a load by this quantity"))?;
    let object = work.object(handle)?;
    let field = Load::field(method, object).ok_or_else(|| {
        Fault::new(FaultCode::NotSupported, format!("{} has no method {}.", load.object_type, method.word))
    })?;
    work.set(handle, json!({ load.method_field: method.word, field: value }))
}

/// Multiplies what an object amounts to.
fn scale(work: &mut Work, load: &Load, handle: Handle, factor: f64) -> Result<(), Fault> {
    let object = work.object(handle)?;
    let Some(method) = load.method(object) else { return Ok(()) };
    let Some(field) = Load::field(method, object) else { return Ok(()) };
    let value = object.number(field).unwrap_or(0.0);
    let inverse = method.basis == Basis::FloorForEach;
    if inverse && factor == 0.0 {
        // no number of m² for each says nobody
        let total =
            load.methods.first().and_then(|method| method.fields.first().map(|field| (method.word, *field)));
        let Some((word, field)) = total else { return Ok(()) };
        return work.set(handle, json!({ load.method_field: word, field: 0.0 }));
    }
    let value = if inverse { value / factor } else { value * factor };
    work.set(handle, json!({ field: value }))
}

/// One of several ways in which a target may be given; a fault where not exactly one is.
pub(super) fn one_target(given: [(&str, Option<Target>); 3]) -> Result<Target, Fault> {
    let names: Vec<&str> = given.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
    let mut found = given.iter().filter_map(|(name, target)| target.map(|target| (*name, target)));
    let (Some((name, target)), None) = (found.next(), found.next()) else {
        return Err(Fault::invalid("measures", format!("Give one of {}.", names.join(", "))));
    };
    let (Target::Value(_, value) | Target::Factor(value)) = target;
    if (0.0..=MOST).contains(&value) {
        Ok(target)
    } else {
        Err(Fault::invalid(name, format!("`{name}` is a number that is not below zero, nor above {MOST}.")))
    }
}
