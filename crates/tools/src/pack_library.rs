//! Packs of rules in files, beside those that come with the program: `.rules`, and requirements in IDS files (`.ids`), which are used
//! like packs. They lie in the operator's folder of packs, or the caller sent them.
//!
//! A pack is called as its file is, so that it is found by that name without reading all others. A file with mistakes is listed with
//! them and never used.

use crate::rule_packs::{self, Asked, IdsPack};
use contract::LibraryFile;
use std::io::Read;
use validation::packs::{self, Problem};

/// The library of packs of rules: the operator's folder, and what callers sent.
pub const RULE_PACKS: &str = "packs";
/// The endings of its files.
pub(crate) const ENDINGS: [&str; 2] = ["rules", "ids"];
/// Bytes of a file at most.
pub(crate) const MAX_BYTES: usize = 32 << 20;
/// Mistakes of a file that are told.
const TOLD: usize = 20;

/// A file of the library, and the pack in it or the mistakes that keep it from being one.
pub(crate) struct PackFile {
    /// The file's name.
    pub name: String,
    /// Its key in the bucket, of one that a caller sent.
    pub key: Option<String>,
    /// The pack.
    pub pack: Result<Asked, Vec<String>>,
}

impl PackFile {
    /// Returns true if a caller means it by a name.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        identifier(&self.name) == rule_packs::plain(name)
    }
}

/// Reads the files of a library. Of several that are called alike only the first is a pack.
pub(crate) fn read_all(files: Vec<LibraryFile>) -> Vec<PackFile> {
    let mut found: Vec<PackFile> = Vec::new();
    for file in files {
        let id = identifier(&file.name);
        let first = found.iter().find(|own| identifier(&own.name) == id).map(|own| own.name.clone());
        let pack = match first {
            Some(first) => {
                Err(vec![format!("the file {first} has this name already, and is the one that is used")])
            }
            None => bytes(&file).and_then(|bytes| of_library(&file.name, &bytes)),
        };
        found.push(PackFile { name: file.name, key: file.key, pack });
    }
    found
}

fn bytes(file: &LibraryFile) -> Result<Vec<u8>, Vec<String>> {
    let mut bytes = Vec::new();
    std::fs::File::open(&file.path)
        .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|_| vec!["it cannot be read".to_owned()])?;
    if bytes.len() > MAX_BYTES {
        return Err(vec![format!("it has more than {MAX_BYTES} bytes")]);
    }
    Ok(bytes)
}

/// The pack in a file of the library; it is called as the file is.
pub(crate) fn of_library(name: &str, bytes: &[u8]) -> Result<Asked, Vec<String>> {
    let pack = read(name, bytes)?;
    if identifier(name) != rule_packs::plain(pack.id()) {
        return Err(vec![format!(
            "the pack in it is called `{}`: name the file {}.rules, or give it by its path as `pack`",
            pack.id(),
            pack.id()
        )]);
    }
    Ok(pack)
}

/// The pack in a file, or its mistakes with line and column.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Asked, Vec<String>> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| vec![format!("it is no text in UTF-8: {error}")])?;
    let is_xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    let pack = if is_xml { ids(name, bytes)? } else { rules(text)? };
    let shipped =
        packs::shipped().iter().find(|own| rule_packs::plain(&own.id) == rule_packs::plain(pack.id()));
    if let Some(own) = shipped {
        return Err(vec![format!(
            "`{}` is the pack {} that comes with the program: a pack of your own needs another name",
            own.id, own.title
        )]);
    }
    Ok(pack)
}

fn rules(text: &str) -> Result<Asked, Vec<String>> {
    let pack = packs::read(text).map_err(|problems| listed(&problems, Problem::to_string))?;
    Ok(Asked::Rules(Box::new(pack)))
}

fn ids(name: &str, bytes: &[u8]) -> Result<Asked, Vec<String>> {
    let reading = validation::ids::read(bytes).map_err(|problem| vec![problem.to_string()])?;
    let (mut blocking, mut harmless) = (reading.structure, Vec::new());
    for problem in reading.document.audit() {
        if problem.blocks { blocking.push(problem) } else { harmless.push(problem) }
    }
    if !blocking.is_empty() {
        return Err(listed(&blocking, ToString::to_string));
    }
    let harmless = listed(&harmless, ToString::to_string);
    Ok(Asked::Ids(Box::new(IdsPack { id: stem(name), document: reading.document, harmless })))
}

