//! Where weather files are: 17,330 places of the public collection at climate.onebuilding.org with their 69,638 files,
//! found by name, number, country and state, or by distance.
//!
//! The index is a part of the program (`stations.bin`, made by `cargo xtask stations`; see the note beside it) and needs no
//! network. Names are compared without accents, case and punctuation; a word may be mistyped; words that name the country
//! or the state narrow the search. An address is only made here: what fetches it is elsewhere, and may use a mirror.

mod packed;
#[cfg(test)]
mod tests;

pub use packed::pack;

use contract::{Fault, FaultCode};
use packed::{PERIODS, Place, Unpacked};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::sync::OnceLock;
use unicode_normalization::char::decompose_canonical;

/// The collection's own address; a mirror has the same folders below its own.
pub const COLLECTION: &str = "https://climate.onebuilding.org";

/// Everything but what stands in a path as it is: the unreserved characters of RFC 3986, 2.3, and the slash.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

static PACKED: &[u8] = include_bytes!("stations.bin");

/// The criteria of a search; those given must all hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StationQuery {
    /// A city, an airport, a number; with country or state if wanted: `boulder co`, `Zürich`.
    pub query: Option<String>,
    /// The number of the World Meteorological Organization.
    pub wmo: Option<String>,
    /// Degrees north; with `longitude`, the nearest stations come first.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// Country: code or name.
    pub country: Option<String>,
    /// State or province: code or name.
    pub state: Option<String>,
    /// At most so many.
    pub limit: usize,
}

/// A station.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Station {
    /// Its name.
    pub name: String,
    /// Country, as a code of three letters.
    pub country: String,
    /// Its name.
    pub country_name: String,
    /// State or province.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub state: String,
    /// Its number.
    pub wmo: String,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Hours ahead of UTC.
    pub time_zone: f64,
    /// Metres above the sea.
    pub elevation_m: f64,
    /// Climate zone of ASHRAE 169.
    pub climate_zone: String,
    /// Dry bulb that is colder in 1 % of the year, in °C.
    pub heating_design_c: f64,
    /// Dry bulb that is warmer in 1 % of the year, in °C.
    pub cooling_design_c: f64,
    /// Heating degree days below 18 °C.
    pub hdd18: i64,
    /// Cooling degree days above 10 °C.
    pub cdd10: i64,
    /// The years that its files are made of, the newest last; `all` is every year on record.
    pub periods: Vec<String>,
    /// Its newest file, below the address of the collection or a mirror.
    pub path: String,
    /// The distance from the point that was asked for, in km.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_km: Option<f64>,
    /// The fit to the words, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// The signs that a place is the one that is meant, the strongest first: its name begins with the word, it is the airport of a large city, it
/// has many files, its number is round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Likely {
    begins: bool,
    international: bool,
    periods: u32,
    round: usize,
}

/// The index.
pub struct Index {
    unpacked: Unpacked,
}

