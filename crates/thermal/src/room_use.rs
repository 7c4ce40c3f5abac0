//! The use of a room: what it is used for, and what follows in people, loads, air and set points.
//!
//! A correction goes first, then what the space's property sets state, then the row of the table of usages that its texts name.

use crate::{
    corrections::Here,
    report::Notes,
    space::Room,
    usage::{self, Usage},
};
use ifc::{psets, relations::Links, units::Units};

/// Leaks, in air changes an hour: an ordinary building without a blower-door test (EN 12831-1, n50 about 3 to 5 1/h, moderate shelter).
const INFILTRATION: f64 = 0.25;
/// Set points of a room that is heated though its usage is not, in °C (EN 16798-1, category II, living spaces).
const HEATED: (f64, f64) = (20.0, 26.0);

/// The people of a room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum People {
    None,
    Number(f64),
    /// m² for each.
    AreaEach(f64),
}

/// The temperatures that a room is held at, in °C; `None` where it is not cooled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SetPoints {
    pub heating: f64,
    pub cooling: Option<f64>,
}

/// The use of a room.
#[derive(Debug, Clone)]
pub(crate) struct Use {
    pub usage: &'static Usage,
    pub people: People,
    /// W/m²
    pub lights: f64,
    /// W/m²
    pub equipment: f64,
    /// 1/h
    pub infiltration: f64,
    /// m³/s a person
    pub air_per_person: f64,
    /// m³/s a m²
    pub air_per_area: f64,
    /// `None` where it is neither heated nor cooled.
    pub set_points: Option<SetPoints>,
}

/// Reads the uses of all rooms, in their order.
pub(crate) fn uses(links: &Links<'_>, units: &Units, rooms: &[Room], notes: &mut Notes) -> Vec<Use> {
    rooms.iter().map(|room| Reader { links, units, room, usage: usage::usual() }.read(notes)).collect()
}

struct Reader<'a, 'm> {
    links: &'a Links<'m>,
    units: &'a Units,
    room: &'a Room,
    usage: &'static Usage,
}

impl Reader<'_, '_> {
    fn read(mut self, notes: &mut Notes) -> Use {
        self.usage = self.find(notes);
        let usage = self.usage;
        let loads = format!("usage {}: {}", usage.name, usage.sources.loads);
        let air = format!("usage {}: {}", usage.name, usage.sources.air);
        let set = "Pset_SpaceOccupancyRequirements";
        let number = self.stated(set, "OccupancyNumber").filter(|n| *n > 0.0);
        let each = self.stated(set, "AreaPerOccupant").filter(|n| *n > 0.1);
        let corrected = self.corrected(notes, "people", "m² each");
        let people = match (corrected.or(each.filter(|_| number.is_none())), number) {
            (Some(each), _) => People::AreaEach(each),
            (None, Some(number)) => People::Number(number),
            (None, None) if usage.area_per_person > 0.0 => {
                notes.assume(
                    "people",
                    &self.room.guid,
                    &format!("{} m² each", usage.area_per_person),
                    &loads,
                );
                People::AreaEach(usage.area_per_person)
            }
            _ => People::None,
        };
        if let Some(profile) = usage::profile(&usage.profile) {
            notes.assume("hours of use", &self.room.guid, &usage.profile, &profile.source);
        }
        let mut of = |what: &str, unit: &str, value: f64, source: &str| {
            self.corrected(notes, what, unit).unwrap_or_else(|| {
                if value > 0.0 || what == "lights" || what == "equipment" {
                    notes.assume(what, &self.room.guid, &format!("{value} {unit}"), source);
                }
                value
            })
        };
        let lights = of("lights", "W/m²", usage.lights, &loads);
        let equipment = of("equipment", "W/m²", usage.equipment, &loads);
        let air_per_area = of("fresh air by area", "m³/s a m²", usage.air_per_area, &air);
        let air_per_person = of("fresh air by people", "m³/s a person", usage.air_per_person, &air);
        let shelter = "an ordinary building, moderate shelter (EN 12831-1)";
        let infiltration = of("infiltration", "1/h", INFILTRATION, shelter);
        let set_points = self.is_heated(notes).then(|| self.set_points(notes));
        Use { usage, people, lights, equipment, infiltration, air_per_person, air_per_area, set_points }
    }

    /// The names by which a correction may call this room.
    fn here(&self) -> Here<'_, '_> {
        Here::element(self.links, self.room.space, &[&self.room.label, &self.usage.name])
    }

    fn corrected(&self, notes: &mut Notes, what: &str, unit: &str) -> Option<f64> {
        notes.number(what, &self.room.guid, unit, &self.here())
    }

