//! Weather files from a mirror that behaves, and from one that does not; and a building that takes one along.

use crate::place::Place;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use zip::write::SimpleFileOptions;

/// A server on this machine that answers every request with the same bytes.
struct Mirror {
    address: String,
    answer: Arc<Mutex<Vec<u8>>>,
    asked: Arc<AtomicUsize>,
}

impl Mirror {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/collection", listener.local_addr().unwrap());
        let (answer, asked) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (says, counts) = (Arc::clone(&answer), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut request = [0; 4096];
                let read = stream.read(&mut request).unwrap_or_default();
                let text = String::from_utf8_lossy(&request[..read]).into_owned();
                assert!(text.starts_with("GET /collection/"), "{text}");
                counts.fetch_add(1, Ordering::SeqCst);
                let bytes = says.lock().unwrap().clone();
                let _ = stream.write_all(&bytes);
            }
        });
        Self { address, answer, asked }
    }

    fn says(&self, status: &str, headers: &str, body: &[u8]) {
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n",
            body.len()
        );
        *self.answer.lock().unwrap() = [head.as_bytes(), body].concat();
    }

    fn raw(&self, bytes: &[u8]) {
        *self.answer.lock().unwrap() = bytes.to_vec();
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// A year of hours at one temperature.
fn epw(dry_bulb: &str) -> Vec<u8> {
    let mut text = "LOCATION,Somewhere,ST,CTY,Made,123456,49.0,8.4,1.0,115.0\n\
        DESIGN CONDITIONS,1,Handbook,,Heating,1,-10.5,-8.0,1,2,Cooling,7,12.5,33.0,21.0,31.5,20.5,30.0,20.0,Extremes,9,8\n\
        TYPICAL/EXTREME PERIODS,0\nGROUND TEMPERATURES,1,4,,,,9,8,8,9,10,12,13,14,14,13,12,10\n\
        HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\nCOMMENTS 1,made\nCOMMENTS 2,\nDATA PERIODS,1,1,Data,Monday,1/1,12/31\n"
        .to_owned();
    for (month, days) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].into_iter().enumerate() {
        for day in 1..=days {
            for hour in 1..=24 {
                let _ = writeln!(
                    text,
                    "2001,{},{day},{hour},60,?9,{dry_bulb},2.0,50,101000,0,0,300,100,120,40,0,0,0,0,180,3.5,5,5,9999,99999,9,\
                     999999999,0,0,0,0,0,0,0",
                    month + 1
                );
            }
        }
    }
    text.into_bytes()
}

const DDY: &str = "Site:Location,Somewhere,49.0,8.4,1.0,115.0;\n\
    SizingPeriod:DesignDay,Somewhere Ann Htg 99.6% Condns DB,1,21,WinterDesignDay,-10.5,0.0,DefaultMultipliers,,Wetbulb,-10.5,\
    ,,,,99950,3.1,50,No,No,No,ASHRAEClearSky,,,,,0.0;\n\
    SizingPeriod:DesignDay,Somewhere Ann Clg .4% Condns DB=>MWB,7,21,SummerDesignDay,33.0,12.5,DefaultMultipliers,,Wetbulb,21.0,\
    ,,,,99950,3.1,50,No,No,No,ASHRAETau,,,0.4,2.0;\n";

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn sha256(bytes: &[u8]) -> String {
    contract::hex(&Sha256::digest(bytes))
}

