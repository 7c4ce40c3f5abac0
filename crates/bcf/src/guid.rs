//! GUIDs as the format writes them: 8-4-4-4-12 hexadecimal digits.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use uuid::{Builder, Uuid};

/// A GUID; in small letters, as 3.0 asks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Guid(Uuid);

impl Guid {
    /// The GUID of a text, in whatever case; none if it is no GUID.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten().map(Self)
    }

    /// The GUID made of some bytes: always the same for the same.
    pub fn made_of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        let bytes: [u8; 16] = std::array::from_fn(|n| digest.get(n).copied().unwrap_or_default());
        Self(Builder::from_custom_bytes(bytes).into_uuid())
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}
