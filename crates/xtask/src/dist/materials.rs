//! The bills of materials, in CycloneDX's JSON: the crates that the program is made of, by cargo-cyclonedx, and the packages of the
//! viewer, by npm. Paths of this machine do not stand in them, and the same tree gives the same bills.

use super::{Release, put};
use crate::setup;
use crate::shell::{output, program as command, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of both bills.
pub fn files(release: &Release) -> [PathBuf; 2] {
    let program = format!("linux-{}", release.program.machine.name);
    [program.as_str(), "viewer"]
        .map(|part| release.out.join(format!("pensaer-{}-{part}.cdx.json", release.program.version)))
}

/// Makes both bills.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let [program, viewer] = files(release);
    let bill = of_program(release)?;
    let time = bill["metadata"]["timestamp"].clone();
    write(&program, &bill)?;
    write(&viewer, &of_viewer(release, time)?)?;
    Ok(vec![program, viewer])
}

fn write(path: &Path, bill: &Value) -> Result<()> {
    fs::write(path, serde_json::to_string_pretty(bill)? + "\n").with_context(|| path.display().to_string())
}

/// The crates of the program. The tool writes a bill beside the manifest of every crate, so it is given a copy of them.
fn of_program(release: &Release) -> Result<Value> {
    let folder = release.folder("materials")?;
    let listed = output(command("git").args([
        "ls-files",
        "-co",
        "--exclude-standard",
        "-z",
        "--",
        "*.rs",
        "*Cargo.toml",
        "Cargo.lock",
    ]))?;
    for path in listed.split('\0').filter(|path| !path.is_empty() && root().join(path).is_file()) {
        put(&root().join(path), &folder.join(path), 0o644)?;
    }
    output(
        release
            .command(setup::cyclonedx())
            .args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--no-build-deps"])
            .args(["--override-filename", "bill", "--quiet", "--target"])
            .arg(format!("{}-unknown-linux-gnu", release.program.machine.name))
            .args(["--manifest-path", "crates/app/Cargo.toml"])
            .current_dir(&folder),
    )?;
    let text = fs::read_to_string(folder.join("crates/app/bill.json")).context("no bill of the program")?;
    let text = text.replace(&format!("path+file://{}/crates/", folder.display()), OURS);
    let mut bill: Value = serde_json::from_str(&text)?;
    without_registry(&mut bill);
    bill["metadata"]["component"]["name"] = "pensaer".into();
    without_number(&mut bill);
    Ok(bill)
}

/// The beginning of references to crates of this workspace.
const OURS: &str = "pensaer:";

/// Takes the address in a registry away from crates of this workspace, which are in none: there, others have their names.
fn without_registry(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(without_registry),
        Value::Object(members) => {
            if members.get("bom-ref").and_then(Value::as_str).is_some_and(|name| name.starts_with(OURS)) {
                members.shift_remove("purl");
            }
            members.values_mut().for_each(without_registry);
        }
        _ => {}
    }
}

/// Takes away the number that is new each time.
fn without_number(bill: &mut Value) {
    if let Some(members) = bill.as_object_mut() {
        members.shift_remove("serialNumber");
    }
}

/// The packages that are part of the viewer, with the time at which the other bill says that it was made.
fn of_viewer(release: &Release, time: Value) -> Result<Value> {
    let text = output(
        release
            .command("npm")
            .args(["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"])
            .args(["--package-lock-only", "--omit", "dev"])
            .current_dir(root().join("viewer")),
    )?;
    let mut bill: Value = serde_json::from_str(&text)?;
    bill["metadata"]["timestamp"] = time;
    without_number(&mut bill);
    Ok(bill)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn crates_of_the_workspace_are_not_those_of_their_names_in_the_registry() {
        let mut bill = json!({"serialNumber": "urn:uuid:1", "components": [
            {"bom-ref": "pensaer:bcf#0.1.0", "purl": "pkg:cargo/bcf@0.1.0", "name": "bcf"},
            {"bom-ref": "registry+x#serde@1.0.0", "purl": "pkg:cargo/serde@1.0.0", "name": "serde"},
        ]});
        without_registry(&mut bill);
        without_number(&mut bill);
        assert_eq!(
            bill,
            json!({"components": [
                {"bom-ref": "pensaer:bcf#0.1.0", "name": "bcf"},
                {"bom-ref": "registry+x#serde@1.0.0", "purl": "pkg:cargo/serde@1.0.0", "name": "serde"},
            ]})
        );
    }
}
