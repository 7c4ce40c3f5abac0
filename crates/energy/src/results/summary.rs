//! What people ask first of a run: energy by end use, hours in which set points were not met, and how large the zones'
//! systems have to be.

use super::database::{Results, real, text};
use super::meters::{Shown, units_of};
use super::tables::Table;
use crate::digits::rounded;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const UTILITY: &str = "AnnualBuildingUtilityPerformanceSummary";

/// Energy by end use and source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndUses {
    /// Each use of each source that is not zero.
    pub uses: Vec<EndUse>,
    /// The totals of each source.
    pub totals: Vec<EndUse>,
    /// Energy of the site and at its source.
    pub site_and_source: Vec<SiteEnergy>,
    /// Floor area of the building, in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_area_m2: Option<f64>,
    /// Notes on these numbers, such as that a run of design days has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One use of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndUse {
    /// The purpose: heating, cooling, lights …
    #[serde(rename = "use")]
    pub name: String,
    /// From what: electricity, natural gas, water …
    pub source: String,
    /// The amount, in `units`.
    pub value: f64,
    /// The units that the run was told to write.
    pub units: String,
    /// The amount in kWh, if it is energy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kwh: Option<f64>,
    /// The meter that says so, over the run periods. Without it the amount is the table's, with the digits that the run wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meter: Option<String>,
}

/// A line of the table of site and source energy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SiteEnergy {
    /// The row: total or net, site or source.
    pub name: String,
    /// In kWh.
    pub kwh: f64,
    /// In kWh for each m² of the building, if the run wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kwh_per_m2: Option<f64>,
}

/// Hours in which a set point was not met.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UnmetHours {
    /// The zone; absent for the facility.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Hours of heating.
    pub heating: f64,
    /// Hours of cooling.
    pub cooling: f64,
    /// Of those of heating, while people were there.
    pub occupied_heating: f64,
    /// Of those of cooling, while people were there.
    pub occupied_cooling: f64,
}

/// Unmet hours of the whole building and its zones.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UnmetHoursAnswer {
    /// Hours in which any zone was off; not the sum of the zones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facility: Option<UnmetHours>,
    /// Zones with any, the worst first.
    pub zones: Vec<UnmetHours>,
    /// The number of zones that had none.
    pub zones_without: usize,
    /// The distance from the setpoint at which a zone counts, in K: heating, cooling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerances_k: Option<(f64, f64)>,
}

/// The needs of a zone on its design day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ZoneSizing {
    /// The zone.
    pub zone: String,
    /// `Cooling` or `Heating`.
    pub load: String,
    /// Computed, in W.
    pub calculated_w: f64,
    /// With the sizing factor, in W.
    pub user_w: f64,
    /// Air, computed, in m³/s.
    pub calculated_m3_s: f64,
    /// Air, with the sizing factor, in m³/s.
    pub user_m3_s: f64,
    /// The design day of the peak.
    pub design_day: String,
    /// When the peak is, as the program writes it.
    pub peak_at: String,
    /// Outdoors at the peak, in °C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outdoor_c: Option<f64>,
    /// Outdoor air that the zone needs, in m³/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outdoor_air_m3_s: Option<f64>,
}

/// Energy that is not told as an end use, in kWh.
const NOTHING_KWH: f64 = 0.05;

