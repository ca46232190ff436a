//! The labelled cases, and the rating of answers to them.

use std::collections::BTreeMap;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fuzzy_edit::LineQuote;
use fuzzy_report::{Labelled, Verdict};
use fuzzy_testkit::slipped_edits;
use fuzzy_tools::run::{git, read};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::jsonl::{self, sha256};

/// The seeds of the generated edits; each makes a set.
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// An edit of a text and its expected result.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    /// The path of the file in its repository; empty if unknown.
    #[serde(default)]
    pub(crate) path: String,
    pub(crate) content: String,
    /// The old text; empty if `quote` names the lines.
    #[serde(default)]
    pub(crate) old: String,
    /// The lines that a range, an insertion or guarded numbers name; empty for an edit with an old text.
    #[serde(flatten)]
    pub(crate) quote: LineQuote,
    pub(crate) new: String,
    #[serde(default)]
    pub(crate) replace_all: bool,
    /// The line hint of the edit, counted from 1.
    pub(crate) line: Option<usize>,
    /// The file as the writer of the edit had read it, if it changed since.
    pub(crate) base: Option<String>,
    /// The whole text after the edit; `None` if the edit must be rejected.
    pub(crate) expected: Option<String>,
    /// Other acceptable texts after the edit; `None` for a rejection.
    #[serde(default)]
    pub(crate) accept: Vec<Option<String>>,
    /// The kind of expected result, for edits that were not made for this purpose.
    pub(crate) expected_kind: Option<String>,
    /// Whether leaving the text unchanged is as good as rejecting.
    #[serde(default)]
    pub(crate) accept_noop: bool,
    /// The lines that must include every change, counted from 0, end excluded.
    pub(crate) target: Option<(usize, usize)>,
    /// The kind of difference between the old text and the file's.
    pub(crate) drift: String,
    #[serde(skip)]
    pub(crate) is_generated: bool,
}

/// A change of some files, written as patches of several kinds.
#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) id: String,
    pub(crate) files: BTreeMap<String, String>,
    /// The files after the change; `None` if every patch must be rejected.
    pub(crate) expected: Option<BTreeMap<String, String>>,
    pub(crate) patches: BTreeMap<String, String>,
}

/// A file of edits or of changes: one of the two lists is empty. Only its name and its hash are ever written.
#[derive(Debug, Default)]
pub(crate) struct Set {
    pub(crate) name: String,
    /// Hash of the file itself, compressed or not.
    pub(crate) sha256: String,
    pub(crate) edits: Vec<Case>,
    pub(crate) changes: Vec<Change>,
}

impl Set {
    /// Reads a `.jsonl` or `.jsonl.gz` file.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut set = Self { sha256: sha256(bytes), name, ..Self::default() };
        for value in jsonl::load(path)? {
            let is_no_case = format!("{} in {} is no case", value["id"], set.name);
            if value["patches"].is_object() {
                set.changes.push(serde_json::from_value(value).context(is_no_case)?);
            } else {
                let has_old = value["old"].is_string();
                let case: Case = serde_json::from_value(value).context(is_no_case.clone())?;
                case.quote.check(has_old, case.replace_all).context(is_no_case)?;
                set.edits.push(case);
            }
        }
        ensure!(set.edits.is_empty() != set.changes.is_empty(), "{} has no cases, or two kinds of them", set.name);
        Ok(set)
    }

    /// Makes `edits` edits, in equal parts of every seed.
    pub(crate) fn generated(edits: usize) -> Vec<Self> {
        let part = edits.div_ceil(SEEDS.len());
        let make = |seed: &u64| Self {
            name: format!("generated, seed {seed}"),
            edits: slipped_edits::cases(*seed).take(part).map(Case::from).collect(),
            ..Self::default()
        };
        SEEDS.par_iter().map(make).collect()
    }
}

impl From<slipped_edits::Case> for Case {
    fn from(case: slipped_edits::Case) -> Self {
        let slipped_edits::Case { id, kind: drift, content, old, new, expected } = case;
        Self { id, drift, content, old, new, expected, accept_noop: true, is_generated: true, ..Self::default() }
    }
}

/// Returns the files of cases: a folder means its `-dev` and `-train` sets. Without any, the folder is `shared/data`
/// beside the repository; for a linked worktree, beside the main one.
pub(crate) fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if given.is_empty() {
        let repository = read(git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]))?;
        let beside = Path::new(repository.trim()).ancestors().nth(2).context("nothing beside the repository")?;
        return files(&[beside.join("shared/data")]);
    }
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        let is_set = |name: &str| name.ends_with("-dev.jsonl") || name.ends_with("-train.jsonl");
        let mut sets: Vec<PathBuf> = entries.into_iter().filter(|path| is_set(&name_of(path))).collect();
        ensure!(!sets.is_empty(), "no -dev or -train set in {}", path.display());
        sets.sort();
        files.extend(sets);
    }
    Ok(files)
}

