//! Two hundred paths out of the root, all of which are rejected.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use fuzzy_edit::{Code, Editor, FileEdit, Operation, Report, Root, Session};

use crate::support::{self, Alone};

/// A root and, beside it, a directory that must not change.
struct Jail {
    directory: tempfile::TempDir,
}

impl Jail {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let jail = Self { directory };
        for folder in ["root/sub/deep", "root/.git/hooks", "root/sub/.GIT", "outside/.git"] {
            fs::create_dir_all(jail.path(folder)).unwrap();
        }
        let files =
            ["root/file", "root/sub/file", "root/.git/config", "root/.git/hooks/pre-commit", "root/sub/.GIT/config"];
        for file in files.into_iter().chain(["outside/file", "outside/.git/config", "file"]) {
            fs::write(jail.path(file), "secret").unwrap();
        }
        let up = |count: usize| "../".repeat(count);
        let links = [
            ("out", up(1) + "outside"),
            ("out-file", up(1) + "outside/file"),
            ("out-absolute", jail.path("outside").to_str().unwrap().to_owned()),
            ("slash", "/".to_owned()),
            ("up", "..".to_owned()),
            ("here", ".".to_owned()),
            ("git", ".git".to_owned()),
            ("git-file", ".git/config".to_owned()),
            ("chain", "sub/chain".to_owned()),
            ("sub/chain", up(2) + "outside"),
            ("sub/deep/up", up(3)),
            ("new", up(1) + "outside/created"),
            ("dangling", jail.path("outside/created").to_str().unwrap().to_owned()),
        ];
        for (name, target) in links {
            symlink(target, jail.path("root").join(name)).unwrap();
        }
        jail
    }

    fn path(&self, below: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(below)
    }

    fn editor(&self) -> Editor {
        support::editor().within(Root::open(&self.path("root")).unwrap())
    }

    /// Checks that nothing changed outside the root or in a `.git` directory.
    fn assert_unharmed(&self, after: &str) {
        for file in [
            "outside/file",
            "outside/.git/config",
            "file",
            "root/.git/config",
            "root/.git/hooks/pre-commit",
            "root/sub/.GIT/config",
        ] {
            assert_eq!(fs::read_to_string(self.path(file)).unwrap(), "secret", "{after}: {file}");
        }
        let names = |folder: &str| fs::read_dir(self.path(folder)).unwrap().count();
        assert_eq!((names("outside"), names("outside/.git"), names("")), (2, 1, 3), "{after}");
        assert_eq!((names("root/.git"), names("root/.git/hooks"), names("root/sub/.GIT")), (2, 1, 1), "{after}");
    }
}

/// Every path that leads out of the root or into `.git`.
fn escapes(jail: &Jail) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let absolute = |below: &str| jail.path(below).to_str().unwrap().to_owned();
    let outside = ["outside/file", "outside/.git/config", "file", "outside/created", "outside/new/created"];
    for target in outside {
        paths.push(absolute(target));
        paths.push(absolute("root") + "/../" + target);
        paths.push(absolute("root") + "/sub/../../" + target);
        paths.push(format!("slash{}", absolute(target)));
        paths.push(format!("here/slash{}", absolute(target)));
        for prefix in [
            "..",
            "./..",
            "sub/../..",
            "sub/deep/../../..",
            "here/..",
            "here/here/..",
            "up",
            "sub/deep/up",
            "missing/../..",
            "..//",
        ] {
            paths.push(format!("{prefix}/{target}"));
        }
    }
    for link in ["out", "out-absolute", "chain", "sub/chain", "here/out", "here/chain", "sub/../out", "./out-absolute"]
    {
        for below in ["file", ".git/config", "created", "new/created", "../file"] {
            paths.push(format!("{link}/{below}"));
        }
    }
    paths
        .extend(["out-file", "new", "dangling", "here/out-file", "sub/../dangling", "/etc/hostname"].map(String::from));
    let spellings = [
        ".git",
        ".GIT",
        ".Git",
        ".gIt",
        ".git.",
        ".git ",
        ".git...",
        ".git. ",
        "git~1",
        "GIT~1",
        "git~2",
        ".git:",
        ".git::$INDEX_ALLOCATION",
        ".git::$DATA",
        ".g\u{200c}it",
        ".gi\u{200d}t",
        "\u{feff}.git",
        ".git\u{206a}",
        ".\u{202e}git",
        "x\\.git",
        ".git\\hooks",
    ];
    for spelling in spellings {
        for path in ["{}/config", "{}/created", "sub/{}/config", "{}", "missing/{}/file"] {
            paths.push(path.replace("{}", spelling));
        }
    }
    paths.extend(
        ["git/config", "git-file", "git/hooks/pre-commit", "here/git/config", "sub/../.git/config"].map(String::from),
    );
    paths.sort();
    paths.dedup();
    paths
}

