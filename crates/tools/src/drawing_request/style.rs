//! The style of drawings that a caller asks for: the one that comes with the program, what a file of the caller's changes in it, and the
//! language.

use crate::{IfcCall, given_file};
use contract::{Fault, FileNeed, FileWithin, NamedFile};
use documentation::style::Style;
use paper::{Fonts, MOST_FONT_BYTES};

/// The role of a style of the caller's own, and its parameter.
const FILE: &str = "style";
/// Bytes of such a file at most.
const MAX_BYTES: usize = 1 << 20;
/// The roles of the font files that a style names.
const REGULAR: &str = "font_regular";
const BOLD: &str = "font_bold";

/// The files of a tool that takes a style.
pub(crate) fn files() -> [FileNeed; 3] {
    let within = |role: &str, key: &str| {
        FileNeed::Within(FileWithin {
            role: role.to_owned(),
            parameter: FILE.to_owned(),
            key: key.to_owned(),
        })
    };
    [
        FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: FILE.to_owned() }),
        within(REGULAR, "fonts.regular"),
        within(BOLD, "fonts.bold"),
    ]
}

/// Reads the style of a call, in the file that the caller names.
pub(crate) fn style(call: &IfcCall, named: Option<&str>, language: Option<&str>) -> Result<Style, Fault> {
    let bytes = given_file::bytes(call, FILE, FILE, MAX_BYTES)?;
    if named.is_some() && bytes.is_none() {
        return Err(Fault::invalid(
            FILE,
            "The file did not come with the call; give a path or a key of the bucket.",
        ));
    }
    let text = bytes.map_or(Ok(String::new()), String::from_utf8);
    let text = text.map_err(|_| Fault::invalid(FILE, "The style is no text in UTF-8."))?;
    let mut style = Style::from_toml(&text).map_err(|bad| {
        let fault = Fault::invalid(FILE, format!("The style has a mistake: {bad}."));
        if bad.near.is_empty() { fault } else { fault.with("near_matches", bad.near) }
    })?;
    if style.fonts.regular.is_some() {
        let font = |role: &str| given_file::bytes(call, role, FILE, MOST_FONT_BYTES);
        let Some(regular) = font(REGULAR)? else {
            return Err(Fault::invalid(FILE, "The font that the style names did not come with the call."));
        };
        let bold = if style.fonts.bold.is_some() { font(BOLD)? } else { None };
        style.fonts.read = Fonts::read(&regular, bold.as_deref())
            .map_err(|bad| Fault::invalid(FILE, format!("A font of the style cannot be used: {bad}.")))?;
    }
    if let Some(language) = language {
        if !style.words.contains_key(language) {
            let known: Vec<&str> = style.words.keys().map(String::as_str).collect();
            let problem = format!("No words are known in '{language}'; there are {}.", known.join(", "));
            return Err(Fault::invalid("language", problem));
        }
        language.clone_into(&mut style.language);
    }
    Ok(style)
}
