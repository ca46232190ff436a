//! Plans operations one by one, each on the results of the earlier ones.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use fuzzy_core::report::REPORTED;
use fuzzy_core::{Applied, Document, Edit, Failure as Search, LineRange, Span, Transfer};
use fuzzy_report::{
    Cause, Code, Failure, FileEdit, NewLines, Operation, PlaceError, Remedy, ReplacedLines, Status, Success,
    apply_within, arranged_note, named_edit, note,
};

use crate::diff::diff_between;
use crate::edited_ranges::EditedRanges;
use crate::landing::LastHunk;
use crate::operation::{self, Outcome};
use crate::options::now;
use crate::transfer_parts::{kind, no_place, written_lines};
use crate::{Drafts, Options, Text, refusal, without_mark};

/// The data of an edit for a log, besides its report.
#[derive(Debug, Default)]
pub struct Timing {
    /// Time that the decision and the edit of the text took, in microseconds; 0 without a clock.
    pub us: f64,
    /// Size of the text before the edit, in bytes of UTF-8.
    pub content_bytes: Option<usize>,
    /// The text before the edit, if [`keeping_texts`](Self::keeping_texts).
    pub content: Option<String>,
    keeps_texts: bool,
    began: Option<Instant>,
}

impl Timing {
    /// Stores the text before the edit, if `keeps_texts`.
    #[must_use]
    pub fn keeping_texts(keeps_texts: bool) -> Self {
        Self { keeps_texts, ..Self::default() }
    }

    pub(crate) fn begin(&mut self, text: &str) {
        self.content_bytes = Some(text.len());
        self.content = self.keeps_texts.then(|| text.to_owned());
        self.began = now();
    }

    pub(crate) fn end(&mut self) {
        self.us = self.began.map_or(0.0, |began| began.elapsed().as_nanos() as f64 / 1_000.0);
    }
}

/// Plans operations one by one, each on the results of the earlier ones.
#[derive(Debug)]
pub struct Planner<'r, D> {
    pub(crate) options: Options<'r>,
    pub(crate) drafts: D,
    /// The ranges that edits have written so far, by draft.
    pub(crate) written: HashMap<usize, EditedRanges>,
    /// The place of the previous hunk.
    pub(crate) last: Option<LastHunk>,
    /// The drafts of files that had to make room for others before their own move, by the drafts of their old places.
    aside: HashMap<usize, usize>,
    /// The time after which no operation is started.
    deadline: Option<Instant>,
    /// Whether the caller compares the expected hashes of edits with their files.
    checks_hashes: bool,
    /// The text that the file of the next edit was when the edit was written.
    base: Option<Arc<str>>,
}

impl<'r, D: Drafts> Planner<'r, D> {
    /// Starts a plan and its time limit.
    #[must_use]
    pub fn new(options: Options<'r>, drafts: D) -> Self {
        let deadline = options.limits.last_start();
        let (written, aside) = (HashMap::new(), HashMap::new());
        Self { options, drafts, written, last: None, aside, deadline, checks_hashes: false, base: None }
    }

    /// Trusts line numbers of edits with an expected hash, because the caller compares the hash with the file before each
    /// edit.
    #[must_use]
    pub fn checking_hashes(self) -> Self {
        Self { checks_hashes: true, ..self }
    }

    /// Sets the text that the file of the next edit was when the edit was written, as
    /// [`Edit::with_base`](fuzzy_core::Edit::with_base) uses it. A text that is the file's decides nothing.
    pub fn know(&mut self, base: Option<Arc<str>>) {
        self.base = base;
    }

    /// Returns the drafts with the results so far.
    pub const fn drafts(&mut self) -> &mut D {
        &mut self.drafts
    }

    /// Ends the plan and returns the drafts.
    #[must_use]
    pub fn into_drafts(self) -> D {
        self.drafts
    }

