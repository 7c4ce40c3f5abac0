//! Dates as XML Schema writes them.

use oxsdatatypes::DateTime;

/// Returns true if a text is an xs:dateTime (XML Schema Part 2, 3.2.7): `2026-01-31T12:00:00Z`, with or without fraction and offset.
pub fn is_date_time(text: &str) -> bool {
    text.parse::<DateTime>().is_ok()
}
