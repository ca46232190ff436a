//! Edits that must be rejected, and edits of names and blocks that resemble others.

use fastrand::Rng;

use super::changes::{self, like, replaced};
use super::corpus::{File, Role};
use super::line_slips::{self, Meaning, Where};
use super::rows::{Part, Row, indentation};
use super::words::{self, KEYWORDS, NOUNS, capital, is_name, is_number, tokens};

/// Makes an edit of a file.
type Make = fn(&File, &mut Rng) -> Option<(Part, Meaning)>;

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = &[
    ("conflict", conflict),
    ("conflict_deleted", conflict_deleted),
    ("begun_otherwise", begun_otherwise),
    ("again", again),
    ("again_slipped", again_slipped),
    ("gone", gone),
    ("sibling", sibling),
    ("near_value", near_value),
    ("near_name", near_name),
    ("other_block", other_block),
];

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// Makes an edit of a kind.
pub(super) fn make(kind: &str, file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    make(file, rng)
}

/// Returns the similarity of two words: twice their common subsequence over the letters of both.
fn likeness(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut row = vec![0; other.len() + 1];
    for a in &one {
        let mut diagonal = 0;
        for (at, b) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    2.0 * f64::from(row[other.len()]) / (one.len() + other.len()).max(1) as f64
}

/// Replaces the word or number at `place` by a value of the file's own.
fn own_value(line: &str, place: std::ops::Range<usize>, rng: &mut Rng) -> Option<String> {
    let token = &line[place.clone()];
    let (other, is_other) = if is_number(token) {
        let other = rng.usize(2..900).to_string();
        (other.clone(), other != token)
    } else {
        let other = NOUNS[rng.usize(..NOUNS.len())];
        (other.to_owned(), likeness(token, other) < 0.5)
    };
    is_other.then(|| replaced(line, place, &other))
}

/// Returns the only word or number in which two lines differ, as a range in each.
fn difference(one: &str, other: &str) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
    let (ours, theirs) = (tokens(one), tokens(other));
    let mut differ = ours.iter().zip(&theirs).filter(|(a, b)| one[(*a).clone()] != other[(*b).clone()]);
    let (a, b) = differ.next()?;
    let is_one = differ.next().is_none() && ours.len() == theirs.len();
    (is_one && replaced(one, a.clone(), &other[b.clone()]) == other).then(|| (a.clone(), b.clone()))
}

/// Picks a line in which the edit changes one word or number.
fn changed_word(part: &Part, rng: &mut Rng) -> Option<(usize, std::ops::Range<usize>)> {
    let changed = part.rows.iter().enumerate().filter(|(_, row)| row.is_changed());
    let all = changed.filter_map(|(at, row)| {
        let (place, _) = difference(row.file.as_deref()?, row.expected.as_deref()?)?;
        Some((at, place))
    });
    rng.choice(all.collect::<Vec<_>>())
}

/// Returns `None` if the file has the old text's line elsewhere, so that the edit may be about that one.
fn is_nowhere(part: &Part, at: usize) -> Option<()> {
    let line = part.rows[at].old.as_deref().map(str::trim)?;
    let whole = part.whole(|row| &row.file);
    (!whole.contains(line.trim_end_matches([',', ';', ')']))).then_some(())
}

/// The file has a value of its own where the edit changes one.
fn conflict(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let (at, place) = changed_word(&part, rng)?;
    let row = &mut part.rows[at];
    let own = own_value(row.file.as_deref()?, place, rng)?;
    (row.new.as_deref() != Some(&own)).then(|| row.file = Some(own))?;
    is_nowhere(&part, at)?;
    Some((part, Meaning::Conflict))
}

/// The file has a value of its own in a line that the edit deletes.
fn conflict_deleted(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let at = rng.choice(part.indexes(|row| row.is_plain && row.expected.is_none() && row.file.is_some()))?;
    let line = part.rows[at].file.clone()?;
    let place = words::pick(&line, rng, |token| token.len() > 3)?;
    // A line that the new text brings back is not deleted.
    let bare = line.trim().trim_end_matches([',', ';']);
    if part.rows.iter().any(|row| row.file.is_none() && row.new.as_deref().is_some_and(|new| new.contains(bare))) {
        return None;
    }
    part.rows[at].file = Some(own_value(&line, place, rng)?);
    is_nowhere(&part, at)?;
    Some((part, Meaning::Conflict))
}

/// The old text lacks the keyword before a statement, and the new text begins the statement differently.
fn begun_otherwise(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let at =
        rng.choice(part.indexes(|row| row.is_kept() && row.file.as_deref().is_some_and(|it| keyword(it).is_some())))?;
    let line = part.rows[at].file.clone()?;
    let start = indentation(&line);
    let rest = &line[start + keyword(&line)?.len()..];
    let beginning =
        if rng.bool() { format!("{} = ", file.name(rng)) } else { KEYWORDS[rng.usize(..KEYWORDS.len())].to_owned() };
    let new = format!("{}{beginning}{rest}", &line[..start]);
    part.rows[at].old = Some(format!("{}{rest}", &line[..start]));
    part.rows[at].new = Some(new.clone());
    (new != line).then_some((part, Meaning::Conflict))
}

/// Returns the keyword at the start of a line, if it is a word.
fn keyword(line: &str) -> Option<&'static str> {
    words::keyword(line).filter(|it| it.starts_with(char::is_alphabetic))
}

/// The edit was already applied.
fn again(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    carried_out(changes::edit(file, rng)?)
}

