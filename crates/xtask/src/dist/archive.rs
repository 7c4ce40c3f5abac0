//! The archive: a folder with the program and what belongs to it, for any Linux with the C library. The same tree gives the same bytes.

use super::{Release, put};
use crate::shell::{output, root};
use anyhow::Result;
use std::path::PathBuf;

/// Makes `pensaer-VERSION-linux-MACHINE.tar.gz`.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let name = format!("pensaer-{}-linux-{}", release.program.version, release.program.machine.name);
    let above = release.folder("archive")?;
    let folder = above.join(&name);
    put(&release.program.path, &folder.join("pensaer"), 0o755)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        put(&root().join(file), &folder.join(file), 0o644)?;
    }
    put(&release.licences(), &folder.join("THIRD-PARTY.txt"), 0o644)?;
    put(&root().join("deploy/systemd/pensaer.service"), &folder.join("systemd/pensaer.service"), 0o644)?;
    for bill in super::materials::files(release) {
        put(&bill, &folder.join("sbom").join(bill.file_name().unwrap_or_default()), 0o644)?;
    }
    let packed = release.out.join(format!("{name}.tar.gz"));
    let gzip = if release.is_fast { "gzip --no-name -1" } else { "gzip --no-name -9" };
    output(
        release
            .command("tar")
            .args(["--create", "--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"])
            .args([
                "--mode=u=rwX,go=rX",
                &format!("--mtime=@{}", release.time),
                "--use-compress-program",
                gzip,
            ])
            .arg("--file")
            .arg(&packed)
            .arg("--directory")
            .arg(&above)
            .arg(&name),
    )?;
    Ok(vec![packed])
}
