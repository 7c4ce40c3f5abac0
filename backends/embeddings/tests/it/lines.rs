//! The program, asked in lines.

use crate::needs;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pensaer_embeddings::{Embedder, LONGEST_LINE};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// The answers of the program to lines, and whether it ended well.
fn told(lines: &[u8]) -> (Vec<Value>, bool) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pensaer-embeddings"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    let lines = lines.to_vec();
    // while answers are read: neither waits for the other. The program may end before it has read all
    let writing = std::thread::spawn(move || input.write_all(&lines));
    let output = program.wait_with_output().unwrap();
    let _ = writing.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), output.status.success())
}

/// The first line, with the real files.
fn opening() -> Option<String> {
    let (model, tokenizer) = needs::files()?;
    Some(json!({ "model": model, "tokenizer": tokenizer }).to_string() + "\n")
}

fn error(answer: &Value) -> &str {
    assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    let told = answer["error"].as_str().unwrap();
    assert!(told.len() < 500 && !told.contains('\n'), "{told}");
    told
}

fn vectors(answer: &Value) -> Vec<Vec<f32>> {
    let decoded = |vector: &Value| {
        let bytes = STANDARD.decode(vector.as_str().unwrap()).unwrap();
        bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    answer["vectors"].as_array().unwrap().iter().map(decoded).collect()
}

#[test]
fn every_line_gets_one_answer_and_a_bad_one_harms_none() {
    let Some(mut lines) = opening().map(String::into_bytes) else { return };
    let refused: [(Vec<u8>, &str); 14] = [
        (b"".to_vec(), "not a request"),
        (b"nonsense".to_vec(), "not a request"),
        (b"{\"texts\": [".to_vec(), "not a request"),
        (b"[[[[".to_vec(), "not a request"),
        (b"[".repeat(100_000), "not a request"),
        (b"{}".to_vec(), "not a request"),
        (br#"{"texts": "a wall"}"#.to_vec(), "not a request"),
        (br#"{"texts": [1]}"#.to_vec(), "not a request"),
        (br#"{"texts": ["a"], "model": "b"}"#.to_vec(), "not a request"),
        (br#"{"texts": ["\ud800"]}"#.to_vec(), "not a request"),
        (b"{\"texts\": [\"\xff\"]}".to_vec(), "not a request"),
        (br#"{"texts": ["a", ""]}"#.to_vec(), "text 1 has no words"),
        (json!({ "texts": vec!["a"; 257] }).to_string().into_bytes(), "257 texts"),
        (json!({ "texts": ["🐈".repeat(100_000)] }).to_string().into_bytes(), "has 100000 characters"),
    ];
    lines.extend(b"{\"texts\": [\"a wall\", \"ein Haus \\ud83d\\ude00\", \"a\\u0000door\"]}\n");
    for (line, _) in &refused {
        lines.extend([line, b"\n".as_slice()].concat());
    }
    lines.extend(b"{\"texts\": []}\n");
    // and the last without an end
    lines.extend(br#"{"texts": ["a wall"]}"#);
    let (answers, well) = told(&lines);
    assert!(well);
    let (model, tokenizer) = needs::files().unwrap();
    let embedder = Embedder::open(&model, &tokenizer).unwrap();
    let ready = json!({ "model": "all-MiniLM-L6-v2", "dimensions": 384, "sha256": embedder.sha256() });
    assert_eq!(answers[0], json!({ "ready": ready }));
    let expected = embedder.embed(&["a wall", "ein Haus 😀", "a\0door"]).unwrap();
    assert_eq!(vectors(&answers[1]), expected);
    for ((line, wanted), answer) in refused.iter().zip(&answers[2..]) {
        let told = error(answer);
        assert!(told.contains(wanted), "{told}: {}", String::from_utf8_lossy(&line[..line.len().min(40)]));
    }
    assert_eq!(answers[2 + refused.len()], json!({ "vectors": [] }));
    assert_eq!(vectors(&answers[3 + refused.len()]), expected[..1]);
    assert_eq!(answers.len(), 4 + refused.len());
}

#[test]
fn a_line_beyond_all_measure_is_passed_over() {
    let Some(mut lines) = opening().map(String::into_bytes) else { return };
    for length in [LONGEST_LINE, LONGEST_LINE + 1, LONGEST_LINE * 2] {
        lines.resize(lines.len() + length, b' ');
        lines.push(b'\n');
    }
    lines.extend(b"{\"texts\": [\"a wall\"]}\n");
    let (answers, well) = told(&lines);
    assert!(well);
    assert_eq!(answers.len(), 5);
    assert!(error(&answers[1]).contains("not a request"), "{}", answers[1]);
    assert!(error(&answers[2]).contains("a line of more than"), "{}", answers[2]);
    assert!(error(&answers[3]).contains("a line of more than"), "{}", answers[3]);
    assert_eq!(vectors(&answers[4]).len(), 1);
}

#[test]
fn a_first_line_that_names_no_model_ends_it_with_one_error() {
    for first in [
        "",
        "nonsense",
        "{}",
        r#"{"model": 1, "tokenizer": 2}"#,
        r#"{"model": "no such file", "tokenizer": "no such file"}"#,
        r#"{"model": "no\u0000file", "tokenizer": "no\u0000file"}"#,
        r#"{"texts": ["a wall"]}"#,
    ] {
        let (answers, well) = told(format!("{first}\n{{\"texts\": [\"a\"]}}\n").as_bytes());
        assert!(!well && answers.len() == 1, "{first}: {answers:?}");
        error(&answers[0]);
    }
    // nothing was asked
    assert_eq!(told(b""), (Vec::new(), true));
}
