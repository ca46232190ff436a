//! Slips on one line: a part of it is forgotten, added or changed.

use fastrand::Rng;

use super::changes::{arguments, replaced};
use super::rows::{Part, indentation};
use super::words::{self, SPELLINGS, capital, is_name, is_word, tokens};

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
            Place::End => {
                let rest = line.strip_suffix(from.as_str())?;
                is_apart(line, rest.len()).then(|| rest.to_owned() + to)?
            }
            Place::Torn => line.strip_suffix(from.as_str())?.to_owned() + to,
            Place::Once => {
                let mut places = line
                    .match_indices(from.as_str())
                    .map(|(at, _)| at)
                    .filter(|at| is_apart(line, *at) && is_apart(line, at + from.len()));
                let (at, none) = (places.next()?, places.next());
                none.is_none().then(|| replaced(line, at..at + from.len(), to))?
            }
            Place::All => line.contains(from.as_str()).then(|| line.replace(from.as_str(), to))?,
        };
        (!slipped.trim().is_empty() && slipped != line).then_some(slipped)
    }
}

/// Returns whether no word or number crosses `at`.
fn is_apart(line: &str, at: usize) -> bool {
    !(line[..at].chars().next_back().is_some_and(is_word) && line[at..].chars().next().is_some_and(is_word))
}

/// A kind of slip: its name, and its generator. `None` if the line is not suitable.
type Kind = (&'static str, fn(&str, &Part, &mut Rng) -> Option<Slip>);

/// All kinds, in the order of generation.
const KINDS: &[Kind] = &[
    ("drop_mark", drop_mark),
    ("add_mark", add_mark),
    ("swap_mark", swap_mark),
    ("keyword", keyword),
    ("typo", typo),
    ("case", case),
    ("spelling", spelling),
    ("quotes", quotes),
    ("escape", escape),
    ("line_break", line_break),
    ("rename", rename),
    ("argument", argument),
    ("tail", tail),
    ("torn", torn),
    ("comment", comment),
    ("blanks", blanks),
];

/// Marks at ends of lines.
const MARKS: [&str; 5] = [",", ";", ":", ".", ")"];

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// The lines and texts with the slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Kept lines, in the old text.
    Kept,
    /// Changed lines, in the old text.
    Touched,
    /// Kept lines, in both texts.
    Shared,
    /// Changed lines, in both texts.
    Both,
}

/// Makes a slip of a kind; returns whether its meaning is clear, or `None` if it cannot be made.
pub(super) fn make(kind: &str, place: Where, part: &mut Part, rng: &mut Rng) -> Option<Meaning> {
    let (_, slip_of) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let lines = part.indexes(|row| {
        row.is_clean()
            && match place {
                Where::Kept | Where::Shared => row.is_kept() && !row.is_blank(),
                Where::Touched | Where::Both => row.is_changed(),
            }
    });
    let at = rng.choice(lines)?;
    let row = &part.rows[at];
    let (line, new) = (row.file.clone()?, row.expected.clone()?);
    let slip = slip_of(&line, part, rng)?;
    // If both texts have other quotes, the writer may intend them in added lines, too.
    let is_shared = matches!(place, Where::Shared | Where::Both);
    if kind == "quotes"
        && is_shared
        && (writes_elsewhere(part, at, has_string) || (slip.from == "'" && has_apostrophe(&new)))
    {
        return None;
    }
    let (slipped, slipped_new) = (slip.apply(&line)?, slip.apply(&new));
    let is_word_slip = matches!(kind, "typo" | "case" | "spelling" | "rename");
    // If both texts have a word, the writer may intend it on other lines, too.
    if is_word_slip && is_shared && writes_elsewhere(part, at, |line| line.contains(&slip.to)) {
        return None;
    }
    let is_value = is_word_slip && tokens(&slip.to).len() == 1 && part.has_word(&slip.to);
    let row = &mut part.rows[at];
    let mut meaning = Meaning::Plain;
    match place {
        Where::Kept => row.old = Some(slipped),
        Where::Touched if slipped_new.is_some() => row.old = Some(slipped),
        Where::Touched => {
            // The edit changes the place of the slip. Only a word may be a value of the file's own.
            if !is_word_slip || new.contains(&slip.to) || slip.from.len() < 6 {
                return None;
            }
            if is_value && kind == "rename" {
                meaning = Meaning::Conflict;
            }
            row.old = Some(slipped);
        }
        Where::Shared => (row.old, row.new) = (Some(slipped.clone()), Some(slipped)),
        Where::Both => (row.old, row.new) = (Some(slipped), Some(slipped_new?)),
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

fn drop_mark(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    let mark = MARKS.into_iter().chain([" {", "}"]).find(|mark| line.ends_with(mark))?;
    Slip::new(mark, "", Place::End)
}

fn add_mark(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let end = line.chars().next_back().filter(|end| end.is_alphanumeric() || ")]}\"'".contains(*end))?;
    Slip::new(&end.to_string(), &format!("{end}{}", MARKS[rng.usize(..2)]), Place::End)
}

fn swap_mark(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let mark = MARKS[..4].iter().find(|mark| line.ends_with(**mark))?;
    Slip::new(mark, MARKS[rng.usize(..4)], Place::End)
}

fn keyword(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    Slip::new(words::keyword(line)?, "", Place::Start)
}

/// Picks a word of at least `min_letters` letters.
fn long_word<'l>(line: &'l str, min_letters: usize, rng: &mut Rng) -> Option<&'l str> {
    let words = tokens(line).into_iter().map(|place| &line[place]);
    rng.choice(words.filter(|word| word.len() >= min_letters && is_name(word)).collect::<Vec<_>>())
}

