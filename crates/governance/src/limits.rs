//! How much one principal may take: calls in a minute, calls at once, bytes in and out in an hour, models at once.
//!
//! Held in memory, so that several gateways each hold their own. Amounts are kept in buckets that fill up evenly: who was
//! silent may take a whole bucket at once, and nobody more than a bucket beyond the rate. Time is handed in.

use contract::{Fault, FaultCode, ModelId};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
/// A model counts as open so long after its last use.
const OPEN_MS: u64 = 10 * MINUTE_MS;
/// Principals remembered before those who are silent are forgotten.
const REMEMBERED: usize = 4096;

/// The limits of a principal; what is absent is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitsOf {
    /// Calls in a minute.
    pub calls_per_minute: Option<u64>,
    /// Calls under way at once.
    pub concurrent_calls: Option<u64>,
    /// Bytes taken in within an hour.
    pub bytes_in_per_hour: Option<u64>,
    /// Bytes given out within an hour.
    pub bytes_out_per_hour: Option<u64>,
    /// Models worked on within ten minutes.
    pub open_models: Option<u64>,
}

impl LimitsOf {
    /// Of each kind the wider one.
    #[must_use]
    pub fn widest(self, other: Self) -> Self {
        // a role that says nothing of a kind leaves it to the other
        let wide = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        Self {
            calls_per_minute: wide(self.calls_per_minute, other.calls_per_minute),
            concurrent_calls: wide(self.concurrent_calls, other.concurrent_calls),
            bytes_in_per_hour: wide(self.bytes_in_per_hour, other.bytes_in_per_hour),
            bytes_out_per_hour: wide(self.bytes_out_per_hour, other.bytes_out_per_hour),
            open_models: wide(self.open_models, other.open_models),
        }
    }

    /// Fills what these limits leave open from the others.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            calls_per_minute: self.calls_per_minute.or(other.calls_per_minute),
            concurrent_calls: self.concurrent_calls.or(other.concurrent_calls),
            bytes_in_per_hour: self.bytes_in_per_hour.or(other.bytes_in_per_hour),
            bytes_out_per_hour: self.bytes_out_per_hour.or(other.bytes_out_per_hour),
            open_models: self.open_models.or(other.open_models),
        }
    }
}

/// The level of an amount that fills up evenly.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// The amount taken beyond what has filled up, times the window in milliseconds.
    taken: u128,
    since_ms: u64,
}

impl Bucket {
    const EMPTY: Self = Self { taken: 0, since_ms: 0 };

    /// Takes an amount, or says after how many milliseconds it can be taken. What is larger than the whole bucket passes
    /// when the bucket is full, and is paid off afterwards: it could never pass otherwise.
    fn take(&mut self, amount: u64, limit: u64, window_ms: u64, now_ms: u64) -> Result<(), u64> {
        // amounts are counted in shares of a window's millisecond, so that nothing is rounded away
        let (limit, window) = (u128::from(limit.max(1)), u128::from(window_ms.max(1)));
        let passed = u128::from(now_ms.saturating_sub(self.since_ms));
        self.taken = self.taken.saturating_sub(passed * limit);
        self.since_ms = now_ms;
        let (amount, full) = (u128::from(amount) * window, limit * window);
        let over = (self.taken + amount.min(full)).saturating_sub(full);
        if over > 0 {
            return Err(u64::try_from(over.div_ceil(limit)).unwrap_or(u64::MAX));
        }
        self.taken += amount;
        Ok(())
    }
}

#[derive(Debug)]
struct Account {
    calls: Bucket,
    bytes_in: Bucket,
    bytes_out: Bucket,
    running: u64,
    models: HashMap<ModelId, u64>,
    used_ms: u64,
    /// When a refusal was last written down, and how many were not since.
    told: Option<(u64, u64)>,
}

type Accounts = Arc<Mutex<HashMap<String, Account>>>;

/// The amounts that every principal has taken.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    accounts: Accounts,
}

