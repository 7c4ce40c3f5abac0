//! Where a run happens: a data folder of its own with its own daemon, or the user's. Either way an MCP client at the
//! daemon's socket, as `pensaer mcp` is.

use super::session::Session;
use crate::folder::DataFolder;
use crate::hello::{Reply, Want};
use crate::settings::Settings;
use crate::{client, local};
use anyhow::{Context, Result, bail};
use mcp::client::Client;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The folder of the files that models are loaded from.
const MODELS: &str = "models";
/// A daemon started for a run ends so many seconds after its client left.
const IDLE_EXIT: u64 = 3;
/// How long a daemon may take to come up or to end.
const PATIENCE: Duration = Duration::from_mins(1);

/// A clean data folder with a daemon.
pub struct Place {
    settings: Settings,
    folder: DataFolder,
    // the folder is removed with it
    root: TempDir,
}

impl Place {
    /// Makes the folder and starts the daemon.
    pub async fn new(like: &Settings) -> Result<Self> {
        let root =
            tempfile::Builder::new().prefix("pensaer-eval-").tempdir().context("cannot make a folder")?;
        std::fs::create_dir(root.path().join(MODELS))?;
        let settings = Settings {
            data_dir: root.path().to_owned(),
            listen: "127.0.0.1:0".parse().context("a loopback address")?,
            public_url: None,
            model_id: None,
            read_only: false,
            bucket: None,
            policy: None,
            api_key: None,
            ..like.clone()
        };
        let folder = DataFolder::open(&settings.data_dir)?;
        client::start(&folder, &settings, IDLE_EXIT)?;
        let place = Self { settings, folder, root };
        place.wait("come up", |folder| local::connect(folder.socket()).is_ok()).await?;
        Ok(place)
    }

    /// Copies a model's file to the name that the model is to have; returns the copy.
    pub fn put(&self, name: &str, file: &Path) -> Result<PathBuf> {
        let ending = file.extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
        let copy = self.root.path().join(MODELS).join(format!("{name}.{ending}"));
        std::fs::copy(file, &copy).with_context(|| file.display().to_string())?;
        Ok(copy)
    }

    /// A client of its own.
    pub async fn session(&self) -> Result<Session> {
        session(&self.settings).await
    }

    /// Waits until the daemon has ended, and removes the folder.
    pub async fn close(self) -> Result<()> {
        self.wait("end", |folder| folder.running().is_none()).await
    }

    async fn wait(&self, what: &str, done: impl Fn(&DataFolder) -> bool) -> Result<()> {
        let begun = Instant::now();
        while !done(&self.folder) {
            if begun.elapsed() > PATIENCE {
                bail!("the daemon did not {what}; its log ends with:\n{}", self.folder.log_tail());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}

/// A client of the daemon of these settings' data folder, which is started if there is none.
pub async fn session(settings: &Settings) -> Result<Session> {
    let want =
        Want::Mcp { server: None, results: "both".into(), toolsets: Vec::new(), output_schemas: false };
    let (reply, stream) = client::ask(settings, want)?;
    match reply {
        Reply::Ready => {}
        Reply::Fault(fault) => bail!("{}", fault.message),
        Reply::Answer(_) => bail!("the daemon answered a question that was not asked"),
    }
    // nothing can stand in the reader's buffer: the server speaks when spoken to
    let (read, write) = local::to_tasks(stream.into_inner())?.into_split();
    Ok(Session::new(Client::connect(read, write, "pensaer eval").await?))
}
