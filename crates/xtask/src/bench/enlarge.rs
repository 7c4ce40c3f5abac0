//! Makes a large, valid file out of a real one: renumbered copies in one project, with GlobalIds of their own. What the
//! project refers to (units, contexts, owner history) is shared; everything else of each copy is new. Copies that stand apart
//! are moved and are each a little larger than the one before, in all lengths of their shapes, so that no two of them are alike.

use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write};
use std::path::Path;

/// The digits of a compressed GlobalId.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";

/// The arrangement of copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// All at one place, and all alike.
    InPlace,
    /// In rows, each of another size.
    Apart,
}

/// From one copy to the next, in the file's length unit times its size: more than a small building in metres or millimetres.
const APART: f64 = 60.0;
/// The share by which each copy is larger than the one before.
const GROWTH: f64 = 0.002;
/// Copies in a row.
const ROW: u32 = 8;

/// Writes `copies` copies of `source` to `target`; the size in bytes.
pub fn write(source: &Path, copies: u32, standing: Copies, target: &Path) -> Result<u64> {
    let bytes = fs::read(source).with_context(|| source.display().to_string())?;
    let start = find(&bytes, b"DATA;").context("the file has no DATA section")? + b"DATA;".len();
    let (instances, end) = instances(&bytes, start);
    let last = instances.keys().next_back().copied().context("the file has no instances")?;
    let shared = shared(&instances);
    ensure!(!shared.is_empty(), "the file has no IfcProject");
    let tops = if standing == Copies::Apart { top_placements(&instances) } else { BTreeSet::new() };
    // ids of a copy's own: all of the source and two more for where it stands
    let each = last + 3;

    let mut out = BufWriter::new(fs::File::create(target).with_context(|| target.display().to_string())?);
    out.write_all(bytes.get(..start).unwrap_or_default())?;
    out.write_all(b"\n")?;
    for copy in 0..copies {
        let shift = u64::from(copy) * each;
        let is_apart = standing == Copies::Apart && copy > 0;
        let size = if is_apart { 1.0 + GROWTH * f64::from(copy) } else { 1.0 };
        if is_apart {
            let (x, y) = (f64::from(copy % ROW) * APART, f64::from(copy / ROW) * APART);
            let (point, axes) = (shift + last + 1, shift + last + 2);
            writeln!(out, "#{point}=IFCCARTESIANPOINT(({x:.1},{y:.1},0.));")?;
            writeln!(out, "#{axes}=IFCAXIS2PLACEMENT3D(#{point},$,$);")?;
        }
        for (id, body) in &instances {
            if copy > 0 && shared.contains(id) {
                continue;
            }
            let mut line = Vec::with_capacity(body.len() + 16);
            let renumber = |id: u64| if shared.contains(&id) { id } else { id + shift };
            write!(line, "#{}=", renumber(*id))?;
            if is_apart && tops.contains(id) {
                write!(line, "IFCLOCALPLACEMENT($,#{})", shift + last + 2)?;
            } else if is_apart && has_lengths(body) {
                rewrite(&grown(body, size)?, copy, &renumber, &mut line)?;
            } else {
                rewrite(body, copy, &renumber, &mut line)?;
            }
            line.extend_from_slice(b";\n");
            out.write_all(&line)?;
        }
    }
    out.write_all(bytes.get(end..).unwrap_or_default())?;
    out.flush()?;
    Ok(fs::metadata(target)?.len())
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Id → text between `=` and `;`, and where the section ends.
fn instances(bytes: &[u8], start: usize) -> (BTreeMap<u64, &[u8]>, usize) {
    let mut found = BTreeMap::new();
    let (mut from, mut at, mut quoted) = (start, start, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\'' => quoted = !quoted,
            b';' if !quoted => {
                let statement = bytes.get(from..at).unwrap_or_default().trim_ascii();
                if statement.starts_with(b"ENDSEC") {
                    return (found, from);
                }
                let split = statement.iter().position(|b| *b == b'=');
                if let Some((id, body)) = split.and_then(|at| statement.split_at_checked(at)) {
                    let id = String::from_utf8_lossy(id);
                    if let Some(id) = id.trim().strip_prefix('#').and_then(|digits| digits.parse().ok()) {
                        found.insert(id, body.get(1..).unwrap_or_default().trim_ascii());
                    }
                }
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    (found, from)
}

/// The project and all that it refers to.
fn shared(instances: &BTreeMap<u64, &[u8]>) -> BTreeSet<u64> {
    let is_project = |body: &&[u8]| body.len() > 11 && body[..11].eq_ignore_ascii_case(b"IFCPROJECT(");
    let mut reached = BTreeSet::new();
    let mut rest: Vec<u64> =
        instances.iter().filter(|(_, body)| is_project(body)).map(|(id, _)| *id).collect();
    while let Some(id) = rest.pop() {
        if reached.insert(id) {
            each_token(instances.get(&id).copied().unwrap_or_default(), |token| {
                if let Token::Reference(id) = token {
                    rest.push(id);
                }
            });
        }
    }
    reached
}

enum Token<'a> {
    Text(&'a [u8]),
    Reference(u64),
    Other(&'a [u8]),
}

/// Splits the text of an instance into strings, references and the rest.
fn each_token<'a>(body: &'a [u8], mut take: impl FnMut(Token<'a>)) {
    let mut at = 0;
    while let Some(&byte) = body.get(at) {
        let rest = body.get(at..).unwrap_or_default();
        let length = match byte {
            b'\'' => 2 + rest.iter().skip(1).take_while(|b| **b != b'\'').count(),
            b'#' => 1 + rest.iter().skip(1).take_while(|b| b.is_ascii_digit()).count(),
            _ => rest.iter().take_while(|b| !matches!(b, b'\'' | b'#')).count(),
        };
        let token = rest.get(..length).unwrap_or(rest);
        take(match byte {
            b'\'' => Token::Text(token),
            b'#' => match std::str::from_utf8(token).ok().and_then(|text| text.get(1..)?.parse().ok()) {
                Some(id) => Token::Reference(id),
                None => Token::Other(token),
            },
            _ => Token::Other(token),
        });
        at += token.len().max(1);
    }
}

/// The placements of sites, which everything else stands in.
fn top_placements(instances: &BTreeMap<u64, &[u8]>) -> BTreeSet<u64> {
    let mut tops = BTreeSet::new();
    for body in instances.values().filter(|body| starts(body, b"IFCSITE(")) {
        each_token(body, |token| {
            if let Token::Reference(id) = token
                && instances.get(&id).is_some_and(|body| starts(body, b"IFCLOCALPLACEMENT("))
            {
                tops.insert(id);
            }
        });
    }
    tops
}

fn starts(body: &[u8], class: &[u8]) -> bool {
    body.get(..class.len()).is_some_and(|start| start.eq_ignore_ascii_case(class))
}

/// True if all numbers of an instance are lengths of a shape.
fn has_lengths(body: &[u8]) -> bool {
    const CLASSES: [&[u8]; 7] = [
        b"IFCCARTESIANPOINT(",
        b"IFCCARTESIANPOINTLIST",
        b"IFCEXTRUDEDAREASOLID(",
        b"IFCSWEPTDISKSOLID(",
        b"IFCRECTANGLEPROFILEDEF(",
        b"IFCCIRCLE",
        b"IFCISHAPEPROFILEDEF(",
    ];
    CLASSES.iter().any(|class| starts(body, class))
}

/// Scales every real number outside of strings in an instance.
fn grown(body: &[u8], size: f64) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len() + 16);
    let mut failed = Ok(());
    each_token(body, |token| match token {
        Token::Text(bytes) => out.extend_from_slice(bytes),
        Token::Reference(id) => failed = write!(out, "#{id}"),
        Token::Other(bytes) => {
            let is_number = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'E' | b'e');
            for part in bytes.chunk_by(|a, b| is_number(a) == is_number(b)) {
                let text = std::str::from_utf8(part).unwrap_or_default();
                match text.parse::<f64>().ok().filter(|_| text.contains('.')) {
                    Some(number) => {
                        let number = format!("{:?}", number * size).to_uppercase();
                        out.extend_from_slice(number.trim_end_matches(".0").as_bytes());
                        if !number.contains('.') || number.ends_with(".0") {
                            out.push(b'.');
                        }
                    }
                    None => out.extend_from_slice(part),
                }
            }
        }
    });
    failed?;
    Ok(out)
}

fn rewrite(body: &[u8], copy: u32, renumber: &dyn Fn(u64) -> u64, out: &mut Vec<u8>) -> Result<()> {
    let mut tokens = 0;
    let mut failed = Ok(());
    each_token(body, |token| {
        tokens += 1;
        match token {
            // a GlobalId is the first attribute: the token after `IFCWALL(`
            Token::Text(text) if copy > 0 && tokens == 2 && text.len() == 24 => {
                out.push(b'\'');
                out.extend_from_slice(&fresh(text, copy));
                out.push(b'\'');
            }
            Token::Reference(id) => {
                if let Err(error) = write!(out, "#{}", renumber(id)) {
                    failed = Err(error);
                }
            }
            Token::Text(bytes) | Token::Other(bytes) => out.extend_from_slice(bytes),
        }
    });
    Ok(failed?)
}

/// A GlobalId that follows from another one and the number of the copy.
fn fresh(text: &[u8], copy: u32) -> [u8; 22] {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (text, copy, salt).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    let mut number = (half(0) << 64) | half(1);
    let mut id = [b'0'; 22];
    for digit in id.iter_mut().rev() {
        *digit = DIGITS[(number & 63) as usize];
        number >>= 6;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n\
        #1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',#2,'a;#9',$,$,$,$,(),#3);\n#2=IFCOWNERHISTORY($);\n#3=IFCUNITASSIGNMENT(());\n\
        #4=IFCWALL('1YvctVUKr0kugbFTf53O9L',#2,'it''s #4',$,$,#5,$,$);\n#5= IFCLOCALPLACEMENT($,#4);\nENDSEC;\nEND-ISO-10303-21;\n";

    #[test]
    fn copies_share_the_project_and_number_the_rest_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("a.ifc"), folder.path().join("b.ifc"));
        fs::write(&source, SMALL).unwrap();
        write(&source, 3, Copies::InPlace, &target).unwrap();
        let text = fs::read_to_string(&target).unwrap();
        assert_eq!(text.matches("=IFCPROJECT(").count(), 1);
        assert_eq!(text.matches("=IFCWALL(").count(), 3);
        assert!(text.contains("#4=IFCWALL('1YvctVUKr0kugbFTf53O9L',#2,'it''s #4',$,$,#5,$,$);"), "{text}");
        assert!(text.contains("#12=IFCWALL('") && text.contains("',#2,'it''s #4',$,$,#13,$,$);"), "{text}");
        assert!(text.contains("#13=IFCLOCALPLACEMENT($,#12);"), "{text}");
        assert!(text.ends_with("ENDSEC;\nEND-ISO-10303-21;\n"), "{text}");
        let ids: BTreeSet<&str> =
            text.match_indices("IFCWALL('").map(|(at, _)| &text[at + 9..at + 31]).collect();
        assert_eq!(ids.len(), 3);
    }

    #[test]
    fn copies_that_stand_apart_are_moved_and_grow() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("a.ifc"), folder.path().join("b.ifc"));
        let site = "#6=IFCSITE('2YvctVUKr0kugbFTf53O9L',#2,'1.5',$,$,#7,$,$,.ELEMENT.,(1,2),$,0.,$,$);\n\
            #7=IFCLOCALPLACEMENT($,#8);\n#8=IFCAXIS2PLACEMENT3D(#9,$,$);\n#9=IFCCARTESIANPOINT((0.,-1000.,2.5E-1));\n\
            #10=IFCRECTANGLEPROFILEDEF(.AREA.,'2.',$,500.,20);\nENDSEC;\nEND-ISO";
        fs::write(&source, SMALL.replace("ENDSEC;\nEND-ISO", site)).unwrap();
        write(&source, 2, Copies::Apart, &target).unwrap();
        let text = fs::read_to_string(&target).unwrap();
        assert!(text.contains("#9=IFCCARTESIANPOINT((0.,-1000.,2.5E-1));"), "{text}");
        assert!(
            text.contains("#24=IFCCARTESIANPOINT((60.0,0.0,0.));\n#25=IFCAXIS2PLACEMENT3D(#24,$,$);"),
            "{text}"
        );
        assert!(text.contains("#20=IFCLOCALPLACEMENT($,#25);"), "{text}");
        assert!(text.contains("#22=IFCCARTESIANPOINT((0.,-1002.,0.2505));"), "{text}");
        assert!(text.contains("#23=IFCRECTANGLEPROFILEDEF(.AREA.,'2.',$,501.,20);"), "{text}");
    }
}
