//! `locate`: says where an edit would land.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Asked, Failure, Located, Place};

use crate::options::{Reach, Search};
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
    reach: Reach,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit locate src/cart.py --old 'total += price'
  fuzzy-edit locate src/cart.py --old @old.txt --ladder full --json
  fuzzy-edit locate src/cart.py --old @old.txt --new @new.txt
  fuzzy-edit locate src/cart.py --old cart --all";

/// Reads the texts of the edit that the arguments ask about.
pub(crate) fn asked(search: &Search, old: &str, new: Option<&str>, replace_all: bool) -> Result<Asked, Box<Failure>> {
    let new = new.map(|new| search.text("--new", new)).transpose()?;
    Ok(Asked { old_string: search.text("--old", old)?, new_string: new, replace_all })
}

/// Searches and reports.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let Arguments { file, old, new, all, json, reach, search } = arguments;
    let located = || {
        let editor = search.editor(reach.of_named(search.workspace()?)?)?;
        editor.locate(file, &asked(search, old, new.as_deref(), *all)?)
    };
    match located() {
        Ok(located) => output::answer(*json, &located, || describe(&located)),
        Err(failure) => output::failure(*json, &failure),
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
