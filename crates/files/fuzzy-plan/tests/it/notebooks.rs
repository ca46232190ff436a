//! Notebooks: edits by the sources of their cells change these alone, and keep every other byte.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_pipeline::{Document, Edit, Pipeline, ladder};
use fuzzy_plan::{Limits, Options, Texts};
use fuzzy_report::{CellEdit, CellType, FileEdit, LineQuote, LineTransfer, NewPlace, Operation, Report, Side, Success};
use proptest::prelude::*;
use serde::Serialize as _;
use serde_json::{Value, json};

const NAME: &str = "a.ipynb";

/// Returns the notebook after an edit, and the note of the report; or the failure.
fn edited(text: &str, edit: FileEdit) -> Result<(String, Success), String> {
    let pipeline = Pipeline::new(ladder::adaptive());
    let mut texts = Texts::default().with(NAME, text);
    let reports = texts.apply(&Options::new(&pipeline, Limits::default()), &[Operation::Edit(edit)]);
    let output = texts.changes().next().map_or_else(|| text.to_owned(), |(_, text)| text.unwrap().to_owned());
    match reports.into_iter().next().unwrap() {
        Report::Success(success) => Ok((output, success)),
        Report::Failure(failure) => Err(failure.to_string()),
    }
}

fn edit(old: &str, new: &str) -> FileEdit {
    FileEdit::new(Path::new(NAME), old, new)
}

fn of_lines(quote: LineQuote, new: &str) -> FileEdit {
    FileEdit::of_lines(Path::new(NAME), quote, new)
}

