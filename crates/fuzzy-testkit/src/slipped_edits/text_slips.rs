//! Slips on the whole text: its indentation, its lines, the way it was copied.

use fastrand::Rng;

use super::changes::like;
use super::corpus::File;
use super::rows::{Part, Row};
use super::words::{SHOWN, indentation, one};

/// Makes a slip in the old text, or in both texts if it is shared; `None` if it cannot be made.
type Make = fn(&mut Part, &File, bool, &mut Rng) -> Option<()>;

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = kinds! {
    base_removed base_shifted one_line_off other_tabs indent_width first_line_stripped rest_dedented forgotten_line
    forgotten_block forgotten_change extra_line swapped blank_dropped blank_added line_numbers entities wrapped
    joined typographic blanks_at_ends
};

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// Makes a slip of a kind.
pub(super) fn make(kind: &str, shared: bool, part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let before = part.clone();
    make(part, file, shared, rng)?;
    (before.column(|row| &row.old) != part.column(|row| &row.old)).then_some(())
}

/// Returns the least indentation of the non-blank lines of old and new text.
fn base(part: &Part) -> Option<String> {
    let lines = part.rows.iter().flat_map(|row| [row.old.as_deref(), row.new.as_deref()]).flatten();
    let lines = lines.filter(|line| !line.trim().is_empty()).map(|line| &line[..indentation(line)]);
    lines.min_by_key(|blanks| blanks.len()).filter(|blanks| !blanks.is_empty()).map(str::to_owned)
}

fn base_removed(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    let base = base(part)?;
    part.change_texts(shared, |line| line.strip_prefix(&base).unwrap_or(line).to_owned())
}

fn base_shifted(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let by = one(&[part.unit, " ", "  ", "    "], rng);
    part.change_texts(shared, |line| if line.trim().is_empty() { line.to_owned() } else { format!("{by}{line}") })
}

fn one_line_off(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = part.choose(rng, |at| part.rows[at].is_kept() && !part.rows[at].is_blank())?;
    // With fewer lines, it is unclear which one has the wrong indentation.
    if part.indexes(Row::is_kept).len() < 3 {
        return None;
    }
    let line = part.rows[at].old.clone()?;
    let off = if rng.bool() { line.strip_prefix(part.unit)?.to_owned() } else { format!("{}{line}", part.unit) };
    part.rows[at].slip(shared, Some(off));
    Some(())
}

fn other_tabs(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    match part.unit {
        "\t" => reindent(part, shared, "\t", one(&["    ", "  ", "        "], rng)),
        unit => reindent(part, shared, unit, "\t"),
    }
}

fn indent_width(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    match part.unit {
        "    " => reindent(part, shared, "    ", "  "),
        "  " => reindent(part, shared, "  ", "    "),
        _ => None,
    }
}

/// Replaces `from` by `to` in all indentation.
fn reindent(part: &mut Part, shared: bool, from: &str, to: &str) -> Option<()> {
    part.change_texts(shared, |line| {
        let (blanks, text) = line.split_at(indentation(line));
        blanks.replace(from, to) + text
    })
}

/// Returns the index of the first line of the old text, if old and new text begin with the same line.
fn first(part: &Part) -> Option<usize> {
    let old = part.rows.iter().position(|row| row.old.is_some())?;
    let new = part.rows.iter().position(|row| row.new.is_some())?;
    (old == new).then_some(old)
}

fn first_line_stripped(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    let at = first(part)?;
    part.rows[at].change_texts(shared, |line| line.trim_start().to_owned());
    Some(())
}

fn rest_dedented(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    let (at, base) = (first(part)?, base(part)?);
    for row in &mut part.rows[at + 1..] {
        row.change_texts(shared, |line| line.strip_prefix(&base).unwrap_or(line).to_owned());
    }
    Some(())
}

/// Returns whether the old text has other lines before and after a line.
fn is_inside(part: &Part, at: usize) -> bool {
    let has_old = |rows: &[Row]| rows.iter().filter_map(|row| row.old.as_deref()).any(|line| !line.trim().is_empty());
    has_old(&part.rows[..at]) && has_old(&part.rows[at + 1..])
}

/// Omits a line for which `matches` holds.
fn omit(part: &mut Part, shared: bool, rng: &mut Rng, matches: impl Fn(&Part, usize) -> bool) -> Option<()> {
    let at = part.choose(rng, |at| part.rows[at].is_clean() && is_inside(part, at) && matches(part, at))?;
    // It would be unclear whether a line added beside it belongs before or after it.
    let is_clear = !shared || part.rows[at].is_changed() || !part.touches_change(at);
    is_clear.then(|| part.rows[at].slip(shared, None))
}

fn forgotten_line(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    // Lines on both sides of a changed one must have the same change of indentation.
    let goes_with_others = |part: &Part, at: usize| part.rows[at - 1..=at + 1].iter().all(is_reindented);
    omit(part, shared, rng, |part, at| {
        let row = &part.rows[at];
        !row.is_blank() && (row.is_kept() || goes_with_others(part, at))
    })
}

/// Returns whether the edit only changes a line's indentation.
fn is_reindented(row: &Row) -> bool {
    row.is_changed() && row.file.as_deref().map(str::trim) == row.expected.as_deref().map(str::trim)
}

