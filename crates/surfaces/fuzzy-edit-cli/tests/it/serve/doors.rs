//! Authentication, allowed hosts and origins, and the security headers of every answer.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::json;

use super::support::{Server, command};
use crate::place::{Place, run};

const TOKEN: &str = "a-token-of-our-own";

#[test]
fn requests_for_other_hosts_and_from_other_pages_are_refused() {
    let place = Place::new();
    let server = Server::start(&place, &["--host", "box.example.org", "--token-file", &token_file(&place)]);
    let bearer = format!("Bearer {TOKEN}");
    let port = server.address.rsplit(':').next().unwrap();
    let request = |headers: &[(&str, &str)]| {
        let headers = [&[("Authorization", &bearer[..])], headers].concat();
        server.request("GET", "/api/sessions", &headers, None).unwrap()
    };
    let localhost = format!("localhost:{port}");
    for host in [&server.address[..], &localhost, "box.example.org", "BOX.example.org"] {
        request(&[("Host", host)]).ok();
        for scheme in ["http", "https"] {
            request(&[("Host", host), ("Origin", &format!("{scheme}://{host}"))]).ok();
        }
    }
    let elsewhere = format!("evil.example:{port}");
    for host in ["localhost", "evil.example", &elsewhere[..], "", "box.example.org.evil.example", "127.0.0.1"] {
        request(&[("Host", host)]).refused(403, "foreign_host");
    }
    for origin in ["null", "http://evil.example", "http://localhost", "https://box.example.org.evil.example", ""] {
        request(&[("Origin", origin)]).refused(403, "foreign_origin");
    }
    for (site, heard) in [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)] {
        let answer = request(&[("Sec-Fetch-Site", site)]);
        if heard {
            answer.ok()
        } else {
            answer.refused(403, "foreign_origin")
        };
    }
}

fn token_file(place: &Place) -> String {
    let path = place.dir.join("token");
    fs::write(&path, format!("{TOKEN}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let mut everyones = command(place, &["--token-file", path.to_str().unwrap()]);
    assert_eq!(everyones.output().unwrap().status.code(), Some(2), "everyone can read it");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_request_needs_the_token() {
    let place = Place::new();
    let mut by_environment = command(&place, &[]);
    by_environment.env("FUZZY_EDIT_SERVE_TOKEN", TOKEN);
    for server in [Server::start(&place, &["--token-file", &token_file(&place)]), Server::run(by_environment)] {
        for credentials in [None, Some("Bearer another-token-then"), Some("Bearer"), Some(TOKEN), Some("Basic eDp5")] {
            let headers: Vec<_> = credentials.map(|credentials| ("Authorization", credentials)).into_iter().collect();
            let answer = server.request("GET", "/api/sessions", &headers, None).unwrap();
            answer.refused(401, "unauthorized");
            let challenges: Vec<_> = answer.headers.get_all("www-authenticate").iter().collect();
            assert_eq!(challenges, ["Bearer", "Basic realm=\"fuzzy-edit\""]);
            assert_eq!(server.request("GET", "/", &headers, None).unwrap().status, 401);
        }
        // `anybody:a-token-of-our-own`
        for credentials in [&format!("Bearer {TOKEN}")[..], "Basic YW55Ym9keTphLXRva2VuLW9mLW91ci1vd24="] {
            server.request("GET", "/api/sessions", &[("Authorization", credentials)], None).unwrap().ok();
            assert_eq!(server.request("GET", "/", &[("Authorization", credentials)], None).unwrap().status, 200);
        }
    }
    let mut by_nothing = command(&place, &[]);
    by_nothing.env("FUZZY_EDIT_SERVE_TOKEN", "");
    Server::run(by_nothing).get("/api/sessions").ok();
}

#[test]
fn a_server_for_other_machines_has_a_token() {
    let place = Place::new();
    for arguments in [&["--addr", "0.0.0.0:0", "--host", "box.example.org"][..], &["--host", "box.example.org"]] {
        let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir);
        command.arg("serve").args(arguments);
        if !arguments.contains(&"--addr") {
            command.args(["--addr", "127.0.0.1:0"]);
        }
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let _ = child.kill();
        let _ = child.wait();
        let path = line.trim_end().rsplit(' ').next().unwrap();
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        let token = fs::read_to_string(path).unwrap();
        let token = token.trim_end();
        assert!(!line.contains(token), "a log is no place for it");
        assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
    }
    for (variable, arguments) in [
        ("short", &[][..]),
        ("sixteen letters with blanks", &[]),
        (TOKEN, &["--token-file", "/does/not/exist"]),
        (TOKEN, &["--root", "/does/not/exist"]),
        (TOKEN, &["--addr", "nowhere"]),
        (TOKEN, &["--stop", "'"]),
    ] {
        let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir);
        command.args(["serve", "--addr", "127.0.0.1:0"]).env("FUZZY_EDIT_SERVE_TOKEN", variable);
        if arguments.contains(&"--addr") {
            command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir);
            command.arg("serve");
        }
        let answer = run(command.args(arguments));
        assert_eq!(answer.code, 2, "{arguments:?}: {answer:?}");
        assert!(answer.err.starts_with("fuzzy-edit: bad_input: "), "{answer:?}");
    }
    let server = Server::start(&place, &[]);
    let answer =
        run(place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.dir).args(["serve", "--addr", &server.address]));
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.err.contains("cannot listen on"), "{answer:?}");
}

#[test]
fn every_answer_forbids_caching_and_scripts() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let session = server.session(&place);
    let refused = server.request("GET", "/api/sessions", &[("Host", "evil.example")], None).unwrap();
    let page = server.get(&format!("/sessions/{session}"));
    for answer in [server.get("/api/sessions"), server.get("/api/none"), server.get("/none"), refused, page] {
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.headers[name], value, "{name}: {answer:?}");
        }
        let referrer = &answer.headers["referrer-policy"];
        let html = answer.headers["content-type"].to_str().unwrap().starts_with("text/html");
        // With `no-referrer`, a browser would not send the page's origin with its forms.
        assert_eq!(referrer, if html { "same-origin" } else { "no-referrer" });
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!answer.headers.contains_key("access-control-allow-origin"), "{answer:?}");
    }
    let preflight = server.request("OPTIONS", "/api/sessions", &[("Origin", "http://evil.example")], None).unwrap();
    preflight.refused(403, "foreign_origin");
    server.post("/api/sessions", &json!({"worktree": "relative"})).refused(403, "outside_root");
}
