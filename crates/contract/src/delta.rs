//! A change to a model as bytes: a versioned, checksummed envelope around a body that only the adapter of the model's
//! kind understands. Store and service carry deltas and never look inside.

use crate::{ModelKind, VersionId};
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 4] = b"PDLT";
/// A change of one version.
const PLAIN: u8 = 1;
/// A change by which another version was merged, whose id stands before the length of the body.
const MERGING: u8 = 2;
const PREFIX: usize = 4 + 1 + 1;
const LENGTH: usize = 8;
const CHECKSUM: usize = 32;

/// A change to a model of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// The kind of model it applies to.
    pub kind: ModelKind,
    /// The bytes that the adapter of that kind wrote.
    pub body: Vec<u8>,
    /// The version that was merged by it. Its id is among the bytes, so that the version that the delta leads to is
    /// named after both its parents.
    pub merged: Option<VersionId>,
}

/// Why bytes are not a delta.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeltaError {
    /// Too short, or not starting with the magic number.
    #[error("these bytes are not a delta")]
    NotADelta,
    /// Written by a later program.
    #[error("delta format {0} is newer than this program; update Pensaer")]
    UnknownVersion(u8),
    /// The kind of model is not known here.
    #[error("delta of an unknown model kind {0}")]
    UnknownKind(u8),
    /// Truncated or damaged.
    #[error("the delta is damaged: its checksum does not match")]
    Damaged,
}

impl Delta {
    /// A change of one version.
    pub fn new(kind: ModelKind, body: Vec<u8>) -> Self {
        Self { kind, body, merged: None }
    }

    /// Magic, format version, kind, for a merge the length of the version's id in one byte and the id, body length (little
    /// endian), body, SHA-256 of all before it.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(PREFIX + 1 + 64 + LENGTH + self.body.len() + CHECKSUM);
        bytes.extend_from_slice(MAGIC);
        bytes.push(if self.merged.is_some() { MERGING } else { PLAIN });
        bytes.push(match self.kind {
            ModelKind::Ifc => 1,
            ModelKind::EnergyPlus => 2,
        });
        if let Some(merged) = &self.merged {
            let id = merged.as_str().as_bytes();
            let id = id.get(..usize::from(u8::MAX)).unwrap_or(id);
            bytes.push(u8::try_from(id.len()).unwrap_or(u8::MAX));
            bytes.extend_from_slice(id);
        }
        bytes.extend_from_slice(&(self.body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&self.body);
        let sum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&sum);
        bytes
    }

    /// Reads what [`Delta::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, DeltaError> {
        if bytes.get(..4) != Some(MAGIC.as_slice()) {
            return Err(DeltaError::NotADelta);
        }
        let (Some(&version), Some(&kind), Some(rest)) = (bytes.get(4), bytes.get(5), bytes.get(PREFIX..))
        else {
            return Err(DeltaError::NotADelta);
        };
        let (merged, rest) = match version {
            PLAIN => (None, rest),
            MERGING => {
                let (&length, rest) = rest.split_first().ok_or(DeltaError::Damaged)?;
                let (id, rest) = rest.split_at_checked(length.into()).ok_or(DeltaError::Damaged)?;
                let id = std::str::from_utf8(id).map_err(|_| DeltaError::Damaged)?;
                (Some(VersionId::from(id)), rest)
            }
            other => return Err(DeltaError::UnknownVersion(other)),
        };
        let kind = match kind {
            1 => ModelKind::Ifc,
            2 => ModelKind::EnergyPlus,
            other => return Err(DeltaError::UnknownKind(other)),
        };
        let (length, rest) = rest.split_first_chunk::<LENGTH>().ok_or(DeltaError::NotADelta)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| DeltaError::Damaged)?;
        let (body, sum) = rest.split_at_checked(length).ok_or(DeltaError::Damaged)?;
        let summed = bytes.len().checked_sub(sum.len()).and_then(|end| bytes.get(..end));
        if summed.is_none_or(|summed| sum != Sha256::digest(summed).as_slice()) {
            return Err(DeltaError::Damaged);
        }
        Ok(Self { kind, body: body.to_vec(), merged })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Delta {
        Delta::new(ModelKind::Ifc, b"three walls".to_vec())
    }

    fn merging() -> Delta {
        Delta { merged: Some(VersionId::from("0a1b2c3d")), ..sample() }
    }

    #[test]
    fn a_delta_reads_back_as_it_was_written() {
        for delta in [sample(), merging()] {
            assert_eq!(Delta::decode(&delta.encode()), Ok(delta));
        }
    }

    #[test]
    fn a_merge_is_named_after_both_its_parents() {
        let parent = VersionId::from("p");
        let id = |delta: Delta| VersionId::of_delta(&parent, &delta.encode());
        let other = Delta { merged: Some(VersionId::from("1a1b2c3d")), ..sample() };
        assert_ne!(id(merging()), id(sample()));
        assert_ne!(id(merging()), id(other));
    }

    #[test]
    fn every_damaged_or_shortened_delta_is_refused() {
        for bytes in [sample().encode(), merging().encode()] {
            for end in 0..bytes.len() {
                assert!(Delta::decode(&bytes[..end]).is_err(), "cut at {end}");
            }
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x40;
                assert!(Delta::decode(&damaged).is_err(), "flipped at {at}");
            }
        }
    }
}
