//! The index that is part of the program, and what a damaged one does.

use super::*;
use proptest::prelude::*;

fn index() -> &'static Index {
    Index::built_in().unwrap()
}

fn found(query: &str) -> Vec<Station> {
    index().search(&StationQuery { query: Some(query.into()), limit: 5, ..StationQuery::default() }).unwrap()
}

fn first(query: &str) -> Station {
    found(query).into_iter().next().unwrap_or_else(|| panic!("nothing for {query}"))
}

#[test]
fn the_index_holds_every_file_of_the_collection() {
    assert_eq!((index().places(), index().files()), (17_330, 69_638));
    let climates = (0..index().places()).map(|at| index().unpacked.climates(at).unwrap().len());
    assert_eq!(climates.sum::<usize>(), index().files());
}

#[test]
fn a_station_is_found_by_name_region_accent_and_with_a_slip() {
    assert_eq!(first("chicago o'hare").wmo, "725300");
    assert_eq!(first("Boulder CO").state, "CO");
    assert_eq!(first("boulder colorado").state, "CO");
    assert_eq!(first("paris france").country, "FRA");
    assert_eq!(first("Zürich").country, "CHE");
    assert!(first("Copenhagn").name.starts_with("Copenhagen"));
    assert!(first("kopenhagen").country != "USA");
    assert_eq!(first("725300").wmo, "725300");
    assert!(found("xyzzyplugh").is_empty());
    let scores: Vec<f64> = found("london").iter().filter_map(|station| station.score).collect();
    assert!(scores.len() == 5 && scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
}

#[test]
fn filters_narrow_by_code_or_name() {
    let query = StationQuery {
        country: Some("germany".into()),
        query: Some("karlsruhe".into()),
        limit: 3,
        ..StationQuery::default()
    };
    assert!(index().search(&query).unwrap().iter().all(|station| station.country == "DEU"));
    let state = StationQuery {
        country: Some("usa".into()),
        state: Some("Colorado".into()),
        limit: 500,
        ..StationQuery::default()
    };
    let all = index().search(&state).unwrap();
    assert!(all.len() > 40 && all.iter().all(|station| station.state == "CO"));
    let wmo = StationQuery { wmo: Some("724666".into()), limit: 5, ..StationQuery::default() };
    assert_eq!(index().search(&wmo).unwrap()[0].country, "USA");
    assert_eq!(index().search(&StationQuery::default()).unwrap_err().data["field"], "query");
    let half = StationQuery { latitude: Some(1.0), limit: 1, ..StationQuery::default() };
    assert_eq!(index().search(&half).unwrap_err().data["field"], "longitude");
}

#[test]
fn the_nearest_stations_are_those_that_a_plain_measure_of_all_says() {
    let point = (49.009, 8.404);
    let query = StationQuery {
        latitude: Some(point.0),
        longitude: Some(point.1),
        limit: 10,
        ..StationQuery::default()
    };
    let nearest = index().search(&query).unwrap();
    // the cosine rule, another formula for the same distance
    let cosine = |a: (f64, f64), b: (f64, f64)| {
        let (x, y) = (a.0.to_radians(), b.0.to_radians());
        let between = x.sin() * y.sin() + x.cos() * y.cos() * (b.1 - a.1).to_radians().cos();
        6371.0088 * between.clamp(-1.0, 1.0).acos()
    };
    let mut all: Vec<f64> =
        index().unpacked.places.iter().map(|place| cosine(point, position(place))).collect();
    all.sort_by(f64::total_cmp);
    for (station, expected) in nearest.iter().zip(all) {
        assert!((station.distance_km.unwrap() - expected).abs() < 0.06, "{station:?} {expected}");
    }
}

#[test]
fn an_address_is_that_of_the_collection_or_of_a_mirror() {
    let station = first("725300");
    let address = station.address(None).unwrap();
    assert!(address.starts_with("https://climate.onebuilding.org/WMO_Region_4_North_and_Central_America/USA_United_States_of_America/IL_Illinois/USA_IL_Chicago"), "{address}");
    assert!(address.ends_with(".725300_TMYx.2011-2025.zip"), "{address}");
    let all = station.address_for("all", Some("http://127.0.0.1:8080/weather/")).unwrap();
    assert!(
        all.starts_with("http://127.0.0.1:8080/weather/WMO_Region_4") && all.ends_with("_TMYx.zip"),
        "{all}"
    );
    assert!(station.address_for("1999-2000", None).is_err());
    assert_eq!(station.address(Some("file:///etc")).unwrap_err().data["field"], "mirror");
}

#[test]
fn a_packed_list_says_the_same_as_its_source() {
    let line = |years: &str, hdd: i64| {
        serde_json::json!({"country": "AAA", "state": "BB", "city": "Some.Place", "wmo": "123456", "source": "x", "latitude": -12.34567,
            "longitude": 170.5, "timezone": 5.75, "elevation": -3.5, "ashrae_climate_zone": "4A - Mixed", "heating_design_db_c": -1.5,
            "cooling_design_db_c": 33.3, "hdd18": hdd, "cdd10": 12,
            "url": format!("https://climate.onebuilding.org/R/AAA_Aland/BB_Bee/AAA_BB_Some.Place.123456_TMYx{years}.zip")})
    };
    let source = serde_json::json!({"stations": [line("", 7), line(".2009-2023", 9)]});
    let (packed, files) = pack(source.to_string().as_bytes()).unwrap();
    assert_eq!(files, 2);
    let index = Index::unpack(&packed).unwrap();
    let query =
        StationQuery { query: Some("some place bee aland".into()), limit: 2, ..StationQuery::default() };
    let found = index.search(&query).unwrap();
    let station = &found[0];
    assert_eq!((station.latitude, station.longitude, station.time_zone), (-12.34567, 170.5, 5.75));
    assert_eq!((station.elevation_m, station.hdd18, station.cooling_design_c), (-3.5, 9, 33.3));
    assert_eq!(station.periods, ["all", "2009-2023"]);
    assert_eq!(station.path, "R/AAA_Aland/BB_Bee/AAA_BB_Some.Place.123456_TMYx.2009-2023.zip");
    assert!(pack(b"{}").is_err());
}

proptest! {
    #[test]
    fn a_damaged_index_is_refused_or_read_but_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0_usize..2000) {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, &bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let mut hurt = PACKED.to_vec();
        for (at, byte) in bytes.iter().enumerate() {
            let place = (at * 7919 + cut * 104_729) % hurt.len();
            hurt[place] ^= byte;
        }
        for packed in [[&[0, packed.len() as u8 | 0x80, (packed.len() >> 7) as u8][..], &packed].concat(), hurt] {
            if let Some(index) = Index::unpack(&packed) {
                let query = StationQuery { country: Some("deu".into()), limit: 3, ..StationQuery::default() };
                let _ = index.search(&query);
            }
        }
        let _ = Index::unpack(&PACKED[..cut.min(PACKED.len())]);
    }

    #[test]
    fn any_words_may_be_searched_for(query in "\\PC{0,24}") {
        let found = index().search(&StationQuery { query: Some(query), limit: 3, ..StationQuery::default() });
        prop_assert!(found.map_or(true, |found| found.len() <= 3));
    }
}
