//! Slips on one line: a part of it is forgotten, added or changed.

use fastrand::Rng;

use super::rows::{Part, Row};
use super::words::{
    self, SPELLINGS, arguments, capital, indentation, is_between, is_name, is_word, one, replaced, tokens,
};

/// The position of a slip in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// After the indentation.
    Start,
    /// At the end, before trailing blanks.
    End,
    /// At the end, inside a word.
    Torn,
    /// At the occurrence of the text, if it occurs once and not as a part of a word.
    Once,
    /// At every occurrence of the text.
    All,
}

/// A replacement that a writer makes by mistake.
#[derive(Clone, Debug)]
struct Slip {
    from: String,
    to: String,
    place: Place,
}

impl Slip {
    fn new(from: &str, to: &str, place: Place) -> Option<Self> {
        (from != to).then(|| Self { from: from.to_owned(), to: to.to_owned(), place })
    }

    /// Returns the line with the slip; `None` if its text does not occur there.
    fn apply(&self, line: &str) -> Option<String> {
        let Self { from, to, place } = self;
        let start = indentation(line);
        let slipped = match place {
            Place::Start => line[..start].to_owned() + to + line[start..].strip_prefix(from.as_str())?,
            Place::End | Place::Torn => {
                let rest = line.strip_suffix(from.as_str())?;
                (*place == Place::Torn || is_apart(line, rest.len())).then(|| rest.to_owned() + to)?
            }
            Place::Once => {
                let ends = line.match_indices(from.as_str()).map(|(at, _)| at..at + from.len());
                let mut places = ends.filter(|place| is_apart(line, place.start) && is_apart(line, place.end));
                let (place, none) = (places.next()?, places.next());
                none.is_none().then(|| replaced(line, place, to))?
            }
            Place::All => line.replace(from.as_str(), to),
        };
        (!slipped.trim().is_empty() && slipped != line).then_some(slipped)
    }
}

/// Returns whether no word or number crosses `at`.
fn is_apart(line: &str, at: usize) -> bool {
    !(line[..at].ends_with(is_word) && line[at..].starts_with(is_word))
}

/// A kind of slip: its name, and its generator. `None` if the line is not suitable.
type Kind = (&'static str, fn(&str, &Part, &mut Rng) -> Option<Slip>);

/// All kinds, in the order of generation.
const KINDS: &[Kind] = kinds! {
    drop_mark add_mark swap_mark keyword typo case spelling quotes escape line_break rename argument tail torn
    comment blanks
};

/// Marks at ends of lines.
const MARKS: [&str; 7] = [",", ";", ":", ".", ")", " {", "}"];

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// The lines and texts with the slip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Where {
    /// Whether it is on a changed line, not on a kept one.
    is_changed: bool,
    /// Whether both texts have it, not only the old one.
    pub(super) is_shared: bool,
}

/// The lines and texts with the slip, by name.
pub(super) const PLACES: [(&str, Where); 4] = [
    ("kept", Where { is_changed: false, is_shared: false }),
    ("shared", Where { is_changed: false, is_shared: true }),
    ("touched", Where { is_changed: true, is_shared: false }),
    ("both", Where { is_changed: true, is_shared: true }),
];

/// Returns a slip of a kind on a line.
fn slip(kind: &str, line: &str, part: &Part, rng: &mut Rng) -> Option<Slip> {
    let (_, slip) = KINDS.iter().find(|(name, _)| *name == kind)?;
    slip(line, part, rng)
}

/// Returns a line with a slip of a kind.
pub(super) fn on(kind: &str, line: &str, part: &Part, rng: &mut Rng) -> Option<String> {
    slip(kind, line, part, rng)?.apply(line)
}

