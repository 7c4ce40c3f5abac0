//! Who a request over HTTP says it is from. The user of this machine shows the key that lies in the data folder, where only they can read
//! it: the port alone proves nothing, for everybody on the machine reaches it, and so does a proxy that serves strangers.

use crate::{Credentials, key_in};
use contract::Secret;
use hmac::digest::Key;
use hmac::{Hmac, Mac};
use http::request::Parts;
use http::{HeaderName, Method, Uri, header};
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use subtle::ConstantTimeEq;

/// The parameter of an address that lets the user of this machine in, to that path alone.
const ACCESS: &str = "access=";
/// The further models that an address is of.
const WITH: &str = "with=";
/// The page that brings the key along with what it asks for.
const VIEWER: &str = "/viewer";

/// How callers on this machine are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loopback {
    /// By this key.
    Key(Secret),
    /// By coming from this machine.
    Open,
}

/// The callers of an HTTP side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpCallers {
    /// The user whom callers on this machine act for.
    pub user: String,
    /// How those are known.
    pub loopback: Loopback,
}

impl HttpCallers {
    /// The credentials that a request brings.
    pub fn credentials(&self, request: &Parts, peer: Option<IpAddr>) -> Credentials {
        let headers = &request.headers;
        // a request that a proxy passed on comes from wherever the proxy got it
        let passed_on = [HeaderName::from_static("x-forwarded-for"), header::FORWARDED, header::VIA]
            .iter()
            .any(|name| headers.contains_key(name));
        let is_local = !passed_on && peer.is_some_and(|peer| peer.to_canonical().is_loopback());
        let local = || Credentials::Local { user: self.user.clone() };
        match (key_in(headers), &self.loopback) {
            (Some(key), Loopback::Key(own)) if is_local && is_same(&key, own) => local(),
            (Some(key), _) => Credentials::Key { key, local: false },
            (None, Loopback::Key(own)) if is_local && has_access(request, own) => local(),
            (None, Loopback::Open) if is_local => local(),
            (None, _) => Credentials::None,
        }
    }
}

/// The end of an address by which it lets the user of this machine in: on the viewer's page, the key in the fragment, which is sent
/// nowhere; else a signature of the path, and of further models that its query names.
pub(crate) fn access(key: &Secret, path: &str) -> String {
    let (plain, query) = path.split_once('?').map_or((path, None), |(plain, query)| (plain, Some(query)));
    if plain == VIEWER {
        return format!("#key={}", key.reveal());
    }
    let sign = if query.is_some() { '&' } else { '?' };
    format!("{sign}{ACCESS}{}", signature(key, &signed(plain, query.unwrap_or_default())))
}

/// The part of an address that its signature is of: an address of one model is none of another that is added to it.
fn signed(path: &str, query: &str) -> String {
    let further: Vec<&str> = query.split('&').filter(|pair| pair.starts_with(WITH)).collect();
    if further.is_empty() { path.to_owned() } else { format!("{path}?{}", further.join("&")) }
}

/// True if the address itself lets in: to read what is at it, or to send there.
fn has_access(request: &Parts, key: &Secret) -> bool {
    let query = request.uri.query().unwrap_or_default();
    // a name that is written in another way may be that of a further model
    let is_plain = |pair: &str| !pair.split('=').next().unwrap_or_default().contains(['%', '+']);
    let shown = query.split('&').filter_map(|pair| pair.strip_prefix(ACCESS)).next_back();
    let expected = || Secret::new(signature(key, &signed(request.uri.path(), query)));
    query.split('&').all(is_plain)
        && matches!(request.method, Method::GET | Method::HEAD | Method::POST)
        && shown.is_some_and(|shown| is_same(&Secret::new(shown), &expected()))
}

/// An address without what lets in.
pub fn without_access(uri: &Uri) -> Uri {
    let Some(query) = uri.query().filter(|query| query.contains(ACCESS)) else { return uri.clone() };
    let rest: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with(ACCESS)).collect();
    let path = uri.path();
    let plain = if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = plain.parse().ok();
    Uri::from_parts(parts).unwrap_or_else(|_| uri.clone())
}

fn signature(key: &Secret, path: &str) -> String {
    let hashed = Sha256::digest(key.reveal().as_bytes());
    mac(&hashed.into(), &format!("access\n{path}"))
}

/// HMAC-SHA256 (RFC 2104), in hexadecimal.
pub fn mac(key: &[u8; 32], text: &str) -> String {
    // a key of the length that the library takes without a doubt: that of the hash's block, filled up with noughts
    let mut block = Key::<Hmac<Sha256>>::default();
    block.iter_mut().zip(key).for_each(|(byte, key)| *byte = *key);
    contract::hex(&<Hmac<Sha256> as Mac>::new(&block).chain_update(text).finalize().into_bytes())
}

