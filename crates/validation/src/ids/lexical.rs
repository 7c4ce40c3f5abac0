//! How values are written in XML Schema (part 2, clause 3), as far as IDS uses it.

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

/// Digits of exactly this count as a number.
fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The time zone at the end of a text, in minutes, and what is before it.
fn zone(text: &str) -> Option<(&str, Option<i64>)> {
    if let Some(rest) = text.strip_suffix('Z') {
        return Some((rest, Some(0)));
    }
    let Some(at) = text.len().checked_sub(6) else { return Some((text, None)) };
    let (Some(rest), Some(end)) = (text.get(..at), text.get(at..)) else { return Some((text, None)) };
    let sign = match end.as_bytes() {
        [b'+', _, _, b':', _, _] => 1,
        [b'-', _, _, b':', _, _] => -1,
        _ => return Some((text, None)),
    };
    let (hours, minutes) = (digits(end.get(1..3)?, 2)?, digits(end.get(4..6)?, 2)?);
    let all = hours * 60 + minutes;
    (minutes < 60 && all <= 14 * 60).then_some((rest, Some(sign * all)))
}

/// Days since 1970-01-01 of a date without a zone (Howard Hinnant, days_from_civil).
fn days(text: &str) -> Option<i64> {
    let (sign, plain) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut parts = plain.splitn(3, '-');
    let (year, month, day) = (parts.next()?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if !(4..=9).contains(&year.len()) || (year.len() > 4 && year.starts_with('0')) {
        return None;
    }
    let year = sign * digits(year, year.len())?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year == 0 || !(1..=longest).contains(&day) {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Seconds since midnight of a time without a zone.
fn seconds(text: &str) -> Option<f64> {
    let mut parts = text.splitn(3, ':');
    let (hour, minute, second) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?, parts.next()?);
    let (whole, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let whole = digits(whole, 2)?;
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction: f64 = format!("0.{fraction}").parse().ok()?;
    let is_midnight = hour == 24 && minute == 0 && whole == 0 && fraction == 0.0;
    ((hour < 24 || is_midnight) && minute < 60 && whole < 60)
        .then(|| (hour * 3600 + minute * 60 + whole) as f64 + fraction)
}

/// A date as seconds since 1970.
pub(super) fn date(text: &str) -> Option<f64> {
    let (rest, zone) = zone(text)?;
    // `2020-01-01` has no zone: its end looks like none
    Some(days(rest)? as f64 * 86_400.0 - zone.unwrap_or(0) as f64 * 60.0)
}

/// A time as seconds since midnight.
pub(super) fn time(text: &str) -> Option<f64> {
    let (rest, zone) = zone(text)?;
    Some(seconds(rest)? - zone.unwrap_or(0) as f64 * 60.0)
}

/// A date with a time as seconds since 1970.
pub(super) fn date_time(text: &str) -> Option<f64> {
    let (rest, zone) = zone(text)?;
    let (date, time) = rest.split_once('T')?;
    Some(days(date)? as f64 * 86_400.0 + seconds(time)? - zone.unwrap_or(0) as f64 * 60.0)
}

/// A duration as months and seconds.
pub(super) fn duration(text: &str) -> Option<(f64, f64)> {
    let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let rest = rest.strip_prefix('P')?;
    let (date, time) = match rest.split_once('T') {
        Some((date, time)) if !time.is_empty() => (date, time),
        Some(_) => return None,
        None => (rest, ""),
    };
    let (mut months, mut seconds, mut count) = (0.0, 0.0, 0);
    for (part, units) in [(date, "YMD"), (time, "HMS")] {
        let is_time = units == "HMS";
        let mut from = 0;
        let mut number = String::new();
        for char in part.chars() {
            if char.is_ascii_digit() || (char == '.' && is_time) {
                number.push(char);
                continue;
            }
            let at = units.get(from..)?.find(char)? + from;
            from = at + 1;
            if number.contains('.') && char != 'S' || number.starts_with('.') || number.ends_with('.') {
                return None;
            }
            let value: f64 = number.parse().ok()?;
            number.clear();
            count += 1;
            match (is_time, char) {
                (false, 'Y') => months += value * 12.0,
                (false, 'M') => months += value,
                (false, _) => seconds += value * 86_400.0,
                (true, 'H') => seconds += value * 3600.0,
                (true, 'M') => seconds += value * 60.0,
                (true, _) => seconds += value,
            }
        }
        if !number.is_empty() {
            return None;
        }
    }
    (count > 0).then_some((sign * months, sign * seconds))
}

/// The order of two durations; none where it hangs on the length of the months.
pub(super) fn compare_durations(a: (f64, f64), b: (f64, f64)) -> Option<Ordering> {
    let (months, seconds) = (a.0 - b.0, a.1 - b.1);
    let least = months * 86_400.0 * if months < 0.0 { 31.0 } else { 28.0 } + seconds;
    let most = months * 86_400.0 * if months < 0.0 { 28.0 } else { 31.0 } + seconds;
    match (least.partial_cmp(&0.0)?, most.partial_cmp(&0.0)?) {
        (a, b) if a == b => Some(a),
        _ => None,
    }
}
