//! An exact edit that is local lands in an excerpt as it does in the whole text.

#![cfg(feature = "all")]

use fuzzy_core::{line_end, line_start};
use fuzzy_pipeline::{Document, Edit, Pipeline, Span, ladder};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// The result of an edit that lands: strategy, confidence, adjustment, spans and texts.
type Landed = Option<(String, Vec<(Span, String)>)>;

/// Decides about an edit, and returns whether the decision is local.
fn decide(pipeline: &Pipeline, text: &str, edit: Edit<'_>) -> (bool, Landed) {
    let document = Document::new(text);
    let attempt = edit.attempt(pipeline, &document);
    let judgement = attempt.decide();
    let landed = judgement.found().and_then(|found| {
        let splices = judgement.splices()?.map(|(span, text)| (span, text.into_owned())).collect();
        Ok((format!("{} {:?} {:?}", found.strategy, found.confidence, found.adjustment), splices))
    });
    (judgement.is_local(), landed.ok())
}

/// Returns the excerpt of a text that [`fuzzy_pipeline::Ladder::reach`] names, and where it begins.
fn excerpt<'t>(pipeline: &Pipeline, text: &'t str, edit: Edit<'_>) -> Option<(&'t str, usize)> {
    let at = text.find(edit.old)?;
    let around = |has_carriage_return| {
        let reach = pipeline.ladder().reach(edit.new, has_carriage_return)?;
        let start = line_start(text, at.saturating_sub(reach));
        let end = line_end(text, (at + edit.old.len() + reach).min(text.len()));
        Some((&text[start..text.len().min(end + 1)], start))
    };
    if around(true)?.0.contains('\r') { around(true) } else { around(false) }
}

#[test]
fn every_ladder_knows_its_reach_and_no_excerpt_answers_for_far_away_lines() {
    let far = "    e();\n".repeat(2_000);
    let cases = [
        ("    start();\n", "start();", "stop();", true),
        // Lines at column 0 may be anywhere.
        ("    start();\n", "start();", "start();\nand();", false),
        ("start();\n", "starts();", "x", false),
        // Other lines may show another code page.
        ("    start(); // sesión\n", "start();", "start(\"sesi贸n\");", !cfg!(feature = "code-pages")),
    ];
    for name in ladder::names() {
        let pipeline = Pipeline::new(ladder::named(name).unwrap());
        for (middle, old, new, lands_locally) in cases {
            let text = format!("{far}{middle}{far}");
            let (is_local, _) = decide(&pipeline, &text, Edit::new(old, new));
            assert_eq!(is_local, lands_locally || (name != "adaptive" && old == "start();"), "{name}: {old}");
        }
        let (is_local, landed) = decide(&pipeline, "a b a", Edit::new("a", "c").with_replace_all(true));
        assert!(!is_local && landed.is_some(), "{name}");
    }
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn a_local_edit_lands_in_an_excerpt_as_in_the_whole_text(
        middle in texts::text(8),
        (times, line) in (0..3_usize, prop::sample::select(vec!["e\n", "x\r\n", "    y = 1;\n", "}\n", "\n"])),
        (from, length) in (any::<prop::sample::Index>(), 1..30_usize),
        (other, change) in (texts::text(2), 0..6_u8),
        name in prop::sample::select(ladder::names().chain(["adaptive"; 8]).collect::<Vec<_>>()),
    ) {
        let around = line.repeat(times * 1_500);
        let text = format!("{around}{middle}{other}\n{around}");
        let characters: Vec<char> = middle.chars().collect();
        let from = from.index(characters.len().max(1)).min(characters.len());
        let old: String = characters[from..(from + length).min(characters.len())].iter().collect();
        let new = match change {
            0 => format!("{old}\n{other}"),
            1 => format!("{other}{old}"),
            2 => old.replace('a', "b").replace('\n', "\r\n"),
            3 => format!("{}\nb", old.trim()),
            4 => format!("{old}{}", other.repeat(30)),
            _ => other.clone(),
        };
        let edit = Edit::new(&old, &new);
        // Only an old text that occurs once has an excerpt.
        let first = text.find(&old).filter(|_| !old.is_empty());
        let is_only = first.is_some_and(|at| text.rfind(&old) == Some(at));
        let pipeline = Pipeline::new(ladder::named(name).unwrap());
        if let Some((part, start)) = excerpt(&pipeline, &text, edit).filter(|_| is_only) {
            let (is_local, landed) = decide(&pipeline, part, edit);
            if is_local {
                let shifted = landed.map(|(how, splices)| {
                    let shift = |span: Span| Span::new(span.start() + start, span.end() + start);
                    (how, splices.into_iter().map(|(span, text)| (shift(span), text)).collect())
                });
                prop_assert_eq!(shifted, decide(&pipeline, &text, edit).1);
            }
        }
    }
}
