//! Reads formulas: operators by their binding, functions, columns in square brackets, texts in quotes.

use super::{BadFormula, Function, Node, Operator};

/// Characters of a formula at most.
const LONGEST: usize = 2_000;
/// Parts within parts at most.
const DEEPEST: usize = 40;

struct Reader<'t> {
    text: &'t str,
    /// Bytes read.
    at: usize,
    find: &'t dyn Fn(&str) -> Result<usize, String>,
}

/// Reads a formula whole.
pub(super) fn parse(text: &str, find: &dyn Fn(&str) -> Result<usize, String>) -> Result<Node, BadFormula> {
    // people write it as spreadsheet programs do
    let skipped = text.len() - text.trim_start().trim_start_matches('=').len();
    let mut reader = Reader { text, at: skipped, find };
    if text.chars().count() > LONGEST {
        return Err(reader.bad(format!("a formula has at most {LONGEST} characters")));
    }
    let node = reader.expression(0, 0)?;
    reader.skip();
    if reader.rest().is_empty() {
        Ok(node)
    } else {
        Err(reader.bad("an operator or the end is expected".into()))
    }
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn bad(&self, problem: String) -> BadFormula {
        let before = self.text.get(..self.at).unwrap_or_default();
        BadFormula { at: before.chars().count(), problem }
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip();
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len() } else { 0 };
        is_there
    }

    fn expects(&mut self, sign: &str) -> Result<(), BadFormula> {
        if self.takes(sign) { Ok(()) } else { Err(self.bad(format!("`{sign}` is expected"))) }
    }

    /// The words up to a closing sign, which is read too.
    fn up_to(&mut self, closing: char) -> Result<String, BadFormula> {
        let Some(length) = self.rest().find(closing) else {
            return Err(self.bad(format!("`{closing}` is missing")));
        };
        let words = self.rest().get(..length).unwrap_or_default().to_owned();
        self.at += length + closing.len_utf8();
        Ok(words)
    }

    fn expression(&mut self, least: u8, depth: usize) -> Result<Node, BadFormula> {
        if depth > DEEPEST {
            return Err(self.bad(format!("more than {DEEPEST} parts stand within each other")));
        }
        let mut left = self.operand(depth)?;
        loop {
            self.skip();
            let rest = self.rest();
            let next = Operator::ALL.into_iter().find(|(sign, ..)| rest.starts_with(sign));
            let Some((sign, operator, binding)) = next.filter(|(.., binding)| *binding > least) else {
                return Ok(left);
            };
            self.at += sign.len();
            let right = self.expression(binding, depth + 1)?;
            left = Node::Two(operator, Box::new(left), Box::new(right));
        }
    }

    fn operand(&mut self, depth: usize) -> Result<Node, BadFormula> {
        self.skip();
        let next = self.rest().chars().next();
        match next {
            Some('(') => {
                self.at += 1;
                let inner = self.expression(0, depth + 1)?;
                self.expects(")")?;
                Ok(inner)
            }
            Some('-') => {
                self.at += 1;
                // binds as spreadsheet programs have it: before powers
                Ok(Node::Negative(Box::new(self.expression(5, depth + 1)?)))
            }
            Some('[') => {
                self.at += 1;
                let start = self.at;
                let name = self.up_to(']')?;
                (self.find)(name.trim()).map(Node::Column).map_err(|problem| {
                    self.at = start;
                    self.bad(problem)
                })
            }
            Some('"') => {
                self.at += 1;
                let mut text = self.up_to('"')?;
                while self.rest().starts_with('"') {
                    self.at += 1;
                    text.push('"');
                    text.push_str(&self.up_to('"')?);
                }
                Ok(Node::Text(text))
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.call(depth),
            _ => Err(self.bad("a number, a [column], a \"text\" or a function is expected".into())),
        }
    }

    fn number(&mut self) -> Result<Node, BadFormula> {
        let length = self.rest().find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest().len());
        let words = self.rest().get(..length).unwrap_or_default();
        match words.parse::<f64>().ok().filter(|number| number.is_finite()) {
            Some(number) => {
                self.at += length;
                Ok(Node::Number(number))
            }
            None => Err(self.bad(format!("`{words}` is no number"))),
        }
    }

    fn call(&mut self, depth: usize) -> Result<Node, BadFormula> {
        let start = self.at;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let name = self.rest().get(..length).unwrap_or_default().to_owned();
        self.at += length;
        let known = Function::ALL.into_iter().find(|(known, ..)| name.eq_ignore_ascii_case(known));
        let Some((_, function, least, most)) = known else {
            self.at = start;
            let names = Function::ALL.map(|(name, ..)| name).join(", ");
            let problem = format!(
                "`{name}` is no function; a column stands in brackets, as in [{name}], and functions are {names}"
            );
            return Err(self.bad(problem));
        };
        self.expects("(")?;
        let mut values = vec![self.expression(0, depth + 1)?];
        while self.takes(",") || self.takes(";") {
            values.push(self.expression(0, depth + 1)?);
        }
        self.expects(")")?;
        if values.len() < least || values.len() > most {
            self.at = start;
            let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
            return Err(self.bad(format!("{name} takes {wanted} values, not {}", values.len())));
        }
        Ok(Node::Call(function, values))
    }
}
