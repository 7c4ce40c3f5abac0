//! Formulas over the columns of a record: `[Area] * 45`, `if([Width] < 900, "narrow", "")`. Computed here, and written as formulas of
//! spreadsheet programs (OpenFormula 1.2).

mod parse;

use crate::Cell;

/// A formula that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {at}: {problem}")]
pub struct BadFormula {
    /// Characters before it.
    pub at: usize,
    /// The fault and its remedy.
    pub problem: String,
}

/// An operation on two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Join,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// Every operator as it is written, how strongly it binds, and how spreadsheet programs write it.
    const ALL: [(&'static str, Self, u8); 12] = [
        ("<=", Self::LessOrEqual, 1),
        (">=", Self::GreaterOrEqual, 1),
        ("<>", Self::Unequal, 1),
        ("<", Self::Less, 1),
        (">", Self::Greater, 1),
        ("=", Self::Equal, 1),
        ("&", Self::Join, 2),
        ("+", Self::Add, 3),
        ("-", Self::Subtract, 3),
        ("*", Self::Multiply, 4),
        ("/", Self::Divide, 4),
        ("^", Self::Power, 5),
    ];

    fn sign(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, operator, _)| *operator == self).map_or("", |(sign, ..)| sign)
    }
}

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Abs,
    Ceiling,
    Floor,
    If,
    Max,
    Min,
    Round,
}

impl Function {
    /// Every function by its name, with the least and the greatest number of values that it takes.
    const ALL: [(&'static str, Self, usize, usize); 7] = [
        ("abs", Self::Abs, 1, 1),
        ("ceiling", Self::Ceiling, 1, 1),
        ("floor", Self::Floor, 1, 1),
        ("if", Self::If, 3, 3),
        ("max", Self::Max, 1, 30),
        ("min", Self::Min, 1, 30),
        ("round", Self::Round, 2, 2),
    ];
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Number(f64),
    Text(String),
    Column(usize),
    Negative(Box<Node>),
    Two(Operator, Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
}

/// A formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    node: Node,
}

impl Formula {
    /// Reads a formula. Columns stand in square brackets; `find` knows their positions.
    pub fn parse(text: &str, find: &dyn Fn(&str) -> Result<usize, String>) -> Result<Self, BadFormula> {
        parse::parse(text, find).map(|node| Self { node })
    }

