//! Reports as HTML that needs no other file.

use super::{Block, Document, Picture};
use glam::DVec2;
use paper::{Node, Page};
use std::fmt::Write as _;

/// The look of the page.
const STYLE: &str = "body{font-family:\"Noto Sans\",Arial,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}\
table{border-collapse:collapse;width:100%;margin:.6rem 0}th,td{text-align:start;vertical-align:top;padding:.25rem .5rem;\
border-bottom:1px solid #ddd}h2{margin-top:1.6rem;border-bottom:2px solid #333}figure{display:inline-block;margin:.5rem;\
max-width:28rem}figure svg{width:100%;height:auto}figcaption{color:#444}.drawing svg{max-width:100%;height:auto}\
.marks{list-style:none;padding:0}.ok::before{content:\"✓ \";color:#07702f}.not::before{content:\"✗ \";color:#b3151c}";

/// Writes a document.
pub(super) fn write(document: &Document) -> String {
    let mut out = String::from("<!DOCTYPE html>\n");
    tag(&mut out, &format!("<html lang=\"{}\"><head><meta charset=\"utf-8\">", escaped(&document.language)));
    out.push_str("<meta name=\"viewport\" content=\"width=device-width\">");
    tag(
        &mut out,
        &format!("<title>{}</title><style>{STYLE}</style></head><body>", escaped(&heading(document))),
    );
    element(&mut out, "h1", &document.title);
    if !document.subtitle.trim().is_empty() {
        element(&mut out, "p", &document.subtitle);
    }
    for (n, block) in document.blocks.iter().enumerate() {
        write_block(&mut out, block, n);
    }
    out.push_str("</body></html>\n");
    out
}

fn heading(document: &Document) -> String {
    let (title, of) = (document.title.trim(), document.subtitle.trim());
    if of.is_empty() { title.to_owned() } else { format!("{title}: {of}") }
}

fn write_block(out: &mut String, block: &Block, number: usize) {
    match block {
        Block::Heading(words) => element(out, "h2", words),
        Block::Text(words) => element(out, "p", words),
        Block::Facts(rows) => {
            out.push_str("<table>\n");
            for (name, words) in rows {
                let (name, words) = (escaped(name), escaped(words));
                tag(out, &format!("<tr><th scope=\"row\">{name}</th><td dir=\"auto\">{words}</td></tr>"));
            }
            out.push_str("</table>\n");
        }
        Block::Table { head, rows, .. } => {
            out.push_str("<table>\n<tr>");
            for words in head {
                // writing to a string does not fail
                let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(words));
            }
            out.push_str("</tr>\n");
            for cells in rows {
                out.push_str("<tr>");
                for words in cells {
                    let _ = write!(out, "<td dir=\"auto\">{}</td>", escaped(words));
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</table>\n");
        }
        Block::Marks(marks) => {
            out.push_str("<ul class=\"marks\">\n");
            for (is_fulfilled, words) in marks {
                let class = if *is_fulfilled { "ok" } else { "not" };
                tag(out, &format!("<li class=\"{class}\" dir=\"auto\">{}</li>", escaped(words)));
            }
            out.push_str("</ul>\n");
        }
        Block::Pictures(pictures) => {
            for (n, picture) in pictures.iter().enumerate() {
                let svg = paper::svg::write_within(&page_of(picture), &format!("b{number}p{n}-"));
                let caption = escaped(&picture.caption);
                tag(out, &format!("<figure>{svg}<figcaption dir=\"auto\">{caption}</figcaption></figure>"));
            }
        }
        Block::Drawing(page) => {
            let svg = paper::svg::write_within(page, &format!("b{number}-"));
            tag(out, &format!("<div class=\"drawing\">{svg}</div>"));
        }
    }
}

/// A picture as a page of its own, which holds its bytes.
fn page_of(picture: &Picture) -> Page {
    let [wide, high] = picture.pixels.map(|n| f64::from(n.max(1)));
    let size = DVec2::new(100.0, 100.0 * (high / wide).clamp(0.05, 20.0));
    let node = Node::Picture(paper::Picture { at: DVec2::ZERO, size, png: picture.png.clone() });
    Page { size, nodes: vec![node], ..Page::default() }
}

fn tag(out: &mut String, words: &str) {
    // writing to a string does not fail
    let _ = writeln!(out, "{words}");
}

fn element(out: &mut String, name: &str, words: &str) {
    tag(out, &format!("<{name} dir=\"auto\">{}</{name}>", escaped(words)));
}

/// Words that HTML reads as they stand, in text and in attributes.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 8);
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
