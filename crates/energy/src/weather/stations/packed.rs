//! The index as it is kept: one record for each place, small numbers, deflated.
//!
//! The files of a place differ in the years they are made of; what those say of its climate is kept for each, its position
//! once. Names of countries and states are those of the folders of the collection. What is searched is one piece, unpacked
//! before the first search; the climates, which are more than half of all, lie in pieces of some hundred places each, unpacked
//! for the few stations that are found.

use contract::{Fault, FaultCode};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::OnceLock;

/// The years that files are made of, oldest first; the last is every year on record.
pub(super) const PERIODS: [&str; 5] = ["2004-2018", "2007-2021", "2009-2023", "2011-2025", ""];
/// The largest size that the index may unpack to.
const LARGEST: u64 = 32 << 20;
/// Places whose climates are one piece.
const PIECE: usize = 256;
/// The address of the collection.
const HOST: &str = "https://climate.onebuilding.org/";

/// The climate over the years of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Climate {
    /// The index in [`PERIODS`].
    pub period: u8,
    /// Number of the zone's name.
    pub zone: u32,
    /// Tenths of °C.
    pub heating: i64,
    pub cooling: i64,
    pub hdd18: i64,
    pub cdd10: i64,
}

/// A place.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Place {
    /// Number of its folder.
    pub folder: u32,
    /// Country, state and name as the files' names have them, as ranges of all texts.
    pub country: (u32, u32),
    pub state: (u32, u32),
    pub city: (u32, u32),
    /// The number, `WMO` or one of the collection's own.
    pub id: (u32, u32),
    /// 1e-5 degrees.
    pub latitude: i64,
    pub longitude: i64,
    /// Quarters of an hour.
    pub time_zone: i64,
    /// Tenths of a metre.
    pub elevation: i64,
    /// The years that it has files of: bits, by their place in [`PERIODS`].
    pub periods: u8,
}

/// The climates of some places, as they are kept and, once they were asked for, unpacked.
#[derive(Debug, Default)]
struct Piece {
    packed: Box<[u8]>,
    climates: OnceLock<Option<Vec<Vec<Climate>>>>,
}

/// The index, unpacked.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    pub texts: String,
    /// Folders, as ranges of the texts.
    pub folders: Vec<(u32, u32)>,
    pub zones: Vec<(u32, u32)>,
    pub places: Vec<Place>,
    pieces: Vec<Piece>,
}

impl Unpacked {
    /// The climates of the place with this number, one for each of its files, the oldest years first; none in a damaged index.
    pub(super) fn climates(&self, place: usize) -> Option<&[Climate]> {
        let piece = self.pieces.get(place / PIECE)?;
        let unpack = || {
            let from = place - place % PIECE;
            let places = self.places.get(from..(from + PIECE).min(self.places.len()))?;
            let bytes = inflate(&piece.packed)?;
            let mut input = In { bytes: &bytes, at: 0 };
            places.iter().map(|place| input.climates(place.periods, self.zones.len())).collect()
        };
        let climates = piece.climates.get_or_init(unpack).as_ref()?;
        climates.get(place % PIECE).map(Vec::as_slice)
    }
}

/// A line of the collection's index, as its publisher has it.
#[derive(Deserialize)]
struct Line {
    country: String,
    state: String,
    wmo: String,
    latitude: f64,
    longitude: f64,
    timezone: f64,
    elevation: f64,
    url: String,
    ashrae_climate_zone: String,
    heating_design_db_c: f64,
    cooling_design_db_c: f64,
    hdd18: i64,
    cdd10: i64,
}

#[derive(Deserialize)]
struct Source {
    stations: Vec<Line>,
}

