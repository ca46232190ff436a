//! The cases to compare.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use fuzzy_testkit::slipped_edits;
use fuzzy_tools::run::{git, read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::folder::Files;
use crate::jsonl;
use crate::parallel::in_parallel;

/// The seeds of the generated edits; each makes a set.
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// An edit of a text, as `fuzzy-edit batch` reads it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Edit {
    pub(crate) id: String,
    pub(crate) content: String,
    pub(crate) old: String,
    pub(crate) new: String,
    #[serde(default)]
    pub(crate) replace_all: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
}

/// A patch and the files that it changes.
pub(crate) struct Patch {
    id: String,
    pub(crate) files: Arc<Files>,
    pub(crate) text: String,
}

/// A change of some files, written as patches of several kinds.
#[derive(Deserialize)]
struct Change {
    id: String,
    files: Files,
    patches: Files,
}

/// Named cases.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) cases: Cases,
}

/// The cases of a set.
pub(crate) enum Cases {
    /// Labelled edits.
    Labelled(Vec<Edit>),
    /// Generated edits.
    Generated(Vec<Edit>),
    /// Labelled patches.
    Patches(Vec<Patch>),
}

impl Set {
    /// Reads a file of labelled edits or patches.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let values = jsonl::load(path)?;
        let cases = if values.first().is_some_and(|value| value["patches"].is_object()) {
            Cases::Patches(parse(values)?.into_iter().flat_map(patches).collect())
        } else {
            Cases::Labelled(parse(values)?)
        };
        ensure!(cases.len() > 0, "no case in {name}");
        Ok(Self { name, cases })
    }
}

fn parse<T: for<'v> Deserialize<'v>>(values: Vec<Value>) -> Result<Vec<T>> {
    let parse = |value: Value| {
        let id = value["id"].to_string();
        serde_json::from_value(value).with_context(|| format!("{id} is no case"))
    };
    values.into_iter().map(parse).collect()
}

fn patches(change: Change) -> impl Iterator<Item = Patch> {
    let Change { id, files, patches } = change;
    let files = Arc::new(files);
    patches.into_iter().map(move |(kind, text)| Patch { id: format!("{id} {kind}"), files: Arc::clone(&files), text })
}

impl Cases {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Labelled(edits) | Self::Generated(edits) => edits.len(),
            Self::Patches(patches) => patches.len(),
        }
    }

    /// Returns a case as JSON: its id, its texts, its options.
    pub(crate) fn json(&self, index: usize) -> Value {
        match self {
            Self::Labelled(edits) | Self::Generated(edits) => json!(edits[index]),
            Self::Patches(patches) => {
                let Patch { id, files, text } = &patches[index];
                json!({"id": id, "files": **files, "patch": text})
            }
        }
    }
}

/// Returns the files of cases: a folder means its `-dev` and `-train` sets.
pub(crate) fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if given.is_empty() {
        return below(&default_folder()?);
    }
    let mut files = Vec::new();
    for path in given {
        files.extend(if path.is_dir() { below(path)? } else { vec![path.clone()] });
    }
    Ok(files)
}

/// Returns the folder of cases beside the repository; for a linked worktree, beside the main one.
fn default_folder() -> Result<PathBuf> {
    let repository = read(git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]))?;
    let beside =
        Path::new(repository.trim()).parent().and_then(Path::parent).context("nothing beside the repository")?;
    Ok(beside.join("shared/data"))
}

/// Returns the `-dev` and `-train` sets of a folder, sorted by name.
fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read the cases in {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix(".jsonl");
        stem.is_some_and(|stem| stem.ends_with("-dev") || stem.ends_with("-train"))
    });
    files.sort();
    ensure!(!files.is_empty(), "no -dev or -train set in {}", folder.display());
    Ok(files)
}

/// Makes `edits` edits, in equal parts of every seed, on several threads.
pub(crate) fn generated(edits: usize, jobs: usize) -> Vec<Set> {
    let sets = cases_of_seeds(edits, jobs).into_iter().map(|(name, cases)| {
        let edits = cases.into_iter().map(|case| {
            let slipped_edits::Case { id, content, old, new, .. } = case;
            Edit { id, content, old, new, ..Edit::default() }
        });
        Set { name, cases: Cases::Generated(edits.collect()) }
    });
    sets.collect()
}

/// Makes `edits` labelled edits, in equal parts of every seed, on several threads; each part has a name.
pub(crate) fn cases_of_seeds(edits: usize, jobs: usize) -> Vec<(String, Vec<slipped_edits::Case>)> {
    let part = edits.div_ceil(SEEDS.len());
    in_parallel(&SEEDS, jobs, |seed| {
        (format!("generated, seed {seed}"), slipped_edits::cases(*seed).take(part).collect())
    })
}
