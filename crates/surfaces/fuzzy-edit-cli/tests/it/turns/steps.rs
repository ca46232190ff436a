//! Captures before the commands of shells, and the ignored files of which they keep copies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::scene::Scene;
use crate::serve::support::Server;

/// Commands that destroy files: tracked, untracked and ignored ones.
const DESTROYING: [&str; 22] = [
    "rm -rf f u .env out/ big.bin",
    "cp other .env; cp other f; cp other u",
    "cat other | tee .env u f > /dev/null",
    "truncate -s 0 .env f u out/a.bin",
    "dd if=/dev/zero of=big.bin bs=1 count=4 conv=notrunc 2> /dev/null",
    "git clean -fdxq",
    "git clean -fdXq",
    "git reset -q --hard; rm u",
    "> .env; > u; > f",
    "echo more >> .env",
    "mv .env gone.env; mv f g",
    "sed -i s/e/3/ .env f u",
    "find . -name .env -delete; find out -delete",
    "rm *.bin .env",
    "sh -c 'rm -rf out .env u'",
    "python3 -c \"import os; os.remove('.env')\"",
    "cd out && rm -f a.bin sub/b.bin",
    "rm -rf \"$PWD\"/out \"$PWD\"/.env",
    "git stash -q -a",
    "git checkout -qf; rm -r out",
    "install -m 600 other .env",
    "printf x | dd of=.env 2> /dev/null; perl -pi -e s/t/T/ out/a.bin",
];

impl Scene {
    /// Runs a shell command as the tool of a session, with the hook before it.
    fn command_of(&self, session: &str, line: &str) {
        self.before(session, line);
        self.shell(line);
    }

    /// Sends the event before a shell command.
    fn before(&self, session: &str, line: &str) {
        let input = json!({ "command": line });
        let event =
            json!({ "session_id": session, "cwd": self.place.root(), "tool_name": "Bash", "tool_input": input });
        self.hook("tool-before", &event.to_string());
    }

    /// Writes the files that commands destroy: tracked, untracked and ignored ones.
    fn precious(&self) {
        self.shell(
            "printf '.env\\n*.bin\\nout/\\nnode_modules/\\n' > .gitignore; echo tracked > f; echo other > other",
        );
        self.shell("git config user.name n; git config user.email e@x; git add .gitignore f other; git commit -qm one");
        self.shell("echo changed > f; echo untracked > u");
        self.shell(
            "echo SECRET=1 > .env; chmod 640 .env; mkdir -p out/sub; echo a > out/a.bin; echo b > out/sub/b.bin",
        );
        self.shell("head -c 300000 /dev/zero | tr '\\0' z > big.bin");
    }

    fn steps(&self, turn: &str) -> Vec<Value> {
        self.json(&["show", turn, "--stat"])["steps"].as_array().cloned().unwrap_or_default()
    }
}

/// Returns the files below a directory, without those of git, each with its bytes and its permissions.
fn files(dir: &Path) -> BTreeMap<String, (Vec<u8>, u32)> {
    let (mut found, mut directories) = (BTreeMap::new(), vec![dir.to_owned()]);
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap().flatten().filter(|entry| entry.file_name() != ".git") {
            let (path, meta) = (entry.path(), entry.metadata().unwrap());
            if meta.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().display().to_string();
                found.insert(
                    name,
                    (fs::read(&path).unwrap(), std::os::unix::fs::PermissionsExt::mode(&meta.permissions())),
                );
            }
        }
    }
    found
}

#[test]
fn what_a_command_destroys_comes_back() {
    let scene = Scene::new();
    scene.precious();
    for (at, command) in DESTROYING.iter().enumerate() {
        let before = files(&scene.place.root());
        scene.begin("s1", command);
        scene.command_of("s1", command);
        scene.end("s1");
        assert_ne!(files(&scene.place.root()), before, "{command}");
        let answer = scene.turns(&["revert", &(at + 1).to_string(), "--yes"]);
        assert_eq!(answer.code, 0, "{command}: {}", answer.err);
        let after = files(&scene.place.root());
        let differs: Vec<&String> =
            before.keys().chain(after.keys()).filter(|name| before.get(*name) != after.get(*name)).collect();
        assert!(differs.is_empty(), "{command}: {differs:?}\n{}{}", answer.text(), answer.err);
    }
}

