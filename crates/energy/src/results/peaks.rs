//! What a peak load is made of, and what looks wrong about it.
//!
//! Two tables say it. The component loads of the design days (report `ZoneComponentLoadSummary`) split what a zone is sized
//! for, with the part of the radiation that walls give back later; they are there whenever the report was asked for. The
//! sensible heat gains at the peak (report `SensibleHeatGainSummary`) split the highest load of a run period, and are
//! empty after design days. Where a run has neither, the answer says which to ask for rather than zero.
//!
//! Flags are hints for a second look, each with the number that raised it; bounds are those of common practice, not of a
//! standard, but for the 300 unmet hours of ASHRAE 90.1 G3.1.2.3.

use super::database::{EnvironmentKind, Results};
use super::summary::{ZoneSizing, area};
use super::tables::{Table, TableRow, simple};
use crate::digits::{rounded, to_decimals};
use contract::Fault;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;

/// The peak loads of a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeakLoads {
    /// For cooling.
    pub cooling: PeakSide,
    /// For heating.
    pub heating: PeakSide,
    /// Floor area of the building, in m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_area_m2: Option<f64>,
    /// The meaning of percentages, in `design` and in `run`.
    pub percent_of: PercentOf,
    /// Numbers that deserve a second look.
    pub flags: Vec<Flag>,
}

/// The wholes that percentages of the parts of peaks are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PercentOf {
    /// Of the peaks of design days.
    pub design: &'static str,
    /// Of the peaks of run periods.
    pub run: &'static str,
}

/// One side.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeakSide {
    /// The sum of what the zones are sized for, in W; a zone that stands for several is sized for all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sized_w: Option<f64>,
    /// The size for each m² of floor, in W/m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sized_w_per_m2: Option<f64>,
    /// The whole facility's peak in the run period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facility: Option<Peak>,
    /// The zones, the largest first.
    pub zones: Vec<ZonePeak>,
    /// The number of zones that are not listed.
    pub zones_left_out: usize,
    /// Why there is nothing to split, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// The peak of a zone.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ZonePeak {
    /// The zone.
    pub zone: String,
    /// The number of zones that it stands for.
    #[serde(skip_serializing_if = "is_one")]
    pub multiplier: f64,
    /// Its floor area, in m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_area_m2: Option<f64>,
    /// The load of the design day in W, without the sizing factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calculated_w: Option<f64>,
    /// The size in W, with the sizing factor, of all the zones that it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sized_w: Option<f64>,
    /// The size for each m² of floor, in W/m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sized_w_per_m2: Option<f64>,
    /// The design day of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design_day: Option<String>,
    /// When on that day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sized_at: Option<String>,
    /// The components of the design day's peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<Peak>,
    /// The components of the run period's peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Peak>,
}

/// A peak and its parts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Peak {
    /// When.
    pub at: String,
    /// In W: of a design day all parts together, of a run period what the systems bring in or take out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_w: Option<f64>,
    /// The whole that the percentages of its parts are of.
    #[serde(skip)]
    pub percent_of: &'static str,
    /// Its parts as name, W and percent, the largest first; gains are positive, losses negative.
    #[schemars(with = "Vec<Vec<serde_json::Value>>")]
    pub components: Vec<Component>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    clippy::float_cmp,
    reason = "serde asks for a reference, and a multiplier is a whole number"
)]
fn is_one(multiplier: &f64) -> bool {
    *multiplier == 1.0
}

/// A part of a peak.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// The source, in the program's words.
    pub name: String,
    /// In W; positive heats the zone.
    pub w: f64,
    /// Its share in percent, of what `percent_of` says.
    pub percent: Option<f64>,
}

impl Serialize for Component {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.percent {
            Some(percent) => (&self.name, self.w, percent).serialize(serializer),
            None => (&self.name, self.w).serialize(serializer),
        }
    }
}

/// The percentages of a design day's peak.
const OF_GRAND_TOTAL: &str =
    "the peak's grand total, losses negative, as EnergyPlus' ZoneComponentLoadSummary has it (%Grand Total)";
/// Those of a run period's peak, for which the program gives none.
const OF_GAINS: &str = "all gains of the hour for gains, all losses for losses, computed from EnergyPlus' SensibleHeatGainSummary";

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Flag {
    /// The check that raised it.
    pub check: String,
    /// The finding, and what to look at.
    pub message: String,
}

/// The facts on a zone in the tables.
#[derive(Debug, Clone, Copy)]
struct ZoneInfo {
    area: Option<f64>,
    multiplier: f64,
    counted: bool,
}

/// Parts of a peak that are listed.
const COMPONENTS: usize = 6;

