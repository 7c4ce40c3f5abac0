//! Why a place did not answer.

use contract::Fault;

/// Why a place did not answer. Nothing of the call was kept anywhere, so that another may run it.
#[derive(Debug)]
pub(super) enum Missed {
    /// There is nobody; another place may do better.
    Absent(Fault),
    /// It was gone before it saw the call, or was ended for the sake of another one.
    Passed(Fault),
    /// It was lost while it ran the call, perhaps because of it.
    Died(Fault),
}

impl Missed {
    pub(super) fn into_fault(self) -> Fault {
        match self {
            Self::Absent(fault) | Self::Passed(fault) | Self::Died(fault) => fault,
        }
    }
}
