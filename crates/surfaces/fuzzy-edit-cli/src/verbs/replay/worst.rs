//! The worst answers, for a page.

use std::collections::BTreeMap;

use fuzzy_edit::{Editor, apply_within};
use fuzzy_pipeline::Document;
use fuzzy_report::{excerpt, visible_blanks};

use super::case::{Case, Label, Worth};
use super::record::At;
use super::sides::{Row, side_by_side};
use super::tally::Answer;

/// The number of answers to keep.
const KEPT: usize = 100;

/// The most characters of a text in one line.
const WIDTH: usize = 200;

/// An edit with the answer of each ladder.
pub(super) struct Tried<'t> {
    pub(super) at: &'t At,
    pub(super) case: &'t Case<'t>,
    pub(super) document: &'t Document<'t>,
    pub(super) editors: &'t [Editor],
    pub(super) answers: &'t [Answer],
    pub(super) outputs: &'t [Option<String>],
}

/// The reason why an answer is bad, the worst one first. The first ladder is the one that is looked at; the others are
/// for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Badness {
    /// The first ladder produces another text than the expected one.
    Wrong,
    /// The first ladder refuses an edit whose expected text is known.
    Missed,
    /// The first ladder refuses an edit that another one carries out.
    Refused,
    /// Every ladder refuses the edit.
    RefusedByAll,
    /// Another ladder produces another text than the expected one.
    WrongElsewhere,
}

/// One of the worst answers, as the page shows it.
pub(super) struct Shown {
    pub(super) badness: Badness,
    pub(super) name: String,
    pub(super) source: String,
    pub(super) line: u64,
    /// Ladder, answer and verdict.
    pub(super) answers: Vec<(&'static str, &'static str, Option<Worth>)>,
    pub(super) rule: Option<&'static str>,
    /// The message of the refusal; none for a wrong text.
    pub(super) message: Option<String>,
    /// The titles of both sides.
    pub(super) titles: (String, String),
    pub(super) rows: Vec<Option<Row>>,
}

/// The worst answers by badness and position.
#[derive(Default)]
pub(super) struct Worst(BTreeMap<(Badness, usize, u64), Shown>);

impl Worst {
    /// Keeps an answer if it is one of the worst. Only then are its texts compared.
    pub(super) fn add(&mut self, tried: &Tried<'_>) {
        let Some((badness, ladder)) = tried.badness() else { return };
        let key = (badness, tried.at.file, tried.at.line);
        if self.0.len() >= KEPT && self.0.last_key_value().is_some_and(|(last, _)| *last < key) {
            return;
        }
        self.0.insert(key, tried.shown(badness, ladder));
        self.shorten();
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
        self.shorten();
    }

    fn shorten(&mut self) {
        while self.0.len() > KEPT {
            self.0.pop_last();
        }
    }

    /// Returns the worst answers, the worst one first.
    pub(super) fn into_list(self) -> Vec<Shown> {
        self.0.into_values().collect()
    }
}

impl Tried<'_> {
    /// Returns the badness of the answers, and the index of the ladder that shows it.
    fn badness(&self) -> Option<(Badness, usize)> {
        let first = self.answers.first()?;
        let wrong = self.answers.iter().position(|answer| answer.worth == Some(Worth::Wrong));
        let is_carried_out = self.answers.iter().any(|answer| answer.code.is_none());
        match (first.worth, wrong) {
            (Some(Worth::Wrong), _) => Some((Badness::Wrong, 0)),
            (Some(Worth::Missed), _) => Some((Badness::Missed, 0)),
            (_, Some(index)) => Some((Badness::WrongElsewhere, index)),
            (None, _) if first.is_refusal() && is_carried_out => Some((Badness::Refused, 0)),
            (None, _) if first.is_refusal() => Some((Badness::RefusedByAll, 0)),
            _ => None,
        }
    }

    fn shown(&self, badness: Badness, ladder: usize) -> Shown {
        let Self { at, case, editors, answers, .. } = self;
        let (titles, rows, message) = match (&self.outputs[ladder], &case.expected) {
            (Some(output), Label::Text(expected)) => {
                let titles = ("the expected text".to_owned(), format!("the text of {}", name(&editors[ladder])));
                (titles, side_by_side(expected, output, false), None)
            }
            (Some(output), _) => {
                let titles = (
                    "the file".to_owned(),
                    format!("the text of {}, where a refusal is expected", name(&editors[ladder])),
                );
                (titles, side_by_side(&case.content, output, false), None)
            }
            (None, _) => self.refused(&editors[ladder]),
        };
        let id = case.id.as_str().map_or_else(|| case.id.to_string(), str::to_owned);
        let names = editors.iter().zip(*answers).map(|(editor, answer)| (name(editor), answer.name(), answer.worth));
        Shown {
            badness,
            name: excerpt(&visible_blanks(&id, &id).0, 0, WIDTH),
            source: at.source.to_string(),
            line: at.line,
            answers: names.collect(),
            rule: answers[ladder].rule,
            message,
            titles,
            rows,
        }
    }

    /// Decides a refused edit again, for the lines that its failure names.
    fn refused(&self, editor: &Editor) -> ((String, String), Vec<Option<Row>>, Option<String>) {
        let case = self.case;
        let failure = match case.edit() {
            Ok(edit) => {
                let attempt = editor.attempt(edit, self.document);
                let judgement = attempt.decide();
                let applied = apply_within(&judgement, editor.workspace().limits().max_bytes);
                applied.err().map(|cause| cause.failure(&judgement))
            }
            Err(failure) => Some(failure),
        };
        let details = failure.as_ref().map(|failure| &failure.details);
        let lines = details.and_then(|details| {
            let nearest = details.nearest.as_ref().map(|nearest| nearest.lines);
            nearest.or(details.ambiguous_at.first().copied()).or(details.conflicts.first().map(|one| one.lines))
        });
        let old = case.old.as_deref().unwrap_or_default();
        let (title, region) = match lines {
            Some(lines) => {
                let region =
                    case.content.lines().skip(lines.first.saturating_sub(1)).take(lines.last + 1 - lines.first);
                (format!("{lines} of the file"), region.collect::<Vec<_>>().join("\n"))
            }
            None => ("the file has no similar lines".to_owned(), String::new()),
        };
        let message =
            failure.map(|failure| excerpt(&visible_blanks(&failure.message, &failure.message).0, 0, 2 * WIDTH));
        (("the old text".to_owned(), title), side_by_side(old, &region, true), message)
    }
}

fn name(editor: &Editor) -> &'static str {
    editor.pipeline().ladder().name()
}
