//! What one call has to read in: the corpora that it asks for, of the versions that it or its model is about, as indexes.

use super::book::Book;
use super::collections::{self, Shelf};
use super::manuals::{self, Manuals};
use super::{CORPORA, Library};
use crate::energy_objects::schema_of;
use contract::{Fault, FaultCode, FileInput};
use energy::idf::{Document, Format};
use energy::schema::Schema;
use ifc::SchemaVersion;
use knowledge::Filter;
use knowledge::corpora::names::{ENERGYPLUS, IFCOPENSHELL};
use std::sync::Arc;

/// All corpora.
const ALL: &str = "all";
/// The types of EnergyPlus alone.
const SCHEMA: &str = "schema";
/// All documents of users.
const DOCUMENTS: &str = "documents";
/// The manuals of EnergyPlus alone.
const DOCS: &str = "docs";

/// The call's side of what is read.
pub(crate) struct Asked<'a> {
    pub(crate) library: &'a Library,
    pub(crate) files: &'a [FileInput],
    /// The EnergyPlus model at hand.
    pub(crate) document: Option<&'a Document>,
    pub(crate) version: Option<&'a str>,
}

/// Indexes to search, each with its own conditions.
pub(crate) struct Shelves {
    pub(crate) indexes: Vec<(Arc<Book>, Filter)>,
    /// The corpora that are searched, as they are named.
    pub(crate) corpora: Vec<String>,
    /// The version of EnergyPlus whose types are searched.
    pub(crate) energyplus: Option<String>,
    pub(crate) notices: Vec<String>,
}

/// The meaning of a corpus: corpora of the program, collections of documents, and the API of IfcOpenShell.
struct Scope {
    corpora: Vec<&'static str>,
    shelves: Vec<Shelf>,
    has_api: bool,
}

/// A version that a call names.
enum Version {
    Ifc(SchemaVersion),
    EnergyPlus(String),
}