/// Makes a slip of a kind; returns whether its meaning is clear, or `None` if it cannot be made.
pub(super) fn make(kind: &str, place: Where, part: &mut Part, rng: &mut Rng) -> Option<Meaning> {
    let is_there = |row: &Row| if place.is_changed { row.is_changed() } else { row.is_kept() && !row.is_blank() };
    let at = part.choose(rng, |at| part.rows[at].is_clean() && is_there(&part.rows[at]))?;
    let (line, new) = (part.rows[at].file.clone()?, part.rows[at].expected.clone()?);
    let slip = slip(kind, &line, part, rng)?;
    let is_word_slip = matches!(kind, "typo" | "case" | "spelling" | "rename");
    // If both texts have a word or other quotes, the writer may intend them on other lines, too.
    let is_elsewhere = match kind {
        "quotes" => writes_elsewhere(part, at, has_string) || (slip.from == "'" && has_apostrophe(&new)),
        _ => is_word_slip && writes_elsewhere(part, at, |line| line.contains(&slip.to)),
    };
    if place.is_shared && is_elsewhere {
        return None;
    }
    let (slipped, slipped_new) = (slip.apply(&line)?, slip.apply(&new));
    let mut meaning = Meaning::Plain;
    if slipped_new.is_none() {
        // The edit changes the place of the slip. Only a word may be a value of the file's own.
        if !is_word_slip || new.contains(&slip.to) || slip.from.len() < 6 {
            return None;
        }
        if kind == "rename" && tokens(&slip.to).len() == 1 && part.has_word(&slip.to) {
            meaning = Meaning::Conflict;
        }
    }
    let row = &mut part.rows[at];
    row.old = Some(slipped);
    if place.is_shared {
        row.new = Some(slipped_new?);
    }
    (row.old != row.new || row.is_kept()).then_some(meaning)
}

/// The right result after a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The intended edit, or a rejection if it is unclear.
    Plain,
    /// A rejection: the file has a value of its own there.
    Conflict,
}

/// Returns the mark at the end of a line, if it is one of `marks`.
fn end_of<'m>(line: &str, marks: &[&'m str]) -> Option<&'m str> {
    marks.iter().copied().find(|mark| line.ends_with(mark))
}

fn drop_mark(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    Slip::new(end_of(line, &MARKS)?, "", Place::End)
}

fn add_mark(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let end = line.chars().next_back().filter(|end| end.is_alphanumeric() || ")]}\"'".contains(*end))?;
    Slip::new(&end.to_string(), &format!("{end}{}", one(&MARKS[..2], rng)), Place::End)
}

fn swap_mark(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    Slip::new(end_of(line, &MARKS[..4])?, one(&MARKS[..4], rng), Place::End)
}

fn keyword(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    Slip::new(words::keyword(line)?, "", Place::Start)
}

fn line_break(_: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    Slip::new("\\n", "\n", Place::All)
}

/// Picks a word of at least `min_letters` letters.
fn long_word<'l>(line: &'l str, min_letters: usize, rng: &mut Rng) -> Option<&'l str> {
    Some(&line[words::pick(line, rng, |word| word.len() >= min_letters && is_name(word))?])
}

fn typo(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 5, rng)?;
    let (before, after) = word.split_at(rng.usize(1..word.len() - 1));
    let typo = match rng.usize(..3) {
        0 => format!("{before}{}", &after[1..]),
        1 => format!("{before}{}{after}", &after[..1]),
        _ => format!("{before}{}{}{}", &after[1..2], &after[..1], &after[2..]),
    };
    Slip::new(word, &typo, Place::Once)
}

fn case(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 4, rng)?;
    let other = one(&[str::to_uppercase, str::to_lowercase, capital], rng);
    Slip::new(word, &other(word), Place::Once)
}

fn spelling(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    let (one, other) = SPELLINGS.iter().find(|(one, other)| line.contains(one) || line.contains(other))?;
    if line.contains(one) { Slip::new(one, other, Place::Once) } else { Slip::new(other, one, Place::Once) }
}

