//! Conflicts between file and new text: the text of each side, and the two possible results.

use fuzzy_core::{Conflict, LineRange};
use serde::Serialize;

use crate::blanks::{common_start, excerpt, visible_blanks};
use crate::look_alikes;

/// Conflicts in a report, at most.
const MAX_CONFLICTS: usize = 5;

/// Lines of one side in a report, at most.
const MAX_LINES: usize = 12;

/// Characters of a line in a report, at most.
const WIDTH: usize = 120;

/// Characters of a quotation in a sentence, at most.
const QUOTED: usize = 60;

/// Lines where the file and the new text both differ from the old text, each in its own way. Long texts are cut, and
/// `…` marks the cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ContestedLines {
    /// The lines of the file.
    pub lines: LineRange,
    /// The file's text that differs; empty if the file has none there.
    pub file: String,
    /// The old text there.
    pub old: String,
    /// The new text there.
    pub new: String,
    /// The lines as the file has them: the result of keeping the file's text.
    pub keeping: String,
    /// The lines with the new text: the result of taking it; empty if it removes them.
    pub taking: String,
}

impl ContestedLines {
    /// Formats the first of the conflicts in `text`.
    pub(crate) fn of(text: &str, conflicts: &[Conflict]) -> Vec<Self> {
        conflicts.iter().take(MAX_CONFLICTS).map(|conflict| Self::new(text, conflict)).collect()
    }

    fn new(text: &str, Conflict { file, old, new, lines, taken }: &Conflict) -> Self {
        let (keeping, taking) = beside(lines.text(text), taken);
        let [file, old, new] = [file.text(text), old, new].map(|text| first_lines(text, text));
        Self { lines: LineRange::of(text, *lines), file, old, new, keeping, taking }
    }

    /// Returns the two possible results, each with a title for people.
    #[must_use]
    pub fn results(&self) -> [(String, &str); 2] {
        [
            (format!("with the file's text, {}", self.lines), lines_or_none(&self.keeping)),
            (format!("with the new text, {}", self.lines), lines_or_none(&self.taking)),
        ]
    }
}

/// Returns the lines, or a remark if there are none.
const fn lines_or_none(lines: &str) -> &str {
    if lines.is_empty() { "(no line)" } else { lines }
}

/// Returns a sentence that quotes the three texts of the first conflict; `all` is the number of conflicts.
pub(crate) fn message(contested: &[ContestedLines], all: usize) -> String {
    let what = "the file and the new text both differ from the old text, each in its own way";
    let Some(ContestedLines { lines, file, old, new, .. }) = contested.first() else { return what.to_owned() };
    let have = if lines.first == lines.last { "has" } else { "have" };
    let [in_old, in_file] = look_alikes::code_points(old, file);
    let (file, old, new) = (quoted(file) + &in_file, quoted(old) + &in_old, quoted(new));
    let more = match all {
        0 | 1 => String::new(),
        2 => "; 1 more place conflicts".to_owned(),
        _ => format!("; {} more places conflict", all - 1),
    };
    format!("{what}: {lines} {have} {file}, the old text {old}, the new text {new}{more}")
}

/// Returns the two ways to resolve the conflict; `has_proposal` if the report has a proposal.
pub(crate) fn next_step(contested: &[ContestedLines], has_proposal: bool) -> String {
    let take = match contested {
        _ if has_proposal => "check the proposal and send it".to_owned(),
        [ContestedLines { keeping, taking, .. }] if is_short(keeping) && (taking.is_empty() || is_short(taking)) => {
            let new = if taking.is_empty() { "without it".to_owned() } else { format!("with {}", quoted(taking)) };
            format!("send the old text as the file has it, with {}, and the new text {new}", quoted(keeping))
        }
        [] => "copy the old text from the file exactly and send it".to_owned(),
        all => {
            let lines: Vec<_> = all.iter().map(|contested| contested.lines.to_string()).collect();
            format!("send the old text as the file has it on {}", lines.join(", "))
        }
    };
    format!("To take the new text, {take}; to keep the file's text, leave that change out.")
}

/// Returns whether a text is short enough to quote it whole.
fn is_short(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains('\n') && text.trim().chars().count() <= QUOTED
}

/// Quotes a text inside a sentence.
pub(crate) fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let line = text.split('\n').map(str::trim).collect::<Vec<_>>().join("⏎");
    format!("`{}`", excerpt(&visible_blanks(&line, &line).0, 0, QUOTED))
}

/// Returns the first lines of two texts, with long lines cut around their first difference.
fn beside(one: &str, other: &str) -> (String, String) {
    (first_lines(one, other), first_lines(other, one))
}

fn first_lines(text: &str, other: &str) -> String {
    let mut others = other.lines();
    let mut lines: Vec<String> = text
        .lines()
        .take(MAX_LINES)
        .map(|line| excerpt(line, common_start(line, others.next().unwrap_or_default()), WIDTH))
        .collect();
    if text.lines().nth(MAX_LINES).is_some() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{ContestedLines, first_lines, message, next_step};
    use fuzzy_core::LineRange;

    fn contested(keeping: &str, taking: &str) -> ContestedLines {
        ContestedLines {
            lines: LineRange { first: 3, last: 3 },
            file: "9000".to_owned(),
            old: "8080".to_owned(),
            new: String::new(),
            keeping: keeping.to_owned(),
            taking: taking.to_owned(),
        }
    }

    #[test]
    fn the_sentences_quote_what_each_text_has() {
        let one = contested("  port = 9000", "  port = 8081");
        assert_eq!(
            message(std::slice::from_ref(&one), 3),
            "the file and the new text both differ from the old text, each in its own way: line 3 has `9000`, the old \
             text `8080`, the new text nothing; 2 more places conflict"
        );
        assert_eq!(
            next_step(&[one], false),
            "To take the new text, send the old text as the file has it, with `port = 9000`, and \
             the new text with `port = 8081`; to keep the file's text, leave that change out."
        );
    }

    #[test]
    fn long_lines_are_named_instead_of_quoted() {
        let long = contested(&"x".repeat(61), "y");
        assert!(
            next_step(std::slice::from_ref(&long), false).contains("send the old text as the file has it on line 3;")
        );
        assert!(next_step(&[long], true).contains("check the proposal and send it;"));
        assert!(next_step(&[contested("x", "")], false).contains("and the new text without it;"));
    }

    #[test]
    fn long_texts_are_cut_around_the_first_difference() {
        let lines = "line\n".repeat(13);
        assert_eq!(first_lines(&lines, "").lines().count(), 13);
        assert!(first_lines(&lines, "").ends_with("line\n…"));
        let (one, other) = ("a".repeat(200) + "1", "a".repeat(200) + "2");
        assert!(first_lines(&one, &other).ends_with('1') && first_lines(&one, &other).starts_with('…'));
    }
}
