//! What a service is set up with. Every default works.

use std::time::Duration;

/// Settings of a service.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// The address under which a person's browser reaches viewer and bucket, without a slash at its end.
    pub public_url: String,
    /// Refuses everything that changes something, whoever asks.
    pub read_only: bool,
    /// The largest file that is taken in, in bytes.
    pub import_bytes: u64,
    /// The largest answer, in bytes; more is kept as a file and answered as a link.
    pub answer_bytes: usize,
    /// How long one call may take.
    pub timeout: Duration,
    /// After how many deltas a whole file is kept, so that opening a version stays cheap.
    pub checkpoint_deltas: u32,
    /// After how many bytes of deltas a whole file is kept.
    pub checkpoint_bytes: u64,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            public_url: "http://127.0.0.1:8383".to_owned(),
            read_only: false,
            import_bytes: 4 << 30,
            answer_bytes: 128 << 10,
            timeout: Duration::from_secs(120),
            checkpoint_deltas: 64,
            checkpoint_bytes: 8 << 20,
        }
    }
}
