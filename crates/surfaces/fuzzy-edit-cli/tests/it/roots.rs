//! Permitted files: a named file, or files beneath the root.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::support::Place;

fn input(path: &str) -> Vec<u8> {
    json!({"file_path": path, "old_string": "one", "new_string": "two"}).to_string().into_bytes()
}

#[test]
fn a_list_is_restricted_to_the_current_directory() {
    let (place, elsewhere) = (Place::with("one"), Place::with("one"));
    let outside = elsewhere.path("file.txt");
    symlink(&outside, place.path("link")).unwrap();
    for path in [outside.to_str().unwrap(), "link", "../file.txt", "a/../../file.txt"] {
        let answer = place.run_with(&["apply", "--input", "-", "--json"], &input(path));
        assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")), "{path}: {answer:?}");
    }
    assert_eq!(elsewhere.text("file.txt"), "one");
    let inside = place.path("file.txt");
    let answer = place.run_with(&["apply", "--input", "-", "--json"], &input(inside.to_str().unwrap()));
    assert_eq!(answer.code, 0, "{answer:?}");
    assert_eq!(place.text("file.txt"), "two");
}

#[test]
fn another_root_can_be_named() {
    let (place, elsewhere) = (Place::new(), Place::with("one"));
    let root = elsewhere.path("");
    let arguments = ["apply", "--input", "-", "--root", root.to_str().unwrap()];
    assert_eq!(place.run_with(&arguments, &input("file.txt")).code, 0);
    assert_eq!(elsewhere.text("file.txt"), "two");
    let answer = place.run_with(&["apply", "--input", "-", "--root", "missing"], &input("file.txt"));
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("--root: `missing` does not exist"), "{}", answer.err);
}

#[test]
fn naming_a_file_is_the_permission_unless_a_root_is_given() {
    let (place, elsewhere) = (Place::new(), Place::with("one"));
    let file = elsewhere.path("file.txt");
    let mut arguments = vec!["apply", file.to_str().unwrap(), "--old", "one", "--new", "two", "--root", "."];
    assert_eq!(place.run(&arguments).code, 2);
    assert_eq!(elsewhere.text("file.txt"), "one");
    arguments.truncate(6);
    assert_eq!(place.run(&arguments).code, 0);
    assert_eq!(elsewhere.text("file.txt"), "two");
}

#[test]
fn git_directories_need_allow_git() {
    let place = Place::new();
    std::fs::create_dir(place.path(".GIT")).unwrap();
    place.write(".GIT/config", "one");
    let mut arguments = vec!["apply", ".GIT/config", "--old", "one", "--new", "two", "--json"];
    let answer = place.run(&arguments);
    assert_eq!((answer.code, &answer.json()["code"]), (2, &json!("outside_root")), "{answer:?}");
    arguments.push("--allow-git");
    assert_eq!(place.run(&arguments).code, 0);
    assert_eq!(place.text(".GIT/config"), "two");
}

#[test]
fn a_file_with_two_names_is_written_in_place_on_request() {
    let place = Place::with("one");
    std::fs::hard_link(place.path("file.txt"), place.path("other")).unwrap();
    let mut arguments = vec!["apply", "file.txt", "--old", "one", "--new", "three"];
    assert_eq!(place.run(&arguments).code, 1);
    arguments.push("--in-place");
    assert_eq!(place.run(&arguments).code, 0);
    assert_eq!((place.text("file.txt"), place.text("other")), ("three".to_owned(), "three".to_owned()));
}

#[test]
fn an_empty_old_text_creates_a_file() {
    let place = Place::new();
    let arguments = ["apply", "a/new.txt", "--old", "", "--new", "text\n", "--json"];
    assert_eq!(place.run(&arguments).json()["status"], "applied");
    assert_eq!(place.text("a/new.txt"), "text\n");
    let answer = place.run(&arguments);
    assert_eq!((answer.code, &answer.json()["code"]), (1, &json!("empty_old")));
    assert!(answer.err.contains("exists"), "{}", answer.err);
}

#[test]
fn locate_has_the_permissions_of_apply() {
    let (place, elsewhere) = (Place::new(), Place::with("one"));
    std::fs::create_dir(elsewhere.path(".git")).unwrap();
    elsewhere.write(".git/config", "one");
    let (file, config) = (elsewhere.path("file.txt"), elsewhere.path(".git/config"));
    for (path, options, code) in
        [(&file, &[][..], 0), (&file, &["--root", "."], 2), (&config, &[], 2), (&config, &["--allow-git"], 0)]
    {
        for verb in ["locate", "explain", "apply"] {
            let mut arguments = vec![verb, path.to_str().unwrap(), "--old", "one", "--new", "two", "--json"];
            arguments.extend(options);
            let answer = place.run(&arguments);
            assert_eq!(answer.code, code, "{arguments:?}: {answer:?}");
            assert!(code == 0 || answer.json()["code"] == "outside_root", "{answer:?}");
        }
    }
}
