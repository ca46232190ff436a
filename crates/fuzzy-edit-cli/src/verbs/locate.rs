//! `locate`: says where an edit would land.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, Lines, apply_within};
use fuzzy_pipeline::{Document, Edit, LineRange, REPORTED, Span};
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
  fuzzy-edit locate src/cart.py --old cart --all";

/// Where the text stands.
#[derive(Serialize)]
struct Located {
    status: &'static str,
    file_path: String,
    strategy: &'static str,
    similarity: f64,
    confidence: f64,
    occurrences: usize,
    /// The first places.
    places: Vec<Place>,
    note: Option<String>,
}

/// One place in a file.
#[derive(Serialize)]
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

/// Searches and reports.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let located = || {
        let editor = arguments.search.editor()?;
        let old = arguments.search.text("--old", &arguments.old)?;
        let about = |failure: Box<Failure>| Box::new(failure.about(arguments.file.to_string_lossy()));
        locate(&editor, &arguments.file, &old, arguments.all).map_err(about)
    };
    match located() {
        Ok(located) => output::answer(arguments.json, &located, || describe(&located)),
        Err(failure) => output::failure(arguments.json, &failure),
    }
}

fn locate(editor: &Editor, path: &Path, old: &str, replace_all: bool) -> Result<Located, Box<Failure>> {
    let file = editor.read(path)?;
    let (needle, _) = file.without_mark(old, "");
    // Identical texts are looked for before an empty one, so what is pasted must differ from either.
    let replacement = if needle.is_empty() { " " } else { "" };
    let document = Document::new(file.text());
    let edit = Edit { needle, replacement, replace_all };
    let attempt = edit.fit(editor.pipeline(), &document).with_deadline(editor.deadline());
    let applied =
        apply_within(&attempt, editor.limits().max_bytes)?.map_err(|failure| Failure::of_search(&attempt, &failure))?;
    let place = |span| Place::new(file.mark(), file.text(), span);
    Ok(Located {
        status: "found",
        file_path: path.to_string_lossy().into_owned(),
        strategy: applied.found.strategy,
        similarity: applied.found.similarity.get(),
        confidence: applied.found.confidence.get(),
        occurrences: applied.replaced.len(),
        places: applied.replaced.iter().take(REPORTED).map(|replaced| place(replaced.before)).collect(),
        note: applied.found.note(),
    })
}

fn describe(located: &Located) -> String {
    let Located { file_path, strategy, similarity, .. } = located;
    let line = |place: &Place| {
        let (start, end) = place.bytes;
        format!("found: `{file_path}` {}, bytes {start}..{end} ({strategy}, similarity {similarity:.3})\n", place.lines)
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
