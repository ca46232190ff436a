//! `docs/uninstall.md`: it names everything in the state directory, and its commands remove everything.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

use crate::page::{commands, page, path};
use crate::turns::scene::Scene;

/// Returns the cells of the table of a page that has this column.
fn table(page: &str, column: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines =
        page.lines().skip_while(|line| !(line.starts_with('|') && cells(line).iter().any(|it| it == column)));
    assert!(lines.next().is_some(), "there is no table with the column `{column}`");
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn the_page_names_all_that_is_stored_and_its_commands_remove_it() {
    let scene = Scene::new();
    let (home, state) = (scene.place.dir.join("home"), scene.state());
    fs::create_dir(home.join(".gemini")).unwrap();
    fs::write(home.join(".gemini/settings.json"), "{\"theme\": \"dark\"}\n").unwrap();
    let files = |scene: &Scene| scene.place.git(&["status", "--porcelain", "--ignored"]);

    for command in [&["init", "gemini", "--yes"][..], &["apply", "a.txt", "--old", "alpha", "--new", "omega"]] {
        assert!(scene.command(command).output().unwrap().status.success(), "{command:?}");
    }
    scene.turn("session", "a prompt", "echo gamma > c.txt");
    scene.hook("turn-begin", "no event");
    let edit = json!({"file_path": scene.place.path("a.txt"), "old_string": "omega", "new_string": "alpha"});
    let event = json!({"session_id": "session", "cwd": scene.place.root(), "tool_name": "Edit", "tool_input": edit});
    Scene::answer(scene.command(&["hook", "claude-code", "repair"]), &event.to_string());

    let page = page("uninstall.md");
    let stored: String = table(&page, "where").iter().map(|row| row[1].clone()).collect();
    let names: Vec<_> =
        fs::read_dir(&state).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in &names {
        // The database's own files beside it.
        let name = name.strip_suffix("-wal").or(name.strip_suffix("-shm")).unwrap_or(name);
        assert!(stored.contains(&format!("`{name}`")), "{name} is not in the table");
    }
    // Each table of the database has an owner that empties it; no other table is named.
    let owners = table(&page, "emptied by");
    assert!(owners.iter().all(|row| row.len() == 3 && row.iter().all(|cell| !cell.is_empty())), "{owners:?}");
    let owned: BTreeSet<String> = owners.iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    let database = rusqlite::Connection::open(state.join("state.db")).unwrap();
    let mut tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
    let tables: BTreeSet<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(owned, tables);
    assert_eq!(files(&scene), " M a.txt\n?? c.txt\n");

    let mut shell = scene.place.clean("sh", &scene.place.root());
    let output = shell.env("PATH", path()).args(["-eu", "-c", &commands(&page)]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!state.exists());
    assert_eq!(fs::read_to_string(home.join(".gemini/settings.json")).unwrap(), "{\"theme\": \"dark\"}\n");
    assert_eq!(files(&scene), " M a.txt\n?? c.txt\n");
}
