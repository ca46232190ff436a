//! Words the refusal by a rule: the reason and the next step.

use fuzzy_core::report::Reason;
use fuzzy_core::{Judgement, LineRange, Quote, Refusal};

use crate::contested::quoted;
use crate::look_alikes;
use crate::words::Words;

/// The rule about an old text that leaves lines out.
pub(crate) const ELIDED: &str = "elided-old-text";

/// The first line in which the nearest lines differ from the old text.
#[derive(Debug, Default)]
pub(crate) struct Differing {
    /// A clause about it, with its semicolon; empty if there is none.
    pub(crate) first: String,
    /// Whether a reader of the diff may not see the difference.
    pub(crate) is_hidden: bool,
}

impl Words<'_, '_> {
    /// Returns the message of a refusal by a rule about these lines, and the rule's own next step, if it has one; `None`
    /// without a rule.
    pub(crate) fn headline(
        &self,
        refusal: &Refusal,
        lines: LineRange,
        differing: &Differing,
    ) -> Option<(String, Option<String>)> {
        let (judgement, old) = (self.judgement, self.old);
        let reason = judgement.reason()?;
        let why = self.of_constant(reason.why);
        if !reason.apart.is_empty() {
            return Some((apart(old, reason.apart), None));
        }
        if judgement.rule() == Some(ELIDED) {
            return Some((format!("{why}: {lines}"), None));
        }
        let mut message = match refusal {
            Refusal::Uncertain | Refusal::TooDifferent if reason.is_elsewhere => {
                return Some((format!("{old} is not in the file; most like it: {lines}{}", differing.first), None));
            }
            Refusal::Uncertain => format!("the place is found, {lines}, but {why}"),
            Refusal::TooDifferent => format!("{why}: {lines}"),
            _ => return None,
        };
        message += &texts(old, reason, differing);
        let next_step = (judgement.rule() == Some("equal-place")).then(|| {
            format!(
                "Add lines from around the intended place, {lines} or a similar one, until {old} matches only there."
            )
        });
        Some((message, next_step))
    }
}

/// Returns the same edit with the ends of the old text instead of the whole, if the old text leaves lines out.
pub(crate) fn by_ends_if_elided(judgement: &Judgement<'_>) -> Option<String> {
    let edit = judgement.edit();
    let mut between = edit.old.trim().lines().skip(1);
    let is_elided = edit.quote == Quote::Whole && between.by_ref().any(is_elision) && between.next().is_some();
    if !is_elided {
        return None;
    }
    let mut lines = edit.old.lines().filter(|line| !line.trim().is_empty() && !is_elision(line));
    let quote = |line: Option<&str>| serde_json::Value::from(line.unwrap_or_default()).to_string();
    let (first, last) = (quote(lines.next()), quote(lines.next_back()));
    Some(format!(
        "To replace all lines between, send \"first\": {first} and \"last\": {last} instead of the old text; to keep \
         them, leave them out of the new text, too."
    ))
}

/// Returns whether a line stands for others: dots, also in a comment.
fn is_elision(line: &str) -> bool {
    let line = line.trim().trim_start_matches(|c: char| "/#-*<!{; ".contains(c));
    line.starts_with("...") || line.starts_with('…')
}

/// Returns a clause about lines of the old text that are apart in the file: the number of each in both.
pub(crate) fn apart(old: &str, lines: &[(usize, usize)]) -> String {
    let is = |at: usize| if at == 0 { "is at" } else { "at" };
    let lines = lines.iter().enumerate().map(|(at, (old, file))| format!("line {old} {} {file}", is(at)));
    format!("the lines of {old} are in two blocks of the file: {}", lines.collect::<Vec<_>>().join(", "))
}

/// Quotes the three texts that the rule compared. A text that the file lacks says less than the first difference.
fn texts(name: &str, Reason { file, old, new, merged, .. }: Reason<'_>, differing: &Differing) -> String {
    if !merged.trim().is_empty() {
        return format!(": {}", quoted(merged));
    }
    if file.trim().is_empty() && (!differing.first.is_empty() || old.trim().is_empty()) {
        return differing.first.clone();
    }
    let hidden = if differing.is_hidden { differing.first.as_str() } else { "" };
    let [in_old, in_file] = look_alikes::code_points(old, file);
    let new = new.map_or_else(String::new, |new| format!(", the new text {}", quoted(new)));
    format!("; the file has {}{in_file}, {name} {}{in_old}{new}{hidden}", quoted(file), quoted(old))
}
