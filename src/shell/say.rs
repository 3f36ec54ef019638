//! Words and numbers as `look.md` 12 wants them.

use std::path::Path;
use std::time::Duration;
use std::time::SystemTime;

/// `17 620`: thousands parted by a thin space.
#[must_use]
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// `1 brush`, `12 brushes`.
#[must_use]
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// `4.1 MB`, `512 kB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    if n >= 1_000_000 {
        format!("{:.1} MB", n as f64 / 1e6)
    } else {
        format!("{} kB", n.div_ceil(1000))
    }
}

/// Last part of a path.
#[must_use]
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// (year, month 1-12, day 1-31) of a number of days since 1970-01-01; Howard Hinnant's `civil_from_days`.
fn date_of(days: i64) -> (i64, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (
        year_of_era + era * 400 + i64::from(month <= 2),
        month as u32,
        day as u32,
    )
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `just now`, `12 min ago`, `3 h ago`, `Yesterday`, `27 November`, `27 November 2024`.
#[must_use]
pub fn when(then: SystemTime, now: SystemTime) -> String {
    let ago = now.duration_since(then).unwrap_or(Duration::ZERO).as_secs();
    match ago {
        0..60 => return "just now".to_owned(),
        60..3600 => return format!("{} min ago", ago / 60),
        3600..86_400 => return format!("{} h ago", ago / 3600),
        86_400..172_800 => return "Yesterday".to_owned(),
        _ => {}
    }
    let days = |time: SystemTime| {
        time.duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs() as i64 / 86_400)
    };
    let (year, month, day) = date_of(days(then));
    let name = MONTHS[month as usize - 1];
    if date_of(days(now)).0 == year {
        format!("{day} {name}")
    } else {
        format!("{day} {name} {year}")
    }
}

/// `14:32:07` of the day in universal time: lines of the log.
#[must_use]
pub fn clock(time: SystemTime) -> String {
    let seconds = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() % 86_400);
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_read_well() {
        assert_eq!(count(17_620), "17\u{2009}620");
        assert_eq!(count(999), "999");
        assert_eq!(counted(1, "face", "faces"), "1 face");
        assert_eq!(bytes(4_123_456), "4.1 MB");
        assert_eq!(bytes(1), "1 kB");
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let now = at(1_796_000_000); // 30 November 2026
        let check = |ago: u64, words: &str| assert_eq!(when(at(1_796_000_000 - ago), now), words);
        check(5, "just now");
        check(720, "12 min ago");
        check(90_000, "Yesterday");
        check(20 * 86_400, "10 November");
        check(700 * 86_400, "30 December 2024");
        assert_eq!(clock(at(52_327)), "14:32:07");
    }
}