fn forgotten_block(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let start = rng.usize(..part.rows.len());
    let free = part.rows[start..].iter().take_while(|row| row.is_kept() && row.is_clean());
    let length = free.count().min(rng.usize(2..6));
    let end = start + length;
    if length < 2 || !is_inside(part, start) || !is_inside(part, end - 1) {
        return None;
    }
    if shared && (part.touches_change(start) || part.touches_change(end - 1)) {
        return None;
    }
    part.rows[start..end].iter_mut().for_each(|row| row.slip(shared, None));
    Some(())
}

/// Omits a changed line from the old text; the new text has its new form. Without the line in both texts, there would
/// be no change.
fn forgotten_change(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    omit(part, shared, rng, |part, at| !shared && part.rows[at].is_changed() && !part.touches_change(at))
}

fn extra_line(part: &mut Part, file: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = part.choose(rng, |at| part.rows[at].is_kept() && part.rows[at].is_plain && is_inside(part, at))?;
    let line = like(part, file, at, rng);
    let is_new = part.rows.iter().all(|row| row.new.as_deref() != Some(&line) && row.file.as_deref() != Some(&line));
    is_new.then(|| part.rows.insert(at, Row::extra(line, shared)))
}

/// Swaps two kept lines.
fn swapped(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let is_kept = |at: usize| part.rows.get(at).is_some_and(|row| row.is_kept() && row.is_clean() && row.is_plain);
    let at = part.choose(rng, |at| is_kept(at) && is_kept(at + 1))?;
    let lines = [at + 1, at].map(|at| part.rows[at].old.clone());
    part.rows[at..].iter_mut().zip(lines).for_each(|(row, line)| row.slip(shared, line));
    Some(())
}

fn blank_dropped(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    omit(part, shared, rng, |part, at| part.rows[at].is_blank() && part.rows[at].is_kept())
}

fn blank_added(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = part.choose(rng, |at| part.rows[at].is_kept() && is_inside(part, at))?;
    (!shared || !part.touches_change(at)).then(|| part.rows.insert(at, Row::extra(String::new(), shared)))
}

fn line_numbers(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    // Not the marks without a number.
    let style = one(&SHOWN[..4], rng);
    let first = 1 + if rng.usize(..4) == 0 { rng.usize(..300) } else { part.before.len() };
    let columns: [fn(&mut Row) -> Option<&mut String>; 2] = [|row| row.old.as_mut(), |row| row.new.as_mut()];
    for column in &columns[..=usize::from(shared)] {
        let lines = part.rows.iter_mut().filter_map(column);
        (first..).zip(lines).for_each(|(number, line)| *line = style(number, line));
    }
    // A single number could be anything.
    (part.rows.iter().filter(|row| row.old.is_some()).count() > 1).then_some(())
}

fn entities(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let quotes = rng.bool();
    part.change_texts(shared, |line| {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        if quotes { line.replace('"', "&quot;") } else { line }
    })
}

fn wrapped(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let is_free = |row: &Row| row.is_kept() && row.is_clean() && row.file.as_ref().is_some_and(|line| line.len() > 30);
    let at = part.choose(rng, |at| is_free(&part.rows[at]))?;
    let line = part.rows[at].file.clone()?;
    let start = indentation(&line);
    let gap = rng.choice(line.match_indices(' ').map(|(at, _)| at).filter(|at| *at > start + 8).collect::<Vec<_>>())?;
    let text = format!("{}\n{}{}{}", &line[..gap], &line[..start], part.unit, &line[gap + 1..]);
    part.rows[at].slip(shared, Some(text));
    Some(())
}

fn joined(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = part.choose(rng, |at| may_be_joined(part, at, shared))?;
    let [first, second] = [at, at + 1].map(|at| part.rows[at].old.clone().unwrap_or_default());
    part.rows[at].slip(shared, Some(format!("{first} {}", second.trim_start())));
    part.rows[at + 1].slip(shared, None);
    Some(())
}

/// Returns whether the line `at` and the next one may be joined: a comment of the first must not include the second.
fn may_be_joined(part: &Part, at: usize, shared: bool) -> bool {
    let Some(rows) = part.rows.get(at..at + 2) else { return false };
    let has_comment = !part.comment.is_empty() && rows[0].file.as_ref().is_some_and(|line| line.contains(part.comment));
    let is_free = |row: &Row| row.file.is_some() && row.is_clean() && !row.is_blank() && (row.is_kept() || !shared);
    rows.iter().all(is_free) && !has_comment
}

fn typographic(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    part.change_texts(shared, typeset)?;
    // A mark that the old text lacks might be intended.
    let (old, new) = (part.column(|row| &row.old), part.column(|row| &row.new));
    (!shared || new.chars().all(|c| !"“”‘’…–".contains(c) || old.contains(c))).then_some(())
}

/// Returns a line with typographic marks, like those of word processors.
fn typeset(line: &str) -> String {
    let mut text = String::new();
    for c in line.chars() {
        let opens = text.chars().next_back().is_none_or(|last| last.is_whitespace() || "([{=".contains(last));
        match c {
            '"' => text.push(if opens { '“' } else { '”' }),
            '\'' => text.push(if opens { '‘' } else { '’' }),
            c => text.push(c),
        }
    }
    let (blanks, text) = text.split_at(indentation(&text));
    blanks.to_owned() + &text.replace("...", "…").replace(" - ", " – ")
}

fn blanks_at_ends(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let by = one(&[" ", "  ", "\t"], rng);
    let at = part.choose(rng, |at| part.rows[at].is_kept() && !part.rows[at].is_blank())?;
    part.rows[at].change_texts(shared, |line| format!("{line}{by}"));
    Some(())
}
