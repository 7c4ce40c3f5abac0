//! Vectors against those that another program made of the float weights (`tests/reference.py`), and what they are good for.

use crate::needs;
use embeddings::{DIMENSIONS, Embedder, Error, LONGEST_TEXT, MOST_TEXTS};
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    text: String,
    tokens: usize,
    vector: Vec<f32>,
}

fn references() -> Vec<Reference> {
    serde_json::from_slice(&std::fs::read(needs::own("reference.json")).unwrap()).unwrap()
}

fn opened() -> Option<Embedder> {
    let (model, tokenizer) = needs::files()?;
    Some(Embedder::open(&model, &tokenizer).unwrap())
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!((a.len(), b.len()), (DIMENSIONS, DIMENSIONS));
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The vector of one text.
fn vector(embedder: &Embedder, text: &str) -> Vec<f32> {
    embedder.embed(&[text]).unwrap().remove(0)
}

#[test]
fn vectors_are_those_of_the_float_model() {
    let Some(embedder) = opened() else { return };
    let references = references();
    assert_eq!(references.len(), 12);
    assert!(references.iter().any(|reference| reference.tokens == 256), "one is cut");
    let texts: Vec<&str> = references.iter().map(|reference| reference.text.as_str()).collect();
    for (reference, vector) in references.iter().zip(embedder.embed(&texts).unwrap()) {
        let length = cosine(&vector, &vector).sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
        let cosine = cosine(&vector, &reference.vector);
        println!("{cosine:.5}  {} pieces", reference.tokens);
        assert!(cosine >= 0.99, "{cosine}: {}", reference.text);
    }
}

#[test]
fn near_texts_are_nearer_than_far_ones() {
    let Some(embedder) = opened() else { return };
    for [question, near, far] in [
        [
            "How well does the wall keep the heat inside?",
            "Thermal transmittance (U-value) of external walls.",
            "The door leads from the corridor into the staircase.",
        ],
        [
            "How do people get out when it burns?",
            "Fire exits and escape routes of the building.",
            "The slab is 200 mm thick and made of concrete.",
        ],
        [
            "Wie dick ist die Dämmung der Außenwand?",
            "Die Dämmung der Außenwand ist 160 mm dick.",
            "Im Keller stehen zwei Fahrräder.",
        ],
        [
            "Which rooms are on the second floor?",
            "Spaces of a building storey.",
            "Annual consumption of electricity by end use.",
        ],
    ] {
        let vectors = embedder.embed(&[question, near, far]).unwrap();
        let (near_by, far_by) = (cosine(&vectors[0], &vectors[1]), cosine(&vectors[0], &vectors[2]));
        assert!(near_by > far_by + 0.1, "{question} {near} {near_by}, {far} {far_by}");
    }
}

#[test]
fn a_batch_gives_what_single_texts_give_in_their_order() {
    let Some(embedder) = opened() else { return };
    let mut texts: Vec<String> = references().into_iter().map(|reference| reference.text).collect();
    // many of one length among those of others
    for number in 0..40 {
        texts.insert(number % texts.len(), format!("The wall number {} has two doors.", number % 10));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = embedder.embed(&texts).unwrap();
    for (text, of_batch) in texts.iter().zip(&together) {
        let cosine = cosine(&vector(&embedder, text), of_batch);
        assert!(cosine > 0.999_999, "{cosine}: {text}");
    }
    assert_eq!(embedder.embed(&[]).unwrap(), Vec::<Vec<f32>>::new());
}

#[test]
fn only_the_first_256_pieces_count() {
    let Some(embedder) = opened() else { return };
    let words = |count: usize| vec!["wall"; count].join(" ");
    let at_most = vector(&embedder, &words(254));
    assert_eq!(vector(&embedder, &(words(254) + " door")), at_most);
    assert!(cosine(&vector(&embedder, &(words(253) + " door")), &at_most) < 0.9999);
}

#[test]
fn strange_texts_get_a_vector_or_one_word_on_why_not() {
    let Some(embedder) = opened() else { return };
    for text in ["", " \t\n\r ", "\0", "\0\0\u{1}\u{7f}", "\u{feff}", "\u{200b}"] {
        let error = embedder.embed(&["wall", text]).unwrap_err();
        assert!(matches!(error, Error::NoWords { at: 1 }), "{text:?}: {error}");
    }
    let longest = "a b ".repeat(LONGEST_TEXT / 4);
    let one_word = "a".repeat(LONGEST_TEXT);
    for text in [
        "🐈",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "墙",
        "\u{202e}wall",
        "a\0wall",
        "e\u{301}\u{301}\u{301}",
        "[CLS] [MASK] [PAD]",
        "\u{10ffff}a",
        &longest,
        &one_word,
    ] {
        let vector = vector(&embedder, text);
        assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-4, "{text:?}");
    }
    // a character that says nothing changes nothing
    assert_eq!(vector(&embedder, "wa\0ll"), vector(&embedder, "wall"));
    let error = embedder.embed(&["wall", &"ä".repeat(100_000)]).unwrap_err();
    assert!(matches!(error, Error::TooLong { at: 1, found: 100_000, most: LONGEST_TEXT }), "{error}");
    let error = embedder.embed(&["wall"; MOST_TEXTS + 1]).unwrap_err();
    assert!(matches!(error, Error::TooMany { found: 257, most: 256 }), "{error}");
    assert_eq!(embedder.embed(&["wall"; MOST_TEXTS]).unwrap().len(), MOST_TEXTS);
}
