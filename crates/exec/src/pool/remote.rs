//! The place of a service elsewhere. It belongs to the groups of the back ends that its `/info` names. When it stops
//! answering it is left out, asked again in the background at growing intervals, and back when it answers.

use super::PoolConfig;
use super::call::Call;
use super::missed::Missed;
use super::travel;
use crate::client::Lost;
use crate::metrics::PlaceCounts;
use crate::{Endpoint, EndpointConfig, Executor};
use contract::{AdapterInfo, Artifact, Fault, FaultCode, HostInfo, OperationId, Progress};
use parking_lot::RwLock;
use std::io;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, watch};

/// How long an endpoint may take to answer that it is there.
const PROBE: Duration = Duration::from_secs(5);
/// The longest that it may take to say what it has, which starts its back ends: a machine at work takes its time to load them.
const BEGIN: Duration = Duration::from_secs(30);
/// How often one that is there is asked whether it still is.
const WATCH: Duration = Duration::from_secs(5);
/// How long after its loss it is first asked again.
const FIRST: Duration = Duration::from_millis(250);

/// The place of a service elsewhere.
pub(super) struct Remote {
    config: Arc<PoolConfig>,
    endpoint: Endpoint,
    name: String,
    state: watch::Sender<State>,
    /// The last answer to `/info`.
    info: RwLock<Option<Arc<HostInfo>>>,
    suspects: Mutex<()>,
    counts: Arc<PlaceCounts>,
}

/// The state of an endpoint, as far as is known.
#[derive(Debug, Clone)]
enum State {
    /// It was not asked yet.
    Unasked,
    Up,
    Down {
        why: String,
        since: Instant,
    },
}

impl Remote {
    /// Begins to watch over an endpoint. Has to be called within a tokio runtime.
    pub(super) fn start(
        config: &Arc<PoolConfig>,
        endpoint: &EndpointConfig,
        counts: &Arc<PlaceCounts>,
    ) -> io::Result<Arc<Self>> {
        let remote = Arc::new(Self {
            config: Arc::clone(config),
            endpoint: Endpoint::new(endpoint, config.answer_bytes)?,
            name: endpoint.url.clone(),
            state: watch::Sender::new(State::Unasked),
            info: RwLock::default(),
            suspects: Mutex::default(),
            counts: Arc::clone(counts),
        });
        tokio::spawn(watch_over(Arc::downgrade(&remote), config.probe_limit));
        Ok(remote)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn suspects(&self) -> &Mutex<()> {
        &self.suspects
    }

    /// Waits until it was asked once.
    pub(super) async fn asked(&self) {
        let _ = self.state.subscribe().wait_for(|state| !matches!(state, State::Unasked)).await;
    }

    pub(super) fn live(&self) -> bool {
        matches!(*self.state.borrow(), State::Up)
    }

    /// Why it is left out, if it is.
    pub(super) fn trouble(&self) -> Option<String> {
        match &*self.state.borrow() {
            State::Up => None,
            State::Unasked => Some(format!("{} has not answered yet", self.name)),
            State::Down { why, since } => {
                Some(format!("{} does not answer since {} s ({why})", self.name, since.elapsed().as_secs()))
            }
        }
    }

    pub(super) fn adapters(&self) -> Vec<AdapterInfo> {
        self.last_info().map(|info| info.adapters.clone()).unwrap_or_default()
    }

    pub(super) fn has(&self, backend: &str) -> bool {
        self.last_info().is_some_and(|info| info.adapters.iter().any(|adapter| adapter.name == backend))
    }

    /// True if it resolves the operation as the caller knows it.
    pub(super) fn fits(&self, backend: &str, operation: &str) -> bool {
        let Some(info) = self.last_info() else { return false };
        let mut resolved = info.adapters.iter().filter(|a| a.name == backend).flat_map(|a| &a.operations);
        match (resolved.find(|one| one.name == operation), self.config.expects.get(operation)) {
            (Some(there), Some(here)) => there.schema_sha256 == *here,
            // what is in no catalogue is for its host to judge
            (None, Some(_)) => false,
            (_, None) => true,
        }
    }

    /// The last answer to `/info`.
    pub(super) fn info(&self) -> Result<HostInfo, Fault> {
        let info = self.last_info().filter(|_| self.live());
        let info = info.ok_or_else(|| Fault::backend(self.trouble().unwrap_or_else(|| self.name.clone())))?;
        Ok((*info).clone())
    }

    fn last_info(&self) -> Option<Arc<HostInfo>> {
        self.info.read().clone()
    }

    pub(super) async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        if self.live() { self.endpoint.progress(operation).await } else { None }
    }

