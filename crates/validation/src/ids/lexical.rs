//! How values are written in XML Schema (part 2, clause 3), as far as IDS uses it.

use oxsdatatypes::{Date, DateTime, Duration, Time};
use std::borrow::Cow;
use std::cmp::Ordering;

/// White space of XML collapsed.
pub(super) fn collapsed(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_plain = bytes.first() != Some(&b' ')
        && bytes.last() != Some(&b' ')
        && !bytes.iter().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r'))
        && !bytes.windows(2).any(|pair| pair == b"  ");
    if is_plain {
        return Cow::Borrowed(text);
    }
    let parts = text.split([' ', '\t', '\n', '\r']).filter(|part| !part.is_empty());
    Cow::Owned(parts.collect::<Vec<_>>().join(" "))
}

/// True if nothing but white space of XML is in it.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// True if it is a whole number: digits with an optional sign.
pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if it is a decimal number without an exponent.
pub(super) fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    !(whole.is_empty() && fraction.is_empty())
        && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
}

/// A floating number as it is written: finite, with an optional exponent.
pub(super) fn double(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let is_number = is_decimal(mantissa) && is_integer(exponent);
    text.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// A truth: `true`, `false`, `1` or `0`.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// True if it is a name without a colon.
pub(super) fn is_ncname(text: &str) -> bool {
    let is_start = |char: char| char.is_alphabetic() || char == '_';
    let is_rest = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '\u{B7}');
    text.starts_with(is_start) && text.chars().all(is_rest)
}

/// A date. The year 0000 is none: it stands for nothing before XML Schema 1.1.
pub(super) fn date(text: &str) -> Option<Date> {
    text.parse().ok().filter(|_| has_year(text))
}

/// A time.
pub(super) fn time(text: &str) -> Option<Time> {
    text.parse().ok()
}

/// A date with a time. One with a zone and one without have no order within fourteen hours.
pub(super) fn date_time(text: &str) -> Option<DateTime> {
    text.parse().ok().filter(|_| has_year(text))
}

fn has_year(text: &str) -> bool {
    !text.trim_start_matches('-').starts_with("0000")
}

/// A duration.
pub(super) fn duration(text: &str) -> Option<Duration> {
    // the library takes `P1YT`, `PT.5S` and `PT5.S`, too
    let is_digit = |char: char| char.is_ascii_digit();
    let is_plain = text
        .split_once('.')
        .is_none_or(|(before, behind)| before.ends_with(is_digit) && behind.starts_with(is_digit));
    text.parse().ok().filter(|_| is_plain && !text.ends_with('T'))
}

/// The order of two durations; none where it hangs on the length of the months, and none beyond ten thousand years: the library goes
/// through their days month by month, and files of strangers may name any number.
pub(super) fn compare_durations(a: Duration, b: Duration) -> Option<Ordering> {
    let is_short = |duration: Duration| duration.days().abs() < 3_660_000;
    if is_short(a) && is_short(b) { a.partial_cmp(&b) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_those_of_xml_schema() {
        for good in ["2020-02-29", "2020-01-01Z", "-0044-03-15", "12020-01-01+14:00"] {
            assert!(date(good).is_some(), "{good}");
        }
        for bad in ["2021-02-29", "0000-01-01", "-0000-01-01", "2020-1-1", "02020-01-01", "2020-01-01+14:01"]
        {
            assert!(date(bad).is_none(), "{bad}");
        }
        for good in ["00:00:00", "24:00:00", "23:59:59.999Z", "12:00:00-05:00"] {
            assert!(time(good).is_some(), "{good}");
        }
        for bad in ["24:00:01", "12:00", "12:00:60", "12:00:00.", "1:00:00"] {
            assert!(time(bad).is_none(), "{bad}");
        }
        for good in ["P1Y2M3DT4H5M6.7S", "PT16H", "-P1D", "P0Y"] {
            assert!(duration(good).is_some(), "{good}");
        }
        for bad in ["", "P", "PT", "P1YT", "PT.5S", "PT5.S", "P1.5D", "P1H", "1D", "P1M1Y"] {
            assert!(duration(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn what_cannot_be_told_has_no_order() {
        let moments = |a, b| date_time(a)?.partial_cmp(&date_time(b)?);
        assert_eq!(moments("2020-01-01T12:00:00Z", "2020-01-01T13:00:00+01:00"), Some(Ordering::Equal));
        assert_eq!(moments("2020-01-01T12:00:00Z", "2020-01-03T00:00:00"), Some(Ordering::Less));
        assert_eq!(moments("2020-01-01T12:00:00Z", "2020-01-01T13:00:00"), None);
        let spans = |a, b| compare_durations(duration(a)?, duration(b)?);
        assert_eq!(spans("P1D", "PT24H"), Some(Ordering::Equal));
        assert_eq!(spans("P1Y", "P364D"), Some(Ordering::Greater));
        assert_eq!(spans("P1M", "P30D"), None);
        assert_eq!(spans("P1M99999999999999D", "P1M"), None);
    }
}
