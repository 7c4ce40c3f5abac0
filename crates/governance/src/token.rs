//! Tokens of an OAuth 2.1 authorization server, for which this server is the resource (RFC 9068, RFC 8725): signed with an
//! asymmetric algorithm that the policy allows, by a key of the issuer's set, for this audience, and in time.

use contract::Secret;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::str::FromStr as _;

/// The longest token that is looked at, in bytes.
const LONGEST: usize = 16 << 10;
/// The difference of clocks that is allowed, in seconds.
const LEEWAY: u64 = 60;
/// Algorithms that a policy may allow. None with a shared secret: who can check those can make them, too.
const POSSIBLE: [&str; 9] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"];

/// An issuer whose tokens are taken, and how they are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    /// The `iss` that a token has to carry; also where its metadata is.
    pub issuer: String,
    /// Any of these has to be in `aud`.
    pub audience: Vec<String>,
    /// The address of its keys.
    pub jwks_url: String,
    /// Algorithms allowed.
    pub algorithms: Vec<String>,
    /// The claim that names the principal.
    pub principal_claim: String,
    /// The prefix of that name here, so that nobody is taken for somebody that a key names.
    pub principal_prefix: String,
    /// The claim that lists roles; dots lead into objects.
    pub roles_claim: String,
    /// Roles here by those in the claim; the same name where it is not listed and `roles_as_named`.
    pub roles: BTreeMap<String, Vec<String>>,
    /// True if roles of the same name are taken as ours.
    pub roles_as_named: bool,
    /// Roles here by OAuth scope.
    pub scopes: BTreeMap<String, Vec<String>>,
}

impl Issuer {
    /// The algorithms that a policy may name.
    pub fn possible_algorithms() -> &'static [&'static str] {
        &POSSIBLE
    }
}

/// Why a token is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenProblem {
    /// It is none.
    #[error("The token cannot be read: {0}.")]
    Malformed(String),
    /// Signed in a way that is not allowed.
    #[error("The token is signed with {0}, which is not allowed here.")]
    Algorithm(String),
    /// It asks for something to be understood that is not.
    #[error("The token says that `{0}` is critical to it, which is not understood here.")]
    Critical(String),
    /// By a key that the issuer's set does not hold; perhaps a newer one does.
    #[error("The token is signed by a key that its issuer does not publish.")]
    UnknownKey,
    /// The signature is wrong.
    #[error("The token's signature does not hold.")]
    Signature,
    /// Its time is over.
    #[error("The token has expired. Get a new one from its issuer.")]
    Expired,
    /// Its time has not come.
    #[error("The token is not valid yet.")]
    NotYet,
    /// Somebody else's.
    #[error("The token was issued by somebody else than this server trusts.")]
    Issuer,
    /// For somebody else.
    #[error("The token was issued for another server.")]
    Audience,
    /// It says too little.
    #[error("The token lacks the claim `{0}`.")]
    Lacking(String),
}

/// The principal that a token speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The principal.
    pub name: String,
    /// Its roles here.
    pub roles: Vec<String>,
}

/// An issuer's public keys.
#[derive(Debug, Clone, Default)]
pub struct Keys(Vec<Jwk>);

impl Keys {
    /// Reads a key set (RFC 7517). Keys that are not for signatures, and secrets, are left out.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let set: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let list = set.get("keys").and_then(Value::as_array).ok_or("there is no list `keys` in it")?;
        // one key of a kind that is not known here leaves the others as they are
        let keys: Vec<Jwk> = list
            .iter()
            .filter_map(|key| serde_json::from_value(key.clone()).ok())
            .filter(|key: &Jwk| {
                let signs = matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
                let public = matches!(
                    key.algorithm,
                    AlgorithmParameters::RSA(_)
                        | AlgorithmParameters::EllipticCurve(_)
                        | AlgorithmParameters::OctetKeyPair(_)
                );
                signs && public
            })
            .collect();
        if keys.is_empty() { Err("it holds no key for signatures".to_owned()) } else { Ok(Self(keys)) }
    }

    fn find(&self, kid: Option<&str>) -> Option<&Jwk> {
        match kid {
            Some(kid) => self.0.iter().find(|key| key.common.key_id.as_deref() == Some(kid)),
            // without a name it is only clear where there is one key
            None => self.0.first().filter(|_| self.0.len() == 1),
        }
    }
}

