use super::*;

#[test]
fn no_rule_is_without_a_page_and_no_page_without_a_rule() {
    for text in [
        include_str!("pages/alignments.toml"),
        include_str!("pages/geometry.toml"),
        include_str!("pages/georeference.toml"),
        include_str!("pages/structure.toml"),
        include_str!("pages/schema.toml"),
        include_str!("pages/labels.toml"),
        include_str!("pages/sound.toml"),
    ] {
        let pages: Pages = toml::from_str(text).unwrap();
        for (rule, page) in &pages {
            for text in [&page.asks, &page.why, &page.passes, &page.fails] {
                assert!(!text.trim().is_empty(), "{rule}");
            }
        }
    }
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    assert_eq!(of_implementers().keys().map(String::as_str).collect::<Vec<_>>(), sorted);
    let mut kinds = FindingCode::ALL.map(FindingCode::as_str);
    kinds.sort_unstable();
    assert_eq!(of_kinds().keys().map(String::as_str).collect::<Vec<_>>(), kinds);
    let labels: Vec<&str> = SCHEMAS.into_iter().flat_map(rule_texts).map(|rule| rule.label).collect();
    for label in of_labels().keys() {
        assert!(labels.contains(&label.as_str()), "no rule is labelled {label}");
    }
    for page in of_implementers().values().chain(of_kinds().values()).chain(of_changes().values()) {
        assert!(!page.source.is_empty(), "{page:?}");
    }
}

#[test]
fn the_features_of_the_validation_service_are_all_explained() {
    let mut open: Vec<std::path::PathBuf> = testing::data("gherkin/features/rules").into_iter().collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                let name = entry.file_name().to_string_lossy().into_owned();
                let (id, _) = name.split_once('_').unwrap();
                assert_eq!(explain(id).unwrap().rule, id);
            }
        }
    }
}

#[test]
fn every_rule_of_the_schemas_is_explained_by_its_name() {
    for version in SCHEMAS {
        for rule in rule_texts(version) {
            let explained = explain(&rule.name()).unwrap();
            assert_eq!(explained.express.get(version.schema().name()), Some(&rule.text), "{}", rule.name());
        }
    }
    let explained = explain("ifcwall.correctpredefinedtype").unwrap();
    assert_eq!(explained.rule, "IfcWall.CorrectPredefinedType");
    assert!(explained.asks.contains("USERDEFINED"));
    assert_eq!(explained.express.len(), 2, "{:?}", explained.express);
    assert_eq!(explained.severity, Some(Severity::Error));
    assert!(explain("IfcSingleProjectInstance").unwrap().title.starts_with("RULE"));
    assert!(explain("IfcRoot.UR1").unwrap().asks.contains("No two"));
}

#[test]
fn what_is_disabled_is_not_active() {
    let disabled: Vec<&str> =
        ["BRP001", "TAS001", "SYS001", "GRF002", "GRF003", "ALB005", "SPS004", "SPS006", "IFC105", "GEM005"]
            .into_iter()
            .filter(|id| explain(id).unwrap().active)
            .collect();
    assert_eq!(disabled, Vec::<&str>::new());
    assert_eq!(explain("brp001").unwrap().severity, Some(Severity::Notice));
    assert!(explain("SPS007").unwrap().active);
    assert!(explain("QTY001").unwrap().asks.contains("GrossPerimeter"));
}

#[test]
fn a_name_that_no_rule_has_is_answered_by_those_near_it() {
    assert_eq!(explain("SPS07").unwrap_err().first().map(String::as_str), Some("SPS007"));
    assert!(
        explain("IfcWall.CorectPredefinedType")
            .unwrap_err()
            .contains(&"IfcWall.CorrectPredefinedType".to_owned())
    );
    assert!(explain("IfcWall.").unwrap_err().contains(&"IfcWall.CorrectPredefinedType".to_owned()));
    assert!(explain("overlaps").unwrap_err().contains(&"overlap".to_owned()));
    assert_eq!(explain("Overlap").unwrap().rule, "sound.overlap");
    assert_eq!(explain("").unwrap_err(), Vec::<String>::new());
    assert_eq!(explain(&"x".repeat(100_000)).unwrap_err(), Vec::<String>::new());
}

#[test]
fn every_rule_is_explained_once_as_by_its_name() {
    let all = explanations();
    let names: std::collections::BTreeSet<&str> = all.iter().map(|own| own.rule.as_str()).collect();
    assert_eq!(names.len(), all.len());
    for name in
        ["SPS007", "IfcWall.CorrectPredefinedType", "reference", "sound.overlap", "IfcSingleProjectInstance"]
    {
        let own = all.iter().find(|own| own.rule == name).unwrap();
        assert_eq!(*own, explain(name).unwrap());
    }
    assert!(all.len() > 1_000, "{}", all.len());
}
