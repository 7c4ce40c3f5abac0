//! The folders that a client's user works in, asked of the client (`roots/list`) when a call is to write a file. Protocols from 2026-07-28
//! on know them no more; there the working directory and the settings say where files go.

use crate::generation::later_than_sessions;
use rmcp::RoleServer;
use rmcp::service::{Peer, RequestContext};
use service::ClientRoots;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// How long a client may take to say it.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most folders of one client.
const MOST: usize = 100;

/// Who is asked for the client's folders; nobody where the client does not offer them.
pub(crate) fn of_client(context: &RequestContext<RoleServer>) -> Option<ClientRoots> {
    context.client_capabilities()?.roots?;
    if later_than_sessions(context) {
        return None;
    }
    let peer = context.peer.clone();
    Some(ClientRoots::new(move || {
        let peer = peer.clone();
        Box::pin(async move { ask(&peer).await })
    }))
}

#[expect(
    deprecated,
    reason = "clients of the older protocols have no other way to say where their user works"
)]
async fn ask(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    match tokio::time::timeout(PATIENCE, peer.list_roots()).await {
        Ok(Ok(said)) => said.roots.iter().take(MOST).filter_map(|root| folder(&root.uri)).collect(),
        Ok(Err(error)) => {
            tracing::debug!(%error, "the client was asked for its folders, and did not say");
            Vec::new()
        }
        Err(_) => {
            tracing::debug!("the client was asked for its folders, and was silent");
            Vec::new()
        }
    }
}

/// The folder of a `file:` address on this machine.
fn folder(uri: &str) -> Option<PathBuf> {
    Url::parse(uri).ok().filter(|address| address.scheme() == "file")?.to_file_path().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_this_machine_are_folders() {
        assert_eq!(folder("file:///srv/models/My%20house"), Some(PathBuf::from("/srv/models/My house")));
        for other in ["https://example.org/models", "file://server/share", "/srv/models", "", "data:,x"] {
            assert_eq!(folder(other), None, "{other}");
        }
    }
}
