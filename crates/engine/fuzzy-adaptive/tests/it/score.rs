//! The score of a decision.

use fuzzy_core::report::ScoreBreakdown;
use fuzzy_core::{Document, Query};

use crate::support::pipeline;

const QUEUE: &str = "\
fn push(queue: &mut Queue, job: Job) {
    queue.jobs.push_back(job);
    queue.waiting.notify_one();
}

fn pop(queue: &mut Queue) -> Option<Job> {
    let job = queue.jobs.pop_front()?;
    queue.running += 1;
    Some(job)
}
";

/// Decides about an edit; returns whether it lands, and the score.
fn score(file: &str, needle: &str, replacement: &str) -> (bool, Option<ScoreBreakdown>) {
    let (pipeline, document) = (pipeline(), Document::new(file));
    let judgement = pipeline.decide(Query::new(&document, needle), Some(replacement), false);
    (judgement.apply().is_ok(), judgement.score())
}

fn value(score: &ScoreBreakdown, name: &str) -> f64 {
    score.features.iter().find(|feature| feature.name == name).unwrap().value
}

#[test]
fn a_landing_has_a_score() {
    let needle = "let job = queue.jobs.pop_frnt()?;\nqueue.running += 1;";
    let (lands, score) = score(QUEUE, needle, &needle.replace("+= 1", "+= 2"));
    let score = score.unwrap();
    assert!(lands && score.probability >= score.accepted, "{score:?}");
    assert_eq!(score.ruled_out, None);
    assert_eq!(score.splice.text.matches("pop_front").count(), 1);
    assert!((0.9..1.0).contains(&value(&score, "explained")), "{score:?}");
    let adds: f64 = score.features.iter().map(|feature| feature.adds).sum();
    assert!((score.probability - 1.0 / (1.0 + (-score.perfect - adds).exp())).abs() < 1e-6, "{score:?}");
}

#[test]
fn a_refusal_has_the_rejected_text() {
    let needle = "let job = jobs.take_last(2)?;\nself.sleeping = 0;\nqueue.running += 1;\nwake(all);";
    let (lands, score) = score(QUEUE, needle, &needle.replace("+= 1", "+= 2"));
    let score = score.unwrap();
    assert!(!lands && score.probability < score.accepted, "{score:?}");
    assert!(score.splice.text.contains("queue.running += 2"), "{score:?}");
}

#[test]
fn a_place_with_the_changed_line_lands_among_lines_of_another_version() {
    let version = "fn pop(queue: &mut Queue) -> Job {\n    let job = queue.take(queue.limit);\n    queue.running += 1;\n    job\n}";
    let (lands, score) = score(QUEUE, version, &version.replace("+= 1", "+= 2"));
    assert!(lands, "{score:?}");
    // A second line like it, and the lines around it decide.
    let twice = QUEUE.replace("    queue.jobs.push_back(job);\n", "    queue.running += 1;\n");
    let (lands, score) = self::score(&twice, version, &version.replace("+= 1", "+= 2"));
    assert!(!lands, "{score:?}");
}

#[test]
fn a_tie_is_ruled_out_however_alike_the_places_are() {
    let file = "start(all);\nstop(all);\n\nstart(all);\nstop(all);\n";
    let (lands, score) = score(file, "start(al);\nstop(all);", "start(al);\npause(all);");
    let score = score.unwrap();
    assert!(!lands, "{score:?}");
    assert_eq!(score.ruled_out, Some("another place explains the old text as well"));
}

#[test]
fn an_exact_needle_has_no_score() {
    for (needle, lands) in [("queue.running += 1;", true), ("nothing of the kind", false)] {
        let (landed, score) = score(QUEUE, needle, "new");
        assert_eq!((landed, score), (lands, None), "{needle}");
    }
}

#[test]
fn line_endings_are_those_of_the_file() {
    let file = QUEUE.replace('\n', "\r\n");
    let document = Document::new(file.as_str());
    let pipeline = pipeline();
    let edit = fuzzy_core::Edit::new(
        "let job = queue.jobs.pop_frnt()?;\nqueue.running += 1;",
        "let job = queue.jobs.pop_frnt()?;\nqueue.running += 2;",
    );
    let attempt = edit.attempt(&pipeline, &document);
    let judgement = attempt.decide();
    let ScoreBreakdown { splice, .. } = judgement.score().unwrap();
    let output = [&file[..splice.span.start()], &splice.text, &file[splice.span.end()..]].concat();
    assert_eq!(output, judgement.apply().unwrap().output);
}
