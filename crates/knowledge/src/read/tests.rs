use super::*;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// Anchors, titles and texts of the parts.
fn told(document: &Document) -> Vec<(&str, &str, &str)> {
    let part = |part: &'_ Part| -> (usize, usize) { (part.anchor.len(), part.text.len()) };
    assert!(document.parts.iter().all(|one| part(one).0 < 200));
    document
        .parts
        .iter()
        .map(|part| (part.anchor.as_str(), part.title.as_deref().unwrap_or_default(), part.text.as_str()))
        .collect()
}

#[test]
fn markdown_is_cut_by_its_headings() {
    let text = "---\ntitle: x\n---\nIntro with a [link](http://a).\n\n# One\n\n**Bold** text.\n\nTwo\n---\n\n- item\n";
    let document = read("a.md", text.as_bytes()).unwrap();
    assert_eq!(
        told(&document),
        [("", "", "Intro with a link."), ("one", "One", "Bold text."), ("two", "Two", "- item")]
    );
    let sections = document.sections("own");
    assert_eq!(sections[0].location, "documents/own/a.md");
    assert_eq!(
        (sections[2].location.as_str(), sections[2].path.as_slice()),
        ("documents/own/a.md#two", &["One".to_owned()][..])
    );
}

#[test]
fn html_is_read_without_what_a_browser_would_run() {
    let html = "<!DOCTYPE html><html><head><title>Fire &amp; smoke</title><style>p{}</style><script>alert('<h1>x</h1>')</script></head>
        <body><!-- <h1>no</h1> --><h1>W&auml;nde</h1><p>One <b>bold</b>\n word.</p><ul><li>a &lt; b</li><li><p>c</p></li></ul>
        <table><tr><th>Name</th><th>R</th></tr><tr><td>Wall</td><td>EI&nbsp;30</td></tr></table><h2 title=\">\">Next</h2>text 3 < 4</body>";
    let document = read("a.html", html.as_bytes()).unwrap();
    assert_eq!(document.title.as_deref(), Some("Fire & smoke"));
    assert_eq!(
        told(&document),
        [
            ("wände", "Wände", "One bold word.\n- a < b\nc\nName | R\nWall | EI 30"),
            ("next", "Next", "text 3 < 4")
        ]
    );
}

#[test]
fn text_is_read_in_the_encodings_that_files_have() {
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    let mark = |bytes: Vec<u8>| [vec![0xff, 0xfe], bytes].concat();
    for bytes in [
        "Größe der Wände".as_bytes().to_vec(),
        "\u{feff}Größe der Wände".as_bytes().to_vec(),
        b"Gr\xf6\xdfe der W\xe4nde".to_vec(),
        utf16("Größe der Wände", false),
        utf16("Größe der Wände", true),
        mark(utf16("Größe der Wände", false)),
    ] {
        let document = read("a.txt", &bytes).unwrap();
        assert_eq!(told(&document), [("", "", "Größe der Wände")], "{bytes:?}");
        assert_eq!(document.format, Format::Plain);
    }
}

#[test]
fn long_parts_are_cut_at_sentences_with_addresses_that_stay() {
    let sentence = "The wall carries the slab and the slab carries the load. ";
    let document = read("a.md", format!("# Long\n\n{}", sentence.repeat(100)).as_bytes()).unwrap();
    let parts = told(&document);
    assert!(parts.len() >= 3, "{}", parts.len());
    assert_eq!((parts[0].0, parts[1].0, parts[2].0), ("long", "long-part-2", "long-part-3"));
    for (_, title, text) in &parts {
        assert!(*title == "Long" && text.len() <= 2_000 && text.ends_with('.'), "{text}");
    }
    let whole: String = parts.iter().map(|(_, _, text)| *text).collect::<Vec<_>>().join(" ");
    assert_eq!(whole, sentence.repeat(100).trim());
    // without any place to cut, it is cut all the same
    let document = read("b.txt", "x".repeat(10_000).as_bytes()).unwrap();
    assert!(document.parts.len() >= 5);
}

