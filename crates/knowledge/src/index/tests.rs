use super::*;
use crate::vectors::{Precision, Vectors};
use proptest::prelude::*;
use std::sync::OnceLock;

fn section(location: &str, title: &str, text: &str) -> Section {
    Section {
        corpus: "own".to_owned(),
        location: location.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        ..Section::default()
    }
}

fn three() -> Vec<Section> {
    vec![
        section("documents/own/a.md#walls", "Walls", "A wall of timber carries the roof."),
        section("documents/own/a.md#doors", "Doors", "A door of oak."),
        section("documents/own/b.md#windows", "Windows", "A window of glass."),
    ]
}

fn found(index: &Index, question: &str) -> Vec<String> {
    let answer = index.search(question, &Filter::default(), 10).unwrap();
    answer.hits.into_iter().map(|hit| hit.location).collect()
}

/// An index in a folder and one in memory behave alike.
fn both(check: impl Fn(Index)) {
    check(Index::in_memory(three()).unwrap());
    let folder = tempfile::tempdir().unwrap();
    check(Index::create(folder.path(), three()).unwrap());
}

#[test]
fn sections_are_found_and_read_by_address() {
    both(|index| {
        assert_eq!(index.len(), 3);
        assert_eq!(found(&index, "timber walls"), ["documents/own/a.md#walls"]);
        assert_eq!(index.section("documents/own/b.md#windows").unwrap(), Some(three()[2].clone()));
        assert_eq!(index.section("documents/own/c.md").unwrap(), None);
        assert_eq!(index.sections_of("documents/own/a.md").unwrap(), &three()[..2]);
        assert_eq!(index.corpora().unwrap(), BTreeMap::from([("own".to_owned(), (2, 3))]));
    });
}

#[test]
fn only_documents_that_changed_are_written_again() {
    both(|mut index| {
        let unchanged = Changed { unchanged: 2, ..Changed::default() };
        assert_eq!(index.update(three(), &[]).unwrap(), unchanged);
        let mut sections = three();
        sections[2].text = "A window of plastic.".to_owned();
        sections.push(section("documents/own/c.md", "Stairs", "Steps of stone."));
        let changed = Changed { added: 1, updated: 1, removed: 0, unchanged: 1 };
        assert_eq!(index.update(sections, &[]).unwrap(), changed);
        assert_eq!(index.len(), 4);
        assert!(found(&index, "glass").is_empty());
        assert_eq!(found(&index, "plastic"), ["documents/own/b.md#windows"]);
        // a document is taken whole: what it no longer has goes
        let one = vec![section("documents/own/a.md#walls", "Walls", "A wall.")];
        assert_eq!(index.update(one, &["documents/own/c.md".to_owned()]).unwrap().removed, 1);
        assert_eq!(index.len(), 2);
        assert!(found(&index, "oak").is_empty() && found(&index, "stone").is_empty());
    });
}

#[test]
fn a_corpus_is_replaced_without_touching_others() {
    both(|mut index| {
        let other = Section { corpus: "other".to_owned(), ..section("other/x", "Roofs", "Tiles.") };
        index.update(vec![other], &[]).unwrap();
        let changed = index.replace_corpus("own", three().split_off(2)).unwrap();
        assert_eq!(changed, Changed { removed: 1, unchanged: 1, ..Changed::default() });
        assert_eq!(found(&index, "tiles"), ["other/x"]);
        assert_eq!(index.documents_of("own").unwrap(), ["documents/own/b.md"]);
    });
}

