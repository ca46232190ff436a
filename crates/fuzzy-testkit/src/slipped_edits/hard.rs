//! Edits that must be rejected, and edits of names and blocks that resemble others.

use std::collections::BTreeMap;
use std::ops::Range;

use fastrand::Rng;
use similar::TextDiff;

use super::changes::like;
use super::corpus::{File, Role};
use super::line_slips::{self, Meaning, PLACES};
use super::rows::{Part, Row};
use super::words::{self, KEYWORDS, NOUNS, capital, indentation, is_name, is_number, near, one, replaced, tokens};

/// Makes a mistake in an edit of a file.
type Make = fn(&mut Part, &File, &mut Rng) -> Option<()>;

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = kinds! {
    conflict conflict_deleted begun_otherwise again again_slipped gone sibling near_value near_name other_block
};

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// Makes a mistake of a kind.
pub(super) fn make(kind: &str, part: &mut Part, file: &File, rng: &mut Rng) -> Option<Meaning> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    make(part, file, rng)?;
    Some(if matches!(kind, "near_name" | "other_block") { Meaning::Plain } else { Meaning::Conflict })
}

/// Returns whether two words have less than half of their letters in common.
fn are_unlike(one: &str, other: &str) -> bool {
    TextDiff::from_chars(one, other).ratio() < 0.5
}

/// Replaces the word or number at `place` by a value of the file's own.
fn own_value(line: &str, place: Range<usize>, rng: &mut Rng) -> Option<String> {
    let token = &line[place.clone()];
    let (number, noun) = (rng.usize(2..900).to_string(), one(NOUNS, rng));
    let other = if is_number(token) { number.as_str() } else { noun };
    let is_other = if is_number(token) { other != token } else { are_unlike(token, other) };
    is_other.then(|| replaced(line, place, other))
}

/// Returns the only word or number in which two lines differ, as a range of the first.
fn difference(one: &str, other: &str) -> Option<Range<usize>> {
    let (ours, theirs) = (tokens(one), tokens(other));
    let mut differ = ours.iter().zip(&theirs).filter(|(a, b)| one[(*a).clone()] != other[(*b).clone()]);
    let (a, b) = differ.next()?;
    (ours.len() == theirs.len() && replaced(one, a.clone(), &other[b.clone()]) == other).then(|| a.clone())
}

/// Picks a line in which the edit changes one word or number.
fn changed_word(part: &Part, rng: &mut Rng) -> Option<(usize, Range<usize>)> {
    let changed = part.rows.iter().enumerate().filter(|(_, row)| row.is_changed());
    let all = changed.filter_map(|(at, row)| Some((at, difference(row.file.as_deref()?, row.expected.as_deref()?)?)));
    rng.choice(all.collect::<Vec<_>>())
}

/// Returns `None` if the file has the old text's line elsewhere, so that the edit may be about that one.
fn is_nowhere(part: &Part, at: usize) -> Option<()> {
    let line = part.rows[at].old.as_deref().map(str::trim)?;
    let whole = part.whole(|row| &row.file);
    (!whole.contains(line.trim_end_matches([',', ';', ')']))).then_some(())
}

/// The file has a value of its own where the edit changes one.
fn conflict(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let (at, place) = changed_word(part, rng)?;
    let row = &mut part.rows[at];
    let own = own_value(row.file.as_deref()?, place, rng)?;
    (row.new.as_deref() != Some(&own)).then(|| row.file = Some(own))?;
    is_nowhere(part, at)
}

/// The file has a value of its own in a line that the edit deletes.
fn conflict_deleted(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let at = rng.choice(part.indexes(|row| row.is_plain && row.expected.is_none() && row.file.is_some()))?;
    let line = part.rows[at].file.clone()?;
    let place = words::pick(&line, rng, |token| token.len() > 3)?;
    // A line that the new text brings back is not deleted.
    let bare = line.trim().trim_end_matches([',', ';']);
    if part.rows.iter().any(|row| row.file.is_none() && row.new.as_deref().is_some_and(|new| new.contains(bare))) {
        return None;
    }
    part.rows[at].file = Some(own_value(&line, place, rng)?);
    is_nowhere(part, at)
}

/// The old text lacks the keyword before a statement, and the new text begins the statement differently.
fn begun_otherwise(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let keyword = |line: &str| words::keyword(line).filter(|it| it.starts_with(char::is_alphabetic));
    let at = rng.choice(part.indexes(|row| row.is_kept() && row.file.as_deref().and_then(keyword).is_some()))?;
    let line = part.rows[at].file.clone()?;
    let start = indentation(&line);
    let place = start..start + keyword(&line)?.len();
    let beginning = if rng.bool() { format!("{} = ", file.name(rng)) } else { one(KEYWORDS, rng).to_owned() };
    let new = replaced(&line, place.clone(), &beginning);
    let is_other = new != line;
    (part.rows[at].old, part.rows[at].new) = (Some(replaced(&line, place, "")), Some(new));
    is_other.then_some(())
}

