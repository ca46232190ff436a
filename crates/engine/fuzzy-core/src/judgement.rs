//! The decision about an edit, and every report about it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use crate::decider::{Decided, Explanation, Places, Question, Reason, Trace};
use crate::edit::{Applied, Edit, LineRange, Replaced};
use crate::landing::{Landing, Proposal, Splice};
use crate::line_ending::{self, View};
use crate::nearest::{self, Nearest};
use crate::outcome::{EXACT, Failure, Match, Refusal};
use crate::quote::Quote;
use crate::ranges::lines::FileLines;
use crate::ranges::{self, DecidedLines, NamedLines, Request};
use crate::score::ScoreBreakdown;
use crate::side_by_side::SideBySide;
use crate::structure::Arranged;
use crate::transfer::{Beside, Destination, TransferKind, Transferred, transfer};
use crate::{Candidate, Conflict, Document, Ladder, Query, RangeRefusal, Similarity, Span, blank};

/// The decision about one edit of one document.
///
/// The edit is decided once. Reports read the decision's trace and are computed on demand. All spans are in the
/// document.
pub struct Judgement<'q> {
    edit: Edit<'q>,
    document: &'q Document<'q>,
    question: Question<'q>,
    /// The searched view, if line endings were normalized.
    view: Option<&'q View>,
    result: Result<Landing, Failure>,
    /// None for an edit that needs no search: an invalid one, or the first text of an empty document.
    trace: Option<Box<dyn Trace + 'q>>,
    /// The lines of an edit that names them by their ends.
    named: Option<NamedLines>,
    /// The changes of the document that move or copy these lines.
    transferred: Option<Transferred>,
    arranged: Arranged,
    nearest: OnceCell<Option<Candidate>>,
    proposed: OnceCell<Option<Splice>>,
    places: OnceCell<Places>,
}

impl<'q> Judgement<'q> {
    pub(crate) fn new(
        ladder: &'q Ladder,
        edit: Edit<'q>,
        document: &'q Document<'q>,
        question: Question<'q>,
        view: Option<&'q View>,
        least_confidence: Similarity,
    ) -> Self {
        #[cfg(feature = "tracing")]
        let _span = crate::events::begin(ladder, &question);
        let (result, trace) = match invalid(&question) {
            Some(Failure::EmptyOld) if fills_document(ladder, &question) => {
                let all = Candidate::new(Span::new(0, 0), Similarity::ONE);
                (Ok(Landing { found: Match::new(EXACT, all), splices: None }), None)
            }
            Some(failure) => (Err(failure), None),
            None => {
                let Decided { result, trace } = ladder.decider().decide(ladder.strategies(), &question);
                (result.and_then(|landing| finish(ladder, &question, landing, least_confidence)), Some(trace))
            }
        };
        Self::decided(
            edit,
            document,
            question,
            view,
            DecidedLines { result, trace, named: None, arranged: Arranged::default() },
        )
    }

    /// Decides an edit that names lines. The questions are about the quotes of its first and its last lines.
    pub(crate) fn of_lines(
        ladder: &'q Ladder,
        edit: Edit<'q>,
        document: &'q Document<'q>,
        (question, of_last): (Question<'q>, Question<'q>),
        view: Option<&'q View>,
        request: &Request<'_>,
    ) -> Self {
        #[cfg(feature = "tracing")]
        let _span = crate::events::begin(ladder, &question);
        let decided = ranges::decide(ladder, &question, &of_last, request);
        Self::decided(edit, document, question, view, decided)
    }

    /// Makes the judgement of a decision, and reports its event.
    fn decided(
        edit: Edit<'q>,
        document: &'q Document<'q>,
        question: Question<'q>,
        view: Option<&'q View>,
        DecidedLines { result, trace, named, mut arranged }: DecidedLines<'q>,
    ) -> Self {
        #[cfg(feature = "tracing")]
        crate::events::emit(&result, trace.as_deref());
        arranged.for_each_span(|span| *span = view.map_or(*span, |view| view.in_file(*span)));
        Self {
            edit,
            document,
            question,
            view,
            result,
            trace,
            named,
            transferred: None,
            arranged,
            nearest: OnceCell::new(),
            proposed: OnceCell::new(),
            places: OnceCell::new(),
        }
    }

