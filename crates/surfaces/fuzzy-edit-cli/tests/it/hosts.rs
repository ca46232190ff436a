//! The host configurations in the guide: each is parsed and the server that it names is started.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::mcp::{Listening, Server, TOKEN};
use crate::page::{blocks, page, path};
use crate::support::Place;

#[test]
fn every_configuration_in_the_guide_starts_a_server_that_edits() {
    let guide = page("guide.md");
    let configurations = blocks(&guide).into_iter().filter(|(language, _)| *language == "json");
    let (mut started, mut connected) = (0, 0);
    for (_, configuration) in configurations {
        let configuration: Value = serde_json::from_str(configuration).unwrap();
        let server = &configuration["mcpServers"]["fuzzy-edit"];
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
        // A registry has the last release; the command under test replaces it.
        assert_eq!((&server["command"], &server["args"]), (&json!("npx"), &json!(["-y", "fuzzy-edit", "mcp"])));
        let mut server = Server::start(place.command(&["mcp"]));
        let edit = json!({"file_path": "file.txt", "old_string": "one", "new_string": "two"});
        assert_eq!(server.call("edit", &edit)["isError"], false);
        assert_eq!(place.text("file.txt"), "two\n");
        server.end();
        started += 1;
    }
    assert_eq!((started, connected), (1, 1));
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
