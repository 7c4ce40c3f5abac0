//! From EXPRESS text to what is evaluated: expressions here, statements and functions in [`statement`].
//!
//! Names are resolved while reading, innermost first: variables, attributes of SELF, functions, entities, types,
//! enumeration items. A name that is none of these is an error, so that what parses can be evaluated. How deep and how
//! long an expression may be is bounded, for evaluation and release walk it recursively.

mod primary;
mod statement;

use super::lexer::{SyntaxError, Token, tokens};
use super::names::Names;
use super::syntax::{Binary, Expr, Formula, Interval, Target, Unary};
use ifc::schema::{Entity, EntityId};

pub(super) use statement::{function, heading};

/// The most operators, qualifiers and brackets of an expression.
const LINKS: u32 = 800;

/// The most levels that statements may nest.
const NESTING: u32 = 60;

/// The meaning of a word within a function, rule or query.
#[derive(Debug, Clone)]
enum Binding {
    Slot(u16),
    Population(EntityId),
    /// The name of an ALIAS and the place that it renames.
    Alias(Target),
}

/// Reads one text.
pub(super) struct Parser<'t, 'n> {
    tokens: Vec<(usize, Token<'t>)>,
    at: usize,
    end: usize,
    names: &'n Names,
    /// The entity that SELF is an instance of.
    this: Option<&'static Entity>,
    scope: Vec<(String, Binding)>,
    /// The next free slot, and the most that were taken at once.
    next_slot: u16,
    slots: u16,
    /// Links of the expression at hand, so far.
    links: u32,
    nesting: u32,
}

/// Reads an expression in which SELF is an instance of `this`, or no instance.
pub(super) fn formula(
    text: &str,
    names: &Names,
    this: Option<&'static Entity>,
) -> Result<Formula, SyntaxError> {
    let mut parser = Parser::new(text, names, this)?;
    let expr = parser.expression()?;
    parser.finish()?;
    Ok(Formula { expr, slots: parser.slots })
}

impl<'t, 'n> Parser<'t, 'n> {
    fn new(text: &'t str, names: &'n Names, this: Option<&'static Entity>) -> Result<Self, SyntaxError> {
        Ok(Self {
            tokens: tokens(text)?,
            at: 0,
            end: text.len(),
            names,
            this,
            scope: Vec::new(),
            next_slot: 0,
            slots: 0,
            links: 0,
            nesting: 0,
        })
    }

    fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        let at = self.tokens.get(self.at).map_or(self.end, |(at, _)| *at);
        Err(SyntaxError { at, message: message.into() })
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: &str) -> Result<(), SyntaxError> {
        if self.take_sign(sign) { Ok(()) } else { self.error(format!("{sign} is due here")) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(found)) if found.eq_ignore_ascii_case(word))
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Result<(), SyntaxError> {
        if self.take_word(word) { Ok(()) } else { self.error(format!("{word} is due here")) }
    }

