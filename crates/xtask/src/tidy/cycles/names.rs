//! What a file declares, imports and names, read from its tokens.

use super::tokens::{Token, shipped};
use std::collections::{BTreeMap, BTreeSet};

/// A path that stands in a module, as it is written: `["super", "config", "Group"]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The inline modules of the file that it stands in.
    pub within: Vec<String>,
    pub path: Vec<String>,
}

/// An import.
#[derive(Debug, Clone)]
pub struct Import {
    pub named: Named,
    /// The name that it has here; none for `use a::*`.
    pub name: Option<String>,
    /// True if others may import it from here.
    pub is_public: bool,
}

/// The names that one file declares and uses.
#[derive(Debug, Default)]
pub struct Names {
    /// Items that are declared in it.
    pub items: BTreeSet<String>,
    /// Its inline modules, as paths from it.
    pub modules: BTreeSet<Vec<String>>,
    pub imports: Vec<Import>,
    /// Paths of its code, and single words, each once.
    pub named: Vec<Named>,
}

impl Names {
    /// Reads a file.
    pub fn parse(text: &str) -> Self {
        let tokens = shipped(text);
        let mut names = Self::default();
        let mut seen: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
        // inline modules that are open, each with the depth of braces that it was opened at
        let (mut open, mut depth): (Vec<(String, usize)>, usize) = (Vec::new(), 0);
        let (mut at, mut is_public) = (0, false);
        while let Some(token) = tokens.get(at) {
            let within = || open.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            match *token {
                Token::Word("use") => {
                    at += 1;
                    let mut leaves = Vec::new();
                    use_tree(&tokens, &mut at, &[], &mut leaves);
                    names.imports.extend(leaves.into_iter().map(|(path, name)| Import {
                        named: Named { within: within(), path },
                        name,
                        is_public,
                    }));
                    is_public = false;
                    continue;
                }
                Token::Word("pub") => {
                    is_public = true;
                    // `pub(crate)`, `pub(in path)`
                    if tokens.get(at + 1) == Some(&Token::Mark('(')) {
                        let closed = tokens.iter().skip(at).position(|token| *token == Token::Mark(')'));
                        at += closed.unwrap_or_default();
                    }
                    at += 1;
                    continue;
                }
                Token::Word("mod") => {
                    if let (Some(Token::Word(name)), Some(Token::Mark('{'))) =
                        (tokens.get(at + 1), tokens.get(at + 2))
                    {
                        open.push(((*name).to_owned(), depth));
                        names.modules.insert(open.iter().map(|(name, _)| name.clone()).collect());
                        depth += 1;
                    }
                    at += 3;
                    is_public = false;
                    continue;
                }
                Token::Word("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union") => {
                    if let Some(Token::Word(name)) = tokens.get(at + 1) {
                        names.items.insert((*name).to_owned());
                    }
                }
                Token::Word("macro_rules") => {
                    if let Some(Token::Word(name)) = tokens.get(at + 2) {
                        names.items.insert((*name).to_owned());
                    }
                }
                Token::Word(_) => {
                    let path = path_at(&tokens, at);
                    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                    let length = path.len();
                    if !matches!(before, Some(Token::Mark('.') | Token::Path)) {
                        seen.entry(within()).or_default().insert(path);
                    }
                    at += 2 * length - 1;
                    is_public = false;
                    continue;
                }
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => {
                    depth = depth.saturating_sub(1);
                    open.pop_if(|(_, opened)| *opened == depth);
                }
                _ => {}
            }
            is_public = false;
            at += 1;
        }
        for (within, paths) in seen {
            names.named.extend(paths.into_iter().map(|path| Named { within: within.clone(), path }));
        }
        names
    }
}

/// The words of a path that begins here.
fn path_at(tokens: &[Token<'_>], begins: usize) -> Vec<String> {
    let mut path = Vec::new();
    let mut at = begins;
    while let Some(Token::Word(word)) = tokens.get(at) {
        path.push((*word).to_owned());
        if tokens.get(at + 1) != Some(&Token::Path) {
            break;
        }
        at += 2;
    }
    path
}

/// Reads a tree of imports to its end: each leaf's path, and the name that it gets.
fn use_tree(
    tokens: &[Token<'_>],
    at: &mut usize,
    before: &[String],
    leaves: &mut Vec<(Vec<String>, Option<String>)>,
) {
    let mut path = before.to_vec();
    while let Some(token) = tokens.get(*at) {
        *at += 1;
        match *token {
            // `as` is followed by the name; `use ::a` names a foreign crate, which is no concern here
            Token::Word("as") => {
                let name = tokens.get(*at).and_then(|token| match token {
                    Token::Word(name) => Some((*name).to_owned()),
                    _ => None,
                });
                *at += 1;
                leaves.push((std::mem::take(&mut path), name));
            }
            Token::Word("self") if !path.is_empty() => {}
            Token::Word(word) => path.push(word.to_owned()),
            Token::Path => {}
            Token::Mark('*') => leaves.push((std::mem::take(&mut path), None)),
            Token::Mark('{') => {
                while !matches!(tokens.get(*at), None | Some(Token::Mark('}'))) {
                    use_tree(tokens, at, &path, leaves);
                }
                *at += 1;
                path.clear();
            }
            Token::Mark('}') => {
                // the group's own end, which its reader takes
                *at -= 1;
                break;
            }
            // a comma ends one branch of a group, a semicolon the whole
            Token::Mark(_) => break,
        }
    }
    if let Some(last) = path.last().filter(|_| path.len() > 1) {
        let name = Some(last.clone());
        leaves.push((path, name));
    }
}
