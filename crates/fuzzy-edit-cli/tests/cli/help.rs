//! Help, completions and manual pages; every example of the help does what it says.

use std::fs;
use std::process::Command;

use crate::page::path;
use crate::support::Place;
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Verbs whose examples need a repository, another program or an earlier run, and are run by tests of their own.
const ELSEWHERE: &[&str] = &["checkpoint", "mcp", "patch", "undo", "help"];

/// Makes the files that the examples name.
fn place() -> Place {
    let place = Place::new();
    fs::create_dir(place.path("src")).unwrap();
    place.write(
        "src/cart.py",
        "def sum(cart):\n    for price, count in cart:\n        total += price\n    return cart\n",
    );
    place.write("old.txt", "        total += price\n");
    place.write("new.txt", "        total += price * count\n");
    place.write("a.txt", "one\n");
    place.write("edits.json", r#"[{"file_path":"a.txt","old_string":"one","new_string":"two"}]"#);
    let cases = "{\"id\":1,\"content\":\"a  b\",\"old\":\"a b\",\"new\":\"c\"}\n";
    for name in ["cases.jsonl", "edits.jsonl"] {
        place.write(name, cases);
    }
    for name in ["monday.jsonl.gz", "tuesday.jsonl.gz"] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        std::io::Write::write_all(&mut encoder, cases.as_bytes()).unwrap();
        place.write(name, encoder.finish().unwrap());
    }
    place
}

/// Returns the verbs that the help lists.
fn verbs() -> Vec<String> {
    let help = Place::new().run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verb =
        |line: &str| line.strip_prefix("  ")?.split(' ').next().filter(|verb| !verb.is_empty()).map(str::to_owned);
    list.lines().filter_map(verb).collect()
}

fn examples(verb: &str) -> Vec<String> {
    let help = Place::new().run(&[verb, "--help"]).out;
    let examples = help.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("{verb} has no examples: {help}"));
    examples.lines().map_while(|line| line.strip_prefix("  ")).map(str::to_owned).collect()
}

#[test]
fn every_example_of_the_help_works() {
    let verbs = verbs();
    assert!(verbs.len() >= 8, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| !ELSEWHERE.contains(&verb.as_str())) {
        let examples = examples(verb);
        assert!(examples.len() > 1, "{verb}");
        // This one takes a checkpoint of a repository.
        for example in examples.iter().filter(|example| !example.contains("--checkpoint")) {
            let place = place();
            let mut shell = Command::new("sh");
            shell.args(["-ec", example]).current_dir(place.path(".")).env("PATH", path());
            shell.env("XDG_STATE_HOME", place.state());
            let output = shell.output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{example}");
        }
    }
}

#[test]
fn every_verb_has_examples() {
    for verb in verbs().iter().filter(|verb| *verb != "help") {
        assert!(!examples(verb).is_empty(), "{verb}");
    }
}

#[test]
fn completions_know_the_verbs_and_their_options() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let answer = place.run(&["completions", shell]);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{shell}");
        for word in ["replay", "expected-hash", "completions"] {
            assert!(answer.out.contains(word), "{shell}: {word}");
        }
    }
    place.write("script", place.run(&["completions", "bash"]).out);
    let parsed = Command::new("bash").arg("-n").arg(place.path("script")).output();
    if let Ok(parsed) = parsed {
        assert!(parsed.status.success(), "{parsed:?}");
    }
    assert_eq!(place.run(&["completions", "rc"]).code, 2);
}

#[test]
fn manual_pages_are_there_for_the_command_and_its_verbs() {
    let place = Place::new();
    let page = place.run(&["man"]).out;
    assert!(page.contains(".TH fuzzy-edit 1") && page.contains("replay"), "{page}");
    let page = place.run(&["man", "apply"]).out;
    assert!(page.contains(".TH fuzzy-edit-apply 1") && page.contains("\\-\\-min\\-confidence"), "{page}");
    let answer = place.run(&["man", "sing"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("there is no verb `sing`"), "{}", answer.err);
}

/// Returns what `apply --diff` prints to a terminal.
fn on_a_terminal(variable: (&str, &str)) -> String {
    let place = Place::with("one\n");
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let screen = fs::OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = place.command(&["apply", "file.txt", "--old", "one", "--new", "two", "--diff"]);
    command.env_remove("NO_COLOR").env("TERM", "xterm").env(variable.0, variable.1).stdout(screen);
    assert!(command.status().unwrap().success());
    // What was printed fits the terminal's buffer, so one read returns it all.
    drop(command);
    let mut bytes = vec![0; 1 << 12];
    let length = rustix::io::read(&terminal, &mut bytes[..]).unwrap();
    String::from_utf8(bytes[..length].to_vec()).unwrap()
}

#[test]
fn colours_are_for_terminals_whose_users_want_them() {
    let coloured = on_a_terminal(("LANG", "C"));
    assert!(coloured.contains("\u{1b}[31m-one\u{1b}[m\r\n\u{1b}[32m+two\u{1b}[m\r\n"), "{coloured:?}");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = on_a_terminal(variable);
        assert!(plain.contains("-one\r\n+two\r\n") && !plain.contains('\u{1b}'), "{plain:?}");
    }
    let piped = Place::with("one\n").run(&["apply", "file.txt", "--old", "one", "--new", "two", "--diff"]).out;
    assert!(piped.contains("-one\n+two\n") && !piped.contains('\u{1b}'), "{piped:?}");
}
