//! The corpus of patches: the request, the files before, and the files after or the error.
//!
//! ```text
//! #!case what the case shows; unique
//! #!file src/a.txt          a file before; without a name it is a.txt
//! one
//! #!target a.txt            what --file names
//! #!patch
//! <<<<<<< SEARCH
//! ...
//! #!after src/a.txt         a file after; what is not listed stays as it is
//! two
//! #!gone b.txt              a file that is there no more
//! #!error parse 3           or: the code, and the line of the patch where the parser sees it
//! #!no change               or: every file stays as it is
//! ```
//!
//! A case that lists no files has those of the case above it, and its result unless it has one of its own; `#!no files`
//! says that there are none.
//!
//! After a name, `crlf` turns the line breaks of the text into `\r\n`, `bare` removes the last one, `mark` adds a byte
//! order mark, and `empty` removes everything. `⎵` is a blank that an editor would remove.

use std::collections::{BTreeMap, HashSet};

/// The corpus by format, as it is committed.
const CORPUS: [(&str, &str); 4] = [
    ("search-replace", include_str!("../../files/fuzzy-patch/testdata/search-replace.txt")),
    ("unified", include_str!("../../files/fuzzy-patch/testdata/unified.txt")),
    ("envelope", include_str!("../../files/fuzzy-patch/testdata/envelope.txt")),
    ("mixed", include_str!("../../files/fuzzy-patch/testdata/mixed.txt")),
];

/// The least number of cases per format, in the order of [`CORPUS`], to detect a truncated file.
const MIN_CASES: [usize; 4] = [50, 50, 50, 15];

/// A patch and its result.
#[derive(Clone, Debug, Default)]
pub struct PatchCase {
    /// The format, or `mixed`.
    pub kind: &'static str,
    /// The name of the case, unique.
    pub name: &'static str,
    /// The files before, by name.
    pub files: BTreeMap<&'static str, String>,
    /// The file of patches without a name.
    pub target: Option<&'static str>,
    /// The request.
    pub patch: String,
    /// The files that change; `None` for a deleted file.
    pub after: BTreeMap<&'static str, Option<String>>,
    /// The code of the failure, and the line of the patch if the parser detects it.
    pub error: Option<(&'static str, Option<usize>)>,
}

impl PatchCase {
    /// Returns every file after the patch.
    #[must_use]
    pub fn files_after(&self) -> BTreeMap<&'static str, String> {
        let mut files = self.files.clone();
        for (name, text) in &self.after {
            match text {
                Some(text) => files.insert(name, text.clone()),
                None => files.remove(name),
            };
        }
        files
    }
}

/// Returns the whole corpus.
///
/// # Panics
///
/// Panics if the corpus is malformed, a name is not unique, or a format has too few cases.
#[must_use]
pub fn cases() -> Vec<PatchCase> {
    let mut names = HashSet::new();
    let mut all = Vec::new();
    for ((kind, text), least) in CORPUS.into_iter().zip(MIN_CASES) {
        let cases = read(kind, text);
        assert!(cases.len() >= least, "{kind} has {} cases of {least}", cases.len());
        for case in &cases {
            assert!(names.insert(case.name), "two cases are called {:?}", case.name);
        }
        all.extend(cases);
    }
    all
}

/// Reads the cases of one file of the corpus.
fn read(kind: &'static str, text: &'static str) -> Vec<PatchCase> {
    let mut cases: Vec<PatchCase> = Vec::new();
    // Whether the last case lists files and a result of its own.
    let (mut has_files, mut has_result) = (true, true);
    for section in text.split("#!").skip(1) {
        let (directive, body) = section.split_once('\n').unwrap_or((section, ""));
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        if word == "case" {
            let above = cases.last().cloned().unwrap_or_default();
            cases.push(PatchCase { kind, name: rest, files: above.files, after: above.after, ..PatchCase::default() });
            (has_files, has_result) = (false, false);
            continue;
        }
        let case = cases.last_mut().unwrap_or_else(|| panic!("{kind}: {directive:?} before the first case"));
        let is_file = word == "file" || directive == "no files";
        if is_file && !has_files {
            case.files.clear();
        }
        let is_result = matches!(word, "after" | "gone" | "error") || directive == "no change";
        if is_file && !has_files || is_result && !has_result {
            case.after.clear();
        }
        (has_files, has_result) = (has_files || is_file, has_result || is_result);
        let (name, body) = shaped(rest, body);
        match word {
            "file" => drop(case.files.insert(name, body)),
            "target" => case.target = Some(name),
            "patch" => case.patch = body,
            "after" => drop(case.after.insert(name, Some(body))),
            "gone" => drop(case.after.insert(name, None)),
            "error" => {
                let (code, line) = rest.split_once(' ').unwrap_or((rest, ""));
                case.error = Some((code, line.parse().ok()));
            }
            "no" => {}
            _ => panic!("{kind}, {:?}: unknown directive {word:?}", case.name),
        }
    }
    cases
}

/// Removes the flags from a name and applies them to the text.
fn shaped(rest: &'static str, body: &str) -> (&'static str, String) {
    let mut name = rest;
    let mut text = body.replace('⎵', " ");
    loop {
        let (before, flag) = name.rsplit_once(' ').unwrap_or(("", name));
        text = match flag {
            "crlf" => text.replace('\n', "\r\n"),
            "bare" => text.strip_suffix('\n').unwrap_or(&text).to_owned(),
            "mark" => format!("\u{feff}{text}"),
            "empty" => String::new(),
            _ => break,
        };
        name = before;
    }
    (if name.is_empty() { "a.txt" } else { name }, text)
}
