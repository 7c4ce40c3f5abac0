//! Corrections: values that a person gives in the place of assumptions, each for places in the building, which the next run applies.
//!
//! A correction that says no such quantity, no such value, or a place that is not in the building is refused, with what would do.

use contract::Fault;
use energy::ops::{Assumption, Correction, CorrectionValue};
use ifc::{Id, relations::Links};
use std::{cell::Cell, collections::HashMap};

/// The values that a quantity may be given.
enum Takes {
    /// A number with its unit, from the least to the greatest.
    Number(&'static str, f64, f64),
    /// One of some words.
    Words(&'static [&'static str]),
    /// A row of the table of usages.
    Usage,
}

use Takes::{Number, Usage, Words};

/// The quantities that may be corrected, by the names that assumptions have.
const QUANTITIES: &[(&str, Takes)] = &[
    ("use of the room", Usage),
    ("heated", Words(&["yes", "no"])),
    ("people", Number("m² each", 0.2, 10_000.0)),
    ("lights", Number("W/m²", 0.0, 500.0)),
    ("equipment", Number("W/m²", 0.0, 5_000.0)),
    ("fresh air by area", Number("m³/s a m²", 0.0, 0.1)),
    ("fresh air by people", Number("m³/s a person", 0.0, 1.0)),
    ("infiltration", Number("1/h", 0.0, 50.0)),
    ("heating setpoint", Number("°C", 5.0, 35.0)),
    ("cooling setpoint", Number("°C", 10.0, 45.0)),
    ("boundary", Words(&["outdoors", "ground", "adiabatic"])),
    ("thermal transmittance", Number("W/(m²·K)", 0.05, 6.0)),
    ("conductivity", Number("W/(m·K)", 0.005, 500.0)),
    ("density", Number("kg/m³", 1.0, 12_000.0)),
    ("specific heat", Number("J/(kg·K)", 100.0, 5_000.0)),
    ("resistance of a layer of air", Number("m²·K/W", 0.01, 2.0)),
    ("thermal transmittance of glazing", Number("W/(m²·K)", 0.2, 7.0)),
    ("solar heat gain coefficient", Number("", 0.01, 1.0)),
    ("visible transmittance", Number("", 0.01, 1.0)),
    ("thermal transmittance of a door", Number("W/(m²·K)", 0.1, 5.5)),
    ("width of the frame", Number("m", 0.001, 0.5)),
    ("true north", Number("° clockwise from the y axis", -360.0, 360.0)),
    ("level of the terrain", Number("m", -10_000.0, 10_000.0)),
    ("temperature of the ground under the building", Number("°C", -30.0, 40.0)),
];

/// The most places that a refusal names.
const TOLD: usize = 24;

/// The most corrections, places of all of them, and IFC classes among those.
const MOST: usize = 20_000;
const MOST_PLACES: usize = 100_000;
const MOST_CLASSES: usize = 200;

/// A value that a quantity takes.
#[derive(Debug, Clone)]
enum Sound {
    Number(f64),
    Word(String),
}

/// A place of a correction: of several that are called so the last.
#[derive(Debug)]
struct Place {
    /// The number of the correction.
    number: usize,
    value: Sound,
    is_applied: Cell<bool>,
}

/// The corrections of one quantity.
#[derive(Debug, Default)]
struct Quantity {
    /// By what a person wrote; GlobalIds differ by case alone.
    places: HashMap<String, Place>,
    /// By the same in lower case: what was written.
    names: HashMap<String, Vec<String>>,
    /// Of these, those that are IFC classes.
    classes: Vec<String>,
}

/// The corrections of a run, and which of their places were met.
#[derive(Debug, Default)]
pub(crate) struct Corrections {
    quantities: HashMap<&'static str, Quantity>,
}

/// The names by which a correction may call the thing at hand.
#[derive(Clone)]
pub(crate) struct Here<'a, 'm> {
    links: &'a Links<'m>,
    id: Option<Id>,
    names: Vec<&'a str>,
}

impl<'a, 'm> Here<'a, 'm> {
    /// An element, space or type: by its GlobalId, one of its names, its class, or its type; and by more names.
    pub fn element(links: &'a Links<'m>, id: Id, names: &[&'a str]) -> Here<'a, 'm> {
        Here { links, id: Some(id), names: names.to_vec() }
    }

    /// The project, the site or the building as a whole.
    pub fn whole(links: &'a Links<'m>) -> Here<'a, 'm> {
        Here {
            links,
            id: None,
            names: vec!["project", "site", "building", "IfcProject", "IfcSite", "IfcBuilding"],
        }
    }

    /// The last place of a quantity that means it.
    fn place<'q>(&self, quantity: &'q Quantity) -> Option<&'q Place> {
        let model = self.links.model();
        let ids = self.id.into_iter().flat_map(|id| [Some(id), self.links.type_of(id)]).flatten();
        let mut met: Vec<&Place> = Vec::new();
        let mut named = |name: &str| {
            let written = quantity.names.get(&name.trim().to_lowercase());
            met.extend(written.into_iter().flatten().filter_map(|written| quantity.places.get(written)));
        };
        self.names.iter().for_each(|name| named(name));
        let mut guids = Vec::new();
        for instance in ids.filter_map(|id| model.get(id)) {
            ["Name", "LongName", "ObjectType", "Tag"]
                .iter()
                .filter_map(|a| instance.text(a))
                .for_each(|n| named(&n));
            guids.extend(instance.guid());
        }
        met.extend(guids.iter().filter_map(|guid| quantity.places.get(guid)));
        let instance = self.id.and_then(|id| model.get(id));
        let of_class = |class: &&String| instance.as_ref().is_some_and(|i| i.is_a(class));
        met.extend(quantity.classes.iter().filter(of_class).filter_map(|class| quantity.places.get(class)));
        for place in &met {
            place.is_applied.set(true);
        }
        met.into_iter().max_by_key(|place| place.number)
    }
}