/// A notebook as Jupyter saves it.
const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# A cart"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "cart",
   "metadata": {},
   "outputs": [
    {
     "data": {
      "text/plain": [
       "total = 0"
      ]
     },
     "output_type": "display_data"
    }
   ],
   "source": [
    "def total(cart):\n",
    "    \"\"\"Returns the gr\u00f6\u00dfe.\"\"\"\n",
    "    return sum(cart)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "empty",
   "metadata": {},
   "outputs": [],
   "source": []
  },
  {
   "cell_type": "raw",
   "id": "text",
   "metadata": {},
   "source": "one line\nanother \u00e9\nthe last"
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

/// Replaces a part of the notebook that occurs once.
fn with(old: &str, new: &str) -> String {
    assert_eq!(NOTEBOOK.matches(old).count(), 1, "{old}");
    NOTEBOOK.replace(old, new)
}

#[test]
fn only_the_strings_of_changed_lines_are_written() {
    let cases = [
        // A piece of a line becomes two lines, and a quotation mark is escaped.
        (
            edit("    return sum(cart)", "    print(\"x\\n\")\n    return 0"),
            with("    \"    return sum(cart)\"\n", "    \"    print(\\\"x\\\\n\\\")\\n\",\n    \"    return 0\"\n"),
        ),
        // Two lines of a list, as an agent reads them, with an inexact blank.
        (
            edit(
                "def total( cart ):\n    \"\"\"Returns the größe.\"\"\"",
                "def total(cart):\n    \"\"\"Returns the maß.\"\"\"",
            ),
            with("gr\\u00f6\\u00dfe", "ma\\u00df"),
        ),
        // A range, an insertion, and a deletion.
        (
            of_lines(LineQuote::range("def total(cart):", "    return sum(cart)"), "total = sum"),
            with(
                "    \"def total(cart):\\n\",\n    \"    \\\"\\\"\\\"Returns the gr\\u00f6\\u00dfe.\\\"\\\"\\\"\\n\",\n    \"    return sum(cart)\"\n",
                "    \"total = sum\"\n",
            ),
        ),
        (
            of_lines(LineQuote::after("    return sum(cart)"), "\nprint(1)"),
            with(
                "    \"    return sum(cart)\"\n",
                "    \"    return sum(cart)\\n\",\n    \"\\n\",\n    \"print(1)\"\n",
            ),
        ),
        (
            of_lines(LineQuote::before("# A cart"), "# Shop\n"),
            with("    \"# A cart\"\n", "    \"# Shop\\n\",\n    \"# A cart\"\n"),
        ),
        (
            of_lines(LineQuote::range("    return sum(cart)", "    return sum(cart)"), ""),
            with(
                "    \"    \\\"\\\"\\\"Returns the gr\\u00f6\\u00dfe.\\\"\\\"\\\"\\n\",\n    \"    return sum(cart)\"\n",
                "    \"    \\\"\\\"\\\"Returns the gr\\u00f6\\u00dfe.\\\"\\\"\\\"\"\n",
            ),
        ),
        // A source that is one string.
        (
            edit("another é", "another é\nä \"line\""),
            with("another \\u00e9\\n", "another \\u00e9\\n\\u00e4 \\\"line\\\"\\n"),
        ),
        (edit("the last", ""), with("another \\u00e9\\nthe last", "another \\u00e9\\n")),
        // An old text that is JSON is one of the file.
        (edit("    \"# A cart\"\n", "    \"# A shop\"\n"), with("# A cart", "# A shop")),
        (
            edit("\"execution_count\": 3", "\"execution_count\": null"),
            with("\"execution_count\": 3", "\"execution_count\": null"),
        ),
    ];
    for (edit, expected) in cases {
        let (output, success) = edited(NOTEBOOK, edit.clone()).unwrap_or_else(|failure| panic!("{edit:?}: {failure}"));
        assert_eq!(output, expected, "{edit:?} {success:?}");
    }
}

#[test]
fn cells_are_replaced_inserted_deleted_and_moved() {
    let cell = |name: &str, new: &str| edit("", new).of_cell(CellEdit::of(name));
    let (output, success) = edited(NOTEBOOK, cell("empty", "a = 'é'\nb")).unwrap();
    assert_eq!(output, with("\"source\": []", "\"source\": [\n    \"a = '\\u00e9'\\n\",\n    \"b\"\n   ]"));
    assert_eq!(success.note.as_deref(), Some("replaced cell 3 (`empty`)"));
    let (output, _) = edited(NOTEBOOK, cell("1", "")).unwrap();
    assert_eq!(output, with("\"source\": [\n    \"# A cart\"\n   ]", "\"source\": []"));
    let again = edited(NOTEBOOK, cell("intro", "# A cart")).unwrap().1;
    assert_eq!(format!("{:?}", again.status), "AlreadyApplied");

    let new = CellEdit::inserted(Side::After, Some("intro".to_owned()), CellType::Code);
    let (output, success) = edited(NOTEBOOK, edit("", "import os\nx").of_cell(new)).unwrap();
    assert_eq!(success.note.as_deref(), Some("new cell 2"));
    let book: Value = serde_json::from_str(&output).unwrap();
    let id = book["cells"][1]["id"].as_str().unwrap().to_owned();
    let made = format!(
        "  {{\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"{id}\",\n   \"metadata\": {{}},\n   \
         \"outputs\": [],\n   \"source\": [\n    \"import os\\n\",\n    \"x\"\n   ]\n  }},\n"
    );
    assert_eq!(output.replacen(&made, "", 1), NOTEBOOK);
    assert!(id.len() == 8 && !NOTEBOOK.contains(&id));
    let last = CellEdit::inserted(Side::After, None, CellType::Markdown);
    let (output, _) = edited(NOTEBOOK, edit("", "end").of_cell(last.clone())).unwrap();
    let book: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((book["cells"].as_array().unwrap().len(), &book["cells"][4]["source"]), (5, &json!(["end"])));
    assert_eq!(book["cells"][4].get("outputs"), None);

    let deleted = |name: &str| edited(NOTEBOOK, edit("", "").of_cell(CellEdit { delete: true, ..CellEdit::of(name) }));
    let names = |output: &str| -> Vec<String> {
        let book: Value = serde_json::from_str(output).unwrap();
        book["cells"].as_array().unwrap().iter().map(|cell| cell["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&deleted("cart").unwrap().0), ["intro", "empty", "text"]);
    assert_eq!(names(&deleted("4").unwrap().0), ["intro", "cart", "empty"]);
    let moved = |name: &str, to: NewPlace| {
        edited(NOTEBOOK, edit("", "").of_cell(CellEdit::of(name)).with_transfer(LineTransfer::new(to, false)))
    };
    assert_eq!(names(&moved("intro", NewPlace::after("empty")).unwrap().0), ["cart", "empty", "intro", "text"]);
    assert_eq!(names(&moved("text", NewPlace::before("1")).unwrap().0), ["text", "intro", "cart", "empty"]);
    assert_eq!(names(&moved("intro", NewPlace::after("text")).unwrap().0), ["cart", "empty", "text", "intro"]);
    let (there, success) = moved("cart", NewPlace::after("intro")).unwrap();
    assert_eq!((there.as_str(), format!("{:?}", success.status).as_str()), (NOTEBOOK, "AlreadyApplied"));

    let bare = "{\"cells\": [], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 2}";
    let (output, _) = edited(bare, edit("", "a\nb").of_cell(last)).unwrap();
    let made = "{\"cell_type\": \"markdown\", \"metadata\": {}, \"source\": [\"a\\n\", \"b\"]}";
    assert_eq!(output, bare.replace("[]", &format!("[{made}]")));
}

#[test]
fn an_edit_of_a_notebook_that_is_not_certain_is_refused() {
    let twice = with("\"# A cart\"", "\"def total(cart):\\n\",\n    \"x\"");
    let refused = |text: &str, edit: FileEdit| edited(text, edit).expect_err("refused");
    let message = refused(&twice, edit("def total(cart):", "def f():"));
    assert!(
        message.starts_with("ambiguous") && message.contains("cell 1 (`intro`) line 1, cell 2 (`cart`) line 1"),
        "{message}"
    );
    assert!(message.contains("Give the `cell` that you mean"), "{message}");
    let (output, success) = edited(&twice, edit("def total(cart):", "def f():").of_cell(CellEdit::of("2"))).unwrap();
    assert_eq!(output, twice.replacen("def total(cart):\\n\",\n    \"    ", "def f():\\n\",\n    \"    ", 1));
    assert_eq!((success.note, success.cell.unwrap().to_string().as_str()), (None, "cell 2 (`cart`), line 1"));

    let message = refused(NOTEBOOK, edit("def totals(carts, prices):", "x"));
    assert!(message.contains("Read cell 2 (`cart`) line 1 of the notebook and copy"), "{message}");
    let message = refused(NOTEBOOK, edit("# A cart", "x").of_cell(CellEdit::of("2")));
    assert!(
        message.contains("The text is in cell 1 (`intro`), line 1: give that `cell`, or leave it out."),
        "{message}"
    );
    let message = refused(NOTEBOOK, edit("# A cart\n\ndef total(cart):", "x"));
    assert!(message.contains("in several cells"), "{message}");
    for (cell, new, expected) in [
        (CellEdit::of("9"), "x", "there is no cell `9`; the notebook has 4"),
        (CellEdit { delete: true, ..CellEdit::of("1") }, "x", "`new_string` has no place beside `delete_cell`"),
        (CellEdit::inserted(Side::After, Some("no".to_owned()), CellType::Code), "x", "there is no cell `no`"),
    ] {
        let message = refused(NOTEBOOK, edit("", new).of_cell(cell));
        assert!(message.contains(expected), "{message}");
    }
    // A name of two cells: an id that is the number of another cell, or an id that repeats.
    let numbered = with("\"id\": \"text\"", "\"id\": \"1\"");
    let repeated = with("\"id\": \"text\"", "\"id\": \"cart\"");
    for (text, name, expected) in [
        (&numbered, "1", "`1` names 2 cells: cell 1 (`intro`), cell 4 (`1`)"),
        (&repeated, "cart", "`cart` names 2 cells: cell 2 (`cart`), cell 4 (`cart`)"),
    ] {
        let named = CellEdit::of(name);
        let moved = edit("", "").of_cell(CellEdit::of("3"));
        let moved = moved.with_transfer(LineTransfer::new(NewPlace::after(name), false));
        for edit in
            [edit("", "x").of_cell(named.clone()), edit("", "").of_cell(CellEdit { delete: true, ..named }), moved]
        {
            let message = refused(text, edit);
            assert!(message.starts_with("ambiguous") && message.contains(expected), "{message}");
        }
        assert!(edited(text, edit("", "x").of_cell(CellEdit::of("4"))).unwrap().1.changed);
    }
    let message = refused(NOTEBOOK, edit("\"source\": []", "\"source\": [x"));
    assert!(message.contains("would be no notebook after this edit"), "{message}");
    let moved = edit("# A cart", "").with_transfer(LineTransfer::new(NewPlace::after("the last"), false));
    assert!(refused(NOTEBOOK, moved).contains("lines of a notebook are not moved"));
    // Other versions and other files have no cells.
    let old = NOTEBOOK.replace("\"nbformat\": 4,", "\"nbformat\": 3,");
    assert!(refused(&old, edit("", "x").of_cell(CellEdit::of("1"))).contains("is no notebook of version 4"));
    let (output, _) = edited(&old, edit("# A cart", "# B")).unwrap();
    assert_eq!(output, old.replace("# A cart", "# B"));
}

/// The layouts in which the random notebooks are written.
fn written(book: &Value, layout: usize) -> String {
    let text = match layout {
        0 => book.to_string(),
        1 => serde_json::to_string_pretty(book).unwrap(),
        2 => serde_json::to_string_pretty(book).unwrap() + "\n",
        _ => {
            let mut bytes = Vec::new();
            let tabs = serde_json::ser::PrettyFormatter::with_indent(b"\t");
            book.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, tabs)).unwrap();
            String::from_utf8(bytes).unwrap().replace('\n', "\r\n")
        }
    };
    if layout % 2 == 1 { text.replace('ö', "\\u00f6").replace('😀', "\\ud83d\\ude00") } else { text }
}

fn source_line() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["x = \"a\\n\"", "    y = 'ö'", "", "print(😀)", "\tz\t= 1", "# \u{7f} \\u00e9", "if a:"])
        .prop_flat_map(|line| {
            (0_usize..40).prop_map(move |n| if line.is_empty() { String::new() } else { format!("{line} # {n}") })
        })
}

