//! Slips on the whole of a text: its indentation, its lines, how it was copied.

use fastrand::Rng;

use super::changes::like;
use super::corpus::File;
use super::line_slips::Meaning;
use super::rows::{Row, Rows, indentation};

/// Makes a slip in the old text, or in old and new text where it is shared; nothing where it cannot be made.
type Make = fn(&mut Rows, &File, bool, &mut Rng) -> Option<Meaning>;

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
    ("extra_line", extra_line),
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
pub(super) fn make(kind: &str, shared: bool, rows: &mut Rows, file: &File, rng: &mut Rng) -> Option<Meaning> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let before = rows.clone();
    let meaning = make(rows, file, shared, rng)?;
    let is_slip = before.column(|row| &row.old) != rows.column(|row| &row.old);
    is_slip.then_some(meaning)
}

/// Returns the least indentation of the lines that mean something, in old and new text.
fn base(rows: &Rows) -> String {
    let lines = rows.rows.iter().flat_map(|row| [row.old.as_deref(), row.new.as_deref()]).flatten();
    let lines = lines.filter(|line| !line.trim().is_empty()).map(|line| &line[..indentation(line)]);
    lines.min_by_key(|blanks| blanks.len()).unwrap_or_default().to_owned()
}

fn base_removed(rows: &mut Rows, _: &File, shared: bool, _: &mut Rng) -> Option<Meaning> {
    let base = base(rows);
    (!base.is_empty())
        .then(|| rows.change_texts(shared, |line| line.strip_prefix(&base).unwrap_or(line).to_owned()))?;
    Some(Meaning::Plain)
}

fn base_shifted(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let by = [rows.unit, " ", "  ", "    "][rng.usize(..4)];
    rows.change_texts(shared, |line| if line.trim().is_empty() { line.to_owned() } else { format!("{by}{line}") });
    Some(Meaning::Plain)
}

fn one_line_off(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let at = rng.choice(rows.indexes(|row| row.is_kept() && !row.is_blank()))?;
    // Among fewer lines, none of them is the one that is off.
    if rows.indexes(Row::is_kept).len() < 3 {
        return None;
    }
    let unit = rows.unit;
    let row = &mut rows.rows[at];
    let line = row.old.clone()?;
    let off = if rng.bool() { line.strip_prefix(unit)?.to_owned() } else { format!("{unit}{line}") };
    if shared {
        row.new = Some(off.clone());
    }
    row.old = Some(off);
    Some(Meaning::Plain)
}

fn other_tabs(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let (from, to) = match rows.unit {
        "\t" => ("\t", ["    ", "  ", "        "][rng.usize(..3)]),
        unit => (unit, "\t"),
    };
    reindent(rows, shared, from, to)
}

fn indent_width(rows: &mut Rows, _: &File, shared: bool, _: &mut Rng) -> Option<Meaning> {
    match rows.unit {
        "    " => reindent(rows, shared, "    ", "  "),
        "  " => reindent(rows, shared, "  ", "    "),
        _ => None,
    }
}

fn reindent(rows: &mut Rows, shared: bool, from: &str, to: &str) -> Option<Meaning> {
    let change = |line: &str| {
        let (blanks, text) = line.split_at(indentation(line));
        blanks.replace(from, to) + text
    };
    rows.change_texts(shared, change);
    Some(Meaning::Plain)
}

/// Returns the index of the first line of the old text, if old and new text begin with the same line.
fn first(rows: &Rows) -> Option<usize> {
    let begins = |column: fn(&Row) -> &Option<String>| rows.rows.iter().position(|row| column(row).is_some());
    let (old, new) = (begins(|row| &row.old)?, begins(|row| &row.new)?);
    (old == new).then_some(old)
}

fn first_line_stripped(rows: &mut Rows, _: &File, shared: bool, _: &mut Rng) -> Option<Meaning> {
    let at = first(rows)?;
    let row = &mut rows.rows[at];
    for line in row.old.iter_mut().chain(row.new.iter_mut().filter(|_| shared)) {
        *line = line.trim_start().to_owned();
    }
    Some(Meaning::Plain)
}

fn rest_dedented(rows: &mut Rows, _: &File, shared: bool, _: &mut Rng) -> Option<Meaning> {
    let (at, base) = (first(rows)?, base(rows));
    if base.is_empty() {
        return None;
    }
    for row in &mut rows.rows[at + 1..] {
        for line in row.old.iter_mut().chain(row.new.iter_mut().filter(|_| shared)) {
            *line = line.strip_prefix(&base).unwrap_or(line).to_owned();
        }
    }
    Some(Meaning::Plain)
}

/// Tells whether a line may be forgotten: some are left on both sides, and it is not the one that the edit is about.
fn is_inside(rows: &Rows, at: usize) -> bool {
    let has_old = |rows: &[Row]| rows.iter().any(|row| row.old.as_deref().is_some_and(|line| !line.trim().is_empty()));
    has_old(&rows.rows[..at]) && has_old(&rows.rows[at + 1..])
}

fn forgotten_line(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let may = |at: usize| {
        let row = &rows.rows[at];
        let is_reindented =
            row.is_changed() && row.file.as_deref().map(str::trim) == row.expected.as_deref().map(str::trim);
        row.is_clean() && !row.is_blank() && (row.is_kept() || is_reindented) && is_inside(rows, at)
    };
    let at = rng.choice((0..rows.rows.len()).filter(|at| may(*at)).collect::<Vec<_>>())?;
    // Whether what is added beside it stands before or behind it, nobody can tell.
    if shared && !rows.rows[at].is_changed() && rows.touches_change(at) {
        return None;
    }
    rows.rows[at].old = None;
    if shared {
        rows.rows[at].new = None;
    }
    Some(Meaning::Plain)
}

