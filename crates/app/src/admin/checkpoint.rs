//! Checkpoints of the audit log: its head at one moment, signed, to be kept where whoever holds the database cannot reach. A log that
//! was written anew or cut off since does not have that head.
//!
//! The signature is Ed25519 (RFC 8032) over a line that says what it is and the canonical JSON of all other members. Keys are files
//! as other programs have them: PKCS #8 and SubjectPublicKeyInfo as PEM (RFC 8410).

use anyhow::{Context, Result, anyhow, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use rustls_pki_types::pem::{Error as PemError, PemObject};
use rustls_pki_types::{PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use store::{AuditHead, private};

/// The form of the document that this program writes and reads.
const FORM: u32 = 1;
/// The line before what is signed, so that no other document's signature is one of this.
const WHAT: &str = "pensaer audit checkpoint\n";
/// All of a private key before its 32 bytes (RFC 8410, section 7).
const PRIVATE: [u8; 16] = *b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
/// All of a public key before its 32 bytes.
const PUBLIC: [u8; 12] = *b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
const PRIVATE_LABEL: &str = "PRIVATE KEY";
const PUBLIC_LABEL: &str = "PUBLIC KEY";
const KEY_BYTES: usize = 32;

/// A head of the audit log as it is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The form of the document.
    form: u32,
    /// The head.
    #[serde(flatten)]
    pub(super) head: AuditHead,
    /// Unix time in milliseconds at which it was taken.
    pub(super) time_ms: u64,
    /// The signer's public key, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    /// The signature, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
}

/// Who signed a checkpoint.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Signer {
    /// Nobody.
    Nobody,
    /// The holder of a key that the document itself names, in base64.
    Somebody(String),
    /// The holder of the key that was asked for.
    Known,
}

impl Checkpoint {
    /// The head as it is now, signed by a key if there is one.
    pub(super) fn new(head: AuditHead, time_ms: u64, key: Option<&Path>) -> Result<Self> {
        let mut checkpoint = Self { form: FORM, head, time_ms, public_key: None, signature: None };
        if let Some(path) = key {
            let pair = key_pair(path)?;
            checkpoint.public_key = Some(STANDARD.encode(pair.public_key()));
            let signature = pair.sign(checkpoint.signed()?.as_bytes());
            checkpoint.signature = Some(STANDARD.encode(signature));
        }
        Ok(checkpoint)
    }

    /// Reads one from a file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let checkpoint: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} is no checkpoint of an audit log", path.display()))?;
        if checkpoint.form != FORM {
            bail!(
                "{} has form {}, and this program reads form {FORM}; use a later one",
                path.display(),
                checkpoint.form
            );
        }
        Ok(checkpoint)
    }

    /// All that is signed.
    fn signed(&self) -> Result<String> {
        let mut value = serde_json::to_value(self)?;
        if let Value::Object(members) = &mut value {
            members.remove("signature");
        } else {
            value = Value::Object(Map::new());
        }
        Ok(format!("{WHAT}{}", contract::canonical_json(&value)))
    }

    /// Says who signed it, if its signature holds; with a public key, it has to be the holder of that one.
    pub(super) fn signer(&self, public_key: Option<&Path>) -> Result<Signer> {
        let (Some(key), Some(signature)) = (&self.public_key, &self.signature) else {
            if let Some(path) = public_key {
                bail!("the checkpoint is not signed, so not with {} either", path.display());
            }
            return Ok(Signer::Nobody);
        };
        let no_base64 =
            |what: &str| anyhow!("the checkpoint's {what} cannot be read: it was damaged or forged");
        let bytes = STANDARD.decode(key).map_err(|_| no_base64("public key"))?;
        let signature = STANDARD.decode(signature).map_err(|_| no_base64("signature"))?;
        let known = public_key.map(|path| Ok::<_, anyhow::Error>((path, read_public(path)?))).transpose()?;
        if let Some((path, known)) = &known
            && *known != bytes
        {
            bail!(
                "the checkpoint is signed with the key {key}, not with that of {} ({})",
                path.display(),
                STANDARD.encode(known)
            );
        }
        UnparsedPublicKey::new(&ED25519, &bytes).verify(self.signed()?.as_bytes(), &signature).map_err(
            |_| {
                anyhow!(
                    "the checkpoint's signature does not hold: it was changed after it was signed, or forged"
                )
            },
        )?;
        Ok(if known.is_some() { Signer::Known } else { Signer::Somebody(key.clone()) })
    }
}

