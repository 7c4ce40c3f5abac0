//! Checks with clients that nobody here wrote: the MCP Inspector over stdio and over HTTP, an agent framework, the protocol's conformance
//! suite, and a browser on the viewer.

use crate::rpc::{Client, Pipe, Server, free_port};
use crate::setup::{browser, client, node};
use crate::shell::{output, program, root, sh, target};
use crate::test::binary;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const INSPECTOR: &str = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// The MCP Inspector's command line lists the tools, checks their schemas for portability, makes a wall, and reads its
/// model as a resource; once over a pipe, once over HTTP.
pub fn inspector() -> Result<()> {
    let folder = fresh("inspector")?;
    let data = folder.join("stdio");
    // the Inspector hands few variables on to what it starts
    let pipe = [
        "env".to_owned(),
        format!("PENSAER_DATA_DIR={}", data.display()),
        "PENSAER_LISTEN=127.0.0.1:0".to_owned(),
        binary().display().to_string(),
        "mcp".to_owned(),
    ];
    inspect("stdio", &pipe, &data)?;
    let server = Server::start(&binary(), &folder.join("http"))?;
    let data = folder.join("http");
    inspect("http", &[format!("{}/mcp", server.address)], &data)?;
    for profile in ["code", "energy", "geometry", "all"] {
        let listed = ask(
            &[format!("{}/mcp/{profile}", server.address)],
            &data,
            // it knows the transport by itself only where a path ends in `/mcp`
            &["--transport", "http", "--method", "tools/list", "--strict"],
        )?;
        let count = listed.get("tools").and_then(Value::as_array).map_or(0, Vec::len);
        ensure!(count > 4, "only {count} tools under {profile}");
    }
    agent_example(&folder.join("agent"))
}

/// The example of an agent in TypeScript runs on its framework, beside whose packages it is put.
fn agent_example(data: &Path) -> Result<()> {
    let packages = client("");
    let folder = packages.parent().context("no folder of clients")?.join("examples");
    std::fs::create_dir_all(&folder)?;
    for file in ["examples/agent.ts", "tests/clients/agent.mjs"] {
        let name = Path::new(file).file_name().context("a file without a name")?;
        std::fs::copy(root().join(file), folder.join(name)).with_context(|| file.to_owned())?;
    }
    let said = output(
        program(node())
            .args(["--disable-warning=ExperimentalWarning", "agent.mjs", "./agent.ts"])
            .current_dir(&folder)
            .env("PENSAER", binary())
            .env("PENSAER_DATA_DIR", data)
            .env("PENSAER_LISTEN", "127.0.0.1:0"),
    )?;
    print!("{said}");
    Ok(())
}

const CONFORMANCE: &str = "@modelcontextprotocol/conformance/dist/index.js";

/// The protocol's conformance suite judges a server that has the suite's fixtures: what each revision requires, and every scenario that
/// there is. What fails and does not stand in the baseline, with its reason, fails the check; so does what stands there and passes.
pub fn conformance() -> Result<()> {
    let folder = fresh("conformance")?;
    let fixtures = ["--conformance-fixtures"];
    let server = Server::start_told(&binary(), &folder.join("data"), free_port()?, &fixtures, &[])?;
    let baseline = root().join("tests/clients/conformance-baseline.yml");
    for asked in [["--requirements", "2025-11-25"], ["--requirements", "2026-07-28"], ["--suite", "all"]] {
        let judged = || {
            sh(program(node())
                .arg(client(CONFORMANCE))
                .args(["server", "--url", &format!("{}/mcp", server.address), "--expected-failures"])
                .arg(&baseline)
                .args(asked)
                .current_dir(&folder))
        };
        // some of its scenarios wait for half a second and no longer, which a machine with other work may not keep
        judged()
            .or_else(|_| judged())
            .with_context(|| format!("the conformance suite, {}", asked.join(" ")))?;
    }
    Ok(())
}

/// Asks a server through the Inspector, and returns what that prints.
fn ask(server: &[String], data: &Path, arguments: &[&str]) -> Result<Value> {
    let text = output(
        program(node())
            .arg(client(INSPECTOR))
            .arg("--cli")
            .args(server)
            .args(arguments)
            .env("MCP_CATALOG_PATH", data.with_extension("catalog.json")),
    )?;
    serde_json::from_str(&text).with_context(|| format!("the Inspector printed no JSON: {text}"))
}

