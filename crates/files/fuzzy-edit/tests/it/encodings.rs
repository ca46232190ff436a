//! Every byte outside the place is kept in every encoding, valid or wrong; text that cannot be encoded is rejected.

use std::fs;
use std::path::PathBuf;

use fuzzy_edit::{Code, Editor, Encoding, Failure, FileEdit, Lookup, Report, Success, TextFile};
use fuzzy_pipeline::{Pipeline, Span, ladder};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{self, Alone};

/// Number of edits of the long property; the variable raises it for a long run.
fn cases() -> u32 {
    std::env::var("FUZZY_EDIT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400)
}

/// Encodings by name, each with characters that it has; encodings without a name are detected by their mark.
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
    (Some("gbk"), "", "a中€"),
    (Some("windows-1251"), "", "aЖя"),
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

    fn success(&self, old: &str, new: &str) -> Success {
        match self.edit(old, new) {
            Report::Success(success) => success,
            Report::Failure(failure) => panic!("{failure:?}"),
        }
    }

    fn read(&self) -> TextFile {
        TextFile::read_as(&self.path, 1 << 20, self.encoding).unwrap()
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
        // The text may begin with a mark that the encoding does not treat as one.
        let start = file.text().find("NEEDLE").unwrap();
        let at = bytes(&format!("{mark_text}{before}")).len();
        prop_assert_eq!(file.bytes_of(Span::new(start, start + 6)), at..at + bytes("NEEDLE").len());

        let report = place.edit("NEEDLE", &new);
        prop_assert!(matches!(report, Report::Success(_)), "{:?}", report);
        prop_assert_eq!(place.bytes(), bytes(&format!("{mark_text}{before}{new}{after}")));
    }

    #[test]
    fn wrong_bytes_stay((name, mark, before, after, new) in edits_among_bytes()) {
        let bytes = |text: &str| encode(name, mark, text);
        let mark_text = if mark.is_empty() { "" } else { "\u{feff}" };
        let start = [bytes(mark_text), before, bytes("\n")].concat();
        let end = [bytes("\n"), after].concat();
        let place = Place::new(&[&start[..], &bytes("NEEDLE"), &end].concat(), Some(name.unwrap_or(if mark.len() > 3 { mark } else { "utf-8" })));
        let file = place.read();
        let text = file.text().to_owned();
        let at = text.find("NEEDLE").unwrap();
        prop_assert_eq!(file.bytes_of(Span::new(at, at + 6)), start.len()..start.len() + bytes("NEEDLE").len());
        prop_assert_eq!(file.bytes_of(Span::new(at + 6, text.len())).end, file.bytes().len());
        let expected = [start, bytes(&new), end].concat();

        place.success("NEEDLE", &new);
        prop_assert_eq!(place.bytes(), &*expected);

        // The place now includes the wrong bytes, and their correspondence is clear.
        let of_all = Place::new(file.bytes(), Some(file.encoding().name()));
        of_all.success(&text, &text.replace("NEEDLE", &new));
        prop_assert_eq!(of_all.bytes(), expected);
    }

    #[test]
    fn an_inexact_edit_keeps_the_bytes_of_other_lines(
        lines in prop::collection::vec((0_usize..9, prop::collection::vec(0x80..=0xfc_u8, 0..3)), 4..12),
        at in any::<prop::sample::Index>(),
        name in prop::sample::select(vec!["utf-8", "shift_jis", "euc-jp", "gb18030", "big5", "windows-1252"]),
    ) {
        const WORDS: [&str; 9] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"];
        let file: Vec<Vec<u8>> = lines
            .iter()
            .enumerate()
            .map(|(number, (word, wrong))| {
                let start = format!("    {number} = call({}); // ", WORDS[*word]);
                [start.as_bytes(), wrong, b" \n"].concat()
            })
            .collect();
        let place = Place::new(&file.concat(), Some(name));
        let at = at.index(lines.len() - 1);
        let text = place.read().text().to_owned();
        // The old text lacks the blanks at the ends of its lines.
        let needle = text.lines().skip(at).take(2).map(str::trim).collect::<Vec<_>>().join("\n");
        let edit = FileEdit::new(&place.path, &needle, needle.replacen("call(", "send(", 1));
        let editor = Editor::new(support::editor().workspace().clone(), Pipeline::new(ladder::adaptive()));
        let report = editor.on(|workspace| workspace.with_encoding(place.encoding)).applied(&[edit]).pop().unwrap();
        prop_assert!(matches!(report, Report::Success(_)), "{:?}", report);
        let (bytes, before, after) = (place.bytes(), file[..at].concat(), file[at + 2..].concat());
        prop_assert!(bytes.starts_with(&before) && bytes.ends_with(&after));
        let own = &bytes[before.len()..bytes.len() - after.len()];
        for (_, wrong) in lines[at..at + 2].iter().filter(|(_, wrong)| !wrong.is_empty()) {
            prop_assert!(own.windows(wrong.len()).any(|window| window == wrong));
        }
    }

    #[test]
    fn any_bytes_are_refused_or_kept(
        before in prop::collection::vec(any::<u8>(), 0..40),
        after in prop::collection::vec(any::<u8>(), 0..40),
        which in 0..=ENCODINGS.len(),
    ) {
        let name = ENCODINGS.get(which).and_then(|(name, ..)| *name).filter(|name| !name.starts_with("utf-16"));
        let bytes = |new: &[u8]| [&before[..], b"\nNEEDLE ", new, &after].concat();
        let place = Place::new(&bytes(b"one"), name);
        let Ok(file) = TextFile::read_as(&place.path, 1 << 20, place.encoding) else { return Ok(()) };
        prop_assert_eq!(file.bytes(), bytes(b"one"));
        if let Report::Success(success) = place.edit("NEEDLE one", "NEEDLE two") {
            prop_assert_eq!(success.encoding, Some(file.encoding().name()));
            prop_assert_eq!(place.bytes(), bytes(b"two"));
        }
    }
}

