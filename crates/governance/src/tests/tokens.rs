//! Tokens that hold, and every way in which one does not. The keys were made for these tests and sign nothing else.

use crate::{Issuer, Keys, TokenProblem, is_token, verify};
use base64::Engine as _;
use contract::Secret;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const RSA: &str = include_str!("rsa.pem");
const EC: &str = include_str!("ec.pem");
const SET: &str = include_str!("jwks.json");

fn issuer() -> Issuer {
    Issuer {
        issuer: "https://login.example.org".into(),
        audience: vec!["https://bim.example.org/mcp".into()],
        jwks_url: String::new(),
        algorithms: vec!["RS256".into(), "ES256".into()],
        principal_claim: "sub".into(),
        principal_prefix: "oauth:".into(),
        roles_claim: "realm.roles".into(),
        roles: BTreeMap::from([("drafter".to_owned(), vec!["author".to_owned()])]),
        roles_as_named: false,
        scopes: BTreeMap::from([("bim:read".to_owned(), vec!["viewer".to_owned()])]),
    }
}

fn claims() -> Value {
    json!({
        "iss": "https://login.example.org", "aud": ["https://bim.example.org/mcp", "other"], "sub": "ada",
        "exp": get_current_timestamp() + 600, "scope": "openid bim:read",
        "realm": { "roles": ["drafter", "admin"] },
    })
}

fn signed(alg: Algorithm, kid: Option<&str>, claims: &Value) -> Secret {
    let key = match alg {
        Algorithm::ES256 => EncodingKey::from_ec_pem(EC.as_bytes()).unwrap(),
        Algorithm::HS256 => EncodingKey::from_secret(SET.as_bytes()),
        _ => EncodingKey::from_rsa_pem(RSA.as_bytes()).unwrap(),
    };
    let mut header = Header::new(alg);
    header.kid = kid.map(str::to_owned);
    Secret::new(encode(&header, claims, &key).unwrap())
}

fn check(token: &Secret) -> Result<crate::Bearer, TokenProblem> {
    verify(&issuer(), &Keys::parse(SET.as_bytes()).unwrap(), token)
}

#[test]
fn a_token_of_either_algorithm_speaks_for_its_subject_with_the_roles_that_policy_gives() {
    for (alg, kid) in [(Algorithm::RS256, "rsa-1"), (Algorithm::ES256, "ec-1")] {
        let token = signed(alg, Some(kid), &claims());
        assert!(is_token(&token));
        let bearer = check(&token).unwrap();
        assert_eq!(bearer.name, "oauth:ada");
        assert_eq!(bearer.roles, ["author", "viewer"], "`admin` in a token is nothing unless policy says so");
    }
}

#[test]
fn a_token_that_lacks_anything_is_refused_for_just_that() {
    let with = |name: &str, value: Value| {
        let mut claims = claims();
        claims[name] = value;
        check(&signed(Algorithm::RS256, Some("rsa-1"), &claims)).unwrap_err()
    };
    let now = get_current_timestamp();
    assert_eq!(with("exp", json!(now - 3600)), TokenProblem::Expired);
    assert_eq!(with("nbf", json!(now + 3600)), TokenProblem::NotYet);
    assert_eq!(with("iss", json!("https://evil.example")), TokenProblem::Issuer);
    assert_eq!(with("aud", json!("https://other.example")), TokenProblem::Audience);
    assert_eq!(with("sub", json!("a\nb")), TokenProblem::Lacking("sub".into()));
    for name in ["exp", "aud", "iss"] {
        let mut claims = claims();
        claims.as_object_mut().unwrap().remove(name);
        let problem = check(&signed(Algorithm::RS256, Some("rsa-1"), &claims)).unwrap_err();
        assert_eq!(problem, TokenProblem::Lacking(name.into()));
    }
}

#[test]
fn signatures_by_no_key_another_key_or_a_public_key_as_a_secret_are_refused() {
    let refused = |token: &Secret| check(token).unwrap_err();
    assert_eq!(refused(&signed(Algorithm::RS256, Some("new"), &claims())), TokenProblem::UnknownKey);
    assert_eq!(refused(&signed(Algorithm::RS256, None, &claims())), TokenProblem::UnknownKey);
    assert_eq!(
        refused(&signed(Algorithm::HS256, Some("rsa-1"), &claims())),
        TokenProblem::Algorithm("HS256".into())
    );
    assert_eq!(
        refused(&signed(Algorithm::RS512, Some("rsa-1"), &claims())),
        TokenProblem::Algorithm("RS512".into())
    );
    // the other kind of key under this name
    assert!(matches!(
        refused(&signed(Algorithm::RS256, Some("ec-1"), &claims())),
        TokenProblem::Algorithm(_)
    ));
    let good = signed(Algorithm::ES256, Some("ec-1"), &claims());
    let (head, signature) = good.reveal().rsplit_once('.').unwrap();
    let (header, _) = head.split_once('.').unwrap();
    let other = signed(Algorithm::ES256, Some("ec-1"), &json!({ "sub": "root" }));
    let payload = other.reveal().split('.').nth(1).unwrap().to_owned();
    assert_eq!(refused(&Secret::new(format!("{header}.{payload}.{signature}"))), TokenProblem::Signature);
    // {"alg":"none","typ":"JWT"}
    let none = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
    assert!(matches!(refused(&Secret::new(none)), TokenProblem::Malformed(_)));
}

#[test]
fn a_token_that_calls_something_critical_is_refused() {
    // a header as a signer writes it that means `crit`, with everything else right
    let header = json!({"alg": "RS256", "kid": "rsa-1", "crit": ["http://example.org/terms"]});
    let good = signed(Algorithm::RS256, Some("rsa-1"), &claims());
    let (_, rest) = good.reveal().split_once('.').unwrap();
    let encoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(header.to_string());
    assert_eq!(
        check(&Secret::new(format!("{encoded}.{rest}"))).unwrap_err(),
        TokenProblem::Critical("http://example.org/terms".into())
    );
}

#[test]
fn a_key_set_leaves_out_secrets_and_keys_for_other_uses() {
    assert!(Keys::parse(br#"{"keys": []}"#).is_err());
    assert!(Keys::parse(b"{}").is_err());
    assert!(Keys::parse(br#"{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "a"}]}"#).is_err());
    let mut set: Value = serde_json::from_str(SET).unwrap();
    for key in set["keys"].as_array_mut().unwrap() {
        key["use"] = "enc".into();
    }
    assert!(Keys::parse(set.to_string().as_bytes()).is_err());
}
