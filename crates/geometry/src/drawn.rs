//! A mesh that several places share, with a name by its content.

use crate::mesh::Mesh;
use glam::DVec3;
use sha2::{Digest as _, Sha256};
use std::{ops::Deref, sync::OnceLock};

/// Names a content: the first half of a SHA-256.
pub type Digest = [u8; 16];

/// A hash so far as half a SHA-256.
pub(crate) fn digest(hash: Sha256) -> Digest {
    let whole = hash.finalize();
    let mut half = Digest::default();
    half.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
    half
}

/// Triangles in coordinates of their own. Immutable, for its name is kept.
#[derive(Debug, Default)]
pub struct Drawn {
    mesh: Mesh,
    digest: OnceLock<Digest>,
}

impl Drawn {
    /// Returns the digest, equal for equal points and triangles, wherever they came from.
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| {
            let mut bytes = Vec::with_capacity(self.positions.len() * 24 + self.triangles.len() * 12 + 8);
            bytes.extend((self.positions.len() as u64).to_le_bytes());
            self.positions.iter().flat_map(DVec3::as_ref).for_each(|v: &f64| bytes.extend(v.to_le_bytes()));
            self.triangles.iter().flatten().for_each(|i| bytes.extend(i.to_le_bytes()));
            digest(Sha256::new_with_prefix(&bytes))
        })
    }

    /// Bytes of memory that it takes.
    pub fn weight(&self) -> usize {
        self.positions.len() * 48 + self.triangles.len() * 12 + 128
    }
}

impl From<Mesh> for Drawn {
    fn from(mesh: Mesh) -> Drawn {
        Drawn { mesh, digest: OnceLock::new() }
    }
}

impl Deref for Drawn {
    type Target = Mesh;

    fn deref(&self) -> &Mesh {
        &self.mesh
    }
}