    pub(super) async fn run(&self, call: &Call) -> Result<Result<Artifact, Fault>, Missed> {
        let body = match call.body_for(&self.endpoint, &self.config).await {
            Ok(body) => body,
            Err(fault) => return Ok(Err(fault)),
        };
        if !self.live() {
            return Err(Missed::Passed(self.lost(call.name(), "it stopped answering before")));
        }
        let mut state = self.state.subscribe();
        let down = state.wait_for(|state| matches!(state, State::Down { .. }));
        let reply = tokio::select! {
            reply = self.endpoint.post(call.path(), body) => reply,
            _ = down => Err(Lost::BrokenOff("it stopped answering".into())),
        };
        let reply = match reply {
            Ok(reply) => reply,
            Err(lost) => {
                self.eject(&lost.to_string());
                return Err(match lost {
                    Lost::NotSent(why) => Missed::Passed(self.lost(call.name(), &why)),
                    Lost::BrokenOff(why) => Missed::Died(self.lost(call.name(), &why)),
                });
            }
        };
        if reply.ok() {
            let read = reply.read(call.name());
            if self.endpoint.shares_files() {
                return Ok(read);
            }
            let Ok(mut artifact) = read else { return Ok(read) };
            let (scratch, limit) = (call.request.scratch.as_deref(), self.config.fetched_bytes);
            let unpacked = travel::unpack(&mut artifact, scratch, &self.endpoint, limit).await;
            return Ok(unpacked.map(|()| artifact));
        }
        match reply.fault() {
            Some(fault) if fault.code == FaultCode::Unauthenticated => {
                self.eject("it does not accept the token");
                Err(Missed::Passed(self.lost(call.name(), "it does not accept the token")))
            }
            Some(fault) if fault.data.contains_key("draining") => {
                self.eject("it is shutting down");
                Err(Missed::Passed(fault))
            }
            Some(fault) => Ok(Err(fault)),
            None => {
                let why = format!("something between answers {}", reply.status);
                self.eject(&why);
                Err(Missed::Passed(self.lost(call.name(), &why)))
            }
        }
    }

    /// Leaves it out until it answers again.
    fn eject(&self, why: &str) {
        let ejected = self.state.send_if_modified(|state| {
            let was_down = matches!(state, State::Down { .. });
            if !was_down {
                *state = State::Down { why: why.to_owned(), since: Instant::now() };
            }
            !was_down
        });
        if ejected {
            self.counts.ejections.inc();
            tracing::warn!(endpoint = self.name, "left out: {why}");
        }
    }

    /// Asks whether it is there, and what it has.
    async fn probe(&self) -> Result<(), String> {
        let late = |_| Err("it does not answer in time".to_owned());
        let health = async {
            let reply = self.endpoint.get("/healthz").await.map_err(|lost| lost.to_string())?;
            if !reply.ok() {
                return Err(format!("/healthz answers {}", reply.status));
            }
            if reply.body.windows(8).any(|part| part == b"draining") {
                return Err("it is shutting down".into());
            }
            Ok(())
        };
        tokio::time::timeout(PROBE, health).await.unwrap_or_else(late)?;
        if self.live() {
            return Ok(());
        }
        let info = async {
            let info = self.endpoint.info().await.map_err(|fault| fault.message)?;
            *self.info.write() = Some(Arc::new(info));
            Ok(())
        };
        tokio::time::timeout(BEGIN, info).await.unwrap_or_else(late)
    }

    fn lost(&self, name: &str, why: &str) -> Fault {
        Fault::backend(format!(
            "{} was lost while running {name} ({why}); nothing was committed. Try once more.",
            self.name
        ))
        .with("operation", name)
        .with("endpoint", &self.name)
    }
}

/// Asks an endpoint for as long as somebody holds it.
async fn watch_over(remote: Weak<Remote>, most: Duration) {
    let mut pause = FIRST;
    loop {
        let Some(held) = remote.upgrade() else { return };
        let mut state = held.state.subscribe();
        let wait = match held.probe().await {
            Ok(()) => {
                if !held.live() {
                    tracing::info!(endpoint = held.name, "joined");
                    held.state.send_replace(State::Up);
                }
                pause = FIRST;
                WATCH
            }
            Err(why) => {
                held.eject(&why);
                let wait = pause;
                pause = (pause * 2).min(most);
                wait
            }
        };
        state.mark_unchanged();
        let up = held.live();
        drop(held);
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            // a call has met its loss: not at once, it needs time to come back
            changed = state.changed(), if up => match changed {
                Ok(()) => tokio::time::sleep(FIRST).await,
                Err(_) => return,
            },
        }
    }
}