/// True if a credential has the form of a token: three parts with points between.
pub fn is_token(credential: &Secret) -> bool {
    let text = credential.reveal();
    text.len() <= LONGEST && text.starts_with("ey") && text.bytes().filter(|b| *b == b'.').count() == 2
}

/// Verifies a token in every respect and returns the principal that it speaks for.
pub fn verify(issuer: &Issuer, keys: &Keys, token: &Secret) -> Result<Bearer, TokenProblem> {
    let header = decode_header(token.reveal()).map_err(|error| TokenProblem::Malformed(error.to_string()))?;
    // what its issuer calls critical has to be understood, and none of it is here (RFC 7515, 4.1.11)
    if let Some(critical) = header.crit {
        return Err(TokenProblem::Critical(critical.join(", ")));
    }
    let name = format!("{:?}", header.alg);
    let allowed = |alg: &str| POSSIBLE.contains(&alg) && issuer.algorithms.iter().any(|known| known == alg);
    if !allowed(&name) {
        return Err(TokenProblem::Algorithm(name));
    }
    let key = keys.find(header.kid.as_deref()).ok_or(TokenProblem::UnknownKey)?;
    // a key that says what it is for is used for nothing else
    if let Some(own) = key.common.key_algorithm
        && Algorithm::from_str(&own.to_string()).ok() != Some(header.alg)
    {
        return Err(TokenProblem::Algorithm(name));
    }
    let key = DecodingKey::from_jwk(key).map_err(|_| TokenProblem::UnknownKey)?;
    let mut wanted = Validation::new(header.alg);
    wanted.set_issuer(&[&issuer.issuer]);
    wanted.set_audience(&issuer.audience);
    wanted.set_required_spec_claims(&["exp", "iss", "aud"]);
    wanted.validate_nbf = true;
    wanted.leeway = LEEWAY;
    let claims = decode::<Map<String, Value>>(token.reveal(), &key, &wanted).map_err(problem)?.claims;
    let name = claims
        .get(&issuer.principal_claim)
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty() && name.len() <= 200 && !name.chars().any(char::is_control))
        .ok_or_else(|| TokenProblem::Lacking(issuer.principal_claim.clone()))?;
    Ok(Bearer { name: format!("{}{name}", issuer.principal_prefix), roles: roles(issuer, &claims) })
}

fn problem(error: jsonwebtoken::errors::Error) -> TokenProblem {
    match error.kind() {
        ErrorKind::ExpiredSignature => TokenProblem::Expired,
        ErrorKind::ImmatureSignature => TokenProblem::NotYet,
        ErrorKind::InvalidIssuer => TokenProblem::Issuer,
        ErrorKind::InvalidAudience => TokenProblem::Audience,
        ErrorKind::MissingRequiredClaim(name) => TokenProblem::Lacking(name.clone()),
        ErrorKind::InvalidSignature => TokenProblem::Signature,
        ErrorKind::InvalidAlgorithm => TokenProblem::Algorithm("another algorithm than its key".to_owned()),
        _ => TokenProblem::Malformed(error.to_string()),
    }
}

/// Maps its roles and scopes to roles of the policy. What the policy does not name counts for nothing.
fn roles(issuer: &Issuer, claims: &Map<String, Value>) -> Vec<String> {
    let mut roles: Vec<String> = Vec::new();
    let mut add = |names: &[String]| {
        for name in names {
            if !roles.contains(name) {
                roles.push(name.clone());
            }
        }
    };
    let mut path = issuer.roles_claim.split('.');
    let listed = path
        .next()
        .and_then(|first| claims.get(first))
        .and_then(|value| path.try_fold(value, |value, part| value.get(part)));
    for role in words(listed) {
        match issuer.roles.get(&role) {
            Some(ours) => add(ours),
            None if issuer.roles_as_named => add(std::slice::from_ref(&role)),
            None => {}
        }
    }
    for scope in words(claims.get("scope")).chain(words(claims.get("scp"))) {
        if let Some(ours) = issuer.scopes.get(&scope) {
            add(ours);
        }
    }
    roles
}

/// A list of names, or names with spaces between.
fn words(value: Option<&Value>) -> impl Iterator<Item = String> {
    let found: Vec<String> = match value {
        Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    found.into_iter()
}
