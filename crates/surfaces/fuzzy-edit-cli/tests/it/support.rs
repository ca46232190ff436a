//! Runs the built command in a directory of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use jsonschema::Validator;
use serde_json::Value;

/// A temporary directory in which the command runs, and a state directory of its own: the journal keeps only the newest
/// batches, and one that cannot be read stops the next undo.
pub(crate) struct Place(tempfile::TempDir, tempfile::TempDir);

/// The output of the command.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The verb; empty if there was none.
    verb: String,
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The properties of a file that must not change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    bytes: Option<Vec<u8>>,
    mode: u32,
    inode: u64,
    modified: (i64, i64),
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap())
    }

    /// Makes a place with one file, `file.txt`.
    pub(crate) fn with(bytes: impl AsRef<[u8]>) -> Self {
        let place = Self::new();
        place.write("file.txt", bytes);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// Returns the names of everything in the directory, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(self.0.path()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn fingerprint(&self, name: &str) -> Option<Fingerprint> {
        let metadata = fs::symlink_metadata(self.path(name)).ok()?;
        Some(Fingerprint {
            // Reading a pipe would block, and a huge file is identified by its length.
            bytes: (metadata.is_file() && metadata.len() < 1 << 20).then(|| self.bytes(name)),
            mode: metadata.mode(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        })
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with(arguments, b"")
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Answer {
        self.run_in(arguments, input, &[])
    }

    /// Runs the command with these variables in its environment.
    pub(crate) fn run_in(&self, arguments: &[&str], input: &[u8], environment: &[(&str, &PathBuf)]) -> Answer {
        let mut command = self.command(arguments);
        if let Some((_, home)) = environment.iter().find(|(name, _)| *name == "HOME") {
            command.env("XDG_CONFIG_HOME", home.join(".config"));
        }
        command.envs(environment.iter().copied());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // The command may exit before it has read all of its input.
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Answer {
            verb: arguments.first().copied().unwrap_or_default().to_owned(),
            code: output.status.code().expect("the command ended by itself"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Returns the state directory of the command.
    pub(crate) fn state(&self) -> PathBuf {
        self.1.path().to_owned()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(arguments).current_dir(self.0.path());
        // Keeps the journals of the tests apart from those of the user who runs them.
        command.env("XDG_STATE_HOME", self.state());
        // The user's settings must not decide a test; a test writes its own to this directory.
        command.env("XDG_CONFIG_HOME", self.path("settings"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl Answer {
    /// Returns the one JSON object on standard output.
    pub(crate) fn json(&self) -> Value {
        object(&self.out, &self.verb)
    }
}

/// Returns the one JSON object of an output, after checking that it is one compact line and conforms to a schema.
pub(crate) fn object(out: &str, schema: &str) -> Value {
    let line = out.strip_suffix('\n').expect("a final newline");
    assert!(!line.contains('\n'), "one line: {line}");
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    assert!(value.is_object(), "{line}");
    assert_eq!(without_strings(line).find(char::is_whitespace), None, "compact: {line}");
    assert_eq!(schema_error(schema, &value), None);
    value
}

/// Returns the first violation of a schema. Only the answer to a wrong verb has none.
pub(crate) fn schema_error(name: &str, value: &Value) -> Option<String> {
    static READ: Mutex<BTreeMap<String, Option<Arc<Validator>>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let validator = read.entry(name.to_owned()).or_insert_with(|| {
        let schema = serde_json::from_str(&Place::new().run(&["schema", name]).out).ok()?;
        Some(Arc::new(jsonschema::validator_for(&schema).unwrap()))
    });
    let validator = validator.clone();
    drop(read);
    let Some(validator) = validator else {
        assert_eq!(value["code"], "bad_input", "`{name}` needs a line in src/verbs/schema.rs");
        return None;
    };
    validator.validate(value).err().map(|error| format!("{name}: {error} in {value}"))
}

/// Returns JSON with the contents of its strings removed.
fn without_strings(json: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    json.chars()
        .filter(|c| {
            let was_inside = inside;
            if *c == '"' && !escaped {
                inside = !inside;
            }
            escaped = *c == '\\' && !escaped;
            !was_inside
        })
        .collect()
}

/// Returns the path of the command under test: the one built with these tests, or the one that the suite of another
/// build names.
pub(crate) fn program() -> OsString {
    env::var_os("FUZZY_EDIT_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_fuzzy-edit").into())
}
