//! Slips on the whole text: its indentation, its lines, the way it was copied.

use fastrand::Rng;

use super::changes::like;
use super::corpus::File;
use super::rows::{Part, Row, indentation};

/// Makes a slip in the old text, or in both texts if it is shared; `None` if it cannot be made.
type Make = fn(&mut Part, &File, bool, &mut Rng) -> Option<()>;

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = &[
    ("base_removed", base_removed),
    ("base_shifted", base_shifted),
    ("one_line_off", one_line_off),
    ("other_tabs", other_tabs),
    ("indent_width", indent_width),
    ("first_line_stripped", first_line_stripped),
    ("rest_dedented", rest_dedented),
    ("forgotten_line", forgotten_line),
    ("forgotten_block", forgotten_block),
    ("forgotten_change", forgotten_change),
    ("extra_line", extra_line),
    ("swapped", swapped),
    ("blank_dropped", blank_dropped),
    ("blank_added", blank_added),
    ("line_numbers", line_numbers),
    ("entities", entities),
    ("wrapped", wrapped),
    ("joined", joined),
    ("typographic", typographic),
    ("blanks_at_ends", blanks_at_ends),
];

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
fn base(part: &Part) -> String {
    let lines = part.rows.iter().flat_map(|row| [row.old.as_deref(), row.new.as_deref()]).flatten();
    let lines = lines.filter(|line| !line.trim().is_empty()).map(|line| &line[..indentation(line)]);
    lines.min_by_key(|blanks| blanks.len()).unwrap_or_default().to_owned()
}

fn base_removed(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    let base = base(part);
    (!base.is_empty())
        .then(|| part.change_texts(shared, |line| line.strip_prefix(&base).unwrap_or(line).to_owned()))?;
    Some(())
}

fn base_shifted(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let by = [part.unit, " ", "  ", "    "][rng.usize(..4)];
    part.change_texts(shared, |line| if line.trim().is_empty() { line.to_owned() } else { format!("{by}{line}") })
}

fn one_line_off(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = rng.choice(part.indexes(|row| row.is_kept() && !row.is_blank()))?;
    // With fewer lines, it is unclear which one has the wrong indentation.
    if part.indexes(Row::is_kept).len() < 3 {
        return None;
    }
    let unit = part.unit;
    let row = &mut part.rows[at];
    let line = row.old.clone()?;
    let off = if rng.bool() { line.strip_prefix(unit)?.to_owned() } else { format!("{unit}{line}") };
    if shared {
        row.new = Some(off.clone());
    }
    row.old = Some(off);
    Some(())
}

fn other_tabs(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let (from, to) = match part.unit {
        "\t" => ("\t", ["    ", "  ", "        "][rng.usize(..3)]),
        unit => (unit, "\t"),
    };
    reindent(part, shared, from, to)
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
    let row = &mut part.rows[at];
    for line in row.old.iter_mut().chain(row.new.iter_mut().filter(|_| shared)) {
        *line = line.trim_start().to_owned();
    }
    Some(())
}

fn rest_dedented(part: &mut Part, _: &File, shared: bool, _: &mut Rng) -> Option<()> {
    let (at, base) = (first(part)?, base(part));
    if base.is_empty() {
        return None;
    }
    for row in &mut part.rows[at + 1..] {
        for line in row.old.iter_mut().chain(row.new.iter_mut().filter(|_| shared)) {
            *line = line.strip_prefix(&base).unwrap_or(line).to_owned();
        }
    }
    Some(())
}

/// Returns whether the old text has other lines before and after a line.
fn is_inside(part: &Part, at: usize) -> bool {
    has_old(&part.rows[..at]) && has_old(&part.rows[at + 1..])
}

/// Returns whether the old text has a non-blank line among these.
fn has_old(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.old.as_deref().is_some_and(|line| !line.trim().is_empty()))
}

fn forgotten_line(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = rng.choice((0..part.rows.len()).filter(|at| may_be_forgotten(part, *at)).collect::<Vec<_>>())?;
    // It would be unclear whether a line added beside it belongs before or after it.
    if shared && !part.rows[at].is_changed() && part.touches_change(at) {
        return None;
    }
    part.rows[at].old = None;
    if shared {
        part.rows[at].new = None;
    }
    Some(())
}

/// Returns whether the result for the line `at` is clear if the old text lacks it.
fn may_be_forgotten(part: &Part, at: usize) -> bool {
    let row = &part.rows[at];
    // Lines on both sides must have the same change of indentation.
    let goes_with_others = at > 0 && part.rows.get(at - 1..=at + 1).is_some_and(|rows| rows.iter().all(is_reindented));
    row.is_clean() && !row.is_blank() && (row.is_kept() || goes_with_others) && is_inside(part, at)
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
    for row in &mut part.rows[start..end] {
        row.old = None;
        if shared {
            row.new = None;
        }
    }
    Some(())
}

/// Omits a changed line from the old text; the new text has its new form.
fn forgotten_change(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let changed = part.indexes(|row| row.is_changed() && row.is_clean());
    let at = rng.choice(changed.into_iter().filter(|at| is_inside(part, *at)).collect::<Vec<_>>())?;
    // Without the line in both texts, there would be no change.
    if shared || part.touches_change(at) {
        return None;
    }
    part.rows[at].old = None;
    Some(())
}

