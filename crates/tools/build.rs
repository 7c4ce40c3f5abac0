//! Lists the tool files: every `src/<server>/<tool>.rs` becomes a module, and its `tool()` an entry of the catalogue. A folder with a
//! `mod.rs` is a module like any other, and holds none.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let source = Path::new(&root).join("src");
    println!("cargo::rerun-if-changed=src");
    let mut modules = String::new();
    let mut lists = String::new();
    let mut all = String::new();
    let is_server = |path: &std::path::PathBuf| path.is_dir() && !path.join("mod.rs").exists();
    for server in sorted(&source)?.into_iter().filter(is_server) {
        let name = stem(&server);
        let _ = writeln!(modules, "/// The tools of the server `{name}`.\npub mod {name} {{");
        // a list of its own, so that a program that needs this server alone is linked without the others
        let _ = writeln!(lists, "fn listed_{name}() -> Vec<Tool> {{\nvec![");
        let _ = writeln!(all, "tools.extend(listed_{name}());");
        let mut variant = name.clone();
        if let Some(first) = variant.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        for file in sorted(&server)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
            let tool = stem(&file);
            let _ = writeln!(modules, "#[path = {:?}]\npub mod {tool};", file.display().to_string());
            let _ = writeln!(lists, "{name}::{tool}::tool().on(contract::Server::{variant}),");
        }
        modules.push_str("}\n");
        lists.push_str("]\n}\n");
    }
    let whole = format!("fn listed() -> Vec<Tool> {{\nlet mut tools = Vec::new();\n{all}tools\n}}\n");
    let text = format!("{modules}\n{lists}\n{whole}");
    fs::write(Path::new(&out).join("catalogue.rs"), text)
}

fn sorted(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
