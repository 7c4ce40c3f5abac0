//! Import cycles between the files of one crate. Two or three files that need each other are one thing in several files; a longer
//! cycle means that nothing in it can be read, tested or moved alone.
//!
//! An import counts for the file that declares the name, not for those that pass it on (`pub use`). What a file takes from the
//! modules that it stands in does not count: `mod.rs` is the ground on which its children stand, and hands them their work. What
//! text does not show, such as calls of methods and names made by macros, is not counted either.

mod names;
mod tokens;

use names::{Named, Names};
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

/// Files that may need each other.
const LONGEST: usize = 3;
/// How many arrows of a cycle are told.
const ARROWS_TOLD: usize = 40;
/// How often a name may be passed on before it is given up.
const PASSES: usize = 16;

/// A module by the names that lead to it from the root of its crate.
type Module = Vec<String>;

/// The files of one crate: modules, and what each says.
#[derive(Default)]
struct Crate {
    files: BTreeMap<Module, (String, Names)>,
}

/// From one file to another: the names that the first takes from the second.
type Edges = BTreeMap<(String, String), BTreeSet<String>>;

/// Findings on these files, by name and text: each cycle that is too long.
pub fn check(files: &[(String, String)]) -> Vec<String> {
    let mut crates: BTreeMap<String, Crate> = BTreeMap::new();
    for (name, text) in files {
        if let Some((root, module)) = module_of(name) {
            let known = crates.entry(root.to_owned()).or_default();
            known.files.insert(module, (name.clone(), Names::parse(text)));
        }
    }
    crates.values().flat_map(|one| cycles(&one.edges())).collect()
}

/// The source folder of a file's crate, and the module that the file is; none for tests and what is no part of a crate.
fn module_of(name: &str) -> Option<(&str, Module)> {
    let inside = name.strip_prefix("crates/")?.strip_suffix(".rs")?;
    let (of_crate, path) = inside.split_once("/src/")?;
    let root = name.get(.."crates/".len() + of_crate.len() + "/src".len())?;
    let mut module: Module = path.split('/').map(str::to_owned).collect();
    if module.iter().any(|part| part == "tests" || part.ends_with("_tests")) {
        return None;
    }
    if module.last().is_some_and(|last| last == "mod") || ["lib", "main"].contains(&path) {
        module.pop();
    }
    Some((root, module))
}

impl Crate {
    fn edges(&self) -> Edges {
        let mut edges = Edges::new();
        for (module, (file, names)) in &self.files {
            let ground: Vec<String> =
                (0..=module.len()).filter_map(|length| self.file(module.get(..length)?)).collect();
            let mut add = |named: &Named| {
                let target = self.resolve(module, named).filter(|target| !ground.contains(target));
                if let (Some(target), Some(last)) = (target, named.path.last()) {
                    edges.entry((file.clone(), target)).or_default().insert(last.clone());
                }
            };
            for named in &names.named {
                add(named);
            }
            for import in names.imports.iter().filter(|import| !import.is_public) {
                // of a module only what is taken from it counts
                if !self.is_module(module, &import.named) {
                    add(&import.named);
                }
            }
        }
        edges
    }

    /// The file that declares what a path names, if it is one of this crate.
    fn resolve(&self, module: &Module, named: &Named) -> Option<String> {
        let here: Module = module.iter().chain(&named.within).cloned().collect();
        let (start, rest) = self.start(&here, &named.path)?;
        self.find(start, rest, 0)
    }

    /// True if a path ends at a module.
    fn is_module(&self, module: &Module, named: &Named) -> bool {
        let here: Module = module.iter().chain(&named.within).cloned().collect();
        let Some((mut at, rest)) = self.start(&here, &named.path) else { return false };
        at.extend(rest.iter().cloned());
        let declared = || {
            let (name, outer) = at.split_last()?;
            Some(self.names(outer)?.items.contains(name))
        };
        self.exists(&at) && !declared().unwrap_or(false)
    }