/// Edits of a text between random bytes.
fn edits_among_bytes() -> impl Strategy<Value = (Option<&'static str>, &'static str, Vec<u8>, Vec<u8>, String)> {
    prop::sample::select(ENCODINGS).prop_flat_map(|(name, mark, alphabet)| {
        let is_utf16 = name.unwrap_or(mark).to_ascii_lowercase().starts_with("utf-16");
        let piece = prop_oneof![
            texts(alphabet).prop_map(move |text| encode(name, mark, &text)),
            prop::collection::vec(1..=255_u8, 0..6),
            prop::sample::select(vec![
                b"\x82\xa0".to_vec(),
                b"\xed\xa1".to_vec(),
                b"\xfa\x54".to_vec(),
                b"\x88\x62".to_vec()
            ]),
        ];
        let bytes = prop::collection::vec(piece, 0..5).prop_map(move |pieces| {
            let mut bytes = pieces.concat();
            // An odd byte would shift every byte after it.
            bytes.truncate(if is_utf16 { bytes.len() / 2 * 2 } else { bytes.len() });
            bytes
        });
        (Just(name), Just(mark), bytes.clone(), bytes, texts(alphabet))
    })
}

#[test]
fn a_character_that_the_encoding_lacks_is_refused_and_never_replaced() {
    for (name, lacks) in [("windows-1252", '→'), ("koi8-r", 'é'), ("shift_jis", '😀'), ("euc-kr", '😀')] {
        let place = Place::new(b"one\ntwo\n", Some(name));
        let failure = place.failure("two", &format!("2\n{lacks}"));
        assert_eq!(failure.code, Code::Encoding);
        let expected = format!("has no {lacks:?} (U+{:04X}), as on line 3", u32::from(lacks));
        assert!(failure.message.contains(&expected), "{failure}");
        assert_eq!(place.bytes(), b"one\ntwo\n");
    }
}

#[test]
fn a_character_that_would_be_read_as_another_is_refused() {
    for (name, lacks) in [("shift_jis", '¥'), ("shift_jis", '−'), ("euc-jp", '‾')] {
        for old in ["one", ""] {
            let place = Place::new(old.as_bytes(), Some(name));
            let failure = place.failure(old, &format!("1 {lacks}"));
            assert!(failure.message.contains(&format!("which has no {lacks:?}")), "{failure}");
            assert_eq!(place.bytes(), old.as_bytes());
        }
    }
}