fn docx(document: &str, further: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let body = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:mc=\"mc\"><w:body>{document}</w:body></w:document>"
    );
    for (name, text) in [("word/document.xml", body.as_str())].iter().chain(further) {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn docx_is_read_by_styles_lists_and_rows() {
    let styles = "<w:styles><w:style w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style>
        <w:style w:styleId=\"Own\"><w:name w:val=\"Own\"/><w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style></w:styles>";
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let body = [
        paragraph("", "Before &amp; first"),
        paragraph("<w:pStyle w:val=\"berschrift1\"/>", "Brandschutz"),
        paragraph("<w:numPr/>", "EI 30"),
        "<w:p><w:r><w:t>split</w:t></w:r><w:r><w:t xml:space=\"preserve\"> run</w:t><w:tab/><w:delText>gone</w:delText></w:r></w:p>".to_owned(),
        "<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>".to_owned(),
        paragraph("<w:pStyle w:val=\"Own\"/>", "Türen"),
        format!("<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>", cell("Tür"), cell("Klasse"), cell("T1"), cell("EI 60")),
    ]
    .concat();
    let core = "<cp:coreProperties xmlns:dc=\"dc\"><dc:title>Concept</dc:title></cp:coreProperties>";
    let bytes = docx(
        &body,
        &[("word/styles.xml", styles), ("docProps/core.xml", core), ("word/footnotes.xml", "<x/>")],
    );
    let document = read("a.docx", &bytes).unwrap();
    assert_eq!(document.title.as_deref(), Some("Concept"));
    assert_eq!(document.notes, ["not read: footnotes"]);
    assert_eq!(
        told(&document),
        [
            ("", "", "Before & first"),
            ("brandschutz", "Brandschutz", "- EI 30\nsplit run\nbox"),
            ("türen", "Türen", "Tür | Klasse\nT1 | EI 60"),
        ]
    );
    assert_eq!(document.parts[2].path, ["Brandschutz"]);
    assert_eq!(document.sections("own")[2].path, ["Concept", "Brandschutz"]);
}

#[test]
fn an_archive_that_grows_beyond_measure_is_refused() {
    let bomb = docx(&"<w:p/>".repeat(20_000_000), &[]);
    assert!(bomb.len() < 2 << 20);
    assert!(matches!(read("a.docx", &bomb), Err(Problem::TooLarge(_))));
}

#[test]
fn entities_of_a_docx_are_not_expanded() {
    let bytes = docx("<w:p><w:r><w:t>a &lol; b</w:t></w:r></w:p>", &[]);
    let document = read("a.docx", &bytes).unwrap();
    assert_eq!(document.parts[0].text, "a  b");
}

/// A PDF of objects, with a table of where they stand; a stream for each page.
fn pdf(pages: &[&str], further: &[String], trailer: &str) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 4 + at * 2)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (at, page) in pages.iter().enumerate() {
        let content = 5 + at * 2;
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents {content} 0 R>>"
        ));
        objects.push(format!("<</Length {}>>stream\n{page}\nendstream", page.len()));
    }
    objects.extend(further.iter().cloned());
    let mut text = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(text.len());
        let _ = write!(text, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let table = text.len();
    let _ = write!(text, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(text, "{place:010} 00000 n ");
    }
    let _ =
        write!(text, "trailer<</Size {}/Root 1 0 R{trailer}>>\nstartxref\n{table}\n%%EOF", objects.len() + 1);
    text.into_bytes()
}

const PAGE: &str =
    "BT /F1 12 Tf 50 700 Td (Fire rating) Tj 0 -14 Td [(W) 20 (all) -300 (EI 30)] TJ 0 -60 Td (Next) Tj ET";

#[test]
fn pdf_is_read_page_by_page_and_pages_without_text_are_told() {
    let bytes = pdf(&[PAGE, "", "BT /F1 10 Tf 1 0 0 1 50 700 Tm (T\\374ren) Tj ET"], &[], "");
    let document = read("a.pdf", &bytes).unwrap();
    assert_eq!(document.pages, Some(3));
    assert_eq!(
        told(&document),
        [("page=1", "Page 1", "Fire rating\nWall EI 30\nNext"), ("page=3", "Page 3", "Türen")]
    );
    assert_eq!(document.notes, ["pages without text, perhaps pictures: 2"]);
    let sections = document.sections("own");
    assert_eq!((sections[1].location.as_str(), sections[1].page), ("documents/own/a.pdf#page=3", Some(3)));
}

#[test]
fn pdf_texts_in_forms_and_with_tables_of_unicode_are_read() {
    let table = "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n1 beginbfchar\n<41> <00D6>\nendbfchar\nendcmap\nend\nend\n";
    let further = [
        "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F2 7 0 R>>/XObject<</X 6 0 R>>>>/Length 31>>stream\nBT /F2 9 Tf 50 500 Td (A) Tj ET\nendstream".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/ABC+Own/Encoding<</Type/Encoding/Differences[65/g1]>>/ToUnicode 8 0 R>>".to_owned(),
        format!("<</Length {}>>stream\n{table}\nendstream", table.len()),
    ];
    let bytes = pdf(&["/X Do"], &further, "");
    // the form is asked for by the page's resources
    let text = String::from_utf8(bytes)
        .unwrap()
        .replace("<</Font<</F1 3 0 R>>>>/Contents", "<</XObject<</X 6 0 R>>>>/Contents ");
    let document = read("a.pdf", text.as_bytes()).unwrap();
    assert_eq!(document.parts[0].text, "Ö");
    // a form that shows itself ends, too
    let looped = text.replace("/Length 31>>stream\nBT", "/Length 37>>stream\n/X Do BT");
    assert!(read("a.pdf", looped.as_bytes()).unwrap().parts[0].text.len() < 40);
}