impl Index {
    /// The index that is part of the program, unpacked at the first call.
    pub fn built_in() -> Result<&'static Self, Fault> {
        static INDEX: OnceLock<Option<Index>> = OnceLock::new();
        let index = INDEX.get_or_init(|| Self::unpack(PACKED));
        index
            .as_ref()
            .ok_or_else(|| Fault::backend("The index of weather stations in this program is damaged."))
    }

    fn unpack(packed: &[u8]) -> Option<Self> {
        packed::unpack(packed).map(|unpacked| Self { unpacked })
    }

    /// Counts the places.
    pub fn places(&self) -> usize {
        self.unpacked.places.len()
    }

    /// Counts the files.
    pub fn files(&self) -> usize {
        self.unpacked.places.iter().map(|place| place.periods.count_ones() as usize).sum()
    }

    /// The best that a query finds: the nearest if it has a point, else those whose names fit best.
    pub fn search(&self, query: &StationQuery) -> Result<Vec<Station>, Fault> {
        let point = match (query.latitude, query.longitude) {
            (Some(latitude), Some(longitude)) => {
                if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
                    let text = "latitude is from -90 to 90 and longitude from -180 to 180 degrees.";
                    return Err(Fault::invalid("latitude", text));
                }
                Some((latitude, longitude))
            }
            (None, None) => None,
            _ => return Err(Fault::invalid("longitude", "A point needs both latitude and longitude.")),
        };
        let words = words(query.query.as_deref().unwrap_or_default());
        let wmo = query.wmo.as_deref().map(str::trim).filter(|wmo| !wmo.is_empty());
        if words.is_empty()
            && wmo.is_none()
            && point.is_none()
            && query.country.is_none()
            && query.state.is_none()
        {
            return Err(Fault::invalid(
                "query",
                "Say what to look for: query (a city or airport), wmo, latitude and longitude, or country.",
            ));
        }
        let country = query.country.as_deref().map(fold);
        let state = query.state.as_deref().map(fold);
        let mut found: Vec<(f64, Option<f64>, Reverse<Likely>, usize)> = Vec::new();
        let folders: Vec<Folder> =
            self.unpacked.folders.iter().map(|range| Folder::from_path(self.text(*range))).collect();
        for (at, place) in self.unpacked.places.iter().enumerate() {
            let Some(folder) = folders.get(place.folder as usize) else { continue };
            let code = |wanted: &String, code: (u32, u32), name: &str| {
                self.text(code).eq_ignore_ascii_case(wanted) || name == wanted
            };
            if wmo.is_some_and(|wmo| !self.text(place.id).eq_ignore_ascii_case(wmo))
                || country.as_ref().is_some_and(|wanted| !code(wanted, place.country, &folder.country))
                || state.as_ref().is_some_and(|wanted| !code(wanted, place.state, &folder.state))
            {
                continue;
            }
            let score = if words.is_empty() { Some(1.0) } else { self.score(place, folder, &words) };
            let Some(score) = score else { continue };
            let distance = point.map(|point| kilometres(point, position(place)));
            found.push((score, distance, Reverse(self.likely(place, &words)), at));
        }
        found.sort_by(|a, b| match (a.1, b.1) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3)),
        });
        found.truncate(query.limit);
        let fits = !words.is_empty();
        Ok(found
            .into_iter()
            .filter_map(|(score, distance, _, at)| {
                let mut station = self.station(at)?;
                station.distance_km = distance.map(|km| (km * 10.0).round() / 10.0);
                station.score = fits.then_some((score * 1000.0).round() / 1000.0);
                Some(station)
            })
            .collect())
    }

    fn text(&self, range: (u32, u32)) -> &str {
        self.unpacked.texts.get(range.0 as usize..range.1 as usize).unwrap_or_default()
    }

    fn station(&self, at: usize) -> Option<Station> {
        let (place, climates) = (self.unpacked.places.get(at)?, self.unpacked.climates(at)?);
        let climate = climates.iter().rev().find(|climate| climate.period < 4).or(climates.last())?;
        let folder = Folder::from_path(self.text(*self.unpacked.folders.get(place.folder as usize)?));
        let (latitude, longitude) = position(place);
        let zone = self.unpacked.zones.get(climate.zone as usize).map(|range| self.text(*range));
        // every year on record is the oldest of them all
        let mut periods: Vec<&packed::Climate> = climates.iter().collect();
        periods.sort_by_key(|climate| if climate.period == 4 { 0 } else { climate.period + 1 });
        let years = |climate: &&packed::Climate| {
            let years = PERIODS.get(usize::from(climate.period)).copied().unwrap_or_default();
            if years.is_empty() { "all".to_owned() } else { years.to_owned() }
        };
        Some(Station {
            name: self.text(place.city).replace('.', " "),
            country: self.text(place.country).to_owned(),
            country_name: folder.country_name,
            state: self.text(place.state).to_owned(),
            wmo: self.text(place.id).to_owned(),
            latitude,
            longitude,
            time_zone: place.time_zone as f64 / 4.0,
            elevation_m: place.elevation as f64 / 10.0,
            climate_zone: zone.unwrap_or_default().to_owned(),
            heating_design_c: climate.heating as f64 / 10.0,
            cooling_design_c: climate.cooling as f64 / 10.0,
            hdd18: climate.hdd18,
            cdd10: climate.cdd10,
            periods: periods.iter().map(years).collect(),
            path: self.path(place, climate.period),
            distance_km: None,
            score: None,
        })
    }

    /// The file of a place for some years, below the collection.
    fn path(&self, place: &Place, period: u8) -> String {
        let folder = self.unpacked.folders.get(place.folder as usize).map(|range| self.text(*range));
        // a few lie in no folder
        let folder = folder.filter(|name| !name.is_empty()).map(|name| format!("{name}/"));
        let (country, state) = (self.text(place.country), self.text(place.state));
        let state = if state.is_empty() { String::new() } else { format!("{state}_") };
        let years = PERIODS.get(usize::from(period)).copied().unwrap_or_default();
        let years = if years.is_empty() { String::new() } else { format!(".{years}") };
        format!(
            "{}{country}_{state}{}.{}_TMYx{years}.zip",
            folder.unwrap_or_default(),
            self.text(place.city),
            self.text(place.id)
        )
    }

    /// Which of places that fit alike is likely meant.
    fn likely(&self, place: &Place, words: &[String]) -> Likely {
        let name = self.text(place.city);
        let parts = || name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        let begins = words.first().zip(parts().next());
        let number = self.text(place.id);
        Likely {
            begins: begins.is_some_and(|(word, part)| fit(word, part) > 0.85),
            international: parts().any(|part| part == "Intl"),
            periods: place.periods.count_ones(),
            // the main station of a region has a round number
            round: number.len() - number.trim_end_matches('0').len(),
        }
    }

    /// Rates the fit of the words to a place; `None` if one of them does not fit.
    fn score(&self, place: &Place, folder: &Folder, words: &[String]) -> Option<f64> {
        let name = self.text(place.city);
        let mut sum = 0.0;
        let mut of_name = 0;
        for (at, word) in words.iter().enumerate() {
            if self.text(place.id).eq_ignore_ascii_case(word) {
                sum += 1.0;
                of_name += 1;
                continue;
            }
            let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
            let fit = parts.map(|part| fit(word, part)).fold(0.0, f64::max);
            let region = self.text(place.state).eq_ignore_ascii_case(word)
                || self.text(place.country).eq_ignore_ascii_case(word)
                || folder.country.split(' ').any(|part| part == word)
                || folder.state.split(' ').any(|part| part == word);
            // the first word is the place, unless it is only the region
            if fit >= 0.7 && (fit > 0.85 || !region) {
                sum += fit;
                of_name += 1;
            } else if region {
                sum += if at == 0 { 0.5 } else { 0.8 };
            } else {
                return None;
            }
        }
        let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        // what else the name says makes it less of a match; an airport is not something else
        let others = parts.filter(|part| !matches!(*part, "AP" | "Intl" | "Muni" | "Rgnl")).count();
        let covered = f64::from(of_name) / (others.max(of_name as usize).max(1) as f64);
        Some(sum / words.len() as f64 * 0.85 + covered * 0.15)
    }
}

