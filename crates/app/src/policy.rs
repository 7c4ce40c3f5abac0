//! The policy that holds: read from its file, with what flags and environment say laid over it, and who it lets in.

use crate::settings::Settings;
use anyhow::{Context, Result, anyhow, bail};
use contract::BoxFuture;
use governance::Policy;
use service::{Authenticator, Fetch, KeyHolders, LocalUser, TokenBearers};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::Store;

/// The time that an issuer may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The largest key set that is read, in bytes.
const LARGEST: u64 = 256 << 10;

/// The policy of these settings; without a file, the user of this machine may do everything.
pub(crate) fn load(settings: &Settings) -> Result<Policy> {
    let mut policy = match &settings.policy {
        Some(path) => read(path)?,
        None => Policy::default(),
    };
    policy.read_only |= settings.read_only;
    Ok(policy)
}

/// The policy in a file.
pub(crate) fn read(path: &Path) -> Result<Policy> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    governance::parse(&text, exec_native::is_a).map_err(|error| {
        anyhow!("the policy {} does not hold together: {error}. Nothing is served under it", path.display())
    })
}

/// Returns the authenticators of those who are let in: the user of this machine, holders of keys, bearers of tokens.
pub(crate) fn authenticators(policy: &Policy, store: &Store) -> Vec<Box<dyn Authenticator>> {
    let mut all: Vec<Box<dyn Authenticator>> =
        vec![Box::new(LocalUser), Box::new(KeyHolders::new(store.clone()))];
    if let Some(issuer) = &policy.issuer {
        all.push(Box::new(TokenBearers::new(issuer.clone(), fetch())));
    }
    all
}

/// Refuses to serve a network that nobody could be let in from, or everybody.
pub(crate) async fn check_network(settings: &Settings, policy: &Policy, store: &Store) -> Result<()> {
    if !settings.is_local() && policy.issuer.is_none() && store.keys().await?.is_empty() {
        bail!(
            "{} can be reached from other machines, and nothing is said of who may come in. Make a key with `pensaer admin key \
             create --principal NAME --role author`, or name an issuer of tokens under [oauth] in a policy file, or listen at \
             127.0.0.1.",
            settings.listen
        );
    }
    let is_elsewhere = |host: &&String| {
        let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        !["localhost", "127.0.0.1", "[::1]"].contains(&name)
            && !["localhost", "127.0.0.1", "[::1]"].contains(&host.as_str())
    };
    let names: Vec<&str> = settings.hosts.iter().filter(is_elsewhere).map(String::as_str).collect();
    if settings.open_loopback && !names.is_empty() {
        bail!(
            "open-loopback is for a machine of one's own, and this server is reached under other names ({}): a proxy that sends no \
             X-Forwarded-For would make anybody its user. Take one of the two out of the settings.",
            names.join(", ")
        );
    }
    Ok(())
}

/// Fetches an issuer's keys. Follows no redirect: the address is the one that the policy names.
fn fetch() -> Fetch {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).max_redirects(0).build().into();
    Arc::new(move |url| -> BoxFuture<'static, Result<Vec<u8>, String>> {
        let agent = agent.clone();
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || {
                let mut answer = agent.get(&url).call().map_err(|error| error.to_string())?;
                answer
                    .body_mut()
                    .with_config()
                    .limit(LARGEST)
                    .read_to_vec()
                    .map_err(|error| error.to_string())
            });
            asked.await.map_err(|error| error.to_string())?
        })
    })
}
