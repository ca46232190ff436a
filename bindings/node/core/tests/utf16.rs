//! Requests with the content in UTF-16 have the same answers as in UTF-8.

use fuzzy_edit_js::{Desk, ladders};
use fuzzy_testkit::texts;
use proptest::prelude::*;

const REPLACE: u8 = 0;
const APPLY: u8 = 1;
const HAS_NEW: u8 = 4;
const UTF_16: u8 = 8;

/// Returns the number of a ladder.
fn number(name: &str) -> u8 {
    let all = ladders();
    let before = &all[..all.find(&format!("{{\"name\":\"{name}\"")).unwrap()];
    u8::try_from(before.matches("{\"name\"").count()).unwrap()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A request without its content.
#[derive(Clone, Copy, Debug)]
struct Asked<'e> {
    what: u8,
    flags: u8,
    ladder: u8,
    old: &'e str,
    new: &'e str,
    least: f64,
    budget: u64,
}

impl Asked<'_> {
    fn of(self, content: &[u8], flags: u8) -> String {
        let mut request = vec![self.what, self.flags | flags, self.ladder, 0];
        for text in [content, self.old.as_bytes(), self.new.as_bytes()] {
            request.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        }
        request.extend(self.least.to_le_bytes());
        request.extend(self.budget.to_le_bytes());
        request.extend([content, self.old.as_bytes(), self.new.as_bytes()].concat());
        Desk::new().answer(&request)
    }

    /// Returns the answers for the content in UTF-16 and in UTF-8.
    fn both(self, content: &str) -> (String, String) {
        (self.of(&utf16(content), UTF_16), self.of(content.as_bytes(), 0))
    }
}

fn plain<'e>(old: &'e str, new: &'e str) -> Asked<'e> {
    Asked { what: APPLY, flags: HAS_NEW, ladder: number("adaptive"), old, new, least: 0.0, budget: 0 }
}

/// Returns `text` between many repetitions of `line`: so many that the excerpt around it does not contain them all.
fn between(text: &str, line: &str, count: usize) -> String {
    format!("{}{text}\n{}", line.repeat(count), line.repeat(count))
}

#[test]
fn a_place_far_from_both_ends_is_where_it_is() {
    let file = between("  let größe = 1; // 😀", "    weiter(\"漢字\");\n", 2_000);
    let (wide, narrow) = plain("größe = 1", "größe = 2").both(&file);
    assert_eq!(wide, narrow);
    let at = file[..file.find("größe").unwrap()].encode_utf16().count();
    let end = at + "größe = 1".encode_utf16().count();
    assert!(wide.contains(&format!("\"splices\":[{{\"start\":{at},\"end\":{end},")), "{wide}");
}

/// Each file has a feature far from the edit that a rule of the ladders may read.
#[test]
fn what_is_far_away_counts_as_it_does_in_utf_8() {
    let many = |line: &str, text: &str| between(text, line, 1_000);
    let files = [
        // Line endings: near the place, and only outside the excerpt that is read for them.
        (many("é();\r\n", "start();"), "start();", "start();\nstop();"),
        (many("é();\n", "start();").replacen('\n', "\r\n", 900), "start();", "start();\nstop();"),
        // A distant line at column 0 shows that the new line belongs there, too.
        (format!("ünd x\n{}", many("    é();\n", "    start();")), "start();", "start();\nünd y"),
        (many("    é();\n", "    start();"), "start();", "start();\nstop();"),
        // A placeholder in the new text, with and without the same line in the file.
        (format!("// ... rest unchanged\n{}", many("é();\n", "start();")), "start();", "// ... rest unchanged"),
        (many("é();\n", "start();\nand();"), "start();\nand();", "// ... rest unchanged"),
        // A second occurrence, and an overlapping one.
        (format!("start();\n{}", many("é();\n", "start();")), "start();", "stop();"),
        (many("é\n", "xéyéyéx"), "éyé", "z"),
        // The file already contains the new text; the old text ends inside a word or inside a line.
        (many("é();\n", "start();\nstop();"), "start();", "start();\nstop();"),
        (many("é();\n", "timeout: 300"), "timeout: 30", "timeout: 60"),
        (many("é();\n", "import os.path"), "import os", "import os\nimport re"),
        (many("é();\n", &format!("[\n  start,{}]", "\n".repeat(2_000))), "  start", "  start,\n  stop,"),
        // A very long line.
        (format!("{}start();{}", "é".repeat(20_000), "ü".repeat(20_000)), "start();", "stop();"),
    ];
    for (file, old, new) in &files {
        for ladder in ["adaptive", "full", "full-guarded", "conservative", "registered"] {
            for flags in [HAS_NEW, HAS_NEW | 2, HAS_NEW | 3] {
                for what in [REPLACE, APPLY] {
                    let asked = Asked { what, flags, ladder: number(ladder), ..plain(old, new) };
                    let (wide, narrow) = asked.both(file);
                    assert_eq!(wide, narrow, "{ladder}, {flags}: {old:?} to {new:?}");
                }
            }
        }
    }
}

