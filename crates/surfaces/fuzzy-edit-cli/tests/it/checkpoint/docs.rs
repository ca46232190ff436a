//! `docs/checkpoints.md`: its commands run as documented.

use std::fs;
use std::path::Path;

use crate::page::{commands, page, path};
use crate::place::{Place, run};

#[test]
fn every_command_of_the_page_runs() {
    let place = Place::new();
    let script = commands(&page("checkpoints.md"));
    let mut shell = place.clean("sh", &place.root());
    let answer = run(shell.env("PATH", path()).args(["-eux", "-c", &script]));
    assert_eq!(answer.code, 0, "{}\n{}", answer.text(), answer.err);
    assert!(place.git(&["for-each-ref", "refs/fuzzy-edit"]).is_empty(), "every trace is gone");
    for verb in ["create", "list", "show", "diff", "restore", "prune", "doctor", "recover"] {
        assert!(script.contains(&format!("fuzzy-edit checkpoint {verb}")), "no example of {verb}");
    }
}

#[test]
fn every_verb_has_examples_in_its_help() {
    let place = Place::new();
    for verb in ["create", "list", "show", "diff", "restore", "prune", "doctor", "recover"] {
        let help = place.run(&[verb, "--help"]);
        assert_eq!(help.code, 0);
        let examples = help.text().split("Examples:\n").nth(1).unwrap_or_default().to_owned();
        assert!(examples.contains(&format!("  fuzzy-edit checkpoint {verb}")), "{verb}: {}", help.text());
    }
}

#[test]
fn every_trace_of_a_mirror_is_as_described() {
    let place = Place::new();
    place.write(".env", "KEY=1\n");
    place.create();
    let mirror = place.dir.join("mirror");
    let refs = |dir: &Path| place.git_in(dir, &["for-each-ref", "refs/fuzzy-edit/checkpoints"]).lines().count();
    for push in [&["push", "-q", "--all"][..], &["push", "-q", "--mirror"]] {
        let _ = fs::remove_dir_all(&mirror);
        place.git(&["init", "-q", "--bare", mirror.to_str().unwrap()]);
        place.git(&[push, &[mirror.to_str().unwrap()]].concat());
        assert_eq!(refs(&mirror), 0, "{push:?}");
    }
    let clone = place.dir.join("clone");
    place.git(&["clone", "-q", "--no-local", ".", clone.to_str().unwrap()]);
    assert_eq!(refs(&clone), 0);
}
