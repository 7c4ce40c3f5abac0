//! What an Execution Service counts, as text for those who watch over it (OpenMetrics 1.0, which Prometheus reads).
//!
//! A worker counts what it ran; a pool counts what it was asked for, whatever place answered, and how its places fared. No
//! name of a model, a file or a person is in it.

use crate::Executor;
use contract::{Artifact, Effect, Fault, FaultCode};
use parking_lot::Mutex;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::collections::HashSet;
use std::time::Instant;

/// The media type of the text.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Names of operations that are told apart; callers choose them, so there has to be an end.
const NAMES: usize = 512;
/// Upper bounds in seconds: from a cached look-up to a clash check of a hospital.
const SECONDS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 300.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    operation: String,
    effect: String,
    outcome: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EffectLabels {
    effect: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BackendLabels {
    backend: String,
}

/// Returns the counters of an executor as text; nothing if it counts nothing.
pub fn text_of(executor: &dyn Executor) -> Option<String> {
    executor.measure();
    executor.metrics().map(Metrics::text)
}

/// Counters and gauges of one process.
pub struct Metrics {
    registry: Registry,
    names: Mutex<HashSet<String>>,
    calls: Family<CallLabels, Counter>,
    seconds: Family<EffectLabels, Histogram, fn() -> Histogram>,
    running: Gauge,
    bytes_in: Counter,
    bytes_out: Counter,
}

/// The gauges of a worker.
pub(crate) struct HostGauges {
    pub(crate) queue: Gauge,
    pub(crate) cache_bytes: Gauge,
    pub(crate) cached_files: Gauge,
    pub(crate) cached_versions: Gauge,
}

/// The counters of a pool about its places.
#[derive(Default)]
pub(crate) struct PlaceCounts {
    alive: Family<BackendLabels, Gauge>,
    starts: Family<BackendLabels, Counter>,
    pub(crate) endpoints_up: Gauge,
    pub(crate) ejections: Counter,
    pub(crate) retries: Counter,
}

/// A call that is being counted.
pub(crate) struct Timed<'a> {
    metrics: &'a Metrics,
    name: String,
    effect: Effect,
    begun: Instant,
    told: bool,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("pensaer_exec");
        let (calls, running) = (Family::default(), Gauge::default());
        let seconds: Family<EffectLabels, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(SECONDS));
        let (bytes_in, bytes_out) = (Counter::default(), Counter::default());
        registry.register(
            "calls",
            "Operations asked for, by outcome: ok, gone, or a fault's code",
            calls.clone(),
        );
        registry.register("call_seconds", "How long operations took", seconds.clone());
        registry.register("calls_running", "Operations under way or waiting", running.clone());
        registry.register("received_bytes", "Bytes of requests", bytes_in.clone());
        registry.register("sent_bytes", "Bytes of answers", bytes_out.clone());
        Self { registry, names: Mutex::default(), calls, seconds, running, bytes_in, bytes_out }
    }

    /// Adds the gauges of a worker.
    pub(crate) fn host_gauges(&mut self) -> HostGauges {
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::default();
            self.registry.register(name, help, gauge.clone());
            gauge
        };
        HostGauges {
            queue: gauge("queue_length", "Operations that wait for a thread or have one"),
            cache_bytes: gauge("cache_bytes", "Bytes of memory of opened versions"),
            cached_files: gauge("cached_files", "Whole files held open"),
            cached_versions: gauge("cached_versions", "Versions held open"),
        }
    }

    /// Adds what a pool counts.
    pub(crate) fn place_counts(&mut self) -> PlaceCounts {
        let counts = PlaceCounts::default();
        let registry = &mut self.registry;
        registry.register("workers_alive", "Worker processes that run here", counts.alive.clone());
        registry.register("worker_starts", "Worker processes started here", counts.starts.clone());
        registry.register("endpoints_up", "Services elsewhere that answer", counts.endpoints_up.clone());
        registry.register(
            "ejections",
            "Times that a service elsewhere was left out",
            counts.ejections.clone(),
        );
        registry.register("retries", "Calls run again because their place was lost", counts.retries.clone());
        counts
    }

    /// Begins to count a call. One that is dropped before it ends was given up by its caller.
    pub(crate) fn begin(&self, name: &str, effect: Effect) -> Timed<'_> {
        self.running.inc();
        Timed { metrics: self, name: name.to_owned(), effect, begun: Instant::now(), told: false }
    }

    /// Counts what went over the wire.
    pub(crate) fn carried(&self, received: usize, sent: usize) {
        self.bytes_in.inc_by(received as u64);
        self.bytes_out.inc_by(sent as u64);
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // writing to a string does not fail
        let _ = encode(&mut text, &self.registry);
        text
    }

    /// The name to count an operation under: its own, as long as there are not too many.
    fn counted_name(&self, name: &str) -> String {
        let mut names = self.names.lock();
        if names.contains(name) || (names.len() < NAMES && name.len() <= 64 && names.insert(name.to_owned()))
        {
            return name.to_owned();
        }
        "other".to_owned()
    }
}

impl Timed<'_> {
    /// The call has ended.
    pub(crate) fn end(mut self, answer: &Result<Artifact, Fault>) {
        let outcome = match answer {
            Ok(_) => "ok".to_owned(),
            Err(fault) => fault.code.number().to_string(),
        };
        // whatever a caller makes up is not worth a name
        let unheard_of = matches!(answer, Err(fault) if fault.code == FaultCode::NotSupported);
        let name = if unheard_of { "other".to_owned() } else { self.metrics.counted_name(&self.name) };
        self.tell(name, outcome);
    }

    fn tell(&mut self, operation: String, outcome: String) {
        self.told = true;
        let effect = self.effect.as_str().to_owned();
        self.metrics.running.dec();
        let seconds = self.begun.elapsed().as_secs_f64();
        self.metrics.seconds.get_or_create(&EffectLabels { effect: effect.clone() }).observe(seconds);
        self.metrics.calls.get_or_create(&CallLabels { operation, effect, outcome }).inc();
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        if !self.told {
            self.tell("other".to_owned(), "gone".to_owned());
        }
    }
}

impl PlaceCounts {
    pub(crate) fn started(&self, backend: &str) {
        self.starts.get_or_create(&BackendLabels { backend: backend.to_owned() }).inc();
    }

    pub(crate) fn alive(&self, backend: &str, workers: i64) {
        self.alive.get_or_create(&BackendLabels { backend: backend.to_owned() }).set(workers);
    }
}
