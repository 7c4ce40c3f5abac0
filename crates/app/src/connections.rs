//! The connections of the HTTP side: how many one address may hold, and how long one may be silent. Whoever opens many and says nothing
//! takes them from nobody else: those that say nothing make room first.

use crate::runtime;
use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// The bounds of the server's connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Connections from one address.
    pub(crate) of_each: usize,
    /// Connections in all: fewer than there are descriptors.
    pub(crate) in_all: usize,
    /// How long the head of a request may take, and a connection be kept that nothing comes on.
    pub(crate) silence: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { of_each: 256, in_all: 4096, silence: Duration::from_secs(30) }
    }
}

/// Descriptors that are kept for the database, workers and files.
const OTHER_DESCRIPTORS: u64 = 256;

impl Limits {
    /// These many from one address, and in all as many as there are descriptors for, of which this process is given all that it may have.
    pub(crate) fn within_descriptors(of_each: usize) -> Self {
        let left = runtime::descriptors().map_or(u64::MAX, |most| most.saturating_sub(OTHER_DESCRIPTORS) / 2);
        let most = Self::default().in_all;
        let in_all = usize::try_from(left).map_or(most, |left| left.clamp(16, most));
        Self { of_each: of_each.min(in_all), in_all, ..Self::default() }
    }
}

/// A connection that is open.
struct Open {
    number: u64,
    from: IpAddr,
    state: Mutex<State>,
    end: CancellationToken,
}

struct State {
    /// Requests whose answers are not yet at their end.
    busy: usize,
    /// When the last one ended.
    since: Instant,
}

impl Open {
    /// Since when nothing is asked on it; none where something is.
    fn silent_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        (state.busy == 0).then_some(state.since)
    }
}

/// A request, until its answer has ended.
struct Busy(Arc<Open>);

impl Busy {
    fn with(open: &Arc<Open>) -> Self {
        open.state.lock().busy += 1;
        Self(Arc::clone(open))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.busy = state.busy.saturating_sub(1);
        state.since = Instant::now();
    }
}

/// All connections that are open.
#[derive(Default)]
struct Connections {
    all: Mutex<(u64, Vec<Arc<Open>>)>,
}

impl Connections {
    /// Takes in a connection. Beyond a bound the one that was silent longest ends: of its own address, or of the address that has most.
    /// None where all of those are at work.
    fn admit(&self, from: IpAddr, limits: &Limits) -> Option<Arc<Open>> {
        let mut all = self.all.lock();
        let (number, open) = &mut *all;
        let of = |address: IpAddr| open.iter().filter(|one| one.from == address).count();
        let crowded = if of(from) >= limits.of_each {
            Some(from)
        } else if open.len() >= limits.in_all {
            open.iter().map(|one| one.from).max_by_key(|address| of(*address))
        } else {
            None
        };
        if let Some(crowded) = crowded {
            let silent = open.iter().filter(|one| one.from == crowded);
            let silent = silent.filter_map(|one| Some((one.silent_since()?, one.number)));
            let (_, oldest) = silent.min()?;
            open.retain(|one| {
                if one.number == oldest {
                    one.end.cancel();
                }
                one.number != oldest
            });
        }
        *number += 1;
        let state = Mutex::new(State { busy: 0, since: Instant::now() });
        let admitted = Arc::new(Open { number: *number, from, state, end: CancellationToken::new() });
        open.push(Arc::clone(&admitted));
        Some(admitted)
    }

    fn ended(&self, open: &Open) {
        self.all.lock().1.retain(|one| one.number != open.number);
    }
}

/// Serves until told to stop; then takes no more connections, and waits for the answers under way.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    stop: CancellationToken,
) -> Result<()> {
    let (connections, tasks) = (Arc::<Connections>::default(), TaskTracker::new());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // out of descriptors, or the other side was gone before it was taken in: neither ends the server
                tracing::debug!(%error, "a connection was not taken in");
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let Some(open) = connections.admit(peer.ip().to_canonical(), &limits) else { continue };
        let (app, stop, connections) = (app.clone(), stop.clone(), Arc::clone(&connections));
        tasks.spawn(async move {
            converse(stream, peer, app, &open, limits, &stop).await;
            connections.ended(&open);
        });
    }
    tasks.close();
    tasks.wait().await;
    Ok(())
}

/// Answers what is asked on a connection, until one side ends it.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    open: &Arc<Open>,
    limits: Limits,
    stop: &CancellationToken,
) {
    // With Nagle's algorithm on, an answer in two writes waits 40 ms for the client's acknowledgement.
    let _ = stream.set_nodelay(true);
    let answering = Arc::clone(open);
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        let (app, busy) = (app.clone(), Busy::with(&answering));
        request.extensions_mut().insert(ConnectInfo(peer));
        // it counts as under way until its body has ended
        async move { app.oneshot(request.map(Body::new)).await.map(|response| mcp::holding(response, busy)) }
    });
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.silence)
        .serve_connection(TokioIo::new(stream), answer);
    let mut served = std::pin::pin!(served);
    let outcome = tokio::select! {
        outcome = served.as_mut() => outcome,
        () = open.end.cancelled() => return,
        () = stop.cancelled() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection broke off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { of_each: 2, in_all: 4, silence: Duration::from_secs(1) };

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn of_an_address_with_too_many_the_one_silent_longest_ends() {
        let connections = Connections::default();
        let first = connections.admit(address(1), &LIMITS).unwrap();
        let busy = Busy::with(&first);
        let second = connections.admit(address(1), &LIMITS).unwrap();
        let third = connections.admit(address(1), &LIMITS).unwrap();
        assert!(second.end.is_cancelled() && !first.end.is_cancelled(), "the first is at work");
        let busy_too = Busy::with(&third);
        assert!(connections.admit(address(1), &LIMITS).is_none(), "both are at work");
        assert!(connections.admit(address(2), &LIMITS).is_some(), "another address is another's business");
        drop((busy, busy_too));
        assert!(connections.admit(address(1), &LIMITS).is_some());
        assert!(first.end.is_cancelled());
    }

    #[test]
    fn with_too_many_in_all_the_address_that_has_most_makes_room() {
        let connections = Connections::default();
        let crowd: Vec<_> = [1, 1, 2].map(|last| connections.admit(address(last), &LIMITS).unwrap()).into();
        connections.admit(address(3), &LIMITS).unwrap();
        assert!(connections.admit(address(4), &LIMITS).is_some());
        assert!(crowd[0].end.is_cancelled());
        assert!(!crowd[1].end.is_cancelled() && !crowd[2].end.is_cancelled());
    }
}
