//! Any bytes are a document or are refused with a place within them; what is read stays within the bounds.
use xml::{Element, Limits, read};

const LIMITS: Limits = Limits { bytes: 1 << 20, depth: 20, nodes: 5000 };

/// One input.
pub fn run(bytes: &[u8]) {
    match read(bytes, &LIMITS) {
        Ok(root) => {
            assert!(depth(&root) <= LIMITS.depth);
            assert!(count(&root) <= LIMITS.nodes);
        }
        Err(problem) => {
            let lines = bytes.split(|byte| *byte == b'\n').count();
            assert!(problem.place.line <= lines && !problem.message.is_empty());
        }
    }
}

fn depth(element: &Element) -> usize {
    1 + element.children.iter().map(depth).max().unwrap_or(0)
}

fn count(element: &Element) -> usize {
    1 + element.attributes.len() + element.children.iter().map(count).sum::<usize>()
}
