//! `locate`: says where an edit would land.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, Lines, TextFile, apply_within};
use fuzzy_pipeline::{Attempt, Document, Edit, LineRange, REPORTED, Span};
use schemars::JsonSchema;
use serde::Serialize;

use crate::options::Search;
use crate::output;

/// Say where an edit would land, and write nothing
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file to search
    file: PathBuf,
    /// The text to find, or @FILE to read it from a file as it is
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    old: String,
    /// The text to put there, or @FILE; with it the answer is about the edit that `apply` would make
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    new: Option<String>,
    /// Find every place that `apply --all` would replace
    #[arg(long)]
    all: bool,
    /// Print one report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit locate src/cart.py --old 'total += price'
  fuzzy-edit locate src/cart.py --old @old.txt --ladder full --json
  fuzzy-edit locate src/cart.py --old @old.txt --new @new.txt
  fuzzy-edit locate src/cart.py --old cart --all";

/// Where the text stands.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Located {
    status: &'static str,
    file_path: String,
    /// The strategy that found the place; none if the new text already stands there.
    strategy: Option<&'static str>,
    similarity: f64,
    confidence: f64,
    occurrences: usize,
    /// Whether the edit would change the file, if the new text is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<bool>,
    /// The first places.
    places: Vec<Place>,
    note: Option<String>,
}

/// One place in a file.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Place {
    pub(crate) lines: Lines,
    /// Start and end in the file, in bytes.
    pub(crate) bytes: (usize, usize),
}

impl Place {
    /// Makes the place of `span` in the text of a file that begins with `mark`.
    pub(crate) fn new(mark: &str, text: &str, span: Span) -> Self {
        let bytes = (mark.len() + span.start(), mark.len() + span.end());
        Self { lines: LineRange::of(text, span).into(), bytes }
    }
}

/// The texts of an edit that is asked about; without a new text, only where the old one stands.
pub(crate) struct Asked {
    old: String,
    new: Option<String>,
    replace_all: bool,
}

impl Asked {
    /// Reads the texts that the arguments give.
    pub(crate) fn new(search: &Search, old: &str, new: Option<&str>, replace_all: bool) -> Result<Self, Box<Failure>> {
        let new = new.map(|new| search.text("--new", new)).transpose()?;
        Ok(Self { old: search.text("--old", old)?, new, replace_all })
    }

    /// Says whether every place is asked for.
    pub(crate) const fn replace_all(&self) -> bool {
        self.replace_all
    }

    /// Says whether the new text is known.
    pub(crate) const fn is_whole(&self) -> bool {
        self.new.is_some()
    }

    /// Tries the edit on the text of a file.
    pub(crate) fn attempt<'a>(
        &'a self,
        editor: &'a Editor,
        file: &TextFile,
        document: &'a Document<'a>,
    ) -> Attempt<'a> {
        let (needle, replacement) = file.without_mark(&self.old, self.new.as_deref().unwrap_or_default());
        let attempt = editor.attempt(Edit { needle, replacement, replace_all: self.replace_all }, document);
        if self.is_whole() { attempt } else { attempt.by_needle_alone() }
    }
}

/// Searches and reports.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let Arguments { file, old, new, all, json, search } = arguments;
    let located = || {
        let editor = search.editor()?;
        let asked = Asked::new(search, old, new.as_deref(), *all)?;
        locate(&editor, file, &asked).map_err(|failure| Box::new(failure.about(file.to_string_lossy())))
    };
    match located() {
        Ok(located) => output::answer(*json, &located, || describe(&located)),
        Err(failure) => output::failure(*json, &failure),
    }
}

fn locate(editor: &Editor, path: &Path, asked: &Asked) -> Result<Located, Box<Failure>> {
    let file = editor.read(path)?;
    let document = Document::new(file.text());
    let attempt = asked.attempt(editor, &file, &document);
    let place = |span| Place::new(file.mark(), file.text(), span);
    let file_path = path.to_string_lossy().into_owned();
    match apply_within(&attempt, editor.limits().max_bytes)? {
        Ok(applied) => Ok(Located {
            status: "found",
            file_path,
            strategy: Some(applied.found.strategy),
            similarity: applied.found.similarity.get(),
            confidence: applied.found.confidence.get(),
            occurrences: applied.replaced.len(),
            changed: asked.is_whole().then(|| applied.output != file.text()),
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
        Err(failure) => Err(Failure::of_search(&attempt, &failure).into()),
    }
}

fn describe(located: &Located) -> String {
    let Located { status, file_path, similarity, .. } = located;
    let by = located.strategy.map_or_else(String::new, |name| format!(" ({name}, similarity {similarity:.3})"));
    let line = |place: &Place| {
        let (start, end) = place.bytes;
        format!("{}: `{file_path}` {}, bytes {start}..{end}{by}\n", status.replace('_', " "), place.lines)
    };
    let mut text: String = located.places.iter().map(line).collect();
    if located.occurrences > located.places.len() {
        let _ = writeln!(text, "and {} more", located.occurrences - located.places.len());
    }
    if let Some(note) = &located.note {
        let _ = writeln!(text, "{note}");
    }
    text
}
