//! The sessions of streamable HTTP (protocols up to 2025-11-25): whose each is, how many there may be, and which of them are held ready.
//!
//! A session belongs to the principal that opened it; to everybody else it is not there, for an id is no proof of anything. One that is
//! silent is put aside: only what its client said of itself is kept, and its next request makes it anew. Of those that are silent only
//! the latest few are held ready, for one that is ready takes a hundred times the memory. The oldest make room for new ones.

use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionHandle, LocalSessionManager};
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

/// The header that names a session.
pub(crate) const SESSION_HEADER: &str = "mcp-session-id";

/// How many sessions there may be, and how long they are held.
#[derive(Debug, Clone, Copy)]
pub struct SessionLimits {
    /// Sessions of one principal.
    pub of_each: usize,
    /// Sessions of all.
    pub in_all: usize,
    /// The silence after which one is put aside.
    pub ready: Duration,
    /// Sessions that are held ready while they are silent; beyond them the one that was silent longest is put aside.
    pub ready_in_all: usize,
    /// The silence after which one is forgotten; an agent may well wait for a person.
    pub kept: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            of_each: 128,
            in_all: 2_000,
            ready: Duration::from_mins(1),
            ready_in_all: 64,
            kept: Duration::from_hours(12),
        }
    }
}

/// Bytes of what a client says of itself that are kept with a session that is put aside.
const STATE_BYTES: usize = 8 << 10;

/// The time that the end of a session is waited for; longer than the protocol's library gives its calls to end.
const ENDING: Duration = Duration::from_secs(8);

/// All sessions of all servers.
#[derive(Default)]
pub(crate) struct Sessions {
    limits: SessionLimits,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    by_id: HashMap<String, Session>,
    /// Those that are ready, silent and hold nothing, in the order in which they fell silent.
    silent: BTreeMap<u64, String>,
    /// The number of the next that falls silent.
    next: u64,
}

struct Session {
    /// Who opened it; nobody's for the moment between its beginning and its first answer.
    owner: Option<String>,
    manager: Arc<LocalSessionManager>,
    /// The client's own words at the beginning, to make it anew, as JSON.
    state: Option<Box<[u8]>>,
    used: Instant,
    /// Requests and streams that are open.
    open: usize,
    /// Its number among the silent ones, where it is one.
    silent: Option<u64>,
    /// True if it was put aside.
    is_aside: bool,
    /// Held by who makes it anew.
    making: Arc<tokio::sync::Mutex<()>>,
    /// True if it holds what is nowhere else: subscriptions, tools that were enabled.
    is_pinned: bool,
}

