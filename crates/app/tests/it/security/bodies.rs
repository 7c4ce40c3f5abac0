//! Bodies that are too large, never end or are not what they say, and names that try to write headers.

use super::office::Office;
use crate::wire::open;
use serde_json::json;
use std::io::Write as _;

#[test]
fn bodies_over_the_limit_are_refused_and_leave_nothing() {
    let office = Office::with("upload-mb = 1", "");
    let ada = office.somebody("ada", "author");
    // one byte too many: all of it is read before it is known
    let large = vec![b'x'; (1 << 20) + 1];
    let answer = ada.send("POST", "/bucket/files?name=large.ifc", &large);
    assert_eq!((answer.status, &answer.json()["code"]), (413, &json!(1009)), "{}", answer.text());
    let left = std::fs::read_dir(office.place.data().join("blobs/incoming")).map_or(0, Iterator::count);
    assert_eq!(left, 0);
    let fits = ada.send("POST", "/bucket/files?name=fits.ifc", &large[..1 << 20]);
    assert_eq!(fits.status, 201, "{}", fits.text());

    // a message is refused by what it says of its length, and the rest of it is not waited for
    let mut stream = std::net::TcpStream::connect(&office.address).unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\n{}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n",
        office.address,
        ada.headers[0],
        17 << 20
    );
    stream.write_all(head.as_bytes()).unwrap();
    let sender = stream.try_clone().unwrap();
    let sending = std::thread::spawn(move || {
        let mut sender = sender;
        let piece = vec![b' '; 1 << 20];
        // it may well be cut off
        for _ in 0..17 {
            if sender.write_all(&piece).is_err() {
                break;
            }
        }
    });
    let (status, _) = crate::wire::head(&mut std::io::BufReader::new(stream));
    assert_eq!(status, 413);
    sending.join().unwrap();
    ada.done("list_models", &json!({}));
}

/// Says that a large body comes, sends none of it, and reads the status that is answered all the same.
fn status_before_the_body(office: &Office, method: &str, path: &str, more: &[&str]) -> u16 {
    let mut stream = std::net::TcpStream::connect(&office.address).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer psk_nobody_nothing\r\ncontent-length: 600000000\r\n",
        office.address
    );
    for line in more {
        head.push_str(line);
        head.push_str("\r\n");
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
    crate::wire::head(&mut std::io::BufReader::new(stream)).0
}

#[test]
pub fn who_calls_is_decided_before_a_body_is_read_on_every_route() {
    let office = Office::open();
    let document = crate::wire::request(&office.address, "GET", "/api/openapi.json", &[], b"").json();
    let listed = document["paths"].as_object().unwrap().iter();
    let mut routes: Vec<(String, String)> = listed
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (path.clone(), method.clone()))
        })
        .filter(|(_, method)| method != "get")
        .collect();
    routes.push(("/api/approvals/{id}".into(), "post".into()));
    let mut tried = 0;
    for (path, method) in routes {
        let parts: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        let path = parts.join("/");
        if path.starts_with("/bucket/links/") {
            // a timed link is its own key; one that nobody made is none
            assert_eq!(status_before_the_body(&office, &method.to_uppercase(), &path, &[]), 403, "{path}");
            continue;
        }
        for kind in ["content-type: application/json", "content-type: multipart/form-data; boundary=x"] {
            let status = status_before_the_body(&office, &method.to_uppercase(), &path, &[kind]);
            assert_eq!(status, 401, "{method} {path}, {kind}");
            tried += 1;
        }
    }
    for path in ["/mcp", "/mcp/all", "/mcp?sessionId=x"] {
        assert_eq!(
            status_before_the_body(&office, "POST", path, &["content-type: application/json"]),
            401,
            "{path}"
        );
    }
    assert!(tried >= 8, "only {tried} routes take a body");
}

#[test]
fn a_decision_and_the_fields_of_a_form_are_bounded() {
    let office = Office::with("upload-mb = 4", "");
    let root = office.somebody("root", "admin");
    let mut long = b"{\"decision\": \"approve\", \"comment\": \"".to_vec();
    long.resize(80 << 10, b'x');
    let (status, said) = answer_to(&office, &root.headers[0], "/api/approvals/x", "application/json", long);
    assert_eq!(status, 413, "{said}");
    // a field that is no file, and never ends, before the file
    let mut form = b"--x\r\ncontent-disposition: form-data; name=\"note\"\r\n\r\n".to_vec();
    form.resize(6 << 20, b'n');
    let kind = "multipart/form-data; boundary=x";
    let (status, said) = answer_to(&office, &root.headers[0], "/bucket/files", kind, form);
    assert!(matches!(status, 400 | 413) && said.contains("larger"), "{status} {said}");
}

