//! Compares the command's answers with recorded ones, case by case.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use fuzzy_tools::command;
use serde_json::{Value, json};

use crate::batch;
use crate::jsonl::{self, sha256};

/// Differences to print in full, per ladder.
const SHOWN: usize = 10;
/// Characters of a new text to print around the first difference.
const CONTEXT: usize = 60;

/// Compares the command's answers with recorded ones.
///
/// A case is `{id, content, old, new, replace_all?}`. A recorded answer is under the ladder's name, with `_` for `-`:
/// `{ok: true, strategy, output | sha256}` or `{ok: false, error}`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz).
    cases: PathBuf,
    /// The recorded answers by id, if they are not beside the cases.
    answers: Option<PathBuf>,
    /// The ladders to compare.
    #[arg(long, value_delimiter = ',', default_value = "full,full-guarded")]
    ladder: Vec<String>,
    /// The binary to run. Default: build it here in release.
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
}

/// Runs the comparison and fails on any difference.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let cases = jsonl::load(&arguments.cases)?;
    ensure!(!cases.is_empty(), "no case in {}", arguments.cases.display());
    let recorded = arguments.answers.as_deref().map(by_id).transpose()?;
    let binary = match &arguments.bin {
        Some(path) => path.clone(),
        None => command::build("release", &["full"])?,
    };
    let mut differences = 0;
    for ladder in &arguments.ladder {
        differences += compare(&binary, ladder, &cases, recorded.as_ref())?;
    }
    ensure!(differences == 0, "{differences} answers differ");
    Ok(())
}

fn by_id(path: &Path) -> Result<HashMap<String, Value>> {
    jsonl::load(path)?.into_iter().map(|answer| Ok((jsonl::text(&answer, "id")?.to_owned(), answer))).collect()
}

/// Compares one ladder's answers, prints the counts and returns the number of differences.
fn compare(binary: &Path, ladder: &str, cases: &[Value], recorded: Option<&HashMap<String, Value>>) -> Result<usize> {
    let answers = ask(binary, ladder, cases)?;
    let field = ladder.replace('-', "_");
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for case in cases {
        let id = jsonl::text(case, "id")?;
        let source = match recorded {
            None => case,
            Some(recorded) => recorded.get(id).with_context(|| format!("no recorded answer for case {id}"))?,
        };
        let expected =
            Expected::read(&source[&field]).with_context(|| format!("case {id}, recorded answer {field:?}"))?;
        let got = answers.get(id).with_context(|| format!("fuzzy-edit gave no answer to case {id}"))?;
        *endings.entry(expected.ending().to_owned()).or_default() += 1;
        if let Some(kind) = expected.differs(got) {
            *kinds.entry(kind).or_default() += 1;
            if shown.len() < SHOWN {
                shown.push(show(id, kind, case, &expected, got));
            }
        }
    }
    let different: usize = kinds.values().sum();
    println!("\n{ladder}: {} cases, {} equal, {different} different", cases.len(), cases.len() - different);
    for (ending, count) in &endings {
        println!("  recorded {ending}: {count}");
    }
    for (kind, count) in &kinds {
        println!("  DIFFERENT {kind}: {count}");
    }
    for text in shown {
        println!("{text}");
    }
    Ok(different)
}

/// Runs the command on every case, sent without its recorded answer.
fn ask(binary: &Path, ladder: &str, cases: &[Value]) -> Result<HashMap<String, Value>> {
    let lines = cases.iter().map(|case| {
        let mut line = json!({
            "id": case["id"], "content": case["content"], "old": case["old"], "new": case["new"],
        });
        if !case["replace_all"].is_null() {
            line["replace_all"] = case["replace_all"].clone();
        }
        line
    });
    let mut answers = HashMap::new();
    for line in batch::ask(binary, &["--ladder", ladder, "--raw-endings"], lines)? {
        let answer: Value = serde_json::from_str(&line).with_context(|| format!("not JSON: {line}"))?;
        let id = jsonl::text(&answer, "id")?.to_owned();
        ensure!(answers.insert(id, answer).is_none(), "two answers with the same id: {line}");
    }
    Ok(answers)
}

/// A recorded answer.
#[derive(Debug)]
enum Expected<'a> {
    Applied { family: &'a str, text: Text<'a> },
    Failed { error: &'a str },
}

/// A recorded new text.
#[derive(Debug)]
enum Text<'a> {
    Whole(&'a str),
    Sha256(&'a str),
}

impl<'a> Expected<'a> {
    fn read(value: &'a Value) -> Result<Self> {
        match value["ok"].as_bool() {
            Some(true) => Ok(Self::Applied {
                family: value["strategy"].as_str().map(family).context("no strategy")?,
                text: match (value["output"].as_str(), value["sha256"].as_str()) {
                    (Some(output), _) => Text::Whole(output),
                    (None, Some(hash)) => Text::Sha256(hash),
                    (None, None) => bail!("neither output nor sha256"),
                },
            }),
            Some(false) => Ok(Self::Failed { error: value["error"].as_str().context("no error")? }),
            None => bail!("no ok in {value}"),
        }
    }

    /// Returns the end of the case: the winning family or the error.
    fn ending(&self) -> &'a str {
        match self {
            Self::Applied { family, .. } => family,
            Self::Failed { error } => error,
        }
    }

    /// Returns the kind of difference, if the answer differs.
    fn differs(&self, got: &Value) -> Option<&'static str> {
        let ok = got["ok"].as_bool();
        match self {
            Self::Failed { error } if ok == Some(false) => (got["code"].as_str() != Some(error)).then_some("error"),
            Self::Applied { family: expected, text } if ok == Some(true) => {
                let output = got["output"].as_str();
                if got["strategy"].as_str().map(family) != Some(expected) {
                    Some("strategy")
                } else if output.is_some_and(|output| text.is(output)) {
                    None
                } else {
                    Some("text")
                }
            }
            _ => Some("ok"),
        }
    }
}

