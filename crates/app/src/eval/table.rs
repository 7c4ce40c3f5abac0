//! Tables of a report, as text, Markdown and HTML.

use std::fmt::Write as _;

/// A table with its title and remarks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The title.
    pub title: String,
    /// The names of its columns; the first is that of the rows.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// Sentences below it.
    pub notes: Vec<String>,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Text,
    /// Markdown.
    Markdown,
    /// A page by itself.
    Html,
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .8rem;text-align:right;border-bottom:1px solid #8884}\
th:first-child,td:first-child{text-align:left}th{font-weight:600}pre{white-space:pre-wrap}\
@media(prefers-color-scheme:dark){body{background:#15181c;color:#dde}}";

impl Table {
    /// A table without rows.
    pub fn new(title: &str, head: &[&str]) -> Self {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        Self { title: title.to_owned(), head, ..Self::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn text(&self, out: &mut String) {
        let first = self.rows.iter().filter_map(|row| row.first()).map(|cell| cell.chars().count());
        let first = first.max().unwrap_or(0).max(14) + 2;
        let widths: Vec<usize> = self
            .head
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
                if at == 0 { first } else { cells.max().unwrap_or(0).max(name.chars().count()).max(11) + 2 }
            })
            .collect();
        let _ = writeln!(out, "{}\n", self.title);
        for row in std::iter::once(&self.head).chain(&self.rows) {
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
                let _ = if at == 0 { write!(out, "{cell}{padding}") } else { write!(out, "{padding}{cell}") };
            }
            out.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(out, "\n{note}");
        }
    }

    fn markdown(&self, out: &mut String) {
        let cells =
            |row: &[String]| row.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | ");
        let _ = writeln!(out, "## {}\n", self.title);
        let _ = writeln!(out, "| {} |", cells(&self.head));
        let rules: Vec<&str> = (0..self.head.len()).map(|at| if at == 0 { "---" } else { "---:" }).collect();
        let _ = writeln!(out, "| {} |", rules.join(" | "));
        for row in &self.rows {
            let _ = writeln!(out, "| {} |", cells(row));
        }
        for note in &self.notes {
            let _ = writeln!(out, "\n{note}");
        }
    }

    fn html(&self, out: &mut String) {
        let _ = write!(out, "<h2>{}</h2>\n<table>\n<tr>", escaped(&self.title));
        for name in &self.head {
            let _ = write!(out, "<th>{}</th>", escaped(name));
        }
        out.push_str("</tr>\n");
        for row in &self.rows {
            out.push_str("<tr>");
            for cell in row {
                let _ = write!(out, "<td>{}</td>", escaped(cell));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table>\n");
        for note in &self.notes {
            let _ = writeln!(out, "<p>{}</p>", escaped(note));
        }
    }
}

/// Tables, and after them what is to be read line by line.
pub fn page(tables: &[Table], lines: &str, form: Form) -> String {
    let mut out = String::new();
    if form == Form::Html {
        let _ = write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>Evaluation</title>\n<style>{STYLE}</style>\n"
        );
    }
    for (at, table) in tables.iter().enumerate() {
        if at > 0 && form != Form::Html {
            out.push('\n');
        }
        match form {
            Form::Text => table.text(&mut out),
            Form::Markdown => table.markdown(&mut out),
            Form::Html => table.html(&mut out),
        }
    }
    if !lines.is_empty() {
        let _ = match form {
            Form::Text => write!(out, "{lines}"),
            Form::Markdown => write!(out, "\n```text\n{}\n```\n", lines.trim()),
            Form::Html => writeln!(out, "<pre>{}</pre>", escaped(lines.trim())),
        };
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
