//! The grammar of selectors, by recursive descent over characters.

use super::{COMPUTED, Facet, Operator, Path, Pattern, Selector, SelectorError, Test, Wanted, expression};
use regex::Regex;

/// Longer selectors are refused: nobody writes them, and every facet costs a pass over the model.
const LONGEST: usize = 8_192;

pub(super) fn selector(text: &str) -> Result<Selector, SelectorError> {
    let mut reader = Reader { text: text.chars().collect(), at: 0 };
    if reader.text.len() > LONGEST {
        return Err(reader.error(&format!("a selector has at most {LONGEST} characters; this one is longer")));
    }
    reader.skip();
    if reader.peek().is_none() {
        return Err(
            reader.error("the selector is empty; say a class such as IfcWall, or IfcProduct for everything")
        );
    }
    let mut lists = Vec::new();
    loop {
        let mut facets = vec![reader.facet()?];
        while reader.take(',') {
            facets.push(reader.facet()?);
        }
        lists.push(facets);
        if !reader.take('+') || reader.peek().is_none() {
            break;
        }
    }
    if reader.peek().is_some() {
        let message = "expected a comma (and), a plus (or) or the end; a value with spaces or signs goes in quotes, as in Name=\"Living room\"";
        return Err(reader.error(message));
    }
    Ok(Selector { lists })
}

struct Reader {
    text: Vec<char>,
    at: usize,
}

enum Name {
    Quoted(String),
    Regex(Regex),
    Bare(String),
}

