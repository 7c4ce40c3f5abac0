//! Any bytes are an error file: every message has its line, the gravest come first, and a summary keeps its bounds. The same
//! bytes are also lines of a run's own words, whose progress never goes back.
use energy::results::{ErrorReport, ProgressReader};

/// One input.
pub fn run(bytes: &[u8]) {
    let report = ErrorReport::parse(bytes);
    let lines = String::from_utf8_lossy(bytes).lines().count();
    assert!(report.messages.iter().all(|message| message.line as usize <= lines));
    let summary = report.summary(3);
    assert!(summary.groups.len() <= 3);
    assert!(summary.groups.windows(2).all(|pair| pair[0].level >= pair[1].level));
    let mut reader = ProgressReader::new(Vec::new());
    let mut before = 0.0;
    for update in String::from_utf8_lossy(bytes).lines().filter_map(|line| reader.read(line)) {
        assert!(update.fraction >= before && update.fraction <= 1.0);
        before = update.fraction;
    }
}
