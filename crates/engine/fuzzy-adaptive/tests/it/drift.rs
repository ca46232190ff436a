//! One edit, distorted in every way that needles are distorted, lands as if it had not been.

use crate::support::decide;

/// The file that all cases edit.
const SHOP: &str = r#"import json
from pathlib import Path

RATES = {"books": 0.07, "tools": 0.19}

class Basket:
    """Holds what a customer wants to buy."""

    def __init__(self, owner):
        self.owner = owner
        self.lines = []
        self.closed = False

    def add(self, article, count=1):
        if self.closed:
            raise ValueError("the basket is closed")
        for line in self.lines:
            if line.article == article:
                line.count += count
                return line
        line = Line(article, count)
        self.lines.append(line)  # newest last
        return line

    def total(self):
        net = sum(line.count * line.article.price for line in self.lines)
        tax = sum(line.tax() for line in self.lines)
        return round(net + tax, 2)

    def close(self, path):
        self.closed = True
        record = {"owner": self.owner, "total": self.total()}
        Path(path).write_text(json.dumps(record), encoding="utf-8")
        return record

class Line:
    def __init__(self, article, count):
        self.article = article
        self.count = count

    def tax(self):
        rate = RATES.get(self.article.kind, 0.19)
        return self.count * self.article.price * rate
"#;

/// The edit as a careful author would have written it.
const OLD: &str = r#"    def total(self):
        net = sum(line.count * line.article.price for line in self.lines)
        tax = sum(line.tax() for line in self.lines)
        return round(net + tax, 2)

    def close(self, path):
        self.closed = True
        record = {"owner": self.owner, "total": self.total()}"#;
const NEW: &str = r#"    def total(self, discount=0):
        net = sum(line.count * line.article.price for line in self.lines)
        tax = sum(line.tax() for line in self.lines)
        if discount:
            net *= 1 - discount
        return round(net + tax, 2)

    def close(self, path):
        self.closed = True
        record = {"owner": self.owner, "total": self.total()}"#;

#[track_caller]
fn lands_in(file: &str, needle: &str, replacement: &str, expected: &str) {
    let decision = decide(file, needle, replacement, false);
    match decision.output() {
        Some(output) => assert_eq!(output, expected),
        None => panic!("refused: {decision:?}"),
    }
}

#[track_caller]
fn lands(needle: &str, replacement: &str) {
    lands_in(SHOP, needle, replacement, &SHOP.replacen(OLD, NEW, 1));
}

/// Distorts needle and replacement alike.
#[track_caller]
fn lands_through(distort: impl Fn(&str) -> String) {
    assert_ne!(distort(OLD), OLD, "the distortion does nothing");
    lands(&distort(OLD), &distort(NEW));
}

fn each_line(text: &str, change: impl Fn(usize, &str) -> String) -> String {
    let lines: Vec<String> = text.split('\n').enumerate().map(|(number, line)| change(number, line)).collect();
    lines.join("\n")
}

#[test]
fn lands_as_it_is() {
    lands(OLD, NEW);
}

#[test]
fn lands_with_another_base_indentation() {
    lands_through(|text| each_line(text, |_, line| line.strip_prefix("    ").unwrap_or(line).to_owned()));
    lands_through(|text| each_line(text, |_, line| if line.is_empty() { String::new() } else { format!("  {line}") }));
}

#[test]
fn lands_with_another_step_of_indentation() {
    let halved = |line: &str| {
        let body = line.trim_start();
        format!("{}{body}", " ".repeat((line.len() - body.len()) / 2))
    };
    lands_through(|text| each_line(text, |_, line| halved(line)));
    lands_through(|text| text.replace("    ", "\t"));
}

#[test]
fn lands_with_a_first_line_cut_at_its_indentation() {
    lands_through(|text| text.trim_start().to_owned());
}

#[test]
fn lands_with_all_but_the_first_line_dedented() {
    lands_through(|text| {
        each_line(text, |number, line| line.strip_prefix("    ").filter(|_| number > 0).unwrap_or(line).to_owned())
    });
}

#[test]
fn lands_with_blanks_at_line_ends() {
    lands(&each_line(OLD, |number, line| format!("{line}{}", " ".repeat(number % 3))), NEW);
    lands_through(|text| text.replace('\n', "\r\n"));
}

#[test]
fn keeps_blanks_at_the_files_line_ends() {
    let file = SHOP.replace("net = sum(line", "net  =\tsum(line").replace("2)\n", "2)  \n");
    let expected = file
        .replace("def total(self):", "def total(self, discount=0):")
        .replace("        return round", "        if discount:\n            net *= 1 - discount\n        return round");
    lands_in(&file, OLD, NEW, &expected);
}

#[test]
fn keeps_the_files_line_endings() {
    let file = SHOP.replace('\n', "\r\n");
    lands_in(&file, OLD, NEW, &file.replacen(&OLD.replace('\n', "\r\n"), &NEW.replace('\n', "\r\n"), 1));
}

#[test]
fn lands_with_blank_lines_around_added_or_dropped() {
    lands_through(|text| format!("\n\n{text}"));
    lands_through(|text| format!("{text}\n\n\n"));
    lands_through(|text| text.replace("\n\n", "\n"));
    lands_through(|text| text.replace("\n        tax", "\n\n        tax"));
}

