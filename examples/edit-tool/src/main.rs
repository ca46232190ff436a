//! The edit tool of an agent: reads a call from each line of its input, and prints the answer for the model.

use std::error::Error;
use std::io::stdin;
use std::path::Path;

use fuzzy_edit::{Editor, Failure, Limits, PatchOptions, Root, Session, Tools, Workspace};
use fuzzy_pipeline::{Pipeline, ladder};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args().nth(1).ok_or("name the directory")?;
    let workspace = Workspace::new(Limits::default()).within(Root::open(Path::new(&root))?);
    let editor = Editor::new(workspace, Pipeline::new(ladder::adaptive()));
    // Remembers the files that the model read, and the edits that failed.
    let tools = Tools::new(editor, Session::default());
    for line in stdin().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        let text = answer(&tools, &call).unwrap_or_else(|failure| failure.for_model());
        println!("{}", json!({ "text": text }));
    }
    Ok(())
}

/// Carries out a call, and returns the text for the model.
fn answer(tools: &Tools, call: &Value) -> Result<String, Box<Failure>> {
    let arguments = &call["arguments"];
    let text = |name| arguments[name].as_str().unwrap_or_default();
    Ok(match call["tool"].as_str().unwrap_or_default() {
        "read" => tools.read(Path::new(text("path")))?,
        "undo" => tools.undo(None, false)?.for_model(),
        "patch" => tools.patch(text("patch"), &PatchOptions::default(), false)?.for_model(),
        _ => tools.edit(arguments.clone(), false)?.for_model(),
    })
}
