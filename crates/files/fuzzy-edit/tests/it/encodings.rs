//! Every byte outside the place stays, whatever the encoding; what cannot be encoded is refused.

use std::fs;
use std::path::PathBuf;

use fuzzy_edit::{Code, Encoding, Failure, FileEdit, Report, TextFile};
use fuzzy_pipeline::Span;
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{self, Alone};

/// How many edits the long property makes; a campaign sets the variable.
fn cases() -> u32 {
    std::env::var("FUZZY_EDIT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400)
}

/// Encodings by name, each with characters that it has; those without a name are told from their mark.
const ENCODINGS: &[(Option<&str>, &str, &str)] = &[
    (None, "", "aé→😀\u{a0}"),
    (None, "\u{feff}", "aé→😀\u{2028}"),
    (None, "UTF-16LE", "aé→😀਍"),
    (None, "UTF-16BE", "aé→😀਍\u{0}"),
    (Some("utf-16le"), "", "aé→😀਍"),
    (Some("utf-16be"), "", "aé→😀਍"),
    (Some("utf-8"), "", "aé→😀"),
    (Some("windows-1252"), "", "aéß€\u{a0}"),
    (Some("iso-8859-2"), "", "aéłž"),
    (Some("koi8-r"), "", "aЖя"),
    (Some("shift_jis"), "", "a表ソア"),
    (Some("euc-jp"), "", "a表ア"),
    (Some("big5"), "", "a許功"),
    (Some("gb18030"), "", "a中😀"),
    (Some("euc-kr"), "", "a한"),
];

/// Encodes without the code under test.
fn encode(name: Option<&str>, mark: &str, text: &str) -> Vec<u8> {
    match name.unwrap_or(mark).to_ascii_lowercase().as_str() {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        label if name.is_some() => {
            let (bytes, _, unmappable) = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text);
            assert!(!unmappable, "{label}: {text:?}");
            bytes.into_owned()
        }
        _ => text.as_bytes().to_vec(),
    }
}

struct Place {
    _directory: tempfile::TempDir,
    path: PathBuf,
    encoding: Option<Encoding>,
}

impl Place {
    fn new(bytes: &[u8], encoding: Option<&str>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file.txt");
        fs::write(&path, bytes).unwrap();
        let encoding = encoding.map(|name| Encoding::named(name).unwrap());
        Self { _directory: directory, path, encoding }
    }

    fn edit(&self, old: &str, new: &str) -> Report {
        let editor = support::editor();
        let edit = FileEdit::new(&self.path, old, new);
        editor.on(|workspace| workspace.with_encoding(self.encoding)).applied(&[edit]).pop().unwrap()
    }

