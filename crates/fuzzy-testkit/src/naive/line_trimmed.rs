//! `line-trimmed`.

use fuzzy_core::Candidate;
use fuzzy_core::blank::is_blank;
use unicode_normalization::UnicodeNormalization as _;

use super::places::{equal, windows_of_forms};

/// Compares every window of lines, each line trimmed at both ends.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted: Vec<String> = needle.strip_suffix('\n').unwrap_or(needle).split('\n').map(trimmed).collect();
    equal(windows_of_forms(haystack, &wanted, trimmed))
}

/// Trims both ends of a line.
fn trimmed(line: &str) -> String {
    line.trim_matches(is_blank).to_owned()
}

/// Compares every window of lines, with the ends of lines trimmed and the needle without its outer blank lines.
pub(super) fn ends(haystack: &str, needle: &str) -> Vec<Candidate> {
    inner(haystack, needle, |line| line.trim_end_matches(is_blank).to_owned())
}

/// Compares like [`ends`], with every line in ASCII punctuation.
pub(super) fn unicode(haystack: &str, needle: &str) -> Vec<Candidate> {
    inner(haystack, needle, |line| {
        let line: String = written(line).nfc().collect();
        line.trim_end_matches(is_blank).to_owned()
    })
}

/// Finds the lines of the needle from the first to the last with a non-empty form.
fn inner(haystack: &str, needle: &str, form: fn(&str) -> String) -> Vec<Candidate> {
    let forms: Vec<String> = needle.split('\n').map(form).collect();
    let Some(first) = forms.iter().position(|line| !line.is_empty()) else { return Vec::new() };
    let last = forms.iter().rposition(|line| !line.is_empty()).unwrap_or(first);
    equal(windows_of_forms(haystack, &forms[first..=last], form))
}

/// Replaces typographic signs by ASCII ones.
#[must_use]
pub fn written(text: &str) -> String {
    let mut typed = String::new();
    for c in text.chars() {
        match c {
            '‘' | '’' | '‚' | '‛' | '′' => typed.push('\''),
            '“' | '”' | '„' | '‟' | '″' => typed.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => typed.push('-'),
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '…' => typed.push_str("..."),
            '\t' | '\r' => typed.push(c),
            _ if is_blank(c) => typed.push(' '),
            _ => typed.push(c),
        }
    }
    typed
}
