//! How many times git is started for a restore, however the command is started.

use std::fs;
use std::process::Command;

use fuzzy_testkit::programs;
use serde_json::json;

use crate::place::{Place, run};
use crate::serve::support::{Server, command};

/// The processes that a whole restore may start, its safety capture included.
const MOST: usize = 8;

/// A place where every call of git is noted.
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

    /// Has a command find that git first.
    fn on(&self, mut command: Command) -> Command {
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.place.dir.join("bin").display()));
        command
    }

    /// Changes five files, and checks that `restore` brings them back by few calls.
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
    // Git is asked for its version and configuration once, and this git is another one.
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
