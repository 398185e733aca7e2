//! Current time and calendar dates.

use std::ffi::OsStr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::{Error, Result};
use crate::platform::local_time;

const DAY: i64 = 86_400;
/// Days in 400 years, after which the calendar repeats.
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-01-01 to 1970-01-01.
const EPOCH_DAYS: i64 = 719_528;
/// 9999-12-31T23:59:59Z, the last second with a four-digit year.
const LAST: i64 = 253_402_300_799;

/// Seconds since 1970: `SOURCE_DATE_EPOCH` if it is set, else the system clock.
pub fn now() -> Result<i64> {
    Ok(source_date_epoch()?.unwrap_or_else(system))
}

/// Value of `SOURCE_DATE_EPOCH`, if set.
pub fn source_date_epoch() -> Result<Option<i64>> {
    std::env::var_os("SOURCE_DATE_EPOCH").map(|text| fixed(&text)).transpose()
}

/// Stops the clock of this process. Session names contain the date and payloads contain session names, so snapshots of
/// the screen would otherwise depend on the date.
pub fn stop_at(seconds: i64) {
    STOPPED.store(seconds, Ordering::Relaxed);
}

static STOPPED: AtomicI64 = AtomicI64::new(i64::MIN);

/// System time, clamped to years with four digits.
fn system() -> i64 {
    let stopped = STOPPED.load(Ordering::Relaxed);
    if stopped != i64::MIN {
        return stopped.clamp(0, LAST);
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    i64::try_from(since).unwrap_or(LAST).min(LAST)
}

/// Parses `SOURCE_DATE_EPOCH`.
fn fixed(text: &OsStr) -> Result<i64> {
    let number = text.to_str().and_then(|text| text.parse::<i64>().ok());
    number.filter(|seconds| (0..=LAST).contains(seconds)).ok_or_else(|| {
        let what = format!("SOURCE_DATE_EPOCH is `{}`, which is not a time", text.display());
        Error::input(what, "set it to the seconds since 1970, or unset it")
    })
}

/// Date for session names: `20260124`.
pub fn date(seconds: i64) -> String {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    format!("{year:04}{month:02}{day:02}")
}

/// ISO 8601 in UTC: `2026-01-24T10:30:00Z`.
pub fn iso(seconds: i64) -> String {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Local time: `2026-01-24 11:30`. [`zone`] is its offset from UTC.
pub fn local(seconds: i64) -> String {
    minutes(seconds, utc_offset())
}

/// Current offset of local time from UTC: `+01:00`.
pub fn zone() -> String {
    distance(utc_offset())
}

/// Seconds by which local time is ahead of UTC. While the clock is fixed, times are in UTC, so that screens are the same
/// everywhere.
fn utc_offset() -> i64 {
    let is_fixed = STOPPED.load(Ordering::Relaxed) != i64::MIN || std::env::var_os("SOURCE_DATE_EPOCH").is_some();
    if is_fixed { 0 } else { local_time::utc_offset(system()) }
}

fn minutes(seconds: i64, offset: i64) -> String {
    iso(seconds.saturating_add(offset))[..16].replace('T', " ")
}

fn distance(offset: i64) -> String {
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns true for a leap year.
fn leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

fn year_days(year: i64) -> i64 {
    if leap(year) { 366 } else { 365 }
}

fn month_days(year: i64, month: i64) -> i64 {
    match month {
        2 if leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Converts days since 1970-01-01 to year, month and day.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day.saturating_add(EPOCH_DAYS);
    let mut year = day.div_euclid(ERA_DAYS) * 400;
    let mut rest = day.rem_euclid(ERA_DAYS);
    while rest >= year_days(year) {
        rest -= year_days(year);
        year += 1;
    }
    let mut month = 1;
    while rest >= month_days(year, month) {
        rest -= month_days(year, month);
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn local_times_have_a_zone() {
        for (offset, time, zone) in [
            (9 * 3600, "2026-01-24 19:30", "+09:00"),
            (-(3 * 3600 + 1800), "2026-01-24 07:00", "-03:30"),
            (0, "2026-01-24 10:30", "+00:00"),
        ] {
            assert_eq!((minutes(1_769_250_600, offset), distance(offset)), (time.to_owned(), zone.to_owned()));
        }
    }

    #[test]
    fn known_times() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_769_250_600, "2026-01-24T10:30:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(iso(seconds), text);
        }
        assert_eq!(date(1_769_250_600), "20260124");
        // Times out of range must not panic.
        assert!(date(i64::MAX).len() > 8 && iso(i64::MIN).starts_with('-'));
    }

    #[test]
    fn a_fixed_time_must_be_seconds() {
        assert_eq!(fixed(OsStr::new("1769250600")).unwrap(), 1_769_250_600);
        for bad in ["", "soon", "-1", "1.5", " 1", "253402300800", "99999999999999999999"] {
            let error = fixed(OsStr::new(bad)).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{bad}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn the_system_clock_is_plausible() {
        assert!(system() > 1_700_000_000);
    }

    proptest! {
        #[test]
        fn the_calendar_repeats_after_400_years(seconds in 0..=LAST - ERA_DAYS * DAY) {
            let (text, later) = (iso(seconds), iso(seconds + ERA_DAYS * DAY));
            prop_assert_eq!(text[..4].parse::<i32>().unwrap() + 400, later[..4].parse::<i32>().unwrap());
            prop_assert_eq!(&text[4..], &later[4..]);
            prop_assert_eq!(date(seconds), text[..10].replace('-', ""));
        }

        #[test]
        fn later_times_sort_later_as_text(a in 0..=LAST, b in 0..=LAST) {
            prop_assert_eq!(a.cmp(&b), iso(a).cmp(&iso(b)));
        }
    }
}