/// A call under way; counted until dropped.
#[derive(Debug)]
pub struct Running {
    accounts: Accounts,
    principal: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(account) = self.accounts.lock().get_mut(&self.principal) {
            account.running = account.running.saturating_sub(1);
        }
    }
}

/// The direction of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To this server.
    In,
    /// From it.
    Out,
}

impl Meter {
    /// Counts a call that begins.
    pub fn begin(&self, principal: &str, limits: LimitsOf, now_ms: u64) -> Result<Running, Fault> {
        self.with(principal, now_ms, |account| {
            if let Some(limit) = limits.concurrent_calls.filter(|limit| account.running >= *limit) {
                return Err(reached("concurrent-calls", limit, "calls at once", 1000));
            }
            if let Some(limit) = limits.calls_per_minute {
                account
                    .calls
                    .take(1, limit, MINUTE_MS, now_ms)
                    .map_err(|wait| reached("calls-per-minute", limit, "calls in a minute", wait))?;
            }
            account.running += 1;
            Ok(())
        })?;
        Ok(Running { accounts: Arc::clone(&self.accounts), principal: principal.to_owned() })
    }

    /// Counts a refusal by a limit, and returns the number of earlier ones that were not written down if this one is to be: one a
    /// minute of each principal is, so that who calls without end does not fill the log with it.
    pub fn tell_refusal(&self, principal: &str, now_ms: u64) -> Option<u64> {
        let told = self.with(principal, now_ms, |account| {
            Ok(match account.told {
                Some((at, untold)) if now_ms.saturating_sub(at) < MINUTE_MS => {
                    account.told = Some((at, untold + 1));
                    None
                }
                before => {
                    account.told = Some((now_ms, 0));
                    Some(before.map_or(0, |(_, untold)| untold))
                }
            })
        });
        told.unwrap_or_default()
    }

    /// Counts bytes.
    pub fn bytes(
        &self,
        principal: &str,
        limits: LimitsOf,
        way: Way,
        bytes: u64,
        now_ms: u64,
    ) -> Result<(), Fault> {
        let (limit, name, words) = match way {
            Way::In => (limits.bytes_in_per_hour, "bytes-in-per-hour", "bytes taken in within an hour"),
            Way::Out => (limits.bytes_out_per_hour, "bytes-out-per-hour", "bytes given out within an hour"),
        };
        let Some(limit) = limit else { return Ok(()) };
        self.with(principal, now_ms, |account| {
            let bucket = if way == Way::In { &mut account.bytes_in } else { &mut account.bytes_out };
            bucket.take(bytes, limit, HOUR_MS, now_ms).map_err(|wait| reached(name, limit, words, wait))
        })
    }

    /// Counts a model as worked on.
    pub fn open(&self, principal: &str, limits: LimitsOf, model: &ModelId, now_ms: u64) -> Result<(), Fault> {
        let Some(limit) = limits.open_models else { return Ok(()) };
        self.with(principal, now_ms, |account| {
            account.models.retain(|_, used| now_ms.saturating_sub(*used) < OPEN_MS);
            if !account.models.contains_key(model) && account.models.len() as u64 >= limit {
                let oldest = account.models.values().min().copied().unwrap_or(now_ms);
                let wait = (oldest + OPEN_MS).saturating_sub(now_ms).max(1);
                return Err(reached("open-models", limit, "models within ten minutes", wait));
            }
            account.models.insert(model.clone(), now_ms);
            Ok(())
        })
    }

    fn with<T>(
        &self,
        principal: &str,
        now_ms: u64,
        work: impl FnOnce(&mut Account) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut accounts = self.accounts.lock();
        if accounts.len() >= REMEMBERED && !accounts.contains_key(principal) {
            accounts
                .retain(|_, account| account.running > 0 || now_ms.saturating_sub(account.used_ms) < HOUR_MS);
        }
        let account = accounts.entry(principal.to_owned()).or_insert_with(|| Account {
            calls: Bucket::EMPTY,
            bytes_in: Bucket::EMPTY,
            bytes_out: Bucket::EMPTY,
            running: 0,
            models: HashMap::new(),
            used_ms: now_ms,
            told: None,
        });
        account.used_ms = now_ms;
        work(account)
    }
}

