//! Generated edits with a slip in the old text or in both texts, and edits that must be rejected.
//!
//! A file is generated from templates or cut out of a real one, a part of it is edited, and then a slip is made: on
//! kept or changed lines, in the old text or in both. The expected result is known, because the edit exists before the
//! slip: kept lines have the file's bytes, changed and added lines those of the edit. If the intention is unclear to a
//! careful person, a rejection is right, too; a third text is always wrong.
//!
//! | kind | the slip is |
//! |---|---|
//! | `kept:…` | on a kept line, in the old text |
//! | `shared:…` | on a kept line, in both texts |
//! | `touched:…` | on a changed line, in the old text |
//! | `both:…` | on a changed line, in both texts |
//! | `old:…`, `whole:…` | on the whole text: of the old one, of both |
//! | `marks:…` | in the marks of all lines |
//! | `combo:…` | one on a line, and another on the whole text |
//! | `control` | none |
//!
//! `marks:…` also has edits of lines that the file lacks. The kinds of `hard` are about another value, name, function or block. Those of `plain`, `plain:…`, are edits of real
//! texts alone.

/// Lists functions with their names, which are those of their kinds.
macro_rules! kinds {
    ($($kind:ident)*) => { &[$((stringify!($kind), $kind)),*] };
}

mod case;
mod changes;
mod corpus;
mod hard;
mod languages;
mod line_slips;
mod marks;
mod plain;
mod rows;
mod text_slips;
mod texts;
pub(crate) mod words;

use std::collections::HashMap;
use std::iter;

use fastrand::Rng;
use fuzzy_core::{Applied, Document, Edit, Failure, Pipeline};

pub use self::case::Case;
use self::corpus::File;
use self::line_slips::{Meaning, PLACES, Where};
use self::rows::Part;
pub use self::texts::Texts;
use fuzzy_report::Verdict;

/// Edits per file to generate until one is suitable for the slip.
const TRIES_PER_FILE: usize = 40;

/// Files to try. With this number, nearly every number has a case of its kind.
const FILES_PER_CASE: usize = 8;

/// Returns the names of all kinds of edits of generated files.
#[must_use]
pub fn kinds() -> Vec<String> {
    let lines = PLACES.iter().flat_map(|(place, _)| line_slips::kinds().map(move |kind| format!("{place}:{kind}")));
    let texts =
        ["old", "whole"].iter().flat_map(|place| text_slips::kinds().map(move |kind| format!("{place}:{kind}")));
    let texts = texts.filter(|kind| kind != "whole:forgotten_change");
    let combos = PLACES.map(|(place, _)| format!("combo:{place}"));
    let hard = hard::kinds().map(str::to_owned);
    iter::once("control".to_owned()).chain(lines).chain(texts).chain(combos).chain(hard).chain(marks::kinds()).collect()
}

/// Makes the edits of a seed in generated files, one of each kind in turn. The same seed makes the same edits.
pub fn cases(seed: u64) -> impl Iterator<Item = Case> {
    cases_in(seed, kinds(), |kind, rng| slipped(kind, rng, |rng| Some(File::new(rng))))
}

/// Makes the edits of a seed in real texts: one of each plain kind in turn, each followed by one with a slip if a text is
/// in a known language. The same seed and texts make the same edits.
///
/// # Panics
///
/// Panics if there are no texts.
pub fn cases_of(seed: u64, texts: &Texts) -> impl Iterator<Item = Case> {
    assert!(!texts.is_empty(), "there are no texts");
    let plain: Vec<String> = plain::kinds().collect();
    let kinds = kinds().into_iter().zip(plain.into_iter().cycle()).flat_map(|(slip, plain)| [plain, slip]).collect();
    cases_in(seed, kinds, |kind, rng| match kind.strip_prefix(plain::PREFIX) {
        Some(kind) => plain::case(kind, texts, rng),
        None => slipped(kind, rng, |rng| texts.file(rng)),
    })
}

