//! The files of the page: all there, none of them reaching for anything else, served with a strict policy.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;

use fuzzy_playground::{File, POLICY, serve};
use tokio::net::TcpListener;

fn page() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let files = fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file"));
    files
        .map(|file| (file.file_name().into_string().expect("a name"), fs::read_to_string(file.path()).expect("a text")))
        .collect()
}

#[test]
fn every_file_of_the_page_is_embedded() {
    let library = include_str!("../../src/lib.rs");
    for (name, _) in page() {
        assert!(library.contains(&format!("\"{name}\": ")), "{name} is not embedded");
    }
}

#[test]
fn the_page_says_of_itself_what_its_server_says() {
    let own = POLICY.strip_suffix("; frame-ancestors 'none'").expect("what a page cannot say");
    assert!(include_str!("../../page/index.html").contains(&format!("content=\"{own}\"")));
    assert!(!POLICY.contains("unsafe-inline") && !POLICY.contains("'unsafe-eval'") && !POLICY.contains("http"));
}

#[test]
fn no_file_names_another_place() {
    for (name, text) in page() {
        let elsewhere: Vec<&str> = text
            .match_indices("//")
            .filter(|(at, _)| text[..*at].ends_with(':'))
            .map(|(at, _)| text[at..].lines().next().unwrap_or_default())
            // The name of a vocabulary, which nothing loads.
            .filter(|rest| !rest.starts_with("//www.w3.org/2000/svg"))
            .collect();
        assert!(elsewhere.is_empty(), "{name}: {elsewhere:?}");
    }
}

#[test]
fn every_module_that_is_imported_is_there() {
    let files = page();
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    for (name, text) in files.iter().filter(|(name, _)| Path::new(name).extension().is_some_and(|end| end == "js")) {
        for import in text.split(" from './").skip(1) {
            let module = import.split('\'').next().unwrap_or_default();
            assert!(names.contains(module), "{name}: {module}");
        }
    }
}

/// Serves two files and returns what requests for these paths are answered.
fn answers(paths: &[&str]) -> Vec<String> {
    const FILES: &[File] = &[
        File { name: "index.html", media_type: "text/html; charset=utf-8", bytes: b"<p>page" },
        File { name: "engine.wasm", media_type: "application/wasm", bytes: b"\0asm" },
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || runtime.block_on(serve(listener, FILES)));
    let ask = |path: &&str| {
        let mut stream = TcpStream::connect(address).expect("a connection");
        write!(stream, "{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    paths.iter().map(ask).collect()
}

#[test]
fn each_answer_has_its_type_and_the_policy() {
    let paths = ["GET /", "GET /index.html", "GET /engine.wasm", "GET /no.js", "GET /../Cargo.toml"];
    let answers = answers(&paths);
    for (path, answer) in paths.iter().zip(&answers) {
        for header in [&format!("content-security-policy: {POLICY}"), "x-content-type-options: nosniff"] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
    }
    for answer in &answers[..2] {
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("content-type: text/html; charset=utf-8"));
        assert!(answer.ends_with("<p>page"), "{answer}");
    }
    assert!(answers[2].contains("content-type: application/wasm") && answers[2].ends_with("\0asm"));
    for answer in &answers[3..] {
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
}

#[test]
fn nothing_can_be_sent_to_it() {
    let [post, head] = &answers(&["POST /", "HEAD /"])[..] else { panic!("two answers") };
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
}
