//! EXPRESS text (ISO 10303-11) cut into words, numbers, strings and signs, comments left out.

/// One piece of EXPRESS text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A keyword or an identifier, spelt as in the file.
    Word(String),
    /// A number or a string literal, as text; the tables do not look into them.
    Literal(String),
    /// One sign of punctuation; longer operators come as several.
    Sign(char),
}

/// Cuts the text; text that is not EXPRESS comes out as signs and fails in the parser.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = rest.trim_start();
        } else if let Some(inside) = rest.strip_prefix("(*") {
            rest = inside.split_once("*)").map_or("", |(_, after)| after);
        } else if let Some(inside) = rest.strip_prefix("--") {
            rest = inside.split_once('\n').map_or("", |(_, after)| after);
        } else if first.is_ascii_alphabetic() {
            let (word, after) = split_while(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            out.push(Token::Word(word.to_owned()));
            rest = after;
        } else if first.is_ascii_digit() {
            let (number, after) = split_while(rest, |c| c.is_ascii_alphanumeric() || c == '.');
            out.push(Token::Literal(number.to_owned()));
            rest = after;
        } else if first == '\'' {
            let inside = &rest[1..];
            let end = inside.find('\'').unwrap_or(inside.len());
            out.push(Token::Literal(inside[..end].to_owned()));
            rest = inside.get(end + 1..).unwrap_or("");
        } else {
            out.push(Token::Sign(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

fn split_while(text: &str, keep: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !keep(c)).unwrap_or(text.len()))
}
