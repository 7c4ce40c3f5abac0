//! The progress of a call, as the notifications that its client asked for.
//!
//! The protocol wants numbers that grow. Operations tell of steps whose number is not known beforehand, so the number sent is
//! the count of steps that are done plus the part of the present one, and the message says what it is.

use contract::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};

/// The notifications of one call.
pub(crate) struct Reporter {
    token: ProgressToken,
    /// Steps of operations of this call that have ended.
    before: f64,
    last: f64,
}

impl Reporter {
    pub(crate) fn new(token: ProgressToken) -> Self {
        Self { token, before: 0.0, last: 0.0 }
    }

    /// Returns the notification to send, or nothing where it would not be more than before.
    pub(crate) fn next(&mut self, now: &Progress) -> Option<ProgressNotificationParam> {
        let total = now.total.filter(|total| *total > 0);
        // where the end is not known, it comes nearer and nearer
        let part = total.map_or_else(
            || now.done as f64 / (now.done as f64 + 100.0),
            |total| (now.done as f64 / total as f64).min(1.0),
        );
        let within = f64::from(now.step.saturating_sub(1)) + part;
        if self.before + within < self.last.floor() {
            // another operation of the same call has begun
            self.before = self.last.ceil();
        }
        let progress = self.before + within;
        if progress <= self.last {
            return None;
        }
        self.last = progress;
        let message = match total {
            Some(total) => format!("{}: {} of {total}", now.what, now.done),
            None if now.done > 0 => format!("{}: {}", now.what, now.done),
            None => now.what.clone(),
        };
        Some(ProgressNotificationParam::new(self.token.clone(), progress).with_message(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    fn at(step: u32, done: u64, total: Option<u64>) -> Progress {
        Progress { step, what: "checking".into(), done, total }
    }

    #[test]
    fn numbers_only_grow_whatever_steps_and_operations_do() {
        let mut reporter = Reporter::new(ProgressToken(NumberOrString::Number(1)));
        let mut last = 0.0;
        let told = [
            at(1, 0, None),
            at(1, 10, Some(100)),
            at(1, 10, Some(100)),
            at(1, 90, Some(100)),
            at(2, 1, Some(4)),
            at(3, 7, None),
            at(3, 700, None),
            // the next operation of the call
            at(1, 1, Some(2)),
            at(2, 2, Some(2)),
        ];
        let mut sent = 0;
        for progress in told {
            if let Some(next) = reporter.next(&progress) {
                assert!(next.progress > last, "{} after {last}", next.progress);
                last = next.progress;
                sent += 1;
            }
        }
        assert_eq!(sent, 7);
    }

    #[test]
    fn the_message_says_what_and_how_much() {
        let mut reporter = Reporter::new(ProgressToken(NumberOrString::Number(1)));
        let message = |progress| reporter.next(&progress).and_then(|next| next.message);
        let mut message = message;
        assert_eq!(message(at(1, 5, Some(10))).as_deref(), Some("checking: 5 of 10"));
        assert_eq!(message(at(2, 5, None)).as_deref(), Some("checking: 5"));
    }
}
