//! Functions, global rules and their statements (ISO 10303-11, clauses 9.5, 9.6 and 13).

use super::{Binding, NESTING, Parser};
use crate::express::lexer::{SyntaxError, Token};
use crate::express::names::Names;
use crate::express::syntax::{CaseAction, Expr, Function, Repeat, Shape, Statement, Step, Target};

/// Words that end a list of statements.
const ENDS: [&str; 13] = [
    "END",
    "ELSE",
    "END_IF",
    "END_CASE",
    "END_REPEAT",
    "END_FUNCTION",
    "END_RULE",
    "END_ALIAS",
    "OTHERWISE",
    "WHERE",
    "END_LOCAL",
    "UNTIL",
    "WHILE",
];

/// Counts the parameters of the function that begins here.
pub(in crate::express) fn heading(text: &str, names: &Names) -> Result<u16, SyntaxError> {
    let mut parser = Parser::new(text, names, None)?;
    parser.word("FUNCTION")?;
    parser.name()?;
    Ok(parser.parameters()?.len() as u16)
}

/// Reads a FUNCTION or a RULE, whole.
pub(in crate::express) fn function(
    name: &'static str,
    text: &'static str,
    names: &Names,
) -> Result<Function, SyntaxError> {
    let mut parser = Parser::new(text, names, None)?;
    let is_rule = parser.take_word("RULE");
    if !is_rule {
        parser.word("FUNCTION")?;
    }
    parser.name()?;
    let mut shapes = Vec::new();
    if is_rule {
        parser.populations()?;
    } else {
        shapes = parser.parameters()?;
        parser.sign(":")?;
        parser.shape()?;
    }
    parser.sign(";")?;
    let mut body = Vec::new();
    if parser.take_word("LOCAL") {
        parser.locals(&mut shapes, &mut body)?;
    }
    body.extend(parser.statements()?);
    let mut domain = Vec::new();
    if is_rule && parser.take_word("WHERE") {
        while !parser.is_word("END_RULE") {
            parser.links = 0;
            let start = parser.at;
            let label = match parser.peek() {
                Some(Token::Word(label)) => *label,
                _ => "",
            };
            parser.at += 1;
            if !parser.take_sign(":") {
                parser.at = start;
            }
            domain.push((label, parser.expression()?));
            parser.sign(";")?;
        }
    }
    parser.word(if is_rule { "END_RULE" } else { "END_FUNCTION" })?;
    parser.sign(";")?;
    parser.finish()?;
    let slots = parser.slots;
    Ok(Function { name, shapes: shapes.into(), slots, body: body.into(), domain: domain.into() })
}