fn inspect(door: &str, server: &[String], data: &Path) -> Result<()> {
    let ask = |arguments: &[&str]| ask(server, data, arguments);
    let listed = ask(&["--method", "tools/list", "--strict"])?;
    let tools = listed.get("tools").and_then(Value::as_array).context("no tools")?;
    ensure!(tools.len() >= 25, "only {} tools over {door}", tools.len());

    let call = |tool: &str, arguments: &Value| -> Result<Value> {
        let mut words = vec!["--method".to_owned(), "tools/call".into(), "--tool-name".into(), tool.into()];
        for (name, value) in arguments.as_object().into_iter().flatten() {
            words.push("--tool-arg".into());
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            words.push(format!("{name}={value}"));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = ask(&words)?;
        ensure!(answer.get("isError").and_then(Value::as_bool) != Some(true), "{tool} over {door}: {answer}");
        answer
            .get("structuredContent")
            .cloned()
            .with_context(|| format!("{tool} over {door} gave no structure"))
    };
    let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
    let project = call("create_project", &json!({"name": "Inspected", "storeys": storeys}))?;
    let model = project.get("model_id").and_then(Value::as_str).context("no model_id")?;
    // each Inspector call is a session of its own, so the model is named
    let wall = call(
        "create_wall",
        &json!({"model_id": model, "start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor", "reasoning": "Inspector"}),
    )?;
    ensure!(wall.get("wall_id").is_some_and(Value::is_string), "create_wall over {door} gave {wall}");
    let summary = format!("pensaer://models/{model}/summary");
    let resources = ask(&["--method", "resources/list"])?;
    let listed = resources.get("resources").and_then(Value::as_array).into_iter().flatten();
    ensure!(
        listed.filter_map(|resource| resource.get("uri")).any(|uri| *uri == summary.as_str()),
        "{summary} is not listed over {door}: {resources}"
    );
    let read = ask(&["--method", "resources/read", "--uri", &summary])?;
    let text = read.pointer("/contents/0/text").and_then(Value::as_str).unwrap_or_default();
    ensure!(text.contains("model_version"), "{summary} over {door}: {read}");
    println!("  {door}: {} tools listed and portable, a wall made, resources read", tools.len());
    Ok(())
}

/// A browser opens the viewer on the sample house: the page says it is ready, lists the elements, and paints something; and on a link with
/// a way over coloured rooms, in light and in dark.
pub fn page() -> Result<()> {
    let folder = fresh("page")?;
    // as a person has it: the link brings the key
    let keyed = [("PENSAER_OPEN_LOOPBACK", Path::new("false"))];
    let server = Server::start_with(&binary(), &folder.join("data"), free_port()?, &keyed)?;
    let data = folder.join("data");
    let link = sample_house(&binary(), &data)?;
    let way = way_through_sample_house(&binary(), &data)?;
    let picture = target().join("viewer.png");
    let chromium = browser().context("no browser; run `cargo xtask setup`")?;
    let said =
        output(program(node()).arg(root().join("tests/clients/page.mjs")).args([&link, &way]).args([
            &picture,
            &chromium,
            &client(""),
        ]))?;
    print!("{said}");
    drop(server);
    Ok(())
}

/// Makes the sample house in a data folder if it is not there, and returns the address of the viewer on it. A daemon must
/// be running on the folder.
pub fn sample_house(program_: &Path, data: &Path) -> Result<String> {
    let script = root().join("samples/house.json");
    output(program(program_).args(["eval", "--once", "--trace"]).arg(&script).env("PENSAER_DATA_DIR", data))?;
    let mut session = Pipe::start(program_, data)?;
    session.initialize()?;
    let model = sample_model(&mut session)?;
    let answer = session.call("view_model", json!({"model_id": model}))?;
    viewer_link(&answer)
}

/// The address of the viewer on the way out of a room of the sample house, which is there, over rooms coloured by area.
fn way_through_sample_house(program_: &Path, data: &Path) -> Result<String> {
    let mut session = Pipe::start(program_, data)?;
    session.initialize()?;
    let model = sample_model(&mut session)?;
    let ask = json!({"model_id": model, "from_room": "Study", "to_room": "outside"});
    let way = session.call("path_finding", ask)?;
    let path =
        way.get("path").filter(|path| path.is_array()).with_context(|| format!("no way out: {way}"))?;
    viewer_link(&session.call("view_model", json!({"model_id": model, "rooms": "area", "path": path}))?)
}

fn viewer_link(answer: &Value) -> Result<String> {
    let link = answer.pointer("/links/0/href").or_else(|| answer.get("url")).and_then(Value::as_str);
    Ok(link.with_context(|| format!("view_model gave no link: {answer}"))?.to_owned())
}

/// The id of the sample house.
fn sample_model(session: &mut Pipe) -> Result<String> {
    let script = root().join("samples/house.json");
    let name = serde_json::from_str::<Value>(&std::fs::read_to_string(&script)?)?
        .get("model")
        .and_then(Value::as_str)
        .context("samples/house.json names no model")?
        .to_owned();
    let models = session.call("list_models", json!({}))?;
    let model = models
        .get("models")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .find(|model| model.get("name").and_then(Value::as_str) == Some(&name))
        .and_then(|model| model.get("model_id").and_then(Value::as_str))
        .with_context(|| format!("the sample house is not in {models}"))?;
    Ok(model.to_owned())
}

/// An empty folder under `target/`.
pub fn fresh(name: &str) -> Result<PathBuf> {
    let folder = target().join("checks").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