/// The values that a quantity may be given, in words; `None` for one that cannot be corrected.
pub(crate) fn values_of(what: &str) -> Option<String> {
    let (_, takes) = QUANTITIES.iter().find(|(name, _)| *name == what)?;
    Some(match takes {
        Number(unit, low, high) => format!("a number from {low} to {high} {unit}").trim_end().to_owned(),
        Words(words) => words.join(" or "),
        Usage => "a usage".to_owned(),
    })
}

impl Corrections {
    /// Reads corrections; a Fault names the first that is none, and what would do.
    pub fn read(given: &[Correction]) -> Result<Corrections, Fault> {
        let mut corrections = Corrections::default();
        let mut places = 0;
        for (number, correction) in given.iter().enumerate() {
            let known = QUANTITIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(correction.what.trim()));
            let Some((what, takes)) = known else {
                let names: Vec<&str> = QUANTITIES.iter().map(|(name, _)| *name).collect();
                return Err(Fault::invalid(
                    &format!("corrections[{number}].what"),
                    format!(
                        "'{}' is nothing that may be corrected. These may be: {}.",
                        correction.what,
                        names.join(", ")
                    ),
                ));
            };
            if correction.places.is_empty() {
                return Err(Fault::invalid(
                    &format!("corrections[{number}].where"),
                    "A correction needs places: GlobalIds, names, usages or IFC classes.",
                ));
            }
            let value = sound(takes, &correction.value).ok_or_else(|| {
                let values = match takes {
                    Usage => format!("a usage: {}", crate::usage::names().join(", ")),
                    _ => values_of(what).unwrap_or_default(),
                };
                Fault::invalid(
                    &format!("corrections[{number}].value"),
                    format!("The value for '{what}' must be {values}."),
                )
            })?;
            let quantity = corrections.quantities.entry(what).or_default();
            for name in correction.places.iter().map(|name| name.trim()) {
                places += 1;
                let place = Place { number, value: value.clone(), is_applied: false.into() };
                if quantity.places.insert(name.to_owned(), place).is_none() {
                    quantity.names.entry(name.to_lowercase()).or_default().push(name.to_owned());
                    if name.starts_with("Ifc") {
                        quantity.classes.push(name.to_owned());
                    }
                }
            }
            if number >= MOST || places > MOST_PLACES || quantity.classes.len() > MOST_CLASSES {
                return Err(Fault::invalid(
                    "corrections",
                    format!(
                        "At most {MOST} corrections are taken, with {MOST_PLACES} places and {MOST_CLASSES} classes. Use classes and \
                         usages in the place of many GlobalIds."
                    ),
                ));
            }
        }
        Ok(corrections)
    }

    /// Returns true if there is any of a quantity.
    pub fn has(&self, what: &str) -> bool {
        self.quantities.contains_key(what)
    }

    /// The number that a quantity is given at a place.
    pub fn number(&self, what: &str, here: &Here<'_, '_>) -> Option<f64> {
        match here.place(self.quantities.get(what)?)?.value {
            Sound::Number(value) => Some(value),
            Sound::Word(_) => None,
        }
    }

    /// The word that a quantity is given at a place.
    pub fn word(&self, what: &str, here: &Here<'_, '_>) -> Option<String> {
        match &here.place(self.quantities.get(what)?)?.value {
            Sound::Word(word) => Some(word.clone()),
            Sound::Number(_) => None,
        }
    }

    /// A Fault for the first place that nothing in the building is called, with the places where the quantity was assumed.
    pub fn all_applied(&self, assumptions: &[Assumption]) -> Result<(), Fault> {
        let all = self
            .quantities
            .iter()
            .flat_map(|(what, of)| of.places.iter().map(move |(name, place)| (what, name, place)));
        let missed = all.filter(|(.., place)| !place.is_applied.get());
        let Some((what, name, place)) = missed.min_by_key(|(_, name, place)| (place.number, name.as_str()))
        else {
            return Ok(());
        };
        let of_it = assumptions.iter().filter(|a| a.what == **what);
        let mut places: Vec<&str> = of_it.flat_map(|a| &a.places).map(String::as_str).collect();
        places.dedup();
        let first = places.get(..TOLD).unwrap_or(&places);
        let told = match places.len() {
            0 => "Nothing of the kind is assumed in this building.".to_owned(),
            total if total > TOLD => format!("It was assumed at {total} places: {}, …", first.join(", ")),
            _ => format!("It was assumed at: {}.", first.join(", ")),
        };
        Err(Fault::invalid(
            &format!("corrections[{}].where", place.number),
            format!(
                "'{name}' is the GlobalId, name, usage or class of nothing here that has a {what}. {told}"
            ),
        )
        .with("may_be_corrected", first))
    }
}

