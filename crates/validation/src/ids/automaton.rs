//! Patterns as automata of at most 64 positions (Glushkov 1961), one bit each: they are made in microseconds, where an engine that
//! compiles classes of Unicode into bytes takes a millisecond, and they step over a text in linear time all the same.
//!
//! Refused is what needs more positions, and whatever is no plain regular expression, such as assertions within.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

/// Positions at most, bits of a set.
const MOST: usize = 64;

/// A set of positions.
type Set = u64;

/// An automaton that accepts whole texts.
#[derive(Debug, Clone)]
pub(super) struct Automaton {
    /// True if it accepts the empty text.
    is_nullable: bool,
    first: Set,
    last: Set,
    /// The positions that may follow each position.
    follow: Vec<Set>,
    /// The positions that accept any number of their characters, as in `.*`.
    alone: Set,
    /// The positions whose class has each character of ASCII.
    ascii: [Set; 128],
    classes: Vec<ClassUnicode>,
}

/// A part of an expression: what it begins and ends with.
#[derive(Clone, Copy)]
struct Part {
    is_nullable: bool,
    first: Set,
    last: Set,
}

/// The automaton that matches the empty text and nothing else.
const EMPTY: Part = Part { is_nullable: true, first: 0, last: 0 };

impl Automaton {
    /// The automaton of an expression in the syntax of the crate regex, `nest` groups and classes within each other at most; none where it
    /// is refused.
    pub fn new(expression: &str, nest: u32) -> Option<Self> {
        let parsed = ParserBuilder::new().nest_limit(nest).build().parse(expression).ok()?;
        let mut automaton = Self {
            is_nullable: true,
            first: 0,
            last: 0,
            follow: Vec::new(),
            alone: 0,
            ascii: [0; 128],
            classes: Vec::new(),
        };
        let whole = automaton.part(&parsed)?;
        (automaton.is_nullable, automaton.first, automaton.last) =
            (whole.is_nullable, whole.first, whole.last);
        let again = (0..).zip(&automaton.follow).filter(|(at, follow)| *follow >> at & 1 == 1);
        automaton.alone = again.fold(0, |all, (at, _)| all | 1 << at) & whole.first & whole.last;
        Some(automaton)
    }

    /// The number of its positions.
    pub fn positions(&self) -> usize {
        self.classes.len()
    }

    /// True if it accepts the whole text.
    pub fn accepts(&self, text: &str) -> bool {
        if text.is_empty() {
            return self.is_nullable;
        }
        if self.alone != 0 && self.is_run(text.as_bytes()) {
            return true;
        }
        let (mut at, mut next) = (0, self.first);
        for char in text.chars() {
            let now = self.having(char, next);
            if now == 0 {
                return false;
            }
            // within a repetition the same positions follow again and again
            if now == at {
                continue;
            }
            at = now;
            next = 0;
            let mut rest = at;
            while rest != 0 {
                next |= self.follow.get(rest.trailing_zeros() as usize).copied().unwrap_or(0);
                rest &= rest - 1;
            }
        }
        at & self.last != 0
    }

    /// True if it accepts every text of these characters of ASCII, a bit for each, but perhaps the empty one; it may be so where this does
    /// not say it.
    pub fn accepts_all(&self, letters: u128) -> bool {
        let has = |at: usize, of: Set| if letters >> at & 1 == 1 { of } else { Set::MAX };
        self.ascii.iter().enumerate().fold(self.alone, |all, (at, of)| all & has(at, *of)) != 0
    }

    /// True if one position that accepts by itself has every character of a text of ASCII.
    fn is_run(&self, text: &[u8]) -> bool {
        let has = |of, byte: &u8| of & self.ascii.get(usize::from(*byte)).copied().unwrap_or(0);
        text.iter().try_fold(self.alone, |of, byte| Some(has(of, byte)).filter(|of| *of != 0)).is_some()
    }