#[test]
fn the_likely_encoding_is_used() {
    let shift_jis = encode(Some("shift_jis"), "", "// 関数の説明、これはテストです\r\nint x;\r\n");
    let cases: [(&[u8], &str, &str, &str, &str); 5] = [
        (b"caf\xe9\r\n", "windows-1252", "café", "thé – 5 €", "th\u{e9} \u{96} 5 \u{80}\r\n"),
        (b"caf\xe9 \x81\n", "windows-1252", "caf", "tea", ""),
        (&shift_jis, "Shift_JIS", "int x;", "int x; // 表", ""),
        ("Привет мир".as_bytes(), "UTF-8", "мир", "Мир", ""),
        (b"a\xff", "windows-1252", "aÿ", "b", ""),
    ];
    for (bytes, encoding, old, new, latin) in cases {
        let place = Place::new(bytes, None);
        let success = place.success(old, new);
        assert_eq!(success.encoding, Some(encoding));
        assert_eq!(success.encoding_detected, encoding != "UTF-8");
        let named = Place::new(bytes, Some(encoding));
        let success = named.success(old, new);
        assert!(!success.encoding_detected);
        assert_eq!(place.bytes(), named.bytes());
        if !latin.is_empty() {
            assert_eq!(place.bytes(), latin.chars().map(|c| c as u8).collect::<Vec<_>>());
        }
    }
}

#[test]
fn utf_8_with_wrong_bytes_is_utf_8() {
    let text = "größer, kühler, süßer, höher, schöner\n";
    let place = Place::new(&[text.as_bytes(), b"caf\xe9 \xe2\x82\n", "schön\n".as_bytes()].concat(), None);
    let success = place.success("caf\u{fffd} \u{fffd}\nschön", "Kaffee\u{fffd} \u{fffd}\nschöner – fürwahr");
    assert_eq!((success.encoding, success.encoding_detected), (Some("UTF-8"), true));
    let expected = [text.as_bytes(), b"Kaffee\xe9 \xe2\x82\n", "schöner – fürwahr\n".as_bytes()].concat();
    assert_eq!(place.bytes(), expected);
}

#[test]
fn an_unlikely_guess_writes_only_characters_that_the_file_has() {
    let cyrillic = encode(Some("koi8-r"), "", "// привет\nx\n");
    let place = Place::new(&cyrillic, None);
    let failure = place.failure("x", "y // шар");
    assert_eq!(failure.code, Code::Encoding);
    assert!(failure.message.contains("looks like KOI8-U"), "{failure}");
    assert!(failure.message.contains("'ш' (U+0448) on line 2"), "{failure}");
    assert!(failure.next_step.starts_with("Name the encoding"), "{failure}");
    assert_eq!(place.bytes(), cyrillic);
    place.success("x", "y // ветер");
    assert_eq!(place.bytes(), encode(Some("koi8-r"), "", "// привет\ny // ветер\n"));
}

#[test]
fn a_file_in_two_encodings_gets_no_new_characters() {
    let place = Place::new(b"caf\xc3\xa9 \xc3\xa8 caf\xe9 x", None);
    assert!(place.failure("x", "ü").message.contains("to be sure how 'ü'"));
    place.success("x", "y");
    assert_eq!(place.bytes(), b"caf\xc3\xa9 \xc3\xa8 caf\xe9 y");
}

#[test]
fn bytes_without_any_text_encoding_are_rejected() {
    let cases: [(&[u8], Code, &str); 5] = [
        (b"a\xff\x01b", Code::Encoding, "is not valid UTF-8: line 1 has a wrong byte at offset 1"),
        (b"\x1f\x8b\x08\x10\xffx", Code::Encoding, "is not valid UTF-8: line 1 has a wrong byte at offset 1"),
        (b"x\xff\0", Code::Binary, "has a NUL byte at offset 2"),
        (b"\xff\xfe\0\0x\0\0\0", Code::Encoding, "is encoded as UTF-32"),
        (b"x \x1b$BF|K\\8l\x1b(B", Code::Encoding, "is encoded as ISO-2022-JP, which cannot be edited"),
    ];
    for (bytes, code, message) in cases {
        let place = Place::new(bytes, None);
        let failure = place.failure("x", "y");
        assert_eq!(failure.code, code);
        assert!(failure.message.contains(message), "{failure}");
        assert_eq!(place.bytes(), bytes);
    }
}

