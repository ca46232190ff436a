//! Completes the indentation of a new text whose old one begins inside the indentation of a line, or right after it.
//!
//! The first line of the new text gets the blanks before the place. Its other lines may lack them, because the author
//! copied the old text without. In doubt, they keep the given indentation.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_blank_text, leading};
use fuzzy_core::{Adjustment, Query, Span, Splice, line_start};
use fuzzy_merge::END_WORDS;
use rustc_hash::FxHashSet;

use crate::decision::Pasted;

/// Returns the new text with the missing indentation; none if it lacks none.
pub(super) fn completed(query: &Query<'_>, at: &Range<usize>, new: &str) -> Option<Pasted> {
    let haystack = query.text();
    let line = line_start(haystack, at.start);
    // A byte order mark, a form feed and a carriage return are no indentation.
    let line = at.start - haystack[line..at.start].trim_start_matches(['\u{feff}', '\u{c}', '\r']).len();
    let indent = &haystack[line..at.start];
    let old = &haystack[at.clone()];
    if indent.is_empty() || !is_blank_text(indent) {
        return None;
    }
    let pasted = |start, text| Pasted {
        splice: Splice { span: Span::new(start, at.end), text },
        adjustment: Some(Adjustment::Indentation),
    };
    // A deleted line leaves no indentation behind.
    if is_blank_text(new) && old.ends_with('\n') {
        return Some(pasted(line, new.to_owned()));
    }
    if later_lines(old).next().is_some() {
        // Further lines show how the author indents: as the file does. If these stay as deep and only the first line
        // gets the blanks before the place, the old text lost them.
        let stays = later_lines(old).any(|line| later_lines(new).any(|other| other == line));
        return (stays && leading(old) == 0 && &new[..leading(new)] == indent).then(|| pasted(line, new.to_owned()));
    }
    let copied = &old[..leading(old)];
    let lacks = |line: &str| line.starts_with(copied) && !is_blank_text(line);
    if later_lines(new).any(lacks) && (!copied.is_empty() || is_stripped(query, indent, old, new)) {
        let lines = new.split('\n').enumerate();
        let lines =
            lines.map(|(at, line)| if at > 0 && lacks(line) { format!("{indent}{line}") } else { line.to_owned() });
        return Some(pasted(at.start, lines.collect::<Vec<_>>().join("\n")));
    }
    None
}

/// Returns the lines of a text after the first, without blank ones.
fn later_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').skip(1).filter(|line| !is_blank_text(line))
}

/// Returns whether the lines of a new text lost an indentation, given that the old text begins right after it.
///
/// Lines at column 0 have lost it if the old line is one of them. Otherwise none of them may be a line that the file
/// could have at column 0, and no line may be indented as deep as the place: the author indents these as the file does.
fn is_stripped(query: &Query<'_>, indent: &str, old: &str, new: &str) -> bool {
    if later_lines(new).all(|line| leading(line) > 0) || may_have_long_string(new) {
        return false;
    }
    if later_lines(new).any(|line| line.trim_end_matches(is_blank) == old.trim_end_matches(is_blank)) {
        return true;
    }
    later_lines(new).all(|line| leading(line) < indent.len()) && !may_be_at_column_0(query.whole_text(), new)
}

/// Returns whether a text may have a string or a document of several lines: its lines are content, not code.
fn may_have_long_string(text: &str) -> bool {
    let marks = ["\"\"\"", "'''", "<<"];
    marks.iter().any(|mark| text.contains(mark)) || text.split('\n').any(|line| line.matches('`').count() % 2 == 1)
}

/// Returns whether a later line of the new text may be right at column 0: it begins as a line of the file there does, or
/// is in a new paragraph and the file has constructs at column 0, or it closes a block that the new text does not open.
fn may_be_at_column_0(haystack: &str, new: &str) -> bool {
    let is_end = |line: &str| line.starts_with([')', ']', '}']) || END_WORDS.contains(&head(line));
    let known: FxHashSet<&str> =
        haystack.split('\n').filter(|line| leading(line) == 0 && !is_blank_text(line)).map(head).collect();
    let has_construct = known.iter().any(|head| !is_end(head));
    let mut before = new.split('\n').next().unwrap_or_default();
    for line in new.split('\n').skip(1) {
        let is_at_column_0 = !is_blank_text(line) && leading(line) == 0;
        if is_at_column_0 && is_end(line) {
            if leading(before) == 0 {
                return true;
            }
        } else if is_at_column_0 && (known.contains(head(line)) || (is_blank_text(before) && has_construct)) {
            return true;
        }
        before = line;
    }
    false
}

/// Returns the beginning of a line without indentation, up to the end of its first word.
fn head(line: &str) -> &str {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let word = line.find(is_inside).unwrap_or(line.len());
    let end = line[word..].find(|c| !is_inside(c)).map_or(line.len(), |end| word + end);
    &line[..end]
}