fn notebook() -> impl Strategy<Value = Value> {
    let cell = (prop::collection::vec(source_line(), 0..8), any::<bool>(), any::<bool>(), any::<bool>());
    prop::collection::vec(cell, 1..6).prop_map(|cells| {
        let cells: Vec<Value> = cells
            .into_iter()
            .enumerate()
            .map(|(at, (lines, is_string, is_code, is_closed))| {
                let mut source = lines.join("\n");
                if is_closed && !source.is_empty() {
                    source.push('\n');
                }
                let list: Vec<&str> = source.split_inclusive('\n').collect();
                let source = if is_string { json!(source) } else { json!(list) };
                let mut cell = json!({"cell_type": if is_code { "code" } else { "markdown" }, "id": format!("c{at}"),
                    "metadata": {"source": ["no source"]}, "source": source});
                if is_code {
                    cell["outputs"] = json!([{"output_type": "stream", "name": "stdout", "text": ["ö\n"]}]);
                    cell["execution_count"] = json!(at);
                }
                cell
            })
            .collect();
        json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    })
}

/// Returns the source of a cell.
fn source(cell: &Value) -> String {
    match &cell["source"] {
        Value::Array(lines) => lines.iter().map(|line| line.as_str().unwrap()).collect(),
        other => other.as_str().unwrap().to_owned(),
    }
}

