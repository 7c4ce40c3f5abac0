//! `pensaer admin key`: API keys. A key is shown once, when it is made; what is kept is its hash.

use super::beside;
use crate::settings::Settings;
use crate::{policy, runtime};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use contract::{Action, Narrowing, Secret};
use governance::{KeyRecord, Policy};
use serde_json::{Value, json};
use std::io::{self, Write as _};
use std::process::ExitCode;
use store::{AuditEntry, KeyRow, Store, now_ms};

const DAY_MS: u64 = 24 * 3_600_000;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a key and show it, this once.
    Create(Create),
    /// List the keys: everything but the secrets.
    List,
    /// Take a key back: it is refused from now on.
    Revoke {
        /// The part between `psk_` and the next `_`.
        id: String,
    },
    /// Make a key that is like another one, and take that back.
    Rotate {
        /// The part between `psk_` and the next `_`.
        id: String,
        /// Leave the old one valid for so many hours, until everybody has the new one.
        #[arg(long, value_name = "HOURS", default_value_t = 0)]
        keep_hours: u64,
    },
}

#[derive(Debug, Args)]
struct Create {
    /// In whose name calls with it are made.
    #[arg(long)]
    principal: String,
    /// A role; may be given again.
    #[arg(long = "role", required = true)]
    roles: Vec<String>,
    /// Only models of this id, or of a name that this pattern fits; may be given again.
    #[arg(long = "model", value_name = "PATTERN")]
    models: Vec<String>,
    /// Only this action; may be given again.
    #[arg(long = "action", value_name = "ACTION")]
    actions: Vec<String>,
    /// Days that it holds; 0 means for ever.
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    expires_days: u64,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let policy = policy::load(settings)?;
    runtime::start()?.block_on(async {
        let store = beside(settings).await?;
        match &arguments.command {
            Command::Create(create) => show(&make(&store, draft(create, &policy)?).await?),
            Command::List => {
                for row in store.keys().await? {
                    writeln!(io::stdout(), "{}", line(&read(row)?))?;
                }
                Ok(())
            }
            Command::Revoke { id } => {
                let record = find(&store, id).await?;
                put(&store, "admin key revoke", &KeyRecord { revoked_ms: Some(now_ms()), ..record }).await
            }
            Command::Rotate { id, keep_hours } => {
                let old = find(&store, id).await?;
                // as long as the old one was made for, from now on
                let days = old.expires_ms.map(|end| end.saturating_sub(old.created_ms));
                let now = now_ms();
                let like = KeyRecord {
                    created_ms: now,
                    made_by: runtime::user(),
                    expires_ms: days.map(|days| now.saturating_add(days)),
                    revoked_ms: None,
                    ..old.clone()
                };
                let made = make(&store, like).await?;
                let ended = match keep_hours {
                    0 => KeyRecord { revoked_ms: Some(now), ..old },
                    hours => {
                        let end = now.saturating_add(hours.saturating_mul(3_600_000));
                        KeyRecord { expires_ms: Some(old.expires_ms.map_or(end, |old| old.min(end))), ..old }
                    }
                };
                put(&store, "admin key rotate", &ended).await?;
                show(&made)
            }
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

fn draft(create: &Create, policy: &Policy) -> Result<KeyRecord> {
    if create.principal.is_empty() || create.principal.chars().any(char::is_control) {
        bail!("--principal has to be a name");
    }
    if let Some(role) = create.roles.iter().find(|role| !policy.roles.contains_key(*role)) {
        let known: Vec<&str> = policy.roles.keys().map(String::as_str).collect();
        bail!("there is no role {role}; the roles are {}", known.join(", "));
    }
    let action = |name: &String| {
        let known = || Action::ALL.map(Action::as_str).join(", ");
        Action::from_name(name).ok_or_else(|| anyhow!("{name} is not one of the actions {}", known()))
    };
    let actions = create.actions.iter().map(action).collect::<Result<Vec<_>>>()?;
    let narrow = !actions.is_empty() || !create.models.is_empty();
    let now = now_ms();
    Ok(KeyRecord {
        id: String::new(),
        hash: String::new(),
        principal: create.principal.clone(),
        roles: create.roles.clone(),
        within: narrow.then(|| Narrowing { models: create.models.clone(), actions }),
        made_by: runtime::user(),
        created_ms: now,
        expires_ms: (create.expires_days > 0)
            .then(|| now.saturating_add(create.expires_days.saturating_mul(DAY_MS))),
        revoked_ms: None,
    })
}

async fn make(store: &Store, draft: KeyRecord) -> Result<Secret> {
    let (record, key) = governance::new_key(draft).map_err(|error| anyhow!(error))?;
    put(store, "admin key create", &record).await?;
    Ok(key)
}

fn show(key: &Secret) -> Result<()> {
    writeln!(io::stdout(), "{}", key.reveal())?;
    writeln!(io::stderr(), "Keep it now: it is not shown again. Send it as `Authorization: Bearer …`.")?;
    Ok(())
}

async fn find(store: &Store, id: &str) -> Result<KeyRecord> {
    // whoever has the whole key in hand may paste it
    let id = id.strip_prefix("psk_").map_or(id, |rest| rest.split('_').next().unwrap_or(rest));
    let row = store
        .key(id)
        .await?
        .with_context(|| format!("there is no key {id}; see `pensaer admin key list`"))?;
    read(row)
}

fn read(row: KeyRow) -> Result<KeyRecord> {
    serde_json::from_value(row.record).with_context(|| format!("the key {} cannot be read", row.id))
}

async fn put(store: &Store, what: &str, record: &KeyRecord) -> Result<()> {
    let row = KeyRow {
        id: record.id.clone(),
        principal: record.principal.clone(),
        created_ms: record.created_ms,
        record: serde_json::to_value(record)?,
    };
    store.put_key(row).await?;
    let mut shown = serde_json::to_value(record)?;
    if let Value::Object(members) = &mut shown {
        members.remove("hash");
    }
    store.audit(entry(what, shown)).await?;
    Ok(())
}

fn entry(what: &str, arguments: Value) -> AuditEntry {
    AuditEntry {
        time_ms: now_ms(),
        principal: runtime::user(),
        client: Some("pensaer admin".to_owned()),
        tool: what.to_owned(),
        arguments,
        model_id: None,
        version_before: None,
        version_after: None,
        event_id: None,
        outcome: json!("ok"),
        result: Value::Null,
        manifest: None,
        reasoning: None,
        duration_us: 0,
    }
}

/// One key in a line.
fn line(record: &KeyRecord) -> String {
    let state = match governance::in_time(record, now_ms()) {
        Ok(()) => match record.expires_ms {
            Some(end) => format!("{} days left", end.saturating_sub(now_ms()) / DAY_MS),
            None => "for ever".to_owned(),
        },
        Err(governance::KeyProblem::Expired) => "expired".to_owned(),
        Err(_) => "revoked".to_owned(),
    };
    let within = record.within.as_ref().map_or(String::new(), |within| {
        let actions: Vec<&str> = within.actions.iter().map(|action| action.as_str()).collect();
        format!("  models {:?} actions {actions:?}", within.models)
    });
    format!("{}  {}  {}  {state}{within}", record.id, record.principal, record.roles.join(","))
}
