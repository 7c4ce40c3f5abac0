//! A body with its triangles, made when they are first asked for and then shared by all its places.

use crate::{drawn::Drawn, solid::Solid};
use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

/// A body in coordinates of its own.
#[derive(Debug, Default)]
pub struct Form {
    solid: Solid,
    mesh: OnceLock<Arc<Drawn>>,
}

impl Form {
    /// Its faces as triangles, in metres.
    pub fn mesh(&self) -> &Arc<Drawn> {
        self.mesh.get_or_init(|| Arc::new(self.solid.mesh().into()))
    }

    /// Its faces.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }
}

impl From<Solid> for Form {
    fn from(solid: Solid) -> Form {
        Form { solid, mesh: OnceLock::new() }
    }
}

impl Deref for Form {
    type Target = Solid;

    fn deref(&self) -> &Solid {
        &self.solid
    }
}
