//! Builds the program, starts it on `./pensaer-data` with a small sample house made through its own tools, and says how
//! to reach it. Stays until Ctrl-C.

use crate::rpc::{Server, free_port};
use crate::shell::{self, cargo, output, root, sh, target};
use crate::{clients, setup, ui};
use anyhow::{Result, anyhow};
use serde_json::json;
use std::path::Path;

/// Options of a run.
#[derive(clap::Args)]
pub struct Arguments {
    /// The port on this machine.
    #[arg(long, default_value_t = 8420)]
    port: u16,
}

/// Builds the page and the program that holds it. From clean both at once: the page is there minutes before the crate that embeds it is
/// compiled. Where that crate may be the first thing to be compiled the page comes first.
fn build(is_again: bool) -> Result<()> {
    let page = || if ui::exists() { ui::build() } else { Ok(()) };
    let program = || sh(cargo().args(["build", "--release", "--quiet", "--package", "app"]));
    if is_again {
        page()?;
        return program();
    }
    std::thread::scope(|scope| {
        let page = scope.spawn(page);
        let program = program();
        page.join().map_err(|_| anyhow!("the build of the page broke off"))??;
        program
    })
}

/// Builds, starts, says where.
pub fn run(arguments: &Arguments) -> Result<()> {
    let program = target().join("release/pensaer");
    build(program.exists())?;
    let data = root().join("pensaer-data");
    let mut port = arguments.port;
    if std::net::TcpListener::bind(("127.0.0.1", port)).is_err() {
        port = free_port()?;
        println!("Something else listens on port {}; {port} is used.", arguments.port);
    }
    let energyplus = setup::energyplus_folder();
    let mut more: Vec<_> =
        [("ENERGYPLUS_DIR", energyplus.as_path())].into_iter().filter(|(_, dir)| dir.is_dir()).collect();
    more.push(("PENSAER_OPEN_LOOPBACK", Path::new("false")));
    let mut server = Server::start_with(&program, &data, port, &more)?;
    let viewer = clients::sample_house(&program, &data)?;
    let key = output(shell::program(&program).arg("local-key").env("PENSAER_DATA_DIR", &data))?;
    let snippet = json!({
        "mcpServers": {
            "pensaer": {
                "command": program,
                "args": ["mcp"],
                "env": {"PENSAER_DATA_DIR": data}
            }
        }
    });
    println!("\nPensaer is running. The models are in {}.\n", data.display());
    println!("  the sample house in your browser   {viewer}");
    println!("  agents over HTTP                   {}/mcp", server.address);
    println!("    with the header                  Authorization: Bearer {}", key.trim());
    println!(
        "\nDesktop agents: add this to their MCP configuration.\n\n{}\n",
        serde_json::to_string_pretty(&snippet)?
    );
    println!("Ctrl-C ends it.");
    server.wait()
}
