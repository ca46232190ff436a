//! The exact old text begins or ends inside a line, and the new text keeps that line and adds others beyond it.
//!
//! The rest of the file's line would move to a line that is new. Between two sentences, no line is torn.
//!
//! Example: file `import os.path`, old `import os`, new `import os` and `import re`, which would give `import re.path`.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, trim};
use fuzzy_core::{line_end, line_start};
use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "torn-line",
    kind: Kind::Guess,
    why: "the edit adds lines beside a line of which the old text has only a part",
};

/// Returns whether the file continues the line at an end of the old text, and the new text has that line inside.
pub(crate) fn check(haystack: &str, old: &Range<usize>, new: &str) -> bool {
    let text = &haystack[old.clone()];
    let before = &haystack[line_start(haystack, old.start)..old.start];
    let after = &haystack[old.end..line_end(haystack, old.end)];
    let (before, after) = (after_sentence(before), if ends_sentence(text, after) { "" } else { after });
    let (first, last) = (text.split('\n').next().unwrap_or_default(), text.rsplit('\n').next().unwrap_or_default());
    (has_word(before) && moves(first, new.split('\n').skip(1)))
        || (is_of_line(after) && moves(last, new.rsplit('\n').skip(1)))
}

/// Returns whether the rest of a line belongs to the line before it: it has a word, or a mark that ends no sequence and
/// parts no items, such as the `!` of `name: String!`.
fn is_of_line(rest: &str) -> bool {
    has_word(rest) || trim(rest).contains(|c: char| !matches!(c, ')' | ']' | '}' | ',' | ';') && !is_blank(c))
}

/// Returns whether a line is among the `inner` lines of the new text.
fn moves<'t>(line: &str, mut inner: impl Iterator<Item = &'t str>) -> bool {
    has_word(line) && inner.any(|other| trim(other) == trim(line))
}

/// Returns the text before a place; an empty one if it ends a sentence.
fn after_sentence(before: &str) -> &str {
    let is_apart = before.ends_with(is_blank);
    if is_apart && trim(before).ends_with(SENTENCE_ENDS) { "" } else { before }
}

/// Returns whether a text ends a sentence, and the `rest` of its line begins another one. A colon ends one before a
/// capital.
fn ends_sentence(text: &str, rest: &str) -> bool {
    let is_apart = text.ends_with(is_blank) || rest.starts_with(is_blank);
    let is_capital = || trim(rest).starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    is_apart && (trim(text).ends_with(SENTENCE_ENDS) || trim(text).ends_with(':') && is_capital())
}

/// The marks that end a sentence before a blank.
const SENTENCE_ENDS: [char; 3] = ['.', '!', '?'];

fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}
