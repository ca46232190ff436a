//! The files of the page: all there, none of them reaching for anything else, served with a strict policy.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;

use flate2::read::GzDecoder;
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

/// The files of the server: a page, and an engine that is worth compressing.
const FILES: &[File] = &[
    File { name: "index.html", media_type: "text/html; charset=utf-8", bytes: b"<p>page" },
    File { name: "engine.wasm", media_type: "application/wasm", bytes: &[b'\0'; 5000] },
];

/// Serves two files and returns the answers to requests, each a line of HTTP and perhaps headers.
fn answers(requests: &[&str]) -> Vec<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || runtime.block_on(serve(listener, FILES)));
    let ask = |request: &&str| {
        let (first, headers) = request.split_once('\n').unwrap_or((request, ""));
        let mut stream = TcpStream::connect(address).expect("a connection");
        write!(stream, "{first} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n").expect("sent");
        write!(stream, "{headers}{}\r\n", if headers.is_empty() { "" } else { "\r\n" }).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        answer
    };
    requests.iter().map(ask).collect()
}

/// Separates an answer's head from its body.
fn parts(answer: &[u8]) -> (String, &[u8]) {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("the end of the head") + 4;
    (String::from_utf8(answer[..end].to_vec()).expect("a head in ASCII"), &answer[end..])
}

/// Returns a whole answer whose body is a text.
fn text(answer: &[u8]) -> String {
    String::from_utf8(answer.to_vec()).expect("an answer in UTF-8")
}

#[test]
fn each_answer_has_its_type_and_the_policy() {
    let paths = ["GET /", "GET /index.html", "GET /engine.wasm", "GET /no.js", "GET /../Cargo.toml"];
    let answers: Vec<String> = answers(&paths).iter().map(|answer| text(answer)).collect();
    for (path, answer) in paths.iter().zip(&answers) {
        for header in [&format!("content-security-policy: {POLICY}"), "x-content-type-options: nosniff"] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
    }
    for answer in &answers[..2] {
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("content-type: text/html; charset=utf-8"));
        assert!(answer.ends_with("<p>page"), "{answer}");
    }
    assert!(answers[2].contains("content-type: application/wasm") && answers[2].ends_with("\0\0"));
    for answer in &answers[3..] {
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
}

#[test]
fn nothing_can_be_sent_to_it() {
    let answers = answers(&["POST /", "HEAD /"]);
    let (post, head) = (text(&answers[0]), text(&answers[1]));
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn a_client_that_takes_gzip_gets_it_and_no_other_does() {
    let takes = ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, GZIP;q=0.5", "deflate,gzip", "*", "br, *;q=0.1"];
    let takes_not = ["", "identity", "br", "gzip;q=0", "gzip; q=0.000, br", "*;q=0", "*, gzip;q=0", "xgzip"];
    let request = |encodings: &&str| match *encodings {
        "" => "GET /engine.wasm".to_owned(),
        encodings => format!("GET /engine.wasm\nAccept-Encoding: {encodings}"),
    };
    let requests: Vec<String> = takes.iter().chain(&takes_not).map(request).collect();
    let answers = answers(&requests.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, (request, answer)) in requests.iter().zip(&answers).enumerate() {
        let (head, body) = parts(answer);
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("vary: accept-encoding"), "{request}: {head}");
        assert!(head.contains("content-type: application/wasm"), "{request}: {head}");
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{request}: {head}");
        assert_eq!(head.contains("content-encoding: gzip\r\n"), at < takes.len(), "{request}: {head}");
        let mut unpacked = Vec::new();
        if at < takes.len() {
            assert!(body.len() < 100, "{request}: {} bytes", body.len());
            GzDecoder::new(body).read_to_end(&mut unpacked).expect("gzip");
        } else {
            unpacked = body.to_vec();
        }
        assert_eq!(unpacked, FILES[1].bytes, "{request}");
    }
}

#[test]
fn a_head_request_has_the_length_of_the_compressed_file() {
    let answers = answers(&["HEAD /engine.wasm\nAccept-Encoding: gzip", "GET /engine.wasm\nAccept-Encoding: gzip"]);
    let [(head, none), (get, body)] = [parts(&answers[0]), parts(&answers[1])];
    assert!(none.is_empty() && !body.is_empty());
    let length = |head: &str| head.lines().find(|line| line.starts_with("content-length")).map(str::to_owned);
    assert_eq!(length(&head), length(&get));
    assert!(head.contains("content-encoding: gzip"));
}
