//! Guides: Markdown, cut by its headings.

use super::names::GUIDES;
use crate::read::{Block, cut, markdown_blocks};
use crate::section::{Language, Section};

/// Sections `guides/FILE#heading` of a guide, by the name of its file.
pub fn guide(file: &str, markdown: &str) -> Vec<Section> {
    let blocks = markdown_blocks(markdown);
    let named = blocks.iter().find_map(|block| match block {
        Block::Heading(1, title) => Some(title.clone()),
        _ => None,
    });
    let root = named.unwrap_or_else(|| file.to_owned());
    // a guide of our own is never beyond what is read of a document
    let parts = cut(&blocks).unwrap_or_default();
    parts
        .into_iter()
        .map(|part| Section {
            corpus: GUIDES.to_owned(),
            location: if part.anchor.is_empty() {
                format!("{GUIDES}/{file}")
            } else {
                format!("{GUIDES}/{file}#{}", part.anchor)
            },
            title: part.title.unwrap_or_else(|| root.clone()),
            path: part.path,
            language: Some(Language::En),
            text: part.text,
            ..Section::default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_is_cut_by_its_headings_with_their_links() {
        let text = "# Editing\n\nFirst.\n\n## Undo & redo\n\nGoes back.\n\n```sh\n# no heading\n```\n\n## Undo & redo\n\nAgain.\n";
        let sections = guide("editing.md", text);
        let told: Vec<(&str, &str)> =
            sections.iter().map(|section| (section.location.as_str(), section.title.as_str())).collect();
        assert_eq!(
            told,
            [
                ("guides/editing.md#editing", "Editing"),
                ("guides/editing.md#undo--redo", "Undo & redo"),
                ("guides/editing.md#undo--redo-2", "Undo & redo"),
            ]
        );
        assert_eq!(sections[1].path, ["Editing"]);
        assert_eq!(sections[1].text, "Goes back.\n# no heading");
    }
}