impl Results {
    /// Reads the components of the peak loads; at most so many zones on each side.
    pub fn peak_loads(&self, zones: usize) -> Result<PeakLoads, Fault> {
        let infos = self.zone_infos()?;
        let floor_area_m2 = self
            .facility_table(super::summary::UTILITY, "Building Area")?
            .and_then(|table| area(&table, "Total Building Area"))
            .map(|area| rounded(area, "m2"));
        let has_run_period = self.environments()?.iter().any(|known| known.kind == EnvironmentKind::Annual);
        let sizing = self.zone_sizing()?;
        let mut designed = self.tables_of_report("Zone Component Load Summary")?;
        designed.extend(self.tables_of_report("ZoneComponentLoadSummary")?);
        let mut flags = Vec::new();
        let mut side = |name: &'static str| -> Result<PeakSide, Fault> {
            let gains = self.facility_table(
                "SensibleHeatGainSummary",
                &format!("Peak {name} Sensible Heat Gain Components"),
            )?;
            let side =
                Side { name, infos: &infos, sizing: &sizing, designed: &designed, gains, has_run_period };
            let mut found = side.gather(floor_area_m2);
            flag(name, &found, &mut flags);
            found.zones_left_out = found.zones.len().saturating_sub(zones);
            found.zones.truncate(zones);
            Ok(found)
        };
        let (cooling, heating) = (side("Cooling")?, side("Heating")?);
        if let Some(facility) = self.unmet_hours(0)?.facility {
            for (what, hours) in
                [("heating", facility.occupied_heating), ("cooling", facility.occupied_cooling)]
            {
                if hours > 300.0 {
                    flags.push(Flag {
                        check: "unmet_hours".to_owned(),
                        message: format!(
                            "{hours:.0} occupied hours do not meet the {what} set point, more than 300: look at \
                             capacities, sizing factors and thermostat schedules."
                        ),
                    });
                }
            }
        }
        flags.truncate(40);
        let percent_of = PercentOf { design: OF_GRAND_TOTAL, run: OF_GAINS };
        Ok(PeakLoads { cooling, heating, floor_area_m2, percent_of, flags })
    }

    fn zone_infos(&self) -> Result<HashMap<String, ZoneInfo>, Fault> {
        let Some(table) = self.facility_table("InputVerificationandResultsSummary", "Zone Summary")? else {
            return Ok(HashMap::new());
        };
        let column = table.column("Area");
        let feet = column.and_then(|at| table.columns.get(at)).is_some_and(|column| column.units == "ft2");
        let multiplier = table.column_like("Multiplier");
        let counted = table.column_like("Part of Total Floor Area");
        let info = |row: &TableRow| ZoneInfo {
            area: row.number(column).map(|area| if feet { area * 0.092_903_04 } else { area }),
            multiplier: row.number(multiplier).filter(|value| *value >= 1.0).unwrap_or(1.0),
            counted: row.cell(counted) != Some("No"),
        };
        Ok(table.rows.iter().map(|row| (row.name.to_uppercase(), info(row))).collect())
    }
}

/// The facts known for one side.
struct Side<'a> {
    name: &'static str,
    infos: &'a HashMap<String, ZoneInfo>,
    sizing: &'a [ZoneSizing],
    designed: &'a [Table],
    gains: Option<Table>,
    has_run_period: bool,
}

