//! Documents that objects refer to, by name and address.

use crate::author::Author;
use crate::measures::name;
use contract::Fault;
use ifc::{Id, Value};

/// The longest address taken.
const LONGEST: usize = 2000;

/// Schemes of addresses that lead somewhere for everybody who reads the model.
const SCHEMES: [&str; 5] = ["http", "https", "ftp", "ftps", "urn"];

/// Reads the address of a document: a URI, or a path relative to the model.
pub fn location(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    let wrong = |why: &str| {
        Fault::invalid(
            field,
            format!(
                "`{field}` {why}. Give an address such as https://example.org/fire.pdf, or a path relative to the model such as documents/fire.pdf."
            ),
        )
    };
    if text.is_empty() {
        return Err(wrong("is empty"));
    }
    if text.len() > LONGEST || text.chars().any(char::is_control) {
        return Err(wrong("is too long or holds control characters"));
    }
    if let Some((scheme, _)) = text.split_once(':') {
        let known = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
        return if known {
            Ok(text.to_owned())
        } else {
            Err(wrong("begins with no scheme that leads anywhere for others"))
        };
    }
    let parts: Vec<&str> = text.split(['/', '\\']).collect();
    if parts.first().is_some_and(|first| first.is_empty()) || parts.contains(&"..") {
        return Err(wrong("is a path on one machine"));
    }
    Ok(text.to_owned())
}

/// Attaches a document to objects, shared with those that have it already; or takes it from them. Answers the reference.
pub fn attach(
    author: &mut Author,
    ids: &[Id],
    text: &str,
    address: &str,
    identification: Option<&str>,
    remove: bool,
) -> Result<Option<Id>, Fault> {
    let text = name("name", text)?;
    let address = location("location", address)?;
    let known = author.edit.of_class_exact("IfcDocumentReference").into_iter().find(|id| {
        author.edit.get(*id).is_some_and(|d| {
            d.name().as_deref() == Some(&text) && d.text("Location").as_deref() == Some(&address)
        })
    });
    if remove {
        return detach(author, ids, known, &text).map(|()| None);
    }
    let attribute = if author.legacy() { "ItemReference" } else { "Identification" };
    let identification = identification.map(|text| name("identification", text)).transpose()?;
    let reference = if let Some(known) = known {
        if let Some(identification) = &identification {
            author.set(known, attribute, identification.as_str())?;
        }
        known
    } else {
        let mut attributes =
            vec![("Name", Value::from(text.as_str())), ("Location", address.as_str().into())];
        if let Some(identification) = &identification {
            attributes.push((attribute, identification.as_str().into()));
        }
        author.create("IfcDocumentReference", &attributes)?
    };
    let relation = author.edit.referrers_of(reference, "IfcRelAssociatesDocument").into_iter().next();
    if let Some(relation) = relation {
        for id in ids {
            author.add_to(relation, "RelatedObjects", *id)?;
        }
    } else {
        let list = Value::list(ids.iter().copied().map(Value::Ref));
        let ends = [("RelatedObjects", list), ("RelatingDocument", reference.into())];
        author.root("IfcRelAssociatesDocument", None, &ends)?;
    }
    Ok(Some(reference))
}

fn detach(author: &mut Author, ids: &[Id], known: Option<Id>, text: &str) -> Result<(), Fault> {
    let relations =
        known.map(|known| author.edit.referrers_of(known, "IfcRelAssociatesDocument")).unwrap_or_default();
    let mut taken = 0;
    for relation in relations {
        for id in ids {
            let there =
                author.edit.get(relation).is_some_and(|r| r.references("RelatedObjects").contains(id));
            if there {
                author.drop_member(relation, "RelatedObjects", *id)?;
                taken += 1;
            }
        }
    }
    if taken == 0 {
        return Err(Fault::invalid(
            "name",
            format!("None of these elements has the document {text} at this address."),
        ));
    }
    match known {
        Some(known) => author.sweep(&[known]),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_somewhere_for_everybody() {
        for right in ["https://example.org/a b.pdf", "urn:isbn:1", "documents/fire.pdf", "HTTP://x"] {
            assert!(location("location", right).is_ok(), "{right}");
        }
        for wrong in [
            "",
            "  ",
            "/etc/passwd",
            "..\\secret",
            "a/../../b",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "C:\\plans\\a.pdf",
            "\\\\server\\share",
            "https://x\u{0}",
        ] {
            assert!(location("location", wrong).is_err(), "{wrong}");
        }
    }
}
