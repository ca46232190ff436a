//! The files that the tools may access.

use std::fs;
use std::os::unix::fs::symlink;

use fuzzy_edit_mcp::{Roots, Server, Settings};
use serde_json::json;

use crate::support::{Client, Place};

#[tokio::test]
async fn no_tool_leaves_the_root() {
    let outside = Place::with(&[("secret.txt", "one\n")]);
    let place = Place::with(&[("a.txt", "one\n")]);
    fs::create_dir(place.path(".git")).unwrap();
    fs::write(place.path(".git/config"), "one\n").unwrap();
    symlink(outside.path("secret.txt"), place.path("link.txt")).unwrap();
    symlink(outside.path(""), place.path("directory")).unwrap();
    let absolute = outside.path("secret.txt");
    let name = outside.path("").file_name().unwrap().to_str().unwrap().to_owned();
    let climbing = format!("../{name}/secret.txt");
    let mut client = Client::connect(place.server()).await;
    for path in [
        absolute.to_str().unwrap(),
        &climbing,
        "x/../../a.txt",
        "link.txt",
        "directory/secret.txt",
        ".git/config",
        ".GIT/config",
    ] {
        for tool in ["edit", "preview_edit", "locate"] {
            let arguments = json!({"file_path": path, "old_string": "one", "new_string": "two"});
            let called = client.call(tool, arguments).await;
            // A repeated failure has the original code as its cause.
            let code = called.data["cause"].as_str().or(called.data["code"].as_str()).unwrap();
            // On a case-sensitive file system the other spellings of `.git` are missing, and `x` is missing everywhere.
            assert!(["outside_root", "missing"].contains(&code), "{path}: {called:?}");
        }
        let arguments = json!({"file_path": path, "old_string": "", "new_string": "two"});
        assert!(client.call("edit", arguments).await.is_error, "{path}");
    }
    assert_eq!(outside.text("secret.txt"), "one\n");
    assert_eq!(place.text(".git/config"), "one\n");
}

#[tokio::test]
async fn absolute_paths_lead_into_every_root_and_relative_ones_into_the_first() {
    let (first, second) = (Place::with(&[("a.txt", "one\n")]), Place::with(&[("a.txt", "one\n")]));
    let settings = Settings { roots: Roots::new(first.root(), vec![second.root()]), ..first.settings() };
    let mut client = Client::connect(Server::new(settings).unwrap()).await;
    let (in_first, in_second) = (first.path("a.txt"), second.path("a.txt"));
    let edit = |path: &str, new: &str| json!({"file_path": path, "old_string": "one", "new_string": new});
    client.call("edit", edit("a.txt", "1")).await.success();
    client.call("edit", edit(in_second.to_str().unwrap(), "2")).await.success();
    assert_eq!((first.text("a.txt"), second.text("a.txt")), ("1\n".to_owned(), "2\n".to_owned()));

    let across = json!([
        {"file_path": in_first, "old_string": "1", "new_string": "one"},
        {"file_path": in_second, "old_string": "2", "new_string": "two"},
    ]);
    client.call("multi_edit", json!({"edits": across})).await.failure("outside_root");
    assert_eq!((first.text("a.txt"), second.text("a.txt")), ("1\n".to_owned(), "2\n".to_owned()));
}

#[tokio::test]
async fn an_empty_old_string_creates_a_file_and_overwrites_none() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let create = |path: &str| json!({"file_path": path, "old_string": "", "new_string": "new\n"});
    client.call("edit", create("b/c.txt")).await.success();
    assert_eq!(place.text("b/c.txt"), "new\n");
    client.call("edit", create("a.txt")).await.failure("empty_old");
    assert_eq!(place.text("a.txt"), "one\n");
}

#[tokio::test]
async fn a_file_that_is_not_the_one_that_was_read_is_stale() {
    let place = Place::with(&[("a.txt", "one\n")]);
    let mut client = Client::connect(place.server()).await;
    let edit = |old: &str, new: &str, hash: &str| json!({"file_path": "a.txt", "old_string": old, "new_string": new, "expected_hash": hash});
    // The output of `sha256sum`.
    let hash = "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806";
    client.call("edit", edit("one", "two", hash)).await.success();
    client.call("edit", edit("two", "three", hash)).await.failure("stale");
    assert_eq!(place.text("a.txt"), "two\n");
}