/// Returns a notebook without the source of a cell, and the source.
fn apart(text: &str, at: usize) -> (Value, String) {
    let mut book: Value = serde_json::from_str(text).unwrap();
    let cell = source(&book["cells"][at]);
    let is_list = book["cells"][at]["source"].is_array();
    book["cells"][at]["source"] = json!(is_list);
    (book, cell)
}

/// Edits lines of a cell, and checks that only their strings changed.
fn check_edit(text: &str, at: usize, (from, to): (usize, usize), new: &str) -> Result<(), TestCaseError> {
    let (rest, cell) = apart(text, at);
    let lines: Vec<&str> = cell.split_inclusive('\n').collect();
    if lines.is_empty() {
        return Ok(());
    }
    let from = from % lines.len();
    let to = from + 1 + to % (lines.len() - from);
    let old: String = lines[from..to].concat();
    if old.trim().is_empty() || old.trim_end_matches('\n') == new {
        return Ok(());
    }
    // The last line keeps its line break.
    let old = old.strip_suffix('\n').unwrap_or(&old);
    let name = rest["cells"][at]["id"].as_str().map_or_else(|| (at + 1).to_string(), str::to_owned);
    let answer = edited(text, edit(old, new).of_cell(CellEdit::of(name)));
    let Ok((output, success)) = answer else { return Ok(()) };
    if !success.changed {
        return Ok(());
    }
    let (rest_after, cell_after) = apart(&output, at);
    prop_assert_eq!(rest_after, rest);
    // The source is that of the same edit of the source alone.
    let pipeline = Pipeline::new(ladder::adaptive());
    let alone = Edit::new(old, new).run(&pipeline, &Document::new(cell.as_str())).map(|applied| applied.output);
    prop_assert_eq!(Ok(cell_after), alone);
    // Bytes before the first changed line and after the last one are the same.
    let same = text.bytes().zip(output.bytes()).take_while(|(one, other)| one == other).count();
    let same_end = text.bytes().rev().zip(output.bytes().rev()).take_while(|(one, other)| one == other).count();
    let longest = text.len() - same - same_end.min(text.len() - same);
    let encoded: usize = lines[from..to].iter().map(|line| line.chars().count() * 12 + 40).sum();
    prop_assert!(longest <= encoded, "{} bytes of {:?} changed: {}", longest, old, output);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..fuzzy_testkit::texts::config() })]

    #[test]
    fn every_other_byte_of_a_notebook_is_kept(
        book in notebook(),
        layout in 0_usize..4,
        at in any::<prop::sample::Index>(),
        lines in any::<(u8, u8)>(),
        new in prop::collection::vec(source_line(), 0..4),
    ) {
        let text = written(&book, layout);
        let at = at.index(book["cells"].as_array().unwrap().len());
        check_edit(&text, at, (lines.0.into(), lines.1.into()), &new.join("\n"))?;
    }

    #[test]
    fn whole_cells_change_alone(
        book in notebook(),
        layout in 0_usize..4,
        at in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        kind in 0_usize..4,
        new in prop::collection::vec(source_line(), 0..4),
    ) {
        let text = written(&book, layout);
        let count = book["cells"].as_array().unwrap().len();
        let (at, other, new) = (at.index(count), other.index(count), new.join("\n"));
        let cell = CellEdit::of((at + 1).to_string());
        let mut expected = book.clone();
        let cells = expected["cells"].as_array_mut().unwrap();
        let edit = match kind {
            0 => {
                let lines: Vec<&str> = new.split_inclusive('\n').collect();
                let is_list = cells[at]["source"].is_array();
                cells[at]["source"] = if is_list { json!(lines) } else { json!(new) };
                edit("", &new).of_cell(cell)
            }
            1 => {
                cells.remove(at);
                edit("", "").of_cell(CellEdit { delete: true, ..cell })
            }
            2 => {
                let moved = cells.remove(at);
                let place = if other > at { other } else { other + usize::from(other < at) };
                cells.insert(place.min(cells.len()), moved);
                edit("", "").of_cell(cell).with_transfer(LineTransfer::new(NewPlace::after((other + 1).to_string()), false))
            }
            _ => {
                let lines: Vec<&str> = new.split_inclusive('\n').collect();
                cells.insert(at, json!({"cell_type": "raw", "metadata": {}, "source": lines}));
                edit("", &new).of_cell(CellEdit::inserted(Side::Before, Some((at + 1).to_string()), CellType::Raw))
            }
        };
        if kind == 2 && at == other {
            return Ok(());
        }
        let (output, _) = edited(&text, edit).map_err(TestCaseError::fail)?;
        let mut after: Value = serde_json::from_str(&output).unwrap();
        if kind == 3 {
            let id = after["cells"][at].as_object_mut().unwrap().remove("id");
            prop_assert!(id.is_some_and(|id| id.as_str().unwrap().len() == 8));
        }
        prop_assert_eq!(after, expected, "{}", output);
    }
}