impl Asked<'_> {
    fn wanted(&self) -> Result<Option<Version>, Fault> {
        let Some(given) = self.version.map(str::trim).filter(|given| !given.is_empty()) else {
            return Ok(None);
        };
        let upper = given.to_ascii_uppercase();
        if !upper.starts_with("IFC") {
            return Ok(Some(Version::EnergyPlus(given.to_owned())));
        }
        let known = |version: &SchemaVersion| {
            // IFC4X3 stands for its addenda, too
            upper.strip_prefix(version.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        let found = SchemaVersion::ALL.into_iter().find(known);
        found.map(|version| Some(Version::Ifc(version))).ok_or_else(|| {
            let names = SchemaVersion::ALL.map(SchemaVersion::as_str);
            let shown: String = given.chars().take(40).collect();
            let message = format!("There is no IFC {shown:?} here, but {}.", names.join(", "));
            Fault::new(FaultCode::NotSupported, message).with("field", "version").with("allowed", names)
        })
    }

    /// The schema of EnergyPlus that is meant: of the version that is named, else of the model, else the newest.
    pub(crate) fn schema(&self) -> Result<Arc<Schema>, Fault> {
        let version = match self.wanted()? {
            Some(Version::EnergyPlus(version)) => Some(version),
            _ => None,
        };
        match self.document {
            Some(document) => schema_of(document, version.as_deref()),
            None => schema_of(&Document::new(Format::Idf, Schema::built_in()), version.as_deref()),
        }
    }

    /// The manuals of EnergyPlus that came along.
    pub(crate) fn manuals(&self) -> Result<Option<Manuals>, Fault> {
        manuals::of_call(self.library, self.files)
    }

    /// The meaning of a name; with none all, or where an EnergyPlus model is at hand what is on EnergyPlus, and in any case the documents of
    /// users.
    fn scope(&self, named: Option<&str>) -> Result<Scope, Fault> {
        let shelves = collections::of_call(self.files);
        let of = |corpora: &[&'static str]| Scope {
            corpora: corpora.to_vec(),
            shelves: Vec::new(),
            has_api: false,
        };
        let Some(named) = named.map(str::trim).filter(|named| !named.is_empty()) else {
            return Ok(match self.document {
                Some(_) => Scope { shelves, ..of(&[ENERGYPLUS]) },
                None => Scope { shelves, ..of(&CORPORA) },
            });
        };
        let named = named.to_lowercase();
        match named.as_str() {
            ALL => return Ok(Scope { shelves, has_api: true, ..of(&CORPORA) }),
            SCHEMA | DOCS => return Ok(of(&[ENERGYPLUS])),
            DOCUMENTS => return Ok(Scope { shelves, ..of(&[]) }),
            IFCOPENSHELL => return Ok(Scope { has_api: true, ..of(&[]) }),
            _ => {}
        }
        if let Some(corpus) = CORPORA.into_iter().find(|corpus| *corpus == named) {
            return Ok(of(&[corpus]));
        }
        let mut names: Vec<String> = CORPORA.map(str::to_owned).to_vec();
        names.extend([IFCOPENSHELL, SCHEMA, DOCS, DOCUMENTS, ALL].map(str::to_owned));
        names.extend(shelves.iter().map(|shelf| shelf.name.clone()));
        let own: Vec<Shelf> = shelves.into_iter().filter(|shelf| shelf.name == named).collect();
        if own.is_empty() {
            let shown: String = named.chars().take(40).collect();
            let message = format!("There is no corpus {shown:?}, but {}.", names.join(", "));
            return Err(Fault::invalid("corpus", message).with("allowed", names));
        }
        Ok(Scope { shelves: own, ..of(&[]) })
    }

    /// The indexes to search for a corpus of this name, among sections with these tags.
    pub(crate) fn shelves(&self, named: Option<&str>, tags: &[String]) -> Result<Shelves, Fault> {
        let wanted = self.wanted()?;
        let Scope { corpora, shelves, has_api } = self.scope(named)?;
        let names = shelves.iter().map(|shelf| shelf.name.as_str());
        let mut found = Shelves {
            indexes: Vec::new(),
            corpora: corpora.iter().copied().chain(names).map(str::to_owned).collect(),
            energyplus: None,
            notices: Vec::new(),
        };
        let is = |word: &str| named.is_some_and(|named| named.trim().eq_ignore_ascii_case(word));
        let of = |corpora: Vec<&str>, versions: Vec<String>| Filter {
            corpora: corpora.into_iter().map(str::to_owned).collect(),
            versions,
            tags: tags.to_vec(),
            ..Filter::default()
        };
        let has_energyplus = corpora.contains(&ENERGYPLUS) && !matches!(wanted, Some(Version::Ifc(_)));
        let manuals = if has_energyplus && !is(SCHEMA) { self.manuals()? } else { None };
        let schema = match self.schema() {
            Ok(schema) => Some(schema).filter(|_| has_energyplus && !is(DOCS)),
            // manuals of a version may be given whose schema is not here
            Err(_) if manuals.is_some() => None,
            Err(fault) => return Err(fault),
        };
        let own: Vec<&str> = corpora.iter().copied().filter(|corpus| *corpus != ENERGYPLUS).collect();
        let versions = match &wanted {
            Some(Version::Ifc(version)) => vec![version.as_str().to_owned()],
            // nothing of IFC is true for a version of EnergyPlus
            Some(Version::EnergyPlus(version)) => vec![version.clone()],
            None => Vec::new(),
        };
        match schema.as_deref() {
            Some(schema) => {
                found.energyplus = Some(schema.short_version().to_owned());
                if let Some(types) = self.library.types(schema)? {
                    // those of this version in the place of those in the index of the program
                    found.indexes.push((types, of(vec![ENERGYPLUS], Vec::new())));
                    if !own.is_empty() {
                        found.indexes.push((self.library.own()?, of(own, versions)));
                    }
                } else {
                    let versions = match &wanted {
                        Some(Version::EnergyPlus(_)) => vec![schema.short_version().to_owned()],
                        _ => versions,
                    };
                    found.indexes.push((self.library.own()?, of(corpora, versions)));
                }
            }
            None if !own.is_empty() => found.indexes.push((self.library.own()?, of(own, versions))),
            None => {}
        }
        if let Some(manuals) = manuals {
            let other = found.energyplus.as_deref().filter(|own| *own != manuals.version);
            if other.is_some() && !manuals.version.is_empty() {
                found.notices.push(format!("The manuals searched are of EnergyPlus {}.", manuals.version));
            }
            found.energyplus.get_or_insert_with(|| manuals.version.clone());
            found.indexes.push((manuals.index, of(vec![ENERGYPLUS], Vec::new())));
        } else if is(DOCS) {
            found.notices.push(
                "No manuals of this version are given here (setting docs_dir); corpus=schema has the schema's own texts."
                    .to_owned(),
            );
        }
        if has_api {
            if let Some(api) = manuals::api_of_call(self.library, self.files)? {
                found.corpora.push(IFCOPENSHELL.to_owned());
                found.indexes.push((api.index, of(vec![IFCOPENSHELL], Vec::new())));
            } else if is(IFCOPENSHELL) {
                let message = "IfcOpenShell is not installed here: pensaer backend install ifcopenshell.";
                return Err(Fault::invalid("corpus", message));
            }
        }
        for shelf in shelves {
            found.indexes.push((shelf.index(self.library)?, of(vec![&shelf.name], Vec::new())));
        }
        if is(DOCUMENTS) && found.indexes.is_empty() {
            found.notices.push("No documents were given here. Use add_documents.".to_owned());
        }
        Ok(found)
    }

    /// Every index in which a section may be read.
    pub(crate) fn indexes(&self) -> Result<Vec<Arc<Book>>, Fault> {
        let mut indexes = vec![self.library.own()?];
        indexes.extend(self.manuals()?.map(|manuals| manuals.index));
        indexes.extend(manuals::api_of_call(self.library, self.files)?.map(|api| api.index));
        for shelf in collections::of_call(self.files) {
            indexes.push(shelf.index(self.library)?);
        }
        Ok(indexes)
    }
}
