//! `apply`: carries out one edit, or a list of edits.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Code, Editor, Failure, FileEdit, Operation, Patience, Report, Session};
use fuzzy_pipeline::report::Proposal;
use fuzzy_report::{Edits, Remedy, read_edits};
use serde_json::{Map, Value};

use crate::cells::Cells;
use crate::named_lines::NamedLines;
use crate::output;
use crate::transfers::{self, Transfers};
use crate::verbs::before::Execution;

/// Replace a text in a file, or apply a list of edits
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file to edit
    #[arg(required_unless_present = "input", conflicts_with = "input")]
    file: Option<PathBuf>,
    /// The text to replace; @FILE reads it from a file, - from standard input
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["input", "first", "last", "after", "before", "lines", "cell", "insert_cell"])]
    #[arg(conflicts_with = "input")]
    old: Option<String>,
    #[command(flatten, next_help_heading = "Lines by their ends")]
    named: NamedLines,
    /// The replacement; @FILE or - as for --old
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["input", "delete_cell"], required_unless_present_any = transfers::NAMES)]
    #[arg(conflicts_with = "input")]
    new: Option<String>,
    #[command(flatten, next_help_heading = "Moves and copies")]
    transfers: Transfers,
    #[command(flatten, next_help_heading = "Cells of a notebook")]
    cells: Cells,
    /// Replace every occurrence; without it, there must be only one
    #[arg(long, conflicts_with = "input")]
    all: bool,
    /// Fail unless there are exactly N occurrences
    #[arg(long, value_name = "N", requires = "all")]
    count: Option<usize>,
    /// If several places match equally, prefer the one nearest to line N
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "all"])]
    line: Option<usize>,
    /// A file of JSON with one edit or an array of them, or - for standard input
    #[arg(long, value_name = "EDITS.JSON")]
    #[arg(conflicts_with_all = ["first", "last", "expected_lines", "after", "before", "lines"])]
    #[arg(conflicts_with_all = transfers::NAMES)]
    #[arg(conflicts_with_all = ["cell", "insert_cell", "cell_type", "delete_cell"])]
    input: Option<PathBuf>,
    /// Fail unless the file has this SHA-256, the `file_hash` of an earlier report
    #[arg(long, value_name = "HASH", conflicts_with = "input")]
    expected_hash: Option<String>,
    /// If the edit is refused with a proposal, show the proposal, and apply it
    #[arg(long, conflicts_with = "input")]
    accept: bool,
    #[command(flatten)]
    execution: Execution,
}

const AFTER_HELP: &str = "\
A list of edits is atomic: edits of one file apply in order, and if any edit fails, no file is written.
An edit in JSON is {\"file_path\": …, \"old_string\": …, \"new_string\": …}, optionally with \"replace_all\": true,
\"count\": the required number of occurrences, \"line\": the line where the old text probably begins, and
\"expected_hash\": the SHA-256 of the file as it was read. Its file must be beneath the root.
Instead of \"old_string\": \"first\" and \"last\", the ends of the lines to replace, with \"expected_lines\" if \"last\" occurs
several times; \"after\" or \"before\", a line beside which \"new_string\" is inserted; or \"lines\": [12, 30] with \"first\".
Instead of \"new_string\": \"move_to\" or \"copy_to\", {\"file_path\"?, \"after\" or \"before\"}, the new place of the lines.
In a notebook (.ipynb), the place is searched in the sources of the cells, or in \"cell\" alone, an id or a number from 1.
\"cell\" with \"new_string\" alone replaces a cell, \"insert_cell\": \"after\" inserts one, \"delete_cell\": true deletes it.
An empty old text creates a file, or fills an empty one. Write @@ for a text that begins with @.
The names of these fields in other tools (path, oldText, edits: […], …) are accepted, too.

Examples:
  fuzzy-edit apply src/cart.py --old 'total += price' --new 'total += price * count'
  fuzzy-edit apply src/cart.py --old @old.txt --new @new.txt -n -d
  fuzzy-edit apply src/cart.py --old @old.txt --new @new.txt --diff=trimmed
  fuzzy-edit apply src/cart.py --old 'total += price' --new 'total += 2 * price' --line 3
  echo 'total += 2 * price' | fuzzy-edit apply src/cart.py --old 'total += price' --new -
  fuzzy-edit apply src/cart.py --first 'def sum(cart):' --last '    return cart' --new @new.txt
  fuzzy-edit apply src/cart.py --after 'def sum(cart):' --new '    total = 0'
  fuzzy-edit apply src/cart.py --lines 1-4 --first 'def sum(cart):' --new @new.txt
  fuzzy-edit apply src/cart.py --first '    for price, count in cart:' --last '        total += price' --move-after '    return cart'
  fuzzy-edit apply src/cart.py --first 'def sum(cart):' --last '    return cart' --copy-to src/sum.py
  fuzzy-edit apply cart.ipynb --old 'total = 0' --new 'total = 1'
  fuzzy-edit apply cart.ipynb --cell 3 --insert-cell after --cell-type markdown --new '# Results'
  fuzzy-edit apply src/cart.py --old cart --new basket --all --count 3
  fuzzy-edit apply src/cart.py --old @old.txt --new @new.txt --min-confidence 0.95
  fuzzy-edit apply src/cart.py --old @old.txt --new @new.txt --accept
  fuzzy-edit apply src/cart.py --old @old.txt --new @new.txt --checkpoint
  fuzzy-edit apply --input edits.json --json
  echo '{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}' | fuzzy-edit apply --input -";

/// Carries out the edits and reports them.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    arguments.carry_out().unwrap_or_else(|failure| output::failure(arguments.execution.json, &failure))
}