#[test]
fn ascii_with_other_escape_sequences_is_utf_8() {
    let place = Place::new(b"x \x1b(B\x1b[0m \x1b$ \x1b$B", None);
    assert!(!place.success("x", "é").encoding_detected);
}

#[test]
fn a_character_with_two_codes_keeps_the_one_that_it_has() {
    // NEC and IBM each gave one character a code of their own.
    let place = Place::new(b"a \xfa\x54 \x81\xca b", Some("shift_jis"));
    assert_eq!(place.read().text(), "a ￢ ￢ b");
    place.success("a ￢ ￢ b", "c ￢ d ￢");
    assert_eq!(place.bytes(), b"c \xfa\x54 d \x81\xca");
    // In Big5, one code represents two characters.
    let place = Place::new(b"a \x88\x62 \x88\x66 b", Some("big5"));
    assert_eq!(place.read().text(), "a \u{ca}\u{304} \u{ca} b");
    place.success("a \u{ca}\u{304} \u{ca} b", "\u{ca} \u{ca}\u{304}c");
    assert_eq!(place.bytes(), b"\x88\x66 \x88\x62c");
    let failure = place.failure("\u{304}c", "c");
    assert!(failure.message.contains("Big5, which has no 'Ê'"), "{failure}");
}

#[test]
fn wrong_bytes_in_the_place_stay_if_it_is_clear_which() {
    // The edit deletes one of them and keeps the others.
    let three = Place::new(b"a \x81\nb \x82\nc \x83\n", Some("utf-8"));
    three.success("a \u{fffd}\nb \u{fffd}\nc \u{fffd}\n", "a \u{fffd}\nc \u{fffd}\n");
    assert_eq!(three.bytes(), b"a \x81\nc \x83\n");
    // Equal wrong bytes can be repeated.
    let equal = Place::new(b"a \x81 b\n", Some("utf-8"));
    equal.success("a \u{fffd} b", "\u{fffd} \u{fffd}");
    assert_eq!(equal.bytes(), b"\x81 \x81\n");
    // An edit may replace wrong bytes by a character.
    let mended = Place::new(b"caf\xe9 \x81\n", Some("utf-8"));
    mended.success("caf\u{fffd}", "café");
    assert_eq!(mended.bytes(), b"caf\xc3\xa9 \x81\n");
    let unclear = Place::new(b"a \x81 b \x82 c\n", Some("utf-8"));
    for (old, new) in [("a \u{fffd} b \u{fffd} c", "d \u{fffd} e"), ("c", "\u{fffd}")] {
        let failure = unclear.failure(old, new);
        assert_eq!(failure.code, Code::Encoding);
        assert!(failure.message.contains("U+FFFD on line 1"), "{failure}");
        assert_eq!(unclear.bytes(), b"a \x81 b \x82 c\n");
    }
    let other = Place::new(b"\xef\xbf\xbc \x81 \x82", Some("utf-8"));
    assert_eq!(other.failure("\u{fffc} \u{fffd} \u{fffd}", "\u{fffd} x").code, Code::Encoding);
    // Without wrong bytes U+FFFD is an ordinary character.
    let whole = Place::new("a \u{fffd}".as_bytes(), None);
    whole.success("a", "\u{fffd}");
    assert_eq!(whole.bytes(), "\u{fffd} \u{fffd}".as_bytes());
}

#[test]
fn wrong_bytes_do_not_become_a_character_with_new_ones() {
    let place = Place::new(b"a\x82\nb", Some("shift_jis"));
    let failure = place.failure("\nb", "ｱ");
    assert_eq!(failure.code, Code::Encoding);
    assert!(failure.message.contains("would form other characters"), "{failure}");
    assert_eq!(place.bytes(), b"a\x82\nb");
}

