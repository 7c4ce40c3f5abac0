//! The style of drawings that a caller asks for: the one that comes with the program, what a file of the caller's changes in it, and the
//! language.

use crate::{IfcCall, given_file};
use contract::Fault;
use documentation::style::Style;

/// The role of a style of the caller's own, and its parameter.
pub(crate) const FILE: &str = "style";
/// Bytes of such a file at most.
const MAX_BYTES: usize = 1 << 20;

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