/// Packs an index; `json` is the list that `cargo xtask stations` fetches. Answers how many files it names, too.
pub fn pack(json: &[u8]) -> Result<(Vec<u8>, usize), Fault> {
    let source: Source = serde_json::from_slice(json).map_err(|error| wrong(&error.to_string()))?;
    let files = source.stations.len();
    // by the part of the address that the files of a place share
    let mut places: BTreeMap<(String, String), Vec<(u8, Line)>> = BTreeMap::new();
    for line in source.stations {
        let path = line.url.strip_prefix(HOST).ok_or_else(|| wrong(&line.url))?;
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, years) = file
            .strip_suffix(".zip")
            .and_then(|name| name.rsplit_once("_TMYx"))
            .ok_or_else(|| wrong(path))?;
        let period = PERIODS.iter().position(|known| *known == years.trim_start_matches('.'));
        let period = period.ok_or_else(|| wrong(path))? as u8;
        places.entry((folder.to_owned(), stem.to_owned())).or_default().push((period, line));
    }
    let mut folders: Vec<&str> = places.keys().map(|(folder, _)| folder.as_str()).collect();
    folders.dedup();
    let mut zones: Vec<&str> =
        places.values().flatten().map(|(_, line)| line.ashrae_climate_zone.as_str()).collect();
    zones.sort_unstable();
    zones.dedup();
    let (mut out, mut pieces) = (Out::default(), Vec::new());
    for list in [&folders, &zones] {
        out.number(list.len() as u64);
        for text in list {
            out.text(text);
        }
    }
    out.number(places.len() as u64);
    let (mut at, mut latitude, mut longitude) = (0_u64, 0, 0);
    let with_lines = places.iter().map(|(key, lines)| (key, lines.iter().collect::<Vec<_>>()));
    for (count, ((folder, stem), mut lines)) in with_lines.enumerate() {
        if count % PIECE == 0 {
            pieces.push(Out::default());
        }
        lines.sort_by_key(|(period, _)| *period);
        let Some((_, line)) = lines.last() else { continue };
        let number = folders.binary_search(&folder.as_str()).unwrap_or_default() as u64;
        out.number(number - at);
        at = number;
        let mut prefix = format!("{}_", line.country);
        if !line.state.is_empty() {
            prefix = format!("{prefix}{}_", line.state);
        }
        let name = stem.strip_prefix(&prefix).ok_or_else(|| wrong(stem))?;
        let (city, id) = name.rsplit_once('.').ok_or_else(|| wrong(stem))?;
        if line.wmo != id && !line.wmo.is_empty() {
            return Err(wrong(stem));
        }
        for text in [&line.country, &line.state, city, id] {
            out.text(text);
        }
        let position = ((line.latitude * 1e5).round() as i64, (line.longitude * 1e5).round() as i64);
        out.signed(position.0 - latitude);
        out.signed(position.1 - longitude);
        (latitude, longitude) = position;
        out.signed((line.timezone * 4.0).round() as i64);
        out.signed((line.elevation * 10.0).round() as i64);
        out.number(lines.iter().fold(0_u64, |mask, (period, _)| mask | 1 << period));
        let Some(out) = pieces.last_mut() else { continue };
        let mut before = Climate::default();
        for (period, line) in &lines {
            let zone = zones.binary_search(&line.ashrae_climate_zone.as_str()).unwrap_or_default() as u32;
            let climate = Climate {
                period: *period,
                zone,
                heating: (line.heating_design_db_c * 10.0).round() as i64,
                cooling: (line.cooling_design_db_c * 10.0).round() as i64,
                hdd18: line.hdd18,
                cdd10: line.cdd10,
            };
            out.number(u64::from(zone));
            out.signed(climate.heating - before.heating);
            out.signed(climate.cooling - before.cooling);
            out.signed(climate.hdd18 - before.hdd18);
            out.signed(climate.cdd10 - before.cdd10);
            before = climate;
        }
    }
    let mut packed = Out::default();
    packed.number(pieces.len() as u64);
    for part in [out].iter().chain(&pieces) {
        let part = deflate(&part.0).map_err(|error| wrong(&error.to_string()))?;
        packed.number(part.len() as u64);
        packed.0.extend(part);
    }
    Ok((packed.0, files))
}

fn deflate(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    ZlibDecoder::new(bytes).take(LARGEST).read_to_end(&mut out).ok()?;
    Some(out)
}

