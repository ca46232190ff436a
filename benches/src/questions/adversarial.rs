//! The cost of texts that are made to be slow.

use std::time::Duration;

use crate::drift::Drift;
use crate::scenario::{Answer, Class, Expected, Scenario};
use crate::search::{Search, ladders, measures};
use crate::texts::{self, Random, Text};

/// The deadline of searches with one.
const DEADLINE: Duration = Duration::from_millis(2);

/// The deadline of an edit with its reports in the hardest texts, of 200,000 lines.
const LIMIT: Duration = Duration::from_millis(50);

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = of_lines(10_000);
    scenarios.append(&mut of_lines(50_000));
    let searches = searches(50_000);
    for ladder in ladders() {
        let named = searches.iter().map(|search| search.clone().named("deadline "));
        scenarios.extend(named.map(|search| search.by_ladder_within(ladder, DEADLINE)));
    }
    let named = few_kinds(200_000).into_iter().map(|search| search.named("within 50 ms: "));
    scenarios.extend(named.map(|search| search.with_reports_within("adaptive", LIMIT)));
    scenarios
}

/// Returns searches in texts with few kinds of lines, where each needle line occurs everywhere.
fn few_kinds(lines: usize) -> Vec<Search> {
    const EQUAL: &str = "    same line of text\n";
    let equal = Text::new(&EQUAL.repeat(lines));
    let brackets = Text::new(&"    }\n".repeat(lines));
    let long = Text::new(&"a".repeat(lines * 10));
    let mut searches = vec![
        search("equal lines, 501-line needle", &equal, EQUAL.repeat(501)),
        search("equal lines, last of 501 lines absent", &equal, format!("{}other words", EQUAL.repeat(500))),
        search(
            "equal lines, middle of 501 lines absent",
            &equal,
            [&EQUAL.repeat(250), "other\n", &EQUAL.repeat(250)].concat(),
        ),
        search("brackets, 501-line needle", &brackets, "  }\n".repeat(501)),
        search("one line, half of it", &long, "a".repeat(lines * 5)),
    ];
    for kinds in [2, 5, 20] {
        let mut random = Random::new(kinds);
        let kinds: Vec<String> = (0..kinds).map(|kind| format!("line of kind {kind} here\n")).collect();
        let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
        let text = random.text(lines, &kinds);
        for count in [501, 5_000] {
            let case = format!("{} kinds of lines, {count}-line needle", kinds.len());
            searches.push(search(&case, &Text::new(&text), random.text(count, &kinds)));
        }
    }
    searches
}

/// Makes the scenarios without a deadline, with haystacks as large as `lines` lines of code.
#[must_use]
pub fn of_lines(lines: usize) -> Vec<Scenario> {
    let searches = searches(lines);
    let mut scenarios = Vec::new();
    for ladder in ladders() {
        scenarios.extend(searches.iter().map(|search| {
            let mut search = search.clone();
            if measures(ladder) {
                // The answer does not matter here: some of these texts are similar enough for this ladder.
                search.expected = Expected::Stable;
            }
            search.by_ladder(ladder)
        }));
        scenarios.push(as_long_as_the_file(lines / 5, ladder).by_ladder(ladder));
    }
    scenarios
}

/// Returns the searches, which fail with every ladder.
fn searches(lines: usize) -> Vec<Search> {
    let equal = Text::new(&"    }\n".repeat(lines));
    let anchors = Text::new(&"anchor\n".repeat(lines));
    let between = "with_other(lines, between);\n".repeat(8);
    let tiny = texts::tiny_alphabet(lines);
    let one_line = Text::new(&texts::words(lines * 100));
    let middle = one_line.as_str().len() / 2;
    let run: Vec<&str> = one_line.as_str()[middle..].split(' ').skip(1).take(10).collect();
    let backwards: Vec<&str> = run.iter().rev().copied().collect();
    let long_middles = long_middles(lines / 100, 4_000);
    let longer_middles = self::long_middles(lines / 2_000, 80_000);
    let long_needle = Drift::AbsentAll.apply(&"x\n".repeat(998));
    vec![
        search("equal lines", &equal, format!("{}   zz", "    }\n".repeat(9))),
        Search {
            class: Class::Hit,
            expected: Expected::Exactly(Answer::Failed("ambiguous")),
            ..search("equal lines that match", &equal, "    }\n".repeat(10))
        },
        search("every line an anchor", &anchors, format!("anchor\n{between}anchor")),
        search("every line an anchor, 1,000-line needle", &anchors, format!("anchor\n{long_needle}\nanchor")),
        search("4,000-character middle lines", &long_middles.0, long_middles.1),
        search("80,000-character middle lines", &longer_middles.0, longer_middles.1),
        search("one line, absent", &one_line, "zz_first(absent_1);".to_owned()),
        search("one line, words in another order", &one_line, backwards.join(" ")),
        search("tiny alphabet", &tiny, Drift::Reversed.apply(tiny.block(tiny.lines() / 2, 10).text)),
    ]
}

fn search(case: &str, haystack: &Text, needle: String) -> Search {
    Search {
        question: "adversarial",
        case: case.to_owned(),
        class: Class::Absent,
        haystack: haystack.clone(),
        needle,
        expected: Expected::Nothing,
        may_be_refused: true,
    }
}

/// Blocks of three lines with long middle lines, of the same letters but otherwise dissimilar to each other and to the
/// needle's.
fn long_middles(blocks: usize, length: usize) -> (Text, String) {
    let mut random = Random::new(11);
    let letters: Vec<String> = ('a'..='z').chain('A'..='Z').map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    let mut blocks: Vec<String> =
        (0..=blocks).map(|_| format!("fn begin() {{\n{}\n}} // end\n", random.text(length, &letters))).collect();
    let needle = blocks.pop().unwrap_or_default();
    (Text::new(&blocks.concat()), needle)
}

/// The whole file as the needle, with only its last line missing, or with nothing similar.
fn as_long_as_the_file(lines: usize, ladder: &str) -> Search {
    let haystack = texts::code(lines);
    let block = haystack.as_str().trim_end();
    let needle = if measures(ladder) { Drift::AbsentAll.apply(block) } else { Drift::AbsentLast.apply(block) };
    search("needle as long as the file", &haystack, needle)
}
