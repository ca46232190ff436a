//! Slips on one line: something of it is forgotten, added or written otherwise.

use fastrand::Rng;

use super::changes::{arguments, replaced};
use super::rows::{Part, Row, indentation};
use super::words::{KEYWORDS, SPELLINGS, capital, tokens};

/// Where in a line a slip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Behind the indentation.
    Start,
    /// At the end, but for blanks.
    End,
    /// Wherever the text stands once, and not as a part of a word.
    Once,
    /// Wherever the text stands.
    All,
}

/// Something that was written otherwise.
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

    /// Returns the line as it was written; nothing if what was slipped on does not stand there.
    fn apply(&self, line: &str) -> Option<String> {
        let Self { from, to, place } = self;
        let start = indentation(line);
        let slipped = match place {
            Place::Start => line[..start].to_owned() + to + line[start..].strip_prefix(from.as_str())?,
            Place::End => {
                let rest = line.strip_suffix(from.as_str())?;
                is_apart(line, rest.len()).then(|| rest.to_owned() + to)?
            }
            Place::Once => {
                let stands = |at: usize| is_apart(line, at) && is_apart(line, at + from.len());
                let mut places = line.match_indices(from.as_str()).map(|(at, _)| at).filter(|at| stands(*at));
                let (at, none) = (places.next()?, places.next());
                none.is_none().then(|| replaced(line, at..at + from.len(), to))?
            }
            Place::All => line.contains(from.as_str()).then(|| line.replace(from.as_str(), to))?,
        };
        (!slipped.trim().is_empty() && slipped != line).then_some(slipped)
    }
}

/// Tells whether no word or number goes on across `at`.
fn is_apart(line: &str, at: usize) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !(is_word(line[..at].chars().next_back()) && is_word(line[at..].chars().next()))
}

/// A kind of slip: its name, and how one is made on a line. `None` where the line has nothing of the kind.
type Kind = (&'static str, fn(&str, &Part, &mut Rng) -> Option<Slip>);

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
    ("rename", rename),
    ("argument", argument),
    ("tail", tail),
    ("comment", comment),
    ("blanks", blanks),
];

/// Marks that stand at ends of lines.
const MARKS: [&str; 5] = [",", ";", ":", ".", ")"];

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// Which lines are slipped on, and in which texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Lines that stay, in the old text.
    Kept,
    /// Lines that change, in the old text.
    Touched,
    /// Lines that stay, in both texts.
    Shared,
    /// Lines that change, in both texts.
    Both,
}

/// Makes a slip of a kind. Says whether what it means is plain; nothing where it cannot be made.
pub(super) fn make(kind: &str, place: Where, part: &mut Part, rng: &mut Rng) -> Option<Meaning> {
    let (_, slip_of) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let is_meant = |row: &Row| match place {
        Where::Kept | Where::Shared => row.is_kept() && !row.is_blank(),
        Where::Touched | Where::Both => row.is_changed(),
    };
    let at = rng.choice(part.indexes(|row| is_meant(row) && row.is_clean()))?;
    let row = &part.rows[at];
    let (line, new) = (row.file.clone()?, row.expected.clone()?);
    let slip = slip_of(&line, part, rng)?;
    // Where both texts have other quotes, they may be those that the writer means in added lines, too.
    let is_shared = matches!(place, Where::Shared | Where::Both);
    if kind == "quotes"
        && is_shared
        && (writes_elsewhere(part, at, has_string) || (slip.from == "'" && has_apostrophe(&new)))
    {
        return None;
    }
    let (slipped, slipped_new) = (slip.apply(&line)?, slip.apply(&new));
    let is_word = matches!(kind, "typo" | "case" | "spelling" | "rename");
    // A word that old and new text have may be the one that the writer means in other lines, too.
    if is_word && is_shared && writes_elsewhere(part, at, |line| line.contains(&slip.to)) {
        return None;
    }
    let is_value = is_word && tokens(&slip.to).len() == 1 && part.has_word(&slip.to);
    let row = &mut part.rows[at];
    let mut meaning = Meaning::Plain;
    match place {
        Where::Kept => row.old = Some(slipped),
        Where::Touched if slipped_new.is_some() => row.old = Some(slipped),
        Where::Touched => {
            // What was slipped on is what the edit changes. A word may be taken for the file's, nothing else may.
            if !is_word || new.contains(&slip.to) || slip.from.len() < 6 {
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

/// What a careful person would make of a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The edit as it was meant, or nothing where that is not plain.
    Plain,
    /// Nothing: the file has a value of its own there.
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
    let keyword = KEYWORDS.iter().find(|keyword| line.trim_start().starts_with(**keyword))?;
    Slip::new(keyword, "", Place::Start)
}

/// Picks a word of some letters.
fn long_word<'l>(line: &'l str, least: usize, rng: &mut Rng) -> Option<&'l str> {
    let is_long = |word: &&str| word.len() >= least && word.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let words: Vec<&str> = tokens(line).into_iter().map(|place| &line[place]).filter(is_long).collect();
    rng.choice(words)
}

fn typo(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let word = long_word(line, 5, rng)?;
    let at = rng.usize(1..word.len() - 1);
    let (before, behind) = word.split_at(at);
    let typo = match rng.usize(..3) {
        0 => format!("{before}{}", &behind[1..]),
        1 => format!("{before}{}{behind}", &behind[..1]),
        _ => format!("{before}{}{}{}", &behind[1..2], &behind[..1], &behind[2..]),
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
    // An apostrophe is no quote.
    let is_pair = |quote: char| line.contains(quote) && line.matches(quote).count().is_multiple_of(2);
    match (is_pair('"'), line.contains('\'')) {
        (true, false) => Slip::new("\"", "'", Place::All),
        (false, true) if is_pair('\'') && !line.contains('"') && !has_apostrophe(line) => {
            Slip::new("'", "\"", Place::All)
        }
        _ => None,
    }
}

/// Tells whether the edit writes something on other lines than `at`.
fn writes_elsewhere(part: &Part, at: usize, is_meant: impl Fn(&str) -> bool) -> bool {
    let is_written = |(index, row): &(usize, &Row)| *index != at && !row.is_kept();
    part.rows.iter().enumerate().filter(is_written).any(|(_, row)| row.new.as_deref().is_some_and(&is_meant))
}

/// Tells of every `'` and `"` of a line whether it stands between letters.
fn around_quotes(line: &str) -> impl Iterator<Item = bool> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let quotes = line.match_indices(['"', '\'']);
    quotes.map(move |(at, _)| is_letter(line[..at].chars().next_back()) && is_letter(line[at + 1..].chars().next()))
}

/// Tells whether a string stands on a line.
fn has_string(line: &str) -> bool {
    around_quotes(line).any(|is_apostrophe| !is_apostrophe)
}

/// Tells whether a `'` stands between letters.
fn has_apostrophe(line: &str) -> bool {
    around_quotes(line).any(|is_apostrophe| is_apostrophe)
}

fn escape(line: &str, _: &Part, rng: &mut Rng) -> Option<Slip> {
    let choices = [("\\n", "\\\\n"), ("\\0", "\\\\0"), ("\"", "\\\""), ("'", "\\'")];
    let (from, to) = rng.choice(choices.into_iter().filter(|(from, _)| line.contains(from)).collect::<Vec<_>>())?;
    (!has_apostrophe(line)).then(|| Slip::new(from, to, Place::All))?
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
    // More than half of the line has to be left.
    let start = all[at].start;
    (start * 2 > line.len() + indentation(line)).then(|| Slip::new(line[start..].trim_end(), "", Place::End))?
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
