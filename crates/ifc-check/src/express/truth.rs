//! LOGICAL values and their operators (ISO 10303-11, 8.1.4 and 12.4): false, unknown, true. An indeterminate value
//! counts as unknown.

/// A value of type LOGICAL, in the order that clause 12.2.1.3 gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// FALSE
    False,
    /// UNKNOWN
    Unknown,
    /// TRUE
    True,
}

impl Truth {
    /// NOT (12.4.1)
    pub fn negated(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }

    /// AND (12.4.2): the lesser of both.
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// OR (12.4.3): the greater of both.
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// XOR (12.4.4): unknown if either is.
    pub fn xor(self, other: Self) -> Self {
        if self == Self::Unknown || other == Self::Unknown {
            Self::Unknown
        } else {
            Self::from(self != other)
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}
