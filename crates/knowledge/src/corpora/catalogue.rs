//! Sections on what the program itself has, of what the caller gives: rules, tools, the agent's Python, packs of rules, and
//! documentation that is in sections already.

use super::names::{PACKS, RULES, SCRIPT, TOOLS};
use crate::section::{Language, Section};
use std::fmt::Write as _;

/// A rule, as the checks explain it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RulePage {
    /// `GEM051`, `IfcWall.CorrectPredefinedType`.
    pub code: String,
    /// The requirement, in a sentence.
    pub title: String,
    /// The page.
    pub text: String,
    /// The part of the checks that it belongs to.
    pub part: String,
    /// The schemas that have it; none for all.
    pub versions: Vec<String>,
}

/// A tool, as agents read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolPage {
    /// `create_wall`.
    pub name: String,
    /// The server that it is of.
    pub server: String,
    /// Its purpose, and what to do next.
    pub description: String,
    /// Its parameters: name and description.
    pub parameters: Vec<(String, String)>,
}

/// A part of the agent's Python: a function, an attribute, a chapter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptPage {
    /// `model.select`.
    pub name: String,
    /// How it is called.
    pub signature: String,
    /// Its description.
    pub text: String,
}

/// A rule of a pack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackRule {
    /// The pack.
    pub pack: String,
    /// The rule's name in it.
    pub rule: String,
    /// The requirement, in a sentence.
    pub title: String,
    /// The page.
    pub text: String,
}

fn section(corpus: &str, address: &str, title: &str, text: String) -> Section {
    Section {
        corpus: corpus.to_owned(),
        location: format!("{corpus}/{}", address.replace('#', "-")),
        title: title.to_owned(),
        language: Some(Language::En),
        text,
        ..Section::default()
    }
}

fn titled(name: &str, title: &str) -> String {
    if title.is_empty() { name.to_owned() } else { format!("{name}: {title}") }
}

/// Sections `rules/CODE`.
pub fn rules(pages: Vec<RulePage>) -> Vec<Section> {
    let one = |page: RulePage| Section {
        path: Some(page.part.clone()).filter(|part| !part.is_empty()).into_iter().collect(),
        tags: ["rule".to_owned(), page.part].into_iter().filter(|tag| !tag.is_empty()).collect(),
        versions: page.versions,
        ..section(RULES, &page.code, &titled(&page.code, &page.title), page.text)
    };
    pages.into_iter().map(one).collect()
}

/// Sections `tools/NAME`.
pub fn tools(pages: Vec<ToolPage>) -> Vec<Section> {
    let one = |page: ToolPage| {
        let mut text = page.description;
        if !page.parameters.is_empty() {
            text.push_str("\nParameters:");
        }
        for (name, description) in page.parameters {
            let _ = write!(text, "\n- {name}: {description}");
        }
        Section {
            path: Some(page.server.clone()).filter(|server| !server.is_empty()).into_iter().collect(),
            tags: ["tool".to_owned(), page.server].into_iter().filter(|tag| !tag.is_empty()).collect(),
            ..section(TOOLS, &page.name, &page.name, text)
        }
    };
    pages.into_iter().map(one).collect()
}

/// Sections `script/NAME`.
pub fn script(pages: Vec<ScriptPage>) -> Vec<Section> {
    let one = |page: ScriptPage| {
        let text =
            [page.signature, page.text].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        Section {
            tags: vec!["python".to_owned()],
            ..section(SCRIPT, &page.name, &page.name, text.join("\n"))
        }
    };
    pages.into_iter().map(one).collect()
}

/// Sections `packs/NAME/RULE`.
pub fn packs(rules: Vec<PackRule>) -> Vec<Section> {
    let one = |rule: PackRule| Section {
        path: vec![rule.pack.clone()],
        tags: vec!["pack".to_owned()],
        ..section(PACKS, &format!("{}/{}", rule.pack, rule.rule), &titled(&rule.rule, &rule.title), rule.text)
    };
    rules.into_iter().map(one).collect()
}

/// Sections `CORPUS/ADDRESS` of documentation that is in sections already, such as that of EnergyPlus or IfcOpenShell: address, title,
/// titles above, tags, text. Addresses keep their `#`.
pub fn documentation(
    corpus: &str,
    versions: &[String],
    sections: impl IntoIterator<Item = (String, String, Vec<String>, Vec<String>, String)>,
) -> Vec<Section> {
    let one = |(address, title, path, tags, text)| Section {
        corpus: corpus.to_owned(),
        location: format!("{corpus}/{address}"),
        title,
        path,
        tags,
        versions: versions.to_vec(),
        language: Some(Language::En),
        text,
        ..Section::default()
    };
    sections.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_caller_gives_has_its_address_and_its_words() {
        let rule = RulePage {
            code: "GEM051".into(),
            title: "A context".into(),
            text: "Asks".into(),
            ..RulePage::default()
        };
        let rules = rules(vec![rule]);
        assert_eq!(
            (rules[0].location.as_str(), rules[0].title.as_str()),
            ("rules/GEM051", "GEM051: A context")
        );
        let tool = ToolPage {
            name: "create_wall".into(),
            server: "authoring".into(),
            description: "Makes a wall.".into(),
            parameters: vec![("height".into(), "in mm".into())],
        };
        let tools = tools(vec![tool]);
        assert_eq!(tools[0].location, "tools/create_wall");
        assert_eq!(tools[0].text, "Makes a wall.\nParameters:\n- height: in mm");
        assert_eq!(tools[0].tags, ["tool", "authoring"]);
        let packs =
            packs(vec![PackRule { pack: "fire".into(), rule: "doors".into(), ..PackRule::default() }]);
        assert_eq!(packs[0].location, "packs/fire/doors");
        let section = ("io/zone/#a".to_owned(), "Zone".to_owned(), vec![], vec![], "x".to_owned());
        let energy = documentation("energyplus", &["25.2".to_owned()], [section]);
        assert_eq!(
            (energy[0].location.as_str(), energy[0].document()),
            ("energyplus/io/zone/#a", "energyplus/io/zone/")
        );
    }
}
