//! Any bytes are a pack or are refused, with the place of each mistake in the text.

use validation::packs::read;

/// One input.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Err(problems) = read(&text) else { return };
    assert!(!problems.is_empty(), "a pack is refused for a reason");
    let lines = text.matches('\n').count() + 1;
    for problem in problems {
        assert!(problem.line <= lines && !problem.message.is_empty(), "{problem}");
    }
}
