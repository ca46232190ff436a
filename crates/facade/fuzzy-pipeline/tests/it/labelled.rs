//! Labelled edits with their expected results, byte for byte; the needle may be a bad copy.
//!
//! ```toml
//! [[file]]
//! name = "a.py"
//! endings = "\r\n"            # optional: the line endings of this file
//! text = "if a:\n    b()\n"
//!
//! [[case]]
//! name = "the indentation is gone"
//! kind = "base_removed"
//! file = "a.py"
//! needle = "b( )"
//! new = "c( )"
//! lands = [["b()", "c()"]]    # the changes of the file: each text occurs in it once
//!
//! [[case]]
//! name = "nothing like it"
//! kind = "other_file"
//! text = "x\n"                # the whole file, in the place of `file`
//! needle = "while True: pass"
//! new = ""
//! refused = "not_found"       # see `name`
//! places = 2                  # the number of places, if the failure is "ambiguous"
//! proposes = [["x", "y"]]     # optional: the changes of the file by the proposal
//! ```
//!
//! A refusal without `proposes` must have no proposal.

use fuzzy_pipeline::{Document, Edit, Failure, Judgement, Pipeline, Refusal};
use fuzzy_testkit::picture::changes;
use serde::Deserialize;

/// Parts of a file with their replacements.
type Changes = Vec<(String, String)>;

/// Returns the name of a failure in a case.
fn name(failure: &Failure) -> &'static str {
    match failure {
        Failure::Identical => "identical",
        Failure::EmptyOld => "empty_old",
        Failure::NotFound => "not_found",
        Failure::Ambiguous { .. } => "ambiguous",
        Failure::AlreadyApplied { .. } => "already_applied",
        Failure::Refused(Refusal::TooDifferent) => "too_different",
        Failure::Refused(Refusal::Conflict { .. }) => "conflict",
        Failure::Refused(Refusal::Uncertain) => "uncertain",
        _ => "another failure",
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    endings: Option<String>,
    text: String,
}

impl File {
    /// Returns a text with the line endings of this file.
    fn written(&self, text: &str) -> String {
        text.replace('\n', self.endings.as_deref().unwrap_or("\n"))
    }

    /// Returns the whole file after the changes of the case `name`.
    fn after(&self, name: &str, changes: &Changes) -> String {
        self.written(&changed(name, &self.text, changes))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    file: Vec<File>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    kind: String,
    file: Option<String>,
    text: Option<String>,
    needle: String,
    new: String,
    #[serde(default)]
    replace_all: bool,
    lands: Option<Changes>,
    refused: Option<String>,
    places: Option<usize>,
    proposes: Option<Changes>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    case: Vec<Row>,
}

/// The expected result of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The whole file after the edit.
    Lands(String),
    /// A failure without a change.
    Refused {
        /// The kind of failure.
        why: String,
        /// The number of places, if several compete.
        places: Option<usize>,
        /// The whole file after the proposal; `None` if there must be no proposal.
        proposal: Option<String>,
    },
}

/// An edit and its expected result.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The name of the case.
    pub(crate) name: String,
    /// The mistake of the needle.
    pub(crate) kind: String,
    /// The whole file.
    pub(crate) haystack: String,
    /// The text to find.
    pub(crate) needle: String,
    /// The text to put there.
    pub(crate) replacement: String,
    /// Whether to replace every place.
    pub(crate) replace_all: bool,
    /// The expected result.
    pub(crate) expected: Answer,
}

/// Reads a list of files and the lists of cases that edit them.
///
/// # Panics
///
/// Panics with the mistake if a text is not such a list, a case names an unknown file, does not have exactly one of
/// `file` and `text`, and of `lands` and `refused`, or changes a text that does not occur exactly once in its file.
pub(crate) fn read(files: &str, cases: &[&str]) -> Vec<Case> {
    let files: Vec<File> = parsed::<Files>(files).file;
    let rows = cases.iter().flat_map(|text| parsed::<Rows>(text).case);
    rows.map(|mut row| match (&row.file, row.text.take()) {
        (Some(name), None) => {
            let file = files.iter().find(|file| file.name == *name);
            let file = file.unwrap_or_else(|| panic!("{}: there is no file named {name:?}", row.name));
            case(row, file)
        }
        (None, Some(text)) => case(row, &File { name: String::new(), endings: None, text }),
        _ => panic!("{}: name a file, or write its text", row.name),
    })
    .collect()
}