impl Side<'_> {
    fn gather(&self, floor_area: Option<f64>) -> PeakSide {
        let sized: Vec<&ZoneSizing> = self.sizing.iter().filter(|zone| zone.load == self.name).collect();
        let mut names: Vec<String> = sized.iter().map(|zone| zone.zone.clone()).collect();
        if let Some(gains) = &self.gains {
            for row in &gains.rows {
                let special = row.name.is_empty() || row.name == "Total Facility";
                if !special && !names.iter().any(|name| name.eq_ignore_ascii_case(&row.name)) {
                    names.push(row.name.clone());
                }
            }
        }
        let mut zones: Vec<ZonePeak> = names.iter().map(|name| self.zone(name, &sized)).collect();
        zones.retain(|zone| {
            zone.sized_w.is_some_and(|w| w > 0.0) || zone.design.is_some() || zone.run.is_some()
        });
        // a zone that stands for several is sized for all of them
        let weight = |zone: &ZonePeak| zone.sized_w.unwrap_or_default();
        zones.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let share = |zone: &&ZoneSizing| {
            let info = self.infos.get(&zone.zone.to_uppercase());
            info.is_none_or(|info| info.counted).then_some(zone.user_w)
        };
        let total = sized.iter().filter_map(share).reduce(|a, b| a + b);
        let facility = self.gains.as_ref().and_then(|table| gains_of(table, "Total Facility"));
        let unavailable = (facility.is_none()
            && zones.iter().all(|zone| zone.design.is_none() && zone.run.is_none()))
        .then(|| self.unavailable());
        PeakSide {
            sized_w: total.map(|w| rounded(w, "W")),
            sized_w_per_m2: per_area(total, floor_area),
            facility,
            zones,
            zones_left_out: 0,
            unavailable,
        }
    }

    /// Says why nothing tells what the loads are made of.
    fn unavailable(&self) -> String {
        let sized = if self.sizing.is_empty() {
            "the run sized no zones (`Do Zone Sizing Calculation` of SimulationControl)"
        } else {
            "it wrote no report ZoneComponentLoadSummary on the zones that it sized"
        };
        let ran = match (self.has_run_period, self.gains.is_some()) {
            (false, _) => "it simulated no run period",
            (true, false) => "of its run period it wrote no report SensibleHeatGainSummary",
            (true, true) => "in its run period nothing was heated or cooled",
        };
        format!("Nothing says what these loads are made of: {sized}, and {ran}.")
    }

    fn zone(&self, name: &str, sized: &[&ZoneSizing]) -> ZonePeak {
        let info = self.infos.get(&name.to_uppercase());
        let sizing = sized.iter().find(|zone| zone.zone.eq_ignore_ascii_case(name));
        let floor_area_m2 = info.and_then(|info| info.area);
        let sized_w = sizing.map(|zone| zone.user_w);
        let multiplier = info.map_or(1.0, |info| info.multiplier);
        ZonePeak {
            zone: name.to_owned(),
            multiplier,
            floor_area_m2: floor_area_m2.map(|area| rounded(area, "m2")),
            calculated_w: sizing.map(|zone| rounded(zone.calculated_w, "W")),
            sized_w: sized_w.map(|w| rounded(w, "W")),
            sized_w_per_m2: per_area(sized_w, floor_area_m2.map(|area| area * multiplier)),
            design_day: sizing.map(|zone| zone.design_day.clone()).filter(|day| !day.is_empty()),
            sized_at: sizing.map(|zone| zone.peak_at.clone()).filter(|at| !at.is_empty()),
            design: self.designed(name),
            run: self.gains.as_ref().and_then(|table| gains_of(table, name)),
        }
    }

    /// From the component loads of the design day.
    fn designed(&self, zone: &str) -> Option<Peak> {
        let of_zone = |title: String| {
            self.designed
                .iter()
                .find(move |table| table.table_name == title && table.report_for.eq_ignore_ascii_case(zone))
        };
        let table = of_zone(format!("Estimated {} Peak Load Components", self.name))?;
        let total = table.column("Total");
        let percent = table.column("%Grand Total");
        let whole = table.rows.iter().find(|row| row.name == "Grand Total");
        let parts = table.rows.iter().filter(|row| row.name != "Grand Total").filter_map(|row| {
            Some(Component {
                name: row.name.clone(),
                w: row.number(total)?,
                percent: row.number(percent).map(|percent| to_decimals(percent, 1)),
            })
        });
        let conditions = of_zone(format!("{} Peak Conditions", self.name));
        let at = conditions.and_then(|table| {
            let row = table.rows.iter().find(|row| row.name == "Time of Peak Load")?;
            row.cell(Some(0)).map(str::to_owned)
        });
        peak(at?, parts.collect(), whole.and_then(|row| row.number(total)), OF_GRAND_TOTAL)
    }
}

/// From the sensible heat gains of the run period; `None` where it had no peak.
fn gains_of(table: &Table, zone: &str) -> Option<Peak> {
    let row = table.rows.iter().find(|row| row.name.eq_ignore_ascii_case(zone))?;
    let when = table.column_like("Time of Peak");
    let at = row.cell(when).filter(|at| *at != "-")?.to_owned();
    let parts: Vec<(&str, f64)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(at, _)| Some(*at) != when)
        .filter_map(|(at, column)| Some((column.name.as_str(), row.number(Some(at))?)))
        .collect();
    // what the systems bring in or take out is the answer to all the rest
    let by_systems = parts.iter().filter(|(name, _)| name.starts_with("HVAC Input")).map(|(_, w)| w.abs());
    let by_systems = by_systems.reduce(f64::max).filter(|w| *w > 0.0);
    let all = |sign: f64| parts.iter().map(|(_, w)| (w * sign).max(0.0)).sum::<f64>();
    let (gains, losses) = (all(1.0), all(-1.0));
    let share = |w: f64| {
        let whole = if w > 0.0 { gains } else { losses };
        (whole > 0.0).then(|| to_decimals(w.abs() / whole * 100.0, 1))
    };
    let plain = |name: &str| {
        name.trim_end_matches(" Heat Addition")
            .trim_end_matches(" Heat Removal")
            .trim_end_matches(" Sensible")
            .to_owned()
    };
    let parts = parts.iter().map(|(name, w)| Component { name: plain(name), w: *w, percent: share(*w) });
    peak(at, parts.collect(), by_systems, OF_GAINS)
}

