//! A body that is read no faster than it is used, and no further than its limit.

use axum::body::Bytes;
use futures::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A stream that gives one piece a turn. A reader of forms takes whatever is there into its memory before it looks at any of it, so
/// that a sender who is quicker than the disk would fill that memory.
pub(crate) struct Paced<S> {
    pieces: S,
    left: u64,
    has_given: bool,
}

impl<S> Paced<S> {
    /// The same pieces, up to so many bytes in all.
    pub(crate) fn new(pieces: S, bytes: u64) -> Self {
        Self { pieces, left: bytes, has_given: false }
    }
}

impl<S, E> Stream for Paced<S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: std::fmt::Display,
{
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.has_given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Poll::Ready(piece) = Pin::new(&mut self.pieces).poll_next(context) else { return Poll::Pending };
        let Some(piece) = piece else { return Poll::Ready(None) };
        self.has_given = true;
        Poll::Ready(Some(match piece {
            Ok(piece) => match self.left.checked_sub(piece.len() as u64) {
                Some(left) => {
                    self.left = left;
                    Ok(piece)
                }
                None => Err(std::io::Error::other("it is larger than a file may be")),
            },
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{StreamExt as _, stream};

    fn pieces(count: usize) -> impl Stream<Item = Result<Bytes, String>> + Unpin {
        stream::iter((0..count).map(|_| Ok(Bytes::from_static(b"0123456789"))))
    }

    #[tokio::test]
    async fn one_piece_is_given_a_turn_and_all_of_them_come() {
        let mut paced = Paced::new(pieces(3), 100);
        let waker = futures::task::noop_waker();
        let mut context = Context::from_waker(&waker);
        assert!(matches!(Pin::new(&mut paced).poll_next(&mut context), Poll::Ready(Some(Ok(_)))));
        assert!(Pin::new(&mut paced).poll_next(&mut context).is_pending(), "the next waits for a turn");
        assert_eq!(paced.count().await, 2);
    }

    #[tokio::test]
    async fn what_goes_beyond_the_limit_is_an_error() {
        let read: Vec<_> = Paced::new(pieces(3), 25).collect().await;
        assert_eq!(read.iter().filter(|piece| piece.is_ok()).count(), 2);
        assert!(read[2].as_ref().unwrap_err().to_string().contains("larger"));
    }
}
