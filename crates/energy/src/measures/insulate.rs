//! Insulation of walls, roofs, floors and ceilings to a U-value: a layer more, or the layer that insulates most made thicker or thinner.
//!
//! A construction that surfaces outside the selection have is copied. Surfaces that are two sides of one element get the same layers in
//! opposite order. A new outermost or innermost layer takes the absorptances and roughness of the face that it covers.

use super::facts::{Facts, is_outdoors};
use super::selector::Selector;
use super::work::{Work, others_use};
use super::{Change, ElementKind, FilmSource, Insulation, Place};
use crate::constructions::{self, Films, HeatFlow, Layer};
use crate::geometry::{Kind, Surface};
use crate::idf::{Document, Handle, Object};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The conductivity in W/(m·K) to which a material is insulation.
const INSULATING: f64 = 0.1;
/// Layers that a construction may have.
const MOST_LAYERS: usize = 10;
/// A layer thinner than this, in m, is given by its resistance: its own mass would ask for very short time steps.
const THIN: f64 = 0.005;

/// Insulation to a U-value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Insulate {
    /// Walls, roofs or floors to outdoors, or ceilings between zones. Inner walls where `by` names surfaces or constructions.
    pub surface_type: ElementKind,
    /// The U-value to reach, W/(m²·K), films of air included.
    pub u_value: f64,
    /// Where the insulation goes; by default `core` where one layer of insulation has half of the resistance or more, else `outside`.
    #[serde(default, rename = "where")]
    pub place: Option<Place>,
    /// The insulation of a new layer.
    #[serde(default)]
    pub material: Insulation,
    /// Its conductivity in W/(m·K), if not that of the material.
    #[serde(default)]
    pub conductivity: Option<f64>,
    /// The films of air that the U-value includes.
    #[serde(default)]
    pub films: FilmSource,
    /// The part of the model.
    #[serde(default)]
    pub by: Selector,
}

/// The figures of a kind of insulation.
#[derive(Debug, Clone, Deserialize)]
struct Known {
    conductivity: f64,
    density: f64,
    specific_heat: f64,
    source: String,
}

fn known(material: Insulation) -> Result<Known, Fault> {
    let table: BTreeMap<String, Known> = serde_json::from_str(include_str!("insulations.json"))
        .map_err(|why| Fault::backend(format!("the table of insulations: {why}")))?;
    let name = serde_json::to_value(material).unwrap_or_default();
    let found = table.get(name.as_str().unwrap_or_default()).cloned();
    found.ok_or_else(|| Fault::backend("the table of insulations lacks one"))
}

/// Surfaces of one construction that are to become alike.
struct Group {
    surfaces: Vec<Handle>,
    area: f64,
    films: Films,
}

impl Insulate {
    fn flow(&self) -> HeatFlow {
        match self.surface_type {
            ElementKind::Wall => HeatFlow::Horizontal,
            ElementKind::Roof | ElementKind::Ceiling => HeatFlow::Upward,
            ElementKind::Floor => HeatFlow::Downward,
        }
    }

    fn wants(&self, surface: &Surface) -> bool {
        let outdoors = is_outdoors(surface);
        let between =
            ["surface", "zone", "space"].iter().any(|word| surface.boundary.eq_ignore_ascii_case(word));
        match self.surface_type {
            ElementKind::Wall => {
                surface.kind == Kind::Wall && (outdoors || (between && self.by.names_surfaces()))
            }
            ElementKind::Roof => matches!(surface.kind, Kind::Roof | Kind::Ceiling) && outdoors,
            // a floor on the ground is given by its boundary's temperature, and has its construction's resistance alone
            ElementKind::Floor => {
                surface.kind == Kind::Floor && !between && !surface.boundary.eq_ignore_ascii_case("adiabatic")
            }
            ElementKind::Ceiling => surface.kind == Kind::Ceiling && between,
        }
    }