fn quotes(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    // An apostrophe is not a quote.
    let [doubles, singles] = ["\"", "'"].map(|quote| line.matches(quote).count());
    match (doubles, singles) {
        (1.., 0) if doubles.is_multiple_of(2) => Slip::new("\"", "'", Place::All),
        (0, 1..) if singles.is_multiple_of(2) && !has_apostrophe(line) => Slip::new("'", "\"", Place::All),
        _ => None,
    }
}

/// Returns whether the edit writes a line for which `matches` holds at another place than `at`.
fn writes_elsewhere(part: &Part, at: usize, matches: impl Fn(&str) -> bool) -> bool {
    let others = part.rows.iter().enumerate().filter(|(index, row)| *index != at && !row.is_kept());
    others.filter_map(|(_, row)| row.new.as_deref()).any(matches)
}

/// Returns for every `'` and `"` of a line whether it is an apostrophe: between letters or digits.
fn apostrophes(line: &str) -> impl Iterator<Item = bool> {
    line.match_indices(['"', '\'']).map(|(at, _)| is_between(line, at, char::is_alphanumeric))
}

/// Returns whether a line has a string.
fn has_string(line: &str) -> bool {
    apostrophes(line).any(|is_apostrophe| !is_apostrophe)
}

/// Returns whether a line has a quote between letters or digits.
fn has_apostrophe(line: &str) -> bool {
    apostrophes(line).any(|is_apostrophe| is_apostrophe)
}

fn escape(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let choices = [("\\n", "\\\\n"), ("\\0", "\\\\0"), ("\"", "\\\""), ("'", "\\'")];
    let (from, to) = rng.choice(choices.into_iter().filter(|(from, _)| line.contains(from)).collect::<Vec<_>>())?;
    (!has_apostrophe(line)).then(|| Slip::new(from, to, Place::All))?
}

fn rename(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 4, rng)?;
    Slip::new(word, &words::near(word), Place::Once)
}

fn argument(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let (open, close) = arguments(line)?;
    let inside: Vec<&str> = line[open + 1..close].split(", ").collect();
    match (inside.len(), rng.usize(..inside.len())) {
        (1, _) => None,
        (_, 0) => Slip::new(&format!("({}, ", inside[0]), "(", Place::Once),
        (_, at) => {
            let start = open + 1 + inside[..at].join(", ").len();
            Slip::new(&line[start..start + 2 + inside[at].len()], "", Place::Once)
        }
    }
}

fn tail(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let start = tokens(line).into_iter().nth_back(rng.usize(..2))?.start;
    // More than half of the line must remain.
    (start * 2 > line.len() + indentation(line)).then(|| Slip::new(line[start..].trim_end(), "", Place::End))?
}

fn torn(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = tokens(line).into_iter().nth_back(rng.usize(..2))?;
    let end = word.start + word.len() / 2;
    // More than half of the line must remain, and a part of the word.
    let is_torn = is_name(&line[word.clone()]) && word.len() >= 4 && end * 2 > line.len() + indentation(line);
    is_torn.then(|| Slip::new(line[end..].trim_end(), "", Place::Torn))?
}

fn comment(line: &str, part: &Part, _: &mut Rng) -> Option<Slip> {
    let mark = Some(part.comment).filter(|mark| !mark.is_empty())?;
    let at = line.find(mark).filter(|at| *at > indentation(line))?;
    Slip::new(&line[line[..at].trim_end().len()..], "", Place::End)
}

fn blanks(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    const FROM: [&str; 9] = [" = ", ", ", "(", " {", ": ", " > ", " += ", ")", ": "];
    const TO: [&str; 9] = ["=", ",", "( ", "{", " : ", ">", "+=", " )", ":  "];
    let text = line.trim_start();
    let at = rng.choice((0..FROM.len()).filter(|at| text.contains(FROM[*at])).collect::<Vec<_>>())?;
    Slip::new(FROM[at], TO[at], Place::All)
}
