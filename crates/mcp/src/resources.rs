//! Resources and those who wait for them: what can be read by address, and notice when a commit touches it.
//!
//! A client up to 2025-11-25 subscribes one address after another and is told on its session; a later one opens a
//! `subscriptions/listen` that lives as long as its request. Both are told only that an address changed; what is there now
//! they read, and may or may not. A client that lags behind is told of everything that it waits for.

use crate::door::Door;
use crate::log::Log;
use contract::{EventRecord, EventType, Fault, FaultCode, ModelId};
use parking_lot::Mutex;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, ResourceUpdatedNotificationParam,
};
use rmcp::service::{Peer, SubscriptionContext};
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use service::CallContext;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

const JSON: &str = "application/json";
/// Addresses that one client may wait for.
const MOST: usize = 500;

/// Addresses with what changes what stands there.
type Watched = BTreeMap<String, Watching>;

/// The addresses that the client of one session waits for.
#[derive(Default)]
pub(crate) struct Subscriptions {
    watched: Arc<Mutex<Watched>>,
    is_told: Mutex<bool>,
}

/// A Fault as the protocol's error.
pub(crate) fn refused(fault: &Fault) -> ErrorData {
    let data = Some(fault.to_json());
    match fault.code {
        FaultCode::NotFound
        | FaultCode::ModelNotFound
        | FaultCode::VersionNotFound
        | FaultCode::ElementNotFound => ErrorData::resource_not_found(fault.message.clone(), data),
        FaultCode::InvalidParams => ErrorData::invalid_params(fault.message.clone(), data),
        _ => ErrorData::internal_error(fault.message.clone(), data),
    }
}

/// The same, with the address asked for beside the Fault.
fn refused_address(fault: &Fault, uri: &str) -> ErrorData {
    let mut error = refused(fault);
    if let Some(Value::Object(members)) = &mut error.data {
        members.insert("uri".to_owned(), uri.into());
    }
    error
}

/// Answers `resources/list`.
pub(crate) async fn list(door: &dyn Door, context: CallContext) -> Result<ListResourcesResult, ErrorData> {
    let listed = door.resources(context).await.map_err(|fault| refused(&fault))?;
    let resources = listed.into_iter().map(|listed| {
        Resource::new(listed.uri, listed.name).with_description(listed.description).with_mime_type(JSON)
    });
    Ok(ListResourcesResult::with_all_items(resources.chain(crate::pages::listed()).collect()))
}

/// Answers `resources/templates/list`.
pub(crate) fn templates(door: &dyn Door) -> ListResourceTemplatesResult {
    let templates = door.resource_templates().into_iter().map(|template| {
        ResourceTemplate::new(template.uri, template.name)
            .with_description(template.description)
            .with_mime_type(JSON)
    });
    ListResourceTemplatesResult::with_all_items(templates.collect())
}

/// Answers `resources/read`.
pub(crate) async fn read(
    door: &dyn Door,
    context: CallContext,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    // a page is the same for everybody, and holds nothing of anybody's
    if let Some(page) = crate::pages::read(uri) {
        return Ok(page);
    }
    let read = door.read(context, uri).await.map_err(|fault| refused_address(&fault, uri))?;
    let contents = ResourceContents::text(read.value.to_string(), uri).with_mime_type(JSON);
    Ok(ReadResourceResult::new(vec![contents]))
}

impl Subscriptions {
    /// Waits for an address that the caller may read.
    pub(crate) async fn add(
        &self,
        door: &dyn Door,
        context: CallContext,
        uri: &str,
        (peer, log): (Peer<RoleServer>, &Arc<Log>),
    ) -> Result<(), ErrorData> {
        let full = |watched: &Watched| watched.len() >= MOST && !watched.contains_key(uri);
        if full(&self.watched.lock()) {
            let message = format!("A client may wait for {MOST} resources. Unsubscribe from some first.");
            return Err(ErrorData::invalid_params(message, None));
        }
        // from before the reading, so that nothing falls in between
        let events = door.events();
        let about = about(door, context, uri).await.map_err(|fault| refused(&fault))?;
        watch(&mut self.watched.lock(), uri, about);
        let mut is_told = self.is_told.lock();
        if let Some(events) = events.filter(|_| !*is_told) {
            *is_told = true;
            let (watched, log) = (Arc::downgrade(&self.watched), Arc::clone(log));
            tokio::spawn(async move {
                let mut events = events;
                loop {
                    let event = events.recv().await;
                    // the session is over when nobody holds its list any more
                    let Some(watched) = watched.upgrade() else { return };
                    let told = event.as_ref().ok().cloned();
                    let Some(touched) = touched(&watched.lock(), event) else { return };
                    if let Some(event) = told.filter(|_| !touched.is_empty()) {
                        log.tell_commit(&peer, &event).await;
                    }
                    for uri in touched {
                        if peer
                            .notify_resource_updated(ResourceUpdatedNotificationParam::new(uri))
                            .await
                            .is_err()
                        {
                            return;
                        }
                    }
                }
            });
        }
        Ok(())
    }