/// The answer to a body that is longer than what is sent of it, and may be answered before all of that is read.
fn answer_to(office: &Office, key: &str, path: &str, kind: &str, body: Vec<u8>) -> (u16, String) {
    let mut stream = std::net::TcpStream::connect(&office.address).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\n{key}\r\ncontent-type: {kind}\r\ncontent-length: 600000000\r\n\r\n",
        office.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut sender = stream.try_clone().unwrap();
    // it may well be cut off
    let sending = std::thread::spawn(move || drop(sender.write_all(&body)));
    let mut stream = std::io::BufReader::new(stream);
    let (status, headers) = crate::wire::head(&mut stream);
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut said = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
    std::io::Read::read_exact(&mut stream, &mut said).unwrap();
    drop(stream);
    sending.join().unwrap();
    (status, String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn senders_who_never_end_keep_nobody_else_waiting() {
    let office = Office::open();
    let ada = office.somebody("ada", "author");
    let key = ada.headers[0].clone();
    let mut slow = Vec::new();
    for _ in 0..64 {
        let mut stream = std::net::TcpStream::connect(&office.address).unwrap();
        let start = format!(
            "POST /bucket/files?name=slow.ifc HTTP/1.1\r\nhost: {}\r\n{key}\r\ncontent-length: 1000000\r\n\r\nISO",
            office.address
        );
        stream.write_all(start.as_bytes()).unwrap();
        slow.push(stream);
    }
    // and some that do not even end their headers
    for _ in 0..64 {
        let mut stream = std::net::TcpStream::connect(&office.address).unwrap();
        stream.write_all(b"POST /mcp HTTP/1.1\r\nhost: local").unwrap();
        slow.push(stream);
    }
    ada.done("create_project", &json!({"name": "House"}));
    assert_eq!(ada.send("GET", "/api/models", b"").status, 200);
    drop(slow);
    ada.done("list_models", &json!({}));
}

#[test]
fn what_is_no_model_is_refused_for_what_it_is() {
    let office = Office::open();
    let ada = office.somebody("ada", "author");
    // says to hold four gigabytes in a few bytes
    let mut bomb = b"PK\x03\x04\x14\0\0\0\x08\0".to_vec();
    bomb.extend([0; 8]);
    bomb.extend([0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0]);
    bomb.extend(b"x.ifc\x4b\x04\0\0");
    for (name, bytes) in
        [("bomb.ifczip", bomb.as_slice()), ("empty.ifc", b" "), ("page.ifc", b"<html></html>")]
    {
        let answer = ada.send("POST", &format!("/bucket?name={name}"), bytes);
        assert!(matches!(answer.status, 400 | 413 | 422), "{name}: {} {}", answer.status, answer.text());
        assert!(answer.json()["code"].is_i64(), "{name}");
    }
    assert_eq!(ada.done("list_models", &json!({}))["models"], json!([]));
}

/// A real archive of spaces, a thousandth of what it unpacks to.
fn bomb(megabytes: usize) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("House.ifc", zip::write::SimpleFileOptions::default()).unwrap();
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..megabytes {
        archive.write_all(&spaces).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_archive_that_grows_without_end_fills_neither_memory_nor_disk() {
    let office = Office::open();
    let ada = office.somebody("ada", "author");
    let bomb = bomb(256);
    assert!(bomb.len() < 1 << 20);
    let answer = ada.send("POST", "/bucket?name=House.ifczip", &bomb);
    assert!(matches!(answer.status, 413 | 422), "{} {}", answer.status, answer.text());
    assert!(answer.text().contains("times"), "{}", answer.text());
    // the same by a tool, of what was uploaded before
    let kept = ada.send("POST", "/bucket/files?name=House.ifczip", &bomb);
    assert_eq!(kept.status, 201, "{}", kept.text());
    let refused = ada.refused("load_model", &json!({"upload_name": "House.ifczip"}));
    assert!(refused["message"].as_str().unwrap().contains("times"), "{refused}");
    assert_eq!(ada.done("list_models", &json!({}))["models"], json!([]));
    assert!(size_of(office.place.data()) < 32 << 20, "nothing of what it unpacks to is left");
}

/// Bytes of all files below a folder.
fn size_of(folder: impl AsRef<std::path::Path>) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => size_of(entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[test]
fn names_write_no_headers() {
    let office = Office::open();
    let ada = office.somebody("ada", "author");
    let evil = "House\"\r\nset-cookie: a=b\r\n\r\n<script>";
    let made = ada.mcp("create_project", &json!({"name": evil}));
    let result = &made.message()["result"];
    if result["isError"] != true {
        let model = result["structuredContent"]["model_id"].as_str().unwrap();
        let answer = ada.send("GET", &format!("/bucket/{model}/head"), b"");
        assert_eq!(answer.status, 200);
        assert!(answer.header("set-cookie").is_none() && !answer.text().starts_with("<script>"));
    }
    for name in ["a%0d%0aset-cookie:%20a=b.ifc", "a%00.ifc", "%0a"] {
        let answer = ada.send("POST", &format!("/bucket/files?name={name}"), b"ISO-10303-21;");
        assert!(answer.header("set-cookie").is_none());
        assert_ne!(answer.status, 500, "{name}: {}", answer.text());
    }
    let mut stream =
        open(&office.address, "GET", "/api/models", &["host: localhost\r\nhost: evil.example"], b"");
    let (status, _) = crate::wire::head(&mut stream);
    assert!(status >= 400, "a request with two hosts has none: {status}");
}
