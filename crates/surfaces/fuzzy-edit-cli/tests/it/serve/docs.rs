//! `docs/service.md`: its commands run, and its list of routes is complete.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::support::{SCHEMA, Server};
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
fn every_example_of_the_help_starts_it() {
    let place = Place::new();
    fs::create_dir_all(place.dir.join("home/src")).unwrap();
    let token = place.dir.join("token");
    fs::write(&token, "a-token-of-our-own").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    let help = run(place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir).args(["serve", "--help"])).text();
    let examples = help.split("Examples:\n").nth(1).unwrap();
    let examples: Vec<&str> = examples.lines().map_while(|line| line.strip_prefix("  ")).collect();
    assert!(examples.len() > 1, "{help}");
    for example in examples {
        let example = example.replace("/run/credentials/token", token.to_str().unwrap());
        let mut shell = place.clean("sh", &place.dir);
        shell.env("PATH", path()).args(["-euc", &format!("exec {example} --addr 127.0.0.1:0")]);
        let server = Server::run(shell);
        let bearer = [("Authorization", "Bearer a-token-of-our-own")];
        server.request("GET", "/api/sessions", &bearer, None).unwrap().ok();
    }
}

#[test]
fn the_page_lists_the_routes_of_the_schema() {
    let page = page("service.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(first, _)| first));
    let listed: BTreeSet<&str> = rows.filter(|first| first.contains("/api/")).collect();
    let routes = SCHEMA["routes"].as_object().unwrap();
    assert_eq!(listed, routes.keys().map(String::as_str).collect());
}
