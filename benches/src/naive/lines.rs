//! Rungs that compare whole lines or windows of lines.

use fuzzy_pipeline::blank;
use unicode_normalization::UnicodeNormalization as _;

use super::{Place, lines_of, needle_lines, place};

/// Returns the windows of as many lines as the needle has for which `equal` holds of the texts.
fn windows(haystack: &str, count: usize, equal: impl Fn(&str) -> bool) -> Vec<Place> {
    let lines = lines_of(haystack);
    lines.windows(count).map(place).filter(|(start, end)| equal(&haystack[*start..*end])).collect()
}

/// Returns the windows whose lines equal `wanted` under a normal form.
fn equal_lines(haystack: &str, wanted: &[&str], normal: impl Fn(&str) -> String) -> Vec<Place> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let wanted: Vec<String> = wanted.iter().map(|line| normal(line)).collect();
    windows(haystack, wanted.len(), |window| window.split('\n').zip(&wanted).all(|(line, want)| normal(line) == *want))
}

pub(super) fn trimmed(haystack: &str, needle: &str) -> Vec<Place> {
    equal_lines(haystack, &needle_lines(needle), |line| blank::trim(line).to_owned())
}

pub(super) fn trimmed_ends(haystack: &str, needle: &str) -> Vec<Place> {
    equal_lines(haystack, &without_blank_ends(needle), |line| blank::trim_end(line).to_owned())
}

pub(super) fn unicode(haystack: &str, needle: &str) -> Vec<Place> {
    equal_lines(haystack, &without_blank_ends(needle), |line| blank::trim_end(&typewriter(line)).to_owned())
}

/// Returns the needle's lines without the blank ones at both ends.
pub(super) fn without_blank_ends(needle: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = needle.split('\n').collect();
    let is_blank = |line: &&str| blank::trim(line).is_empty();
    while lines.last().is_some_and(is_blank) {
        lines.pop();
    }
    while lines.first().is_some_and(is_blank) {
        lines.remove(0);
    }
    lines
}

/// Writes signs as a typewriter has them.
fn typewriter(line: &str) -> String {
    let mut typed = String::new();
    for char in line.chars() {
        match char {
            '‘' | '’' | '‚' | '‛' | '′' => typed.push('\''),
            '“' | '”' | '„' | '‟' | '″' => typed.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => typed.push('-'),
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '…' => typed.push_str("..."),
            '\t' | '\r' => typed.push(char),
            _ if blank::is_blank(char) => typed.push(' '),
            _ => typed.push(char),
        }
    }
    typed.nfc().collect()
}

/// Collapses runs of blanks to one space and trims.
fn collapse(text: &str) -> String {
    text.split(blank::is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

pub(super) fn collapsed(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = collapse(needle);
    let words: Vec<&str> = wanted.split(' ').collect();
    let mut places = Vec::new();
    for (start, line) in lines_of(haystack) {
        let have = collapse(line);
        if have == wanted {
            places.push((start, start + line.len()));
        } else if have.contains(&wanted)
            && let Some(place) = first_words(line, &words)
        {
            places.push((start + place.0, start + place.1));
        }
    }
    let count = needle.split('\n').count();
    if count > 1 {
        places.append(&mut windows(haystack, count, |window| collapse(window) == wanted));
    }
    places
}

/// Returns the leftmost place of the words joined by blanks.
fn first_words(line: &str, words: &[&str]) -> Option<Place> {
    line.match_indices(words[0]).map(|(start, _)| start).find_map(|start| {
        let mut at = start + words[0].len();
        for word in &words[1..] {
            let rest = blank::trim_start(&line[at..]);
            at = line.len() - rest.len()
                + if rest.len() < line.len() - at && rest.starts_with(word) { word.len() } else { return None };
        }
        Some((start, at))
    })
}

/// Takes the least count of leading blanks off all lines that are not blank.
fn dedent(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_blank = |line: &str| blank::trim(line).is_empty();
    let indent = |line: &&str| line.chars().take_while(|char| blank::is_blank(*char)).count();
    let least = lines.iter().filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0);
    let cut = |line: &&str| line.char_indices().nth(least).map_or(line.len(), |(at, _)| at);
    lines.iter().map(|line| if is_blank(line) { *line } else { &line[cut(line)..] }).collect()
}

pub(super) fn dedented(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = dedent(needle);
    windows(haystack, wanted.len(), |window| dedent(window) == wanted)
}

/// Undoes the escapes.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let next = chars.peek().copied();
        match (char, next) {
            ('\\', Some('n')) => plain.push('\n'),
            ('\\', Some('t')) => plain.push('\t'),
            ('\\', Some('r')) => plain.push('\r'),
            ('\\', Some(same @ ('\'' | '"' | '`' | '\\' | '\n' | '$'))) => plain.push(same),
            _ => {
                plain.push(char);
                continue;
            }
        }
        chars.next();
    }
    plain
}

pub(super) fn unescaped(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = unescape(needle);
    let mut places = super::text::exact(haystack, &wanted);
    places.append(&mut windows(haystack, wanted.split('\n').count(), |window| unescape(window) == wanted));
    places
}

pub(super) fn trimmed_boundary(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = blank::trim(needle);
    if wanted == needle {
        return Vec::new();
    }
    let mut places = super::text::exact(haystack, wanted);
    places.append(&mut windows(haystack, needle.split('\n').count(), |window| blank::trim(window) == wanted));
    places
}

pub(super) fn aligned(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = needle_lines(needle);
    let Some(first) = wanted.iter().position(|line| !blank::trim(line).is_empty()) else { return Vec::new() };
    let indent = |line: &str| line[..line.len() - blank::trim_start(line).len()].to_owned();
    let from = indent(wanted[first]);
    windows(haystack, wanted.len(), |window| {
        let have: Vec<&str> = window.split('\n').collect();
        let to = indent(have[first]);
        have.iter().zip(&wanted).all(|(have, want)| {
            let shifted = match want.strip_prefix(&*from) {
                Some(rest) => format!("{to}{rest}"),
                None => (*want).to_owned(),
            };
            blank::trim_end(have) == blank::trim_end(&shifted)
        })
    })
}
