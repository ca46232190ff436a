//! The source of a cell: a list of strings, one for each line, or one string. Only the strings of changed lines are
//! written anew.

use fuzzy_core::{Span, Splice};
use serde_json::value::RawValue;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::render::{self, Layout};

/// The source of a cell.
#[derive(Debug)]
pub(super) struct Source<'t> {
    /// The value in the file.
    value: &'t str,
    span: Span,
    is_list: bool,
    /// The strings of the list, or the lines of the string.
    items: Vec<Item>,
    text: String,
}

/// A string of a list with its quotation marks, or a line of a string.
#[derive(Debug)]
struct Item {
    span: Span,
    text: String,
}

impl<'t> Source<'t> {
    /// Reads a source; returns none for a value of another kind.
    pub(super) fn read(file: &'t str, value: &'t str) -> Option<Self> {
        let span = span_of(file, value);
        let is_list = value.starts_with('[');
        let items = if is_list {
            let strings: Vec<&RawValue> = serde_json::from_str(value).ok()?;
            let item = |string: &&RawValue| {
                Some(Item { span: span_of(file, string.get()), text: serde_json::from_str(string.get()).ok()? })
            };
            strings.iter().map(item).collect::<Option<_>>()?
        } else {
            lines(value.strip_prefix('"')?.strip_suffix('"')?, span.start() + 1)?
        };
        let text = items.iter().map(|item: &Item| item.text.as_str()).collect();
        Some(Self { value, span, is_list, items, text })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) const fn span(&self) -> Span {
        self.span
    }

    /// Returns the changes of the file that give the cell another source.
    pub(super) fn rewritten(&self, file: &str, new: &str) -> Vec<Splice> {
        let old: Vec<&str> = self.items.iter().map(|item| item.text.as_str()).collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let changed = capture_diff_slices(Algorithm::Myers, &old, &new).into_iter();
        let groups = changed.filter(|op| !matches!(op, DiffOp::Equal { .. }));
        let all: Vec<(std::ops::Range<usize>, &[&str])> =
            groups.map(|op| (op.old_range(), &new[op.new_range()])).collect();
        let is_whole = all.iter().map(|(range, _)| range.len()).sum::<usize>() == self.items.len();
        if self.is_list && is_whole && !all.is_empty() {
            let is_ascii = self.is_ascii(file, &(0..self.items.len()));
            let layout = Layout::of(file, self.span);
            return vec![Splice { span: self.span, text: layout.list(self.value, &new, is_ascii) }];
        }
        all.into_iter().map(|(range, lines)| self.splice(file, &range, lines)).collect()
    }

    /// Returns the change that replaces some items, not all of a list, by lines.
    fn splice(&self, file: &str, range: &std::ops::Range<usize>, lines: &[&str]) -> Splice {
        let is_ascii = self.is_ascii(file, range);
        let start = |at: usize| self.items.get(at).map_or(self.span.end() - 1, |item| item.span.start());
        if !self.is_list {
            let span = Span::new(start(range.start), start(range.end));
            let text = lines.iter().map(|line| render::escaped(line, is_ascii)).collect();
            return Splice { span, text };
        }
        let between = self.separator(file);
        let mut strings: Vec<String> = lines.iter().map(|line| render::string(line, is_ascii)).collect();
        let end = |at: usize| self.items[at].span.end();
        let span = match (range.is_empty(), strings.is_empty()) {
            (false, false) => Span::new(start(range.start), end(range.end - 1)),
            // The list keeps an item, before these or behind them.
            (false, true) if range.end < self.items.len() => Span::new(start(range.start), start(range.end)),
            (false, true) => Span::new(end(range.start - 1), end(range.end - 1)),
            (true, _) if range.end < self.items.len() => {
                strings.push(String::new());
                Span::new(start(range.start), start(range.start))
            }
            (true, _) => {
                strings.insert(0, String::new());
                Span::new(end(range.start - 1), end(range.start - 1))
            }
        };
        Splice { span, text: strings.join(&between) }
    }

    /// Returns the text between two strings of the list, which has at least one.
    fn separator(&self, file: &str) -> String {
        match &self.items[..] {
            [first, second, ..] => file[first.span.end()..second.span.start()].to_owned(),
            [only] if only.span.start() > self.span.start() + 1 => {
                format!(",{}", &file[self.span.start() + 1..only.span.start()])
            }
            _ => ", ".to_owned(),
        }
    }

    /// Returns whether characters beyond ASCII are escaped: in these items, or else in the source, or in the file.
    fn is_ascii(&self, file: &str, range: &std::ops::Range<usize>) -> bool {
        let of_items = || {
            let items = &self.items[range.clone()];
            let (first, last) = (items.first()?, items.last()?);
            render::is_ascii(&file[first.span.start()..last.span.end()])
        };
        of_items().or_else(|| render::is_ascii(self.value)).or_else(|| render::is_ascii(file)).unwrap_or_default()
    }
}

/// Splits the inside of a string of JSON into lines, which begin at `offset` in the file.
fn lines(inside: &str, offset: usize) -> Option<Vec<Item>> {
    let (mut items, mut start, mut at) = (Vec::new(), 0, 0);
    while at < inside.len() {
        let rest = &inside[at..];
        let (length, is_break) = match rest.as_bytes() {
            [b'\\', b'u', ..] => (6, rest.get(2..6).is_some_and(|digits| digits.eq_ignore_ascii_case("000a"))),
            [b'\\', kind, ..] => (2, *kind == b'n'),
            _ => (rest.chars().next()?.len_utf8(), false),
        };
        at += length;
        if is_break || at == inside.len() {
            let text = serde_json::from_str(&format!("\"{}\"", inside.get(start..at)?)).ok()?;
            items.push(Item { span: Span::new(offset + start, offset + at), text });
            start = at;
        }
    }
    Some(items)
}

/// Returns the span of a part of a text.
pub(super) fn span_of(text: &str, part: &str) -> Span {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    Span::new(start, start + part.len())
}
