//! The Debian package: the command in `/usr/bin`, a systemd unit that is not enabled, and its settings. `packaging/debian` has what
//! dpkg reads; dpkg-deb packs.

use super::{Release, put, text, write};
use crate::shell::{output, program as command, root};
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Makes `pensaer_VERSION_MACHINE.deb`.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let folder = release.folder("debian")?;
    files(release, &folder)?;
    control(release, &folder)?;
    let packed =
        release.out.join(format!("pensaer_{}_{}.deb", version(release), release.program.machine.debian));
    let compressed = if release.is_fast { ["-Zgzip", "-z1"] } else { ["-Zxz", "-z6"] };
    output(
        release
            .command("dpkg-deb")
            .arg("--root-owner-group")
            .args(compressed)
            .arg("--build")
            .arg(&folder)
            .arg(&packed),
    )?;
    Ok(vec![packed])
}

/// The version as Debian orders it: one before a release is less than the release.
fn version(release: &Release) -> String {
    release.program.version.replace('-', "~")
}

/// Lays out what is installed.
fn files(release: &Release, folder: &Path) -> Result<()> {
    put(&release.program.path, &folder.join("usr/bin/pensaer"), 0o755)?;
    let unit = unit(&fs::read_to_string(root().join("deploy/systemd/pensaer.service"))?)?;
    write(&folder.join("usr/lib/systemd/system/pensaer.service"), unit, 0o644)?;
    let settings = output(release.command(&release.program.path).arg("settings"))?;
    write(&folder.join("etc/pensaer/pensaer.toml"), settings_file(&settings)?, 0o644)?;
    let docs = folder.join("usr/share/doc/pensaer");
    write(&docs.join("copyright"), text("debian/copyright")?, 0o644)?;
    put(&root().join("README.md"), &docs.join("README.md"), 0o644)?;
    put(&root().join("CHANGELOG.md"), &docs.join("CHANGELOG.md"), 0o644)?;
    put(&release.licences(), &docs.join("THIRD-PARTY.txt"), 0o644)?;
    for bill in super::materials::files(release) {
        put(&bill, &docs.join("sbom").join(bill.file_name().unwrap_or_default()), 0o644)?;
    }
    write(&docs.join("changelog"), changelog(release)?, 0o644)?;
    for name in ["CHANGELOG.md", "THIRD-PARTY.txt", "changelog"] {
        gzip(&docs.join(name))?;
    }
    let manual = folder.join("usr/share/man/man1/pensaer.1");
    write(&manual, text("debian/pensaer.1")?.replace("@VERSION@", &release.program.version), 0o644)?;
    gzip(&manual)?;
    write(&folder.join("usr/share/lintian/overrides/pensaer"), text("debian/lintian-overrides")?, 0o644)
}

/// Replaces a file by a compressed one, as Debian has documentation, with nothing in it of when that was.
fn gzip(path: &Path) -> Result<()> {
    output(command("gzip").args(["--no-name", "-9", "--force"]).arg(path)).map(drop)
}

/// Writes what dpkg reads.
fn control(release: &Release, folder: &Path) -> Result<()> {
    let size =
        output(command("du").args(["--summarize", "--apparent-size", "--block-size=1024"]).arg(folder))?;
    let sums = output(
        command("sh")
            .args(["-c", "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum"])
            .current_dir(folder),
    )?;
    let own = folder.join("DEBIAN");
    let control = text("debian/control")?
        .replace("@VERSION@", &version(release))
        .replace("@ARCHITECTURE@", release.program.machine.debian)
        .replace("@MAINTAINER@", &maintainer())
        .replace("@SIZE@", size.split_whitespace().next().context("du says no size")?)
        .replace("@GLIBC@", &release.program.glibc);
    write(&own.join("control"), control, 0o644)?;
    write(&own.join("conffiles"), "/etc/pensaer/pensaer.toml\n", 0o644)?;
    write(&own.join("md5sums"), sums, 0o644)?;
    for script in ["postinst", "prerm", "postrm"] {
        write(&own.join(script), text(&format!("debian/{script}"))?, 0o755)?;
    }
    Ok(())
}

/// The one who makes the package, by the variables of Debian's tools.
fn maintainer() -> String {
    let said = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    format!(
        "{} <{}>",
        said("DEBFULLNAME", "The Pensaer authors"),
        said("DEBEMAIL", "packages@pensaer.example")
    )
}

/// The changelog in Debian's form, of one entry.
fn changelog(release: &Release) -> Result<String> {
    let time = output(command("date").env("LC_ALL", "C").args([
        "--utc",
        "--rfc-email",
        &format!("--date=@{}", release.time),
    ]))?;
    Ok(format!(
        "pensaer ({}) unstable; urgency=medium\n\n  * Release {}; its changes are in CHANGELOG.md.\n\n -- {}  {}\n",
        version(release),
        release.program.version,
        maintainer(),
        time.trim()
    ))
}

/// The unit of `deploy/`, for a program in `/usr/bin`.
fn unit(deployed: &str) -> Result<String> {
    const LOCAL: &str = "ExecStart=/usr/local/bin/pensaer";
    ensure!(deployed.contains(LOCAL), "deploy/systemd/pensaer.service does not start /usr/local/bin/pensaer");
    let lines = deployed.lines().skip_while(|line| line.starts_with('#'));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    Ok(format!(
        "# One gateway with embedded storage. Settings: /etc/pensaer/pensaer.toml. It begins by: systemctl enable --now pensaer\n{}",
        text.replace(LOCAL, "ExecStart=/usr/bin/pensaer")
    ))
}

/// A setting as `pensaer settings` prints it.
struct Setting<'a> {
    table: &'a str,
    key: &'a str,
    flag: &'a str,
    variable: &'a str,
    default: &'a str,
    help: &'a str,
}

