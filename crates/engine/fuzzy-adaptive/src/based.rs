//! Decides an edit by the file's past: a text that the file was when the edit was written.
//!
//! If the old text is not in the file, or is there several times, but stood exactly once in that text, its place is
//! known: the lines of the file between those that both texts share around it. The merge has a known base then, and no
//! place is guessed. Lines that the file changed there are conflicts, or are merged.

use std::ops::Range;

use fuzzy_core::{Document, Query, Question, Span, Splice, to_lf};
use fuzzy_locate::tears;
use fuzzy_merge::{LeftOut, is_word};
use memchr::memmem;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::decision::{Decision, Pasted};
use crate::exact;
use crate::rules::{changed_since, placeholder};
use crate::target::{Evidence, Target};

/// The most lines beside the old text's that the difference of the two texts may cover: a file that was rewritten has
/// no certain place.
const MAX_LINES_BESIDE: usize = 60;

/// The law of the ends of lines is about guessed places: a formatter that wraps lines moves their ends.
const EXEMPT: &[&str] = &["law-ends"];

/// The changed lines of both texts around the old text, without the line break of the last one.
struct Image {
    /// The bytes of the file.
    at: Range<usize>,
    /// The lines of the base, with the old text, and with the new one in its place.
    old: String,
    new: String,
    /// The bytes of the old text in the lines of the base.
    quoted: Range<usize>,
}

/// Decides about the place of an old text that stood exactly once in the base; none if it did not, or if its lines are
/// gone, and without a base or a new text.
pub(crate) fn decide(question: &Question<'_>, left_out: LeftOut) -> Option<Decision> {
    let Question { query, new, base, replace_all, .. } = question;
    let (base, new) = base.zip(*new).filter(|_| !replace_all)?;
    let Image { at, old, new: image, quoted, .. } = match Image::find(query, base, new)? {
        Ok(image) => image,
        // Whatever resembles the old text elsewhere is another place.
        Err(Gone) => return left_out.keep(&changed_since::RULE).map(Decision::uncertain),
    };
    if placeholder::check(query, new) {
        return Some(Decision::uncertain(&placeholder::RULE));
    }
    if query.text()[at.clone()] == old {
        // Only the place was in question.
        let span = Span::new(at.start + quoted.start, at.start + quoted.end);
        let text = image[quoted.start..image.len() - (old.len() - quoted.end)].to_owned();
        return Some(exact::pasted(query, vec![Pasted { splice: Splice { span, text }, adjustment: None }]));
    }
    if let Some(line) = replaced_line(&old, &image, &query.text()[at.clone()])
        && let Some(rule) = left_out.keep(&changed_since::RULE)
    {
        return Some(Decision::uncertain(rule).at(&at, 1.0).about(&query.text()[at], line));
    }
    let target = Target { query, left_out, at, old: &old, new: &image, is_past: true };
    Some(target.decide(&Evidence::Known { exempt: EXEMPT }))
}

/// Decides about an old text that the file has once, if the base shows that it was copied from elsewhere, or that the edit
/// is made already. The base never moves the edit.
pub(crate) fn decide_exact(question: &Question<'_>, left_out: LeftOut) -> Option<Decision> {
    let Question { query, new, base, replace_all, .. } = question;
    let (base, new) = base.zip(*new).filter(|_| !replace_all)?;
    let start = query.first_exact()?;
    let end = start + query.old().len();
    let image = Image::find(query, base, new)?.ok()?;
    let lines = &query.text()[image.at.clone()];
    if image.at.end <= start || end <= image.at.start {
        let rule = left_out.keep(&changed_since::RULE).filter(|_| image.resembles(lines))?;
        return Some(Decision::uncertain(rule).at(&image.at, 1.0).about(lines, query.old()));
    }
    let is_made = lines != image.old && lines == image.new;
    is_made.then(|| Decision::already_applied(&image.at))
}

/// The lines of an old text are gone from the file.
struct Gone;

impl Image {
    /// Returns whether some lines have at least half of the old lines.
    fn resembles(&self, lines: &str) -> bool {
        let shapes: Vec<String> = lines.lines().map(shape).collect();
        let quoted: Vec<String> = self.old.lines().map(shape).filter(|line| !line.is_empty()).collect();
        let kept = quoted.iter().filter(|line| shapes.contains(line)).count();
        2 * kept >= quoted.len()
    }