/// Mistakes in words, those beyond a number only counted.
fn listed<P>(problems: &[P], word: impl Fn(&P) -> String) -> Vec<String> {
    let mut listed: Vec<String> = problems.iter().take(TOLD).map(word).collect();
    if problems.len() > TOLD {
        listed.push(format!("… and {} more", problems.len() - TOLD));
    }
    listed
}

/// The identifier of a file's pack, as names are compared.
pub(crate) fn identifier(name: &str) -> String {
    rule_packs::plain(&stem(name))
}

/// The name of a file without folders and without its ending, as identifiers are written.
fn stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let words = stem.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFICE: &str = r#"
[pack]
id = "office"
title = "Our office"
edition = "1"
source = "Ourselves"
licence = "Ours"
notes = "None."

[[rule]]
id = "walls"
clause = "1"
title = "Thick walls"
text = "Walls say how thick they are."
why = "We like it."
each = "element"
select = "IfcWall"
require = { property = "Qto_WallBaseQuantities.Width", exists = true }
severity = "warning"
verified = true
suggestion = "Make it thicker."
"#;

    /// The files of a folder, as the platform tells them.
    fn files(texts: &[(&str, &str)]) -> (tempfile::TempDir, Vec<LibraryFile>) {
        let folder = tempfile::tempdir().unwrap();
        let file = |(name, text): &(&str, &str)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            LibraryFile { name: (*name).to_owned(), key: None, path, size: text.len() as u64 }
        };
        let files = texts.iter().map(file).collect();
        (folder, files)
    }

    fn mistakes(file: &PackFile) -> String {
        file.pack.as_ref().map(Asked::id).unwrap_err().join("; ")
    }

    #[test]
    fn packs_and_requirements_in_files_are_found_by_their_names_and_mistakes_have_line_and_column() {
        let ids = include_str!("../../validation/fuzz/seeds/ids/01");
        let mistaken = OFFICE.replace("select =", "selekt =").replace("office", "slip");
        let (_folder, files) = files(&[
            ("Office.rules", OFFICE),
            ("office.ids", ids),
            ("permit.ids", ids),
            ("slip.rules", &mistaken),
            ("other.rules", OFFICE),
            ("no.ids", "<ids"),
        ]);
        let found = read_all(files);
        let pack = |name: &str| found.iter().find(|file| file.is_called(name)).unwrap();
        assert_eq!(pack("office").pack.as_ref().map(Asked::id).unwrap(), "office");
        assert!(matches!(pack("Permit").pack, Ok(Asked::Ids(_))), "{}", mistakes(pack("permit")));
        assert!(mistakes(&found[1]).contains("Office.rules"), "{}", mistakes(&found[1]));
        let slip = mistakes(pack("slip"));
        assert!(slip.contains("line") && slip.contains("column") && slip.contains("select"), "{slip}");
        assert!(mistakes(pack("other")).contains("office.rules"), "{}", mistakes(pack("other")));
        assert!(!mistakes(pack("no")).is_empty());
    }

    #[test]
    fn a_pack_that_is_called_as_one_that_comes_with_the_program_is_no_pack() {
        for own in packs::shipped() {
            let text = OFFICE.replace("\"office\"", &format!("\"{}\"", own.id));
            let refused = read("any.rules", text.as_bytes()).map(|pack| pack.id().to_owned()).unwrap_err();
            assert!(refused[0].contains(&own.id) && refused[0].contains(&own.title), "{refused:?}");
        }
    }

    #[test]
    fn hostile_files_are_mistakes_and_no_panics() {
        for bytes in [&b""[..], b"\xff\xfe", b"<", b"[pack]", b"\xef\xbb\xbf<ids/>", &[b'['; 10_000]] {
            assert!(read("any.rules", bytes).is_err(), "{bytes:?}");
        }
    }
}
