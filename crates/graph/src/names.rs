//! Namespaces and names: which IRI an element, a class, an attribute or a property has, and how a name that people chose becomes a part
//! of one.
//!
//! A local name is written so that it can stand behind a prefix as it is: letters, digits, `-` and `_` stay, everything else is
//! percent-encoded. `$`, which GlobalIds contain, stays in the IRI too; [`crate::query`] escapes it where a query writes `inst:` before it.

use percent_encoding::{percent_decode_str, percent_encode_byte};
use std::borrow::Cow;

/// `rdf:`.
pub const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/// `rdfs:`.
pub const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
/// `xsd:`.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// `bot:`, the Building Topology Ontology of the W3C community group.
pub const BOT: &str = "https://w3id.org/bot#";
/// `qudt:`.
pub const QUDT: &str = "http://qudt.org/schema/qudt/";
/// `unit:`, the units of QUDT.
pub const UNIT: &str = "http://qudt.org/vocab/unit/";
/// `ifc:`, classes, attributes and relations by their names in the schema.
pub const IFC: &str = "https://pensaer.local/ifc#";
/// `prop:`, properties and quantities.
pub const PROP: &str = "https://pensaer.local/prop#";
/// `way:`, how one gets from room to room.
pub const WAY: &str = "https://pensaer.local/way#";
/// `room:`, measures of rooms.
pub const ROOM: &str = "https://pensaer.local/room#";

/// `check:`, findings of checks.
pub const CHECK: &str = "https://pensaer.local/check#";
/// `ep:`, types and fields of EnergyPlus by their names in its schema.
pub const EP: &str = "https://pensaer.local/ep#";
/// `result:`, results of a simulation.
pub const RESULT: &str = "https://pensaer.local/result#";

/// The prefixes that every query of buildings knows, without that of the elements.
pub const PREFIXES: [(&str, &str); 11] = [
    ("rdf", RDF),
    ("rdfs", RDFS),
    ("xsd", XSD),
    ("bot", BOT),
    ("ifc", IFC),
    ("prop", PROP),
    ("way", WAY),
    ("room", ROOM),
    ("check", CHECK),
    ("qudt", QUDT),
    ("unit", UNIT),
];

/// The IRI of `rdf:type`.
pub const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
/// The IRI of `rdfs:subClassOf`.
pub const SUB_CLASS_OF: &str = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
/// The IRI of `qudt:unit`.
pub const HAS_UNIT: &str = "http://qudt.org/schema/qudt/unit";
/// The node for the open air, the same in every model.
pub const OUTSIDE: &str = "https://pensaer.local/way#outside";

/// True of letters that both an IRI (RFC 3987) and the local part of a prefixed name (SPARQL 1.1, 19.8) may hold as they are.
fn stays(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '-' | '_')
        || matches!(c, '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
            | '\u{37F}'..='\u{1FFF}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
            | '\u{FDF0}'..='\u{FFEF}')
}

/// Writes a name as a part of an IRI that can stand behind a prefix; `also` are further characters that stay.
pub fn encode<'a>(name: &'a str, also: &[char]) -> Cow<'a, str> {
    // a local name may not begin with a hyphen
    let is_plain = |at: usize, c: char| (stays(c) && (at > 0 || c != '-')) || also.contains(&c);
    if name.char_indices().all(|(at, c)| is_plain(at, c)) {
        return Cow::Borrowed(name);
    }
    let mut encoded = String::with_capacity(name.len() + 8);
    for (at, c) in name.char_indices() {
        if is_plain(at, c) {
            encoded.push(c);
        } else {
            encoded.extend(c.encode_utf8(&mut [0; 4]).bytes().map(percent_encode_byte));
        }
    }
    Cow::Owned(encoded)
}

/// Reads what [`encode`] wrote; `None` for what it never writes, so that every IRI has one spelling.
pub fn decode(encoded: &str, also: &[char]) -> Option<String> {
    let name = percent_decode_str(encoded).decode_utf8().ok()?;
    (encode(&name, also) == encoded).then(|| name.into_owned())
}

/// The characters that stay in a GlobalId beside letters and digits.
pub const IN_GUID: [char; 1] = ['$'];

/// The name of an attribute as a predicate: `GlobalId` becomes `globalId`.
pub fn predicate_of_attribute(attribute: &str) -> String {
    let mut letters = attribute.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}

/// The name of the attribute behind a predicate: `globalId` becomes `GlobalId`.
pub fn attribute_of_predicate(predicate: &str) -> Option<String> {
    let mut letters = predicate.chars();
    let first = letters.next().filter(char::is_ascii_lowercase)?;
    Some(first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The local name of a property: `Pset_WallCommon.FireRating`; parts within it follow with further dots.
pub fn property_name<'a>(set: &str, parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut name = encode(set, &[]).into_owned();
    for part in parts {
        name.push('.');
        name.push_str(&encode(part, &[]));
    }
    name
}

/// The parts of a property's local name: its set, then the names within.
pub fn property_parts(local: &str) -> Option<Vec<String>> {
    let parts: Option<Vec<String>> = local.split('.').map(|part| decode(part, &[])).collect();
    parts.filter(|parts| parts.len() > 1)
}

/// An IRI with the first prefix that fits, else in angle brackets.
pub fn compact(iri: &str, prefixes: &[(String, String)]) -> String {
    for (prefix, namespace) in prefixes {
        if let Some(local) = iri.strip_prefix(namespace.as_str())
            && local.chars().all(|c| stays(c) || matches!(c, '.' | '%' | '$' | ':'))
            && !local.ends_with('.')
            && !local.starts_with(['.', '-', '$'])
        {
            return format!("{prefix}:{local}");
        }
    }
    format!("<{iri}>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_people_chose_are_readable_in_iris() {
        assert_eq!(encode("Pset_WallCommon", &[]), "Pset_WallCommon");
        assert_eq!(encode("Base Offset", &[]), "Base%20Offset");
        assert_eq!(encode("Größe (m²)", &[]), "Größe%20%28m%C2%B2%29");
        assert_eq!(property_name("A.B", ["C"]), "A%2EB.C");
        assert_eq!(property_parts("A%2EB.C"), Some(vec!["A.B".to_owned(), "C".to_owned()]));
        assert_eq!(property_parts("Name"), None);
        assert_eq!(decode("Base%20Offset", &[]).as_deref(), Some("Base Offset"));
        assert_eq!(decode("%41", &[]), None, "a letter has one spelling");
    }

    proptest! {
        #[test]
        fn any_name_is_part_of_a_valid_iri_and_comes_back(name in any::<String>()) {
            let encoded = encode(&name, &IN_GUID);
            let iri = [IFC, &encoded].concat();
            prop_assert!(oxrdf::NamedNode::new(iri).is_ok());
            prop_assert_eq!(decode(&encoded, &IN_GUID), Some(name));
        }

        #[test]
        fn any_property_is_told_from_its_set(set in any::<String>(), name in any::<String>()) {
            let local = property_name(&set, [name.as_str()]);
            prop_assert_eq!(property_parts(&local), Some(vec![set, name]));
            let query = format!("SELECT * {{ ?s prop:{local} ?o }}");
            let parser = spargebra::SparqlParser::new().with_prefix("prop", PROP).unwrap();
            prop_assert!(local.ends_with('.') || local.starts_with('.') || parser.parse_query(&query).is_ok(), "{}", query);
        }
    }
}