fn typo(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 5, rng)?;
    let at = rng.usize(1..word.len() - 1);
    let (before, after) = word.split_at(at);
    let typo = match rng.usize(..3) {
        0 => format!("{before}{}", &after[1..]),
        1 => format!("{before}{}{after}", &after[..1]),
        _ => format!("{before}{}{}{}", &after[1..2], &after[..1], &after[2..]),
    };
    Slip::new(word, &typo, Place::Once)
}

fn case(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 4, rng)?;
    let other = match rng.usize(..3) {
        0 => word.to_uppercase(),
        1 => word.to_lowercase(),
        _ => capital(word),
    };
    Slip::new(word, &other, Place::Once)
}

fn spelling(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    let (one, other) = SPELLINGS.iter().find(|(one, other)| line.contains(one) || line.contains(other))?;
    if line.contains(one) { Slip::new(one, other, Place::Once) } else { Slip::new(other, one, Place::Once) }
}

fn quotes(line: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    // An apostrophe is not a quote.
    match (has_pairs(line, '"'), line.contains('\'')) {
        (true, false) => Slip::new("\"", "'", Place::All),
        (false, true) if has_pairs(line, '\'') && !line.contains('"') && !has_apostrophe(line) => {
            Slip::new("'", "\"", Place::All)
        }
        _ => None,
    }
}

/// Returns whether a line has a quote, and an even number of them.
fn has_pairs(line: &str, quote: char) -> bool {
    line.contains(quote) && line.matches(quote).count().is_multiple_of(2)
}

/// Returns whether the edit writes a line for which `matches` holds at another place than `at`.
fn writes_elsewhere(part: &Part, at: usize, matches: impl Fn(&str) -> bool) -> bool {
    let others = part.rows.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, row)| row);
    others.filter(|row| !row.is_kept()).any(|row| row.new.as_deref().is_some_and(&matches))
}

/// Returns for every `'` and `"` of a line whether it is an apostrophe: between letters or digits.
fn apostrophes(line: &str) -> impl Iterator<Item = bool> {
    line.match_indices(['"', '\'']).map(|(at, _)| {
        line[..at].chars().next_back().is_some_and(char::is_alphanumeric)
            && line[at + 1..].chars().next().is_some_and(char::is_alphanumeric)
    })
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

fn line_break(_: &str, _: &Part, _: &mut Rng) -> Option<Slip> {
    Slip::new("\\n", "\n", Place::All)
}

fn rename(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 4, rng)?;
    let other = match word.strip_suffix('s') {
        Some(one) => one.to_owned(),
        None => format!("{word}s"),
    };
    Slip::new(word, &other, Place::Once)
}

fn argument(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let (open, close) = arguments(line)?;
    let inside: Vec<&str> = line[open + 1..close].split(", ").collect();
    let at = rng.usize(..inside.len());
    let place = open + 1 + inside[..at].iter().map(|argument| argument.len() + 2).sum::<usize>();
    match (inside.len(), at) {
        (1, _) => None,
        (_, 0) => Slip::new(&format!("({}, ", inside[0]), "(", Place::Once),
        _ => Slip::new(&line[place - 2..place + inside[at].len()], "", Place::Once),
    }
}

fn tail(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let all = tokens(line);
    let at = all.len().checked_sub(rng.usize(1..3))?;
    // More than half of the line must remain.
    let start = all[at].start;
    (start * 2 > line.len() + indentation(line)).then(|| Slip::new(line[start..].trim_end(), "", Place::End))?
}

fn torn(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let all = tokens(line);
    let word = all.get(all.len().checked_sub(rng.usize(1..3))?)?;
    let end = word.start + word.len() / 2;
    // More than half of the line must remain, and a part of the word.
    let is_torn = is_name(&line[word.clone()]) && word.len() >= 4 && end * 2 > line.len() + indentation(line);
    is_torn.then(|| Slip::new(line[end..].trim_end(), "", Place::Torn))?
}

fn comment(line: &str, part: &Part, _: &mut Rng) -> Option<Slip> {
    let mark = Some(part.comment).filter(|mark| !mark.is_empty())?;
    let at = line.find(mark).filter(|at| *at > indentation(line))?;
    let code = line[..at].trim_end().len();
    Slip::new(&line[code..], "", Place::End)
}

fn blanks(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    const CHOICES: &[(&str, &str)] = &[
        (" = ", "="),
        (", ", ","),
        ("(", "( "),
        (" {", "{"),
        (": ", " : "),
        (" > ", ">"),
        (" += ", "+="),
        (")", " )"),
        (": ", ":  "),
    ];
    let text = line.trim_start();
    let choices: Vec<_> = CHOICES.iter().filter(|(from, _)| text.contains(from)).collect();
    let (from, to) = rng.choice(choices)?;
    Slip::new(from, to, Place::All)
}
