use fuzzy_code_pages::{Restored, restore};

fn restored(file: &str, old: &str, new: &str) -> Option<(String, String)> {
    restore(file, old, new).map(|Restored { old, new, lost }| {
        assert_eq!(lost, None);
        (old, new)
    })
}

#[track_caller]
fn restores(file: &str, [old, new]: [&str; 2], [old_then, new_then]: [&str; 2]) {
    assert_eq!(restored(file, old, new), Some((old_then.into(), new_then.into())));
}

const FILE: &str = "def login():\n    flash('Sesión iniciada')\n    log('Café → té')\n";

#[test]
fn quoted_lines_are_restored_in_both_texts() {
    // Code page 1252, then 936, then 850.
    for [session, coffee] in [["SesiÃ³n", "CafÃ© â†’ tÃ©"], ["Sesi贸n", "Caf茅 鈫� t茅"], ["Sesi├│n", "Caf├® ÔåÆ t├®"]]
    {
        let old = format!("    flash('{session} iniciada')\n    log('{coffee}')\n");
        let new = format!("    flash('{session} cerrada')\n    log('{coffee}')\n");
        let wanted = "    flash('Sesión cerrada')\n    log('Café → té')\n";
        restores(FILE, [&old, &new], [&FILE[13..], wanted]);
    }
}

#[test]
fn lost_bytes_are_found_in_the_file() {
    for session in ["Sesi?n", "Sesi��n", "Sesi�n"] {
        let old = format!("flash('{session} iniciada')");
        let new = format!("flash('{session} cerrada')");
        restores(FILE, [&old, &new], ["flash('Sesión iniciada')", "flash('Sesión cerrada')"]);
    }
    // The mark has swallowed the quote.
    restores("say('café')\n", ["say('caf�)", "say('caf�)\nend()"], ["say('café')", "say('café')\nend()"]);
}

#[test]
fn words_of_the_author_stay() {
    let old = "flash('SesiÃ³n iniciada')";
    restores(FILE, [old, "log('más — año')"], ["flash('Sesión iniciada')", "log('más — año')"]);
    restores(
        FILE,
        [old, "flash('Café') if ok? else b?c"],
        ["flash('Sesión iniciada')", "flash('Café') if ok? else b?c"],
    );
}

#[test]
fn a_new_text_is_restored_beside_an_exact_old_one() {
    restores(
        FILE,
        ["def login():", "def login():\n    log('SesiÃ³n')"],
        ["def login():", "def login():\n    log('Sesión')"],
    );
}

#[test]
fn a_word_that_is_damaged_beyond_repair_is_named() {
    let old = "flash('Sesi�n iniciada')";
    let lost = restore(FILE, old, "flash('Sesi�n a�adida')").and_then(|restored| restored.lost);
    assert_eq!(lost.as_deref(), Some("a�adida"));
}

#[test]
fn other_texts_are_left_alone() {
    for (file, old, new) in [
        ("plain\n", "SesiÃ³n", "x"),
        (FILE, "def login():", "def sesión():"),
        (FILE, "flash('Sesión  iniciada')", "flash('Adiós')"),
        (FILE, "is_ok ? a : b", "is_ok ? b : a"),
        // The file has the text in this form.
        ("SesiÃ³n and Sesión\n", "SesiÃ³n and", "SesiÃ³n, then"),
        // Two lines may be the quoted one.
        ("say('é')\nsay('è')\n", "say('?')", "say('x')"),
    ] {
        assert_eq!(restore(file, old, new), None, "{old}");
    }
}
