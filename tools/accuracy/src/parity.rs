//! Compares the engine's answers with recorded ones, case by case.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::engine::{answer, output, pipeline};
use crate::jsonl::{self, sha256, text};

/// The code of an empty old text in recorded answers, and now.
const OLD_EMPTY: (&str, &str) = ("empty_needle", "empty_old");

/// Differences to print in full.
const SHOWN: usize = 10;

/// Compare the engine's answers with recorded ones, byte for byte.
///
/// A case is `{id, content, old, new, replace_all?}`, with an answer under the name of each ladder, with `_` for `-`:
/// `{ok: true, strategy, output | sha256}` or `{ok: false, error}`; or a case is `{id, diff, trimmed}`: a diff, and the
/// same without the indentation that all its lines share.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz).
    cases: PathBuf,
    /// The recorded answers by id, if they are not beside the cases.
    answers: Option<PathBuf>,
    /// The ladders to compare.
    #[arg(long, value_delimiter = ',', default_value = "full,full-guarded")]
    ladder: Vec<String>,
}

/// Runs the comparison and fails on any difference.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut cases = jsonl::load(&arguments.cases)?;
    ensure!(!cases.is_empty(), "no case in {}", arguments.cases.display());
    if let Some(path) = &arguments.answers {
        let recorded = jsonl::load(path)?.into_iter().map(|answer| Ok((text(&answer, "id")?.to_owned(), answer)));
        let mut recorded = recorded.collect::<Result<BTreeMap<_, _>>>()?;
        for case in &mut cases {
            let id = text(case, "id")?;
            let answer = recorded.remove(id).with_context(|| format!("no recorded answer for case {id}"))?;
            arguments
                .ladder
                .iter()
                .map(|name| name.replace('-', "_"))
                .for_each(|name| case[&name] = answer[&name].clone());
        }
    }
    let is_of_diffs = cases[0]["diff"].is_string();
    let ladders: &[String] = if is_of_diffs { &["trim-diff".to_owned()] } else { &arguments.ladder };
    let mut differences = 0;
    for ladder in ladders {
        let found = if is_of_diffs { trimmed(&cases)? } else { compare(ladder, &cases)? };
        println!("{ladder}: {} cases, {} different", cases.len(), found.len());
        found.iter().take(SHOWN).for_each(|different| println!("{different:#}"));
        differences += found.len();
    }
    ensure!(differences == 0, "{differences} answers differ");
    Ok(())
}

/// Returns the cases whose trimmed diff differs.
fn trimmed(cases: &[Value]) -> Result<Vec<Value>> {
    let check = |case: &Value| {
        let got = fuzzy_edit::trim_diff(text(case, "diff")?);
        Ok((got != text(case, "trimmed")?).then(|| json!({"case": case, "got": got})))
    };
    cases.iter().filter_map(|case| check(case).transpose()).collect()
}

/// Returns the cases to which a ladder answers otherwise.
fn compare(ladder: &str, cases: &[Value]) -> Result<Vec<Value>> {
    let (pipeline, field) = (pipeline(ladder)?, ladder.replace('-', "_"));
    let check = |case: &Value| {
        let [content, old, new] = ["content", "old", "new"].map(|key| text(case, key));
        let edit = fuzzy_pipeline::Edit::new(old?, new?).with_raw_endings(true);
        let got = answer(&pipeline, content?, edit.with_replace_all(case["replace_all"] == true));
        let recorded = &case[&field];
        let kind = difference(recorded, &got).with_context(|| format!("case {}, answer {field:?}", case["id"]))?;
        let (id, old) = (&case["id"], &case["old"]);
        Ok(kind.map(|kind| json!({"id": id, "old": old, "differs": kind, "recorded": recorded, "got": got})))
    };
    cases.par_iter().filter_map(|case| check(case).transpose()).collect()
}

/// Returns the first field in which an answer differs from the recorded one.
fn difference(recorded: &Value, got: &Value) -> Result<Option<&'static str>> {
    let is_ok = recorded["ok"].as_bool().context("no ok")?;
    let differs = if is_ok {
        let strategy = family(recorded["strategy"].as_str().context("no strategy")?);
        let output = output(got).unwrap_or_default();
        let is_same = match (recorded["output"].as_str(), recorded["sha256"].as_str()) {
            (Some(text), _) => text == output,
            (None, Some(hash)) => hash.eq_ignore_ascii_case(&sha256(output)),
            (None, None) => bail!("neither output nor sha256"),
        };
        let is_other = got["strategy"].as_str().map(family) != Some(strategy);
        [("ok", got["ok"] != true), if is_other { ("strategy", true) } else { ("text", !is_same) }]
    } else {
        let error = recorded["error"].as_str().context("no error")?;
        let code = if error == OLD_EMPTY.0 { OLD_EMPTY.1 } else { error };
        [("ok", got["ok"] != false), ("error", got["code"] != code)]
    };
    Ok(differs.into_iter().find_map(|(field, differs)| differs.then_some(field)))
}

/// Returns the family of a strategy's name: the part before its variant.
fn family(strategy: &str) -> &str {
    strategy.split('/').next().unwrap_or(strategy)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{compare, difference, trimmed};

    #[test]
    fn differences_are_named_and_records_must_be_whole() {
        let text = json!({"ok": true, "strategy": "exact", "output": "a\r\n"});
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let hash = json!({"ok": true, "strategy": "block-anchor", "sha256": hash});
        let failed = json!({"ok": false, "error": "ambiguous"});
        for (recorded, got, differs) in [
            (&text, text.clone(), None),
            (&hash, json!({"ok": true, "strategy": "block-anchor/guarded", "output": "abc"}), None),
            (&failed, json!({"ok": false, "code": "ambiguous"}), None),
            (&text, json!({"ok": false, "code": "ambiguous"}), Some("ok")),
            (&failed, text.clone(), Some("ok")),
            (&failed, json!({"ok": false, "code": "not_found"}), Some("error")),
            (&text, json!({"ok": true, "strategy": "line-trimmed", "output": "a\r\n"}), Some("strategy")),
            (&text, json!({"ok": true, "strategy": "exact", "output": "a\n"}), Some("text")),
            (&hash, json!({"ok": true, "strategy": "block-anchor", "output": "b"}), Some("text")),
        ] {
            assert_eq!(difference(recorded, &got).unwrap(), differs, "{recorded} {got}");
        }
        let broken =
            [json!({}), json!({"ok": true, "output": ""}), json!({"ok": true, "strategy": "x"}), json!({"ok": false})];
        assert!(broken.iter().all(|broken| difference(broken, &Value::Null).is_err()));
    }

    #[test]
    fn the_engine_is_compared() {
        let full = json!({"ok": true, "strategy": "exact", "output": "b\r\n"});
        let mut case = json!({"id": "1", "content": "a\r\n", "old": "a", "new": "b", "full": full});
        assert_eq!(compare("full", &[case.clone()]).unwrap(), [Value::Null; 0]);
        case["full"]["output"] = "b\n".into();
        assert_eq!(compare("full", &[case]).unwrap()[0]["differs"], "text");
        let diff = json!({"id": "1", "diff": "-  a\n+  b", "trimmed": fuzzy_edit::trim_diff("-  a\n+  b")});
        assert_eq!(trimmed(&[diff]).unwrap(), [Value::Null; 0]);
        assert_eq!(trimmed(&[json!({"id": "1", "diff": "-  a\n+  b", "trimmed": "x"})]).unwrap().len(), 1);
    }
}
