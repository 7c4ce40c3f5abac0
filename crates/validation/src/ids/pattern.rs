//! Regular expressions of XML Schema (XML Schema 1.0 part 2, appendix F), translated for engines of linear time.
//!
//! They are anchored; `^` and `$` are ordinary characters. An escaped punctuation character is that character, also where the appendix
//! does not list it, because many documents write `\/`. Refused are back references, look-around, lazy quantifiers and blocks of
//! Unicode that are not in the table.

use super::automaton::Automaton;
use foldhash::HashMap;
use parking_lot::Mutex;
use regex::{Regex, RegexBuilder};
use std::sync::{Arc, LazyLock};

/// Letters of a pattern at most.
const LONGEST: usize = 10_000;
/// Groups and classes within each other at most.
const DEEPEST: usize = 50;
/// Groups and classes within each other at most, in the translation.
const NEST: u32 = 200;
/// Bytes of a compiled pattern at most.
const LARGEST: usize = 1 << 20;

const NAME_START: &str = r":A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}";
const NAME_REST: &str = r"\-.0-9\u{B7}\u{300}-\u{36F}\u{203F}-\u{2040}";

/// Blocks of Unicode as the appendix names them.
const BLOCKS: [(&str, u32, u32); 30] = [
    ("BasicLatin", 0, 0x7F),
    ("Latin-1Supplement", 0x80, 0xFF),
    ("LatinExtended-A", 0x100, 0x17F),
    ("LatinExtended-B", 0x180, 0x24F),
    ("IPAExtensions", 0x250, 0x2AF),
    ("SpacingModifierLetters", 0x2B0, 0x2FF),
    ("CombiningDiacriticalMarks", 0x300, 0x36F),
    ("Greek", 0x370, 0x3FF),
    ("GreekandCoptic", 0x370, 0x3FF),
    ("Cyrillic", 0x400, 0x4FF),
    ("Armenian", 0x530, 0x58F),
    ("Hebrew", 0x590, 0x5FF),
    ("Arabic", 0x600, 0x6FF),
    ("Devanagari", 0x900, 0x97F),
    ("Thai", 0xE00, 0xE7F),
    ("Georgian", 0x10A0, 0x10FF),
    ("LatinExtendedAdditional", 0x1E00, 0x1EFF),
    ("GreekExtended", 0x1F00, 0x1FFF),
    ("GeneralPunctuation", 0x2000, 0x206F),
    ("SuperscriptsandSubscripts", 0x2070, 0x209F),
    ("CurrencySymbols", 0x20A0, 0x20CF),
    ("LetterlikeSymbols", 0x2100, 0x214F),
    ("NumberForms", 0x2150, 0x218F),
    ("Arrows", 0x2190, 0x21FF),
    ("MathematicalOperators", 0x2200, 0x22FF),
    ("BoxDrawing", 0x2500, 0x257F),
    ("Hiragana", 0x3040, 0x309F),
    ("Katakana", 0x30A0, 0x30FF),
    ("CJKUnifiedIdeographs", 0x4E00, 0x9FFF),
    ("HangulSyllables", 0xAC00, 0xD7A3),
];

/// A pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    engine: Result<Engine, String>,
}

/// The engine of a pattern.
#[derive(Debug, Clone)]
enum Engine {
    /// Of a short pattern, as nearly all are.
    Automaton(Arc<Automaton>),
    /// Of a long one.
    Regex(Regex),
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Pattern {
    /// Translates a pattern; one that cannot be translated is kept with the reason.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), engine: translated(text) }
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reason why it cannot be used.
    pub fn problem(&self) -> Option<&str> {
        self.engine.as_ref().err().map(String::as_str)
    }

    /// True if it matches the whole text; an unusable one matches nothing.
    pub fn is_match(&self, text: &str) -> bool {
        match &self.engine {
            Ok(Engine::Automaton(automaton)) => automaton.accepts(text),
            Ok(Engine::Regex(regex)) => regex.is_match(text),
            Err(_) => false,
        }
    }
}

impl Pattern {
    /// True if it matches every text of these characters of ASCII, a bit for each, but perhaps the empty one; it may do so where this does
    /// not say it.
    pub(super) fn matches_all(&self, letters: u128) -> bool {
        matches!(&self.engine, Ok(Engine::Automaton(automaton)) if automaton.accepts_all(letters))
    }
}

fn translated(text: &str) -> Result<Engine, String> {
    if text.chars().count() > LONGEST {
        return Err(format!("it has more than {LONGEST} characters"));
    }
    let mut translation = Translation { rest: text.chars().peekable(), out: String::new(), depth: 0 };
    translation.alternatives()?;
    if translation.rest.peek().is_some() {
        return Err("a `)` closes nothing; write `\\)` for the character".to_owned());
    }
    if let Some(automaton) = automaton(&translation.out) {
        return Ok(Engine::Automaton(automaton));
    }
    RegexBuilder::new(&format!("^(?:{})$", translation.out))
        .size_limit(LARGEST)
        .nest_limit(NEST)
        .build()
        .map(Engine::Regex)
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "it repeats too much".to_owned(),
            other => other.to_string().lines().last().unwrap_or_default().trim().to_owned(),
        })
}

