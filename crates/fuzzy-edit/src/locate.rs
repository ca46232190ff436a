//! Where an edit would land.

use std::path::Path;

use fuzzy_pipeline::{Attempt, Document, Edit, LineRange, REPORTED, Span};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Editor, Failure, Lines, TextFile, apply_within};

/// The texts of an edit that is asked about.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The text to look for.
    pub old_string: String,
    /// The text to put there; without it the question is only where the old one stands.
    pub new_string: Option<String>,
    /// Whether every place is meant.
    pub replace_all: bool,
}

/// Where the text stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Located {
    /// `found`, or `already_applied` if the new text already stands there.
    pub status: &'static str,
    /// The path as the caller gave it.
    pub file_path: String,
    /// The strategy that found the place; none if the new text already stands there.
    pub strategy: Option<&'static str>,
    /// How alike needle and place are under that strategy's rule, 0 to 1.
    pub similarity: f64,
    /// How sure it is that this is the place, 0 to 1.
    pub confidence: f64,
    /// How many places an edit would replace.
    pub occurrences: usize,
    /// Whether the edit would change the file, if the new text is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
    /// The first places.
    pub places: Vec<Place>,
    /// What the caller should know about a needle that did not match exactly.
    pub note: Option<String>,
}

/// One place in a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Place {
    /// Its lines.
    pub lines: Lines,
    /// Start and end in the file, in bytes.
    pub bytes: (usize, usize),
}

impl Place {
    /// Makes the place of `span` in the text of a file.
    ///
    /// # Panics
    ///
    /// Panics if the span does not lie in the text.
    #[must_use]
    pub fn new(file: &TextFile, span: Span) -> Self {
        let bytes = file.bytes_of(span);
        Self { lines: LineRange::of(file.text(), span).into(), bytes: (bytes.start, bytes.end) }
    }
}

impl Asked {
    /// Tries the edit on the text of a file.
    #[must_use]
    pub fn attempt<'a>(&'a self, editor: &'a Editor, file: &TextFile, document: &'a Document<'a>) -> Attempt<'a> {
        let (needle, replacement) = file.without_mark(&self.old_string, self.new_string.as_deref().unwrap_or_default());
        let attempt = editor.attempt(Edit::new(needle, replacement).with_replace_all(self.replace_all), document);
        if self.new_string.is_some() { attempt } else { attempt.by_needle_alone() }
    }
}

impl Editor {
    /// Says where an edit of the file at `path` would land; writes nothing.
    ///
    /// # Errors
    ///
    /// As [`Editor::plan`] would report of the edit.
    pub fn locate(&self, path: &Path, asked: &Asked) -> Result<Located, Box<Failure>> {
        self.search(path, asked).map_err(|failure| Box::new(failure.about(path.to_string_lossy())))
    }

    fn search(&self, path: &Path, asked: &Asked) -> Result<Located, Box<Failure>> {
        let file = self.read(path)?;
        let document = Document::new(file.text());
        let attempt = asked.attempt(self, &file, &document);
        let place = |span| Place::new(&file, span);
        let file_path = path.to_string_lossy().into_owned();
        let judgement = attempt.decide();
        match apply_within(&judgement, self.limits().max_bytes)? {
            Ok(applied) => Ok(Located {
                status: "found",
                file_path,
                strategy: Some(applied.found.strategy),
                similarity: applied.found.similarity.get(),
                confidence: applied.found.confidence.get(),
                occurrences: applied.replaced.len(),
                changed: asked.new_string.is_some().then(|| applied.output != file.text()),
                places: applied.replaced.iter().take(REPORTED).map(|replaced| place(replaced.before)).collect(),
                note: applied.found.note(),
            }),
            Err(fuzzy_pipeline::Failure::AlreadyApplied { span }) => Ok(Located {
                status: "already_applied",
                file_path,
                strategy: None,
                similarity: 1.0,
                confidence: 1.0,
                occurrences: 0,
                changed: Some(false),
                places: vec![place(span)],
                note: Some("the new text already stands there; there is nothing to do".to_owned()),
            }),
            Err(failure) => Err(Failure::of_search(&judgement, &failure).into()),
        }
    }
}
