//! Checks of the source code for forbidden calls.

use std::fs;
use std::path::Path;

/// Returns the text of every source file of a neighbouring crate, without comments and tests.
fn sources(name: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut found);
    found
}

fn collect(dir: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("readable");
            let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code: Vec<&str> = shipped.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            found.push((path.display().to_string(), code.join("\n")));
        }
    }
}

const SHELLS: [&str; 4] = ["\"sh\"", "\"bash\"", "/bin/sh", "\"-c\", \""];
const BANNED: [&str; 18] = [
    "\"reset\"",
    "--hard",
    "\"clean\"",
    "\"checkout\"",
    "\"checkout-index\"",
    "\"stash\"",
    "\"gc\"",
    "\"repack\"",
    "\"prune\"",
    SHELLS[0],
    SHELLS[1],
    SHELLS[2],
    SHELLS[3],
    "\"add\"",
    "\"restore\"",
    "\"switch\"",
    "\"--force\"",
    "\"-f\"",
];

#[test]
fn no_reset_no_clean_no_shell() {
    // Programs are started in one file, and by the backend that a user configures.
    let starters = [
        ("fuzzy-checkpoint", Some("git.rs")),
        ("fuzzy-checkpoint-store", None),
        ("fuzzy-checkpoint-service", Some("backend.rs")),
    ];
    for (name, starter) in starters {
        let files = sources(name);
        assert!(files.len() > 5, "the sources were found");
        for (path, text) in files {
            // In other files "restore" and similar words are not git commands.
            let banned: &[&str] = if name == "fuzzy-checkpoint" { &BANNED } else { &SHELLS };
            for word in banned {
                assert!(!text.contains(word), "{path} contains {word}");
            }
            let starts = text.matches("Command::new(").count();
            let expected = starter.is_some_and(|file| path.ends_with(&format!("/{file}")));
            assert_eq!(starts, usize::from(expected), "{path} starts programs");
        }
    }
}

#[test]
fn files_are_removed_and_renamed_only_by_listed_calls() {
    let known = [
        ("files.rs", "fs::remove_file(path)"),
        ("restore_index.rs", "fs::rename(&lock, users)"),
        ("capture_cache.rs", "fs::rename(index, &warm)"),
        ("files.rs", ".persist(path)"),
        ("private.rs", "fs::remove_dir_all(&dir)"),
        ("private.rs", "fs::remove_dir_all(&self.0)"),
        ("refs.rs", "fs::remove_dir_all(&self.private)"),
        ("store.rs", "fs::remove_dir_all(&self.found.store)"),
        ("store.rs", "fs::remove_file(path)"),
        ("objects.rs", ".persist(&path)"),
        ("writing.rs", "fs::remove_dir(dir)"),
    ];
    let mut seen = 0;
    for (path, code) in sources("fuzzy-checkpoint") {
        let calls = ["fs::remove", "fs::rename", ".persist"];
        for (at, _) in calls.iter().flat_map(|call| code.match_indices(call)) {
            let is_known = |(file, call): &&(&str, &str)| path.ends_with(file) && code[at..].starts_with(call);
            assert!(known.iter().any(|one| is_known(&one)), "{path}: {}", &code[at..code.len().min(at + 60)]);
            seen += 1;
        }
    }
    assert_eq!(seen, known.len(), "every listed call still exists");
}

#[test]
fn only_commands_that_compare_no_contents_run_on_the_users_git_directory() {
    let allowed = [
        "check-ignore",
        "config",
        "for-each-ref",
        "ls-files",
        "rev-list",
        "rev-parse",
        "symbolic-ref",
        "update-ref",
        "worktree",
    ];
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
