//! `docs/guide.md`: its commands run, and its CI job passes and fails as documented.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::page::{blocks, commands, page, path};
use crate::support::Place;

/// Returns the part of the guide under this heading.
fn section(title: &str) -> String {
    let guide = page("guide.md");
    let (_, after) = guide.split_once(&format!("\n## {title}\n")).expect("the section");
    after.split("\n## ").next().unwrap().to_owned()
}

/// Runs commands as CI does: the first one that fails ends the script.
fn shell(place: &Place, script: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", script]).current_dir(place.path("")).env("PATH", path());
    shell.env("HOME", place.path("home")).env("XDG_STATE_HOME", place.path("state"));
    shell.output().unwrap()
}

#[test]
fn every_command_at_the_shell_runs() {
    let place = Place::new();
    let script = commands(&section("At the shell"));
    let output = shell(&place, &script);
    assert!(output.status.success(), "{output:?}");
    for verb in ["apply", "locate", "explain", "undo", "patch", "replay", "batch", "completions", "man", "schema"] {
        assert!(script.contains(&format!("fuzzy-edit {verb}")), "no example of {verb}");
    }
    let installed = fs::read_dir(place.path("home/.local/share/man/man1")).unwrap();
    assert!(installed.map(|page| page.unwrap().metadata().unwrap().len()).all(|length| length > 100));
    // The test `hosts` and the tests below run the commands of other sections.
    let count = |text: &str| blocks(text).iter().filter(|(language, _)| *language == "sh").count();
    assert_eq!(count(&page("guide.md")), count(&section("At the shell")) + 1);
}

/// The suite `default-features` runs the command as it stands there, which builds the program.
#[test]
fn the_first_command_of_the_readme_prints_the_diff_below_it() {
    let place = Place::new();
    fs::create_dir_all(place.path("examples/demo")).unwrap();
    place.write("examples/demo/cart.py", include_str!("../../../../../examples/demo/cart.py"));
    let readme = page("../README.md");
    let blocks = blocks(&readme);
    let [(_, command), (_, diff)] = blocks[..2] else { unreachable!() };
    let command = command.replace("cargo run -p fuzzy-edit-cli --", "fuzzy-edit");
    let output = shell(&place, &command);
    assert!(String::from_utf8_lossy(&output.stdout).ends_with(&format!("{diff}\n")), "{output:?}");
}

/// Returns the commands of a workflow's steps.
fn steps(workflow: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut lines = workflow.lines().peekable();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start_matches([' ', '-']).len();
        let Some(command) = line[indent..].strip_prefix("run: ") else { continue };
        if command != "|" {
            steps.push(command.to_owned());
            continue;
        }
        let mut script = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(&" ".repeat(indent + 1))) {
            script += line.trim_start_matches(&" ".repeat(indent + 2));
            script.push('\n');
        }
        steps.push(script);
    }
    steps
}

/// Makes the files that the workflow checks.
fn repository() -> Place {
    let place = Place::new();
    for folder in ["patches", "edits"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("a.txt", "one\ntwo\n");
    place.write("patches/two.patch", "--- a/a.txt\n+++ b/a.txt\n@@ @@\n one\n-two\n+2\n");
    let case = r#"{"id":1,"content":"a  b","old":"a b","new":"c""#;
    place.write("edits/cases.jsonl", format!("{case}}}\n"));
    place.write("edits/recorded.jsonl", format!("{case},\"expected\":\"c\"}}\n"));
    let answers = shell(&place, "fuzzy-edit batch < edits/cases.jsonl").stdout;
    place.write("edits/answers.jsonl", answers);
    place
}

#[test]
fn the_job_in_ci_passes_and_fails_when_an_edit_no_longer_lands() {
    let section = section("In CI");
    let [("yaml", workflow)] = blocks(&section)[..] else { panic!("one workflow") };
    let steps = steps(workflow);
    // Installing would build the command again, which takes minutes; the command under test replaces it.
    let installed = steps[0].strip_prefix("cargo install --locked --path .fuzzy-edit/").expect("the command itself");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(installed).join("Cargo.toml");
    assert!(fs::read_to_string(manifest).unwrap().contains("name = \"fuzzy-edit\""));

    let spoil: [fn(&Place); 3] = [
        |place| place.write("a.txt", "three\nfour\n"),
        |place| place.write("edits/answers.jsonl", "{}\n"),
        |place| {
            let recorded = place.text("edits/recorded.jsonl").replace(r#""expected":"c""#, r#""expected":"d""#);
            place.write("edits/recorded.jsonl", recorded);
        },
    ];
    assert_eq!(steps.len() - 1, spoil.len());
    for (step, spoil) in steps[1..].iter().zip(spoil) {
        let place = repository();
        let output = shell(&place, step);
        assert!(output.status.success(), "{step}: {output:?}");
        assert_eq!(place.text("a.txt"), "one\ntwo\n");
        spoil(&place);
        assert_eq!(shell(&place, step).status.code(), Some(1), "{step}");
    }
}