    /// Returns whether the time is over.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Plans the operation `number` of `operations`, after those before it; a failed operation changes no draft.
    ///
    /// # Errors
    ///
    /// Returns the reason why the operation cannot be planned.
    pub fn step(&mut self, number: usize, operations: &[Operation], timing: &mut Timing) -> Outcome {
        // The first operation has its own limit.
        if number > 0 && self.is_late() {
            let message = format!("the operations before it ({number}) used up the time limit of the request");
            let next_step = "Send fewer edits at a time, or raise the time limit.";
            return Err(Failure::new(Code::Timeout, message, next_step).with_remedy(Remedy::TimeLimit).into());
        }
        match &operations[number] {
            Operation::Edit(edit) => self.edit(number, edit, timing),
            Operation::Hunk(hunk) => self.hunk(number, hunk, &operations[number + 1..], timing),
            Operation::Create { path, text, executable } => {
                self.make_room(path, None, &operations[number + 1..])?;
                self.create(number, path, text, *executable)
            }
            Operation::Delete { path, text } => {
                let index = self.open(path)?;
                let deleted = operation::delete(&mut self.drafts, index, path, text.as_deref())?;
                self.written.remove(&deleted.0);
                Ok(deleted)
            }
            Operation::Move { from, to } => {
                let source = self.open(from)?;
                self.make_room(to, Some(source), &operations[number + 1..])?;
                let target = self.drafts.open(to)?;
                let moved = operation::rename(&mut self.drafts, source, from, target, to)?;
                self.move_written(source, target);
                let place = self.drafts.open(from)?;
                self.aside.remove(&place);
                Ok(moved)
            }
            Operation::Mode { path, executable } => {
                let index = self.open(path)?;
                operation::mode(&mut self.drafts, index, path, *executable)
            }
        }
    }

    /// Returns the draft of the file at `path`. If another file has taken that path, this is still the earlier file
    /// until it is moved away.
    pub(crate) fn open(&mut self, path: &Path) -> Result<usize, Box<Failure>> {
        let index = self.drafts.open(path)?;
        Ok(self.aside.get(&index).copied().unwrap_or(index))
    }

    /// Moves the file at `path` out of its place if a later operation moves it away: the names in a patch refer to the
    /// whole tree before and after it, so that two renamed files may exchange their names in any order.
    fn make_room(&mut self, path: &Path, source: Option<usize>, later: &[Operation]) -> Result<(), Box<Failure>> {
        let index = self.drafts.open(path)?;
        let is_taken = !self.drafts.is_absent(index) && source != Some(index) && !self.aside.contains_key(&index);
        let is_left = |from: &Path| from == path || self.drafts.find(from) == Some(index);
        let leaves = |later: &Operation| matches!(later, Operation::Move { from, .. } if is_left(from));
        if is_taken && later.iter().any(leaves) {
            let aside = self.drafts.set_aside(index);
            self.aside.insert(index, aside);
            self.move_written(index, aside);
        }
        Ok(())
    }

    /// Moves the written ranges of one draft to another.
    fn move_written(&mut self, from: usize, to: usize) {
        if let Some(written) = self.written.remove(&from) {
            self.written.insert(to, written);
        }
    }

    /// Adds a new file to the drafts.
    pub(crate) fn create(&mut self, number: usize, path: &Path, text: &str, executable: Option<bool>) -> Outcome {
        let limit = self.options.limits.max_bytes;
        if text.len() as u64 > limit {
            return Err(refusal::too_large(path, limit).into());
        }
        let index = self.drafts.open(path)?;
        let created = operation::create(&mut self.drafts, index, path, text, executable)?;
        self.written.insert(created.0, EditedRanges::whole(number, text));
        Ok(created)
    }

    /// Returns whether line numbers of an edit are those of the draft `index`, whose file the caller compared with the
    /// expected hash.
    pub(crate) fn is_as_read(&self, edit: &FileEdit, index: usize) -> bool {
        // Line numbers are those of the file as it was read, before any edit of this request.
        self.checks_hashes && edit.expected_hash.is_some() && !self.written.contains_key(&index)
    }

