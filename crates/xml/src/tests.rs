//! Tests of reading and writing.

use crate::read::thorough;
use crate::{Limits, Place, Writer, quick, read};
use proptest::prelude::*;

fn problem(text: &str) -> String {
    read(text.as_bytes(), &Limits { bytes: 2000, depth: 5, nodes: 20 }).unwrap_err().to_string()
}

#[test]
fn a_document_is_read_with_namespaces_places_and_text() {
    let text = "\u{feff}<?xml version=\"1.0\"?>\n<!-- a -->\n<a xmlns=\"urn:one\" xmlns:x='urn:two' k=\"1 &amp;&#10;2\" x:k='3'>\n  \
                b<x:c/>&lt;<![CDATA[<d>]]>é&#233;\n</a>\n";
    let root = read(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!((root.namespace.as_deref(), root.name.as_str()), (Some("urn:one"), "a"));
    assert_eq!(root.attribute("k"), Some("1 &\n2"));
    assert_eq!(root.attributes.len(), 2);
    assert_eq!(root.attributes[1].namespace.as_deref(), Some("urn:two"));
    assert_eq!(root.text.trim(), "b<<d>éé");
    let child = root.child("c").unwrap();
    assert_eq!(child.namespace.as_deref(), Some("urn:two"));
    assert_eq!((root.place, child.place), (Place { line: 3, column: 1 }, Place { line: 4, column: 4 }));
    assert_eq!(root.children_of("c").count(), 1);
    let wide: Vec<u8> = "\u{feff}<a>ä</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&wide, &Limits::default()).unwrap().text, "ä");
}

#[test]
fn hostile_documents_are_refused_with_their_place() {
    for (text, said) in [
        ("", "the document is empty"),
        ("<a>", "<a> is not closed"),
        ("<a></b>", "this is no XML"),
        ("<a/><b/>", "there is more after the end"),
        ("<a/>b", "text stands outside"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "a document type is not read"),
        ("<a>&b;</a>", "the entity &b; is not one of the five"),
        ("<a>&#0;</a>", "character"),
        ("<a>&#xB;</a>", "character"),
        ("<a k='1' k='2'/>", "an attribute is none"),
        ("<x:a/>", "the prefix `x` is not declared"),
        ("<a><a><a><a><a><a/></a></a></a></a></a>", ""),
        ("<a><a><a><a><a><a></a></a></a></a></a></a>", "more than 5 deep"),
        (
            "<a><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/><b/></a>",
            "more than 20",
        ),
    ] {
        if said.is_empty() {
            assert!(read(text.as_bytes(), &Limits { bytes: 2000, depth: 5, nodes: 20 }).is_ok(), "{text}");
            continue;
        }
        assert!(problem(text).contains(said), "{text}: {}", problem(text));
    }
    assert_eq!(problem("<a>\n  <b>\n</a>").split(':').next(), Some("line 3, column 1"));
    assert!(problem(&format!("<a>{}</a>", "b".repeat(3000))).contains("more than 2000 bytes"));
    let latin = read(b"<a>\n\xE4</a>", &Limits::default()).unwrap_err();
    assert_eq!(latin.place, Place { line: 2, column: 1 });
}

#[test]
fn usual_documents_are_read_quickly_and_others_are_left() {
    let limits = Limits { bytes: 2000, depth: 5, nodes: 20 };
    for text in [
        "<a/>",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<a xmlns=\"urn:one\" xmlns:b='urn:two'>\r\n <b:c k=\"1 &amp; 2\" b:k='\"'/>é\t&#8364;<!-- a - b -->]</a >\n",
        "<a xmlns='urn:one'><b xmlns='urn:two'><c/></b><d/></a>",
        "<!-- a --><a></a><!-- b -->",
    ] {
        let found = quick::read(text, &limits);
        assert!(found.is_some(), "{text}");
        assert_eq!(found, thorough(text, &limits).ok(), "{text}");
    }
    for text in [
        "<a><![CDATA[b]]></a>",
        "<a>]]></a>",
        "<a k = '1'/>",
        "<a k='1'l='2'/>",
        "<a k='1\n2'/>",
        "<ä/>",
        "<a xml:lang='de'/>",
        "<a><!-- -- --></a>",
        "<a>&#10;</a>",
        "<?xml version=\"1.0\"?><?b?><a/>",
        "<a xmlns:b=''/>",
    ] {
        assert_eq!(quick::read(text, &limits), None, "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_read_quickly_is_what_is_read_thoroughly(
        parts in proptest::collection::vec(prop_oneof![
            Just("<a>"), Just("</a>"), Just("<a/>"), Just("<b k=\"1\">"), Just("</b>"), Just("</a >"), Just("<x:a xmlns:x='urn:x'>"),
            Just("</x:a>"), Just("<a xmlns=\"urn:a\" k='&lt;\"'>"), Just("<x:b x:k='é' l='' />"), Just("<!-- c -->"), Just("<!--->"),
            Just("<!---->"), Just("<?xml version=\"1.0\"?>"), Just("<![CDATA[<]]>"), Just("&amp;"), Just("&#65;"), Just("&#x41;"), Just("&b;"),
            Just("\r\n"), Just("\r"), Just("\n  "), Just("é"), Just("]]>"), Just("]"), Just(">"), Just("<a k='1' k='2'/>"), Just("<a"),
            Just(" k='1'"), Just("xmlns:y=\"urn:y\""), Just("<y:a"), Just("<a xmlns:='urn:z'/>"), Just("<a xmlns:xml='urn:z'/>"), Just(" "),
            Just("<a xmlns='&amp;'/>"), Just("<a:b:c/>"), Just("<xmlns:a/>"), Just("<a:/>"), Just("\u{1}"), Just("<"), Just("/>"),
        ], 0..14),
        is_within in any::<bool>(),
    ) {
        let limits = Limits { bytes: 2000, depth: 4, nodes: 12 };
        let text = if is_within { format!("<a>{}</a>", parts.concat()) } else { parts.concat() };
        if let Some(found) = quick::read(&text, &limits) {
            prop_assert_eq!(Ok(found), thorough(&text, &limits), "{}", text);
        }
    }

    #[test]
    fn any_text_that_is_read_quickly_is_read_thoroughly_the_same(text in "[<>/a-c =\"'&;#!\\[\\]?:\n\r-]{0,60}") {
        let limits = Limits::default();
        for text in [text.clone(), format!("<a>{text}</a>"), format!("<a {text}/>"), format!("<a k='{text}'/>")] {
            if let Some(found) = quick::read(&text, &limits) {
                prop_assert_eq!(Ok(found), thorough(&text, &limits), "{}", text);
            }
        }
    }

    #[test]
    fn what_is_written_is_read_again(attribute in "\\PC*|[\\t\\n\\r<>&\"']*", text in "\\PC*|[\\t\\n\\r<>&\"']*") {
        let mut writer = Writer::default();
        writer.open("a").attribute("k", &attribute).optional_attribute("none", None);
        writer.leaf("b", &text).optional("none", None).open("c").close();
        let written = writer.finish();
        let root = read(written.as_bytes(), &Limits::default()).unwrap();
        prop_assert_eq!(root.attribute("k"), Some(attribute.as_str()));
        prop_assert_eq!(&root.child("b").unwrap().text, &text);
        prop_assert!(root.child("c").is_some());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "[<>/a-c =\"'&;#!\\[\\]?-]{0,80}") {
        let _ = read(&bytes, &Limits::default());
        let _ = read(text.as_bytes(), &Limits::default());
    }
}
