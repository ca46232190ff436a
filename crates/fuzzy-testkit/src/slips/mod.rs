//! Generated edits whose old text, or both texts, have a slip; and edits that have to be refused.
//!
//! A file is made up from templates, a part of it is edited, and then a writer slips: on lines that the edit leaves
//! alone or on those that it changes, in the old text alone or in both. What has to come of it is known, because the
//! edit was there before the slip: lines that it leaves alone keep the file's bytes, changed and added ones are the
//! edit's. Where a careful person could not tell, an edit may be refused, too; it must never make a third text.
//!
//! | kind | the slip is |
//! |---|---|
//! | `kept:…` | on a line that stays, in the old text |
//! | `shared:…` | on a line that stays, in both texts |
//! | `touched:…` | on a line that the edit changes, in the old text |
//! | `both:…` | on a line that the edit changes, in both texts |
//! | `old:…`, `whole:…` | on the text as a whole: in the old one, in both |
//! | `control` | none |
//!
//! and those of [`hard`], which are about another value, another name, another function or another block.

mod changes;
mod corpus;
mod hard;
mod languages;
mod line_slips;
mod rows;
mod text_slips;
mod words;

use std::collections::HashMap;

use fastrand::Rng;
use fuzzy_core::{Applied, Document, Edit, Failure, Pipeline};

use self::corpus::File;
use self::line_slips::{Meaning, Where};
use self::rows::{Row, Rows};
use crate::verdict::Verdict;

/// An edit and what has to come of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed and the number, from which the case can be made again.
    pub id: String,
    /// What is wrong with it.
    pub kind: String,
    /// The whole file.
    pub content: String,
    /// The text that is looked for.
    pub old: String,
    /// The text to put there.
    pub new: String,
    /// The whole file afterwards; nothing where the edit has to be refused.
    pub expected: Option<String>,
}

/// How often an edit is made up anew until the slip can be made on it.
const TRIES: usize = 200;

/// Returns the names of all kinds.
#[must_use]
pub fn kinds() -> Vec<String> {
    let lines = ["kept", "shared", "touched", "both"];
    let lines = lines.iter().flat_map(|place| line_slips::kinds().map(move |kind| format!("{place}:{kind}")));
    let texts =
        ["old", "whole"].iter().flat_map(|place| text_slips::kinds().map(move |kind| format!("{place}:{kind}")));
    std::iter::once("control".to_owned()).chain(lines).chain(texts).chain(hard::kinds().map(str::to_owned)).collect()
}

