//! Names of files out of names of a model.

use std::collections::HashSet;

/// The most letters of a name.
const LONGEST: usize = 80;
/// Names that some systems keep for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com1", "lpt1"];

/// Names that were given already.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// A name for a file like this one that no other has, in any letter case.
    pub fn unique(&mut self, name: &str) -> String {
        let plain = file_name(name);
        let mut candidate = plain.clone();
        for number in 2.. {
            if self.0.insert(candidate.to_lowercase()) {
                break;
            }
            candidate = format!("{plain} ({number})");
        }
        candidate
    }
}

/// A name that every file system takes: without slashes, control characters and what means something to a shell, not empty, and no
/// way to another folder.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || " _-+().,".contains(c) { c } else { '_' };
    let text: String = name.chars().map(plain).take(LONGEST).collect();
    let text = text.trim_matches(|c: char| c == ' ' || c == '.').to_owned();
    let is_device = DEVICES.contains(&text.to_lowercase().as_str());
    if text.is_empty() || is_device { format!("part {text}").trim().to_owned() } else { text }
}