#[test]
fn utf_16_keeps_half_pairs_and_half_units() {
    let place = Place::new(b"\xff\xfea\0\0\xd8\n\0b\0c", None);
    assert_eq!(place.read().text(), "a\u{fffd}\nb\u{fffd}");
    let success = place.success("b", "é");
    assert_eq!((success.encoding, success.encoding_detected), (Some("UTF-16LE"), false));
    assert_eq!(place.bytes(), b"\xff\xfea\0\0\xd8\n\0\xe9\0c");
    let failure = place.failure("é\u{fffd}", "\u{fffd}é");
    assert!(failure.message.contains("would form other characters"), "{failure}");
}

#[test]
fn a_batch_carries_wrong_bytes_along() {
    let place = Place::new(b"one\n\x82 x\ntwo\n\x83 y\nthree\n", Some("shift_jis"));
    let editor = support::editor();
    let edit = |old: &str, new: &str| FileEdit::new(&place.path, old, new);
    let edits = [edit("one", "表\n1"), edit("\u{fffd} x", "\u{fffd} z"), edit("three", "3"), edit("two\n", "")];
    let reports = editor.on(|workspace| workspace.with_encoding(place.encoding)).applied(&edits);
    assert!(reports.iter().all(|report| matches!(report, Report::Success(_))), "{reports:?}");
    assert_eq!(place.bytes(), b"\x95\\\n1\n\x82 z\n\x83 y\n3\n");
}

#[test]
fn undoing_brings_back_wrong_bytes() {
    let place = Place::new(b"caf\xe9 \x81\n", None);
    let state = tempfile::tempdir().unwrap();
    let editor = support::editor_with(state.path());
    editor.applied(&[FileEdit::new(&place.path, "café \u{81}", "tea")]);
    assert_eq!(place.bytes(), b"tea\n");
    editor.workspace().undo().unwrap();
    assert_eq!(place.bytes(), b"caf\xe9 \x81\n");
}

#[test]
fn reports_say_that_an_encoding_is_likely() {
    const NOTE: &str = "the file is read as windows-1252, its likely encoding";
    let place = Place::new(b"caf\xe9\n", None);
    let failure = place.failure("chloé", "x");
    assert_eq!(failure.code, Code::NotFound);
    assert!(
        failure
            .next_step
            .ends_with("read as windows-1252, its likely encoding: name its encoding if it is another one.")
    );
    let lookup = Lookup {
        file_path: place.path.clone(),
        old_string: "caf".to_owned(),
        new_string: None,
        replace_all: false,
        line: None,
        quote: None,
    };
    let located = support::editor().locate(&lookup).unwrap();
    assert_eq!((located.encoding, located.encoding_detected), ("windows-1252", true));
    assert_eq!(located.note.as_deref(), Some(NOTE));
    assert_eq!(place.success("caf", "tea").note.as_deref(), Some(NOTE));
}

#[test]
fn texts_of_arguments_are_valid() {
    let cases: [(&[u8], &str); 3] = [
        (b"one\ntwo\ncaf\xe9\n", "is not valid UTF-8: line 3 has a wrong byte at offset 11"),
        (b"\xff\xfea\0\n\0\0\xd8b\0", "is not valid UTF-16LE: line 2 has a wrong byte at offset 6"),
        (b"\xfe\xff\0a\0", "is not valid UTF-16BE: line 1 has a wrong byte at offset 4"),
    ];
    for (bytes, expected) in cases {
        let place = Place::new(bytes, None);
        let error = TextFile::read(&place.path, 100).unwrap_err().to_string();
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
    assert_eq!(Encoding::from_option(" Auto").unwrap(), None);
    assert_eq!(Encoding::from_option("latin1").unwrap(), Some(Encoding::named("windows-1252").unwrap()));
    for name in ["", "auto", "morse", "replacement", "iso-2022-kr", "iso-2022-jp"] {
        assert!(Encoding::named(name).is_err(), "{name}");
    }
}
