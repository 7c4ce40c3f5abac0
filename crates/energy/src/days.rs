//! Days of the Gregorian calendar: leap years, lengths of months, weekdays and places in the year.
//!
//! EnergyPlus writes most days without a year; whether there is a 29 February is then said beside them.

use chrono::{Datelike, Month, NaiveDate};

/// Some year that has a 29 February, or has none.
fn some_year(leap: bool) -> i32 {
    if leap { 2000 } else { 2001 }
}

/// True if a year has a 29 February.
pub(crate) fn is_leap(year: i32) -> bool {
    NaiveDate::from_ymd_opt(year, 1, 1).is_some_and(|first| first.leap_year())
}

/// The number of days of a month, counted from 1; none of them where there is no such month.
pub(crate) fn days_in(month: u32, leap: bool) -> u32 {
    let known = u8::try_from(month).ok().and_then(|month| Month::try_from(month).ok());
    known.and_then(|month| month.num_days(some_year(leap))).map_or(0, u32::from)
}

/// The place of a date in its year, from 1; none of a date that the year does not have.
pub(crate) fn ordinal(month: u32, day: u32, leap: bool) -> Option<u32> {
    NaiveDate::from_ymd_opt(some_year(leap), month, day).map(|date| date.ordinal())
}

/// The number of days before a month.
pub(crate) fn days_before(month: u32, leap: bool) -> u32 {
    ordinal(month, 1, leap).map_or(0, |first| first - 1)
}

/// The weekday of a date, Sunday being 0; none of a date that the year does not have.
pub(crate) fn weekday(year: i32, month: u32, day: u32) -> Option<usize> {
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(date.weekday().num_days_from_sunday() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_years_have_their_days() {
        assert_eq!((1..=12).map(|month| days_in(month, true)).sum::<u32>(), 366);
        assert_eq!((1..=12).map(|month| days_in(month, false)).sum::<u32>(), 365);
        assert_eq!(
            [days_in(0, true), days_in(2, true), days_in(2, false), days_in(13, false)],
            [0, 29, 28, 0]
        );
        assert_eq!([2000, 2016, 2017, 1900].map(is_leap), [true, true, false, false]);
    }

    #[test]
    fn dates_have_a_place_in_the_year_and_a_weekday() {
        assert_eq!((ordinal(12, 31, true), ordinal(12, 31, false)), (Some(366), Some(365)));
        assert_eq!((ordinal(2, 29, true), ordinal(2, 29, false)), (Some(60), None));
        assert_eq!((days_before(1, true), days_before(3, true), days_before(3, false)), (0, 60, 59));
        assert_eq!(weekday(2017, 1, 1), Some(0));
        assert_eq!((weekday(2026, 11, 28), weekday(2017, 2, 29)), (Some(6), None));
    }
}