/// The value as a quantity takes it; `None` for one that it does not.
fn sound(takes: &Takes, value: &CorrectionValue) -> Option<Sound> {
    match takes {
        Number(_, low, high) => {
            let number = match value {
                CorrectionValue::Number(number) => *number,
                // as assumptions have it: with its unit
                CorrectionValue::Text(text) => text.split_whitespace().next()?.parse().ok()?,
                CorrectionValue::Flag(_) => return None,
            };
            (number.is_finite() && (*low..=*high).contains(&number)).then_some(Sound::Number(number))
        }
        Words(words) => {
            let word = match value {
                CorrectionValue::Flag(true) => "yes".to_owned(),
                CorrectionValue::Flag(false) => "no".to_owned(),
                CorrectionValue::Text(text) => text.trim().to_lowercase(),
                CorrectionValue::Number(_) => return None,
            };
            words.contains(&word.as_str()).then_some(Sound::Word(word))
        }
        Usage => {
            let CorrectionValue::Text(text) = value else { return None };
            crate::usage::named(text).map(|usage| Sound::Word(usage.name.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correction(what: &str, place: &str, value: CorrectionValue) -> Correction {
        Correction { what: what.into(), places: vec![place.into()], value }
    }

    /// The part of a correction that is for the site of a model without anything.
    fn of_site(all: &[Correction], what: &str) -> Result<(Option<f64>, Option<String>), Fault> {
        let model = ifc::Model::blank(ifc::SchemaVersion::Ifc4, ifc::Header::default());
        let links = Links::of_one(&model);
        let read = Corrections::read(all)?;
        let found = (read.number(what, &Here::whole(&links)), read.word(what, &Here::whole(&links)));
        read.all_applied(&[])?;
        Ok(found)
    }

    #[test]
    fn a_value_is_taken_as_number_or_with_its_unit_and_refused_beyond_its_bounds() {
        let number = |value| of_site(&[correction("conductivity", "site", value)], "conductivity").ok()?.0;
        assert_eq!(number(CorrectionValue::Number(0.9)), Some(0.9));
        assert_eq!(number(CorrectionValue::Text("0.9 W/(m·K)".into())), Some(0.9));
        for wrong in [f64::NAN, f64::INFINITY, -1.0, 1e9] {
            assert_eq!(number(CorrectionValue::Number(wrong)), None, "{wrong}");
        }
        assert_eq!(number(CorrectionValue::Text("thin".into())), None);
        let flag = of_site(&[correction("heated", "Site", CorrectionValue::Flag(false))], "heated");
        assert_eq!(flag.unwrap().1.as_deref(), Some("no"));
    }

    #[test]
    fn what_is_unknown_or_nowhere_is_refused_with_what_would_do() {
        let unknown = Corrections::read(&[correction("colour", "Bad", CorrectionValue::Number(1.0))]);
        assert!(unknown.is_err_and(|fault| fault.message.contains("conductivity")));
        let text = CorrectionValue::Text("dungeon".into());
        let usage = Corrections::read(&[correction("use of the room", "Bad", text)]);
        assert!(usage.is_err_and(|fault| fault.message.contains("bathroom")));
        let empty =
            Correction { places: Vec::new(), ..correction("lights", "", CorrectionValue::Number(1.0)) };
        assert!(Corrections::read(&[empty]).is_err());
        let nowhere =
            Corrections::read(&[correction("lights", "Saal", CorrectionValue::Number(3.0))]).unwrap();
        let assumed = Assumption {
            what: "lights".into(),
            places: vec!["Bad".into()],
            count: 1,
            value: "6 W/m²".into(),
            source: "table".into(),
            correct: values_of("lights"),
        };
        let fault = nowhere.all_applied(&[assumed]).unwrap_err();
        assert!(fault.message.contains("Saal") && fault.message.contains("Bad"), "{}", fault.message);
    }

    #[test]
    fn of_two_corrections_for_one_place_the_later_counts() {
        let all = [
            correction("lights", "building", CorrectionValue::Number(3.0)),
            correction("lights", "Site", CorrectionValue::Number(5.0)),
            correction("lights", "project", CorrectionValue::Number(4.0)),
        ];
        assert_eq!(of_site(&all, "lights").unwrap().0, Some(4.0));
    }

    #[test]
    fn very_many_corrections_are_refused() {
        let classes: Vec<Correction> = (0..=MOST_CLASSES)
            .map(|n| correction("lights", &format!("IfcNothing{n}"), CorrectionValue::Number(3.0)))
            .collect();
        assert!(Corrections::read(&classes).is_err_and(|fault| fault.message.contains("classes")));
    }
}
