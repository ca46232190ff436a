//! Generated edits with a slip in the old text, and perhaps the same slip in the new text.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::slipped_edits::words::{replaced, tokens};

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
            let place: Vec<Vec<String>> = lines.iter().map(|line| vec![format!("{indent}{line}")]).collect();
            let edited = at[0].index(place.len());
            let wrong = if same { edited } else { at[1].index(place.len()) };
            let mut new = place.clone();
            new[edited] = made(&place[edited][0], &indent, change);
            // The new text must still have its change, unspoiled.
            let spoils = matches!(
                (slip, change),
                (Slip::Line | Slip::Letters(_), _)
                    | (Slip::FirstWord, Change::Start(_) | Change::Word(..))
                    | (Slip::LastMark, Change::End(..))
            );
            let text = |lines: &[Vec<String>]| {
                lines.concat().iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>()
            };
            let (expected, needle) = (text(&new), text(&with_slip(&place, wrong, &indent, slip)));
            if shared && !(spoils && edited == wrong) {
                new = with_slip(&new, wrong, &indent, slip);
            }
            Slipped { before, place: text(&place), after, needle, new: text(&new), expected }
        },
    )
}

/// Changes a line; returns the lines in its place.
fn made(line: &str, indent: &str, change: Change) -> Vec<String> {
    let words = tokens(line);
    match change {
        Change::Word(at, by) => vec![replaced(line, words[at.index(words.len())].clone(), by)],
        Change::End(by, mark) => {
            let line = replaced(line, words[words.len() - 1].clone(), by);
            vec![format!("{}{mark}", line.trim_end_matches([',', ';']))]
        }
        Change::Start(by) => vec![replaced(line, words[0].clone(), by)],
        Change::Insert(new) => {
            [line.to_owned()].into_iter().chain(new.iter().map(|new| format!("{indent}{new}"))).collect()
        }
        Change::Delete => Vec::new(),
    }
}

/// Makes a slip in the new lines for the line `wrong`, or in all lines. Lines that the edit adds have no other slips.
fn with_slip(lines: &[Vec<String>], wrong: usize, indent: &str, slip: Slip) -> Vec<Vec<String>> {
    let of_all = matches!(slip, Slip::Indentation | Slip::Quotes);
    let mut lines = lines.to_vec();
    for (at, lines) in lines.iter_mut().enumerate() {
        let written = lines.iter().enumerate().filter_map(|(index, line)| {
            if of_all || (at == wrong && index == 0) { slip_in(line, indent, slip) } else { Some(line.clone()) }
        });
        *lines = written.collect();
    }
    lines
}

/// Makes a slip in a line.
fn slip_in(line: &str, indent: &str, slip: Slip) -> Option<String> {
    Some(match slip {
        Slip::LastMark => line.trim_end_matches([',', ';', ')', '}']).trim_end().to_owned(),
        Slip::FirstWord => {
            let body = &line[indent.len()..];
            format!("{indent}{}", body.split_once(' ').map_or(body, |(_, rest)| rest))
        }
        Slip::Letters(at) => {
            let words = tokens(line);
            let place = words[at.index(words.len())].clone();
            let word = &line[place.clone()];
            if word.len() < 3 {
                return Some(line.to_owned());
            }
            let swapped = [&word[..1], &word[2..3], &word[1..2], &word[3..]].concat();
            replaced(line, place, &swapped)
        }
        Slip::Line => return None,
        Slip::Indentation => line.strip_prefix(indent).unwrap_or(line).to_owned(),
        Slip::Quotes => line.replace('"', "'"),
    })
}
