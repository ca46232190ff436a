//! One edit on one document, and its limits.

use std::cell::OnceCell;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::decider::{Question, Restored};
use crate::judgement::Judgement;
use crate::line_ending::{self, View};
use crate::outcome::Failure;
use crate::quote::{Ends, Quote};
use crate::ranges::{Request, without_blank_ends};
use crate::{Applied, Document, Edit, Pipeline, Query, Similarity};

impl<'e> Edit<'e> {
    /// Decides and makes the new text, without limits. [`attempt`](Self::attempt) has limits and reports.
    ///
    /// # Errors
    ///
    /// As [`Judgement::apply`].
    pub fn run(self, pipeline: &Pipeline, document: &Document<'_>) -> Result<Applied, Failure> {
        self.attempt(pipeline, document).apply()
    }

    /// Prepares the decision, for a caller that sets limits or reads reports; computes nothing.
    #[must_use]
    pub const fn attempt<'a>(self, pipeline: &'a Pipeline, document: &'a Document<'a>) -> Attempt<'a>
    where
        'e: 'a,
    {
        Attempt {
            edit: self,
            pipeline,
            document,
            without_new: false,
            least_confidence: Similarity::ZERO,
            deadline: None,
            cancelled: None,
            budget: None,
            view: OnceCell::new(),
            restored: OnceCell::new(),
            place: OnceCell::new(),
        }
    }
}

/// One edit on one document through one pipeline, with its limits.
///
/// A [`Judgement`] borrows from it: call [`decide`](Self::decide) once, and read the judgement.
#[derive(Debug)]
pub struct Attempt<'a> {
    edit: Edit<'a>,
    pipeline: &'a Pipeline,
    document: &'a Document<'a>,
    without_new: bool,
    least_confidence: Similarity,
    deadline: Option<Instant>,
    cancelled: Option<&'a AtomicBool>,
    budget: Option<u64>,
    view: OnceCell<NormalizedEdit>,
    restored: OnceCell<Option<Restored>>,
    /// The search for the new place of the lines, if the edit moves or copies them.
    place: OnceCell<Box<Self>>,
}

/// The edit and its text, with `\n` for every `\r\n`.
#[derive(Debug)]
struct NormalizedEdit {
    view: View,
    old: String,
    new: String,
    /// The quote of the last lines of a range.
    last: String,
}

impl<'a> Attempt<'a> {
    /// Sets the moment after which the search gives up.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets a flag that ends the search like a deadline, soon after the flag is set.
    #[must_use]
    pub const fn cancelled_by(mut self, flag: Option<&'a AtomicBool>) -> Self {
        self.cancelled = flag;
        self
    }

    /// Sets the number of steps after which the search gives up, as [`Query::with_budget`].
    #[must_use]
    pub const fn with_budget(mut self, steps: u64) -> Self {
        self.budget = Some(steps);
        self
    }

    /// Refuses matches with a confidence below `least`; with a similarity below it, if the ladder promises no
    /// confidence.
    #[must_use]
    pub const fn with_least_confidence(mut self, least: Similarity) -> Self {
        self.least_confidence = least;
        self
    }

    /// Ignores the new text, for a caller without one; it may be empty or the old text itself.
    ///
    /// The decision then depends on the old text alone. With `replace_all`, the places are those of a deletion.
    #[must_use]
    pub const fn without_new(mut self) -> Self {
        self.without_new = true;
        self
    }