/// Unpacks an index; `None` if the bytes are not one.
pub(super) fn unpack(packed: &[u8]) -> Option<Unpacked> {
    let mut parts = In { bytes: packed, at: 0 };
    let pieces = parts.count()?;
    let bytes = inflate(parts.bytes()?)?;
    let mut out = Unpacked::default();
    for _ in 0..pieces {
        out.pieces.push(Piece { packed: parts.bytes()?.into(), ..Piece::default() });
    }
    let mut input = In { bytes: &bytes, at: 0 };
    for zones in [false, true] {
        let count = input.count()?;
        for _ in 0..count {
            let range = input.text(&mut out.texts)?;
            if zones { &mut out.zones } else { &mut out.folders }.push(range);
        }
    }
    let count = input.count()?;
    out.places.reserve(count.min(100_000));
    let (mut folder, mut latitude, mut longitude) = (0_u64, 0_i64, 0_i64);
    let (mut country, mut state) = ((0, 0), (0, 0));
    for _ in 0..count {
        folder = folder.checked_add(input.number()?)?;
        // neighbours share them: kept once
        country = input.shared(&mut out.texts, country)?;
        state = input.shared(&mut out.texts, state)?;
        let city = input.text(&mut out.texts)?;
        let id = input.text(&mut out.texts)?;
        latitude = latitude.checked_add(input.signed()?)?;
        longitude = longitude.checked_add(input.signed()?)?;
        let place = Place {
            folder: u32::try_from(folder).ok().filter(|at| (*at as usize) < out.folders.len())?,
            country,
            state,
            city,
            id,
            latitude,
            longitude,
            time_zone: input.signed()?,
            elevation: input.signed()?,
            // one file at least, of years that are known
            periods: u8::try_from(input.number()?)
                .ok()
                .filter(|periods| (1..1 << PERIODS.len()).contains(periods))?,
        };
        out.places.push(place);
    }
    (out.pieces.len() == out.places.len().div_ceil(PIECE)).then_some(out)
}

fn wrong(what: &str) -> Fault {
    Fault::new(FaultCode::UnreadableFile, format!("The list of stations is not as expected: {what}"))
}

#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, n: u64) {
        // what is written to memory is written
        let _ = leb128::write::unsigned(&mut self.0, n);
    }

    fn signed(&mut self, n: i64) {
        self.number(((n << 1) ^ (n >> 63)) as u64);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

struct In<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> In<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut rest = self.bytes.get(self.at..)?;
        let value = leb128::read::unsigned(&mut rest).ok()?;
        self.at = self.bytes.len() - rest.len();
        Some(value)
    }

    fn signed(&mut self) -> Option<i64> {
        let n = self.number()?;
        Some(((n >> 1) as i64) ^ -((n & 1) as i64))
    }

    /// A number of things, each of which takes a byte at least.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.bytes.len() - self.at).then_some(count)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.count()?;
        let bytes = self.bytes.get(self.at..self.at + length)?;
        self.at += length;
        Some(bytes)
    }

    fn slice(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// The climates of a place that has files of these years, each as the difference from the one before.
    fn climates(&mut self, periods: u8, zones: usize) -> Option<Vec<Climate>> {
        let mut climates: Vec<Climate> = Vec::with_capacity(PERIODS.len());
        for period in (0..PERIODS.len() as u8).filter(|period| periods & (1 << period) != 0) {
            let before = climates.last().copied().unwrap_or_default();
            climates.push(Climate {
                period,
                zone: u32::try_from(self.number()?).ok().filter(|at| (*at as usize) < zones)?,
                heating: before.heating.checked_add(self.signed()?)?,
                cooling: before.cooling.checked_add(self.signed()?)?,
                hdd18: before.hdd18.checked_add(self.signed()?)?,
                cdd10: before.cdd10.checked_add(self.signed()?)?,
            });
        }
        Some(climates)
    }

    fn text(&mut self, texts: &mut String) -> Option<(u32, u32)> {
        let text = self.slice()?;
        let start = u32::try_from(texts.len()).ok()?;
        texts.push_str(text);
        Some((start, u32::try_from(texts.len()).ok()?))
    }

    /// The text before, if this is the same.
    fn shared(&mut self, texts: &mut String, before: (u32, u32)) -> Option<(u32, u32)> {
        let at = self.at;
        if texts.get(before.0 as usize..before.1 as usize) == Some(self.slice()?) {
            return Some(before);
        }
        self.at = at;
        self.text(texts)
    }
}
