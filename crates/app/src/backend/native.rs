//! Our own kernel, which is built in.

use super::{Backend, Programs, State, WorkerPlan};
use crate::guides;
use crate::settings::Settings;
use anyhow::{Result, bail};
use contract::Adapter;
use exec::{Control, WorkerConfig};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The descriptor.
pub(super) struct Native;

/// The adapter with these tools; indexes of large files go to a folder, if there is one.
pub(super) fn adapter(tools: Vec<tools::Tool>, indexes: Option<PathBuf>) -> exec_native::NativeAdapter {
    let native = exec_native::NativeAdapter::new(tools);
    match indexes {
        Some(folder) => native.with_indexes(folder),
        None => native,
    }
}

impl Backend for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn title(&self) -> &'static str {
        "Pensaer's own kernel"
    }

    fn hint(&self) -> Option<String> {
        None
    }

    fn state(&self, _: &Settings) -> State {
        State::ready(Some(env!("CARGO_PKG_VERSION").to_owned()), "built in")
    }

    fn install(&self, _: &Settings, _: Option<&Path>) -> Result<String> {
        bail!("The back end native is built in; there is nothing to install.")
    }

    fn find(&self, _: &Settings) -> Result<Option<Programs>> {
        Ok(Some(Programs::new()))
    }

    fn workers(&self, asked: usize) -> Option<WorkerPlan> {
        Some(WorkerPlan { count: asked, lazy: false, programs_memory: 0 })
    }

    /// Models of EnergyPlus are read and edited without its programs.
    fn adapters(&self, config: &WorkerConfig, _: Option<Control>) -> Result<Vec<Arc<dyn Adapter>>> {
        // made once for both: schemas take most of a worker's start
        let tools = tools::catalogue();
        let library = guides::library(config.indexes.clone());
        let native = adapter(tools.clone(), config.indexes.clone()).with_library(Arc::clone(&library));
        let energy = exec_energyplus::EnergyAdapter::new(tools).with_library(library);
        Ok(vec![Arc::new(native), Arc::new(energy)])
    }
}
