//! The declarations of an EXPRESS schema: types, and entities with their explicit, derived and inverse attributes.
//! Where rules, functions and global rules are for [`super::rules`].

use super::lexer::Token;
use anyhow::{Context, Result, bail};

/// A schema as its file declares it.
#[derive(Debug, Default)]
pub struct Express {
    /// `IFC4`, `IFC4X3_ADD2`, …
    pub name: String,
    /// In the file's order.
    pub types: Vec<TypeDeclaration>,
    /// In the file's order.
    pub entities: Vec<EntityDeclaration>,
}

/// `TYPE name = …; END_TYPE;`
#[derive(Debug)]
pub struct TypeDeclaration {
    pub name: String,
    pub definition: Definition,
}

/// The definition of a type.
#[derive(Debug)]
pub enum Definition {
    Enumeration(Vec<String>),
    Select(Vec<String>),
    Defined(Type),
}

/// The kind of an aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    List,
    Set,
    Bag,
    Array,
}

/// The type of an attribute or of a defined type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `REAL`, `INTEGER`, `STRING`, … or the name of a declaration.
    Named(String),
    /// `STRING(22) FIXED` or `BINARY(32)`: at most, or exactly, so many characters or bits.
    Wide { name: String, width: u32, fixed: bool },
    /// LIST, SET, BAG or ARRAY.
    Aggregate { word: Aggregate, unique: bool, min: u32, max: Option<u32>, of: Box<Type> },
}

/// `ENTITY name … END_ENTITY;`
#[derive(Debug, Default)]
pub struct EntityDeclaration {
    pub name: String,
    pub is_abstract: bool,
    pub supertype: Option<String>,
    /// Explicit attributes in order.
    pub attributes: Vec<AttributeDeclaration>,
    /// Attributes of supertypes that are declared anew with a narrower type.
    pub redeclared: Vec<AttributeDeclaration>,
    /// Names of attributes of supertypes that are derived here, hence `*` in a file.
    pub derived: Vec<String>,
    pub inverses: Vec<InverseDeclaration>,
}

/// `Name : OPTIONAL IfcLabel;`
#[derive(Debug, Clone)]
pub struct AttributeDeclaration {
    pub name: String,
    pub optional: bool,
    pub of: Type,
}

/// `IsDefinedBy : SET [0:?] OF IfcRelDefines FOR RelatedObjects;`
#[derive(Debug)]
pub struct InverseDeclaration {
    pub name: String,
    pub entity: String,
    pub attribute: String,
    pub min: u32,
    pub max: Option<u32>,
    /// Declared as one instance, not as a set of them.
    pub single: bool,
}