impl Sessions {
    /// No sessions yet; those that are silent are put aside until `stop`.
    pub(crate) fn begin(limits: SessionLimits, stop: &CancellationToken) -> Arc<Self> {
        let sessions = Arc::new(Self { limits, all: Mutex::default() });
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (weak, stop) = (Arc::downgrade(&sessions), stop.clone());
            let beat = (limits.ready / 4).max(Duration::from_millis(10));
            runtime.spawn(async move {
                while stop.run_until_cancelled(tokio::time::sleep(beat)).await.is_some() {
                    let Some(sessions) = weak.upgrade() else { return };
                    sessions.sweep().await;
                }
            });
        }
        sessions
    }

    /// Counts a request in a session while it is held; none where this session is not there for this principal.
    pub(crate) fn enter(
        self: &Arc<Self>,
        id: &str,
        manager: &Arc<LocalSessionManager>,
        principal: &str,
    ) -> Option<InSession> {
        let mut all = self.all.lock();
        let session = all.by_id.get_mut(id)?;
        if session.owner.as_deref() != Some(principal) || !Arc::ptr_eq(&session.manager, manager) {
            return None;
        }
        session.used = Instant::now();
        session.open += 1;
        all.is_busy(id);
        Some(InSession { sessions: Arc::clone(self), id: id.to_owned() })
    }

    /// Counts work in a session while it is held, whoever still listens.
    pub(crate) fn at_work(self: &Arc<Self>, id: &str) -> Option<InSession> {
        let mut all = self.all.lock();
        all.by_id.get_mut(id)?.open += 1;
        all.is_busy(id);
        Some(InSession { sessions: Arc::clone(self), id: id.to_owned() })
    }

    /// Makes a session that was begun somebody's; those beyond the bounds end.
    pub(crate) fn opened(&self, id: &str, manager: &Arc<LocalSessionManager>, principal: &str) {
        let ended = {
            let mut all = self.all.lock();
            let session = all.by_id.entry(id.to_owned()).or_insert_with(|| new(manager, None));
            session.owner = Some(principal.to_owned());
            let mut ended = Vec::new();
            while let Some(oldest) = over(&all.by_id, principal, id, &self.limits) {
                ended.extend(all.forget(&oldest));
            }
            all.falls_silent(id);
            ended.extend(all.put_aside_beyond(self.limits.ready_in_all));
            ended
        };
        // one whose client reads nothing ends slowly, and is not waited for
        if !ended.is_empty() {
            tokio::spawn(end(ended));
        }
    }

    /// Has a session stay ready, however silent it is: it holds what is nowhere else.
    pub(crate) fn pin(&self, id: &str) {
        let mut all = self.all.lock();
        if let Some(session) = all.by_id.get_mut(id) {
            session.is_pinned = true;
            all.is_busy(id);
        }
    }

    /// Has a session be put aside like others: it holds nothing any more.
    pub(crate) fn unpin(&self, id: &str) {
        let mut all = self.all.lock();
        if let Some(session) = all.by_id.get_mut(id) {
            session.is_pinned = false;
            all.falls_silent(id);
        }
    }

    /// Puts aside what was silent for long, and forgets what was silent for very long.
    async fn sweep(&self) {
        let mut ended = Vec::new();
        {
            let mut all = self.all.lock();
            let quiet = all.by_id.iter().filter(|(_, session)| session.open == 0);
            let quiet: Vec<(String, Duration)> =
                quiet.map(|(id, session)| (id.clone(), session.used.elapsed())).collect();
            for (id, silent) in quiet {
                if silent >= self.limits.kept {
                    ended.extend(all.forget(&id));
                } else if silent >= self.limits.ready {
                    ended.extend(all.put_aside(&id));
                }
            }
        }
        end(ended).await;
    }
}

impl All {
    /// Notes that a session is none of the silent ones.
    fn is_busy(&mut self, id: &str) {
        let number = self.by_id.get_mut(id).and_then(|session| session.silent.take());
        if let Some(number) = number {
            self.silent.remove(&number);
        }
    }

    /// Notes that a session is the latest of the silent ones, where it is ready, nothing is open in it and it holds nothing.
    fn falls_silent(&mut self, id: &str) {
        self.is_busy(id);
        let Some(session) = self.by_id.get_mut(id) else { return };
        if session.open == 0 && !session.is_aside && !session.is_pinned {
            session.silent = Some(self.next);
            self.silent.insert(self.next, id.to_owned());
            self.next += 1;
        }
    }

    /// Puts aside those that were silent longest, until no more than `bound` are silent and ready; returns what has to end.
    fn put_aside_beyond(&mut self, bound: usize) -> Vec<Ending> {
        let beyond = self.silent.len().saturating_sub(bound);
        let oldest: Vec<String> = self.silent.values().take(beyond).cloned().collect();
        oldest.iter().filter_map(|id| self.put_aside(id)).collect()
    }

    /// Puts a session aside, where it is ready and silent; returns what has to end. One that cannot be made anew is forgotten.
    fn put_aside(&mut self, id: &str) -> Option<Ending> {
        let session = self.by_id.get_mut(id)?;
        if session.is_aside || session.is_pinned || session.open > 0 {
            return None;
        }
        // its manager knows it until its end was seen to, which whoever enters it meanwhile waits for. Where the manager is at work it is
        // left for the next time
        let handle = session.manager.sessions.try_read().ok()?.get(id).cloned();
        session.is_aside = true;
        let is_lost = session.state.is_none();
        self.is_busy(id);
        if is_lost {
            self.by_id.remove(id);
        }
        handle.map(Ending::Ready)
    }