    /// Returns the given edit.
    #[must_use]
    pub const fn edit(&self) -> Edit<'q> {
        self.edit
    }

    /// Returns the searched document.
    #[must_use]
    pub const fn document(&self) -> &'q Document<'q> {
        self.document
    }

    /// Returns whether the search used a view of the document with `\n` for `\r\n`.
    #[must_use]
    pub const fn has_normalized_line_endings(&self) -> bool {
        self.view.is_some()
    }

    /// Returns whether the edit lands at one exact place, and the lines around it were all that its decision read.
    ///
    /// The same edit then lands in the same way in every text that has these lines, as [`Ladder::reach`] says, and in
    /// which the old text occurs only once.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let is_exact = self.result.as_ref().is_ok_and(|landing| landing.found.is_exact());
        self.edit.quote == Quote::Whole
            && is_exact
            && !self.question.replace_all
            && self.view.is_none()
            && self.question.restored.is_none()
            && !self.question.query.reads_whole()
    }

    /// Returns the number of steps spent so far, in the budget's unit.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.question.query.spent()
    }

    /// Returns the place and its strategy; with `replace_all`, the first place.
    ///
    /// # Errors
    ///
    /// Any [`Failure`].
    pub fn found(&self) -> Result<Match, Failure> {
        match &self.result {
            Ok(Landing { found, .. }) => {
                let moved = self.transferred.as_ref().map(|transferred| transferred.lines);
                Ok(Match { span: moved.unwrap_or_else(|| self.in_file(found.span)), ..*found })
            }
            Err(failure) => Err(self.failure_in_file(failure)),
        }
    }

    /// Returns the lines of an edit that names them by their ends, as far as they were found.
    #[must_use]
    pub fn named_lines(&self) -> Option<NamedLines> {
        let named = self.named?;
        Some(NamedLines { lines: self.in_file(named.lines), ..named })
    }

    /// Returns the other lines that the edit changes or moves together with its own.
    #[must_use]
    pub const fn arranged(&self) -> &Arranged {
        &self.arranged
    }

    /// Returns the whole lines of the place, without blank lines at their ends and without the last line break; for an
    /// insertion, the lines beside it.
    ///
    /// # Errors
    ///
    /// As [`found`](Self::found), and a place that is only a part of its lines.
    pub fn whole_lines(&self) -> Result<Span, Failure> {
        let found = self.found()?;
        if let Some(named) = self.named_lines() {
            return Ok(named.lines);
        }
        let lines = FileLines::new(self.document.text(), self.document.lines());
        let touched = lines.touched(found.span);
        let whole = lines.span(&touched);
        let outside = [whole.start()..found.span.start(), found.span.end().min(whole.end())..whole.end()];
        if !outside.into_iter().all(|part| blank::is_blank_text(&lines.text()[part])) {
            return Err(Failure::Range(RangeRefusal::PartOfLine { lines: whole, is_last: false }));
        }
        let solid = |at: &usize| !lines.is_blank(*at);
        match (touched.clone().find(solid), touched.rev().find(solid)) {
            (Some(first), Some(last)) => Ok(lines.span(&(first..last + 1))),
            _ => Err(Failure::Range(RangeRefusal::Blank { is_last: false })),
        }
    }

    /// Makes this judgement about some lines that of their transfer to the place of another one, in the same document.
    pub(crate) fn transferred(mut self, place: &Judgement<'_>, kind: TransferKind) -> Self {
        let is_below = place.edit.quote != Quote::Before;
        let lines = self.whole_lines().and_then(|lines| {
            let beside = Destination::Same(Beside { lines: place.whole_lines()?, is_below });
            transfer(self.document, lines, beside, kind)
        });
        match lines {
            Ok(lines) => {
                self.arranged = lines.arranged.clone();
                self.transferred = Some(lines);
            }
            // The spans of this failure are those of the document.
            Err(failure) => (self.result, self.view) = (Err(failure), None),
        }
        self
    }

    /// Returns the replaced spans and their new texts, top to bottom, without overlaps; builds no whole text. Without a
    /// new text the texts are empty.
    ///
    /// # Errors
    ///
    /// As [`found`](Self::found).
    pub fn splices(&self) -> Result<impl Iterator<Item = (Span, Cow<'_, str>)>, Failure> {
        let landing = self.result.as_ref().map_err(|failure| self.failure_in_file(failure))?;
        let given = self.question.new.unwrap_or_default();
        if let Some(Transferred { source, .. }) = &self.transferred {
            let splices = source.iter().map(|splice| (splice.span, Cow::Borrowed(splice.text.as_str())));
            return Ok(Box::new(splices) as Box<dyn Iterator<Item = (Span, Cow<'_, str>)>>);
        }
        let splices: Box<dyn Iterator<Item = (Span, &str)>> = match &landing.splices {
            Some(splices) => Box::new(splices.iter().map(|splice| (splice.span, splice.text.as_str()))),
            None if self.question.replace_all => {
                let text = landing.found.span.text(self.question.query.text());
                Box::new(all_places(&self.question.query, text).map(move |span| (span, given)))
            }
            None => Box::new(std::iter::once((landing.found.span, given))),
        };
        let file = self.document.text();
        Ok(Box::new(splices.map(move |(span, text)| match self.view {
            Some(view) => {
                let place = view.in_file(span);
                (place, line_ending::paste(text, file, place))
            }
            None => (span, Cow::Borrowed(text)),
        })))
    }

    /// Makes the new text.
    ///
    /// # Errors
    ///
    /// As [`found`](Self::found), and a deadline that passes while the places of `replace_all` are collected.
    pub fn apply(&self) -> Result<Applied, Failure> {
        let found = self.found()?;
        let file = self.document.text();
        let mut output = String::with_capacity(file.len() + self.edit.new.len());
        let mut replaced = Vec::with_capacity(1);
        let mut rest = 0;
        for (before, text) in self.splices()? {
            output.push_str(&file[rest..before.start()]);
            let start = output.len();
            output.push_str(&text);
            replaced.push(Replaced { before, after: Span::new(start, output.len()) });
            rest = before.end();
        }
        output.push_str(&file[rest..]);
        // Some of the places would be left out.
        let stopped = self.question.query.stopped().filter(|_| self.question.replace_all);
        stopped.map_or(Ok(Applied { output, found, replaced }), |stop| Err(stop.into()))
    }

    /// Returns the name of the rule that refuses the edit; none if it lands, is already applied or is out of time, and
    /// from deciders without named rules.
    #[must_use]
    pub fn rule(&self) -> Option<&'static str> {
        self.refusing()?.rule()
    }

    /// Returns the reason of that rule, with the texts that it is about.
    #[must_use]
    pub fn reason(&self) -> Option<Reason<'_>> {
        self.refusing()?.reason(&self.question)
    }

    /// Returns the trace of a decision that a rule may have refused.
    fn refusing(&self) -> Option<&(dyn Trace + 'q)> {
        match self.result {
            Err(Failure::NotFound | Failure::Ambiguous { .. } | Failure::Refused(_)) => self.trace.as_deref(),
            _ => None,
        }
    }

    /// Returns whether the edit's limits ended the search, or a report about it.
    #[must_use]
    pub fn is_out_of_time(&self) -> bool {
        self.question.query.stopped().is_some()
    }

    /// Returns the names of the strategies without a result.
    #[must_use]
    pub fn tried(&self) -> Vec<&'static str> {
        let trace = self.trace.as_ref().filter(|_| self.result.is_err());
        trace.map_or_else(Vec::new, |trace| trace.tried(&self.question))
    }

    /// Returns each strategy's candidates, its verdict and the reason.
    #[must_use]
    pub fn explain(&self) -> Vec<Explanation> {
        let mut explanations = self.trace.as_ref().map_or_else(Vec::new, |trace| trace.explain(&self.question));
        for candidate in explanations.iter_mut().flat_map(|explanation| &mut explanation.candidates) {
            candidate.span = self.in_file(candidate.span);
        }
        explanations
    }

    /// Returns the places of an ambiguous old text.
    #[must_use]
    pub fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let (Err(Failure::Ambiguous { .. }), Some(trace)) = (&self.result, &self.trace) else {
                return Places::default();
            };
            let mut places = trace.places(&self.question);
            places.spans.sort_unstable();
            for span in &mut places.spans {
                *span = self.in_file(*span);
            }
            places
        })
    }

    /// Returns the lines most similar to the old text, for a report about a missing one.
    ///
    /// Without a best place in the trace, takes at most about a tenth of a second, within the deadline. Returns none for
    /// an empty document or an empty old text.
    #[must_use]
    pub fn nearest(&self) -> Option<Nearest> {
        let Candidate { span, similarity } = self.nearest_in_query()?;
        let span = self.in_file(span);
        Some(Nearest { span, lines: LineRange::of(self.document.text(), span), similarity })
    }

    fn nearest_in_query(&self) -> Option<Candidate> {
        *self.nearest.get_or_init(|| {
            let best_place = self.trace.as_ref().and_then(|trace| trace.best_place(&self.question));
            best_place.or_else(|| nearest::nearest(&self.question.query))
        })
    }

    /// Returns the probably intended edit, if this one was refused for lack of evidence.
    #[must_use]
    pub fn proposal(&self) -> Option<Proposal> {
        let Splice { span, text } = self.proposed_splice()?;
        let old = span.text(self.question.query.text()).to_owned();
        Some(Proposal { old, new: text.clone() })
    }

    /// Returns the proposed splice, if the text under it occurs only once.
    fn proposed_splice(&self) -> Option<&Splice> {
        let proposed = self.proposed.get_or_init(|| {
            let is_wanted = self.question.new.is_some() && !self.question.replace_all;
            let splice = self.trace.as_ref()?.proposal(&self.question).filter(|_| is_wanted)?;
            let old = splice.span.text(self.question.query.text());
            let is_only = !blank::is_blank_text(old) && self.question.query.occurrences(old).take(2).count() == 1;
            is_only.then(|| splice.clone())
        });
        proposed.as_ref()
    }

    /// Returns the score of the best place, accepted or not, under a ladder that scores places. An old text that
    /// occurs exactly needs no score.
    #[must_use]
    pub fn score(&self) -> Option<ScoreBreakdown> {
        let score = self.trace.as_ref()?.score()?;
        let Some(view) = self.view else { return Some(score) };
        let span = view.in_file(score.splice.span);
        let text = line_ending::paste(&score.splice.text, self.document.text(), span).into_owned();
        Some(ScoreBreakdown { splice: Splice { span, text }, ..score })
    }

    /// Shows the old text beside the lines of its place, or beside the most similar ones, under a ladder that aligns
    /// them.
    ///
    /// Returns none under other ladders, and for an empty old text or document.
    #[must_use]
    pub fn side_by_side(&self) -> Option<SideBySide> {
        let trace = self.trace.as_ref().filter(|trace| trace.aligns())?;
        let (at, lands) = match &self.result {
            Ok(Landing { found, splices }) => (found.span, splices.as_ref().and_then(|splices| splices.first())),
            Err(Failure::Deadline) => return None,
            Err(Failure::AlreadyApplied { span } | Failure::Ambiguous { span, .. }) => (*span, None),
            Err(_) => (self.nearest_in_query()?.span, self.proposed_splice()),
        };
        trace.side_by_side(&self.question, at, lands.filter(|_| self.question.new.is_some()))
    }

    /// Converts a span in the searched text to one in the file.
    fn in_file(&self, span: Span) -> Span {
        self.view.map_or(span, |view| view.in_file(span))
    }

    /// Returns a failure with its spans in the file.
    fn failure_in_file(&self, failure: &Failure) -> Failure {
        let mut failure = failure.clone();
        match &mut failure {
            Failure::Ambiguous { span, .. } | Failure::AlreadyApplied { span } => *span = self.in_file(*span),
            Failure::Refused(Refusal::Conflict { conflicts }) => {
                for Conflict { file, lines, .. } in conflicts {
                    (*file, *lines) = (self.in_file(*file), self.in_file(*lines));
                }
            }
            Failure::Range(refusal) => refusal.for_each_span(|span| *span = self.in_file(*span)),
            _ => {}
        }
        failure
    }
}

