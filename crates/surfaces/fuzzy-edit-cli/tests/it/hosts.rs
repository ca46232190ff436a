//! The host configurations in the guide: each is parsed and the server that it names is started.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::mcp::{Listening, Server, TOKEN};
use crate::page::{blocks, page, path};
use crate::support::Place;

/// Returns the configurations in the guide, all as JSON.
fn configurations(guide: &str) -> Vec<Value> {
    let configurations = blocks(guide).into_iter().filter_map(|block| match block {
        ("json", text) => Some(serde_json::from_str(text).unwrap()),
        // Cargo manifests are not configurations of hosts.
        ("toml", text) if !text.starts_with("[dependencies]") => Some(toml::from_str(text).unwrap()),
        _ => None,
    });
    configurations.collect()
}

/// Returns the settings of the one server in a configuration.
fn server(configuration: &Value) -> &Value {
    let servers = ["mcpServers", "mcp", "servers", "mcp_servers"].iter().find_map(|key| configuration.get(key));
    servers.and_then(|servers| servers.get("fuzzy-edit")).unwrap_or_else(|| panic!("a server: {configuration}"))
}

#[test]
fn every_configuration_in_the_guide_starts_a_server_that_edits() {
    let (mut started, mut connected) = (0, 0);
    for configuration in configurations(&page("guide.md")) {
        let server = server(&configuration);
        let place = Place::with("one\n");
        if let Some(url) = server["url"].as_str() {
            // The port of the guide may be in use here.
            assert!(url.starts_with("http://127.0.0.1:") && url.ends_with("/mcp"), "{url}");
            let header = server["headers"]["Authorization"].as_str().unwrap();
            let token = header.strip_prefix("Bearer ").unwrap().replace(&format!("${{{TOKEN}}}"), "a-token-of-our-own");
            let mut command = place.command(&["mcp", "--http", "0"]);
            command.env(TOKEN, "a-token-of-our-own");
            assert_eq!(Listening::start(command).initialize(&token), "HTTP/1.1 200 OK\r\n");
            connected += 1;
            continue;
        }
        let words = |value: &Value| -> Vec<String> {
            let text =
                |word: &Value| word.as_str().unwrap().replace("${workspaceFolder}", place.path("").to_str().unwrap());
            value.as_array().map_or_else(|| vec![text(value)], |words| words.iter().map(text).collect())
        };
        let mut line = words(&server["command"]);
        if let Some(arguments) = server.get("args") {
            line.extend(words(arguments));
        }
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        // A registry has the last release; the command under test replaces it.
        let (["npx", "-y", "fuzzy-edit", arguments @ ..] | ["uvx", "fuzzy-edit", arguments @ ..]) = &line[..] else {
            panic!("{line:?} does not start the command");
        };
        let mut server = Server::start(place.command(arguments));
        let edit = json!({"file_path": "file.txt", "old_string": "one", "new_string": "two"});
        assert_eq!(server.call("edit", &edit)["isError"], false);
        assert_eq!(place.text("file.txt"), "two\n");
        server.end();
        started += 1;
    }
    assert_eq!((started, connected), (4, 1));
}

#[test]
fn the_command_that_listens_does() {
    let guide = page("guide.md");
    let (_, command) =
        blocks(&guide).into_iter().find(|(_, text)| text.contains(TOKEN) && text.contains("--http")).unwrap();
    // The port of the guide may be in use here. `exec` replaces the shell by the server, so that the test can kill it.
    let command = command.replace("--http 7345", "--http 0").replace(" fuzzy-edit mcp", " exec fuzzy-edit mcp");
    let place = Place::new();
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", &command]).current_dir(place.path("")).env("PATH", path());
    shell.stdout(Stdio::null()).stderr(Stdio::piped());
    let server = Listening::start(shell);
    assert_eq!(server.initialize("a-token-of-our-own"), "HTTP/1.1 401 Unauthorized\r\n");
}
