//! `explain`: reports what every strategy of a ladder proposes, and why each proposal was accepted or rejected.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use fuzzy_edit::{Editor, Explained, Failure, Lookup};
use fuzzy_pipeline::Document;
use schemars::JsonSchema;
use serde::Serialize;

use super::locate::LookupOptions;
use crate::{link, output};

/// List the proposals of every strategy of the ladder, and why each is accepted or rejected
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    lookup: LookupOptions,
    /// Print only a link to the playground with the edit in it; the address is that of `fuzzy-edit playground`, or ADDRESS
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = link::ADDRESS)]
    #[arg(conflicts_with = "json")]
    link: Option<String>,
}

const AFTER_HELP: &str = "\
The exit code is 0 if the search can be explained, even if it finds no place.
For the ladder adaptive, old text and file are printed side by side. The mark between two lines is = if they are equal
and ~ if they differ, - for a line of the old text alone and + for a line of the file alone; blanks are visible where they
differ. With --new, each resulting line is labelled with its origin: file, new text, or merged. The features of the place
are listed with their weights in the log-odds that the place is right.

Examples:
  fuzzy-edit explain src/cart.py --old 'total += price'
  fuzzy-edit explain src/cart.py --old @old.txt --new @new.txt
  fuzzy-edit explain src/cart.py --old @old.txt --ladder full
  fuzzy-edit explain src/cart.py --first 'def sum(cart):' --last '    return cart'
  fuzzy-edit explain src/cart.py --old @old.txt --new @new.txt --link
  fuzzy-edit explain src/cart.py --old cart --all --json";

/// The trace of a search in a file.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ExplainedFile {
    status: &'static str,
    file_path: String,
    /// The encoding of the file.
    encoding: &'static str,
    /// Whether the encoding is a guess: the file does not declare it, and is not valid UTF-8.
    encoding_detected: bool,
    #[serde(flatten)]
    explained: Explained,
}

/// Searches and explains.
pub(crate) fn run(Arguments { lookup, link }: &Arguments) -> ExitCode {
    let path = &*lookup.file;
    if let Some(address) = link {
        let link = lookup.request().and_then(|(editor, request)| playground(address, &editor, &request));
        return match link {
            Ok(link) => output::answer_bytes(format!("{link}\n").as_bytes()),
            Err(failure) => output::failure(false, &failure),
        };
    }
    let explained = lookup.request().and_then(|(editor, request)| {
        explain(&editor, &request).map_err(|failure| Box::new(failure.about(path.to_string_lossy())))
    });
    match explained {
        Ok(explained) if lookup.json => output::answer(true, &explained, String::new),
        Ok(ExplainedFile { file_path, encoding, encoding_detected, explained, .. }) => {
            let likely = if encoding_detected { format!(" likely {encoding},") } else { String::new() };
            output::answer_paged(format!("`{file_path}`,{likely} {explained}").as_bytes())
        }
        Err(failure) => output::failure(lookup.json, &failure),
    }
}

/// Returns a link to the playground at an address. The part after `#` is not sent to it.
fn playground(address: &str, editor: &Editor, request: &Lookup) -> Result<String, Box<Failure>> {
    let no_link = |why: &str| {
        let next_step = "Use a smaller file with the lines around the edit, or explain without --link.";
        Box::new(Failure::bad_input(format!("there is no link: {why}"), next_step))
    };
    if request.quote.is_some() {
        return Err(no_link("the playground has no edits that name lines"));
    }
    let file = editor.workspace().read(&request.file_path)?;
    let edit = (&*request.old_string, request.new_string.as_deref().unwrap_or_default());
    let ladder = editor.pipeline().ladder().name();
    let fragment = link::fragment(file.text(), edit, request.replace_all, ladder).map_err(no_link)?;
    Ok(format!("{}#{fragment}", address.trim_end_matches('#')))
}

fn explain(editor: &Editor, request: &Lookup) -> Result<ExplainedFile, Box<Failure>> {
    let path = &*request.file_path;
    let file = editor.workspace().read(path)?;
    let searched = editor.searched(request, &file)?;
    let document = Document::new(searched.text());
    let attempt = editor.attempt_lookup(request, &file, &document)?;
    let deadline = editor.workspace().limits().deadline();
    let judgement = attempt.decide();
    let limit = editor.workspace().limits().max_bytes;
    let explained = Explained::of(&judgement, editor.pipeline().ladder(), limit, |span| searched.place(span))?;
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        // After a timeout, unfinished strategies would appear to have found nothing.
        return Err(Failure::of_search(&judgement, &fuzzy_pipeline::Failure::Deadline).into());
    }
    Ok(ExplainedFile {
        status: "explained",
        file_path: path.to_string_lossy().into_owned(),
        encoding: file.encoding().name(),
        encoding_detected: file.is_encoding_detected(),
        explained,
    })
}