    /// Finds the old text in the base and the file's lines between the nearest lines around it that both texts share.
    fn find(query: &Query<'_>, base: &str, new: &str) -> Option<Result<Self, Gone>> {
        let (base, needle, new) = (to_lf(base), to_lf(query.old()), to_lf(new));
        let start = memmem::find(base.as_bytes(), needle.as_bytes())?;
        if memmem::find(&base.as_bytes()[start + 1..], needle.as_bytes()).is_some() {
            return None;
        }
        let end = start + needle.len();
        // The author saw no part of a word.
        let document = Document::new(&*base);
        if tears(&Query::new(&document, &needle), &(start..end)) {
            return None;
        }
        let count = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let first = count(&base[..start]);
        let last = count(&base[..end]) + usize::from(!needle.ends_with('\n'));
        let [ours, theirs] = [&*base, query.whole_text()].map(lines);
        let (from, to) = between(&ours, &theirs, first..last);
        if to.0 - from.0 > last - first + MAX_LINES_BESIDE {
            return None;
        }
        if from.1 >= to.1 {
            return Some(Err(Gone));
        }
        let bytes = |lines: &[&str], text: &str, range: Range<usize>| {
            let at = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
            at(lines[range.start])..at(lines[range.end - 1]) + lines[range.end - 1].len()
        };
        let mut in_base = bytes(&ours, &base, from.0..to.0);
        let mut at = bytes(&theirs, query.text(), from.1..to.1);
        if end > in_base.end {
            // The old text ends with the last line break.
            in_base.end = end;
            at.end += ["\r\n", "\n"].iter().find(|line_break| query.text()[at.end..].starts_with(**line_break))?.len();
        }
        let quoted = start - in_base.start..end - in_base.start;
        let old = base[in_base].to_owned();
        let new = [&old[..quoted.start], &new, &old[quoted.end..]].concat();
        Some(Ok(Self { at, old, new, quoted }))
    }
}

/// Returns a line of the base that the edit changes, and that the file has replaced by others: what the edit adds to it
/// would be a part of another line.
fn replaced_line<'t>(base: &'t str, edited: &'t str, file: &'t str) -> Option<&'t str> {
    let [base, edited, file] = [base, edited, file].map(lines);
    let since = capture_diff_slices(Algorithm::Myers, &base, &file);
    let is_replaced = |at: usize| {
        let op = since.iter().find(|op| op.old_range().contains(&at))?;
        let now: Vec<&str> = file[op.new_range()].iter().flat_map(|line| words(line)).collect();
        let kept = words(base[at]).filter(|word| now.contains(word)).count();
        (2 * kept < words(base[at]).count()).then_some(base[at])
    };
    let ops = capture_diff_slices(Algorithm::Myers, &base, &edited);
    ops.iter().filter(|op| matches!(op, DiffOp::Replace { .. })).flat_map(DiffOp::old_range).find_map(is_replaced)
}

/// Returns the words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|mark| !is_word(mark)).filter(|word| !word.is_empty())
}

/// Returns the lines of a text without their line breaks.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

/// Returns the first lines of both texts after the nearest shared line before some lines of the base, and the first
/// shared lines after them.
fn between(base: &[&str], file: &[&str], inner: Range<usize>) -> ((usize, usize), (usize, usize)) {
    let (mut from, to) = ((0, 0), (base.len(), file.len()));
    let [ours, theirs] = [base, file].map(|lines| lines.iter().map(|line| shape(line)).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Myers, &ours, &theirs) {
        let DiffOp::Equal { old_index, new_index, len } = op else { continue };
        // A blank line is shared by chance.
        let shared = (0..len).map(|at| (old_index + at, new_index + at)).filter(|(at, _)| !ours[*at].is_empty());
        for (at, image) in shared {
            if at < inner.start {
                from = (at + 1, image + 1);
            } else if at >= inner.end {
                return (from, (at, image));
            }
        }
    }
    (from, to)
}

/// Returns a line without all that a formatter changes inside a line: whitespace, the kind of quotes, a last comma or
/// semicolon.
fn shape(line: &str) -> String {
    let quoted = |mark| if matches!(mark, '\'' | '`') { '"' } else { mark };
    let shape: String = line.chars().filter(|mark| !mark.is_whitespace()).map(quoted).collect();
    shape.trim_end_matches([',', ';']).to_owned()
}
