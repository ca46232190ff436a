//! `locate`: reports where an edit would land.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Editor, Failure, Located, Lookup, Place};
use fuzzy_report::{printable, printable_lines};

use crate::named_lines::NamedLines;
use crate::options::{Reach, Search};
use crate::output;

/// Print the place where an edit would land
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    lookup: LookupOptions,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit locate src/cart.py --old 'total += price'
  fuzzy-edit locate src/cart.py --old @old.txt --ladder full --json
  fuzzy-edit locate src/cart.py --old @old.txt --new @new.txt
  fuzzy-edit locate src/cart.py --first 'def sum(cart):' --last '    return cart'
  fuzzy-edit locate src/cart.py --old cart --all";

/// The edit to look up, and the options of the answer.
#[derive(Args)]
pub(crate) struct LookupOptions {
    /// The file to search
    pub(crate) file: PathBuf,
    /// The text to find; @FILE reads it from a file, - from standard input
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["first", "last", "after", "before", "lines"])]
    old: Option<String>,
    #[command(flatten)]
    named: NamedLines,
    /// The replacement; with it, the answer is that of `apply`
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    new: Option<String>,
    /// Find every occurrence that `apply --all` would replace
    #[arg(long)]
    all: bool,
    /// If several places match equally, prefer the one nearest to line N
    #[arg(long, value_name = "N", conflicts_with = "all")]
    line: Option<usize>,
    /// Print one report as JSON
    #[arg(short, long)]
    pub(crate) json: bool,
    #[command(flatten)]
    reach: Reach,
    #[command(flatten)]
    search: Search,
}

impl LookupOptions {
    /// Reads the texts of the edit; returns it with an editor that may read its file.
    pub(crate) fn request(&self) -> Result<(Editor, Lookup), Box<Failure>> {
        let search = self.search.settled()?;
        let editor = search.editor(self.reach.of_named(search.workspace()?)?)?;
        let new_string = self.new.as_deref().map(|new| self.search.text("--new", new)).transpose()?;
        let quote = self.named.quote(&self.search, self.old.is_some(), self.all)?.map(Box::new);
        let old_string = self.old.as_deref().map(|old| self.search.text("--old", old)).transpose()?.unwrap_or_default();
        let (file_path, replace_all, line) = (self.file.clone(), self.all, self.line);
        Ok((editor, Lookup { file_path, old_string, new_string, replace_all, line, quote }))
    }
}

/// Searches and reports.
pub(crate) fn run(Arguments { lookup }: &Arguments) -> ExitCode {
    match lookup.request().and_then(|(editor, request)| editor.locate(&request)) {
        Ok(located) => output::answer(lookup.json, &located, || describe(&located)),
        Err(failure) => output::failure(lookup.json, &failure),
    }
}

fn describe(located: &Located) -> String {
    let Located { status, file_path, .. } = located;
    let (status, file_path) = (status.replace('_', " "), printable(file_path));
    let by = located.strategy.map_or_else(String::new, |name| format!(" ({name})"));
    let mut text = String::new();
    for place @ Place { bytes: (start, end), .. } in &located.places {
        let _ = writeln!(text, "{status}: `{file_path}` {place}, bytes {start}..{end}{by}");
    }
    if located.occurrences > located.places.len() {
        let _ = writeln!(text, "and {} more", located.occurrences - located.places.len());
    }
    if let Some(note) = &located.note {
        let _ = writeln!(text, "{note}");
    }
    if let Some(range) = &located.text {
        let _ = writeln!(text, "{}", printable_lines(range));
    }
    text
}