    /// The module where a path begins, and the rest of it; none for paths of other crates and for single words that no import knows.
    fn start<'a>(&self, here: &Module, path: &'a [String]) -> Option<(Module, &'a [String])> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((Module::new(), rest)),
            "self" if !rest.is_empty() => Some((here.clone(), rest)),
            "super" => {
                let (mut outer, mut rest) = (here.clone(), rest);
                outer.pop()?;
                while let Some((_, more)) = rest.split_first().filter(|(word, _)| *word == "super") {
                    outer.pop()?;
                    rest = more;
                }
                Some((outer, rest))
            }
            // a child, or a name that is imported here; a word alone may as well be a variable of that name
            _ if self.imports(here, first).is_some() => Some((here.clone(), path)),
            _ if !rest.is_empty() && self.exists(&[here.as_slice(), slice::from_ref(first)].concat()) => {
                Some((here.clone(), path))
            }
            _ => None,
        }
    }

    /// The file in which these names, beginning in this module, are declared; where that cannot be seen, the last file on the way.
    fn find(&self, module: Module, path: &[String], passed: usize) -> Option<String> {
        let Some((first, rest)) = path.split_first() else { return self.file(&module) };
        if passed > PASSES {
            return self.file(&module);
        }
        let declared = self.names(&module).is_some_and(|names| names.items.contains(first));
        if declared && rest.is_empty() {
            return self.file(&module);
        }
        let inner = [module.as_slice(), slice::from_ref(first)].concat();
        if self.exists(&inner) {
            return self.find(inner, rest, passed);
        }
        if declared {
            return self.file(&module);
        }
        if let Some(import) = self.imports(&module, first) {
            // a name of another crate that is passed on belongs to nobody here
            let (start, begun) = self.start(&module, &import.path)?;
            let path = [begun, rest].concat();
            return self.find(start, &path, passed + 1);
        }
        let behind_glob = self.globs(&module).into_iter().find_map(|glob| {
            let (start, begun) = self.start(&module, &glob.path)?;
            let target = begun.iter().fold(start, |at, name| [at.as_slice(), slice::from_ref(name)].concat());
            let known = self.names(&target)?.items.contains(first);
            known.then(|| self.file(&target)).flatten()
        });
        behind_glob.or_else(|| self.file(&module))
    }

    fn imports(&self, module: &[String], name: &str) -> Option<&Named> {
        self.declared_in(module).find(|import| import.1 == Some(name)).map(|import| import.0)
    }

    fn globs(&self, module: &[String]) -> Vec<&Named> {
        self.declared_in(module).filter(|import| import.1.is_none()).map(|import| import.0).collect()
    }

    /// The imports of a module: where each leads and its name.
    fn declared_in(&self, module: &[String]) -> impl Iterator<Item = (&Named, Option<&str>)> {
        let found = self.containing(module);
        found.into_iter().flat_map(|(within, names)| {
            let here = names.imports.iter().filter(move |import| import.named.within == within);
            here.map(|import| (&import.named, import.name.as_deref()))
        })
    }

    /// The file that a module stands in, and the inline modules of that file that lead to it.
    fn containing<'a>(&self, module: &'a [String]) -> Option<(&'a [String], &Names)> {
        (0..=module.len()).rev().find_map(|length| {
            let (outer, within) = module.split_at_checked(length)?;
            Some((within, &self.files.get(outer)?.1))
        })
    }

    fn names(&self, module: &[String]) -> Option<&Names> {
        self.containing(module).map(|(_, names)| names)
    }

    fn file(&self, module: &[String]) -> Option<String> {
        (0..=module.len())
            .rev()
            .find_map(|length| self.files.get(module.get(..length)?))
            .map(|file| file.0.clone())
    }

    fn exists(&self, module: &[String]) -> bool {
        let inline = |(within, names): (&[String], &Names)| names.modules.contains(within);
        self.files.contains_key(module) || self.containing(module).is_some_and(inline)
    }
}

/// One finding for each cycle that is too long.
fn cycles(edges: &Edges) -> Vec<String> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        next.entry(from).or_default().insert(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        next.keys().map(|file| (*file, reach(&next, file))).collect();
    let mut told = BTreeSet::new();
    let mut findings = Vec::new();
    for (file, reaches) in &reached {
        let back = |other: &&&str| reached.get(**other).is_some_and(|others| others.contains(file));
        let cycle: BTreeSet<&str> = reaches.iter().filter(back).copied().collect();
        if cycle.len() > LONGEST && told.insert(cycle.clone()) {
            findings.push(describe(&cycle, edges));
        }
    }
    findings
}

/// All that can be reached from a file.
fn reach<'a>(next: &BTreeMap<&'a str, BTreeSet<&'a str>>, file: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut rest = vec![file];
    while let Some(file) = rest.pop() {
        for other in next.get(file).into_iter().flatten() {
            if reached.insert(*other) {
                rest.push(other);
            }
        }
    }
    reached
}

fn describe(cycle: &BTreeSet<&str>, edges: &Edges) -> String {
    let inside = edges.iter().filter(|((from, to), _)| cycle.contains(&**from) && cycle.contains(&**to));
    let arrows: Vec<String> = inside
        .map(|((from, to), names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("\n    {from} -> {to}: {}", names.join(", "))
        })
        .collect();
    let left = arrows.len().saturating_sub(ARROWS_TOLD);
    let more = if left > 0 { format!("\n    and {left} more") } else { String::new() };
    format!(
        "{}: {} files need each other in a cycle; at most {LONGEST} may. Move what they share into a file below them{}{more}",
        cycle.first().copied().unwrap_or_default(),
        cycle.len(),
        arrows.iter().take(ARROWS_TOLD).cloned().collect::<String>(),
    )
}

#[cfg(test)]
mod tests;
