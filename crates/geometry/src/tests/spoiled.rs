//! Files that were spoiled at random: whatever they say, the answer is a body or a reason, soon and in little memory.

use super::{advanced, items::model, items::model_in, sweeps};
use crate::{Shaper, parameters};
use ifc::{Id, Model};
use std::fmt::Write;

/// A row of numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Returns the places of numbers with a point and of references in a text.
fn places(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let starts = matches!(bytes[i], b'(' | b',') && i + 1 < bytes.len();
        if starts && (bytes[i + 1].is_ascii_digit() || matches!(bytes[i + 1], b'-' | b'#')) {
            let from = i + 1;
            let end = text[from..].find([',', ')']).map_or(bytes.len(), |e| from + e);
            found.push((from, end));
            i = end;
        } else {
            i += 1;
        }
    }
    found
}

fn tried(model: &Model) {
    let shaper = Shaper::plain(model);
    match shaper.element(Id(10)) {
        Ok(shape) => assert!(shape.triangles() < 2_000_000),
        Err(error) => assert!(!error.reason.is_empty()),
    }
    // whatever comes of them: that something comes is what is asked
    drop(shaper.lines(Id(10)));
    drop(parameters::read(&shaper, Id(10)));
}

#[test]
fn whatever_is_spoiled_something_comes_of_it() {
    const ODD: [&str; 12] = [
        "0.",
        "-1.",
        "1.E+30",
        "1.E-30",
        "9.9E+8",
        "-500.",
        "1.E+400",
        "0.001",
        "3",
        "$",
        "1.5707963267948966",
        "-1.E-9",
    ];
    let mut dice = Dice(7);
    for sample in advanced::samples().into_iter().chain(sweeps::samples()) {
        for _ in 0..250 {
            let mut text = sample.clone();
            for _ in 0..=dice.below(3) {
                let places = places(&text);
                let (from, to) = places[dice.below(places.len())];
                let new = if text[from..].starts_with('#') {
                    let refs: Vec<&(usize, usize)> =
                        places.iter().filter(|(f, _)| text[*f..].starts_with('#')).collect();
                    let (f, t) = *refs[dice.below(refs.len())];
                    text[f..t].to_owned()
                } else {
                    ODD[dice.below(ODD.len())].to_owned()
                };
                text.replace_range(from..to, &new);
            }
            tried(&model_in("IFC4X3_ADD2", "#80", &text));
        }
    }
}

#[test]
fn a_million_control_points_are_refused_at_once() {
    let mut text = String::from("#80=IFCBSPLINESURFACEWITHKNOTS(1,1,(");
    for row in 0..1000 {
        if row > 0 {
            text.push(',');
        }
        text.push('(');
        text.push_str(&vec!["#7"; 1000].join(","));
        text.push(')');
    }
    let times = format!("2,{}2", "1,".repeat(998));
    let mut knots = String::new();
    for k in 0..1000 {
        write!(knots, "{}{k}.", if k > 0 { "," } else { "" }).unwrap();
    }
    write!(text, "),.UNSPECIFIED.,.F.,.F.,.F.,({times}),({times}),({knots}),({knots}),.UNSPECIFIED.);")
        .unwrap();
    let model = model("#80", &text);
    let error = Shaper::plain(&model).element(Id(10)).unwrap_err();
    assert_eq!(error.reason, "has more than 200000 control points");
}
