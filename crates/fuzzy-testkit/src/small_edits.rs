//! Generated edits with a slip in the old text, and perhaps the same slip in the new text.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// An edit of a few lines in a file.
#[derive(Clone, Debug)]
pub struct Slipped {
    /// The file's text before the lines.
    pub before: &'static str,
    /// The lines of the file.
    pub place: String,
    /// The file's text after the lines.
    pub after: &'static str,
    /// The lines of the edit, with a slip.
    pub needle: String,
    /// The edit's new text.
    pub new: String,
    /// The lines after the edit.
    pub expected: String,
}

impl Slipped {
    /// Returns the whole file.
    #[must_use]
    pub fn file(&self) -> String {
        [self.before, &self.place, self.after].concat()
    }
}

/// Lines that differ from each other in most words.
const LINES: &[&str] = &[
    "let total = sum(count, 1);",
    "return merge(left, right);",
    "const limit = 20",
    "port: 8080,",
    "import os, sys,",
    "say(\"hello world\");",
    "// wait 1.5 seconds",
    "values.push([first, second]);",
    "encoding = 'utf-8',",
    "if (ready) { start(); }",
];

/// The change of a line.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Replaces a word.
    Word(Index, &'static str),
    /// Replaces the last word, and adds a mark after it.
    End(&'static str, char),
    /// Replaces the first word.
    Start(&'static str),
    /// Adds lines after it, the second one deeper.
    Insert(&'static [&'static str]),
    /// Deletes the line.
    Delete,
}

/// The mistake of the needle.
#[derive(Clone, Copy, Debug)]
enum Slip {
    /// The marks at the end of the line are missing.
    LastMark,
    /// The first word is missing.
    FirstWord,
    /// Two letters of a word are exchanged.
    Letters(Index),
    /// The line is missing.
    Line,
    /// All lines lack their common indentation.
    Indentation,
    /// All lines have `'` instead of `"`.
    Quotes,
}

/// Lines that an edit adds.
const NEW: &[&[&str]] = &[&["check(input);"], &["while more {", "    step();", "}"]];

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), select(&["other", "max", "42"][..])).prop_map(|(at, word)| Change::Word(at, word)),
        (select(&["other", "9"][..]), select(&[',', ';'][..])).prop_map(|(word, mark)| Change::End(word, mark)),
        select(&["await", "const", "other"][..]).prop_map(Change::Start),
        select(NEW).prop_map(Change::Insert),
        Just(Change::Delete),
    ]
}

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        Just(Slip::LastMark),
        Just(Slip::FirstWord),
        any::<Index>().prop_map(Slip::Letters),
        Just(Slip::Line),
        Just(Slip::Indentation),
        Just(Slip::Quotes),
    ]
}

/// Generates edits of one line among others. The slip may be on the edited line, and the new text may share it.
pub fn slipped() -> impl Strategy<Value = Slipped> {
    let lines = prop::sample::subsequence(LINES, 3..6).prop_shuffle();
    let files = [("", ""), ("fn main() {\n", "}\n"), ("open\n\n", "\nclose\n")];
    (lines, 0..3_usize, any::<[Index; 2]>(), any::<[bool; 2]>(), change(), slip(), select(files.to_vec())).prop_map(
        |(lines, depth, at, [same, shared], change, slip, (before, after))| {
            let indent = "    ".repeat(depth);
            let place: Vec<String> = lines.iter().map(|line| format!("{indent}{line}")).collect();
            let edited = at[0].index(place.len());
            let wrong = if same { edited } else { at[1].index(place.len()) };
            let new = made(&place, edited, change);
            // The new text must still have its change, unspoiled.
            let spoils = matches!(
                (slip, change),
                (Slip::Line | Slip::Letters(_), _)
                    | (Slip::FirstWord, Change::Start(_) | Change::Word(..))
                    | (Slip::LastMark, Change::End(..))
            );
            let shared = shared && !(spoils && edited == wrong);
            let old: Vec<Vec<String>> = place.iter().map(|line| vec![line.clone()]).collect();
            let expected: Vec<String> = new.concat();
            Slipped {
                before,
                place: text(&place),
                after,
                needle: text(&with_slips(&old, wrong, &indent, slip)),
                new: text(&if shared { with_slips(&new, wrong, &indent, slip) } else { expected.clone() }),
                expected: text(&expected),
            }
        },
    )
}

/// Joins lines to a text.
fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

/// Makes a change; returns the new lines for each line.
fn made(lines: &[String], at: usize, change: Change) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = lines.iter().map(|line| vec![line.clone()]).collect();
    let line = lines[at][0].clone();
    let indent = &line[..line.len() - line.trim_start().len()];
    let words = words(&line);
    lines[at] = match change {
        Change::Word(word, by) => vec![replaced(&line, &words[word.index(words.len())], by)],
        Change::End(by, mark) => {
            let line = replaced(&line, &words[words.len() - 1], by);
            vec![format!("{}{mark}", line.trim_end_matches([',', ';']))]
        }
        Change::Start(by) => vec![replaced(&line, &words[0], by)],
        Change::Insert(new) => {
            let new = new.iter().map(|new| format!("{indent}{new}"));
            std::iter::once(line.clone()).chain(new).collect()
        }
        Change::Delete => Vec::new(),
    };
    lines
}

/// Returns the ranges of a line's words.
fn words(line: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in line.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        if !word.is_empty() {
            words.push(start..start + word.len());
        }
        start += part.len();
    }
    words
}

/// Returns a line with another text at `place`.
fn replaced(line: &str, place: &Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &line[..place.start], &line[place.end..])
}

/// Makes a slip in the new lines for the line `wrong`.
fn with_slips(lines: &[Vec<String>], wrong: usize, indent: &str, slip: Slip) -> Vec<String> {
    lines.iter().enumerate().flat_map(|(at, lines)| with_slip(lines, at == wrong, indent, slip)).collect()
}

/// Makes a slip in the new lines for one line; a slip of all lines is made in each. Lines that the edit adds have no
/// other slips.
fn with_slip(lines: &[String], here: bool, indent: &str, slip: Slip) -> Vec<String> {
    match slip {
        Slip::Indentation => lines.iter().map(|line| line.strip_prefix(indent).unwrap_or(line).to_owned()).collect(),
        Slip::Quotes => lines.iter().map(|line| line.replace('"', "'")).collect(),
        _ => {
            let Some((line, added)) = lines.split_first().filter(|_| here) else { return lines.to_vec() };
            slip_in(line, slip).into_iter().chain(added.iter().cloned()).collect()
        }
    }
}

/// Makes a slip in a line.
fn slip_in(line: &str, slip: Slip) -> Option<String> {
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    Some(match slip {
        Slip::LastMark => line.trim_end_matches([',', ';', ')', '}']).trim_end().to_owned(),
        Slip::FirstWord => format!("{indent}{}", body.split_once(' ').map_or(body, |(_, rest)| rest)),
        Slip::Letters(at) => {
            let words = words(line);
            let place = &words[at.index(words.len())];
            let mut letters: Vec<char> = line[place.clone()].chars().collect();
            if letters.len() > 2 {
                letters.swap(1, 2);
            }
            replaced(line, place, &letters.into_iter().collect::<String>())
        }
        _ => return None,
    })
}
