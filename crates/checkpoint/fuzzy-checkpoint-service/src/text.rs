//! Texts for people: ages, sizes, and names that cannot play tricks on who reads them.

use std::fmt::Write as _;

use fuzzy_checkpoint::{IndexKept, IndexLeft, Reason, RepoPath};
use fuzzy_checkpoint_store::TranscriptKept;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Returns how long ago `then` was, both in milliseconds.
#[must_use]
pub fn age(now: i64, then: i64) -> String {
    let passed = now.saturating_sub(then);
    let (unit, name) = match passed {
        // Clocks are set back now and then.
        ..SECOND => return "just now".to_owned(),
        SECOND..MINUTE => (SECOND, "second"),
        MINUTE..HOUR => (MINUTE, "minute"),
        HOUR..DAY => (HOUR, "hour"),
        _ => (DAY, "day"),
    };
    format!("{} ago", count((passed / unit).unsigned_abs(), name))
}

/// Writes a time, in milliseconds since 1970, as a date in UTC.
#[must_use]
pub fn utc(at: i64) -> String {
    let (days, rest) = (at.div_euclid(DAY), at.rem_euclid(DAY));
    // The year begins in March, so that the day that comes and goes is its last. 400 years have 146,097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + later;
    let (hour, minute, second) = (rest / HOUR, rest % HOUR / MINUTE, rest % MINUTE / SECOND);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Writes a size.
#[must_use]
pub fn size(bytes: u64) -> String {
    match bytes {
        ..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Counts something that takes an `s` when there are several.
#[must_use]
pub fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns the text with those characters escaped that steer a terminal or turn what follows: it may come from anybody.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || turns_text(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Writes a path so that it stays on its line and can be told from any other: quoted, with escapes, where it holds
/// anything but visible characters.
#[must_use]
pub fn quoted(path: &RepoPath) -> String {
    match std::str::from_utf8(path.as_bytes()) {
        Ok(text) if !text.contains(needs_escape) && text.trim() == text => text.to_owned(),
        _ => {
            let mut quoted = String::from("\"");
            for chunk in path.as_bytes().utf8_chunks() {
                for c in chunk.valid().chars() {
                    if needs_escape(c) { quoted.extend(c.escape_default()) } else { quoted.push(c) }
                }
                for byte in chunk.invalid() {
                    let _ = write!(quoted, "\\x{byte:02x}");
                }
            }
            quoted + "\""
        }
    }
}

/// Returns whether a character would end the quotes, steer a terminal, or change the direction of what follows, so that a
/// name could look like another.
fn needs_escape(c: char) -> bool {
    turns_text(c) || c.is_control() || matches!(c, '"' | '\\')
}

/// Returns whether a character changes the direction of what follows, so that a text reads as another.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns why a path is not covered.
#[must_use]
pub fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::NestedRepo => "a repository of its own",
        Reason::Submodule => "a submodule",
        Reason::Special => "a socket, pipe or device",
        Reason::TooLarge => "too large",
        Reason::Unreadable => "cannot be read",
        Reason::ReservedName => "a name that git reserves",
        _ => "left alone",
    }
}

/// Returns why an undo left the transcript alone.
#[must_use]
pub fn transcript_kept(kept: TranscriptKept) -> &'static str {
    match kept {
        TranscriptKept::SaidSince => "the session has gone on, so its transcript stays as it is",
        TranscriptKept::LaterRestore => "a later restore is to be undone first, so the transcript stays as it is",
        TranscriptKept::Undone => "this was undone before, so the transcript stays as it is",
        TranscriptKept::Pruned => "messages that were to come back are pruned",
    }
}

/// Returns why an index cannot be given back.
#[must_use]
pub fn index_left(left: Option<IndexLeft>) -> &'static str {
    match left {
        Some(IndexLeft::Unmerged) => "a merge has left entries to be resolved",
        Some(IndexLeft::Split) => "it is split in two files",
        Some(IndexLeft::IntentToAdd) => "it has files announced with `git add -N`",
        Some(IndexLeft::SkipWorktree) => "it has files outside a sparse checkout, or marked to be skipped",
        Some(IndexLeft::Sidecar) => "the checkpoints are kept in a sidecar, which holds files alone",
        Some(IndexLeft::MissingObjects) => "the repository lacks objects that it names",
        None => "it is unmerged, split, sparse, or has files announced with `git add -N`",
    }
}

/// Returns why a restore would leave the index alone.
#[must_use]
pub fn index_kept(kept: IndexKept, left: Option<IndexLeft>) -> String {
    match kept {
        IndexKept::NotCaptured => format!("the checkpoint cannot give it back: {}", index_left(left)),
        IndexKept::NotSaved => format!("what is staged now could not be brought back: {}", index_left(left)),
        IndexKept::HeadDiffers => "another commit or branch is checked out".to_owned(),
        IndexKept::InProgress => "a merge, rebase or the like is in progress".to_owned(),
        IndexKept::NotRequested => "only files are restored, or none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use fuzzy_checkpoint::RepoPath;

    use super::{age, quoted, size, utc};

    #[test]
    fn dates() {
        let day = 86_400_000;
        for (at, date) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (951_782_400_000 + day, "2000-03-01 00:00:00 UTC"),
            (1_704_067_199_000, "2023-12-31 23:59:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(at), date);
        }
    }

    #[test]
    fn ages_and_sizes() {
        let ages = [-5, 0, 1_000, 61_000, 7_200_000, 90_000_000, 900_000_000].map(|passed| age(passed, 0));
        assert_eq!(
            ages,
            ["just now", "just now", "1 second ago", "1 minute ago", "2 hours ago", "1 day ago", "10 days ago"]
        );
        assert_eq!(
            [0, 999, 1_000, 1_500_000, 2_000_000_000].map(size),
            ["0 bytes", "999 bytes", "1.0 kB", "1.5 MB", "2.0 GB"]
        );
    }

    #[test]
    fn odd_names_stay_on_their_line() {
        for (name, shown) in [
            (&b"a b/-c"[..], "a b/-c"),
            ("\u{e9}/\u{4e2d}".as_bytes(), "\u{e9}/\u{4e2d}"),
            (b"a\nb", r#""a\nb""#),
            (b"\x1b[31m", r#""\u{1b}[31m""#),
            (b"caf\xe9", r#""caf\xe9""#),
            (b" x", r#"" x""#),
            ("a\u{202e}cod.exe".as_bytes(), r#""a\u{202e}cod.exe""#),
            (br"a\nb", r#""a\\nb""#),
        ] {
            assert_eq!(quoted(&RepoPath::new(name)), shown);
        }
    }
}
