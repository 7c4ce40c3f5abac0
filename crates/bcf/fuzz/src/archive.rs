//! Any bytes are an archive or are refused. What is read is written in both versions, and read again to the same topics without a
//! complaint.
use bcf::{Limits, Version, read, write};

const LIMITS: Limits = Limits { files: 200, bytes: 4 << 20, ratio: 100 };

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok((_, archive, _)) = read(bytes, &LIMITS) else { return };
    for version in [Version::V2_1, Version::V3_0] {
        let Ok((written, _)) = write(&archive, version) else { continue };
        let Ok((own, again, _)) = read(&written, &Limits::default()) else {
            unreachable!("what is written is read");
        };
        assert_eq!(own, version);
        assert!(
            again.topics.iter().map(|topic| &topic.guid).eq(archive.topics.iter().map(|topic| &topic.guid))
        );
    }
}
