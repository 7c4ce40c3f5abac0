//! Links in requests: which may be followed, and by whom.

use contract::{Fault, FaultCode};
use std::io::{self, Write};
use std::time::Duration;

/// Follows links. Called on a thread that may block.
pub trait Fetch: Send + Sync {
    /// Writes the bytes behind an address to `out`: no more than `limit` of them, within `wall`, without being led on to
    /// another address.
    fn fetch(&self, url: &str, limit: u64, wall: Duration, out: &mut dyn Write) -> io::Result<()>;
}

/// Refuses a link that does not lead to one of these places, by the beginning of its address.
pub(super) fn check(url: &str, places: &[String], field: &str) -> Result<(), Fault> {
    let refuse = |why: &str| Err(Fault::new(FaultCode::PermissionDenied, why).with("field", field));
    let authority =
        url.split_once("://").map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\' || c == '#';
    let path = url.split('?').next().unwrap_or_default().to_ascii_lowercase();
    let climbs = path.split('/').any(|part| matches!(part, "." | ".." | "%2e" | "%2e%2e" | ".%2e" | "%2e."));
    if !(url.starts_with("http://") || url.starts_with("https://"))
        || authority.is_none_or(|authority| authority.is_empty() || authority.contains('@'))
        || url.contains(odd)
        || climbs
    {
        return refuse("This link is not a plain http or https address.");
    }
    let leads_there = places.iter().any(|place| {
        // without a path a place ends where its host does, so that no longer name passes for it
        let whole = place.split_once("://").is_some_and(|(_, rest)| rest.contains('/'));
        let place = if whole { place.clone() } else { format!("{place}/") };
        url.starts_with(&place)
    });
    if leads_there {
        return Ok(());
    }
    refuse(
        "This service does not follow links to there. Whoever started it can allow it with --fetch-from and the beginning of \
         the address; small files may stand in the request itself, as inline sources.",
    )
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_links_to_the_places_named_are_followed() {
        let places = ["http://10.0.0.2:8420/bucket/".to_owned(), "https://models.example".to_owned()];
        let allowed = |url| check(url, &places, "models[0].base").is_ok();
        assert!(allowed("http://10.0.0.2:8420/bucket/blob/ab?until=1&signature=2"));
        assert!(allowed("https://models.example/house.ifc"));
        for url in [
            "http://10.0.0.2:8420/api/",
            "http://10.0.0.2:8420/bucket/../api/",
            "http://10.0.0.2:8420/bucket/%2E%2e/api/",
            "http://10.0.0.2:8420@evil.example/bucket/",
            "https://models.example.evil.example/house.ifc",
            "https://models.example@evil.example/",
            "https://models.example",
            "http://models.example/house.ifc",
            "http://169.254.169.254/latest/meta-data",
            "file:///etc/passwd",
            "https://models.example/a\r\nHost: evil",
            "https://models.example/\\evil",
        ] {
            assert!(!allowed(url), "{url}");
        }
        assert!(check("http://a/b", &[], "f").unwrap_err().message.contains("--fetch-from"));
    }
}
