//! What happens, as it happens: the event log as a stream of server-sent events, for pages and programs that follow along.
//!
//! A commit only rings; what is sent is read from the log, so that nothing is left out or sent twice, however fast it comes
//! and whichever gateway committed it. A client that was away says where it was with `Last-Event-ID` or `after`.

use crate::WebState;
use crate::caller::Caller;
use crate::reply::Refusal;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use contract::{Action, EventRecord, Fault, ModelId};
use futures::{Stream, stream};
use serde::Deserialize;
use serde_json::json;
use service::{Service, while_admitted};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

const AT_ONCE: u32 = 200;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct EventQuery {
    /// Of which model: id or name.
    model: Option<String>,
    /// From behind this position in the log on; without one, from now on.
    after: Option<u64>,
}

/// A client on the way through the log.
struct Follower {
    service: Service,
    bell: Receiver<EventRecord>,
    model: ModelId,
    told: u64,
    waiting: VecDeque<EventRecord>,
    /// True if the log may hold more than was read.
    is_behind: bool,
}

pub(crate) async fn events(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(wanted): Query<EventQuery>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Fault>>>, Refusal> {
    let Some(wanted_model) = wanted.model.as_ref() else {
        // what happens to models that are not there for the caller is not told
        let problem = "`model` has to name the model whose events are wanted, by id or name.";
        return Err(Refusal(Fault::invalid("model", problem)));
    };
    let model = shared
        .service
        .perform(&context, "follow_events", Action::Query, json!({ "model_id": wanted_model }), |platform| {
            Box::pin(async move { Ok(platform.current_model().await?.model_id) })
        })
        .await?;
    let bell = shared.service.subscribe();
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let told = match wanted.after.or(seen) {
        Some(told) => told,
        None => shared.service.last_event().await?,
    };
    let service = shared.service.clone();
    let (asked, caller) = (service.clone(), context);
    let follower = Follower { service, bell, model, told, waiting: VecDeque::new(), is_behind: true };
    let told = stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((event, follower))
    });
    let held = while_admitted(told, move || {
        let (service, caller) = (asked.clone(), caller.clone());
        async move { service.admits(&caller).await.is_ok() }
    });
    Ok(Sse::new(held).keep_alive(KeepAlive::default()))
}

impl Follower {
    /// The next event, when there is one; none where the server ends.
    async fn next(&mut self) -> Option<Result<Event, Fault>> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                // logs of before may hold any name, and a line break in one ends a stream
                let name: String = event.event_type.as_str().chars().filter(|c| !c.is_control()).collect();
                let data = serde_json::to_string(&event).unwrap_or_default();
                return Some(Ok(Event::default().id(event.sequence.to_string()).event(name).data(data)));
            }
            if self.is_behind {
                let read = match self.service.events(self.told, AT_ONCE).await {
                    Ok(read) => read,
                    Err(fault) => return Some(Err(fault)),
                };
                self.is_behind = read.len() == AT_ONCE as usize;
                self.told = read.last().map_or(self.told, |last| last.sequence);
                let model = &self.model;
                self.waiting.extend(read.into_iter().filter(|event| event.model_id == *model));
                continue;
            }
            match self.bell.recv().await {
                Ok(_) | Err(RecvError::Lagged(_)) => self.is_behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