fn extra_line(part: &mut Part, file: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = rng.choice(part.indexes(|row| row.is_kept() && row.is_plain))?;
    let line = like(part, file, at, rng);
    let is_new = part.rows.iter().all(|row| row.new.as_deref() != Some(&line) && row.file.as_deref() != Some(&line));
    (is_new && is_inside(part, at)).then(|| part.rows.insert(at, Row::extra(line, shared)))?;
    Some(())
}

/// Swaps two kept lines.
fn swapped(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let is_kept = |at: usize| part.rows.get(at).is_some_and(|row| row.is_kept() && row.is_clean() && row.is_plain);
    let at = rng.choice((0..part.rows.len()).filter(|&at| is_kept(at) && is_kept(at + 1)).collect::<Vec<_>>())?;
    let (above, below) = part.rows.split_at_mut(at + 1);
    std::mem::swap(&mut above[at].old, &mut below[0].old);
    if shared {
        std::mem::swap(&mut above[at].new, &mut below[0].new);
    }
    Some(())
}

fn blank_dropped(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let blank = part.indexes(|row| row.is_blank() && row.is_kept());
    let at = rng.choice(blank.into_iter().filter(|at| is_inside(part, *at)).collect::<Vec<_>>())?;
    if shared && part.touches_change(at) {
        return None;
    }
    part.rows[at].old = None;
    if shared {
        part.rows[at].new = None;
    }
    Some(())
}

fn blank_added(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = rng.choice(part.indexes(Row::is_kept))?;
    if !is_inside(part, at) || (shared && part.touches_change(at)) {
        return None;
    }
    part.rows.insert(at, Row::extra(String::new(), shared));
    Some(())
}

fn line_numbers(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let style = rng.usize(..4);
    let first = 1 + if rng.usize(..4) == 0 { rng.usize(..300) } else { part.before.len() };
    number(part.rows.iter_mut().filter_map(|row| row.old.as_mut()), first, style);
    if shared {
        number(part.rows.iter_mut().filter_map(|row| row.new.as_mut()), first, style);
    }
    // A single number could be anything.
    (part.rows.iter().filter(|row| row.old.is_some()).count() > 1).then_some(())
}

/// Numbers lines from `first`, in one of the four styles of tools that display files.
fn number<'l>(lines: impl Iterator<Item = &'l mut String>, first: usize, style: usize) {
    for (number, line) in (first..).zip(lines) {
        *line = match style {
            0 => format!("{number:6}\t{line}"),
            1 => format!("{number}: {line}"),
            2 => format!("{number:4} | {line}"),
            _ => format!("{number:5}→{line}"),
        };
    }
}

fn entities(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let quotes = rng.bool();
    part.change_texts(shared, |line| {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        if quotes { line.replace('"', "&quot;") } else { line }
    })
}

fn wrapped(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let lines =
        part.indexes(|row| row.is_kept() && row.is_clean() && row.file.as_deref().is_some_and(|line| line.len() > 30));
    let at = rng.choice(lines)?;
    let unit = part.unit;
    let row = &mut part.rows[at];
    let line = row.file.clone()?;
    let start = indentation(&line);
    let gap = rng.choice(line.match_indices(' ').map(|(at, _)| at).filter(|at| *at > start + 8).collect::<Vec<_>>())?;
    let text = format!("{}\n{}{unit}{}", &line[..gap], &line[..start], &line[gap + 1..]);
    if shared {
        row.new = Some(text.clone());
    }
    row.old = Some(text);
    Some(())
}

fn joined(part: &mut Part, _: &File, shared: bool, rng: &mut Rng) -> Option<()> {
    let at = rng.choice((0..part.rows.len()).filter(|at| may_be_joined(part, *at, shared)).collect::<Vec<_>>())?;
    let second = part.rows[at + 1].old.take()?;
    if shared {
        part.rows[at + 1].new = None;
    }
    let row = &mut part.rows[at];
    let text = format!("{} {}", row.old.as_deref()?, second.trim_start());
    if shared {
        row.new = Some(text.clone());
    }
    row.old = Some(text);
    Some(())
}

/// Returns whether the line `at` and the next one may be joined: a comment of the first must not include the second.
fn may_be_joined(part: &Part, at: usize, shared: bool) -> bool {
    let Some(rows) = part.rows.get(at..at + 2) else { return false };
    let has_comment =
        !part.comment.is_empty() && rows[0].file.as_deref().is_some_and(|line| line.contains(part.comment));
    let are_free =
        rows.iter().all(|row| row.file.is_some() && row.is_clean() && !row.is_blank() && (row.is_kept() || !shared));
    are_free && !has_comment
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
    let by = [" ", "  ", "\t"][rng.usize(..3)];
    let at = rng.choice(part.indexes(|row| row.is_kept() && !row.is_blank()))?;
    let row = &mut part.rows[at];
    for line in row.old.iter_mut().chain(row.new.iter_mut().filter(|_| shared)) {
        line.push_str(by);
    }
    Some(())
}
