//! The local time zone.

use chrono::{Local, Offset, TimeZone};

/// Seconds by which local time is ahead of UTC at this time; 0 if the zone is unknown.
pub fn utc_offset(seconds: i64) -> i64 {
    let local = Local.timestamp_opt(seconds, 0).single();
    local.map_or(0, |time| i64::from(time.offset().fix().local_minus_utc()))
}
