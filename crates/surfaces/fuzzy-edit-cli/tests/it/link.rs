//! `explain --link`: the case in a link is the edit.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::read::ZlibDecoder;
use serde_json::{Value, json};

use crate::support::Place;

/// Returns the case in a link, as `playground/page/link.js` reads it.
fn case(link: &str) -> Value {
    let fragment = link.trim_end().split_once('#').unwrap().1;
    let bytes = URL_SAFE_NO_PAD.decode(fragment.strip_prefix("1.").unwrap()).unwrap();
    let mut json = String::new();
    ZlibDecoder::new(&*bytes).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

fn link(place: &Place, options: &[&str]) -> String {
    let answer = place.run(&[&["explain", "file.txt"][..], options].concat());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{answer:?}");
    answer.out
}

#[test]
fn a_link_holds_the_edit() {
    let place = Place::with("eins\n\tzwei — <b>\"\n");
    let printed = link(&place, &["--old", "zwei", "--new", "2", "--link"]);
    assert!(printed.starts_with("http://127.0.0.1:7347/#1.") && printed.lines().count() == 1, "{printed}");
    assert_eq!(case(&printed), json!(["eins\n\tzwei — <b>\"\n", "zwei", "2", 0, "adaptive", "lf"]));
    let printed = link(&place, &["--old", "zwei", "--all", "--ladder", "full", "--link=https://example.org/play"]);
    assert!(printed.starts_with("https://example.org/play#1."), "{printed}");
    assert_eq!(case(&printed), json!(["eins\n\tzwei — <b>\"\n", "zwei", "", 1, "full", "lf"]));
}

#[test]
fn line_endings_are_those_of_the_page() {
    let place = Place::with("a\r\nb\r\n");
    let printed = link(&place, &["--old", "a\r\nb", "--new", "c", "--link"]);
    assert_eq!(case(&printed), json!(["a\nb\n", "a\nb", "c", 0, "adaptive", "crlf"]));
}

#[test]
fn what_fits_into_no_link_is_refused() {
    let mut random = fastrand::Rng::with_seed(3);
    let long: String = (0..100_000).map(|_| random.alphanumeric()).collect();
    for (bytes, why) in [
        (long.as_bytes(), "the texts are too long for a link"),
        (b"a\r\nb\n", "several kinds of line endings"),
        (b"a\rb\n", "several kinds of line endings"),
    ] {
        let answer = Place::with(bytes).run(&["explain", "file.txt", "--old", "a", "--link"]);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{why}");
        assert!(answer.err.contains(why), "{}", answer.err);
    }
    let answer = Place::with("a\n").run(&["explain", "file.txt", "--after", "a", "--new", "b", "--link"]);
    assert!(answer.code == 2 && answer.err.contains("name lines"), "{answer:?}");
    assert_eq!(Place::with("a\n").run(&["explain", "file.txt", "--old", "a", "--link", "--json"]).code, 2);
}
