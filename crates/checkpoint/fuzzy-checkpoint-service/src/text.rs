//! Texts for people: dates, ages, sizes, and names that are safe to print.

use std::fmt::Write as _;

use fuzzy_checkpoint::{Gone, IndexKept, IndexLeft, Reason, RepoPath};
use fuzzy_checkpoint_store::TranscriptKept;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Returns the time since `then`, both in milliseconds.
#[must_use]
pub fn age(now: i64, then: i64) -> String {
    let passed = now.saturating_sub(then);
    let (unit, name) = match passed {
        // A clock may have been set back.
        ..SECOND => return "just now".to_owned(),
        SECOND..MINUTE => (SECOND, "second"),
        MINUTE..HOUR => (MINUTE, "minute"),
        HOUR..DAY => (HOUR, "hour"),
        _ => (DAY, "day"),
    };
    format!("{} ago", count((passed / unit).unsigned_abs(), name))
}

/// Formats a time, in milliseconds since 1970, as a date in UTC.
#[must_use]
pub fn utc(at: i64) -> String {
    let (days, rest) = (at.div_euclid(DAY), at.rem_euclid(DAY));
    // Years begin in March here, so that the leap day is the last day of a year. 400 years have 146,097 days.
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

/// Formats a size in bytes.
#[must_use]
pub fn size(bytes: u64) -> String {
    match bytes {
        ..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Formats a number and a noun; the noun gets an `s` unless the number is 1.
#[must_use]
pub fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Escapes the characters that control a terminal or change the text direction, because the text is untrusted.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || turns_text(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Formats a path on one line, so that no two paths look alike: quoted, with escapes, unless all its characters are
/// visible.
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

/// Returns whether a character would end the quotes, control a terminal, or change the text direction, so that one name
/// could look like another.
fn needs_escape(c: char) -> bool {
    turns_text(c) || c.is_control() || matches!(c, '"' | '\\')
}

/// Returns whether a character changes the direction of the text after it.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the text for the reason why a path is not captured.
#[must_use]
pub fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::NestedRepo => "a repository of its own",
        Reason::Submodule => "a submodule",
        Reason::Special => "a socket, pipe or device",
        Reason::TooLarge => "too large",
        Reason::Ignored => "ignored",
        Reason::Unreadable => "cannot be read",
        Reason::ReservedName => "a name that git reserves",
        Reason::Suspect => "changed after the prompt, before the checkpoint",
        _ => "not captured",
    }
}

/// Describes a path that no checkpoint has: its name, the reason, and its size if that is known.
#[must_use]
pub fn gone_path(gone: &Gone) -> String {
    let bytes = gone.bytes.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default();
    format!("{} ({}{bytes})", quoted(&gone.path), reason(gone.why))
}

/// Returns the text for the reason why an undo did not restore the transcript.
#[must_use]
pub fn transcript_kept(kept: TranscriptKept) -> &'static str {
    match kept {
        TranscriptKept::SaidSince => "the session has newer messages, so the transcript does not change",
        TranscriptKept::LaterRestore => "a later restore has to be undone first, so the transcript does not change",
        TranscriptKept::Undone => "it is already undone, so the transcript does not change",
        TranscriptKept::Pruned => "its messages are pruned",
    }
}

/// Returns the text for the reason why an index cannot be restored.
#[must_use]
pub fn index_left(left: Option<IndexLeft>) -> &'static str {
    match left {
        Some(IndexLeft::Unmerged) => "it has unresolved merge conflicts",
        Some(IndexLeft::Split) => "it is a split index",
        Some(IndexLeft::IntentToAdd) => "it has files added with `git add -N`",
        Some(IndexLeft::SkipWorktree) => "it has files outside a sparse checkout or marked skip-worktree",
        Some(IndexLeft::Sidecar) => "checkpoints in a sidecar contain only files",
        Some(IndexLeft::MissingObjects) => "the repository lacks some of its objects",
        None => "it is unmerged, split, sparse, or has files added with `git add -N`",
    }
}

/// Returns the text for the reason why a restore would not change the index.
#[must_use]
pub fn index_kept(kept: IndexKept, left: Option<IndexLeft>) -> String {
    match kept {
        IndexKept::NotCaptured => format!("the checkpoint does not contain it: {}", index_left(left)),
        IndexKept::NotSaved => format!("an undo could not bring back the staged changes: {}", index_left(left)),
        IndexKept::HeadDiffers => "another commit or branch is checked out".to_owned(),
        IndexKept::InProgress => "a merge, rebase or similar operation is in progress".to_owned(),
        IndexKept::Changed => "they are not those at the end of the turn any more".to_owned(),
        IndexKept::NotRequested => "the restore covers only some paths, or no files".to_owned(),
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
        for (name, expected) in [
            (&b"a b/-c"[..], "a b/-c"),
            ("\u{e9}/\u{4e2d}".as_bytes(), "\u{e9}/\u{4e2d}"),
            (b"a\nb", r#""a\nb""#),
            (b"\x1b[31m", r#""\u{1b}[31m""#),
            (b"caf\xe9", r#""caf\xe9""#),
            (b" x", r#"" x""#),
            ("a\u{202e}cod.exe".as_bytes(), r#""a\u{202e}cod.exe""#),
            (br"a\nb", r#""a\\nb""#),
        ] {
            assert_eq!(quoted(&RepoPath::new(name)), expected);
        }
    }
}
