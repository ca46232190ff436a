//! Finds a new text that is already there, around its unique old text.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_blank_text, trim};
use fuzzy_core::{line_end, line_start};
use fuzzy_merge::is_word;
use memchr::memmem;

/// Finds a new text around the old one at `old`, on whole lines and whole tokens, and returns its bytes.
///
/// The bytes beside the old text alone prove nothing: `import sys` is not there because `import sys_helper` is. Added
/// lines must be whole lines of the file, and added tokens whole tokens. One of them must be a word: brackets and blank
/// lines occur everywhere.
///
/// Cost: one comparison of the new text for each old text in it.
pub(super) fn find(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    let text = &haystack[old.clone()];
    for offset in memmem::find_iter(new.as_bytes(), text) {
        let Some(start) = old.start.checked_sub(offset) else { break };
        let found = start..start + new.len();
        let (before, after) = (&new[..offset], &new[offset + text.len()..]);
        if haystack.as_bytes()[start..].starts_with(new.as_bytes())
            && [before, after].iter().any(|added| added.contains(is_word))
            && is_whole_before(haystack, start, before)
            && is_whole_after(&haystack[found.end..], after, text)
        {
            return Some(found);
        }
    }
    None
}

/// Finds a new text whose added last item ends a sequence of the file, and so lacks the new text's separator.
pub(super) fn find_last_item(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    let text = new.trim_end_matches(is_blank);
    let item = text.strip_suffix([',', ';', '\\'])?.trim_end_matches(is_blank);
    let is_added = item.matches('\n').count() > haystack[old.clone()].matches('\n').count();
    let found = find(haystack, old, item).filter(|_| is_added)?;
    let after = &haystack[found.end..];
    let is_end = if text.ends_with('\\') {
        after.trim_start_matches('\r').starts_with('\n')
    } else {
        after.trim_start_matches(is_blank).starts_with([')', ']', '}'])
    };
    is_end.then_some(found)
}

/// Finds the lines of a new text around the line with the old one at `old`, all of them with the same additional
/// indentation, and returns their bytes. The first line of the new text begins where the old text does.
///
/// Cost: one comparison of the new text for each of its lines that equals the old text.
pub(super) fn find_indented(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    let text = trim(&haystack[old.clone()]);
    let lines: Vec<&str> = new.trim_end_matches(['\n', '\r']).split('\n').collect();
    let before = lines.iter().enumerate().filter(|(_, line)| trim(line) == text).map(|(before, _)| before);
    before.filter(|_| lines.iter().any(|line| trim(line) != text && line.contains(is_word))).find_map(|before| {
        let first = (0..before)
            .try_fold(line_start(haystack, old.start), |at, _| Some(line_start(haystack, at.checked_sub(1)?)))?;
        let mut shift = None;
        let mut at = first;
        for (number, line) in lines.iter().enumerate() {
            let theirs = haystack.get(at..line_end(haystack, at))?;
            let added = theirs.trim_end_matches('\r').strip_suffix(line.trim_end_matches('\r'))?;
            let is_as_deep = number == 0 || is_blank_text(line) || *shift.get_or_insert(added) == added;
            if !is_as_deep || !is_blank_text(added) {
                return None;
            }
            at += theirs.len() + 1;
        }
        Some(first..(at - 1).min(haystack.len()))
    })
}

/// Returns whether a text that the edit adds before the old one begins a line or a token of the file, at `start`. Marks
/// may be before it on the line.
fn is_whole_before(haystack: &str, start: usize, added: &str) -> bool {
    if added.contains('\n') {
        let line = &haystack[line_start(haystack, start)..start];
        return !line.contains(is_word) && (line.is_empty() || !added.starts_with(['\n', '\r']));
    }
    !(haystack[..start].ends_with(is_word) && added.starts_with(is_word))
}

/// Returns whether a text that the edit adds after the old one ends a line or a token of the file, before `rest`. Marks
/// may be after it on the line. A last line break of the new text is a blank line of the file, unless the old text has
/// it, too.
fn is_whole_after(rest: &str, added: &str, old: &str) -> bool {
    let line = &rest[..line_end(rest, 0)];
    if added.ends_with('\n') && !old.ends_with('\n') {
        return line.trim_end_matches('\r').is_empty();
    }
    if added.contains('\n') {
        return added.ends_with('\n') || !line.contains(is_word);
    }
    !(added.ends_with(is_word) && rest.starts_with(is_word))
}