/// Returns the name of a file, without the ending of a compressed one.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().trim_end_matches(".gz").to_owned()
}

impl Case {
    /// Returns the kind of expected result; empty if there is none.
    pub(crate) fn known(&self) -> &str {
        self.expected_kind.as_deref().unwrap_or_default()
    }

    /// Returns whether the edit only adds text.
    pub(crate) fn is_insertion(&self) -> bool {
        let Self { quote, old, new, .. } = self;
        if quote.is_empty() { new.contains(old.as_str()) } else { quote.after.is_some() || quote.before.is_some() }
    }

    /// Returns whether the edit should be applied.
    pub(crate) fn is_positive(&self) -> bool {
        self.expected.is_some() || self.known() == "span"
    }

    /// Returns the keys under which the case is counted: its kind, its group, and its part if it has one. Groups and
    /// parts begin with a tilde.
    pub(crate) fn keys(&self) -> Vec<String> {
        let is_combo = self.drift.starts_with("combo:");
        let kind =
            if is_combo && !self.is_generated { "combo" } else { self.expected_kind.as_deref().unwrap_or(&self.drift) };
        let is_unique = self.known() == "full" && self.content.matches(&self.old).take(2).count() == 1;
        let group = match () {
            () if self.drift == "underindented_exact" || is_unique => "~policy",
            () if self.drift.starts_with("control") => &format!("~{}", self.drift),
            () if self.is_positive() => "~drifted",
            () => "~negatives",
        };
        let part = self.drift.split_once(':').filter(|_| !is_combo).map(|(part, _)| format!("~{part}"));
        [kind.to_owned(), group.to_owned()].into_iter().chain(part).collect()
    }

    /// Rates the text of an edit, or its refusal; `None` if the label is not sufficient.
    pub(crate) fn verdict(&self, output: Option<&str>) -> Option<Verdict> {
        if self.is_generated {
            return Some(slipped_edits::verdict(&self.drift, &self.content, self.expected.as_deref(), output));
        }
        let Self { content, expected, accept, accept_noop, target, .. } = self;
        let is_same = self.quote.is_empty() && self.old == self.new;
        let (kind, expected, accept_noop, target) = (self.known(), expected.as_deref(), *accept_noop, *target);
        Labelled { content, is_same, expected, accept, kind, accept_noop, target }.verdict(output)
    }
}

/// The number of cases per verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    /// Returns the number of cases of a verdict.
    pub(crate) fn of(&self, verdict: Verdict) -> usize {
        self.0.get(verdict.name()).copied().unwrap_or_default()
    }

    /// Returns the number of all cases.
    pub(crate) fn all(&self) -> usize {
        self.0.values().sum()
    }

    /// Returns a verdict's share, in percent; 0 without cases.
    pub(crate) fn share(&self, verdict: Verdict) -> f64 {
        self.of(verdict) as f64 / self.all().max(1) as f64 * 100.0
    }
}

impl AddAssign<Verdict> for Counts {
    fn add_assign(&mut self, verdict: Verdict) {
        *self.0.entry(verdict.name()).or_default() += 1;
    }
}