fn forgotten_block(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let start = rng.usize(..rows.rows.len());
    let is_free = |row: &&Row| row.is_kept() && row.is_clean();
    let length = rows.rows[start..].iter().take_while(is_free).count().min(rng.usize(2..6));
    let end = start + length;
    if length < 2 || !is_inside(rows, start) || !is_inside(rows, end - 1) {
        return None;
    }
    if shared && (rows.touches_change(start) || rows.touches_change(end - 1)) {
        return None;
    }
    for row in &mut rows.rows[start..end] {
        row.old = None;
        if shared {
            row.new = None;
        }
    }
    Some(Meaning::Plain)
}

fn extra_line(rows: &mut Rows, file: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let at = rng.choice(rows.indexes(|row| row.is_kept() && row.is_plain))?;
    let line = like(rows, file, at, rng);
    let is_new = rows.rows.iter().all(|row| row.new.as_deref() != Some(&line) && row.file.as_deref() != Some(&line));
    (is_new && is_inside(rows, at)).then(|| rows.rows.insert(at, Row::extra(line, shared)))?;
    Some(Meaning::Plain)
}

fn blank_dropped(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let blank = rows.indexes(|row| row.is_blank() && row.is_kept());
    let at = rng.choice(blank.into_iter().filter(|at| is_inside(rows, *at)).collect::<Vec<_>>())?;
    if shared && rows.touches_change(at) {
        return None;
    }
    rows.rows[at].old = None;
    if shared {
        rows.rows[at].new = None;
    }
    Some(Meaning::Plain)
}

fn blank_added(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let at = rng.choice(rows.indexes(Row::is_kept))?;
    if !is_inside(rows, at) || (shared && rows.touches_change(at)) {
        return None;
    }
    rows.rows.insert(at, Row::extra(String::new(), shared));
    Some(Meaning::Plain)
}

fn line_numbers(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let style = rng.usize(..4);
    let first = 1 + if rng.usize(..4) == 0 { rng.usize(..300) } else { rows.before.len() };
    let number = |lines: Vec<&mut String>| {
        for (number, line) in (first..).zip(lines) {
            *line = match style {
                0 => format!("{number:6}\t{line}"),
                1 => format!("{number}: {line}"),
                2 => format!("{number:4} | {line}"),
                _ => format!("{number:5}→{line}"),
            };
        }
    };
    number(rows.rows.iter_mut().filter_map(|row| row.old.as_mut()).collect());
    if shared {
        number(rows.rows.iter_mut().filter_map(|row| row.new.as_mut()).collect());
    }
    Some(Meaning::Plain)
}

fn entities(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let quotes = rng.bool();
    let escape = |line: &str| {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        if quotes { line.replace('"', "&quot;") } else { line }
    };
    rows.change_texts(shared, escape);
    Some(Meaning::Plain)
}

fn wrapped(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let is_long =
        |row: &Row| row.is_kept() && row.is_clean() && row.file.as_deref().is_some_and(|line| line.len() > 30);
    let at = rng.choice(rows.indexes(is_long))?;
    let unit = rows.unit;
    let row = &mut rows.rows[at];
    let line = row.file.clone()?;
    let start = indentation(&line);
    let gap = rng.choice(line.match_indices(' ').map(|(at, _)| at).filter(|at| *at > start + 8).collect::<Vec<_>>())?;
    let text = format!("{}\n{}{unit}{}", &line[..gap], &line[..start], &line[gap + 1..]);
    if shared {
        row.new = Some(text.clone());
    }
    row.old = Some(text);
    Some(Meaning::Plain)
}

fn joined(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let may = |row: &Row| row.file.is_some() && row.is_clean() && !row.is_blank() && (row.is_kept() || !shared);
    let has_comment =
        |row: &Row| !rows.comment.is_empty() && row.file.as_deref().is_some_and(|line| line.contains(rows.comment));
    let is_pair = |at: usize| {
        at + 1 < rows.rows.len() && may(&rows.rows[at]) && may(&rows.rows[at + 1]) && !has_comment(&rows.rows[at])
    };
    let at = rng.choice((0..rows.rows.len()).filter(|at| is_pair(*at)).collect::<Vec<_>>())?;
    let second = rows.rows[at + 1].old.take()?;
    if shared {
        rows.rows[at + 1].new = None;
    }
    let row = &mut rows.rows[at];
    let text = format!("{} {}", row.old.as_deref()?, second.trim_start());
    if shared {
        row.new = Some(text.clone());
    }
    row.old = Some(text);
    Some(Meaning::Plain)
}

fn typographic(rows: &mut Rows, _: &File, shared: bool, _: &mut Rng) -> Option<Meaning> {
    let change = |line: &str| {
        let mut text = String::new();
        for c in line.chars() {
            let opens = text.chars().next_back().is_none_or(|last| last.is_whitespace() || "([{=".contains(last));
            match c {
                '"' => text.push(if opens { '“' } else { '”' }),
                '\'' => text.push(if opens { '‘' } else { '’' }),
                c => text.push(c),
            }
        }
        text.replace("...", "…").replace(" - ", " – ")
    };
    rows.change_texts(shared, change);
    Some(Meaning::Plain)
}

fn blanks_at_ends(rows: &mut Rows, _: &File, shared: bool, rng: &mut Rng) -> Option<Meaning> {
    let by = [" ", "  ", "\t"][rng.usize(..3)];
    let at = rng.choice(rows.indexes(|row| row.is_kept() && !row.is_blank()))?;
    let row = &mut rows.rows[at];
    for line in row.old.iter_mut().chain(row.new.iter_mut().filter(|_| shared)) {
        line.push_str(by);
    }
    Some(Meaning::Plain)
}
