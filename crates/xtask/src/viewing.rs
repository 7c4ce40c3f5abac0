//! The viewer in a browser on real models: the 3D view by itself, the page around it, and the page in a chat, each held against what the
//! server says. (`tests/clients/viewer/panels.mjs` checks the panels; it simulates, and is run by hand.) Pictures are kept in `target/checks/viewing` for a person to look at.

use crate::clients::{fresh, sample_house};
use crate::rpc::{Client, Pipe, Server, free_port};
use crate::setup::{browser, client, node};
use crate::shell::{output, program, root, test_data};
use crate::test::binary;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The models that the checks know by name, beside the sample house.
const MODELS: [&str; 2] = ["models/Duplex_A_20110907.ifc", "models/AC20-FZK-Haus.ifc"];

/// Runs them one after the other: a browser without a graphics card takes the whole machine.
pub fn checks() -> Result<()> {
    let Some(data) = test_data() else {
        println!(
            "  no real models: set PENSAER_TEST_DATA; the viewer is checked on the sample house alone, by `page`"
        );
        return Ok(());
    };
    let folder = fresh("viewing")?;
    let place = folder.join("data");
    let more: [(&str, &Path); 1] = [("PENSAER_READ_DIRS", &data)];
    let server = Server::start_with(&binary(), &place, free_port()?, &more)?;
    let house = sample_house(&binary(), &place)?;
    let mut session = Pipe::start(&binary(), &place)?;
    session.initialize()?;
    for model in MODELS {
        session.call("load_model", json!({ "file_path": data.join(model) }))?;
    }
    let pictures = folder.join("pictures");
    std::fs::create_dir_all(&pictures)?;
    let chromium = browser().context("no browser; run `cargo xtask setup`")?;
    let run = |script: &str, address: &str| -> Result<()> {
        let script = root().join("tests/clients/viewer").join(script);
        let mut command = program(node());
        command.arg(script).args([address]).args([&chromium, &client(""), &pictures]);
        print!("{}", output(&mut command)?);
        Ok(())
    };
    run("chat.mjs", &house)?;
    run("page.mjs", &format!("{}/viewer", server.address))?;
    let vite = Vite::start(&server.address)?;
    run("view.mjs", &vite.address)?;
    Ok(())
}

/// The development server of the viewer, whose pages for checks are no part of what is built.
struct Vite {
    child: Child,
    address: String,
}

impl Vite {
    fn start(server: &str) -> Result<Self> {
        let (viewer, port) = (root().join("viewer"), free_port()?.to_string());
        let entry: PathBuf = viewer.join("node_modules/vite/bin/vite.js");
        let child = Command::new(node())
            .arg(entry)
            .args(["--port", &port, "--strictPort", "--host", "127.0.0.1", "--logLevel", "error"])
            .current_dir(&viewer)
            .env("VITE_SERVER", server)
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start vite")?;
        let vite = Self { child, address: format!("http://127.0.0.1:{port}") };
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(30) {
            if std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_ok() {
                return Ok(vite);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("vite does not answer at {}", vite.address)
    }
}

impl Drop for Vite {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
