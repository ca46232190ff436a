//! Tries edits with every ladder, and counts the answers.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use fuzzy_edit::{Cause, Code, Editor, apply_within};
use fuzzy_hosts::Sums;
use fuzzy_pipeline::Document;

use super::case::{Case, Hooked, Logged, Worth};
use super::groups::Columns;
use super::record::{At, Line, Record};
use super::report::{Disagreement, Failed, LadderAnswer, Unreadable};
use super::tally::{Answer, Listed, Tally};
use super::worst::{Tried, Worst};
use crate::output_file::OutputFile;

/// Returns the name of an editor's ladder.
pub(super) fn ladder(editor: &Editor) -> &'static str {
    editor.pipeline().ladder().name()
}

/// A file of failures that all threads write.
pub(super) type Failures = Mutex<BufWriter<OutputFile>>;

/// The state that all threads share.
pub(super) struct Run<'r> {
    pub(super) editors: &'r [Editor],
    pub(super) columns: &'r Columns,
    pub(super) failures: Option<&'r Failures>,
    /// Whether the worst answers are kept for a page.
    pub(super) has_page: bool,
}

/// The counts of one thread.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) edits: u64,
    pub(super) labelled: u64,
    pub(super) without_texts: u64,
    pub(super) left_out: BTreeMap<&'static str, u64>,
    pub(super) unreadable: Listed<Unreadable>,
    pub(super) hosts: Sums,
    pub(super) tallies: Vec<Tally>,
    pub(super) disagreements: Listed<Disagreement>,
    pub(super) worst: Worst,
}

impl Run<'_> {
    /// Tries lines until there are no more.
    pub(super) fn work(&self, lines: &Mutex<Receiver<Line>>) -> Counted {
        let mut counted = Counted::new(self);
        loop {
            let line = lines.lock().ok().and_then(|lines| lines.recv().ok());
            let Some(line) = line else { return counted };
            counted.add(self, &line);
        }
    }
}

impl Counted {
    pub(super) fn new(run: &Run<'_>) -> Self {
        let (ladders, columns) = (run.editors.len(), run.columns.names().len());
        Self { tallies: (0..ladders).map(|_| Tally::new(columns)).collect(), ..Self::default() }
    }

    pub(super) fn unreadable(&mut self, at: &At, why: String) {
        self.unreadable.add(at, Unreadable { source: at.source.to_string(), line: at.line, why });
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.edits += other.edits;
        self.labelled += other.labelled;
        self.without_texts += other.without_texts;
        self.unreadable.merge(other.unreadable);
        other.hosts.into_counts().iter().for_each(|count| self.hosts.add(count));
        for (tally, other) in self.tallies.iter_mut().zip(other.tallies) {
            tally.merge(other);
        }
        self.disagreements.merge(other.disagreements);
        self.worst.merge(other.worst);
    }

