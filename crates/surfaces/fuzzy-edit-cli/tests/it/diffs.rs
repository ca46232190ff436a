//! Printed diffs: other programs apply them, with the result of the edit.

use std::fs;
use std::process::Command;

use fuzzy_testkit::slipped_edits;

use crate::support::Place;

/// The number of generated edits.
const EDITS: usize = 40;

/// Runs a command in a directory with a file as its input, and returns whether it succeeded.
fn succeeds(place: &Place, program: &str, arguments: &[&str]) -> bool {
    let input = fs::File::open(place.path("diff")).unwrap();
    Command::new(program).args(arguments).current_dir(place.path("")).stdin(input).status().unwrap().success()
}

#[test]
fn git_and_patch_apply_printed_diffs() {
    let (mut applied, mut number) = (0, 0);
    for case in slipped_edits::cases(7) {
        if applied == EDITS {
            break;
        }
        number += 1;
        assert!(number < 10 * EDITS, "most edits are refused");
        let place = Place::new();
        fs::create_dir(place.path("src")).unwrap();
        let name = ["file.txt", "src/a file.txt"][number % 2];
        place.write(name, &case.content);
        place.write("old", &case.old);
        place.write("new", &case.new);
        let edit = ["apply", name, "--old", "@old", "--new", "@new", "--dry-run", "--diff"];
        let answer = place.run(&edit);
        if answer.code != 0 || !answer.out.contains("@@") {
            continue;
        }
        applied += 1;
        place.write("diff", &answer.out);
        assert_eq!(place.run(&edit[..6]).code, 0);
        let expected = place.bytes(name);
        for (program, arguments) in [("git", &["apply", "-"][..]), ("patch", &["--quiet", "-p1"])] {
            place.write(name, &case.content);
            assert!(succeeds(&place, program, arguments), "{program}: {}", answer.out);
            assert_eq!(place.bytes(name), expected, "{program}: {}", answer.out);
        }
    }
}
