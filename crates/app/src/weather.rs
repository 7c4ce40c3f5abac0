//! Archives of weather stations, fetched over http and https from the public collection or the mirror of the settings.
//!
//! An answer may lead on, as long as it stays at the host that was asked and does not fall back from https to http. Bytes and
//! time are bounded. Where a server states what it sends (RFC 9530, or the headers of common artefact stores), that is told.

use crate::settings::Settings;
use contract::{BoxFuture, FetchProblem};
use service::{Collection, FetchArchive, Fetched};
use std::io::Read as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// The time that one archive may take, however often it leads on.
const PATIENCE: Duration = Duration::from_secs(45);
/// The number of times that it may lead on.
const HOPS: usize = 4;

/// The collection that these settings have weather files from.
pub(crate) fn source(settings: &Settings) -> Collection {
    let fetch: FetchArchive =
        Arc::new(|address, limit| -> BoxFuture<'static, Result<Fetched, FetchProblem>> {
            Box::pin(async move {
                let asked = tokio::task::spawn_blocking(move || fetch(&address, limit, PATIENCE)).await;
                asked.map_err(|error| FetchProblem::Unreachable(error.to_string()))?
            })
        });
    let address = settings.weather_mirror.clone().unwrap_or_else(|| tools::COLLECTION_ADDRESS.to_owned());
    Collection { address, fetch: Some(fetch) }
}

fn fetch(address: &str, limit: u64, patience: Duration) -> Result<Fetched, FetchProblem> {
    let until = Instant::now() + patience;
    let unreachable = |error: &dyn std::fmt::Display| FetchProblem::Unreachable(error.to_string());
    let mut address: ureq::http::Uri = address.parse().map_err(|error| unreachable(&error))?;
    for _ in 0..HOPS {
        let left = until.saturating_duration_since(Instant::now());
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(left.max(Duration::from_millis(1))))
            .max_redirects(0)
            .http_status_as_error(false)
            .build()
            .into();
        let mut answer = agent.get(&address).call().map_err(|error| unreachable(&error))?;
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
        match answer.status().as_u16() {
            200 => {}
            404 | 410 => return Err(FetchProblem::Missing),
            301 | 302 | 303 | 307 | 308 => {
                let to = header("location").unwrap_or_default();
                address = onward(&address, to)?;
                continue;
            }
            status => return Err(FetchProblem::Unreachable(format!("it answers {status}"))),
        }
        let stated_sha256 = stated(&header);
        let length = header("content-length").and_then(|text| text.parse::<u64>().ok());
        if length.is_some_and(|length| length > limit) {
            return Err(FetchProblem::TooLarge);
        }
        let mut bytes = Vec::new();
        let mut body = answer.body_mut().as_reader().take(limit.saturating_add(1));
        body.read_to_end(&mut bytes).map_err(|error| unreachable(&error))?;
        if bytes.len() as u64 > limit {
            return Err(FetchProblem::TooLarge);
        }
        return Ok(Fetched { bytes, stated_sha256 });
    }
    Err(FetchProblem::Unreachable(format!("it led on {HOPS} times")))
}

/// The address that an answer leads to, if that is at the same host.
fn onward(from: &ureq::http::Uri, to: &str) -> Result<ureq::http::Uri, FetchProblem> {
    let no_address = || FetchProblem::Unreachable(format!("it leads to {to:?}, which is no address"));
    let from = Url::parse(&from.to_string()).map_err(|_| no_address())?;
    let next = from.join(to).map_err(|_| no_address())?;
    // a host may ask for its own https
    let is_upgrade = next.host() == from.host() && (from.scheme(), next.scheme()) == ("http", "https");
    if next.origin() == from.origin() || is_upgrade {
        next.as_str().parse().map_err(|_| no_address())
    } else {
        Err(FetchProblem::Elsewhere(next.into()))
    }
}

