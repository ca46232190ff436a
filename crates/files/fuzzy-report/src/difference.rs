//! Says in a few words how the file's text at a place differs from the old text of an edit, so that its author quotes
//! better next time.

use fuzzy_core::blank::{is_blank, leading, trim_end, trim_start};

use crate::blanks::common_start;

/// Characters of a quoted word, at most.
const WIDTH: usize = 24;

/// Returns how the text of a place differs from the old text that matched it: the first difference of the most visible
/// kind, or none if they are equal.
///
/// Words come before whitespace, because an author who copies the words again copies the whitespace with them. Line
/// endings are ignored. The cost is linear in both texts.
#[must_use]
pub fn difference(old: &str, place: &str) -> Option<String> {
    let (ours, theirs) = (lines(old), lines(place));
    if ours == theirs {
        return None;
    }
    if ours.len() != theirs.len() {
        let (more, count) = if theirs.len() > ours.len() {
            ("more", theirs.len() - ours.len())
        } else {
            ("fewer", ours.len() - theirs.len())
        };
        let lines = if count == 1 { "line" } else { "lines" };
        return Some(format!("the file has {count} {lines} {more} here"));
    }
    let pairs = || ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs);
    let words = pairs().find(|(ours, theirs)| squeezed(ours) != squeezed(theirs));
    if let Some((ours, theirs)) = words {
        let (left, right) = (squeezed(ours), squeezed(theirs));
        let at = common_start(&left, &right);
        let is_in_word = [left, right].iter().any(|text| text.chars().nth(at).is_some_and(is_part));
        return Some(format!("the file has {}, not {}", word(theirs, at, is_in_word), word(ours, at, is_in_word)));
    }
    if pairs().any(|(ours, theirs)| trim_start(ours) != trim_start(theirs)) {
        return Some("the file has other whitespace inside or after its lines".to_owned());
    }
    let indents_with = |lines: &[&str], blank| {
        let mut indented =
            lines.iter().map(|line| &line[..leading(line)]).filter(|blanks| !blanks.is_empty()).peekable();
        indented.peek().is_some() && indented.all(|blanks| blanks.starts_with(blank))
    };
    let (_, theirs): (Vec<&str>, Vec<&str>) = pairs().unzip();
    Some(match () {
        () if indents_with(&theirs, '\t') && !old.contains('\t') => "the file indents with tabs".to_owned(),
        () if indents_with(&theirs, ' ') && old.contains('\t') => "the file indents with spaces".to_owned(),
        () => "the file has another indentation".to_owned(),
    })
}

/// Returns the lines of a text without their endings.
fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Returns a line without its whitespace.
fn squeezed(line: &str) -> String {
    line.chars().filter(|c| !is_blank(*c)).collect()
}

/// Returns whether a character is a part of words.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Quotes the word that contains, or with `is_in_word` ends before, the character `at` of the line without whitespace;
/// says so if the line ends before it.
fn word(line: &str, at: usize, is_in_word: bool) -> String {
    let mut seen = 0;
    let start = line.char_indices().find(|(_, c)| {
        let is_it = !is_blank(*c) && seen == at;
        seen += usize::from(!is_blank(*c));
        is_it
    });
    let start = start.map_or(trim_end(line).len(), |(start, _)| start);
    let begin = line[..start].char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map_or(start, |(at, _)| at);
    let begin = if is_in_word { begin } else { start };
    if begin == trim_end(line).len() {
        return "the end of the line".to_owned();
    }
    let mut rest = line[begin..].chars();
    let mut word: String = rest.next().into_iter().collect();
    if word.starts_with(is_part) {
        word.extend(rest.take_while(|c| is_part(*c)).take(WIDTH - 1));
    }
    format!("`{word}`")
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference_of_the_most_visible_kind_is_named() {
        let cases = [
            ("a\nb", "a\nb", None),
            ("a\nb", "a\r\nb", None),
            ("    a\n    b", "\ta\n\tb", Some("the file indents with tabs")),
            ("a\n    b", "a\n\tb", Some("the file indents with tabs")),
            ("\ta", "    a", Some("the file indents with spaces")),
            ("  a\n  b", "    a\n    b", Some("the file has another indentation")),
            ("a = 1", "a  =  1", Some("the file has other whitespace inside or after its lines")),
            ("a = 1", "a = 1  ", Some("the file has other whitespace inside or after its lines")),
            ("  total = sum(row)", "\ttotal = sum(rows)", Some("the file has `rows`, not `row`")),
            ("say \"hi\"", "say 'hi'", Some("the file has `'`, not `\"`")),
            ("return x", "return x;", Some("the file has `;`, not the end of the line")),
            ("a\nc", "a\nb\nc", Some("the file has 1 line more here")),
            ("a\nb\nx\nc", "a\nc", Some("the file has 2 lines fewer here")),
            ("", "a", Some("the file has 1 line more here")),
        ];
        for (old, place, expected) in cases {
            assert_eq!(difference(old, place).as_deref(), expected, "{old:?} at {place:?}");
        }
    }

    #[test]
    fn a_long_word_is_cut() {
        let words = difference("a", &"b".repeat(100)).unwrap();
        assert_eq!(words, format!("the file has `{}`, not `a`", "b".repeat(24)));
    }
}
