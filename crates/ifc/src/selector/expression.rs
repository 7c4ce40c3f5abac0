//! Regular expressions as selectors write them: Python's, matched from the start, run by an engine whose time grows
//! with the text and never explodes.
//!
//! Most of Python's syntax is the engine's own. Where the two differ, the pattern is put into the engine's words:
//!
//! | Python | here |
//! | --- | --- |
//! | `re.match`: from the start, to anywhere | an anchor before the whole |
//! | `$` also before a line end at the very end | `\n?$` |
//! | `\Z` the end | `\z` |
//! | `{` that opens no repetition, a sign for itself | `\{` |
//! | `{,n}` up to n | `{0,n}` |
//! | `[`, `&&`, `--`, `~~` within a class, signs for themselves | each escaped |
//! | `\<`, `\>`, signs for themselves | `<`, `>` |
//!
//! Look-around, backreferences, atomic groups and conditionals need backtracking and are refused, as are octal escapes
//! and the flags `a` and `L`. A possessive quantifier is read as a greedy one.

use regex::{Regex, RegexBuilder};

/// The expression, or why it cannot be used.
/// An expression as it was written, between strokes.
pub(super) fn written(regex: &Regex) -> String {
    let text = regex.as_str();
    let inner = text.strip_prefix("^(?:").and_then(|rest| rest.strip_suffix(')'));
    format!("/{}/", inner.unwrap_or(text))
}

pub(super) fn compile(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(&format!("^(?:{})", translate(pattern)))
        .size_limit(1 << 20)
        .dfa_size_limit(1 << 20)
        .nest_limit(64)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
            other => {
                let text = other.to_string();
                let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                format!("the regular expression /{pattern}/ cannot be used: {reason}")
            }
        })
}

fn translate(pattern: &str) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let get = |at: usize| chars.get(at).copied();
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut at = 0;
    while let Some(c) = get(at) {
        at += 1;
        match c {
            '\\' => {
                let next = get(at);
                at += 1;
                match next {
                    Some('Z') => out.push_str("\\z"),
                    Some(sign @ ('<' | '>')) => out.push(sign),
                    // a letter or sign beyond ASCII stands for itself
                    Some(other) if !other.is_ascii() => out.push(other),
                    Some(other) => out.extend(['\\', other]),
                    None => out.push('\\'),
                }
            }
            '$' => out.push_str("(?:\\n?$)"),
            '{' if !repeats(&chars, at) => out.push_str("\\{"),
            '{' if get(at) == Some(',') => out.push_str("{0"),
            '[' => at = class(&chars, at, &mut out),
            other => out.push(other),
        }
    }
    out
}

/// True if a repetition count stands behind an opening brace: `2}`, `2,}`, `,3}`, `2,3}`, `,}`.
fn repeats(chars: &[char], at: usize) -> bool {
    let inner: String = chars.iter().skip(at).take_while(|c| **c != '}').take(24).collect();
    let closed = chars.get(at + inner.chars().count()) == Some(&'}');
    let (low, high) = inner.split_once(',').unwrap_or((&inner, "0"));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    closed && !inner.is_empty() && digits(low) && digits(high)
}

/// Copies a class from behind its bracket, with what means more to the engine than to Python escaped; answers where
/// it ends.
fn class(chars: &[char], mut at: usize, out: &mut String) -> usize {
    let get = |at: usize| chars.get(at).copied();
    out.push('[');
    if get(at) == Some('^') {
        out.push('^');
        at += 1;
    }
    if get(at) == Some(']') {
        out.push_str("\\]");
        at += 1;
    }
    while let Some(c) = get(at) {
        at += 1;
        match c {
            ']' => {
                out.push(']');
                return at;
            }
            '\\' => {
                if let Some(next) = get(at) {
                    at += 1;
                    match next {
                        '<' | '>' => out.push(next),
                        _ if !next.is_ascii() => out.push(next),
                        _ => out.extend(['\\', next]),
                    }
                } else {
                    out.push('\\');
                }
            }
            '[' | '&' | '~' => out.extend(['\\', c]),
            '-' if get(at) == Some('-') => out.push_str("\\-"),
            other => out.push(other),
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, matching: &[&str], other: &[&str]) {
        let regex = compile(pattern).unwrap_or_else(|error| panic!("{error}"));
        for text in matching {
            assert!(regex.is_match(text), "/{pattern}/ should match {text:?}");
        }
        for text in other {
            assert!(!regex.is_match(text), "/{pattern}/ should not match {text:?}");
        }
    }

    #[test]
    fn an_expression_matches_from_the_start_to_anywhere() {
        check("ab", &["ab", "abc"], &["xab"]);
        check("a|b", &["a", "bx"], &["xb"]);
    }

    #[test]
    fn what_pythons_syntax_says_is_meant() {
        check("a$", &["a", "a\n"], &["ab", "a\nb", "a\n\n"]);
        check(r"a\Z", &["a"], &["a\n", "ab"]);
        check("a{b", &["a{b"], &["ab"]);
        check("a{,2}b", &["b", "aab"], &["aaab"]);
        check("a{2}", &["aa"], &["a"]);
        check("x{}", &["x{}"], &["x"]);
        check("[[a]b", &["[b", "ab"], &["b"]);
        check("[a&&b]", &["a", "b", "&"], &["c"]);
        check("[]x]", &["]", "x"], &["y"]);
        check("[^]x]", &["y"], &["]", "x"]);
        check("[a--b]", &["a", "-", "b"], &["c"]);
        check(r"\<a\>", &["<a>"], &["a"]);
        check(r"\d+\ m²", &["12 m²"], &["m²"]);
        check("(?i)wall", &["WALL 1"], &["a wall"]);
        check("(?P<n>W)1", &["W1"], &["1"]);
    }

    #[test]
    fn what_needs_backtracking_is_refused() {
        for pattern in ["(?=a)", "(?<!a)b", r"(a)\1", "(?>a)", "(", "[a", "a{999999}{99999}"] {
            assert!(compile(pattern).is_err(), "/{pattern}/");
        }
    }
}