fn reached(name: &str, limit: u64, words: &str, retry_after_ms: u64) -> Fault {
    Fault::new(
        FaultCode::LimitReached,
        format!(
            "Your limit of {limit} {words} is reached. Try again in {} s.",
            retry_after_ms.div_ceil(1000).max(1)
        ),
    )
    .with("limit", name)
    .with("allowed", limit)
    .with("retry_after_ms", retry_after_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(fault: Fault) -> u64 {
        assert_eq!(fault.code, FaultCode::LimitReached);
        fault.data["retry_after_ms"].as_u64().unwrap()
    }

    #[test]
    fn calls_beyond_the_rate_wait_as_long_as_they_are_told() {
        let (meter, limits) =
            (Meter::default(), LimitsOf { calls_per_minute: Some(3), ..LimitsOf::default() });
        let begin = |now| meter.begin("ada", limits, now);
        for _ in 0..3 {
            begin(1_000_000).unwrap();
        }
        let told = wait(begin(1_000_000).unwrap_err());
        assert_eq!(told, 20_000);
        assert!(begin(1_000_000 + told - 1).is_err());
        assert!(begin(1_000_000 + told).is_ok());
        assert!(meter.begin("ben", limits, 1_000_000).is_ok(), "another principal has a limit of its own");
    }

    #[test]
    fn of_refusals_one_a_minute_is_told_with_the_number_of_those_that_were_not() {
        let meter = Meter::default();
        assert_eq!(meter.tell_refusal("ada", 1_000_000), Some(0));
        for at in [1_000_001, 1_030_000, 1_059_999] {
            assert_eq!(meter.tell_refusal("ada", at), None);
        }
        assert_eq!(meter.tell_refusal("ben", 1_030_000), Some(0));
        assert_eq!(meter.tell_refusal("ada", 1_060_000), Some(3));
        assert_eq!(meter.tell_refusal("ada", 1_120_000), Some(0));
    }

    #[test]
    fn a_call_that_ends_makes_room_for_another() {
        let (meter, limits) =
            (Meter::default(), LimitsOf { concurrent_calls: Some(2), ..LimitsOf::default() });
        let one = meter.begin("ada", limits, 0).unwrap();
        let _two = meter.begin("ada", limits, 0).unwrap();
        assert!(meter.begin("ada", limits, 0).is_err());
        drop(one);
        assert!(meter.begin("ada", limits, 0).is_ok());
    }

    #[test]
    fn a_file_larger_than_an_hours_bytes_passes_once_and_is_paid_off() {
        let (meter, limits) =
            (Meter::default(), LimitsOf { bytes_in_per_hour: Some(1000), ..LimitsOf::default() });
        meter.bytes("ada", limits, Way::In, 2500, 0).unwrap();
        let told = wait(meter.bytes("ada", limits, Way::In, 1, 0).unwrap_err());
        assert!(told > HOUR_MS, "{told}");
        assert!(meter.bytes("ada", limits, Way::Out, 1_000_000, 0).is_ok(), "the other way is not limited");
        assert!(meter.bytes("ada", limits, Way::In, 1, told).is_ok());
    }

    #[test]
    fn a_model_that_was_left_alone_is_open_no_longer() {
        let (meter, limits) = (Meter::default(), LimitsOf { open_models: Some(1), ..LimitsOf::default() });
        let (house, shed) = (ModelId("house".into()), ModelId("shed".into()));
        meter.open("ada", limits, &house, 0).unwrap();
        meter.open("ada", limits, &house, 5_000).unwrap();
        let told = wait(meter.open("ada", limits, &shed, 6_000).unwrap_err());
        assert_eq!(told, OPEN_MS - 1_000);
        assert!(meter.open("ada", limits, &shed, 6_000 + told).is_ok());
    }
}
