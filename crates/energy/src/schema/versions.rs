//! Which schema a model is read by: that of the version that it names, whatever is installed. So a gateway and its workers
//! always agree on the layout of a model, and on what a change of it says.
//!
//! The tables of 18 versions are part of the program: those of 25.2, by which new models are made, on their own, and those of
//! all others in one pack, in which everything that two of them share stands once. Each is unpacked when it is first asked for.

use super::{Schema, codec, pool};
use std::sync::{Arc, OnceLock};

static OWN: &[u8] = include_bytes!("generated/25.2.bin");
static OTHERS: &[u8] = include_bytes!("generated/others.bin");

/// The version that new models are of, and that changes without a version were made by.
pub const HOME: &str = "25.2.0";

struct Table {
    major: u32,
    minor: u32,
    schema: OnceLock<Arc<Schema>>,
}

const fn table(major: u32, minor: u32) -> Table {
    Table { major, minor, schema: OnceLock::new() }
}

/// In order.
static TABLES: [Table; 18] = [
    table(8, 9),
    table(9, 0),
    table(9, 1),
    table(9, 2),
    table(9, 3),
    table(9, 4),
    table(9, 5),
    table(9, 6),
    table(22, 1),
    table(22, 2),
    table(23, 1),
    table(23, 2),
    table(24, 1),
    table(24, 2),
    table(25, 1),
    table(25, 2),
    table(26, 1),
    table(26, 2),
];

impl Table {
    fn name(&self) -> String {
        format!("{}.{}", self.major, self.minor)
    }

    fn schema(&self) -> Arc<Schema> {
        if (self.major, self.minor) == (25, 2) {
            return Schema::built_in();
        }
        let unpacked = self.schema.get_or_init(|| {
            // their own test reads them all; that of home stands for what cannot happen
            pool::unpack(OTHERS, &self.name()).map_or_else(|_| Schema::built_in(), Arc::new)
        });
        Arc::clone(unpacked)
    }
}

/// The schema that something is read by.
#[derive(Debug, Clone)]
pub struct Found {
    /// The schema.
    pub schema: Arc<Schema>,
    /// The reason, in sentences, where it is not simply the schema of the version named.
    pub remark: Option<String>,
}

impl Schema {
    /// The schema by which new models are made, that of 25.2.
    pub fn built_in() -> Arc<Self> {
        static SCHEMA: OnceLock<Arc<Schema>> = OnceLock::new();
        SCHEMA
            .get_or_init(|| {
                // its own test reads it; an empty one stands for what cannot happen
                Arc::new(codec::unpack(OWN).unwrap_or_else(|_| Self::new(HOME.into(), Vec::new())))
            })
            .clone()
    }

    /// The schema by which a model is read that says it is of this version: its own, whatever the last figure; of a version
    /// that is not here that of the one before, or the oldest; of what is no version, or blank, that of 25.2.
    pub fn for_version(version: &str) -> Found {
        let version = version.trim();
        if version.is_empty() {
            return Found { schema: Self::built_in(), remark: None };
        }
        // it may be anything of any length
        let told: String = version.chars().take(40).collect();
        let Some((major, minor, is_proper)) = numbers(version) else {
            let remark = format!(
                "{told:?} is no version of EnergyPlus, such as 25.2; the model is read by the schema of 25.2."
            );
            return Found { schema: Self::built_in(), remark: Some(remark) };
        };
        let after = TABLES.partition_point(|it| (it.major, it.minor) <= (major, minor.unwrap_or(u32::MAX)));
        let Some(table) = TABLES.get(after.saturating_sub(1)) else {
            return Found { schema: Self::built_in(), remark: None };
        };
        let name = table.name();
        let same = table.major == major && minor.is_none_or(|minor| minor == table.minor);
        let remark = if after == 0 {
            Some(format!(
                "The model is of EnergyPlus {told}, which is older than every schema here. It is read by the oldest, that of {name}: what \
                 changed between them is taken for what stands in its place there, and is reported as faults. Bring it up with migrate_model."
            ))
        } else if same {
            (!is_proper).then(|| {
                format!("{told:?} is not how a version is written, such as 25.2; the model is read by the schema of {name}.")
            })
        } else if after == TABLES.len() {
            Some(format!(
                "The model is of EnergyPlus {told}, which is newer than every schema here. It is read by the newest, that of {name}: what \
                 changed since then is reported as faults."
            ))
        } else {
            Some(format!(
                "There is no schema of EnergyPlus {told} here; the model is read by that of the version before, {name}."
            ))
        };
        Found { schema: table.schema(), remark }
    }

    /// The schema of just this version, such as `9.6` or `9.6.0`; none if it is not here.
    pub fn exactly(version: &str) -> Option<Arc<Self>> {
        let (major, minor, is_proper) = numbers(version.trim())?;
        let table = TABLES.iter().find(|it| is_proper && it.major == major && minor == Some(it.minor));
        table.map(Table::schema)
    }

    /// The versions whose schemas are here, such as `9.6`, the oldest first.
    pub fn versions() -> impl Iterator<Item = String> {
        TABLES.iter().map(Table::name)
    }
}

/// Major and minor number, and whether it is written as versions are: two or three numbers, the last perhaps with a mark of the build.
fn numbers(version: &str) -> Option<(u32, Option<u32>, bool)> {
    let number = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok()).flatten();
    let mut parts = version.split('.');
    let major = number(parts.next()?)?;
    let minor = parts.next().map(|part| number(part).ok_or(())).transpose().ok()?;
    let last = parts.next();
    let is_patch = last.is_none_or(|patch| patch.starts_with(|c: char| c.is_ascii_digit()));
    Some((major, minor, minor.is_some() && is_patch && parts.next().is_none()))
}
