//! API keys: what they look like, how they are kept, how they are checked.
//!
//! A key is `psk_<id>_<secret>`. The id finds the row; of the secret only an Argon2id hash is kept (RFC 9106), so that who
//! reads the database holds no key. The hash is made slow on purpose; a key that was checked once is therefore known again
//! by a fast hash under a key that lives in this process alone.

use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Argon2, PasswordHash};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use contract::{Narrowing, Secret};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use subtle::ConstantTimeEq;
use uuid::Uuid;

const PREFIX: &str = "psk_";
/// Keys remembered as checked before all are forgotten.
const REMEMBERED: usize = 1024;

/// A key as it is kept: everything but the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The part that finds it.
    pub id: String,
    /// Argon2id over the secret, as a PHC string.
    pub hash: String,
    /// In whose name calls with it are made.
    pub principal: String,
    /// Roles that it brings.
    pub roles: Vec<String>,
    /// The narrowing of its rights, if any.
    #[serde(default)]
    pub within: Option<Narrowing>,
    /// The principal that made it.
    pub made_by: String,
    /// Unix time in milliseconds.
    pub created_ms: u64,
    /// Unix time in milliseconds from which on it is refused.
    #[serde(default)]
    pub expires_ms: Option<u64>,
    /// Unix time in milliseconds at which it was taken back.
    #[serde(default)]
    pub revoked_ms: Option<u64>,
}

/// Why a key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyProblem {
    /// It is none of ours, or its secret is wrong. Which of both is nobody's business.
    #[error("This key is not known here.")]
    Unknown,
    /// Its time is over.
    #[error("This key has expired. Ask for a new one (`pensaer admin key rotate`).")]
    Expired,
    /// It was taken back.
    #[error("This key was revoked. Ask for a new one.")]
    Revoked,
}

/// A new key: what is kept of it, and the text that is shown this once.
pub fn new_key(template: KeyRecord) -> Result<(KeyRecord, Secret), String> {
    // version 4 takes its bits from the operating system; two make 244 of them
    let bytes: Vec<u8> = [Uuid::new_v4(), Uuid::new_v4()].iter().flat_map(|id| *id.as_bytes()).collect();
    let id: String = Uuid::new_v4().simple().to_string().chars().take(12).collect();
    let secret = URL_SAFE_NO_PAD.encode(bytes);
    let hash = Argon2::default()
        .hash_password(secret.as_bytes())
        .map_err(|error| format!("the key cannot be hashed: {error}"))?
        .to_string();
    let text = Secret::new(format!("{PREFIX}{id}_{secret}"));
    Ok((KeyRecord { id, hash, ..template }, text))
}

/// The id and the secret of a key, if it has the form of ours.
pub fn parts(key: &Secret) -> Option<(&str, &str)> {
    let (id, secret) = key.reveal().strip_prefix(PREFIX)?.split_once('_')?;
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    (id.len() == 12 && secret.len() < 100 && plain(id) && plain(secret)).then_some((id, secret))
}

/// Accepts a key that was found by its id, as far as its dates say; otherwise the problem with it.
pub fn in_time(record: &KeyRecord, now_ms: u64) -> Result<(), KeyProblem> {
    if record.revoked_ms.is_some() {
        return Err(KeyProblem::Revoked);
    }
    match record.expires_ms {
        Some(expires) if expires <= now_ms => Err(KeyProblem::Expired),
        _ => Ok(()),
    }
}

/// True if this is the secret that was hashed. Slow on purpose.
pub fn is_secret(secret: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(secret.as_bytes(), &hash).is_ok())
}

/// Keys that this process has checked.
pub struct Checked {
    key: [u8; 32],
    known: Mutex<HashMap<String, [u8; 32]>>,
}

impl std::fmt::Debug for Checked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Checked")
    }
}

impl Default for Checked {
    fn default() -> Self {
        let mut key = [0; 32];
        let bits = [Uuid::new_v4(), Uuid::new_v4()];
        key.iter_mut().zip(bits.iter().flat_map(Uuid::as_bytes)).for_each(|(to, from)| *to = *from);
        Self { key, known: Mutex::default() }
    }
}

impl Checked {
    /// True if this very secret was checked against this very hash before.
    pub fn knows(&self, secret: &str, hash: &str) -> bool {
        let mark = self.mark(secret, hash);
        let known = self.known.lock();
        known.get(hash).is_some_and(|kept| kept.as_slice().ct_eq(mark.as_slice()).into())
    }

    /// Remembers that it was right.
    pub fn remember(&self, secret: &str, hash: &str) {
        let mut known = self.known.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(hash.to_owned(), self.mark(secret, hash));
    }

    /// SHA-256 under this process's key. Its input has a fixed head, so the length extension that HMAC guards against gains
    /// nothing: marks never leave the process.
    fn mark(&self, secret: &str, hash: &str) -> [u8; 32] {
        let digest = Sha256::new()
            .chain_update(self.key)
            .chain_update(Sha256::digest(hash.as_bytes()))
            .chain_update(secret.as_bytes())
            .chain_update(self.key)
            .finalize();
        digest.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> (KeyRecord, Secret) {
        new_key(KeyRecord {
            id: String::new(),
            hash: String::new(),
            principal: "ada".into(),
            roles: vec!["author".into()],
            within: None,
            made_by: "root".into(),
            created_ms: 1,
            expires_ms: Some(1000),
            revoked_ms: None,
        })
        .unwrap()
    }

    #[test]
    fn a_key_is_checked_by_its_hash_and_the_record_holds_nothing_of_the_secret() {
        let (record, key) = made();
        let (id, secret) = parts(&key).unwrap();
        assert_eq!(id, record.id);
        assert!(is_secret(secret, &record.hash));
        assert!(!is_secret(&secret.replace(|c: char| c.is_ascii_digit(), "x"), &record.hash));
        assert!(record.hash.starts_with("$argon2id$"), "{}", record.hash);
        assert!(!serde_json::to_string(&record).unwrap().contains(secret));
        assert_eq!(format!("{key} {key:?}"), "••• •••");
    }

    #[test]
    fn a_key_ends_with_its_time_or_when_it_is_taken_back() {
        let (record, _) = made();
        assert_eq!(in_time(&record, 999), Ok(()));
        assert_eq!(in_time(&record, 1000), Err(KeyProblem::Expired));
        let revoked = KeyRecord { revoked_ms: Some(5), ..record };
        assert_eq!(in_time(&revoked, 1), Err(KeyProblem::Revoked));
    }

    #[test]
    fn what_was_checked_is_known_again_and_nothing_else_is() {
        let checked = Checked::default();
        checked.remember("right", "$hash");
        assert!(checked.knows("right", "$hash"));
        assert!(!checked.knows("wrong", "$hash"));
        assert!(!checked.knows("right", "$other"));
        assert!(!Checked::default().knows("right", "$hash"));
    }

    #[test]
    fn what_has_not_our_form_is_no_key_of_ours() {
        for text in ["", "psk_", "psk_short_x", "eyJhbGciOi.x.y", "psk_123456789012", "psk_12345678901'_x"] {
            assert!(parts(&Secret::new(text)).is_none(), "{text}");
        }
    }
}
