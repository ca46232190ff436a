//! Placeholders in new text, and refusals without nearest lines.

use fuzzy_testkit::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Answer, Place};

const HANDLER: &str = "\
function handle(order) {
  const total = sum(order.lines);
  if (total > LIMIT) {
    notify(order.customer, total);
  }
  return save(order, total);
}
";

const STUBS: &str = "\
class Store(Protocol):
    def read(self, key: str) -> bytes:
        ...

    def close(self) -> None:
        flush()
        release()
";

fn apply(place: &Place, old: &str, new: &str) -> Answer {
    place.run(&["apply", "file.txt", "--old", old, "--new", new])
}

#[test]
fn a_placeholder_is_refused_with_the_lost_lines() {
    let place = Place::with(HANDLER);
    let new = "function handle(order, audit) {\n  // ... rest of code unchanged\n}\n";
    let answer = apply(&place, HANDLER, new);
    assert_eq!((answer.code, place.text("file.txt")), (1, HANDLER.to_owned()));
    assert_snapshot!("placeholder_text", answer.err);
    let answer = place.run(&["apply", "file.txt", "--old", HANDLER, "--new", new, "--json"]);
    let report = answer.json();
    assert_eq!((&report["code"], &report["ambiguous_at"]), (&json!("placeholder"), &json!([[2, 6]])));
    assert!(report["lost"].as_str().unwrap().contains("notify(order.customer, total);"), "{report}");
    for verb in ["locate", "explain"] {
        let answer = place.run(&[verb, "file.txt", "--old", HANDLER, "--new", new, "--json"]);
        assert!(answer.out.contains("\"code\":\"placeholder\""), "{verb}: {answer:?}");
    }
    let case = json!({"id": 1, "content": HANDLER, "old": HANDLER, "new": new});
    let answer = place.run_with(&["batch"], format!("{case}\n").as_bytes());
    assert_eq!(answer.out, "{\"id\":1,\"ok\":false,\"code\":\"placeholder\"}\n");
}

#[test]
fn a_placeholder_in_a_patch_is_refused() {
    let place = Place::with(HANDLER);
    let new = "function handle(order, audit) {\n  // ...\n}\n";
    let patch = format!("file.txt\n<<<<<<< SEARCH\n{HANDLER}=======\n{new}>>>>>>> REPLACE\n");
    let answer = place.run_with(&["patch", "--json"], patch.as_bytes());
    assert_eq!((answer.code, &answer.json()["code"]), (1, &json!("placeholder")));
    assert_eq!(place.text("file.txt"), HANDLER);
}

#[test]
fn lines_that_are_no_placeholders_land() {
    let cases: &[(&str, &str, &str)] = &[
        // The file contains such bodies.
        (STUBS, "        flush()\n        release()\n", "        ...\n"),
        // The line replaces no other lines.
        ("def f():\n    pass\n", "    pass\n", "    ...\n"),
        // A spread operator is no ellipsis.
        ("f({\n  a: 1,\n  b: 2,\n});\n", "  a: 1,\n  b: 2,\n", "  ...existing,\n"),
        // The needle contains such a line.
        (
            HANDLER,
            "  // ... existing code\n  return save(order, total);\n",
            "  // ... existing code\n  return save(order);\n",
        ),
        // The file already contains the same comment.
        ("# existing code\na = 1\nb = 2\n# end\n", "a = 1\nb = 2\n", "# existing code\nc = 3\n"),
        ("Notes.\n\n...\n\nOld words.\nMore of them.\n", "Old words.\nMore of them.\n", "...\n"),
    ];
    for (content, old, new) in cases {
        let place = Place::with(content);
        let answer = apply(&place, old, new);
        assert!(!answer.err.contains("placeholder"), "{new}: {answer:?}");
    }
}

#[test]
fn placeholders_of_real_models_are_refused_in_every_language() {
    let cases: &[(&str, &str)] = &[
        ("def f(a):\n    b = one(a)\n    c = two(b)\n    return c\n", "def f(a, z):\n    # ... existing code ...\n"),
        ("def f(a):\n    b = one(a)\n    c = two(b)\n    return c\n", "def f(a, z):\n    ...\n"),
        (
            "def f(a):\n    b = one(a)\n    c = two(b)\n    return c\n",
            "def f(a, z):\n    b = one(a)\n    # rest of the function remains the same\n",
        ),
        (
            "<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n",
            "<ul class=\"x\">\n  <!-- ... existing items ... -->\n</ul>\n",
        ),
        (
            "<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n",
            "<ul class=\"x\">\n  {/* rest of the code unchanged */}\n</ul>\n",
        ),
        ("SELECT one,\n  two,\n  three\nFROM t;\n", "SELECT zero,\n  -- ... remaining columns\nFROM t;\n"),
        (".a {\n  color: red;\n  margin: 0;\n}\n", ".a {\n  /* existing styles */\n  padding: 0;\n}\n"),
    ];
    for (old, new) in cases {
        let place = Place::with(format!("first\n{old}last\n"));
        let answer = apply(&place, old, new);
        assert!(answer.err.contains("placeholder: "), "{new}: {answer:?}");
    }
}

#[test]
fn a_placeholder_without_lost_lines_is_refused_too() {
    let cases = [
        ("  const total = sum(order.lines);\n", "  // existing code\n  const total = sum(order.lines);\n"),
        ("  return save(order, total);\n", "  // ... rest of code unchanged\n  return save(order);\n"),
    ];
    for (old, new) in cases {
        let place = Place::with(HANDLER);
        let report = place.run(&["apply", "file.txt", "--old", old, "--new", new, "--json"]).json();
        assert_eq!((&report["code"], &report["rule"]), (&json!("refused"), &json!("placeholder")), "{new}");
    }
}

const POEM: &str = "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate\n";

#[test]
fn a_refusal_has_no_nearest_lines_without_a_common_word() {
    let place = Place::with(POEM.repeat(4));
    let old = "public void onCreate(Bundle b) {\n    super.onCreate(b);\n}\n";
    for ladder in ["adaptive", "conservative", "full"] {
        let arguments = ["file.txt", "--old", old, "--new", "x", "--ladder", ladder, "--json"];
        for verb in ["apply", "locate", "explain"] {
            let answer = place.run(&[&[verb][..], &arguments].concat());
            let report = answer.json();
            let failure = if verb == "explain" { &report["outcome"] } else { &report };
            let failure = if failure.is_null() { &report } else { failure };
            assert_eq!(failure["nearest"], Value::Null, "{ladder} {verb}: {report}");
            let message = failure["message"].as_str().unwrap_or_else(|| panic!("{verb}: {report}"));
            assert_eq!(message, "the old text was not found; no place in the 8 lines of the file resembles it");
            assert!(!failure["next_step"].as_str().unwrap().contains("line"), "{report}");
        }
    }
    assert_snapshot!("nothing_alike_text", apply(&place, old, "x").err);
    let answer = place.run(&["explain", "file.txt", "--old", old, "--ladder", "adaptive"]);
    assert_snapshot!("nothing_alike_explained", answer.out);
}