    /// The row of the table: what a correction says, else what the space says it is.
    fn find(&self, notes: &mut Notes) -> &'static Usage {
        let model = self.links.model();
        let space = model.get(self.room.space);
        let text = |name: &str| space.as_ref().and_then(|s| s.text(name)).unwrap_or_default();
        let property = |set: &str, name: &str| {
            psets::find_with(self.links, self.room.space, set, name)
                .and_then(|p| p.value.as_text().map(str::to_owned))
                .unwrap_or_default()
        };
        let classified =
            self.links.classifications_of(self.room.space).into_iter().filter_map(|id| model.get(id)?.name());
        let said = [
            property("Pset_SpaceOccupancyRequirements", "OccupancyType"),
            text("LongName"),
            text("ObjectType"),
            text("Name"),
            classified.collect::<Vec<_>>().join(" "),
            property("Pset_SpaceCommon", "Category"),
            property("PSet_Revit_Other", "Category Description"),
            text("Description"),
        ];
        let said: Vec<String> = said.iter().map(|s| s.to_lowercase()).filter(|s| !s.is_empty()).collect();
        let told = usage::told(&said);
        let row = told.map_or_else(usage::usual, |(row, _)| row);
        let what = "use of the room";
        let here = Reader { usage: row, ..*self };
        if let Some(name) = notes.word(what, &self.room.guid, &here.here()) {
            return usage::named(&name).unwrap_or(row);
        }
        let why = told.map_or_else(
            || "the space says nothing that the table of uses knows".to_owned(),
            |(_, words)| format!("the space says {words:?}"),
        );
        notes.assume(what, &self.room.guid, &row.name, &why);
        row
    }

    fn stated(&self, set: &str, property: &str) -> Option<f64> {
        let found = psets::find_with(self.links, self.room.space, set, property)?;
        found.in_si(self.links.model(), self.units).or_else(|| found.value.as_f64()).filter(|v| v.is_finite())
    }

    /// A temperature that the space's requirements state, in °C, under the first of these names that is there.
    fn temperature(&self, names: [&str; 2], low: f64, high: f64) -> Option<f64> {
        // many files write degrees Celsius where kelvins are due
        let celsius = |v: f64| if v > 150.0 { v - 273.15 } else { v };
        let mut found = names.iter().filter_map(|n| self.stated("Pset_SpaceThermalRequirements", n));
        found.next().map(celsius).filter(|v| (low..=high).contains(v))
    }

    /// The heating set point that the file states, in °C.
    fn stated_heating(&self) -> Option<f64> {
        self.temperature(["SpaceTemperatureWinterMin", "SpaceTemperatureMin"], 5.0, 26.0)
            .or_else(|| self.temperature(["SpaceTemperatureWinter", "SpaceTemperature"], 5.0, 26.0))
    }

    /// Returns true if the room is heated: by a correction, by what its property sets state, else by its usage.
    fn is_heated(&self, notes: &mut Notes) -> bool {
        let place = &self.room.guid;
        if let Some(word) = notes.word("heated", place, &self.here()) {
            return word == "yes";
        }
        if self.usage.heating > 0.0 {
            notes.assume("heated", place, "yes", &format!("usage {}", self.usage.name));
            return true;
        }
        const DESIGN: [(&str, &str); 4] = [
            ("Pset_SpaceThermalDesign", "TotalHeatLoss"),
            ("Pset_SpaceThermalDesign", "HeatingDesignAirflow"),
            ("Pset_SpaceHVACDesign", "TotalHeatLoss"),
            ("Pset_SpaceHVACDesign", "HeatingDesignAirflow"),
        ];
        let designed = DESIGN.iter().find(|(set, name)| self.stated(set, name).is_some_and(|v| v > 0.0));
        let why = match (self.stated_heating(), designed) {
            (Some(t), _) => Some(format!("Pset_SpaceThermalRequirements states {t} °C")),
            (None, Some((set, name))) => Some(format!("{set} states {name}")),
            (None, None) => None,
        };
        let is_heated = why.is_some();
        let why =
            why.unwrap_or_else(|| format!("usage {}, and no property set says otherwise", self.usage.name));
        notes.assume("heated", place, if is_heated { "yes" } else { "no" }, &why);
        is_heated
    }

    fn set_points(&self, notes: &mut Notes) -> SetPoints {
        let (usage, place) = (self.usage, self.room.guid.as_str());
        let is_usual = usage.heating > 0.0;
        let source = if is_usual {
            format!("usage {}: {}", usage.name, usage.sources.setpoints)
        } else {
            "EN 16798-1, category II, living spaces: the usage has none".to_owned()
        };
        let (usual, usual_cooling) = if is_usual { (usage.heating, usage.cooling) } else { HEATED };
        let corrected = self.corrected(notes, "heating setpoint", "°C");
        let heating = corrected.or_else(|| self.stated_heating()).unwrap_or_else(|| {
            notes.assume("heating setpoint", place, &format!("{usual} °C"), &source);
            usual
        });
        let corrected = self.corrected(notes, "cooling setpoint", "°C").map(|v| v.max(heating + 0.1));
        let stated = self
            .temperature(["SpaceTemperatureSummerMax", "SpaceTemperatureMax"], 20.0, 35.0)
            // a room that is to be as warm in summer as in winter was not thought of as cooled
            .filter(|v| *v >= self.stated_heating().unwrap_or(heating).max(heating) + 2.0);
        let cooling = corrected.or(stated).or_else(|| {
            if usual_cooling == 0.0 {
                notes.assume("cooled", place, "no", &source);
                return None;
            }
            let value = usual_cooling.max(heating + 2.0);
            notes.assume("cooling setpoint", place, &format!("{value} °C"), &source);
            Some(value)
        });
        SetPoints { heating, cooling }
    }
}