impl Station {
    /// The address of the newest file, at the collection or at a mirror.
    pub fn address(&self, mirror: Option<&str>) -> Result<String, Fault> {
        address(&self.path, mirror)
    }

    /// The address of the file for some years: one of `periods`.
    pub fn address_for(&self, period: &str, mirror: Option<&str>) -> Result<String, Fault> {
        if !self.periods.iter().any(|known| known == period) {
            return Err(Fault::new(FaultCode::NotFound, format!("{} has no file for {period}.", self.name))
                .with("periods", &self.periods));
        }
        let (stem, _) = self.path.rsplit_once("TMYx").unwrap_or((&self.path, ""));
        let years = if period == "all" { String::new() } else { format!(".{period}") };
        address(&format!("{stem}TMYx{years}.zip"), mirror)
    }
}

/// A path below the collection or a mirror, whose address must be one of HTTP.
fn address(path: &str, mirror: Option<&str>) -> Result<String, Fault> {
    let base = mirror.unwrap_or(COLLECTION).trim_end_matches('/');
    let is_http = base.starts_with("https://") || base.starts_with("http://");
    if !is_http || base.contains(['?', '#', ' ']) {
        return Err(Fault::invalid(
            "mirror",
            "The mirror must be an address that begins with https:// or http://.",
        ));
    }
    Ok(format!("{base}/{}", utf8_percent_encode(path, PATH)))
}

