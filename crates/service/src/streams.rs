//! Streams that stay open long after their caller was let in.

use futures::{Stream, StreamExt as _, stream};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// How often it is asked whether a caller is still let in.
const BEAT: Duration = Duration::from_secs(1);

/// The same stream for as long as `is_admitted` answers yes, which it is asked every second: it ends soon after a key was taken back.
pub fn while_admitted<S, A, F>(stream: S, is_admitted: A) -> impl Stream<Item = S::Item> + Send
where
    S: Stream + Send,
    S::Item: Send,
    A: Fn() -> F + Send,
    F: Future<Output = bool> + Send,
{
    let mut beats = interval_at(Instant::now() + BEAT, BEAT);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    stream::unfold(
        (Box::pin(stream), beats, is_admitted),
        |(mut stream, mut beats, is_admitted)| async move {
            loop {
                tokio::select! {
                    item = stream.next() => return item.map(|item| (item, (stream, beats, is_admitted))),
                    _ = beats.tick() => if !is_admitted().await { return None },
                }
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_when_its_caller_is_let_in_no_more() {
        let admitted = Arc::new(AtomicBool::new(true));
        let asked = Arc::clone(&admitted);
        let first = stream::iter([1, 2]).chain(stream::pending());
        let mut held = Box::pin(while_admitted(first, move || {
            let asked = Arc::clone(&asked);
            async move { asked.load(Ordering::SeqCst) }
        }));
        assert_eq!((held.next().await, held.next().await), (Some(1), Some(2)));
        let waits = tokio::time::timeout(Duration::from_secs(10), held.next()).await;
        assert!(waits.is_err(), "it stays open while its caller is let in");
        admitted.store(false, Ordering::SeqCst);
        assert_eq!(tokio::time::timeout(Duration::from_secs(3), held.next()).await, Ok(None));
    }
}
