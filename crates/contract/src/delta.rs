//! A change to a model as bytes: a versioned, checksummed envelope around a body that only the adapter of the model's
//! kind understands. Store and service carry deltas and never look inside.

use crate::ModelKind;
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 4] = b"PDLT";
const VERSION: u8 = 1;
const HEADER: usize = 4 + 1 + 1 + 8;
const CHECKSUM: usize = 32;

/// A change to a model of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// The kind of model it applies to.
    pub kind: ModelKind,
    /// What the adapter of that kind wrote.
    pub body: Vec<u8>,
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
    /// Magic, format version, kind, body length (little endian), body, SHA-256 of all before it.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.body.len() + CHECKSUM);
        bytes.extend_from_slice(MAGIC);
        bytes.push(VERSION);
        bytes.push(match self.kind {
            ModelKind::Ifc => 1,
            ModelKind::EnergyPlus => 2,
        });
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
        let (Some(&version), Some(&kind), Some(length)) = (bytes.get(4), bytes.get(5), bytes.get(6..HEADER))
        else {
            return Err(DeltaError::NotADelta);
        };
        if version != VERSION {
            return Err(DeltaError::UnknownVersion(version));
        }
        let kind = match kind {
            1 => ModelKind::Ifc,
            2 => ModelKind::EnergyPlus,
            other => return Err(DeltaError::UnknownKind(other)),
        };
        let length = length.try_into().map(u64::from_le_bytes).map_err(|_| DeltaError::NotADelta)?;
        let end =
            usize::try_from(length).ok().and_then(|n| n.checked_add(HEADER)).ok_or(DeltaError::Damaged)?;
        let (Some(body), Some(sum)) = (bytes.get(HEADER..end), bytes.get(end..)) else {
            return Err(DeltaError::Damaged);
        };
        if sum != Sha256::digest(&bytes[..end]).as_slice() {
            return Err(DeltaError::Damaged);
        }
        Ok(Self { kind, body: body.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Delta {
        Delta { kind: ModelKind::Ifc, body: b"three walls".to_vec() }
    }

    #[test]
    fn a_delta_reads_back_as_it_was_written() {
        assert_eq!(Delta::decode(&sample().encode()), Ok(sample()));
    }

    #[test]
    fn every_damaged_or_shortened_delta_is_refused() {
        let bytes = sample().encode();
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
