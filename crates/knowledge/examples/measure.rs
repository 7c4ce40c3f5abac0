//! Measures the index: `measure` builds all of IFC and asks questions; `measure 100000` fills an index of so many sections in a folder.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example talks to the person who runs it")]

use knowledge::corpora::{ids, ifc};
use knowledge::{Filter, Index, Section};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(0);
    let questions: Vec<String> = arguments.collect();
    let begun = Instant::now();
    let mut sections = ifc::sections();
    sections.extend(ids::sections());
    let letters: usize = sections.iter().map(|section| section.text.len()).sum();
    println!("{} sections, {} kB of text, made in {:?}", sections.len(), letters >> 10, begun.elapsed());
    let own = sections.clone();
    for number in 0..count.saturating_sub(own.len()) {
        let base = &own[number % own.len()];
        let other = &own[(number * 7 + 3) % own.len()];
        sections.push(Section {
            location: format!("documents/many/{number}.md"),
            corpus: "many".to_owned(),
            title: format!("{} {number}", base.title),
            text: format!(
                "{} {number} {}",
                base.text.chars().take(900).collect::<String>(),
                other.text.chars().take(600).collect::<String>()
            ),
            ..Section::default()
        });
    }
    let folder = std::env::temp_dir().join(format!("knowledge-measure-{}", std::process::id()));
    let begun = Instant::now();
    let mut index = Index::create(&folder, sections.clone()).unwrap();
    println!("indexed {} sections in a folder in {:?}, {}", index.len(), begun.elapsed(), memory());
    let begun = Instant::now();
    drop(Index::open(&folder).unwrap());
    println!("opened in {:?}", begun.elapsed());
    let begun = Instant::now();
    println!("nothing changed: {:?} in {:?}", index.update(sections.clone(), &[]).unwrap(), begun.elapsed());
    let mut one = sections.pop().unwrap();
    one.text.push_str(" changed");
    let begun = Instant::now();
    println!("one changed: {:?} in {:?}", index.update(vec![one], &[]).unwrap(), begun.elapsed());
    let usual = [
        "fire rating of walls",
        "Feuerwiderstandsklasse",
        "IfcWal",
        "Tragwerk Stütze",
        "which property says that a wall is external and load bearing",
        "\"wall standard case\"",
        "Wärmedurchgangskoeffizient der Außenwand",
        "georeferencing",
        "xqzzkvw unknownword",
    ];
    let asked: Vec<String> =
        if questions.is_empty() { usual.iter().map(|text| (*text).to_owned()).collect() } else { questions };
    for question in &asked {
        let answer = index.search(question, &Filter::default(), 10).unwrap();
        let begun = Instant::now();
        for _ in 0..20 {
            index.search(question, &Filter::default(), 10).unwrap();
        }
        println!("\n{question}: {:?} {:?}", begun.elapsed() / 20, answer.corrections);
        for hit in answer.hits.iter().take(6) {
            println!(
                "  {:7.2} {}  {}",
                hit.score,
                hit.location,
                hit.snippet.text.chars().take(110).collect::<String>()
            );
        }
    }
    println!("\n{}", memory());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Memory now and at its most, as Linux tells it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM") || line.starts_with("RssAnon"))
        .collect::<Vec<_>>()
        .join(" ")
}
