//! Values made of each schema once, when first asked for.

use super::SchemaVersion;
use std::sync::OnceLock;

/// One value for each schema, for a `static`.
pub struct PerVersion<T> {
    made: [OnceLock<T>; 3],
}

impl<T> Default for PerVersion<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> PerVersion<T> {
    /// With nothing made yet.
    pub const fn new() -> Self {
        Self { made: [const { OnceLock::new() }; 3] }
    }

    /// The value of a schema, made if this is the first to ask.
    pub fn get_or_init(&self, version: SchemaVersion, make: impl FnOnce() -> T) -> &T {
        version.pick(self.made.each_ref()).get_or_init(make)
    }
}

impl SchemaVersion {
    /// The one of three that is for the schema; they stand in the order of [`SchemaVersion::ALL`].
    pub fn pick<T>(self, three: [T; 3]) -> T {
        let [old, current, newest] = three;
        match self {
            Self::Ifc2x3 => old,
            Self::Ifc4 => current,
            Self::Ifc4x3 => newest,
        }
    }
}