    fn failure(&self, old: &str, new: &str) -> Box<Failure> {
        match self.edit(old, new) {
            Report::Failure(failure) => failure,
            Report::Success(success) => panic!("{success:?}"),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }
}

fn texts(alphabet: &str) -> impl Strategy<Value = String> + use<> {
    let mut characters: Vec<String> = alphabet.chars().map(String::from).collect();
    characters.extend(["\r\n", "\n", "\r", " ", "\t", "b", "}"].map(str::to_owned));
    prop::collection::vec(prop::sample::select(characters), 0..24).prop_map(|characters| characters.concat())
}

fn edits() -> impl Strategy<Value = (Option<&'static str>, &'static str, String, String, String)> {
    prop::sample::select(ENCODINGS).prop_flat_map(|(name, mark, alphabet)| {
        (Just(name), Just(mark), texts(alphabet), texts(alphabet), texts(alphabet))
    })
}

proptest! {
    #![proptest_config(texts::config_of(cases()))]

    #[test]
    fn bytes_outside_the_place_never_change((name, mark, before, after, new) in edits()) {
        let mark_text = if mark.is_empty() { "" } else { "\u{feff}" };
        let bytes = |text: &str| encode(name, mark, text);
        let place = Place::new(&bytes(&format!("{mark_text}{before}NEEDLE{after}")), name);
        let file = TextFile::read_as(&place.path, 1 << 20, place.encoding).unwrap();
        // Without a mark of its own the text may still begin with one.
        let start = file.text().find("NEEDLE").unwrap();
        let at = bytes(&format!("{mark_text}{before}")).len();
        prop_assert_eq!(file.bytes_of(Span::new(start, start + 6)), at..at + bytes("NEEDLE").len());

        let report = place.edit("NEEDLE", &new);
        prop_assert!(matches!(report, Report::Success(_)), "{:?}", report);
        prop_assert_eq!(place.bytes(), bytes(&format!("{mark_text}{before}{new}{after}")));
    }

    #[test]
    fn any_bytes_in_any_encoding_are_refused_or_kept(
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        which in 0..ENCODINGS.len(),
        in_utf_16 in any::<bool>(),
    ) {
        let bytes = if in_utf_16 { [b"\xff\xfe", &bytes[..]].concat() } else { bytes };
        let place = Place::new(&bytes, ENCODINGS[which].0);
        let Ok(file) = TextFile::read_as(&place.path, 1 << 20, place.encoding) else { return Ok(()) };
        prop_assert_eq!(file.bytes(), &bytes);
        prop_assert_eq!(file.encode(file.text()).unwrap(), bytes);
    }
}

#[test]
fn a_character_that_the_encoding_lacks_is_refused_and_never_replaced() {
    for (name, lacks) in [("windows-1252", '→'), ("koi8-r", 'é'), ("shift_jis", '😀'), ("euc-kr", '😀')] {
        let place = Place::new(b"one\ntwo\n", Some(name));
        let failure = place.failure("two", &format!("2\n{lacks}"));
        assert_eq!(failure.code, Code::Encoding);
        assert!(failure.message.contains(&format!("has no {lacks:?} as on line 3")), "{failure}");
        assert_eq!(place.bytes(), b"one\ntwo\n");
    }
}

#[test]
fn other_encodings_have_to_be_named() {
    let place = Place::new(b"caf\xe9", None);
    let failure = place.failure("caf", "tea");
    assert_eq!(failure.code, Code::Encoding);
    assert!(failure.next_step.starts_with("Name the encoding"), "{failure}");
    let place = Place::new(b"caf\xe9", Some("latin1"));
    assert!(matches!(place.edit("café", "thé"), Report::Success(_)));
    assert_eq!(place.bytes(), b"th\xe9");
}

#[test]
fn bytes_that_would_not_come_back_are_refused() {
    // NEC and IBM gave one character each a code of their own; the text does not tell which it was.
    let other = Place::new(b"a \xfa\x54", Some("shift_jis"));
    let failure = other.failure("a", "b");
    assert_eq!(failure.code, Code::Encoding);
    assert!(failure.message.contains("would not keep its bytes as Shift_JIS: the first that changes is at offset 2"));
    assert_eq!(other.bytes(), b"a \xfa\x54");
}

#[test]
fn a_wrong_byte_is_named_with_its_line() {
    let cases: [(&[u8], Option<&str>, &str); 4] = [
        (b"one\ntwo\ncaf\xe9\n", None, "is not valid UTF-8: line 3 has a wrong byte at offset 11"),
        (b"\xff\xfea\0\n\0\0\xd8b\0", None, "is not valid UTF-16LE: line 2 has a wrong byte at offset 6"),
        (b"\xfe\xff\0a\0", None, "is not valid UTF-16BE: line 1 has a wrong byte at offset 4"),
        (b"a\nb\x82", Some("shift_jis"), "is not valid Shift_JIS: line 2 has a wrong byte at offset 3"),
    ];
    for (bytes, name, expected) in cases {
        let place = Place::new(bytes, name);
        let error = TextFile::read_as(&place.path, 100, place.encoding).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn names_are_those_of_web_pages() {
    for (name, known) in
        [("latin1", "windows-1252"), ("SJIS", "Shift_JIS"), (" utf8 ", "UTF-8"), ("utf-16", "UTF-16LE")]
    {
        assert_eq!(Encoding::named(name).unwrap().name(), known);
    }
    for name in ["", "morse", "replacement", "iso-2022-kr", "iso-2022-jp"] {
        assert!(Encoding::named(name).is_err(), "{name}");
    }
}