/// The edit was already applied, and a line that it keeps differs from the file's.
fn again_slipped(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let kinds: Vec<_> = line_slips::kinds().collect();
    let place = [Where::Kept, Where::Shared][rng.usize(..2)];
    line_slips::make(kinds[rng.usize(..kinds.len())], place, &mut part, rng)?;
    carried_out(part)
}

/// Puts the result of an edit into the file.
fn carried_out(mut part: Part) -> Option<(Part, Meaning)> {
    let (old, new) = (part.column(|row| &row.old), part.column(|row| &row.new));
    for row in &mut part.rows {
        row.file.clone_from(&row.expected);
    }
    // If the old text still occurs and was not extended, the edit may be intended again.
    let is_new = !part.whole(|row| &row.file).contains(&old) || new.contains(&old);
    (is_new && !new.trim().is_empty()).then_some((part, Meaning::Conflict))
}

/// The lines of the edit are deleted.
fn gone(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    for row in &mut part.rows {
        row.file = None;
    }
    Some((part, Meaning::Conflict))
}

/// The file has another function with the same structure instead.
fn sibling(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let words: Vec<String> = part
        .rows
        .iter()
        .filter_map(|row| row.old.as_deref())
        .flat_map(|line| tokens(line).into_iter().map(|place| line[place].to_owned()))
        .filter(|word| {
            word.len() > 3
                && word.starts_with(char::is_alphabetic)
                && NOUNS.iter().any(|noun| word.to_lowercase().contains(noun))
        })
        .collect();
    let mut names = std::collections::BTreeMap::new();
    for word in words {
        let new = NOUNS[rng.usize(..NOUNS.len())];
        let new = if word.starts_with(char::is_uppercase) { capital(new) } else { new.to_owned() };
        if likeness(&word, &new) >= 0.5 {
            return None;
        }
        names.insert(word, new);
    }
    let (mut changed, mut all, mut is_other) = (0, 0, true);
    for row in &mut part.rows {
        let Some(line) = row.file.as_mut().filter(|line| !line.trim().is_empty()) else { continue };
        let places = tokens(line);
        all += places.len();
        is_other &= places.len() < 2 || places.iter().any(|place| names.contains_key(&line[place.clone()]));
        for place in places.into_iter().rev() {
            if let Some(new) = names.get(&line[place.clone()]) {
                *line = replaced(line, place, new);
                changed += 1;
            }
        }
    }
    // At least a third of it are names, so that it is another function and not a slip.
    (is_other && names.len() > 1 && changed * 3 >= all).then_some((part, Meaning::Conflict))
}

/// Returns a name that differs from `name` by one letter, like two real ones.
fn near(name: &str) -> String {
    name.strip_suffix('s').map_or_else(|| format!("{name}s"), str::to_owned)
}

/// Writes `name` somewhere in the file outside the edited part.
fn place_elsewhere(part: &mut Part, name: &str, rng: &mut Rng) -> Option<()> {
    let lines = part.before.iter_mut().chain(&mut part.after).filter(|line| !tokens(line).is_empty());
    let line = rng.choice(lines.collect::<Vec<_>>())?;
    let place = words::pick(line, rng, |token| token.len() > 3)?;
    *line = replaced(line, place, name);
    Some(())
}

/// The old text has another name of the file where the edit changes one.
fn near_value(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let (at, place) = changed_word(&part, rng)?;
    let line = part.rows[at].file.clone()?;
    let name = &line[place.clone()];
    if name.len() < 3 || !is_name(name) {
        return None;
    }
    let near = near(name);
    place_elsewhere(&mut part, &near, rng)?;
    part.rows[at].old = Some(replaced(&line, place, &near));
    is_nowhere(&part, at)?;
    (part.rows[at].old != part.rows[at].new).then_some((part, Meaning::Conflict))
}

/// Old and new text have another name of the file where the edit changes nothing.
fn near_name(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let mut part = changes::edit(file, rng)?;
    let at = rng.choice(part.indexes(|row| row.is_kept() && row.is_plain))?;
    let line = part.rows[at].file.clone()?;
    let place = words::pick(&line, rng, |token| token.len() > 3 && is_name(token))?;
    let near = near(&line[place.clone()]);
    place_elsewhere(&mut part, &near, rng)?;
    let slipped = Some(replaced(&line, place, &near));
    (part.rows[at].old, part.rows[at].new) = (slipped.clone(), slipped);
    Some((part, Meaning::Plain))
}

/// The old text lacks a block before the end of the surrounding block.
fn other_block(file: &File, rng: &mut Rng) -> Option<(Part, Meaning)> {
    let lines = &file.lines;
    let ends = (1..lines.len()).filter(|at| lines[at - 1..=*at].iter().all(|line| line.role == Role::Close));
    let end = rng.choice(ends.collect::<Vec<_>>())?;
    let inner =
        (0..end - 1).rev().find(|at| lines[*at].depth == lines[end - 1].depth && lines[*at].role == Role::Open)?;
    let start = inner.checked_sub(rng.usize(1..4))?;
    if lines[start..inner].iter().any(|line| line.role != Role::Plain || line.depth != lines[inner].depth) {
        return None;
    }
    let mut part = Part::new(file, &(start..end + 1));
    for row in &mut part.rows[inner - start..end - start] {
        (row.old, row.new) = (None, None);
    }
    let close = part.rows.last()?.file.clone()?;
    if rng.bool() {
        let line = like(&part, file, 0, rng);
        part.rows.push(Row::added(format!("{}{}", &close[..indentation(&close)], line.trim_start())));
    } else {
        let line = like(&part, file, 0, rng);
        part.rows[0].change(line);
        part.rows.push(Row::added(format!("{}{} kept", &close[..indentation(&close)], part.comment)));
    }
    (!part.comment.is_empty()).then_some((part, Meaning::Plain))
}
