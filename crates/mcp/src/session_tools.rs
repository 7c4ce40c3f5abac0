//! The further sets of tools that the client of one session has enabled, and the notice that its list has changed.
//!
//! Up to protocol 2025-11-25 the session's client is simply told; a later one listens (`subscriptions/listen`). Over HTTP
//! the later generation keeps no session: there a list is enlarged by the address's query alone.

use crate::surface::ListOptions;
use axum::http::Uri;
use contract::Toolset;
use parking_lot::Mutex;
use rmcp::service::SubscriptionSink;
use std::collections::BTreeSet;
use std::convert::Infallible;
use tokio::sync::watch;
use url::form_urlencoded;

/// The sets that the client of one session has enabled.
#[derive(Default)]
pub(crate) struct SessionTools {
    enabled: Mutex<BTreeSet<Toolset>>,
    changed: watch::Sender<()>,
}

impl SessionTools {
    /// The sets enabled.
    pub(crate) fn enabled(&self) -> Vec<Toolset> {
        self.enabled.lock().iter().copied().collect()
    }

    /// Enables a set; true if it was not yet.
    pub(crate) fn enable(&self, set: Toolset) -> bool {
        let is_new = self.enabled.lock().insert(set);
        if is_new {
            self.changed.send_replace(());
        }
        is_new
    }

    /// Tells a client that listens of every change, for as long as it does.
    pub(crate) async fn tell(&self, sink: SubscriptionSink) -> Infallible {
        let mut changed = self.changed.subscribe();
        if sink.accepted().tools_list_changed == Some(true) {
            while changed.changed().await.is_ok() {
                if sink.notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        }
        std::future::pending().await
    }
}

/// The options that a request's address gives, added to those there are. Sets of other names are passed over: an address
/// is kept for long, and sets come and go.
pub(crate) fn query_options(uri: &Uri, given: &ListOptions) -> ListOptions {
    let mut options = given.clone();
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        match &*name {
            "toolsets" => options.toolsets.extend(value.split(',').filter_map(Toolset::from_name)),
            // a name alone is a yes
            "output_schemas" => options.output_schemas = matches!(&*value, "" | "true" | "1"),
            _ => {}
        }
    }
    options
}
