//! The kernel's tests on another processor: compiled for 64-bit ARM, run by an emulator.
//!
//! Byte order, widths and the vector instructions of libraries are the processor's; what the kernel reads, computes and writes must not
//! hang on them. It takes the standard library for that target and Debian's cross compiler and emulator, which are installed where they are
//! missing.

use crate::setup::install_packages;
use crate::shell::{cargo, find, is_installed, output, program, sh, target};
use anyhow::{Context, Result, bail};
use std::path::Path;

const TARGET: &str = "aarch64-unknown-linux-gnu";
/// The crates from the bytes of a file to its solids.
const KERNEL: [&str; 6] = ["ifc-schema", "ifc", "ifc-check", "ifc-compare", "ifc-convert", "geometry"];

/// Builds and runs the tests.
pub fn run() -> Result<()> {
    standard_library()?;
    let mut missing = Vec::new();
    if !is_installed("aarch64-linux-gnu-gcc") {
        missing.extend(["gcc-aarch64-linux-gnu", "g++-aarch64-linux-gnu", "libc6-dev-arm64-cross"]);
    }
    if !is_installed("qemu-aarch64") {
        missing.push("qemu-user");
    }
    install_packages(&missing)?;
    let emulator = find("qemu-aarch64").context("no qemu-aarch64")?;
    let emulated = format!("{} -L /usr/aarch64-linux-gnu", emulator.display());
    let mut command = cargo();
    command.args(["test", "--locked", "--no-fail-fast", "--target", TARGET]);
    command.args(KERNEL.iter().flat_map(|name| ["--package", name]));
    command
        .env("CARGO_TARGET_DIR", target().join("arm64"))
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", emulated)
        .env("CC_aarch64_unknown_linux_gnu", "aarch64-linux-gnu-gcc")
        .env("CXX_aarch64_unknown_linux_gnu", "aarch64-linux-gnu-g++");
    sh(&mut command)
}

/// The standard library for the target, of exactly this compiler.
fn standard_library() -> Result<()> {
    let folder = output(program("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    if !is_installed("rustup") {
        bail!("please install the standard library for {TARGET} of this compiler, then run this again");
    }
    sh(program("rustup").args(["target", "add", TARGET]))
}
