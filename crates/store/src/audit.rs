//! The chain that makes the audit log tamper-evident: every entry's hash covers the entry and the hash before it, so
//! that a changed, removed or reordered entry breaks every hash after it.

use contract::AuditRecord;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The hash that the first entry follows.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The record as canonical JSON without its hash; what is hashed and what is kept.
pub fn canonical_entry(record: &AuditRecord) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(record)?;
    if let Value::Object(map) = &mut value {
        map.remove("hash");
    }
    Ok(contract::canonical_json(&value))
}

/// SHA-256 over the hash before and the entry, in hexadecimal.
pub fn chain_hash(previous: &str, canonical: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(previous.as_bytes());
    hash.update(b"\n");
    hash.update(canonical.as_bytes());
    contract::hex(&hash.finalize())
}
