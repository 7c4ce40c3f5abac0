//! Reports as Markdown: CommonMark with the tables of GitHub.

use super::{Block, Document, Picture};
use std::fmt::Write as _;

/// Writes a document.
pub(super) fn write(document: &Document) -> String {
    let mut out = String::new();
    line(&mut out, &format!("# {}", escaped(&document.title)));
    if !document.subtitle.trim().is_empty() {
        line(&mut out, &format!("**{}**", escaped(&document.subtitle)));
    }
    let mut drawings = 0;
    for block in &document.blocks {
        match block {
            Block::Heading(words) => line(&mut out, &format!("## {}", escaped(words))),
            Block::Text(words) => line(&mut out, &escaped(words)),
            Block::Facts(rows) => {
                let rows: Vec<Vec<String>> = rows.iter().map(|(a, b)| vec![a.clone(), b.clone()]).collect();
                table(&mut out, &[String::new(), String::new()], &rows);
            }
            Block::Table { head, rows, .. } => table(&mut out, head, rows),
            Block::Marks(marks) => {
                for (is_fulfilled, words) in marks {
                    out.push_str(if *is_fulfilled { "- ✓ " } else { "- ✗ " });
                    out.push_str(&escaped(words));
                    out.push('\n');
                }
                out.push('\n');
            }
            Block::Pictures(pictures) => {
                for picture in pictures {
                    line(&mut out, &shown(picture));
                }
            }
            Block::Drawing(page) => {
                drawings += 1;
                line(&mut out, &format!("![{}](<{}>)", escaped(&page.title), drawing_name(drawings)));
            }
        }
    }
    out
}

/// The name of the file of a drawing, by its place among the document's drawings, from 1.
pub(super) fn drawing_name(number: usize) -> String {
    format!("drawing-{number}.svg")
}

fn line(out: &mut String, words: &str) {
    out.push_str(words);
    out.push_str("\n\n");
}

fn table(out: &mut String, head: &[String], rows: &[Vec<String>]) {
    let row = |cells: &[String]| -> String {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out.push_str(&row(head));
    // writing to a string does not fail
    let _ = writeln!(out, "|{}", " --- |".repeat(head.len()));
    for cells in rows {
        out.push_str(&row(cells));
    }
    out.push('\n');
}

fn shown(picture: &Picture) -> String {
    let caption = escaped(&picture.caption);
    match &picture.file_name {
        Some(name) => {
            let name: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).collect();
            format!("![{caption}](<{name}>)")
        }
        None => format!("*{caption}*"),
    }
}

/// Words that Markdown reads as they stand.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 8);
    for c in words.trim().chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    // what would begin a list
    let digits = out.chars().take_while(char::is_ascii_digit).count();
    let rest = out.get(digits..).unwrap_or_default();
    if out.starts_with("- ") || out.starts_with("+ ") || out.starts_with("--") {
        return format!("\\{out}");
    }
    if digits > 0 && (rest.starts_with(". ") || rest.starts_with(") ")) {
        return format!("{}\\{rest}", out.get(..digits).unwrap_or_default());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        assert_eq!(escaped("<b>|a_b*\n# x"), "\\<b\\>\\|a\\_b\\* \\# x");
        assert_eq!((escaped("- x"), escaped("1. x")), ("\\- x".to_owned(), "1\\. x".to_owned()));
        assert_eq!(escaped("2.50 m"), "2.50 m");
    }
}