    /// Those of some positions whose class has a character.
    fn having(&self, char: char, of: Set) -> Set {
        if let Some(known) = self.ascii.get(char as usize) {
            return known & of;
        }
        let (mut found, mut rest) = (0, of);
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            if self.classes.get(at).is_some_and(|class| has(class, char)) {
                found |= 1 << at;
            }
            rest &= rest - 1;
        }
        found
    }

    fn part(&mut self, hir: &Hir) -> Option<Part> {
        Some(match hir.kind() {
            HirKind::Empty => EMPTY,
            HirKind::Capture(capture) => self.part(&capture.sub)?,
            HirKind::Class(Class::Unicode(class)) => self.position(class.clone())?,
            HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => return None,
            HirKind::Literal(literal) => {
                let mut whole = EMPTY;
                for char in std::str::from_utf8(&literal.0).ok()?.chars() {
                    let range = regex_syntax::hir::ClassUnicodeRange::new(char, char);
                    let next = self.position(ClassUnicode::new([range]))?;
                    whole = self.joined(whole, next);
                }
                whole
            }
            HirKind::Concat(parts) => {
                let mut whole = EMPTY;
                for part in parts {
                    let next = self.part(part)?;
                    whole = self.joined(whole, next);
                }
                whole
            }
            HirKind::Alternation(parts) => {
                let mut whole = Part { is_nullable: false, first: 0, last: 0 };
                for part in parts {
                    let next = self.part(part)?;
                    whole = Part {
                        is_nullable: whole.is_nullable || next.is_nullable,
                        first: whole.first | next.first,
                        last: whole.last | next.last,
                    };
                }
                whole
            }
            HirKind::Repetition(own) => self.repeated(&own.sub, own.min, own.max)?,
        })
    }

    /// A part so often, each time with positions of its own.
    fn repeated(&mut self, part: &Hir, least: u32, most: Option<u32>) -> Option<Part> {
        let mut whole = EMPTY;
        let times = most.unwrap_or(least.max(1));
        for time in 0..times {
            let known = self.classes.len();
            let mut next = self.part(part)?;
            // a part without a position is the empty text however often it stands there
            let is_empty = self.classes.len() == known;
            if most.is_none() && time + 1 == times {
                self.connect(next.last, next.first);
            }
            next.is_nullable |= time >= least;
            whole = self.joined(whole, next);
            if is_empty {
                break;
            }
        }
        Some(whole)
    }

    fn joined(&mut self, first: Part, second: Part) -> Part {
        self.connect(first.last, second.first);
        Part {
            is_nullable: first.is_nullable && second.is_nullable,
            first: first.first | if first.is_nullable { second.first } else { 0 },
            last: second.last | if second.is_nullable { first.last } else { 0 },
        }
    }

    /// Lets some positions follow others.
    fn connect(&mut self, from: Set, to: Set) {
        for (at, follow) in self.follow.iter_mut().enumerate() {
            if from >> at & 1 == 1 {
                *follow |= to;
            }
        }
    }

    /// A further position.
    fn position(&mut self, class: ClassUnicode) -> Option<Part> {
        let at = self.classes.len();
        if at == MOST {
            return None;
        }
        let bit = 1 << at;
        for range in class.ranges().iter().take_while(|range| range.start().is_ascii()) {
            for char in range.start() as usize..=range.end().min('\x7F') as usize {
                if let Some(known) = self.ascii.get_mut(char) {
                    *known |= bit;
                }
            }
        }
        self.classes.push(class);
        self.follow.push(0);
        Some(Part { is_nullable: false, first: bit, last: bit })
    }
}

