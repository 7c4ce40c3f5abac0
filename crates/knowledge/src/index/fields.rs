//! The fields of a section in tantivy: which are searched, by which words, with which weight.

use crate::section::Section;
use crate::words::{TOKENIZER, fold};
use tantivy::TantivyDocument;
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};

/// The version of a section that hangs on no version.
pub const EVERY_VERSION: &str = "*";

/// The fields of the schema.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The address.
    pub location: Field,
    /// The address of the document.
    pub document: Field,
    /// The corpus.
    pub corpus: Field,
    /// Versions, folded.
    pub version: Field,
    /// Tags, folded.
    pub tag: Field,
    /// Its names of one word: the end of its address, and a title of one word.
    pub identifier: Field,
    /// The title.
    pub title: Field,
    /// Further names.
    pub names: Field,
    /// Titles above, and tags.
    pub above: Field,
    /// The text.
    pub text: Field,
    /// The whole section, to be read.
    pub section: Field,
}

impl Fields {
    /// The schema, and its fields.
    pub fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        // the more words a text has, the less says one of them; of names one is as good as many
        let words = |lengths: bool| {
            TextOptions::default().set_indexing_options(
                TextFieldIndexing::default()
                    .set_tokenizer(TOKENIZER)
                    .set_fieldnorms(lengths)
                    .set_index_option(IndexRecordOption::WithFreqsAndPositions),
            )
        };
        let fields = Self {
            location: schema.add_text_field("location", STRING),
            document: schema.add_text_field("document", STRING),
            corpus: schema.add_text_field("corpus", STRING),
            version: schema.add_text_field("version", STRING),
            tag: schema.add_text_field("tag", STRING),
            identifier: schema.add_text_field("identifier", STRING),
            title: schema.add_text_field("title", words(true)),
            names: schema.add_text_field("names", words(false)),
            above: schema.add_text_field("above", words(false)),
            text: schema.add_text_field("text", words(true)),
            section: schema.add_bytes_field("section", STORED),
        };
        (schema.build(), fields)
    }

    /// The searched fields with their weights.
    pub fn weighted(&self) -> [(Field, f32); 4] {
        [(self.title, 3.0), (self.names, 1.0), (self.above, 0.7), (self.text, 1.0)]
    }

    /// A section as it is indexed.
    pub fn document(&self, section: &Section) -> Result<TantivyDocument, serde_json::Error> {
        let mut document = TantivyDocument::default();
        document.add_text(self.location, &section.location);
        document.add_text(self.document, section.document());
        document.add_text(self.corpus, &section.corpus);
        for version in &section.versions {
            document.add_text(self.version, fold(version));
        }
        if section.versions.is_empty() {
            document.add_text(self.version, EVERY_VERSION);
        }
        for tag in &section.tags {
            document.add_text(self.tag, fold(tag));
            document.add_text(self.above, tag);
        }
        let word = Some(section.title.as_str()).filter(|title| !title.contains(char::is_whitespace));
        let mut identifiers: Vec<String> = section.identifier().into_iter().chain(word).map(fold).collect();
        identifiers.push(fold(&section.location));
        identifiers.dedup();
        for identifier in identifiers {
            document.add_text(self.identifier, identifier);
        }
        document.add_text(self.title, &section.title);
        for name in &section.names {
            document.add_text(self.names, name);
        }
        for title in &section.path {
            document.add_text(self.above, title);
        }
        document.add_text(self.text, &section.text);
        document.add_bytes(self.section, &serde_json::to_vec(section)?);
        Ok(document)
    }

    /// The section that was indexed.
    pub fn section(&self, document: &TantivyDocument) -> Option<Section> {
        let bytes = document.get_first(self.section)?.as_bytes()?;
        serde_json::from_slice(bytes).ok()
    }
}
