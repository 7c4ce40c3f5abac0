//! The model that makes vectors, where it is installed.

use embeddings::Embedder;
use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// The folder of the model, in that of indexes, which every worker may read.
pub const FOLDER: &str = "embeddings";
/// The file of its weights.
pub const WEIGHTS: &str = "model.onnx";
/// The file of its words.
pub const TOKENIZER: &str = "tokenizer.json";

/// The model as this process knows it.
#[derive(Default)]
enum State {
    /// It was not there.
    #[default]
    Absent,
    Ready(Arc<Embedder>),
    /// It is there, written at this time, and cannot be read, for this reason.
    Broken(Option<SystemTime>, String),
}

/// The model, opened once.
#[derive(Default)]
pub(super) struct Model(Mutex<State>);

impl Model {
    /// The model of a folder of indexes; none where it is not installed; a reason where it cannot be read. One that is installed or
    /// replaced later is found by the next call.
    pub(super) fn in_folder(&self, folder: &Path) -> Option<Result<Arc<Embedder>, String>> {
        let mut state = self.0.lock();
        let folder = folder.join(FOLDER);
        let written = || std::fs::metadata(folder.join(WEIGHTS)).and_then(|known| known.modified()).ok();
        let is_new = match &*state {
            State::Absent => folder.join(WEIGHTS).is_file(),
            State::Broken(known, _) => written() != *known,
            State::Ready(_) => false,
        };
        if is_new {
            *state = match Embedder::open(&folder.join(WEIGHTS), &folder.join(TOKENIZER)) {
                Ok(embedder) => State::Ready(Arc::new(embedder)),
                Err(error) => State::Broken(written(), error.to_string()),
            };
        }
        match &*state {
            State::Absent => None,
            State::Ready(embedder) => Some(Ok(Arc::clone(embedder))),
            State::Broken(_, reason) => Some(Err(reason.clone())),
        }
    }
}
