//! The text of a query before it is parsed: GlobalIds behind `inst:` are escaped, and what is nested too deep is refused.
//!
//! SPARQL reads `$` as the beginning of a variable, and GlobalIds have it. The parser knows a single dot in a local name, where the standard
//! allows more (SPARQL 1.1, 19.8, PN_LOCAL), and properties of properties have two. It goes down one call for each bracket, and so does
//! everything behind it.

use contract::{Fault, FaultCode};

/// The longest query, in bytes.
pub const LONGEST: usize = 32_768;
/// The most brackets within each other.
const DEEPEST: usize = 24;
/// The most operators and brackets: planning takes the square of them, and cannot be interrupted.
const OPERATORS: usize = 1000;

/// A query ready to be parsed, and the way back to the places in it.
#[derive(Debug)]
pub struct Prepared {
    /// The text for the parser.
    pub text: String,
    /// Places in it, in bytes, before which a backslash was put.
    escapes: Vec<usize>,
    /// The prefixed names in it: the prefix with the line and column where it stands, outside of declarations.
    pub prefixes: Vec<(String, usize, usize)>,
    /// The prefixes that it declares.
    pub declared: Vec<String>,
}

impl Prepared {
    /// The column of the query as it was given for one of the prepared text; both from 1.
    pub fn column(&self, line: usize, column: usize) -> usize {
        let start = self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
        let rest = self.text.get(start..).unwrap_or_default();
        let end = start + rest.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>();
        let before = self.escapes.iter().filter(|at| (start..end).contains(*at)).count();
        column.saturating_sub(before)
    }
}

fn too_large(message: String) -> Fault {
    Fault::new(FaultCode::LimitReached, message).with("field", "sparql")
}