    fn films(&self, surface: &Surface) -> Films {
        let films = match self.films {
            FilmSource::Iso6946 => Films::iso_6946(self.flow()),
            FilmSource::Energyplus => Films::energyplus(self.flow()),
        };
        if is_outdoors(surface) {
            films
        } else if surface.boundary.to_lowercase().starts_with("ground")
            || surface.boundary.eq_ignore_ascii_case("foundation")
        {
            Films { outside: 0.0, ..films }
        } else {
            films.between_rooms()
        }
    }

    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if !(0.01..=20.0).contains(&self.u_value) {
            return Err(Fault::invalid("u_value", "`u_value` is between 0.01 and 20 W/(m²·K)."));
        }
        if self.conductivity.is_some_and(|value| !(0.001..=10.0).contains(&value)) {
            return Err(Fault::invalid("conductivity", "`conductivity` is between 0.001 and 10 W/(m·K)."));
        }
        let chosen: Vec<&Surface> = facts
            .scene
            .surfaces
            .iter()
            .filter(|own| own.mirror_of.is_none() && self.wants(own) && self.by.has_surface(own))
            .collect();
        if chosen.is_empty() {
            return Err(self.by.nothing(self.surface_type.place(), facts));
        }
        let mut groups: BTreeMap<(String, u64), Group> = BTreeMap::new();
        for surface in &chosen {
            let films = self.films(surface);
            let key = (surface.construction.to_lowercase(), films.resistance().to_bits());
            let group = groups.entry(key).or_insert_with(|| Group { surfaces: Vec::new(), area: 0.0, films });
            group.surfaces.push(surface.handle);
            group.area += net_area(facts, surface);
        }
        let (mut before, mut after, mut area, mut changed) = (0.0, 0.0, 0.0, 0);
        let mut done: HashSet<Handle> = HashSet::new();
        for ((name, _), mut group) in groups {
            // the other side of a pair may have been changed with the first
            group.surfaces.retain(|handle| !done.contains(handle));
            if group.surfaces.is_empty() {
                continue;
            }
            match self.improve(work, facts, &name, &group, &mut done)? {
                Ok((old, new)) => {
                    before += old * group.area;
                    after += new * group.area;
                    area += group.area;
                    changed += group.surfaces.len();
                }
                Err(why) => {
                    work.skip(format!("construction `{}`", spelled(&work.document, &name)), why);
                }
            }
        }
        if changed == 0 {
            let why: Vec<String> =
                work.skipped.iter().map(|skipped| format!("{}: {}", skipped.what, skipped.why)).collect();
            let message = format!("Nothing is insulated. {}.", why.join("; "));
            return Err(Fault::new(FaultCode::ConstraintViolation, message));
        }
        let source = match self.films {
            FilmSource::Iso6946 => "ISO 6946:2017, table 7",
            FilmSource::Energyplus => {
                "those by which EnergyPlus reports U-factors with film (ASHRAE 90.1-2004, appendix A)"
            }
        };
        let films = chosen.first().map_or(Films::NONE, |surface| self.films(surface));
        work.assume("films of air", format!("{:.3} + {:.3} m²·K/W", films.inside, films.outside), source);
        Ok(Change::new(
            changed,
            format!("{}, {area:.0} m² without openings", self.surface_type.word()),
            before / area,
            after / area,
            "W/(m²·K)",
        ))
    }

    /// Brings the surfaces of one construction to the U-value; answers what it was and is, or why not.
    fn improve(
        &self,
        work: &mut Work,
        facts: &Facts,
        name: &str,
        group: &Group,
        done: &mut HashSet<Handle>,
    ) -> Result<Result<(f64, f64), String>, Fault> {
        let Some(construction) = constructions::find(&work.document, name) else {
            return Ok(Err("it is not in the model".to_owned()));
        };
        let (handle, own_name) = (construction.handle(), construction.name().to_owned());
        let layers = match constructions::layers(&work.document, construction) {
            Ok(layers) => layers,
            Err(why) => return Ok(Err(why)),
        };
        let mut heated = work.document.of_type("ConstructionProperty:InternalHeatSource");
        let is_heated = heated
            .any(|own| own.get("construction_name").is_some_and(|named| named.eq_ignore_ascii_case(name)));
        drop(heated);
        if is_heated || construction.type_name() != "Construction" {
            return Ok(Err("a source of heat lies between its layers".to_owned()));
        }
        let old = match constructions::u_value(&work.document, construction, group.films) {
            Ok(old) => old,
            Err(why) => return Ok(Err(why)),
        };
        let missing = 1.0 / self.u_value - 1.0 / old;
        let (place, layer, resistance) = match self.place(&layers) {
            (Place::Core, Some((at, resistance))) => (Place::Core, at, resistance + missing),
            (Place::Core, None) => return Ok(Err("it has no layer that could insulate more".to_owned())),
            (place, _) => (place, 0, missing),
        };
        if place != Place::Core && missing <= 1e-9 {
            return Ok(Err(format!("its U-value is {old:.3} W/(m²·K) already")));
        }
        if resistance <= 0.0 {
            return Ok(Err(format!(
                "its other layers let {:.3} W/(m²·K) through with no insulation at all",
                1.0 / (1.0 / old + missing - resistance)
            )));
        }
        if place != Place::Core && layers.len() >= MOST_LAYERS {
            return Ok(Err(format!("it has {MOST_LAYERS} layers already; `where` core changes one of them")));
        }
        let mut names: Vec<String> = layers.iter().map(|(own, _)| own.name().to_owned()).collect();
        let new = match place {
            Place::Core => {
                let (material, kind) = match layers.get(layer) {
                    Some((own, kind)) => (own.handle(), *kind),
                    None => return Ok(Err("a layer is gone".to_owned())),
                };
                let new = self.thicker(work, material, kind, resistance)?;
                if let Some(slot) = names.get_mut(layer) {
                    slot.clone_from(&new);
                }
                new
            }
            Place::Outside | Place::Inside => {
                let face = if place == Place::Outside { layers.first() } else { layers.last() };
                let face = face.map(|(own, _)| own.handle());
                let new = self.layer(work, face, resistance)?;
                names.insert(if place == Place::Outside { 0 } else { names.len() }, new.clone());
                new
            }
        };
        if self.place.is_none() {
            work.assume(
                format!("place of the insulation in `{own_name}`"),
                place.word(),
                "where one layer of insulation (to 0.1 W/(m·K)) has half of the resistance or more it is changed, else a layer is added outside",
            );
        }
        if place == Place::Core {
            work.assume(
                format!("layer changed in `{own_name}`"),
                new,
                "the one with the greatest resistance",
            );
        }
        self.assign(work, facts, handle, &names, &group.surfaces, done)?;
        Ok(Ok((old, self.u_value)))
    }

    /// Where the insulation goes, and the layer that insulates most with its resistance.
    fn place(&self, layers: &[(Object<'_>, Layer)]) -> (Place, Option<(usize, f64)>) {
        let can_change = |object: Object<'_>| ["Material", "Material:NoMass"].contains(&object.type_name());
        let all: f64 = layers.iter().filter_map(|(_, layer)| layer.resistance()).sum();
        let most = layers
            .iter()
            .enumerate()
            .filter(|(_, (object, _))| can_change(*object))
            .filter_map(|(at, (_, layer))| Some((at, layer.resistance()?)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let insulates = |at: usize| match layers.get(at) {
            Some((_, Layer::Solid { conductivity, .. })) => *conductivity <= INSULATING,
            Some((_, Layer::Resistance(_))) => true,
            _ => false,
        };
        let is_core = most.is_some_and(|(at, own)| own * 2.0 >= all && insulates(at));
        let usual = if is_core { Place::Core } else { Place::Outside };
        (self.place.unwrap_or(usual), most)
    }

    /// A material as that of a layer, with this resistance.
    fn thicker(
        &self,
        work: &mut Work,
        material: Handle,
        kind: Layer,
        resistance: f64,
    ) -> Result<String, Fault> {
        let wanted = format!("{} R {resistance:.2}", work.object(material)?.name());
        let (copy, name) = work.copy(material, &wanted)?;
        let Layer::Solid { conductivity, .. } = kind else {
            work.set(copy, json!({ "thermal_resistance": resistance }))?;
            return Ok(name);
        };
        let conductivity = self.conductivity.unwrap_or(conductivity);
        work.set(copy, json!({ "thickness": resistance * conductivity, "conductivity": conductivity }))?;
        Ok(name)
    }

    /// A new layer of insulation with this resistance, whose face is that of the material that it covers.
    fn layer(&self, work: &mut Work, covered: Option<Handle>, resistance: f64) -> Result<String, Fault> {
        let known = known(self.material)?;
        let conductivity = self.conductivity.unwrap_or(known.conductivity);
        let source = if self.conductivity.is_some() { "given" } else { known.source.as_str() };
        work.assume("insulation", format!("{conductivity} W/(m·K), {} kg/m³", known.density), source);
        let mut fields = Map::new();
        fields.insert("roughness".to_owned(), json!("MediumRough"));
        if let Some(object) = covered.and_then(|handle| work.document.object(handle)) {
            for key in ["roughness", "thermal_absorptance", "solar_absorptance", "visible_absorptance"] {
                if let Some(value) = object.get(key).filter(|value| !value.is_empty()) {
                    fields.insert(key.to_owned(), json!(value));
                }
            }
        }
        let thickness = resistance * conductivity;
        let wanted = format!("Insulation R {resistance:.2}");
        if thickness < THIN {
            fields.insert("thermal_resistance".to_owned(), json!(resistance));
            let name = work.free_name("Material:NoMass", &wanted);
            work.add("Material:NoMass", &name, Value::Object(fields))?;
            return Ok(name);
        }
        fields.insert("thickness".to_owned(), json!(thickness));
        fields.insert("conductivity".to_owned(), json!(conductivity));
        fields.insert("density".to_owned(), json!(known.density));
        fields.insert("specific_heat".to_owned(), json!(known.specific_heat));
        let name = work.free_name("Material", &wanted);
        work.add("Material", &name, Value::Object(fields))?;
        Ok(name)
    }

    /// Gives surfaces a construction of these layers, and their other sides the same in opposite order.
    fn assign(
        &self,
        work: &mut Work,
        facts: &Facts,
        construction: Handle,
        layers: &[String],
        surfaces: &[Handle],
        done: &mut HashSet<Handle>,
    ) -> Result<(), Fault> {
        let others: HashMap<Handle, Handle> = surfaces
            .iter()
            .filter_map(|handle| Some((*handle, other_side(&work.document, *handle)?)))
            .collect();
        let mine: HashSet<Handle> = surfaces.iter().copied().collect();
        // two sides that are both chosen: one of them leads
        let leading: Vec<Handle> = surfaces
            .iter()
            .copied()
            .filter(|own| others.get(own).is_none_or(|other| !mine.contains(other) || own < other))
            .collect();
        let following: Vec<Handle> = leading.iter().filter_map(|own| others.get(own)).copied().collect();
        let all: HashSet<Handle> = leading.iter().chain(&following).copied().collect();
        let mirrored = layers.iter().ne(layers.iter().rev());
        let is_shared = others_use(&facts.graph, construction, &all) || (mirrored && !following.is_empty());
        let name = work.object(construction)?.name().to_owned();
        let wanted = format!("{name} U {:.3}", self.u_value);
        let own = if is_shared {
            layered(work, &wanted, layers)?
        } else {
            work.set(construction, numbered(layers))?;
            name
        };
        for handle in &leading {
            work.set(*handle, json!({ "construction_name": own }))?;
        }
        if !following.is_empty() {
            let back = if mirrored {
                let reversed: Vec<String> = layers.iter().rev().cloned().collect();
                layered(work, &format!("{wanted} reversed"), &reversed)?
            } else {
                own
            };
            for handle in &following {
                work.set(*handle, json!({ "construction_name": back }))?;
            }
        }
        done.extend(all);
        Ok(())
    }
}

/// Adds a construction of these layers; answers its name.
fn layered(work: &mut Work, wanted: &str, layers: &[String]) -> Result<String, Fault> {
    let name = work.free_name("Construction", wanted);
    work.add("Construction", &name, numbered(layers))?;
    Ok(name)
}

/// The fields of a construction of these layers.
pub(super) fn numbered(layers: &[String]) -> Value {
    let mut fields = Map::new();
    for (at, name) in layers.iter().enumerate() {
        let key = if at == 0 { "outside_layer".to_owned() } else { format!("layer_{}", at + 1) };
        fields.insert(key, json!(name));
    }
    Value::Object(fields)
}

/// The surface that is the other side of one, if the model gives it.
fn other_side(document: &Document, handle: Handle) -> Option<Handle> {
    let object = document.object(handle)?;
    let condition = object.get("outside_boundary_condition").unwrap_or("Surface");
    if !condition.eq_ignore_ascii_case("surface") {
        return None;
    }
    let named = object.get("outside_boundary_condition_object").filter(|name| !name.is_empty())?;
    let kinds = crate::geometry::polygon::DETAILED.iter().chain(&crate::geometry::polygon::SIMPLE);
    let mut found = kinds.filter_map(|kind| document.get(kind, named));
    found.find(|other| other.name() != "").map(|other| other.handle()).filter(|other| *other != handle)
}

/// The area of a surface without its openings, in m².
pub(super) fn net_area(facts: &Facts, surface: &Surface) -> f64 {
    let openings = facts
        .scene
        .surfaces
        .iter()
        .filter(|own| own.within.as_deref().is_some_and(|host| host.eq_ignore_ascii_case(&surface.name)));
    (surface.area() - openings.map(Surface::area).sum::<f64>()).max(0.0)
}

fn spelled(document: &Document, name: &str) -> String {
    constructions::find(document, name).map_or(name.to_owned(), |own| own.name().to_owned())
}
