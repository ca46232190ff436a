//! Locates the place of an edit without applying it.

use fuzzy_pipeline::report::REPORTED;
use fuzzy_pipeline::{Attempt, Document, Edit, Quote};
use fuzzy_report::named_edit;

use crate::plan::noted;
use crate::suggest_path::suggest_paths;
use crate::{Editor, Failure, Located, Lookup, TextFile, apply_within};

impl Editor {
    /// Attempts the edit of a lookup on the text of a file.
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
            named_edit(quote, (file.mark(), file.text()), given.unwrap_or_default(), false)?.with_line(lookup.line)
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
        let document = Document::new(file.text());
        let attempt = self.attempt_lookup(lookup, &file, &document)?;
        let file_path = path.to_string_lossy().into_owned();
        let (encoding, encoding_detected) = (file.encoding(), file.is_encoding_detected());
        let noted = |note| noted(note, encoding, encoding_detected);
        let encoding = encoding.name();
        let judgement = attempt.decide();
        self.workspace().check_wanted()?;
        let is_range = matches!(judgement.edit().quote, Quote::First(_));
        let text = judgement.named_lines().filter(|_| is_range).map(|named| named.lines.text(file.text()).to_owned());
        match apply_within(&judgement, self.workspace().limits().max_bytes)? {
            Ok(applied) => Ok(Located {
                status: "found",
                file_path,
                strategy: Some(applied.found.strategy),
                similarity: applied.found.similarity.get(),
                confidence: applied.found.confidence_or_similarity().get(),
                occurrences: applied.replaced.len(),
                changed: lookup.new_string.is_some().then(|| applied.output != file.text()),
                places: match judgement.named_lines() {
                    Some(named) => vec![file.place(named.lines)],
                    None => {
                        applied.replaced.iter().take(REPORTED).map(|replaced| file.place(replaced.before)).collect()
                    }
                },
                text,
                encoding,
                encoding_detected,
                note: noted(fuzzy_report::note(
                    &applied.found,
                    judgement.edit().old,
                    applied.found.span.text(file.text()),
                )),
            }),
            Err(fuzzy_pipeline::Failure::AlreadyApplied { span }) => Ok(Located {
                status: "already_applied",
                file_path,
                strategy: None,
                similarity: 1.0,
                confidence: 1.0,
                occurrences: 0,
                changed: Some(false),
                places: vec![file.place(span)],
                text: None,
                encoding,
                encoding_detected,
                note: noted(Some("the new text is already there; there is nothing to do".to_owned())),
            }),
            Err(failure) => Err(Failure::of_search(&judgement, &failure).into()),
        }
    }
}
