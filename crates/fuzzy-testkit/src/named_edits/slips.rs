//! Slips in the quotes of edits that name lines.

#![expect(clippy::unnecessary_wraps, reason = "all slips have one type, and some are always possible")]

use fastrand::Rng;

use super::{Named, Place};

/// Makes a slip in a line; returns none if it is not possible.
type Slip = fn(&str, &mut Rng) -> Option<String>;

/// The kinds of slips.
const KINDS: &[(&str, Slip)] = &[
    ("letter-lost", letter_lost),
    ("letters-swapped", letters_swapped),
    ("word-changed", word_changed),
    ("number-changed", number_changed),
    ("quotes", quotes),
    ("blanks-inside", blanks_inside),
    ("end-lost", end_lost),
    ("mark-added", mark_added),
    ("case", case),
    ("indentation-lost", indentation_lost),
    ("indentation-grown", indentation_grown),
];

/// Makes a slip in one quote, or loses the indentation of all texts; returns the kind and the edit, or none if the slip is
/// not possible.
pub fn slipped(edit: &Named, rng: &mut Rng) -> Option<(&'static str, Named)> {
    let number = rng.usize(..=KINDS.len());
    let Some((kind, slip)) = KINDS.get(number) else { return Some(("all-dedented", dedented(edit)?)) };
    let mut edit = edit.clone();
    let quote = match &mut edit.place {
        Place::Range { first, last } | Place::Numbers { first, last, .. } => {
            if rng.bool() {
                first
            } else {
                last
            }
        }
        Place::After(anchor) | Place::Before(anchor) => anchor,
    };
    let mut lines: Vec<String> = quote.split('\n').map(str::to_owned).collect();
    let at = rng.usize(..lines.len());
    let changed = slip(&lines[at], rng)?;
    if changed == lines[at] || changed.trim().is_empty() {
        return None;
    }
    lines[at] = changed;
    *quote = lines.join("\n");
    Some((kind, edit))
}

/// Takes the indentation of the shallowest line from all texts of the edit.
fn dedented(edit: &Named) -> Option<Named> {
    let mut edit = edit.clone();
    let lead = |line: &str| line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
    let quotes = edit.place.quotes().map(str::to_owned).collect::<Vec<_>>();
    let all: Vec<&str> = quotes.iter().chain([&edit.new]).flat_map(|text| text.lines()).collect();
    let solid = all.iter().filter(|line| !line.trim().is_empty());
    let common = solid.map(|line| lead(line)).min_by_key(String::len).filter(|lead| !lead.is_empty())?;
    let all_have = all.iter().all(|line| line.trim().is_empty() || line.starts_with(&common));
    let cut = |text: &str| {
        let lines = text.split('\n').map(|line| line.strip_prefix(&common).unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    };
    edit.new = cut(&edit.new);
    match &mut edit.place {
        Place::Range { first, last } | Place::Numbers { first, last, .. } => {
            (*first, *last) = (cut(first), cut(last));
        }
        Place::After(anchor) | Place::Before(anchor) => *anchor = cut(anchor),
    }
    all_have.then_some(edit)
}

/// Returns the positions of the characters for which `is` holds.
fn positions(line: &str, is: impl Fn(char) -> bool) -> Vec<usize> {
    line.char_indices().filter(|(_, c)| is(*c)).map(|(at, _)| at).collect()
}

fn letter_lost(line: &str, rng: &mut Rng) -> Option<String> {
    let at = rng.choice(positions(line, char::is_alphabetic))?;
    let mut line = line.to_owned();
    line.remove(at);
    Some(line)
}

fn letters_swapped(line: &str, rng: &mut Rng) -> Option<String> {
    let at = rng.choice(positions(line, |c| c.is_ascii_alphabetic()))?;
    let next = line[at + 1..].chars().next().filter(char::is_ascii_alphabetic)?;
    let this = line[at..].chars().next()?;
    Some(format!("{}{next}{this}{}", &line[..at], &line[at + 2..]))
}

fn word_changed(line: &str, rng: &mut Rng) -> Option<String> {
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3).collect();
    let word = rng.choice(words)?;
    let other = rng.choice(["value", "result", "items", "handler", "config"])?;
    Some(line.replacen(word, other, 1))
}

fn number_changed(line: &str, rng: &mut Rng) -> Option<String> {
    let at = rng.choice(positions(line, |c| c.is_ascii_digit()))?;
    let digit = rng.u8(b'0'..=b'9') as char;
    Some(format!("{}{digit}{}", &line[..at], &line[at + 1..]))
}

fn quotes(line: &str, _: &mut Rng) -> Option<String> {
    let swapped = |c| match c {
        '"' => '\'',
        '\'' => '"',
        other => other,
    };
    Some(line.chars().map(swapped).collect())
}

fn blanks_inside(line: &str, rng: &mut Rng) -> Option<String> {
    let start = line.len() - line.trim_start().len();
    let mut places = positions(line, |c| " =,(){}".contains(c));
    places.retain(|at| *at > start);
    let at = rng.choice(places)?;
    Some(format!("{} {}", &line[..at], &line[at..]))
}

fn end_lost(line: &str, _: &mut Rng) -> Option<String> {
    let mut line = line.to_owned();
    line.pop()?;
    Some(line)
}

fn mark_added(line: &str, rng: &mut Rng) -> Option<String> {
    Some(format!("{line}{}", rng.choice([";", ",", ":", " {"])?))
}

fn case(line: &str, rng: &mut Rng) -> Option<String> {
    let at = rng.choice(positions(line, |c| c.is_ascii_alphabetic()))?;
    let mut line = line.to_owned();
    let letter = line.remove(at);
    line.insert(
        at,
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() },
    );
    Some(line)
}

fn indentation_lost(line: &str, _: &mut Rng) -> Option<String> {
    Some(line.trim_start().to_owned())
}

fn indentation_grown(line: &str, _: &mut Rng) -> Option<String> {
    Some(format!("    {line}"))
}