/// Parses TOML.
fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

fn case(row: Row, file: &File) -> Case {
    let expected = match (&row.lands, &row.refused) {
        (Some(changes), None) => Answer::Lands(file.after(&row.name, changes)),
        (None, Some(why)) => {
            assert_eq!(why == "ambiguous", row.places.is_some(), "{}: `places` belongs to ambiguous", row.name);
            let proposal = row.proposes.as_ref().map(|changes| file.after(&row.name, changes));
            Answer::Refused { why: why.clone(), places: row.places, proposal }
        }
        _ => panic!("{}: say either what lands or why it is refused", row.name),
    };
    Case {
        haystack: file.written(&file.text),
        name: row.name,
        kind: row.kind,
        needle: row.needle,
        replacement: row.new,
        replace_all: row.replace_all,
        expected,
    }
}

/// Replaces every part of `text` that `changes` names.
fn changed(name: &str, text: &str, changes: &Changes) -> String {
    let mut splices: Vec<_> = changes
        .iter()
        .map(|(old, new)| {
            let mut places = text.match_indices(old.as_str()).map(|(at, _)| at);
            let (at, again) = (places.next(), places.next());
            assert!(again.is_none(), "{name}: {old:?} occurs in the file more than once");
            let Some(at) = at else { panic!("{name}: {old:?} does not occur in the file") };
            (at, old.len(), new)
        })
        .collect();
    splices.sort_unstable();
    let mut out = String::new();
    let mut from = 0;
    for (at, length, new) in splices {
        out.push_str(&text[from..at]);
        out.push_str(new);
        from = at + length;
    }
    out + &text[from..]
}

/// Applies the edit of a case with fitted line endings; returns the mistake of the result, if there is one.
pub(crate) fn mistake(case: &Case, pipeline: &Pipeline) -> Option<String> {
    let edit = Edit::new(&case.needle, &case.replacement).with_replace_all(case.replace_all);
    let document = Document::new(case.haystack.as_str());
    let attempt = edit.attempt(pipeline, &document);
    let judgement = attempt.decide();
    match (&case.expected, judgement.apply()) {
        (Answer::Lands(expected), Ok(applied)) => {
            (applied.output != *expected).then(|| changes(expected, &applied.output))
        }
        (Answer::Lands(_), Err(failure)) => Some(format!("should land, but: {failure:?}\n")),
        (Answer::Refused { why, .. }, Ok(applied)) => {
            Some(format!("should be refused ({why}), but lands:\n{}", changes(&case.haystack, &applied.output)))
        }
        (Answer::Refused { why, places, proposal }, Err(failure)) => {
            if name(&failure) != why {
                return Some(format!("should be {why}, but: {failure:?}\n"));
            }
            let found = places.map(|_| judgement.places().count);
            if found != *places {
                return Some(format!("should be {places:?} places, but: {found:?}\n"));
            }
            wrong_proposal(&judgement, pipeline, proposal.as_deref())
        }
    }
}

/// Applies the proposal of a rejected edit, if it has one; returns the mistake of the result, if there is one.
fn wrong_proposal(judgement: &Judgement<'_>, pipeline: &Pipeline, expected: Option<&str>) -> Option<String> {
    let (proposal, expected) = match (judgement.proposal(), expected) {
        (None, None) => return None,
        (None, Some(_)) => return Some("should have a proposal\n".to_owned()),
        (Some(proposal), None) => return Some(format!("should carry no proposal, but: {proposal:#?}\n")),
        (Some(proposal), Some(expected)) => (proposal, expected),
    };
    let file = judgement.document().text();
    if file.matches(&proposal.old).count() != 1 {
        return Some(format!("the proposal's old text does not occur in the file once: {:?}\n", proposal.old));
    }
    let edit = Edit::new(&proposal.old, &proposal.new);
    match edit.run(pipeline, judgement.document()) {
        Ok(applied) if applied.output == expected => None,
        Ok(applied) => Some(format!("the proposal lands otherwise:\n{}", changes(expected, &applied.output))),
        Err(failure) => Some(format!("the proposal does not land: {failure:?}\n")),
    }
}
