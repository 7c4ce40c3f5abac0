//! The model that makes vectors, where it is installed.

use embeddings::Embedder;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The folder of the model, in that of indexes, which every worker may read.
pub const FOLDER: &str = "embeddings";
/// The file of its weights.
pub const WEIGHTS: &str = "model.onnx";
/// The file of its words.
pub const TOKENIZER: &str = "tokenizer.json";

/// What this process knows of it.
#[derive(Default)]
enum State {
    /// It was not there.
    #[default]
    Absent,
    Ready(Arc<Embedder>),
    /// It is there and cannot be read, for this reason.
    Broken(String),
}

/// The model, opened once.
#[derive(Default)]
pub(super) struct Model(Mutex<State>);

impl Model {
    /// The model of a folder of indexes; none where it is not installed; a reason where it cannot be read. One that is installed later is
    /// found by the next call.
    pub(super) fn in_folder(&self, folder: &Path) -> Option<Result<Arc<Embedder>, String>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = folder.join(FOLDER);
        if matches!(*state, State::Absent) && folder.join(WEIGHTS).is_file() {
            *state = match Embedder::open(&folder.join(WEIGHTS), &folder.join(TOKENIZER)) {
                Ok(embedder) => State::Ready(Arc::new(embedder)),
                Err(error) => State::Broken(error.to_string()),
            };
        }
        match &*state {
            State::Absent => None,
            State::Ready(embedder) => Some(Ok(Arc::clone(embedder))),
            State::Broken(reason) => Some(Err(reason.clone())),
        }
    }
}
