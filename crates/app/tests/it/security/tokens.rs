//! Tokens of an authorization server, which here is a thread that gives out its keys. The keys were made for tests.

use super::office::{Caller, Office};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

const RSA: &str = include_str!("../../../../governance/src/tests/rsa.pem");
const EC: &str = include_str!("../../../../governance/src/tests/ec.pem");
const SET: &str = include_str!("../../../../governance/src/tests/jwks.json");

/// Gives out the keys at an address of this machine, until the test ends.
fn issuer() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut read = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while read.read_line(&mut line).is_ok_and(|n| n > 2) {
                line.clear();
            }
            let mut stream = stream;
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{SET}",
                SET.len()
            );
        }
    });
    address
}

fn office(issuer: &str) -> Office {
    let policy = format!(
        "[oauth]\nissuer = '{issuer}'\njwks-url = '{issuer}/keys'\naudience = ['https://bim.example.org/mcp']\n\
         [oauth.roles]\ndrafter = ['author']\n[oauth.scopes]\n'bim:read' = ['viewer']\n"
    );
    Office::with("", &policy)
}

fn claims(issuer: &str) -> Value {
    json!({"iss": issuer, "aud": "https://bim.example.org/mcp", "sub": "ada", "scope": "bim:read",
        "exp": get_current_timestamp() + 600})
}

fn signed(alg: Algorithm, kid: &str, claims: &Value) -> String {
    let key = match alg {
        Algorithm::ES256 => EncodingKey::from_ec_pem(EC.as_bytes()).unwrap(),
        Algorithm::HS256 => EncodingKey::from_secret(SET.as_bytes()),
        _ => EncodingKey::from_rsa_pem(RSA.as_bytes()).unwrap(),
    };
    let header = Header { kid: Some(kid.into()), ..Header::new(alg) };
    encode(&header, claims, &key).unwrap()
}

fn bearer(office: &Office, token: &str) -> Caller {
    office.caller(&[&format!("authorization: Bearer {token}")])
}

#[test]
fn a_token_lets_its_subject_in_with_the_roles_that_the_policy_gives() {
    let issuer = issuer();
    let office = office(&issuer);
    let reader = bearer(&office, &signed(Algorithm::ES256, "ec-1", &claims(&issuer)));
    let who = reader.done("whoami", &json!({}));
    assert_eq!((&who["name"], &who["roles"]), (&json!("oauth:ada"), &json!(["viewer"])));
    assert_eq!(reader.refused("create_project", &json!({"name": "House"}))["code"], 1003);
    let mut drafting = claims(&issuer);
    drafting["roles"] = json!(["drafter"]);
    let drafter = bearer(&office, &signed(Algorithm::RS256, "rsa-1", &drafting));
    drafter.done("create_project", &json!({"name": "House"}));
}

#[test]
fn who_has_no_token_is_told_where_to_get_one() {
    let issuer = issuer();
    let office = office(&issuer);
    let answer = office.caller(&[]).initialize();
    assert_eq!(answer.status, 401);
    let challenge = answer.header("www-authenticate").unwrap().to_owned();
    let metadata = challenge.split('"').find(|part| part.starts_with("http")).unwrap();
    let path = metadata.strip_prefix(&format!("http://{}", office.address)).unwrap();
    let found = office.caller(&[]).send("GET", path, b"").json();
    assert_eq!(found["authorization_servers"], json!([issuer]));
    assert_eq!(found["resource"], format!("http://{}/mcp", office.address));
    assert_eq!(found["scopes_supported"], json!(["bim:read"]));
    let deeper = office.caller(&[]).send("GET", "/.well-known/oauth-protected-resource/mcp", b"");
    assert_eq!(deeper.json(), found);
}

#[test]
fn a_token_that_lacks_anything_is_refused_by_http_itself() {
    let issuer = issuer();
    let office = office(&issuer);
    let with = |name: &str, value: Value| {
        let mut claims = claims(&issuer);
        claims[name] = value;
        signed(Algorithm::RS256, "rsa-1", &claims)
    };
    let good = signed(Algorithm::ES256, "ec-1", &claims(&issuer));
    let (head, _) = good.rsplit_once('.').unwrap();
    let payload = head.split_once('.').unwrap().1;
    for (what, token) in [
        ("expired", with("exp", json!(get_current_timestamp() - 3600))),
        ("not valid yet", with("nbf", json!(get_current_timestamp() + 3600))),
        ("of another issuer", with("iss", json!("https://evil.example"))),
        ("for another server", with("aud", json!("https://other.example/mcp"))),
        ("signed with a shared secret", signed(Algorithm::HS256, "rsa-1", &claims(&issuer))),
        ("signed with an algorithm that is not allowed", signed(Algorithm::RS384, "rsa-1", &claims(&issuer))),
        ("signed with a key of another kind", signed(Algorithm::RS256, "ec-1", &claims(&issuer))),
        ("signed with a key that nobody knows", signed(Algorithm::RS256, "mine", &claims(&issuer))),
        ("not signed", format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.")),
        ("signed badly", format!("{head}.AAAA")),
    ] {
        let answer = bearer(&office, &token).initialize();
        assert_eq!(answer.status, 401, "{what}: {}", answer.text());
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(
            challenge.contains("error=\"invalid_token\"") && challenge.contains("resource_metadata="),
            "{challenge}"
        );
    }
    let nothing = bearer(&office, &with("scope", json!("openid"))).initialize();
    assert_eq!(nothing.status, 403, "{}", nothing.text());
    assert!(nothing.header("www-authenticate").unwrap().contains("insufficient_scope"));
}
