//! `pensaer mcp`: a pipe between an agent's standard streams and the daemon of the data folder, which it starts if there is
//! none; four of them share one cache of models. It passes on what both say and does one thing by itself: it answers `initialize`,
//! whose answer is known before a daemon is up, and keeps the daemon's own to itself.

use crate::client::ask;
use crate::folder::DataFolder;
use crate::hello::{Reply, Want};
use crate::local::Stream;
use crate::settings::Settings;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use contract::Toolset;
use mcp::Profile;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// The longest `initialize` that is answered here, in bytes; a longer first line is for the daemon, which reads it bounded.
const GREETING: u64 = 1 << 20;

/// True when the agent was answered its `initialize`.
static GREETED: AtomicBool = AtomicBool::new(false);
/// True when the agent has closed its end.
static AGENT_LEFT: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The tools to list: a server's (model, geometry, energy, …), the few for agents who write code (code), or every tool
    /// (all); without it the usual tools. Others can be called all the same.
    server: Option<String>,
    /// Sets of tools to list besides, parted by commas; may be given again. docs/tools.md names them.
    #[arg(long, value_name = "SETS", value_delimiter = ',', value_parser = toolset)]
    toolsets: Vec<Toolset>,
    /// List the schemas of answers, too.
    #[arg(long)]
    output_schemas: bool,
    /// How answers are sent: `both`, `structured` (one line of text) or `text`.
    #[arg(long, default_value = "both", value_parser = ["both", "structured", "text"])]
    results: String,
}

fn toolset(name: &str) -> Result<Toolset, String> {
    Toolset::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Toolset::ALL.iter().map(|set| set.as_str()).collect();
        format!("there is no set of this name; there are {}", names.join(", "))
    })
}

/// Serves one agent until it closes its end or the daemon ends.
pub(crate) fn run(settings: &Settings, options: &Arguments) -> Result<ExitCode> {
    let profile = Profile::from_name(options.server.as_deref()).map_err(|unknown| anyhow!("{unknown}"))?;
    let (connected, connection) = mpsc::channel();
    // Not joined: at the end it may hang in a read that nobody will answer.
    std::thread::Builder::new().name("stdin".into()).spawn(move || listen_to_agent(profile, &connection))?;
    let want = Want::Mcp {
        server: options.server.clone(),
        results: options.results.clone(),
        toolsets: options.toolsets.clone(),
        output_schemas: options.output_schemas,
    };
    let (reply, mut from_daemon) = ask(settings, want)?;
    match reply {
        Reply::Ready => {}
        Reply::Fault(fault) => bail!("{}", fault.message),
        Reply::Answer(_) => {
            bail!("the daemon answered a question that was not asked; is it of another version?")
        }
    }
    let to_daemon = from_daemon.get_ref().try_clone().context("cannot use the daemon's socket")?;
    let _ = connected.send(to_daemon);
    let copied = pass_on(&mut from_daemon);
    if AGENT_LEFT.load(Ordering::SeqCst) {
        return Ok(ExitCode::SUCCESS);
    }
    copied.context("the connection to the daemon broke")?;
    Err(anyhow!("the Pensaer daemon ended; every committed change is kept, start again to go on")
        .context(format!("its log is in {}", DataFolder::open(&settings.data_dir)?.log().display())))
}

/// Reads what the agent says: answers its greeting, and passes all of it on to the daemon when there is a connection.
fn listen_to_agent(profile: Profile, connection: &mpsc::Receiver<Stream>) {
    let mut agent = io::stdin().lock();
    let mut first = Vec::new();
    if let Err(error) = agent.by_ref().take(GREETING).read_until(b'\n', &mut first) {
        eprintln!("pensaer: standard input cannot be read: {error}");
    }
    if let Some(answer) = mcp::greeting(&first, profile)
        && say(&answer).is_ok()
    {
        GREETED.store(true, Ordering::SeqCst);
    }
    let Ok(mut to_daemon) = connection.recv() else { return };
    if to_daemon.write_all(&first).is_ok() {
        let _ = io::copy(&mut agent, &mut to_daemon);
    }
    AGENT_LEFT.store(true, Ordering::SeqCst);
    let _ = to_daemon.shutdown(std::net::Shutdown::Write);
}

/// Says something to the agent at once.
fn say(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Passes on what the daemon says, as it comes; but not its answer to a greeting that was answered.
fn pass_on(from: &mut BufReader<Stream>) -> io::Result<()> {
    let mut is_first = true;
    loop {
        let length = match from.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(_) if is_first && GREETED.load(Ordering::SeqCst) => {
                from.read_until(b'\n', &mut Vec::new())?;
                0
            }
            Ok(bytes) => {
                say(bytes)?;
                bytes.len()
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        is_first = false;
        from.consume(length);
    }
}