/// Compares in a time that says nothing of where two differ.
fn is_same(a: &Secret, b: &Secret) -> bool {
    let (a, b) = (a.reveal().as_bytes(), b.reveal().as_bytes());
    !a.is_empty() && bool::from(a.ct_eq(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn credentials(loopback: Loopback, from: [u8; 4], pairs: &[(&'static str, &'static str)]) -> Credentials {
        credentials_at("GET", "/bucket", loopback, from, pairs)
    }

    fn credentials_at(
        method: &str,
        uri: &str,
        loopback: Loopback,
        from: [u8; 4],
        pairs: &[(&'static str, &'static str)],
    ) -> Credentials {
        let callers = HttpCallers { user: "ada".into(), loopback };
        let mut request = http::Request::builder().method(method).uri(uri);
        for (name, value) in pairs {
            request = request.header(*name, HeaderValue::from_static(value));
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        callers.credentials(&parts, Some(IpAddr::from(from)))
    }

    #[test]
    fn an_address_lets_the_user_in_to_its_own_path_alone() {
        let secret = Secret::new("psk_local_right");
        let at = |method: &str, uri: &str, from: [u8; 4]| {
            credentials_at(method, uri, Loopback::Key(secret.clone()), from, &[])
                == Credentials::Local { user: "ada".into() }
        };
        let here = [127, 0, 0, 1];
        let plain = format!("/bucket/m/v{}", access(&secret, "/bucket/m/v"));
        let more = format!("/bucket/m/v?schema=IFC4{}", access(&secret, "/bucket/m/v?schema=IFC4"));
        assert!(at("GET", &plain, here) && at("HEAD", &plain, here) && at("GET", &more, here));
        assert!(!at("GET", &plain, [192, 0, 2, 7]), "it leads in from this machine alone");
        assert!(!at("DELETE", &plain, here) && !at("PUT", &plain, here));
        assert!(!at("GET", &plain.replace("/m/v", "/m/w"), here));
        assert!(!at("GET", "/bucket/m/v?access=", here) && !at("GET", "/bucket/m/v", here));
        // a model that is joined to it is signed, too, and none can be added
        let joined = "/bucket/m/v?format=ifc&with=b%40v2";
        let own = access(&secret, joined);
        assert!(at("GET", &format!("{joined}{own}"), here));
        for other in ["with=c%40v2", "with=b%40v2&with=c", "wi%74h=c", "format=glb"] {
            let changed = format!("/bucket/m/v?format=ifc&{other}{own}");
            assert!(!at("GET", &changed, here), "{changed}");
            let added = format!("{more}&{other}");
            assert_eq!(at("GET", &added, here), other == "format=glb", "{added}");
        }
        assert_eq!(access(&secret, "/viewer?model=m"), "#key=psk_local_right");
        for (uri, plain) in [("/a?access=1", "/a"), ("/a?b=1&access=2&c", "/a?b=1&c"), ("/a?b=1", "/a?b=1")] {
            assert_eq!(without_access(&uri.parse().unwrap()), plain);
        }
    }

    /// RFC 4231, test case 2 has a shorter key; this one is padded to the length that keys have here.
    #[test]
    fn the_mac_is_that_of_the_standard() {
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        assert_eq!(
            mac(&key, "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn the_user_of_this_machine_shows_the_key_that_only_they_can_read() {
        let (here, there) = ([127, 0, 0, 1], [192, 0, 2, 7]);
        let key = || Loopback::Key(Secret::new("psk_local_right"));
        let right = ("authorization", "Bearer psk_local_right");
        let local = Credentials::Local { user: "ada".into() };
        assert_eq!(credentials(key(), here, &[right]), local);
        assert_eq!(credentials(key(), here, &[("x-api-key", "psk_local_right")]), local);
        assert_eq!(credentials(key(), here, &[]), Credentials::None, "another user of the machine");
        for (from, pairs) in [
            (here, vec![("authorization", "Bearer psk_local_wrong")]),
            (here, vec![("authorization", "Bearer ")]),
            (there, vec![right]),
            (here, vec![right, ("x-forwarded-for", "192.0.2.7")]),
            (here, vec![right, ("via", "1.1 proxy")]),
        ] {
            assert!(matches!(credentials(key(), from, &pairs), Credentials::Key { .. }), "{pairs:?}");
        }
    }

    #[test]
    fn an_open_port_knows_its_own_machine_and_no_proxy() {
        let local = Credentials::Local { user: "ada".into() };
        assert_eq!(credentials(Loopback::Open, [127, 0, 0, 1], &[]), local);
        assert_eq!(credentials(Loopback::Open, [192, 0, 2, 7], &[]), Credentials::None);
        let passed_on = [("forwarded", "for=192.0.2.7")];
        assert_eq!(credentials(Loopback::Open, [127, 0, 0, 1], &passed_on), Credentials::None);
    }
}
