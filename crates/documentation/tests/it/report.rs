//! Reports: their figures are those of the model, and they say the same on pages, as Markdown and as HTML.

use crate::common;
use crate::common::versions::Later;
use crate::common::{DOOR, EAST, House, real, style, texts};
use documentation::report::{Block, Given, Picture, Quality, changes, passport};
use documentation::style::Style;
use glam::DVec3;
use std::sync::Arc;

/// A picture of one page.
fn picture() -> Picture {
    let page = paper::Page { size: glam::DVec2::new(40.0, 20.0), ..paper::Page::default() };
    let png = paper::png::write(&page, paper::png::Resolution::Width(80)).unwrap();
    Picture {
        png: Arc::from(png),
        pixels: [80, 40],
        caption: "From <south>".into(),
        file_name: Some("a b.png".into()),
    }
}

fn given() -> Given {
    let line = |words: &str, is_fulfilled| Quality { words: words.into(), is_fulfilled };
    let quality = vec![line("Every wall has a material", true), line("3 rooms <have> no name غرفة", false)];
    Given { quality, pictures: vec![picture(), picture()], storey: None }
}

#[test]
fn the_figures_of_a_passport_are_those_of_the_model() {
    for (name, schema) in [("Duplex_A_20110907.ifc", "IFC2X3"), ("AC20-FZK-Haus.ifc", "IFC4")] {
        let Some(scene) = real(name) else { return };
        let (document, facts) = passport(&scene, &given(), &style(), &|_, _| true).unwrap();
        let model = scene.model();
        assert_eq!(facts.schema, schema);
        for class in &facts.classes {
            assert_eq!(class.count, model.of_class_exact(&class.class).len(), "{name} {}", class.class);
        }
        let openings = model.of_class("IfcFeatureElement").len();
        let elements = model.of_class("IfcElement").len() - openings;
        assert_eq!(facts.classes.iter().map(|c| c.count).sum::<usize>(), elements, "{name}");
        assert_eq!(facts.rooms, model.of_class("IfcSpace").len(), "{name}");
        assert_eq!(facts.storeys.len(), model.of_class("IfcBuildingStorey").len(), "{name}");
        let by_storey: f64 = facts.storeys.iter().map(|s| s.floor_area).sum();
        assert!((by_storey - facts.floor_area).abs() < 1e-9);
        // the rooms' own quantities, where the file states them for all that are not outdoors
        let units = ifc::Units::from_model(model);
        let stated: f64 = model
            .of_class("IfcSpace")
            .into_iter()
            .flat_map(|space| ifc::psets::of_element(model, space))
            .flat_map(|set| set.properties)
            .filter(|p| p.name == "GrossFloorArea" || p.name == "GSA BIM Area")
            .filter_map(|p| p.in_si(model, &units))
            .sum();
        if name.starts_with("AC20") {
            assert!(
                (stated - facts.floor_area).abs() < 1e-3 * stated,
                "{name}: {stated} {}",
                facts.floor_area
            );
        }
        let pages = document.pages();
        assert_eq!(pages.len(), 1);
        let pdf = paper::pdf::write(&pages, &[], &paper::pdf::Metadata::default()).unwrap();
        let Some(text) = common::pdf_text(&pdf, &format!("passport-{name}")) else { return };
        let (markdown, html) = (document.markdown(), document.html());
        let mut told = vec![
            facts.name.clone(),
            format!("{:.2} m²", facts.floor_area),
            format!("{:.2} m³", facts.room_volume),
        ];
        told.extend(facts.storeys.iter().map(|s| s.name.clone()));
        for words in told {
            assert!(text.contains(&words), "{name}: `{words}` is not in {text}");
            assert!(html.contains(&words) && markdown.contains(&words), "{name}: `{words}`");
        }
        for corner in
            texts(&pages[0]).iter().flat_map(|t| documentation::drawing::words::Box2::around(t).corners())
        {
            assert!(
                corner.cmpge(glam::DVec2::ZERO).all() && corner.cmple(pages[0].size).all(),
                "{name}: {corner}"
            );
        }
        assert!(document.blocks.iter().any(|b| matches!(b, Block::Drawing(_))), "{name}: {markdown}");
        assert!(markdown.contains("](<drawing-1.svg>)"), "{markdown}");
    }
}