#[test]
fn a_step_is_taken_only_if_something_differs_and_is_restored_by_its_number() {
    let scene = Scene::new();
    scene.precious();
    scene.begin("s1", "Work.");
    scene.command_of("s1", "make 2> /dev/null || true");
    scene.shell("echo one > made");
    scene.command_of("s1", "ls -la > /dev/null; git status > /dev/null; cat f > /dev/null");
    scene.command_of("s1", "rm made");
    scene.command_of("s1", "echo two > f");
    scene.before("s2", "rm f");
    scene.end("s1");
    let steps = scene.steps("1");
    let commands: Vec<&str> = steps.iter().map(|step| step["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["rm made", "echo two > f"], "{steps:?}");
    assert!(steps.iter().all(|step| step["late"] == false), "{steps:?}");
    let shown = scene.turns(&["show", "1"]);
    assert!(shown.text().contains("  1.2  ") && shown.text().contains("echo two > f"), "{}", shown.text());
    assert_eq!(scene.turns(&["restore", "1.1", "--yes"]).code, 0);
    assert_eq!(fs::read_to_string(scene.place.path("made")).unwrap(), "one\n", "written and deleted within the turn");
    assert_eq!(fs::read_to_string(scene.place.path("f")).unwrap(), "changed\n");
    assert_eq!(scene.undo(&["--yes"]).code, 0);
    assert_eq!(fs::read_to_string(scene.place.path("f")).unwrap(), "two\n");
    let unknown = scene.turns(&["restore", "1.3", "--yes"]);
    assert!(unknown.code == 1 && unknown.err.contains("turn 1 has no step 3"), "{}", unknown.err);

    let server = Server::start(&scene.place, &[]);
    let known = server.get("/api/worktrees").ok();
    let turns = format!("/api/worktrees/{}/turns", known["worktrees"][0]["id"].as_str().unwrap());
    assert_eq!(server.get(&format!("{turns}/1")).ok()["steps"][0]["command"], "rm made");
    let take_back = |verb: &str, step: usize| {
        server.post(&format!("{turns}/take-back"), &json!({"verb": verb, "turns": [1], "step": step}))
    };
    take_back("revert", 1).refused(400, "bad_input");
    for unknown in [0, 3] {
        take_back("restore", unknown).refused(404, "not_in_session");
    }
    take_back("restore", 1).ok();
    assert_eq!(fs::read_to_string(scene.place.path("made")).unwrap(), "one\n");
}

#[test]
fn a_step_that_the_command_did_not_wait_for_is_late() {
    let scene = Scene::new();
    let config = scene.place.dir.join("home/.config/fuzzy-edit/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "step-wait = 0\n").unwrap();
    scene.shell("echo one > made");
    scene.begin("s1", "Work.");
    scene.shell("echo two > made");
    scene.command_of("s1", "rm made");
    scene.end("s1");
    assert_eq!((scene.steps("1").len(), &scene.steps("1")[0]["late"]), (1, &json!(true)));
    let shown = scene.turns(&["show", "1"]).text();
    assert!(shown.contains("late"), "{shown}");
}

#[test]
fn a_kept_file_comes_back_only_over_what_the_turn_left() {
    let scene = Scene::new();
    scene.precious();
    let env = scene.place.path(".env");
    let read = || fs::read_to_string(&env).unwrap();
    scene.begin("s1", "One.");
    scene.command_of("s1", "echo agent > .env; rm big.bin; ln -sf f out/link; rm -r out");
    scene.end("s1");
    // The user writes a newer one.
    fs::write(&env, "user\n").unwrap();
    let done = scene.json(&["revert", "1", "--yes"]);
    assert_eq!(read(), "user\n");
    assert_eq!(done["not_brought_back"][0]["path"], ".env", "{done}");
    assert!(scene.place.path("big.bin").exists() && scene.place.path("out/sub/b.bin").exists());
    // Its path is named: the copy replaces it, and the undo puts it back.
    let named = scene.json(&["revert", "1", "--yes", "--paths", ".env"]);
    assert_eq!((read().as_str(), &named["brought_back"][0]["path"]), ("SECRET=1\n", &json!(".env")), "{named}");
    assert_eq!(scene.undo(&["--yes"]).code, 0);
    assert_eq!(read(), "user\n");
}

#[test]
fn what_is_not_kept_is_named() {
    let scene = Scene::new();
    scene.precious();
    scene.shell("mkdir node_modules tagged; echo 'tagged/' >> .gitignore; echo x > node_modules/x; echo x > tagged/x");
    scene.shell("touch tagged/CACHEDIR.TAG; truncate -s 70M large.bin; echo x > ../outside; mkfifo pipe.bin");
    scene.begin("s1", "One.");
    scene.command_of("s1", "rm -rf node_modules tagged large.bin ../outside pipe.bin");
    scene.end("s1");
    let plan = scene.json(&["revert", "1", "--dry-run"]);
    let named = plan["not_brought_back"].as_array().unwrap().iter();
    let named: BTreeMap<String, String> = named
        .map(|left| [&left["path"], &left["why"]].map(|text| text.as_str().unwrap().to_owned()))
        .map(|[path, why]| (path.rsplit_once("/outside").map_or(path.clone(), |_| "outside".to_owned()), why))
        .collect();
    let expected = [
        ("large.bin", "larger than 64 MiB"),
        ("node_modules/", "a cache"),
        ("outside", "outside the project"),
        ("pipe.bin", "no regular file"),
        ("tagged/", "a cache"),
    ];
    assert_eq!(named, expected.map(|(path, why)| (path.to_owned(), why.to_owned())).into(), "{plan}");
}

#[test]
fn copies_go_with_their_turns() {
    let scene = Scene::new();
    scene.precious();
    scene.begin("s1", "One.");
    scene.command_of("s1", "rm .env");
    scene.end("s1");
    let copies = || files(&scene.state().join("kept"));
    assert_eq!(copies().into_values().collect::<Vec<_>>(), [(b"SECRET=1\n".to_vec(), 0o100_600)]);
    assert_eq!(scene.turns(&["forget", "1", "--yes"]).code, 0);
    assert_eq!(copies(), BTreeMap::new());
}

#[test]
fn the_user_chooses_what_every_step_keeps_and_whether_there_are_steps() {
    let scene = Scene::new();
    scene.precious();
    let config = scene.place.dir.join("home/.config/fuzzy-edit/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    // A project's own list is not in force.
    fs::write(scene.place.path("fuzzy-edit.toml"), "keep = [\"out/\"]\n").unwrap();
    fs::write(&config, "keep = [\".env\"]\n").unwrap();
    scene.begin("s1", "One.");
    scene.command_of("s1", "./configure 2> /dev/null || rm .env out/a.bin");
    scene.end("s1");
    assert_eq!(scene.steps("1")[0]["kept"], json!(["out/a.bin", ".env"]));
    scene.begin("s1", "Two.");
    scene.before("s1", "make");
    scene.shell("rm -f .env");
    scene.end("s1");
    fs::write(&config, "steps = \"off\"\n").unwrap();
    scene.begin("s1", "Three.");
    scene.command_of("s1", "rm f");
    scene.end("s1");
    assert_eq!(
        (scene.steps("2").len(), scene.steps("3").len()),
        (0, 0),
        "nothing stands in its place, and none is wanted"
    );
}
