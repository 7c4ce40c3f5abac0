//! The limits of the fire checks, with their source. Each can be set otherwise.

use serde::{Deserialize, Serialize};

/// The rating that a door or window needs by that of its wall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningRule {
    /// This part of the wall's: 1 as much as the wall, 0.5 half of it.
    Ratio(f64),
    /// Pairs of the wall's minutes and the opening's; of a wall between two rows the higher row counts.
    Table(Vec<[f64; 2]>),
}

/// The limits of the fire checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameters {
    /// The rating of openings: International Building Code 2021, table 716.1(2), fire barriers: 3 h in 4 h and 3 h walls, 1½ h in 2 h and
    /// 1½ h, ¾ h in 1 h, 20 min in ½ h. Typed from the published table.
    pub openings: OpeningRule,
    /// Elements rated for fewer minutes part no compartments.
    pub least_minutes: f64,
    /// The gap in metres over a rated wall that counts as closed.
    pub gap: f64,
    /// The height in metres over a rated wall in which a slab is looked for.
    pub reach: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        let table =
            vec![[240.0, 180.0], [180.0, 180.0], [120.0, 90.0], [90.0, 90.0], [60.0, 45.0], [30.0, 20.0]];
        Self { openings: OpeningRule::Table(table), least_minutes: 30.0, gap: 0.02, reach: 3.0 }
    }
}

impl Parameters {
    /// The minutes that an opening needs in a wall of so many.
    pub fn opening_minutes(&self, wall: f64) -> f64 {
        match &self.openings {
            OpeningRule::Ratio(ratio) => wall * ratio,
            OpeningRule::Table(rows) => {
                let above = rows.iter().filter(|[of_wall, _]| *of_wall >= wall - 1e-6);
                let row = above.min_by(|a, b| a[0].total_cmp(&b[0]));
                let highest = rows.iter().max_by(|a, b| a[0].total_cmp(&b[0]));
                row.or(highest).map_or(0.0, |[_, opening]| *opening)
            }
        }
    }
}