#[test]
fn lands_with_other_quotes_and_dashes() {
    lands_through(|text| text.replace('"', "'"));
    lands_through(|text| text.replace('"', "\u{201c}"));
}

#[test]
fn lands_with_extra_escapes() {
    lands_through(|text| text.replace('"', "\\\""));
    lands_through(|text| text.replace('\n', "\\n"));
}

#[test]
fn lands_with_entities() {
    lands_through(|text| text.replace('"', "&quot;"));
}

#[test]
fn lands_with_line_numbers() {
    let numbered = |separator: &'static str| {
        move |text: &str| each_line(text, |number, line| format!("{:>6}{separator}{line}", number + 27))
    };
    for separator in ["\t", "| ", " | ", ": ", "→", " "] {
        lands_through(numbered(separator));
    }
    // Only the needle was copied from the tool's output.
    lands(&numbered("| ")(OLD), NEW);
    // The first line was cut after its number.
    lands_through(|text| numbered("| ")(text).trim_start_matches(|c| c != '|').trim_start_matches("| ").to_owned());
}

#[test]
fn lands_out_of_a_fence() {
    lands_through(|text| format!("```python\n{text}\n```"));
}

#[test]
fn lands_with_an_elision() {
    let elided = |text: &str| {
        text.replace("        tax = sum(line.tax() for line in self.lines)\n", "").replace(
            "        net = sum(line.count * line.article.price for line in self.lines)\n",
            "        # ... existing code ...\n",
        )
    };
    lands_through(elided);
}

#[test]
fn lands_with_a_cut_last_or_first_line() {
    lands_through(|text| text.replace("\"total\": self.total()}", "..."));
    lands_through(|text| text.replacen("    def total", "total", 1));
}

#[test]
fn lands_with_wrapped_and_joined_lines() {
    lands_through(|text| text.replace("line.article.price for", "line.article.price\n            for"));
    lands_through(|text| text.replace("self.closed = True\n        record", "self.closed = True record"));
}

#[test]
fn lands_with_a_line_more_or_less() {
    lands_through(|text| text.replace("        self.closed = True\n", ""));
    lands_through(|text| {
        text.replace("        self.closed = True\n", "        self.closed = True\n        self.owner = owner\n")
    });
}

#[test]
fn lands_with_a_line_rewritten() {
    lands_through(|text| {
        text.replace("tax = sum(line.tax() for line in self.lines)", "tax = sum([l.tax() for l in self.lines])")
    });
}

#[test]
fn lands_with_slips_of_the_finger() {
    lands(&OLD.replace("def total(self)", "def totla(self)"), NEW);
    lands_through(|text| text.replace("self.lines)", "slef.lines)"));
}

#[test]
fn misremembered_names_become_the_files_in_new_text_too() {
    let distort = |text: &str| text.replace("article", "articleItem");
    let new = "        self.article = article\n        self.kind = article.kind\n        self.count = count\n\n    def tax(self):";
    let old = "        self.article = article\n        self.count = count\n\n    def tax(self):";
    lands_in(SHOP, &distort(old), &distort(new), &SHOP.replacen(old, new, 1));
}

#[test]
fn deletes_whole_lines() {
    let old = "        self.closed = False\n";
    lands_in(SHOP, "self.closed=False", "", &SHOP.replacen(old, "", 1));
    let needle = "self.lines = []\nself.closed = False\n\ndef add(self, article, count=1):";
    let replacement = "self.lines = []\n\ndef add(self, article, count=1):";
    lands_in(SHOP, needle, replacement, &SHOP.replacen(old, "", 1));
}

#[test]
fn context_decides_between_equal_lines() {
    let file = "[alpha]\nsize = 4\nmode = slow\n\n[beta]\nsize = 4\nmode = slow\n\n[gamma]\nsize = 4\nmode = slow\n";
    let expected = file.replace("[beta]\nsize = 4", "[beta]\nsize = 8");
    lands_in(file, "[beta]\n  size=4\n  mode = slow", "[beta]\n  size=8\n  mode = slow", &expected);
}

#[test]
fn a_distant_line_of_a_needle_is_left_out() {
    // The first line is twenty lines before the rest.
    let old = "        net = sum(line.count * line.article.price for line in self.lines)\n        tax = sum(line.tax() for line in self.lines)";
    let needle = format!("        self.owner = owner\n{old}");
    let replacement = needle.replace("line.tax()", "line.tax(2)");
    lands_in(SHOP, &needle, &replacement, &SHOP.replace("line.tax()", "line.tax(2)"));
}

#[test]
fn deleted_text_proves_the_place() {
    // The head was copied from an older version, with a comment that is gone.
    let needle =
        "    def tax(self, kind):\n        # the law of 1998\n        rate = RATES.get(self.article.kind, 0.19)";
    let changed = "        rate = RATES.get(self.article.kind, self.standard_rate)";
    let replacement = needle.replace("        rate = RATES.get(self.article.kind, 0.19)", changed);
    let expected = SHOP.replace("        rate = RATES.get(self.article.kind, 0.19)", changed);
    lands_in(SHOP, needle, &replacement, &expected);
}
