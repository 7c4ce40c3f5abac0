//! Energy as the run's meters have it, and the names of the meters behind the table of end uses.
//!
//! That table is the sum of these meters over the run periods. A meter that was recorded for run periods has all the digits; the table has
//! as many as the run was told to write, mostly a hundredth of its units.

use super::database::{Results, real, text};
use super::summary::kwh;
use super::tables::{Table, TableRow};
use contract::Fault;
use std::collections::HashMap;

/// Rows of the table of end uses whose meters are called otherwise.
const USES: [(&str, &str); 5] = [
    ("Interior Lighting", "InteriorLights"),
    ("Exterior Lighting", "ExteriorLights"),
    ("Humidification", "Humidifier"),
    ("Generators", "Cogeneration"),
    ("Total End Uses", ""),
];

/// The name of the meter of a row and a column of the table of end uses.
pub(super) fn meter_of(end_use: &str, source: &str) -> String {
    let joined = |name: &str| name.split_whitespace().collect::<String>();
    let source = joined(source);
    match USES.iter().find(|(row, _)| *row == end_use) {
        Some((_, "")) => format!("{source}:Facility"),
        Some((_, meter)) => format!("{meter}:{source}"),
        None => format!("{}:{source}", joined(end_use)),
    }
}

/// A number of a table with half a unit of its last digit, which is all that it leaves open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    /// The number.
    pub(super) value: f64,
    /// The most that it is off by.
    pub(super) half: f64,
}

impl Shown {
    /// Reads a cell.
    pub(super) fn of_cell(row: &TableRow, column: Option<usize>) -> Option<Self> {
        let value = row.number(column)?;
        let decimals = row.cell(column)?.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap_or(0));
        Some(Self { value, half })
    }

    /// True if this is what another number looks like in the table.
    pub(super) fn is(self, exact: f64) -> bool {
        // tables may have all their digits, and a meter is added up in another order
        let order = exact.abs() * 1e-9;
        (self.value - exact).abs() <= (self.half * 1.001).max(order)
    }

    /// This many of these units in kWh, with the digits that are known.
    pub(super) fn kwh(self, units: &str) -> Option<f64> {
        let (value, step) = (kwh(self.value, units)?, kwh(2.0 * self.half, units)?);
        let known = if step > 0.0 { -(step.log10().floor() as i32) } else { 3 };
        Some(to_places(value, known.min(3)))
    }
}

/// Rounds to decimals; to tens, hundreds and so on where they are negative.
fn to_places(value: f64, places: i32) -> f64 {
    if places >= 0 {
        let places = usize::try_from(places).unwrap_or_default();
        format!("{value:.places$}").parse().unwrap_or(value)
    } else {
        let step = 10_f64.powi(-places);
        (value / step).round() * step
    }
}

/// Sums of meters over run periods, by the meters' names in lower case.
pub(super) struct Meters(HashMap<String, (String, f64)>);

impl Meters {
    /// The meter of an end use with its sum in the table's units; none where it was not recorded, or says something else than the
    /// table.
    pub(super) fn of_use(
        &self,
        end_use: &str,
        source: &str,
        shown: Shown,
        units: &str,
    ) -> Option<(&str, f64)> {
        let (name, sum) = self.0.get(&meter_of(end_use, source).to_lowercase())?;
        let exact = match units {
            "m3" => *sum,
            units => sum / 3.6e6 / kwh(1.0, units)?,
        };
        shown.is(exact).then_some((name.as_str(), exact))
    }
}

impl Results {
    /// Reads the meters that were recorded once for each run period.
    pub(super) fn run_period_meters(&self) -> Result<Meters, Fault> {
        let rows = self.rows(
            "SELECT d.Name, sum(r.Value) FROM ReportDataDictionary d \
             JOIN ReportData r ON r.ReportDataDictionaryIndex = d.ReportDataDictionaryIndex \
             JOIN Time t ON t.TimeIndex = r.TimeIndex \
             JOIN EnvironmentPeriods e ON e.EnvironmentPeriodIndex = t.EnvironmentPeriodIndex \
             WHERE d.IsMeter = 1 AND d.ReportingFrequency = 'Run Period' AND e.EnvironmentType IN (3, 6) \
             AND coalesce(t.WarmupFlag, 0) <> 1 GROUP BY d.ReportDataDictionaryIndex LIMIT 100000",
            &[],
            |row| Ok((text(row, 0)?, real(row, 1)?)),
        )?;
        let known = rows.into_iter().filter_map(|(name, sum)| Some((name.to_lowercase(), (name, sum?))));
        Ok(Meters(known.collect()))
    }
}

/// The units of a column.
pub(super) fn units_of(table: &Table, column: Option<usize>) -> &str {
    column.and_then(|at| table.columns.get(at)).map_or("", |column| column.units.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_a_table_is_known_to_its_last_digit_and_no_further() {
        let row = TableRow {
            name: "Fans".into(),
            units: String::new(),
            values: vec!["0.21".into(), "0.2070003".into(), "12".into()],
        };
        let at = |column| Shown::of_cell(&row, Some(column)).unwrap();
        // a hundredth of a gigajoule is 2.8 kWh
        assert_eq!(at(0).kwh("GJ"), Some(58.0));
        assert_eq!(at(1).kwh("GJ"), Some(57.5));
        assert!(at(0).is(0.207) && !at(0).is(0.2));
        assert_eq!(at(2).kwh("GJ"), Some(3300.0));
        assert_eq!(at(0).kwh("m3"), None);
    }

    #[test]
    fn end_uses_have_the_meters_that_the_program_sums() {
        assert_eq!(meter_of("Interior Lighting", "Electricity"), "InteriorLights:Electricity");
        assert_eq!(meter_of("Water Systems", "Natural Gas"), "WaterSystems:NaturalGas");
        assert_eq!(meter_of("Total End Uses", "District Heating Water"), "DistrictHeatingWater:Facility");
    }
}
