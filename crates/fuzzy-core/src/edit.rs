//! An edit: what to look for, what to put there, and the text that comes of it.

mod report;

use std::cell::OnceCell;
use std::time::Instant;

use crate::landing::{Landing, Margin};
use crate::line_ending::{self, View};
use crate::outcome::{Failure, Match, Refusal};
use crate::{Document, Pipeline, Policy, Query, Similarity, Span};

/// What to look for and what to put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'e> {
    /// The text to replace, as the caller believes it stands in the file.
    pub needle: &'e str,
    /// The text to put there; always literal.
    pub replacement: &'e str,
    /// Whether every place is meant rather than the only one.
    pub replace_all: bool,
}

impl<'e> Edit<'e> {
    /// Tries the edit as it is: nothing is converted, and what is pasted is the replacement to the byte.
    #[must_use]
    pub const fn attempt<'a>(self, pipeline: &'a Pipeline, document: &'a Document<'a>) -> Attempt<'a>
    where
        'e: 'a,
    {
        Attempt {
            edit: self,
            pipeline,
            document,
            fits: false,
            by_needle: false,
            least_confidence: Similarity::ZERO,
            deadline: None,
            view: OnceCell::new(),
        }
    }

    /// Tries the edit with line endings fitted to the file.
    ///
    /// A needle that stands in the file is taken as it is. Otherwise, if the file or the needle has `\r\n`, the walk
    /// is made on a view with `\n` alone, and what is pasted takes the line ending of the lines it replaces, else of
    /// their neighbours, else the file's more frequent one. Every byte outside the replaced spans stays, and no
    /// `\r\n` is cut. `replace_all` counts occurrences under either ending.
    #[must_use]
    pub const fn fit<'a>(self, pipeline: &'a Pipeline, document: &'a Document<'a>) -> Attempt<'a>
    where
        'e: 'a,
    {
        Attempt {
            edit: self,
            pipeline,
            document,
            fits: true,
            by_needle: false,
            least_confidence: Similarity::ZERO,
            deadline: None,
            view: OnceCell::new(),
        }
    }
}

/// One edit on one document through one pipeline: decides, applies, and reports when asked.
///
/// All spans that it hands out are the document's.
#[derive(Debug)]
pub struct Attempt<'a> {
    edit: Edit<'a>,
    pipeline: &'a Pipeline,
    document: &'a Document<'a>,
    fits: bool,
    by_needle: bool,
    least_confidence: Similarity,
    deadline: Option<Instant>,
    view: OnceCell<FittedEdit>,
}

/// The edit and its haystack with `\n` for every `\r\n`.
#[derive(Debug)]
struct FittedEdit {
    view: View,
    needle: String,
    replacement: String,
}

impl<'a> Attempt<'a> {
    /// Sets the moment after which the search gives up.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Asks for a refusal where the match is less certain than `least`.
    #[must_use]
    pub const fn with_least_confidence(mut self, least: Similarity) -> Self {
        self.least_confidence = least;
        self
    }

    /// Looks at the needle alone, for a caller that has no replacement yet or does not say.
    ///
    /// Nothing is refused or found to be applied already because of the replacement, which may be empty or the needle
    /// itself. With `replace_all`, the places are those that a deletion would take.
    #[must_use]
    pub const fn by_needle_alone(mut self) -> Self {
        self.by_needle = true;
        self
    }