    /// True if nothing is waited for.
    pub(crate) fn is_empty(&self) -> bool {
        self.watched.lock().is_empty()
    }

    /// Waits for it no longer.
    pub(crate) fn remove(&self, uri: &str) {
        self.watched.lock().remove(uri);
    }
}

/// Tells the client of one `subscriptions/listen` until it ends it.
pub(crate) async fn listen(
    door: &dyn Door,
    context: CallContext,
    subscription: SubscriptionContext,
) -> Result<(), ErrorData> {
    let Some(mut events) = door.events() else {
        // nothing is told of resources; of other things it may be
        subscription.cancelled().await;
        return Ok(());
    };
    let sink = subscription.sink().clone();
    let mut watched = Watched::new();
    for uri in sink.accepted().resource_subscriptions.iter().flatten().take(MOST) {
        // one that cannot be read is not told of, as if it never changed
        if let Ok(about) = about(door, context.clone(), uri).await {
            watch(&mut watched, uri, about);
        }
    }
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            () = subscription.cancelled() => return Ok(()),
        };
        let Some(touched) = touched(&watched, event) else { return Ok(()) };
        for uri in touched {
            if sink.notify_resource_updated(uri).await.is_err() {
                return Ok(());
            }
        }
    }
}

/// Returns what there is to wait for at an address that the caller may read. Results may be waited for before there are any.
async fn about(door: &dyn Door, context: CallContext, uri: &str) -> Result<Option<Watching>, Fault> {
    let event = door.resource_changed_by(uri);
    match door.read(context, uri).await {
        // what never changes is never told of
        Ok(read) if read.is_fixed => Ok(None),
        Ok(read) => Ok(Some(Watching { model: read.model, event })),
        Err(fault) if event.is_some() && is_not_yet(fault.code) => Ok(Some(Watching { model: None, event })),
        Err(fault) => Err(fault),
    }
}

/// The events that change what stands at an address.
struct Watching {
    /// The model that it is about, if it is about one.
    model: Option<ModelId>,
    /// The only event that changes it; commits, if there is none.
    event: Option<EventType>,
}

impl Watching {
    fn is_touched_by(&self, event: &EventRecord) -> bool {
        let is_of_its_kind = match &self.event {
            Some(only) => event.event_type == *only,
            None => event.event_type.is_commit(),
        };
        is_of_its_kind && self.model.as_ref().is_none_or(|model| event.model_id == *model)
    }
}

fn is_not_yet(code: FaultCode) -> bool {
    matches!(code, FaultCode::NoSimulationResults | FaultCode::Busy)
}

fn watch(watched: &mut Watched, uri: &str, about: Option<Watching>) {
    if let Some(about) = about {
        watched.insert(uri.to_owned(), about);
    }
}

/// The addresses that an event touches; all of them where some events were missed; `None` if there will be no more.
fn touched(watched: &Watched, event: Result<EventRecord, RecvError>) -> Option<Vec<String>> {
    let event = match event {
        Ok(event) => Some(event),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => return None,
    };
    // what waits for approval, and what is said to it, changes nothing that can be read here
    if event.as_ref().is_some_and(|event| event.approval.is_some()) {
        return Some(Vec::new());
    }
    let is_touched = |about: &Watching| event.as_ref().is_none_or(|event| about.is_touched_by(event));
    Some(watched.iter().filter(|(_, about)| is_touched(about)).map(|(uri, _)| uri.clone()).collect())
}
