//! Who may ask from a browser. A page of another origin can send requests to this machine though it is not this machine's
//! user; and a page can point its own host name here and then counts as the same origin. So the host named must be ours,
//! and the page that asks must be ours, too.

use http::uri::Authority;
use http::{HeaderMap, HeaderName, Method, header};

/// Admits a request that comes from this server's own pages or from no page at all; otherwise the reason against it.
pub fn admits_page(
    method: &Method,
    headers: &HeaderMap,
    hosts: &[String],
    origins: &[String],
) -> Result<(), String> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    // a proxy may have looked at another of several
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err("A request has to name one host.".to_owned());
    }
    let host = text(header::HOST).unwrap_or_default();
    let name = host_name(host).unwrap_or_default();
    if !matches!(name.as_str(), "localhost" | "127.0.0.1" | "[::1]")
        && !hosts.iter().any(|own| own == host || own == &name)
    {
        return Err(format!(
            "This server does not answer under the name `{host}`. If it is its own, list it under `hosts` in pensaer.toml."
        ));
    }
    if let Some(origin) = text(header::ORIGIN) {
        let same = origin.split_once("://").is_some_and(|(_, authority)| authority == host);
        if !same && !origins.iter().any(|own| own == origin) {
            return Err(format!(
                "Pages of {origin} may not use this server. If they should, list the origin in pensaer.toml."
            ));
        }
        return Ok(());
    }
    // Without an Origin a page can still load things; browsers say so in these.
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if matches!(site, Some("cross-site" | "same-site")) {
        let opened_by_a_person = method == Method::GET
            && text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate")
            && text(HeaderName::from_static("sec-fetch-dest")) == Some("document");
        if !opened_by_a_person {
            return Err("Pages of other sites may not load from this server.".to_owned());
        }
    }
    Ok(())
}

/// Returns `localhost` of `localhost:8420` and `[::1]` of `[::1]:8420`; none of what is no host with or without a port.
fn host_name(host: &str) -> Option<String> {
    let authority: Authority = host.parse().ok()?;
    // what stands before an @ is no host, though some readers take it for one
    let is_plain =
        !host.contains('@') && (authority.port_u16().is_some() || authority.as_str() == authority.host());
    is_plain.then(|| authority.host().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn check(method: &Method, pairs: &[(&'static str, &'static str)]) -> bool {
        let headers = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        admits_page(method, &headers, &["bim.example.org".into()], &["https://app.example.org".into()])
            .is_ok()
    }

    #[test]
    fn shells_and_our_own_pages_are_let_in() {
        assert!(check(&Method::POST, &[("host", "127.0.0.1:8420")]));
        assert!(check(&Method::GET, &[("host", "[::1]:8420")]));
        assert!(check(&Method::POST, &[("host", "localhost:8420"), ("origin", "http://localhost:8420")]));
        assert!(check(&Method::GET, &[("host", "bim.example.org"), ("sec-fetch-site", "same-origin")]));
        assert!(check(&Method::POST, &[("host", "bim.example.org"), ("origin", "https://app.example.org")]));
    }

    #[test]
    fn a_name_pointed_here_by_somebody_else_is_not_ours() {
        assert!(!check(&Method::GET, &[("host", "evil.example")]));
        assert!(!check(&Method::GET, &[("host", "localhost.evil.example:8420")]));
        assert!(!check(&Method::GET, &[]));
        for odd in [
            "[::1].evil",
            "[::1]evil",
            "localhost@evil",
            "localhost:80@evil",
            "localhost:",
            "localhost:x",
            "127.0.0.1.evil",
        ] {
            assert!(!check(&Method::GET, &[("host", odd)]), "{odd}");
        }
        assert!(!check(&Method::POST, &[("host", "evil.example"), ("origin", "http://evil.example")]));
    }

    #[test]
    fn pages_of_others_are_turned_away() {
        let host = ("host", "localhost:8420");
        assert!(!check(&Method::POST, &[host, ("origin", "https://evil.example")]));
        assert!(!check(&Method::POST, &[host, ("origin", "http://localhost:3000")]));
        assert!(!check(&Method::POST, &[host, ("origin", "null")]));
        assert!(!check(
            &Method::GET,
            &[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]
        ));
        let frame = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "iframe"),
        ];
        assert!(!check(&Method::GET, &frame));
    }

    #[test]
    fn a_link_may_be_followed_from_anywhere() {
        let link = [
            ("host", "localhost:8420"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert!(check(&Method::GET, &link));
        assert!(!check(&Method::POST, &link));
    }
}
