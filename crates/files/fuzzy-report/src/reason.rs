//! The rule that refuses an edit: its reason in words, and what to do about it.

use std::collections::HashSet;

use fuzzy_core::{Judgement, Reason, Refusal};

use crate::Lines;
use crate::contested::quoted;

/// A line of the needle that the nearest lines lack, and that the file has once elsewhere.
struct Elsewhere<'t> {
    line: &'t str,
    /// Its number, counted from 1.
    number: usize,
}

/// Returns the headline of a refusal by a rule about these lines, and the next step; none without a rule.
pub(crate) fn told(judgement: &Judgement<'_>, refusal: &Refusal, lines: Lines) -> Option<(String, String)> {
    let reason = judgement.reason()?;
    let mut message = match refusal {
        Refusal::Uncertain => format!("the place is found, {lines}, but {}", reason.why),
        Refusal::TooDifferent => format!("{}: {lines}", reason.why),
        _ => return None,
    };
    message += &texts(reason);
    let next_step = match judgement.rule() {
        Some("equal-place") => {
            format!(
                "Add lines from around the place that is meant, {lines} or one like it, until the old text fits only there."
            )
        }
        Some("line-elsewhere") if let Some(Elsewhere { line, number }) = elsewhere(judgement, lines) => {
            message.extend(["; ", &quoted(line), " is line ", &number.to_string()]);
            format!(
                "Say which place is meant: read {lines} and the lines around line {number} of the file, and copy the old \
                 text from one of them exactly."
            )
        }
        _ => crate::failure::copy_from(lines),
    };
    Some((message, next_step))
}

/// Says what each text has where the rule refuses.
fn texts(Reason { file, old, new, .. }: Reason<'_>) -> String {
    if [file, old, new].iter().all(|text| text.trim().is_empty()) {
        return String::new();
    }
    format!("; the file has {}, the old text {}, the new text {}", quoted(file), quoted(old), quoted(new))
}

/// Finds the first line of the needle that the file has once, outside of these lines. One pass over the file.
fn elsewhere<'t>(judgement: &Judgement<'t>, lines: Lines) -> Option<Elsewhere<'t>> {
    let file: Vec<&str> = judgement.document().text().lines().map(str::trim).collect();
    let place: HashSet<&str> = file.iter().skip(lines.0 - 1).take(lines.1 + 1 - lines.0).copied().collect();
    let mut needle = judgement.edit().needle.lines().map(str::trim);
    needle.find_map(|line| {
        let is_worded = line.contains(char::is_alphanumeric) && !place.contains(line);
        let mut found = file.iter().enumerate().filter(|(_, other)| is_worded && **other == line);
        let (at, _) = found.next().filter(|_| found.next().is_none())?;
        Some(Elsewhere { line, number: at + 1 })
    })
}