/// Line and column of a place in a text, in bytes; both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The end of an IRI in angle brackets that begins here; `None` where `<` is a comparison.
fn iri_end(rest: &str) -> Option<usize> {
    let inner = rest.get(1..)?;
    let end = inner
        .find(|c: char| matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\') || c <= ' ')?;
    inner.get(end..)?.starts_with('>').then_some(end + 2)
}

/// The end of a string that begins here with this quote.
fn string_end(rest: &str, quote: char) -> usize {
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let (mark, mut at) =
        if rest.starts_with(&long) { (long.as_str(), 3) } else { (long.get(..1).unwrap_or_default(), 1) };
    while let Some(next) = rest.get(at..).filter(|next| !next.is_empty()) {
        if next.starts_with(mark) {
            return at + mark.len();
        }
        let skipped = if next.starts_with('\\') { 2 } else { 1 };
        at += next.chars().take(skipped).map(char::len_utf8).sum::<usize>();
    }
    rest.len()
}

/// True of what a prefix or local name is made of.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Reads a query as far as is needed before it is parsed.
pub fn prepare(query: &str) -> Result<Prepared, Fault> {
    if query.len() > LONGEST {
        return Err(too_large(format!("The query has {} bytes; up to {LONGEST} are read.", query.len())));
    }
    let mut text = String::with_capacity(query.len() + 8);
    let (mut escapes, mut prefixes, mut declared) = (Vec::new(), Vec::new(), Vec::new());
    let (mut depth, mut operators, mut at, mut is_declaring) = (0usize, 0usize, 0usize, false);
    while let Some(rest) = query.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(first) = rest.chars().next() else { break };
        operators += usize::from("+-*/|&!^=<>({[".contains(first));
        let skipped = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => string_end(rest, first),
            '<' => iri_end(rest).unwrap_or(1),
            '?' | '$' => 1 + rest.get(1..).map_or(0, |name| name.find(|c| !is_name(c)).unwrap_or(name.len())),
            c if is_name(c) || c == ':' => {
                let word = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                if rest.get(word..).is_some_and(|next| next.starts_with(':')) {
                    let prefix = rest.get(..word).unwrap_or_default();
                    let (line, column) = place(query, at);
                    if std::mem::take(&mut is_declaring) {
                        declared.push(prefix.to_owned());
                    } else if prefix != "_" {
                        prefixes.push((prefix.to_owned(), line, column));
                    }
                    let local = rest.get(word + 1..).unwrap_or_default();
                    let is_element = prefix
                        .strip_prefix("inst")
                        .is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()));
                    let in_local =
                        |c: char| is_name(c) || matches!(c, ':' | '.' | '%') || (is_element && c == '$');
                    let length = local.find(|c| !in_local(c)).unwrap_or(local.len());
                    text.push_str(rest.get(..=word).unwrap_or_default());
                    let local = local.get(..length).unwrap_or_default();
                    let (inner, mut dots) = (local.trim_end_matches('.').len(), 0);
                    for (at, c) in local.char_indices() {
                        dots += usize::from(c == '.');
                        if c == '$' || (c == '.' && dots > 1 && at < inner) {
                            escapes.push(text.len());
                            text.push('\\');
                        }
                        text.push(c);
                    }
                    at += word + 1 + length;
                    continue;
                }
                is_declaring = rest.get(..word).is_some_and(|word| word.eq_ignore_ascii_case("prefix"));
                word
            }
            '(' | '{' | '[' => {
                depth += 1;
                if depth > DEEPEST {
                    let (line, column) = place(query, at);
                    return Err(too_large(format!(
                        "Line {line}, column {column}: more than {DEEPEST} brackets within each other. Write the query flatter."
                    )));
                }
                1
            }
            ')' | '}' | ']' => {
                depth = depth.saturating_sub(1);
                1
            }
            c => c.len_utf8(),
        };
        text.push_str(rest.get(..skipped).unwrap_or_default());
        at += skipped.max(1);
    }
    if operators > OPERATORS {
        return Err(too_large(format!(
            "The query has {operators} operators and brackets; up to {OPERATORS} are read."
        )));
    }
    Ok(Prepared { text, escapes, prefixes, declared })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dollars_are_escaped_behind_elements_alone() {
        let query =
            "SELECT $x { inst:2O$r$t ifc:name ?n . ?y$z 'inst:a$b' # inst:c$d\n <http://a#inst:e$f> }";
        let prepared = prepare(query).unwrap();
        assert_eq!(prepared.text, query.replace("2O$r$t", "2O\\$r\\$t"));
        assert_eq!(prepared.column(1, 30), 28, "behind two backslashes");
        assert_eq!(prepared.prefixes.iter().map(|p| p.0.as_str()).collect::<Vec<_>>(), ["inst", "ifc"]);
    }

    #[test]
    fn further_dots_in_a_name_are_escaped_and_the_last_ends_a_statement() {
        let prepared = prepare("ASK { ?s prop:A.B.C ?o . ?s prop:A.B ifc:x. }").unwrap();
        assert_eq!(prepared.text, "ASK { ?s prop:A.B\\.C ?o . ?s prop:A.B ifc:x. }");
    }

    #[test]
    fn declarations_are_told_from_uses() {
        let prepared = prepare("PREFIX ex: <http://a/>\nASK { ?s ex:b \"q:r\" . ?t <c> 3 < 4 }").unwrap();
        assert_eq!(prepared.declared, ["ex"]);
        assert_eq!(prepared.prefixes, [("ex".to_owned(), 2, 10)]);
    }

    #[test]
    fn brackets_within_brackets_end() {
        assert!(prepare(&format!("ASK {}{}", "{".repeat(24), "}".repeat(24))).is_ok());
        let fault = prepare(&format!("ASK\n{}", "(".repeat(25))).unwrap_err();
        assert!(fault.message.starts_with("Line 2, column 25"), "{}", fault.message);
        assert!(prepare(&" ".repeat(LONGEST + 1)).is_err());
        assert!(prepare(&format!("SELECT ({}1 AS ?x) {{}}", "1+".repeat(OPERATORS))).is_err());
    }

    proptest! {
        #[test]
        fn nothing_but_backslashes_is_added(query in "[ -~\n\u{e4}]{0,200}") {
            if let Ok(prepared) = prepare(&query) {
                let mut text = prepared.text.clone();
                for at in prepared.escapes.iter().rev() {
                    text.remove(*at);
                }
                prop_assert_eq!(text, query);
            }
        }
    }
}