#[test]
fn who_reads_goes_on_while_a_new_generation_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Index::create(folder.path(), three()).unwrap();
    let reader = Index::open(folder.path()).unwrap();
    let second = Index::open(folder.path()).unwrap();
    writer.update(Vec::new(), &["documents/own/a.md".to_owned()]).unwrap();
    writer.update(vec![section("documents/own/d.md", "Ramps", "A slope.")], &[]).unwrap();
    assert_eq!((reader.len(), second.len(), writer.len()), (3, 3, 2));
    assert_eq!(found(&reader, "oak"), ["documents/own/a.md#doors"]);
    let newer = Index::open(folder.path()).unwrap();
    assert!(found(&newer, "oak").is_empty());
    assert_eq!(found(&newer, "slope"), ["documents/own/d.md"]);
    // one generation and the file that names it
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn what_a_writer_left_behind_is_removed_and_never_read() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Index::open(folder.path()), Err(IndexError::Absent(_))));
    let mut index = Index::create(folder.path(), three()).unwrap();
    let left = folder.path().join("unfinished-9");
    std::fs::create_dir(&left).unwrap();
    std::fs::write(left.join("meta.json"), "{").unwrap();
    assert_eq!(Index::open(folder.path()).unwrap().len(), 3);
    index.update(vec![section("documents/own/e.md", "E", "e")], &[]).unwrap();
    assert!(!left.exists());
}

#[test]
fn what_names_a_folder_elsewhere_or_another_form_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::create(folder.path(), three()).unwrap();
    let Place::Folder { generation, .. } = &index.place else { panic!("it is in a folder") };
    let list = generation.join(DOCUMENTS);
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, text.replace("\"format\":1", "\"format\":99")).unwrap();
    assert!(matches!(Index::open(folder.path()), Err(IndexError::Format)));
    std::fs::write(folder.path().join("current"), "../elsewhere").unwrap();
    assert!(matches!(Index::open(folder.path()), Err(IndexError::Io(_))));
}

#[test]
fn sections_without_an_address_of_their_own_are_refused() {
    let twice = vec![three()[0].clone(), three()[0].clone()];
    assert!(matches!(Index::in_memory(twice), Err(IndexError::Duplicate(_))));
    assert!(matches!(Index::in_memory(vec![section("", "a", "b")]), Err(IndexError::Nameless("address"))));
    let nameless = Section { corpus: String::new(), ..three()[0].clone() };
    assert!(matches!(Index::in_memory(vec![nameless]), Err(IndexError::Nameless("corpus"))));
}

#[test]
fn an_empty_index_answers_nothing() {
    let index = Index::in_memory(Vec::new()).unwrap();
    assert!(index.is_empty());
    assert_eq!(index.search("anything", &Filter::default(), 5).unwrap(), Answer::default());
}

#[test]
fn words_that_are_cut_short_or_misspelt_are_told() {
    both(|index| {
        let answer = index.search("windws", &Filter::default(), 5).unwrap();
        assert_eq!(answer.hits[0].location, "documents/own/b.md#windows");
        assert_eq!(answer.corrections[0].taken, ["windows"]);
        let answer = index.search("timb", &Filter::default(), 5).unwrap();
        assert_eq!(answer.hits[0].location, "documents/own/a.md#walls");
        let answer = index.search("zzzzzzzz wall", &Filter::default(), 5).unwrap();
        assert_eq!(answer.corrections[0], Correction { written: "zzzzzzzz".to_owned(), taken: vec![] });
        assert!(!answer.hits.is_empty());
    });
}

fn shared() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| Index::in_memory(three()).unwrap())
}

proptest! {
    #[test]
    fn any_text_is_a_question(question in "\\PC{0,80}", limit in 0_usize..20) {
        let answer = shared().search(&question, &Filter::default(), limit).unwrap();
        prop_assert!(answer.hits.len() <= limit);
        for hit in answer.hits {
            let section = shared().section(&hit.location).unwrap().unwrap();
            prop_assert!(section.text.get(hit.snippet.start..hit.snippet.end).is_some());
        }
    }

    #[test]
    fn any_signs_of_query_languages_are_words(question in "[\"“„ (){}\\[\\]^~*?:+!&|/\\\\AND-wal_Ifc0-9.äß]{0,60}") {
        shared().search(&question, &Filter::default(), 5).unwrap();
    }

    #[test]
    fn any_text_is_indexed_and_found_by_its_address(title in "\\PC{0,40}", text in "\\PC{0,400}") {
        let mut one = section("documents/own/x.md", &title, &text);
        one.names = vec![title.clone()];
        let index = Index::in_memory(vec![one.clone()]).unwrap();
        prop_assert_eq!(index.section("documents/own/x.md").unwrap(), Some(one));
        index.search(&text, &Filter::default(), 3).unwrap();
    }

    #[test]
    fn any_filter_is_taken(word in "\\PC{0,20}") {
        let filter = Filter { corpora: vec![word.clone()], versions: vec![word.clone()], tags: vec![word.clone()], documents: vec![word.clone()], weights: vec![(word, 2.0)] };
        shared().search("wall", &filter, 3).unwrap();
    }
}