/// A peak with its largest parts; none where it has none.
fn peak(
    at: String,
    mut components: Vec<Component>,
    total_w: Option<f64>,
    percent_of: &'static str,
) -> Option<Peak> {
    components.retain(|part| part.w != 0.0);
    components.sort_by(|a, b| b.w.abs().total_cmp(&a.w.abs()));
    components.truncate(COMPONENTS);
    for part in &mut components {
        part.w = rounded(part.w, "W");
    }
    let total_w = total_w.map(|w| rounded(w, "W"));
    (!components.is_empty()).then_some(Peak { at, total_w, percent_of, components })
}

fn per_area(w: Option<f64>, area: Option<f64>) -> Option<f64> {
    let area = area.filter(|area| *area > 0.0)?;
    Some(rounded(w? / area, "W/m2"))
}

/// The hour in `7/21 16:30:00` or `02-JUL-07:30`.
fn hour(at: &str) -> Option<u32> {
    let (before, _) = at.split_once(':')?;
    let digits: Vec<char> = before.chars().rev().take_while(char::is_ascii_digit).collect();
    digits.into_iter().rev().collect::<String>().parse().ok()
}

/// Flags what deserves a second look on one side.
fn flag(name: &'static str, side: &PeakSide, flags: &mut Vec<Flag>) {
    let mut raise = |check: &str, message: String| flags.push(Flag { check: check.to_owned(), message });
    if let Some(why) = &side.unavailable {
        raise("no_decomposition", format!("{name}: {why}"));
    }
    let (low, high) = if name == "Cooling" { (10.0, 250.0) } else { (5.0, 200.0) };
    for zone in &side.zones {
        if let Some(density) = zone.sized_w_per_m2.filter(|density| *density > high) {
            raise(
                "high_density",
                format!(
                    "{name}: {} is sized for {density} W/m², more than {high}: look at its loads, glazing, \
                     infiltration and floor area.",
                    zone.zone
                ),
            );
        }
        let hour = zone.sized_at.as_deref().and_then(hour);
        if let Some(hour) = hour.filter(|hour| name == "Cooling" && !(8..=20).contains(hour)) {
            raise(
                "odd_hour",
                format!("{name}: {} peaks at hour {hour}: look at its schedules and gains.", zone.zone),
            );
        }
        for peak in zone.design.iter().chain(&zone.run) {
            for (part, percent) in peak.components.iter().filter_map(|part| Some((part, part.percent?))) {
                if percent <= 60.0 {
                    continue;
                }
                // an inner zone is all people and devices; a share says something of what comes from outside
                let word = simple(&part.name);
                let outside = ["window", "fenestration", "infiltration", "ventilation"];
                let matters = (part.w > 0.0) == (name == "Cooling");
                if matters && outside.iter().any(|known| word.contains(known)) {
                    raise(
                        "dominant_component",
                        format!(
                            "{name}: {} makes {percent} % of {} in {} ({:.0} W): look at its input.",
                            part.name,
                            if peak.percent_of == OF_GRAND_TOTAL {
                                "the design peak"
                            } else {
                                "all gains or losses at the peak"
                            },
                            zone.zone,
                            part.w
                        ),
                    );
                }
            }
        }
    }
    if let Some(density) = side.sized_w_per_m2.filter(|density| *density > 0.0 && *density < low) {
        raise(
            "low_density",
            format!("{name}: the building is sized for {density} W/m², less than {low}: are loads missing?"),
        );
    }
    let facility = side.facility.as_ref();
    if let Some(hour) = facility.and_then(|peak| hour(&peak.at)) {
        if name == "Cooling" && !(10..=20).contains(&hour) {
            raise(
                "odd_hour",
                format!(
                    "The cooling peak of the run is at hour {hour}, not in the afternoon: look at set points and schedules; a morning peak often follows a night without cooling."
                ),
            );
        }
        if name == "Heating" && (11..=16).contains(&hour) {
            raise(
                "odd_hour",
                format!(
                    "The heating peak of the run is at hour {hour}, when it is warmest: look at set points and schedules."
                ),
            );
        }
    }
}
