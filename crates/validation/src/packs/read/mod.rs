//! Reads packs: the whole text is looked at, and every mistake is told with its line and column.
//!
//! Nothing is guessed. Unknown keys, measures, units, tables and usages are refused with what is like them; so are values of another kind than is
//! asked for, parameters and tables that nothing uses, and identifiers that are there twice.

mod condition;
mod operand;
mod rule;
mod table;

use super::problem::Problem;
use super::rule::Pack;
use super::source::{Source, Table};
use super::usage::Vocabulary;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The longest text of a pack, in bytes.
const LONGEST: usize = 4 << 20;

/// Reads a pack, or says all that is wrong with it, in the order of the text.
pub fn read(text: &str) -> Result<Pack, Vec<Problem>> {
    if text.len() > LONGEST {
        let message = format!("a pack has at most {LONGEST} bytes, and this has {}", text.len());
        return Err(vec![Problem { line: 0, column: 0, message }]);
    }
    let source = Source::new(text);
    let document = source.parse();
    let root = Table::new(&source, document.get_ref(), 0);
    let pack = pack(&source, &root);
    root.finish();
    let problems = source.into_problems();
    if problems.is_empty() { Ok(pack) } else { Err(problems) }
}

/// The tables and words that the rules of a pack may name.
pub(crate) struct Scope<'s, 't> {
    pub(crate) source: &'s Source<'t>,
    pub(crate) tables: Vec<super::rule::Table>,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) used_tables: RefCell<BTreeSet<String>>,
}

fn pack<'t>(source: &Source<'t>, root: &Table<'_, 't>) -> Pack {
    let head = root.table("pack");
    if !root.has("pack") {
        root.missing(
            "pack",
            "a pack begins with a table [pack] of id, title, edition, source, licence and notes",
        );
    }
    let mut pack = head.as_ref().map_or_else(empty, read_head);
    let mut vocabulary = Vocabulary::shared();
    pack.usages = table::usages(root, &mut vocabulary);
    let tables = table::tables(root, &vocabulary);
    let scope = Scope { source, tables, vocabulary, used_tables: RefCell::default() };
    let rules = root.tables("rule");
    if rules.is_empty() && source_is_sound(root) {
        root.missing("rule", "a pack has at least one rule, in a table [[rule]]");
    }
    let mut known = BTreeSet::new();
    for table in &rules {
        let rule = rule::rule(&scope, table);
        if !rule.id.is_empty() && !known.insert(rule.id.clone()) {
            source.problem(table.place("id"), format!("the rule `{}` is there twice", rule.id));
        }
        pack.rules.push(rule);
    }
    for (name, at) in table::places(root) {
        if !scope.used_tables.borrow().contains(name) {
            source.problem(at, format!("no rule uses the table `{name}`"));
        }
    }
    pack.tables = scope.tables;
    pack
}

/// True unless `rule` is there and no list, which was told of.
fn source_is_sound(root: &Table<'_, '_>) -> bool {
    !root.has("rule")
}

fn empty() -> Pack {
    let none = String::new;
    let (rules, tables, usages) = (Vec::new(), Vec::new(), Vec::new());
    Pack {
        id: none(),
        title: none(),
        edition: none(),
        source: none(),
        licence: none(),
        notes: none(),
        rules,
        tables,
        usages,
    }
}

fn read_head(head: &Table<'_, '_>) -> Pack {
    let pack = Pack {
        id: head.needed_text("id", "what the pack is called in rule identifiers"),
        title: head.needed_text("title", "what the pack is called"),
        edition: head.needed_text("edition", "edition or date of the source"),
        source: head.needed_text("source", "where the rules come from"),
        licence: head.needed_text("licence", "the terms under which its text may be used"),
        notes: head.text("notes").unwrap_or_default(),
        ..empty()
    };
    if !pack.id.is_empty() && !is_identifier(&pack.id) {
        head.source.problem(head.place("id"), "`id` is made of lower-case letters, digits and hyphens");
    }
    head.finish();
    pack
}

/// True of a name of lower-case letters, digits and hyphens.
fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}