/// True if a class has a character; its ranges are in order.
fn has(class: &ClassUnicode, char: char) -> bool {
    let ranges = class.ranges();
    let after = ranges.partition_point(|range| range.start() <= char);
    after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|range| char <= range.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// Numbers that look like chance, the same each time.
    struct Dice(u64);

    impl Dice {
        fn next(&mut self, below: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) as usize) % below
        }

        /// An expression of some depth.
        fn expression(&mut self, depth: usize) -> String {
            const ATOMS: [&str; 12] = [
                "a",
                "b",
                "é",
                "[^\\n\\r]",
                "[a-b]",
                "[^a]",
                "\\p{L}",
                "\\P{Nd}",
                "[0-9]",
                "(?:)",
                "[a&&b]",
                "ab",
            ];
            const TIMES: [&str; 9] = ["*", "+", "?", "{2}", "{0}", "{1,3}", "{2,}", "{0,2}", "{0,}"];
            match if depth == 0 { 0 } else { self.next(5) } {
                0 => ATOMS[self.next(ATOMS.len())].to_owned(),
                1 => format!("{}{}", self.expression(depth - 1), self.expression(depth - 1)),
                2 => format!("(?:{}|{})", self.expression(depth - 1), self.expression(depth - 1)),
                3 => format!("({})", self.expression(depth - 1)),
                _ => format!("(?:{}){}", self.expression(depth - 1), TIMES[self.next(TIMES.len())]),
            }
        }

        fn text(&mut self) -> String {
            const CHARS: [char; 9] = ['a', 'b', 'é', '1', 'Z', '\n', '٣', '中', ' '];
            (0..self.next(6)).map(|_| CHARS[self.next(CHARS.len())]).collect()
        }
    }

    #[test]
    fn texts_are_accepted_that_the_engine_of_expressions_matches_whole() {
        let mut dice = Dice(3);
        let (mut made, mut accepted, mut refused) = (0, 0, 0);
        for _ in 0..3000 {
            let expression = dice.expression(4);
            let Some(automaton) = Automaton::new(&expression, 200) else { continue };
            made += 1;
            let regex = Regex::new(&format!("^(?:{expression})$")).unwrap();
            for _ in 0..20 {
                let text = dice.text();
                assert_eq!(automaton.accepts(&text), regex.is_match(&text), "{expression} {text:?}");
                if automaton.accepts(&text) { accepted += 1 } else { refused += 1 }
            }
        }
        assert!(made > 2000 && accepted > 5000 && refused > 5000, "{made} {accepted} {refused}");
    }

    #[test]
    fn patterns_that_accept_all_of_some_letters_are_known() {
        let letters = |text: &str| text.bytes().fold(0u128, |all, byte| all | 1 << byte);
        let accepts = |expression: &str, of: &str| {
            let automaton = Automaton::new(expression, 200).unwrap();
            let told = automaton.accepts_all(letters(of));
            // what it says holds for its letters, one by one and together
            let all = of.chars().map(String::from).chain([of.to_owned(), of.repeat(3)]);
            assert!(!told || all.into_iter().all(|text| automaton.accepts(&text)), "{expression} {of}");
            told
        };
        for expression in ["[^\\n\\r]*", "[^\\n\\r]+", "[A-Z0-9]+", "a?[A-Z0-9]*", "[A-Z0-9]*|b"] {
            assert!(accepts(expression, "ABZ09"), "{expression}");
        }
        for expression in ["[A-Z]*", "A[A-Z0-9]*", "[A-Z0-9]*9", "[A-Z0-9]?", "[A-Z0-9]{2}", "[^9]*", ""] {
            assert!(!accepts(expression, "ABZ09"), "{expression}");
        }
    }

    #[test]
    fn what_is_too_large_or_looks_around_is_refused_in_little_time() {
        for expression in ["a{65}", "(?:a{8}){9}", "(?:(?:a{1000}){1000}){1000}", "^a", r"a\b", "("] {
            assert!(Automaton::new(expression, 200).is_none(), "{expression}");
        }
        // nothing so often is nothing
        assert!(Automaton::new("(?:(?:(?:){1000}){1000}){1000}", 200).unwrap().accepts(""));
        assert!(Automaton::new("[a-z]{64}", 200).unwrap().accepts(&"q".repeat(64)));
    }
}