impl Results {
    /// Energy by end use and source, of all run periods together.
    pub fn end_uses(&self) -> Result<EndUses, Fault> {
        let mut answer = EndUses {
            uses: Vec::new(),
            totals: Vec::new(),
            site_and_source: Vec::new(),
            floor_area_m2: None,
            notes: Vec::new(),
        };
        let Some(table) = self.facility_table(UTILITY, "End Uses")? else {
            answer.notes.push(
                "The run wrote no end uses: the model needs Output:Table:SummaryReports with AllSummary."
                    .to_owned(),
            );
            return Ok(answer);
        };
        let meters = self.run_period_meters()?;
        let mut exact_total = Some(0.0);
        for row in table.rows.iter().filter(|row| !row.name.is_empty()) {
            let is_total = row.name == "Total End Uses";
            for (at, column) in table.columns.iter().enumerate() {
                let Some(shown) = Shown::of_cell(row, Some(at)) else { continue };
                let metered = meters.of_use(&row.name, &column.name, shown, &column.units);
                let value = metered.map_or(shown.value, |(_, exact)| exact);
                if is_total && kwh(1.0, &column.units).is_some() && (metered.is_none() && value != 0.0) {
                    exact_total = None;
                }
                // what a pump leaves of nothing is not told
                if value.abs() < NOTHING_KWH / kwh(1.0, &column.units).unwrap_or(NOTHING_KWH * 1e9) {
                    continue;
                }
                let in_kwh = match metered {
                    Some((_, exact)) => kwh(exact, &column.units).map(|kwh| rounded(kwh, "kWh")),
                    None => shown.kwh(&column.units),
                };
                if is_total {
                    exact_total = exact_total.map(|sum| sum + kwh(value, &column.units).unwrap_or_default());
                }
                let end_use = EndUse {
                    name: row.name.clone(),
                    source: column.name.clone(),
                    value: rounded(value, &column.units),
                    units: column.units.clone(),
                    kwh: in_kwh,
                    meter: metered.map(|(name, _)| name.to_owned()),
                };
                if is_total { &mut answer.totals } else { &mut answer.uses }.push(end_use);
            }
        }
        if let Some(table) = self.facility_table(UTILITY, "Site and Source Energy")? {
            answer.site_and_source = site_and_source(&table, exact_total);
            let has_energy = answer.site_and_source.iter().any(|row| row.kwh != 0.0);
            // net differs from total only where something is made on site
            let totals: Vec<(String, f64)> =
                answer.site_and_source.iter().map(|row| (row.name.clone(), row.kwh)).collect();
            let is_total = |row: &SiteEnergy| {
                let total = row.name.replacen("Net ", "Total ", 1);
                row.name.starts_with("Net ")
                    && totals.iter().any(|(name, kwh)| *name == total && (*kwh - row.kwh).abs() < 1e-6)
            };
            answer.site_and_source.retain(|row| has_energy && !is_total(row));
        }
        if let Some(table) = self.facility_table(UTILITY, "Building Area")? {
            answer.floor_area_m2 = area(&table, "Total Building Area").map(|area| rounded(area, "m2"));
        }
        let kinds = self.environments()?;
        if !kinds.iter().any(|known| known.kind == super::EnvironmentKind::Annual) {
            answer.notes.push(
                "This run simulated design days only; energy by end use needs a run period (annual=true)."
                    .to_owned(),
            );
        } else if let Some(hours) = self.hours()?.filter(|hours| (hours - 8760.0).abs() > 24.5) {
            answer.notes.push(format!(
                "These are the sums of {} simulated hours, not of one year.",
                rounded(hours, "h")
            ));
        }
        Ok(answer)
    }

    /// Reads the number of hours that the tables are sums of.
    fn hours(&self) -> Result<Option<f64>, Fault> {
        let table = self.facility_table("InputVerificationandResultsSummary", "General")?;
        Ok(table.and_then(|table| {
            let row = table.rows.iter().find(|row| row.name == "Hours Simulated")?;
            row.number(Some(0))
        }))
    }

    /// Hours in which set points were not met; at most so many zones.
    pub fn unmet_hours(&self, limit: usize) -> Result<UnmetHoursAnswer, Fault> {
        let mut answer =
            UnmetHoursAnswer { facility: None, zones: Vec::new(), zones_without: 0, tolerances_k: None };
        let Some(table) = self.facility_table("SystemSummary", "Time Setpoint Not Met")? else {
            return Ok(answer);
        };
        let columns = [
            table.column("During Heating"),
            table.column("During Cooling"),
            table.column("During Occupied Heating"),
            table.column("During Occupied Cooling"),
        ];
        for row in table.rows.iter().filter(|row| !row.name.is_empty()) {
            let [heating, cooling, occupied_heating, occupied_cooling] =
                columns.map(|column| rounded(row.number(column).unwrap_or_default(), "h"));
            let is_facility = row.name == "Facility";
            let hours = UnmetHours {
                zone: (!is_facility).then(|| row.name.clone()),
                heating,
                cooling,
                occupied_heating,
                occupied_cooling,
            };
            if is_facility {
                answer.facility = Some(hours);
            } else if heating + cooling + occupied_heating + occupied_cooling > 0.0 {
                answer.zones.push(hours);
            } else {
                answer.zones_without += 1;
            }
        }
        answer.zones.sort_by(|a, b| (b.heating + b.cooling).total_cmp(&(a.heating + a.cooling)));
        answer.zones.truncate(limit);
        let table = self.facility_table(UTILITY, "Setpoint Not Met Criteria")?;
        answer.tolerances_k = table.and_then(|table| {
            let of = |word: &str| {
                let row = table.rows.iter().find(|row| row.name.contains(word))?;
                Some(rounded(row.number(Some(0))?, "deltaC"))
            };
            Some((of("Heating")?, of("Cooling")?))
        });
        Ok(answer)
    }

