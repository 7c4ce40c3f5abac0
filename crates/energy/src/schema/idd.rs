//! What only the IDD says: its version to the last figure, which fields name nodes, and how the fields of repeated
//! groups are called with their numbers.

use std::collections::HashMap;

/// The facts of the IDD on one field.
#[derive(Debug, Default)]
pub struct Flags {
    /// Its name.
    pub name: String,
    /// True if it names a node.
    pub node: bool,
}

/// The facts of the IDD that the schema lacks.
#[derive(Debug, Default)]
pub struct Idd {
    /// `25.2.0`.
    pub version: Option<String>,
    /// Fields in order, by the type's name in small letters.
    pub types: HashMap<String, Vec<Flags>>,
}

/// Reads an IDD. What cannot be understood is passed over: the schema in JSON is what counts.
pub fn read(bytes: &[u8]) -> Idd {
    let text = String::from_utf8_lossy(bytes);
    let mut idd = Idd::default();
    let mut name = String::new();
    let mut fields: Vec<Flags> = Vec::new();
    for line in text.lines() {
        if let Some(version) = line.strip_prefix("!IDD_Version") {
            idd.version = Some(version.trim().to_owned());
        }
        let line = line.split('!').next().unwrap_or_default().trim();
        let (code, said) = line.split_once('\\').unwrap_or((line, ""));
        for code in code.split([',', ';']).map(str::trim).filter(|code| !code.is_empty()) {
            if is_field(code) {
                fields.push(Flags::default());
            } else {
                // what is said of the last field stands behind its semicolon: an object ends where the next begins
                let ended = std::mem::replace(&mut name, code.to_ascii_lowercase());
                idd.types.insert(ended, std::mem::take(&mut fields));
            }
        }
        let (what, rest) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
        if let Some(field) = fields.last_mut() {
            match what {
                "field" => rest.trim().clone_into(&mut field.name),
                "type" => field.node = rest.trim().eq_ignore_ascii_case("node"),
                _ => {}
            }
        }
    }
    idd.types.insert(name, fields);
    idd
}

/// `A1`, `N12`.
fn is_field(code: &str) -> bool {
    let mut chars = code.chars();
    matches!(chars.next(), Some('A' | 'N' | 'a' | 'n'))
        && !code[1..].is_empty()
        && chars.all(|c| c.is_ascii_digit())
}