    /// The columns that it reads, each once, in the order of their positions.
    pub fn columns(&self) -> Vec<usize> {
        let mut found = Vec::new();
        gather(&self.node, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The value for a record. Nothing where a column that it needs is empty, where a text stands for a number, or where it is divided by
    /// nought.
    pub fn value(&self, cells: &[Cell]) -> Cell {
        if self.columns().iter().any(|at| cells.get(*at).is_none_or(Cell::is_empty)) {
            return Cell::Empty;
        }
        value(&self.node, cells).unwrap_or_default()
    }

    /// The formula as a spreadsheet program reads it; `cell` gives the address of a column's cell in the row.
    pub fn spreadsheet(&self, cell: &dyn Fn(usize) -> String) -> String {
        let mut text = String::new();
        write(&self.node, cell, &mut text);
        let columns: Vec<String> = self.columns().into_iter().map(cell).collect();
        if columns.is_empty() {
            return format!("=IFERROR({text},\"\")");
        }
        // a cell without value counts as nought there, and as nothing here
        let empty = columns.iter().map(|cell| format!("{cell}=\"\"")).collect::<Vec<_>>().join(",");
        format!("=IF(OR({empty}),\"\",IFERROR({text},\"\"))")
    }
}

fn gather(node: &Node, found: &mut Vec<usize>) {
    match node {
        Node::Column(at) => found.push(*at),
        Node::Negative(inner) => gather(inner, found),
        Node::Two(_, a, b) => {
            gather(a, found);
            gather(b, found);
        }
        Node::Call(_, values) => values.iter().for_each(|value| gather(value, found)),
        Node::Number(_) | Node::Text(_) => {}
    }
}

fn finite(number: f64) -> Option<Cell> {
    number.is_finite().then_some(Cell::Number(number))
}

fn value(node: &Node, cells: &[Cell]) -> Option<Cell> {
    let number = |node: &Node| value(node, cells)?.number();
    match node {
        Node::Number(number) => finite(*number),
        Node::Text(text) => Some(Cell::Text(text.clone())),
        Node::Column(at) => cells.get(*at).cloned(),
        Node::Negative(inner) => finite(-number(inner)?),
        Node::Two(operator, a, b) => two(*operator, &value(a, cells)?, &value(b, cells)?),
        Node::Call(Function::If, values) => {
            let [condition, then, otherwise] = values.as_slice() else { return None };
            match value(condition, cells)? {
                Cell::Truth(true) => value(then, cells),
                Cell::Truth(false) => value(otherwise, cells),
                _ => None,
            }
        }
        Node::Call(function, values) => {
            let numbers: Vec<f64> = values.iter().map(number).collect::<Option<_>>()?;
            let first = *numbers.first()?;
            finite(match function {
                Function::Abs => first.abs(),
                Function::Ceiling => first.ceil(),
                Function::Floor => first.floor(),
                Function::Max => numbers.iter().copied().fold(first, f64::max),
                Function::Min => numbers.iter().copied().fold(first, f64::min),
                Function::Round => {
                    let scale = 10_f64.powi(numbers.get(1)?.clamp(-15.0, 15.0) as i32);
                    // half away from nought, as spreadsheet programs do, with the noise of binary fractions taken off before
                    let scaled = first * scale;
                    let tidy: f64 = format!("{scaled:.13e}").parse().unwrap_or(scaled);
                    tidy.round() / scale
                }
                Function::If => return None,
            })
        }
    }
}

fn two(operator: Operator, a: &Cell, b: &Cell) -> Option<Cell> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let ordering = || match (a, b) {
        (Cell::Number(a), Cell::Number(b)) => Some(a.total_cmp(b)),
        (Cell::Text(a), Cell::Text(b)) => Some(a.to_lowercase().cmp(&b.to_lowercase())),
        (Cell::Truth(a), Cell::Truth(b)) => Some(a.cmp(b)),
        _ => None,
    };
    let compared = |wanted: &[std::cmp::Ordering]| Some(Cell::Truth(wanted.contains(&ordering()?)));
    let numbers = |compute: &dyn Fn(f64, f64) -> f64| finite(compute(a.number()?, b.number()?));
    match operator {
        Operator::Add => numbers(&|a, b| a + b),
        Operator::Subtract => numbers(&|a, b| a - b),
        Operator::Multiply => numbers(&|a, b| a * b),
        Operator::Divide => numbers(&|a, b| a / b),
        Operator::Power => numbers(&f64::powf),
        Operator::Join => Some(Cell::Text(format!("{}{}", a.words(), b.words()))),
        Operator::Equal => compared(&[Equal]),
        Operator::Unequal => compared(&[Less, Greater]),
        Operator::Less => compared(&[Less]),
        Operator::LessOrEqual => compared(&[Less, Equal]),
        Operator::Greater => compared(&[Greater]),
        Operator::GreaterOrEqual => compared(&[Greater, Equal]),
    }
}

fn write(node: &Node, cell: &dyn Fn(usize) -> String, out: &mut String) {
    let list = |name: &str, values: &[Node], out: &mut String| {
        out.push_str(name);
        for (at, value) in values.iter().enumerate() {
            out.push(if at == 0 { '(' } else { ',' });
            write(value, cell, out);
        }
        out.push(')');
    };
    match node {
        Node::Number(number) => out.push_str(&Cell::Number(*number).words()),
        Node::Text(text) => {
            out.push('"');
            out.push_str(&text.replace('"', "\"\""));
            out.push('"');
        }
        Node::Column(at) => out.push_str(&cell(*at)),
        Node::Negative(inner) => {
            out.push_str("(-");
            write(inner, cell, out);
            out.push(')');
        }
        Node::Two(operator, a, b) => {
            out.push('(');
            write(a, cell, out);
            out.push_str(operator.sign());
            write(b, cell, out);
            out.push(')');
        }
        // CEILING and FLOOR take a step there, and treat negative numbers in several ways
        Node::Call(Function::Floor, values) => list("INT", values, out),
        Node::Call(Function::Ceiling, values) => {
            out.push_str("(-INT(-");
            for value in values {
                write(value, cell, out);
            }
            out.push_str("))");
        }
        Node::Call(function, values) => {
            let name = Function::ALL.into_iter().find(|(_, known, ..)| known == function);
            list(&name.map_or_else(String::new, |(name, ..)| name.to_uppercase()), values, out);
        }
    }
}
