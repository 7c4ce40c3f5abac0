//! Where a grant or a gate holds: on which models, storeys and classes. Whoever leaves one of them open means all.

use contract::ModelId;

/// True if a class is another or descends from it, in any of the schemas. Handed in, because the schemas are the kernel's.
pub type IsA = fn(class: &str, ancestor: &str) -> bool;

/// A name in which `*` stands for any characters and `?` for one. Letter case counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern as it was written.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// True if it fits the whole text.
    pub fn fits(&self, text: &str) -> bool {
        let (pattern, text): (Vec<char>, Vec<char>) = (self.0.chars().collect(), text.chars().collect());
        // where to go on when what follows the last star does not fit
        let (mut at, mut from, mut star) = (0, 0, None);
        while from < text.len() {
            match pattern.get(at) {
                Some('*') => {
                    star = Some((at, from));
                    at += 1;
                }
                Some(c) if *c == '?' || text.get(from) == Some(c) => {
                    at += 1;
                    from += 1;
                }
                _ => match star {
                    Some((back, taken)) => {
                        star = Some((back, taken + 1));
                        at = back + 1;
                        from = taken + 1;
                    }
                    None => return false,
                },
            }
        }
        pattern.iter().skip(at).all(|c| *c == '*')
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A model as policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelTarget<'a> {
    /// Its id; none for one that is about to be made.
    pub id: Option<&'a ModelId>,
    /// Its name.
    pub name: &'a str,
}

/// The models, storeys and classes in which something holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Models by id or name.
    pub models: Vec<Pattern>,
    /// Storeys by name.
    pub storeys: Vec<Pattern>,
    /// Classes with those that descend from them.
    pub classes: Vec<String>,
}

impl Scope {
    /// True if a model is in it. What is about no model is in every scope.
    pub fn has_model(&self, model: Option<&ModelTarget<'_>>) -> bool {
        let Some(model) = model else { return true };
        let fits = |pattern: &Pattern| {
            pattern.fits(model.name) || model.id.is_some_and(|id| pattern.as_str() == id.as_str())
        };
        self.models.is_empty() || self.models.iter().any(fits)
    }

    /// True if a storey is in it; `None` is what stands on none.
    pub fn has_storey(&self, storey: Option<&str>) -> bool {
        self.storeys.is_empty()
            || storey.is_some_and(|storey| self.storeys.iter().any(|pattern| pattern.fits(storey)))
    }

    /// True if a class is in it; `None` is what is of no class that could be named.
    pub fn has_class(&self, class: Option<&str>, is_a: IsA) -> bool {
        self.classes.is_empty()
            || class.is_some_and(|class| self.classes.iter().any(|wanted| is_a(class, wanted)))
    }

    /// It in words, for explanations.
    pub fn words(&self) -> String {
        let list = |what: &str, names: Vec<&str>| {
            (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
        };
        let parts = [
            list("models", self.models.iter().map(Pattern::as_str).collect()),
            list("storeys", self.storeys.iter().map(Pattern::as_str).collect()),
            list("classes", self.classes.iter().map(String::as_str).collect()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "everywhere".to_owned() } else { parts.join("; ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters_and_a_question_mark_for_one() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("Tower*", "Tower A", true),
            ("Tower*", "A Tower", false),
            ("*er*A", "Tower B A", true),
            ("*er*A", "Tower B", false),
            ("Level ?", "Level 1", true),
            ("Level ?", "Level 10", false),
            ("", "x", false),
            ("a*b*c", "aXbXbXc", true),
        ] {
            assert_eq!(Pattern::new(pattern).fits(text), fits, "{pattern} {text}");
        }
    }
}
