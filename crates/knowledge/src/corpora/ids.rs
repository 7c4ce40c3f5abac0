//! Pages on Information Delivery Specifications 1.0: facets, restrictions, cardinality, tolerance, units, and what an audit says. In words
//! of our own, by the schema (`ids.xsd`) and the cases of buildingSMART.

use super::names::IDS;
use crate::section::{Language, Section};

/// Sections `ids/NAME`.
pub fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for page in include_str!("ids.md").split("\n# ").skip(1) {
        let mut lines = page.splitn(3, '\n');
        let (name, title) = lines.next().and_then(|line| line.split_once(": ")).unwrap_or_default();
        let names = lines.next().and_then(|line| line.strip_prefix("names: ")).unwrap_or_default();
        sections.push(Section {
            corpus: IDS.to_owned(),
            location: format!("{IDS}/{name}"),
            title: title.to_owned(),
            path: vec!["IDS 1.0".to_owned()],
            tags: vec!["ids".to_owned()],
            language: Some(Language::En),
            text: lines.next().unwrap_or_default().trim().to_owned(),
            names: names.split(", ").map(str::to_owned).collect(),
            ..Section::default()
        });
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_facet_has_a_page_with_names_and_text() {
        let sections = sections();
        for name in [
            "entity",
            "attribute",
            "property",
            "classification",
            "material",
            "partof",
            "cardinality",
            "tolerance",
        ] {
            let location = format!("ids/{name}");
            let page = sections.iter().find(|section| section.location == location).unwrap();
            assert!(page.text.len() > 300 && page.names.len() > 1, "{name}");
        }
        assert!(sections.iter().all(|section| !section.title.is_empty() && !section.names[0].is_empty()));
    }

    #[test]
    fn pages_name_only_what_the_schema_of_ids_has() {
        let Some(path) = testing::data("ids/ids.xsd") else { return };
        let xsd = std::fs::read_to_string(path).unwrap();
        let text: String = sections().into_iter().map(|section| section.text).collect();
        for word in [
            "IFCRELAGGREGATES",
            "IFCRELASSIGNSTOGROUP",
            "IFCRELCONTAINEDINSPATIALSTRUCTURE",
            "IFCRELNESTS",
            "IFCRELVOIDSELEMENT IFCRELFILLSELEMENT",
            "IFC4X3_ADD2",
            "baseName",
            "propertySet",
            "predefinedType",
            "simpleValue",
            "cardinality",
            "prohibited",
            "optional",
            "dataType",
            "instructions",
            "identifier",
            "milestone",
        ] {
            assert!(xsd.contains(word) && text.contains(word), "{word}");
        }
    }
}