impl Reader {
    fn error(&self, message: &str) -> SelectorError {
        SelectorError { at: self.at, message: message.to_owned() }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn peek_after(&self, by: usize) -> Option<char> {
        self.text.get(self.at + by).copied()
    }

    /// Steps over blanks and `/* comments */`.
    fn skip(&mut self) {
        loop {
            while self.peek().is_some_and(char::is_whitespace) {
                self.at += 1;
            }
            if self.peek() != Some('/') || self.peek_after(1) != Some('*') {
                return;
            }
            let rest = self.text.get(self.at + 2..).unwrap_or_default();
            let Some(end) = rest.windows(2).position(|pair| pair == ['*', '/']) else { return };
            self.at += end + 4;
        }
    }

    fn take(&mut self, sign: char) -> bool {
        self.skip();
        let found = self.peek() == Some(sign);
        self.at += usize::from(found);
        self.skip();
        found
    }

    fn facet(&mut self) -> Result<Facet, SelectorError> {
        self.skip();
        let start = self.at;
        let not = self.take('!');
        if let Some(guid) = self.guid() {
            return Ok(Facet::Instance { guid, not });
        }
        if let Some(name) = self.class() {
            return Ok(Facet::Class { name, not });
        }
        if not {
            return Err(self.error("expected a class or a GlobalId after !, as in IfcElement, !IfcWall; to negate a comparison write !=, as in Name!=\"x\""));
        }
        if self.starts_with("query:") {
            self.at += "query:".len();
            return self.query();
        }
        let name = self.name()?;
        if self.take('.') {
            let property = self.name().map_err(|error| SelectorError {
                message: "expected the name of a property, as in Pset_WallCommon.FireRating=F90".to_owned(),
                ..error
            })?;
            if self.peek() == Some('.') {
                return Err(self.error("a property is a set and a name, as in Pset_WallCommon.FireRating; for longer paths write query:\"a.b.c\"=\"x\", and put names that hold dots in quotes"));
            }
            let test = self.test("Pset_WallCommon.FireRating=F90")?;
            return Ok(Facet::Property { set: pattern(name), name: pattern(property), test });
        }
        let Name::Bare(word) = name else {
            return Err(self.error("expected a dot and the name of a property after the set's name, as in \"My set\".FireRating=F90"));
        };
        self.skip();
        if !self.peek().is_some_and(|c| matches!(c, '=' | '!' | '<' | '>' | '*')) {
            self.at = start;
            return Err(self.error(&format!(
                "`{word}` is no class, GlobalId or comparison; write a class such as IfcWall, an attribute such as Name=\"x\", or a property such as Pset_WallCommon.FireRating=F90"
            )));
        }
        match word.as_str() {
            "type" => Ok(Facet::Type(self.test("type=\"WT01\"")?)),
            "material" => Ok(Facet::Material(self.test("material=/.*concrete.*/")?)),
            "classification" => Ok(Facet::Classification(self.test("classification=\"EF_25_10\"")?)),
            "location" => Ok(Facet::Location(self.test("location=\"Level 1\"")?)),
            "group" => Ok(Facet::Group(self.test("group=\"Ventilation\"")?)),
            "parent" => Ok(Facet::Parent(self.test("parent=\"Level 1\"")?)),
            "storey" => Ok(Facet::Related { key: "storey", test: self.test("storey=\"Level 1\"")? }),
            "space" => Ok(Facet::Related { key: "space", test: self.test("space=\"A101\"")? }),
            "host" => Ok(Facet::Related { key: "host", test: self.test("host=\"W1\"")? }),
            "part_of" => Ok(Facet::Related { key: "part_of", test: self.test("part_of=\"Roof\"")? }),
            name if COMPUTED.contains(&name) => {
                let name = COMPUTED.into_iter().find(|known| *known == name).unwrap_or_default();
                Ok(Facet::Computed { name, test: self.test("volume>2")? })
            }
            _ if is_attribute(&word) => Ok(Facet::Attribute { name: word, test: self.test("Name=\"x\"")? }),
            _ => {
                self.at = start;
                Err(self.error(&format!(
                    "`{word}` is neither an attribute (they begin with a capital, as in Name=\"x\") nor one of type, material, classification, location, storey, space, group, parent, host, part_of, nor one that is computed, such as volume; a property needs its set, as in Pset_WallCommon.FireRating=F90"
                )))
            }
        }
    }

    fn query(&mut self) -> Result<Facet, SelectorError> {
        self.skip();
        let start = self.at;
        let keys = if self.peek() == Some('"') {
            self.quoted()?
        } else {
            // dots are taken here as well, although IfcOpenShell wants such paths in quotes
            self.run_of(|c| !matches!(c, ',' | '=' | '>' | '<' | '*' | '!') && !c.is_whitespace())
        };
        let path = Path::parse(&keys)
            .map_err(|error| SelectorError { at: start + error.at, message: error.message })?;
        Ok(Facet::Query { path, test: self.test("query:\"storey.Name\"=\"Level 1\"")? })
    }

    fn guid(&mut self) -> Option<String> {
        let text: String = self.text.get(self.at..self.at + 22)?.iter().collect();
        crate::guid::expand(&text)?;
        self.ends_facet(22).then(|| {
            self.at += 22;
            text
        })
    }

    fn class(&mut self) -> Option<String> {
        if !self.starts_with("Ifc") {
            return None;
        }
        let length = self.text.iter().skip(self.at).take_while(|c| c.is_alphanumeric() || **c == '_').count();
        if length < 4 || self.goes_on(length) {
            return None;
        }
        let name = self.text.get(self.at..self.at + length)?.iter().collect();
        self.at += length;
        Some(name)
    }

    /// True if a facet could end after so many characters.
    fn ends_facet(&mut self, after: usize) -> bool {
        let here = self.at;
        self.at += after;
        self.skip();
        let ends = matches!(self.peek(), None | Some(',' | '+'));
        self.at = here;
        ends
    }

    /// True if what stands after so many characters makes a property or comparison of them.
    fn goes_on(&mut self, after: usize) -> bool {
        let here = self.at;
        self.at += after;
        self.skip();
        let goes_on = matches!(self.peek(), Some('.' | '=' | '!' | '<' | '>' | '*'));
        self.at = here;
        goes_on
    }

    fn starts_with(&self, word: &str) -> bool {
        word.chars().enumerate().all(|(by, c)| self.peek_after(by) == Some(c))
    }

    fn run_of(&mut self, keep: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&keep) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default().iter().collect()
    }

    fn bare(&mut self) -> String {
        self.run_of(|c| !matches!(c, ',' | '.' | '=' | '>' | '<' | '*' | '!') && !c.is_whitespace())
    }

    /// A name of a set, property or attribute.
    fn name(&mut self) -> Result<Name, SelectorError> {
        self.skip();
        if self.peek() == Some('"') {
            let text = self.quoted()?;
            self.skip();
            return Ok(Name::Quoted(text));
        }
        if let Some(regex) = self.regex()? {
            self.skip();
            return Ok(Name::Regex(regex));
        }
        let word = self.bare();
        if word.is_empty() {
            return Err(self.error("expected a class such as IfcWall, an attribute such as Name=\"x\", or a property such as Pset_WallCommon.FireRating=F90"));
        }
        self.skip();
        Ok(Name::Bare(word))
    }