/// Returns the notebooks below a directory.
fn below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            found.push(path);
        }
    }
}

/// Edits the notebooks below the directory that a variable names, ten random places of each; it is left out without one.
#[test]
fn real_notebooks_keep_every_other_byte() {
    let Some(directory) = std::env::var_os("FUZZY_EDIT_NOTEBOOKS") else {
        println!("left out: FUZZY_EDIT_NOTEBOOKS names no directory of notebooks");
        return;
    };
    let mut paths = Vec::new();
    below(Path::new(&directory), &mut paths);
    paths.sort();
    assert!(!paths.is_empty());
    let (mut seed, mut edits, mut books) = (7_usize, 0, 0);
    let mut next = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % limit.max(1)
    };
    for path in &paths {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let Ok(book) = serde_json::from_str::<Value>(&text) else { continue };
        let count = book["cells"].as_array().map_or(0, Vec::len);
        // Packages have broken ones for their tests, which are edited as text.
        let is_text = |source: &Value| source.is_string();
        let has_source = |cell: &Value| {
            let source = &cell["source"];
            is_text(source) || source.as_array().is_some_and(|lines| lines.iter().all(is_text))
        };
        if count == 0 || book["nbformat"] != 4 || !book["cells"].as_array().unwrap().iter().all(has_source) {
            continue;
        }
        books += 1;
        for number in 0..10 {
            let new = ["x = \"y\\n\"\nprint('ö')", "# changed", "a\n\nb"][number % 3];
            let (at, lines) = (next(count), (next(1000), next(6)));
            check_edit(&text, at, lines, new).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            edits += 1;
        }
    }
    println!("{edits} edits of {books} notebooks");
}
