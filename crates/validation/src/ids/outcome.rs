//! The outcome of holding one instance against one facet.

/// The outcome: met, or why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is there and as asked.
    Met,
    /// It is not there, with the reason.
    Absent(String),
    /// It is there, but not as asked, with the reason.
    Wrong(String),
}

impl Outcome {
    pub fn absent(why: impl Into<String>) -> Self {
        Self::Absent(why.into())
    }

    pub fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}
