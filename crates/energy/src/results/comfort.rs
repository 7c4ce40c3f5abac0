//! Comfort and costs of a run, as its summary reports tell them.

use super::Results;
use super::summary::UTILITY;
use super::tables::{Table, simple};
use crate::digits::rounded;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Comfort of the whole building.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comfort {
    /// Hours in which an occupied zone was not comfortable by the simple method of ASHRAE 55-2004: neither in summer nor in winter clothes.
    pub not_comfortable_hours: f64,
}

/// Costs of a year by tariffs of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// The source that is paid for: electricity, natural gas, other, total.
    pub source: String,
    /// In the currency of the model.
    pub cost: f64,
    /// For each m² of the building.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_m2: Option<f64>,
}

/// The first number of the row whose name begins so.
fn row(table: &Table, begins: &str, column: Option<usize>) -> Option<f64> {
    let begins = simple(begins);
    let row = table.rows.iter().find(|row| simple(&row.name).starts_with(&begins))?;
    row.number(column)
}

impl Results {
    /// Comfort; none where the run did not write it.
    pub fn comfort(&self) -> Result<Option<Comfort>, Fault> {
        let Some(table) = self.facility_table(UTILITY, "Comfort and Setpoint Not Met Summary")? else {
            return Ok(None);
        };
        let hours = row(&table, "Time Not Comfortable Based on Simple ASHRAE 55", Some(0));
        Ok(hours.map(|hours| Comfort { not_comfortable_hours: rounded(hours, "h") }))
    }

    /// Costs by source, the total last; empty where the model has no tariffs.
    pub fn costs(&self) -> Result<Vec<Cost>, Fault> {
        let Some(table) = self.facility_table("Economics Results Summary Report", "Annual Cost")? else {
            return Ok(Vec::new());
        };
        let mut costs = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            let Some(cost) = row(&table, "Cost", Some(at)).filter(|cost| *cost != 0.0) else { continue };
            let per_m2 = row(&table, "Cost per Total Building Area", Some(at));
            costs.push(Cost {
                source: column.name.clone(),
                cost: rounded(cost, "m2"),
                per_m2: per_m2.map(|cost| rounded(cost, "m2")),
            });
        }
        Ok(costs)
    }
}
