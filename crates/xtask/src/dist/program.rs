//! The program to pack: built or taken, stripped, and looked at: its version, the machine it runs on, the C library that it needs.

use crate::shell::{cargo, output, program as command, root, sh, target};
use crate::ui;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The largest program that is given away, in bytes.
const LARGEST: u64 = 80_000_000;

/// A kind of processor, by the names that packages have for it.
#[derive(Debug)]
pub struct Machine {
    /// The kernel's name, which archives and wheels use.
    pub name: &'static str,
    /// Node's name.
    pub node: &'static str,
    /// Debian's name.
    pub debian: &'static str,
    /// Its number in the head of a program.
    number: u16,
}

const MACHINES: [Machine; 2] = [
    Machine { name: "x86_64", node: "x64", debian: "amd64", number: 62 },
    Machine { name: "aarch64", node: "arm64", debian: "arm64", number: 183 },
];

/// A program that is ready to be packed.
#[derive(Debug)]
pub struct Program {
    /// The stripped file.
    pub path: PathBuf,
    /// Its version.
    pub version: String,
    /// The machine that it runs on.
    pub machine: &'static Machine,
    /// The oldest GNU C library that it runs with, such as `2.34`.
    pub glibc: String,
}

impl Program {
    /// Builds the viewer and, with profile `dist`, the program that holds it. Refuses one that is too large or holds no viewer.
    pub fn build(work: &Path) -> Result<Self> {
        ui::build()?;
        let mut build = cargo();
        build.args(["rustc", "--profile", "dist", "--locked", "--package", "app", "--bin", "pensaer"]);
        // linked as one part, in which what several crates made of the same generic code is found
        build.args(["--", "-Clto=fat", "-Ccodegen-units=1"]);
        if cfg!(target_arch = "x86_64") {
            // functions that came out the same are kept once: no code of ours asks where a function stands, and the linker of this
            // target can do that
            build.arg("-Clink-arg=-Wl,--icf=all");
        }
        sh(&mut build)?;
        let built = Self::take(&target().join("dist/pensaer"), work)?;
        let bytes = fs::read(&built.path)?;
        if bytes.len() as u64 > LARGEST {
            bail!(
                "the program has {} MB, and {} are the most that is given away; what has come in?",
                bytes.len() / 1_000_000,
                LARGEST / 1_000_000
            );
        }
        let page = fs::read(root().join("viewer/dist/index.html")).context("the viewer's page")?;
        if !holds(&bytes, &page) {
            bail!("the viewer is not part of the program; was it built before viewer/dist was there?");
        }
        Ok(built)
    }

    /// Takes a program that is there: a stripped copy of it.
    pub fn take(program: &Path, work: &Path) -> Result<Self> {
        let program = std::path::absolute(program)?;
        let path = work.join("pensaer");
        output(
            command("strip")
                .args(["--strip-all", "--remove-section=.comment", "-o"])
                .arg(&path)
                .arg(&program),
        )
        .with_context(|| format!("{} is no program to pack", program.display()))?;
        let machine = machine(&fs::read(&path)?)?;
        let version = version(&output(command(&path).arg("--version"))?)?;
        let glibc = glibc(&output(command("objdump").arg("-p").arg(&path))?)?;
        Ok(Self { path, version, machine, glibc })
    }
}

/// True if these bytes stand in those of a program.
fn holds(program: &[u8], bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| {
        let begins = program.iter().enumerate().filter(|(_, byte)| *byte == first);
        begins.map(|(at, _)| &program[at..]).any(|rest| rest.starts_with(bytes))
    })
}

/// The machine that a program in the Executable and Linkable Format is for.
fn machine(head: &[u8]) -> Result<&'static Machine> {
    let Some([0x7f, b'E', b'L', b'F', 2, 1, ..]) = head.get(..20) else {
        bail!("packages are made of programs for Linux on 64-bit machines only");
    };
    let number = u16::from_le_bytes([head[18], head[19]]);
    let known = MACHINES.iter().find(|machine| machine.number == number);
    known.context("packages are made for x86_64 and aarch64 only")
}

/// The version in what `--version` prints.
fn version(said: &str) -> Result<String> {
    let version = said.trim().strip_prefix("pensaer ").with_context(|| format!("no version: {said}"))?;
    if version != env!("CARGO_PKG_VERSION") {
        bail!("the program is of version {version}, this tree of {}", env!("CARGO_PKG_VERSION"));
    }
    Ok(version.to_owned())
}

/// The newest version of the GNU C library among those that `objdump -p` says are referred to.
fn glibc(references: &str) -> Result<String> {
    let words = references.split_whitespace().filter_map(|word| word.strip_prefix("GLIBC_"));
    let numbers =
        |version: &str| -> Option<Vec<u32>> { version.split('.').map(|n| n.parse().ok()).collect() };
    let newest = words.filter_map(|word| Some((numbers(word)?, word))).max();
    let (_, version) =
        newest.context("the program does not say which C library it needs; is it linked to musl?")?;
    Ok(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_c_library_counts_by_number() {
        let said = "required from libc.so.6:\n 0x06969189 0x00 04 GLIBC_2.9\n 0x0 0x00 03 GLIBC_2.34\n 0x0 0x02 GLIBC_PRIVATE\n";
        assert_eq!(glibc(said).unwrap(), "2.34");
        assert!(glibc("required from libc.musl-x86_64.so.1:").is_err());
    }

    #[test]
    fn the_machine_stands_in_the_head() {
        let mut head = *b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0";
        assert_eq!(machine(&head).unwrap().debian, "amd64");
        head[18] = 183;
        assert_eq!(machine(&head).unwrap().node, "arm64");
        head[18] = 0xf3;
        assert!(machine(&head).is_err());
        assert!(machine(b"MZ").is_err());
    }

    #[test]
    fn a_page_is_found_in_a_program() {
        assert!(holds(b"..<<!doctype html>..", b"<!doctype html>"));
        assert!(!holds(b"..<!doctype", b"<!doctype html>"));
        assert!(!holds(b"..", b""));
    }
}
