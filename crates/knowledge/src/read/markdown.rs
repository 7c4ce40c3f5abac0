//! Markdown as headings and lines. Its marks stay where they say something (lists, tables, code) and go where they only dress words.

use super::Found;
use super::blocks::Block;

/// Bytes that the words of a link, or its target, have at most.
const LINK: usize = 300;

/// Reads a document; its title is its first heading of level one.
pub fn read(text: &str) -> Found {
    let blocks = blocks(text);
    let title = blocks.iter().find_map(|block| match block {
        Block::Heading(1, text) => Some(text.clone()),
        _ => None,
    });
    Found { title, blocks, ..Found::default() }
}

/// Headings (`#`, underlined), and everything else line by line.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut comment = false;
    let mut paragraph: Vec<String> = Vec::new();
    for line in without_front_matter(text).lines() {
        let trimmed = line.trim_start();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) {
                fence = None;
            } else {
                paragraph.push(line.to_owned());
            }
            continue;
        }
        if comment || trimmed.starts_with("<!--") {
            comment = !line.contains("-->");
            continue;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = Some(mark);
            continue;
        }
        if let Some((level, heading)) = heading(line) {
            close(&mut blocks, &mut paragraph);
            blocks.push(Block::Heading(level, plain(heading)));
        } else if let (Some(level), true) = (underline(line), paragraph.len() == 1) {
            let heading = paragraph.pop().unwrap_or_default();
            blocks.push(Block::Heading(level, heading));
        } else if trimmed.is_empty() {
            close(&mut blocks, &mut paragraph);
        } else {
            paragraph.push(plain(line));
        }
    }
    close(&mut blocks, &mut paragraph);
    blocks
}

fn close(blocks: &mut Vec<Block>, paragraph: &mut Vec<String>) {
    if !paragraph.is_empty() {
        blocks.push(Block::Paragraph(paragraph.join("\n")));
        paragraph.clear();
    }
}

/// The text behind `---` … `---` or `+++` … `+++` at its very beginning.
fn without_front_matter(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for mark in ["---\n", "+++\n"] {
        if let Some(rest) = text.strip_prefix(mark)
            && let Some((_, after)) = rest.split_once(&format!("\n{mark}"))
        {
            return after;
        }
    }
    text
}

fn heading(line: &str) -> Option<(u8, &str)> {
    // four blanks before it are code
    let indent = line.len() - line.trim_start_matches(' ').len();
    let trimmed = line.trim_start_matches(' ');
    let marks = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    let rest = trimmed.get(marks..)?;
    let opens = rest.is_empty() || rest.starts_with([' ', '\t']);
    if indent > 3 || !(1..=6).contains(&marks) || !opens {
        return None;
    }
    let text = rest.trim();
    let bare = text.trim_end_matches('#');
    // `C#` keeps its mark
    let text = if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { text };
    Some((u8::try_from(marks).unwrap_or(6), text))
}

fn underline(line: &str) -> Option<u8> {
    let line = line.trim_end();
    let all = |sign: u8| line.len() >= 2 && line.bytes().all(|byte| byte == sign);
    if all(b'=') { Some(1) } else { all(b'-').then_some(2) }
}

/// A line without marks of emphasis and code, and with the words of its links in their place.
fn plain(line: &str) -> String {
    let unmarked = line.replace("**", "").replace('`', "");
    let mut text = String::with_capacity(unmarked.len());
    let mut rest = unmarked.as_str();
    while let Some((before, after)) = rest.split_once('[') {
        // looked for within bounds: a line of brackets alone would be searched to its end for each
        let near = after.bytes().take(LINK).position(|sign| sign == b']');
        let link =
            near.and_then(|at| Some((after.get(..at)?, after.get(at + 1..)?))).and_then(|(words, behind)| {
                let target = behind.strip_prefix('(')?;
                let end = target.bytes().take(LINK).position(|sign| sign == b')')?;
                Some((words, target.get(end + 1..)?))
            });
        if let Some((words, behind)) = link {
            text.push_str(before.strip_suffix('!').unwrap_or(before));
            text.push_str(words);
            rest = behind;
        } else {
            text.push_str(before);
            text.push('[');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}