/// Reads the declarations of one schema.
pub fn parse(tokens: &[Token]) -> Result<Express> {
    let mut parser = Parser { tokens, at: 0 };
    let mut schema = Express::default();
    while let Some(token) = parser.next() {
        let Token::Word(word) = token else { continue };
        match word.to_ascii_uppercase().as_str() {
            "SCHEMA" => schema.name = parser.word()?,
            "TYPE" => schema.types.push(parser.type_declaration()?),
            "ENTITY" => schema.entities.push(parser.entity()?),
            "FUNCTION" => parser.skip_past("END_FUNCTION"),
            "RULE" => parser.skip_past("END_RULE"),
            _ => {}
        }
    }
    if schema.name.is_empty() || schema.entities.is_empty() {
        bail!("no EXPRESS schema in this file");
    }
    Ok(schema)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Option<&'t Token> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    fn word(&mut self) -> Result<String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word.clone()),
            other => bail!("expected a name, found {other:?} at token {}", self.at),
        }
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword))
    }

    fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        self.at += usize::from(found);
        found
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: char) -> Result<()> {
        if self.take_sign(sign) {
            return Ok(());
        }
        bail!("expected {sign:?}, found {:?} at token {}", self.tokens.get(self.at), self.at)
    }

    fn skip_past(&mut self, keyword: &str) {
        while self.at < self.tokens.len() && !self.take_keyword(keyword) {
            self.at += 1;
        }
    }

    fn skip_statement(&mut self) {
        while self.at < self.tokens.len() && !self.take_sign(';') {
            self.at += 1;
        }
    }

    /// `(A, B, C)`
    fn names(&mut self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.sign('(')?;
        loop {
            names.push(self.word()?);
            if self.take_sign(')') {
                return Ok(names);
            }
            self.sign(',')?;
        }
    }

    fn type_declaration(&mut self) -> Result<TypeDeclaration> {
        let name = self.word()?;
        self.sign('=')?;
        let definition = if self.take_keyword("ENUMERATION") {
            self.take_keyword("OF");
            Definition::Enumeration(self.names()?)
        } else if self.take_keyword("SELECT") {
            Definition::Select(self.names()?)
        } else {
            Definition::Defined(self.type_of().with_context(|| format!("in TYPE {name}"))?)
        };
        self.skip_past("END_TYPE");
        Ok(TypeDeclaration { name, definition })
    }

    fn type_of(&mut self) -> Result<Type> {
        let name = self.word()?;
        let word = match name.to_ascii_uppercase().as_str() {
            "LIST" => Some(Aggregate::List),
            "SET" => Some(Aggregate::Set),
            "BAG" => Some(Aggregate::Bag),
            "ARRAY" => Some(Aggregate::Array),
            _ => None,
        };
        let Some(word) = word else {
            if !self.take_sign('(') {
                return Ok(Type::Named(name));
            }
            let width = match self.next() {
                Some(Token::Literal(number)) => number.parse().context("width")?,
                other => bail!("expected a width, found {other:?}"),
            };
            self.sign(')')?;
            return Ok(Type::Wide { name, width, fixed: self.take_keyword("FIXED") });
        };
        let (mut min, mut max) = (0, None);
        if self.take_sign('[') {
            (min, max) = self.bounds()?;
        }
        if !self.take_keyword("OF") {
            bail!("expected OF after {name} at token {}", self.at);
        }
        let unique = self.take_keyword("UNIQUE");
        let of = Box::new(self.type_of()?);
        // an array's bounds are its first and last index
        if word == Aggregate::Array
            && let Some(last) = max
        {
            let count = (last + 1).saturating_sub(min);
            (min, max) = (count, Some(count));
        }
        Ok(Type::Aggregate { word, unique, min, max, of })
    }

    /// `1:?]`
    fn bounds(&mut self) -> Result<(u32, Option<u32>)> {
        let min = match self.next() {
            Some(Token::Literal(number)) => number.parse().context("lower bound")?,
            other => bail!("expected a lower bound, found {other:?}"),
        };
        self.sign(':')?;
        let max = match self.next() {
            Some(Token::Literal(number)) => number.parse().ok(),
            _ => None,
        };
        self.sign(']')?;
        Ok((min, max))
    }

    fn entity(&mut self) -> Result<EntityDeclaration> {
        let mut entity = EntityDeclaration { name: self.word()?, ..EntityDeclaration::default() };
        while !self.take_sign(';') {
            if self.take_keyword("ABSTRACT") {
                entity.is_abstract = true;
            } else if self.take_keyword("SUBTYPE") {
                self.take_keyword("OF");
                entity.supertype = self.names()?.into_iter().next();
            } else if self.next().is_none() {
                bail!("ENTITY {} never ends", entity.name);
            }
        }
        let name = entity.name.clone();
        self.entity_body(&mut entity).with_context(|| format!("in ENTITY {name}"))?;
        Ok(entity)
    }

    fn entity_body(&mut self, entity: &mut EntityDeclaration) -> Result<()> {
        #[derive(Clone, Copy)]
        enum Part {
            Explicit,
            Derived,
            Inverse,
            Rules,
        }
        let mut part = Part::Explicit;
        while !self.take_keyword("END_ENTITY") {
            if self.take_keyword("DERIVE") {
                part = Part::Derived;
            } else if self.take_keyword("INVERSE") {
                part = Part::Inverse;
            } else if self.take_keyword("WHERE") || self.take_keyword("UNIQUE") {
                part = Part::Rules;
            } else if self.at >= self.tokens.len() {
                bail!("END_ENTITY is missing");
            } else {
                match part {
                    Part::Explicit => self.explicit(entity)?,
                    Part::Derived => {
                        if let Some(name) = self.redeclared_name()? {
                            entity.derived.push(name);
                        }
                        self.skip_statement();
                    }
                    Part::Inverse => self.inverse(entity)?,
                    Part::Rules => self.skip_statement(),
                }
            }
        }
        Ok(())
    }

    /// `SELF\IfcNamedUnit.Dimensions` → `Dimensions`; any other start is left alone.
    fn redeclared_name(&mut self) -> Result<Option<String>> {
        if !self.take_keyword("SELF") {
            return Ok(None);
        }
        self.sign('\\')?;
        self.word()?;
        self.sign('.')?;
        self.word().map(Some)
    }

    fn explicit(&mut self, entity: &mut EntityDeclaration) -> Result<()> {
        let redeclared = self.redeclared_name()?;
        let mut names = Vec::new();
        let anew = redeclared.is_some();
        if let Some(name) = redeclared {
            names.push(name);
        } else {
            names.push(self.word()?);
        }
        while self.take_sign(',') {
            names.push(self.word()?);
        }
        self.sign(':')?;
        let optional = self.take_keyword("OPTIONAL");
        let of = self.type_of()?;
        self.skip_statement();
        let into = if anew { &mut entity.redeclared } else { &mut entity.attributes };
        into.extend(names.into_iter().map(|name| AttributeDeclaration { name, optional, of: of.clone() }));
        Ok(())
    }

    fn inverse(&mut self, entity: &mut EntityDeclaration) -> Result<()> {
        if let Some(name) = self.redeclared_name()? {
            bail!("the inverse attribute {name} is declared anew, which no IFC schema does");
        }
        let name = self.word()?;
        self.sign(':')?;
        let (of, min, max, single) = match self.type_of()? {
            Type::Aggregate { min, max, of, .. } => (*of, min, max, false),
            single => (single, 1, Some(1), true),
        };
        let Type::Named(by) = of else { bail!("the inverse attribute {name} is nested") };
        if !self.take_keyword("FOR") {
            bail!("expected FOR in the inverse attribute {name}");
        }
        let attribute = self.word()?;
        self.skip_statement();
        entity.inverses.push(InverseDeclaration { name, entity: by, attribute, min, max, single });
        Ok(())
    }
}
