//! The place of an edit does not depend on its new text.

use fuzzy_core::{Document, Failure, LineRange, Query};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::pipeline;

/// Returns the lines of a needle's place, and the lines that an edit of it changes.
fn lines(file: &str, needle: &str, replacement: &str) -> (Result<LineRange, Failure>, Result<LineRange, Failure>) {
    let (pipeline, document) = (pipeline(), Document::new(file));
    let decide = |replacement| {
        let judgement = pipeline.decide(Query::new(&document, needle), replacement, false);
        judgement.found().map(|found| LineRange::of(file, found.span))
    };
    (decide(None), decide(Some(replacement)))
}

#[test]
fn several_exact_places_are_ambiguous_even_if_one_is_a_whole_line() {
    for file in ["let a = 1;\nx = { let a = 1; }\n", "let a = 1;\nlet b = 1;\nlet a = 1;\n"] {
        let (place, lands) = lines(file, "let a = 1;", "let a = 2;");
        assert!(matches!(place, Err(Failure::Ambiguous { .. })) && matches!(lands, Err(Failure::Ambiguous { .. })));
    }
}

#[test]
fn a_matching_indentation_breaks_ties_for_both() {
    let file = "if a:\n    go()\nfor b in c:\n    if a:\n        go()\n    stop()\n";
    let place = Ok(LineRange { first: 4, last: 6 });
    assert_eq!(lines(file, "\tif a:\n\t\tgo()\n\tstop( )", "\tif a:\n\t\tgo(b)\n\tstop( )"), (place.clone(), place));
}

#[test]
fn an_unknown_text_causes_no_refusal() {
    let (pipeline, document) = (pipeline(), Document::new("a = 1;\n\tb = 2;\n"));
    let found = |needle| pipeline.decide(Query::new(&document, needle), None, false).found().map(|found| found.span);
    assert!(found("b  =  2;").is_ok());
    assert_eq!(found("c = 3;"), Err(Failure::NotFound));
    assert_eq!(found(""), Err(Failure::EmptyOld));
}

#[test]
fn a_decision_ends_at_any_step() {
    let file = "a = 1;\n".repeat(20) + "\tb = 2;\n\tc = 3;\n" + &"d = 4;\n".repeat(20);
    let (pipeline, document) = (pipeline(), Document::new(file));
    for needle in ["b = 2;\nc = 3;", "b = 2;\nc == 3;"] {
        let decide = |query| pipeline.decide(query, Some("b = 5;\nc = 3;"), false);
        let spent = decide(Query::new(&document, needle)).spent();
        for budget in 0..spent {
            let judgement = decide(Query::new(&document, needle).with_budget(budget));
            assert_eq!(judgement.apply(), Err(Failure::Deadline), "{budget} of {spent}");
            assert_eq!((judgement.side_by_side(), judgement.tried()), (None, Vec::new()));
        }
    }
}

/// Few similar lines, many times.
fn file() -> impl Strategy<Value = Vec<String>> {
    let words = prop::sample::select(vec!["alpha", "beta", "gamma", "alphas", "delta"]);
    let indent = prop::sample::select(vec!["", "    ", "\t", "        "]);
    let line = (indent, words.clone(), words, 0..4_u8);
    let line = line.prop_map(|(indent, one, other, number)| match number {
        0 => String::new(),
        1 => "}".to_owned(),
        number => format!("{indent}{one}({other}, {number});"),
    });
    prop::collection::vec(line, 2..24)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_global_rejects: u32::MAX, ..texts::config() })]

    #[test]
    fn an_edit_lands_where_its_needle_was_located(
        file in file(),
        first in any::<prop::sample::Index>(),
        length in 1..7_usize,
        (kind, at, change) in (0..7_usize, any::<prop::sample::Index>(), 0..5_usize),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let first = first.index(file.len());
        let place = &file[first..(first + length).min(file.len())];
        let mut needle: Vec<String> = place
            .iter()
            .map(|line| match kind {
                0 => line.trim().to_owned(),
                1 => format!("  {line}"),
                2 => line.replace("alpha", "alhpa"),
                3 => line.replace("    ", "\t"),
                4 => line.replace('(', "( "),
                _ => line.clone(),
            })
            .collect();
        if kind == 5 && needle.len() > 2 {
            needle.remove(1);
        }
        let mut new = needle.clone();
        let at = at.index(new.len());
        match change {
            0 => new[at] = "something = new".to_owned(),
            1 => new.insert(at, "    brandnew(line);".to_owned()),
            2 => drop(new.remove(at)),
            3 => new.clear(),
            _ => new[at] = new[at].replace('(', "(brandnew, "),
        }
        let (file, needle, new) = (file.join(ending) + ending, needle.join("\n"), new.join("\n"));
        if let (Ok(located), Ok(landed)) = lines(&file, &needle, &new) {
            let meet = located.first <= landed.last && landed.first <= located.last;
            prop_assert!(meet, "{:?} by {:?} in {:?}: {:?}, {:?}", needle, new, file, located, landed);
        }
    }

    #[test]
    fn a_budget_ends_a_decision_or_changes_nothing(
        file in file(),
        first in any::<prop::sample::Index>(),
        length in 1..7_usize,
        budget in 0..4_000_u64,
    ) {
        let first = first.index(file.len());
        let needle = file[first..(first + length).min(file.len())].join("\n ").replace("alpha", "alhpa");
        let replacement = needle.replacen('(', "(brandnew, ", 1);
        let text = file.join("\n");
        let (pipeline, document) = (pipeline(), Document::new(text.as_str()));
        for replacement in [None, Some(replacement.as_str())] {
            let decide = |query| pipeline.decide(query, replacement, false);
            let free = decide(Query::new(&document, &needle));
            let bounded = decide(Query::new(&document, &needle).with_budget(budget));
            let again = decide(Query::new(&document, &needle).with_budget(free.spent()));
            if bounded.apply() != Err(Failure::Deadline) {
                prop_assert_eq!(bounded.apply(), free.apply());
                prop_assert!(bounded.spent() <= budget);
            }
            prop_assert_eq!(again.apply(), free.apply());
        }
    }
}