#[test]
fn limits_count_the_whole_text() {
    let file = between("start();", "é();\n", 10_000);
    let asked = Asked { budget: 100, ..plain("start();", "stop();") };
    let (wide, narrow) = asked.both(&file);
    assert!(narrow.contains("timeout"), "{narrow}");
    assert_eq!(wide, narrow);
}

#[test]
fn a_lone_surrogate_is_no_text_however_far_away() {
    let mut content = utf16(&between("start();", "é();\n", 10_000));
    content.extend(0xd800_u16.to_le_bytes());
    let answer = plain("start();", "stop();").of(&content, UTF_16);
    assert_eq!(answer, r#"{"error":"the text has a lone surrogate"}"#);
    assert!(plain("start();", "stop();").of(&content[1..], UTF_16).contains("ends inside a unit"));
}

/// Generates a file of few distinct lines, an old text that often occurs exactly once, and a new text.
fn edits() -> impl Strategy<Value = (String, String, String)> {
    let far = (0..3_usize, prop::sample::select(vec!["", "é\n", "x\r\n", "    漢 = 1;\n", "}\n", "// ...\n"]));
    let range = (any::<prop::sample::Index>(), 1..40_usize);
    (texts::text(12), far, range, 0..10_u8, texts::text(2), any::<bool>()).prop_map(
        |(middle, (times, line), (from, length), change, other, unique)| {
            let mark = if unique { "ñ1" } else { "" };
            let middle = format!("{middle}{mark}{other}");
            let around = line.repeat(times * 700);
            let characters: Vec<char> = middle.chars().collect();
            let from = from.index(characters.len().max(1));
            let to = (from + length).min(characters.len());
            let old: String = characters[from.min(to)..to].iter().collect();
            let old = if change == 9 { format!("{old}{mark}") } else { old };
            let new = match change {
                0 => format!("{old}\n{other}"),
                1 => format!("{other}{old}"),
                2 => String::new(),
                3 => old.replace('a', "é").replace('\n', "\r\n"),
                4 => format!("{old}\n// ... rest unchanged"),
                5 => format!("{}\nb", old.trim()),
                6 => format!("{old}{}", other.repeat(20)),
                7 => middle.clone(),
                _ => other,
            };
            (format!("{around}{middle}\n{around}"), old, new)
        },
    )
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn both_forms_have_the_same_answer(
        (file, old, new) in edits(),
        what in REPLACE..=APPLY,
        flags in 0..4_u8,
        ladder in prop::sample::select(vec!["adaptive", "adaptive", "full", "full-guarded", "opencode", "conservative"]),
        least in prop::sample::select(vec![0.0, 1.0]),
    ) {
        // Most edits replace a single place.
        let flags = HAS_NEW | (flags & 2) | (flags & u8::from(old.len() % 5 == 0));
        let asked = Asked { what, flags, ladder: number(ladder), least, ..plain(&old, &new) };
        let (wide, narrow) = asked.both(&file);
        prop_assert_eq!(wide, narrow, "{:?} to {:?}", old, new);
    }
}
