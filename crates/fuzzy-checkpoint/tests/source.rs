//! What the sources must not contain.

use std::fs;
use std::path::Path;

/// Returns the text of every source file of a crate beside this one, comments left out.
fn sources(name: &str) -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let read = |path: &Path| {
        let text = fs::read_to_string(path).expect("readable");
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    let files =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "rs"));
    files.map(|path| (path.display().to_string(), read(&path))).collect()
}

#[test]
fn no_reset_no_clean_no_shell() {
    let engine = sources("fuzzy-checkpoint");
    assert!(engine.len() > 5, "the sources were found");
    let banned = [
        "\"reset\"",
        "--hard",
        "\"clean\"",
        "\"checkout\"",
        "\"stash\"",
        "\"gc\"",
        "\"repack\"",
        "\"prune\"",
        "\"sh\"",
        "\"bash\"",
        "/bin/sh",
        "\"-c\", \"",
        "\"add\"",
        "\"restore\"",
        "\"switch\"",
        "\"--force\"",
        "\"-f\"",
    ];
    for (path, text) in engine {
        for word in banned {
            assert!(!text.contains(word), "{path} contains {word}");
        }
        let starts = text.matches("Command::new(").count();
        assert_eq!(starts, usize::from(path.ends_with("git.rs")), "{path}: programs are started in one place");
    }
}

#[test]
fn the_users_git_directory_sees_only_commands_that_compare_no_contents() {
    let allowed = ["config", "for-each-ref", "ls-files", "rev-list", "rev-parse", "symbolic-ref", "update-ref"];
    let mut seen = 0;
    for (path, text) in sources("fuzzy-checkpoint") {
        for call in text.split(".user(").skip(1) {
            let verb = call.trim_start().trim_start_matches('"').split('"').next().unwrap_or_default();
            assert!(allowed.contains(&verb), "{path}: {verb:?}");
            seen += 1;
        }
    }
    assert!(seen > 5, "the calls were found");
}
