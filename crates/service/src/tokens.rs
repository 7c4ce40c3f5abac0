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
    /// Those of this issuer, whose keys are had by `fetch`.
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
}
