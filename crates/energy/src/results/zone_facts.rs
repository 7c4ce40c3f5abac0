//! The facts of zones as a run took them: areas and volumes, people and loads at their design level, design loads. Held beside what the
//! model says by itself.

use super::Results;
use super::database::{real, text};
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A zone as a run took it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ZoneOfRun {
    /// Its name, as the program writes it.
    pub zone: String,
    /// In m².
    pub floor_area_m2: f64,
    /// In m³.
    pub volume_m3: f64,
    /// From floor to ceiling, in m.
    pub height_m: f64,
    /// Persons at design level.
    pub people: f64,
    /// Lights at design level, in W.
    pub lights_w: f64,
    /// Electric equipment at design level, in W.
    pub equipment_w: f64,
    /// The heating that it is sized for, in W.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heating_design_w: Option<f64>,
    /// The cooling that it is sized for, in W.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooling_design_w: Option<f64>,
}

impl Results {
    /// The facts of every zone, or of one.
    pub fn zone_facts(&self, zone: Option<&str>) -> Result<Vec<ZoneOfRun>, Fault> {
        let wanted = zone.map(str::trim);
        let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(name));
        let mut zones: Vec<(f64, ZoneOfRun)> = Vec::new();
        let sql = "SELECT ZoneIndex, ZoneName, FloorArea, Volume, CeilingHeight FROM Zones LIMIT 20000";
        for row in self.rows(sql, &[], |row| {
            Ok((real(row, 0)?, text(row, 1)?, real(row, 2)?, real(row, 3)?, real(row, 4)?))
        })? {
            let (Some(index), name, area, volume, height) = row else { continue };
            if is_wanted(&name) {
                let of_run = ZoneOfRun {
                    zone: name,
                    floor_area_m2: area.unwrap_or(0.0),
                    volume_m3: volume.unwrap_or(0.0),
                    height_m: height.unwrap_or(0.0),
                    ..ZoneOfRun::default()
                };
                zones.push((index, of_run));
            }
        }
        type Into = fn(&mut ZoneOfRun) -> &mut f64;
        let levels: [(&str, Into); 3] = [
            ("SELECT ZoneIndex, sum(NumberOfPeople) FROM NominalPeople GROUP BY ZoneIndex", |zone| {
                &mut zone.people
            }),
            ("SELECT ZoneIndex, sum(DesignLevel) FROM NominalLighting GROUP BY ZoneIndex", |zone| {
                &mut zone.lights_w
            }),
            ("SELECT ZoneIndex, sum(DesignLevel) FROM NominalElectricEquipment GROUP BY ZoneIndex", |zone| {
                &mut zone.equipment_w
            }),
        ];
        for (sql, place) in levels {
            // a database of another version may lack a table, which only means that nothing is known
            let found = self.rows(sql, &[], |row| Ok((real(row, 0)?, real(row, 1)?))).unwrap_or_default();
            for (index, level) in found {
                let zone = zones.iter_mut().find(|(known, _)| Some(*known) == index);
                if let (Some((_, zone)), Some(level)) = (zone, level) {
                    *place(zone) = level;
                }
            }
        }
        for sized in self.zone_sizing().unwrap_or_default() {
            let Some((_, zone)) =
                zones.iter_mut().find(|(_, zone)| zone.zone.eq_ignore_ascii_case(&sized.zone))
            else {
                continue;
            };
            match sized.load.to_ascii_lowercase().as_str() {
                "heating" => zone.heating_design_w = Some(sized.user_w),
                "cooling" => zone.cooling_design_w = Some(sized.user_w),
                _ => {}
            }
        }
        Ok(zones.into_iter().map(|(_, zone)| zone).collect())
    }
}
