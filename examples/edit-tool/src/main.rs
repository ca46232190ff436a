//! The edit tool of an agent: reads a call from each line of its input, and prints the answer for the model.

use std::error::Error;
use std::io::stdin;
use std::path::Path;

use fuzzy_edit::{Editor, Failure, Limits, ListReport, Operation, Root, Session, Workspace, read_edits};
use fuzzy_pipeline::{Pipeline, ladder};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args().nth(1).ok_or("name the directory")?;
    let workspace = Workspace::new(Limits::default()).within(Root::open(Path::new(&root))?);
    let editor = Editor::new(workspace, Pipeline::new(ladder::adaptive()));
    // Remembers the files that the model read, and the edits that failed.
    let mut session = Session::default();
    for line in stdin().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        let text = answer(&editor, &mut session, &call).unwrap_or_else(|failure| failure.for_model());
        println!("{}", json!({ "text": text }));
    }
    Ok(())
}

/// Carries out a call, and returns the text for the model.
fn answer(editor: &Editor, session: &mut Session, call: &Value) -> Result<String, Box<Failure>> {
    let (files, arguments) = (editor.workspace(), &call["arguments"]);
    let text = |name| arguments[name].as_str().unwrap_or_default();
    let operations = match call["tool"].as_str().unwrap_or_default() {
        "read" => {
            let path = Path::new(text("path"));
            let file = files.read(path).map_err(|error| <Box<Failure>>::from(error).about(text("path")))?;
            session.remember(file.target(), file.text());
            return Ok(file.text().to_owned());
        }
        "undo" => return Ok(files.undo()?.for_model()),
        "patch" => files.read_patch(text("patch"), None)?,
        _ => {
            let bad = |error| Failure::bad_input(error, "Give edits with path, old and new.");
            let edits = read_edits(arguments.as_object().cloned().unwrap_or_default()).map_err(bad)?;
            edits.edits.into_iter().map(Operation::Edit).collect()
        }
    };
    Ok(ListReport::from(editor.apply(session, &operations)).for_model())
}
