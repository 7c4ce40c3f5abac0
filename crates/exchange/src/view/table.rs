//! The tables of view definitions: what each allows, read from data files of this crate, which docs/exchange-views.md is written from.

use crate::ExchangeError;
use ifc::SchemaVersion;
use ifc::schema::{Entity, Schema};
use serde::Deserialize;
use std::sync::OnceLock;

/// The text of each table.
const TEXTS: [&str; 3] = [
    include_str!("../../views/reference.toml"),
    include_str!("../../views/design-transfer.toml"),
    include_str!("../../views/coordination.toml"),
];

/// Classes that the table has although the published list does not name them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Added {
    /// The classes.
    pub entities: Vec<String>,
    /// Why.
    pub reason: String,
    /// The add-on view that they belong to; a file that has any names it in its header.
    pub add_on: Option<String>,
}

/// A representation that products may have.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Representation {
    /// RepresentationIdentifier.
    pub identifier: String,
    /// RepresentationType.
    #[serde(rename = "type")]
    pub kind: String,
    /// The classes of its items, subtypes included.
    pub items: Vec<String>,
    /// The classes of profiles of its swept items, no subtypes; empty for any.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// The classes of curves of these profiles, of directrices and of curve sets, no subtypes; empty for any.
    #[serde(default)]
    pub curves: Vec<String>,
    /// The classes of products that may have it, subtypes included; empty for any.
    #[serde(default)]
    pub of: Vec<String>,
    /// A remark on where it comes from.
    pub note: Option<String>,
}

/// A class that stands for another one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Becomes {
    /// The class that is not allowed.
    pub from: String,
    /// The class in its place.
    pub to: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    code: String,
    aliases: Vec<String>,
    schema: String,
    sources: Vec<String>,
    extends: Option<String>,
    body: String,
    units: Vec<String>,
    #[serde(default)]
    with_subtypes: Vec<String>,
    entities: Vec<String>,
    #[serde(default)]
    added: Vec<Added>,
    representation: Vec<Representation>,
    #[serde(default)]
    becomes: Vec<Becomes>,
}

/// A view definition: the part of a schema that its files may use.
#[derive(Debug, Clone)]
pub struct View {
    /// `IFC4 Reference View 1.2`.
    pub name: String,
    /// As headers name it: `ReferenceView_V1.2`.
    pub code: String,
    /// Other names by which it is asked for, in small letters.
    pub aliases: Vec<String>,
    /// The schema of its files.
    pub schema: SchemaVersion,
    /// The documents that its table comes from.
    pub sources: Vec<String>,
    /// The view whose classes are all allowed here, too.
    pub extends: Option<String>,
    /// The representation type of bodies that had to be made anew.
    pub body: String,
    /// The kinds of unit that a project declares.
    pub units: Vec<String>,
    /// Classes allowed with all their subtypes.
    pub with_subtypes: Vec<String>,
    /// Classes allowed.
    pub entities: Vec<String>,
    /// Classes allowed beyond the published list.
    pub added: Vec<Added>,
    /// Representations allowed.
    pub representations: Vec<Representation>,
    /// Classes that stand for others.
    pub becomes: Vec<Becomes>,
    /// By the number of the class.
    allowed: Vec<bool>,
}

impl View {
    /// All view definitions.
    pub fn all() -> &'static [View] {
        static ALL: OnceLock<Vec<View>> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut all: Vec<View> = Vec::new();
            for text in TEXTS {
                // the tests read all of them
                if let Some(view) = toml::from_str::<Text>(text).ok().and_then(|text| View::new(text, &all)) {
                    all.push(view);
                }
            }
            all
        })
    }

    /// The view definition of this name: its code, its name, or a usual short form, in any letter case.
    pub fn named(asked: &str) -> Result<&'static View, ExchangeError> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
                .collect::<String>()
                .to_ascii_lowercase()
        };
        let wanted = plain(asked);
        let is_it = |view: &&View| {
            [&view.code, &view.name].into_iter().chain(&view.aliases).any(|name| plain(name) == wanted)
        };
        Self::all().iter().find(is_it).ok_or_else(|| ExchangeError::UnknownView {
            asked: asked.chars().take(80).collect(),
            known: Self::all().iter().map(|view| view.code.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    fn new(text: Text, known: &[View]) -> Option<View> {
        let version = SchemaVersion::from_name(&text.schema)?;
        let schema = version.schema();
        let mut allowed = match &text.extends {
            Some(code) => known.iter().find(|view| view.code == *code)?.allowed.clone(),
            None => vec![false; schema.entities().len()],
        };
        let added = text.added.iter().flat_map(|added| &added.entities);
        for entity in text.entities.iter().chain(added).filter_map(|name| schema.entity(name)) {
            if let Some(slot) = allowed.get_mut(usize::from(entity.id.0)) {
                *slot = true;
            }
        }
        for entity in text.with_subtypes.iter().filter_map(|name| schema.entity(name)) {
            for sub in schema.subtypes(entity.id) {
                if let Some(slot) = allowed.get_mut(usize::from(sub.id.0)) {
                    *slot = true;
                }
            }
        }
        let representations = text.representation;
        Some(View {
            name: text.name,
            code: text.code,
            aliases: text.aliases,
            schema: version,
            sources: text.sources,
            extends: text.extends,
            body: text.body,
            units: text.units,
            with_subtypes: text.with_subtypes,
            entities: text.entities,
            added: text.added,
            representations,
            becomes: text.becomes,
            allowed,
        })
    }

    /// True if instances of this class may be there.
    pub fn allows(&self, entity: &Entity) -> bool {
        self.allowed.get(usize::from(entity.id.0)).copied().unwrap_or(false)
    }

    /// True if instances of the class of this name may be there.
    pub fn allows_class(&self, name: &str) -> bool {
        self.tables().entity(name).is_some_and(|entity| self.allows(entity))
    }

    /// The tables of its schema.
    pub fn tables(&self) -> &'static Schema {
        self.schema.schema()
    }

    /// The class that stands for one that is not allowed: as the table says, else the nearest class above it that is allowed, of
    /// elements, their types and spatial elements.
    pub fn stand_in(&self, entity: &'static Entity) -> Option<&'static Entity> {
        let schema = self.tables();
        if let Some(named) = self.becomes.iter().find(|becomes| becomes.from == entity.name) {
            return schema.entity(&named.to).filter(|found| self.allows(found));
        }
        const KINDS: [&str; 4] =
            ["IfcElement", "IfcTypeProduct", "IfcSpatialStructureElement", "IfcSpatialElement"];
        if !KINDS.iter().any(|kind| entity.is_a(schema, kind)) {
            return None;
        }
        schema.lineage(entity).skip(1).find(|above| !above.is_abstract && self.allows(above))
    }

    /// The header's text: the view, and the add-on views whose classes the model has.
    pub fn definition(&self, has_class: impl Fn(&str) -> bool) -> String {
        let add_ons = self.added.iter().filter(|added| added.entities.iter().any(|class| has_class(class)));
        let names =
            std::iter::once(self.code.as_str()).chain(add_ons.filter_map(|added| added.add_on.as_deref()));
        format!("ViewDefinition [{}]", names.collect::<Vec<_>>().join(", "))
    }
}