#[test]
fn a_scan_an_encrypted_and_a_damaged_pdf_are_one_clear_problem() {
    assert!(matches!(read("a.pdf", &pdf(&["", ""], &[], "")), Err(Problem::NoText(_))));
    let encrypted = pdf(
        &[PAGE],
        &["<</Filter/Standard/V 1/R 2/O(x)/U(y)/P -4>>".to_owned()],
        "/Encrypt 6 0 R/ID[(a)(b)]",
    );
    assert_eq!(read("a.pdf", &encrypted), Err(Problem::Encrypted));
    assert!(matches!(read("a.pdf", b"%PDF-1.4\nnothing"), Err(Problem::Malformed(_))));
    assert!(matches!(read("a.pdf", b"nothing"), Err(Problem::Malformed(_))));
}

#[test]
fn a_tree_of_pages_that_bites_its_tail_ends() {
    let bytes = pdf(&[PAGE, PAGE], &[], "");
    let text = String::from_utf8(bytes).unwrap();
    let looped = text.replace("/Kids[4 0 R 6 0 R]", "/Kids[2 0 R 4 0 R]");
    let document = read("a.pdf", looped.as_bytes()).unwrap();
    assert_eq!(document.pages, Some(1));
    let many = text.replace("/Count 2", "/Count 9223372036854775807");
    assert_eq!(read("a.pdf", many.as_bytes()).unwrap().pages, Some(2));
}

#[test]
fn what_is_none_of_the_forms_is_refused() {
    assert!(matches!(read("a.bin", &[0, 1, 2, 3, 0, 0, 9]), Err(Problem::UnknownFormat(_))));
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a.txt", SimpleFileOptions::default()).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    assert!(matches!(read("a.zip", &zip), Err(Problem::UnknownFormat(_))));
    assert!(matches!(read("a.docx", b"text"), Err(Problem::Malformed(_))));
    assert!(matches!(read("a.txt", b"  \n"), Err(Problem::NoText(_))));
}

#[test]
fn long_texts_of_one_sign_and_many_headings_alike_are_read_once() {
    // quadratic work would take minutes here
    let brackets = read("a.md", "[".repeat(2_000_000).as_bytes()).unwrap();
    assert!(brackets.parts.len() > 900);
    let signs = read("a.html", "&<".repeat(1_000_000).as_bytes()).unwrap();
    assert!(signs.parts.len() > 900);
    let headings = read("a.md", "# A\nx\n".repeat(40_000).as_bytes()).unwrap();
    assert_eq!(headings.parts.last().map(|part| part.anchor.as_str()), Some("a-40000"));
    assert!(matches!(read("a.md", "# A\n".repeat(60_000).as_bytes()), Err(Problem::TooLarge(_))));
}

#[test]
fn a_pdf_with_more_instructions_than_are_read_is_refused() {
    // each form shows the next two thousand times
    let form = |next: usize| {
        let shows = "/X Do ".repeat(2_000);
        format!(
            "<</Type/XObject/Subtype/Form/Resources<</XObject<</X {next} 0 R>>>>/Length {}>>stream\n{shows}\nendstream",
            shows.len()
        )
    };
    let forms: Vec<String> = (7..13).map(form).collect();
    let text = String::from_utf8(pdf(&["/X Do"], &forms, "")).unwrap();
    let text = text.replace("<</Font<</F1 3 0 R>>>>/Contents", "<</XObject<</X 6 0 R>>>>/Contents ");
    assert!(matches!(read("a.pdf", text.as_bytes()), Err(Problem::TooLarge(_))));
}

proptest! {
    #[test]
    fn any_text_is_read_as_markdown_and_html(text in "\\PC{0,300}|([#<>&/a-z\"'= \n-]{0,300})") {
        for name in ["a.md", "a.html", "a.txt"] {
            if let Ok(document) = read(name, text.as_bytes()) {
                let sections = document.sections("own");
                let mut locations: Vec<&str> = sections.iter().map(|section| section.location.as_str()).collect();
                locations.sort_unstable();
                locations.dedup();
                prop_assert_eq!(locations.len(), sections.len());
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for (name, head) in [("a.pdf", &b"%PDF-1.4\n"[..]), ("a.docx", b"PK\x03\x04"), ("a.txt", b"")] {
            let _ = read(name, &[head, &bytes].concat());
        }
    }

    #[test]
    fn any_markup_in_a_docx_is_read_or_refused(body in "(<w:p>|</w:p>|<w:t>|</w:t>|<w:tbl>|</w:tbl>|<w:tr>|</w:tr>|<w:tc>|</w:tc>|<w:br/>|<mc:Fallback>|</mc:Fallback>|text|&amp;|&#x41;){0,30}") {
        let _ = read("a.docx", &docx(&body, &[]));
    }
}
