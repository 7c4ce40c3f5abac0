//! The leaves of expressions and what is written behind them: literals, names, calls, constructors, queries,
//! aggregates, and the qualifiers `.x`, `\X` and `[i]`.

use super::{Binding, Parser};
use crate::express::lexer::{SyntaxError, Token};
use crate::express::syntax::{BuiltIn, Expr, Step};
use crate::express::truth::Truth;
use ifc::schema::Definition;

impl Parser<'_, '_> {
    /// A primary with its qualifiers.
    pub(super) fn qualified(&mut self) -> Result<Expr, SyntaxError> {
        let mut expr = self.primary()?;
        loop {
            if self.take_sign(".") {
                self.link()?;
                let name = self.name()?;
                let Some(symbol) = self.names.symbol(name) else {
                    return self.error(format!("no entity has an attribute {name}"));
                };
                expr = Expr::Attribute(Box::new(expr), symbol);
            } else if self.take_sign("\\") {
                self.link()?;
                let name = self.name()?;
                let Some(entity) = self.names.schema.entity(name) else {
                    return self.error(format!("the schema has no entity {name}"));
                };
                expr = Expr::Group(Box::new(expr), entity.id);
            } else if self.take_sign("[") {
                self.link()?;
                let index = self.simple()?;
                expr = if self.take_sign(":") {
                    Expr::Slice(Box::new((expr, index, self.simple()?)))
                } else {
                    Expr::Index(Box::new((expr, index)))
                };
                self.sign("]")?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, SyntaxError> {
        let Some(token) = self.peek().cloned() else { return self.error("an expression is due here") };
        let word = match token {
            Token::Word(word) => word,
            Token::Sign("(") => {
                self.at += 1;
                let expr = self.expression()?;
                self.sign(")")?;
                return Ok(expr);
            }
            Token::Sign("[") => return self.aggregate(),
            other => {
                let expr = match other {
                    Token::Integer(value) => Expr::Integer(value),
                    Token::Real(value) => Expr::Real(value),
                    Token::Binary(digits) => Expr::Binary(digits.into()),
                    Token::Text(text) => {
                        let named = self.names.named(&text);
                        Expr::Text(text.into(), named)
                    }
                    Token::Sign("?") => Expr::Indeterminate,
                    _ => return self.error("no expression can begin like this"),
                };
                self.at += 1;
                return Ok(expr);
            }
        };
        self.at += 1;
        let capitals = word.to_ascii_uppercase();
        match capitals.as_str() {
            "SELF" => return Ok(Expr::This),
            "TRUE" => return Ok(Expr::Logical(Truth::True)),
            "FALSE" => return Ok(Expr::Logical(Truth::False)),
            "UNKNOWN" => return Ok(Expr::Logical(Truth::Unknown)),
            "PI" => return Ok(Expr::Real(std::f64::consts::PI)),
            "CONST_E" => return Ok(Expr::Real(std::f64::consts::E)),
            "QUERY" => return self.query(),
            _ => {}
        }
        self.named(word, &capitals)
    }

    /// Reads a word that is no keyword.
    fn named(&mut self, word: &str, capitals: &str) -> Result<Expr, SyntaxError> {
        match self.bound(word) {
            Some(Binding::Slot(slot)) => return Ok(Expr::Slot(*slot)),
            Some(Binding::Population(entity)) => return Ok(Expr::Population(*entity)),
            Some(Binding::Alias(target)) => {
                let start = Expr::Slot(target.slot);
                return Ok(target.path.iter().fold(start, |expr, step| match step {
                    Step::Attribute(symbol) => Expr::Attribute(Box::new(expr), *symbol),
                    Step::Index(index) => Expr::Index(Box::new((expr, index.clone()))),
                }));
            }
            None => {}
        }
        let is_call = self.is_sign("(");
        if is_call {
            let lower = word.to_ascii_lowercase();
            if let Some((_, built_in, least, most)) = BuiltIn::ALL.iter().find(|entry| entry.0 == lower) {
                let arguments = self.arguments()?;
                if arguments.len() < *least || arguments.len() > *most {
                    return self.error(format!("{capitals} has {least} to {most} arguments"));
                }
                return Ok(Expr::BuiltIn(*built_in, arguments));
            }
            if let Some((function, parameters)) = self.names.function(word) {
                let arguments = self.arguments()?;
                if arguments.len() != usize::from(parameters) {
                    return self.error(format!("{word} has {parameters} parameters"));
                }
                return Ok(Expr::Call(function, arguments));
            }
            if let Some(entity) = self.names.schema.entity(word) {
                let arguments = self.arguments()?;
                let own = entity.attributes.iter().filter(|a| a.owner == entity.name).count();
                if arguments.len() > own {
                    return self.error(format!("{} itself has {own} attributes", entity.name));
                }
                return Ok(Expr::Construct(entity.id, arguments));
            }
        }
        if let Some(this) = self.this
            && let Some(symbol) = self.names.symbol(word)
            && self.names.has_attribute(this, symbol)
        {
            return Ok(Expr::Attribute(Box::new(Expr::This), symbol));
        }
        if let Some(function) = self.names.function(word).filter(|(_, parameters)| *parameters == 0) {
            return Ok(Expr::Call(function.0, Box::default()));
        }
        // `IfcWallTypeEnum.SHEAR`
        if let Some(declared) = self.names.schema.type_declaration(word)
            && let Definition::Enumeration(items) = declared.definition
        {
            self.sign(".")?;
            let item = self.name()?.to_ascii_uppercase();
            if !items.iter().any(|known| known.eq_ignore_ascii_case(&item)) {
                return self.error(format!("{} has no item {item}", declared.name));
            }
            return Ok(Expr::Item(item.into()));
        }
        if self.names.is_item(capitals) {
            return Ok(Expr::Item(capitals.into()));
        }
        self.at -= 1;
        self.error(format!("{word} stands for nothing here"))
    }

    fn arguments(&mut self) -> Result<Box<[Expr]>, SyntaxError> {
        self.sign("(")?;
        let mut arguments = Vec::new();
        if !self.take_sign(")") {
            loop {
                arguments.push(self.expression()?);
                if self.take_sign(")") {
                    break;
                }
                self.sign(",")?;
            }
        }
        Ok(arguments.into())
    }

    /// `[a, b : 3]`
    fn aggregate(&mut self) -> Result<Expr, SyntaxError> {
        self.sign("[")?;
        self.link()?;
        let mut members = Vec::new();
        if !self.take_sign("]") {
            loop {
                let member = self.expression()?;
                let count = if self.take_sign(":") { Some(self.simple()?) } else { None };
                members.push((member, count));
                if self.take_sign("]") {
                    break;
                }
                self.sign(",")?;
            }
        }
        Ok(Expr::Aggregate(members.into()))
    }

    /// `QUERY(temp <* source | condition)`
    fn query(&mut self) -> Result<Expr, SyntaxError> {
        self.sign("(")?;
        self.link()?;
        let name = self.name()?;
        self.sign("<*")?;
        let source = self.simple()?;
        self.sign("|")?;
        let slot = self.new_slot()?;
        self.bind(name, Binding::Slot(slot));
        let condition = self.expression()?;
        self.scope.pop();
        self.next_slot -= 1;
        self.sign(")")?;
        Ok(Expr::Query(slot, Box::new((source, condition))))
    }
}