    /// Tries the edit of a line with every ladder.
    fn add(&mut self, run: &Run<'_>, line: &Line) {
        let bytes = match &line.record {
            Record::Case(case, groups) => return self.add_case(run, &line.at, case, groups),
            Record::Json(bytes) => bytes,
        };
        match serde_json::from_slice::<Case<'_>>(bytes) {
            Ok(case) if case.old.is_none() && case.quote.is_empty() => {
                self.add_unreadable(&line.at, bytes, "missing field `old`".to_owned());
            }
            Ok(case) => self.add_case(run, &line.at, &case, &run.columns.of_json(bytes)),
            Err(error) => self.add_unreadable(&line.at, bytes, error.to_string()),
        }
    }

    /// Counts a line that is no edit: one of a log without texts, or an unreadable one.
    fn add_unreadable(&mut self, at: &At, bytes: &[u8], why: String) {
        match serde_json::from_slice(bytes) {
            Ok(Logged { edit_hash, hooked }) if edit_hash.is_some() || hooked.is_some() => {
                self.without_texts += 1;
                self.hook(hooked.as_ref());
            }
            _ => self.unreadable(at, why),
        }
    }

    /// Counts an edit of a host.
    fn hook(&mut self, hooked: Option<&Hooked>) {
        if let Some(Hooked { host, model, outcome }) = hooked {
            self.hosts.add_edit(host, model, *outcome);
        }
    }

    fn add_case(&mut self, run: &Run<'_>, at: &At, case: &Case<'_>, groups: &[String]) {
        let editors = run.editors;
        self.edits += 1;
        self.hook(case.hooked.as_ref());
        let document = Document::new(&*case.content);
        let mut answers = Vec::with_capacity(editors.len());
        let mut outputs = Vec::with_capacity(editors.len());
        for (editor, tally) in editors.iter().zip(&mut self.tallies) {
            let (answer, output) = answer(editor, case, &document);
            let is_refused_first = answers.first().is_some_and(Answer::is_refusal);
            tally.add(&answer, case.drift.as_deref(), groups, is_refused_first);
            if let Some(failures) = run.failures {
                write_failure(failures, ladder(editor), at, case, &answer, output.as_deref());
            }
            answers.push(answer);
            outputs.push(output);
        }
        if run.has_page {
            let tried = Tried { at, case, document: &document, editors, answers: &answers, outputs: &outputs };
            self.worst.add(&tried);
        }
        self.labelled += u64::from(answers.first().is_some_and(|answer| answer.worth.is_some()));
        if outputs.windows(2).any(|pair| pair[0] != pair[1]) {
            let answers = editors.iter().zip(&answers).map(|(editor, answer)| LadderAnswer {
                ladder: ladder(editor),
                answer: answer.name(),
                worth: answer.worth,
            });
            let (id, source, answers) = (case.id.clone(), at.source.to_string(), answers.collect());
            let words = |output: &Option<String>| {
                output.as_ref().map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            };
            let only_whitespace =
                outputs.windows(2).all(|pair| pair[0].is_some() && words(&pair[0]) == words(&pair[1]));
            self.disagreements.add(at, Disagreement { id, source, line: at.line, only_whitespace, answers });
        }
    }
}

/// Writes an edit that was refused, or whose answer is not the expected one. The end of the
/// run reports an error.
fn write_failure(
    failures: &Failures,
    ladder: &'static str,
    at: &At,
    case: &Case<'_>,
    answer: &Answer,
    output: Option<&str>,
) {
    if answer.worth.map_or(!answer.is_refusal(), |worth| worth == Worth::Right) {
        return;
    }
    let Answer { strategy, code, rule, worth, .. } = *answer;
    let failed = Failed {
        id: &case.id,
        source: &at.source,
        line: at.line,
        drift: case.drift.as_deref(),
        ladder,
        output,
        code,
        rule,
        strategy,
        worth,
        content: &case.content,
        old: case.old.as_deref(),
        new: &case.new,
    };
    let mut line = serde_json::to_vec(&failed).unwrap_or_default();
    line.push(b'\n');
    let _ = failures.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
}

/// Returns a ladder's answer to an edit, and the resulting text unless it was refused.
fn answer(editor: &Editor, case: &Case<'_>, document: &Document<'_>) -> (Answer, Option<String>) {
    use fuzzy_pipeline::Failure::{AlreadyApplied, Ambiguous};

    let max_bytes = editor.workspace().limits().max_bytes;
    let start = Instant::now();
    let mut rule = None;
    // An edit that cannot be tried has a code and no cause.
    let result = match case.content.len() as u64 {
        length if length > max_bytes => Err((Code::TooLarge, None)),
        _ => match case.edit() {
            Ok(edit) => {
                let attempt = editor.attempt(edit, document);
                let judgement = attempt.decide();
                let result = apply_within(&judgement, max_bytes).map_err(|cause| (cause.code(), Some(cause)));
                rule = matches!(result, Err((_, Some(Cause::Search(_))))).then(|| judgement.rule()).flatten();
                result
            }
            Err(failure) => Err((failure.code, None)),
        },
    };
    let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let (strategy, code, output) = match result {
        Ok(applied) => (Some(applied.found.strategy), None, Some(applied.output)),
        Err((code, Some(Cause::Search(AlreadyApplied { .. })))) => (None, Some(code), Some(case.content.to_string())),
        Err((code, Some(Cause::Search(Ambiguous { strategy, .. })))) => (Some(strategy), Some(code), None),
        Err((code, _)) => (None, Some(code), None),
    };
    (Answer { strategy, code, rule, worth: case.worth(output.as_deref()), ns }, output)
}