/// Makes the edits of a seed, one of each kind in turn. The same seed makes the same edits.
pub fn cases(seed: u64) -> impl Iterator<Item = Case> {
    let kinds = kinds();
    (0..).filter_map(move |number| {
        let kind = &kinds[number % kinds.len()];
        let mut rng = Rng::with_seed(seed);
        let mut rng = Rng::with_seed(rng.u64(..) ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let file = File::new(&mut rng);
        (0..TRIES).find_map(|_| case(kind, &file, &mut rng)).map(|case| Case { id: format!("{seed}-{number}"), ..case })
    })
}

fn case(kind: &str, file: &File, rng: &mut Rng) -> Option<Case> {
    let (rows, meaning) = match kind.split_once(':') {
        Some((place @ ("old" | "whole"), slip)) => {
            let mut rows = changes::edit(file, rng)?;
            let meaning = text_slips::make(slip, place == "whole", &mut rows, file, rng)?;
            (rows, meaning)
        }
        Some((place, slip)) => {
            let mut rows = changes::edit(file, rng)?;
            let place = match place {
                "kept" => Where::Kept,
                "shared" => Where::Shared,
                "touched" => Where::Touched,
                _ => Where::Both,
            };
            let meaning = line_slips::make(slip, place, &mut rows, rng)?;
            (rows, meaning)
        }
        None if kind == "control" => (changes::edit(file, rng)?, Meaning::Plain),
        None => hard::make(kind, file, rng)?,
    };
    finish(kind, &rows, meaning, rng)
}

/// Writes down the texts of an edit, unless nobody could tell what is meant.
fn finish(kind: &str, rows: &Rows, meaning: Meaning, rng: &mut Rng) -> Option<Case> {
    let (mut old, mut new) = (rows.column(|row| &row.old), rows.column(|row| &row.new));
    if old == new || old.trim().is_empty() || (meaning != Meaning::Conflict && !is_told_apart(rows)) {
        return None;
    }
    if new.is_empty() || rng.bool() {
        old.push('\n');
        new.push_str(if new.is_empty() { "" } else { "\n" });
    }
    let (mut content, mut expected) = (rows.whole(|row| &row.file), rows.whole(|row| &row.expected));
    // A text that stands there byte for byte is replaced byte for byte; whether it was meant so is not asked.
    let stands = content.contains(&old);
    let kind = match meaning {
        Meaning::Conflict if stands && kind != "again" => return None,
        Meaning::Conflict => kind.to_owned(),
        _ if stands && content.replacen(&old, &new, 1) != expected => EXACT.to_owned(),
        _ => kind.to_owned(),
    };
    if rng.usize(..16) == 0 {
        (content, expected) = (content.replace('\n', "\r\n"), expected.replace('\n', "\r\n"));
    }
    let expected = (meaning != Meaning::Conflict).then_some(expected);
    Some(Case { id: String::new(), kind, content, old, new, expected })
}

/// The kind of edits whose old text stands in the file byte for byte although a slip is in it.
pub const EXACT: &str = "exact";

/// Tells whether a line of the old text is like its own line of the file and unlike all others.
fn is_told_apart(rows: &Rows) -> bool {
    let lines = rows.before.iter().chain(&rows.behind).chain(rows.rows.iter().filter_map(|row| row.file.as_ref()));
    let lines: Vec<HashMap<&str, usize>> = lines.map(|line| bag(line)).collect();
    let tells = |row: &Row| {
        let (Some(old), Some(file)) = (&row.old, &row.file) else { return false };
        let (old, file) = (bag(old), bag(file));
        let rivals = lines.iter().filter(|line| alike(line, &file) > 0.6 || alike(line, &old) > 0.6).count();
        file.values().sum::<usize>() > 2 && alike(&old, &file) > 0.5 && rivals == 1
    };
    rows.rows.iter().any(tells)
}

fn bag(line: &str) -> HashMap<&str, usize> {
    let mut bag = HashMap::new();
    for place in words::tokens(line) {
        *bag.entry(&line[place]).or_default() += 1;
    }
    bag
}

fn alike(one: &HashMap<&str, usize>, other: &HashMap<&str, usize>) -> f64 {
    let shared: usize = one.iter().map(|(word, count)| other.get(word).map_or(0, |more| *count.min(more))).sum();
    2.0 * shared as f64 / (one.values().sum::<usize>() + other.values().sum::<usize>()).max(1) as f64
}

impl Case {
    /// Carries out the edit, line endings fitted.
    ///
    /// # Errors
    ///
    /// Any [`Failure`].
    pub fn apply(&self, pipeline: &Pipeline) -> Result<Applied, Failure> {
        let document = Document::new(self.content.as_str());
        Edit { needle: &self.old, replacement: &self.new, replace_all: false }.fit(pipeline, &document).apply()
    }

    /// Judges what came of the edit.
    #[must_use]
    pub fn verdict(&self, answer: &Result<Applied, Failure>) -> Verdict {
        let output = answer.as_ref().ok().map(|applied| applied.output.as_str());
        match &self.expected {
            Some(expected) => Verdict::of(&self.content, expected, output),
            None if output.is_none_or(|output| output == self.content) => Verdict::Right,
            None => Verdict::Wrong,
        }
    }
}