    /// Adds one edit to the drafts.
    fn edit(&mut self, number: usize, edit: &FileEdit, timing: &mut Timing) -> Outcome {
        let path = &edit.file_path;
        let base = self.base.take();
        let index = self.open(path)?;
        if let Some(done) = self.notebook(number, edit, index, timing)? {
            return Ok(done);
        }
        if edit.quote.is_none() && edit.old_string.is_empty() && edit.transfer.is_none() {
            if self.drafts.is_absent(index) || self.drafts.text(index, path)?.text.is_empty() {
                return self.create(number, path, &edit.new_string, None);
            }
            if !edit.new_string.is_empty() {
                return Err(operation::empty_old(path).into());
            }
        }
        if let Some(transfer) = &edit.transfer {
            if edit.count.is_some() {
                let error = PlaceError::Unwanted("count", transfer.name());
                return Err(Box::new(error.into()));
            }
            let to = transfer.to.file_path.as_ref().map_or(Ok(index), |path| self.open(path))?;
            if to != index {
                return self.transfer(number, edit, transfer, [index, to], timing);
            }
            if transfer.to.quote().is_none() {
                return Err(no_place(transfer).into());
            }
        }
        let is_as_read = self.is_as_read(edit, index);
        let Text { mark, text } = self.drafts.text(index, path)?;
        timing.begin(text);

        // The file itself proves only that it was so, not that the author saw it.
        let base = base.as_deref().filter(|base| *base != text);
        let request = request(edit, is_as_read, (mark, text))?.with_base(base);
        let document = Document::new(text);
        let attempt = self.options.attempt(request, &document);
        let judgement = attempt.decide();
        let applied = apply_within(&judgement, self.options.limits.max_bytes);
        timing.end();
        let applied = match applied {
            Ok(applied) => applied,
            Err(Cause::Search(Search::AlreadyApplied { span })) => {
                return Ok((index, already_applied(path, LineRange::of(text, span))));
            }
            Err(cause) => return Err(cause.failure(&judgement)),
        };
        let arranged = arranged_note(judgement.arranged(), text);
        // The judgement borrows the text that is about to be replaced.
        drop(judgement);
        if let Some(expected) = edit.count
            && expected != applied.replaced.len()
        {
            return Err(count_mismatch(&applied, text, expected).into());
        }
        let replaced = ReplacedLines::of(&request, text, &applied);
        let success = success(path, edit.searched(), mark, text, &applied);
        let success = match (&edit.quote, &edit.transfer) {
            (None, None) => success,
            _ => of_lines(success, edit.searched(), text, &applied, replaced),
        };
        let success = match &edit.transfer {
            Some(transfer) => of_transfer(success, text, &applied, transfer.is_copy),
            None => success,
        };
        let success = with_note(success, arranged);
        self.drafts.put(index, applied.output, &applied.replaced)?;
        self.written.entry(index).or_default().add(number, &applied.replaced);
        Ok((index, success))
    }
}

/// Makes the engine's edit of a text with this byte order mark.
pub(crate) fn request<'e>(
    edit: &'e FileEdit,
    is_as_read: bool,
    (mark, text): (&str, &str),
) -> Result<Edit<'e>, Box<Failure>> {
    let request = if let Some(quote) = &edit.quote {
        quote.check(!edit.old_string.is_empty(), edit.replace_all).map_err(|error| Box::new(error.into()))?;
        let request = named_edit(quote, (mark, text), &edit.new_string, is_as_read)?;
        request.with_line(edit.line.or(request.line))
    } else {
        let (old, new) = without_mark(mark, &edit.old_string, &edit.new_string);
        Edit::new(old, new).with_replace_all(edit.replace_all).with_line(edit.line)
    };
    let Some(transfer) = &edit.transfer else { return Ok(request) };
    let has_new = !edit.new_string.is_empty();
    let checked = transfer.check(edit.quote.as_deref(), edit.replace_all, has_new);
    checked.map_err(|error| Box::new(error.into()))?;
    let (anchor, is_below) = match (&transfer.to.after, &transfer.to.before) {
        (Some(anchor), _) => (anchor, true),
        (None, Some(anchor)) => (anchor, false),
        // A place in another file, which has no lines.
        (None, None) => return Ok(request),
    };
    let anchor = anchor.strip_prefix(mark).unwrap_or(anchor);
    Ok(request.with_transfer(Some(Transfer::new(kind(transfer), anchor, is_below))))
}

