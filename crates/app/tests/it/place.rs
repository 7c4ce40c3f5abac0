//! A data folder of its own for a test, and the daemon in it.

use crate::wire::Stdio;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A data folder. The daemon in it ends with it.
pub struct Place {
    root: TempDir,
    data: PathBuf,
    python: Option<PathBuf>,
    energyplus: Option<PathBuf>,
    shares: Vec<(&'static str, String)>,
    /// True if callers on this machine need no key over HTTP.
    pub open: bool,
}

impl Place {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("data");
        Self { root, data, python: None, energyplus: None, shares: Vec::new(), open: true }
    }

    /// A data folder whose path is too long for a socket address.
    pub fn deep() -> Self {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("a-rather-long-name/".repeat(8));
        Self { root, data, python: None, energyplus: None, shares: Vec::new(), open: true }
    }

    /// A data folder for a program that finds IfcOpenShell; none where there is none, which is said.
    pub fn with_ifcopenshell() -> Option<Self> {
        testing::ifcopenshell().map(Self::with_python)
    }

    /// A data folder for a program that is told to use this Python.
    pub fn with_python(python: PathBuf) -> Self {
        let mut place = Self::new();
        place.python = Some(python);
        place
    }

    /// A data folder for a program that is told to use this EnergyPlus.
    pub fn with_energyplus(folder: PathBuf) -> Self {
        let mut place = Self::new();
        place.energyplus = Some(folder);
        place
    }

    /// A data folder of a gateway that has database and bucket together with others.
    pub fn sharing(database: &str, bucket: &str) -> Self {
        let mut place = Self::new();
        place.shares =
            vec![("PENSAER_DB_URL", database.to_owned()), ("PENSAER_BUCKET_URL", bucket.to_owned())];
        place
    }

    /// Has its programs find these variables, too.
    pub fn share(&mut self, variables: impl Iterator<Item = (&'static str, String)>) {
        self.shares.extend(variables);
    }

    /// A data folder of a program that has weather files from here.
    pub fn with_mirror(address: &str) -> Self {
        let mut place = Self::new();
        place.shares = vec![("PENSAER_WEATHER_MIRROR", address.to_owned())];
        place
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The program with this data folder, in a working directory of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pensaer"));
        command
            .args(arguments)
            .current_dir(self.root.path())
            .env("PENSAER_DATA_DIR", &self.data)
            .env("PENSAER_LISTEN", "127.0.0.1:0")
            .env("PENSAER_OPEN_LOOPBACK", if self.open { "true" } else { "false" })
            .env("PENSAER_WRITE_DIRS", self.root.path())
            .env_remove("PENSAER_DB_URL")
            .env_remove("PENSAER_BUCKET_URL")
            .env_remove("PENSAER_WEATHER_MIRROR")
            .envs(self.shares.iter().map(|(name, value)| (name, value)))
            .env_remove("PENSAER_MODEL_ID")
            .env_remove("PENSAER_PYTHON")
            .env_remove("ENERGYPLUS_DIR")
            .env_remove("PENSAER_POLICY")
            .env_remove("PENSAER_API_KEY")
            .env_remove("PENSAER_READONLY");
        if let Some(python) = &self.python {
            command.env("PENSAER_PYTHON", python);
        }
        if let Some(folder) = &self.energyplus {
            command.env("ENERGYPLUS_DIR", folder);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// `pensaer call`, which has to succeed.
    pub fn call(&self, tool: &str, arguments: &Value) -> Value {
        let output = self.run(&["call", tool, "--json", &arguments.to_string()]);
        assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// A client over stdio, initialised.
    pub fn stdio(&self) -> Stdio {
        let mut client = Stdio::start(self.command(&["mcp"]));
        client.initialize();
        client
    }

    /// The daemon's description of itself.
    pub fn running(&self) -> Option<Value> {
        serde_json::from_slice(&std::fs::read(self.data.join("daemon.json")).ok()?).ok()
    }

    /// Makes sure that a daemon runs, and answers `host:port` of its HTTP side.
    pub fn address(&self) -> String {
        if self.running().is_none() {
            self.call("whoami", &serde_json::json!({}));
        }
        let url = self.running().unwrap()["url"].as_str().unwrap().to_owned();
        url.strip_prefix("http://").unwrap().to_owned()
    }

    pub fn daemon_pid(&self) -> u32 {
        u32::try_from(self.running().unwrap()["pid"].as_u64().unwrap()).unwrap()
    }

    /// Ends the daemon as an operating system does, and waits until it is gone.
    pub fn end_daemon(&self) {
        let Some(running) = self.running() else { return };
        let pid = running["pid"].as_u64().unwrap().to_string();
        let _ = Command::new("kill").arg(&pid).status();
        wait_until("the daemon ends", || !is_alive(&pid));
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("daemon.log")).unwrap_or_default()
    }

    /// `pensaer serve` in the foreground.
    pub fn serve(&self) -> Foreground {
        let child = self.command(&["serve"]).stderr(std::process::Stdio::null()).spawn().unwrap();
        wait_until("the server is up", || self.running().is_some());
        Foreground(child)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.end_daemon();
        if std::thread::panicking() {
            eprintln!("--- daemon.log\n{}", self.log());
        }
    }
}

/// A server that ends with the test.
pub struct Foreground(Child);

impl Drop for Foreground {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// True if a process runs; one that waits to be reaped does not.
pub fn is_alive(pid: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// The processes that `parent` started.
pub fn children(parent: u32) -> Vec<String> {
    let output = Command::new("ps").args(["-o", "pid=", "--ppid", &parent.to_string()]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
}

/// All processes that come from `parent`.
pub fn descendants(parent: u32) -> Vec<String> {
    let mut found = children(parent);
    let mut at = 0;
    while let Some(next) = found.get(at).and_then(|pid| pid.parse().ok()) {
        found.extend(children(next));
        at += 1;
    }
    found.retain(|pid| is_alive(pid));
    found
}

pub fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
