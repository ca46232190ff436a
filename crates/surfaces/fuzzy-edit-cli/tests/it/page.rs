//! Reads pages of the documentation, and runs the commands on them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the text of a page in `docs`.
pub(crate) fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs").join(name)).unwrap()
}

/// Returns the fenced blocks of a text in order, each with the word after its fence.
pub(crate) fn blocks(text: &str) -> Vec<(&str, &str)> {
    let fenced = text.split("\n```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').unwrap()).collect()
}

/// Returns all commands of a text, in order.
pub(crate) fn commands(text: &str) -> String {
    let shell = blocks(text).into_iter().filter(|(language, _)| *language == "sh");
    shell.flat_map(|(_, block)| [block, "\n"]).collect()
}

/// Returns a `PATH` that begins with the directory of the built command.
pub(crate) fn path() -> OsString {
    let mut path = vec![PathBuf::from(env!("CARGO_BIN_EXE_fuzzy-edit")).parent().unwrap().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    env::join_paths(path).unwrap()
}
