//! The number of git processes that a restore starts, on the command line, over HTTP and over MCP.

use std::fs;
use std::process::Command;

use fuzzy_testkit::programs;
use serde_json::json;

use crate::place::{Place, run};
use crate::serve::support::{Server, command};

/// The most processes of a whole restore, including its safety capture.
const MOST: usize = 8;

/// A place with a `git` that records its calls.
struct Noted {
    place: Place,
}

impl Noted {
    fn new() -> Self {
        let place = Place::new();
        let dir = place.dir.join("bin");
        fs::create_dir(&dir).unwrap();
        programs::git_that(&dir.join("git"), &format!("echo \"$*\" >>'{}'", place.dir.join("calls").display()));
        let noted = Self { place };
        noted.fill("then\n");
        noted
    }

    fn fill(&self, text: &str) {
        (0..5).for_each(|number| self.place.write(format!("dir/file{number}"), text));
    }

    /// Puts that git first on the `PATH` of a command.
    fn on(&self, mut command: Command) -> Command {
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.place.dir.join("bin").display()));
        command
    }

    /// Changes five files, and checks that `restore` brings them back with few calls.
    fn check(&self, way: &str, restore: impl FnOnce()) {
        let then = self.place.files();
        self.fill("now\n");
        let calls = self.place.dir.join("calls");
        let _ = fs::remove_file(&calls);
        restore();
        assert_eq!(self.place.files(), then, "{way}");
        let calls = fs::read_to_string(&calls).unwrap();
        println!("{way}: {} processes of git", calls.lines().count());
        assert!(calls.lines().count() <= MOST, "{way}: {} were started:\n{calls}", calls.lines().count());
    }
}

#[test]
fn a_restore_of_five_files_starts_few_however_it_is_started() {
    let noted = Noted::new();
    let place = &noted.place;
    let id = place.create();
    let restore = |dir: &str| {
        let command = place.command(&place.root().join(dir), &["restore", &id, "--yes", "--json"]);
        assert_eq!(run(&mut noted.on(command)).code, 0);
    };
    // The first run also reads version and configuration of this git, which are then cached.
    noted.check("the first run", || restore(""));
    noted.check("the next", || restore(""));
    noted.check("in a directory below the root", || restore("dir"));
    noted.check("with the records lost", || {
        fs::remove_file(place.dir.join("state/fuzzy-edit/git.json")).unwrap();
        restore("");
    });
    let server = Server::run(noted.on(command(place, &[])));
    let session = server.session(place);
    let taken = server.post(&format!("/api/sessions/{session}/checkpoints"), &json!({})).text("id");
    noted.check("by a server", || {
        server.post(&format!("/api/sessions/{session}/checkpoints/{taken}/restore"), &json!({})).ok();
    });
}