/// Adds the case, its answer and the verdict to a line for study by a person.
pub(crate) fn failure(case: &Case, set: &str, verdict: &str, answer: &Value) -> Value {
    let mut line = serde_json::json!({"set": set, "verdict": verdict, "answer": answer});
    if let (Value::Object(line), Value::Object(case)) = (&mut line, serde_json::json!(case)) {
        line.extend(case);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{Case, Set, Verdict};
    use crate::engine::{ADAPTIVE, output, pipeline};

    fn case(expected: Option<&str>) -> Case {
        Case {
            content: "a\n".to_owned(),
            old: "a".to_owned(),
            new: "b".to_owned(),
            expected: expected.map(str::to_owned),
            ..Case::default()
        }
    }

    #[test]
    fn answers_are_rated_by_their_labels() {
        let negative = case(None);
        let may_be_unchanged = Case { accept_noop: true, ..case(None) };
        let positive = case(Some("b\n"));
        let accepting = Case { accept: vec![Some("c\n".to_owned()), None], ..case(Some("b\n")) };
        let made = case(Some("a\n"));
        for (case, output, verdict) in [
            (&negative, None, Verdict::Right),
            (&negative, Some("a\n"), Verdict::Wrong),
            (&may_be_unchanged, Some("a\n"), Verdict::Right),
            (&may_be_unchanged, Some("a"), Verdict::Wrong),
            (&positive, Some("b\n"), Verdict::Right),
            (&positive, Some("b"), Verdict::Tails),
            (&positive, Some("a\n"), Verdict::Refused),
            (&positive, None, Verdict::Refused),
            (&accepting, Some("c\n"), Verdict::Right),
            (&accepting, None, Verdict::Right),
            (&accepting, Some("d\n"), Verdict::Wrong),
            (&made, Some("a\n"), Verdict::Right),
            (&made, None, Verdict::Refused),
        ] {
            assert_eq!(case.verdict(output), Some(verdict), "{case:?} {output:?}");
        }
    }

    #[test]
    fn a_case_names_its_place_in_one_way() {
        let folder = tempfile::tempdir().unwrap();
        let load = |place: &str| {
            let path = folder.path().join("cases.jsonl");
            let case = r#"{"id": "a", "drift": "d", "content": "a\nb\nc\n", "expected": "a\nc\n", "new": "", "#;
            std::fs::write(&path, [case, place, "}"].concat()).unwrap();
            Set::load(&path)
        };
        let pipeline = pipeline(ADAPTIVE).unwrap();
        for place in [r#""old": "b\n""#, r#""first": "b", "last": "b""#, r#""first": "b", "lines": [2, 2]"#] {
            let case = &load(place).unwrap().edits[0];
            assert_eq!(case.verdict(output(&case.ask(&pipeline))), Some(Verdict::Right), "{place}");
            assert!(!case.is_insertion(), "{place}");
        }
        let after = &load(r#""after": "b""#).unwrap().edits[0];
        assert!(after.is_insertion() && after.edit().quote != fuzzy_pipeline::Quote::Whole);
        for place in [r#""line": 2"#, r#""old": "b", "first": "b""#, r#""after": "a", "before": "b""#] {
            assert!(
                format!("{:#}", load(place).unwrap_err()).starts_with("\"a\" in cases.jsonl is no case: "),
                "{place}"
            );
        }
    }

    #[test]
    fn a_change_must_be_near_its_target() {
        let content = (0..20).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let span = Some("span".to_owned());
        let case = Case { content: content.clone(), expected_kind: span, target: Some((8, 10)), ..case(None) };
        for (line, verdict) in [(5, Verdict::Wrong), (6, Verdict::Right), (11, Verdict::Right), (12, Verdict::Wrong)] {
            let output = content.replacen(&format!("\n{line}\n"), "\nx\n", 1);
            assert_eq!(case.verdict(Some(&output)), Some(verdict), "line {line}");
        }
        assert_eq!(case.verdict(Some(&content)), Some(Verdict::Refused));
    }

    #[test]
    fn cases_without_a_label_are_not_rated() {
        let unlabelled = Case { expected_kind: Some("unlabelled".to_owned()), ..case(Some("b\n")) };
        assert_eq!(unlabelled.verdict(Some("b\n")), None);
        // The new text is the old one.
        assert_eq!(Case { new: "a".to_owned(), ..case(Some("a\n")) }.verdict(None), None);
        assert_eq!(Case { new: "a".to_owned(), ..case(None) }.verdict(None), Some(Verdict::Right));
    }

    #[test]
    fn cases_are_counted_by_kind_group_and_part() {
        let of = |drift: &str, kind: Option<&str>, expected| {
            let expected_kind = kind.map(str::to_owned);
            Case { drift: drift.to_owned(), expected_kind, ..case(expected) }.keys().join(" ")
        };
        assert_eq!(of("kept:typo", None, Some("b")), "kept:typo ~drifted ~kept");
        assert_eq!(of("combo:typo+case", None, Some("b")), "combo ~drifted");
        assert_eq!(of("neg", None, None), "neg ~negatives");
        assert_eq!(of("control_exact", None, Some("b")), "control_exact ~control_exact");
        assert_eq!(of("real", Some("refuse"), None), "refuse ~negatives");
        // Generated combinations are few, and each has its own row.
        let generated = Case { is_generated: true, drift: "combo:both".to_owned(), ..case(None) };
        assert_eq!(generated.keys(), ["combo:both", "~negatives"]);
        // The old text occurs once: the right result is a matter of policy.
        assert_eq!(of("real", Some("full"), Some("b")), "full ~policy");
    }
}