/// The SHA-256 that an answer states of its content, in hexadecimal.
fn stated<'a>(header: &dyn Fn(&str) -> Option<&'a str>) -> Option<String> {
    let plain = header("x-checksum-sha256").map(str::trim).map(str::to_ascii_lowercase);
    if let Some(hex) = plain.filter(|hex| hex.len() == 64 && hex.bytes().all(|c| c.is_ascii_hexdigit())) {
        return Some(hex);
    }
    let listed = ["repr-digest", "content-digest", "digest"].into_iter().find_map(header)?;
    listed.split(',').find_map(|part| {
        let (name, value) = part.trim().split_once('=')?;
        if !name.eq_ignore_ascii_case("sha-256") {
            return None;
        }
        let bytes = contract::Source::Inline(value.trim_matches(':').to_owned()).inline_bytes()?;
        (bytes.len() == 32).then(|| contract::hex(&bytes))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(text: &str) -> ureq::http::Uri {
        text.parse().unwrap()
    }

    #[test]
    fn an_answer_leads_on_within_its_host_alone() {
        let from = uri("http://mirror.example.org:8080/a/b.zip");
        let to = |text: &str| onward(&from, text).map(|uri| uri.to_string());
        assert_eq!(to("/c.zip").as_deref(), Ok("http://mirror.example.org:8080/c.zip"));
        assert_eq!(to("c.zip").as_deref(), Ok("http://mirror.example.org:8080/a/c.zip"));
        assert_eq!(to("../d/c.zip?x").as_deref(), Ok("http://mirror.example.org:8080/d/c.zip?x"));
        assert_eq!(to("?x").as_deref(), Ok("http://mirror.example.org:8080/a/b.zip?x"));
        assert_eq!(to("https://mirror.example.org/c.zip").as_deref(), Ok("https://mirror.example.org/c.zip"));
        for elsewhere in [
            "http://example.org/c.zip",
            "//169.254.169.254/x",
            "/\\169.254.169.254/x",
            "http://mirror.example.org:22/",
            "ftp://mirror.example.org:8080/x",
        ] {
            assert!(matches!(to(elsewhere), Err(FetchProblem::Elsewhere(_))), "{elsewhere}");
        }
        let safe = uri("https://mirror.example.org/a.zip");
        assert!(matches!(onward(&safe, "http://mirror.example.org/a.zip"), Err(FetchProblem::Elsewhere(_))));
    }

    /// Answers with this and then with byte after byte, never to an end.
    fn dripping(head: &'static str) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/a.zip", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            use std::io::Write as _;
            for mut stream in listener.incoming().flatten() {
                let mut went = stream.write_all(head.as_bytes());
                while went.is_ok() {
                    std::thread::sleep(Duration::from_millis(20));
                    went = stream.write_all(b"P");
                }
            }
        });
        address
    }

    #[test]
    fn a_server_that_drips_is_given_up_on_wherever_it_is_at() {
        for head in [
            "",
            "HTTP/1.1 200 OK\r\nx-",
            "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n",
            "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n",
        ] {
            // without an end of its own this test would not come to one
            let got = fetch(&dripping(head), 1 << 20, Duration::from_millis(700));
            assert!(matches!(got, Err(FetchProblem::Unreachable(_))), "{head:?}: {got:?}");
        }
    }

    #[test]
    fn what_a_server_states_of_its_content_is_read() {
        let of = |name: &'static str, value: &'static str| {
            stated(&move |asked: &str| (asked == name).then_some(value))
        };
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of("x-checksum-sha256", abc).as_deref(), Some(abc));
        let base64 = "sha-512=:AAAA:, sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:";
        assert_eq!(of("repr-digest", base64).as_deref(), Some(abc));
        assert_eq!(
            of("digest", "SHA-256=ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=").as_deref(),
            Some(abc)
        );
        assert_eq!(of("digest", "md5=AAAA").as_deref(), None);
    }
}
