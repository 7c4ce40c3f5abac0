//! Who calls: credentials become a principal, or a Fault.

use crate::{CallContext, Credentials};
use contract::{BoxFuture, Fault, FaultCode, Principal, Secret};
use governance::{Checked, KeyProblem, KeyRecord, Policy};
use std::sync::Arc;
use store::{Store, now_ms};
use tokio::sync::Semaphore;

/// The number of keys that are hashed at once: each takes megabytes and milliseconds, and anybody may send one.
const HASHED_AT_ONCE: usize = 2;

/// Says who stands behind credentials. Tried in turn; `None` leaves it to the next.
pub trait Authenticator: Send + Sync {
    /// The principal, if these credentials are of a kind it knows.
    fn authenticate<'a>(
        &'a self,
        context: &'a CallContext,
        policy: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>>;

    /// A principal that was let in earlier, with the roles that its key, token or place brings now; `None` where it is not one of these.
    fn again<'a>(
        &'a self,
        _was: &'a Principal,
        _policy: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        Box::pin(std::future::ready(None))
    }
}

/// The user of this machine, whom the operating system vouches for. May do everything, unless the policy says otherwise.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalUser;

impl Authenticator for LocalUser {
    fn authenticate<'a>(
        &'a self,
        context: &'a CallContext,
        policy: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        let principal = match &context.credentials {
            Credentials::Local { user } => Some(Ok(Principal {
                name: if user.is_empty() { "local".to_owned() } else { user.clone() },
                roles: policy.local.clone(),
                local: true,
                ..Principal::default()
            })),
            Credentials::Key { .. } | Credentials::None => None,
        };
        Box::pin(std::future::ready(principal))
    }

    fn again<'a>(
        &'a self,
        was: &'a Principal,
        policy: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        let is_one = was.local && was.key.is_none();
        let now = || Ok(Principal { roles: policy.local.clone(), named: Vec::new(), ..was.clone() });
        Box::pin(std::future::ready(is_one.then(now)))
    }
}

/// Holders of API keys. The row is read with every call, so that a key that was taken back is refused at once; only the
/// slow hash is spared.
pub struct KeyHolders {
    store: Store,
    checked: Checked,
    hashing: Arc<Semaphore>,
}

impl KeyHolders {
    /// Knows the principals whose keys this store holds.
    pub fn new(store: Store) -> Self {
        Self { store, checked: Checked::default(), hashing: Arc::new(Semaphore::new(HASHED_AT_ONCE)) }
    }

    async fn holder(&self, id: &str, secret: &str, local: bool) -> Result<Principal, Fault> {
        let refused = |problem: KeyProblem| unknown(&problem.to_string());
        let row = self.store.key(id).await?.ok_or_else(|| refused(KeyProblem::Unknown))?;
        let record: KeyRecord =
            serde_json::from_value(row.record).map_err(|_| refused(KeyProblem::Unknown))?;
        if !self.checked.knows(secret, &record.hash) {
            let turn = Arc::clone(&self.hashing).acquire_owned().await;
            let (own, hash) = (Secret::new(secret), record.hash.clone());
            let right = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                governance::is_secret(own.reveal(), &hash)
            });
            if !right.await.unwrap_or(false) {
                return Err(refused(KeyProblem::Unknown));
            }
            self.checked.remember(secret, &record.hash);
        }
        // only who has the secret is told more
        governance::in_time(&record, now_ms()).map_err(refused)?;
        Ok(holder_of(record, local))
    }

    /// The holder of a key that was shown earlier.
    async fn still_holder(&self, id: &str, local: bool) -> Result<Principal, Fault> {
        let refused = |problem: KeyProblem| unknown(&problem.to_string());
        let row = self.store.key(id).await?.ok_or_else(|| refused(KeyProblem::Unknown))?;
        let record: KeyRecord =
            serde_json::from_value(row.record).map_err(|_| refused(KeyProblem::Unknown))?;
        governance::in_time(&record, now_ms()).map_err(refused)?;
        Ok(holder_of(record, local))
    }
}

fn holder_of(record: KeyRecord, local: bool) -> Principal {
    Principal {
        name: record.principal,
        roles: record.roles,
        local,
        within: record.within,
        key: Some(record.id),
        named: Vec::new(),
    }
}

impl Authenticator for KeyHolders {
    fn authenticate<'a>(
        &'a self,
        context: &'a CallContext,
        _: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        Box::pin(async move {
            let Credentials::Key { key, local } = &context.credentials else { return None };
            let (id, secret) = governance::parts(key)?;
            Some(self.holder(id, secret, *local).await)
        })
    }

    fn again<'a>(
        &'a self,
        was: &'a Principal,
        _: &'a Policy,
    ) -> BoxFuture<'a, Option<Result<Principal, Fault>>> {
        Box::pin(async move { Some(self.still_holder(was.key.as_deref()?, was.local).await) })
    }
}

/// A caller that is not known.
pub(crate) fn unknown(why: &str) -> Fault {
    Fault::new(FaultCode::Unauthenticated, why)
}

/// Asks each authenticator in turn. Roles that the policy gives somebody by name come on top.
pub(crate) async fn authenticate(
    authenticators: &[Box<dyn Authenticator>],
    context: &CallContext,
    policy: &Policy,
) -> Result<Principal, Fault> {
    for authenticator in authenticators {
        if let Some(outcome) = authenticator.authenticate(context, policy).await {
            return outcome.map(|principal| with_named_roles(principal, policy));
        }
    }
    Err(match &context.credentials {
        Credentials::Key { .. } => unknown(&KeyProblem::Unknown.to_string()),
        _ => unknown(
            "This server does not know who calls. Send a key it knows as `Authorization: Bearer …`; `pensaer local-key` prints that of \
             the user of this machine.",
        ),
    })
}

/// A principal that was let in earlier, with the rights that it has now: what was submitted or held back in its name is not done
/// by rights that were taken away meanwhile.
pub(crate) async fn as_now(
    authenticators: &[Box<dyn Authenticator>],
    was: &Principal,
    policy: &Policy,
) -> Result<Principal, Fault> {
    for authenticator in authenticators {
        if let Some(now) = authenticator.again(was, policy).await {
            return now.map(|principal| with_named_roles(principal, policy));
        }
    }
    Err(unknown(&format!("{} is not let in any more.", was.name)))
}

fn with_named_roles(mut principal: Principal, policy: &Policy) -> Principal {
    let known = policy.principals.get(&principal.name);
    for role in known.iter().flat_map(|known| &known.roles) {
        if !principal.roles.contains(role) {
            principal.roles.push(role.clone());
            principal.named.push(role.clone());
        }
    }
    principal
}