/// Automata that are kept at most, and their positions: a few MB where all classes are large.
const KEPT: usize = 128;
const SMALL: usize = 8;

/// The automaton of a translation, if it has one; those of small ones are kept, since one document is held against version after version.
fn automaton(translation: &str) -> Option<Arc<Automaton>> {
    static KNOWN: LazyLock<Mutex<HashMap<String, Arc<Automaton>>>> = LazyLock::new(Mutex::default);
    if let Some(known) = KNOWN.lock().get(translation) {
        return Some(Arc::clone(known));
    }
    let made = Arc::new(Automaton::new(translation, NEST)?);
    if made.positions() <= SMALL && translation.len() <= LONGEST / 10 {
        let mut known = KNOWN.lock();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(translation.to_owned(), Arc::clone(&made));
    }
    Some(made)
}

struct Translation<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    out: String,
    depth: usize,
}

impl Translation<'_> {
    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(format!("groups lie more than {DEEPEST} deep")) } else { Ok(()) }
    }

    fn alternatives(&mut self) -> Result<(), String> {
        while let Some(&char) = self.rest.peek() {
            match char {
                ')' => return Ok(()),
                '|' => {
                    self.rest.next();
                    self.out.push('|');
                }
                _ => self.piece()?,
            }
        }
        Ok(())
    }

    fn piece(&mut self) -> Result<(), String> {
        match self.rest.next() {
            Some('(') => {
                if self.rest.peek() == Some(&'?') {
                    return Err("`(?` is no group of XML Schema".to_owned());
                }
                self.deeper()?;
                self.out.push_str("(?:");
                self.alternatives()?;
                if self.rest.next() != Some(')') {
                    return Err("a `(` is not closed; write `\\(` for the character".to_owned());
                }
                self.out.push(')');
                self.depth -= 1;
            }
            Some('[') => {
                let class = self.class()?;
                self.out.push_str(&class);
            }
            Some('.') => self.out.push_str(r"[^\n\r]"),
            Some('\\') => {
                let (class, _) = self.escape()?;
                self.out.push_str(&class);
            }
            Some(char @ ('*' | '+' | '?' | '{')) => {
                return Err(format!("`{char}` repeats nothing; write `\\{char}` for the character"));
            }
            Some(char @ ('}' | ']')) => return Err(format!("write `\\{char}` for the character `{char}`")),
            Some(char) => self.out.push_str(&regex::escape(&char.to_string())),
            None => {}
        }
        self.quantifier()
    }

    fn quantifier(&mut self) -> Result<(), String> {
        match self.rest.peek() {
            Some(&char @ ('*' | '+' | '?')) => {
                self.rest.next();
                self.out.push(char);
            }
            Some('{') => {
                self.rest.next();
                let mut inside = String::new();
                loop {
                    match self.rest.next() {
                        Some('}') => break,
                        Some(char) if char.is_ascii_digit() || char == ',' => inside.push(char),
                        _ => return Err("a quantifier is {n}, {n,} or {n,m}".to_owned()),
                    }
                }
                let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
                let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number <= 1000);
                let (Some(least), most_number) = (number(least), number(most)) else {
                    return Err(format!(
                        "the quantifier {{{inside}}} is none, or repeats more than 1000 times"
                    ));
                };
                if !most.is_empty() && most_number.is_none_or(|most| most < least) {
                    return Err(format!(
                        "the quantifier {{{inside}}} is none, or repeats more than 1000 times"
                    ));
                }
                self.out.push('{');
                self.out.push_str(&inside);
                self.out.push('}');
            }
            _ => return Ok(()),
        }
        match self.rest.peek() {
            Some('?' | '*' | '+' | '{') => Err("a quantifier follows a quantifier".to_owned()),
            _ => Ok(()),
        }
    }

    /// A character class behind its `[`, with what is subtracted from it.
    fn class(&mut self) -> Result<String, String> {
        self.deeper()?;
        let is_negated = self.rest.next_if_eq(&'^').is_some();
        let mut members = String::new();
        let mut subtracted = None;
        let mut is_first = true;
        loop {
            let (text, single) = match self.rest.next() {
                None => return Err("a `[` is not closed; write `\\[` for the character".to_owned()),
                Some(']') if !is_first => break,
                Some('-') if self.rest.peek() == Some(&'[') && !is_first => {
                    self.rest.next();
                    subtracted = Some(self.class()?);
                    if self.rest.next() != Some(']') {
                        return Err("a subtraction ends its class".to_owned());
                    }
                    break;
                }
                Some('[') => return Err("write `\\[` for the character `[` in a class".to_owned()),
                Some(']') => return Err("a class has no members".to_owned()),
                Some('\\') => self.escape()?,
                Some(char) => (member(char), Some(char)),
            };
            is_first = false;
            members.push_str(&text);
            let Some(from) = single else { continue };
            // a range, unless the `-` is the last one of the class or begins a subtraction
            let mut ahead = self.rest.clone();
            if ahead.next() != Some('-') || matches!(ahead.peek(), Some(']' | '[') | None) {
                continue;
            }
            self.rest.next();
            let to = match self.rest.next() {
                Some('\\') => self.escape()?.1,
                other => other,
            };
            let Some(to) = to.filter(|to| from <= *to) else {
                return Err(format!("the range that begins with `{from}` has no end behind it"));
            };
            members.push('-');
            members.push_str(&member(to));
        }
        self.depth -= 1;
        let own = format!("[{}{members}]", if is_negated { "^" } else { "" });
        Ok(subtracted.map_or(own.clone(), |subtracted| format!("[{own}--{subtracted}]")))
    }

    /// A class behind its `\`, and the character if it is a single one.
    fn escape(&mut self) -> Result<(String, Option<char>), String> {
        let class = |text: String| Ok((text, None));
        let Some(char) = self.rest.next() else { return Err("it ends with a `\\`".to_owned()) };
        match char {
            'n' => Ok((r"\n".to_owned(), Some('\n'))),
            'r' => Ok((r"\r".to_owned(), Some('\r'))),
            't' => Ok((r"\t".to_owned(), Some('\t'))),
            's' => class(r"[ \t\n\r]".to_owned()),
            'S' => class(r"[^ \t\n\r]".to_owned()),
            'd' => class(r"\p{Nd}".to_owned()),
            'D' => class(r"\P{Nd}".to_owned()),
            'w' => class(r"[^\p{P}\p{Z}\p{C}]".to_owned()),
            'W' => class(r"[\p{P}\p{Z}\p{C}]".to_owned()),
            'i' => class(format!("[{NAME_START}]")),
            'I' => class(format!("[^{NAME_START}]")),
            'c' => class(format!("[{NAME_START}{NAME_REST}]")),
            'C' => class(format!("[^{NAME_START}{NAME_REST}]")),
            'p' | 'P' => self.category(char == 'P'),
            char if char.is_ascii_punctuation() => Ok((member(char), Some(char))),
            char => Err(format!("`\\{char}` is no escape of XML Schema")),
        }
    }

    fn category(&mut self, is_negated: bool) -> Result<(String, Option<char>), String> {
        let mut name = String::new();
        if self.rest.next() != Some('{') {
            return Err("`\\p` names a category, as in `\\p{Lu}`".to_owned());
        }
        loop {
            match self.rest.next() {
                Some('}') => break,
                Some(char) if name.len() < 60 => name.push(char),
                _ => return Err("`\\p{` is not closed".to_owned()),
            }
        }
        if let Some(block) = name.strip_prefix("Is") {
            let (_, from, to) = BLOCKS
                .iter()
                .find(|(known, _, _)| *known == block)
                .ok_or_else(|| format!("the block of Unicode `{block}` is not known here"))?;
            let not = if is_negated { "^" } else { "" };
            return Ok((format!("[{not}\\u{{{from:X}}}-\\u{{{to:X}}}]"), None));
        }
        let is_category = name.len() <= 2
            && name.starts_with(['L', 'M', 'N', 'P', 'Z', 'S', 'C'])
            && name.chars().skip(1).all(|char| char.is_ascii_lowercase());
        if !is_category || name == "Cs" {
            return Err(format!("`{name}` is no category of Unicode"));
        }
        Ok((format!("\\{}{{{name}}}", if is_negated { 'P' } else { 'p' }), None))
    }
}

/// A character as a member of a class.
fn member(char: char) -> String {
    if char.is_ascii_punctuation() { format!("\\x{:02X}", char as u32) } else { char.to_string() }
}