/// The names in a folder's path: `…/USA_United_States_of_America/CO_Colorado`.
struct Folder {
    country_name: String,
    country: String,
    state: String,
}

impl Folder {
    fn from_path(path: &str) -> Self {
        let mut parts = path.split('/').skip(1);
        let name = |part: Option<&str>| {
            part.and_then(|part| part.split_once('_'))
                .map(|(_, name)| name.replace('_', " "))
                .unwrap_or_default()
        };
        let country_name = name(parts.next());
        let state = fold(&name(parts.next()));
        Self { country: fold(&country_name), country_name, state }
    }
}

/// Rates the fit of a word of the query to a word of a name: 1 for the same, less for its beginning or with a slip.
fn fit(word: &str, part: &str) -> f64 {
    if part.eq_ignore_ascii_case(word) {
        return 1.0;
    }
    let (wanted, found) = (word.len(), part.len());
    if wanted >= 3
        && found > wanted
        && part.as_bytes().get(..wanted).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    {
        return 0.75 + 0.15 * wanted as f64 / found as f64;
    }
    // a slip or two, in words long enough to have one
    let slips = match wanted {
        0..4 => return 0.0,
        4..8 => 1,
        _ => 2,
    };
    if wanted.abs_diff(found) > slips || (letters(word) ^ letters(part)).count_ones() as usize > 2 * slips {
        return 0.0;
    }
    let distance = strsim::osa_distance(word, &part.to_lowercase());
    if distance > slips { 0.0 } else { 0.85 - 0.06 * distance as f64 }
}

/// The letters of a word, as bits.
fn letters(word: &str) -> u32 {
    word.bytes()
        .filter(u8::is_ascii_alphabetic)
        .fold(0, |bits, byte| bits | 1 << (byte.to_ascii_lowercase() - b'a'))
}

/// Words in lower case, without accents.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(8)
        .map(str::to_owned)
        .collect()
}

/// Lower case without accents, as the collection writes names.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.trim().chars().flat_map(char::to_lowercase) {
        match letter {
            'æ' => out.push_str("ae"),
            'đ' | 'ð' => out.push('d'),
            'ħ' => out.push('h'),
            'ı' => out.push('i'),
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            'œ' => out.push_str("oe"),
            'ß' => out.push_str("ss"),
            // a combining accent after its letter; an apostrophe joins: `O'Hare` is `OHare` there
            '\u{300}'..='\u{36f}' | '\'' | '’' => {}
            _ => out.push(plain(letter)),
        }
    }
    out
}

/// A letter of the Latin alphabet without its accents; any other as it is.
fn plain(letter: char) -> char {
    let mut first = None;
    decompose_canonical(letter, |part| {
        first.get_or_insert(part);
    });
    first.filter(char::is_ascii_alphabetic).unwrap_or(letter)
}

fn position(place: &Place) -> (f64, f64) {
    (place.latitude as f64 / 1e5, place.longitude as f64 / 1e5)
}

/// The distance of two points on a sphere of the Earth's mean radius (haversine).
fn kilometres(a: (f64, f64), b: (f64, f64)) -> f64 {
    let half = |degrees: f64| (degrees.to_radians() / 2.0).sin().powi(2);
    let h = half(b.0 - a.0) + a.0.to_radians().cos() * b.0.to_radians().cos() * half(b.1 - a.1);
    2.0 * 6371.0088 * h.clamp(0.0, 1.0).sqrt().asin()
}
