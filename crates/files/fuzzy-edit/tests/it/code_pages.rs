//! Edits and patches that were copied from a terminal in a wrong code page.

use std::path::Path;

use fuzzy_edit::{Code, Editor, Operation, Report, State, Workspace};
use fuzzy_pipeline::{Pipeline, ladder};

use crate::support::{Alone, Files, STATE, failure, success};

const TEXT: &str = "def login():\n    flash('Sesión iniciada')\n    log('fin')\n";

/// Applies an operation by the ladder `adaptive`.
fn applied(operation: impl Into<Operation>) -> Report {
    let workspace = Workspace::default().with_state(State::at(STATE));
    let editor = Editor::new(workspace, Pipeline::new(ladder::adaptive()));
    editor.applied(&[operation.into()]).pop().unwrap()
}

#[test]
fn an_edit_is_restored_and_says_so() {
    let files = Files::new(&[("a", TEXT)]);
    let report = applied(files.edit("a", "    flash('Sesi贸n iniciada')", "    flash('Sesi贸n cerrada')  # acci贸n"));
    let note = success(&report).note.clone().unwrap_or_default();
    assert!(note.contains("code page"), "{note}");
    assert_eq!(files.text("a"), TEXT.replace("iniciada')", "cerrada')  # acción"));
}

#[test]
fn a_new_text_is_restored_or_refused_also_beside_an_exact_old_one() {
    let files = Files::new(&[("a", TEXT)]);
    let report = applied(files.edit("a", "    flash('Sesi�n iniciada')", "    flash('a�adida')"));
    let refused = failure(&report);
    assert_eq!((refused.code, refused.details.rule), (Code::Refused, Some("lost-characters")), "{refused}");
    assert_eq!(files.text("a"), TEXT);
    success(&applied(files.edit("a", "    log('fin')", "    log('SesiÃ³n')")));
    assert_eq!(files.text("a"), TEXT.replace("fin", "Sesión"));
}

#[test]
fn a_patch_is_restored() {
    let patch = |path: &Path, lines: &str| {
        let patch = fuzzy_patch::parse(&format!("@@ @@\n{lines}"), path.to_str()).unwrap();
        patch.operations().pop().unwrap()
    };
    for (lines, after) in [
        ("     flash('SesiÃ³n iniciada')\n-    log('fin')\n+    log('SesiÃ³n')\n", TEXT.replace("fin", "Sesión")),
        ("-    log('fin')\n+    log('SesiÃ³n')\n", TEXT.replace("fin", "Sesión")),
        ("-    flash('Sesi�n iniciada')\n+    flash('a�adida')\n     log('fin')\n", TEXT.to_owned()),
    ] {
        let files = Files::new(&[("a", TEXT)]);
        let report = applied(patch(&files.path("a"), lines));
        assert_eq!(files.text("a"), after, "{report:?}");
        let is_refused = matches!(&report, Report::Failure(failure) if failure.details.rule == Some("lost-characters"));
        assert_eq!(is_refused, after == TEXT, "{report:?}");
    }
}
