//! Makes a plan: each operation on what the earlier ones made of its file.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use fuzzy_pipeline::{Applied, Document, Edit, LineRange, REPORTED, Replaced, Span};
use fuzzy_safe_write::sha256;

use crate::draft::Drafts;
use crate::landing::LastHunk;
use crate::operation;
use crate::plan::{Decision, Outcome};
use crate::written::Written;
use crate::{
    Code, Editor, Failure, FileEdit, FileError, Hunk, Limits, Operation, PathError, Plan, Session, Status, Success,
    TextFile, apply_within, unified_diff,
};

/// Makes a plan, operation by operation.
pub(crate) struct Planner<'a, 's> {
    pub(crate) editor: &'a Editor,
    pub(crate) session: &'s Session,
    pub(crate) drafts: Drafts<'a>,
    /// What was written so far, by draft.
    pub(crate) written: HashMap<usize, Written>,
    /// Where the last hunk landed.
    pub(crate) last: Option<LastHunk>,
    /// When to begin no more.
    deadline: Option<Instant>,
}

impl<'a, 's> Planner<'a, 's> {
    pub(crate) fn new(editor: &'a Editor, session: &'s Session) -> Self {
        let longest = editor.workspace().limits().timeout.checked_mul(Limits::SEARCHES);
        let deadline = longest.and_then(|longest| Instant::now().checked_add(longest));
        let drafts = Drafts::new(editor.workspace());
        Self { editor, session, drafts, written: HashMap::new(), last: None, deadline }
    }

    pub(crate) fn plan(mut self, operations: &'a [Operation]) -> Plan<'a> {
        let mut decisions = Vec::with_capacity(operations.len());
        let mut outcomes = Vec::with_capacity(operations.len());
        for number in 0..operations.len() {
            let mut decision = Decision::default();
            self.editor.tell(number, operations.len());
            outcomes.push(self.step(number, operations, &mut decision));
            decisions.push(decision);
        }
        // Only now every file that the request names is read.
        for (operation, outcome) in operations.iter().zip(&mut outcomes) {
            if let Err(failure) = outcome {
                if let Some(edit) = operation.edit()
                    && !self.is_late()
                {
                    self.look_elsewhere(edit, operations, failure);
                }
                let file_path = &mut failure.details.file_path;
                file_path.get_or_insert_with(|| operation.path().to_string_lossy().into_owned());
            }
        }
        let ladder = self.editor.pipeline().ladder().name();
        for ((operation, decision), outcome) in operations.iter().zip(&decisions).zip(&outcomes) {
            if let Some(edit) = operation.edit() {
                decision.tell(ladder, edit, outcome);
            }
        }
        Plan { editor: self.editor, operations, drafts: self.drafts, outcomes, decisions }
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Adds one of `operations` to the drafts.
    fn step(&mut self, number: usize, operations: &'a [Operation], decision: &mut Decision) -> Outcome {
        self.editor.workspace().check_wanted()?;
        // The first has its own limit.
        if number > 0 && self.is_late() {
            let message = format!("the operations before it ({number}) took the time that one request may take");
            let next_step = "Send fewer edits at a time, or raise the time limit.";
            return Err(Failure::new(Code::Timeout, message, next_step).into());
        }
        match &operations[number] {
            Operation::Edit(edit) => self.edit(number, edit, decision),
            Operation::Hunk(hunk) => {
                let same = |operation: &'a Operation| match operation {
                    Operation::Hunk(other) if other.edit.file_path == hunk.edit.file_path => Some(other),
                    _ => None,
                };
                let following: Vec<&Hunk> = operations[number + 1..].iter().map_while(same).collect();
                self.hunk(number, hunk, &following, decision)
            }
            Operation::Create { path, text } => self.create(number, path, text),
            Operation::Delete { path, text } => {
                let deleted = operation::delete(&mut self.drafts, path, text.as_deref())?;
                self.written.remove(&deleted.0);
                Ok(deleted)
            }
            Operation::Move { from, to } => {
                let source = self.drafts.find(from);
                let moved = operation::rename(&mut self.drafts, from, to)?;
                if let Some(written) = source.and_then(|source| self.written.remove(&source)) {
                    self.written.insert(moved.0, written);
                }
                Ok(moved)
            }
        }
    }

    /// Adds a new file to the drafts.
    pub(crate) fn create(&mut self, number: usize, path: &Path, text: &str) -> Outcome {
        let created = operation::create(&mut self.drafts, path, text, self.editor.workspace().limits().max_bytes)?;
        self.written.insert(created.0, Written::whole(number, text));
        Ok(created)
    }

    /// Adds one edit to the drafts.
    fn edit(&mut self, number: usize, edit: &FileEdit, decision: &mut Decision) -> Outcome {
        let path = &edit.file_path;
        let max_bytes = self.editor.workspace().limits().max_bytes;
        let index = self.drafts.open(path)?;
        if let Some(expected) = &edit.expected_hash {
            check_hash(edit, expected, self.drafts.before(index))?;
        }
        if edit.old_string.is_empty() && !edit.new_string.is_empty() {
            if !self.drafts.is_absent(index) {
                return Err(operation::empty_needle(path).into());
            }
            return self.create(number, path, &edit.new_string);
        }
        let (file, text) = self.drafts.text(index, path)?;
        decision.content_bytes = Some(text.len());
        decision.content = self.session.logs_texts().then(|| text.to_owned());

        let (needle, replacement) = file.without_mark(&edit.old_string, &edit.new_string);
        let request = Edit::new(needle, replacement).with_replace_all(edit.replace_all);
        let start = Instant::now();
        let document = Document::new(text);
        let attempt = self.editor.attempt(request, &document);
        let judgement = attempt.decide();
        let applied = apply_within(&judgement, max_bytes);
        decision.us = start.elapsed().as_nanos() as f64 / 1_000.0;
        let applied = match applied? {
            Ok(applied) => applied,
            Err(fuzzy_pipeline::Failure::AlreadyApplied { span }) => {
                return Ok((index, already_applied(edit, LineRange::of(text, span))));
            }
            Err(failure) => return Err(Failure::of_search(&judgement, &failure).into()),
        };
        // It holds the text that another takes the place of.
        drop(judgement);
        if let Some(expected) = edit.count
            && expected != applied.replaced.len()
        {
            return Err(count_mismatch(&applied, text, expected).into());
        }
        let written = self.written.entry(index).or_default();
        if let Some(earlier) = written.touched_loosely(&applied) {
            return Err(overlap(&applied, text, earlier, number).into());
        }
        file.encode(&applied.output)?;
        let success = success(edit, &file, text, &applied);
        written.add(number, &applied.replaced);
        self.drafts.put(index, file, applied.output);
        Ok((index, success))
    }

    /// Looks for a needle that is not where it should be in the other files that the request names or the session
    /// edited, and says where it occurs.
    fn look_elsewhere(&self, edit: &FileEdit, operations: &[Operation], failure: &mut Failure) {
        let is_lost = matches!(failure.code, Code::NotFound | Code::Refused) && failure.details.proposal.is_none();
        // A brace occurs in every file.
        if !is_lost || !edit.old_string.contains(char::is_alphanumeric) {
            return;
        }
        // Of a file that was not searched nothing is known.
        let Some(own) = self.drafts.find(&edit.file_path) else { return };
        let has_needle = |text: &str| stands_in(text, &edit.old_string);
        let named = operations.iter().map(Operation::path);
        let found = named.chain(self.session.edited()).find(|path| match self.drafts.find(path) {
            Some(index) if index == own => false,
            Some(index) => self.drafts.has_text(index, has_needle),
            None => self.editor.workspace().read(path).is_ok_and(|file| has_needle(file.text())),
        });
        if let Some(path) = found {
            let path = path.display();
            failure.code = Code::FoundInOtherFile;
            failure.message = format!("the old text is not in this file, but it stands in `{path}`");
            failure.next_step = format!("Send the edit with the path `{path}` if that is the file you mean.");
        }
    }
}

/// Says whether the file is still the one that the caller read.
fn check_hash(edit: &FileEdit, expected: &str, bytes: Option<&[u8]>) -> Result<(), Box<Failure>> {
    if expected.len() != 64 || !expected.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let next_step = "Give the SHA-256 of the file in hexadecimal, as reports have it in file_hash.";
        return Err(Failure::bad_input("the expected hash is no SHA-256", next_step).into());
    }
    let is_as_read = match bytes {
        Some(bytes) => expected.eq_ignore_ascii_case(&sha256(bytes)),
        // That it is missing is said by whoever looks for a text in it.
        None => !edit.old_string.is_empty(),
    };
    if is_as_read { Ok(()) } else { Err(FileError::from(PathError::Stale { path: edit.file_path.clone() }).into()) }
}

