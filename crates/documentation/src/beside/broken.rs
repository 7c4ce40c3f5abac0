//! Words broken into lines of a width.

use crate::drawing::words::extent;
use paper::Weight;

/// The most characters of a paragraph that are set; the rest is an ellipsis.
const MOST: usize = 2_000;

/// Breaks a paragraph into lines of at most a width in mm: between words, and within those that are too long by themselves. There is always
/// a line.
pub(crate) fn broken(words: &str, height: f64, weight: Weight, width: f64) -> Vec<String> {
    let fits = |text: &str| extent(text, height, weight).x <= width;
    let mut all: String = words.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if words.chars().nth(MOST).is_some() {
        all.push('…');
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in all.split_whitespace() {
        let joined = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&joined) {
            line = joined;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        if fits(word) {
            word.clone_into(&mut line);
            continue;
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) {
                line.pop();
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The words as far as they fit into a width in mm, with an ellipsis where they do not.
pub(crate) fn shortened(words: &str, height: f64, weight: Weight, width: f64) -> String {
    let clean: String = words.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if extent(&clean, height, weight).x <= width {
        return clean;
    }
    let letters: Vec<char> = clean.chars().collect();
    let text = |n: usize| letters.iter().take(n).chain(&['…']).collect::<String>();
    let (mut low, mut high) = (0, letters.len());
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if extent(&text(middle), height, weight).x <= width {
            low = middle;
        } else {
            high = middle;
        }
    }
    text(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_their_column_and_lose_no_word() {
        let text = "Basic Wall:Exterior - Brick on Block:138584 Donaudampfschifffahrtsgesellschaftskapitän مرحبا بالعالم";
        for width in [15.0, 30.0, 200.0] {
            let lines = broken(text, 2.0, Weight::Regular, width);
            assert!(lines.iter().all(|line| extent(line, 2.0, Weight::Regular).x <= width), "{lines:?}");
            let bare = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(bare(&lines.concat()), bare(text));
            let short = shortened(text, 2.0, Weight::Regular, width);
            assert!(extent(&short, 2.0, Weight::Regular).x <= width);
        }
        assert_eq!(broken("", 2.0, Weight::Regular, 10.0), [""]);
        assert_eq!(broken("abc", 2.0, Weight::Regular, 0.0), ["a", "b", "c"]);
        assert!(broken(&"x".repeat(100_000), 2.0, Weight::Regular, 50.0).len() < 100);
    }
}
