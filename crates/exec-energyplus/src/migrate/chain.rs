//! The programs that bring a model from one version to the next, as they lie beside EnergyPlus, and which of them lead where.

use std::path::{Path, PathBuf};

/// The folder of the transition programs below EnergyPlus' folder.
pub const FOLDER: &str = "PreProcess/IDFVersionUpdater";

/// Major, minor and patch number.
pub(super) type Version = (u32, u32, u32);

/// One program, such as `Transition-V24-2-0-to-V25-1-0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    pub(super) from: Version,
    pub(super) to: Version,
}

impl Transition {
    fn from_file(file: PathBuf) -> Option<Self> {
        let name = file.file_name()?.to_str()?.to_owned();
        let (from, to) = name.strip_prefix("Transition-V")?.split_once("-to-V")?;
        let (from, to) = (dashed(from)?, dashed(to)?);
        file.is_file().then_some(Self { name, file, from, to })
    }

    /// Files that it reads from the folder it runs in: both dictionaries, and which variables got other names.
    pub(super) fn needs(&self) -> [(String, bool); 3] {
        let (from, to) = (with_dashes(self.from), with_dashes(self.to));
        [
            (format!("V{from}-Energy+.idd"), true),
            (format!("V{to}-Energy+.idd"), true),
            (format!("Report Variables {from} to {to}.csv"), false),
        ]
    }
}

/// `24-2-0`.
fn dashed(text: &str) -> Option<Version> {
    let mut parts = text.split('-').map(|part| part.parse().ok());
    let version = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(version)
}

fn with_dashes((major, minor, patch): Version) -> String {
    format!("{major}-{minor}-{patch}")
}

/// `24.2`.
pub(super) fn short((major, minor, _): Version) -> String {
    format!("{major}.{minor}")
}

/// `9.6`, `9.6.0`, `9-6`, `v9.6`: by major and minor number, as models have it.
pub(super) fn version(text: &str) -> Option<Version> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let mut parts = text.split(['.', '-']).map(|part| part.trim().parse().ok());
    let (major, minor) = (parts.next()??, parts.next().unwrap_or(Some(0))?);
    Some((major, minor, parts.next().flatten().unwrap_or(0)))
}

/// The programs that lie beside the EnergyPlus of a folder, the oldest first.
pub fn transitions(folder: &Path) -> Vec<Transition> {
    let entries = std::fs::read_dir(folder.join(FOLDER)).into_iter().flatten().flatten();
    let mut found: Vec<Transition> =
        entries.filter_map(|entry| Transition::from_file(entry.path())).collect();
    found.sort_by_key(|transition| transition.from);
    found
}

/// Returns the transitions that lead from one version to another, one after the other; as an error the version at which there is none
/// further.
pub(super) fn chain(all: &[Transition], from: Version, to: Version) -> Result<Vec<&Transition>, Version> {
    let minor = |version: Version| (version.0, version.1);
    let (mut at, mut chain) = (from, Vec::new());
    while minor(at) < minor(to) {
        // of several, the one that goes furthest without going too far
        let next = all.iter().filter(|one| minor(one.from) == minor(at) && minor(one.to) > minor(at));
        let next = next.filter(|one| minor(one.to) <= minor(to)).max_by_key(|one| one.to).ok_or(at)?;
        chain.push(next);
        at = next.to;
    }
    Ok(chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(names: &[&str]) -> Vec<Transition> {
        let made = names.iter().map(|name| {
            let (from, to) = name.split_once(" to ").unwrap();
            let file = PathBuf::from(name);
            Transition {
                name: (*name).to_owned(),
                file,
                from: dashed(from).unwrap(),
                to: dashed(to).unwrap(),
            }
        });
        made.collect()
    }

    #[test]
    fn programs_are_put_one_after_another_by_major_and_minor_number() {
        let all = all(&["8-9-0 to 9-0-0", "9-0-1 to 9-1-0", "9-1-0 to 9-2-0", "24-2-0 to 25-1-0"]);
        let names = |from, to| {
            let chain = chain(&all, from, to);
            chain.map(|chain| chain.iter().map(|one| one.name.clone()).collect::<Vec<_>>())
        };
        let whole = names((8, 9, 0), (9, 2, 0)).unwrap();
        assert_eq!(whole, ["8-9-0 to 9-0-0", "9-0-1 to 9-1-0", "9-1-0 to 9-2-0"]);
        assert_eq!(names((9, 1, 0), (9, 1, 0)), Ok(Vec::new()));
        assert_eq!(names((9, 1, 0), (25, 1, 0)), Err((9, 2, 0)));
        assert_eq!(names((7, 2, 0), (9, 1, 0)), Err((7, 2, 0)));
    }

    #[test]
    fn versions_are_read_as_people_and_programs_write_them() {
        for text in ["9.6", "9.6.0", "V9-6-0", " 9.6"] {
            assert_eq!(version(text), Some((9, 6, 0)), "{text}");
        }
        assert_eq!((version("newest"), version("")), (None, None));
        assert_eq!((dashed("9-6"), dashed("9-6-0-1")), (None, None));
    }
}