    fn name(&mut self) -> Result<&'t str, SyntaxError> {
        match self.peek() {
            Some(Token::Word(name)) => {
                let name = *name;
                self.at += 1;
                Ok(name)
            }
            _ => self.error("a name is due here"),
        }
    }

    fn finish(&self) -> Result<(), SyntaxError> {
        if self.at == self.tokens.len() { Ok(()) } else { self.error("nothing more is due here") }
    }

    /// Counts one more link of the expression at hand.
    fn link(&mut self) -> Result<(), SyntaxError> {
        self.links += 1;
        if self.links > LINKS { self.error("the expression is too long") } else { Ok(()) }
    }

    fn new_slot(&mut self) -> Result<u16, SyntaxError> {
        let slot = self.next_slot;
        if slot >= 4096 {
            return self.error("too many variables");
        }
        self.next_slot += 1;
        self.slots = self.slots.max(self.next_slot);
        Ok(slot)
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        self.scope.push((name.to_ascii_lowercase(), binding));
    }

    fn bound(&self, name: &str) -> Option<&Binding> {
        let known = self.scope.iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, binding)| binding)
    }

    /// expression = simple_expression [ rel_op_extended simple_expression ]
    fn expression(&mut self) -> Result<Expr, SyntaxError> {
        self.link()?;
        let left = self.simple()?;
        Ok(match self.relation() {
            None => left,
            Some(operator) => {
                let right = self.simple()?;
                Expr::Binary2(operator, Box::new((left, right)))
            }
        })
    }

    fn relation(&mut self) -> Option<Binary> {
        let operator = match self.peek()? {
            Token::Sign("=") => Binary::Equal,
            Token::Sign("<>") => Binary::Unequal,
            Token::Sign("<") => Binary::Less,
            Token::Sign("<=") => Binary::LessOrEqual,
            Token::Sign(">") => Binary::Greater,
            Token::Sign(">=") => Binary::GreaterOrEqual,
            Token::Sign(":=:") => Binary::Same,
            Token::Sign(":<>:") => Binary::NotSame,
            Token::Word(word) if word.eq_ignore_ascii_case("IN") => Binary::In,
            Token::Word(word) if word.eq_ignore_ascii_case("LIKE") => Binary::Like,
            _ => return None,
        };
        self.at += 1;
        Some(operator)
    }

    /// simple_expression = term { add_like_op term }
    fn simple(&mut self) -> Result<Expr, SyntaxError> {
        let mut left = self.term()?;
        loop {
            let operator = match self.peek() {
                Some(Token::Sign("+")) => Binary::Plus,
                Some(Token::Sign("-")) => Binary::Minus,
                Some(Token::Word(word)) if word.eq_ignore_ascii_case("OR") => Binary::Or,
                Some(Token::Word(word)) if word.eq_ignore_ascii_case("XOR") => Binary::Xor,
                _ => return Ok(left),
            };
            self.at += 1;
            self.link()?;
            left = Expr::Binary2(operator, Box::new((left, self.term()?)));
        }
    }

    /// term = factor { multiplication_like_op factor }
    fn term(&mut self) -> Result<Expr, SyntaxError> {
        let mut left = self.factor()?;
        loop {
            let operator = match self.peek() {
                Some(Token::Sign("*")) => Binary::Times,
                Some(Token::Sign("/")) => Binary::Divide,
                Some(Token::Sign("||")) => Binary::Combine,
                Some(Token::Word(word)) if word.eq_ignore_ascii_case("DIV") => Binary::IntegerDivide,
                Some(Token::Word(word)) if word.eq_ignore_ascii_case("MOD") => Binary::Modulo,
                Some(Token::Word(word)) if word.eq_ignore_ascii_case("AND") => Binary::And,
                _ => return Ok(left),
            };
            self.at += 1;
            self.link()?;
            left = Expr::Binary2(operator, Box::new((left, self.factor()?)));
        }
    }

    /// factor = simple_factor [ ** simple_factor ]
    fn factor(&mut self) -> Result<Expr, SyntaxError> {
        let left = self.simple_factor()?;
        if !self.take_sign("**") {
            return Ok(left);
        }
        self.link()?;
        Ok(Expr::Binary2(Binary::Power, Box::new((left, self.simple_factor()?))))
    }

    /// simple_factor = aggregate_initializer | interval | [ unary_op ] ( '(' expression ')' | primary ) | …
    fn simple_factor(&mut self) -> Result<Expr, SyntaxError> {
        let operator = match self.peek() {
            Some(Token::Sign("+")) => Unary::Plus,
            Some(Token::Sign("-")) => Unary::Minus,
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NOT") => Unary::Not,
            Some(Token::Sign("{")) => return self.interval(),
            _ => return self.qualified(),
        };
        self.at += 1;
        self.link()?;
        Ok(Expr::Unary(operator, Box::new(self.simple_factor()?)))
    }

    /// `{ low < item <= high }`
    fn interval(&mut self) -> Result<Expr, SyntaxError> {
        self.sign("{")?;
        self.link()?;
        let low = self.simple()?;
        let low_strict = self.interval_operator()?;
        let item = self.simple()?;
        let high_strict = self.interval_operator()?;
        let high = self.simple()?;
        self.sign("}")?;
        Ok(Expr::Interval(Box::new(Interval { low, low_strict, item, high_strict, high })))
    }

    fn interval_operator(&mut self) -> Result<bool, SyntaxError> {
        if self.take_sign("<") {
            return Ok(true);
        }
        if self.take_sign("<=") {
            return Ok(false);
        }
        self.error("an interval needs < or <= here")
    }
}
