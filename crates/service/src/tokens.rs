//! Callers with a token of an OAuth authorization server. Its keys are fetched when the first token comes, kept, and
//! fetched again when a token names a key that is not among them: that is how issuers change their keys.

use crate::identity::unknown;
use crate::{Authenticator, CallContext, Credentials};
use contract::{BoxFuture, Fault, Principal, Secret};
use governance::{Issuer, Keys, Policy, TokenProblem};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Keys are used so long without asking again: one that was withdrawn is honoured no longer.
const KEPT: Duration = Duration::from_mins(15);
/// Between two fetches lies at least this: tokens with made-up keys must not make this server a burden to its issuer.
const BETWEEN: Duration = Duration::from_secs(10);
/// When the issuer does not answer, keys that it gave are good for this long in all.
const STALE: Duration = Duration::from_hours(4);

/// Fetches the bytes behind an address.
pub type Fetch = Arc<dyn Fn(String) -> BoxFuture<'static, Result<Vec<u8>, String>> + Send + Sync>;

#[derive(Default)]
struct Held {
    keys: Option<(Keys, Instant)>,
    asked: Option<Instant>,
}

/// Bearers of an issuer's tokens.
pub struct TokenBearers {
    issuer: Issuer,
    fetch: Fetch,
    held: Mutex<Held>,
}

impl TokenBearers {
    /// Knows the tokens of this issuer, whose keys are had by `fetch`.
    pub fn new(issuer: Issuer, fetch: Fetch) -> Self {
        Self { issuer, fetch, held: Mutex::default() }
    }

    /// The issuer's keys; fresh ones if `unknown` says that those kept lack one.
    async fn keys(&self, unknown_key: bool) -> Result<Keys, Fault> {
        let mut held = self.held.lock().await;
        let now = Instant::now();
        let age = held.keys.as_ref().map(|(_, since)| now.duration_since(*since));
        let wanted = unknown_key || age.is_none_or(|age| age >= KEPT);
        let may_ask = held.asked.is_none_or(|asked| now.duration_since(asked) >= BETWEEN);
        if wanted && may_ask {
            held.asked = Some(now);
            let answer = (self.fetch)(self.issuer.jwks_url.clone()).await;
            match answer.and_then(|bytes| Keys::parse(&bytes)) {
                Ok(keys) => held.keys = Some((keys, now)),
                Err(error) => {
                    tracing::warn!(url = self.issuer.jwks_url, error, "an issuer's keys cannot be had");
                }
            }
        }
        match &held.keys {
            Some((keys, since)) if now.duration_since(*since) < STALE => Ok(keys.clone()),
            _ => Err(unknown("The keys of the token's issuer cannot be had right now. Try again later.")),
        }
    }

    async fn bearer(&self, token: &Secret) -> Result<Principal, Fault> {
        let refused = |problem: TokenProblem| unknown(&problem.to_string());
        let keys = self.keys(false).await?;
        let bearer = match governance::verify(&self.issuer, &keys, token) {
            Err(TokenProblem::UnknownKey) => {
                governance::verify(&self.issuer, &self.keys(true).await?, token).map_err(refused)?
            }
            other => other.map_err(refused)?,
        };
        Ok(Principal { name: bearer.name, roles: bearer.roles, ..Principal::default() })
    }
}

impl Authenticator for TokenBearers {
    fn authenticate<'a>(
        &'a self,
        context: &'a CallContext,
        _: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        Box::pin(async move {
            let Credentials::Key { key, .. } = &context.credentials else { return None };
            if !governance::is_token(key) {
                return None;
            }
            Some(self.bearer(key).await)
        })
    }

    /// The roles that a token said are taken as they were: it is not kept, and cannot be asked again.
    fn again<'a>(
        &'a self,
        was: &'a Principal,
        _: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        let is_one = !was.local && was.key.is_none();
        let now = || {
            let mut principal = was.clone();
            let named = std::mem::take(&mut principal.named);
            principal.roles.retain(|role| !named.contains(role));
            Ok(principal)
        };
        Box::pin(std::future::ready(is_one.then(now)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::Mutex as StdMutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A key set whose one key has this name.
    fn set(kid: &str) -> Vec<u8> {
        let key = json!({ "kty": "RSA", "kid": kid, "use": "sig", "n": "AQAB", "e": "AQAB" });
        json!({ "keys": [key] }).to_string().into_bytes()
    }

    fn issuer() -> Issuer {
        let text = "[oauth]\nissuer = 'https://a.example'\naudience = ['b']";
        governance::parse(text, |_, _| false).unwrap().issuer.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn keys_are_kept_and_asked_for_again_when_one_is_missing_but_not_too_often() {
        let (asked, answer) = (Arc::new(AtomicUsize::new(0)), Arc::new(StdMutex::new(Ok(set("one")))));
        let (count, given) = (Arc::clone(&asked), Arc::clone(&answer));
        let fetch: Fetch = Arc::new(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            let given: Result<Vec<u8>, String> = given.lock().unwrap().clone();
            Box::pin(std::future::ready(given))
        });
        let bearers = TokenBearers::new(issuer(), fetch);
        let times = || asked.load(Ordering::SeqCst);
        for _ in 0..3 {
            bearers.keys(false).await.unwrap();
        }
        assert_eq!(times(), 1, "kept");
        bearers.keys(true).await.unwrap();
        assert_eq!(times(), 1, "a made-up key is no reason to ask at once");
        tokio::time::advance(BETWEEN).await;
        *answer.lock().unwrap() = Ok(set("two"));
        bearers.keys(true).await.unwrap();
        assert_eq!(times(), 2, "a new key is");
        tokio::time::advance(KEPT).await;
        *answer.lock().unwrap() = Err("down".to_owned());
        assert!(bearers.keys(false).await.is_ok(), "an issuer that is down for a while locks nobody out");
        assert_eq!(times(), 3);
        tokio::time::advance(STALE).await;
        assert_eq!(bearers.keys(false).await.unwrap_err().code, contract::FaultCode::Unauthenticated);
    }
}
