//! Requests and answers in lines of JSON: first the files of the model, then texts. Every line is answered by one line, in order, and
//! one that cannot be answered by what is wrong with it.

use crate::error::reason;
use crate::{DIMENSIONS, Embedder, MODEL};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

/// The most bytes of a line: what 256 texts of 8,000 characters take where every character is escaped, and some room.
pub const LONGEST_LINE: usize = 32 << 20;

/// The first line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    model: PathBuf,
    tokenizer: PathBuf,
}

/// Every further line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    texts: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer<'a> {
    Ready { model: &'a str, dimensions: usize, sha256: &'a str },
    Vectors(Vec<String>),
    Error(String),
}

/// Answers requests until the input ends. False if the model could not be opened, after a line that says why.
pub fn serve(mut input: impl BufRead, mut output: impl Write) -> io::Result<bool> {
    let Some(first) = next_line(&mut input)? else {
        return Ok(true);
    };
    let opened = first.and_then(|line| {
        let files: Files = parse(&line, "the files of a model")?;
        Embedder::open(&files.model, &files.tokenizer).map_err(|error| error.to_string())
    });
    let embedder = match opened {
        Ok(embedder) => embedder,
        Err(told) => {
            answer(&mut output, &Answer::Error(told))?;
            return Ok(false);
        }
    };
    let sha256 = embedder.sha256();
    answer(&mut output, &Answer::Ready { model: MODEL, dimensions: DIMENSIONS, sha256 })?;
    while let Some(line) = next_line(&mut input)? {
        let vectors = line.and_then(|line| {
            let request: Request = parse(&line, "a request")?;
            let texts: Vec<&str> = request.texts.iter().map(String::as_str).collect();
            embedder.embed(&texts).map_err(|error| error.to_string())
        });
        let told = match vectors {
            Ok(vectors) => Answer::Vectors(vectors.iter().map(|vector| encoded(vector)).collect()),
            Err(told) => Answer::Error(told),
        };
        answer(&mut output, &told)?;
    }
    Ok(true)
}

/// The next line without its end; an error for one that is too long, which is passed over and never held.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_some() || line.len() <= LONGEST_LINE {
        return Ok(Some(Ok(line)));
    }
    drop(line);
    input.skip_until(b'\n')?;
    Ok(Some(Err(format!("a line of more than {LONGEST_LINE} bytes"))))
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8], wanted: &str) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| format!("this line is not {wanted}: {}", reason(&error)))
}

/// A vector as its numbers' bytes, the least first, in base64.
fn encoded(vector: &[f32]) -> String {
    let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    STANDARD.encode(bytes)
}

fn answer(output: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}
