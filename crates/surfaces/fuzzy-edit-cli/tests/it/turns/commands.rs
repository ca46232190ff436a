//! Every command and every option that a message names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::place::{Place, run};

/// Returns the source files below a directory.
fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// Returns the source text of the messages, without comments and tests, with long strings on one line.
fn messages(dirs: &[&str]) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for dir in dirs {
        sources(&crates.join(dir), &mut files);
    }
    let mut text = String::new();
    for file in files {
        let source = fs::read_to_string(file).unwrap();
        let source = source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        let lines = source.lines().map(str::trim).filter(|line| !line.starts_with("//"));
        for line in lines {
            let (line, end) = line.strip_suffix('\\').map_or((line, "\n"), |line| (line, ""));
            text.extend([line, end]);
        }
    }
    text
}

const DIRS: [&str; 5] = [
    "surfaces/fuzzy-edit-cli/src",
    "surfaces/fuzzy-hosts/src",
    "checkpoint/fuzzy-checkpoint-service/src",
    "files/fuzzy-edit/src",
    "files/fuzzy-report/src",
];

#[test]
fn every_command_in_a_message_exists() {
    let place = Place::new();
    let text = messages(&DIRS);
    let quoted = text.split('`').skip(1).step_by(1).filter_map(|part| part.strip_prefix("fuzzy-edit "));
    let mut commands: BTreeSet<String> = quoted.filter(|part| !part.contains('\n')).map(str::to_owned).collect();
    commands.retain(|command| !command.starts_with('{') && command != "help" && !command.starts_with("--"));
    assert!(commands.len() > 12, "{commands:?}");
    for command in &commands {
        // A value stands for each placeholder.
        let words: Vec<String> = command
            .split_whitespace()
            .map(|word| {
                if word.contains('{') || word.chars().all(|c| c.is_ascii_uppercase()) {
                    "1".to_owned()
                } else {
                    word.to_owned()
                }
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "…").chain(["--help"]).collect();
        let help = run(place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root()).args(&words));
        assert_eq!(help.code, 0, "`fuzzy-edit {command}`: {}", help.err);
    }
}

/// Options that no help lists: hooks run `fuzzy-edit hook --record`, and `run` runs `hook --end`.
const OTHERS: [&str; 4] = ["--record", "--warm", "--sweep", "--end"];

#[test]
fn every_option_in_a_message_exists() {
    let place = Place::new();
    let help = |words: &[&str]| {
        run(place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root()).args(words).arg("--help")).text()
    };
    let options = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
        words.filter(|word| word.starts_with("--") && word.len() > 3).map(str::to_owned).collect()
    };
    let mut known: BTreeSet<String> = OTHERS.iter().map(|option| (*option).to_owned()).collect();
    let verbs = |text: &str| -> Vec<String> {
        let list = text.split("Commands:\n").nth(1).unwrap_or_default();
        let lines = list.lines().take_while(|line| line.starts_with("  "));
        lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let top = help(&[]);
    known.extend(options(&top));
    for verb in verbs(&top).iter().filter(|verb| *verb != "help") {
        let text = help(&[verb]);
        known.extend(options(&text));
        for second in verbs(&text).iter().filter(|verb| *verb != "help") {
            known.extend(options(&help(&[verb, second])));
        }
    }
    assert!(known.len() > 60, "{known:?}");
    let text = messages(&["checkpoint/fuzzy-checkpoint-service/src", "surfaces/fuzzy-edit-cli/src/verbs/turns"]);
    let unknown: Vec<String> = options(&text).into_iter().filter(|option| !known.contains(option)).collect();
    assert!(unknown.is_empty(), "no verb has these: {unknown:?}");
}
