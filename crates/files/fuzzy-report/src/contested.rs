//! What each text has where file and new text are in conflict, and the two results that are possible.

use fuzzy_core::{Conflict, LineRange};
use serde::Serialize;

use crate::Lines;
use crate::blanks::{common_start, excerpt, visible_blanks};

/// Conflicts that are told at the most.
const MOST: usize = 5;

/// Lines of one side that are told at the most.
const MOST_LINES: usize = 12;

/// Characters of a line that are told at the most.
const WIDTH: usize = 120;

/// Characters that a sentence quotes at the most.
const QUOTED: usize = 60;

/// Lines of the file where it and the new text both differ from the needle, each in its own way. Texts that are long are
/// cut, and `…` stands for the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ContestedLines {
    /// The lines of the file.
    pub lines: Lines,
    /// What the file has where it differs; empty if it has nothing.
    pub file: String,
    /// What the needle has there.
    pub old: String,
    /// What the new text has there.
    pub new: String,
    /// The lines as the file has them, which is how they stay if the file's text is meant.
    pub keeping: String,
    /// The lines as they are if the new text is meant; empty if they go.
    pub taking: String,
}

impl ContestedLines {
    /// Tells the first of some conflicts in `text`.
    pub(crate) fn of(text: &str, conflicts: &[Conflict]) -> Vec<Self> {
        conflicts.iter().take(MOST).map(|conflict| Self::new(text, conflict)).collect()
    }

    fn new(text: &str, Conflict { file, old, new, lines, taken }: &Conflict) -> Self {
        let (keeping, taking) = beside(lines.text(text), taken);
        let [file, old, new] = [file.text(text), old, new].map(|text| first_lines(text, text));
        Self { lines: LineRange::of(text, *lines).into(), file, old, new, keeping, taking }
    }

    /// Returns the two possible results, each with a title for people.
    #[must_use]
    pub fn results(&self) -> [(String, &str); 2] {
        [
            (format!("keeping the file's, {}", self.lines), lines_or_none(&self.keeping)),
            (format!("taking the new text's, {}", self.lines), lines_or_none(&self.taking)),
        ]
    }
}

/// Returns lines, and says so if there are none.
const fn lines_or_none(lines: &str) -> &str {
    if lines.is_empty() { "(no line)" } else { lines }
}

/// Says in words where the texts differ: of the first of `all` conflicts.
pub(crate) fn message(contested: &[ContestedLines], all: usize) -> String {
    let what = "the file and the new text both differ from the old text, each in its own way";
    let Some(ContestedLines { lines, file, old, new, .. }) = contested.first() else { return what.to_owned() };
    let have = if lines.0 == lines.1 { "has" } else { "have" };
    let (file, old, new) = (quoted(file), quoted(old), quoted(new));
    let more = match all {
        0 | 1 => String::new(),
        2 => "; and so in another place".to_owned(),
        _ => format!("; and so in {} other places", all - 1),
    };
    format!("{what}: {lines} {have} {file}, the old text {old}, the new text {new}{more}")
}

/// Says how to go on, also with the proposal if there is one.
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
    format!("Say which is meant: to take the new text's, {take}; to keep the file's, leave that change out.")
}

/// Returns whether a line can be quoted as a whole.
fn is_short(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains('\n') && text.trim().chars().count() <= QUOTED
}

/// Quotes a text in a sentence.
pub(crate) fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let line = text.split('\n').map(str::trim).collect::<Vec<_>>().join("⏎");
    format!("`{}`", excerpt(&visible_blanks(&line, &line).0, 0, QUOTED))
}

/// Returns the first lines of two texts, those that are long cut around where they begin to differ.
fn beside(one: &str, other: &str) -> (String, String) {
    (first_lines(one, other), first_lines(other, one))
}

fn first_lines(text: &str, other: &str) -> String {
    let mut others = other.lines();
    let mut shown: Vec<String> = text
        .lines()
        .take(MOST_LINES)
        .map(|line| excerpt(line, common_start(line, others.next().unwrap_or_default()), WIDTH))
        .collect();
    if text.lines().nth(MOST_LINES).is_some() {
        shown.push("…".to_owned());
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{ContestedLines, first_lines, message, next_step};
    use crate::Lines;

    fn contested(keeping: &str, taking: &str) -> ContestedLines {
        ContestedLines {
            lines: Lines(3, 3),
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
             text `8080`, the new text nothing; and so in 2 other places"
        );
        assert_eq!(
            next_step(&[one], false),
            "Say which is meant: to take the new text's, send the old text as the file has it, with `port = 9000`, and \
             the new text with `port = 8081`; to keep the file's, leave that change out."
        );
    }

    #[test]
    fn what_is_long_is_read_in_the_file() {
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
