//! The daemon's socket: clients on this machine, under the same user, whom the folder's permissions let in.

use crate::hello::{Hello, MAX_LINE, Reply, Want};
use crate::idle::Presence;
use crate::local::{AsyncStream, Listener};
use crate::runtime;
use anyhow::{Context, Result, bail};
use contract::{Fault, FaultCode, OperationId, Secret};
use mcp::{Door, Endpoint, ListOptions, Profile, ResultForm, Surface, serve_stream};
use service::{CallContext, Credentials, Service, Transport};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The state that all connections share.
struct Shared {
    service: Service,
    door: Arc<dyn Door>,
    surfaces: HashMap<Profile, Arc<Surface>>,
    user: String,
    presence: Arc<Presence>,
    stop: CancellationToken,
    /// Cancelled when the daemon makes way; none where it does for nobody.
    leave: Option<CancellationToken>,
}

/// Serves until told to stop; then waits for those who are still being answered. `leave` is cancelled when a later version of the program
/// asks for the folder and nobody else is there.
pub(crate) async fn serve(
    listener: Listener,
    service: Service,
    presence: Arc<Presence>,
    stop: CancellationToken,
    leave: Option<CancellationToken>,
) -> Result<()> {
    let tools =
        Arc::new(mcp::Tools::new(service.catalogue().specs()).with_prompts(service.catalogue().prompts()));
    let surfaces = Profile::all().map(|profile| (profile, Arc::new(Surface::new(&tools, profile)))).collect();
    let door: Arc<dyn Door> = Arc::new(service.clone());
    let shared = Arc::new(Shared {
        service,
        door,
        surfaces,
        user: runtime::user(),
        presence,
        stop: stop.clone(),
        leave,
    });
    let clients = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, _)) => {
                let shared = Arc::clone(&shared);
                clients.spawn(async move {
                    let _present = shared.presence.enter();
                    if let Err(error) = shared.attend(stream).await {
                        tracing::debug!(error = format!("{error:#}"), "a local client left");
                    }
                });
            }
            // out of descriptors, most likely: give some time to be freed
            Err(error) => {
                tracing::error!(%error, "cannot accept a local client");
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
    clients.close();
    clients.wait().await;
    Ok(())
}

impl Shared {
    async fn attend(&self, stream: AsyncStream) -> Result<()> {
        let (read, mut write) = stream.into_split();
        let mut read = BufReader::new(read);
        let mut line = String::new();
        (&mut read).take(MAX_LINE).read_line(&mut line).await.context("no first line")?;
        if !line.ends_with('\n') {
            bail!("no whole first line");
        }
        let hello: Hello = match serde_json::from_str(&line) {
            Ok(hello) => hello,
            Err(error) => {
                let fault = Fault::new(
                    FaultCode::InvalidParams,
                    format!(
                        "This daemon (version {}) does not understand the client: {error}. End the daemon, so that \
                         the client starts one of its own version.",
                        env!("CARGO_PKG_VERSION")
                    ),
                );
                return reply(&mut write, &Reply::Fault(fault)).await;
            }
        };
        tracing::debug!(pid = hello.pid, version = hello.version, "a local client came");
        let context = |transport| CallContext {
            working_dir: hello.directory.clone(),
            default_model: hello.model_id.clone(),
            credentials: match &hello.key {
                Some(key) => Credentials::Key { key: Secret::new(key), local: true },
                None => Credentials::Local { user: self.user.clone() },
            },
            transport,
            ..CallContext::default()
        };
        match &hello.want {
            Want::Mcp { server, results, toolsets, output_schemas } => {
                let surface = match Profile::from_name(server.as_deref()) {
                    Ok(profile) => self.surfaces.get(&profile).map(Arc::clone).context("no such surface")?,
                    Err(unknown) => {
                        let fault = Fault::new(FaultCode::NotFound, unknown.to_string());
                        return reply(&mut write, &Reply::Fault(fault)).await;
                    }
                };
                reply(&mut write, &Reply::Ready).await?;
                let form = ResultForm::from_name(results).unwrap_or_default();
                let options = ListOptions {
                    toolsets: toolsets.clone(),
                    output_schemas: *output_schemas,
                    ..ListOptions::default()
                };
                let context =
                    CallContext { connection: Some(OperationId::new().0), ..context(Transport::Stdio) };
                let endpoint = Endpoint::new(surface, Arc::clone(&self.door), context.clone(), form)
                    .with_options(options);
                serve_stream(endpoint, read, write, self.stop.child_token()).await;
                if let Err(fault) = self.service.end_connection(&context).await {
                    tracing::debug!(%fault, "the session of a connection that ended is still kept");
                }
                Ok(())
            }
            Want::MakeWay => {
                let others = self.presence.connected().saturating_sub(1);
                match &self.leave {
                    Some(leave) if others == 0 => {
                        leave.cancel();
                        reply(&mut write, &Reply::Ready).await
                    }
                    Some(_) => {
                        let fault = Fault::new(FaultCode::Busy, format!("{others} others are connected"));
                        reply(&mut write, &Reply::Fault(fault)).await
                    }
                    None => {
                        let fault = Fault::new(FaultCode::Busy, "this server was started by hand");
                        reply(&mut write, &Reply::Fault(fault)).await
                    }
                }
            }
            Want::ExportHistory { model, out } => {
                let mut context = context(Transport::Shell);
                context.client = Some(format!("pensaer admin {}", hello.version));
                let mut end = [0; 1];
                let outcome = tokio::select! {
                    outcome = crate::admin::export(&self.service, &context, model, out) => outcome,
                    _ = read.read(&mut end) => return Ok(()),
                };
                reply(&mut write, &outcome.map_or_else(Reply::Fault, Reply::Answer)).await
            }
            Want::Call { tool, arguments } => {
                let mut context = context(Transport::Shell);
                context.client = Some(format!("pensaer call {}", hello.version));
                let call = self.service.call(&context, tool, arguments.clone());
                let mut end = [0; 1];
                let outcome = tokio::select! {
                    outcome = call => outcome,
                    // the shell's user gave up: dropping the call cancels it
                    _ = read.read(&mut end) => return Ok(()),
                };
                let answer = match outcome {
                    Ok(artifact) => Reply::Answer(serde_json::to_value(artifact)?),
                    Err(fault) => Reply::Fault(fault),
                };
                reply(&mut write, &answer).await
            }
        }
    }
}

async fn reply(write: &mut (impl AsyncWriteExt + Unpin), reply: &Reply) -> Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    write.write_all(&line).await.context("the client left before it was answered")
}