    /// Forgets a session; returns what has to end.
    fn forget(&mut self, id: &str) -> Option<Ending> {
        self.is_busy(id);
        self.by_id.remove(id).map(|session| Ending::Named(id.to_owned(), session.manager))
    }
}

fn new(manager: &Arc<LocalSessionManager>, state: Option<Box<[u8]>>) -> Session {
    Session {
        owner: None,
        manager: Arc::clone(manager),
        state,
        used: Instant::now(),
        open: 0,
        silent: None,
        is_aside: false,
        making: Arc::default(),
        is_pinned: false,
    }
}

/// The session that has to end for the bounds to hold: of the principal's own, or of those of whoever has most, the one that was silent
/// longest. The one that was just opened stays.
fn over(
    all: &HashMap<String, Session>,
    principal: &str,
    opened: &str,
    limits: &SessionLimits,
) -> Option<String> {
    let mut of_each: HashMap<&str, usize> = HashMap::new();
    for session in all.values() {
        *of_each.entry(session.owner.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let whose = if of_each.get(principal).is_some_and(|count| *count > limits.of_each) {
        principal
    } else if all.len() > limits.in_all {
        of_each.into_iter().max_by_key(|(_, count)| *count)?.0
    } else {
        return None;
    };
    let own = all.iter().filter(|(id, session)| {
        session.owner.as_deref().unwrap_or_default() == whose && id.as_str() != opened
    });
    own.min_by_key(|(_, session)| (session.open > 0, session.used)).map(|(id, _)| id.clone())
}

/// The end of a session that is there no more, or was put aside.
enum Ending {
    /// A session that its manager may still know.
    Named(String, Arc<LocalSessionManager>),
    /// One that is put aside.
    Ready(LocalSessionHandle),
}

async fn end(ended: Vec<Ending>) {
    for ending in ended {
        let closing = async {
            match ending {
                Ending::Named(id, manager) => {
                    manager.close_session(&id.into()).await.map_err(|error| error.to_string())
                }
                Ending::Ready(handle) => handle.close().await.map_err(|error| error.to_string()),
            }
        };
        let gone = tokio::time::timeout(ENDING, closing).await;
        if let Err(error) = gone.unwrap_or_else(|_| Err("it takes no word".to_owned())) {
            tracing::debug!(%error, "a session had ended already");
        }
    }
}

/// A request or a stream in a session, for as long as it is open.
pub(crate) struct InSession {
    sessions: Arc<Sessions>,
    id: String,
}

impl Drop for InSession {
    fn drop(&mut self) {
        let aside = {
            let mut all = self.sessions.all.lock();
            if let Some(session) = all.by_id.get_mut(&self.id) {
                session.open = session.open.saturating_sub(1);
                session.used = Instant::now();
            }
            all.falls_silent(&self.id);
            all.put_aside_beyond(self.sessions.limits.ready_in_all)
        };
        if !aside.is_empty()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(end(aside));
        }
    }
}

/// A session that is put aside, as far as making it anew needs it.
struct AsideSession {
    manager: Arc<LocalSessionManager>,
    making: Arc<tokio::sync::Mutex<()>>,
}

impl InSession {
    /// True if the session is put aside.
    pub(crate) fn is_aside(&self) -> bool {
        self.aside().is_some()
    }

    /// The turn to make a session anew that was put aside; `None` for one that is ready. Others that ask for the same session wait until
    /// it is given back: a request that came upon one in the making would break it off.
    pub(crate) async fn turn(&self) -> Result<Option<OwnedMutexGuard<()>>, StillEnding> {
        let Some(AsideSession { making, .. }) = self.aside() else { return Ok(None) };
        let turn = making.lock_owned().await;
        let begun = Instant::now();
        loop {
            let Some(AsideSession { manager, .. }) = self.aside() else { return Ok(None) };
            // as long as its end is not seen to it would take the new one with it
            if !manager.sessions.read().await.contains_key(self.id.as_str()) {
                return Ok(Some(turn));
            }
            if begun.elapsed() >= ENDING {
                return Err(StillEnding);
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Notes that the session was made anew.
    pub(crate) fn is_back(&self) {
        if let Some(session) = self.sessions.all.lock().by_id.get_mut(&self.id) {
            session.is_aside = false;
        }
    }

    /// The session, where it is put aside.
    fn aside(&self) -> Option<AsideSession> {
        let all = self.sessions.all.lock();
        let session = all.by_id.get(&self.id).filter(|session| session.is_aside)?;
        Some(AsideSession { manager: Arc::clone(&session.manager), making: Arc::clone(&session.making) })
    }
}

/// Why a session cannot be made anew yet: what was put aside of it has not ended.
#[derive(Debug)]
pub(crate) struct StillEnding;

/// The sessions of one server, as the protocol's library asks for those that were put aside.
pub(crate) struct Aside {
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) manager: Arc<LocalSessionManager>,
}

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[async_trait::async_trait]
impl SessionStore for Aside {
    async fn load(&self, id: &str) -> Outcome<Option<SessionState>> {
        let all = self.sessions.all.lock();
        let own = all.by_id.get(id).filter(|session| Arc::ptr_eq(&session.manager, &self.manager));
        let Some(session) = own else { return Ok(None) };
        Ok(session.state.as_deref().map(serde_json::from_slice).transpose()?)
    }

    async fn store(&self, id: &str, state: &SessionState) -> Outcome<()> {
        let text = serde_json::to_vec(state)?;
        let state = (text.len() <= STATE_BYTES).then(|| text.into_boxed_slice());
        let mut all = self.sessions.all.lock();
        all.by_id.entry(id.to_owned()).or_insert_with(|| new(&self.manager, None)).state = state;
        Ok(())
    }

    async fn delete(&self, id: &str) -> Outcome<()> {
        drop(self.sessions.all.lock().forget(id));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> SessionLimits {
        SessionLimits {
            of_each: 3,
            in_all: 5,
            ready: Duration::ZERO,
            ready_in_all: 8,
            kept: Duration::from_mins(1),
        }
    }

    #[tokio::test]
    async fn a_session_is_there_for_who_opened_it_alone() {
        let sessions = Sessions::begin(limits(), &CancellationToken::new());
        let (manager, other) = (Arc::<LocalSessionManager>::default(), Arc::<LocalSessionManager>::default());
        sessions.opened("s", &manager, "ada");
        assert!(sessions.enter("s", &manager, "ada").is_some());
        assert!(sessions.enter("s", &manager, "eve").is_none());
        assert!(sessions.enter("s", &other, "ada").is_none(), "another server");
        assert!(sessions.enter("t", &manager, "ada").is_none());
    }

    #[tokio::test]
    async fn the_oldest_silent_ones_of_whoever_has_most_make_room() {
        let sessions = Sessions::begin(limits(), &CancellationToken::new());
        let manager = Arc::<LocalSessionManager>::default();
        for id in ["a1", "a2", "a3"] {
            sessions.opened(id, &manager, "ada");
        }
        let held = sessions.enter("a1", &manager, "ada");
        sessions.opened("a4", &manager, "ada");
        assert!(sessions.enter("a2", &manager, "ada").is_none(), "the oldest that nothing is open in");
        assert!(sessions.enter("a1", &manager, "ada").is_some());
        for id in ["b1", "b2", "c1"] {
            sessions.opened(id, &manager, &id[..1]);
        }
        assert_eq!(sessions.all.lock().by_id.len(), 5);
        assert!(sessions.enter("c1", &manager, "c").is_some());
        assert!(sessions.enter("b1", &manager, "b").is_some(), "who has few loses none to who has many");
        drop(held);
    }

    fn said() -> SessionState {
        serde_json::from_value(serde_json::json!({"initialize_params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}}}))
        .unwrap()
    }

    #[tokio::test]
    async fn few_of_those_that_are_silent_are_held_ready() {
        let limits = SessionLimits {
            of_each: 9,
            in_all: 9,
            ready: Duration::from_hours(1),
            ready_in_all: 2,
            ..limits()
        };
        let sessions = Arc::new(Sessions { limits, all: Mutex::default() });
        let manager = Arc::<LocalSessionManager>::default();
        let aside = Aside { sessions: Arc::clone(&sessions), manager: Arc::clone(&manager) };
        for id in ["1", "2", "3", "4", "5"] {
            aside.store(id, &said()).await.unwrap();
        }
        sessions.opened("1", &manager, "ada");
        let open = sessions.enter("1", &manager, "ada");
        sessions.opened("2", &manager, "ada");
        sessions.pin("2");
        for id in ["3", "4", "5"] {
            sessions.opened(id, &manager, "ada");
        }
        let ready = || {
            let all = sessions.all.lock();
            ["1", "2", "3", "4", "5"].map(|id| !all.by_id[id].is_aside)
        };
        assert_eq!(
            ready(),
            [true, true, false, true, true],
            "what is open or holds something is not counted"
        );
        drop(open);
        assert_eq!(ready(), [true, true, false, false, true], "the one that was silent longest made room");
        let back = sessions.enter("4", &manager, "ada");
        let back = back.unwrap();
        assert!(aside.load("4").await.unwrap().is_some());
        let turn = back.turn().await.unwrap();
        assert!(turn.is_some());
        back.is_back();
        assert!(back.turn().await.unwrap().is_none(), "it is ready");
        assert_eq!(ready(), [true, true, false, true, true]);
        drop(back);
        assert_eq!(ready(), [true, true, false, true, false]);
        assert_eq!(sessions.all.lock().silent.len(), 2);
    }

    #[tokio::test]
    async fn a_session_in_which_a_call_runs_is_not_put_aside_though_nobody_listens() {
        let limits = SessionLimits { ready: Duration::from_hours(1), ready_in_all: 0, ..limits() };
        let sessions = Arc::new(Sessions { limits, all: Mutex::default() });
        let manager = Arc::<LocalSessionManager>::default();
        let aside = Aside { sessions: Arc::clone(&sessions), manager: Arc::clone(&manager) };
        aside.store("s", &said()).await.unwrap();
        sessions.all.lock().by_id.get_mut("s").unwrap().owner = Some("ada".to_owned());
        let is_aside = || sessions.all.lock().by_id["s"].is_aside;
        let request = sessions.enter("s", &manager, "ada");
        let call = sessions.at_work("s");
        drop(request);
        assert!(!is_aside(), "its answer would be lost");
        drop(call);
        assert!(is_aside());
        let back = sessions.enter("s", &manager, "ada").unwrap();
        back.is_back();
        sessions.pin("s");
        drop(back);
        assert!(!is_aside(), "it holds something");
        sessions.unpin("s");
        drop(sessions.enter("s", &manager, "ada"));
        assert!(is_aside());
    }

    #[tokio::test]
    async fn silent_sessions_are_put_aside_and_those_that_hold_something_are_not() {
        let sessions = Arc::new(Sessions { limits: limits(), all: Mutex::default() });
        let manager = Arc::<LocalSessionManager>::default();
        let aside = Aside { sessions: Arc::clone(&sessions), manager: Arc::clone(&manager) };
        for id in ["plain", "pinned", "open", "nothing"] {
            if id != "nothing" {
                aside.store(id, &said()).await.unwrap();
            }
            sessions.opened(id, &manager, id);
        }
        sessions.pin("pinned");
        let _open = sessions.enter("open", &manager, "open");
        sessions.sweep().await;
        let is_aside = |id: &str| sessions.all.lock().by_id.get(id).map(|session| session.is_aside);
        assert_eq!(
            ["plain", "pinned", "open", "nothing"].map(is_aside),
            [Some(true), Some(false), Some(false), None],
            "what cannot be made anew is forgotten"
        );
        assert!(aside.load("plain").await.unwrap().is_some());
        sessions.enter("plain", &manager, "plain").unwrap().is_back();
        assert_eq!(is_aside("plain"), Some(false));
    }
}