/// Adds the new place to the report of an edit that moves or copies lines in its file.
fn of_transfer(success: Success, text: &str, applied: &Applied, is_copy: bool) -> Success {
    let lines_after = written_lines(&applied.output, &applied.replaced).unwrap_or(success.lines_after);
    let new_lines = NewLines::new(Path::new(&success.file_path), lines_after, is_copy);
    let lines_before = LineRange::of(text, applied.found.span);
    Success { lines_before, lines_after, occurrences: 1, new_lines: Some(Box::new(new_lines)), ..success }
}

/// Makes the report of an applied edit.
pub(crate) fn success(path: &Path, old: &str, mark: &str, text: &str, applied: &Applied) -> Success {
    let first = applied.replaced.first();
    let last = applied.replaced.last();
    let same_start = mark.len() + first.map_or(0, |place| place.before.start());
    let same_end = last.map_or(0, |place| text.len() - place.before.end());
    let (before, after) = (marked(mark, text), marked(mark, &applied.output));
    let diff = diff_between(&path.to_string_lossy(), &before, &after, [same_start, same_end]);
    let (replaced, written) = match (first, last) {
        (Some(first), Some(last)) => {
            (Span::new(first.before.start(), last.before.end()), Span::new(first.after.start(), last.after.end()))
        }
        _ => (applied.found.span, applied.found.span),
    };
    let before = LineRange::of(text, replaced);
    let after = LineRange::of(&applied.output, written);
    Success {
        strategy: Some(applied.found.strategy),
        similarity: applied.found.similarity.get(),
        confidence: applied.found.confidence_or_similarity().get(),
        occurrences: applied.replaced.len(),
        changed: applied.output != text,
        diff,
        note: note(&applied.found, old, applied.found.span.text(text)),
        ..Success::planned(path, before, after)
    }
}

/// Adds the replaced lines to the report of an edit that names lines; the difference of the quote is that of its own lines.
fn of_lines(success: Success, quoted: &str, text: &str, applied: &Applied, replaced: Option<ReplacedLines>) -> Success {
    let quoted = quoted.trim_matches('\n');
    let place = applied.found.span.text(text);
    let lines: Vec<&str> = place.lines().take(quoted.lines().count()).collect();
    let note = note(&applied.found, quoted, &lines.join("\n"));
    Success { replaced: replaced.map(Box::new), note, ..success }
}

/// Adds a note to a report.
pub(crate) fn with_note(success: Success, note: Option<String>) -> Success {
    let notes: Vec<String> = success.note.into_iter().chain(note).collect();
    Success { note: (!notes.is_empty()).then(|| notes.join("\n")), ..success }
}

/// Returns a text with the byte order mark of its file.
fn marked<'t>(mark: &str, text: &'t str) -> Cow<'t, str> {
    if mark.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{mark}{text}")) }
}

/// Makes the report of an edit that was applied before.
pub(crate) fn already_applied(path: &Path, lines: LineRange) -> Success {
    Success {
        status: Status::AlreadyApplied,
        note: Some("the new text is already there".to_owned()),
        ..Success::planned(path, lines, lines)
    }
}

/// Makes the failure of an edit with another expected number of places.
pub(crate) fn count_mismatch(applied: &Applied, text: &str, expected: usize) -> Failure {
    let count = applied.replaced.len();
    let message = format!("the old text occurs in {count} places, not in {expected} as expected");
    let places = applied.replaced.iter().take(REPORTED);
    let next_step = "Check each place, then give the number of places to replace.";
    Failure::new(Code::CountMismatch, message, next_step)
        .at(places.map(|place| LineRange::of(text, place.before)).collect(), count)
}
