//! The time a script sees: that of its operation. It stands still, so that a script that is run again does the same.

use chrono::{DateTime, Datelike, Timelike, Utc};
use monty_types::{MontyDate, MontyDateTime, MontyObject, MontyTimeZone};

/// `date.today()`, in UTC.
pub(crate) fn today(time_ms: u64) -> MontyObject {
    let today = civil((time_ms / 1000) as i64);
    MontyObject::Date(MontyDate { year: today.year(), month: today.month() as u8, day: today.day() as u8 })
}

/// `datetime.now(tz)`; without a time zone, in UTC and naive.
pub(crate) fn now(time_ms: u64, zone: Option<MontyTimeZone>) -> MontyObject {
    let offset = zone.as_ref().map_or(0, |zone| zone.offset_seconds);
    let now = civil((time_ms / 1000) as i64 + i64::from(offset));
    MontyObject::DateTime(MontyDateTime {
        year: now.year(),
        month: now.month() as u8,
        day: now.day() as u8,
        hour: now.hour() as u8,
        minute: now.minute() as u8,
        second: now.second() as u8,
        microsecond: (time_ms % 1000) as u32 * 1000,
        offset_seconds: zone.as_ref().map(|zone| zone.offset_seconds),
        timezone_name: zone.and_then(|zone| zone.name),
    })
}

/// The date and time of a number of seconds since 1970-01-01.
fn civil(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::civil;
    use chrono::Datelike;

    #[test]
    fn days_become_dates_across_leap_years() {
        let date = |days: i64| {
            let time = civil(days * 86_400);
            (time.year(), time.month(), time.day())
        };
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(-1), (1969, 12, 31));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_779), (2026, 11, 22));
    }
}