/// Makes the edits of a seed, one of each kind in turn. A number is skipped if its kind is not possible.
fn cases_in(
    seed: u64,
    kinds: Vec<String>,
    make: impl Fn(&str, &mut Rng) -> Option<Case>,
) -> impl Iterator<Item = Case> {
    (0..).filter_map(move |number| {
        let mut rng = Rng::with_seed(seed);
        let mut rng = Rng::with_seed(rng.u64(..) ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let case = make(&kinds[number % kinds.len()], &mut rng)?;
        Some(Case { id: format!("{seed}-{number}"), ..case })
    })
}

/// Makes an edit with a slip of a kind in files from `new_file`.
fn slipped(kind: &str, rng: &mut Rng, new_file: impl Fn(&mut Rng) -> Option<File>) -> Option<Case> {
    if let Some(kind) = kind.strip_prefix(marks::PREFIX) {
        return marks::case(kind, rng);
    }
    (0..FILES_PER_CASE).find_map(|_| {
        let file = new_file(rng)?;
        (0..TRIES_PER_FILE).find_map(|_| case(kind, &file, rng))
    })
}

/// Makes an edit of a file and a slip of a kind on it, if the edit is suitable.
fn case(kind: &str, file: &File, rng: &mut Rng) -> Option<Case> {
    let place_of = |place: &str| PLACES.iter().find(|(name, _)| *name == place).map(|(_, place)| *place);
    let mut part = changes::edit(file, rng)?;
    let meaning = match kind.split_once(':') {
        Some(("combo", place)) => combine(place_of(place)?, &mut part, file, rng)?,
        Some((place @ ("old" | "whole"), slip)) => {
            text_slips::make(slip, place == "whole", &mut part, file, rng)?;
            Meaning::Plain
        }
        Some((place, slip)) => line_slips::make(slip, place_of(place)?, &mut part, rng)?,
        None if kind == "control" => Meaning::Plain,
        None => hard::make(kind, &mut part, file, rng)?,
    };
    finish(kind, &part, meaning, rng)
}

/// Makes a slip on a line, and one on the whole text, both in the same texts.
fn combine(place: Where, part: &mut Part, file: &File, rng: &mut Rng) -> Option<Meaning> {
    // Slips in the blanks of a line are rated separately, and a line must not have two slips.
    let line = line_slips::kinds().filter(|kind| !matches!(*kind, "blanks" | "line_break")).collect::<Vec<_>>();
    let text = text_slips::kinds().collect::<Vec<_>>();
    let meaning = line_slips::make(rng.choice(line)?, place, part, rng)?;
    text_slips::make(rng.choice(text)?, place.is_shared, part, file, rng)?;
    Some(meaning)
}

/// Makes the case of an edit, unless its intention is unclear.
fn finish(kind: &str, part: &Part, meaning: Meaning, rng: &mut Rng) -> Option<Case> {
    let (mut old, mut new) = (part.column(|row| &row.old), part.column(|row| &row.new));
    if old == new || old.trim().is_empty() || (meaning != Meaning::Conflict && !is_distinguishable(part)) {
        return None;
    }
    if new.is_empty() || rng.bool() {
        old.push('\n');
        new.push_str(if new.is_empty() { "" } else { "\n" });
    }
    let (mut content, mut expected) = (part.whole(|row| &row.file), part.whole(|row| &row.expected));
    // A text that occurs byte for byte is replaced byte for byte, whatever the intention.
    let is_exact = content.contains(&old);
    let kind = match meaning {
        Meaning::Conflict if is_exact && kind != "again" => return None,
        Meaning::Conflict => kind.to_owned(),
        _ if is_exact && content.replacen(&old, &new, 1) != expected => EXACT.to_owned(),
        Meaning::Plain => kind.to_owned(),
    };
    if rng.usize(..16) == 0 {
        (content, expected) = (content.replace('\n', "\r\n"), expected.replace('\n', "\r\n"));
    }
    let expected = (meaning != Meaning::Conflict).then_some(expected);
    Some(Case { id: String::new(), kind, content, old, new, expected })
}

/// The kind of edits whose old text occurs byte for byte in spite of its slip.
pub const EXACT: &str = "exact";

/// Returns whether a line of the old text is similar to its own line of the file and to no other.
fn is_distinguishable(part: &Part) -> bool {
    let lines = part.before.iter().chain(&part.after).chain(part.rows.iter().filter_map(|row| row.file.as_ref()));
    let lines: Vec<HashMap<&str, usize>> = lines.map(|line| bag(line)).collect();
    part.rows.iter().any(|row| {
        let (Some(old), Some(file)) = (&row.old, &row.file) else { return false };
        let (old, file) = (bag(old), bag(file));
        let rivals = lines.iter().filter(|line| alike(line, &file) > 0.6 || alike(line, &old) > 0.6).count();
        file.values().sum::<usize>() > 2 && alike(&old, &file) > 0.5 && rivals == 1
    })
}

/// Returns the number of occurrences of each word and number of a line.
fn bag(line: &str) -> HashMap<&str, usize> {
    let mut bag = HashMap::new();
    for place in words::tokens(line) {
        *bag.entry(&line[place]).or_default() += 1;
    }
    bag
}

/// Returns the share of common words of two lines, 0 to 1.
fn alike(one: &HashMap<&str, usize>, other: &HashMap<&str, usize>) -> f64 {
    let shared: usize = one.iter().map(|(word, count)| other.get(word).map_or(0, |more| *count.min(more))).sum();
    2.0 * shared as f64 / (one.values().sum::<usize>() + other.values().sum::<usize>()).max(1) as f64
}

impl Case {
    /// Applies the edit with fitted line endings.
    ///
    /// # Errors
    ///
    /// Returns the [`Failure`] of the edit.
    pub fn apply(&self, pipeline: &Pipeline) -> Result<Applied, Failure> {
        let document = Document::new(self.content.as_str());
        Edit::new(&self.old, &self.new).run(pipeline, &document)
    }

    /// Rates the result of the edit. If its old text occurs several times, only an ambiguous failure is right.
    #[must_use]
    pub fn verdict(&self, answer: &Result<Applied, Failure>) -> Verdict {
        let is_ambiguous = matches!(answer, Err(Failure::Ambiguous { .. }));
        if self.kind == plain::SEVERAL_PLACES && answer.is_err() && !is_ambiguous {
            return Verdict::Refused;
        }
        let output = match answer {
            Ok(applied) => Some(applied.output.as_str()),
            Err(Failure::AlreadyApplied { .. }) => Some(self.content.as_str()),
            Err(_) => None,
        };
        verdict(&self.kind, &self.content, self.expected.as_deref(), output)
    }
}

/// Rates the text after an edit of a kind, or its refusal. An edit that is reported as already applied leaves the text.
#[must_use]
pub fn verdict(kind: &str, content: &str, expected: Option<&str>, output: Option<&str>) -> Verdict {
    match expected {
        // No plain edit is already applied.
        _ if kind.starts_with(plain::PREFIX) && output == Some(content) => Verdict::Wrong,
        // A slip in the blanks of a line may join or divide words without changing them.
        Some(expected)
            if kind.ends_with(":blanks")
                && output.is_some_and(|output| output != content && same_marks(output, expected)) =>
        {
            Verdict::of(content, expected, output).min(Verdict::Whitespace)
        }
        Some(expected) => Verdict::of(content, expected, output),
        None if output.is_none_or(|output| output == content) => Verdict::Right,
        None => Verdict::Wrong,
    }
}

/// Returns whether two texts only differ in blanks.
fn same_marks(one: &str, other: &str) -> bool {
    one.chars().filter(|c| !c.is_whitespace()).eq(other.chars().filter(|c| !c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{EXACT, cases, kinds};

    #[test]
    fn a_seed_makes_the_same_edits_again() {
        let [first, again, other] = [1, 1, 2].map(|seed| format!("{:?}", cases(seed).take(120).collect::<Vec<_>>()));
        assert!(first == again && first != other);
    }

    #[test]
    fn every_kind_is_made() {
        let made: HashSet<String> = cases(3).take(400).map(|case| case.kind).collect();
        // The rest of the first line always occurs exactly in the file, and has the kind `exact`.
        let missing: Vec<_> = kinds().into_iter().filter(|kind| !made.contains(kind)).collect();
        assert_eq!(missing, ["old:first_line_stripped"]);
    }

    #[test]
    fn an_edit_without_a_slip_occurs_once_and_gives_the_expected_file() {
        for case in cases(4).filter(|case| case.kind == "control").take(5) {
            let content = case.content.replace("\r\n", "\n");
            assert_eq!(content.matches(&case.old).count(), 1, "{}", case.id);
            let after = content.replacen(&case.old, &case.new, 1);
            assert_eq!(case.expected.unwrap().replace("\r\n", "\n"), after, "{}", case.id);
        }
    }

    #[test]
    fn an_edit_with_a_slip_differs_from_the_intended_one() {
        for case in cases(5).take(400) {
            assert_ne!(case.old, case.new, "{}", case.id);
            assert_ne!(case.expected.as_ref(), Some(&case.content), "{}", case.id);
            let is_slip = case.kind.contains(':') && !case.kind.starts_with("combo");
            if is_slip && case.kind != EXACT && case.content.contains(&case.old) {
                // A slip in both texts, or at an end of the old one, may leave an exact part of the file.
                assert_eq!(case.expected.unwrap(), case.content.replacen(&case.old, &case.new, 1), "{}", case.id);
            }
        }
    }
}
