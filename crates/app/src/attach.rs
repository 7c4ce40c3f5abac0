//! `pensaer mcp`: a pipe between an agent's standard streams and the daemon of the data folder, which it starts if there is
//! none. It does nothing else, so that it is up in a few milliseconds; four of them share one cache of models.

use crate::cli::Mcp;
use crate::folder::DataFolder;
use crate::hello::{Hello, Reply, Want};
use crate::settings::Settings;
use anyhow::{Context, Result, anyhow, bail};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long a daemon that was started for clients stays without any.
const IDLE_EXIT: &str = "600";
/// How long a daemon may take to come up.
const START_LIMIT: Duration = Duration::from_secs(30);

/// Serves one agent until it closes its end or the daemon ends.
pub(crate) fn run(settings: &Settings, options: &Mcp) -> Result<ExitCode> {
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
    let mut to_daemon = from_daemon.get_ref().try_clone().context("cannot use the daemon's socket")?;
    // Not joined: at the end it may hang in a read that nobody will answer.
    std::thread::Builder::new().name("stdin".into()).spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut to_daemon);
        AGENT_LEFT.store(true, std::sync::atomic::Ordering::SeqCst);
        let _ = to_daemon.shutdown(std::net::Shutdown::Write);
    })?;
    let mut stdout = io::stdout().lock();
    let copied = pump(&mut from_daemon, &mut stdout);
    if AGENT_LEFT.load(std::sync::atomic::Ordering::SeqCst) {
        return Ok(ExitCode::SUCCESS);
    }
    copied.context("the connection to the daemon broke")?;
    Err(anyhow!("the Pensaer daemon ended; every committed change is kept, start again to go on")
        .context(format!("its log is in {}", DataFolder::open(&settings.data_dir)?.log().display())))
}

static AGENT_LEFT: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Copies what comes, as it comes.
fn pump(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(buffer.get(..read).unwrap_or_default())?;
        to.flush()?;
    }
}

/// Says hello to the daemon, which is started if there is none, and reads its reply. A daemon that was just ending says
/// nothing; then another one is asked.
pub(crate) fn ask(settings: &Settings, want: Want) -> Result<(Reply, BufReader<UnixStream>)> {
    let folder = DataFolder::open(&settings.data_dir)?;
    let mut line =
        serde_json::to_vec(&Hello::new(settings.model_id.clone(), settings.api_key.as_ref(), want))?;
    line.push(b'\n');
    for _ in 0..3 {
        let mut stream = connect(&folder, settings)?;
        let mut answer = String::new();
        let sent = stream.write_all(&line);
        let mut stream = BufReader::with_capacity(64 << 10, stream);
        if sent.is_ok() && stream.read_line(&mut answer).is_ok() && answer.ends_with('\n') {
            let reply = serde_json::from_str(&answer)
                .context("the daemon is of another version; end it and try again")?;
            return Ok((reply, stream));
        }
    }
    bail!("the daemon closes every connection; its log says:\n{}", folder.log_tail())
}

/// A connection to the daemon of this folder.
fn connect(folder: &DataFolder, settings: &Settings) -> Result<UnixStream> {
    if let Ok(stream) = UnixStream::connect(folder.socket()) {
        return Ok(stream);
    }
    // Clients that come at the same time wait here; all but the first find a daemon.
    let _starting = folder.lock_start()?;
    if let Ok(stream) = UnixStream::connect(folder.socket()) {
        return Ok(stream);
    }
    let _ = std::fs::remove_file(folder.failure());
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let mut command = vec![program.into()];
    command.extend(settings.arguments());
    command.extend(["serve", "--detached", "--idle-exit", IDLE_EXIT].map(Into::into));
    let pid = exec::sandbox::spawn_daemon(&command, &folder.log()).context("cannot start the daemon")?;
    let started = Instant::now();
    loop {
        if let Ok(stream) = UnixStream::connect(folder.socket()) {
            return Ok(stream);
        }
        if let Ok(reason) = std::fs::read_to_string(folder.failure()) {
            bail!("the daemon could not start: {}", reason.trim());
        }
        if started.elapsed() > START_LIMIT || is_gone(pid) {
            bail!(
                "the daemon did not come up; its log {} ends with:\n{}",
                folder.log().display(),
                folder.log_tail()
            );
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether a process that was started here has ended, where the system says so.
fn is_gone(pid: u32) -> bool {
    cfg!(target_os = "linux") && !std::path::Path::new(&format!("/proc/{pid}")).exists()
}