impl Arguments {
    fn editor(&self) -> Result<Editor, Box<Failure>> {
        let Execution { search, writing, .. } = &self.execution;
        let search = search.settled()?;
        let workspace = search.workspace()?;
        // A file on the command line is permitted by naming it. A list may come from elsewhere, so its files must be
        // beneath the root.
        let is_list = self.input.is_some();
        search.editor(if is_list { writing.beneath_root(workspace)? } else { writing.of_named(workspace)? })
    }

    fn edits(&self) -> Result<Edits, Box<Failure>> {
        let search = &self.execution.search;
        if let Some(input) = &self.input {
            return parse(&search.input("--input", input, "Give a file of JSON in UTF-8, or - for standard input.")?);
        }
        let cell = self.cells.read();
        let quote = self.named.quote(search, self.old.is_some(), self.all)?;
        let transfer = self.transfers.read(search)?;
        let is_without_new = transfer.is_some() || cell.as_ref().is_some_and(|cell| cell.delete);
        let new = self.new.as_deref().or(is_without_new.then_some(""));
        let (Some(file), Some(new)) = (&self.file, new) else {
            // clap requires these two.
            return Err(Failure::bad_input("FILE and --new are required", "Read `fuzzy-edit apply --help`.").into());
        };
        let old = self.old.as_deref().map(|old| search.text("--old", old)).transpose()?.unwrap_or_default();
        let edit = FileEdit::new(file, old, search.text("--new", new)?);
        let edit =
            FileEdit { quote: quote.map(Box::new), transfer: transfer.map(Box::new), cell: cell.map(Box::new), ..edit };
        let edit = FileEdit { expected_hash: self.expected_hash.clone(), line: self.line, ..edit };
        let edit = if self.all { edit.everywhere(self.count) } else { edit };
        Ok(Edits { edits: vec![edit], is_list: false })
    }

    fn carry_out(&self) -> Result<ExitCode, Box<Failure>> {
        let editor = self.editor()?;
        let Edits { edits, is_list } = self.edits()?;
        let mut operations: Vec<Operation> = edits.into_iter().map(Operation::from).collect();
        if let Some(proposal) = self.accept.then(|| proposal(&editor, &operations)).flatten() {
            output::show(&output::proposed(&proposal));
            let edit = FileEdit { old_string: proposal.old, new_string: proposal.new, ..self.edits()?.edits.remove(0) };
            operations = vec![Operation::from(edit)];
        }
        self.execution.run(&editor, &operations, is_list, |failure| self.advise(failure))
    }

    /// Names the options of this command that help after a refusal.
    fn advise(&self, failure: &mut Failure) {
        if self.input.is_some() {
            return;
        }
        let at = &failure.details.ambiguous_at;
        if failure.details.proposal.is_some() {
            "If the proposal is the intended edit, add --accept.".clone_into(&mut failure.next_step);
        } else if failure.code == Code::Ambiguous && !at.is_empty() {
            let lines: Vec<String> = at.iter().take(LISTED).map(|lines| format!("--line {}", lines.first)).collect();
            let is_any = failure.details.remedy == Some(Remedy::AllPlaces);
            let all = if is_any { ", or --all to edit all of them" } else { "" };
            failure.next_step = format!("Select a place with {}{all}.", lines.join(" or "));
        }
    }
}

/// The most places that a next step names.
const LISTED: usize = 4;

/// Returns the proposal with which the only edit is refused.
fn proposal(editor: &Editor, operations: &[Operation]) -> Option<Proposal> {
    let mut session = Session::new(Patience::default());
    match editor.plan(&session, operations).dry_run(&mut session).pop() {
        Some(Report::Failure(failure)) => failure.details.proposal,
        _ => None,
    }
}

/// Parses one edit or an array of edits.
fn parse(text: &str) -> Result<Edits, Box<Failure>> {
    let edits = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(arguments)) => read_edits(arguments),
        Ok(Value::Array(items)) if items.is_empty() => Err("the array is empty".to_owned()),
        Ok(items @ Value::Array(_)) => read_edits(Map::from_iter([("edits".to_owned(), items)])),
        Ok(_) => Err("invalid type: expected an object or an array of objects".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    edits.map_err(|why| {
        let next_step = "Give one object, or an array of objects, with file_path, old_string, new_string and, to \
                         replace every occurrence, replace_all.";
        Box::new(Failure::bad_input(format!("--input: {why}"), next_step))
    })
}
