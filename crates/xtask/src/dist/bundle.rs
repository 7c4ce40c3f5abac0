//! The MCP bundle: a desktop client installs it by opening the file. It holds the program, a script that starts it as the client's page of
//! settings says, and a manifest with the tools that the program itself lists. Packed and judged by the format's own tool.

use super::{Release, put, source, text};
use crate::setup::{client, node, packaging_folder};
use crate::shell::{output, root};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// The command of the format's own tool.
const MCPB: &str = "@anthropic-ai/mcpb/dist/cli/cli.js";

/// Makes `pensaer-VERSION-linux-MACHINE.mcpb`.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let program = &release.program;
    let folder = release.folder("bundle")?;
    put(&program.path, &folder.join("server/pensaer"), 0o755)?;
    put(&source("bundle/start.sh"), &folder.join("server/start.sh"), 0o755)?;
    put(&source("bundle/icon.png"), &folder.join("icon.png"), 0o644)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        put(&root().join(file), &folder.join(file), 0o644)?;
    }
    put(&release.licences(), &folder.join("THIRD-PARTY.txt"), 0o644)?;
    let listed = output(release.command(&program.path).args(["tools", "--json"]))?;
    let mut manifest: Map<String, Value> = serde_json::from_str(&text("bundle/manifest.json")?)?;
    manifest.insert("version".into(), program.version.clone().into());
    manifest.insert("tools".into(), tools(&serde_json::from_str(&listed)?)?);
    super::write(&folder.join("manifest.json"), serde_json::to_string_pretty(&manifest)? + "\n", 0o644)?;
    let packed = release.out.join(format!("pensaer-{}-linux-{}.mcpb", program.version, program.machine.node));
    if release.is_fast {
        pack_fast(release, &folder, &packed)?;
    } else {
        output(release.command(node()).arg(client(MCPB)).arg("pack").args([&folder, &packed]))?;
    }
    Ok(vec![packed])
}

/// Packs a folder as the format's own tool does, but compresses little: that always takes the most, which for a program of the tests is
/// half a minute.
fn pack_fast(release: &Release, folder: &Path, packed: &Path) -> Result<()> {
    const ZIP: &str = "\
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
    for path in sorted(path for path in folder.rglob('*') if path.is_file()):
        packed.write(path, path.relative_to(folder))
";
    let python = packaging_folder().join("bin/python");
    output(release.command(node()).arg(client(MCPB)).arg("validate").arg(folder.join("manifest.json")))?;
    output(release.command(python).args(["-c", ZIP]).args([folder, packed])).map(drop)
}

/// The tools as the manifest has them: names, and what each is for in a line.
fn tools(listed: &Value) -> Result<Value> {
    let listed = listed.as_array().context("the program lists no tools")?;
    let line = |tool: &Value| -> Option<Value> {
        let first = tool["description"].as_str()?.lines().next()?;
        Some(json!({"name": tool["name"].as_str()?, "description": first}))
    };
    listed.iter().map(|tool| line(tool).with_context(|| format!("a tool without a name: {tool}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_named_with_the_first_line_of_their_description() {
        let listed = json!([{"name": "undo", "description": "Takes back.\nMore.", "input": {}}]);
        assert_eq!(tools(&listed).unwrap(), json!([{"name": "undo", "description": "Takes back."}]));
        assert!(tools(&json!([{"description": "x"}])).is_err());
    }
}
