//! Locates the place of an edit without applying it.

use fuzzy_pipeline::report::REPORTED;
use fuzzy_pipeline::{Attempt, Document, Edit, Quote, Span};
use fuzzy_plan::Sources;
use fuzzy_report::named_edit;

use crate::plan::noted;
use crate::suggest_path::suggest_paths;
use crate::{Cause, Editor, Failure, Located, Lookup, Place, TextFile, apply_within};

/// The text in which the edit of a lookup is searched: the sources of a notebook, or the text of a file.
#[derive(Debug)]
pub struct Searched<'f> {
    file: &'f TextFile,
    sources: Option<Sources<'f>>,
}

impl Searched<'_> {
    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.sources.as_ref().map_or(self.file.text(), Sources::text)
    }

    /// Returns where a span of the text is in the file.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        match self.sources.as_ref().and_then(|sources| sources.place(span)) {
            Some((source, cell)) => Place { cell: Some(Box::new(cell)), ..self.file.place(source) },
            None => self.file.place(span),
        }
    }
}

impl Editor {
    /// Returns the text in which the edit of a lookup is searched. As for an edit that is applied, these are the sources of
    /// a notebook if the old text is exact there or nowhere in the text of the file.
    ///
    /// # Errors
    ///
    /// As [`Editor::attempt_lookup`].
    pub fn searched<'f>(&self, lookup: &Lookup, file: &'f TextFile) -> Result<Searched<'f>, Box<Failure>> {
        let Some(sources) = Sources::read(&lookup.file_path, file.text()) else {
            return Ok(Searched { file, sources: None });
        };
        let found = |text: &str| {
            let document = Document::new(text);
            let found = self.attempt_lookup(lookup, file, &document)?.decide().found();
            Ok::<_, Box<Failure>>(found.map(|found| found.is_exact()).ok())
        };
        let is_of_cells = found(sources.text())? == Some(true) || found(file.text())?.is_none();
        Ok(Searched { file, sources: is_of_cells.then_some(sources) })
    }

    /// Attempts the edit of a lookup on a text of a file.
    ///
    /// # Errors
    ///
    /// Returns the failure of a quote that is not exactly one way to say where.
    pub fn attempt_lookup<'a>(
        &'a self,
        lookup: &'a Lookup,
        file: &TextFile,
        document: &'a Document<'a>,
    ) -> Result<Attempt<'a>, Box<Failure>> {
        let given = lookup.new_string.as_deref();
        let edit = if let Some(quote) = &lookup.quote {
            named_edit(quote, (file.mark(), document.text()), given.unwrap_or_default(), false)?.with_line(lookup.line)
        } else {
            let (old, new) = file.without_mark(&lookup.old_string, given.unwrap_or_default());
            Edit::new(old, new).with_replace_all(lookup.replace_all).with_line(lookup.line)
        };
        let attempt = self.attempt(edit, document);
        Ok(if given.is_some() { attempt } else { attempt.without_new() })
    }

    /// Returns the place of an edit; writes nothing.
    ///
    /// # Errors
    ///
    /// Returns the failure that [`Editor::plan`] would report for the edit.
    pub fn locate(&self, lookup: &Lookup) -> Result<Located, Box<Failure>> {
        self.search(lookup).map_err(|mut failure| {
            let path = &*lookup.file_path;
            suggest_paths(&mut failure, self.workspace(), path);
            Box::new(failure.about(path.to_string_lossy()))
        })
    }

    fn search(&self, lookup: &Lookup) -> Result<Located, Box<Failure>> {
        let path = &*lookup.file_path;
        let file = self.workspace().read(path)?;
        let searched = self.searched(lookup, &file)?;
        let document = Document::new(searched.text());
        let attempt = self.attempt_lookup(lookup, &file, &document)?;
        let file_path = path.to_string_lossy().into_owned();
        let (encoding, encoding_detected) = (file.encoding(), file.is_encoding_detected());
        let noted = |note| noted(note, encoding, encoding_detected);
        let encoding = encoding.name();
        let judgement = attempt.decide();
        self.workspace().check_wanted()?;
        let is_range = matches!(judgement.edit().quote, Quote::First(_));
        let text =
            judgement.named_lines().filter(|_| is_range).map(|named| named.lines.text(searched.text()).to_owned());
        match apply_within(&judgement, self.workspace().limits().max_bytes) {
            Ok(applied) => Ok(Located {
                status: "found",
                file_path,
                strategy: Some(applied.found.strategy),
                similarity: applied.found.similarity.get(),
                confidence: applied.found.confidence_or_similarity().get(),
                occurrences: applied.replaced.len(),
                changed: lookup.new_string.is_some().then(|| applied.output != searched.text()),
                places: match judgement.named_lines() {
                    Some(named) => vec![searched.place(named.lines)],
                    None => {
                        applied.replaced.iter().take(REPORTED).map(|replaced| searched.place(replaced.before)).collect()
                    }
                },
                text,
                encoding,
                encoding_detected,
                note: noted(fuzzy_report::note(
                    &applied.found,
                    judgement.edit().old,
                    applied.found.span.text(searched.text()),
                )),
            }),
            Err(Cause::Search(fuzzy_pipeline::Failure::AlreadyApplied { span })) => Ok(Located {
                status: "already_applied",
                file_path,
                strategy: None,
                similarity: 1.0,
                confidence: 1.0,
                occurrences: 0,
                changed: Some(false),
                places: vec![searched.place(span)],
                text: None,
                encoding,
                encoding_detected,
                note: noted(Some("the new text is already there; there is nothing to do".to_owned())),
            }),
            Err(cause) => Err(cause.failure(&judgement)),
        }
    }
}