#[test]
fn markup_in_names_is_words_and_html_needs_no_other_file() {
    let scene = House { room: "<script>alert(1)</script> & \"x\" | *y*".into(), ..House::default() }.scene();
    let (document, _) = passport(&scene, &given(), &style(), &|_, _| true).unwrap();
    let (html, markdown) = (document.html(), document.markdown());
    assert!(html.contains("3 rooms &lt;have&gt; no name غرفة") && !html.contains("<have>"), "{html}");
    assert!(!html.contains("<script") && html.contains("data:image/png;base64,"));
    for away in ["src=\"http", "href=\"http", "url(http", "<link", "<img"] {
        assert!(!html.contains(away), "{away}");
    }
    assert!(
        markdown.contains("3 rooms \\<have\\> no name غرفة")
            && markdown.contains("![From \\<south\\>](<a b.png>)")
    );
}

#[test]
fn changes_are_told_with_storey_room_and_values() {
    let before = House::default().scene();
    let mut later = Later::new(&before);
    let id = |guid: &str| before.model().by_guid(guid).unwrap();
    later.rename(id(DOOR), "Tür | <i>مطبخ</i>");
    later.shift(id(EAST), DVec3::X * 0.2);
    let after = later.scene();
    for (language, moved, summary) in [
        ("en", "moved by 200 mm to the east", "2 elements are different"),
        ("de", "verschoben um 200 mm nach Osten", "2 Bauteile unterscheiden sich"),
        ("fr", "moved by 200 mm", "There are no sentences in the language \"fr\""),
    ] {
        let style = Style::from_toml(&format!("language = \"{language}\"")).unwrap();
        let (document, told) = changes(&before, &after, &[picture()], &style, &|_, _| true).unwrap();
        assert_eq!(told.len(), 2);
        for told in &told {
            assert_eq!(told.rooms, ["01 Living"], "{told:?}");
            assert_eq!(told.change.storey.as_ref().unwrap().0, "Ground");
        }
        let markdown = document.markdown();
        assert!(markdown.contains(moved) && markdown.contains("## Ground"), "{markdown}");
        assert!(markdown.contains("| Door | Tür \\| \\<i\\>مطبخ\\</i\\> |"), "{markdown}");
        // the storey's plan, with what moved and a cloud around it
        let drawings = document.drawings();
        let [(name, page)] = drawings.as_slice() else { panic!("{} drawings", drawings.len()) };
        assert!(markdown.contains(&format!("](<{name}>)")), "{markdown}");
        let drawn = paper::svg::write(page);
        assert!(drawn.contains(DOOR) && drawn.contains(EAST), "{drawn}");
        assert!(!drawn.contains("Legend") && drawn.contains("data-layer=\"revision\""), "{drawn}");
        let html = document.html();
        assert!(html.contains("Tür | &lt;i&gt;مطبخ&lt;/i&gt;") && html.contains(moved), "{html}");
        let all = format!("{markdown}{html}");
        assert!(all.contains(summary) || all.contains(&summary.replace('"', "&quot;")), "{markdown}");
        let pages = document.pages();
        let pdf = paper::pdf::write(&pages, &[], &paper::pdf::Metadata::default()).unwrap();
        let Some(text) = common::pdf_text(&pdf, &format!("changes-{language}")) else { return };
        assert!(text.contains("200 mm") && text.contains("Living"), "{text}");
    }
    let (none, _) = changes(&before, &before, &[], &style(), &|_, _| true).unwrap();
    assert!(none.markdown().contains("The two versions show the same building."));
    assert!(changes(&before, &after, &[], &style(), &|_, _| false).is_none());
}

#[test]
fn long_reports_go_from_page_to_page_and_lose_no_row() {
    let Some(before) = real("Duplex_A_20110907.ifc") else { return };
    let mut later = Later::new(&before);
    for (n, entry) in before.entries().iter().enumerate() {
        later.rename(entry.id, &format!("Other {n} of a name that is long enough to be broken into lines"));
    }
    let after = later.scene();
    let (document, told) = changes(&before, &after, &[], &style(), &|_, _| true).unwrap();
    assert_eq!(told.len(), before.entries().len());
    let pages = document.pages();
    assert!(pages.len() > 5, "{}", pages.len());
    let mut heads = 0;
    for page in &pages {
        common::assert_words_are_apart(page, "long report");
        heads += texts(page).iter().filter(|t| t.words.contains("Other ")).count();
    }
    assert!(heads >= told.len(), "{heads} {}", told.len());
}