    /// Decides. The judgement has every report about the edit; a second call decides again.
    ///
    /// Checks for identical texts first, then for an empty old text, then searches.
    #[must_use]
    pub fn decide(&self) -> Judgement<'_> {
        let Some(transfer) = &self.edit.transfer else { return self.decide_place(!self.without_new) };
        let lines = self.decide_place(false);
        if lines.found().is_err() {
            return lines;
        }
        let place = self.place.get_or_init(|| {
            let edit =
                if transfer.is_below { Edit::after(transfer.anchor, "") } else { Edit::before(transfer.anchor, "") };
            let place =
                edit.with_raw_endings(self.edit.raw_endings).attempt(self.pipeline, self.document).without_new();
            let place = place.with_least_confidence(self.least_confidence).with_deadline(self.deadline);
            Box::new(Self { budget: self.budget, ..place.cancelled_by(self.cancelled) })
        });
        let place = place.decide();
        // Its failure is about the lines beside the new place.
        if place.found().is_err() { place } else { lines.transferred(&place, transfer.kind) }
    }

    /// Decides where the edit lands, with its new text or without.
    fn decide_place(&self, has_new: bool) -> Judgement<'_> {
        if self.edit.quote != Quote::Whole {
            return self.decide_lines(has_new);
        }
        let (query, view) = self.query();
        let restored = self
            .restored
            .get_or_init(|| self.pipeline.ladder().decider().restore(&query, if has_new { self.edit.new } else { "" }));
        let (query, view) = match restored {
            Some(restored) => (self.limited(Query::new(self.document, &restored.old)), None),
            None => (query, view),
        };
        let new = restored.as_ref().map(|restored| &*restored.new).or(view.map(|normalized| &*normalized.new));
        let new = new.unwrap_or(self.edit.new);
        let question = Question {
            query,
            new: has_new.then_some(new),
            replace_all: self.edit.replace_all,
            line: self.edit.line,
            base: self.edit.base,
            restored: restored.as_ref(),
        };
        let view = view.map(|normalized| &normalized.view);
        Judgement::new(self.pipeline.ladder(), self.edit, self.document, question, view, self.least_confidence)
    }

    /// Decides an edit that names lines.
    fn decide_lines(&self, has_new: bool) -> Judgement<'_> {
        let given = match self.edit.quote {
            Quote::First(Ends { last, .. }) => last,
            _ => "",
        };
        let file = self.document.text();
        let has_crlf = [file, self.edit.old, given, self.edit.new].into_iter().any(line_ending::has_crlf);
        let view = (has_crlf && !self.edit.raw_endings).then(|| self.normalized());
        let (document, first, last, new) = match view {
            Some(NormalizedEdit { view, old, new, last }) => (&view.document, &**old, &**last, &**new),
            None => (self.document, self.edit.old, given, self.edit.new),
        };
        let ask = |quote| {
            let query = self.limited(Query::new(document, without_blank_ends(quote)));
            Question { query, new: None, replace_all: false, line: self.edit.line, base: None, restored: None }
        };
        let request = Request {
            quote: self.edit.quote,
            first,
            last,
            new: has_new.then_some(new),
            replace_all: self.edit.replace_all,
            least_confidence: self.least_confidence,
        };
        let view = view.map(|normalized| &normalized.view);
        let questions = (ask(first), ask(last));
        Judgement::of_lines(self.pipeline.ladder(), self.edit, self.document, questions, view, &request)
    }

    /// Decides and makes the new text, for a caller without need of reports.
    ///
    /// # Errors
    ///
    /// As [`Judgement::apply`].
    pub fn apply(&self) -> Result<Applied, Failure> {
        self.decide().apply()
    }

    /// Returns the query: on the file, or on the view if line endings have to be normalized.
    fn query(&self) -> (Query<'_>, Option<&NormalizedEdit>) {
        let as_given = self.limited(Query::new(self.document, self.edit.old));
        let is_fitted = self.pipeline.ladder().decider().fits_line_endings();
        if self.edit.raw_endings || is_fitted || !self.needs_view(&as_given) {
            return (as_given, None);
        }
        let normalized = self.normalized();
        (self.limited(Query::new(&normalized.view.document, &normalized.old)), Some(normalized))
    }

    /// Returns the edit and its text with `\n` for every `\r\n`.
    fn normalized(&self) -> &NormalizedEdit {
        self.view.get_or_init(|| {
            let last = match self.edit.quote {
                Quote::First(Ends { last, .. }) => last,
                _ => "",
            };
            let [old, new, last] =
                [self.edit.old, self.edit.new, last].map(|text| line_ending::to_lf(text).into_owned());
            NormalizedEdit { view: View::new(self.document.text()), old, new, last }
        })
    }

    /// Sets the query's limits.
    fn limited<'q>(&'q self, query: Query<'q>) -> Query<'q> {
        let query = query.with_deadline(self.deadline).cancelled_by(self.cancelled);
        match self.budget {
            Some(steps) => query.with_budget(steps),
            None => query,
        }
    }

    /// Returns whether the walk needs a view: there is a `\r\n`, and the old text does not occur exactly or its places
    /// count under either line ending.
    fn needs_view(&self, as_given: &Query<'_>) -> bool {
        let counts_either = self.edit.replace_all && self.edit.old.contains('\n');
        if !counts_either && as_given.first_exact().is_some() {
            return false;
        }
        line_ending::has_crlf(self.edit.old) || line_ending::has_crlf(self.document.text())
    }
}
