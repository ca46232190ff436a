//! Completion in real shells: the printed script, sourced, completes a command line. A shell that is not installed is
//! left out.

use std::fs;
use std::process::Command;

use crate::page::path;
use crate::support::Place;

/// Command lines, and a word that completes them. The values of an argument without a name are completed in bash and zsh:
/// the generator for fish leaves them out.
const LINES: &[(&str, &str)] = &[
    ("fuzzy-edit app", "apply"),
    ("fuzzy-edit apply --min-c", "--min-confidence"),
    ("fuzzy-edit apply --ladder conserv", "conservative"),
    ("fuzzy-edit init claude", "claude-code"),
    ("fuzzy-edit schema und", "undo"),
    ("fuzzy-edit man repl", "replay"),
    ("fuzzy-edit completions fi", "fish"),
    ("fuzzy-edit apply --color alw", "always"),
    #[cfg(feature = "full")]
    ("fuzzy-edit checkpoint rest", "restore"),
    #[cfg(feature = "full")]
    ("fuzzy-edit checkpoint restore --dry", "--dry-run"),
    // The names of the worktree.
    #[cfg(feature = "full")]
    ("fuzzy-edit checkpoint create --session lat", "latest"),
    #[cfg(feature = "full")]
    ("fuzzy-edit turns --session gem", "gemini"),
    #[cfg(feature = "full")]
    ("fuzzy-edit turns show 1", "1"),
];

/// The values of arguments without a name.
const POSITIONAL: &[&str] = &["claude-code", "undo", "replay", "fish"];

/// Prints the candidates for a line: bash calls the function of the script, as for the key Tab.
const BASH: &str = r#"
    source "$1"
    COMP_WORDS=($2) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    "$(complete -p fuzzy-edit | sed 's/.*-F \([^ ]*\) .*/\1/')" fuzzy-edit "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
"#;

/// Prints the line after the key Tab in an interactive shell on a terminal of its own.
const ZSH: &str = r#"
    zmodload zsh/zpty
    zpty shell "TERM=dumb PS1= zsh -f -i"
    zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1; compdef _fuzzy-edit fuzzy-edit"
    zpty -w shell "unsetopt prompt_cr prompt_sp; print ready"
    while zpty -r shell line && [[ $line != *$'\n'ready* && $line != ready* ]]; do :; done
    zpty -n -w shell "$2"$'\t'
    # The echo of the line comes first; the shell is done when it has printed more, and then nothing for a while.
    quiet=0 said=
    while (( quiet < 100 && (quiet < 10 || $#said <= $#2) )); do
        if zpty -r -t shell part; then said+=$part quiet=0; else (( quiet++ )); sleep 0.03; fi
    done
    print -r -- "$said"
    zpty -d shell
"#;

/// Prints the candidates for a line.
const FISH: &str = r"source $argv[1]; complete -C $argv[2]";

fn completes(shell: &str, start: &[&str], script: &str) {
    if Command::new(shell).arg("-c").arg("true").output().is_err() {
        println!("left out: {shell} is not installed");
        return;
    }
    let place = Place::new();
    place.write("script", place.run(&["completions", shell]).out);
    let environment =
        [("PATH", path()), ("HOME", place.path("home").into()), ("XDG_STATE_HOME", place.path("state").into())];
    for folder in ["home", "tree"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    if cfg!(feature = "full") {
        // A worktree with a turn.
        let turn = r#"git init -q .
            for event in turn-begin turn-end; do
                echo '{"session_id":"0b6c","prompt":"One."}' | fuzzy-edit hook gemini $event
            done
            fuzzy-edit turns"#;
        let output =
            Command::new("sh").args(["-euc", turn]).current_dir(place.path("tree")).envs(environment.clone()).output();
        let said = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(said.contains("One."), "{said}");
    }
    for (line, word) in LINES.iter().filter(|(_, word)| shell != "fish" || !POSITIONAL.contains(word)) {
        let mut command = Command::new(shell);
        command.args(start).arg(script);
        // Only fish has no name for the script.
        command.args((shell != "fish").then_some(shell)).arg(place.path("script")).arg(line);
        let output = command.current_dir(place.path("tree")).envs(environment.clone()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let is_found = said.split(|mark: char| !(mark.is_alphanumeric() || mark == '-')).any(|found| found == *word);
        assert!(is_found, "{shell}, {line}: {said:?} {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn bash_completes_verbs_options_and_values() {
    completes("bash", &["--norc", "-c"], BASH);
}

#[test]
fn zsh_completes_verbs_options_and_values() {
    completes("zsh", &["-f", "-c"], ZSH);
}

#[test]
fn fish_completes_verbs_options_and_values() {
    completes("fish", &["--no-config", "-c"], FISH);
}
