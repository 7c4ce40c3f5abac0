#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]