/// Vectors of the three sections: the first two numbers say whether it is about what carries or what opens.
fn with_vectors(index: &Index) -> SectionVectors {
    let empty = Vectors::new(3, Precision::Byte);
    let (none, unmade) = index.with_vectors(empty.clone()).unwrap();
    assert_eq!((none.found(), none.sections(), unmade.len()), (0, 3, 3));
    let mut vectors = empty;
    for own in &unmade {
        let carries = own.text.contains("timber");
        let glass = own.text.contains("glass");
        let vector =
            [f32::from(u8::from(carries)), f32::from(u8::from(!carries)), f32::from(u8::from(glass))];
        vectors.insert(&own.key, &vector).unwrap();
    }
    let (found, unmade) = index.with_vectors(vectors).unwrap();
    assert_eq!((found.found(), unmade), (3, Vec::new()));
    found
}

#[test]
fn sections_are_found_by_what_they_mean_where_no_word_is_theirs() {
    both(|index| {
        let vectors = with_vectors(&index);
        let near = |question: &str, vector: [f32; 3], filter: &Filter| -> Vec<String> {
            let answer = index.search_near(question, Some((&vectors, &vector)), filter, 3).unwrap();
            answer.hits.into_iter().map(|hit| hit.location).collect()
        };
        let all = Filter::default();
        let [walls, doors, windows] =
            ["a.md#walls", "a.md#doors", "b.md#windows"].map(|own| format!("documents/own/{own}"));
        assert!(found(&index, "structure").is_empty());
        assert_eq!(near("structure", [1.0, 0.0, 0.0], &all)[0], walls);
        assert_eq!(near("structure", [0.0, 1.0, 1.0], &all)[0], windows);
        // a word and a meaning together come before either
        assert_eq!(near("oak", [0.0, 1.0, 0.0], &all)[0], doors);
        // a name that is the whole question comes first, whatever is near
        assert_eq!(near("walls", [0.0, 1.0, 1.0], &all)[0], walls);
        let of_document = Filter { documents: vec!["documents/own/b.md".to_owned()], ..Filter::default() };
        assert_eq!(near("structure", [0.0, 1.0, 0.0], &of_document), [windows]);
        // nor is anything near that has nothing to do with it
        assert!(near("structure", [1.0, 0.0, 0.0], &of_document).is_empty());
        // a vector that has no direction is near to nothing
        assert!(near("structure", [0.0; 3], &all).is_empty());
    });
}

#[test]
fn only_vectors_of_what_changed_are_made_again() {
    let index = Index::in_memory(three()).unwrap();
    let mut vectors = Vectors::new(3, Precision::Byte);
    for own in index.with_vectors(vectors.clone()).unwrap().1 {
        vectors.insert(&own.key, &[1.0, 0.0, 0.0]).unwrap();
    }
    let mut sections = three();
    sections[0].text = "A wall of brick.".to_owned();
    let changed = Index::in_memory(sections).unwrap();
    let (found, unmade) = changed.with_vectors(vectors).unwrap();
    assert_eq!((found.found(), unmade.len()), (2, 1));
    assert!(unmade[0].text.contains("brick") && unmade[0].key.ends_with("a.md#walls"));
}