/// The file of settings, all of them commented out, made of the table that `pensaer settings` prints.
fn settings_file(printed: &str) -> Result<String> {
    let settings: Vec<Setting> = printed.lines().filter_map(setting).collect();
    ensure!(settings.len() > 20, "`pensaer settings` prints no table that can be read");
    let mut text = String::from(
        "# Settings of the server that pensaer.service runs. All are commented out and show the default, or what could stand there;\n\
         # `pensaer settings` prints the same list. A variable in /etc/pensaer/environment counts more than what stands here.\n",
    );
    let mut tables: Vec<&str> = settings.iter().map(|setting| setting.table).collect();
    tables.sort_unstable();
    tables.dedup();
    for table in tables {
        if !table.is_empty() {
            write!(text, "\n[{table}]\n")?;
        }
        for setting in settings.iter().filter(|setting| setting.table == table) {
            text += &entry(setting)?;
        }
    }
    Ok(text)
}

/// Reads a row of the table; none for other lines, and for what cannot stand in the file.
fn setting(row: &str) -> Option<Setting<'_>> {
    let cells: Vec<&str> = row
        .strip_prefix("| `--")?
        .strip_suffix(" |")?
        .splitn(5, " | ")
        .map(|cell| cell.trim_matches('`'))
        .collect();
    let [flag, variable, key, default, help] = cells.try_into().ok()?;
    let (table, key) = match key.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some(parts) => parts,
        None => ("", key),
    };
    // the folder is the unit's
    (!key.is_empty() && key != "data-dir").then_some(Setting { table, key, flag, variable, default, help })
}

/// The lines of a setting: its description, and an example of it.
fn entry(setting: &Setting) -> Result<String> {
    let mut text = String::from("\n");
    let mut line = String::from("#");
    for word in setting.help.replace("\\|", "|").split_whitespace() {
        if line.len() + word.len() > 110 {
            writeln!(text, "{line}")?;
            line = String::from("#");
        }
        line = line + " " + word;
    }
    writeln!(text, "{line} ({})", setting.variable)?;
    writeln!(text, "#{} = {}", setting.key, example(setting))?;
    Ok(text)
}

/// The default of a setting as it would stand in the file, or the word for its value.
fn example(setting: &Setting) -> String {
    let word = setting.flag.split_once(' ').map_or("", |(_, word)| word);
    if !setting.default.is_empty() {
        let is_bare = setting.default.parse::<f64>().is_ok() || ["true", "false"].contains(&setting.default);
        return if is_bare { setting.default.to_owned() } else { format!("{:?}", setting.default) };
    }
    if setting.key == "endpoints" {
        return "[{ url = \"URL\", token-file = \"FILE\" }]".to_owned();
    }
    if let Some((name, value)) = word.split_once('=') {
        return format!("{{ {name} = {value:?} }}");
    }
    if setting.help.contains("may be given again") {
        return format!("[{word:?}]");
    }
    if word == "N" { "1".to_owned() } else { format!("{word:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example_of(row: &str) -> String {
        entry(&setting(row).unwrap()).unwrap()
    }

    #[test]
    fn settings_show_their_default_or_an_example() {
        assert_eq!(
            example_of(
                "| `--listen ADDRESS` | `PENSAER_LISTEN` | `listen` | `127.0.0.1:8420` | Where to serve HTTP. |"
            ),
            "\n# Where to serve HTTP. (PENSAER_LISTEN)\n#listen = \"127.0.0.1:8420\"\n"
        );
        assert!(example_of("| `--workers N` | `W` | `workers` |  | How many. |").ends_with("#workers = 1\n"));
        assert!(
            example_of("| `--read-only` | `R` | `read-only` | `false` | A. |")
                .ends_with("#read-only = false\n")
        );
        let list = "| `--host NAME` | `H` | `hosts` |  | A name; may be given again. |";
        assert!(example_of(list).ends_with("#hosts = [\"NAME\"]\n"));
        let table = "| `--model-backend MODEL=NAME` | `M` | `[backends] models` |  | Pairs. |";
        assert!(example_of(table).ends_with("#models = { MODEL = \"NAME\" }\n"));
        assert_eq!(setting(table).unwrap().table, "backends");
        assert!(setting("| `--config FILE` | `PENSAER_CONFIG` |  |  | A settings file. |").is_none());
    }

    #[test]
    fn tables_stand_last_and_nothing_is_set() {
        let row =
            |at: usize, key: &str| format!("| `--flag-{at} N` | `V{at}` | `{key}` | `{at}` | Help. |\n");
        let printed = "# Settings\n\n| flag | environment | pensaer.toml | default | |\n".to_owned()
            + &row(90, "[exec] first")
            + &(0..21).map(|at| row(at, &format!("key-{at}"))).collect::<String>();
        let text = settings_file(&printed).unwrap();
        assert!(
            text.find("#key-20 = 20").unwrap() < text.find("[exec]\n\n# Help. (V90)\n#first = 90").unwrap()
        );
        let set: toml::Table = toml::from_str(&text).unwrap();
        assert!(set.keys().eq(["exec"]) && set["exec"].as_table().unwrap().is_empty());
        assert!(settings_file("error: no settings\n").is_err());
    }

    #[test]
    fn the_unit_starts_the_installed_program() {
        let made = unit("# Put it there.\n[Service]\nExecStart=/usr/local/bin/pensaer serve\n").unwrap();
        assert!(
            made.ends_with("\n[Service]\nExecStart=/usr/bin/pensaer serve\n") && !made.contains("Put it")
        );
        assert!(unit("[Service]\nExecStart=/opt/pensaer\n").is_err());
    }
}
