//! The climate of a place as a weather file and its design days tell it to the conversion.

use crate::names::legal;
use crate::site::Weather;
use contract::Fault;
use energy::idf::{Document, body};
use energy::weather::{DesignDays, Epw};

/// The depth, in metres, of the ground whose temperature floors have below them.
const DEPTH: f64 = 4.0;

impl Weather {
    /// Reads a weather file (EPW) and, if there is one, the file of design days that belongs to it (DDY). Of the days, the
    /// coldest and the warmest by dry bulb are taken, at 99.6 % and 0.4 % where they have percentages.
    pub fn read(epw: &[u8], ddy: Option<&[u8]>) -> Result<Weather, Fault> {
        let epw = Epw::read(epw)?;
        let place = &epw.location;
        let mut words = vec![place.city.as_str()];
        words.extend(
            [place.state.as_str(), place.country.as_str()].into_iter().filter(|word| !word.is_empty()),
        );
        let design_days = match ddy {
            Some(bytes) => design_days(&DesignDays::read(bytes)?)?,
            None => Vec::new(),
        };
        // the depth nearest to that of foundations; the first of two that are as near
        let ground = epw
            .ground
            .iter()
            .min_by(|a, b| (a.depth_m - DEPTH).abs().total_cmp(&(b.depth_m - DEPTH).abs()))
            .and_then(|ground| <[f64; 12]>::try_from(ground.monthly_c.as_slice()).ok())
            .filter(|months| months.iter().all(|t| (-30.0..=40.0).contains(t)));
        Ok(Weather {
            name: words.join(" "),
            latitude: place.latitude,
            longitude: place.longitude,
            time_zone: place.time_zone,
            elevation: place.elevation_m,
            design_days,
            ground_temperatures: ground,
        })
    }
}

/// The days to size with, as members of epJSON.
fn design_days(days: &DesignDays) -> Result<Vec<(String, serde_json::Value)>, Fault> {
    let mut out = Vec::new();
    for day in days.chosen() {
        let (document, _) = Document::open(day.text.as_bytes())?;
        let fields = document.of_type("SizingPeriod:DesignDay").next().map(body);
        if let Some(fields) = fields {
            out.push((legal(&day.name), fields));
        }
    }
    Ok(out)
}