impl fmt::Debug for Judgement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judgement").field("edit", &self.edit).field("result", &self.result).finish_non_exhaustive()
    }
}

/// Returns the failure of an edit that needs no search, if it is one.
fn invalid(question: &Question<'_>) -> Option<Failure> {
    let old = question.query.old();
    if question.new == Some(old) {
        return Some(Failure::Identical);
    }
    old.is_empty().then_some(Failure::EmptyOld)
}

/// Returns whether an empty old text is all of an empty document, under the ladders that say so.
fn fills_document(ladder: &Ladder, question: &Question<'_>) -> bool {
    let is_empty = question.query.text().is_empty() && question.new.is_some();
    is_empty && ladder.decider().fills_empty_documents()
}

/// Checks a landing's confidence, and merges its new text if the ladder has a merge.
fn finish(
    ladder: &Ladder,
    Question { query, new, replace_all, .. }: &Question<'_>,
    landing: Landing,
    least: Similarity,
) -> Result<Landing, Failure> {
    let found = landing.found;
    let confidence = found.confidence_or_similarity();
    if confidence < least {
        return Err(Failure::Refused(Refusal::LowConfidence { confidence, least }));
    }
    match (ladder.merge(), new) {
        (Some(merge), Some(new)) if !replace_all && !found.is_exact() => {
            let merged = merge.merge(query, found.span, new);
            if let Some(stop) = query.stopped() {
                return Err(stop.into());
            }
            Ok(Landing { splices: Some(vec![merged.map_err(Failure::Refused)?]), ..landing })
        }
        _ => Ok(landing),
    }
}

/// Returns every place of `text`, left to right, none overlapping the one before. An empty text is at every
/// character boundary.
fn all_places<'t>(query: &'t Query<'_>, text: &'t str) -> impl Iterator<Item = Span> + 't {
    let haystack = query.text();
    let mut boundary = text.is_empty().then_some(0);
    let mut places = query.occurrences(text);
    std::iter::from_fn(move || {
        if text.is_empty() {
            let at = boundary?;
            boundary = haystack[at..].chars().next().map(|c| at + c.len_utf8());
            return Some(Span::new(at, at));
        }
        let start = places.next()?;
        places.skip_to(start + text.len());
        Some(Span::new(start, start + text.len()))
    })
}