/// The edit was already applied, and a line that it keeps differs from the file's.
fn again_slipped(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let kind = rng.choice(line_slips::kinds().collect::<Vec<_>>())?;
    line_slips::make(kind, one(&PLACES[..2], rng).1, part, rng)?;
    again(part, file, rng)
}

/// The edit was already applied.
fn again(part: &mut Part, _: &File, _: &mut Rng) -> Option<()> {
    let (old, new) = (part.column(|row| &row.old), part.column(|row| &row.new));
    part.rows.iter_mut().for_each(|row| row.file.clone_from(&row.expected));
    // If the old text still occurs and was not extended, the edit may be intended again.
    let is_new = !part.whole(|row| &row.file).contains(&old) || new.contains(&old);
    (is_new && !new.trim().is_empty()).then_some(())
}

/// The lines of the edit are deleted, and others are not.
fn gone(part: &mut Part, _: &File, _: &mut Rng) -> Option<()> {
    part.rows.iter_mut().for_each(|row| row.file = None);
    (part.before.len() + part.after.len() > 0).then_some(())
}

/// The file has another function with the same structure instead.
fn sibling(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let has_noun = |word: &str| NOUNS.iter().any(|noun| word.to_lowercase().contains(noun));
    let is_name = |word: &str| word.len() > 3 && word.starts_with(char::is_alphabetic) && has_noun(word);
    let mut names = BTreeMap::new();
    for line in part.rows.iter().filter_map(|row| row.old.as_deref()) {
        for word in tokens(line).into_iter().map(|place| &line[place]).filter(|word| is_name(word)) {
            let noun = one(NOUNS, rng);
            let noun = if word.starts_with(char::is_uppercase) { capital(noun) } else { noun.to_owned() };
            are_unlike(word, &noun).then(|| names.insert(word.to_owned(), noun))?;
        }
    }
    let (mut changed, mut all, mut is_other) = (0, 0, true);
    for line in part.rows.iter_mut().filter_map(|row| row.file.as_mut()).filter(|line| !line.trim().is_empty()) {
        let places = tokens(line);
        let count = places.iter().filter(|place| names.contains_key(&line[(*place).clone()])).count();
        is_other &= places.len() < 2 || count > 0;
        (changed, all) = (changed + count, all + places.len());
        *line = words::each_token(line, |token| names.get(token).cloned());
    }
    // At least a third of it are names, so that it is another function and not a slip.
    (is_other && names.len() > 1 && changed * 3 >= all).then_some(())
}

/// Writes the name at `place` of the file's line `at` with another ending somewhere in the file outside the edited part;
/// returns the line with that name.
fn with_near_name(part: &mut Part, at: usize, place: Range<usize>, rng: &mut Rng) -> Option<String> {
    let line = part.rows[at].file.clone()?;
    let near = near(&line[place.clone()]);
    let lines = part.before.iter_mut().chain(&mut part.after).filter(|line| !tokens(line).is_empty());
    let other = rng.choice(lines.collect::<Vec<_>>())?;
    *other = replaced(other, words::pick(other, rng, |token| token.len() > 3)?, &near);
    Some(replaced(&line, place, &near))
}

/// The old text has another name of the file where the edit changes one.
fn near_value(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let (at, place) = changed_word(part, rng)?;
    let name = &part.rows[at].file.as_deref()?[place.clone()];
    if name.len() < 3 || !is_name(name) {
        return None;
    }
    part.rows[at].old = Some(with_near_name(part, at, place, rng)?);
    is_nowhere(part, at)?;
    (part.rows[at].old != part.rows[at].new).then_some(())
}

/// Old and new text have another name of the file where the edit changes nothing.
fn near_name(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let at = rng.choice(part.indexes(|row| row.is_kept() && row.is_plain))?;
    let place = words::pick(part.rows[at].file.as_deref()?, rng, |token| token.len() > 3 && is_name(token))?;
    let slipped = with_near_name(part, at, place, rng)?;
    part.rows[at].slip(true, Some(slipped));
    Some(())
}

/// The old text lacks a block before the end of the surrounding block.
fn other_block(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let lines = &file.lines;
    let ends = (1..lines.len()).filter(|at| lines[at - 1..=*at].iter().all(|line| line.role == Role::Close));
    let end = rng.choice(ends.collect::<Vec<_>>())?;
    let inner =
        (0..end - 1).rev().find(|at| lines[*at].depth == lines[end - 1].depth && lines[*at].role == Role::Open)?;
    let start = inner.checked_sub(rng.usize(1..4))?;
    if lines[start..inner].iter().any(|line| line.role != Role::Plain || line.depth != lines[inner].depth) {
        return None;
    }
    *part = Part::new(file, &(start..end + 1));
    part.rows[inner - start..end - start].iter_mut().for_each(|row| row.slip(true, None));
    let close = part.rows.last()?.file.clone()?;
    let outer = &close[..indentation(&close)];
    let line = like(part, file, 0, rng);
    if rng.bool() {
        part.rows.push(Row::added(format!("{outer}{}", line.trim_start())));
    } else {
        part.rows[0].change(line);
        part.rows.push(Row::added(format!("{outer}{} kept", part.comment)));
    }
    (!part.comment.is_empty()).then_some(())
}
