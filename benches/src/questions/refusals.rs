//! The cost of a refused edit with all its reports, compared with the decision alone.

use std::hint::black_box;

use fuzzy_pipeline::{Document, Query};

use crate::scenario::{Answer, Class, Expected, Scenario, Work};
use crate::search::pipeline;
use crate::texts::{self, Text};

/// An edit that must be refused.
struct Refused {
    case: &'static str,
    code: &'static str,
    needle: String,
    replacement: String,
}

/// Makes the scenarios; the yardstick of each is the decision without reports.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    [10_000, 50_000].into_iter().flat_map(of_lines).collect()
}

/// Makes the scenarios with a haystack of `lines` lines, and a block of it that occurs twice.
#[must_use]
pub fn of_lines(lines: usize) -> Vec<Scenario> {
    let code = texts::code(lines);
    let twice = code.block(lines / 3 / 7 * 7 + 1, 6).text;
    let haystack = Text::new(&format!("{}{twice}\n", code.as_str()));
    let clear = haystack.clear_block(10).text;
    let cases = [unlike(clear), guess(clear), conflict(clear), copied("ambiguous", twice), sibling(clear)];
    cases.into_iter().map(|refused| scenario(&haystack, refused)).collect()
}

/// Half of the lines are different.
fn unlike(block: &str) -> Refused {
    let lines = block.split('\n').enumerate().map(|(at, line)| match at % 2 {
        0 => line.to_owned(),
        _ => format!("    entirely_{at}(other, words);"),
    });
    let needle = lines.collect::<Vec<_>>().join("\n");
    Refused { case: "unlike", code: "refused", replacement: format!("{needle}\nadded();"), needle }
}

/// New lines where the needle omits some.
fn guess(block: &str) -> Refused {
    let lines: Vec<&str> = block.split('\n').collect();
    let (head, tail) = (lines[..4].join("\n"), lines[7..].join("\n"));
    Refused {
        case: "guess",
        code: "refused",
        needle: format!("{head}\n{tail}"),
        replacement: format!("{head}\n    added(by, this);\n{tail}"),
    }
}

/// The file has another number where the edit changes one.
fn conflict(block: &str) -> Refused {
    let Some(at) = block.find(|c: char| c.is_ascii_digit()) else { unreachable!("code without a number") };
    let (before, after) = (&block[..at], block[at..].trim_start_matches(char::is_numeric));
    Refused {
        case: "conflict",
        code: "conflict",
        needle: format!("{before}70007{after}"),
        replacement: format!("{before}80008{after}"),
    }
}

/// The lines occur twice, with another indentation.
fn copied(case: &'static str, block: &str) -> Refused {
    let needle = format!("  {}", block.replace('\n', "\n  ").replace('(', "( "));
    Refused { case, code: "ambiguous", replacement: format!("{needle}\n  added();"), needle }
}

/// One line that resembles a line of the file.
fn sibling(block: &str) -> Refused {
    let line = block.split('\n').next().unwrap_or_default();
    let needle = line.replace(" = ", " = another_").replace(';', " + 1;");
    Refused { case: "sibling", code: "refused", replacement: format!("{needle} // new"), needle }
}

fn scenario(haystack: &Text, refused: Refused) -> Scenario {
    let Refused { case, code, needle, replacement } = refused;
    let [whole, alone] = [true, false].map(|reports| work(haystack, &needle, &replacement, reports));
    let expected = Expected::Exactly(Answer::Failed(code));
    Scenario {
        class: Class::NearMiss,
        needle_lines: needle.split('\n').count(),
        yardstick: Some(alone),
        ..Scenario::new("refusals", "adaptive", case, haystack, whole, expected)
    }
}

/// The timed region: the decision, and with `reports` every report about a failure.
fn work(haystack: &Text, needle: &str, replacement: &str, reports: bool) -> Work {
    let pipeline = pipeline("adaptive");
    let (haystack, needle, replacement) = (haystack.clone(), needle.to_owned(), replacement.to_owned());
    Box::new(move || {
        let document = Document::new(haystack.as_str());
        let judgement = pipeline.decide(Query::new(&document, &needle), Some(&replacement), false);
        if reports {
            black_box((judgement.tried(), judgement.places().count, judgement.nearest(), judgement.proposal()));
            black_box(judgement.side_by_side());
        }
        judgement.found().into()
    })
}