    /// Returns the edit.
    #[must_use]
    pub const fn edit(&self) -> Edit<'a> {
        self.edit
    }

    /// Returns the pipeline that decides.
    #[must_use]
    pub const fn pipeline(&self) -> &'a Pipeline {
        self.pipeline
    }

    /// Returns the document that is searched.
    #[must_use]
    pub const fn document(&self) -> &'a Document<'a> {
        self.document
    }

    /// Finds the place that is meant.
    ///
    /// # Errors
    ///
    /// Any [`Failure`]; identical texts come before an empty needle, and both before the search.
    pub fn locate(&self) -> Result<Match, Failure> {
        self.land().map(|(landing, _)| self.found_in_file(landing.found))
    }

    /// Makes the new text.
    ///
    /// # Errors
    ///
    /// As [`locate`](Self::locate), and a refusal where the ladder carries replacements over and cannot.
    pub fn apply(&self) -> Result<Applied, Failure> {
        let (landing, query) = self.land()?;
        if self.edit.replace_all && landing.splices.is_empty() {
            let text = landing.found.span.text(query.haystack());
            let spans = all_places(&query, text).map(|span| (span, self.replacement()));
            let applied = self.splice(landing.found, spans);
            // A deadline that passes while places are collected would leave some of them out.
            return query.stopped().map_or(Ok(applied), |stop| Err(stop.into()));
        }
        if landing.splices.is_empty() {
            return Ok(self.splice(landing.found, std::iter::once((landing.found.span, self.replacement()))));
        }
        Ok(self.splice(landing.found, landing.splices.iter().map(|splice| (splice.span, splice.text.as_str()))))
    }

    /// Says whether the search was made on a view with `\n` for `\r\n`.
    #[must_use]
    pub fn fitted(&self) -> bool {
        self.query();
        self.view.get().is_some()
    }

    /// Decides; all spans are in the query's text. No splice stands for the replacement as given.
    fn land(&self) -> Result<(Landing, Query<'_>), Failure> {
        if self.edit.needle == self.edit.replacement && !self.by_needle {
            return Err(Failure::Identical);
        }
        if self.edit.needle.is_empty() {
            return Err(Failure::EmptyNeedle);
        }
        let query = self.query();
        if !self.by_needle && self.view.get().is_some_and(|fitted| fitted.needle == fitted.replacement) {
            return Err(Failure::Identical);
        }
        let ladder = self.pipeline.ladder();
        let mut landing = match ladder.policy() {
            Policy::Margin(margin) if self.edit.replace_all || !self.by_needle => {
                let replacement = if self.by_needle { "" } else { self.edit.replacement };
                margin.land(&query, replacement, self.edit.replace_all)
            }
            _ => {
                self.pipeline.locate(&query, self.edit.replace_all).map(|found| Landing { found, splices: Vec::new() })
            }
        }?;
        if let Some(stop) = query.stopped() {
            return Err(stop.into());
        }
        let found = landing.found;
        if found.confidence < self.least_confidence {
            let refusal = Refusal::NotSure { confidence: found.confidence, least: self.least_confidence };
            return Err(Failure::Refused(refusal));
        }
        if let Some(carry_over) = ladder.carry_over()
            && !self.edit.replace_all
            && !self.by_needle
            && !found.is_exact()
        {
            let carried = carry_over.carry_over(query.haystack(), found.span, query.needle(), self.replacement());
            landing.splices = vec![carried.map_err(Failure::Refused)?];
        }
        Ok((landing, query))
    }

    /// Returns the policy that decides edits as a whole, if the ladder has it.
    fn margin(&self) -> Option<&'static dyn Margin> {
        match self.pipeline.ladder().policy() {
            Policy::Margin(margin) => Some(margin),
            _ => None,
        }
    }

    /// Returns the replacement as the query's text has it.
    fn replacement(&self) -> &str {
        self.view.get().map_or(self.edit.replacement, |fitted| &fitted.replacement)
    }

    /// Returns the query to walk: on the file, or on the view if endings have to be fitted.
    fn query(&self) -> Query<'_> {
        let as_given = Query::new(self.document, self.edit.needle).with_deadline(self.deadline);
        // The margin policy fits line endings itself, together with everything else.
        let is_margin = matches!(self.pipeline.ladder().policy(), Policy::Margin(_));
        if !self.fits || is_margin || !self.needs_view(&as_given) {
            return as_given;
        }
        let fitted = self.view.get_or_init(|| FittedEdit {
            view: View::new(self.document.text()),
            needle: line_ending::to_lf(self.edit.needle).into_owned(),
            replacement: line_ending::to_lf(self.edit.replacement).into_owned(),
        });
        Query::new(&fitted.view.document, &fitted.needle).with_deadline(self.deadline)
    }

    fn needs_view(&self, as_given: &Query<'_>) -> bool {
        let counts_either = self.edit.replace_all && self.edit.needle.contains('\n');
        if !counts_either && as_given.first_exact().is_some() {
            return false;
        }
        let has_crlf =
            |text: &str| memchr::memchr(b'\r', text.as_bytes()).is_some_and(|at| text[at..].contains("\r\n"));
        has_crlf(self.edit.needle) || has_crlf(self.document.text())
    }

    fn in_file(&self, span: Span) -> Span {
        self.view.get().map_or(span, |fitted| fitted.view.in_file(span))
    }

    fn found_in_file(&self, found: Match) -> Match {
        Match { span: self.in_file(found.span), ..found }
    }

    /// Puts texts in the place of spans of the query's text, which ascend and do not overlap.
    fn splice<'t>(&self, found: Match, splices: impl Iterator<Item = (Span, &'t str)>) -> Applied {
        let file = self.document.text();
        let mut output = String::with_capacity(file.len() + self.edit.replacement.len());
        let mut replaced = Vec::with_capacity(1);
        let mut rest = 0;
        for (span, text) in splices {
            let before = self.in_file(span);
            output.push_str(&file[rest..before.start()]);
            let start = output.len();
            match self.view.get() {
                Some(_) => output.push_str(&line_ending::paste(text, file, before)),
                None => output.push_str(text),
            }
            replaced.push(Replaced { before, after: Span::new(start, output.len()) });
            rest = before.end();
        }
        output.push_str(&file[rest..]);
        Applied { output, found: self.found_in_file(found), replaced }
    }
}

/// Returns every place of `text`, left to right, none overlapping the one before. An empty text stands at every
/// character boundary.
fn all_places<'t>(query: &'t Query<'_>, text: &'t str) -> impl Iterator<Item = Span> + 't {
    let haystack = query.haystack();
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

/// An edit that was carried out on a text; nothing is written anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The whole new text.
    pub output: String,
    /// Who found the place; with `replace_all`, the first one.
    pub found: Match,
    /// Every replaced place, top to bottom; one without `replace_all`.
    pub replaced: Vec<Replaced>,
}

/// One replaced place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Where the old text stood, in the old text.
    pub before: Span,
    /// Where the replacement stands, in the new text.
    pub after: Span,
}

impl Replaced {
    /// Returns the lines, counted from 1, that the place covers in the `old` text and in the `new` one.
    ///
    /// # Panics
    ///
    /// Panics if the texts are not those of the edit.
    #[must_use]
    pub fn lines(&self, old: &str, new: &str) -> (LineRange, LineRange) {
        (LineRange::of(old, self.before), LineRange::of(new, self.after))
    }
}

/// Lines of a text, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// The first line.
    pub first: usize,
    /// The last line; at least the first.
    pub last: usize,
}

impl LineRange {
    /// Returns the lines that `span` covers in `text`. A span that ends behind a `\n` does not cover the next line.
    ///
    /// # Panics
    ///
    /// Panics if the span does not lie in `text`.
    #[must_use]
    pub fn of(text: &str, span: Span) -> Self {
        let bytes = text.as_bytes();
        let newlines = |range: &[u8]| memchr::memchr_iter(b'\n', range).count();
        let first = 1 + newlines(&bytes[..span.start()]);
        let inner = bytes[span.range()].strip_suffix(b"\n").unwrap_or(&bytes[span.range()]);
        Self { first, last: first + newlines(inner) }
    }
}