#[test]
fn none_of_two_hundred_escapes_succeeds() {
    let jail = Jail::new();
    let editor = jail.editor();
    let paths = escapes(&jail);
    assert!(paths.len() >= 200, "{}", paths.len());
    for path in &paths {
        let edit = FileEdit::new(Path::new(path), "secret", "stolen");
        let create = Operation::Create { path: path.into(), text: "stolen".to_owned(), executable: None };
        let onto = Operation::Move { from: "file".into(), to: path.into() };
        for operation in [edit.into(), create, Operation::Delete { path: path.into(), text: None }, onto] {
            for report in editor.applied(std::slice::from_ref(&operation)) {
                let Report::Failure(failure) = report else { panic!("{operation:?}") };
                assert_eq!(failure.code, Code::OutsideRoot, "{operation:?}: {failure}");
            }
        }
        assert!(
            matches!(editor.workspace().read(Path::new(path)), Err(error) if error.code() == Code::OutsideRoot),
            "{path}"
        );
        jail.assert_unharmed(path);
    }
    // Paths inside the root work.
    for path in ["file", "sub/file", "here/sub/../file", "./sub/deep/../file"] {
        assert_eq!(editor.workspace().read(Path::new(path)).unwrap().text(), "secret");
    }
    assert_eq!(editor.workspace().read(&jail.path("root/sub/file")).unwrap().text(), "secret");
}

#[test]
fn a_component_that_is_swapped_for_a_link_leads_nowhere() {
    let swap = |jail: &Jail| {
        fs::rename(jail.path("root/sub"), jail.path("root/moved")).unwrap();
        symlink(jail.path("outside"), jail.path("root/sub")).unwrap();
    };
    // Between planning and writing.
    let operations = |name: &str| -> Vec<Operation> {
        match name {
            "edit" => vec![FileEdit::new(Path::new("sub/file"), "secret", "new").into()],
            "create" => {
                vec![Operation::Create { path: "sub/created".into(), text: "new".to_owned(), executable: None }]
            }
            "delete" => vec![Operation::Delete { path: "sub/file".into(), text: None }],
            _ => vec![Operation::Move { from: "sub/file".into(), to: "sub/created".into() }],
        }
    };
    for name in ["edit", "create", "delete", "move"] {
        let jail = Jail::new();
        let (editor, operations) = (jail.editor(), operations(name));
        let plan = editor.plan(&Session::default(), &operations);
        swap(&jail);
        let _ = plan.write(&mut Session::default());
        fs::remove_file(jail.path("root/sub")).unwrap();
        fs::rename(jail.path("root/moved"), jail.path("root/sub")).unwrap();
        jail.assert_unharmed(name);
    }
    // The file itself becomes a link.
    let jail = Jail::new();
    let (editor, edit) = (jail.editor(), [FileEdit::new(Path::new("sub/file"), "secret", "new").into()]);
    let plan = editor.plan(&Session::default(), &edit);
    fs::remove_file(jail.path("root/sub/file")).unwrap();
    symlink(jail.path("outside/file"), jail.path("root/sub/file")).unwrap();
    assert!(matches!(&plan.write(&mut Session::default())[0], Report::Failure(failure) if failure.code == Code::Stale));
    jail.assert_unharmed("file");
}

#[test]
fn a_thread_that_swaps_links_all_the_time_gains_nothing() {
    let tries: usize = std::env::var("FUZZY_EDIT_SWAPS").ok().and_then(|tries| tries.parse().ok()).unwrap_or(300);
    let jail = Jail::new();
    let (editor, done) = (jail.editor(), AtomicBool::new(false));
    fs::write(jail.path("root/sub/file"), "mine").unwrap();
    symlink(jail.path("outside"), jail.path("root/link")).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            let (sub, link) = (jail.path("root/sub"), jail.path("root/link"));
            while !done.load(Ordering::Relaxed) {
                renameat_with(CWD, &sub, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        });
        for number in 0..tries {
            let old =
                editor.workspace().read(Path::new("sub/file")).map(|file| file.text().to_owned()).unwrap_or_default();
            assert_ne!(old, "secret");
            let edit = FileEdit::new(Path::new("sub/file"), old, format!("new {number}"));
            let _ = editor.applied(&[edit]);
            let _ = editor.applied(&[Operation::Create {
                path: "sub/created".into(),
                text: String::new(),
                executable: None,
            }]);
            let _ = editor.applied(&[Operation::Delete { path: "sub/created".into(), text: None }]);
        }
        done.store(true, Ordering::Relaxed);
    });
    // The thread may have stopped while the link was in place.
    if jail.path("root/sub").is_symlink() {
        fs::remove_file(jail.path("root/sub")).unwrap();
        fs::rename(jail.path("root/link"), jail.path("root/sub")).unwrap();
    }
    jail.assert_unharmed("race");
}