    fn quoted(&mut self) -> Result<String, SelectorError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '"' => return Ok(text),
                '\\' if self.peek() == Some('"') => {
                    text.push('"');
                    self.at += 1;
                }
                '\\' if self.peek() == Some('\\') => {
                    text.push_str("\\\\");
                    self.at += 1;
                }
                other => text.push(other),
            }
        }
        self.at = start;
        Err(self.error("the quotation mark that opens here is never closed"))
    }

    /// `/…/`; none, and no step, if no second stroke follows.
    fn regex(&mut self) -> Result<Option<Regex>, SelectorError> {
        if self.peek() != Some('/') {
            return Ok(None);
        }
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|c| *c == '/').filter(|length| *length > 0) else {
            return Ok(None);
        };
        let pattern: String = rest.iter().take(length).collect();
        // `\/` is no end of an expression, and IfcOpenShell then takes the whole for a word
        if pattern.ends_with('\\') {
            return Ok(None);
        }
        let regex = expression::compile(&pattern).map_err(|message| self.error(&message))?;
        self.at += length + 2;
        Ok(Some(regex))
    }

    fn test(&mut self, example: &str) -> Result<Test, SelectorError> {
        self.skip();
        let not = self.take('!');
        let (operator, length) = match (self.peek(), self.peek_after(1)) {
            (Some('>'), Some('=')) => (Operator::GreaterOrEqual, 2),
            (Some('<'), Some('=')) => (Operator::LessOrEqual, 2),
            (Some('*'), Some('=')) => (Operator::Contains, 2),
            (Some('>'), _) => (Operator::Greater, 1),
            (Some('<'), _) => (Operator::Less, 1),
            (Some('='), _) => (Operator::Equal, 1),
            _ => {
                return Err(self.error(&format!(
                    "expected a comparison, one of = != > >= < <= *= !*=, as in {example}"
                )));
            }
        };
        if not && !matches!(operator, Operator::Equal | Operator::Contains) {
            return Err(
                self.error(&format!("only = and *= can be negated, as in {}", example.replace('=', "!=")))
            );
        }
        self.at += length;
        self.skip();
        let wanted = self.value(example)?;
        self.skip();
        Ok(Test { operator, not, wanted })
    }

    fn value(&mut self, example: &str) -> Result<Wanted, SelectorError> {
        match self.peek() {
            Some('"') => return self.quoted().map(Wanted::Text),
            Some('/') => {
                if let Some(regex) = self.regex()? {
                    return Ok(Wanted::Regex(regex));
                }
            }
            _ => {}
        }
        if let Some(number) = self.decimal() {
            return Ok(Wanted::Text(number));
        }
        let word = self.bare();
        match word.as_str() {
            "" => Err(self.error(&format!(
                "expected a value, as in {example}; put it in quotes if it holds spaces or signs"
            ))),
            "NULL" => Ok(Wanted::Null),
            "TRUE" => Ok(Wanted::Truth(true)),
            "FALSE" => Ok(Wanted::Truth(false)),
            _ => Ok(Wanted::Text(word)),
        }
    }

    /// `2.5`, `-.5`: the one bare word that may hold a dot.
    fn decimal(&mut self) -> Option<String> {
        let here = self.at;
        let mut text = String::new();
        if let Some(sign) = self.peek().filter(|c| matches!(c, '+' | '-')) {
            text.push(sign);
            self.at += 1;
        }
        text.push_str(&self.run_of(|c| c.is_ascii_digit()));
        if self.peek() == Some('.') && self.peek_after(1).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            text.push('.');
            text.push_str(&self.run_of(|c| c.is_ascii_digit()));
            return Some(text);
        }
        self.at = here;
        None
    }
}

fn pattern(name: Name) -> Pattern {
    match name {
        Name::Quoted(text) | Name::Bare(text) => Pattern::Exact(text),
        Name::Regex(regex) => Pattern::Regex(regex),
    }
}

fn is_attribute(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && word.chars().count() > 1
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