/// Returns whether a text holds the needle, under either line ending.
fn stands_in(text: &str, needle: &str) -> bool {
    let has_crlf = |text: &str| text.contains("\r\n");
    text.contains(needle)
        || ((has_crlf(text) || has_crlf(needle)) && text.replace("\r\n", "\n").contains(&needle.replace("\r\n", "\n")))
}

pub(crate) fn success(edit: &FileEdit, file: &TextFile, text: &str, applied: &Applied) -> Success {
    let diff = unified_diff(&edit.file_path.to_string_lossy(), &file.marked(text), &file.marked(&applied.output));
    let first = applied.replaced.first();
    let last = applied.replaced.last();
    let around = |side: fn(&Replaced) -> Span| match (first.map(side), last.map(side)) {
        (Some(first), Some(last)) => Span::new(first.start(), last.end()),
        _ => applied.found.span,
    };
    let before = LineRange::of(text, around(|place| place.before)).into();
    let after = LineRange::of(&applied.output, around(|place| place.after)).into();
    Success {
        strategy: Some(applied.found.strategy),
        similarity: applied.found.similarity.get(),
        confidence: applied.found.confidence.get(),
        occurrences: applied.replaced.len(),
        changed: applied.output != text,
        diff,
        note: fuzzy_report::note(&applied.found),
        ..Success::planned(&edit.file_path, before, after)
    }
}

pub(crate) fn already_applied(edit: &FileEdit, lines: LineRange) -> Success {
    Success {
        status: Status::AlreadyApplied,
        note: Some("the new text already stands there".to_owned()),
        ..Success::planned(&edit.file_path, lines.into(), lines.into())
    }
}

fn count_mismatch(applied: &Applied, text: &str, expected: usize) -> Failure {
    let count = applied.replaced.len();
    let message = format!("the old text stands in {count} places, not in {expected} as expected");
    let lines = |place: &Replaced| LineRange::of(text, place.before).into();
    let next_step = "Look at each place, then state how many are to be replaced.";
    Failure::new(Code::CountMismatch, message, next_step)
        .at(applied.replaced.iter().take(REPORTED).map(lines).collect(), count)
}

pub(crate) fn overlap(applied: &Applied, text: &str, earlier: usize, later: usize) -> Failure {
    let (earlier, later) = (earlier + 1, later + 1);
    let lines = LineRange::of(text, applied.found.span).into();
    let by = applied.found.strategy;
    let message = format!("edit {later} was found only by {by}, on text that edit {earlier} of this request wrote");
    let next_step = format!(
        "Make edits {earlier} and {later} one, or copy the old text of edit {later} from what edit {earlier} writes."
    );
    Failure::new(Code::Overlap, message, next_step).at(vec![lines], 1)
}
