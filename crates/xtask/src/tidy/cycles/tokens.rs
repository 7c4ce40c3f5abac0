//! Rust source as words and marks: comments, strings and what is compiled for tests alone are left out. No parser: enough to see
//! which paths a file names.

/// A piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// An identifier, a keyword or a number.
    Word(&'a str),
    /// `::`
    Path,
    /// Any other character that is not white space.
    Mark(char),
}

/// The tokens of a file that are compiled into what is shipped.
pub fn shipped(text: &str) -> Vec<Token<'_>> {
    without_tests(&all(text))
}

fn all(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if byte == b'"' {
            quoted(rest, '"')
        } else if byte == b'\'' {
            character(rest)
        } else if rest.starts_with("::") {
            tokens.push(Token::Path);
            2
        } else {
            let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let first = rest.chars().next().unwrap_or_default();
            if word > 0 {
                tokens.push(Token::Word(rest.get(..word).unwrap_or_default()));
            } else if !first.is_whitespace() {
                tokens.push(Token::Mark(first));
            }
            word.max(first.len_utf8())
        };
        at += length.max(1);
    }
    tokens
}

/// The length of a comment that may hold others.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of a raw string, if one begins here.
fn raw_string(text: &str) -> Option<usize> {
    let opened = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = opened.len() - opened.trim_start_matches('#').len();
    let body = opened.get(hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let begins = text.len() - body.len();
    Some(body.find(&end).map_or(text.len(), |found| begins + found + end.len()))
}

/// The length of a string with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character with its quotes; of a lifetime, that of its quote.
fn character(text: &str) -> usize {
    let mut inside = text.chars().skip(1);
    match (inside.next(), inside.next()) {
        (Some('\\'), _) => quoted(text, '\''),
        (Some(one), Some('\'')) => 2 + one.len_utf8(),
        _ => 1,
    }
}

/// Leaves out each item that stands behind `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    use Token::{Mark, Word};
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_test = match tokens.get(at..at + 5) {
            Some([Mark('#'), Mark('['), Word("cfg"), Mark('('), Word("test")]) => true,
            Some([Mark('#'), Mark('['), Word("cfg"), Mark('('), Word("all")]) => {
                tokens.get(at + 6) == Some(&Word("test"))
            }
            _ => false,
        };
        if is_test {
            at = item_end(tokens, at + 1);
        } else {
            kept.push(*token);
            at += 1;
        }
    }
    kept
}

/// The place after the item that begins here: after its block, or after the semicolon outside of brackets.
fn item_end(tokens: &[Token<'_>], begins: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(begins) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 && *token == Token::Mark('}') {
                    // the braces of `use a::{b};` end nothing
                    return if tokens.get(at + 1) == Some(&Token::Mark(';')) { at + 2 } else { at + 1 };
                }
            }
            Token::Mark(';') if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}
