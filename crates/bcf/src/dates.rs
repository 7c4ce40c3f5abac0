//! Dates as XML Schema writes them.

/// Returns true if a text is an xs:dateTime (XML Schema Part 2, 3.2.7): `2026-01-31T12:00:00Z`, with or without fraction and offset.
pub fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else { return false };
    let (is_year, month, day) = match date.trim_start_matches('-').split('-').collect::<Vec<_>>().as_slice() {
        [year, month, day] => (year.len() >= 4 && is_digits(year), number(month), number(day)),
        _ => return false,
    };
    let is_date = is_year && matches!(month, Some(1..=12)) && matches!(day, Some(1..=31));
    let at = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(at);
    let is_zone = match zone.strip_prefix(['+', '-']) {
        None => matches!(zone, "" | "Z"),
        Some(offset) => offset
            .split_once(':')
            .is_some_and(|(h, m)| matches!(number(h), Some(0..=14)) && matches!(number(m), Some(0..=59))),
    };
    let is_clock = match clock.split(':').collect::<Vec<_>>().as_slice() {
        [h, m, s] => {
            let (whole, fraction) = s.split_once('.').map_or((*s, None), |(whole, rest)| (whole, Some(rest)));
            let is_fraction = fraction.is_none_or(|f| !f.is_empty() && is_digits(f));
            matches!(number(h), Some(0..=24))
                && matches!(number(m), Some(0..=59))
                && matches!(number(whole), Some(0..=59))
                && is_fraction
        }
        _ => false,
    };
    is_date && is_clock && is_zone
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of two digits.
fn number(text: &str) -> Option<u8> {
    (text.len() == 2 && is_digits(text)).then(|| text.parse().ok()).flatten()
}
