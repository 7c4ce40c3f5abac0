//! The time a script sees: that of its operation. It stands still, so that a script that is run again does the same.

use monty_types::{MontyDate, MontyDateTime, MontyObject, MontyTimeZone};

/// `date.today()`, in UTC.
pub(crate) fn today(time_ms: u64) -> MontyObject {
    let (year, month, day) = civil((time_ms / 86_400_000) as i64);
    MontyObject::Date(MontyDate { year, month, day })
}

/// `datetime.now(tz)`; without a time zone, in UTC and naive.
pub(crate) fn now(time_ms: u64, zone: Option<MontyTimeZone>) -> MontyObject {
    let offset = zone.as_ref().map_or(0, |zone| zone.offset_seconds);
    let seconds = (time_ms / 1000) as i64 + i64::from(offset);
    let (year, month, day) = civil(seconds.div_euclid(86_400));
    let of_day = seconds.rem_euclid(86_400);
    MontyObject::DateTime(MontyDateTime {
        year,
        month,
        day,
        hour: (of_day / 3600) as u8,
        minute: (of_day / 60 % 60) as u8,
        second: (of_day % 60) as u8,
        microsecond: (time_ms % 1000) as u32 * 1000,
        offset_seconds: zone.as_ref().map(|zone| zone.offset_seconds),
        timezone_name: zone.and_then(|zone| zone.name),
    })
}

/// Year, month and day of a number of days since 1970-01-01 (Gregorian, by eras of 400 years that begin in March).
fn civil(days: i64) -> (i32, u8, u8) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year as i32, month as u8, day as u8)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_become_dates_across_leap_years() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(-1), (1969, 12, 31));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_779), (2026, 11, 22));
    }
}