/// Makes a key pair: the private key in a file that nobody else may read, the public one in one beside it, which is answered.
pub(super) fn new_key(path: &Path) -> Result<PathBuf> {
    let mut seed = [0_u8; KEY_BYTES];
    SystemRandom::new().fill(&mut seed).map_err(|_| anyhow!("the system gives no random bytes"))?;
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|error| anyhow!("no key: {error}"))?;
    let mut public = path.as_os_str().to_owned();
    public.push(".pub");
    let public = PathBuf::from(public);
    let create = |path: &Path, mode: u32| -> Result<File> {
        private::made_with(OpenOptions::new().write(true).create_new(true), mode).open(path).with_context(
            || format!("cannot make {}; a key that is there is not written over", path.display()),
        )
    };
    let mut file = create(path, 0o600)?;
    file.write_all(pem(PRIVATE_LABEL, &PRIVATE, &seed).as_bytes()).and_then(|()| file.sync_all())?;
    let mut file = create(&public, 0o644)?;
    file.write_all(pem(PUBLIC_LABEL, &PUBLIC, pair.public_key().as_ref()).as_bytes())
        .and_then(|()| file.sync_all())?;
    Ok(public)
}

fn key_pair(path: &Path) -> Result<Ed25519KeyPair> {
    let der: PrivatePkcs8KeyDer<'static> = read_pem(path, PRIVATE_LABEL)?;
    Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.secret_pkcs8_der())
        .map_err(|error| anyhow!("{} is no private key of Ed25519: {error}", path.display()))
}

fn read_public(path: &Path) -> Result<Vec<u8>> {
    let der: SubjectPublicKeyInfoDer<'static> = read_pem(path, PUBLIC_LABEL)?;
    der.strip_prefix(&PUBLIC[..])
        .filter(|key| key.len() == KEY_BYTES)
        .map(<[u8]>::to_vec)
        .with_context(|| format!("{} is no public key of Ed25519", path.display()))
}

fn pem(label: &str, before: &[u8], key: &[u8]) -> String {
    let text = STANDARD.encode([before, key].concat());
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

/// The first section of a kind in a file, which goes by that label.
fn read_pem<T: PemObject>(path: &Path, label: &str) -> Result<T> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    T::from_pem_slice(&text).map_err(|error| match error {
        PemError::NoItemsFound => anyhow!("{} has no {} in PEM", path.display(), label.to_lowercase()),
        error => anyhow!("{} is damaged: {error}", path.display()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(sequence: u64) -> AuditHead {
        AuditHead { database: "d".into(), sequence, hash: "a".repeat(64) }
    }

    #[test]
    fn a_signature_holds_for_its_key_and_its_words_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (mine, other) = (folder.path().join("mine"), folder.path().join("other"));
        let (public, of_other) = (new_key(&mine).unwrap(), new_key(&other).unwrap());
        let signed = Checkpoint::new(head(7), 1, Some(&mine)).unwrap();
        assert_eq!(signed.signer(Some(&public)).unwrap(), Signer::Known);
        assert!(matches!(signed.signer(None).unwrap(), Signer::Somebody(_)));
        let said = signed.signer(Some(&of_other)).unwrap_err().to_string();
        assert!(said.contains("not with that of"), "{said}");

        for change in [
            |checkpoint: &mut Checkpoint| checkpoint.head.sequence = 8,
            |checkpoint: &mut Checkpoint| checkpoint.head.hash = "b".repeat(64),
            |checkpoint: &mut Checkpoint| checkpoint.head.database = "e".into(),
            |checkpoint: &mut Checkpoint| checkpoint.time_ms = 2,
        ] {
            let mut forged = signed.clone();
            change(&mut forged);
            let said = forged.signer(Some(&public)).unwrap_err().to_string();
            assert!(said.contains("does not hold"), "{said}");
        }
        // signed anew by somebody else, under their own name or under mine
        let theirs = Checkpoint::new(head(8), 1, Some(&other)).unwrap();
        assert!(theirs.signer(Some(&public)).unwrap_err().to_string().contains("not with that of"));
        let renamed = Checkpoint { public_key: signed.public_key.clone(), ..theirs };
        assert!(renamed.signer(Some(&public)).unwrap_err().to_string().contains("does not hold"));
        let bare = Checkpoint::new(head(8), 1, None).unwrap();
        assert_eq!(bare.signer(None).unwrap(), Signer::Nobody);
        assert!(bare.signer(Some(&public)).unwrap_err().to_string().contains("is not signed"));
    }

    #[test]
    fn a_key_is_for_its_owner_alone_and_is_not_written_over() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        new_key(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let said = format!("{:#}", new_key(&path).unwrap_err());
        assert!(said.contains("not written over"), "{said}");
        let said =
            format!("{:#}", Checkpoint::new(head(1), 1, Some(&folder.path().join("key.pub"))).unwrap_err());
        assert!(said.contains("no private key"), "{said}");
    }

    #[test]
    fn keys_are_as_rfc_8410_has_them() {
        let folder = tempfile::tempdir().unwrap();
        // the private key of its section 10.3, and the public key of 10.1
        let path = folder.path().join("key");
        let private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";
        fs::write(&path, private).unwrap();
        let public = folder.path().join("public");
        fs::write(&public, "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n").unwrap();
        let signed = Checkpoint::new(head(3), 1, Some(&path)).unwrap();
        assert_eq!(signed.signer(Some(&public)).unwrap(), Signer::Known);
    }
}
