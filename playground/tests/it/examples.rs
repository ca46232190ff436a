//! Every example of the page shows what it says: asked as the page asks.

use fuzzy_edit_js::{Desk, ladders};
use serde::Deserialize;
use serde_json::Value;

const EXPLAIN: u8 = 3;
const REPLACE_ALL: u8 = 1;
const FIT_ENDINGS: u8 = 2;
const HAS_NEW: u8 = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    id: String,
    group: String,
    title: String,
    says: String,
    file: Vec<String>,
    old: Vec<String>,
    new: Vec<String>,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    endings: String,
    shows: Shows,
}

/// The answer of the ladder `adaptive`, and the ladders that land the edit.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Shows {
    code: String,
    lines: Option<(usize, usize)>,
    lands: Vec<String>,
    #[serde(default)]
    undone: Vec<String>,
    #[serde(default)]
    proposal: bool,
    #[serde(default)]
    writes: Vec<String>,
}

fn examples() -> Vec<Example> {
    serde_json::from_str(include_str!("../../page/examples.json")).expect("examples")
}

fn names() -> Vec<String> {
    let all: Vec<Value> = serde_json::from_str(&ladders()).expect("ladders");
    all.iter().map(|ladder| ladder["name"].as_str().expect("a name").to_owned()).collect()
}

/// Asks what a ladder makes of an example.
fn explain(example: &Example, ladder: usize) -> Value {
    let file = example.file.join(if example.endings == "crlf" { "\r\n" } else { "\n" });
    let texts = [file, example.old.join("\n"), example.new.join("\n")];
    let flags = FIT_ENDINGS | HAS_NEW | if example.all { REPLACE_ALL } else { 0 };
    let mut request = vec![EXPLAIN, flags, u8::try_from(ladder).expect("a small number"), 0];
    for text in &texts {
        request.extend(u32::try_from(text.len()).expect("a short text").to_le_bytes());
    }
    request.extend(0_f64.to_le_bytes());
    request.extend(0_u64.to_le_bytes());
    request.extend(texts.concat().bytes());
    serde_json::from_str(&Desk::new().answer(&request)).expect("an answer")
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

fn shown(example: &Example) -> Shows {
    let names = names();
    let adaptive = names.iter().position(|name| name == "adaptive").expect("the ladder");
    let told = explain(example, adaptive);
    let answer = &told["answer"];
    let lines = if told["place"].is_null() { &answer["failure"]["nearest"]["lines"] } else { &told["place"]["lines"] };
    let given = example.new.join("\n");
    let splices = answer["splices"].as_array().expect("splices");
    let written: Vec<&str> = splices.iter().map(|splice| splice["text"].as_str().unwrap_or(&given)).collect();
    let lands = (0..names.len()).filter(|at| explain(example, *at)["answer"]["ok"] == true);
    Shows {
        code: answer["code"].as_str().unwrap_or("ok").to_owned(),
        lines: serde_json::from_value(lines.clone()).expect("two numbers or none"),
        lands: lands.map(|at| names[at].clone()).collect(),
        undone: strings(&told["alignment"]["undone"]),
        proposal: !answer["failure"]["proposal"].is_null(),
        writes: if written.is_empty() {
            Vec::new()
        } else {
            written.join("\n").split('\n').map(str::to_owned).collect()
        },
    }
}

#[test]
fn every_example_shows_what_it_says() {
    for example in examples() {
        assert_eq!(shown(&example), example.shows, "{}", example.id);
    }
}

#[test]
fn a_refused_example_names_its_rule() {
    let adaptive = names().iter().position(|name| name == "adaptive").expect("the ladder");
    for example in examples() {
        let answer = &explain(&example, adaptive)["answer"];
        assert_eq!(answer["rule"].is_string(), answer["ok"] == false, "{}: {answer}", example.id);
    }
}

#[test]
fn the_first_example_lands_and_no_two_have_one_name() {
    let examples = examples();
    assert_eq!(examples[0].shows.code, "ok");
    let mut ids: Vec<&str> = examples.iter().map(|example| example.id.as_str()).collect();
    assert!(ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), examples.len());
    assert!(examples.iter().all(|example| !example.title.is_empty() && example.says.ends_with('.')));
}

#[test]
fn each_group_is_what_it_is_called() {
    for Example { id, group, shows, .. } in examples() {
        match group.as_str() {
            "It lands" => assert!(shows.lands.iter().any(|name| name == "adaptive"), "{id}"),
            "It is refused" => assert!(!shows.lands.iter().any(|name| name == "adaptive"), "{id}"),
            "Ladders differ" => assert!(shows.lands.len() > 1, "{id}"),
            other => panic!("{id}: {other}"),
        }
    }
}

#[test]
fn the_help_says_what_each_ladder_is() {
    let page = include_str!("../../page/index.html");
    let meanings: Vec<&str> =
        page.split("<dt>").skip(1).filter_map(|entry| entry.split_once("</dt>")).map(|(name, _)| name).collect();
    for name in names() {
        assert_eq!(meanings.iter().filter(|meaning| **meaning == name).count(), 1, "{name}");
    }
    assert_eq!(meanings.len(), names().len(), "{meanings:?}");
}