fn refused(client: &mut crate::wire::Stdio, wmo: &str) -> Value {
    let result = client.call("download_weather_file", &json!({"wmo": wmo}));
    assert_eq!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

#[test]
fn a_building_takes_the_weather_along_that_was_fetched_once() {
    let mirror = Mirror::open();
    let place = Place::with_mirror(&mirror.address);
    let mut client = place.stdio();
    let found =
        client.done("search_weather_stations", &json!({"latitude": 39.8, "longitude": -104.9, "limit": 2}));
    let stations = found["stations"].as_array().unwrap();
    assert!(
        stations.len() == 2 && stations[0]["distance_km"].as_f64() <= stations[1]["distance_km"].as_f64()
    );
    let wmo = stations[0]["wmo"].as_str().unwrap();

    let weather = epw("4.0");
    let bytes = archive(&[
        ("Town.epw", &weather),
        ("Town.ddy", DDY.as_bytes()),
        ("Town.stat", b"numbers"),
        ("x.txt", b"no"),
    ]);
    let digest = format!("x-checksum-sha256: {}\r\n", sha256(&bytes));
    mirror.says("200 OK", &digest, &bytes);
    // a dry run fetches and reads, and keeps nothing
    let dry = client.done("download_weather_file", &json!({"wmo": wmo, "dry_run": true}));
    assert_eq!(
        (dry["sha256"].as_str(), dry["status"].as_str()),
        (Some(sha256(&weather).as_str()), Some("preview"))
    );
    let got = client.done("download_weather_file", &json!({"wmo": wmo}));
    assert_eq!((got["from_cache"].as_bool(), mirror.asked()), (Some(false), 2));
    assert_eq!(got["sha256"], sha256(&weather));
    assert_eq!(got["archive_sha256"], sha256(&bytes));
    assert_eq!(got["summary"]["degree_days"]["hdd18"], 5110.0);
    assert_eq!(got["summary"]["design"]["heating_996_c"], -10.5);
    assert_eq!(got["beside"].as_object().unwrap().len(), 2);
    assert!(got["address"].as_str().unwrap().starts_with(&mirror.address));
    // the next needs no network, whoever asks
    mirror.says("500 Broken", "", b"");
    let again = client.done("download_weather_file", &json!({"wmo": wmo}));
    assert_eq!((again["from_cache"].as_bool(), mirror.asked()), (Some(true), 2));
    assert_eq!(again["sha256"], got["sha256"]);
    assert_ne!(again["weather_file"], got["weather_file"]);

    let none = client.call("ifc_to_energy_model", &json!({}));
    assert_eq!(none["structuredContent"]["code"], 1011, "{none}");
    client.done("create_project", &json!({"name": "House"}));
    let empty = client.call("ifc_to_energy_model", &json!({}));
    let why = empty["structuredContent"]["message"].as_str().unwrap();
    assert!(why.contains("no IfcSpace") && why.contains("create_space"), "{why}");
    let shell = json!({"footprint": [[0, 0], [8000, 0], [8000, 5000], [0, 5000]], "storeys": 1});
    let shell = client.done("create_building_shell", &shell);
    let storey = shell["storeys"][0]["level_id"].clone();
    let rooms = json!({"level_id": storey, "rooms": [{"name": "Living room", "area": 18}, {"name": "Bedroom", "area": 14}]});
    let ifc = client.done("create_rooms", &rooms);
    // what it would come to
    let preview = client.done("ifc_to_energy_model", &json!({"dry_run": true}));
    assert_eq!(
        (preview["status"].as_str(), preview["counts"]["zones"].as_u64()),
        (Some("preview"), Some(2)),
        "{preview}"
    );
    assert_eq!(
        client.call("list_objects", &json!({"object_type": "Zone"}))["structuredContent"]["code"],
        1011
    );

    let made = client.done("ifc_to_energy_model", &json!({"reasoning": "heat demand"}));
    assert_eq!(made["counts"]["zones"], 2, "{made}");
    assert_eq!(made["source"]["model_version"], ifc["model_version"]);
    assert!(made["zones"].as_array().unwrap().iter().all(|zone| zone["closed"] == true), "{made}");
    assert!(made["assumption_count"].as_u64().unwrap() > 5);
    assert_eq!(made["weather"]["design_days"], 2);
    assert!(made.to_string().len() < 20_000, "{} characters", made.to_string().len());
    let report = made["links"][0]["href"].as_str().unwrap();
    assert!(report.ends_with("/energy-model-report.json"), "{report}");
    // it is the session's energy model, and stands where the weather is from
    let location =
        client.done("list_objects", &json!({"object_type": "Site:Location", "include_all_fields": true}));
    assert!(location.to_string().contains("Somewhere"), "{location}");
    let days = client.done("list_objects", &json!({"object_type": "SizingPeriod:DesignDay"})).to_string();
    assert!(days.contains("99.6%") && days.contains(".4%") && !days.contains("Winter design day"), "{days}");
    let valid = client.done("validate_model", &json!({"model_id": made["model_id"]}));
    assert_eq!(valid["valid"], true, "{valid}");
    // and the log says what it was made from
    let other = client.call("ifc_to_energy_model", &json!({"model_id": made["model_id"]}));
    assert!(other["structuredContent"]["message"].as_str().unwrap().contains("kind ifc"), "{other}");
    let fsck = place.run(&["admin", "fsck"]);
    assert!(fsck.status.success(), "{}", String::from_utf8_lossy(&fsck.stdout));
}

#[test]
fn a_mirror_that_lies_leaves_nothing_behind() {
    let mirror = Mirror::open();
    let place = Place::with_mirror(&mirror.address);
    let mut client = place.stdio();
    let wmo = "725650";
    let good = archive(&[("Town.epw", &epw("4.0"))]);
    let bomb = archive(&[("bomb.epw", &vec![b' '; 80 << 20])]);
    let wrong = archive(&[("Town.epw", b"Version,25.2;\n")]);
    let cut = archive(&[("Town.epw", &epw("4.0")[..400_000])]);
    let paths = archive(&[("../../../town.epw", &epw("4.0"))]);
    let (code, says) = (
        |fault: &Value| fault["code"].as_i64().unwrap(),
        |fault: &Value| fault["message"].as_str().unwrap().to_owned(),
    );
    for (what, body, expected) in [
        ("a page instead of an archive", b"<html>sign in</html>".to_vec(), 1013),
        ("a bomb", bomb, 1009),
        ("an archive that is cut off", good[..good.len() / 2].to_vec(), 1013),
        ("a model for weather", wrong, 1013),
        ("half a year", cut, 1013),
        ("a path that leads away", paths, 1013),
        ("nothing", Vec::new(), 1013),
    ] {
        mirror.says("200 OK", "", &body);
        let fault = refused(&mut client, wmo);
        assert_eq!(code(&fault), expected, "{what}: {fault}");
    }
    mirror.says("302 Found", "location: http://169.254.169.254/latest/meta-data\r\n", b"");
    let fault = refused(&mut client, wmo);
    assert!(code(&fault) == 1010 && says(&fault).contains("another host"), "{fault}");
    mirror.says("302 Found", "location: /collection/again.zip\r\n", b"");
    assert!(says(&refused(&mut client, wmo)).contains("led on"));
    mirror.says("404 Not Found", "", b"");
    assert_eq!(code(&refused(&mut client, wmo)), 1014);
    mirror.says("200 OK", &format!("x-checksum-sha256: {}\r\n", "0".repeat(64)), &good);
    assert!(says(&refused(&mut client, wmo)).contains("SHA-256"));
    // more than is ever taken, and less than was promised
    mirror.raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9000000000\r\nconnection: close\r\n\r\nPK");
    assert_eq!(code(&refused(&mut client, wmo)), 1009);
    mirror.raw(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\nconnection: close\r\n\r\nPK");
    assert_eq!(code(&refused(&mut client, wmo)), 1010);
    // after all that the good one is taken
    mirror.says("200 OK", "", &good);
    let got = client.done("download_weather_file", &json!({"wmo": wmo}));
    assert_eq!(got["from_cache"], false);
}

#[test]
fn without_a_network_one_fault_says_how_to_go_on() {
    // a port that nobody listens at
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::with_mirror(&format!("http://{free}"));
    let mut client = place.stdio();
    let fault = refused(&mut client, "725650");
    let message = fault["message"].as_str().unwrap();
    assert!(
        fault["code"] == 1010 && message.contains("mirror") && message.contains("upload an EPW"),
        "{fault}"
    );
    // one that lies beside, with its design days, does
    std::fs::write(place.root().join("here.epw"), epw("6.0")).unwrap();
    std::fs::write(place.root().join("here.ddy"), DDY).unwrap();
    client.done("create_project", &json!({"name": "House"}));
    let shell = json!({"footprint": [[0, 0], [8000, 0], [8000, 5000], [0, 5000]], "storeys": 1});
    let shell = client.done("create_building_shell", &shell);
    client.done(
        "create_rooms",
        &json!({"level_id": shell["storeys"][0]["level_id"], "rooms": [{"name": "Hall", "area": 20}]}),
    );
    let made = client.done("ifc_to_energy_model", &json!({"weather_file": "here.epw"}));
    assert_eq!(
        (made["weather"]["name"].as_str(), made["weather"]["design_days"].as_u64()),
        (Some("Somewhere ST CTY"), Some(2))
    );
    let missing = client.call("ifc_to_energy_model", &json!({"weather_file": "there.epw"}));
    assert_eq!(missing["structuredContent"]["code"], 1014, "{missing}");
}
