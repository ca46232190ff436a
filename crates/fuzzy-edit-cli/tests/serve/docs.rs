//! `docs/service.md` does what it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::page::{commands, page, path};
use crate::place::{Place, run};

#[test]
fn every_command_of_the_page_runs() {
    let place = Place::new();
    let script = commands(&page("service.md"));
    assert!(script.contains("fuzzy-edit serve"));
    let mut shell = place.clean("sh", &place.root());
    // The server ends with the script that started it.
    let script = format!("trap 'kill $!; wait' EXIT\n{script}");
    let answer = run(shell.env("PATH", path()).args(["-eux", "-c", &script]));
    assert_eq!(answer.code, 0, "{}\n{}", answer.text(), answer.err);
    assert!(answer.text().contains("Step 3."), "{}", answer.text());
}

#[test]
fn the_page_lists_the_routes_of_the_schema() {
    let page = page("service.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(first, _)| first));
    let listed: BTreeSet<&str> = rows.filter(|first| first.contains("/api/")).collect();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/api.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let routes = schema["routes"].as_object().unwrap();
    assert_eq!(listed, routes.keys().map(String::as_str).collect());
}