impl<'t> Parser<'t, '_> {
    /// `FOR (IfcProject, …)`
    fn populations(&mut self) -> Result<(), SyntaxError> {
        self.word("FOR")?;
        self.sign("(")?;
        loop {
            let name = self.name()?;
            let Some(entity) = self.names.schema.entity(name) else {
                return self.error(format!("the schema has no entity {name}"));
            };
            self.bind(name, Binding::Population(entity.id));
            if self.take_sign(")") {
                return Ok(());
            }
            self.sign(",")?;
        }
    }

    /// `(a, b : IfcDirection; c : REAL)`, or nothing.
    fn parameters(&mut self) -> Result<Vec<Shape>, SyntaxError> {
        let mut shapes = Vec::new();
        if !self.take_sign("(") {
            return Ok(shapes);
        }
        loop {
            self.take_word("VAR");
            let names = self.name_list()?;
            let shape = self.shape()?;
            for name in names {
                let slot = self.new_slot()?;
                self.bind(name, Binding::Slot(slot));
                shapes.push(shape.clone());
            }
            if self.take_sign(")") {
                return Ok(shapes);
            }
            self.sign(";")?;
        }
    }

    /// `a, b :`
    fn name_list(&mut self) -> Result<Vec<&'t str>, SyntaxError> {
        let mut names = vec![self.name()?];
        while self.take_sign(",") {
            names.push(self.name()?);
        }
        self.sign(":")?;
        Ok(names)
    }

    /// A type, of which only the kind of aggregate is kept.
    fn shape(&mut self) -> Result<Shape, SyntaxError> {
        self.nesting += 1;
        if self.nesting > NESTING {
            return self.error("types nest too deep");
        }
        let word = self.name()?.to_ascii_uppercase();
        let mut bounds = None;
        let is_aggregate = matches!(word.as_str(), "LIST" | "SET" | "BAG" | "ARRAY" | "AGGREGATE");
        if is_aggregate {
            if self.take_sign("[") {
                let from = self.simple()?;
                self.sign(":")?;
                bounds = Some(Box::new((from, self.simple()?)));
                self.sign("]")?;
            }
            if self.take_sign(":") {
                self.name()?;
            }
            self.word("OF")?;
            self.take_word("OPTIONAL");
            self.take_word("UNIQUE");
            self.shape()?;
        } else {
            // GENERIC : Item, STRING(22) FIXED
            if self.take_sign(":") {
                self.name()?;
            }
            if self.take_sign("(") {
                self.simple()?;
                self.sign(")")?;
            }
            self.take_word("FIXED");
        }
        self.nesting -= 1;
        Ok(match word.as_str() {
            "LIST" => Shape::List,
            "SET" => Shape::Set,
            "BAG" => Shape::Bag,
            "ARRAY" => Shape::Array(bounds),
            _ => Shape::Any,
        })
    }

    /// Variables up to END_LOCAL; values that they begin with become assignments.
    fn locals(&mut self, shapes: &mut Vec<Shape>, body: &mut Vec<Statement>) -> Result<(), SyntaxError> {
        while !self.take_word("END_LOCAL") {
            self.links = 0;
            let names = self.name_list()?;
            let shape = self.shape()?;
            let first = self.next_slot;
            let value = if self.take_sign(":=") { Some(self.expression()?) } else { None };
            for name in &names {
                let slot = self.new_slot()?;
                self.bind(name, Binding::Slot(slot));
                shapes.push(shape.clone());
            }
            if let Some(value) = value {
                body.extend(
                    (first..self.next_slot)
                        .map(|slot| Statement::Assign(Target { slot, path: Box::default() }, value.clone())),
                );
            }
            self.sign(";")?;
        }
        Ok(())
    }

    /// Statements up to a word that ends them.
    fn statements(&mut self) -> Result<Box<[Statement]>, SyntaxError> {
        let mut list = Vec::new();
        loop {
            match self.peek() {
                Some(Token::Word(word)) if ENDS.iter().any(|end| word.eq_ignore_ascii_case(end)) => {
                    return Ok(list.into());
                }
                None => return self.error("the statements never end"),
                _ => list.push(self.statement()?),
            }
        }
    }

    fn statement(&mut self) -> Result<Statement, SyntaxError> {
        if self.take_sign(";") {
            return Ok(Statement::Nothing);
        }
        self.nesting += 1;
        if self.nesting > NESTING {
            return self.error("statements nest too deep");
        }
        self.links = 0;
        let start = self.at;
        let word = self.name()?.to_ascii_uppercase();
        let statement = match word.as_str() {
            "IF" => self.if_statement()?,
            "CASE" => self.case_statement()?,
            "REPEAT" => self.repeat_statement()?,
            "ALIAS" => self.alias_statement()?,
            "BEGIN" => {
                let list = self.statements()?;
                self.word("END")?;
                Statement::Block(list)
            }
            "RETURN" => {
                let value = if self.is_sign(";") { None } else { Some(self.expression()?) };
                Statement::Return(value)
            }
            "ESCAPE" => Statement::Escape,
            "SKIP" => Statement::Skip,
            "INSERT" | "REMOVE" if self.is_sign("(") => self.list_procedure(word == "INSERT")?,
            _ => {
                self.at = start;
                let target = self.target()?;
                self.sign(":=")?;
                Statement::Assign(target, self.expression()?)
            }
        };
        self.sign(";")?;
        self.nesting -= 1;
        Ok(statement)
    }

    /// A variable and the way into it.
    fn target(&mut self) -> Result<Target, SyntaxError> {
        let name = self.name()?;
        let (slot, mut path) = match self.bound(name) {
            Some(Binding::Slot(slot)) => (*slot, Vec::new()),
            Some(Binding::Alias(target)) => (target.slot, target.path.to_vec()),
            _ => return self.error(format!("{name} is no variable")),
        };
        loop {
            if self.take_sign(".") {
                let name = self.name()?;
                let Some(symbol) = self.names.symbol(name) else {
                    return self.error(format!("no entity has an attribute {name}"));
                };
                path.push(Step::Attribute(symbol));
            } else if self.take_sign("\\") {
                // which of its entities the attribute belongs to makes no difference: names are unique in a lineage
                self.name()?;
            } else if self.take_sign("[") {
                path.push(Step::Index(self.simple()?));
                self.sign("]")?;
            } else {
                return Ok(Target { slot, path: path.into() });
            }
        }
    }

    fn if_statement(&mut self) -> Result<Statement, SyntaxError> {
        let condition = self.expression()?;
        self.word("THEN")?;
        let then = self.statements()?;
        let otherwise = if self.take_word("ELSE") { self.statements()? } else { Box::default() };
        self.word("END_IF")?;
        Ok(Statement::If(condition, then, otherwise))
    }

    fn case_statement(&mut self) -> Result<Statement, SyntaxError> {
        let selector = self.expression()?;
        self.word("OF")?;
        let mut actions = Vec::new();
        let mut otherwise: Box<[Statement]> = Box::default();
        while !self.take_word("END_CASE") {
            if self.take_word("OTHERWISE") {
                self.sign(":")?;
                otherwise = Box::new([self.statement()?]);
                continue;
            }
            self.links = 0;
            let mut labels = vec![self.expression()?];
            while self.take_sign(",") {
                labels.push(self.expression()?);
            }
            self.sign(":")?;
            let body = Box::new([self.statement()?]);
            actions.push(CaseAction { labels: labels.into(), body });
        }
        Ok(Statement::Case(selector, actions.into(), otherwise))
    }

    fn repeat_statement(&mut self) -> Result<Statement, SyntaxError> {
        let mut count = None;
        let (scope, slots) = (self.scope.len(), self.next_slot);
        if !self.is_word("WHILE") && !self.is_word("UNTIL") && !self.is_sign(";") {
            let name = self.name()?;
            self.sign(":=")?;
            let from = self.simple()?;
            self.word("TO")?;
            let to = self.simple()?;
            let by = if self.take_word("BY") { Some(self.simple()?) } else { None };
            let slot = self.new_slot()?;
            self.bind(name, Binding::Slot(slot));
            count = Some((slot, from, to, by));
        }
        let while_true = if self.take_word("WHILE") { Some(self.expression()?) } else { None };
        let until = if self.take_word("UNTIL") { Some(self.expression()?) } else { None };
        self.sign(";")?;
        let body = self.statements()?;
        self.word("END_REPEAT")?;
        self.scope.truncate(scope);
        self.next_slot = slots;
        Ok(Statement::Repeat(Box::new(Repeat { count, while_true, until, body })))
    }

    fn alias_statement(&mut self) -> Result<Statement, SyntaxError> {
        let name = self.name()?;
        self.word("FOR")?;
        let target = self.target()?;
        self.sign(";")?;
        self.bind(name, Binding::Alias(target));
        let body = self.statements()?;
        self.scope.pop();
        self.word("END_ALIAS")?;
        Ok(Statement::Block(body))
    }

    fn list_procedure(&mut self, insert: bool) -> Result<Statement, SyntaxError> {
        self.sign("(")?;
        let target = self.target()?;
        self.sign(",")?;
        let first: Expr = self.expression()?;
        let statement = if insert {
            self.sign(",")?;
            Statement::Insert(target, first, self.expression()?)
        } else {
            Statement::Remove(target, first)
        };
        self.sign(")")?;
        Ok(statement)
    }
}
