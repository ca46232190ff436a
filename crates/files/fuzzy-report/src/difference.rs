//! Says in a few words how the file's text at a place differs from the old text of an edit, so that its author quotes
//! better next time.

use fuzzy_core::blank::{is_blank, leading, trim_end, trim_start};

use crate::blanks::common_start;
use crate::look_alikes;

/// Characters of a quoted word, at most.
const WIDTH: usize = 24;

/// Blanks of several kinds that are named, at most.
const NAMED: usize = 8;

/// Returns how the text of a place differs from the old text that matched it, which words call `name`: the first difference of the most visible
/// kind, or none if they are equal.
///
/// Words come before whitespace, because an author who copies the words again copies the whitespace with them. Line
/// endings are ignored. The cost is linear in both texts.
#[must_use]
pub(crate) fn difference(name: &str, old: &str, place: &str) -> Option<String> {
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
        let is_in_word = [&left, &right].iter().any(|text| text.chars().nth(at).is_some_and(is_part));
        let [in_ours, in_theirs] = look_alikes::code_points(&left, &right);
        let (ours, theirs) = (word(ours, at, is_in_word), word(theirs, at, is_in_word));
        return Some(format!("the file has {theirs}{in_theirs}, not {ours}{in_ours}"));
    }
    if let Some((ours, theirs)) = pairs().find(|(ours, theirs)| trim_start(ours) != trim_start(theirs)) {
        return Some(gap(name, trim_start(ours), trim_start(theirs)));
    }
    let (ours, theirs) = pairs().next()?;
    let [ours, theirs] = [ours, theirs].map(|line| blanks(&line[..leading(line)]));
    Some(format!("the file indents with {theirs}, {name} with {ours}"))
}

/// Returns a sentence about the first blanks in which two lines differ that are equal otherwise.
fn gap(name: &str, ours: &str, theirs: &str) -> String {
    let (mut left, mut right) = (ours, theirs);
    loop {
        let [in_left, in_right] = [left, right].map(|text| text.split_at(leading(text)));
        if in_left.0 != in_right.0 || in_left.1.is_empty() {
            let read = &theirs[..theirs.len() - right.len()];
            let begin = read.char_indices().rev().take_while(|(_, c)| is_part(*c)).take(WIDTH).last();
            let begin = begin.or_else(|| read.char_indices().next_back()).map_or(0, |(at, _)| at);
            let after = &read[begin..];
            return format!("after `{after}` the file has {}, {name} {}", blanks(in_right.0), blanks(in_left.0));
        }
        let next = |text: &str| text.chars().next().map_or(0, char::len_utf8);
        (left, right) = (&in_left.1[next(in_left.1)..], &in_right.1[next(in_right.1)..]);
    }
}

/// Names blanks.
fn blanks(text: &str) -> String {
    let count = text.chars().count();
    let plural = if count == 1 { "" } else { "s" };
    match text.chars().next() {
        None => "no blank".to_owned(),
        Some(' ') if text.chars().all(|c| c == ' ') => format!("{count} space{plural}"),
        Some('\t') if text.chars().all(|c| c == '\t') => format!("{count} tab{plural}"),
        _ => {
            let name = |c| match c {
                ' ' => "space".to_owned(),
                '\t' => "tab".to_owned(),
                c => format!("U+{:04X}", u32::from(c)),
            };
            text.chars().take(NAMED).map(name).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Returns the lines of a text without their endings.
fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Returns a line without its whitespace.
pub(crate) fn squeezed(line: &str) -> String {
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
    let is_after = is_in_word && !line[start..].starts_with(is_part);
    let head = if is_after { trim_end(&line[..start]) } else { &line[..start] };
    let parts: Vec<usize> =
        head.char_indices().rev().take_while(|(_, c)| is_part(*c)).take(WIDTH).map(|(at, _)| at).collect();
    // From the start of the word, unless the difference is too far behind it to be shown.
    let begin = if parts.len() < WIDTH { parts.last() } else { parts.get(WIDTH / 2) };
    let begin = begin.filter(|_| is_in_word).copied().unwrap_or(start);
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
            ("    a\n    b", "\ta\n\tb", Some("the file indents with 1 tab, the old text with 4 spaces")),
            ("a\n    b", "a\n\tb", Some("the file indents with 1 tab, the old text with 4 spaces")),
            ("\ta", "    a", Some("the file indents with 4 spaces, the old text with 1 tab")),
            ("a", " \ta", Some("the file indents with space, tab, the old text with no blank")),
            ("total = 1", "total  =  1", Some("after `total` the file has 2 spaces, the old text 1 space")),
            ("a = 1", "a = 1  ", Some("after `1` the file has 2 spaces, the old text no blank")),
            ("f( a)", "f(\u{a0}a)", Some("after `(` the file has U+00A0, the old text 1 space")),
            ("f( a)", "f(a)", Some("after `(` the file has no blank, the old text 1 space")),
            ("  total = sum(row)", "\ttotal = sum(rows)", Some("the file has `rows`, not `row`")),
            ("say \"hi\"", "say 'hi'", Some("the file has `'`, not `\"`")),
            ("a - b", "a – b", Some("the file has `–` (U+2013), not `-`")),
            ("let limits = of()", "let limit = 30", Some("the file has `limit`, not `limits`")),
            ("return x", "return x;", Some("the file has `;`, not the end of the line")),
            ("a\nc", "a\nb\nc", Some("the file has 1 line more here")),
            ("a\nb\nx\nc", "a\nc", Some("the file has 2 lines fewer here")),
            ("", "a", Some("the file has 1 line more here")),
        ];
        for (old, place, expected) in cases {
            assert_eq!(difference("the old text", old, place).as_deref(), expected, "{old:?} at {place:?}");
        }
    }

    #[test]
    fn a_long_word_is_cut() {
        let words = difference("the old text", "a", &"b".repeat(100)).unwrap();
        assert_eq!(words, format!("the file has `{}`, not `a`", "b".repeat(24)));
        let same = "a".repeat(100);
        let words = difference("the old text", &format!("{same}_old"), &format!("{same}_new_{same}")).unwrap();
        assert_eq!(words, format!("the file has `{0}_new_{1}`, not `{0}_old`", "a".repeat(12), "a".repeat(7)));
    }
}