impl Text<'_> {
    fn is(&self, output: &str) -> bool {
        match self {
            Self::Whole(expected) => *expected == output,
            Self::Sha256(expected) => expected.eq_ignore_ascii_case(&sha256(output)),
        }
    }
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { error } => write!(formatter, "failed, {error}"),
            Self::Applied { family, text } => {
                write!(formatter, "applied by {family}, ")?;
                match text {
                    Text::Whole(output) => write!(formatter, "{}", clip(output, 0)),
                    Text::Sha256(hash) => write!(formatter, "SHA-256 {hash}"),
                }
            }
        }
    }
}

/// Returns the family of a strategy's name: the part before its variant.
fn family(strategy: &str) -> &str {
    strategy.split('/').next().unwrap_or(strategy)
}

fn show(id: &str, kind: &str, case: &Value, expected: &Expected<'_>, got: &Value) -> String {
    let mut recorded = expected.to_string();
    let answer = if got["ok"] == true {
        let output = word(got, "output");
        let mut start = 0;
        if let Expected::Applied { family, text: Text::Whole(whole) } = expected {
            start = first_difference(whole, output);
            recorded = format!("applied by {family}, {}", clip(whole, start));
        }
        let hash = match expected {
            Expected::Applied { text: Text::Sha256(_), .. } => format!(" SHA-256 {}", sha256(output)),
            _ => String::new(),
        };
        format!("applied by {}, {}{hash}", word(got, "strategy"), clip(output, start))
    } else {
        format!("failed, {}", word(got, "code"))
    };
    format!(
        "\n  case {id} differs in {kind}\n    needle    {}\n    recorded  {recorded}\n    got       {answer}",
        clip(case["old"].as_str().unwrap_or_default(), 0),
    )
}

/// Returns the value of an answer under a key, or `nothing`.
fn word<'a>(answer: &'a Value, key: &str) -> &'a str {
    answer[key].as_str().unwrap_or("nothing")
}

/// Returns the first character at which two texts differ.
fn first_difference(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// Returns the text around a character, with its invisible characters escaped.
fn clip(text: &str, around: usize) -> String {
    let start = around.saturating_sub(CONTEXT / 2);
    let length = text.chars().count();
    let part: String = text.chars().skip(start).take(CONTEXT).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + CONTEXT < length { "…" } else { "" };
    format!("{before}{part:?}{after} ({length} characters)")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Expected, clip, family, first_difference};

    fn differs(recorded: &serde_json::Value, got: &serde_json::Value) -> Option<&'static str> {
        Expected::read(recorded).unwrap().differs(got)
    }

    #[test]
    fn a_variant_belongs_to_its_family() {
        assert_eq!(family("block-anchor/guarded"), "block-anchor");
        assert_eq!(family("exact"), "exact");
    }

    #[test]
    fn equal_answers_do_not_differ() {
        let text = json!({"ok": true, "strategy": "exact", "output": "a\r\n"});
        assert_eq!(differs(&text, &text), None);
        let hash = json!({
            "ok": true, "strategy": "block-anchor",
            "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        });
        let got = json!({"ok": true, "strategy": "block-anchor/guarded", "output": "abc"});
        assert_eq!(differs(&hash, &got), None);
        let failed = json!({"ok": false, "error": "ambiguous"});
        assert_eq!(differs(&failed, &json!({"ok": false, "code": "ambiguous"})), None);
    }

    #[test]
    fn every_kind_of_difference_is_named() {
        let text = json!({"ok": true, "strategy": "exact", "output": "a"});
        let failed = json!({"ok": false, "error": "ambiguous"});
        assert_eq!(differs(&text, &json!({"ok": false, "code": "ambiguous"})), Some("ok"));
        assert_eq!(differs(&failed, &text), Some("ok"));
        assert_eq!(differs(&failed, &json!({"ok": false, "code": "not_found"})), Some("error"));
        let other = json!({"ok": true, "strategy": "line-trimmed", "output": "a"});
        assert_eq!(differs(&text, &other), Some("strategy"));
        let other = json!({"ok": true, "strategy": "exact", "output": "a "});
        assert_eq!(differs(&text, &other), Some("text"));
        assert_eq!(differs(&text, &json!({"ok": true, "strategy": "exact"})), Some("text"));
        assert_eq!(differs(&text, &json!({})), Some("ok"));
    }

    #[test]
    fn a_recorded_answer_must_be_whole() {
        for broken in [
            json!({}),
            json!({"ok": true, "output": ""}),
            json!({"ok": true, "strategy": "exact"}),
            json!({"ok": false}),
        ] {
            assert!(Expected::read(&broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn shows_the_place_where_texts_part() {
        assert_eq!(first_difference("añb", "añc"), 2);
        let long = "x".repeat(100) + "y";
        assert!(clip(&long, 100).starts_with('…'));
        assert!(clip(&long, 100).contains('y'));
        assert_eq!(clip("\t", 0), "\"\\t\" (1 characters)");
    }
}