    /// Reads the needs of the zones, as they were computed, before any rounding.
    pub fn zone_sizing(&self) -> Result<Vec<ZoneSizing>, Fault> {
        if !self.has_table("ZoneSizes")? {
            return Ok(Vec::new());
        }
        self.rows(
            "SELECT ZoneName, LoadType, CalcDesLoad, UserDesLoad, CalcDesFlow, UserDesFlow, DesDayName, PeakHrMin, \
             PeakTemp, CalcOutsideAirFlow FROM ZoneSizes ORDER BY ZoneSizesIndex LIMIT 100000",
            &[],
            |row| {
                let number = |column| Ok::<f64, rusqlite::Error>(real(row, column)?.unwrap_or_default());
                Ok(ZoneSizing {
                    zone: text(row, 0)?,
                    load: text(row, 1)?,
                    calculated_w: number(2)?,
                    user_w: number(3)?,
                    calculated_m3_s: number(4)?,
                    user_m3_s: number(5)?,
                    design_day: text(row, 6)?,
                    peak_at: text(row, 7)?,
                    outdoor_c: real(row, 8)?,
                    outdoor_air_m3_s: real(row, 9)?,
                })
            },
        )
    }
}

/// The lines of a table of energy; where one shows the sum of the meters, that is what it is.
fn site_and_source(table: &Table, metered_kwh: Option<f64>) -> Vec<SiteEnergy> {
    let total = table.column("Total Energy");
    let density = table.column("Energy Per Total Building Area");
    let line = |row: &super::tables::TableRow| {
        let per_area = Shown::of_cell(row, density).and_then(|shown| {
            let (energy, area) = units_of(table, density).split_once('/')?;
            Some(rounded(shown.kwh(energy)? / square_metres(1.0, area)?, "kWh/m2"))
        });
        let (shown, units) = (Shown::of_cell(row, total)?, units_of(table, total));
        let unit = kwh(1.0, units)?;
        let metered = metered_kwh.filter(|sum| row.name.contains("Site") && shown.is(sum / unit));
        let known = match metered {
            Some(sum) => rounded(sum, "kWh"),
            None => shown.kwh(units)?,
        };
        Some(SiteEnergy { name: row.name.clone(), kwh: known, kwh_per_m2: per_area })
    };
    table.rows.iter().filter_map(line).collect()
}

/// The area of a row, in m².
pub(super) fn area(table: &Table, row: &str) -> Option<f64> {
    let column = table.column("Area");
    let value = table.rows.iter().find(|known| known.name == row)?.number(column)?;
    square_metres(value, &table.columns.get(column?)?.units)
}

fn square_metres(value: f64, units: &str) -> Option<f64> {
    match units {
        "m2" => Some(value),
        "ft2" => Some(value * 0.092_903_04),
        _ => None,
    }
}

/// Energy in kWh, whatever units the run was told to write; `None` for what is not energy.
pub(super) fn kwh(value: f64, units: &str) -> Option<f64> {
    let factor = match units {
        "J" => 1.0 / 3.6e6,
        "kJ" => 1.0 / 3600.0,
        "MJ" => 1.0 / 3.6,
        "GJ" => 1000.0 / 3.6,
        "Wh" => 0.001,
        "kWh" => 1.0,
        "MWh" => 1000.0,
        "Btu" => 0.000_293_071_070_172_222,
        "kBtu" => 0.293_071_070_172_222,
        "MMBtu" => 293.071_070_172_222,
        "therm" | "therms" => 29.307_107_017_222_2,
        _ => return None,
    };
    Some(value * factor)
}
